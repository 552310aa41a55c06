#include "algprior/base/text.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/escape.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/base/progress.hpp"
#include "algprior/base/table.hpp"

#include <cstdio>
#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(DisplayWidth, CountsColumns) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("D4×D4"), 5U);
  EXPECT_EQ(display_width("ρ̂"), 1U);  // a letter and a combining mark
  EXPECT_EQ(display_width("χ₁"), 2U);
  EXPECT_EQ(display_width("群"), 2U);
  EXPECT_EQ(display_width("\x1b[31mred\x1b[0m"), 3U);
  EXPECT_EQ(display_width("\xff\xc3"), 2U);          // invalid bytes
  EXPECT_EQ(display_width("\x1b["), 1U);             // an escape that never ends: '[' alone shows
  EXPECT_EQ(display_width("\xf0\x9f\x98\x80"), 2U);  // an emoji
}

TEST(FitWidth, CutsBetweenCharacters) {
  EXPECT_EQ(fit_width("abc", 3), "abc");
  EXPECT_EQ(fit_width("abcd", 3), "ab…");
  EXPECT_EQ(fit_width("群群", 3), "群…");
  EXPECT_EQ(fit_width("群群", 2), "…");
  EXPECT_EQ(fit_width("abc", 0), "");
}

TEST(FormatBytes, ThreeDigits) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(999), "999 B");
  EXPECT_EQ(format_bytes(1000), "1.0 KB");
  EXPECT_EQ(format_bytes(9912422), "9.9 MB");
  EXPECT_EQ(format_bytes(999'949), "1.0 MB");
  EXPECT_EQ(format_bytes(123'456'789), "123 MB");
  EXPECT_EQ(format_bytes(UINT64_MAX), "18.4 EB");
}

TEST(FormatDuration, TwoUnits) {
  EXPECT_EQ(format_duration(0.421), "0.42 s");
  EXPECT_EQ(format_duration(9.94), "9.9 s");
  EXPECT_EQ(format_duration(9.96), "10 s");
  EXPECT_EQ(format_duration(59.6), "1 min 00 s");
  EXPECT_EQ(format_duration(185), "3 min 05 s");
  EXPECT_EQ(format_duration(7620), "2 h 07 min");
  EXPECT_EQ(format_duration(4 * 86400 + 3 * 3600), "4 d 03 h");
  EXPECT_EQ(format_duration(-1), "?");
  EXPECT_EQ(format_duration(1e300), format_duration(1e15));
}

TEST(Table, AlignsUtf8) {
  Table table({{"group"}, {"order", Align::kRight}, {"note"}});
  table.add_row({"D4×D4", "64"}).add_row({"\x1b[1m群\x1b[0m", "1152", "wide"});
  table.add_rule().add_row({"sum", "1216", ""});
  EXPECT_EQ(table.to_text(),
            "group  order  note\n"
            "------------------\n"
            "D4×D4     64\n"
            "\x1b[1m群\x1b[0m      1152  wide\n"
            "------------------\n"
            "sum     1216\n");
}

TEST(Table, WithoutTitlesThereIsNoHead) {
  Table table({{}, {}});
  EXPECT_EQ(table.to_text(), "");
  table.add_row({"CPU", "fast"}).add_row({"memory", "large"});
  EXPECT_EQ(table.to_text(), "CPU     fast\nmemory  large\n");
}

TEST(Table, Markdown) {
  Table table({{"a"}, {"b", Align::kRight}});
  table.add_row({"<r,s | r^4>", "1"});
  EXPECT_EQ(table.to_markdown(), "| a | b |\n|---|---:|\n| <r,s \\| r^4> | 1 |\n");
}

TEST(Table, RefusesTooManyCells) {
  Table table({{"a"}});
  EXPECT_THROW(table.add_row({"1", "2"}), InputError);
}

TEST(Progress, RateAndRemainingTime) {
  ProgressState state{"mnist", "B", 6'000'000, 9'000'000, 2.0, 2'000'000};
  EXPECT_DOUBLE_EQ(progress_rate(state), 2e6);
  EXPECT_DOUBLE_EQ(progress_remaining(state), 1.5);
  EXPECT_EQ(progress_line(state, 0), "mnist   66%  6.0 MB of 9.0 MB  2.0 MB/s  1.5 s left");
  state.total = 0;
  EXPECT_LT(progress_remaining(state), 0.0);
  EXPECT_EQ(progress_line(state, 0), "mnist  6.0 MB  2.0 MB/s");
}

TEST(Progress, KnowsNothingAtTheStartAndAllAtTheEnd) {
  EXPECT_EQ(progress_line({"epoch 1", "samples", 0, 100, 0.0, 0}, 0),
            "epoch 1    0%  0 of 100 samples");
  EXPECT_EQ(progress_line({"epoch 1", "samples", 100, 100, 4.0, 0}, 0),
            "epoch 1  100%  100 of 100 samples  25 samples/s  in 4.0 s");
}

TEST(Progress, ARemarkStandsBeforeTheRateWhenThereIsLittleRoom) {
  const ProgressState state{"run", "steps", 50, 100, 10.0, 0, "accuracy 0.756"};
  EXPECT_EQ(progress_line(state, 0),
            "run   50%  50 of 100 steps  5 steps/s  10 s left  accuracy 0.756");
  EXPECT_EQ(progress_line(state, 54), "run   50%  50 of 100 steps  10 s left  accuracy 0.756");
}

TEST(Progress, FitsTheTerminal) {
  const ProgressState state{"a rather long label", "B", 500, 1000, 1.0, 0};
  for (std::size_t columns = 1; columns < 160; ++columns) {
    EXPECT_LE(display_width(progress_line(state, columns)), columns);
  }
  EXPECT_NE(progress_line(state, 120).find("[===============               ]"), std::string::npos);
  EXPECT_EQ(progress_line(state, 60).find('['), std::string::npos);
}

// What a shell makes of a word is the word.
TEST(ShellWord, ComesThroughAShell) {
  for (const std::string word :
       {"runs/x/0", "", "two words", "it's", "'", "$HOME", "`id`", "a\\b", "\"q\"", "*", "~", "a;b",
        "#no", "tab\there", "ü", "!x", "-n", "a\nb"}) {
    std::unique_ptr<FILE, int (*)(FILE*)> shell(
        popen(("printf %s " + shell_word(word)).c_str(), "r"), pclose);
    ASSERT_TRUE(shell);
    std::string out(100, '\0');
    out.resize(fread(out.data(), 1, out.size(), shell.get()));
    EXPECT_EQ(out, word);
  }
  EXPECT_EQ(shell_word("runs/a-b_c.1@x=2,3:4+5%"), "runs/a-b_c.1@x=2,3:4+5%");  // as it is
}

TEST(ListDifferences, AreTheLinesOfOneTextAlone) {
  EXPECT_EQ(list_differences("a\nb\nc\n", "a\nB\nc\nd\n"), "- b\n+ B\n+ d");
  EXPECT_EQ(list_differences("a\nb", "b\na"), "");
  EXPECT_EQ(list_differences("", "x"), "+ x");
  EXPECT_EQ(list_differences("x", ""), "- x");
}

TEST(Interrupt, StopsOnceAskedAndForgets) {
  EXPECT_NO_THROW(throw_if_stopped());
  EXPECT_FALSE(stop_seen());
  request_stop();
  EXPECT_FALSE(stop_seen());
  EXPECT_THROW(throw_if_stopped(), Interrupted);
  EXPECT_TRUE(stop_seen());
  clear_stop();
  EXPECT_FALSE(stop_requested());
  EXPECT_FALSE(stop_seen());
}

}  // namespace
}  // namespace algprior
