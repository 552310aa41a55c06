#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/paper/statistics.hpp"
#include "algprior/rep/character_table.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace algprior::report {
namespace {

using Offers = std::vector<std::pair<std::string, std::string>>;

constexpr std::string_view kMultiplicity = "multiplicity_by_eigenvalues/";
constexpr const char* kElementFile = "element_error.csv";

// A null model has no network: its multiplicities are means over its seeds.
bool is_null_model(const Run& run) {
  return run.metric("seeds").has_value() && run.result && run.result->parameters == 0;
}

std::vector<std::string> characters_in(const RunSet& set) {
  std::set<std::string> names;
  for (const Run& run : set.runs) {
    if (!run.result) continue;
    for (const auto& [name, value] : run.result->metrics) {
      if (name.starts_with(kMultiplicity)) names.insert(name.substr(kMultiplicity.size()));
    }
  }
  return {names.begin(), names.end()};
}

// The experiment whose learned representations are shown: the first with multiplicities and a
// network. Runs of other groups have other characters.
std::string shown_experiment(const RunSet& set) {
  for (const Run& run : set.runs) {
    if (!run.result || is_null_model(run)) continue;
    for (const auto& [name, value] : run.result->metrics) {
      if (name.starts_with(kMultiplicity)) return run.experiment;
    }
  }
  return "";
}

Offers offer_multiplicities(const RunSet& set) {
  if (shown_experiment(set).empty()) return {};
  return {{std::string(kMultiplicityFigure.name), std::string(kMultiplicityFigure.title)}};
}

// A character by its values on the generators, as the metrics of a run name it: "r:1 s:-1".
std::string on_generators(const CharacterTable& table, std::size_t i) {
  const Group& group = table.group();
  std::string name;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    const auto c = group.classes().class_of[group.generators()[k]];
    name += fmt::format("{}{}:{}", k == 0 ? "" : " ", group.generator_names()[k],
                        to_string(table.exact(i, c)));
  }
  return name;
}

// In the regular representation a character stands as often as its degree says; `latent` dimensions
// hold latent / |G| copies of it.
std::map<std::string, double> regular_multiplicities(const Run& run) {
  std::map<std::string, double> result;
  try {
    const Group group = make_group(run.setting("data.group"));
    const std::string latent = run.setting("network.latent");
    double dimension = 0;
    std::from_chars(latent.data(), latent.data() + latent.size(), dimension);
    const CharacterTable table = character_table(group);
    std::vector<std::string> names;
    for (std::size_t i = 0; i < table.count(); ++i) names.push_back(on_generators(table, i));
    for (std::size_t i = 0; i < table.count(); ++i) {
      const bool shared = std::count(names.begin(), names.end(), names[i]) > 1;
      result[shared ? fmt::format("{} #{}", names[i], i) : names[i]] =
          table.degree(i) * dimension / static_cast<double>(group.order());
    }
  } catch (const Error&) {  // without a group there is nothing to compare with
  }
  return result;
}

