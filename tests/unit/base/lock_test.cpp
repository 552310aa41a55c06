#include "algprior/base/lock.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "temporary_folder.hpp"

#include <optional>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior {
namespace {

// A process that takes the lock, says so through a pipe, and waits to be killed.
pid_t start_holder(const std::filesystem::path& folder) {
  int ends[2];
  if (pipe(ends) != 0) return -1;
  const pid_t child = fork();
  if (child == 0) {
    const FolderLock lock(folder, "algprior train my.toml");
    [[maybe_unused]] const ssize_t written = write(ends[1], "x", 1);
    while (true) pause();
  }
  close(ends[1]);
  char byte = 0;
  const bool ready = read(ends[0], &byte, 1) == 1;
  close(ends[0]);
  return ready ? child : -1;
}

TEST(FolderLock, SaysWhoHoldsTheFolder) {
  const TemporaryFolder folder;
  const pid_t holder = start_holder(folder.path());
  ASSERT_GT(holder, 0);
  try {
    const FolderLock lock(folder.path(), "another");
    ADD_FAILURE() << "two processes hold the folder";
  } catch (const FileError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find(folder.path().string()), std::string::npos);
    EXPECT_NE(message.find("process " + std::to_string(holder)), std::string::npos) << message;
    EXPECT_NE(message.find("algprior train my.toml"), std::string::npos) << message;
  }
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
}

TEST(FolderLock, IsFreeAfterKill) {
  const TemporaryFolder folder;
  const pid_t holder = start_holder(folder.path());
  ASSERT_GT(holder, 0);
  kill(holder, SIGKILL);
  waitpid(holder, nullptr, 0);
  EXPECT_NO_THROW(FolderLock(folder.path(), "next"));
}

TEST(FolderLock, ExcludesTheSameProcessTooAndMoves) {
  const TemporaryFolder folder;
  std::optional<FolderLock> first(std::in_place, folder.path(), "first");
  EXPECT_THROW(FolderLock(folder.path(), "second"), FileError);
  FolderLock moved = std::move(*first);
  first.reset();
  EXPECT_THROW(FolderLock(folder.path(), "second"), FileError);
  { const FolderLock last = std::move(moved); }
  EXPECT_NO_THROW(FolderLock(folder.path(), "second"));
}

TEST(FolderLock, SweepsWhatKilledWritersLeft) {
  const TemporaryFolder folder;
  write_file(folder / ".algprior-checkpoint.apc-1-0.part", "half");
  write_file(folder / "checkpoint.apc", "whole");
  const FolderLock lock(folder.path(), "next");
  EXPECT_FALSE(std::filesystem::exists(folder / ".algprior-checkpoint.apc-1-0.part"));
  EXPECT_TRUE(std::filesystem::exists(folder / "checkpoint.apc"));
}

TEST(FolderLock, MissingFolder) {
  const TemporaryFolder folder;
  EXPECT_THROW(FolderLock(folder / "no", "x"), FileError);
}

}  // namespace
}  // namespace algprior
