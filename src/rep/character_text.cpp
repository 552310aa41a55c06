#include "algprior/rep/character_text.hpp"

#include "algprior/base/table.hpp"
#include "algprior/group/subgroup.hpp"

#include <map>

#include <fmt/format.h>

namespace algprior {
namespace {

/// What is left of a table too wide to read.
std::vector<std::vector<std::string>> degree_cells(const CharacterTable& table) {
  std::map<std::pair<int, int>, std::size_t> counts;
  for (std::size_t i = 0; i < table.count(); ++i) {
    ++counts[{table.degree(i), -table.frobenius_schur(i)}];
  }
  std::vector<std::vector<std::string>> cells{{"characters", "degree", "type", "real degree"}};
  for (const auto& [key, count] : counts) {
    const auto [degree, negated] = key;
    cells.push_back({std::to_string(count), std::to_string(degree), type_name(-negated),
                     std::to_string(negated == -1 ? degree : 2 * degree)});
  }
  return cells;
}

}  // namespace

std::string facts_text(const CharacterTable& table) {
  const Group& group = table.group();
  const std::size_t center_order = center(group).order();
  return fmt::format("order {}, exponent {}, centre {}, commutator subgroup {}{}", group.order(),
                     table.powers().exponent(), center_order, derived_subgroup(group).order(),
                     center_order == group.order() ? ", abelian" : "");
}

std::vector<std::string> class_names(const CharacterTable& table) {
  std::map<std::uint32_t, std::size_t> used;
  std::vector<std::string> names;
  for (std::size_t c = 0; c < table.count(); ++c) {
    const std::uint32_t order = table.powers().element_order(c);
    std::string letters;
    for (std::size_t n = ++used[order]; n > 0; n = (n - 1) / 26) {
      letters.insert(letters.begin(), static_cast<char>('a' + (n - 1) % 26));
    }
    names.push_back(std::to_string(order) + letters);
  }
  return names;
}

std::string word_text(const Group& group, Element g) {
  return to_string(group.word(g), group.generator_names());
}

std::string character_name(std::size_t i) {
  return fmt::format("χ{}", i + 1);
}

std::string type_name(int frobenius_schur) {
  if (frobenius_schur == 1) return "real";
  return frobenius_schur == 0 ? "complex" : "quaternionic";
}

std::string sum_text(const std::vector<std::pair<std::size_t, std::size_t>>& terms) {
  std::string text;
  for (const auto& [row, n] : terms) {
    if (n == 0) continue;
    text += (text.empty() ? "" : " + ") + (n == 1 ? "" : std::to_string(n)) + character_name(row);
  }
  return text.empty() ? "0" : text;
}

std::vector<std::vector<std::string>> class_cells(const CharacterTable& table) {
  const Group& group = table.group();
  const std::vector<std::string> names = class_names(table);
  std::vector<std::vector<std::string>> cells{
      {"class", "size", "element order", "index", "representative"}};
  for (std::size_t c = 0; c < names.size(); ++c) {
    const Element g = group.classes().representative(c);
    cells.push_back({names[c], std::to_string(group.classes().members[c].size()),
                     std::to_string(table.powers().element_order(c)), std::to_string(g),
                     word_text(group, g)});
  }
  return cells;
}

std::vector<std::vector<std::string>> character_cells(const CharacterTable& table) {
  if (table.count() > kMaxTextClasses) return degree_cells(table);
  std::vector<std::vector<std::string>> cells{{""}, {"size"}};
  for (const std::string& name : class_names(table)) cells[0].push_back(name);
  for (const auto& members : table.group().classes().members) {
    cells[1].push_back(std::to_string(members.size()));
  }
  cells[0].insert(cells[0].end(), {"type", "real degree"});
  cells[1].insert(cells[1].end(), {"", ""});
  for (std::size_t i = 0; i < table.count(); ++i) {
    std::vector<std::string> row{character_name(i)};
    for (std::size_t c = 0; c < table.count(); ++c) row.push_back(to_string(table.exact(i, c)));
    row.push_back(type_name(table.frobenius_schur(i)));
    row.push_back(std::to_string(table.real_degree(i)));
    cells.push_back(std::move(row));
  }
  return cells;
}

std::string classes_text(const CharacterTable& table, std::size_t width) {
  const auto cells = class_cells(table);
  Table text({{cells[0][0]},
              {cells[0][1], Align::kRight},
              {cells[0][2], Align::kRight},
              {cells[0][3], Align::kRight, 1},
              {cells[0][4]}});
  for (std::size_t i = 1; i < cells.size(); ++i) text.add_row(cells[i]);
  return text.to_text(width);
}

std::string characters_text(const CharacterTable& table, std::size_t width) {
  const auto cells = character_cells(table);
  if (table.count() > kMaxTextClasses) {
    Table text({{cells[0][0], Align::kRight},
                {cells[0][1], Align::kRight},
                {cells[0][2]},
                {cells[0][3], Align::kRight}});
    for (std::size_t i = 1; i < cells.size(); ++i) text.add_row(cells[i]);
    return text.to_text();
  }
  // No titles: the name of a class stands in a cell, so that the rule comes after the sizes.
  std::vector<Column> columns{{"", Align::kLeft}};
  columns.resize(cells.front().size(), Column{"", Align::kRight});
  Table text(std::move(columns));
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (i == 2) text.add_rule();
    text.add_row(cells[i]);
  }
  return text.to_text(width);
}

}  // namespace algprior
