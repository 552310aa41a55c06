#include "algprior/base/blas.hpp"
#include "algprior/base/cpu.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/store/store.hpp"
#include "algprior/version.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "program.hpp"
#include "torch_module.hpp"
#include "torch_series.hpp"

#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;

struct Folder {
  std::string purpose, path;
  bool writable;
};

struct FoundSet {
  std::string name, path;
  std::size_t files, missing;
};

/// Everything that the command looks at, then shown as text or as JSON.
struct Diagnosis {
  Machine machine;
  std::optional<TorchFacts> torch;
  BlasState blas;
  std::vector<FoundSet> data;
  std::vector<Folder> folders;
  std::vector<Failure> problems;
};

void examine_torch(Diagnosis& diagnosis, int threads) {
  if (std::string_view(kTorchVersion).empty()) return;
  try {
    diagnosis.torch = load_torch_module(threads).facts();
  } catch (const Error& error) {
    diagnosis.problems.push_back(error.failure());
    return;
  }
  diagnosis.blas = blas_state();
  if (!diagnosis.blas.core.empty() && !suits_this_cpu(diagnosis.blas.core)) {
    diagnosis.problems.push_back({"OpenBLAS runs on kernels that do not suit this CPU",
                                  diagnosis.blas.core, openblas_core(),
                                  "unset OPENBLAS_CORETYPE, or set it to " + openblas_core()});
  }
}

void examine_data(Diagnosis& diagnosis) {
  const store::Store store = store::default_store();
  for (const store::DataSet& set : store.sets) {
    FoundSet found{set.name, "", set.files.size(), 0};
    for (const store::DataFile& file : set.files) {
      const auto path = store::find_if_present(store, set, file);
      if (!path) {
        ++found.missing;
      } else if (found.path.empty()) {
        found.path = path->parent_path().string();
      }
    }
    diagnosis.data.push_back(std::move(found));
  }
}

void examine_folders(Diagnosis& diagnosis) {
  const auto examine = [&](const char* purpose, const std::filesystem::path& path,
                           const char* variable) {
    diagnosis.folders.push_back({purpose, path.string(), is_writable(path)});
    if (diagnosis.folders.back().writable) return;
    diagnosis.problems.push_back({fmt::format("the {} folder cannot be written", purpose),
                                  path.string(), "",
                                  fmt::format("set {} to a folder of yours", variable)});
  };
  examine("runs", runs_folder(), "ALGPRIOR_RUNS");
  try {
    examine("cache", cache_folder(), "XDG_CACHE_HOME");
  } catch (const Error& error) {
    diagnosis.problems.push_back(error.failure());
  }
}

Json to_json(const Diagnosis& diagnosis) {
  Json document;
  const Machine& machine = diagnosis.machine;
  document["cpu"] = {{"name", machine.cpu},
                     {"instruction_set", instruction_set()},
                     {"instruction_sets", machine.instruction_sets},
                     {"cores", machine.cores}};
  document["memory"] = {{"bytes", machine.memory_bytes},
                        {"available_bytes", machine.memory_available_bytes}};
  document["libtorch"] = nullptr;
  document["blas"] = nullptr;
  if (diagnosis.torch) {
    const TorchFacts& torch = *diagnosis.torch;
    document["libtorch"] = {{"version", torch_series(torch.version)},
                            {"kernels", torch.kernels},
                            {"threads", torch.threads}};
    document["blas"] = {{"library", diagnosis.blas.library},
                        {"core", diagnosis.blas.core},
                        {"threads", diagnosis.blas.threads},
                        {"gflops_512", torch.gflops}};
  }
  document["data"] = Json::array();
  for (const FoundSet& set : diagnosis.data) {
    document["data"].push_back({{"set", set.name},
                                {"files", set.files},
                                {"missing", set.missing},
                                {"path", set.path.empty() ? Json() : Json(set.path)}});
  }
  document["folders"] = Json::array();
  for (const Folder& folder : diagnosis.folders) {
    document["folders"].push_back(
        {{"purpose", folder.purpose}, {"path", folder.path}, {"writable", folder.writable}});
  }
  document["problems"] = Json::array();
  for (const Failure& problem : diagnosis.problems) {
    document["problems"].push_back({{"what", problem.what},
                                    {"where", problem.where},
                                    {"expected", problem.expected},
                                    {"next", problem.next}});
  }
  return document;
}

