#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/report/run.hpp"
#include "exit_codes.hpp"
#include "sweep_engine.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

std::string quoted(const std::string& word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

struct CommandOutcome {
  bool good = false;
  std::string text;  // stdout and stderr
};

CommandOutcome run_command(const std::vector<std::string>& words) {
  std::string line;
  for (const std::string& word : words) line += quoted(word) + " ";
  FILE* pipe = popen((line + "2>&1").c_str(), "re");
  if (pipe == nullptr) return {};
  CommandOutcome outcome;
  std::array<char, 4096> part;
  for (std::size_t count; (count = std::fread(part.data(), 1, part.size(), pipe)) > 0;) {
    outcome.text.append(part.data(), count);
  }
  const int status = pclose(pipe);
  outcome.good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
  while (!outcome.text.empty() && outcome.text.back() == '\n') outcome.text.pop_back();
  return outcome;
}

// 0,1,2,5 as "0-2,5".
std::string array_text(std::vector<std::size_t> tasks) {
  std::sort(tasks.begin(), tasks.end());
  std::string text;
  for (std::size_t i = 0; i < tasks.size();) {
    std::size_t last = i;
    while (last + 1 < tasks.size() && tasks[last + 1] == tasks[last] + 1) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", tasks[i]);
    if (last > i) text += fmt::format("-{}", tasks[last]);
    i = last + 1;
  }
  return text;
}

// The shell stays beside the run, passes signals on, and puts the run back into the queue.
std::string script_of(const SweepWork& work) {
  const sweep::Policy& policy = work.manifest.policy;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  return fmt::format(
      R"(#!/bin/sh
# One run of the sweep {name}; written by algprior sweep submit.
ALGPRIOR_RUNS={runs}
export ALGPRIOR_RUNS
{program} sweep task {folder} --index "$SLURM_ARRAY_TASK_ID" --threads {threads} &
child=$!
trap 'kill -USR1 $child 2>/dev/null' USR1
trap 'kill -TERM $child 2>/dev/null' TERM
while :; do
  wait $child
  code=$?
  kill -0 $child 2>/dev/null || break
done
job=${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}
case $code in
  0 | {interrupted}) ;;
  {stopped}) {requeue} ;;
  *)
    if [ "${{SLURM_RESTART_COUNT:-0}}" -lt {retries} ]; then
      scontrol requeue "$job"
    else
      {failed}
    fi
    ;;
esac
exit $code
)",
      fmt::arg("name", work.manifest.name),
      fmt::arg("runs", quoted(fs::absolute(runs_folder()).string())),
      fmt::arg("program", quoted(program.string())),
      fmt::arg("folder", quoted(work.folder.string())), fmt::arg("threads", policy.threads),
      fmt::arg("interrupted", kExitInterrupted), fmt::arg("stopped", kExitStopped),
      fmt::arg("requeue", policy.slurm.requeue ? "scontrol requeue \"$job\"" : ":"),
      fmt::arg("retries", policy.retries),
      fmt::arg("failed", policy.fail_fast ? "scancel \"$SLURM_ARRAY_JOB_ID\"" : ":"));
}

}  // namespace

EngineNote read_engine_note(const fs::path& sweep) {
  EngineNote note;
  try {
    const auto json = nlohmann::json::parse(read_file(sweep / "engine", 1 << 20));
    json.at("host").get_to(note.host);
    json.at("process").get_to(note.process);
    json.at("jobs").get_to(note.jobs);
  } catch (const std::exception&) {  // none yet
  }
  return note;
}

void write_engine_note(const fs::path& sweep, const EngineNote& note) {
  const nlohmann::ordered_json json{
      {"host", note.host}, {"process", note.process}, {"jobs", note.jobs}};
  write_file(sweep / "engine", json.dump() + "\n");
}

std::string submit_to_slurm(const SweepWork& work) {
  const sweep::Policy& policy = work.manifest.policy;
  const sweep::SlurmSettings& slurm = policy.slurm;
  make_folder(work.folder / "logs");
  const fs::path script = work.folder / "job.sh";
  write_file(script, script_of(work));
  const std::string most = policy.max_parallel > 0 ? fmt::format("%{}", policy.max_parallel) : "";
  std::vector<std::string> words{
      "sbatch",
      "--parsable",
      "--job-name=" + work.manifest.name,
      "--array=" + array_text(work.tasks) + most,
      "--output=" + (work.folder / "logs").string() + "/%a.log",
      "--open-mode=append",
      "--ntasks=1",
      fmt::format("--cpus-per-task={}", policy.threads),
      slurm.requeue || policy.retries > 0 ? "--requeue" : "--no-requeue"};
  if (!slurm.partition.empty()) words.push_back("--partition=" + slurm.partition);
  if (!slurm.account.empty()) words.push_back("--account=" + slurm.account);
  if (!slurm.time.empty()) words.push_back("--time=" + slurm.time);
  if (!slurm.memory.empty()) words.push_back("--mem=" + slurm.memory);
  if (slurm.warning > 0) words.push_back(fmt::format("--signal=B:USR1@{}", slurm.warning));
  words.insert(words.end(), slurm.options.begin(), slurm.options.end());
  words.push_back(script.string());
  const CommandOutcome outcome = run_command(words);
  if (!outcome.good) {
    throw Error({"Slurm did not take the sweep", outcome.text, "the number of a job",
                 "is sbatch installed, and are [slurm] of the sweep file and the cluster at one?"});
  }
  const std::string job = outcome.text.substr(0, outcome.text.find_first_of(";\n"));
  EngineNote note = read_engine_note(work.folder);
  note.jobs.push_back(job);
  write_engine_note(work.folder, note);
  return job;
}

std::vector<std::size_t> queued_in_slurm(const fs::path& sweep) {
  std::vector<std::size_t> tasks;
  for (const std::string& job : read_engine_note(sweep).jobs) {
    const CommandOutcome outcome = run_command({"squeue", "-h", "-r", "-o", "%K", "-j", job});
    if (!outcome.good) continue;  // long gone
    for (std::size_t begin = 0; begin < outcome.text.size();) {
      const std::size_t end = std::min(outcome.text.find('\n', begin), outcome.text.size());
      std::size_t task = 0;
      const auto [stop, error] =
          std::from_chars(outcome.text.data() + begin, outcome.text.data() + end, task);
      if (error == std::errc() && stop == outcome.text.data() + end) tasks.push_back(task);
      begin = end + 1;
    }
  }
  return tasks;
}

std::vector<std::string> cancel_sweep(const fs::path& sweep) {
  const EngineNote note = read_engine_note(sweep);
  std::vector<std::string> told;
  for (const std::string& job : note.jobs) {
    const CommandOutcome outcome = run_command({"scancel", job});
    told.push_back(outcome.good ? "job " + job + " of Slurm is cancelled"
                                : "job " + job + ": " + outcome.text);
  }
  if (note.process == 0) return told;
  char host[256] = {};
  gethostname(host, sizeof host - 1);
  if (note.host != host) {
    told.push_back(fmt::format("the local engine ran on {}: cancel it there", note.host));
  } else if (report::is_held(sweep) && kill(static_cast<pid_t>(note.process), SIGTERM) == 0) {
    told.push_back(fmt::format("process {} was asked to stop its runs", note.process));
  }
  return told;
}

}  // namespace algprior
