#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/text.hpp"
#include "algprior/report/png.hpp"
#include "figure_file.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace algprior {

void add_figure_options(CLI::App& command, std::string& path, std::string& theme, double& scale) {
  command.add_option("-o,--output", path, "file to write, .svg or .png");
  command.add_option("--theme", theme, "light or dark")
      ->check(CLI::IsMember({"light", "dark"}))
      ->capture_default_str();
  command.add_option("--scale", scale, "pixels of a PNG for each unit of the drawing")
      ->check(CLI::Range(0.1, 16.0).description(""))
      ->capture_default_str();
}

void write_figure(const report::Figure& figure, const FigureFile& file, Context& context) {
  const std::string ending = std::filesystem::path(file.path).extension().string();
  if (ending != ".svg" && ending != ".png") {
    throw InputError({"cannot write a figure of this kind", file.path,
                      "a name that ends in .svg or .png",
                      "algprior plot RUN... --figure NAME -o figure.svg"});
  }
  const std::string svg =
      report::to_svg(figure, file.theme == "dark" ? report::Theme::kDark : report::Theme::kLight);
  const std::string bytes =
      ending == ".svg" ? svg : report::to_png(report::rasterise(svg, file.scale));
  write_file(file.path, bytes);
  if (context.terminal.json()) {
    context.terminal.print_json({{"file", file.path},
                                 {"figure", figure.name},
                                 {"title", figure.title},
                                 {"description", figure.description},
                                 {"bytes", bytes.size()}});
  } else {
    context.terminal.print(
        fmt::format("{}: {}, {}\n", file.path, figure.title, format_bytes(bytes.size())));
  }
}

}  // namespace algprior
