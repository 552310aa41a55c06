// Readers and writers of meshes: round trips, quirks of real files, and what must be refused.
#include "algprior/mesh/mesh_file.hpp"

#include "../base/temporary_folder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/mesh/refine.hpp"

#include <string>

#include <gtest/gtest.h>

namespace algprior::mesh {
namespace {

Mesh off(const std::string& text) {
  return parse_off(io::as_bytes(text), "a.off");
}
Mesh obj(const std::string& text) {
  return parse_obj(io::as_bytes(text), "a.obj");
}
Mesh ply(const std::string& text) {
  return parse_ply(io::as_bytes(text), "a.ply");
}

/// The message of the FileError that a reader throws; fails the test when it throws none.
template <class Read>
std::string refusal(Read&& read) {
  try {
    read();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was refused";
  return "";
}

void expect_part(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

TEST(MeshFile, EveryFormatReadsBackWhatWasWritten) {
  Mesh mesh = make_icosphere(2);
  mesh.vertices[3] = Point(1e-300, -0.1, 1.0 / 3.0);
  const TemporaryFolder folder;
  for (const char* name : {"a.off", "b.OBJ", "c.ply"}) {
    write_mesh(folder / name, mesh);
    EXPECT_EQ(read_mesh(folder / name), mesh) << name;
  }
  for (const auto encoding :
       {PlyEncoding::ascii, PlyEncoding::little_endian, PlyEncoding::big_endian}) {
    EXPECT_EQ(parse_ply(to_ply(mesh, encoding), "a.ply"), mesh);
  }
  EXPECT_THROW(write_mesh(folder / "d.stl", mesh), InputError);
  EXPECT_THROW(read_mesh(folder / "d.stl"), InputError);
}

TEST(MeshFile, OffMayHaveItsCountsOnTheFirstLineCommentsAndQuadrilaterals) {
  const Mesh plain = off("OFF\n4 2 0\n0 0 0\n1 0 0\n1 1 0\n0 1 0\n3 0 1 2\n3 0 2 3\n");
  EXPECT_EQ(
      off("OFF 4 1 0\n# a comment\n0 0 0\n\n1 0 0 # here too\n1 1 0 255 0 0\n0 1 0\n4 0 1 2 3 9\n"),
      plain);
  EXPECT_EQ(off("OFF4 1 0\r\n0 0 0\r\n1 0 0\r\n1 1 0\r\n0 1 0\r\n4 0 1 2 3"), plain);
}

TEST(MeshFile, ObjHasCornersWithSlashesAndNegativeIndices) {
  const Mesh plain = obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_EQ(obj("# x\no thing\nv 0 0 0 1\nv 1 0 0\nvn 0 0 1\nvt 0 0\nv 0 1 0\nf 1/1 2//1 3/1/1\n"),
            plain);
  EXPECT_EQ(obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n"), plain);
  EXPECT_EQ(obj("f 1 2 3\nv 0 0 0\nv 1 0 0\nv 0 1 0\n"), plain);
}

TEST(MeshFile, PlySkipsWhatItDoesNotKnow) {
  const Mesh mesh =
      ply("ply\nformat ascii 1.0\ncomment by hand\nelement vertex 3\nproperty float x\nproperty "
          "uchar red\n"
          "property float y\nproperty float z\nelement edge 1\nproperty int vertex1\nproperty int "
          "vertex2\n"
          "element face 1\nproperty uchar flag\nproperty list uchar int vertex_index\nend_header\n"
          "0 7 0 0\n1 7 0 0\n0 7 1 0\n0 1\n1 3 0 1 2\n");
  EXPECT_EQ(mesh, obj("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"));
}

TEST(MeshFile, DamageIsRefusedWithItsPlace) {
  expect_part(refusal([] { off("OFF\n1 1 0\n0 0 zero\n3 0 0 0\n"); }), "a.off:3");
  expect_part(refusal([] { off("OFF\n1 1 0\n0 0 0\n3 0 0 1\n"); }), "a.off:4");
  expect_part(refusal([] { off("OFF\n1 1 0\n0 0 nan\n3 0 0 0\n"); }), "nan");
  expect_part(refusal([] { off("PLY\n"); }), "expected: OFF");
  expect_part(refusal([] { off("OFF\n2 0 0\n0 0 0 # and no more of it\n"); }), "ends at vertex 1");
  expect_part(refusal([] { off("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1\n"); }), "3 or more");
  expect_part(refusal([] { obj("v 0 0 0\nf 1 2 3\n"); }), "a.obj:2");
  expect_part(refusal([] { obj("v 0 0 0\nf -2 1 1\n"); }), "a.obj:2");
  expect_part(refusal([] { obj("f 1 2 3\n"); }), "no vertex");
  const io::Bytes whole = to_ply(make_icosphere(0));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(parse_ply(io::ByteView(whole).first(size), "cut.ply"), FileError) << size;
  }
}

TEST(MeshFile, AHeaderCannotMakeTheReaderAllocate) {
  expect_part(refusal([] { off("OFF\n4000000 4000000 0\n0 0 0\n"); }), "claims 4000000 vertices");
  expect_part(refusal([] { off("OFF\n99999999999 1 0\n0 0 0\n"); }), "too many vertices");
  expect_part(
      refusal([] {
        ply("ply\nformat binary_little_endian 1.0\nelement vertex 7000000\nproperty float x\n"
            "property float y\nproperty float z\nend_header\n");
      }),
      "claims 7000000 rows");
  expect_part(refusal([] {
                ply("ply\nformat ascii 1.0\nelement junk 18446744073709551615\nproperty int "
                    "x\nend_header\n");
              }),
              "claims");
  expect_part(
      refusal([] {
        ply("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
            "property float z\nelement face 1\nproperty list int int vertex_indices\nend_header\n"
            "0 0 0\n2000000000 0\n");
      }),
      "a list has");
  const MeshLimits tight{.bytes = 1 << 20, .vertices = 10, .faces = 10};
  EXPECT_THROW(parse_off(io::as_bytes(to_off(make_icosphere(1))), "a.off", tight), LimitError);
  EXPECT_THROW(parse_obj(io::as_bytes(to_obj(make_icosphere(1))), "a.obj", tight), LimitError);
  EXPECT_THROW(parse_ply(to_ply(make_icosphere(1)), "a.ply", tight), LimitError);
}

}  // namespace
}  // namespace algprior::mesh
