#include "algprior/train/checkpoint.hpp"

#include "algprior/base/detail/file_fault.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"

#include <cerrno>
#include <fstream>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {
namespace {

std::filesystem::path fresh(const char* name) {
  const auto path = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove(path);
  return path;
}

Checkpoint example(double value) {
  return {{{"a", at::full({3}, value)}, {"b", at::arange(5, at::kLong)}}, {{"config", "x = 1\n"}}};
}

TEST(Checkpoint, ComesBackWhole) {
  const auto path = fresh("whole.apc");
  write_checkpoint(path, example(0.1));
  const auto read = read_checkpoint(path);
  EXPECT_TRUE(at::equal(read.tensors.at("a"), at::full({3}, 0.1)));
  EXPECT_TRUE(at::equal(read.tensors.at("b"), at::arange(5, at::kLong)));
  EXPECT_EQ(read.texts.at("config"), "x = 1\n");
}

TEST(Checkpoint, EveryCutAndEveryFlippedByteIsNoticed) {
  const auto path = fresh("damaged.apc");
  write_checkpoint(path, example(0.1));
  const auto bytes = read_file(path);
  const auto put = [&](const std::string& content) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
  };
  for (std::size_t length = 0; length < bytes.size(); length += length < 100 ? 1 : 37) {
    put(bytes.substr(0, length));
    EXPECT_THROW(read_checkpoint(path), FileError) << length;
  }
  for (std::size_t place = 0; place < bytes.size(); place += place < 100 ? 1 : 7) {
    auto damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x10);
    put(damaged);
    EXPECT_THROW(read_checkpoint(path), FileError) << place;
  }
  put(bytes + "x");
  EXPECT_THROW(read_checkpoint(path), FileError);
  put(bytes);
  EXPECT_NO_THROW(read_checkpoint(path));
}

TEST(Checkpoint, DamageIsNamedWithTheFile) {
  const auto path = fresh("foreign.apc");
  std::ofstream(path) << std::string(200, 'x');
  try {
    read_checkpoint(path);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("foreign.apc"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("another kind of file"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("start the run again"), std::string::npos);
  }
  EXPECT_THROW(read_checkpoint(fresh("absent.apc")), FileError);
}

TEST(Checkpoint, AFaultAtAnyStepLeavesTheOldOneOrTheNewOne) {
  const auto path = fresh("fault.apc");
  write_checkpoint(path, example(1.0));
  for (const auto step : {FileStep::kOpen, FileStep::kWrite, FileStep::kSync, FileStep::kRename,
                          FileStep::kSyncFolder}) {
    set_file_fault([step](FileStep at) { return at == step ? ENOSPC : 0; });
    try {
      write_checkpoint(path, example(2.0));
    } catch (const FileError&) {
      // The caller hears of it; what counts is the file.
    }
    set_file_fault({});
    const auto value = read_checkpoint(path).tensors.at("a")[0].item<double>();
    const bool renamed = step == FileStep::kSyncFolder;
    EXPECT_EQ(value, renamed ? 2.0 : 1.0) << static_cast<int>(step);
    write_checkpoint(path, example(1.0));
  }
}

}  // namespace
}  // namespace algprior
