// The audit of 10,000 samples × 64 elements × 128 coordinates (D4×D4, two copies of the regular
// representation with noise), beside a plain NumPy script where NumPy is installed. Errors and
// intervals of both are compared first; the script computes a part of what the audit reports.
//   bench_audit [SAMPLES]     2,000 or more: halves differ, and small ones fit differently

#include "algprior/audit/audit_file.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/base/random.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/rep/constructions.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include <fmt/core.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <unistd.h>

namespace {

using namespace algprior;
using Json = nlohmann::json;

constexpr std::size_t kCopies = 2;
constexpr float kNoise = 0.2f;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

io::Array make_orbits(const Group& group, std::size_t samples) {
  const std::size_t order = group.order(), d = kCopies * order;
  io::Array z{io::Dtype::float32,
              {static_cast<std::int64_t>(samples), static_cast<std::int64_t>(order),
               static_cast<std::int64_t>(d)},
              io::Bytes(4 * samples * order * d)};
  const auto values = io::mutable_view<float>(z);
  const auto table = regular_representation(group).gather_table();
  parallel_for(static_cast<std::int64_t>(samples), [&](std::int64_t begin, std::int64_t end) {
    std::vector<float> v(d);
    for (auto n = static_cast<std::size_t>(begin); n < static_cast<std::size_t>(end); ++n) {
      RandomStream random(RandomKey(0, "bench audit").at(0, n));
      for (float& value : v) value = random.uniform_float() - 0.5f;
      for (std::size_t g = 0; g < order; ++g) {
        for (std::size_t k = 0; k < d; ++k) {
          const std::size_t from =
              k / order * order + static_cast<std::size_t>(table[g * order + k % order]);
          values[(n * order + g) * d + k] = v[from] + kNoise * (random.uniform_float() - 0.5f);
        }
      }
    }
  });
  return z;
}

bool ask_numpy(const std::filesystem::path& file, Json& answer) {
  if (std::system("/usr/bin/python3 -c 'import numpy' > /dev/null 2>&1") != 0) return false;
  const std::string command =
      fmt::format("/usr/bin/python3 '{}' '{}'", ALGPRIOR_AUDIT_NUMPY, file.string());
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return false;
  std::string text;
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  if (pclose(pipe) != 0) return false;
  answer = Json::parse(text);
  return true;
}

bool near(const char* name, double ours, double theirs, double tolerance) {
  if (std::abs(ours - theirs) <= tolerance * std::abs(theirs)) return true;
  fmt::print(stderr, "audit: {} is {} here and {} in NumPy\n", name, ours, theirs);
  return false;
}

/// Of all threads: what the work costs whoever else uses the machine.
double cpu_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1000;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t samples = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 10'000;
  const Group group = make_group("D4xD4");
  std::vector<std::int64_t> products;
  for (Element g = 0; g < group.order(); ++g) {
    for (Element h = 0; h < group.order(); ++h) products.push_back(group.multiply(g, h));
  }
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("algprior_bench_audit_{}.npz", getpid());
  {
    io::NamedArrays arrays;
    arrays["z"] = make_orbits(group, samples);
    const auto order = static_cast<std::int64_t>(group.order());
    arrays["table"] = io::make_array({order, order}, products);
    io::write_npz(path, arrays, io::Packing::stored);
  }
  Json numpy;
  const bool compared = ask_numpy(path, numpy);
  auto start = std::chrono::steady_clock::now();
  const AuditFile file = AuditFile::read(path);
  const double reading = seconds_since(start);
  std::filesystem::remove(path);
  AuditOptions options;
  options.base_points = 1;  // as the script takes
  start = std::chrono::steady_clock::now();
  const double before = cpu_seconds();
  const AuditReport report = file.audit(group, options);
  const double seconds = seconds_since(start), cpu = cpu_seconds() - before;
  if (compared) {
    const AuditErrors& errors = report.errors;
    bool agree = near("invariance", errors.invariance->value, numpy["invariance"], 1e-4);
    agree = near("regular", errors.regular->value, numpy["regular"], 1e-4) && agree;
    agree = near("low", errors.regular->low, numpy["low"], 0.01) && agree;
    agree = near("high", errors.regular->high, numpy["high"], 0.01) && agree;
    agree = near("fitted", errors.fitted->value, numpy["fitted"], 0.02) && agree;
    if (!agree) return 1;
  }
  fmt::print("audit of {} x {} x {}: {:.2f} s with {} threads ({:.2f} s of CPU), ", samples,
             report.order, report.dimension, seconds, thread_count(), cpu);
  fmt::print("file read in {:.2f} s, peak {:.0f} MB", reading, peak_megabytes());
  if (compared) {
    // CPU seconds, because on a machine that others use the clock says little.
    const double theirs = numpy["cpu"];
    fmt::print(
        "; NumPy {:.2f} s of CPU for errors and one interval, {:.1f} times ours; answers agree",
        theirs, theirs / cpu);
  }
  fmt::print("\n");
}
