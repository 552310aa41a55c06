#include "algprior/base/file.hpp"

#include "algprior/base/detail/file_fault.hpp"
#include "temporary_folder.hpp"

#include <cerrno>
#include <cstring>

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace algprior {
namespace {

using Names = std::vector<std::string>;

class FaultGuard {
 public:
  explicit FaultGuard(std::function<int(FileStep)> fault) { set_file_fault(std::move(fault)); }
  ~FaultGuard() { set_file_fault({}); }
};

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const FileError& error) {
    return error.what();
  }
  return "no error";
}

TEST(AtomicFile, WritesAndReplaces) {
  const TemporaryFolder folder;
  write_file(folder / "a", "one");
  EXPECT_EQ(read_file(folder / "a"), "one");
  write_file(folder / "a", std::string("t\0wo", 4));
  EXPECT_EQ(read_file(folder / "a"), std::string("t\0wo", 4));
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, HasNoFinalNameBeforeCommit) {
  const TemporaryFolder folder;
  {
    AtomicFile file(folder / "a");
    file.write("half");
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  }
  EXPECT_EQ(folder.names(), Names{});
}

// Each step in turn fails; before the rename the old content must stand, after it the new one.
TEST(AtomicFile, EveryFailureLeavesAWholeFile) {
  for (const FileStep step : {FileStep::kOpen, FileStep::kWrite, FileStep::kSync, FileStep::kRename,
                              FileStep::kSyncFolder}) {
    for (const int reason : {ENOSPC, EIO, EROFS, EDQUOT}) {
      const TemporaryFolder folder;
      write_file(folder / "a", "old");
      const FaultGuard guard([=](FileStep s) { return s == step ? reason : 0; });
      const std::string message = message_of([&] { write_file(folder / "a", "new"); });
      EXPECT_NE(message.find((folder / "a").string()), std::string::npos) << message;
      EXPECT_NE(message.find(std::strerror(reason)), std::string::npos) << message;
      EXPECT_EQ(read_file(folder / "a"), step == FileStep::kSyncFolder ? "new" : "old");
      EXPECT_EQ(folder.names(), Names{"a"});
    }
  }
}

TEST(AtomicFile, TheFifthWriteMayFailToo) {
  const TemporaryFolder folder;
  int writes = 0;
  const FaultGuard guard(
      [&](FileStep step) { return step == FileStep::kWrite && ++writes == 5 ? ENOSPC : 0; });
  const std::string message = message_of([&] {
    AtomicFile file(folder / "a");
    for (int i = 0; i < 10; ++i) file.write("some bytes");
    file.commit();
  });
  EXPECT_EQ(writes, 5);
  EXPECT_NE(message.find("free some space in " + folder.path().string()), std::string::npos);
  EXPECT_EQ(folder.names(), Names{});
}

// A bound on the file size is the full disk that a test can have for real.
TEST(AtomicFile, ARealFailureOfTheKernelLeavesNothing) {
  const TemporaryFolder folder;
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit bound{100000, 100000};
    setrlimit(RLIMIT_FSIZE, &bound);
    const std::string message =
        message_of([&] { write_file(folder / "a", std::string(300000, 'x')); });
    _exit(message.find("File too large") != std::string::npos && folder.names().empty() ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(AtomicFile, KilledHalfwayTheOldFileStandsAndTheRestIsSwept) {
  const TemporaryFolder folder;
  write_file(folder / "a", "old");
  const pid_t child = fork();
  if (child == 0) {
    AtomicFile file(folder / "a");
    file.write("half of the ne");
    kill(getpid(), SIGKILL);
  }
  waitpid(child, nullptr, 0);
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(folder.names().size(), 2U);
  remove_files_left_aside(folder.path());
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(AtomicFile, MissingFolderAndFolderInTheWay) {
  const TemporaryFolder folder;
  EXPECT_NE(message_of([&] { write_file(folder / "no/a", "x"); }).find("No such file"),
            std::string::npos);
  std::filesystem::create_directory(folder / "d");
  EXPECT_NE(message_of([&] { write_file(folder / "d", "x"); }).find("Is a directory"),
            std::string::npos);
  EXPECT_EQ(folder.names(), Names{"d"});
}

TEST(AtomicFile, ReadOnlyFolder) {
  const TemporaryFolder folder;
  chmod(folder.path().c_str(), 0555);
  const pid_t child = fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (geteuid() == 0 && setuid(kNobody) != 0) _exit(2);  // root may write everywhere
    const std::string message = message_of([&] { write_file(folder / "a", "x"); });
    _exit(message.find("check the permissions") != std::string::npos ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(AtomicFile, WritesBehindASymbolicLink) {
  const TemporaryFolder folder;
  write_file(folder / "real", "old");
  std::filesystem::create_symlink(folder / "real", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "real"), "new");
}

TEST(AtomicFile, ALongNameThatFitsIsWritten) {
  const TemporaryFolder folder;
  const std::string name(255, 'n');
  write_file(folder / name, "x");
  EXPECT_EQ(read_file(folder / name), "x");
}

TEST(AtomicFile, RespectsTheUmask) {
  const TemporaryFolder folder;
  const mode_t before = umask(027);
  write_file(folder / "a", "x");
  umask(before);
  EXPECT_EQ(std::filesystem::status(folder / "a").permissions(), std::filesystem::perms(0640));
}

TEST(ReadFile, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  EXPECT_NE(message_of([&] { read_file(folder / "no"); }).find("cannot read the file: "),
            std::string::npos);
  EXPECT_NE(message_of([&] { read_file(folder.path()); }).find("Is a directory"),
            std::string::npos);
  write_file(folder / "a", std::string(11, 'x'));
  EXPECT_NE(message_of([&] { read_file(folder / "a", 10); }).find("at most 10 bytes"),
            std::string::npos);
  EXPECT_EQ(read_file(folder / "a", 11).size(), 11U);
}

TEST(ReadFile, ReadsEmptyLargeAndEndlessOnes) {
  const TemporaryFolder folder;
  write_file(folder / "empty", "");
  EXPECT_EQ(read_file(folder / "empty"), "");
  std::string large(5'000'000, '\0');
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<char>(i * 7919 >> 5);
  write_file(folder / "large", large);
  EXPECT_EQ(read_file(folder / "large"), large);
  EXPECT_FALSE(read_file("/proc/self/status").empty());  // its size is said to be 0
  EXPECT_THROW(read_file("/dev/zero", 1 << 20), FileError);
}

TEST(MakeFolder, MakesAllOfThemAndRefusesAFile) {
  const TemporaryFolder folder;
  make_folder(folder / "a/b/c");
  make_folder(folder / "a/b/c");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a/b/c"));
  write_file(folder / "f", "x");
  EXPECT_THROW(make_folder(folder / "f"), FileError);
  EXPECT_THROW(make_folder(folder / "f/g"), FileError);
}

}  // namespace
}  // namespace algprior
