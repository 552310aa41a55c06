#include "algprior/prior/terms.hpp"

#include <cmath>

#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>

namespace algprior {

std::vector<Pull> pulls(const Terms& terms, const std::vector<at::Tensor>& parameters) {
  std::vector<Pull> result;
  for (const Term& term : terms.all()) {
    double squares = 0;
    if (term.value.requires_grad() && term.weight != 0.0) {
      const bool keep = true, create = false, unused = true;
      for (const at::Tensor& gradient :
           torch::autograd::grad({term.value}, parameters, {}, keep, create, unused)) {
        if (gradient.defined()) squares += gradient.square().sum(at::kDouble).item<double>();
      }
    }
    result.push_back({term.name, std::abs(term.weight) * std::sqrt(squares)});
  }
  return result;
}

}  // namespace algprior
