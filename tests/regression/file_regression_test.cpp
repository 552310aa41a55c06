// Faults of readers, writers and names, each with the day on which it was mended.
#include "../unit/base/temporary_folder.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/escape.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/io/npy.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/paper/result.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

// 2026-11-17: 3 MB of archive became 9 GB of arrays before anyone looked at their shapes.
TEST(Npz, ShapesAreSeenBeforeDataIsUnpacked) {
  const std::int64_t large = 64'000'000;
  const io::Bytes bomb = io::to_npz({{"huge", {io::Dtype::uint8, {large}, io::Bytes(large)}},
                                     {"x", {io::Dtype::uint8, {3}, io::Bytes(3)}}});
  const io::NamedHeads heads = io::parse_npz_heads(bomb, "bomb.npz");
  EXPECT_EQ(heads.at("huge"), (io::ArrayHead{io::Dtype::uint8, {large}}));
  EXPECT_EQ(heads.at("x").shape, std::vector<std::int64_t>{3});

  std::vector<std::string> seen;
  const auto only_x = [&](const std::string& name, const io::ArrayHead&) {
    seen.push_back(name);
    return name == "x";
  };
  const io::NamedArrays arrays = io::parse_npz(bomb, "bomb.npz", 1000, only_x);
  EXPECT_EQ(arrays.size(), 1u);
  EXPECT_EQ(arrays.at("x").size(), 3);
  EXPECT_EQ(seen, (std::vector<std::string>{"huge", "x"}));

  const auto refuse = [](const std::string& name, const io::ArrayHead& head) -> bool {
    throw InputError({"wrong shape", name + " " + io::to_text(head), "", ""});
  };
  EXPECT_THROW(io::parse_npz(bomb, "bomb.npz", 1000, refuse), InputError);
  try {
    io::parse_npz(bomb, "bomb.npz", 1'000'000);
    FAIL();
  } catch (const LimitError& error) {
    EXPECT_NE(std::string(error.what()).find("uint8[64000000]"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("1.0 MB"), std::string::npos) << error.what();
  }
}

TEST(Npz, AMemberThatLiesAboutItsArrayIsRefused) {
  io::Bytes bytes =
      io::to_npz({{"a", {io::Dtype::uint8, {100}, io::Bytes(100)}}}, io::Packing::stored);
  const std::size_t at = io::as_text(bytes).find("(100,)");
  ASSERT_NE(at, std::string::npos);
  bytes[at + 1] = std::byte{'2'};
  EXPECT_THROW(io::parse_npz_heads(bytes, "x"), FileError);
  EXPECT_THROW(io::parse_npz(bytes, "x"), FileError);
}

TEST(Limits, FollowTheMachine) {
  EXPECT_GE(io::default_byte_limit(), 64'000'000u);
  EXPECT_LT(io::default_byte_limit(), std::uint64_t{1} << 50);
}

// 2026-11-17: complex arrays could not be read.
TEST(Npy, ReadsAndWritesComplexArrays) {
  const std::vector<double> parts{1, -2, 0.5, 3};
  io::Array array{io::Dtype::complex128, {2}, io::Bytes(32)};
  std::memcpy(array.bytes.data(), parts.data(), 32);
  EXPECT_EQ(io::parse_npy(io::to_npy(array), "x"), array);
  using Complex = std::complex<double>;
  EXPECT_EQ(io::to_complex(array), (std::vector<Complex>{{1, -2}, {0.5, 3}}));
  EXPECT_THROW(io::to_doubles(array), InputError);
  EXPECT_THROW(io::to_safetensors({{{"a", array}}, {}}), InputError);
  const io::Array real = io::make_array<float>({1}, std::vector<float>{2});
  EXPECT_EQ(io::to_complex(real), std::vector<Complex>{2});
  // Big-endian: the parts are turned round, not the pair.
  io::Bytes foreign = io::to_npy(array);
  foreign[io::as_text(foreign).find("<c16")] = std::byte{'>'};
  for (std::size_t at = foreign.size() - 32; at < foreign.size(); at += 8) {
    std::reverse(foreign.begin() + static_cast<std::ptrdiff_t>(at),
                 foreign.begin() + static_cast<std::ptrdiff_t>(at + 8));
  }
  EXPECT_EQ(io::parse_npy(foreign, "x"), array);
}

// 2026-11-17: a foreign .json in the results folder was an error for every table.
TEST(Results, AForeignFileIsPassedOverWithAWord) {
  const TemporaryFolder folder;
  Result result;
  result.id = make_run_id("ddmnist-d4", "cnn", 0);
  write_result(folder / "cnn-0.json", result);
  write_file(folder / "notes.json", "{\"a\": 1}");
  write_file(folder / "broken.json", "{");
  std::vector<std::string> passed_over;
  EXPECT_EQ(find_results({folder.path()}, &passed_over).size(), 1u);
  ASSERT_EQ(passed_over.size(), 2u);
  for (const std::string& line : passed_over) {
    EXPECT_TRUE(line.find("notes.json: no result") != std::string::npos ||
                line.find("broken.json: no result") != std::string::npos)
        << line;
  }
  EXPECT_EQ(find_results({folder.path()}).size(), 1u);
  std::filesystem::create_directory(folder / "0");
  write_file(folder / "0/result.json", "{");
  EXPECT_THROW(find_results({folder.path()}), FileError);
}

// 2026-11-17: a seed of 1e300 or -1 was read as some other number.
TEST(Results, NumbersThatDoNotFitAreRefused) {
  Result result;
  result.id.seed = 7;
  const std::string good = to_json(result);
  EXPECT_EQ(parse_result(good, "x").id.seed, 7u);
  for (const char* bad : {"1e300", "-1", "1.5", "18446744073709551616", "\"7\"", "true"}) {
    std::string text = good;
    text.replace(text.find("\"seed\": 7") + 8, 1, bad);
    EXPECT_THROW(parse_result(text, "x"), FileError) << text;
  }
}

// 2026-11-17: a row named ../../../evil wrote outside the runs folder.
TEST(Names, ThatWouldLeaveTheirFolderAreRefused) {
  for (const char* good : {"cnn", "regular@lambda=0.5", "ρ-größe", "a.b", "a b", "0"}) {
    EXPECT_NO_THROW(check_name(good, "a row")) << good;
  }
  const std::vector<std::string> bad{"",
                                     "..",
                                     ".",
                                     "../../../evil",
                                     "a/b",
                                     "a\\b",
                                     "-rf",
                                     ".hid",
                                     "end.",
                                     "end ",
                                     "a:b",
                                     "a\nb",
                                     "\x1b[",
                                     "a*b",
                                     "a\xff",
                                     "a\u202e"
                                     "b",
                                     "a\tb",
                                     "a?",
                                     std::string("a\0b", 3),
                                     std::string(201, 'a')};
  for (const std::string& name : bad) {
    try {
      check_name(name, "a row");
      ADD_FAILURE() << name;
    } catch (const InputError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("name of a row"), std::string::npos);
      EXPECT_EQ(message.find('\x1b'), std::string::npos);
    }
  }
}

