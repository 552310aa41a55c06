// The options of meshes and fluids, as options_test.cpp does it for the others.
#include "algprior/base/file.hpp"
#include "algprior/fluid/smoke.hpp"
#include "algprior/fluid/solver.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/mesh/cube_map.hpp"
#include "algprior/mesh/procedural.hpp"
#include "algprior/mesh/raster.hpp"
#include "algprior/mesh/refine.hpp"
#include "algprior/mesh/resample.hpp"
#include "algprior/mesh/shape_index.hpp"
#include "algprior/mesh/sphere_shape.hpp"
#include "draw_options.hpp"

namespace algprior {
namespace {

using mesh::Mesh;

// Closed, open, with NaN, with faces that name no vertex, or empty.
Mesh draw_mesh(Draw& d) {
  Mesh mesh = mesh::make_icosphere(1);
  switch (d.below(8)) {
    case 0:
      return {};
    case 1:
      mesh.vertices[3].x() = d.real();
      break;
    case 2:
      mesh.faces[5][1] = 1000;
      break;
    case 3:
      mesh.faces.pop_back();
      break;
    case 4:
      for (auto& vertex : mesh.vertices) vertex.setZero();
      break;
    default:
      break;
  }
  return mesh;
}

mesh::SphereGrid draw_grid(Draw& d) {
  constexpr mesh::GridKind kKinds[] = {mesh::GridKind::end_points, mesh::GridKind::half_offset,
                                       mesh::GridKind::cube_map};
  return {kKinds[d.below(3)], d.small(), d.small()};
}

mesh::SphereMapOptions draw_map(Draw& d) {
  mesh::SphereMapOptions options;
  if (d.coin()) options.step = d.part();
  options.iterations = d.coin() ? 5 : std::min(d.whole(), 5);
  if (d.coin()) options.steady = d.part();
  options.repairs = d.coin() ? 3 : std::min(d.whole(), 3);
  if (d.coin()) options.most_folded = d.part();
  return options;
}

TEST(MeshOptions, OfMeshes) {
  rounds("icosphere", [](Draw& d) { mesh::make_icosphere(std::min(d.whole(), 9)); });
  rounds("refine", [](Draw& d) {
    const int levels = d.whole();
    mesh::refine(draw_mesh(d), levels == 5 ? 1 : levels);
  });
  rounds("scaled", [](Draw& d) { mesh::scaled_to_area(draw_mesh(d), d.real()); });
  rounds("heat kernel", [](Draw& d) {
    const int times = d.small();
    mesh::heat_kernel_signature(draw_mesh(d),
                                {d.small(), times == 1 << 20 ? 3 : times, d.part(), d.part()});
  });
  rounds("sphere map", [](Draw& d) { mesh::map_to_sphere(draw_mesh(d), draw_map(d)); });
  rounds("flow", [](Draw& d) { mesh::flow_to_sphere(draw_mesh(d), draw_map(d)); });
  rounds("conformal ratio",
         [](Draw& d) { mesh::quasi_conformal_ratio(draw_mesh(d), draw_mesh(d).vertices); });
  rounds("centre", [](Draw& d) {
    Mesh mesh = draw_mesh(d);
    mesh::centre_on_sphere(
        mesh.vertices, mesh.faces,
        std::vector<double>(d.coin() ? mesh.faces.size() : d.below(9), d.real()));
  });
  rounds("Möbius", [](Draw& d) {
    RandomStream random(RandomKey(1));
    mesh::random_mobius(random, d.real());
    mesh::fit_mobius(draw_mesh(d).vertices, draw_mesh(d).vertices);
  });
  rounds(
      "shape",
      [](Draw& d) {
        mesh::ShapeOptions options;
        if (d.coin()) options.area = d.real();
        options.heat = {d.small(), d.coin() ? 2 : d.small() % 100, 0.1, d.coin() ? 1.0 : d.real()};
        options.sphere = draw_map(d);
        options.fewest_vertices = d.coin() ? 1 : std::min(d.whole(), 100);
        options.copies = d.small();
        if (d.coin()) options.largest_centre = d.real();
        mesh::make_shape(draw_mesh(d), options, "x");
      },
      60);
  rounds("procedural", [](Draw& d) {
    mesh::ProceduralOptions options;
    options.level = d.small();
    options.bending = d.part();
    options.ripples = d.coin() ? 0.05 : d.real();
    mesh::procedural_shape(d.small(), d.small(), options);
  });
}

TEST(MeshOptions, OfGrids) {
  const auto oh = make_group("Oh"), plane = make_group("C4");
  rounds("directions", [](Draw& d) { mesh::grid_directions(draw_grid(d)); });
  rounds("parallels", [](Draw& d) { mesh::parallels_of(draw_grid(d), d.coin() ? 0 : d.whole()); });
  rounds("stencils", [&](Draw& d) {
    mesh::Parallels grid = mesh::parallels_of(mesh::half_offset_grid(4, 8));
    if (d.coin()) grid.azimuths = std::vector<double>(d.below(3), d.real());
    if (d.below(4) == 0) grid.colatitudes = {d.real(), d.real()};
    mesh::resampling_stencils(d.coin() ? oh : plane, grid);
    mesh::resampling_error(grid);
  });
  rounds("padding", [](Draw& d) { mesh::half_offset_padding(d.small(), d.small()); });
  rounds("cube", [&](Draw& d) {
    const int n = std::max(d.small(), -1);
    if (n < 100) mesh::cube_map_permutations(d.coin() ? oh : plane, n);
    mesh::cube_map_cell(
        {d.coin() ? n : d.whole(), d.coin() ? 1 - n : d.whole(), d.coin() ? n - 1 : d.whole()}, n);
  });
  rounds("raster", [](Draw& d) {
    const Mesh mesh = draw_mesh(d);
    const auto rows = d.coin() ? Eigen::Index(mesh.vertices.size()) : Eigen::Index(d.below(3));
    mesh::raster_on_sphere(mesh.vertices, mesh.faces, Eigen::MatrixXf::Ones(rows, 2), draw_grid(d));
  });
  rounds("split", [](Draw& d) {
    mesh::ShapeIndex index;
    index.categories = {"a"};
    index.shapes.resize(4);
    for (auto& shape : index.shapes)
      shape.mean = shape.mean_square = Eigen::VectorXd::Ones(Eigen::Index(1 + d.below(2)));
    mesh::split_shapes(index, {std::size_t(d.integer()), std::size_t(d.integer()), 1, {}});
    mesh::normalisation(index, std::vector<std::size_t>(d.below(3), std::size_t(d.below(5))));
  });
}

fluid::Grid draw_box(Draw& d) {
  return d.coin() ? fluid::Grid{8, 8} : fluid::Grid{d.small(), d.small()};
}

TEST(FluidOptions, OfFlows) {
  const auto draw_flow = [](Draw& d) {
    fluid::Flow flow;
    flow.grid = d.below(4) == 0 ? draw_box(d) : fluid::Grid{8, 8};
    if (d.coin()) flow.inflows = {{4, 4, 2, d.part()}};
    if (d.below(4) == 0) flow.inflows = {{d.real(), d.real(), d.real(), d.real()}};
    if (d.coin()) flow.force_x = d.part();
    if (d.coin()) flow.time_step = d.part();
    if (d.coin()) flow.walls = fluid::Walls::kSlip;
    return flow;
  };
  const auto draw_state = [](Draw& d, auto zero) {
    auto state = fluid::resting_state<decltype(zero)>(draw_box(d));
    if (d.below(4) == 0) state.u.pop_back();
    if (d.below(4) == 0) state.smoke.push_back(zero);
    if (d.below(4) == 0) state.v[1] = static_cast<decltype(zero)>(d.real());
    if (d.below(8) == 0) state.grid = {d.whole(), d.whole()};
    return state;
  };
  rounds("rest", [](Draw& d) { fluid::resting_state<float>({d.small(), d.small()}); });
  rounds("state", [&](Draw& d) {
    const auto state = draw_state(d, 0.0);
    fluid::turned(state, d.whole());
    fluid::divergence(state);
    fluid::check(state);
  });
  rounds("inflow", [&](Draw& d) { fluid::inflow_field(draw_flow(d)); });
  rounds("published", [&](Draw& d) {
    auto state = draw_state(d, 0.0F);
    fluid::PublishedSolver(draw_flow(d)).step(state);
  });
  rounds("symmetric", [&](Draw& d) {
    auto state = draw_state(d, 0.0);
    fluid::SymmetricSolver(draw_flow(d)).step(state);
  });
  rounds("frame", [&](Draw& d) {
    std::vector<float> frame(d.coin() ? 128 : d.below(200));
    fluid::write_frame(draw_state(d, 0.0F), frame);
  });
  rounds(
      "smoke",
      [](Draw& d) {
        const int frames = d.whole();
        fluid::simulate_smoke(d.coin() ? 1 : d.whole(), frames == 1 << 20 ? 1 : frames);
      },
      30);
}

}  // namespace
}  // namespace algprior
