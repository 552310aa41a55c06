#include "algprior/base/error.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/report/markup.hpp"
#include "figure_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr const char* kEigenvalueFile = "eigenvalues.csv";

struct Eigenvalue {
  double real, imaginary;
  std::size_t root;
};

// eigenvalues.csv: step → generator → eigenvalues.
using Trajectory = std::map<std::int64_t, std::map<std::size_t, std::vector<Eigenvalue>>>;

Trajectory read_trajectory(const Run& run) {
  const io::CsvTable table = io::read_csv(run.folder / kEigenvalueFile);
  const auto numbers = [&](const char* name) -> const std::vector<double>& {
    const io::CsvColumn& column = table.column(name);
    if (column.numeric) return column.numbers;
    throw FileError({"an eigenvalue file is damaged",
                     fmt::format("{}:{}", table.file, column.first_text_line),
                     fmt::format("numbers in the column {}", name),
                     "remove it; it is written again by a new run"});
  };
  const auto &step = numbers("step"), &generator = numbers("generator"), &real = numbers("real"),
             &imaginary = numbers("imaginary"), &root = numbers("nearest_root");
  Trajectory trajectory;
  for (std::size_t i = 0; i < table.rows; ++i) {
    const bool whole = step[i] >= 0 && step[i] < 1e15 && generator[i] >= 0 && generator[i] < 64 &&
                       root[i] >= 0 && root[i] < 4096;
    if (!whole) {
      throw FileError({"an eigenvalue file is damaged", fmt::format("{}:{}", table.file, i + 2),
                       "a step, a generator and a root that are small counts",
                       "remove it; it is written again by a new run"});
    }
    trajectory[static_cast<std::int64_t>(step[i])][static_cast<std::size_t>(generator[i])]
        .push_back({real[i], imaginary[i], static_cast<std::size_t>(root[i])});
  }
  return trajectory;
}

// What the group says of generator k; without a group, what the file shows.
struct GeneratorNames {
  std::vector<std::string> names;
  std::vector<std::size_t> orders;
};

GeneratorNames generators_of(const Run& run, const Trajectory& trajectory) {
  GeneratorNames result;
  std::size_t count = 0;
  for (const auto& [step, all] : trajectory) {
    for (const auto& [generator, values] : all) count = std::max(count, generator + 1);
  }
  result.orders.assign(count, 1);
  for (std::size_t k = 0; k < count; ++k) result.names.push_back(fmt::format("s{}", k + 1));
  for (const auto& [step, all] : trajectory) {
    for (const auto& [generator, values] : all) {
      for (const Eigenvalue& value : values) {
        result.orders[generator] = std::max(result.orders[generator], value.root + 1);
      }
    }
  }
  try {
    const Group group = make_group(run.setting("data.group"));
    for (std::size_t k = 0; k < count && k < group.generators().size(); ++k) {
      result.names[k] = group.generator_names()[k];
      result.orders[k] = std::max(result.orders[k], group.element_order(group.generators()[k]));
    }
  } catch (const Error&) {  // no settings, or a group of another version
  }
  return result;
}

std::string root_text(std::size_t k, std::size_t order) {
  if (k == 0) return "1";
  if (2 * k == order) return "-1";
  if (4 * k == order) return "i";
  if (4 * k == 3 * order) return "-i";
  return k == 1 ? fmt::format("ζ{}", order) : fmt::format("ζ{}^{}", order, k);
}

// The first, the last and two between, each twice as far as the one before or more.
std::vector<std::int64_t> chosen_steps(const Trajectory& trajectory) {
  std::vector<std::int64_t> steps;
  for (const auto& [step, all] : trajectory) steps.push_back(step);
  if (steps.size() <= 4) return steps;
  const double last = static_cast<double>(steps.back());
  std::vector<std::int64_t> chosen{steps.front()};
  for (const double share : {0.03, 0.25}) {
    const auto place =
        std::lower_bound(steps.begin(), steps.end(), static_cast<std::int64_t>(share * last));
    if (place != steps.end() && *place > chosen.back() && *place < steps.back()) {
      chosen.push_back(*place);
    }
  }
  chosen.push_back(steps.back());
  return chosen;
}

