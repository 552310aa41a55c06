#include "algprior/base/table.hpp"
#include "algprior/base/text.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/group/subgroup.hpp"
#include "algprior/rep/character_text.hpp"
#include "algprior/rep/irreps.hpp"
#include "group_report.hpp"
#include "terminal.hpp"

#include <cmath>

#include <fmt/format.h>

namespace algprior {
namespace {

/// The first row names the columns; a rule stands before row `rule_before`.
std::string wrapped(const std::vector<std::vector<std::string>>& cells, std::size_t rule_before,
                    std::size_t width) {
  std::vector<Column> columns{{"", Align::kLeft}};
  columns.resize(cells.front().size(), Column{"", Align::kRight});
  Table table(std::move(columns));
  for (std::size_t r = 0; r < cells.size(); ++r) {
    if (r == rule_before) table.add_rule();
    table.add_row(cells[r]);
  }
  return table.to_text(width);
}

std::string lines_of(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text + "\n";
  std::string result;
  for (const std::string& line : wrap_words(text, width)) result += line + "\n";
  return result;
}

std::string summary(const CharacterTable& table, const Terminal& terminal, std::size_t width) {
  const Group& group = table.group();
  const std::string facts = terminal.styled(Style::kBold, group.name()) + "  " + facts_text(table);
  const std::string remark = group.remark().empty() ? "" : lines_of(group.remark(), width);
  return lines_of(facts, width) + lines_of(to_string(group.presentation()), width) + remark;
}

/// Six digits; rounding errors of exact zeros and of exact negative zeros are not shown.
double clean(double x) {
  return std::abs(x) < 5e-7 ? 0.0 : x;
}

std::string number_text(std::complex<double> value) {
  const double x = clean(value.real()), y = clean(value.imag());
  if (y == 0) return fmt::format("{:.6g}", x);
  const std::string imaginary =
      std::abs(std::abs(y) - 1) < 5e-7 ? (y < 0 ? "-i" : "i") : fmt::format("{:.6g}i", y);
  if (x == 0) return imaginary;
  return fmt::format("{:.6g}{}{}", x, y < 0 ? "" : "+", imaginary);
}

std::string matrix_text(const std::string& name, const Eigen::MatrixXcd& matrix,
                        std::size_t width) {
  std::vector<Column> columns{{"", Align::kLeft}};
  columns.resize(1 + static_cast<std::size_t>(matrix.cols()), Column{"", Align::kRight});
  Table table(std::move(columns));
  for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
    std::vector<std::string> row{i == 0 ? "  " + name + " =" : ""};
    for (Eigen::Index j = 0; j < matrix.cols(); ++j) row.push_back(number_text(matrix(i, j)));
    table.add_row(std::move(row));
  }
  return table.to_text(width);
}

std::string matrices_of(const Representation& representation, std::size_t width) {
  const Group& group = representation.group();
  std::string text;
  for (std::size_t s = 0; s < group.generators().size(); ++s) {
    text += matrix_text(group.generator_names()[s],
                        representation.complex_matrix(group.generators()[s]), width);
  }
  return text;
}

std::string irreps_text(const GroupFacts& facts, std::size_t width) {
  const CharacterTable& table = facts.table;
  std::string text;
  for (std::size_t i = 0; i < table.count(); ++i) {
    text += fmt::format("{}, degree {}, {} type\n{}", character_name(i), table.degree(i),
                        type_name(table.frobenius_schur(i)), matrices_of(facts.irreps[i], width));
  }
  for (const RealIrreducible& irrep : facts.real_irreps) {
    if (irrep.type == RealType::kReal) continue;  // the same matrices as above
    text += fmt::format("{} over R, degree {}\n{}", character_name(irrep.row),
                        irrep.representation.dimension(), matrices_of(irrep.representation, width));
  }
  return text;
}

std::string elements_text(const CharacterTable& table, std::size_t width) {
  const Group& group = table.group();
  const std::vector<std::string> names = class_names(table);
  Table text({{"index", Align::kRight}, {"order", Align::kRight}, {"class"}, {"word"}});
  for (Element g = 0; g < group.order(); ++g) {
    text.add_row({std::to_string(g), std::to_string(group.element_order(g)),
                  names[group.classes().class_of[g]], word_text(group, g)});
  }
  return text.to_text(width);
}

std::string multiplication_text(const Group& group, std::size_t width) {
  std::vector<std::vector<std::string>> cells{{"g·h"}};
  for (Element h = 0; h < group.order(); ++h) cells[0].push_back(std::to_string(h));
  for (Element g = 0; g < group.order(); ++g) {
    std::vector<std::string> row{std::to_string(g)};
    for (Element h = 0; h < group.order(); ++h) row.push_back(std::to_string(group.multiply(g, h)));
    cells.push_back(std::move(row));
  }
  return wrapped(cells, 1, width);
}

std::string subgroups_text(const Group& group, std::size_t width) {
  Table text({{"order", Align::kRight},
              {"index", Align::kRight, 1},
              {"conjugates", Align::kRight},
              {""},
              {"generators"}});
  for (const SubgroupClass& c : subgroup_classes(group)) {
    std::string generators;
    for (const Element g : c.representative.generators) {
      generators += (generators.empty() ? "" : ", ") + word_text(group, g);
    }
    text.add_row({std::to_string(c.representative.order()),
                  std::to_string(c.representative.index()), std::to_string(c.size),
                  c.size == 1 ? "normal" : "", generators.empty() ? "e" : generators});
  }
  return text.to_text(width);
}

std::string count_text(double x) {
  return fmt::format("{:.3f}", std::abs(x) < 5e-4 ? 0.0 : x);
}

std::string learned_text(const DecompositionReport& report, std::size_t width) {
  Table relators({{"relator"}, {"‖ρ(w)−I‖", Align::kRight}, {"mean square", Align::kRight}});
  for (const auto& r : report.relators) {
    relators.add_row({r.text, fmt::format("{:.3g}", r.norm), fmt::format("{:.3g}", r.mean_square)});
  }
  const bool by_eigenvalues = !report.by_eigenvalues.empty();
  std::vector<Column> columns{
      {"multiplicity of"}, {"by elements", Align::kRight}, {"by classes", Align::kRight}};
  if (by_eigenvalues) columns.push_back({"by eigenvalues", Align::kRight});
  Table counts(std::move(columns));
  for (std::size_t i = 0; i < report.multiplicities.size(); ++i) {
    std::vector<std::string> row{character_name(i), count_text(report.multiplicities[i]),
                                 count_text(report.by_classes[i])};
    if (by_eigenvalues) row.push_back(count_text(report.by_eigenvalues[i]));
    counts.add_row(std::move(row));
  }
  std::string text = relators.to_text(width) + "\n" + counts.to_text();
  if (report.eigenvalue_ties > 0) {
    text += fmt::format("{} eigenvalues lie between two roots of unity\n", report.eigenvalue_ties);
  }
  for (const std::string& part : report.left_out) {
    text += lines_of("left out, it would take too long: " + part, width);
  }
  if (!report.nearest_sought) return text;
  return text + lines_of("nearest exact representation: " +
                             (report.nearest_found
                                  ? fmt::format("distance {:.3g}", report.nearest_distance)
                                  : report.nearest_reason),
                         width);
}

std::string decomposition_text(const DecompositionReport& report, std::size_t width) {
  if (report.learned) return learned_text(report, width);
  std::vector<std::pair<std::size_t, std::size_t>> complex;
  for (std::size_t i = 0; i < report.multiplicities.size(); ++i) {
    complex.emplace_back(i, static_cast<std::size_t>(report.multiplicities[i]));
  }
  std::string text = lines_of("over C  " + sum_text(complex), width) +
                     lines_of("over R  " + sum_text(report.real), width);
  if (report.basis) {
    text +=
        lines_of(fmt::format("a change of basis makes the blocks to {:.1e}; no element is off by "
                             "more than {:.1e}",
                             report.residual, report.error_bound),
                 width);
  }
  return text;
}

}  // namespace

