#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace algprior::store {

/// How an address wraps a file's content.
enum class Wrapping { plain, gzip, tar_gzip };

/// Bytes that are accepted as a file, by their own name. Checksums are those of the unpacked
/// content, so a gzipped copy counts too. Some publishers give MD5 alone, and no size.
struct Content {
  std::string file;
  std::uint64_t size = 0;  ///< 0: not known
  std::string sha256;      ///< empty: not known
  std::string md5 = {};    ///< likewise; every checksum that is known must hold

  friend bool operator==(const Content&, const Content&) = default;
};

/// Where a content can be downloaded.
struct Source {
  std::string address;
  Wrapping wrapping = Wrapping::plain;
  std::size_t content = 0;  ///< which of the file's contents it gives
};

/// One file of a data set. Several contents mean that any of them will do (a font as TTF or WOFF);
/// the first gives the file its name.
struct DataFile {
  std::vector<Content> contents;
  std::vector<Source> sources;  ///< in the order in which they are tried

  const std::string& name() const { return contents.front().file; }
};

struct DataSet {
  std::string name;
  std::string title;
  std::string purpose;
  std::string licence;
  std::vector<std::string> folders;  ///< where its files may lie; the first is used for downloads
  std::vector<DataFile> files;
  bool separate =
      false;  ///< each file is of use without the others: errors say how to get it alone
};

/// Every data set that the experiments use and that can be fetched.
const std::vector<DataSet>& catalogue();

/// Throws InputError with the nearest name, or all names, when there is none of this name.
const DataSet& set_named(const std::vector<DataSet>& sets, std::string_view name);
const DataFile& file_named(const DataSet& set, std::string_view name);

}  // namespace algprior::store
