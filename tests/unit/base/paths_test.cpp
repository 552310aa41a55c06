#include "algprior/base/paths.hpp"

#include "algprior/base/error.hpp"
#include "temporary_folder.hpp"

#include <cstdlib>
#include <map>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace algprior {
namespace {

using Paths = std::vector<std::filesystem::path>;

class PathsTest : public testing::Test {
 protected:
  void set(const char* name, std::optional<std::string> value) {
    if (!before_.contains(name)) {
      const char* old = std::getenv(name);
      before_[name] = old == nullptr ? std::nullopt : std::optional<std::string>(old);
    }
    apply(name, value);
  }
  void TearDown() override {
    for (const auto& [name, value] : before_) apply(name.c_str(), value);
  }

 private:
  static void apply(const char* name, const std::optional<std::string>& value) {
    if (value) {
      setenv(name, value->c_str(), 1);
    } else {
      unsetenv(name);
    }
  }
  std::map<std::string, std::optional<std::string>> before_;
};

TEST_F(PathsTest, CacheFollowsXdg) {
  set("HOME", "/home/x");
  set("XDG_CACHE_HOME", "/cache");
  EXPECT_EQ(cache_folder(), "/cache/algprior");
  set("XDG_CACHE_HOME", "relative");
  EXPECT_EQ(cache_folder(), "/home/x/.cache/algprior");
  set("XDG_CACHE_HOME", "");
  EXPECT_EQ(cache_folder(), "/home/x/.cache/algprior");
  set("HOME", std::nullopt);
  EXPECT_THROW(cache_folder(), InputError);
}

TEST_F(PathsTest, DataFoldersInTheirOrder) {
  set("XDG_CACHE_HOME", "/cache");
  set("ALGPRIOR_DATA", std::nullopt);
  EXPECT_EQ(data_folders(), (Paths{"/cache/algprior"}));
  set("ALGPRIOR_DATA", "/a:b c::/d:");
  EXPECT_EQ(data_folders(), (Paths{"/a", "b c", "/d", "/cache/algprior"}));
  set("XDG_CACHE_HOME", std::nullopt);
  set("HOME", std::nullopt);
  EXPECT_EQ(data_folders(), (Paths{"/a", "b c", "/d"}));
}

TEST_F(PathsTest, Runs) {
  set("ALGPRIOR_RUNS", std::nullopt);
  EXPECT_EQ(runs_folder(), "runs");
  set("ALGPRIOR_RUNS", "/elsewhere");
  EXPECT_EQ(runs_folder(), "/elsewhere");
}

TEST(IsWritable, LooksAtTheNearestFolderThatExists) {
  const TemporaryFolder folder;
  EXPECT_TRUE(is_writable(folder.path()));
  EXPECT_TRUE(is_writable(folder / "a/b/c"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  EXPECT_FALSE(is_writable("/proc/algprior"));
  EXPECT_FALSE(is_writable("/dev/null/x"));
}

}  // namespace
}  // namespace algprior
