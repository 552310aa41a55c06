#include "program.hpp"

#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/version.hpp"
#include "children.hpp"
#include "exit_codes.hpp"
#include "help_text.hpp"
#include "interruption.hpp"
#include "spelling.hpp"
#include "torch_series.hpp"
#include "whole_number.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sys/prctl.h>

namespace algprior {
namespace {

constexpr int kMostThreads = 4096;

void print_version(Terminal& terminal) {
  const std::string commit = build_commit();
  const std::string torch = torch_series(kTorchVersion);
  if (terminal.json()) {
    terminal.print_json(nlohmann::ordered_json{{"version", kVersion},
                                               {"commit", commit},
                                               {"libtorch", torch},
                                               {"instruction_set", instruction_set()}});
    return;
  }
  terminal.print(fmt::format("algprior {}{}\nLibTorch {}\ninstruction set {}\n", kVersion,
                             commit.empty() ? "" : " (commit " + commit + ")",
                             torch.empty() ? "not built in" : torch, instruction_set()));
}

}  // namespace

Program::Program() : app_("Algebraic priors for approximately equivariant networks", "algprior") {
  app_.set_help_flag("-h,--help", "Show this text");
  app_.add_flag("-V,--version", version_,
                "Show the version, LibTorch, the instruction set, the commit");
  app_.require_subcommand(0, 1);
  app_.get_formatter()->column_width(28);
  app_.footer("algprior COMMAND --help explains a command and shows an example.");
  add_shared_options(app_);
}

CLI::App& Program::add_command(const CommandText& text) {
  return add_command(app_, text);
}

CLI::App& Program::add_command(CLI::App& parent, const CommandText& text) {
  CLI::App& command = *parent.add_subcommand(text.name, text.summary);
  if (&parent != &app_) parent.require_subcommand(1);
  command.footer("Example:\n  " + text.example);
  add_shared_options(command);
  return command;
}

void Program::on_run(const CLI::App& command, std::function<int(Context&)> run) {
  actions_[&command] = std::move(run);
}

void Program::add_shared_options(CLI::App& command) {
  command.add_flag("--json", json_, "Answer with one JSON document");
  command.add_option("--threads", threads_, "Threads to compute with (default: all cores)")
      ->check(whole_number(1, kMostThreads))
      ->type_name("N");
}

void Program::add_own_commands() {
  CLI::App& help =
      add_command({"help", "Explain a command, as --help does", "algprior help paper run"});
  help.add_option("command", words_, "the words of a command; none: the whole program");
  on_run(help, [this](Context& context) {
    const CLI::App* command = &app_;
    for (const std::string& word : words_) command = &command_of(*command, word);
    context.terminal.print(help_of(*command, help_width()));
    return kExitSuccess;
  });
  CLI::App& completion = add_command({"completion", "Print completions for bash, zsh or fish",
                                      "algprior completion bash > algprior.bash"});
  completion.add_option("shell", shell_, "bash, zsh or fish")->required();
  on_run(completion, [this](Context& context) {
    context.terminal.print(completion_script(app_, shell_));
    return kExitSuccess;
  });
  CLI::App& manual = add_command({"man", "Print the manual page", "algprior man | man -l -"});
  on_run(manual, [this](Context& context) {
    context.terminal.print(manual_page(app_, kVersion));
    return kExitSuccess;
  });
}

std::size_t Program::help_width() const {
  constexpr int kNarrowest = 40, kWidest = 110;
  return static_cast<std::size_t>(std::clamp(terminal_.width(), kNarrowest, kWidest));
}

const CLI::App& Program::chosen_command() const {
  const CLI::App* command = &app_;
  while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
  return *command;
}

int Program::run_command(int argc, const char* const* argv) {
  try {
    app_.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    // Help on a command that does not exist would be help on something else.
    if (Failure failure = unknown_command_failure(app_); !failure.what.empty()) {
      throw InputError(std::move(failure));
    }
    terminal_.print(help_of(chosen_command(), help_width()));
    return kExitSuccess;
  } catch (const CLI::ParseError& error) {
    terminal_.set_json(json_);
    throw to_input_error(app_, error);
  }
  terminal_.set_json(json_);
  if (version_) {
    print_version(terminal_);
    return kExitSuccess;
  }
  const auto action = actions_.find(&chosen_command());
  if (action == actions_.end()) {
    terminal_.note(help_of(app_, help_width()));
    return kExitUsage;
  }
  Context context{terminal_, threads_ > 0 ? threads_ : usable_cores()};
  set_thread_count(context.threads);
  return action->second(context);
}

int Program::run(int argc, const char* const* argv) {
  prctl(PR_SET_NAME, "algprior");  // begun anew through /proc/self/exe it would be listed as "exe"
  handle_signals();
  end_with_parent();
  try {
    add_own_commands();
    const int code = run_command(argc, argv);
    terminal_.flush();
    return code;
  } catch (const InputError& error) {
    terminal_.report(error);
    return kExitUsage;
  } catch (const Interrupted&) {
    terminal_.note("stopped");
    return stop_exit_code();
  } catch (const Error& error) {
    terminal_.report(error);
  } catch (const std::bad_alloc&) {
    terminal_.report(
        LimitError({"out of memory", "", "", "close other programs, or ask for less"}));
  } catch (const std::exception& error) {
    terminal_.report(Error({"unexpected failure", error.what(), "",
                            "please report it with the command line and algprior --version"}));
  }
  return kExitFailure;
}

}  // namespace algprior
