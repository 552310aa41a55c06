#include "algprior/sweep/manifest.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/base/text.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior::sweep {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* kFile = "manifest";
constexpr std::uint64_t kLargest = std::uint64_t{1} << 28;

Json to_json(const Policy& policy) {
  const SlurmSettings& slurm = policy.slurm;
  return {{"threads", policy.threads},
          {"kernels", policy.kernels},
          {"retries", policy.retries},
          {"fail_fast", policy.fail_fast},
          {"max_parallel", policy.max_parallel},
          {"slurm",
           {{"partition", slurm.partition},
            {"account", slurm.account},
            {"time", slurm.time},
            {"memory", slurm.memory},
            {"warning", slurm.warning},
            {"requeue", slurm.requeue},
            {"options", slurm.options}}}};
}

Policy policy_from(const Json& json) {
  Policy policy;
  json.at("threads").get_to(policy.threads);
  json.at("kernels").get_to(policy.kernels);
  json.at("retries").get_to(policy.retries);
  json.at("fail_fast").get_to(policy.fail_fast);
  json.at("max_parallel").get_to(policy.max_parallel);
  const Json& slurm = json.at("slurm");
  slurm.at("partition").get_to(policy.slurm.partition);
  slurm.at("account").get_to(policy.slurm.account);
  slurm.at("time").get_to(policy.slurm.time);
  slurm.at("memory").get_to(policy.slurm.memory);
  slurm.at("warning").get_to(policy.slurm.warning);
  slurm.at("requeue").get_to(policy.slurm.requeue);
  slurm.at("options").get_to(policy.slurm.options);
  return policy;
}

std::string checksum_of(const Json& content) {
  return io::sha256(io::as_bytes(content.dump()));
}

std::string list_tasks(const Manifest& manifest) {
  std::string text;
  for (const Task& task : manifest.tasks) text += task.name + "\n";
  return text;
}

}  // namespace

fs::path sweep_folder(const std::string& name) {
  const bool odd = std::any_of(name.begin(), name.end(), [](char c) {
    return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (name.empty() || odd || name.front() == '.') {
    throw InputError({"a sweep cannot have this name", name,
                      "a name without slashes that does not begin with a dot",
                      "choose another sweep.name"});
  }
  return fs::absolute(runs_folder()) / "sweeps" / name;
}

std::string to_text(const Manifest& manifest) {
  Json tasks = Json::array();
  for (const Task& task : manifest.tasks) {
    tasks.push_back(
        {{"name", task.name}, {"folder", task.folder.string()}, {"config", task.config}});
  }
  const Json content{
      {"name", manifest.name}, {"policy", to_json(manifest.policy)}, {"tasks", tasks}};
  return Json{{"sha256", checksum_of(content)}, {"sweep", content}}.dump(1) + "\n";
}

Manifest parse_manifest(const std::string& text, const std::string& source) {
  try {
    const Json json = Json::parse(text);
    const Json& content = json.at("sweep");
    if (json.at("sha256").get<std::string>() != checksum_of(content)) {
      throw FileError({"a manifest was changed since it was frozen", source,
                       "the file as submit wrote it",
                       "restore it, or submit the sweep under another name"});
    }
    Manifest manifest;
    content.at("name").get_to(manifest.name);
    manifest.policy = policy_from(content.at("policy"));
    for (const Json& entry : content.at("tasks")) {
      manifest.tasks.push_back({entry.at("name").get<std::string>(),
                                entry.at("folder").get<std::string>(),
                                entry.at("config").get<std::string>()});
    }
    return manifest;
  } catch (const nlohmann::json::exception& error) {
    throw FileError({"this is no manifest of a sweep", source, error.what(),
                     "submit the sweep under another name"});
  }
}

void freeze(const Manifest& manifest, const fs::path& folder) {
  const fs::path file = folder / kFile;
  if (fs::exists(file)) {
    const Manifest before = read_manifest(folder);
    const auto tasks_text = [](const Manifest& one) {
      std::string text;
      for (const Task& task : one.tasks) text += task.name + "\n" + task.config;
      return text;
    };
    if (tasks_text(before) == tasks_text(manifest)) {
      if (to_text(before) == to_text(manifest)) return;
      write_file(file, to_text(manifest));  // the same runs, to be worked off in another way
      return;
    }
    const std::string names = list_differences(list_tasks(before), list_tasks(manifest));
    throw InputError({"a sweep of this name has other runs", folder.string(),
                      "the runs that it was frozen with; these differ:\n" +
                          (names.empty() ? "the settings of its runs" : names),
                      "choose another sweep.name, or go on with algprior sweep resume"});
  }
  make_folder(folder);
  write_file(file, to_text(manifest));
}

Manifest read_manifest(const fs::path& folder) {
  const fs::path file = folder / kFile;
  if (!fs::exists(file)) {
    throw InputError({"there is no such sweep", folder.string(), "a folder with a manifest in it",
                      "algprior sweep submit FILE makes one; ALGPRIOR_RUNS says where runs are"});
  }
  return parse_manifest(read_file(file, kLargest), file.string());
}

}  // namespace algprior::sweep
