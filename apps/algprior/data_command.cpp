#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/store/store.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <memory>

#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;
using store::DataFile;
using store::DataSet;
using store::Store;

/// The sets of these names; all of them for none.
std::vector<const DataSet*> chosen_sets(const Store& store, const std::vector<std::string>& names) {
  std::vector<const DataSet*> out;
  for (const std::string& name : names) out.push_back(&store::set_named(store.sets, name));
  if (names.empty()) {
    for (const DataSet& set : store.sets) out.push_back(&set);
  }
  return out;
}

int run_list(Context& context) {
  Terminal& terminal = context.terminal;
  const Store store = store::default_store();
  Json document = Json::array();
  Table table({{"data set"}, {"file"}, {"size", Align::kRight}, {"where"}});
  bool missing = false;
  for (const DataSet& set : store.sets) {
    for (const DataFile& file : set.files) {
      const auto path = find_if_present(store, set, file);
      const auto wrong = path ? std::nullopt : misfit(store, set, file);
      missing = missing || !path;
      Json entry{{"set", set.name},
                 {"file", file.name()},
                 {"title", set.title},
                 {"purpose", set.purpose},
                 {"licence", set.licence},
                 {"size", file.contents.front().size},
                 {"sha256", file.contents.front().sha256}};
      entry["path"] = path ? Json(path->string()) : Json(nullptr);
      if (wrong) entry["problem"] = *wrong;
      document.push_back(entry);
      const bool first = &file == &set.files.front();
      table.add_row({first ? set.name : "", file.name(), format_bytes(file.contents.front().size),
                     path    ? path->string()
                     : wrong ? terminal.styled(Style::kBad, "wrong: " + *wrong)
                             : terminal.styled(Style::kWarning, "missing")});
    }
  }
  if (terminal.json()) {
    terminal.print_json(document);
    return kExitSuccess;
  }
  terminal.print(table.to_text());
  if (missing) {
    terminal.print("\n`algprior data get NAME` downloads into " + store.cache.string() + "\n");
  }
  return kExitSuccess;
}

int run_get(Context& context, const std::vector<std::string>& names) {
  Terminal& terminal = context.terminal;
  const Store store = store::default_store();
  Json document = Json::array();
  for (const DataSet* set : chosen_sets(store, names)) {
    ProgressBar bar(terminal, set->name, "B");
    std::string current;
    const auto fetched =
        store::get(store, *set, [&](const std::string& address, auto done, auto total) {
          if (address != current) bar.restart(address.substr(address.rfind('/') + 1));
          current = address;
          bar.update(done, total);
        });
    for (const auto& path : fetched) {
      document.push_back(path.string());
      if (!terminal.json()) terminal.print(path.string() + "\n");
    }
    if (fetched.empty()) terminal.note(set->name + ": nothing is missing");
  }
  if (terminal.json()) terminal.print_json(Json{{"fetched", document}});
  return kExitSuccess;
}

int run_verify(Context& context, const std::vector<std::string>& names) {
  Terminal& terminal = context.terminal;
  const Store store = store::default_store();
  Json document = Json::array();
  std::size_t good = 0, bad = 0, missing = 0;
  for (const DataSet* set : chosen_sets(store, names)) {
    for (const DataFile& file : set->files) {
      const auto path = find_if_present(store, *set, file);
      std::string problem = path ? "" : misfit(store, *set, file).value_or("missing");
      const bool absent = problem == "missing";
      if (path) {
        ProgressBar bar(terminal, file.name(), "B");
        problem = verify(*path, file, bar.sink());
      }
      ++(problem.empty() ? good : absent ? missing : bad);
      document.push_back({{"set", set->name},
                          {"file", file.name()},
                          {"path", path ? Json(path->string()) : Json(nullptr)},
                          {"good", problem.empty()},
                          {"problem", problem}});
      if (terminal.json()) continue;
      terminal.print((problem.empty() ? terminal.styled(Style::kGood, "good   ")
                      : absent        ? terminal.styled(Style::kWarning, "missing")
                                      : terminal.styled(Style::kBad, "wrong  ")) +
                     "  " + (path ? path->string() : set->name + "/" + file.name()) +
                     (problem.empty() || absent ? "" : ": " + problem) + "\n");
    }
  }
  if (terminal.json()) terminal.print_json(document);
  if (bad > 0) {
    throw FileError({std::to_string(bad) + " data files are damaged", "", "",
                     "remove them and run `algprior data get NAME`"});
  }
  // Sets that were named must be whole; of all sets, some may well be absent.
  if (missing > 0 && !names.empty()) {
    throw FileError({std::to_string(missing) + " data files are missing", "", "",
                     "run `algprior data get " + names.front() + "`"});
  }
  return kExitSuccess;
}

int run_path(Context& context, const std::string& name) {
  const Store store = store::default_store();
  const std::size_t slash = name.find('/');
  const DataSet& set = store::set_named(store.sets, name.substr(0, slash));
  std::vector<std::string> paths;
  if (slash != std::string::npos) {
    paths.push_back(find(store, set.name, name.substr(slash + 1)).string());
  } else {
    for (const DataFile& file : set.files) {
      paths.push_back(find(store, set.name, file.name()).string());
    }
  }
  if (context.terminal.json()) {
    context.terminal.print_json(Json(paths));
    return kExitSuccess;
  }
  for (const std::string& path : paths) context.terminal.print(path + "\n");
  return kExitSuccess;
}

}  // namespace

void add_data_command(Program& program) {
  CLI::App& data =
      program.add_command({"data", "Find, download and check data sets", "algprior data list"});
  program.on_run(program.add_command(data, {"list", "Show every data file and where it was found",
                                            "algprior data list --json"}),
                 run_list);

  const auto named = [&](const CommandText& text, const char* help, auto run) {
    auto names = std::make_shared<std::vector<std::string>>();
    CLI::App& command = program.add_command(data, text);
    command.add_option("names", *names, help);
    program.on_run(command, [names, run](Context& context) { return run(context, *names); });
    return command.get_option("names");
  };
  named({"get", "Download what is missing; goes on where it stopped", "algprior data get mnist"},
        "data sets", run_get)
      ->required();
  named({"verify", "Compare files with their checksums", "algprior data verify mnist"},
        "data sets (all that are found when none is named)", run_verify);

  auto name = std::make_shared<std::string>();
  CLI::App& path = program.add_command(
      data, {"path", "Print where a data set lies", "algprior data path mnist"});
  path.add_option("name", *name, "data set, or data set/file")->required();
  program.on_run(path, [name](Context& context) { return run_path(context, *name); });
}

}  // namespace algprior
