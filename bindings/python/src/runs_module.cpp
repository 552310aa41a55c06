// Runs and tables as they lie on disk: no torch.
#include "algprior/base/paths.hpp"
#include "algprior/paper/exploratory_table.hpp"
#include "algprior/paper/paper_table.hpp"
#include "algprior/report/run.hpp"
#include "bind.hpp"
#include "long_call.hpp"

namespace algprior::python {
namespace {

py::dict curves_of(const report::Run& run) {
  const auto array = [](const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    return py::array_t<Value>(static_cast<py::ssize_t>(values.size()), values.data());
  };
  py::dict curves;
  for (const auto& [name, curve] : run.metrics.curves()) {
    py::dict one;
    one["step"] = array(curve.steps);
    one["epoch"] = array(curve.epochs);
    one["value"] = array(curve.values);
    curves[py::str(name)] = one;
  }
  return curves;
}

py::dict load(const std::string& folder) {
  const report::Run run = long_call([&] { return report::read_run(folder); });
  py::dict loaded;
  loaded["name"] = run.name();
  loaded["experiment"] = run.experiment;
  loaded["row"] = run.row;
  loaded["seed"] = run.seed;
  loaded["state"] = to_string(run.state);
  loaded["settings"] = run.settings;
  loaded["problems"] = run.problems;
  loaded["metrics"] = curves_of(run);
  loaded["result"] = run.result ? py::cast(to_json(*run.result)) : py::none();
  return loaded;
}

/// JSON and text.
std::pair<std::string, std::string> table(const std::string& name,
                                          const std::vector<std::string>& folders) {
  return long_call([&] {
    const std::vector<Result> results = find_results({folders.begin(), folders.end()});
    if (name == "exploratory") {
      const auto tables = make_exploratory_tables(results);
      return std::pair(to_json(tables), to_text(tables));
    }
    const PaperTable made = make_paper_table(name, results);
    return std::pair(to_json(made), to_text(made));
  });
}

}  // namespace
}  // namespace algprior::python

PYBIND11_MODULE(_runs, module) {
  using namespace algprior::python;
  py::module_::import("algprior._algebra");  // turns our exceptions into Python's
  module.def("load", &load, py::arg("folder"));
  module.def("table", &table, py::arg("name"), py::arg("folders"));
  module.def(
      "is_run_folder",
      [](const std::string& folder) { return algprior::report::is_run_folder(folder); },
      py::arg("folder"));
  module.def("runs_folder", [] { return algprior::runs_folder().string(); });
}
