#include "run_program.hpp"

#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <signal.h>

namespace algprior {
namespace {

Outcome run_frame(std::vector<std::string> arguments) {
  return run_program(kFrameProgram, {std::move(arguments)});
}

TEST(Frame, ExitCodes) {
  EXPECT_EQ(run_frame({"fine"}).code, 0);
  EXPECT_EQ(run_frame({"input"}).code, 2);
  EXPECT_EQ(run_frame({"file"}).code, 1);
  EXPECT_EQ(run_frame({"limit"}).code, 1);
  EXPECT_EQ(run_frame({"memory"}).code, 1);
  EXPECT_EQ(run_frame({"surprise"}).code, 1);
  EXPECT_EQ(run_frame({"nothing"}).code, 2);
  EXPECT_EQ(run_frame({"fine", "--nothing"}).code, 2);
  EXPECT_EQ(run_frame({"fine", "more"}).code, 2);
  EXPECT_EQ(run_frame({}).code, 2);
}

TEST(Frame, ErrorsGoToStderrWithEveryPart) {
  const Outcome outcome = run_frame({"input"});
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(outcome.err, "algprior: wrong word: \"x\"\n  expected: y\n  next: write y\n");
}

TEST(Frame, ErrorsAreJsonWhenAskedFor) {
  for (const auto& arguments : std::vector<std::vector<std::string>>{
           {"input", "--json"}, {"--json", "input"}, {"--json", "nothing"}}) {
    const Outcome outcome = run_frame(arguments);
    EXPECT_EQ(outcome.code, 2);
    const auto document = nlohmann::json::parse(outcome.err);
    EXPECT_FALSE(document["error"]["what"].get<std::string>().empty());
    EXPECT_TRUE(document["error"].contains("next"));
  }
}

TEST(Frame, SuggestsTheNearest) {
  EXPECT_TRUE(contains(run_frame({"progres"}).err, "did you mean \"progress\"?"));
  EXPECT_TRUE(contains(run_frame({"fine", "--jsn"}).err, "did you mean \"--json\"?"));
  EXPECT_TRUE(contains(run_frame({"parent", "chidl", "x"}).err, "did you mean \"child\"?"));
  // A required word is missing too, but the misspelt option is the cause.
  const Outcome outcome = run_frame({"parent", "child", "--thread=2"});
  EXPECT_TRUE(contains(outcome.err, "unknown option: --thread\n")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "did you mean \"--threads\"?")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "algprior parent child --help")) << outcome.err;
  const Outcome far = run_frame({"zzzzzzzz"});
  EXPECT_FALSE(contains(far.err, "did you mean"));
  EXPECT_TRUE(contains(far.err, "one of fine, input")) << far.err;
}

TEST(Frame, ACommandOfACommand) {
  EXPECT_EQ(run_frame({"parent", "child", "word"}).out, "word\n");
  EXPECT_EQ(run_frame({"parent", "child", "fine"}).out, "fine\n");  // also a command's name
  EXPECT_EQ(run_frame({"parent"}).code, 2);
  EXPECT_EQ(run_frame({"parent", "child"}).code, 2);
  EXPECT_TRUE(contains(run_frame({"parent", "child", "--help"}).out, "algprior parent child"));
}

TEST(Frame, Threads) {
  EXPECT_EQ(run_frame({"threads", "--threads", "3"}).out, "3\n");
  EXPECT_EQ(run_frame({"--threads", "3", "threads"}).out, "3\n");
  EXPECT_GE(std::stoi(run_frame({"threads"}).out), 1);
  for (const std::string bad : {"0", "-1", "two", "99999999999", "1.5"}) {
    const Outcome outcome = run_frame({"threads", "--threads", bad});
    EXPECT_EQ(outcome.code, 2) << bad;
    EXPECT_TRUE(contains(outcome.err, "--threads")) << outcome.err;
  }
}

TEST(Frame, CtrlCStopsWorkThatHearsIt) {
  RunningProgram program(kFrameProgram, {{"hear"}});
  ASSERT_TRUE(program.wait_for("working"));
  program.send(SIGINT);
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 130);
  EXPECT_EQ(outcome.err, "stopped\n");
}

TEST(Frame, TheSignalsOfASchedulerStopWorkWithACodeOfTheirOwn) {
  for (const int signal : {SIGTERM, SIGUSR1}) {
    RunningProgram program(kFrameProgram, {{"hear"}});
    ASSERT_TRUE(program.wait_for("working"));
    program.send(signal);
    EXPECT_EQ(program.wait().code, 75) << signal;
  }
}

TEST(Frame, ASecondCtrlCEndsWorkThatDoesNot) {
  RunningProgram program(kFrameProgram, {{"deaf"}});
  ASSERT_TRUE(program.wait_for("working"));
  program.send(SIGINT);
  // Two signals that wait together are one; the pause keeps them apart.
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 130);
}

TEST(Frame, WorkThatNeverHearsIsEndedAfterAWhile) {
  RunningProgram program(kFrameProgram, {{"deaf"}});
  ASSERT_TRUE(program.wait_for("working"));
  program.send(SIGINT);
  EXPECT_EQ(program.wait().code, 130);
}

TEST(Frame, AReaderThatGoesAwayIsNoCrash) {
  RunningProgram program(kFrameProgram, {{"much"}});
  ASSERT_TRUE(program.wait_for("a line"));
  program.close_output();
  const Outcome outcome = program.wait();
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "work done\n");
}

TEST(Frame, AFullDiskIsAnError) {
  const Outcome outcome = run_program(kFrameProgram, {{"much"}, {}, false, "/dev/full"});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.err, "No space left on device")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "free some space")) << outcome.err;
}

TEST(Frame, ColoursOnlyOnATerminalAndNotUnderNoColor) {
  const auto colour = [](bool terminal, const std::string& no_color, const std::string& kind) {
    return run_program(kFrameProgram,
                       {{"colour"}, {{"NO_COLOR", no_color}, {"TERM", kind}}, terminal})
        .out;
  };
  EXPECT_TRUE(contains(colour(true, "", "xterm"), "\x1b[32mgreen\x1b[0m"));
  EXPECT_FALSE(contains(colour(true, "1", "xterm"), "\x1b"));
  EXPECT_FALSE(contains(colour(true, "", "dumb"), "\x1b"));
  EXPECT_FALSE(contains(colour(false, "", "xterm"), "\x1b"));
}

TEST(Frame, ProgressIsABarOnATerminal) {
  const Outcome outcome =
      run_program(kFrameProgram, {{"progress"}, {{"TERM", "xterm"}, {"NO_COLOR", "1"}}, true});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_TRUE(contains(outcome.out, "counting  [=")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "steps/s")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, " left")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "counted\r\n")) << outcome.out;
}

// A second's work is too short for a plain line.
TEST(Frame, ProgressIsQuietElsewhere) {
  const Outcome outcome = run_frame({"progress"});
  EXPECT_EQ(outcome.out, "counted\n");
  EXPECT_FALSE(contains(outcome.err, "\r"));
  EXPECT_FALSE(contains(outcome.err, "["));
}

}  // namespace
}  // namespace algprior
