#include "small_run.hpp"

#include "algprior/base/file.hpp"
#include "algprior/base/random.hpp"
#include "algprior/io/npy.hpp"

#include <algorithm>
#include <fstream>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace algprior {
namespace fs = std::filesystem;

namespace {

constexpr std::int64_t kImages = 24, kClasses = 4, kSide = 56;

void write_images(const fs::path& path) {
  std::vector<float> pixels;
  std::vector<std::int64_t> labels;
  RandomStream random(RandomKey(0, "images"));
  for (std::int64_t i = 0; i < kImages; ++i) {
    labels.push_back(i % kClasses);
    for (std::int64_t p = 0; p < kSide * kSide; ++p) {
      const bool stripe = p / kSide / 8 % kClasses == labels.back();
      pixels.push_back((stripe ? 1.0F : 0.0F) + random.uniform_float());
    }
  }
  io::write_npz(path, {{"x", io::make_array({kImages, 1, kSide, kSide}, pixels)},
                       {"y", io::make_array({kImages}, labels)}});
}

}  // namespace

SmallRun::SmallRun(int epochs) : epochs_(epochs) {
  std::string pattern = (fs::temp_directory_path() / "algprior-run-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
  folder_ = pattern;
  write_images(folder_ / "data.npz");
  std::ofstream(folder_ / "run.toml")
      << "[experiment]\nrecipe = \"arrays\"\n[data]\ngroup = \"D4\"\ntrain = \""
      << (folder_ / "data.npz").string() << "\"\nvalidation = \"" << (folder_ / "data.npz").string()
      << "\"\ntest = \"" << (folder_ / "data.npz").string()
      << "\"\n[network]\nkind = \"ddmnist\"\n[train]\nbatch_size = 8\npatience = 0\nepochs = "
      << epochs << "\n";
}

SmallRun::~SmallRun() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Start SmallRun::start(const std::string& name) const {
  return {{"train", (folder_ / "run.toml").string(), "--out", folder(name).string(), "--resume",
           "--threads", "2"}};
}

void SmallRun::expect_same(const std::string& name, const std::string& whole) const {
  for (const char* file : {"model.safetensors", "metrics.jsonl"}) {
    EXPECT_TRUE(read_file(folder(name) / file) == read_file(folder(whole) / file)) << file;
  }
  const auto metrics = [&](const std::string& run) {
    return nlohmann::json::parse(read_file(folder(run) / "result.json")).at("metrics");
  };
  EXPECT_EQ(metrics(name), metrics(whole));
  for (const auto& entry : fs::directory_iterator(folder(name))) {
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
  }
}

int count_lines(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return static_cast<int>(
      std::count(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>(), '\n'));
}

}  // namespace algprior