// 2026-11-17: control characters in names reached the terminal.
TEST(Escapes, MakeControlCharactersVisible) {
  EXPECT_EQ(escape_controls("plain ρ̂ text\n\tagain"), "plain ρ̂ text\n\tagain");
  EXPECT_EQ(escape_controls("a\x1b[2Jb\r\x07\x7f"), "a\\x1b[2Jb\\x0d\\x07\\x7f");
  EXPECT_EQ(escape_controls("\u009b"
                            "31m \u202e"
                            "x"),
            "\\u009b31m \\u202ex");
  EXPECT_EQ(escape_controls("\xff\xc3(\xe2\x82 \xed\xa0\x80"),
            "\\xff\\xc3(\\xe2\\x82 \\xed\\xa0\\x80");
  EXPECT_EQ(escape_controls(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(escape_controls("\x1b[1;32mgreen\x1b[0m", Escapes::kColours), "\x1b[1;32mgreen\x1b[0m");
  EXPECT_EQ(escape_controls("\x1b[2J\x1b]0;title\x07", Escapes::kColours),
            "\\x1b[2J\\x1b]0;title\\x07");
  EXPECT_EQ(escape_controls("\x7f\u0085", Escapes::kJson), "\\u007f\\u0085");
}

// 2026-11-17: tables were as wide as their cells.
TEST(Table, FitsItsWidth) {
  Table table({{"name"},
               {"kept", Align::kRight},
               {"first out", Align::kRight, 2},
               {"next out", Align::kRight, 1}});
  table.add_row({"a", "1", "22222222", "33333333"});
  EXPECT_EQ(table.to_text(80), table.to_text());
  const std::string narrow = table.to_text(22);
  EXPECT_EQ(narrow.find("first out  "), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("left out for want of room: first out\n"), std::string::npos) << narrow;
  EXPECT_NE(narrow.find("33333333"), std::string::npos) << narrow;
  EXPECT_NE(table.to_text(12).find("room: first out, next out\n"), std::string::npos);

  Table words({{"key"}, {"words"}});
  words.add_row({"k", "one two three four five six seven eight nine ten"});
  const std::string text = words.to_text(30);
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(display_width(text.substr(start, end - start)), 30u) << text;
    start = end + 1;
  }
  for (const char* word : {"one", "five", "ten"}) EXPECT_NE(text.find(word), std::string::npos);

  Table wide({{"row"}, {"aaaaaaaaaa", Align::kRight}, {"bbbbbbbbbb", Align::kRight}});
  wide.add_row({"r", "1", "2"});
  EXPECT_EQ(wide.to_text(16),
            "row  aaaaaaaaaa\n---------------\nr             1\n\n"
            "row  bbbbbbbbbb\n---------------\nr             2\n");
}

TEST(WrapWords, BreaksAtBlanks) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrap_words("one two three", 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap_words("one two three", 80), (Lines{"one two three"}));
  EXPECT_EQ(wrap_words("abcdefgh ij", 3), (Lines{"abc", "def", "gh", "ij"}));
  EXPECT_EQ(wrap_words("a\nb", 9), (Lines{"a", "b"}));
  EXPECT_EQ(wrap_words("", 9), Lines{""});
  EXPECT_EQ(wrap_words("ρρρ ρρ", 6), (Lines{"ρρρ ρρ"}));
}

}  // namespace
}  // namespace algprior
