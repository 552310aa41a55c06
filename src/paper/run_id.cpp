#include "algprior/paper/run_id.hpp"

#include "algprior/base/error.hpp"
#include "algprior/paper/configured_run.hpp"

#include <algorithm>
#include <charconv>

namespace algprior {
namespace {

constexpr const char* kForm = "FAMILY-VARIANT/ROW/SEED or FAMILY-VARIANT/ROW@CHANGES/SEED";

std::string checked_part(std::string_view part, const char* what) {
  const bool odd = std::any_of(part.begin(), part.end(), [](char c) {
    return c == '/' || static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
  });
  if (!part.empty() && !odd && part != "." && part != "..") return std::string(part);
  std::string shown;
  for (const char c : part) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7F ? '?' : c;
  throw InputError({"a run cannot have this name", std::string(what) + " \"" + shown + "\"",
                    "a name without slashes and control characters", "choose another name"});
}

}  // namespace

std::string to_string(const RunId& id) {
  return id.experiment() + "/" + id.changed_row() + "/" + std::to_string(id.seed);
}

RunId make_run_id(std::string_view experiment, std::string_view changed_row, std::uint64_t seed) {
  const std::size_t dash = experiment.find('-');
  if (dash == std::string_view::npos) {
    throw InputError({"this is no experiment", std::string(experiment), "FAMILY-VARIANT", ""});
  }
  const std::size_t at = changed_row.find('@');
  RunId id{.family = checked_part(experiment.substr(0, dash), "family"),
           .variant = checked_part(experiment.substr(dash + 1), "variant"),
           .row = checked_part(changed_row.substr(0, at), "row"),
           .seed = seed};
  if (at != std::string_view::npos) {
    id.changes = checked_part(changed_row.substr(at + 1), "change");
  }
  return id;
}

RunId parse_run_id(std::string_view text) {
  const std::size_t first = text.find('/'), last = text.rfind('/');
  const std::string_view number = text.substr(last == std::string_view::npos ? 0 : last + 1);
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), seed);
  if (first == last || error != std::errc() || end != number.data() + number.size()) {
    throw InputError({"this is no run", std::string(text), kForm, ""});
  }
  return make_run_id(text.substr(0, first), text.substr(first + 1, last - first - 1), seed);
}

RunId run_id(const config::Config& config) {
  const std::string experiment = config.get<std::string>("experiment.family") + "-" +
                                 config.get<std::string>("experiment.variant");
  std::string row = config.get<std::string>("experiment.row");
  if (config.has("experiment.reference")) {
    char mark = '@';
    for (const auto& departure : config.get<std::vector<std::string>>("experiment.reference")) {
      row.append(1, mark).append(departure);
      mark = '+';
    }
  }
  return make_run_id(experiment, row,
                     static_cast<std::uint64_t>(config.get<std::int64_t>("experiment.seed")));
}

}  // namespace algprior
