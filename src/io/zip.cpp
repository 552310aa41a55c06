#include "zip.hpp"

#include "algprior/io/checksum.hpp"
#include "cursor.hpp"
#include "inflate.hpp"

#include <algorithm>
#include <limits>

namespace algprior::io {
namespace {

constexpr std::uint32_t kLocalMagic = 0x04034b50;
constexpr std::uint32_t kCentralMagic = 0x02014b50;
constexpr std::uint32_t kEndMagic = 0x06054b50;
constexpr std::uint32_t kEnd64Magic = 0x06064b50;
constexpr std::uint32_t kLocator64Magic = 0x07064b50;
constexpr std::size_t kEndSize = 22;
constexpr std::size_t kLocator64Size = 20;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint32_t kInZip64 = 0xFFFFFFFF;
constexpr std::uint16_t kEncrypted = 1;
constexpr std::uint16_t kStored = 0;
constexpr std::uint16_t kDeflated = 8;
constexpr std::uint16_t kUtf8Names = 0x800;
constexpr std::uint16_t kFirstDosDate = (1 << 5) | 1;  // 1980-01-01

struct Directory {
  std::uint64_t count = 0;
  std::uint64_t offset = 0;
};

Directory find_directory(ByteView bytes, const std::string& name) {
  const std::size_t longest_comment = 0xFFFF;
  const std::size_t first =
      bytes.size() > kEndSize + longest_comment ? bytes.size() - kEndSize - longest_comment : 0;
  for (std::size_t at = bytes.size() < kEndSize ? 0 : bytes.size() - kEndSize + 1; at-- > first;) {
    Cursor cursor(bytes.subspan(at), name, "zip");
    if (cursor.little<std::uint32_t>() != kEndMagic) continue;
    cursor.take(6);
    Directory directory{cursor.little<std::uint16_t>(), 0};
    cursor.take(4);
    directory.offset = cursor.little<std::uint32_t>();
    const bool zip64 = directory.count == 0xFFFF || directory.offset == kInZip64;
    if (!zip64 || at < kLocator64Size) return directory;
    Cursor locator(bytes.subspan(at - kLocator64Size), name, "zip");
    if (locator.little<std::uint32_t>() != kLocator64Magic) return directory;
    locator.take(4);
    Cursor end64(bytes, name, "zip");
    end64.seek(locator.little<std::uint64_t>());
    if (end64.little<std::uint32_t>() != kEnd64Magic) {
      fail_damaged(name, "the zip archive is damaged", "a zip64 end record");
    }
    end64.take(28);
    directory.count = end64.little<std::uint64_t>();
    end64.take(8);
    directory.offset = end64.little<std::uint64_t>();
    return directory;
  }
  fail_damaged(name, "this is not a whole zip archive", "an end record in the last 64 KiB");
}

/// Sizes of 4 GiB and more stand in the extra field, in this order, each only where the plain field
/// holds the mark.
void read_zip64_extra(ByteView extra, ZipEntry& entry, const std::string& name) {
  Cursor cursor(extra, name, "zip");
  while (cursor.left() >= 4) {
    const auto id = cursor.little<std::uint16_t>();
    const auto size = cursor.little<std::uint16_t>();
    const ByteView field = cursor.take(size);
    if (id != kZip64Extra) continue;
    Cursor numbers(field, name, "zip");
    for (std::uint64_t* value : {&entry.unpacked, &entry.packed, &entry.offset}) {
      if (*value == kInZip64) *value = numbers.little<std::uint64_t>();
    }
  }
}

ZipEntry read_central(Cursor& cursor, const std::string& name) {
  if (cursor.little<std::uint32_t>() != kCentralMagic) {
    fail_damaged(name, "the zip archive is damaged", "an entry of the central directory");
  }
  cursor.take(4);
  const auto flags = cursor.little<std::uint16_t>();
  ZipEntry entry;
  entry.method = cursor.little<std::uint16_t>();
  cursor.take(4);
  entry.crc = cursor.little<std::uint32_t>();
  entry.packed = cursor.little<std::uint32_t>();
  entry.unpacked = cursor.little<std::uint32_t>();
  const auto name_size = cursor.little<std::uint16_t>();
  const auto extra_size = cursor.little<std::uint16_t>();
  const auto comment_size = cursor.little<std::uint16_t>();
  cursor.take(8);
  entry.offset = cursor.little<std::uint32_t>();
  entry.name = as_text(cursor.take(name_size));
  read_zip64_extra(cursor.take(extra_size), entry, name);
  cursor.take(comment_size);
  const std::string where = name + " (member " + entry.name + ")";
  if ((flags & kEncrypted) != 0) {
    throw FileError({"the zip archive is encrypted", where, {}, "unpack it with its password"});
  }
  if (entry.method != kStored && entry.method != kDeflated) {
    throw FileError({"the zip archive uses compression method " + std::to_string(entry.method),
                     where, "0 (stored) or 8 (deflate)",
                     "save it again with numpy.savez or numpy.savez_compressed"});
  }
  return entry;
}

/// The packed bytes of a member, behind its local header.
ByteView packed_bytes(ByteView bytes, const ZipEntry& entry, const std::string& name) {
  const std::string where = name + " (member " + entry.name + ")";
  Cursor cursor(bytes, where, "zip");
  cursor.seek(entry.offset);
  if (cursor.little<std::uint32_t>() != kLocalMagic) {
    fail_damaged(where, "the zip archive is damaged", "a local header");
  }
  cursor.take(22);
  const auto name_size = cursor.little<std::uint16_t>();
  const auto extra_size = cursor.little<std::uint16_t>();
  cursor.take(std::uint64_t{name_size} + extra_size);
  return cursor.take(entry.packed);
}

/// Members that share bytes are how a small archive unpacks to a huge one.
void refuse_overlaps(ByteView bytes, const std::vector<ZipEntry>& entries,
                     const std::string& name) {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const ZipEntry& entry : entries) {
    const ByteView packed = packed_bytes(bytes, entry, name);
    ranges.emplace_back(entry.offset, packed.data() + packed.size() - bytes.data());
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].first < ranges[i - 1].second) {
      fail_damaged(name, "the members of the zip archive overlap");
    }
  }
}

}  // namespace

