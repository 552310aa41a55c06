#include "algprior/base/error.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/toml/read_config.hpp"
#include "torch_bind.hpp"

namespace algprior::python {
namespace {

c10::Device to_device(const std::string& word) {
  try {
    const c10::Device device(word);
    at::empty({1}, at::TensorOptions().device(device));
    return device;
  } catch (const c10::Error&) {
    throw InputError({"this device is not to be had here", word,
                      "cpu, or cuda with a torch built for CUDA and a GPU", "leave device out"});
  }
}

void tell(const py::object& listener, const MetricRecord& record) {
  const py::gil_scoped_acquire lock;
  py::dict epoch;
  epoch["step"] = record.step;
  epoch["epoch"] = record.epoch;
  epoch["split"] = record.split;
  epoch["terms"] = record.terms;
  epoch["metrics"] = record.metrics;
  listener(epoch);
}

/// Runs the experiment; returns its folder.
std::string run(const std::string& file, const std::vector<std::string>& overrides,
                const std::string& folder, bool resume, const std::string& device,
                const py::object& on_epoch) {
  RunOptions options;
  options.resume = resume;
  options.holder = "algprior.run " + file;
  if (!on_epoch.is_none()) {
    options.sink = [&](const MetricRecord& record) { tell(on_epoch, record); };
  }
  return long_call([&] {
    const config::Config config = config::read_config(experiment_schema(), file, overrides);
    options.device = to_device(device);
    options.folder =
        folder.empty() ? runs_folder() / to_string(run_id(config)) : std::filesystem::path(folder);
    run_experiment(config, options);
    return options.folder.string();
  });
}

}  // namespace

void bind_run(py::module_& module) {
  module.def("run", &run, py::arg("file"), py::arg("overrides"), py::arg("folder"),
             py::arg("resume"), py::arg("device"), py::arg("on_epoch"));
}

}  // namespace algprior::python
