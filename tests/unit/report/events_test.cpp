#include "algprior/base/file.hpp"
#include "algprior/io/event_file.hpp"
#include "algprior/report/png.hpp"
#include "small_runs.hpp"

#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

namespace algprior::report {
namespace {

bool check_events(const std::filesystem::path& folder) {
  const std::string command =
      "python3 " ALGPRIOR_ORACLES "/check_events.py " + folder.string() + " 2>/dev/null";
  return std::system(command.c_str()) == 0;
}

// Read back by a decoder that shares nothing with the writer.
TEST(Events, PicturesAndHistogramsReadBack) {
  if (std::system("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  write_file(
      folder / "metrics.jsonl",
      "{\"step\":1,\"epoch\":1,\"split\":\"train\",\"terms\":{\"task\":0.5},\"metrics\":{}}\n");
  Picture picture{5, 4, std::vector<std::uint8_t>(60, 77)};
  const std::string png = to_png(picture);
  io::EventFile events(folder.path());
  events.scalar("train/task", 0.5, 1);
  events.image("orbit", 5, 4, io::as_bytes(png), 1);
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) values.push_back(std::sin(i * i));
  events.histogram("latent", io::make_histogram(values), 1);
  EXPECT_TRUE(check_events(folder.path()));
  events.image("wrong size", 4, 5, io::as_bytes(png), 2);
  EXPECT_FALSE(check_events(folder.path()));
}

TEST(Events, AHistogramThatDoesNotAddUpIsNoticed) {
  if (std::system("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "no python3";
  const TemporaryFolder folder;
  write_file(
      folder / "metrics.jsonl",
      "{\"step\":1,\"epoch\":1,\"split\":\"train\",\"terms\":{\"task\":0.5},\"metrics\":{}}\n");
  io::EventFile events(folder.path());
  events.scalar("train/task", 0.5, 1);
  io::Histogram histogram = io::make_histogram({1, 2, 3}, 2);
  histogram.count = 4;
  events.histogram("latent", histogram, 1);
  EXPECT_FALSE(check_events(folder.path()));
}

}  // namespace
}  // namespace algprior::report
