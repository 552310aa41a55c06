#pragma once

#include "algprior/action/action.hpp"
#include "algprior/data/dataset.hpp"

#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// How images and their partners are drawn. Probabilities are weights, one for each element of the
/// group in its order; empty means uniform.
struct ImagePairOptions {
  std::vector<double> first = {};  ///< of h in x = T_h(image); {1, 0, …} leaves images as they are
  std::vector<double> second = {};  ///< of g in g·x = T_g x
  double mean = 0.0;                ///< images/255 are normalised to (value − mean)/deviation
  double deviation = 1.0;  ///< before they are moved, so that 0 is what comes in at the border
  /// Departure D-1 of the published code: the partner is T_g⁻¹ x under the name of g, a right
  /// action beside a left representation. What is equivariant to both is constant on commutators.
  bool inverse_partner = false;
  /// How labels move with their images; nothing: they stay.
  std::optional<Action> labels = {};
};

/// Images uint8 N×C×H×W, or volumes N×C×D×H×W, with labels int64 N as pairs x, g·x with their g.
/// h and g of a sample depend on its key alone. Images stay bytes in memory;
/// a batch converts its own. Throws InputError when shapes do not fit, a weight is negative, or all
/// are 0.
Dataset make_image_pairs(std::string name, at::Tensor images, at::Tensor labels,
                         const Action& action, const ImagePairOptions& options = {});

/// An element for each sample by weights (empty: uniform), as sample_elements does it.
at::Tensor sample_weighted_elements(const Group& group, const std::vector<double>& weights,
                                    const at::Tensor& indices, const RandomKey& key);

}  // namespace algprior
