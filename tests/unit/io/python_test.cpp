// The writers against NumPy and independent decoders: oracles/python/check_io.py.
#include "algprior/io/csv.hpp"
#include "algprior/io/event_file.hpp"
#include "algprior/io/idx.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "fixture.hpp"

#include <cstdlib>

#include <nlohmann/json.hpp>

namespace algprior::io {
namespace {

nlohmann::json to_json(const Array& array) {
  return {{"dtype", name_of(array.dtype)}, {"shape", array.shape}, {"values", to_doubles(array)}};
}

TEST(Python, NumpyReadsWhatWeWrite) {
  const std::string python = "/usr/bin/python3";
  if (std::system((python + " -c 'import numpy' 2>/dev/null").c_str()) != 0) {
    GTEST_SKIP() << "no NumPy for " << python;
  }
  const TemporaryFolder folder;
  nlohmann::json expected = nlohmann::json::object();
  NamedArrays all;
  for (int i = 0; i <= static_cast<int>(Dtype::float64); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    if (dtype == Dtype::bfloat16) continue;
    const std::string name(name_of(dtype));
    Array array = read_npy(fixture(name + ".npy"));
    write_npy(folder.path() / (name + ".npy"), array);
    expected[name + ".npy"] = to_json(array);
    all[name] = std::move(array);
  }
  all["scalar"] = make_array<float>({}, std::vector<float>{2.5f});
  all["empty"] = make_array<float>({0, 3}, std::vector<float>{});
  nlohmann::json described = nlohmann::json::object();
  for (const auto& [name, array] : all) described[name] = to_json(array);
  write_npz(folder.path() / "stored.npz", all, Packing::stored);
  write_npz(folder.path() / "deflated.npz", all, Packing::deflated);
  write_safetensors(folder.path() / "all.safetensors", {all, {{"format", "pt"}}});
  for (const char* name : {"stored.npz", "deflated.npz", "all.safetensors"}) {
    expected[name] = described;
  }
  for (const std::string name : {"uint8", "int16", "float64"}) {
    write_idx(folder.path() / (name + ".idx"), all[name]);
    expected[name + ".idx"] = described[name];
  }
  write_csv(folder.path() / "table.csv", {"x", "y"},
            make_array<double>({2, 2}, std::vector<double>{0.1, -2, 1e300, 1.0 / 3}));
  expected["table.csv"] = {{0.1, -2.0}, {1e300, 1.0 / 3}};
  EventFile events(folder.path());
  events.scalar("train/loss", 0.25, 0);
  events.scalar("größe", -1.5, (std::int64_t{1} << 40));
  events.scalar("past", 3, -1);
  expected[events.path().filename().string()] = {
      {"train/loss", 0, 0.25}, {"größe", std::int64_t{1} << 40, -1.5}, {"past", -1, 3.0}};
  std::ofstream(folder.path() / "expected.json") << expected;
  const std::string command =
      python + " " + ALGPRIOR_ORACLES + "/check_io.py " + folder.path().string();
  EXPECT_EQ(std::system(command.c_str()), 0);
}

}  // namespace
}  // namespace algprior::io
