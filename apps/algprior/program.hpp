#pragma once

#include "terminal.hpp"

#include <functional>
#include <map>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace algprior {

/// What a running command is given.
struct Context {
  Terminal& terminal;
  int threads;  ///< all cores this process may use, unless --threads says otherwise
};

/// What --help says of a command. The example is a whole command line that works.
struct CommandText {
  std::string name;
  std::string summary;
  std::string example;
};

/// The frame of the program: commands, the options that all of them share (--json, --threads,
/// --help), errors with suggestions, exit codes.
///
/// A command is one file, `x_command.cpp`, with one function declared in commands.hpp:
///
///     void add_group_command(Program& program) {
///       auto options = std::make_shared<Options>();
///       CLI::App& command = program.add_command({"group", "describe a finite group", "algprior
///       group D4"}); command.add_option("group", options->name, "name, presentation or
///       permutations")->required(); program.on_run(command, [options](Context& context) { return
///       run(*options, context); });
///     }
///
/// `run` prints through context.terminal (JSON when terminal.json()), returns 0, and throws Error
/// to fail: InputError exits with 2, Interrupted with 130 or 75 (exit_codes.hpp), anything else
/// with 1.
class Program {
 public:
  Program();

  CLI::App& add_command(const CommandText& text);
  /// A command of a command: `data` → `data get`. The parent then needs no on_run.
  CLI::App& add_command(CLI::App& parent, const CommandText& text);
  void on_run(const CLI::App& command, std::function<int(Context&)> run);

  /// Parses the command line, runs the command, returns the exit code.
  int run(int argc, const char* const* argv);

 private:
  void add_shared_options(CLI::App& command);
  /// help, completion and man, which every program of this frame has.
  void add_own_commands();
  std::size_t help_width() const;
  int run_command(int argc, const char* const* argv);
  const CLI::App& chosen_command() const;

  CLI::App app_;
  Terminal terminal_;
  std::map<const CLI::App*, std::function<int(Context&)>> actions_;
  bool json_ = false;
  bool version_ = false;
  int threads_ = 0;
  std::vector<std::string> words_;  // of help
  std::string shell_;               // of completion
};

}  // namespace algprior
