#include "algprior/base/error.hpp"
#include "algprior/prior/algebra_loss.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/prior/learned_representation.hpp"
#include "algprior/prior/terms.hpp"
#include "torch_bind.hpp"

namespace algprior::python {
namespace {

template <class Choice>
Choice chosen(const std::string& word, std::initializer_list<std::pair<const char*, Choice>> words,
              const char* what) {
  std::string names;
  for (const auto& [name, choice] : words) {
    if (word == name) return choice;
    names += (names.empty() ? "" : ", ") + std::string(name);
  }
  throw InputError({std::string("no such ") + what, "\"" + word + "\"", "one of " + names, ""});
}

LearnedRepresentation over(const Group& group, std::vector<at::Tensor> matrices) {
  return LearnedRepresentation(group, LearnedRepresentationImpl::Shared{std::move(matrices)});
}

at::Tensor start(std::int64_t dimension, const std::string& kind, double noise, std::uint64_t seed,
                 std::size_t generator) {
  return start_matrix({.dimension = dimension,
                       .start = chosen<MatrixStart>(kind,
                                                    {{"normal", MatrixStart::normal},
                                                     {"uniform", MatrixStart::uniform},
                                                     {"orthogonal", MatrixStart::orthogonal},
                                                     {"identity", MatrixStart::identity}},
                                                    "start of a learned representation"),
                       .noise = noise,
                       .seed = seed},
                      generator);
}

/// The relators' values, their weighted sum, and the regulariser where there is one.
std::tuple<std::vector<at::Tensor>, at::Tensor, std::optional<at::Tensor>> algebra_loss(
    const Group& group, std::vector<at::Tensor> matrices, const std::vector<double>& weights,
    const std::string& regulariser, double damping) {
  AlgebraOptions options;
  options.weights = weights;
  options.damping = damping;
  options.regulariser =
      chosen<Regulariser>(regulariser,
                          {{"none", Regulariser::none},
                           {"inverse", Regulariser::inverse},
                           {"damped_commutation", Regulariser::damped_commutation}},
                          "regulariser");
  const AlgebraValues values = AlgebraLoss(group, options)(over(group, std::move(matrices)));
  std::optional<at::Tensor> extra;
  if (values.regulariser.defined()) extra = values.regulariser;
  return {values.relators, values.algebra, extra};
}

}  // namespace

void bind_losses(py::module_& module) {
  module.def("equivariance_loss", &equivariance_loss, py::arg("action"), py::arg("z"),
             py::arg("zg"), py::arg("g"), Unlocked());
  module.def("relative_equivariance_loss", &relative_equivariance_loss, py::arg("action"),
             py::arg("z"), py::arg("zg"), py::arg("g"), Unlocked());

  module.def("start_matrix", &start, py::arg("dimension"), py::arg("start"), py::arg("noise"),
             py::arg("seed"), py::arg("generator"));
  module.def(
      "learned_apply",
      [](const Group& group, std::vector<at::Tensor> matrices, const at::Tensor& g,
         const at::Tensor& z) { return over(group, std::move(matrices))->apply(g, z); },
      py::arg("group"), py::arg("matrices"), py::arg("g"), py::arg("z"), Unlocked());
  module.def(
      "learned_matrix",
      [](const Group& group, std::vector<at::Tensor> matrices, std::uint32_t g) {
        return over(group, std::move(matrices))->matrix(g);
      },
      py::arg("group"), py::arg("matrices"), py::arg("g"), Unlocked());
  module.def("algebra_loss", &algebra_loss, py::arg("group"), py::arg("matrices"),
             py::arg("weights"), py::arg("regulariser"), py::arg("damping"), Unlocked());
  module.def(
      "pulls",
      [](const std::vector<std::tuple<std::string, at::Tensor, double>>& terms,
         const std::vector<at::Tensor>& parameters) {
        Terms all;
        for (const auto& [name, value, weight] : terms) all.add(name, value, weight);
        std::vector<std::pair<std::string, double>> norms;
        for (const Pull& pull : pulls(all, parameters)) norms.emplace_back(pull.name, pull.norm);
        return norms;
      },
      py::arg("terms"), py::arg("parameters"), Unlocked());
}

}  // namespace algprior::python