void draw_plane(Svg& svg, const Box& box, const std::vector<Eigenvalue>& values, std::size_t order,
                const std::string& title) {
  double radius = 1.25;
  for (const Eigenvalue& v : values) {
    const double size = std::hypot(v.real, v.imaginary);
    if (std::isfinite(size)) radius = std::max(radius, size * 1.08);
  }
  const Point centre{box.x + box.width / 2, box.y + 20 + (box.height - 20) / 2};
  const double unit = (std::min(box.width, box.height - 20) / 2 - 4) / radius;
  const auto place = [&](double re, double im) {
    return Point{centre.x + unit * re, centre.y - unit * im};
  };
  svg.text({centre.x, box.y + 12}, title, "tx", Anchor::kMiddle);
  svg.line(place(-radius, 0), place(radius, 0), "gr");
  svg.line(place(0, -radius), place(0, radius), "gr");
  svg.circle(centre, unit, "ax");
  for (std::size_t k = 0; k < order; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(order);
    const Point at = place(std::cos(angle), std::sin(angle));
    svg.path(fmt::format("M{0},{2}L{1},{3}M{0},{3}L{1},{2}", coordinate(at.x - 5),
                         coordinate(at.x + 5), coordinate(at.y - 5), coordinate(at.y + 5)),
             "wk");
  }
  for (const Eigenvalue& v : values) {
    if (std::isfinite(v.real) && std::isfinite(v.imaginary)) {
      svg.circle(place(v.real, v.imaginary), 3.2, fill_class(v.root) + " mk ev");
    }
  }
}

Figure make_eigenvalues(std::string_view, const RunSet& set) {
  const Run& run = *first_with(set, kEigenvalueFile);
  const Trajectory trajectory = read_trajectory(run);
  const GeneratorNames generators = generators_of(run, trajectory);
  const auto steps = chosen_steps(trajectory);
  const double side = 178, height = side + 20;
  Svg svg;
  Figure figure;
  figure.title = "Eigenvalues of the learned matrices";
  figure.description = fmt::format(
      "Run {}: eigenvalues of ρ̂ at {} steps of training in the complex plane; circle: the unit "
      "circle, "
      "crosses: the roots of unity that the generator's order allows, colours: the nearest root.",
      run.name(), steps.size());
  figure.numbers.columns = {"generator", "step", "root of unity", "eigenvalues",
                            "largest distance"};
  svg.text({10, 18}, "Eigenvalues of ρ̂, " + run.name(), "tt");
  for (std::size_t k = 0; k < generators.names.size(); ++k) {
    const double y = 30 + height * static_cast<double>(k);
    svg.text({18, y + height / 2 + 10}, generators.names[k], "tt", Anchor::kMiddle);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const auto& all = trajectory.at(steps[i]);
      const auto entry = all.find(k);
      if (entry == all.end()) continue;
      draw_plane(svg, {36 + side * static_cast<double>(i), y, side - 8, height - 6}, entry->second,
                 generators.orders[k], fmt::format("step {}", steps[i]));
      for (std::size_t root = 0; root < generators.orders[k]; ++root) {
        const double angle = 2 * std::numbers::pi * static_cast<double>(root) /
                             static_cast<double>(generators.orders[k]);
        std::size_t count = 0;
        double largest = 0;
        for (const Eigenvalue& v : entry->second) {
          if (v.root != root) continue;
          ++count;
          largest = std::max(largest,
                             std::hypot(v.real - std::cos(angle), v.imaginary - std::sin(angle)));
        }
        figure.numbers.rows.push_back({generators.names[k], std::to_string(steps[i]),
                                       root_text(root, generators.orders[k]), std::to_string(count),
                                       count == 0 ? "–" : number_text(largest, 3)});
      }
    }
  }
  return finish(std::move(figure), svg,
                44 + side * static_cast<double>(std::max<std::size_t>(1, steps.size())),
                34 + height * static_cast<double>(generators.names.size()));
}

