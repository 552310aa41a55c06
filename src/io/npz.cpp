#include "algprior/base/text.hpp"
#include "algprior/io/npy.hpp"
#include "cursor.hpp"
#include "npy_head.hpp"
#include "zip.hpp"

#include <map>
#include <set>

#include <fmt/format.h>

namespace algprior::io {
namespace {

constexpr std::string_view kSuffix = ".npy";

bool has_suffix(std::string_view name) {
  return name.size() >= kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix;
}

std::string place_of(const std::string& name, const ZipEntry& entry) {
  return name + " (member " + entry.name + ")";
}

/// The key of an array and what it is, from the beginning of its member.
std::pair<std::string, ArrayHead> head_of(ByteView bytes, const ZipEntry& entry,
                                          const std::string& name) {
  const std::string where = place_of(name, entry);
  if (!has_suffix(entry.name)) {
    throw FileError({"the archive holds something other than arrays", where,
                     "members whose names end in .npy",
                     "write the arrays with numpy.savez; weights of torch.save: convert them to "
                     "safetensors in Python"});
  }
  const NpyHead head = parse_npy_head(read_member_start(bytes, entry, name, kMaxNpyHead), where);
  if (head.offset + data_bytes(head.array, where) != entry.unpacked) {
    fail_damaged(where, "the size of the member does not fit its array", to_text(head.array));
  }
  return {entry.name.substr(0, entry.name.size() - kSuffix.size()), head.array};
}

}  // namespace

NamedHeads parse_npz_heads(ByteView bytes, const std::string& name) {
  NamedHeads heads;
  for (const ZipEntry& entry : list_zip(bytes, name)) {
    if (!heads.insert(head_of(bytes, entry, name)).second) {
      fail_damaged(place_of(name, entry), "the archive holds two arrays of one name");
    }
  }
  return heads;
}

NamedHeads read_npz_heads(const std::filesystem::path& path) {
  return parse_npz_heads(read_bytes(path), path.string());
}

NamedArrays parse_npz(ByteView bytes, const std::string& name, std::uint64_t limit,
                      const WantedArray& wanted) {
  const std::vector<ZipEntry> entries = list_zip(bytes, name);
  std::map<std::string, const ZipEntry*> chosen;
  std::set<std::string> keys;
  std::uint64_t total = 0;
  for (const ZipEntry& entry : entries) {
    const auto [key, head] = head_of(bytes, entry, name);
    if (!keys.insert(key).second) {
      fail_damaged(place_of(name, entry), "the archive holds two arrays of one name");
    }
    if (wanted && !wanted(key, head)) continue;
    if (entry.unpacked > limit - total) {
      throw LimitError(
          {"the archive unpacks to more than the memory allows",
           fmt::format("{}: {} is one of {} arrays", place_of(name, entry), to_text(head),
                       entries.size()),
           "at most " + format_bytes(limit) + " in all",
           "leave out arrays that are not needed, or take a machine with more memory"});
    }
    total += entry.unpacked;
    chosen.emplace(key, &entry);
  }
  NamedArrays arrays;
  for (const auto& [key, entry] : chosen) {
    arrays.emplace(
        key, parse_npy(read_member(bytes, *entry, name, entry->unpacked), place_of(name, *entry)));
  }
  return arrays;
}

NamedArrays read_npz(const std::filesystem::path& path, std::uint64_t limit,
                     const WantedArray& wanted) {
  return parse_npz(read_bytes(path, limit), path.string(), limit, wanted);
}

Bytes to_npz(const NamedArrays& arrays, Packing packing) {
  std::vector<ZipMember> members;
  for (const auto& [name, array] : arrays) {
    members.push_back({name + std::string(kSuffix), to_npy(array)});
  }
  return to_zip(members, packing);
}

void write_npz(const std::filesystem::path& path, const NamedArrays& arrays, Packing packing) {
  write_bytes(path, to_npz(arrays, packing));
}

}  // namespace algprior::io
