#include "algprior/data/tensor_data.hpp"

#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/arrays.hpp"
#include "algprior/rep/constructions.hpp"

#include <filesystem>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(Arrays, TensorsGoThereAndBack) {
  for (const auto type : {at::kBool, at::kByte, at::kChar, at::kShort, at::kInt, at::kLong,
                          at::kHalf, at::kBFloat16, at::kFloat, at::kDouble}) {
    const auto tensor = at::arange(6, at::kDouble).reshape({2, 3}).to(type).t();
    const auto back = to_tensor(to_array(tensor));
    EXPECT_EQ(back.scalar_type(), type);
    EXPECT_TRUE(at::equal(back, tensor)) << at::toString(type);
  }
  EXPECT_EQ(to_tensor(to_array(at::zeros({0, 3}))).sizes(), (at::IntArrayRef{0, 3}));
  EXPECT_THROW(to_array(at::zeros({2}, at::kComplexFloat)), InputError);
  EXPECT_THROW(to_tensor(io::Array{io::Dtype::uint32, {1}, io::Bytes(4)}), InputError);
}

TEST(TensorData, ReadsNpzAndSafetensors) {
  const auto folder = std::filesystem::path(testing::TempDir());
  const auto x = at::arange(2 * 3 * 4, at::kByte).reshape({2, 3, 4});
  const auto y = at::tensor({3, 1}, at::kInt).reshape({2, 1});
  io::NamedArrays arrays = {{"train_images", to_array(x)}, {"train_labels", to_array(y)}};
  io::write_npz(folder / "data.npz", arrays);
  io::SafeTensors file;
  file.tensors = arrays;
  io::write_safetensors(folder / "data.safetensors", file);
  for (const auto* name : {"data.npz", "data.safetensors"}) {
    const auto data = read_tensor_data(folder / name, "train_images", "train_labels");
    EXPECT_TRUE(at::allclose(data.x, x.to(at::kFloat) / 255.0));
    EXPECT_TRUE(at::equal(data.y, at::tensor({3, 1}, at::kLong)));
  }
  io::write_npy(folder / "x.npy", to_array(x));
  io::write_npy(folder / "y.npy", to_array(y));
  EXPECT_TRUE(at::equal(read_tensor_files(folder / "x.npy", folder / "y.npy").y,
                        at::tensor({3, 1}, at::kLong)));
  EXPECT_THROW(read_tensor_files(folder / "x.npy", folder / "absent.npy"), FileError);
  try {
    read_tensor_data(folder / "data.npz");
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("train_images, train_labels"), std::string::npos);
  }
  EXPECT_THROW(read_tensor_data(folder / "data.csv"), InputError);
}

// Of an archive only the two arrays are unpacked, and none if their heads do not fit: what is
// damaged in the rest is not seen.
TEST(TensorData, HeadsAreComparedBeforeArraysAreUnpacked) {
  const auto path = std::filesystem::path(testing::TempDir()) / "heads.npz";
  const auto write = [&](std::int64_t rows, const std::string& damaged) {
    const auto marked = at::full({rows, 64}, 7, at::kByte);
    io::write_npz(path,
                  {{"a", to_array(damaged == "a" ? marked : at::zeros({3, 2}))},
                   {"x", to_array(damaged == "x" ? marked : at::zeros({3, 2}))},
                   {"y", to_array(at::arange(3))}},
                  io::Packing::stored);
    std::string bytes = read_file(path);
    bytes[bytes.find(std::string(60, '\7'))] = 8;
    write_file(path, bytes);
  };
  write(3, "a");
  EXPECT_EQ(read_tensor_data(path).x.size(0), 3);
  write(4, "x");
  EXPECT_THROW(read_tensor_data(path), InputError);
  write(3, "x");
  EXPECT_THROW(read_tensor_data(path), FileError);
}

TEST(TensorData, PairsFollowTheActions) {
  const auto group = make_group("D4");
  const auto input = planar_action(group);
  const auto output = label_action(defining_representation(group));
  const TensorData data{at::rand({30, 1, 5, 5}), at::arange(30, at::kLong).remainder(4)};
  const auto plain = make_tensor_dataset("own", data);
  const auto indices = at::arange(30, at::kLong);
  EXPECT_TRUE(at::equal(plain.get(indices, RandomKey(0)).x, data.x));
  EXPECT_FALSE(plain.get(indices, RandomKey(0)).paired());
  const auto paired = make_tensor_dataset("own", data, input, output, true);
  const auto batch = paired.get(indices, RandomKey(0, "train"));
  EXPECT_FALSE(at::equal(batch.x, data.x));
  EXPECT_TRUE(at::equal(batch.gx, input(batch.g, batch.x)));
  EXPECT_TRUE(at::equal(batch.gy, output(batch.g, batch.y)));
  const auto fixed = make_tensor_dataset("own", data, input, output, false);
  EXPECT_TRUE(at::equal(fixed.get(indices, RandomKey(0, "train")).x, data.x));
  EXPECT_TRUE(at::equal(fixed.get(indices, RandomKey(0, "train")).g, batch.g));
  EXPECT_THROW(make_tensor_dataset("own", {at::zeros({3, 1}), at::zeros({2})}), InputError);
  EXPECT_THROW(make_tensor_dataset("own", data, input, trivial_action(make_group("C4")), true),
               InputError);
}

}  // namespace
}  // namespace algprior
