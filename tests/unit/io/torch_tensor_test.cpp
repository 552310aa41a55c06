// Files of torch.save, by the real one (oracles/python/torch_fixtures.py) and by hand.
#include "algprior/io/torch_tensor.hpp"

#include "../../../src/io/zip.hpp"
#include "fixture.hpp"

namespace algprior::io {
namespace {

std::filesystem::path torch_fixture(const std::string& name) {
  return std::filesystem::path(ALGPRIOR_TEST_DATA) / "torch" / name;
}

Bytes bytes_of(std::string_view text) {
  const ByteView view = as_bytes(text);
  return {view.begin(), view.end()};
}

Bytes archive(const std::string& pickle, std::size_t storage_bytes = 24) {
  return to_zip({{"a/data.pkl", bytes_of(pickle)}, {"a/data/0", Bytes(storage_bytes)}},
                Packing::stored);
}

std::string number(std::int64_t value) {
  std::string text = "\x8a\x08";
  for (int i = 0; i < 8; ++i) text += static_cast<char>((value >> (8 * i)) & 0xFF);
  return text;
}

std::string word(const std::string& text) {
  return std::string("X") + static_cast<char>(text.size()) + std::string(3, '\0') + text;
}

std::string tuple(const std::vector<std::int64_t>& values) {
  std::string text = "(";
  for (const std::int64_t value : values) text += number(value);
  return text + "t";
}

/// The pickle of a float32 tensor, with whatever numbers.
std::string pickle(std::int64_t stored, std::int64_t offset, const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& stride) {
  return "\x80\x02"
         "ctorch._utils\n_rebuild_tensor_v2\n((" +
         word("storage") + "ctorch\nFloatStorage\n" + word("0") + word("cpu") + number(stored) +
         "tQ" + number(offset) + tuple(shape) + tuple(stride) + "\x89" +
         "ccollections\nOrderedDict\n)RtR.";
}

std::string refusal(const Bytes& bytes) {
  return message_of<FileError>([&] { parse_torch_tensor(bytes, "some.pt"); });
}

TEST(TorchTensor, ReadsWhatTorchWrote) {
  std::ifstream in(torch_fixture("manifest.json"));
  const auto document = nlohmann::json::parse(in);
  ASSERT_GE(document.at("files").size(), 15u);
  for (const auto& [name, wanted] : document.at("files").items()) {
    const Described found = describe(read_torch_tensor(torch_fixture(name)));
    EXPECT_EQ(found.dtype, wanted.at("dtype").get<std::string>()) << name;
    EXPECT_EQ(found.shape, wanted.at("shape").get<std::vector<std::int64_t>>()) << name;
    EXPECT_EQ(found.values, wanted.at("values").get<std::vector<double>>()) << name;
  }
}

TEST(TorchTensor, EverythingElseIsRefusedAndNamed) {
  const std::map<std::string, std::string> reasons = {
      {"dict", "dictionary"},      {"list", "list"},
      {"state", "tensor"},         {"parameter", "torch._utils._rebuild_parameter"},
      {"module", "torch.nn"},      {"expanded", "contiguous"},
      {"complex", "ComplexFloat"}, {"legacy", "before 1.6"},
      {"protocol", "protocol"},    {"malicious", "system"}};
  for (const auto& [name, reason] : reasons) {
    const auto path = torch_fixture("refused-" + name + ".pt");
    const std::string text = message_of<FileError>([&] { read_torch_tensor(path); });
    expect_contains(text, path.string());
    expect_contains(text, reason);
  }
  expect_contains(refusal(bytes_of("hello")), "torch.save");
  expect_contains(refusal({}), "torch.save");
  expect_contains(refusal(to_zip({{"a/b", {}}}, Packing::stored)), "data.pkl");
}

TEST(TorchTensor, HandMadePicklesReadLikeTorchs) {
  const Array array = parse_torch_tensor(archive(pickle(6, 1, {2, 2}, {3, 1})), "x");
  EXPECT_EQ(to_text(array), "float32[2, 2]");
  EXPECT_EQ(parse_torch_tensor(archive(pickle(6, 0, {0, 7}, {7, 1})), "x").bytes.size(), 0u);
}

TEST(TorchTensor, TensorsThatReachBeyondTheirStorageAreRefused) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const auto& text :
       {pickle(6, 0, {7}, {1}), pickle(6, 5, {2}, {1}), pickle(6, 0, {2, 3}, {4, 1}),
        pickle(6, -1, {2}, {1}), pickle(6, 0, {2}, {-1}), pickle(6, 0, {-2}, {1}),
        pickle(6, kHuge, {2}, {1}), pickle(6, 0, {2, 2}, {kHuge, kHuge}),
        pickle(6, 0, {kHuge, 4}, {0, 0}), pickle(6, 0, {2}, {}), pickle(6, 0, {}, {1}),
        pickle(6, 6, {}, {}), pickle(7, 0, {2}, {1}), pickle(-6, 0, {2}, {1}),
        pickle(kHuge, 0, {kHuge}, {1}), pickle(6, 0, {1000}, {0})}) {
    expect_contains(refusal(archive(text)), "some.pt");
  }
  expect_contains(refusal(archive(pickle(6, 0, {2}, {1}), 23)), "storage");
}

