// The frame of algprior with commands that behave in every way a command can.
#include "algprior/base/error.hpp"
#include "algprior/base/interrupt.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <chrono>
#include <new>
#include <stdexcept>
#include <thread>

#include <nlohmann/json.hpp>

namespace {

using algprior::Context;

void add(algprior::Program& program, const std::string& name, std::function<int(Context&)> run) {
  program.on_run(program.add_command({name, "behaves so", "frame " + name}), std::move(run));
}

void rest() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

int hear_the_stop(Context& context) {
  context.terminal.print("working\n");
  context.terminal.flush();
  while (true) {
    algprior::throw_if_stopped();
    rest();
  }
}

int never_hear_it(Context& context) {
  context.terminal.print("working\n");
  context.terminal.flush();
  while (true) rest();
}

int print_much(Context& context) {
  for (int i = 0; i < 100000; ++i) context.terminal.print("a line of output\n");
  context.terminal.flush();
  context.terminal.note("work done");
  return 0;
}

int show_progress(Context& context) {
  algprior::ProgressBar bar(context.terminal, "counting", "steps");
  for (std::uint64_t i = 0; i <= 200; ++i) {
    bar.update(i, 200);
    rest();
  }
  context.terminal.print("counted\n");
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  algprior::Program program;
  add(program, "fine", [](Context&) { return 0; });
  add(program, "input", [](Context&) -> int {
    throw algprior::InputError({"wrong word", "\"x\"", "y", "write y"});
  });
  add(program, "file", [](Context&) -> int {
    throw algprior::FileError({"no file", "a", "", ""});
  });
  add(program, "limit", [](Context&) -> int {
    throw algprior::LimitError({"too large", "", "", ""});
  });
  add(program, "memory", [](Context&) -> int { throw std::bad_alloc(); });
  add(program, "surprise", [](Context&) -> int { throw std::runtime_error("odd"); });
  add(program, "hear", hear_the_stop);
  add(program, "deaf", never_hear_it);
  add(program, "much", print_much);
  add(program, "progress", show_progress);
  add(program, "colour", [](Context& context) {
    context.terminal.print(context.terminal.styled(algprior::Style::kGood, "green") + "\n");
    return 0;
  });
  add(program, "threads", [](Context& context) {
    context.terminal.print(std::to_string(context.threads) + "\n");
    return 0;
  });
  CLI::App& parent = program.add_command({"parent", "has children", "frame parent child"});
  CLI::App& child = program.add_command(parent, {"child", "is one", "frame parent child"});
  static std::string word;
  child.add_option("word", word, "any word")->required();
  program.on_run(child, [](Context& context) {
    context.terminal.print(word + "\n");
    return 0;
  });
  return program.run(argc, argv);
}
