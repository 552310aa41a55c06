#pragma once

#include "algprior/base/error.hpp"
#include "algprior/io/bytes.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace algprior::io {

inline std::filesystem::path fixture(const std::string& name) {
  return std::filesystem::path(ALGPRIOR_TEST_DATA) / "io" / name;
}

/// An array in plain numbers.
struct Described {
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::vector<double> values;
  friend bool operator==(const Described&, const Described&) = default;
};

inline Described describe(const Array& array) {
  return {std::string(name_of(array.dtype)), array.shape, to_doubles(array)};
}

inline std::map<std::string, Described> describe(const NamedArrays& arrays) {
  std::map<std::string, Described> out;
  for (const auto& [name, array] : arrays) out[name] = describe(array);
  return out;
}

/// What oracles/python/io_fixtures.py says that each file holds, by name. A file of one array has
/// it under ""; a file that must be refused has none.
const std::map<std::string, std::map<std::string, Described>>& manifest();

/// The message of the error that `run` throws; fails the test when it throws none or another.
template <class Wanted, class Run>
std::string message_of(Run&& run) {
  try {
    run();
  } catch (const Wanted& error) {
    return error.what();
  } catch (const std::exception& error) {
    ADD_FAILURE() << "another exception: " << error.what();
    return {};
  }
  ADD_FAILURE() << "no exception";
  return {};
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

/// Every proper prefix of a file must be refused, never read past its end and never accepted.
template <class Parse>
void expect_prefixes_refused(const Bytes& bytes, Parse&& parse) {
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes prefix(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_THROW(parse(ByteView(prefix)), FileError) << size << " of " << bytes.size();
  }
}

/// A folder of its own for one test, removed at its end.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "algprior-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace algprior::io