Bytes read_member_start(ByteView bytes, const ZipEntry& entry, const std::string& name,
                        std::size_t count) {
  const ByteView packed = packed_bytes(bytes, entry, name);
  if (entry.method != kStored) {
    return inflate_start(packed, name + " (member " + entry.name + ")", count);
  }
  const ByteView start = packed.subspan(0, std::min(packed.size(), count));
  return {start.begin(), start.end()};
}

Bytes read_member(ByteView bytes, const ZipEntry& entry, const std::string& name,
                  std::uint64_t limit) {
  const std::string where = name + " (member " + entry.name + ")";
  const ByteView packed = packed_bytes(bytes, entry, name);
  if (entry.unpacked > limit) fail_limit(where, limit);
  try {
    Bytes content = entry.method == kStored ? Bytes(packed.begin(), packed.end())
                                            : inflate_raw(packed, where, entry.unpacked);
    if (content.size() == entry.unpacked && crc32(content) == entry.crc) return content;
  } catch (const LimitError&) {
    // More than the directory promised: the archive is damaged, or lies.
  }
  fail_damaged(where, "the size or the checksum of a zip member is wrong");
}

std::vector<ZipEntry> list_zip(ByteView bytes, const std::string& name) {
  const Directory directory = find_directory(bytes, name);
  Cursor cursor(bytes, name, "zip");
  cursor.seek(directory.offset);
  std::vector<ZipEntry> entries;
  for (std::uint64_t i = 0; i < directory.count; ++i) {
    ZipEntry entry = read_central(cursor, name);
    if (!entry.name.empty() && entry.name.back() != '/') entries.push_back(std::move(entry));
  }
  refuse_overlaps(bytes, entries, name);
  return entries;
}

Bytes to_zip(const std::vector<ZipMember>& members, Packing packing) {
  Bytes out;
  Bytes central;
  const auto small = [](std::uint64_t value, std::uint64_t bound) {
    if (value < bound) return;
    throw LimitError({"the arrays are too large for a zip archive",
                      std::to_string(value) + " bytes",
                      "less than 4 GiB in less than 65535 members", "write them as safetensors"});
  };
  small(members.size(), 0xFFFF);
  for (const ZipMember& member : members) {
    Bytes packed = packing == Packing::deflated ? deflate_raw(member.content) : member.content;
    const bool deflated = packing == Packing::deflated && packed.size() < member.content.size();
    if (!deflated) packed = member.content;
    small(std::uint64_t{out.size()} + packed.size() + member.name.size() + 30, kInZip64);
    small(member.content.size(), kInZip64);
    small(member.name.size(), 0xFFFF);

    Bytes common;
    append_little(common, std::uint16_t{20});
    append_little(common, kUtf8Names);
    append_little(common, deflated ? kDeflated : kStored);
    append_little(common, std::uint16_t{0});
    append_little(common, kFirstDosDate);
    append_little(common, crc32(member.content));
    append_little(common, static_cast<std::uint32_t>(packed.size()));
    append_little(common, static_cast<std::uint32_t>(member.content.size()));
    append_little(common, static_cast<std::uint16_t>(member.name.size()));
    append_little(common, std::uint16_t{0});

    append_little(central, kCentralMagic);
    append_little(central, std::uint16_t{20});
    append(central, common);
    append(central, Bytes(10));
    append_little(central, static_cast<std::uint32_t>(out.size()));
    append(central, as_bytes(member.name));

    append_little(out, kLocalMagic);
    append(out, common);
    append(out, as_bytes(member.name));
    append(out, packed);
  }
  small(std::uint64_t{out.size()} + central.size(), kInZip64);
  const auto offset = static_cast<std::uint32_t>(out.size());
  append(out, central);
  append_little(out, kEndMagic);
  append_little(out, std::uint32_t{0});
  append_little(out, static_cast<std::uint16_t>(members.size()));
  append_little(out, static_cast<std::uint16_t>(members.size()));
  append_little(out, static_cast<std::uint32_t>(central.size()));
  append_little(out, offset);
  append_little(out, std::uint16_t{0});
  return out;
}

}  // namespace algprior::io
