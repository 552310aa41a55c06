#include "algprior/io/safetensors.hpp"

#include "fixture.hpp"

namespace algprior::io {
namespace {

Bytes file_with(const std::string& header, std::size_t data) {
  Bytes out;
  for (int i = 0; i < 8; ++i) out.push_back(static_cast<std::byte>(header.size() >> (8 * i)));
  const ByteView text = as_bytes(header);
  out.insert(out.end(), text.begin(), text.end());
  out.resize(out.size() + data);
  return out;
}

std::string refusal(const std::string& header, std::size_t data) {
  return message_of<FileError>(
      [&] { parse_safetensors(file_with(header, data), "w.safetensors"); });
}

TEST(Safetensors, ReadsAnIndependentFile) {
  const SafeTensors content = read_safetensors(fixture("small.safetensors"));
  EXPECT_EQ(describe(content.tensors), manifest().at("small.safetensors"));
  EXPECT_EQ(content.metadata.at("format"), "pt");
  expect_contains(message_of<InputError>([&] { content.at("layer.wieght"); }), "layer.weight");
}

TEST(Safetensors, RoundTripOfEveryType) {
  SafeTensors content;
  content.metadata["commit"] = "abc \"quoted\" ü";
  for (int i = 0; i <= static_cast<int>(Dtype::float64); ++i) {
    const auto dtype = static_cast<Dtype>(i);
    Bytes bytes(3 * item_size(dtype), std::byte{1});
    content.tensors[std::string(name_of(dtype))] = {dtype, {3, 1}, bytes};
  }
  content.tensors["empty"] = {Dtype::float32, {0, 4}, {}};
  const Bytes bytes = to_safetensors(content);
  const SafeTensors again = parse_safetensors(bytes, "x");
  EXPECT_EQ(again.tensors, content.tensors);
  EXPECT_EQ(again.metadata, content.metadata);
  EXPECT_EQ(to_safetensors(again), bytes);
}

TEST(Safetensors, RefusesOffsetsThatOverlapLeaveHolesOrTheFile) {
  const auto two = [](int begin, int end) {
    return R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[4],"data_offsets":[)" +
           std::to_string(begin) + "," + std::to_string(end) + "]}}";
  };
  EXPECT_EQ(parse_safetensors(file_with(two(4, 8), 8), "x").tensors.size(), 2u);
  expect_contains(refusal(two(3, 7), 8), "overlap");
  expect_contains(refusal(two(5, 9), 9), "hole");
  expect_contains(refusal(two(6, 10), 8), "outside");
  expect_contains(refusal(two(4, 7), 8), "do not fit");
  expect_contains(refusal(two(8, 4), 8), "do not fit");
  expect_contains(refusal(two(4, 8), 9), "no tensor");
  expect_contains(refusal(two(3, 7), 8), "w.safetensors (tensor b)");
}

TEST(Safetensors, RefusesDamagedHeaders) {
  for (const char* header :
       {"", "[]", "{", "{\"a\":1}", "{\"a\":{}}", "{\"__metadata__\":{\"a\":1}}",
        "{\"__metadata__\":[]}", R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})",
        R"({"a":{"dtype":"U8","shape":[1.5],"data_offsets":[0,1]}})",
        R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})",
        R"({"a":{"dtype":7,"shape":[1],"data_offsets":[0,1]}})",
        R"({"a":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,1]}})",
        R"({"a":{"dtype":"U8","shape":[18446744073709551615],"data_offsets":[0,1]}})"}) {
    EXPECT_THROW(parse_safetensors(file_with(header, 1), "x"), FileError) << header;
  }
  expect_contains(refusal(R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]}})", 1),
                  "F8_E4M3");
  const std::string a = R"("a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]})";
  expect_contains(refusal("{" + a + "," + a + "}", 1), "one name");
  expect_prefixes_refused(read_bytes(fixture("small.safetensors")),
                          [](ByteView part) { return parse_safetensors(part, "x"); });
}

TEST(Safetensors, AFileOfTorchSaveIsRecognised) {
  const std::string pickled = message_of<FileError>([] { read_safetensors(fixture("pickle.pt")); });
  expect_contains(pickled, "torch.save");
  expect_contains(pickled, "save_file");
  expect_contains(message_of<FileError>([] { read_safetensors(fixture("stored.npz")); }),
                  "torch.save");
}

TEST(Safetensors, AHeaderWhoseLengthLooksLikeAPickleIsRead) {
  // 0x0280 bytes: the first two bytes of the file are those of a pickle of protocol 2.
  std::string header = R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})";
  header.resize(0x280, ' ');
  EXPECT_EQ(parse_safetensors(file_with(header, 1), "x").tensors.size(), 1u);
}

TEST(Safetensors, WriterRefusesBadNames) {
  SafeTensors content;
  content.tensors["\xFF"] = {Dtype::uint8, {0}, {}};
  EXPECT_THROW(to_safetensors(content), InputError);
  content.tensors = {{"__metadata__", {Dtype::uint8, {0}, {}}}};
  EXPECT_THROW(to_safetensors(content), InputError);
}

}  // namespace
}  // namespace algprior::io
