#pragma once

#include "algprior/action/action.hpp"
#include "algprior/rep/approximate.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <torch/nn/module.h>
#include <torch/nn/pimpl.h>

namespace algprior {

/// How the free matrices of a learned representation start, N standard normal entries:
enum class MatrixStart {
  normal,      ///< N
  uniform,     ///< entries uniform on [0, 1)
  orthogonal,  ///< Q + σN, Q orthogonal and uniform (Haar)
  identity,    ///< I + σN
};

/// Options of a LearnedRepresentation.
struct LearnedRepresentationOptions {
  std::int64_t dimension = 8;  ///< d
  MatrixStart start = MatrixStart::normal;
  double noise = 1.0;      ///< σ of orthogonal and identity
  std::uint64_t seed = 0;  ///< of the start; the matrices depend on it and on nothing else
};

/// The start of one generator's matrix, d×d float32.
at::Tensor start_matrix(const LearnedRepresentationOptions& options, std::size_t generator);

/// A learned latent representation ρ̂_Z: one free matrix a generator, trained with the network.
///
/// ρ̂(e) = I is fixed. ρ̂(g) is the product along the shortest word of g without inverses (ρ̂(r³) =
/// ρ̂(r)³, not ρ̂(r)⁻¹), so that no matrix is inverted to act. Parameters carry the generators'
/// names.
///
/// The matrices are d×d. S×d×d holds S representations at once, for batched work without a network
/// (analysis/null_model.hpp): everything below but apply() and action() takes them.
class LearnedRepresentationImpl : public torch::nn::Module {
 public:
  /// Throws InputError for a group without generators, d < 1, or noise that is negative or not
  /// finite.
  LearnedRepresentationImpl(Group group, const LearnedRepresentationOptions& options);
  /// From given matrices in the order of group.generators(). Throws InputError unless there is one
  /// for each generator, all square and of one shape and floating type.
  LearnedRepresentationImpl(Group group, const std::vector<at::Tensor>& matrices);

  /// Tensors that somebody else owns and trains, such as the parameters of a module in Python.
  struct Shared {
    std::vector<at::Tensor> matrices;
  };
  /// The same over such tensors, as they are: gradients reach them, and nothing is registered.
  LearnedRepresentationImpl(Group group, Shared shared);

  const Group& group() const noexcept { return group_; }
  std::int64_t dimension() const;
  /// The parameters themselves, in the order of group().generators().
  const std::vector<at::Tensor>& generators() const noexcept { return generators_; }

  /// ρ̂(g), differentiable.
  at::Tensor matrix(Element g) const;
  /// ρ̂(g) for each of the elements; every product is computed once, along a tree of prefixes.
  std::map<Element, at::Tensor> matrices(const std::vector<Element>& elements) const;

  /// ρ̂(g) z with element g[n] for sample n: z is N×d, or N×d×H×W (…), where ρ̂ mixes the channels at
  /// every position. Differentiable in z and ρ̂. One product a distinct element beside those of
  /// matrices(). Throws InputError when shapes do not fit.
  at::Tensor apply(const at::Tensor& g, const at::Tensor& z) const;

  /// The same as an Action, which promises no tolerance (infinity): ρ̂ is only nearly one. It sees
  /// later changes of the matrices. Each call computes its products anew.
  Action action() const;

 private:
  void grow_tree();

  Group group_;
  std::vector<at::Tensor> generators_;
  // (parent, k): g = parent · generator k, without inverses.
  std::vector<std::pair<Element, std::size_t>> tree_;
};
TORCH_MODULE(LearnedRepresentation);

/// ρ̂(w) for matrices d×d or S×d×d of the generators, differentiable; an inverse letter inverts the
/// matrix. A power u^m takes O(log m) products.
at::Tensor evaluate(const std::vector<at::Tensor>& generators, const Word& word);

/// Throws DivergedError naming the generator when an entry of ρ̂ is not finite.
void check_finite(const LearnedRepresentation& representation);

/// ρ̂ in float64 for everything of rep/approximate.hpp. Throws DivergedError naming the generator
/// whose matrix is not finite.
ApproximateRepresentation to_approximate(const LearnedRepresentation& representation);
/// An exact representation as an approximate one. Throws InputError when it is complex.
ApproximateRepresentation to_approximate(const Representation& representation);
/// The matrices of an approximate representation as parameters, float64.
LearnedRepresentation to_learned(const ApproximateRepresentation& representation);

}  // namespace algprior
