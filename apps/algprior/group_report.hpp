#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"
#include "algprior/rep/character_table.hpp"

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <nlohmann/json_fwd.hpp>

namespace algprior {

class Terminal;

/// What `algprior group` was asked for.
struct GroupOptions {
  std::string spec;
  bool irreps = false;
  bool elements = false;
  bool table = false;
  bool subgroups = false;
  std::string decompose;  ///< "", "regular", "defining" or an NPZ file
  GroupLimits limits;
};

/// A representation taken apart, exact ones by their decomposition, learned ones by their
/// characters.
struct DecompositionReport {
  std::string name;  ///< "regular", "defining" or the file
  std::size_t dimension = 0;
  std::vector<double> multiplicities;  ///< of the rows of the character table

  /// Of an exact representation; the basis change is left out above kMaxBasis dimensions.
  static constexpr std::size_t kMaxBasis = 256;
  std::vector<std::pair<std::size_t, std::size_t>> real;  ///< (row, multiplicity) over R
  std::optional<Eigen::MatrixXd> basis;
  double residual = 0, error_bound = 0;

  /// Of generator matrices from a file.
  struct Relator {
    std::string text;
    double norm, mean_square;
  };
  bool learned = false;
  std::vector<Relator> relators;
  std::vector<double> by_classes, by_eigenvalues;
  std::size_t eigenvalue_ties = 0;
  bool nearest_found = false;
  double nearest_distance = 0;
  std::string nearest_reason;
};

/// Throws InputError when the group has no such representation or the file lacks a generator.
DecompositionReport decompose_for_report(const CharacterTable& table, const std::string& what);

/// One square matrix for each generator from an NPZ file, arrays named like the generators. Throws
/// InputError that names what is missing.
std::vector<Eigen::MatrixXd> read_generators(const Group& group, const std::string& path);

/// Letters for classes: 1a, 2a, 2b, 4a, … by element order, in the order of the classes.
std::vector<std::string> class_names(const CharacterTable& table);

/// An element as a word in the generators: "r^2*s".
std::string word_text(const Group& group, Element g);

/// "(r*s)^2" for r*s*r*s.
std::string relator_text(const Word& relator, const std::vector<std::string>& generators);

/// Everything that was asked for, as one JSON document.
nlohmann::ordered_json group_json(const CharacterTable& table, const GroupOptions& options);
/// The same for readers, wrapped to the terminal's width.
std::string group_text(const CharacterTable& table, const GroupOptions& options,
                       const Terminal& terminal);

}  // namespace algprior
