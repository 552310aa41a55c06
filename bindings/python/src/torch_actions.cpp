#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/base/error.hpp"
#include "algprior/prior/room.hpp"
#include "torch_bind.hpp"

#include <torch/csrc/autograd/python_variable.h>

namespace algprior::python {
namespace {

Resampling to_resampling(const std::string& word) {
  if (word == "none") return Resampling::none;
  if (word == "bilinear") return Resampling::bilinear;
  if (word == "nearest") return Resampling::nearest;
  throw InputError(
      {"no such resampling", "\"" + word + "\"", "\"none\", \"bilinear\" or \"nearest\"", ""});
}

/// A Python function that may be let go of in a thread without Python's lock.
std::shared_ptr<py::function> kept(py::function function) {
  return {new py::function(std::move(function)), [](py::function* held) {
            const py::gil_scoped_acquire lock;
            delete held;
          }};
}

Action own_action(const Group& group, const std::string& name, double tolerance,
                  py::function function) {
  return Action(group, name, tolerance,
                [held = kept(std::move(function))](const at::Tensor& g, const at::Tensor& x) {
                  const py::gil_scoped_acquire lock;
                  return (*held)(g, x).cast<at::Tensor>();
                });
}

at::Tensor apply(const Action& action, const py::object& g, const at::Tensor& x) {
  if (THPVariable_Check(g.ptr()) && THPVariable_Unpack(g.ptr()).dim() > 0) {
    const at::Tensor elements = THPVariable_Unpack(g.ptr());
    const py::gil_scoped_release unlocked;
    return action(elements, x);
  }
  const auto element = py::cast(action.group()).attr("element")(g).cast<Element>();
  const py::gil_scoped_release unlocked;
  return action(element, x);
}

/// "planar_action" and its arguments, by which an action is pickled.
void bind_maker(py::class_<Action>& action) {
  action.def("__reduce__", [](const py::object& self) {
    if (!py::hasattr(self, "_made_by")) {
      throw InputError({"this action cannot be pickled", self.attr("name").cast<std::string>(),
                        "an action made by a function of algprior.torch", ""});
    }
    return py::make_tuple(py::module_::import("algprior.torch._actions").attr("remake"),
                          self.attr("_made_by"));
  });
}

}  // namespace

void bind_actions(py::module_& module) {
  py::class_<Action> action(
      module, "Action", py::dynamic_attr(),
      R"doc(A left action of a group on tensors whose first dimension counts samples.

action(g, x) moves sample n by g[n]; g may also be one element or word for all samples.
)doc");
  action.attr("__module__") = "algprior.torch";
  action.def("__call__", &apply, py::arg("g"), py::arg("x"))
      .def_property_readonly("group", &Action::group, "The group that acts.")
      .def_property_readonly("name", &Action::name, "What messages call it.")
      .def_property_readonly("tolerance", &Action::tolerance,
                             "How far it is from a left action; 0 for an exact one.")
      .def_property_readonly("exact", &Action::exact, "Whether the law holds to the last bit.")
      .def("defect", &action_defect, py::arg("x"), py::arg("pairs") = 4096, Unlocked(),
           "max |T_g(T_h x) − T_{gh} x| over pairs of elements: 0 for an exact action.")
      .def("__repr__", [](const Action& a) { return "<Action: " + a.name() + ">"; });
  bind_maker(action);

  module.def(
      "planar_action",
      [](const Group& group, const std::string& resampling) {
        return planar_action(group, to_resampling(resampling));
      },
      py::arg("group"), py::arg("resampling"));
  module.def(
      "planar_action_of",
      [](const Representation& plane, const std::string& resampling) {
        return planar_action(plane, to_resampling(resampling));
      },
      py::arg("plane"), py::arg("resampling"));
  module.def("volume_action", py::overload_cast<const Group&>(&volume_action), py::arg("group"));
  module.def("volume_action_of", py::overload_cast<const Representation&>(&volume_action),
             py::arg("space"));
  const auto latent = [](auto make) {
    return [make](const Representation& rho, std::int64_t width) {
      return make(rho, width, LatentPath::automatic);
    };
  };
  module.def("latent_action", latent(&latent_action), py::arg("representation"),
             py::arg("dimension"));
  module.def("channel_action", latent(&channel_action), py::arg("representation"),
             py::arg("channels"));
  module.def("label_action", &label_action, py::arg("representation"));
  module.def("trivial_action", &trivial_action, py::arg("group"));
  module.def("compose", py::overload_cast<const Action&, const Action&>(&compose), py::arg("outer"),
             py::arg("inner"));
  module.def("own_action", &own_action, py::arg("group"), py::arg("name"), py::arg("tolerance"),
             py::arg("function"));
  module.def(
      "sample_elements",
      [](const Group& group, std::int64_t n, std::uint64_t seed, const at::Device& device) {
        return sample_elements(group, n, RandomKey(seed, "python"), device);
      },
      py::arg("group"), py::arg("n"), py::arg("seed"), py::arg("device"), Unlocked());
  module.def("room", &invariant_room, py::arg("action"), py::arg("shape"), Unlocked());
}

}  // namespace algprior::python
