#include "algprior/kernel/detail/latent.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/kernel/kernels.hpp"
#include "tensors.hpp"

#include <torch/csrc/autograd/custom_function.h>
#include <torch/types.h>

namespace algprior {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::Variable;
using torch::autograd::variable_list;

[[noreturn]] void fail(const std::string& where, const std::string& expected) {
  throw InputError({"a permutation of places does not fit its tensor", where, expected,
                    "check the latent size and the group of the action"});
}

void check(const at::Tensor& x, const at::Tensor& table, const at::Tensor& g) {
  if (table.dim() != 2 || table.scalar_type() != at::kLong || g.scalar_type() != at::kLong)
    fail("the table or the elements", "int64, |G|×d and one element a sample");
  if (x.dim() < 2 || x.size(-1) != table.size(1))
    fail(x.dim() < 2 ? "a tensor of " + std::to_string(x.dim()) + " axes"
                     : std::to_string(x.size(-1)) + " places",
         std::to_string(table.size(1)) + " places in the last axis");
  if (g.dim() != 1 || g.size(0) != x.size(0))
    fail(std::to_string(g.numel()) + " elements", std::to_string(x.size(0)) + ", one a sample");
}

bool native(const at::Tensor& x) {
  return kernels() != Kernels::torch && kernel::served(x);
}

// The row of the table for each sample, with every index checked: a wrong one would read memory
// that is not the tensor's.
std::vector<const std::int64_t*> rows_of(const at::Tensor& table, const at::Tensor& g) {
  const std::int64_t order = table.size(0);
  const std::int64_t places = table.size(1);
  const auto* entries = table.data_ptr<std::int64_t>();
  std::vector<bool> checked(static_cast<std::size_t>(order), false);
  const auto check_row = [&](std::int64_t element) {
    if (checked[element]) return;
    checked[element] = true;
    const auto* row = entries + element * places;
    for (std::int64_t k = 0; k < places; ++k)
      if (row[k] < 0 || row[k] >= places)
        fail("place " + std::to_string(row[k]), "0 to " + std::to_string(places - 1));
  };
  std::vector<const std::int64_t*> rows;
  rows.reserve(static_cast<std::size_t>(g.numel()));
  const auto* elements = g.data_ptr<std::int64_t>();
  for (std::int64_t n = 0; n < g.numel(); ++n) {
    if (elements[n] < 0 || elements[n] >= order)
      fail("element " + std::to_string(elements[n]), "0 to " + std::to_string(order - 1));
    check_row(elements[n]);
    rows.push_back(entries + elements[n] * places);
  }
  return rows;
}

struct GatherPlaces : torch::autograd::Function<GatherPlaces> {
  static Variable forward(AutogradContext* context, const Variable& x_, const at::Tensor& table_,
                          const at::Tensor& g_) {
    const auto x = x_.contiguous();
    const auto table = table_.contiguous();
    const auto g = g_.contiguous();
    const auto rows = rows_of(table, g);
    auto out = at::empty_like(x);
    move<false>(rows, x.data_ptr<float>(), x.numel(), table.size(1), out.data_ptr<float>());
    context->save_for_backward({table, g});
    return out;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto saved = context->get_saved_variables();
    const auto dout = gradients[0].contiguous();
    auto dx = at::zeros_like(dout);
    move<true>(rows_of(saved[0], saved[1]), dout.data_ptr<float>(), dout.numel(), saved[0].size(1),
               dx.data_ptr<float>());
    return {dx, at::Tensor(), at::Tensor()};
  }

  // Forward gathers; backward adds to where the values came from.
  template <bool kBack>
  static void move(const std::vector<const std::int64_t*>& rows, const float* from,
                   std::int64_t count, std::int64_t places, float* to) {
    const auto samples = static_cast<std::int64_t>(rows.size());
    if (samples == 0) return;
    const std::int64_t stretch = count / samples;
    const auto body = [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t n = begin; n < end; ++n)
        for (std::int64_t i = n * stretch; i < (n + 1) * stretch; i += places)
          for (std::int64_t k = 0; k < places; ++k) {
            if constexpr (kBack)
              to[i + rows[n][k]] += from[i + k];
            else
              to[i + k] = from[i + rows[n][k]];
          }
    };
    // Fewer floats than these are moved before a second thread has woken up.
    constexpr std::int64_t kLarge = std::int64_t{1} << 17;
    count < kLarge ? body(0, samples) : parallel_for(samples, body);
  }
};

struct EquivarianceLoss : torch::autograd::Function<EquivarianceLoss> {
  static Variable forward(AutogradContext* context, const Variable& z_, const Variable& zg_,
                          const at::Tensor& table_, const at::Tensor& g_) {
    const auto z = z_.contiguous();
    const auto zg = zg_.contiguous();
    const auto table = table_.contiguous();
    const auto g = g_.contiguous();
    const auto rows = rows_of(table, g);
    const std::int64_t places = table.size(1);
    const auto factor = 2.0f / static_cast<float>(z.numel());
    auto dz = at::zeros_like(z);
    auto dzg = at::empty_like(zg);
    const float* from = z.data_ptr<float>();
    const float* target = zg.data_ptr<float>();
    float* dfrom = dz.data_ptr<float>();
    float* dtarget = dzg.data_ptr<float>();
    // A few thousand numbers: less work than waking a second thread.
    double total = 0.0;
    for (std::size_t n = 0; n < rows.size(); ++n) {
      for (std::int64_t k = 0; k < places; ++k) {
        const float difference = target[k] - from[rows[n][k]];
        total += static_cast<double>(difference * difference);
        dtarget[k] = factor * difference;
        dfrom[rows[n][k]] -= factor * difference;
      }
      from += places, target += places, dfrom += places, dtarget += places;
    }
    context->save_for_backward({dz, dzg});
    return at::scalar_tensor(total / static_cast<double>(z.numel()), z.options());
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    kernel::refuse_second_derivative();
    const auto saved = context->get_saved_variables();
    return {saved[0] * gradients[0], saved[1] * gradients[0], at::Tensor(), at::Tensor()};
  }
};

}  // namespace

at::Tensor gather_places_torch(const at::Tensor& x, const at::Tensor& table, const at::Tensor& g) {
  check(x, table, g);
  auto index = table.index_select(0, g);
  for (std::int64_t axis = 1; axis + 1 < x.dim(); ++axis) index = index.unsqueeze(1);
  return at::gather(x, -1, index.expand(x.sizes()));
}

at::Tensor gather_places(const at::Tensor& x, const at::Tensor& table, const at::Tensor& g) {
  check(x, table, g);
  return native(x) ? GatherPlaces::apply(x, table, g) : gather_places_torch(x, table, g);
}

at::Tensor gather_equivariance_loss_torch(const at::Tensor& z, const at::Tensor& zg,
                                          const at::Tensor& table, const at::Tensor& g) {
  return at::mse_loss(zg, gather_places_torch(z, table, g));
}

at::Tensor gather_equivariance_loss(const at::Tensor& z, const at::Tensor& zg,
                                    const at::Tensor& table, const at::Tensor& g) {
  check(z, table, g);
  if (z.dim() != 2 || z.sizes() != zg.sizes() || z.scalar_type() != zg.scalar_type())
    fail("latents of x and g·x of different shapes or dtypes", "N×d both");
  return native(z) ? EquivarianceLoss::apply(z, zg, table, g)
                   : gather_equivariance_loss_torch(z, zg, table, g);
}

}  // namespace algprior
