#include "algprior/io/torch_tensor.hpp"

#include "cursor.hpp"
#include "tensor_pickle.hpp"
#include "zip.hpp"

#include <algorithm>
#include <array>

namespace algprior::io {
namespace {

constexpr std::string_view kPickleName = "/data.pkl";
// torch.save before PyTorch 1.6: a pickle of this number comes first.
constexpr std::string_view kLegacyStart("\x80\x02\x8a\x0al\xfc\x9c\x46\xf9\x20\x6a\xa8\x50\x19",
                                        14);

void refuse_other_formats(ByteView bytes, const std::string& name) {
  const std::string_view text = as_text(bytes);
  if (text.substr(0, kLegacyStart.size()) == kLegacyStart) {
    throw FileError({"the file was written by a PyTorch before 1.6", name, "PyTorch's zip format",
                     "if you trust it, write it again in Python: torch.save(torch.load(FILE), "
                     "FILE)"});
  }
  if (text.substr(0, 2) != "PK") {
    throw FileError({"this is not a file of torch.save", name, "a zip archive with data.pkl",
                     "write it in Python with torch.save(tensor, path)"});
  }
}

const ZipMember* member_named(const std::vector<ZipMember>& members, const std::string& wanted) {
  const auto place = std::find_if(members.begin(), members.end(),
                                  [&](const ZipMember& member) { return member.name == wanted; });
  return place == members.end() ? nullptr : &*place;
}

/// Throws unless every element lies in the storage. Returns how many there are.
std::int64_t check_extent(const TensorPickle& tensor, const std::string& name) {
  const auto damaged = [&](const char* what) { fail_damaged(name, what); };
  if (tensor.shape.size() != tensor.stride.size()) damaged("a tensor has as many strides as sizes");
  if (tensor.offset < 0 || tensor.stored < 0) damaged("a tensor starts before its storage");
  std::int64_t count = 0;
  try {
    count = element_count(tensor.shape, item_size(tensor.dtype));
  } catch (const Error&) {
    damaged("a tensor claims an impossible shape");
  }
  if (count == 0) return 0;
  if (count > tensor.stored) {
    throw FileError(
        {"a tensor has more elements than its storage", name,
         "at most " + std::to_string(tensor.stored) + ", found " + std::to_string(count),
         "save tensor.contiguous() in Python if it was expanded"});
  }
  std::int64_t last = tensor.offset;
  for (std::size_t i = 0; i < tensor.shape.size(); ++i) {
    const std::int64_t steps = tensor.shape[i] - 1;
    if (tensor.stride[i] < 0) damaged("a tensor has a negative stride");
    if (steps > 0 && tensor.stride[i] > (tensor.stored - 1) / steps) {
      damaged("a tensor reaches beyond its storage");
    }
    last += steps * tensor.stride[i];
    if (last >= tensor.stored) damaged("a tensor reaches beyond its storage");
  }
  if (last >= tensor.stored) damaged("a tensor reaches beyond its storage");
  return count;
}

Bytes gather(const TensorPickle& tensor, ByteView storage, std::int64_t count) {
  const std::size_t item = item_size(tensor.dtype);
  Bytes out(static_cast<std::size_t>(count) * item);
  std::vector<std::int64_t> index(tensor.shape.size(), 0);
  std::int64_t source = tensor.offset;
  for (std::int64_t i = 0; i < count; ++i) {
    std::memcpy(out.data() + i * item, storage.data() + source * item, item);
    for (std::size_t axis = tensor.shape.size(); axis-- > 0;) {
      source += tensor.stride[axis];
      if (++index[axis] < tensor.shape[axis]) break;
      source -= tensor.stride[axis] * tensor.shape[axis];
      index[axis] = 0;
    }
  }
  return out;
}

}  // namespace

Array parse_torch_tensor(ByteView bytes, const std::string& name, std::uint64_t limit) {
  refuse_other_formats(bytes, name);
  const std::vector<ZipMember> members = parse_zip(bytes, name, limit);
  const auto pickle = std::find_if(members.begin(), members.end(), [](const ZipMember& member) {
    return member.name.ends_with(kPickleName);
  });
  if (pickle == members.end()) {
    throw FileError({"this zip archive was not written by torch.save", name, "a member data.pkl",
                     "write it in Python with torch.save(tensor, path)"});
  }
  const std::string root = pickle->name.substr(0, pickle->name.size() - kPickleName.size()) + "/";
  const ZipMember* order = member_named(members, root + "byteorder");
  if (order != nullptr && as_text(order->content) != "little") {
    throw FileError({"the file was written on a big-endian machine", name, "little-endian numbers",
                     "write it again on another machine"});
  }
  const TensorPickle tensor = parse_tensor_pickle(pickle->content, name);
  const std::int64_t count = check_extent(tensor, name);
  const ZipMember* storage = member_named(members, root + "data/" + tensor.storage);
  const std::size_t item = item_size(tensor.dtype);
  if (storage == nullptr || storage->content.size() % item != 0 ||
      storage->content.size() / item != static_cast<std::uint64_t>(tensor.stored)) {
    fail_damaged(name, "the storage of a tensor is missing, or has another size",
                 std::to_string(tensor.stored) + " elements in " + root + "data/" + tensor.storage);
  }
  Array array{tensor.dtype, tensor.shape, gather(tensor, storage->content, count)};
  if (array.dtype == Dtype::boolean) {
    // Any other pattern would be undefined behaviour once seen as bool.
    for (std::byte& byte : array.bytes) byte = std::byte{byte != std::byte{0}};
  }
  return array;
}

Array read_torch_tensor(const std::filesystem::path& path, std::uint64_t limit) {
  return parse_torch_tensor(read_bytes(path, limit), path.string(), limit);
}

}  // namespace algprior::io
