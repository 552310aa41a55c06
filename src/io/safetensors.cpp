#include "algprior/io/safetensors.hpp"

#include "algprior/base/suggest.hpp"
#include "cursor.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

namespace algprior::io {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMaxTensorHeader = 100'000'000;  // the format's own bound
constexpr std::string_view kMetadata = "__metadata__";

constexpr std::pair<std::string_view, Dtype> kTensorTypes[] = {
    {"BOOL", Dtype::boolean}, {"U8", Dtype::uint8},      {"I8", Dtype::int8},
    {"U16", Dtype::uint16},   {"I16", Dtype::int16},     {"U32", Dtype::uint32},
    {"I32", Dtype::int32},    {"U64", Dtype::uint64},    {"I64", Dtype::int64},
    {"F16", Dtype::float16},  {"BF16", Dtype::bfloat16}, {"F32", Dtype::float32},
    {"F64", Dtype::float64}};

void refuse_pickle(ByteView bytes, const std::string& name) {
  const std::string_view text = as_text(bytes.subspan(0, std::min<std::size_t>(bytes.size(), 4)));
  const bool zip = text == std::string_view("PK\x03\x04", 4);
  const bool pickle = text.size() >= 2 && text[0] == '\x80' && text[1] >= 2 && text[1] <= 5;
  if (!zip && !(pickle && bytes.size() > 8 && std::to_integer<char>(bytes[8]) != '{')) return;
  throw FileError(
      {"this file was written by torch.save or pickle, which can run code when it is read", name,
       "a safetensors file",
       "convert it in Python: from safetensors.torch import save_file; "
       "save_file(torch.load(FILE, map_location=\"cpu\"), \"weights.safetensors\")"});
}

Json parse_header(std::string_view text, const std::string& name) {
  std::set<std::string> keys;
  std::string repeated;
  const auto callback = [&](int depth, Json::parse_event_t event, Json& value) {
    if (event == Json::parse_event_t::key && depth == 1) {
      const auto& key = value.get_ref<const std::string&>();
      if (!keys.insert(key).second) repeated = key;
    }
    return true;
  };
  const Json header = Json::parse(text.begin(), text.end(), callback, false);
  if (!header.is_object()) fail_damaged(name, "the safetensors header is not a JSON object");
  if (!repeated.empty()) fail_damaged(name, "two tensors have one name: " + repeated);
  return header;
}

struct Span {
  std::uint64_t begin, end;
  std::string name;
};

/// Reads one header entry into an array without data and the place of its data.
Span parse_entry(const std::string& key, const Json& entry, Array& array, const std::string& name) {
  const std::string where = name + " (tensor " + key + ")";
  const auto is_count = [](const Json& value) { return value.is_number_unsigned(); };
  const auto counts = [&](const char* field) {
    return entry.is_object() && entry.contains(field) && entry[field].is_array() &&
           std::all_of(entry[field].begin(), entry[field].end(), is_count);
  };
  if (!counts("shape") || !counts("data_offsets") || entry["data_offsets"].size() != 2 ||
      !entry.contains("dtype") || !entry["dtype"].is_string()) {
    fail_damaged(where, "the safetensors header is damaged", "dtype, shape and two data_offsets");
  }
  const auto& code = entry["dtype"].get_ref<const std::string&>();
  const auto type = std::find_if(std::begin(kTensorTypes), std::end(kTensorTypes),
                                 [&](auto t) { return t.first == code; });
  if (type == std::end(kTensorTypes)) {
    throw FileError({"the tensor has an element type that is not read here: " + code, where,
                     "BOOL, U8 to I64, F16, BF16, F32 or F64", "convert it to F32"});
  }
  array.dtype = type->second;
  for (const Json& extent : entry["shape"]) {
    const auto value = extent.get<std::uint64_t>();
    if (value >> 62 != 0) fail_damaged(where, "the header claims an impossible shape");
    array.shape.push_back(static_cast<std::int64_t>(value));
  }
  const Span span{entry["data_offsets"][0].get<std::uint64_t>(),
                  entry["data_offsets"][1].get<std::uint64_t>(), where};
  const std::uint64_t size = claimed_bytes(array, where);
  if (span.end < span.begin || span.end - span.begin != size) {
    fail_damaged(where, "the offsets do not fit the shape", std::to_string(size) + " bytes");
  }
  return span;
}

}  // namespace

