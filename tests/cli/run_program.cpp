#include "run_program.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior {
namespace {

struct Ends {
  int read_end, write_end;
};

Ends make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
  return {ends[0], ends[1]};
}

Ends make_terminal() {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) {
    throw std::runtime_error("no pseudo-terminal");
  }
  const int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
  const winsize size{24, 100, 0, 0};
  ioctl(slave, TIOCSWINSZ, &size);
  return {master, slave};
}

[[noreturn]] void become(const std::string& program, const Start& start, int out, int err) {
  dup2(out, STDOUT_FILENO);
  dup2(err, STDERR_FILENO);
  for (const auto& [name, value] : start.environment) {
    if (value.empty()) {
      unsetenv(name.c_str());
    } else {
      setenv(name.c_str(), value.c_str(), 1);
    }
  }
  std::vector<char*> words = {const_cast<char*>(program.c_str())};
  for (const std::string& word : start.arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  execv(program.c_str(), words.data());
  _exit(127);
}

// True while there may be more to read.
bool append_from(int& descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
    return true;
  }
  if (count < 0 && errno == EINTR) return true;
  close(std::exchange(descriptor, -1));  // a terminal says EIO at its end
  return false;
}

}  // namespace

RunningProgram::RunningProgram(const std::string& program, const Start& start) {
  const Ends out = start.terminal ? make_terminal() : make_pipe();
  const Ends err = start.terminal ? Ends{-1, out.write_end} : make_pipe();
  int target = out.write_end;
  if (!start.output_file.empty()) target = open(start.output_file.c_str(), O_WRONLY | O_CLOEXEC);
  process_ = fork();
  if (process_ == 0) become(program, start, target, err.write_end);
  if (target != out.write_end) close(target);
  close(out.write_end);
  if (!start.terminal) close(err.write_end);
  out_ = out.read_end;
  err_ = err.read_end;
}

RunningProgram::~RunningProgram() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  if (out_ >= 0) close(out_);
  if (err_ >= 0) close(err_);
}

bool RunningProgram::read_some() {
  std::array<pollfd, 2> ends = {{{out_, POLLIN, 0}, {err_, POLLIN, 0}}};
  if (out_ < 0 && err_ < 0) return false;
  if (poll(ends.data(), ends.size(), -1) < 0) return errno == EINTR;
  if (ends[0].revents != 0) append_from(out_, outcome_.out);
  if (ends[1].revents != 0) append_from(err_, outcome_.err);
  return out_ >= 0 || err_ >= 0;
}

bool RunningProgram::wait_for(const std::string& text) {
  while (outcome_.out.find(text) == std::string::npos) {
    if (!read_some()) return false;
  }
  return true;
}

void RunningProgram::send(int signal) const {
  kill(process_, signal);
}

std::string RunningProgram::name() const {
  std::ifstream file("/proc/" + std::to_string(process_) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

void RunningProgram::close_output() {
  close(std::exchange(out_, -1));
}

Outcome RunningProgram::wait() {
  while (read_some()) {
  }
  int status = 0;
  waitpid(std::exchange(process_, -1), &status, 0);
  outcome_.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return outcome_;
}

Outcome run_program(const std::string& program, const Start& start) {
  return RunningProgram(program, start).wait();
}

Outcome run_algprior(std::vector<std::string> arguments) {
  return run_program(kAlgprior, {std::move(arguments)});
}

}  // namespace algprior