TEST(TorchTensor, PicklesThatAreNoTensorAreRefused) {
  const std::string good = pickle(6, 0, {2, 3}, {3, 1});
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW(parse_torch_tensor(archive(good.substr(0, length)), "x"), FileError) << length;
  }
  const std::string start = "\x80\x02";
  for (const std::string& text :
       {std::string("cos\nsystem\n(X\x02\0\0\0lstR.", 22), std::string("."), std::string("h\x05."),
        std::string("q\x05."), std::string("K\x01."), std::string("R."), std::string("Q."),
        std::string("t."), std::string("))R."), std::string("\x87."), std::string("(K\x01."),
        std::string("X\xff\xff\xff\xff."), std::string("\x8a\xff."),
        std::string("ccollections\nOrderedDict\n)R."), std::string("cbuiltins\neval\n."),
        std::string("i"), std::string("b.")}) {
    EXPECT_THROW(parse_torch_tensor(archive(start + text), "x"), FileError) << text;
  }
}

TEST(TorchTensor, NestingAndRepetitionDoNotExhaustTheMachine) {
  std::string nested = "\x80\x02)";
  for (int i = 0; i < 1'000'000; ++i) nested += '\x85';
  EXPECT_THROW(parse_torch_tensor(archive(nested), "x"), FileError);
  std::string doubled = "\x80\x02)q";
  doubled += '\0';
  for (int i = 0; i < 600; ++i) doubled += std::string("h\0h\0\x86q\0", 7);
  EXPECT_THROW(parse_torch_tensor(archive(doubled + "."), "x"), FileError);
}

TEST(TorchTensor, FlippedBytesNeverDoMoreThanFail) {
  const Bytes good = read_bytes(torch_fixture("part.pt"));
  for (std::size_t i = 0; i < good.size(); ++i) {
    for (const unsigned flip : {0x01u, 0x80u, 0xFFu}) {
      Bytes bad = good;
      bad[i] ^= static_cast<std::byte>(flip);
      try {
        check(parse_torch_tensor(bad, "x", 1 << 20));
      } catch (const Error&) {
      }
    }
  }
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_THROW(parse_torch_tensor(ByteView(good).subspan(0, length), "x"), Error) << length;
  }
}

TEST(TorchTensor, ABigEndianFileAndALimitAreSaid) {
  const Bytes bytes = to_zip({{"a/data.pkl", bytes_of(pickle(6, 0, {6}, {1}))},
                              {"a/byteorder", bytes_of("big")},
                              {"a/data/0", Bytes(24)}},
                             Packing::stored);
  expect_contains(refusal(bytes), "big-endian");
  EXPECT_THROW(parse_torch_tensor(archive(pickle(6, 0, {6}, {1})), "x", 10), LimitError);
}

}  // namespace
}  // namespace algprior::io
