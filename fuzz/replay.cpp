// Feeds files to the fuzz targets without libFuzzer: every file of CORPUS/<target>/, and each of
// them damaged in a few ways that are the same every time.
//
//   fuzz_replay CORPUS [DAMAGES]     DAMAGES of each file; default 100
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

using Input = std::vector<std::uint8_t>;
using Target = int (*)(const std::uint8_t*, std::size_t);

#define ALGPRIOR_FUZZ_TARGET(name) extern "C" int fuzz_##name(const std::uint8_t*, std::size_t);
#include "replay_targets.inc"
#undef ALGPRIOR_FUZZ_TARGET

namespace {

struct Named {
  const char* name;
  Target run;
};

constexpr Named kTargets[] = {
#define ALGPRIOR_FUZZ_TARGET(name) {#name, fuzz_##name},
#include "replay_targets.inc"
#undef ALGPRIOR_FUZZ_TARGET
};

// One to three flips, cuts, repeats.
Input damaged(Input input, std::mt19937_64& random) {
  for (std::uint64_t edits = 1 + random() % 3; edits > 0 && !input.empty(); --edits) {
    const std::size_t at = random() % input.size();
    const auto place = input.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 4) {
      case 0:
        input[at] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        input[at] = static_cast<std::uint8_t>(input[at] ^ (1u << random() % 8));
        break;
      case 2:
        input.resize(at);
        break;
      default:
        input.insert(place, static_cast<std::uint8_t>(random() % 2 == 0 ? 0xFF : input[at]));
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  namespace fs = std::filesystem;
  if (argc < 2) return 2;
  const long damages = argc > 2 ? std::atol(argv[2]) : 100;
  bool complete = true;
  for (const Named& target : kTargets) {
    const fs::path folder = fs::path(argv[1]) / target.name;
    std::vector<fs::path> files;
    if (fs::is_directory(folder)) {
      for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    std::mt19937_64 random(1);
    for (const fs::path& path : files) {
      std::ifstream file(path, std::ios::binary);
      const Input input{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
      target.run(input.data(), input.size());
      for (long i = 0; i < damages; ++i) {
        const Input other = damaged(input, random);
        target.run(other.data(), other.size());
      }
    }
    std::printf("%-12s %4zu files, %6zu inputs\n", target.name, files.size(),
                files.size() * static_cast<std::size_t>(damages + 1));
    complete = complete && !files.empty();
  }
  if (!complete) std::puts("a target has no corpus");
  return complete ? 0 : 1;
}
