// Data sets that are made here: the manifest, what counts as whole, going on after a stop.
#include "algprior/store/made.hpp"

#include "algprior/base/detail/file_fault.hpp"
#include "algprior/base/file.hpp"
#include "small_store.hpp"

namespace algprior::store {
namespace {

using Settings = std::map<std::string, std::string>;

class MadeTest : public StoreTest {
 protected:
  std::filesystem::path folder() const { return root / "cache" / "toy"; }
  void make(const std::vector<std::string>& names, const Settings& settings = {{"n", "1"}}) {
    Making making(folder(), "toy", settings);
    for (const std::string& name : names) making.put(name, io::as_bytes("content of " + name));
    making.finish();
  }
};

TEST_F(MadeTest, AManifestReadsBackAsItWasWritten) {
  const Manifest manifest{"toy", {{"grid", "64x64"}, {"k", "1..36"}}, true, {{"a.npy", 3, "12"}}};
  EXPECT_EQ(parse_manifest(to_json(manifest), "m"), manifest);
  EXPECT_EQ(manifest.size(), 3u);
}

TEST_F(MadeTest, ManifestsThatLieAreRefused) {
  const auto with_name = [](const std::string& name) {
    return to_json({"toy", {}, true, {{name, 3, "12"}}});
  };
  for (const std::string name : {"../other", "/etc/passwd", "", "a/../../b", "folder/"}) {
    EXPECT_THROW(parse_manifest(with_name(name), "m"), FileError) << name;
  }
  EXPECT_NO_THROW(parse_manifest(with_name("sub/a.npy"), "m"));
  const Manifest twice{"toy", {}, true, {{"a", 1, ""}, {"a", 1, ""}}};
  EXPECT_THROW(parse_manifest(to_json(twice), "m"), FileError);
  for (const char* text : {"", "[]", "{}", "{\"set\": 3}", "\xff"}) {
    EXPECT_THROW(parse_manifest(text, "m"), FileError) << text;
  }
}

TEST_F(MadeTest, ASetIsFoundWhenItIsWhole) {
  EXPECT_FALSE(find_made_if_present(store, "toy"));
  {
    Making making(folder(), "toy", {});
    making.put("b.bin", io::as_bytes("bb"));
    EXPECT_FALSE(find_made_if_present(store, "toy")) << "not finished";
    making.put("a.bin", io::as_bytes("a"));
    making.finish();
  }
  const MadeFolder made = find_made(store, "toy");
  EXPECT_EQ(made.folder, folder());
  ASSERT_EQ(made.manifest.files.size(), 2u);
  EXPECT_EQ(made.manifest.files[0], content_named("a.bin", "a"));
  EXPECT_EQ(verify_made(made, made.manifest.files[0]), "");
  put(folder() / "a.bin", "c");
  EXPECT_NE(verify_made(made, made.manifest.files[0]), "");
  put(folder() / "a.bin", "longer");
  EXPECT_FALSE(find_made_if_present(store, "toy"));
  std::filesystem::remove(folder() / "a.bin");
  EXPECT_EQ(verify_made(made, made.manifest.files[0]), "missing");
  try {
    find_made(store, "toy");
    FAIL();
  } catch (const FileError& error) {
    expect_contains(error.what(), "algprior data get toy");
    expect_contains(error.what(), folder().string());
  }
}

TEST_F(MadeTest, GoesOnWhereItStoppedAndOnlyThere) {
  make({"a", "b", "c"});
  put(folder() / "b", "damaged");
  std::filesystem::remove(folder() / "c");
  const auto has = [&](const Settings& settings) {
    const Making making(folder(), "toy", settings);
    return std::vector<bool>{making.has("a"), making.has("b"), making.has("c"), making.has("d")};
  };
  EXPECT_EQ(has({{"n", "1"}}), (std::vector<bool>{true, false, false, false}));
  EXPECT_EQ(has({{"n", "2"}}), std::vector<bool>(4, false)) << "other settings give other bytes";
  put(folder() / "manifest.json", "{");
  EXPECT_EQ(has({{"n", "1"}}), std::vector<bool>(4, false)) << "nobody vouches for the files";
  make({"b", "a", "b"});
  EXPECT_EQ(find_made(store, "toy").manifest.files.size(), 2u);
}

TEST_F(MadeTest, TwoProcessesDoNotMakeOneSet) {
  const Making making(folder(), "toy", {});
  EXPECT_THROW(Making(folder(), "toy", {}), FileError);
}

TEST_F(MadeTest, AFullDiskLeavesWhatWasThere) {
  make({"a"});
  Making making(folder(), "toy", {{"n", "1"}});
  set_file_fault([](FileStep step) { return step == FileStep::kWrite ? ENOSPC : 0; });
  EXPECT_THROW(making.put("b", io::as_bytes("b")), FileError);
  set_file_fault({});
  EXPECT_FALSE(making.has("b"));
  EXPECT_TRUE(making.has("a"));
  EXPECT_THROW(making.put("../b", io::as_bytes("b")), InputError);
}

}  // namespace
}  // namespace algprior::store
