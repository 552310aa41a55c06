// algprior data draw: a mesh file as a picture of the surface, its sphere map and its raster.
#include "data_draw.hpp"

#include "algprior/mesh/mesh_file.hpp"
#include "algprior/mesh/sphere_shape.hpp"
#include "algprior/report/shape_figure.hpp"
#include "exit_codes.hpp"
#include "figure_file.hpp"

#include <filesystem>
#include <memory>

namespace algprior {
namespace {

struct DrawOptions {
  std::string mesh, grid = "cube-32", output, theme = "light";
  int channel = 0;
  double scale = 2;
};

int run_draw(const DrawOptions& options, Context& context) {
  const mesh::Mesh surface = mesh::read_mesh(options.mesh);
  mesh::ShapeOptions shape_options;
  shape_options.copies = 0;
  const std::string name = std::filesystem::path(options.mesh).filename().string();
  const mesh::SphereShape shape = mesh::make_shape(surface, shape_options, name);
  write_figure(
      report::shape_figure(surface, shape, mesh::grid_named(options.grid), name, options.channel),
      {options.output, options.theme, options.scale}, context);
  return kExitSuccess;
}

}  // namespace

void add_draw_command(Program& program, CLI::App& data) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App& command =
      program.add_command(data, {"draw", "Draw a mesh, its map to the sphere and its raster",
                                 "algprior data draw T5.obj -o T5.svg"});
  command.add_option("mesh", options->mesh, "a closed surface: .off, .obj or .ply")->required();
  command.add_option("--grid", options->grid, "cube-N, HxW or HxW-half")->capture_default_str();
  command.add_option("--channel", options->channel, "of the heat kernel signature")
      ->capture_default_str();
  add_figure_options(command, options->output, options->theme, options->scale);
  command.get_option("--output")->required();
  program.on_run(command, [options](Context& context) { return run_draw(*options, context); });
}

}  // namespace algprior