Figure make_multiplicities(std::string_view, const RunSet& set) {
  const std::string experiment = shown_experiment(set);
  const std::vector<std::string> characters = characters_in(set);
  std::vector<const Run*> ours;
  const Run* null = nullptr;
  std::set<std::string> own;
  for (const Run& run : set.runs) {
    if (!run.result) continue;
    if (run.experiment == experiment && !is_null_model(run)) ours.push_back(&run);
  }
  for (const std::string& name : characters) {
    for (const Run* run : ours) {
      if (run->metric(std::string(kMultiplicity) + name)) own.insert(name);
    }
  }
  // The null model of the same group has the same characters, no more and no fewer.
  for (const Run& run : set.runs) {
    if (null != nullptr || !is_null_model(run)) continue;
    const RunSet alone{{run}, {}};
    const auto names = characters_in(alone);
    if (std::set<std::string>(names.begin(), names.end()) == own) null = &run;
  }
  const auto regular = regular_multiplicities(*ours.front());
  BarChart chart;
  chart.title = "Multiplicities in ρ̂, " + experiment;
  chart.label = "multiplicity";
  chart.series = {"learned (mean of runs, dots: runs)"};
  const bool has_regular = std::any_of(own.begin(), own.end(),
                                       [&](const std::string& n) { return regular.contains(n); });
  if (has_regular) chart.series.push_back("regular representation");
  if (null != nullptr) chart.series.push_back("null model (mean of its seeds)");
  Figure figure;
  figure.title = "Multiplicities of irreducible representations";
  figure.numbers.columns = {"character on generators", "learned", "runs"};
  if (has_regular) figure.numbers.columns.push_back("regular");
  if (null != nullptr) figure.numbers.columns.push_back("null model");
  for (const std::string& name : own) {
    std::vector<double> values;
    for (const Run* run : ours) {
      if (const auto value = run->metric(std::string(kMultiplicity) + name);
          value && std::isfinite(*value)) {
        values.push_back(*value);
      }
    }
    if (values.empty()) continue;
    const Summary summary = summarize(values);
    chart.categories.push_back(name);
    std::vector<std::optional<BarValue>> bars;
    bars.push_back(BarValue{
        summary.mean, summary.count > 1 ? std::optional(summary.deviation) : std::nullopt, values});
    std::vector<std::string> row{name, number_text(summary.mean), std::to_string(summary.count)};
    if (has_regular) {
      const auto entry = regular.find(name);
      bars.push_back(entry == regular.end()
                         ? std::nullopt
                         : std::optional(BarValue{entry->second, std::nullopt, {}}));
      row.push_back(entry == regular.end() ? "–" : number_text(entry->second));
    }
    if (null != nullptr) {
      const auto value = null->metric(std::string(kMultiplicity) + name);
      bars.push_back(value ? std::optional(BarValue{*value, std::nullopt, {}}) : std::nullopt);
      row.push_back(value ? number_text(*value) : "–");
    }
    chart.values.push_back(std::move(bars));
    figure.numbers.rows.push_back(std::move(row));
  }
  figure.description = fmt::format(
      "How often each irreducible character occurs in the learned representation of {} ({}){}{}. "
      "Whiskers: sample standard deviation.",
      experiment, count_text(ours.size(), "run"),
      has_regular ? ", beside the regular representation of the same dimension" : "",
      null != nullptr ? " and the null model, which has neither network nor data" : "");
  Svg svg;
  std::vector<LegendEntry> legend;
  for (std::size_t s = 0; s < chart.series.size(); ++s) {
    legend.push_back({chart.series[s], s, LegendEntry::Kind::kArea});
  }
  const double below = legend_height(legend, kFigureWidth - 24);
  draw_bars(svg, {8, 6, kFigureWidth - 16, 290}, chart);
  draw_legend(svg, {12, 304, kFigureWidth - 24, below}, legend);
  return finish(std::move(figure), svg, kFigureWidth, 308 + below);
}

Offers offer_elements(const RunSet& set) {
  return offer_file(set, kElementFile, kElementFigure);
}

// element_error.csv: "element,error" for the measured network, or "epoch,element,error" over
// training, of which the last epoch counts. Elements by their index; a column "word" names them.
std::map<std::size_t, double> read_element_errors(const Run& run,
                                                  std::map<std::size_t, std::string>& words) {
  const io::CsvTable table = io::read_csv(run.folder / kElementFile);
  const io::CsvColumn &element = table.column("element"), &error = table.column("error");
  const auto epoch = std::find_if(table.columns.begin(), table.columns.end(),
                                  [](const io::CsvColumn& c) { return c.name == "epoch"; });
  if (!element.numeric || !error.numeric || (epoch != table.columns.end() && !epoch->numeric)) {
    throw FileError({"cannot read the errors of group elements", table.file,
                     "numbers in the columns element and error", "measure the run again"});
  }
  std::map<std::size_t, std::pair<double, double>> last;
  for (std::size_t i = 0; i < table.rows; ++i) {
    if (!(element.numbers[i] >= 0 && element.numbers[i] < 1e6)) continue;
    const double when = epoch == table.columns.end() ? 0 : epoch->numbers[i];
    auto& entry =
        last.try_emplace(static_cast<std::size_t>(element.numbers[i]), when, NAN).first->second;
    if (when >= entry.first) entry = {when, error.numbers[i]};
  }
  const auto word = std::find_if(table.columns.begin(), table.columns.end(),
                                 [](const io::CsvColumn& c) { return c.name == "word"; });
  if (word != table.columns.end() && !word->numeric) {
    for (std::size_t i = 0; i < table.rows; ++i) {
      if (element.numbers[i] >= 0 && element.numbers[i] < 1e6) {
        words.try_emplace(static_cast<std::size_t>(element.numbers[i]), word->texts[i]);
      }
    }
  }
  std::map<std::size_t, double> errors;
  for (const auto& [index, entry] : last) errors[index] = entry.second;
  return errors;
}

