// Whole collections: layouts, the cache, bad meshes, interruption.
#include "algprior/mesh/prepare.hpp"

#include "../base/temporary_folder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/paths.hpp"
#include "algprior/io/bytes.hpp"
#include "algprior/mesh/collection.hpp"
#include "algprior/mesh/procedural.hpp"
#include "algprior/mesh/raster.hpp"
#include "algprior/mesh/refine.hpp"
#include "algprior/mesh/topology.hpp"
#include "shapes_for_tests.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>
#include <sys/stat.h>

namespace algprior::mesh {
namespace {

namespace fs = std::filesystem;

PrepareOptions small_options() {
  PrepareOptions options;
  options.shape.copies = 2;
  options.shape.fewest_vertices = 100;
  options.shape.heat.eigenpairs = 32;
  options.grids = {cube_map_grid(4), half_offset_grid(6, 12)};
  return options;
}

void put(const fs::path& path, const Mesh& mesh) {
  make_folder(path.parent_path());
  write_mesh(path, mesh);
}

const ShapeEntry& shape_named(const ShapeIndex& index, const std::string& id) {
  for (const ShapeEntry& entry : index.shapes) {
    if (entry.id == id) return entry;
  }
  throw std::runtime_error("no shape " + id);
}

TEST(Collection, EveryLayoutIsRead) {
  const Mesh ball = make_icosphere(1);
  const TemporaryFolder root;
  put(root / "plain/b/10.off", ball);
  put(root / "plain/b/9.ply", ball);
  put(root / "plain/a/x.obj", ball);
  const auto plain = scan_meshes(root / "plain");
  ASSERT_EQ(plain.size(), 3U);
  EXPECT_EQ(plain[0].category, "a");
  EXPECT_EQ(plain[1].id, "9");  // numbers by value
  EXPECT_EQ(plain[2].id, "10");

  put(root / "meshcnn/shrec_16/ants/train/T5.obj", ball);
  put(root / "meshcnn/shrec_16/ants/test/T7.obj", ball);
  put(root / "meshcnn/shrec_16/ants/test/T5.obj", ball);
  const auto pooled = scan_meshes(root / "meshcnn");
  ASSERT_EQ(pooled.size(), 3U);
  EXPECT_EQ(pooled[0].id, "T5");
  EXPECT_EQ(pooled[1].id, "T5-2");

  put(root / "original/T0.off", ball);
  write_file(root / "original/test.cla", "PSB 1\n2 3\n\nants 0 1\n0\n\nman_test 0 2\n4\n2\n");
  const auto original = scan_meshes(root / "original");
  ASSERT_EQ(original.size(), 3U);  // files that are missing are found out when they are read
  EXPECT_EQ(original[1].category, "man");
  EXPECT_EQ(original[1].mesh.filename(), "T2.off");

  put(root / "conf/SHREC_11_CONF/base/ants/1.ply", ball);
  put(root / "conf/SHREC_11_CONF/base_sphere/ants/1.ply", ball);
  for (const char* k : {"0", "1", "2"}) {
    put(root / "conf/SHREC_11_CONF/mobius_sphere/ants/1" / fs::path(std::string(k) + ".ply"), ball);
  }
  const auto conformal = scan_meshes(root / "conf");
  ASSERT_EQ(conformal.size(), 1U);
  EXPECT_EQ(conformal[0].spheres.size(), 4U);

  make_folder(root / "empty");
  EXPECT_THROW(scan_meshes(root / "empty"), InputError);
  EXPECT_THROW(scan_meshes(root / "absent"), FileError);
}

TEST(Collection, DamagedLabelFilesAreRefused) {
  for (const char* text : {"", "PSX 1\n", "PSB 1\n", "PSB 1\nx y\n", "PSB 1\n1 2\n\na 0 2\n1\n",
                           "PSB 1\n1 1\n\na 0 1\n../x\n", "PSB 1\n1 5\n\na 0 1\n1\n",
                           "PSB 1\n1 1\n\na 0 99999999999\n1\n"}) {
    EXPECT_THROW(parse_psb_labels(text, "labels"), FileError) << text;
  }
}

TEST(Prepare, ProceduralShapesGoThroughTheSameLoader) {
  const TemporaryFolder root;
  write_procedural_shapes(root / "meshes", {.categories = 5, .instances = 2, .level = 2});
  std::atomic<std::uint64_t> last{0};
  const ShapeIndex index = prepare_shapes(root / "meshes", root / "out", small_options(),
                                          [&](std::uint64_t done, std::uint64_t total) {
                                            last = done;
                                            EXPECT_EQ(total, 10U);
                                          });
  EXPECT_EQ(last, 10U);
  EXPECT_EQ(index.shapes.size(), 10U);
  EXPECT_TRUE(index.refused.empty());
  EXPECT_EQ(index.categories.size(), 5U);
  const ShapeIndex again = read_index(root / "out");
  ASSERT_EQ(again.shapes.size(), 10U);
  EXPECT_EQ(again.shapes[3].sha256, index.shapes[3].sha256);
  EXPECT_EQ(again.shapes[3].mean, index.shapes[3].mean);
  EXPECT_EQ(again.grids, index.grids);

  // The rasters on disk are those of the shape on disk.
  const ShapeEntry& entry = index.shapes[4];
  const SphereShape shape = read_shape(root / "out" / fs::path("shapes") / entry.file());
  EXPECT_EQ(shape.maps(), 3U);
  const io::Array maps = read_rasters(root.path() / "out", entry, cube_map_grid(4));
  EXPECT_EQ(maps.shape, (std::vector<std::int64_t>{3, 16, 6, 4, 4}));
  const auto expected = rasters(shape, cube_map_grid(4));
  const auto values = io::to_doubles(maps);
  for (std::size_t i = 0; i < values.size(); ++i) {
    ASSERT_NEAR(values[i], expected[i], 1e-3 * (0.01 + std::abs(expected[i])));
  }
  EXPECT_THROW(read_rasters(root.path() / "out", entry, cube_map_grid(5)), FileError);

  // Statistics map the mean to the middle of the range, and a split takes each shape once.
  const ShapeSplit split = split_shapes(index, {.train = 1, .test = 1, .skipped = {"limbs-0"}});
  EXPECT_EQ(split.train.size(), 4U);
  EXPECT_EQ(split.test.size(), 4U);
  std::set<std::size_t> all(split.train.begin(), split.train.end());
  all.insert(split.test.begin(), split.test.end());
  EXPECT_EQ(all.size(), 8U);
  const Normalisation norm = normalisation(index, split.train);
  EXPECT_NEAR(norm(static_cast<float>(norm.mean[2]), 2), 0.0F, 1e-5);
  EXPECT_EQ(norm(1e9F, 2), 1.0F);
  EXPECT_EQ(norm(-1e9F, 2), -1.0F);
  EXPECT_THROW(split_shapes(index, {.train = 2, .test = 1}), InputError);
}

TEST(Prepare, BadMeshesAreNamedAndTheOthersGoOn) {
  const Mesh ball = make_icosphere(2);
  const TemporaryFolder root;
  put(root / "m/a/good.off", ball);
  Mesh open = ball;
  open.faces.pop_back();
  put(root / "m/a/open.off", open);
  Mesh twice = ball;
  for (const Point& p : ball.vertices) twice.vertices.push_back(p + Point(4, 0, 0));
  for (const Face& f : ball.faces) twice.faces.push_back({f[0] + 162, f[1] + 162, f[2] + 162});
  put(root / "m/a/twice.off", twice);
  Mesh crowded = ball;
  crowded.faces.push_back(ball.faces[0]);
  put(root / "m/a/crowded.off", crowded);
  Mesh flat = ball;
  for (Point& p : flat.vertices) p.y() = p.z() = 0.0;
  put(root / "m/a/flat.off", flat);
  write_file(root / "m/a/cut.off", "OFF\n5 5 0\n0 0 0\n");
  write_file(root / "m/a/huge.off", "OFF\n4000000000 4000000000 0\n");
  write_file(root / "m/a/nan.obj", "v 0 0 nan\nf 1 1 1\n");
  write_file(root / "m/a/noise.ply", std::string("\x00\xff\x7fply", 6));
  put(root / "m/a/handle.off", torus(12, 8));
  Mesh turned = ball;
  std::swap(turned.faces[7][0], turned.faces[7][1]);
  put(root / "m/a/turned.off", turned);
  make_folder(root / "m/a/folder.off");
  ASSERT_EQ(::mkfifo((root / "m/a/pipe.off").c_str(), 0600), 0);  // nobody ever writes to it
  const ShapeIndex index = prepare_shapes(root / "m", root / "out", small_options());
  ASSERT_EQ(index.shapes.size(), 1U);
  EXPECT_EQ(index.shapes[0].id, "good");
  std::map<std::string, std::string> reasons;
  for (const RefusedMesh& mesh : read_index(root / "out").refused) {
    reasons[mesh.id] = mesh.reason;
    EXPECT_NE(mesh.source.find(mesh.id), std::string::npos);
  }
  EXPECT_EQ(reasons.size(), 12U);
  const auto says = [&](const char* id, const char* part) {
    EXPECT_NE(reasons[id].find(part), std::string::npos) << id << ": " << reasons[id];
  };
  says("open", "the surface is open");
  says("twice", "2 components");
  says("crowded", "more than two faces");
  says("cut", "claims 5 vertices");
  says("huge", "too many vertices");
  says("nan", "coordinate is \"nan\"");
  says("noise", "does not begin");
  says("handle", "its genus is 1");
  says("turned", "disagree on which side is outside");
  says("folder", "no regular file");
  says("pipe", "no regular file");
  EXPECT_FALSE(reasons["flat"].empty());

  fs::remove(root / "m/a/good.off");
  EXPECT_THROW(prepare_shapes(root / "m", root / "out2", small_options()), InputError);
}

// Faces with two corners in one place, and faces without area, are told of and do no harm.
TEST(Prepare, DegenerateFacesAreRemarked) {
  const TemporaryFolder root;
  Mesh mesh = make_icosphere(2);
  const Face first = mesh.faces[0];
  mesh.faces.push_back({first[0], first[0], first[1]});
  mesh.vertices.emplace_back(9, 9, 9);  // of no face
  put(root / "m/a/1.off", mesh);
  // An edge split at its middle, twice over: two faces that are a line.
  Mesh split = make_icosphere(2);
  const auto middle = static_cast<std::uint32_t>(split.vertices.size());
  const std::uint32_t a = split.faces[0][0], b = split.faces[0][1], c = split.faces[0][2];
  split.vertices.push_back(0.5 * (split.vertices[a] + split.vertices[b]));
  split.faces[0] = {a, middle, c};
  split.faces.push_back({middle, b, c});
  split.faces.push_back({a, b, middle});
  put(root / "m/a/2.off", split);
  const ShapeIndex index = prepare_shapes(root / "m", root / "out", small_options());
  EXPECT_EQ(index.refused.size(), 0U);
  EXPECT_EQ(shape_named(index, "1").remarks.at("cleaned"),
            "0 vertices merged, 1 faces and 1 vertices removed");
  EXPECT_EQ(shape_named(index, "2").remarks.at("faces_without_area"), "1");
  for (const ShapeEntry& entry : index.shapes) {
    for (const double value : io::to_doubles(read_rasters(root / "out", entry, cube_map_grid(4)))) {
      ASSERT_TRUE(std::isfinite(value));
    }
  }
}

// What has no place in a layout is listed, too.
TEST(Prepare, NothingIsLeftOutInSilence) {
  const Mesh ball = make_icosphere(2);
  const TemporaryFolder root;
  put(root / "psb/T0.off", ball);
  put(root / "psb/T7.off", ball);
  write_file(root / "psb/test.cla", "PSB 1\n1 2\n\nants 0 2\n0\n1\n");
  const ShapeIndex labelled = prepare_shapes(root / "psb", root / "out", small_options());
  EXPECT_EQ(labelled.categories, (std::vector<std::string>{"ants"}));
  ASSERT_EQ(labelled.shapes.size(), 1U);
  EXPECT_EQ(labelled.shapes[0].label, 0U);
  ASSERT_EQ(labelled.refused.size(), 2U);
  EXPECT_EQ(labelled.refused[0].id, "T7");
  EXPECT_EQ(labelled.refused[0].reason, "the label file test.cla does not name it");
  EXPECT_EQ(labelled.refused[1].id, "T1");  // named, but not there

  const fs::path base = root / "conf/SHREC_11_CONF";
  for (const char* id : {"1", "2"}) {
    put(base / "base/ants" / (std::string(id) + ".ply"), ball);
    put(base / "base_sphere/ants" / (std::string(id) + ".ply"), ball);
  }
  for (const char* k : {"0", "1", "2"})
    put(base / "mobius_sphere/ants/1" / (std::string(k) + ".ply"), ball);
  for (const char* k : {"0", "2"})
    put(base / "mobius_sphere/ants/2" / (std::string(k) + ".ply"), ball);
  const ShapeIndex given = prepare_shapes(root / "conf", root / "out2", small_options());
  ASSERT_EQ(given.shapes.size(), 1U);
  ASSERT_EQ(given.refused.size(), 1U);
  EXPECT_EQ(given.refused[0].id, "2");
  EXPECT_NE(given.refused[0].reason.find("copy 1 of its sphere map is missing"), std::string::npos);
}

TEST(Prepare, GoesOnWhereItStoppedAndRepairsDamage) {
  const TemporaryFolder root;
  write_procedural_shapes(root / "meshes", {.categories = 2, .instances = 3, .level = 2});
  const PrepareOptions options = small_options();
  const fs::path out = root / "out";
  EXPECT_THROW(prepare_shapes(root / "meshes", out, options,
                              [](std::uint64_t done, std::uint64_t) {
                                if (done == 2) throw Interrupted({"stopped", "", "", ""});
                              }),
               Interrupted);
  EXPECT_FALSE(fs::exists(out / "index.json"));
  const ShapeIndex index = prepare_shapes(root / "meshes", out, options);
  ASSERT_EQ(index.shapes.size(), 6U);

  const fs::path whole = out / "shapes" / index.shapes[0].file();
  const fs::path damaged = out / "shapes" / index.shapes[1].file();
  const fs::path raster = out / "rasters" / "cube-4" / index.shapes[2].file();
  const auto stamp = fs::last_write_time(whole) - std::chrono::hours(1);
  fs::last_write_time(whole, stamp);
  std::string bytes = read_file(damaged);
  bytes[bytes.size() - 3] = static_cast<char>(bytes[bytes.size() - 3] ^ 0x10);
  write_file(damaged, bytes);
  EXPECT_THROW(read_shape(damaged), FileError);
  write_file(raster, "nothing");
  const ShapeIndex repaired = prepare_shapes(root / "meshes", out, options);
  EXPECT_EQ(fs::last_write_time(whole), stamp);  // kept, not made again
  EXPECT_EQ(read_shape(damaged).maps(), 3U);
  EXPECT_NO_THROW(read_rasters(out, repaired.shapes[2], cube_map_grid(4)));
  for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(repaired.shapes[i].sha256, index.shapes[i].sha256);

  // A mesh that changed is prepared again, the others stay.
  const fs::path changed = index.shapes[3].source;
  write_mesh(changed, procedural_shape(7, 7, {.level = 2}));
  const ShapeIndex renewed = prepare_shapes(root / "meshes", out, options);
  for (std::size_t i = 0; i < 6; ++i) {
    EXPECT_EQ(renewed.shapes[i].sha256 == index.shapes[i].sha256, i != 3) << i;
    EXPECT_NO_THROW(read_rasters(out, renewed.shapes[i], cube_map_grid(4)));
  }

  PrepareOptions other = options;
  other.shape.seed = 9;
  const ShapeIndex redone = prepare_shapes(root / "meshes", out, other);
  EXPECT_NE(redone.shapes[0].sha256, index.shapes[0].sha256);
}

TEST(Prepare, GivenMapsAreTakenAsTheyAre) {
  const TemporaryFolder root;
  const fs::path base = root / "SHREC_11_CONF";
  const Mesh mesh = procedural_shape(0, 0, {.level = 2});
  Mesh sphere = mesh;
  sphere.vertices = map_to_sphere(mesh).vertices;
  RandomStream random(RandomKey(1, "given"));
  put(base / "base/limbs/7.ply", mesh);
  put(base / "base_sphere/limbs/7.ply", sphere);
  Mesh copy = sphere;
  copy.vertices = random_mobius(random, 0.3)(sphere.vertices);
  put(base / "mobius_sphere/limbs/7/0.ply", copy);
  // A sphere mesh of other vertices, and one that is no sphere.
  put(base / "base/limbs/8.ply", mesh);
  put(base / "base_sphere/limbs/8.ply", make_icosphere(1));
  put(base / "base/limbs/9.ply", mesh);
  put(base / "base_sphere/limbs/9.ply", mesh);
  const ShapeIndex index = prepare_shapes(root.path(), root / "out", small_options());
  ASSERT_EQ(index.shapes.size(), 1U);
  EXPECT_EQ(index.refused.size(), 2U);
  EXPECT_EQ(shape_named(index, "7").remarks.at("method"), "given");
  const SphereShape shape = read_shape(root / "out" / fs::path("shapes") / index.shapes[0].file());
  ASSERT_EQ(shape.maps(), 2U);
  EXPECT_LT((shape.map(1)[11] - copy.vertices[11]).norm(), 1e-12);
  EXPECT_THROW(shape.map(2), InputError);
}

TEST(Prepare, TheRealMeshesAre588Spheres) {
  fs::path source;
  for (const fs::path& folder : data_folders()) {
    if (fs::is_directory(folder / "shrec11" / "shrec_16")) source = folder / "shrec11";
  }
  if (source.empty()) GTEST_SKIP() << "shrec11 is in no folder of ALGPRIOR_DATA";
  const auto meshes = scan_meshes(source);
  EXPECT_EQ(meshes.size(), 600U);
  std::set<std::string> categories;
  std::size_t spheres = 0;
  for (const MeshEntry& entry : meshes) {
    categories.insert(entry.category);
    spheres += why_not_sphere(inspect(clean(read_mesh(entry.mesh)).mesh)).empty() ? 1 : 0;
  }
  EXPECT_EQ(categories.size(), 30U);
  EXPECT_EQ(spheres, 588U);
  const std::string labels = read_file(source / "categories.txt");
  const auto listed = parse_psb_labels(labels, "categories.txt");
  EXPECT_EQ(listed.size(), 30U);
  for (const MeshEntry& entry : meshes) {
    const auto& ids = listed.at(entry.category);
    EXPECT_EQ(std::count(ids.begin(), ids.end(), entry.id.substr(1)), 1) << entry.id;
  }
}

}  // namespace
}  // namespace algprior::mesh
