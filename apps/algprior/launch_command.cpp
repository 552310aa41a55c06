#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "children.hpp"
#include "commands.hpp"
#include "exit_codes.hpp"
#include "program.hpp"
#include "whole_number.hpp"

#include <algorithm>
#include <memory>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace algprior {
namespace {

using Clock = std::chrono::steady_clock;

struct LaunchRequest {
  int ranks = 0;
  int timeout = 120;
  int port = 0;
};

// A port of this host that nobody uses now.
int free_port() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  const bool found = descriptor >= 0 && bind(descriptor, generic, length) == 0 &&
                     getsockname(descriptor, generic, &length) == 0;
  if (descriptor >= 0) close(descriptor);
  if (!found) {
    throw Error({"no port of this host is free", "127.0.0.1", "a port for the ranks to meet at",
                 "name one with --port"});
  }
  return ntohs(address.sin_port);
}

// Watches over the ranks until the last has ended: the one that fails first takes the others along.
class Ranks {
 public:
  Ranks(const LaunchRequest& request, std::vector<std::string> words, Terminal& terminal)
      : terminal_(terminal), count_(request.ranks) {
    const int port = request.port > 0 ? request.port : free_port();
    for (int rank = 0; rank < count_; ++rank) {
      children_.start({.words = words,
                       .environment = {{"RANK", std::to_string(rank)},
                                       {"LOCAL_RANK", std::to_string(rank)},
                                       {"WORLD_SIZE", std::to_string(count_)},
                                       {"MASTER_ADDR", "127.0.0.1"},
                                       {"MASTER_PORT", std::to_string(port)},
                                       {"ALGPRIOR_RANK_TIMEOUT", std::to_string(request.timeout)}},
                       .shows_output = rank == 0});
    }
  }

  int watch() {
    while (children_.running() > 0) {
      for (const auto& event : children_.wait(std::chrono::milliseconds(100))) take(event);
      pass_on_a_stop();
      end_the_rest();
    }
    if (failures_.empty()) return kExitSuccess;
    const ChildEnd& first = failures_.front().end;
    if (first.code == kExitInterrupted || first.code == kExitStopped) return first.code;
    terminal_.note(describe_failures());
    return first.code != 0 ? first.code : kExitFailure;
  }

 private:
  void take(const Children::Event& event) {
    if (!event.end) {
      // What rank 0 says is what a single process would say.
      terminal_.note(event.child == 0 ? event.line
                                      : fmt::format("rank {}: {}", event.child, event.line));
      return;
    }
    if (event.end->good() || (told_ && !failures_.empty())) return;
    if (failures_.empty()) first_failure_ = Clock::now();
    failures_.push_back({event.child, *event.end});
  }

  // Who was killed took the others along. Who failed stays until they know why: the order in which
  // they end says nothing, but what they said does.
  std::string describe_failures() const {
    const auto killed = std::find_if(failures_.begin(), failures_.end(),
                                     [](const Failed& one) { return one.end.signal != 0; });
    if (killed != failures_.end() || failures_.size() == 1) {
      const Failed& one = killed != failures_.end() ? *killed : failures_.front();
      return fmt::format("rank {} of {} {}; the others were ended", one.rank, count_,
                         to_string(one.end));
    }
    std::vector<std::size_t> ranks;
    for (const Failed& one : failures_) ranks.push_back(one.rank);
    std::sort(ranks.begin(), ranks.end());
    return fmt::format("ranks {} of {} ended with code {}: see above who failed, and of what",
                       fmt::join(ranks, ", "), count_, failures_.front().end.code);
  }

  void pass_on_a_stop() {
    if (!stop_requested() || told_) return;
    children_.send_all(SIGTERM);
    told_ = true;
  }

  // They have some seconds to find out by themselves and say what they know.
  void end_the_rest() {
    constexpr auto kPatience = std::chrono::seconds(15), kMore = std::chrono::seconds(5);
    if (failures_.empty() || children_.running() == 0) return;
    const auto since = Clock::now() - first_failure_;
    if (since > kPatience + kMore) {
      children_.send_all(SIGKILL);
    } else if (since > kPatience && !told_) {
      children_.send_all(SIGTERM);
      told_ = true;
    }
  }

  Terminal& terminal_;
  int count_;
  Children children_;
  struct Failed {
    std::size_t rank;
    ChildEnd end;
  };
  std::vector<Failed> failures_;  // the first, and others before anybody was asked to stop
  Clock::time_point first_failure_;
  bool told_ = false;
};

int launch(const LaunchRequest& request, std::vector<std::string> words, Context& context) {
  if (words.empty() || words.front() != "train") {
    throw InputError({"only a training run can be shared by ranks",
                      words.empty() ? "algprior launch" : "algprior launch … " + words.front(),
                      "train and its options after those of launch",
                      "algprior launch -n 2 train my.toml"});
  }
  if (std::find(words.begin(), words.end(), "--threads") == words.end()) {
    const int threads = std::max(1, context.threads / request.ranks);
    words.insert(words.end(), {"--threads", std::to_string(threads)});
  }
  if (context.terminal.json()) words.emplace_back("--json");
  return Ranks(request, std::move(words), context.terminal).watch();
}

}  // namespace

void add_launch_command(Program& program) {
  auto request = std::make_shared<LaunchRequest>();
  CLI::App& command =
      program.add_command({"launch", "Train one network with several processes of this machine",
                           "algprior launch -n 2 train my.toml"});
  command.get_option("--threads")
      ->description("Threads of all ranks together (default: all cores)");
  command.add_option("-n,--ranks", request->ranks, "processes to start")
      ->required()
      ->check(whole_number(1, 1024));
  command
      .add_option("--timeout", request->timeout,
                  "seconds that one rank waits for another before all end")
      ->check(whole_number(1, 86'400))
      ->capture_default_str();
  command.add_option("--port", request->port, "where they meet on 127.0.0.1 (default: a free one)")
      ->check(whole_number(1, 65535));
  command.prefix_command();
  program.on_run(command, [request, &command](Context& context) {
    return launch(*request, command.remaining(), context);
  });
}

}  // namespace algprior
