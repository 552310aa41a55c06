#include "algprior/kernel/gate.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/kernel/kernels.hpp"
#include "gate_simd.hpp"
#include "recycled_tensor.hpp"
#include "tensors.hpp"

#include <numeric>

#include <fmt/format.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

struct GateState : torch::CustomClassHolder {
  GateLayout layout;
};

// body(sample, field, one field's planes) for all of them.
template <class Body>
void for_fields(const at::Tensor& x, const GateLayout& layout, const Body& body) {
  const kernel::GateField field{layout.gates(), layout.parts.data(),
                                x.numel() / (x.size(0) * x.size(1))};
  parallel_for(x.size(0) * layout.fields, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t i = begin; i < end; ++i) body(i / layout.fields, i % layout.fields, field);
  });
}

class GateFunction : public torch::autograd::Function<GateFunction> {
 public:
  static at::Tensor forward(AutogradContext* context, const at::Tensor& x, const at::Tensor& scale,
                            const at::Tensor& shift, const GateLayout& layout) {
    auto shape = x.sizes().vec();
    shape[1] = layout.fields * layout.features();
    const auto y = kernel::make_empty(shape, x.options());
    for_fields(x, layout, [&](std::int64_t n, std::int64_t f, const kernel::GateField& field) {
      const auto channels = field.gates + layout.features(), i = n * layout.fields + f;
      kernel::gate_forward(field, x.data_ptr<float>() + i * channels * field.size,
                           scale.data_ptr<float>() + f * channels,
                           shift.data_ptr<float>() + f * channels,
                           y.data_ptr<float>() + i * layout.features() * field.size);
    });
    context->save_for_backward({x, scale, shift});
    auto state = c10::make_intrusive<GateState>();
    state->layout = layout;
    context->saved_data["state"] = c10::IValue::make_capsule(state);
    return y;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto saved = context->get_saved_variables();
    const auto state =
        c10::static_intrusive_pointer_cast<GateState>(context->saved_data["state"].toCapsule());
    const GateLayout& layout = state->layout;
    const auto &x = saved[0], &scale = saved[1], &shift = saved[2];
    const auto dy = gradients[0].contiguous();
    const auto dx = kernel::make_empty(x.sizes(), x.options());
    const auto sums = at::empty({2, x.size(0), x.size(1)}, at::TensorOptions(at::kDouble));
    for_fields(x, layout, [&](std::int64_t n, std::int64_t f, const kernel::GateField& field) {
      const auto channels = field.gates + layout.features(), i = n * layout.fields + f;
      double* dscale = sums.data_ptr<double>() + i * channels;
      kernel::gate_backward(
          field, x.data_ptr<float>() + i * channels * field.size,
          scale.data_ptr<float>() + f * channels, shift.data_ptr<float>() + f * channels,
          dy.data_ptr<float>() + i * layout.features() * field.size,
          dx.data_ptr<float>() + i * channels * field.size, dscale, dscale + x.size(0) * x.size(1));
    });
    const auto total = sums.sum(1).to(at::kFloat);
    return {dx, total[0], total[1], at::Tensor()};
  }
};

}  // namespace

std::int64_t GateLayout::features() const {
  return std::accumulate(parts.begin(), parts.end(), std::int64_t{0});
}

at::Tensor gate_fields_torch(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                             const GateLayout& layout) {
  const auto gates = layout.gates(), features = layout.features();
  std::vector<std::int64_t> gate_of;
  for (std::size_t i = 0; i < layout.parts.size(); ++i) {
    gate_of.insert(gate_of.end(), static_cast<std::size_t>(layout.parts[i]),
                   static_cast<std::int64_t>(i));
  }
  const std::vector<std::int64_t> per_channel = {1, layout.fields, gates + features, 1};
  const auto u =
      x.reshape({x.size(0), layout.fields, gates + features, -1}) * scale.view(per_channel) +
      shift.view(per_channel);
  const auto open = at::sigmoid(u.narrow(2, 0, gates))
                        .index_select(2, at::tensor(gate_of, at::kLong).to(x.device()));
  auto shape = x.sizes().vec();
  shape[1] = layout.fields * features;
  return (u.narrow(2, gates, features) * open).reshape(shape);
}

void kernel::check_gates(const GateLayout& layout, std::int64_t channels, const at::Tensor& scale,
                         const at::Tensor& shift) {
  constexpr std::int64_t kMost = 1 << 20;
  bool proper = layout.fields >= 1 && layout.fields <= kMost && !layout.parts.empty();
  std::int64_t features = 0;
  for (const std::int64_t part : layout.parts) {
    proper = proper && part >= 0 && part <= kMost && features <= kMost;
    if (proper) features += part;
  }
  const std::int64_t wanted = proper ? layout.fields * (layout.gates() + features) : 0;
  if (proper && channels == wanted && scale.numel() == wanted && shift.numel() == wanted) return;
  throw InputError(
      {"features do not fit their gates",
       fmt::format("{} channels, {} factors, {} shifts", channels, scale.numel(), shift.numel()),
       fmt::format("{}: {} gates before the {} channels of each of {} fields", wanted,
                   layout.gates(), features, layout.fields),
       ""});
}

at::Tensor gate_fields(const at::Tensor& x, const at::Tensor& scale, const at::Tensor& shift,
                       const GateLayout& layout) {
  kernel::check_gates(layout, x.dim() < 2 ? 0 : x.size(1), scale, shift);
  const bool native = kernels() != Kernels::torch && kernel::served(x) && kernel::served(scale) &&
                      kernel::served(shift) && x.numel() > 0;
  return translated("features cannot be gated", "", [&] {
    return native
               ? GateFunction::apply(x.contiguous(), scale.contiguous(), shift.contiguous(), layout)
               : gate_fields_torch(x, scale, shift, layout);
  });
}

}  // namespace algprior
