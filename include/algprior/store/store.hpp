#pragma once

#include "algprior/store/catalogue.hpp"
#include "algprior/store/detail/download.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace algprior::store {

/// Where data sets are looked for and put. A file is found as <folder>/<set>/<file> or
/// <folder>/<file>, gzipped or not.
struct Store {
  std::vector<DataSet> sets;
  std::vector<std::filesystem::path> folders;  ///< looked into, in this order
  std::filesystem::path cache;  ///< where downloads go; empty: there is no such place
  std::string mirror;           ///< if not empty, the one server to ask
  Patience patience;
};

/// The built-in catalogue; folders from ALGPRIOR_DATA and the cache folder. ALGPRIOR_MIRROR, if
/// set, takes the place of all public addresses: <mirror>/<set>/<last part of the address>.
Store default_store();

/// The path of a file of a data set: find("mnist", "train-images-idx3-ubyte"). It may be gzipped
/// (the readers of io/ see that themselves). Looks at sizes that are known, not at checksums:
/// verify() does.
/// Throws InputError for unknown names; FileError when the file is missing, saying where it was
/// looked for and how to get it.
std::filesystem::path find(const Store& store, std::string_view set, std::string_view file);
std::filesystem::path find(std::string_view set, std::string_view file);

/// As find(), without an error for a file that is missing.
std::optional<std::filesystem::path> find_if_present(const Store& store, const DataSet& set,
                                                     const DataFile& file);

/// What stands in the place of a file although it cannot be it: a path and why; else nothing.
std::optional<std::string> misfit(const Store& store, const DataSet& set, const DataFile& file);

/// Whether a path holds one of the file's contents, by size and checksums of the unpacked
/// bytes.
/// Returns "" or a sentence that says what is wrong. About a second for 300 MB.
std::string verify(const std::filesystem::path& path, const DataFile& file,
                   const ProgressSink& progress = {});

/// Called with the address in work, and done of total bytes.
using FetchProgress =
    std::function<void(const std::string& address, std::uint64_t done, std::uint64_t total)>;

/// Downloads what the set lacks into the cache: mirrors in turn, interrupted downloads resumed, the
/// checksum compared before a file gets its name. Returns the files that were fetched. Throws
/// FileError with each address and its answer, and the folder to put the file in by hand.
std::vector<std::filesystem::path> get(const Store& store, const DataSet& set,
                                       const FetchProgress& progress = {});

}  // namespace algprior::store