SafeTensors parse_safetensors(ByteView bytes, const std::string& name) {
  refuse_pickle(bytes, name);
  Cursor cursor(bytes, name, "safetensors");
  const auto length = cursor.little<std::uint64_t>();
  if (length > kMaxTensorHeader) {
    throw FileError({"this is not a safetensors file", name,
                     "a header length of at most 100 MB in the first 8 bytes",
                     "check that the name belongs to the right file"});
  }
  const Json header = parse_header(as_text(cursor.take(length)), name);
  const ByteView buffer = cursor.take(cursor.left());

  SafeTensors content;
  std::vector<Span> spans;
  for (const auto& [key, entry] : header.items()) {
    if (key == kMetadata) {
      if (!entry.is_object()) fail_damaged(name, "__metadata__ is not an object of strings");
      for (const auto& [word, value] : entry.items()) {
        if (!value.is_string()) fail_damaged(name, "__metadata__ is not an object of strings");
        content.metadata.emplace(word, value.get<std::string>());
      }
      continue;
    }
    Array array;
    const Span span = parse_entry(key, entry, array, name);
    if (span.end > buffer.size()) {
      fail_damaged(span.name, "a tensor lies outside the file",
                   "offsets up to " + std::to_string(buffer.size()));
    }
    spans.push_back(span);
    content.tensors.emplace(key, std::move(array));
  }

  // Checked before anything is copied: overlapping tensors could ask for more memory than the file.
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  std::uint64_t end = 0;
  for (const Span& span : spans) {
    if (span.begin != end) {
      fail_damaged(span.name, span.begin < end ? "two tensors overlap" : "the buffer has a hole",
                   "data from offset " + std::to_string(end));
    }
    end = span.end;
  }
  if (end != buffer.size()) {
    fail_damaged(name, std::to_string(buffer.size() - end) + " bytes belong to no tensor");
  }
  for (auto& [key, array] : content.tensors) {
    const auto begin = header[key]["data_offsets"][0].get<std::uint64_t>();
    const ByteView data = buffer.subspan(begin, claimed_bytes(array, name));
    array.bytes.assign(data.begin(), data.end());
    if (array.dtype == Dtype::boolean) {
      for (std::byte& byte : array.bytes) byte = std::byte{byte != std::byte{0}};
    }
  }
  return content;
}

SafeTensors read_safetensors(const std::filesystem::path& path) {
  return parse_safetensors(read_bytes(path), path.string());
}

Bytes to_safetensors(const SafeTensors& content) {
  nlohmann::ordered_json header = nlohmann::ordered_json::object();
  if (!content.metadata.empty()) {
    auto& metadata = header[std::string(kMetadata)];
    for (const auto& [word, value] : content.metadata) metadata[word] = value;
  }
  std::uint64_t offset = 0;
  for (const auto& [key, array] : content.tensors) {
    check(array);
    if (key == kMetadata) {
      throw InputError({"a tensor cannot have this name", key, "any other name", {}});
    }
    const Dtype dtype = array.dtype;
    const auto type = std::find_if(std::begin(kTensorTypes), std::end(kTensorTypes),
                                   [&](auto t) { return t.second == dtype; });
    if (type == std::end(kTensorTypes)) {
      throw InputError({"a safetensors file cannot hold this array", key + ": " + to_text(array),
                        "real numbers", "write real and imaginary parts as two arrays"});
    }
    header[key] = {{"dtype", type->first},
                   {"shape", array.shape},
                   {"data_offsets", {offset, offset + array.bytes.size()}}};
    offset += array.bytes.size();
  }
  std::string text;
  try {
    text = header.dump();
  } catch (const Json::type_error&) {
    throw InputError({"a tensor's name or a metadata value is not UTF-8 text", {}, {}, {}});
  }
  while (text.size() % 8 != 0) text += ' ';
  Bytes out;
  out.reserve(8 + text.size() + offset);
  append_little(out, std::uint64_t{text.size()});
  append(out, as_bytes(text));
  for (const auto& [key, array] : content.tensors) append(out, array.bytes);
  return out;
}

void write_safetensors(const std::filesystem::path& path, const SafeTensors& content) {
  write_bytes(path, to_safetensors(content));
}

const Array& SafeTensors::at(std::string_view name) const {
  if (const auto found = tensors.find(name); found != tensors.end()) return found->second;
  std::vector<std::string> names;
  for (const auto& [key, array] : tensors) names.push_back(key);
  throw InputError(
      {"the file has no tensor of this name", std::string(name), {}, did_you_mean(name, names)});
}

}  // namespace algprior::io
