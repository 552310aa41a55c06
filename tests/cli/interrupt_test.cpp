#include "../unit/base/temporary_folder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/lock.hpp"
#include "run_program.hpp"

#include <filesystem>

#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace algprior {
namespace {

// A server that accepts and never answers; the download must end at the first Ctrl-C.
TEST(Program, CtrlCEndsADownload) {
  const int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t length = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  ASSERT_EQ(bind(server, generic, length), 0);
  ASSERT_EQ(listen(server, 8), 0);
  ASSERT_EQ(getsockname(server, generic, &length), 0);
  const TemporaryFolder folder;
  RunningProgram program(
      kAlgprior,
      {{"data", "get", "mnist"},
       {{"ALGPRIOR_MIRROR", "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port))},
        {"XDG_CACHE_HOME", folder.path().string()},
        {"ALGPRIOR_DATA", ""}}});
  pollfd waiting{server, POLLIN, 0};
  ASSERT_EQ(poll(&waiting, 1, 60'000), 1) << program.wait().err;
  const int client = accept(server, nullptr, nullptr);
  ASSERT_GE(client, 0);
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 130);
  close(client);
  close(server);
}

// Runs side by side are processes of their own; they end with the one that started them.
TEST(Program, AStopSignalReachesTheRunsThatItStarted) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  RunningProgram program(
      kAlgprior, {{"paper", "run", "null-c2", "--rows", "normal,uniform", "--seeds", "1", "--jobs",
                   "2", "--set", "train.steps=1000000"},
                  {{"ALGPRIOR_RUNS", folder.path().string()}}});
  const fs::path runs[] = {folder.path() / "null-c2/normal@train.steps=1000000/0",
                           folder.path() / "null-c2/uniform@train.steps=1000000/0"};
  const auto started = [&] {
    return fs::exists(runs[0] / "config.toml") && fs::exists(runs[1] / "config.toml");
  };
  for (int i = 0; i < 600 && !started(); ++i) usleep(100'000);
  ASSERT_TRUE(started());
  EXPECT_EQ(program.name(), "algprior");  // killall finds it
  program.send(SIGTERM);
  EXPECT_EQ(program.wait().code, 75);
  for (const fs::path& run : runs) EXPECT_NO_THROW(FolderLock(run, "test")) << run;
}

// However it ended. Dated 2026-11-18.
TEST(Program, RunsEndWithTheOneThatStartedThem) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  namespace fs = std::filesystem;
  const TemporaryFolder folder;
  RunningProgram program(kAlgprior, {{"paper", "run", "null-c2", "--rows", "normal", "--seeds", "2",
                                      "--jobs", "2", "--set", "train.steps=1000000"},
                                     {{"ALGPRIOR_RUNS", folder.path().string()}}});
  const fs::path runs = folder.path() / "null-c2/normal@train.steps=1000000";
  const auto started = [&] {
    return fs::exists(runs / "0/config.toml") && fs::exists(runs / "1/config.toml");
  };
  for (int i = 0; i < 600 && !started(); ++i) usleep(100'000);
  ASSERT_TRUE(started());
  program.send(SIGKILL);
  program.wait();
  const auto free = [&](const char* seed) {
    try {
      const FolderLock lock(runs / seed, "test");
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  for (int i = 0; i < 300 && !(free("0") && free("1")); ++i) usleep(100'000);
  EXPECT_TRUE(free("0") && free("1"));
}

}  // namespace
}  // namespace algprior
