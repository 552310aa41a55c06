// SHREC'11 as a made data set: where its meshes are looked for, its manifest, what the person is
// told.
#include "algprior/mesh/shrec11.hpp"

#include "../base/temporary_folder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/mesh/procedural.hpp"
#include "algprior/store/made.hpp"

#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

namespace fs = std::filesystem;

/// ALGPRIOR_DATA and the cache folder of this test alone.
class Shrec11 : public ::testing::Test {
 protected:
  Shrec11() {
    for (const char* name : {"ALGPRIOR_DATA", "XDG_CACHE_HOME"}) {
      const char* value = std::getenv(name);
      before_.emplace_back(name, value ? std::optional<std::string>(value) : std::nullopt);
      ::setenv(name, (root / name).c_str(), 1);
      make_folder(root / name);
    }
  }
  ~Shrec11() override {
    for (const auto& [name, value] : before_) {
      value ? ::setenv(name.c_str(), value->c_str(), 1) : ::unsetenv(name.c_str());
    }
  }

  TemporaryFolder root;

 private:
  std::vector<std::pair<std::string, std::optional<std::string>>> before_;
};

TEST_F(Shrec11, WithoutMeshesItSaysWhatToPutWhere) {
  try {
    find_shrec11();
    FAIL() << "meshes were found";
  } catch (const FileError& error) {
    const std::string text = error.what();
    for (const char* part : {"shrec_16", "SHREC_11_CONF.zip", "ALGPRIOR_DATA", "MobiusConv"}) {
      EXPECT_NE(text.find(part), std::string::npos) << text;
    }
  }
}

TEST_F(Shrec11, IsPreparedOnceWithAManifestAndARemark) {
  const fs::path meshes = root / "ALGPRIOR_DATA/shrec11/shrec_16/ants";
  make_folder(meshes / "train");
  make_folder(meshes / "test");
  write_mesh(meshes / "train/T1.obj", procedural_shape(0, 0, {.level = 2}));
  Mesh open = procedural_shape(0, 1, {.level = 2});
  open.faces.pop_back();
  write_mesh(meshes / "test/T2.obj", open);
  const fs::path source = find_shrec11();
  EXPECT_EQ(source, root / "ALGPRIOR_DATA/shrec11");

  const fs::path output = root / "XDG_CACHE_HOME/algprior/shrec11";
  const ShapeIndex index = prepare_shrec11(source, output);
  ASSERT_EQ(index.shapes.size(), 1U);
  EXPECT_EQ(read_rasters(output, index.shapes[0], cube_map_grid(32)).shape,
            (std::vector<std::int64_t>{31, 16, 6, 32, 32}));
  const store::MadeFolder made = store::find_made("shrec11");
  EXPECT_EQ(made.folder, output);
  EXPECT_EQ(made.manifest.files.size(), 3U);
  for (const store::Content& file : made.manifest.files) EXPECT_EQ(verify_made(made, file), "");

  const std::string remark = shrec11_remark(output);
  for (const char* part : {"1 shapes", "T2.obj", "the surface is open", "SHREC_11_CONF.zip"}) {
    EXPECT_NE(remark.find(part), std::string::npos) << remark;
  }
  // What was prepared is never taken for meshes; the package of the paper goes before others.
  EXPECT_EQ(find_shrec11(), source);
  make_folder(root / "ALGPRIOR_DATA/SHREC_11_CONF");
  EXPECT_EQ(find_shrec11(), root / "ALGPRIOR_DATA/SHREC_11_CONF");
}

}  // namespace
}  // namespace algprior::mesh
