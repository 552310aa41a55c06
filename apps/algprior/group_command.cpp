#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "commands.hpp"
#include "figure_file.hpp"
#include "group_report.hpp"
#include "program.hpp"
#include "progress_bar.hpp"
#include "whole_number.hpp"

#include <memory>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {
namespace {

// The library names its bounds; here they are options.
LimitError with_options_named(const LimitError& error) {
  Failure failure = error.failure();
  for (const auto& [bound, option] :
       {std::pair("max_order", "--max-order"), std::pair("max_cosets", "--max-cosets")}) {
    const std::size_t at = failure.next.find(bound);
    if (at != std::string::npos) failure.next.replace(at, std::string_view(bound).size(), option);
  }
  return LimitError(std::move(failure));
}

Group group_of(const GroupOptions& options) {
  try {
    return make_group(options.spec, options.limits);
  } catch (const LimitError& error) {
    throw with_options_named(error);
  }
}

GroupFacts facts_of(const Group& group, const GroupOptions& options, Terminal& terminal) {
  ProgressBar bar(terminal, "characters", "steps");
  GroupFacts facts{character_table(group, bar.sink()), {}, {}, {}};
  if (options.irreps) {
    bar.restart("irreducible representations");
    facts.irreps = irreducible_representations(facts.table, bar.sink());
    facts.real_irreps = real_irreducible_representations(facts.table, facts.irreps);
  }
  if (!options.decompose.empty()) {
    facts.decomposition = decompose_for_report(facts.table, options.decompose, bar);
  }
  return facts;
}

int run_group(const GroupOptions& options, Context& context) {
  const Group group = group_of(options);
  constexpr std::size_t kMaxTable = 2000;
  if (options.table && group.order() > kMaxTable) {
    throw LimitError(
        {"the multiplication table is too large",
         fmt::format("{} has {} products", group.name(), group.order() * group.order()),
         fmt::format("a group of order {} or less", kMaxTable), "leave out --table"});
  }
  if (!options.figure.empty()) {
    const report::Figure figure = options.figure == "cayley" ? report::cayley_figure(group)
                                                             : report::characters_figure(group);
    write_figure(figure, {options.output, options.theme, options.scale}, context);
    return 0;
  }
  const GroupFacts facts = facts_of(group, options, context.terminal);
  if (context.terminal.json()) {
    context.terminal.print_json(group_json(facts, options));
  } else {
    context.terminal.print(group_text(facts, options, context.terminal));
  }
  return 0;
}

}  // namespace

void add_group_command(Program& program) {
  auto options = std::make_shared<GroupOptions>();
  CLI::App& command =
      program.add_command({"group", "Describe a finite group: classes, characters, representations",
                           "algprior group \"<r,s | r^4, s^2, (r*s)^2>\" --decompose regular"});
  command
      .add_option(
          "group", options->spec,
          "a name (D4, S5, D4xD4, C2^3, C8:5C2, Oh, SL(2,3)), permutations \"(1,2,3,4);(1,2)\", a "
          "presentation \"<r,s | r^4, s^2, (r*s)^2>\" or a table \"[[0,1],[1,0]]\"")
      ->required();
  command.add_flag("--irreps", options->irreps,
                   "show the matrices of the irreducible representations, over C and over R");
  command.add_flag("--elements", options->elements, "list the elements");
  command.add_flag("--table", options->table, "show the multiplication table");
  command.add_flag("--subgroups", options->subgroups, "list the subgroups up to conjugacy");
  command.add_option("--decompose", options->decompose,
                     "decompose a representation: regular, defining, or a file with one matrix for "
                     "each generator: NPZ or safetensors with arrays named like the generators, or "
                     "NPY of shape [generators, d, d]; real or complex");
  CLI::Option* figure =
      command
          .add_option("--figure", options->figure, "draw it: cayley or characters, into -o FILE")
          ->check(CLI::IsMember({"cayley", "characters"}));
  add_figure_options(command, options->output, options->theme, options->scale);
  figure->needs("--output");
  command.get_option("--output")->needs(figure);
  constexpr std::int64_t kLargest = 1'000'000'000;
  command.add_option("--max-order", options->limits.max_order, "largest group to enumerate")
      ->check(whole_number(1, kLargest))
      ->capture_default_str();
  command
      .add_option("--max-cosets", options->limits.max_cosets,
                  "largest coset table for a presentation")
      ->check(whole_number(1, kLargest))
      ->capture_default_str();
  program.on_run(command, [options](Context& context) { return run_group(*options, context); });
}

}  // namespace algprior
