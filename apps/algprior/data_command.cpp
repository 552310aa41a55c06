#include "algprior/base/paths.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/store/made.hpp"
#include "algprior/store/store.hpp"
#include "commands.hpp"
#include "data_draw.hpp"
#include "data_made.hpp"
#include "exit_codes.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include <nlohmann/json.hpp>

namespace algprior {
namespace {

using Json = nlohmann::ordered_json;
using store::DataFile;
using store::DataSet;
using store::Store;

/// Downloaded sets and made ones.
struct Chosen {
  std::vector<DataSet> sets;  ///< of a set/file only that file
  std::vector<const MadeSet*> made;
};

/// The sets of these names, or single files as set/file; all sets for no names. Throws InputError
/// for a name that neither has.
Chosen chosen_sets(const Store& store, const std::vector<std::string>& names) {
  Chosen out;
  std::vector<std::string> known;
  std::string list;
  const auto wanted = [&](const std::string& name) {
    known.push_back(name);
    list += (list.empty() ? "" : ", ") + name;
    return names.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const DataSet& set : store.sets) {
    if (wanted(set.name)) {
      out.sets.push_back(set);
      continue;
    }
    DataSet part = set;
    part.files.clear();
    for (const std::string& name : names) {
      if (name.rfind(set.name + "/", 0) != 0) continue;
      part.files.push_back(file_named(set, name.substr(set.name.size() + 1)));
    }
    if (!part.files.empty()) out.sets.push_back(std::move(part));
  }
  for (const MadeSet& set : made_sets()) {
    if (wanted(set.name)) out.made.push_back(&set);
  }
  for (const std::string& name : names) {
    const bool is_file = std::any_of(store.sets.begin(), store.sets.end(), [&](const DataSet& set) {
      return name.rfind(set.name + "/", 0) == 0;
    });
    if (is_file || std::find(known.begin(), known.end(), name) != known.end()) continue;
    throw InputError({"there is no data set of this name", name, list, did_you_mean(name, known)});
  }
  return out;
}

/// A made set as one line: its files are many and alike.
void list_made(const MadeSet& set, const Store& store, Terminal& terminal, Json& document,
               Table& table) {
  std::optional<store::MadeFolder> made;
  std::string problem;
  try {
    made = find_made_if_present(store, set.name);
  } catch (const FileError& error) {
    problem = error.failure().what + ": " + error.failure().where;
  }
  Json entry{{"set", set.name}, {"title", set.sentence}, {"made", true}};
  entry["files"] = made ? Json(made->manifest.files.size()) : Json(nullptr);
  entry["size"] = made ? Json(made->manifest.size()) : Json(nullptr);
  entry["path"] = made ? Json(made->folder.string()) : Json(nullptr);
  if (!problem.empty()) entry["problem"] = problem;
  document.push_back(entry);
  table.add_row({set.name,
                 made ? std::to_string(made->manifest.files.size()) + " files" : "made here",
                 made ? format_bytes(made->manifest.size()) : "",
                 made              ? made->folder.string()
                 : problem.empty() ? terminal.styled(Style::kWarning, "missing")
                                   : terminal.styled(Style::kBad, "wrong: " + problem)});
}

int run_list(Context& context) {
  Terminal& terminal = context.terminal;
  const Store store = store::default_store();
  Json document = Json::array();
  Table table({{"data set"}, {"file"}, {"size", Align::kRight, 1}, {"where"}});
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
                 {"licence", set.licence}};
      const store::Content& content = file.contents.front();
      entry["size"] = content.size != 0 ? Json(content.size) : Json(nullptr);
      if (!content.sha256.empty()) entry["sha256"] = content.sha256;
      if (!content.md5.empty()) entry["md5"] = content.md5;
      entry["path"] = path ? Json(path->string()) : Json(nullptr);
      if (wrong) entry["problem"] = *wrong;
      document.push_back(entry);
      const bool first = &file == &set.files.front();
      table.add_row({first ? set.name : "", file.name(),
                     content.size != 0 ? format_bytes(content.size) : "",
                     path    ? path->string()
                     : wrong ? terminal.styled(Style::kBad, "wrong: " + *wrong)
                             : terminal.styled(Style::kWarning, "missing")});
    }
  }
  for (const MadeSet& set : made_sets()) {
    list_made(set, store, terminal, document, table);
    missing = missing || document.back()["path"].is_null();
  }
  if (terminal.json()) {
    terminal.print_json(document);
    return kExitSuccess;
  }
  terminal.print(table.to_text(static_cast<std::size_t>(terminal.width())));
  if (missing) {
    terminal.print("\n`algprior data get NAME` downloads or makes it in " + store.cache.string() +
                   "\n");
  }
  return kExitSuccess;
}

/// Makes a set that is missing or not whole; false when there was nothing to do.
bool get_made(const MadeSet& set, const Store& store, Terminal& terminal) {
  if (find_made_if_present(store, set.name)) return false;
  // Without a cache folder this throws, with the reason.
  const auto cache = store.cache.empty() ? cache_folder() : store.cache;
  ProgressBar bar(terminal, set.name, set.unit);
  set.make(cache / set.name, bar.sink());
  return true;
}

