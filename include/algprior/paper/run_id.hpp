#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace algprior {

/// Which run: an experiment of a family, a row of its table, what was changed about that row, and
/// the seed. Written "<family>-<variant>/<row>[@<changes>]/<seed>": its folder below the runs
/// folder, its place among the results, its name in messages.
struct RunId {
  std::string family = "own";
  std::string variant = "data";
  std::string row = "regular";
  std::string changes = {};  ///< "train.epochs=10", "D-2+D-5"; "" for the row as it stands
  std::uint64_t seed = 0;

  std::string experiment() const { return family + "-" + variant; }
  std::string changed_row() const { return changes.empty() ? row : row + "@" + changes; }

  friend auto operator<=>(const RunId&, const RunId&) = default;
};

std::string to_string(const RunId& id);

/// From "<family>-<variant>" and "<row>[@<changes>]". Throws InputError for a part that is empty,
/// is "." or "..", or holds a slash or a control character: it would leave its folder.
RunId make_run_id(std::string_view experiment, std::string_view changed_row, std::uint64_t seed);

/// What to_string wrote. Throws InputError for any other text.
RunId parse_run_id(std::string_view text);

}  // namespace algprior
