#pragma once

#include "algprior/base/error.hpp"
#include "algprior/ranks/world.hpp"

#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior {

inline int unused_port() {
  const int descriptor = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  bind(descriptor, reinterpret_cast<sockaddr*>(&address), length);
  getsockname(descriptor, reinterpret_cast<sockaddr*>(&address), &length);
  close(descriptor);
  return ntohs(address.sin_port);
}

/// What a rank's work returned, or "failed: …" with what it threw; "killed" when a signal ended it.
using RankTexts = std::vector<std::string>;

/// Runs the work in `count` processes of their own that form a world, as `algprior launch` does.
/// This process must not have computed with LibTorch before: its threads would be missing in the
/// copies.
inline RankTexts run_ranks(int count, const std::function<std::string(World&)>& work,
                           double timeout = 60.0) {
  const int port = unused_port();
  struct Rank {
    pid_t process;
    int result;
  };
  std::vector<Rank> ranks;
  for (int rank = 0; rank < count; ++rank) {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("pipe");
    const pid_t process = fork();
    if (process == 0) {
      close(ends[0]);
      std::string text;
      try {
        World world({.rank = rank,
                     .size = count,
                     .address = "127.0.0.1",
                     .port = port,
                     .timeout = timeout});
        const WorldScope scope(world);
        try {
          text = work(world);
        } catch (const Error& error) {
          text = std::string("failed: ") + error.what();
          world.fail(error.failure().what);
        }
      } catch (const std::exception& error) {
        text = std::string("failed: ") + error.what();
      }
      [[maybe_unused]] const auto written = write(ends[1], text.data(), text.size());
      _exit(0);
    }
    close(ends[1]);
    ranks.push_back({process, ends[0]});
  }
  RankTexts texts;
  for (const Rank& rank : ranks) {
    std::string text;
    char part[4096];
    for (ssize_t size; (size = read(rank.result, part, sizeof part)) > 0;) text.append(part, size);
    close(rank.result);
    int status = 0;
    waitpid(rank.process, &status, 0);
    texts.push_back(WIFSIGNALED(status) ? "killed" : text);
  }
  return texts;
}

}  // namespace algprior
