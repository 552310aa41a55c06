// `algprior data` as a person runs it, against a server on 127.0.0.1.
#include "algprior/io/bytes.hpp"
#include "algprior/store/made.hpp"
#include "algprior/store/store.hpp"
#include "loopback_server.hpp"
#include "run_program.hpp"

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace algprior {
namespace {

namespace fs = std::filesystem;
using testing::LoopbackServer;

class DataCommand : public ::testing::Test {
 protected:
  DataCommand() {
    std::string pattern = (fs::temp_directory_path() / "algprior-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root = pattern;
    fs::create_directories(root / "data" / "medmnist3d");
  }
  ~DataCommand() override { fs::remove_all(root); }

  /// algprior with these words, on a machine that has nothing but this folder and the server.
  Outcome run(const std::string& words) {
    std::istringstream stream(words);
    return run_program(kAlgprior, {.arguments = {std::istream_iterator<std::string>(stream), {}},
                                   .environment = {{"XDG_CACHE_HOME", (root / "cache").string()},
                                                   {"ALGPRIOR_DATA", (root / "data").string()},
                                                   {"ALGPRIOR_MIRROR", server.address("/m")}}});
  }

  /// A real file of the catalogue where this machine has it, else "".
  static std::string real_file() {
    const store::Store store = store::default_store();
    const auto& set = store::set_named(store.sets, "medmnist3d");
    const auto path = find_if_present(store, set, set.files.front());
    return path ? std::string(io::as_text(io::read_bytes(*path))) : "";
  }

  fs::path root;
  LoopbackServer server;
};

void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST_F(DataCommand, ListShowsEveryFileAndWhatIsMissing) {
  const Outcome outcome = run("data list");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* name : {"mnist", "train-images-idx3-ubyte", "cifar10", "missing", "47.0 MB"}) {
    expect_contains(outcome.out, name);
  }
  const auto document = nlohmann::json::parse(run("data list --json").out);
  std::size_t files = 0;
  for (const auto& set : store::catalogue()) files += set.files.size();
  std::size_t made = 0;
  for (const auto& entry : document) made += entry.contains("made") ? 1 : 0;
  EXPECT_GE(made, 1u);
  ASSERT_EQ(document.size(), files + made);
  for (const auto& entry : document) EXPECT_TRUE(entry["path"].is_null()) << entry;
}

TEST_F(DataCommand, AFileOfTheWrongSizeIsSaidToBeWrong) {
  io::write_bytes(root / "data/medmnist3d/adrenalmnist3d.npz", io::as_bytes("short"));
  expect_contains(run("data list").out, "5 bytes instead of 276833");
  const Outcome outcome = run("data verify medmnist3d/adrenalmnist3d.npz");
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.out, "wrong");
}

TEST_F(DataCommand, GetSaysWhatTheServerAnsweredAndWhereToPutTheFile) {
  const Outcome outcome = run("data get medmnist3d/adrenalmnist3d.npz");
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.err, "404");
  expect_contains(outcome.err, (root / "cache/algprior/medmnist3d").string());
  server.serve("/m/medmnist3d/adrenalmnist3d.npz", {{.body = "something else"}});
  expect_contains(run("data get medmnist3d/adrenalmnist3d.npz").err, "wrong checksum");
  EXPECT_EQ(run("data path medmnist3d/adrenalmnist3d.npz").code, 1);
}

TEST_F(DataCommand, GetVerifyAndPathOfARealFile) {
  const std::string bytes = real_file();
  if (bytes.empty()) GTEST_SKIP() << "AdrenalMNIST3D is not on this machine";
  server.serve("/m/medmnist3d/adrenalmnist3d.npz",
               {{.body = bytes, .cut_after = 100'000}, {.body = bytes}});
  const std::string path = (root / "cache/algprior/medmnist3d/adrenalmnist3d.npz").string();
  const Outcome outcome = run("data get medmnist3d/adrenalmnist3d.npz");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out, path + "\n");
  EXPECT_EQ(server.requests().back(), "GET /m/medmnist3d/adrenalmnist3d.npz bytes=100000-");
  const Outcome rest = run("data path medmnist3d");
  EXPECT_EQ(rest.code, 1);
  expect_contains(rest.err, "data get medmnist3d/fracturemnist3d.npz");
  EXPECT_EQ(run("data path medmnist3d/adrenalmnist3d.npz").out, path + "\n");
  EXPECT_EQ(run("data verify medmnist3d/adrenalmnist3d.npz").code, 0);

  std::string wrong = bytes;
  wrong[1000] ^= 1;
  io::write_bytes(path, io::as_bytes(wrong));
  const Outcome verdict = run("data verify medmnist3d/adrenalmnist3d.npz --json");
  EXPECT_EQ(verdict.code, 1);
  EXPECT_FALSE(nlohmann::json::parse(verdict.out)[0]["good"].get<bool>());
}

TEST_F(DataCommand, UnknownNamesExitWithTwoAndSuggest) {
  const Outcome outcome = run("data get mnits");
  EXPECT_EQ(outcome.code, 2);
  expect_contains(outcome.err, "mnist");
  EXPECT_EQ(run("data path mnist/t10k-image").code, 2);
  EXPECT_EQ(run("data path").code, 2);
  EXPECT_EQ(run("data get medmnist3d/organ").code, 2);
  EXPECT_EQ(run("data get smoke/1.npy").code, 2);
}

/// A made set of two small files, as a folder of ALGPRIOR_DATA brings it.
TEST_F(DataCommand, AMadeSetIsListedFoundAndVerifiedByItsManifest) {
  EXPECT_EQ(run("data path smoke").code, 1);
  expect_contains(run("data path smoke").err, "algprior data get smoke");
  EXPECT_EQ(run("data verify smoke").code, 1);
  const fs::path folder = root / "data/smoke";
  {
    store::Making making(folder, "smoke", {});
    making.put("a.npy", io::as_bytes("first"));
    making.put("b.npy", io::as_bytes("second"));
    making.finish();
  }
  expect_contains(run("data list").out, "2 files");
  EXPECT_EQ(run("data path smoke").out, folder.string() + "\n");
  EXPECT_EQ(run("data path smoke/b.npy").out, (folder / "b.npy").string() + "\n");
  EXPECT_EQ(run("data path smoke/c.npy").code, 2);
  EXPECT_EQ(run("data verify smoke").code, 0);
  const Outcome nothing = run("data get smoke");
  EXPECT_EQ(nothing.code, 0);
  expect_contains(nothing.err, "nothing is missing");
  io::write_bytes(folder / "b.npy", io::as_bytes("secnod"));
  const Outcome verdict = run("data verify smoke");
  EXPECT_EQ(verdict.code, 1);
  expect_contains(verdict.out, "wrong");
  io::write_bytes(folder / "manifest.json", io::as_bytes("{"));
  expect_contains(run("data list").out, "wrong: cannot read a manifest");
  expect_contains(run("data get smok").err, "smoke");
}

TEST_F(DataCommand, AReadOnlyCacheIsNamed) {
  fs::create_directories(root / "cache");
  io::write_bytes(root / "cache/algprior", io::as_bytes("a file where the folder should be"));
  const Outcome outcome = run("data get medmnist3d");
  EXPECT_EQ(outcome.code, 1);
  expect_contains(outcome.err, (root / "cache/algprior").string());
}

}  // namespace
}  // namespace algprior
