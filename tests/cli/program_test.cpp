#include "../unit/base/temporary_folder.hpp"
#include "algprior/version.hpp"
#include "run_program.hpp"

#include <filesystem>
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

// The commands that --help lists, with those of commands: {"data"}, {"data", "get"}, ….
void collect_commands(const std::vector<std::string>& path,
                      std::vector<std::vector<std::string>>& commands) {
  std::vector<std::string> words = path;
  words.push_back("--help");
  std::string help = run_algprior(words).out;
  const std::size_t begin = help.find("Subcommands:\n");
  if (begin == std::string::npos) return;
  help = help.substr(begin, help.find("\n\n", begin) - begin + 1);
  const std::regex name("\n  ([a-z]+) ");
  for (std::sregex_iterator match(help.begin(), help.end(), name), end; match != end; ++match) {
    std::vector<std::string> child = path;
    child.push_back((*match)[1]);
    commands.push_back(child);
    collect_commands(child, commands);
  }
}

TEST(Program, EveryCommandHasHelpWithAnExampleAndTheSharedOptions) {
  std::vector<std::vector<std::string>> commands;
  collect_commands({}, commands);
  ASSERT_GE(commands.size(), 1U);
  for (std::vector<std::string> command : commands) {
    std::string name = "algprior";
    for (const std::string& word : command) name += " " + word;
    command.push_back("--help");
    const Outcome outcome = run_algprior(command);
    EXPECT_EQ(outcome.code, 0) << name;
    EXPECT_EQ(outcome.err, "") << name;
    EXPECT_TRUE(contains(outcome.out, "Usage: " + name)) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "Example:\n  algprior ")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "--json")) << outcome.out;
    EXPECT_TRUE(contains(outcome.out, "--threads N")) << outcome.out;
  }
}

TEST(Program, Version) {
  const Outcome text = run_algprior({"--version"});
  EXPECT_EQ(text.code, 0);
  EXPECT_TRUE(contains(text.out, std::string("algprior ") + kVersion));
  EXPECT_TRUE(contains(text.out, "LibTorch "));
  EXPECT_TRUE(contains(text.out, "instruction set "));
  const auto document = nlohmann::json::parse(run_algprior({"--version", "--json"}).out);
  EXPECT_EQ(document["version"], kVersion);
  EXPECT_TRUE(std::string(kTorchVersion).starts_with(document["libtorch"].get<std::string>()));
  EXPECT_EQ(document["commit"], build_commit());
  EXPECT_FALSE(document["instruction_set"].get<std::string>().empty());
}

TEST(Program, SuggestsTheNearest) {
  const Outcome outcome = run_algprior({"docter"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "did you mean \"doctor\"?")) << outcome.err;
}

// 2026-11-17: help on a command that does not exist was help on the program, with exit code 0.
TEST(Program, HelpOnNothingIsAnError) {
  for (const std::vector<std::string>& arguments : std::vector<std::vector<std::string>>{
           {"nonsense", "--help"}, {"help", "nonsense"}, {"help", "paper", "nonsense"}}) {
    const Outcome outcome = run_algprior(arguments);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(contains(outcome.err, "unknown command: nonsense")) << outcome.err;
  }
}

TEST(Program, HelpIsACommandToo) {
  EXPECT_EQ(run_algprior({"help"}).out, run_algprior({"--help"}).out);
  EXPECT_EQ(run_algprior({"help", "paper", "run"}).out,
            run_algprior({"paper", "run", "--help"}).out);
  EXPECT_EQ(run_algprior({"-V"}).out, run_algprior({"--version"}).out);
}

TEST(Program, ManualAndCompletionsKnowEveryCommand) {
  const std::string manual = run_algprior({"man"}).out;
  EXPECT_TRUE(contains(manual, ".TH ALGPRIOR 1"));
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const Outcome outcome = run_algprior({"completion", shell});
    EXPECT_EQ(outcome.code, 0);
    for (const char* word :
         {"group", "paper", "table", "doctor", "irreps", "max-order", "markdown"}) {
      EXPECT_TRUE(contains(outcome.out, word)) << shell << " " << word;
    }
    EXPECT_FALSE(contains(outcome.out, "memory-of")) << "a hidden option";
  }
  EXPECT_TRUE(contains(manual, "max\\-order"));
  EXPECT_FALSE(contains(manual, "memory\\-of"));
  EXPECT_EQ(run_algprior({"completion", "tcsh"}).code, 2);
}

TEST(Program, BashCompletesItsCommands) {
  const std::string script =
      "source <(" + kAlgprior +
      " completion bash); COMP_WORDS=(algprior paper ru); COMP_CWORD=2; "
      "_algprior; echo \"${COMPREPLY[@]}\"; COMP_WORDS=(algprior group --max); COMP_CWORD=2; "
      "_algprior; echo \"${COMPREPLY[@]}\"";
  const Outcome outcome = run_program("/bin/bash", {{"-c", script}});
  EXPECT_EQ(outcome.out, "run\n--max-order --max-cosets\n") << outcome.err;
}