Figure make_elements(std::string_view, const RunSet& set) {
  const Run& first = *first_with(set, kElementFile);
  std::optional<Group> group;
  try {
    group = make_group(first.setting("data.group"));
  } catch (const Error&) {  // the elements are then shown by their numbers
  }
  HeatMap map;
  map.scale_label = "error";
  std::vector<std::map<std::size_t, double>> rows;
  std::map<std::size_t, std::string> words;
  std::size_t count = 0;
  for (const Run& run : set.runs) {
    if (!run.has(kElementFile) || run.setting("data.group") != first.setting("data.group"))
      continue;
    rows.push_back(read_element_errors(run, words));
    map.rows.push_back(several_experiments(set) ? run.name()
                                                : fmt::format("{}/{}", run.row, run.seed));
    if (!rows.back().empty()) count = std::max(count, rows.back().rbegin()->first + 1);
  }
  // The group of the settings may be a factor of the one that acts: D4 on each digit of a pair.
  if (group && count > group->order()) group.reset();
  if (group) count = group->order();
  map.title = "Equivariance error by group element" + (group ? ", " + group->name() : "");
  count = std::min<std::size_t>(count, 256);
  std::vector<Element> order;
  if (group && group->order() <= count) {
    order = cayley_order(*group, &map.breaks);
    if (map.breaks.size() > 24) map.breaks.clear();
  } else {
    for (std::size_t i = 0; i < count; ++i) order.push_back(static_cast<Element>(i));
  }
  Figure figure;
  figure.numbers.columns = {"element"};
  for (const std::string& name : map.rows) figure.numbers.columns.push_back(name);
  double largest = 0;
  for (const Element g : order) {
    const auto word = words.find(g);
    map.columns.push_back(group                 ? element_name(*group, g)
                          : word != words.end() ? word->second
                                                : std::to_string(g));
    figure.numbers.rows.push_back({map.columns.back()});
  }
  for (const auto& row : rows) {
    auto& values = map.values.emplace_back();
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto entry = row.find(order[i]);
      values.push_back(entry == row.end() ? NAN : entry->second);
      if (std::isfinite(values.back())) largest = std::max(largest, values.back());
      figure.numbers.rows[i].push_back(number_text(values.back()));
    }
  }
  map.high = largest > 0 ? largest : 1;
  figure.description = fmt::format(
      "Equivariance error of {} for each of {} group elements; cosets of the first generator stand "
      "together. Lower is better.",
      count_text(map.rows.size(), "run"), order.size());
  Svg svg;
  const double height = heat_map_height(map, kFigureWidth - 16);
  draw_heat_map(svg, {8, 6, kFigureWidth - 16, height}, map);
  return finish(std::move(figure), svg, kFigureWidth, height + 10);
}

}  // namespace

const FigureKind kMultiplicityFigure = {
    "multiplicities", "Multiplicities of irreducible representations",
    "a result with metrics multiplicity/…", offer_multiplicities, make_multiplicities};
const FigureKind kElementFigure = {"elements", "Equivariance error by group element",
                                   "element_error.csv in a run folder", offer_elements,
                                   make_elements};

}  // namespace algprior::report
