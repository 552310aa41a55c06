#include "algprior/report/svg.hpp"

#include <fmt/format.h>

namespace algprior::report {
namespace {

struct Role {
  std::string_view name, light, dark;
};

// Each series colour has a contrast of at least 4.5 to 1 with its background, and neighbours differ
// for people with any of the common colour deficiencies.
constexpr Role kRoles[] = {
    {"bg", "#ffffff", "#14171c"},   {"ink", "#1b1f24", "#e8eaee"},  {"muted", "#57606a", "#a3adb8"},
    {"axis", "#6e7781", "#8b949e"}, {"grid", "#e3e6ea", "#2b3038"}, {"c0", "#0b62a8", "#6fb3f2"},
    {"c1", "#b8480f", "#ff9a62"},   {"c2", "#17724f", "#5fd0a2"},   {"c3", "#84469e", "#cba0e3"},
    {"c4", "#876000", "#e3b341"},   {"c5", "#1f7894", "#7fd6ef"},   {"c6", "#ab2c65", "#f28bb5"},
    {"c7", "#5a646e", "#b4bdc7"},
};

// The rules of all drawings; {} stands for the colour of a role.
std::string rules(const auto& colour) {
  std::string css = fmt::format(
      ".bg{{fill:{}}}.ax{{stroke:{};fill:none}}.gr{{stroke:{};fill:none}}"
      ".tx,.tm,.tt{{font-family:'DejaVu Sans',Verdana,'Liberation Sans',Arial,sans-serif;"
      "font-size:11px;fill:{}}}.tm{{fill:{}}}.tt{{font-size:13px;font-weight:600}}"
      ".im{{fill:{}}}.px{{image-rendering:pixelated}}.dot{{stroke-linecap:round;stroke-width:4}}"
      ".mk{{stroke:{};stroke-width:.6}}.wk{{stroke:{};fill:none;stroke-width:1.2}}",
      colour("bg"), colour("axis"), colour("grid"), colour("ink"), colour("muted"), colour("ink"),
      colour("bg"), colour("ink"));
  for (std::size_t i = 0; i < kSeriesColours; ++i) {
    const std::string value = colour("c" + std::to_string(i));
    css += fmt::format(
        ".s{0}{{stroke:{1};fill:none;stroke-width:1.8;stroke-linejoin:round}}.f{0}{{fill:{1}}}"
        ".b{0}{{fill:{1};fill-opacity:.18}}",
        i, value);
  }
  // Single seeds stand behind their mean.
  return css + ".st{stroke-width:1;stroke-opacity:.42}";
}

std::string variables(Theme theme) {
  std::string css;
  for (const Role& role : kRoles) {
    css += fmt::format("--{}:{};", role.name, theme == Theme::kLight ? role.light : role.dark);
  }
  return css;
}

}  // namespace

std::string svg_style(Theme theme) {
  return rules([&](std::string_view name) {
    for (const Role& role : kRoles) {
      if (role.name == name) return std::string(theme == Theme::kLight ? role.light : role.dark);
    }
    return std::string("#000");
  });
}

std::string page_colours() {
  const std::string light = variables(Theme::kLight), dark = variables(Theme::kDark);
  return fmt::format(
      ":root{{color-scheme:light;{0}}}:root[data-theme=dark]{{color-scheme:dark;{1}}}"
      "@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{1}}}}}"
      "@media print{{:root,:root:not([data-theme=light]),:root[data-theme=dark]"
      "{{color-scheme:light;{0}}}}}{2}",
      light, dark, rules([](std::string_view name) { return fmt::format("var(--{})", name); }));
}

}  // namespace algprior::report
