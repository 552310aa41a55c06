#include "algprior/io/npy.hpp"
#include "cursor.hpp"
#include "zip.hpp"

namespace algprior::io {
namespace {

constexpr std::string_view kSuffix = ".npy";

bool has_suffix(std::string_view name) {
  return name.size() >= kSuffix.size() && name.substr(name.size() - kSuffix.size()) == kSuffix;
}

}  // namespace

NamedArrays parse_npz(ByteView bytes, const std::string& name, std::uint64_t limit) {
  NamedArrays arrays;
  std::vector<ZipMember> members = parse_zip(bytes, name, limit);
  for (ZipMember& member : members) {
    const std::string where = name + " (member " + member.name + ")";
    if (!has_suffix(member.name)) {
      throw FileError({"the archive holds something other than arrays", where,
                       "members whose names end in .npy",
                       "write the arrays with numpy.savez; weights of torch.save: convert them to "
                       "safetensors in Python"});
    }
    std::string key = member.name.substr(0, member.name.size() - kSuffix.size());
    Array array = parse_npy(member.content, where);
    member.content = {};
    if (!arrays.emplace(std::move(key), std::move(array)).second) {
      fail_damaged(where, "the archive holds two arrays of one name");
    }
  }
  return arrays;
}

NamedArrays read_npz(const std::filesystem::path& path, std::uint64_t limit) {
  return parse_npz(read_bytes(path, limit), path.string(), limit);
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
