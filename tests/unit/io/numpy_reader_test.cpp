// The readers against NumPy's writers: random arrays by oracles/python/write_arrays.py.
#include "algprior/io/checksum.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "fixture.hpp"

#include <cstdlib>

#include <nlohmann/json.hpp>

namespace algprior::io {
namespace {

std::string bytes_hash(const Array& array) {
  return sha256(ByteView(array.bytes.data(), array.bytes.size()));
}

TEST(NumpyReader, ReadsWhatNumpyWrites) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no NumPy for " << python;
  }
  // More by hand: ALGPRIOR_ARRAYS=10000 build/release/tests/io_python_test
  const char* count = std::getenv("ALGPRIOR_ARRAYS");
  const char* seed = std::getenv("ALGPRIOR_SEED");
  const TemporaryFolder folder;
  const std::string command = python + " " + ALGPRIOR_ORACLES + "/write_arrays.py " +
                              folder.path().string() + " " + (count ? count : "150") + " " +
                              (seed ? seed : "20");
  ASSERT_EQ(std::system(command.c_str()), 0);
  const auto manifest = nlohmann::json::parse(std::ifstream(folder.path() / "manifest.json"));
  std::size_t compared = 0;
  for (const auto& [file, arrays] : manifest.items()) {
    const auto path = folder.path() / file;
    NamedArrays found;
    if (path.extension() == ".npy") {
      found[""] = read_npy(path);
    } else {
      found = path.extension() == ".npz" ? read_npz(path) : read_safetensors(path).tensors;
    }
    ASSERT_EQ(found.size(), arrays.size()) << file;
    for (const auto& expected : arrays) {
      const auto array = found.find(expected["name"].get<std::string>());
      ASSERT_NE(array, found.end()) << file << expected;
      EXPECT_EQ(name_of(array->second.dtype), expected["dtype"].get<std::string>()) << file;
      EXPECT_EQ(nlohmann::json(array->second.shape), expected["shape"]) << file;
      EXPECT_EQ(bytes_hash(array->second), expected["sha256"]) << file << expected;
      ++compared;
    }
  }
  EXPECT_GE(compared, manifest.size() / 2);
}

}  // namespace
}  // namespace algprior::io
