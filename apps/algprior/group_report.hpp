#pragma once

#include "algprior/group/group.hpp"
#include "algprior/group/limits.hpp"
#include "algprior/rep/irreps.hpp"

#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>
#include <nlohmann/json_fwd.hpp>

namespace algprior {

class ProgressBar;
class Terminal;

/// What `algprior group` was asked for.
struct GroupOptions {
  std::string spec;
  bool irreps = false;
  bool elements = false;
  bool table = false;
  bool subgroups = false;
  std::string decompose;  ///< "", "regular", "defining" or a file of matrices
  std::string figure;     ///< "", "cayley" or "characters"
  std::string output;     ///< file of the figure
  std::string theme = "light";
  double scale = 2;
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
  bool complex = false;  ///< matrices over C
  std::vector<Relator> relators;
  std::vector<double> by_classes;
  std::vector<double> by_eigenvalues;  ///< empty when they were not counted
  std::size_t eigenvalue_ties = 0;
  bool nearest_sought = false;
  bool nearest_found = false;
  double nearest_distance = 0;
  std::string nearest_reason;
  std::vector<std::string> left_out;  ///< what would have taken too long
};

/// Throws InputError when the group has no such representation or the file lacks a generator.
DecompositionReport decompose_for_report(const CharacterTable& table, const std::string& what,
                                         ProgressBar& bar);

/// What both reports are made of.
struct GroupFacts {
  CharacterTable table;
  std::vector<Representation> irreps;  ///< where they were asked for
  std::vector<RealIrreducible> real_irreps;
  std::optional<DecompositionReport> decomposition;
};

/// "(r*s)^2" for r*s*r*s.
std::string relator_text(const Word& relator, const std::vector<std::string>& generators);

/// Everything that was asked for, as one JSON document.
nlohmann::ordered_json group_json(const GroupFacts& facts, const GroupOptions& options);
/// The same for readers, wrapped to the terminal's width.
std::string group_text(const GroupFacts& facts, const GroupOptions& options,
                       const Terminal& terminal);

/// Above this many classes the characters are left out of JSON too: the document would take
/// gigabytes.
inline constexpr std::size_t kMaxJsonClasses = 1500;

}  // namespace algprior
