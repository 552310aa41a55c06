#pragma once

#include "algprior/io/bytes.hpp"
#include "algprior/io/checksum.hpp"
#include "algprior/store/store.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace algprior::store {

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

/// Two folders, one to be read and one for downloads, removed at the end.
class StoreTest : public ::testing::Test {
 protected:
  StoreTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "algprior-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    root = pattern;
    for (int i = 0; i < 100'000; ++i)
      content += static_cast<char>('a' + (std::uint64_t{1} * i * i) % 23);
    store.folders = {root / "read", root / "cache"};
    store.cache = root / "cache";
    store.patience.connect = std::chrono::milliseconds(2000);
    store.patience.stall = std::chrono::seconds(1);
    std::filesystem::create_directories(root / "read");
    std::filesystem::create_directories(root / "cache");
  }
  ~StoreTest() override { std::filesystem::remove_all(root); }

  Content content_named(const std::string& file, const std::string& bytes) const {
    return {file, bytes.size(), io::sha256(io::as_bytes(bytes))};
  }

  /// A set "toy" of one file "data.bin" with these sources.
  void add_toy(std::vector<Source> sources) {
    store.sets.push_back({"toy",
                          "a toy",
                          "tests",
                          "none",
                          {"toy", "toy-raw"},
                          {{{content_named("data.bin", content)}, std::move(sources)}}});
  }

  std::string text_of(const std::filesystem::path& path) const {
    return std::string(io::as_text(io::read_bytes(path)));
  }

  void put(const std::filesystem::path& path, std::string_view bytes) const {
    std::filesystem::create_directories(path.parent_path());
    io::write_bytes(path, io::as_bytes(bytes));
  }

  /// The names in a folder that people can see.
  std::vector<std::string> names_in(const std::filesystem::path& folder) const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      const std::string name = entry.path().filename().string();
      if (name[0] != '.') names.push_back(name);
    }
    return names;
  }

  std::filesystem::path root;
  std::string content;
  Store store;
};

}  // namespace algprior::store
