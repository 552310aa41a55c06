#pragma once

#include "algprior/action/action.hpp"
#include "algprior/audit/audit_subject.hpp"
#include "algprior/base/progress.hpp"

#include <cstdint>
#include <functional>

#include <ATen/core/Tensor.h>

namespace algprior {

/// How an encoder is looked at by an audit.
struct EncoderView {
  /// N×d, or a grid N×C×…, which is averaged over its positions unless it is pulled back.
  std::function<at::Tensor(const at::Tensor& x)> encode;
  Action input;
  /// For maps from images to images of one size: g⁻¹·f(g·x) is looked at instead of f(g·x). f is
  /// equivariant exactly where that does not depend on g, so "invariant" is then the good verdict.
  bool pull_back = false;
};

struct EmbedOptions {
  std::int64_t batch = 256;
  /// Of what is wider (flattened outputs) so many coordinates are kept, evenly spread: an audit
  /// takes time with their square.
  std::int64_t most_coordinates = 256;
  ProgressSink progress = {};  ///< told of samples × elements; may be empty
};

/// Embedded orbits of samples x, in batches and without gradients, with the floor of the action on
/// the inputs and a remark when two calls on one input differ. `labels` may be undefined. Throws
/// InputError when the encoder returns something else than one vector or grid a sample, numbers
/// that are not finite, or fails, with its words.
AuditSubject embed_orbits(const EncoderView& view, const at::Tensor& x, const at::Tensor& labels,
                          const EmbedOptions& options = {});

/// The floor of an action on samples, and whether it moved them at all.
AuditFloor measure_floor(const Action& action, const at::Tensor& x);
AuditInputs measure_inputs(const Action& action, const at::Tensor& x);

/// ρ(g) of every element as matrices, of an action on vectors of `dimension` coordinates or, with
/// `positions` > 0, on the channels of a grid with so many spatial dimensions.
std::vector<Eigen::MatrixXd> matrices_of(const Action& action, std::int64_t dimension,
                                         std::int64_t positions = 0);

}  // namespace algprior
