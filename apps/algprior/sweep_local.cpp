#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/lock.hpp"
#include "algprior/sweep/collect.hpp"
#include "children.hpp"
#include "exit_codes.hpp"
#include "sweep_engine.hpp"

#include <algorithm>
#include <deque>
#include <map>

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;

std::string this_host_name() {
  char name[256] = {};
  return gethostname(name, sizeof name - 1) == 0 ? name : "unknown host";
}

class LocalEngine {
 public:
  LocalEngine(const SweepWork& work, Terminal& terminal)
      : work_(work),
        terminal_(terminal),
        waiting_(work.tasks.begin(), work.tasks.end()),
        total_(work.tasks.size()) {
    const sweep::Policy& policy = work.manifest.policy;
    jobs_ = static_cast<std::size_t>(policy.max_parallel > 0
                                         ? policy.max_parallel
                                         : std::max(1, usable_cores() / policy.threads));
  }

  void run() {
    while (!waiting_.empty() || children_.running() > 0) {
      while (!waiting_.empty() && children_.running() < jobs_ && !stop_requested()) begin_next();
      if (children_.running() == 0) break;
      pass_on_a_stop();
      terminal_.set_status_line(
          fmt::format("{} of {} runs done, {} running", finished_, total_, children_.running()));
      // A stop request is heard within that time.
      for (const auto& event : children_.wait(std::chrono::milliseconds(100))) take(event);
    }
    terminal_.set_status_line("");
    throw_if_stopped();
    if (failed_.empty()) return;
    throw Error({"some runs failed", failed_, "",
                 fmt::format("see what they said above and in {}; the others are kept",
                             (work_.folder / "logs").string())});
  }

 private:
  void begin_next() {
    const std::size_t task = waiting_.front();
    waiting_.pop_front();
    std::vector<std::string> words{"sweep",
                                   "task",
                                   work_.folder.string(),
                                   "--index",
                                   std::to_string(task),
                                   "--threads",
                                   std::to_string(work_.manifest.policy.threads)};
    if (terminal_.json()) words.emplace_back("--json");
    task_of_[children_.start({.words = std::move(words)})] = task;
    ++attempts_[task];
  }

  // Ctrl-C in a terminal reaches the runs by itself; a signal to this process alone does not.
  void pass_on_a_stop() {
    if ((!stop_requested() && !give_up_) || told_) return;
    children_.send_all(SIGTERM);
    told_ = true;
  }

  void take(const Children::Event& event) {
    const std::size_t task = task_of_.at(event.child);
    const std::string& name = work_.manifest.tasks[task].name;
    if (!event.end) {
      terminal_.note(event.line);
      keep(task, event.line);
      return;
    }
    const ChildEnd& end = *event.end;
    const bool stopped = end.code == kExitStopped || end.code == kExitInterrupted;
    if (!end.good() && !stopped) keep(task, "the run " + to_string(end));
    if (!end.good() && !stopped && !give_up_ && attempts_[task] <= work_.manifest.policy.retries) {
      terminal_.note(fmt::format("again: {} {}", name, to_string(end)));
      // Where the first failure ends all, it must not wait behind the others to be found out.
      if (work_.manifest.policy.fail_fast) {
        waiting_.push_front(task);
      } else {
        waiting_.push_back(task);
      }
      return;
    }
    ++finished_;
    if (!end.good() && !stopped) failed_ += (failed_.empty() ? "" : "; ") + name;
    const char* outcome = end.good() ? "done" : stopped ? "stopped" : "failed";
    terminal_.note(fmt::format("{} of {} {}: {}", finished_, total_, outcome, name));
    if (!end.good() && !stopped && work_.manifest.policy.fail_fast) {
      give_up_ = true;
      waiting_.clear();
    }
  }

  // The log is a courtesy: a full disk there stops no run.
  void keep(std::size_t task, const std::string& line) noexcept try {
    AppendFile(sweep::log_file(work_.folder, task)).append(line + "\n");
  } catch (const std::exception&) {
  }

  const SweepWork& work_;
  Terminal& terminal_;
  std::deque<std::size_t> waiting_;
  std::size_t total_;
  std::size_t jobs_ = 1;
  Children children_;
  std::map<std::size_t, std::size_t> task_of_;
  std::map<std::size_t, int> attempts_;
  std::size_t finished_ = 0;
  std::string failed_;
  bool give_up_ = false;
  bool told_ = false;
};

}  // namespace

void run_locally(const SweepWork& work, Terminal& terminal) {
  make_folder(work.folder / "logs");
  const FolderLock lock(work.folder, "a local engine");
  EngineNote note = read_engine_note(work.folder);
  note.host = this_host_name();
  note.process = getpid();
  write_engine_note(work.folder, note);
  LocalEngine(work, terminal).run();
}

}  // namespace algprior
