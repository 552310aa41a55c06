#include "algprior/io/npy.hpp"

#include "fixture.hpp"

namespace algprior::io {
namespace {

Bytes npy_with(const std::string& header, std::size_t data) {
  std::string text("\x93NUMPY\x01\x00", 8);
  text += static_cast<char>(header.size() & 0xFF);
  text += static_cast<char>(header.size() >> 8);
  text += header + std::string(data, '\1');
  const ByteView bytes = as_bytes(text);
  return {bytes.begin(), bytes.end()};
}

TEST(Npy, ReadsWhatNumpyWrote) {
  int count = 0;
  for (const auto& [name, arrays] : manifest()) {
    if (name.find(".npy") == std::string::npos || arrays.empty()) continue;
    EXPECT_EQ(describe(read_npy(fixture(name))), arrays.at("")) << name;
    ++count;
  }
  EXPECT_EQ(count, 19);
}

TEST(Npy, RoundTripIsByteExactWithNumpy) {
  for (const std::string name : {"uint8", "int64", "float16", "float32", "bool"}) {
    const Bytes original = read_bytes(fixture(name + ".npy"));
    const Array array = parse_npy(original, name);
    EXPECT_EQ(parse_npy(to_npy(array), name), array) << name;
    // NumPy pads its headers to 128 bytes, we to 64: the data is the same.
    EXPECT_EQ(Bytes(original.end() - 6, original.end()),
              Bytes(array.bytes.end() - 6, array.bytes.end()));
  }
}

TEST(Npy, RefusesWhatIsNoNumberArrayAndSaysWhy) {
  const auto message = [](const char* name) {
    return message_of<FileError>([&] { read_npy(fixture(name)); });
  };
  expect_contains(message("refused-object.npy"), "pickled Python objects");
  expect_contains(message("refused-object.npy"), "refused-object.npy");
  expect_contains(message("refused-structured.npy"), "structured");
  expect_contains(message("refused-text.npy"), "astype");
  expect_contains(message("uint8.idx"), "not an NPY file");
}

TEST(Npy, ReadsComplexNumbersOfNumpy) {
  const Array array = read_npy(fixture("complex.npy"));
  EXPECT_EQ(to_text(array), "complex128[2]");
  EXPECT_EQ(to_complex(array), std::vector<std::complex<double>>(2));
}

TEST(Npy, RefusesEveryPrefixAndTrailingBytes) {
  Bytes bytes = read_bytes(fixture("int16.npy"));
  expect_prefixes_refused(bytes, [](ByteView part) { return parse_npy(part, "x"); });
  bytes.push_back({});
  expect_contains(message_of<FileError>([&] { parse_npy(bytes, "long.npy"); }),
                  "1 bytes left over");
}

TEST(Npy, RefusesLyingHeaders) {
  const auto header = [](const std::string& shape) {
    return "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}";
  };
  EXPECT_EQ(parse_npy(npy_with(header("(2,)"), 8), "x").size(), 2);
  EXPECT_EQ(parse_npy(npy_with(header("(2L, )"), 8), "x").size(), 2);
  for (const std::string shape :
       {"(3,)", "(-2,)", "(2", "2", "(2,,)", "(9223372036854775807, 9223372036854775807)",
        "(4611686018427387904,)", "(99999999999999999999,)", "(2,) 'x'"}) {
    EXPECT_THROW(parse_npy(npy_with(header(shape), 8), "x"), FileError) << shape;
  }
  EXPECT_THROW(parse_npy(npy_with("{'descr': '<f4', 'shape': (2,)}", 8), "x"), FileError);
  EXPECT_THROW(
      parse_npy(npy_with("{'descr': '?f4', 'fortran_order': False, 'shape': (2,)}", 8), "x"),
      FileError);
  EXPECT_THROW(parse_npy(npy_with("{'descr': '', 'fortran_order': False, 'shape': (2,)}", 8), "x"),
               FileError);
}

TEST(Npy, BooleansAreZeroOrOneWhateverTheFileSays) {
  const Bytes bytes = npy_with("{'descr': '|b1', 'fortran_order': False, 'shape': (2,)}", 2);
  Bytes strange = bytes;
  strange.back() = std::byte{0x7F};
  EXPECT_EQ(parse_npy(strange, "x").bytes, Bytes(2, std::byte{1}));
}

TEST(Npy, WriterRefusesWhatTheFormatLacks) {
  EXPECT_THROW(to_npy({Dtype::bfloat16, {1}, Bytes(2)}), InputError);
  EXPECT_THROW(to_npy({Dtype::uint8, std::vector<std::int64_t>(65, 1), Bytes(1)}), InputError);
}

}  // namespace
}  // namespace algprior::io