int run_get(Context& context, const std::vector<std::string>& names) {
  Terminal& terminal = context.terminal;
  const Store store = store::default_store();
  Json document = Json::array();
  const Chosen chosen = chosen_sets(store, names);
  for (const DataSet& set : chosen.sets) {
    ProgressBar bar(terminal, set.name, "B");
    std::string current;
    const auto fetched =
        store::get(store, set, [&](const std::string& address, auto done, auto total) {
          if (address != current) bar.restart(address.substr(address.rfind('/') + 1));
          current = address;
          bar.update(done, total);
        });
    for (const auto& path : fetched) {
      document.push_back(path.string());
      if (!terminal.json()) terminal.print(path.string() + "\n");
    }
    if (fetched.empty()) terminal.note(set.name + ": nothing is missing");
  }
  for (const MadeSet* set : chosen.made) {
    if (!get_made(*set, store, terminal)) {
      terminal.note(set->name + ": nothing is missing");
      continue;
    }
    const std::string folder = find_made(store, set->name).folder.string();
    document.push_back(folder);
    if (!terminal.json()) terminal.print(folder + "\n");
    if (set->remark) terminal.note(set->remark(folder));
  }
  if (terminal.json()) terminal.print_json(Json{{"fetched", document}});
  return kExitSuccess;
}

int run_verify(Context& context, const std::vector<std::string>& names) {
  Terminal& terminal = context.terminal;
  const Store store = store::default_store();
  Json document = Json::array();
  std::size_t good = 0, bad = 0, missing = 0;
  const auto tell = [&](const std::string& set, const std::string& file,
                        const std::optional<std::filesystem::path>& path,
                        const std::string& problem) {
    const bool absent = problem == "missing";
    ++(problem.empty() ? good : absent ? missing : bad);
    document.push_back({{"set", set},
                        {"file", file},
                        {"path", path ? Json(path->string()) : Json(nullptr)},
                        {"good", problem.empty()},
                        {"problem", problem}});
    if (terminal.json()) return;
    terminal.print((problem.empty() ? terminal.styled(Style::kGood, "good   ")
                    : absent        ? terminal.styled(Style::kWarning, "missing")
                                    : terminal.styled(Style::kBad, "wrong  ")) +
                   "  " + (path ? path->string() : set + "/" + file) +
                   (problem.empty() || absent ? "" : ": " + problem) + "\n");
  };
  const Chosen chosen = chosen_sets(store, names);
  for (const DataSet& set : chosen.sets) {
    for (const DataFile& file : set.files) {
      const auto path = find_if_present(store, set, file);
      std::string problem = path ? "" : misfit(store, set, file).value_or("missing");
      if (path) {
        ProgressBar bar(terminal, file.name(), "B");
        problem = verify(*path, file, bar.sink());
      }
      tell(set.name, file.name(), path, problem);
    }
  }
  for (const MadeSet* set : chosen.made) {
    const auto made = find_made_if_present(store, set->name);
    if (!made) {
      tell(set->name, "manifest.json", std::nullopt, "missing");
      continue;
    }
    for (const store::Content& file : made->manifest.files) {
      ProgressBar bar(terminal, file.file, "B");
      tell(set->name, file.file, made->folder / file.file, verify_made(*made, file, bar.sink()));
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

/// The folder of a made set, or one of its files.
std::vector<std::string> paths_of_made(const Store& store, const std::string& set,
                                       const std::string& file) {
  const store::MadeFolder made = find_made(store, set);
  if (file.empty()) return {made.folder.string()};
  std::vector<std::string> names;
  for (const store::Content& content : made.manifest.files) names.push_back(content.file);
  if (std::find(names.begin(), names.end(), file) == names.end()) {
    throw InputError({"the data set " + set + " has no file of this name", file,
                      "a file of " + (made.folder / "manifest.json").string(),
                      did_you_mean(file, names)});
  }
  return {(made.folder / file).string()};
}

int run_path(Context& context, const std::string& name) {
  const Store store = store::default_store();
  const std::size_t slash = name.find('/');
  const Chosen chosen = chosen_sets(store, {name.substr(0, slash)});
  std::vector<std::string> paths;
  if (!chosen.made.empty()) {
    paths = paths_of_made(store, name.substr(0, slash),
                          slash == std::string::npos ? "" : name.substr(slash + 1));
  } else if (const DataSet& set = chosen.sets.front(); slash != std::string::npos) {
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
  CLI::App& data = program.add_command(
      {"data", "Find, download, make and check data sets", "algprior data list"});
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
  named({"get", "Download or make what is missing; goes on where it stopped",
         "algprior data get mnist"},
        "data sets, or single files as set/file", run_get)
      ->required();
  named({"verify", "Compare files with their checksums", "algprior data verify mnist"},
        "data sets, or set/file (all that are found when none is named)", run_verify);

  auto name = std::make_shared<std::string>();
  CLI::App& path = program.add_command(
      data, {"path", "Print where a data set lies", "algprior data path mnist"});
  path.add_option("name", *name, "data set, or data set/file")->required();
  program.on_run(path, [name](Context& context) { return run_path(context, *name); });
  add_draw_command(program, data);
}

}  // namespace algprior
