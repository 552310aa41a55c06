#include "algprior/base/detail/file_fault.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/lock.hpp"
#include "loopback_server.hpp"
#include "small_store.hpp"

namespace algprior::store {
namespace {

using algprior::testing::LoopbackServer;

/// A tar archive of plain files, gzipped.
std::string tar_gzip(const std::vector<std::pair<std::string, std::string>>& members) {
  std::string out;
  for (const auto& [name, bytes] : members) {
    std::string header(512, '\0');
    header.replace(0, name.size(), name);
    char size[12];
    std::snprintf(size, sizeof size, "%011zo", bytes.size());
    header.replace(124, 11, size);
    header[156] = '0';
    header.replace(148, 8, 8, ' ');
    unsigned sum = 0;
    for (const unsigned char c : header) sum += c;
    char text[8];
    std::snprintf(text, sizeof text, "%06o", sum);
    header.replace(148, 7, std::string(text, 7));
    out += header + bytes + std::string((512 - bytes.size() % 512) % 512, '\0');
  }
  out += std::string(1024, '\0');
  return std::string(io::as_text(io::gzip(io::as_bytes(out))));
}

class GetTest : public StoreTest {
 protected:
  std::vector<std::filesystem::path> fetch() { return get(store, store.sets.front()); }

  std::string failure() {
    try {
      fetch();
    } catch (const FileError& error) {
      return error.what();
    }
    ADD_FAILURE() << "no FileError";
    return {};
  }

