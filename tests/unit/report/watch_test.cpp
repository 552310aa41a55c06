#include "algprior/report/watch.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/lock.hpp"
#include "small_runs.hpp"

#include <optional>

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

TEST(Watch, SeesNewLinesNewRunsAndTheEnd) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.epochs = 2, .finished = false});
  RunWatcher watcher({folder.path()});
  EXPECT_TRUE(watcher.look());
  watcher.look();  // what was not finished is read once more
  EXPECT_FALSE(watcher.look());
  AppendFile(place / "metrics.jsonl").append(metrics_text(3, 0.5));
  EXPECT_TRUE(watcher.look());
  EXPECT_EQ(watcher.set().runs[0].metrics.last_epoch(), 3);
  EXPECT_FALSE(watcher.look());
  write_small_run(folder.path(), {.seed = 1});
  EXPECT_TRUE(watcher.look());
  EXPECT_EQ(watcher.set().runs.size(), 2u);
  write_small_run(folder.path(), {.epochs = 2, .finished = true});
  EXPECT_TRUE(watcher.look());
  EXPECT_EQ(watcher.set().runs[0].state, RunState::kFinished);
}

TEST(Watch, AKilledRunIsShownAsStopped) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.finished = false});
  std::optional<FolderLock> lock(std::in_place, place, "a run");
  RunWatcher watcher({folder.path()});
  watcher.look();
  watcher.look();
  EXPECT_EQ(watcher.set().runs[0].state, RunState::kRunning);
  EXPECT_FALSE(watcher.look());
  lock.reset();  // as the kernel does when a process dies
  EXPECT_TRUE(watcher.look());
  EXPECT_EQ(watcher.set().runs[0].state, RunState::kStopped);
}

// A resumed run cuts its metrics back.
TEST(Watch, AFileThatBecameShorterIsReadAgain) {
  const TemporaryFolder folder;
  const auto place = write_small_run(folder.path(), {.epochs = 4});
  RunWatcher watcher({folder.path()});
  watcher.look();
  write_file(place / "metrics.jsonl", metrics_text(1, 0.5));
  EXPECT_TRUE(watcher.look());
  EXPECT_EQ(watcher.set().runs[0].metrics.last_epoch(), 1);
}

TEST(Watch, TheJournalGivesTheBytesThatAreNew) {
  LivePage live;
  live.update({"t", {{"a", "1"}}});
  const std::string first = live.changes(0).value();
  EXPECT_NE(first.find("\"id\":\"a\""), std::string::npos);
  EXPECT_EQ(live.changes(first.size()), "");
  EXPECT_NE(live.html().find("content=\"" + std::to_string(first.size()) + "\""),
            std::string::npos);
  live.update({"t", {{"a", "2"}}});
  const std::string second = live.changes(first.size()).value();
  EXPECT_EQ(live.changes(0).value(), first + second);
  EXPECT_EQ(live.changes(first.size() + second.size() + 1), std::nullopt);
}

TEST(Watch, AnOldBrowserIsToldToLoadAgain) {
  LivePage live;
  for (int i = 0; i < 5; ++i)
    live.update({"t", {{"a", std::string(2'000'000, static_cast<char>('a' + i))}}});
  EXPECT_EQ(live.changes(0), std::nullopt);
}

}  // namespace
}  // namespace algprior::report
