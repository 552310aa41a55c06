#include "algprior/sweep/task_state.hpp"

#include "algprior/base/file.hpp"
#include "algprior/report/run.hpp"

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <mutex>
#include <thread>

#include <nlohmann/json.hpp>
#include <signal.h>
#include <unistd.h>

namespace algprior::sweep {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeartbeat = "heartbeat";
constexpr auto kEvery = std::chrono::seconds(10);
constexpr auto kSilence = std::chrono::seconds(60);

std::string this_host() {
  std::array<char, 256> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "unknown host";
}

// "12_3" for a task of an array; SLURM_JOB_ID is another number there.
std::string job_of_process() {
  const auto variable = [](const char* name) {
    const char* text = std::getenv(name);
    return std::string(text == nullptr ? "" : text);
  };
  const std::string array = variable("SLURM_ARRAY_JOB_ID");
  return array.empty() ? variable("SLURM_JOB_ID") : array + "_" + variable("SLURM_ARRAY_TASK_ID");
}

std::int64_t seconds_now() {
  return std::chrono::duration_cast<std::chrono::seconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

}  // namespace

const char* to_string(TaskState state) {
  constexpr std::array kNames = {"waiting", "running", "finished", "failed", "stopped", "lost"};
  return kNames.at(static_cast<std::size_t>(state));
}

TaskStatus status_of(const Task& task) {
  TaskStatus status;
  std::error_code ignored;
  const bool finished = fs::exists(task.folder / "result.json", ignored);
  if (finished) status.state = TaskState::finished;
  std::int64_t beat = 0;
  std::string word;
  try {
    const auto json = nlohmann::json::parse(read_file(task.folder / kHeartbeat, 1 << 20));
    json.at("host").get_to(status.host);
    json.at("process").get_to(status.process);
    json.at("job").get_to(status.job);
    json.at("time").get_to(beat);
    json.at("state").get_to(word);
    json.at("message").get_to(status.message);
  } catch (const Error&) {  // none
    if (!finished && report::is_held(task.folder)) status.state = TaskState::running;
    return status;
  } catch (const nlohmann::json::exception&) {
    if (!finished) status.state = TaskState::lost;
    return status;
  }
  if (finished) return status;
  if (word == "failed") {
    status.state = TaskState::failed;
  } else if (word == "stopped") {
    status.state = TaskState::stopped;
  } else {
    // A process of this host can be asked; of another one only its clock. Long after the last beat,
    // as when the machine was restarted, the number may be another process's, which does not hold
    // the folder.
    const bool recent = seconds_now() - beat < kSilence.count();
    const bool exists = status.host == this_host() && status.process > 0 &&
                        kill(static_cast<pid_t>(status.process), 0) == 0;
    const bool alive =
        status.host == this_host() ? exists && (recent || report::is_held(task.folder)) : recent;
    status.state = alive ? TaskState::running : TaskState::lost;
  }
  return status;
}

struct Heartbeat::State {
  fs::path file;
  std::mutex mutex;
  std::condition_variable changed;
  TaskState state = TaskState::running;
  std::string message;
  bool stop = false;
  std::thread thread;

  void write() const noexcept try {
    const nlohmann::ordered_json json{{"host", this_host()},       {"process", getpid()},
                                      {"job", job_of_process()},   {"time", seconds_now()},
                                      {"state", to_string(state)}, {"message", message}};
    write_file(file, json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
  } catch (const std::exception&) {  // see the class
  }

  void run() {
    std::unique_lock lock(mutex);
    while (!stop) {
      write();
      changed.wait_for(lock, kEvery, [&] { return stop; });
    }
  }
};

Heartbeat::Heartbeat(const Task& task) : state_(std::make_unique<State>()) {
  make_folder(task.folder);
  state_->file = task.folder / kHeartbeat;
  state_->write();
  state_->thread = std::thread([state = state_.get()] { state->run(); });
}

Heartbeat::~Heartbeat() {
  {
    const std::lock_guard lock(state_->mutex);
    state_->stop = true;
  }
  state_->changed.notify_all();
  state_->thread.join();
}

void Heartbeat::end(TaskState state, const std::string& message) {
  const std::lock_guard lock(state_->mutex);
  state_->state = state;
  state_->message = message;
  state_->write();
}

}  // namespace algprior::sweep
