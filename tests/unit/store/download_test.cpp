#include "algprior/store/detail/download.hpp"

#include "algprior/base/interrupt.hpp"
#include "loopback_server.hpp"
#include "small_store.hpp"

namespace algprior::store {
namespace {

using algprior::testing::LoopbackServer;
using algprior::testing::Reply;

constexpr std::uint64_t kLargest = 1 << 20;

class DownloadTest : public StoreTest {
 protected:
  void fetch(const std::string& path = "/file", const ProgressSink& progress = {}) {
    download(server.address(path), part, kLargest, store.patience, progress);
  }

  std::string failure(const std::string& path = "/file") {
    try {
      fetch(path);
    } catch (const FileError& error) {
      return error.what();
    }
    ADD_FAILURE() << "no FileError";
    return {};
  }

  LoopbackServer server;
  std::filesystem::path part = root / "file.part";
};

TEST_F(DownloadTest, WholeFileWithProgress) {
  server.serve("/file", {{.body = content}});
  std::uint64_t last = 0, seen_total = 0;
  fetch("/file", [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_GE(done, last);
    last = done;
    seen_total = total;
  });
  EXPECT_EQ(text_of(part), content);
  EXPECT_EQ(last, content.size());
  EXPECT_EQ(seen_total, content.size());
}

TEST_F(DownloadTest, ABrokenConnectionIsTakenUpWhereItBroke) {
  server.serve("/file", {{.body = content, .cut_after = 30'000},
                         {.body = content, .cut_after = 20'000},
                         {.body = content}});
  fetch();
  EXPECT_EQ(text_of(part), content);
  EXPECT_EQ(server.requests(), (std::vector<std::string>{"GET /file", "GET /file bytes=30000-",
                                                         "GET /file bytes=50000-"}));
}

TEST_F(DownloadTest, APartOfAnEarlierRunIsKept) {
  put(part, content.substr(0, 70'000));
  server.serve("/file", {{.body = content}});
  std::uint64_t smallest = kLargest, total_seen = 0;
  fetch("/file", [&](std::uint64_t done, std::uint64_t total) {
    smallest = std::min(smallest, done);
    total_seen = total;
  });
  EXPECT_EQ(text_of(part), content);
  EXPECT_GE(smallest, 70'000u);
  EXPECT_EQ(total_seen, content.size());
  EXPECT_EQ(server.requests(), (std::vector<std::string>{"GET /file bytes=70000-"}));
}

TEST_F(DownloadTest, AServerThatIgnoresRangeStartsAgain) {
  put(part, std::string(70'000, '!'));
  server.serve("/file", {{.body = content, .ranges = false}});
  fetch();
  EXPECT_EQ(text_of(part), content);
}

TEST_F(DownloadTest, APartLongerThanTheFileIsThrownAway) {
  put(part, content + "more");
  server.serve("/file", {{.body = content}});
  fetch();
  EXPECT_EQ(text_of(part), content);
  EXPECT_EQ(server.requests().size(), 2u);
}

TEST_F(DownloadTest, AServerThatSendsAnotherPartIsRefused) {
  put(part, content.substr(0, 1000));
  server.serve("/file", {{.body = content, .shift_range = 5}});
  expect_contains(failure(), "another part");
}

TEST_F(DownloadTest, AnswersOtherThanSuccessAreErrorsAndNotData) {
  expect_contains(failure("/absent"), "404");
  expect_contains(failure("/absent"), server.address("/absent"));
  server.serve("/file", {{.status = 500, .body = "oops"}});
  expect_contains(failure(), "500");
  EXPECT_EQ(text_of(part), "");
}

TEST_F(DownloadTest, EmptyRepliesEndAfterSomeAttempts) {
  server.serve("/file", {{.silent = true}});
  expect_contains(failure(), "connection broke");
  EXPECT_EQ(server.requests().size(), 4u);
}

TEST_F(DownloadTest, AStalledServerIsLeft) {
  store.patience.attempts = 1;
  server.serve("/file", {{.body = content, .stall = true}});
  expect_contains(failure(), "connection broke");
}

TEST_F(DownloadTest, FollowsRedirectsButNotToFiles) {
  server.serve("/here", {{.status = 302, .redirect = server.address("/file")}});
  server.serve("/file", {{.body = content}});
  fetch("/here");
  EXPECT_EQ(text_of(part), content);
  std::filesystem::remove(part);
  put(root / "secret", "secret");
  server.serve("/here", {{.status = 302, .redirect = "file://" + (root / "secret").string()}});
  failure("/here");
  EXPECT_EQ(text_of(part), "");
  EXPECT_THROW(download("file://" + (root / "secret").string(), part, kLargest, store.patience, {}),
               FileError);
}

TEST_F(DownloadTest, TooMuchDataMeetsTheLimit) {
  server.serve("/file", {{.body = std::string(2 << 20, 'x'), .announce_length = false}});
  EXPECT_THROW(fetch(), LimitError);
}

TEST_F(DownloadTest, NobodyThereIsUnreachable) {
  std::string nobody;
  {
    const LoopbackServer gone;
    nobody = gone.address("/file");
  }
  EXPECT_THROW(download(nobody, part, kLargest, store.patience, {}), UnreachableError);
}

TEST_F(DownloadTest, AStopKeepsWhatCame) {
  server.serve("/file", {{.body = content, .cut_after = 40'000}});
  const auto stop = [](std::uint64_t done, std::uint64_t) {
    if (done == 40'000) request_stop();
  };
  EXPECT_THROW(fetch("/file", stop), Interrupted);
  clear_stop();
  EXPECT_EQ(text_of(part).size(), 40'000u);
}

TEST_F(DownloadTest, AFolderThatCannotBeWrittenIsNamed) {
  part = root / "absent" / "file.part";
  server.serve("/file", {{.body = content}});
  expect_contains(failure(), part.string());
}

}  // namespace
}  // namespace algprior::store