// 2026-11-17: control characters in names reached the terminal.
TEST(Program, QuotesControlCharactersVisibly) {
  const Outcome outcome = run_algprior({"group", "\x1b[2JD4\r"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_FALSE(contains(outcome.err, "\x1b")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "\\x1b[2J")) << outcome.err;
  const Outcome json = run_algprior({"group", "\x1b\x7f", "--json"});
  EXPECT_FALSE(contains(json.err, "\x7f")) << json.err;
  EXPECT_TRUE(nlohmann::json::accept(json.err)) << json.err;
}

TEST(Program, WithoutACommandItShowsHelp) {
  const Outcome outcome = run_algprior({});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "Subcommands:"));
}

TEST(Program, AFullDiskIsAnError) {
  EXPECT_EQ(run_program(kAlgprior, {{"--help"}, {}, false, "/dev/full"}).code, 1);
}

// 2026-11-18: it failed where OPENBLAS_CORETYPE was set for all programs.
TEST(Doctor, SaysWhatThereIs) {
  const TemporaryFolder folder;
  const Outcome outcome = run_program(kAlgprior, {{"doctor", "--json", "--threads", "1"},
                                                  {{"XDG_CACHE_HOME", folder.path().string()},
                                                   {"ALGPRIOR_RUNS", (folder / "runs").string()},
                                                   {"ALGPRIOR_DATA", ""},
                                                   {"OPENBLAS_CORETYPE", ""}}});
  ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(outcome.err, "");
  const auto document = nlohmann::json::parse(outcome.out);
  EXPECT_GE(document["cpu"]["cores"], 1);
  EXPECT_GT(document["memory"]["bytes"], 0);
  EXPECT_TRUE(document["problems"].empty());
  for (const auto& entry : document["folders"]) EXPECT_TRUE(entry["writable"]);
  for (const auto& set : document["data"]) EXPECT_EQ(set["missing"], set["files"]);
  EXPECT_EQ(document["libtorch"].is_null(), std::string(kTorchVersion).empty());
  if (!document["libtorch"].is_null()) {
    EXPECT_EQ(document["libtorch"]["threads"], 1);
    EXPECT_TRUE(
        std::string(kTorchVersion).starts_with(document["libtorch"]["version"].get<std::string>()));
    EXPECT_GT(document["blas"]["gflops_512"], 0.1);
    EXPECT_NE(document["blas"]["core"], "Prescott");
  }
  EXPECT_FALSE(std::filesystem::exists(folder / "runs"));  // it looks, and leaves nothing
}

TEST(Doctor, SaysWhatIsWrong) {
  const Outcome outcome = run_program(
      kAlgprior,
      {{"doctor"}, {{"XDG_CACHE_HOME", "/proc/none"}, {"ALGPRIOR_RUNS", "/dev/null/runs"}}});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "the runs folder cannot be written: /dev/null/runs"))
      << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "next: set ALGPRIOR_RUNS")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "the cache folder cannot be written")) << outcome.out;
}

// A copy of the program alone, without the shared library that stands beside it.
TEST(TorchModule, ItsAbsenceIsASentence) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const TemporaryFolder folder;
  std::filesystem::copy_file(kAlgprior, folder / "algprior");
  const std::string program = (folder / "algprior").string();
  EXPECT_EQ(run_program(program, {{"--version"}}).code, 0);
  EXPECT_EQ(run_program(program, {{"paper", "list"}}).code, 0);
  const Outcome outcome = run_program(program, {{"doctor"}});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "the part of algprior that needs LibTorch is missing"));
  EXPECT_TRUE(contains(outcome.out, (folder / "lib/libalgprior_program.so").string()));
  EXPECT_TRUE(contains(outcome.out, "install algprior again"));
}

TEST(TorchModule, AFileThatIsNoLibraryIsASentence) {
  if (!kHasTorch) GTEST_SKIP() << "built without LibTorch";
  const TemporaryFolder folder;
  std::filesystem::copy_file(kAlgprior, folder / "algprior");
  std::filesystem::create_directory(folder / "lib");
  std::filesystem::copy_file(kAlgprior, folder / "lib/libalgprior_program.so");
  const Outcome outcome = run_program((folder / "algprior").string(), {{"doctor"}});
  EXPECT_EQ(outcome.code, 1);
  EXPECT_TRUE(contains(outcome.out, "cannot load the part of algprior that needs LibTorch"))
      << outcome.out;
}

}  // namespace
}  // namespace algprior
