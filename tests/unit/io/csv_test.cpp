#include "algprior/io/csv.hpp"

#include "fixture.hpp"

#include <cmath>
#include <limits>

namespace algprior::io {
namespace {

TEST(Csv, NumbersTextsAndQuotes) {
  const CsvTable table = parse_csv(
      "\xEF\xBB\xBFnames,label,\"1,x\"\r\n\"Plex \"\"Sans\"\"\",3, -0.5 "
      "\r\nBahianita,+4,1e3\r\n\r\n",
      "x");
  ASSERT_EQ(table.columns.size(), 3u);
  EXPECT_EQ(table.rows, 2u);
  EXPECT_FALSE(table.column("names").numeric);
  EXPECT_EQ(table.column("names").texts, (std::vector<std::string>{"Plex \"Sans\"", "Bahianita"}));
  EXPECT_EQ(table.column("names").first_text_line, 2u);
  EXPECT_EQ(table.column("label").numbers, (std::vector<double>{3, 4}));
  const Array array = to_array(table, 1, 2);
  EXPECT_EQ(array.shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(to_doubles(array), (std::vector<double>{3, -0.5, 4, 1000}));
}

TEST(Csv, QuotedFieldsMayHoldLinesAndTheLineNumbersFollow) {
  const CsvTable table = parse_csv("a,b\n\"one\ntwo\",1\nx,oops", "x");
  EXPECT_EQ(table.columns[0].texts[0], "one\ntwo");
  EXPECT_EQ(table.columns[1].first_text_line, 4u);
}

TEST(Csv, ErrorsNameTheLine) {
  const auto message = [](const char* text) {
    return message_of<FileError>([&] { parse_csv(text, "some.csv"); });
  };
  expect_contains(message("a,b\n1,2\n\n3\n"), "some.csv:4");
  expect_contains(message("a,b\n1,2,3\n"), "3 fields");
  expect_contains(message("a\n\"x"), "never closed");
  expect_contains(message("a\nx\"y\n"), "some.csv:2");
  expect_contains(message("a,b\n\"x\"y,2\n"), "closing quote");
  expect_contains(message("a,a\n"), "two columns");
  expect_contains(message(""), "empty");
  expect_contains(message("\n\r\n"), "empty");
}

TEST(Csv, MissingCellsAreNotNumbers) {
  const CsvTable table = parse_csv("a,b\n1,2\n,3\n", "gaps.csv");
  const std::string text = message_of<InputError>([&] { to_array(table, 0, 2); });
  expect_contains(text, "gaps.csv:3");
  expect_contains(text, "column a");
  EXPECT_EQ(to_doubles(to_array(table, 1, 1)), (std::vector<double>{2, 3}));
  EXPECT_THROW(to_array(table, 1, 2), InputError);
}

TEST(Csv, AWrongColumnNameSuggestsTheNearest) {
  const CsvTable table = parse_csv("labels,pixels\n1,2\n", "x");
  expect_contains(message_of<InputError>([&] { table.column("label"); }), "labels");
}

TEST(Csv, RoundTripKeepsTheBits) {
  const std::vector<double> values = {
      0.1, -1e-310, 1.0 / 3, 12345678901234567.0, std::numeric_limits<double>::infinity(), -0.0};
  const Array matrix = make_array({3, 2}, values);
  const std::string text = to_csv({"x", "a \"b\", c"}, matrix);
  const CsvTable table = parse_csv(text, "x");
  EXPECT_EQ(table.columns[1].name, "a \"b\", c");
  EXPECT_EQ(to_array(table, 0, 2), matrix);
  EXPECT_THROW(to_csv({"x"}, matrix), InputError);
}

}  // namespace
}  // namespace algprior::io