  LoopbackServer server;
  std::filesystem::path file = root / "cache" / "toy" / "data.bin";
};

TEST_F(GetTest, FetchesOnceAndOnlyWhatIsMissing) {
  server.serve("/data.bin", {{.body = content}});
  add_toy({{server.address("/data.bin")}});
  std::vector<std::string> addresses;
  const auto progress = [&](const std::string& address, std::uint64_t, std::uint64_t) {
    addresses.push_back(address);
  };
  EXPECT_EQ(get(store, store.sets.front(), progress), (std::vector<std::filesystem::path>{file}));
  EXPECT_EQ(text_of(file), content);
  EXPECT_EQ(addresses.front(), server.address("/data.bin"));
  EXPECT_EQ(names_in(file.parent_path()), (std::vector<std::string>{"data.bin"}));
  EXPECT_TRUE(fetch().empty());
  EXPECT_EQ(server.requests().size(), 1u);
}

TEST_F(GetTest, AWrongChecksumIsDiscardedAndTheNextMirrorAsked) {
  std::string wrong = content;
  wrong[5000] ^= 1;
  server.serve("/a", {{.body = wrong}});
  server.serve("/b", {{.body = content}});
  add_toy({{server.address("/a")}, {server.address("/b")}});
  EXPECT_EQ(fetch().size(), 1u);
  EXPECT_EQ(text_of(file), content);
  EXPECT_EQ(names_in(file.parent_path()), (std::vector<std::string>{"data.bin"}));
}

TEST_F(GetTest, NothingGetsTheNameWithoutTheChecksum) {
  server.serve("/a", {{.body = content.substr(1)}});
  add_toy({{server.address("/a")}, {server.address("/absent")}});
  const std::string text = failure();
  expect_contains(text, server.address("/a") + ": gave something else");
  expect_contains(text, server.address("/absent") + ": the server answers 404");
  expect_contains(text, "put it into " + file.parent_path().string());
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(GetTest, ABrokenDownloadIsContinuedByTheNextCall) {
  store.patience.attempts = 1;
  server.serve("/a", {{.body = content, .cut_after = 60'000}, {.body = content}});
  add_toy({{server.address("/a")}});
  expect_contains(failure(), "connection broke");
  EXPECT_EQ(names_in(file.parent_path()).size(), 1u);  // the part
  EXPECT_EQ(fetch().size(), 1u);
  EXPECT_EQ(text_of(file), content);
  EXPECT_EQ(server.requests(), (std::vector<std::string>{"GET /a", "GET /a bytes=60000-"}));
  EXPECT_EQ(names_in(file.parent_path()), (std::vector<std::string>{"data.bin"}));
}

TEST_F(GetTest, AFileThatChangedOnTheServerIsFetchedAnew) {
  store.patience.attempts = 1;
  const std::string old(content.size(), '?');
  server.serve("/a", {{.body = old, .cut_after = 60'000}, {.body = content}});
  add_toy({{server.address("/a")}});
  failure();
  EXPECT_EQ(fetch().size(), 1u);
  EXPECT_EQ(text_of(file), content);
  EXPECT_EQ(server.requests().back(), "GET /a");
}

TEST_F(GetTest, GzippedSourcesAreUnpackedAndBounded) {
  const auto packed = [](const std::string& text) {
    return std::string(io::as_text(io::gzip(io::as_bytes(text))));
  };
  server.serve("/bomb.gz", {{.body = packed(std::string(50'000'000, 'a'))}});
  server.serve("/plain.gz", {{.body = content}});
  server.serve("/data.bin.gz", {{.body = packed(content)}});
  add_toy({{server.address("/bomb.gz"), Wrapping::gzip},
           {server.address("/plain.gz"), Wrapping::gzip},
           {server.address("/data.bin.gz"), Wrapping::gzip}});
  EXPECT_EQ(fetch().size(), 1u);
  EXPECT_EQ(text_of(file), content);
}

TEST_F(GetTest, OneArchiveGivesAllFilesAndNothingElse) {
  server.serve("/toy.tar.gz", {{.body = tar_gzip({{"toy/readme.html", "hello"},
                                                  {"../../evil", "evil"},
                                                  {"toy/one.bin", "first"},
                                                  {"toy/two.bin", "second"}})}});
  const Source source{server.address("/toy.tar.gz"), Wrapping::tar_gzip};
  store.sets = {{"toy",
                 "",
                 "",
                 "",
                 {"toy"},
                 {{{content_named("one.bin", "first")}, {source}},
                  {{content_named("two.bin", "second")}, {source}}}}};
  EXPECT_EQ(fetch().size(), 2u);
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(text_of(root / "cache/toy/two.bin"), "second");
  EXPECT_EQ(names_in(root / "cache/toy").size(), 2u);
  EXPECT_FALSE(std::filesystem::exists(root / "evil"));
}

TEST_F(GetTest, AnArchiveWithoutTheFileIsAnError) {
  server.serve("/toy.tar.gz", {{.body = tar_gzip({{"toy/data.bin", "other bytes"}})}});
  add_toy({{server.address("/toy.tar.gz"), Wrapping::tar_gzip}});
  expect_contains(failure(), "gave something else");
}

TEST_F(GetTest, AnUnreachableHostIsAskedOnce) {
  std::string nobody;
  {
    const LoopbackServer gone;
    nobody = gone.address();
  }
  add_toy({{nobody + "/a"}, {nobody + "/b"}});
  const std::string text = failure();
  expect_contains(text, nobody + "/a: cannot reach the server");
  expect_contains(text, nobody + "/b: cannot be reached");
}

TEST_F(GetTest, AMirrorTakesThePlaceOfAllAddresses) {
  server.serve("/mirror/toy/data.bin.gz", {{.body = "damaged"}});
  server.serve("/mirror/toy/data.bin", {{.body = content}});
  store.mirror = server.address("/mirror");
  add_toy({{"https://one.invalid/x/data.bin.gz", Wrapping::gzip},
           {"https://two.invalid/data.bin.gz", Wrapping::gzip},
           {"https://three.invalid/data.bin"}});
  EXPECT_EQ(fetch().size(), 1u);
  EXPECT_EQ(server.requests(),
            (std::vector<std::string>{"GET /mirror/toy/data.bin.gz", "GET /mirror/toy/data.bin"}));
}

TEST_F(GetTest, AFileOfTheWrongSizeIsReplaced) {
  put(file, "half a file");
  server.serve("/a", {{.body = content}});
  add_toy({{server.address("/a")}});
  EXPECT_EQ(fetch().size(), 1u);
  EXPECT_EQ(text_of(file), content);
}

TEST_F(GetTest, TwoProcessesDoNotFetchIntoOneFolder) {
  add_toy({{server.address("/a")}});
  std::filesystem::create_directories(file.parent_path());
  const FolderLock lock(file.parent_path(), "another download");
  expect_contains(failure(), "another download");
}

TEST_F(GetTest, AFullDiskIsNamedAndNothingIsLost) {
  server.serve("/a", {{.body = content}});
  server.serve("/b", {{.body = content}});
  add_toy({{server.address("/a")}, {server.address("/b")}});
  set_file_fault([](FileStep step) { return step == FileStep::kSync ? ENOSPC : 0; });
  const std::string text = failure();
  set_file_fault({});
  expect_contains(text, "free some space");
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(server.requests().size(), 1u) << "a full disk is no reason to ask the next mirror";
}

}  // namespace
}  // namespace algprior::store
