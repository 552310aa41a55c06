#include "program.hpp"

#include "algprior/base/cpu.hpp"
#include "algprior/base/error.hpp"
#include "algprior/base/parallel.hpp"
#include "algprior/version.hpp"
#include "exit_codes.hpp"
#include "interruption.hpp"
#include "spelling.hpp"

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
  const std::string torch = kTorchVersion;
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

std::string help_of(const CLI::App& command) {
  const CLI::App* parent = command.get_parent();
  return command.help(parent == nullptr ? "" : command_path(*parent));
}

}  // namespace

Program::Program() : app_("Algebraic priors for approximately equivariant networks", "algprior") {
  app_.set_help_flag("-h,--help", "Show this text");
  app_.add_flag("--version", version_,
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
      ->check(CLI::Range(1, kMostThreads).description(""))
      ->type_name("N");
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
    terminal_.print(help_of(chosen_command()));
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
    terminal_.note(help_of(app_));
    return kExitUsage;
  }
  Context context{terminal_, threads_ > 0 ? threads_ : usable_cores()};
  set_thread_count(context.threads);
  return action->second(context);
}

int Program::run(int argc, const char* const* argv) {
  prctl(PR_SET_NAME, "algprior");  // begun anew through /proc/self/exe it would be listed as "exe"
  handle_signals();
  try {
    const int code = run_command(argc, argv);
    terminal_.flush();
    return code;
  } catch (const InputError& error) {
    terminal_.report(error);
    return kExitUsage;
  } catch (const Interrupted&) {
    terminal_.note("stopped");
    return kExitInterrupted;
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