std::string relator_text(const Word& relator, const std::vector<std::string>& generators) {
  const std::size_t length = period(relator);
  if (length <= 1 || length == relator.size()) return to_string(relator, generators);
  const Word base(relator.begin(), relator.begin() + static_cast<std::ptrdiff_t>(length));
  return fmt::format("({})^{}", to_string(base, generators), relator.size() / length);
}

std::string group_text(const GroupFacts& facts, const GroupOptions& options,
                       const Terminal& terminal) {
  const CharacterTable& table = facts.table;
  const auto width = static_cast<std::size_t>(std::max(terminal.width(), 40));
  std::string text = summary(table, terminal, width);
  const auto section = [&](const std::string& title, const std::string& body) {
    text += "\n" + terminal.styled(Style::kBold, title) + "\n" + body;
  };
  section("Conjugacy classes", classes_text(table, width));
  const std::string left_out =
      table.count() <= kMaxTextClasses
          ? ""
          : fmt::format("{} columns are too many for a page{}\n", table.count(),
                        table.count() <= kMaxJsonClasses ? ": --json has the whole table" : "");
  section("Irreducible characters", characters_text(table, width) + left_out);
  if (options.irreps) section("Irreducible representations", irreps_text(facts, width));
  if (options.elements) section("Elements", elements_text(table, width));
  if (options.table) section("Multiplication table", multiplication_text(table.group(), width));
  if (options.subgroups) section("Subgroups up to conjugacy", subgroups_text(table.group(), width));
  if (facts.decomposition) {
    const DecompositionReport& report = *facts.decomposition;
    section(fmt::format("{} representation, dimension {}{}",
                        report.learned ? "Learned" : "The " + report.name, report.dimension,
                        report.complex ? " over C" : ""),
            decomposition_text(report, width));
  }
  return text;
}

}  // namespace algprior