void add_torch_rows(Table& table, const Diagnosis& diagnosis) {
  if (!diagnosis.torch) {
    const bool built_in = !std::string_view(kTorchVersion).empty();
    table.add_row({"LibTorch", built_in ? "does not load" : "not built in"});
    return;
  }
  const TorchFacts& torch = *diagnosis.torch;
  const BlasState& blas = diagnosis.blas;
  table.add_row(
      {"LibTorch", fmt::format("{}, {} kernels, {} threads", torch_series(torch.version),
                               torch.kernels.empty() ? "unknown" : torch.kernels, torch.threads)});
  table.add_row({"BLAS", blas.library.empty()
                             ? std::string("not OpenBLAS")
                             : fmt::format("{}, {} kernels, {} threads", blas.library, blas.core,
                                           blas.threads)});
  table.add_row({"BLAS speed", fmt::format("{:.0f} GFLOPS (float32, 512×512)", torch.gflops)});
}

std::string set_status(const Terminal& terminal, const FoundSet& set) {
  if (set.missing == 0) return terminal.styled(Style::kGood, "found") + "  " + set.path;
  const std::string what = set.missing == set.files
                               ? "missing"
                               : fmt::format("{} of {} files missing", set.missing, set.files);
  return terminal.styled(Style::kWarning, what) + "  algprior data get " + set.name;
}

std::string to_text(const Terminal& terminal, const Diagnosis& diagnosis) {
  const Machine& machine = diagnosis.machine;
  Table table({{}, {}});
  table.add_row({"algprior", kVersion});
  table.add_row({"CPU", fmt::format("{}, {} cores", machine.cpu, machine.cores)});
  table.add_row({"instructions", fmt::format("{}", fmt::join(machine.instruction_sets, " "))});
  table.add_row({"memory", fmt::format("{}, {} available", format_bytes(machine.memory_bytes),
                                       format_bytes(machine.memory_available_bytes))});
  add_torch_rows(table, diagnosis);
  for (const FoundSet& set : diagnosis.data) {
    table.add_row({"data " + set.name, set_status(terminal, set)});
  }
  for (const Folder& folder : diagnosis.folders) {
    table.add_row(
        {folder.purpose + " folder",
         folder.path + (folder.writable ? terminal.styled(Style::kGood, "  writable")
                                        : terminal.styled(Style::kBad, "  not writable"))});
  }
  std::string text = table.to_text(static_cast<std::size_t>(terminal.width()));
  for (const Failure& problem : diagnosis.problems) {
    text += "\n" + terminal.styled(Style::kBad, "problem: ") + Error(problem).what() + "\n";
  }
  return text;
}

int run_doctor(Context& context) {
  Diagnosis diagnosis;
  diagnosis.machine = this_machine();
  examine_torch(diagnosis, context.threads);
  examine_data(diagnosis);
  examine_folders(diagnosis);
  if (context.terminal.json()) {
    context.terminal.print_json(to_json(diagnosis));
  } else {
    context.terminal.print(to_text(context.terminal, diagnosis));
  }
  return diagnosis.problems.empty() ? kExitSuccess : kExitFailure;
}

}  // namespace

void add_doctor_command(Program& program) {
  CLI::App& command = program.add_command(
      {"doctor", "Say what this machine offers and what is missing", "algprior doctor"});
  program.on_run(command, run_doctor);
}

}  // namespace algprior
