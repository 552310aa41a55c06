#pragma once

#include "algprior/data/dataset.hpp"
#include "algprior/data/digits.hpp"
#include "algprior/data/planar_transform.hpp"
#include "algprior/group/group.hpp"

#include <cstdint>
#include <string>

namespace algprior {

/// Which of the experiment's views of the data.
enum class DdmnistView {
  augmented,  ///< x is transformed by a random pair (h, k) first: training, validation, augmented
              ///< test
  plain,      ///< x as drawn; for groups with turns and flips turned by one θ and back
};

struct DdmnistOptions {
  std::int64_t images_per_class = 100;  ///< pairs for each of the 100 classes
  DdmnistView view = DdmnistView::augmented;
  TurnMode turn = TurnMode::there_and_back;
  bool paired = true;  ///< make g·x too; x is the same either way
};

/// Double-digit MNIST under G×G for a planar group G of one digit. Class n = 10·left + right; for
/// each class pairs of digit images are drawn with replacement, once, from `pairs`. A batch: digits
/// in [0, 1] → each transformed by its own element → g = (g_left, g_right) uniform over G×G applied
/// to the transformed digits again → pasted on a canvas of zeros (28×28 digits: 56×56, digits in
/// the middle rows) → normalised with mean 0.06535 and deviation 0.555068. Batches come as float32
/// N×1×2S×2S; labels are invariant. g = idx(g_left)·|G| + idx(g_right), an element of
/// direct_product(G, G). Throws InputError for a group that is not planar.
Dataset make_ddmnist(const Digits& digits, const Group& digit_group, const RandomKey& pairs,
                     const DdmnistOptions& options = {});

/// Pairs for each of the 100 classes.
struct DdmnistSizes {
  std::int64_t train = 100;
  std::int64_t validation = 20;
  std::int64_t test = 50;  ///< of each of the two tests
};

/// The experiment's four data sets. Validation and both tests draw from the digits of MNIST's test
/// split, each its own pairs; the augmented test draws new ones.
struct DdmnistSplits {
  Dataset train;
  Dataset validation;      ///< augmented anew every epoch
  Dataset test;            ///< without partners, plain view
  Dataset augmented_test;  ///< with partners, which the equivariance error needs
};

/// The pairs follow from the seed. `paired` asks for partners in training and validation.
DdmnistSplits make_ddmnist_splits(const Digits& train, const Digits& test, const Group& digit_group,
                                  std::uint64_t seed, bool paired,
                                  TurnMode turn = TurnMode::there_and_back,
                                  const DdmnistSizes& sizes = {});

inline constexpr double kDdmnistMean = 0.06535;
inline constexpr double kDdmnistDeviation = 0.555068;

}  // namespace algprior