// Counts at each root over training, one panel a generator.
Figure make_counts(std::string_view, const RunSet& set) {
  const Run& run = *first_with(set, kEigenvalueFile);
  const Trajectory trajectory = read_trajectory(run);
  const GeneratorNames generators = generators_of(run, trajectory);
  Svg svg;
  Figure figure;
  figure.title = "Eigenvalues at each root of unity";
  figure.description = fmt::format(
      "Run {}: how many eigenvalues of ρ̂ are nearest to which root of unity, over training.",
      run.name());
  figure.numbers.columns = {"generator", "step"};
  const auto count = static_cast<double>(std::max<std::size_t>(1, generators.names.size()));
  const double panel = (kFigureWidth - 16) / count;
  double bottom = 0;
  for (std::size_t k = 0; k < generators.names.size(); ++k) {
    Chart chart;
    chart.title = "generator " + generators.names[k];
    chart.x_label = "step";
    chart.y_label = k == 0 ? "eigenvalues" : "";
    chart.logarithmic_y = false;
    std::vector<LegendEntry> legend;
    for (std::size_t root = 0; root < generators.orders[k] && root < 12; ++root) {
      ChartSeries series;
      series.name = root_text(root, generators.orders[k]);
      series.style = root;
      double before = NAN;
      for (const auto& [step, all] : trajectory) {
        const auto entry = all.find(k);
        if (entry == all.end()) continue;
        const auto here =
            static_cast<double>(std::count_if(entry->second.begin(), entry->second.end(),
                                              [&](const Eigenvalue& v) { return v.root == root; }));
        const auto x = static_cast<double>(step);
        if (std::isfinite(before) && before != here) series.line.push_back({x, before});
        series.line.push_back({x, here});
        before = here;
      }
      legend.push_back({series.name, root});
      chart.series.push_back(std::move(series));
    }
    const double x = 8 + panel * static_cast<double>(k);
    draw_chart(svg, {x, 6, panel - 8, 240}, chart);
    const double below = legend_height(legend, panel - 20);
    draw_legend(svg, {x + 6, 252, panel - 20, below}, legend);
    bottom = std::max(bottom, 256 + below);
  }
  std::size_t widest = 1;
  for (const std::size_t order : generators.orders) widest = std::max(widest, order);
  for (std::size_t root = 0; root < widest; ++root) {
    figure.numbers.columns.push_back(fmt::format("root {}", root));
  }
  const auto steps = chosen_steps(trajectory);
  for (std::size_t k = 0; k < generators.names.size(); ++k) {
    for (const std::int64_t step : steps) {
      std::vector<std::string> row{generators.names[k], std::to_string(step)};
      const auto& all = trajectory.at(step);
      for (std::size_t root = 0; root < widest; ++root) {
        const auto entry = all.find(k);
        const bool there = entry != all.end() && root < generators.orders[k];
        row.push_back(there ? std::to_string(std::count_if(
                                  entry->second.begin(), entry->second.end(),
                                  [&](const Eigenvalue& v) { return v.root == root; }))
                            : "–");
      }
      figure.numbers.rows.push_back(std::move(row));
    }
  }
  figure.numbers.note = "Root k is exp(2πik/n) with n the order of the generator.";
  return finish(std::move(figure), svg, kFigureWidth, bottom + 4);
}

std::vector<std::pair<std::string, std::string>> offer_eigenvalues(const RunSet& set) {
  return offer_file(set, kEigenvalueFile, kEigenvalueFigure);
}

std::vector<std::pair<std::string, std::string>> offer_counts(const RunSet& set) {
  return offer_file(set, kEigenvalueFile, kEigenvalueCountFigure);
}

}  // namespace

const FigureKind kEigenvalueFigure = {"eigenvalues", "Eigenvalues of the learned matrices",
                                      "eigenvalues.csv in a run folder", offer_eigenvalues,
                                      make_eigenvalues};
const FigureKind kEigenvalueCountFigure = {"eigenvalue-counts", "Eigenvalues at each root of unity",
                                           "eigenvalues.csv in a run folder", offer_counts,
                                           make_counts};

}  // namespace algprior::report
