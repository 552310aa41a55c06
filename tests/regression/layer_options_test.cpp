// The options of single layers and of generated data sets, as options_test.cpp does it for the
// others. Dated 2026-11-18.
#include "algprior/action/planar.hpp"
#include "algprior/action/sphere.hpp"
#include "algprior/data/moved_pairs.hpp"
#include "algprior/data/planar_transform.hpp"
#include "algprior/data/shapes.hpp"
#include "algprior/data/typefaces.hpp"
#include "algprior/data/volumes.hpp"
#include "algprior/data/voxel_shapes.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/kernel/average_pool.hpp"
#include "algprior/kernel/conv_gate.hpp"
#include "algprior/kernel/face_norm.hpp"
#include "algprior/kernel/gate.hpp"
#include "algprior/kernel/pad_faces.hpp"
#include "algprior/mesh/cube_map.hpp"
#include "algprior/nn/mobius.hpp"
#include "algprior/nn/pair_maps.hpp"
#include "algprior/nn/polar.hpp"
#include "algprior/nn/sphere.hpp"
#include "algprior/prior/learned_representation.hpp"
#include "draw_options.hpp"

#include <algorithm>

#include <torch/types.h>

namespace algprior {
namespace {

std::array<int, 3> draw_axes(Draw& d, int usual) {
  const auto one = [&] { return d.below(6) == 0 ? d.whole() : usual; };
  return {one(), one(), one()};
}

Pool draw_pool(Draw& d) {
  return {draw_axes(d, d.coin() ? 1 : 2), draw_axes(d, 1), draw_axes(d, 0),
          d.coin() ? 0.0 : d.part()};
}

// One tensor of a shape that fits, or any other.
at::Tensor of_shape(Draw& d, at::IntArrayRef shape) {
  return d.below(4) == 0 ? d.tensor() : at::rand(shape);
}

TEST(LayerOptions, OfKernels) {
  rounds("average pool", [](Draw& d) { average_pool(d.images(), draw_pool(d)); });
  rounds("face padding", [](Draw& d) {
    const auto table = mesh::cube_map_padding(2);
    const FacePadding padding(d.coin() ? 6 : d.integer(), d.coin() ? 2 : d.integer(), 2, table);
    pad_faces(of_shape(d, {6, 1, 2, 2}), padding);
  });
  rounds("face norm", [](Draw& d) {
    const FaceNorm norm{d.coin() ? 6 : d.integer(), of_shape(d, {3}), of_shape(d, {3}),
                        d.coin() ? 1e-6 : d.real()};
    const FacePadding padding(6, 2, 2, mesh::cube_map_padding(2));
    norm_faces(of_shape(d, {12, 3, 2, 2}), norm, d.coin() ? &padding : nullptr);
  });
  rounds(
      "convolution block",
      [](Draw& d) {
        ConvBlockConfig config;
        config.axes = d.below(8) == 0 ? d.whole() : 2;
        config.stride = {1, d.below(4) == 0 ? d.whole() : 1, 1};
        config.padding = {0, 1, d.below(4) == 0 ? std::min(d.whole(), 9) : 1};
        config.replicate = {0, d.below(4) == 0 ? std::min(d.whole(), 9) : 0, 0};
        if (d.below(4) == 0) config.pool = draw_pool(d);
        config.streams = d.coin() ? 1 : d.integer();
        config.training = d.coin();
        if (d.below(4) == 0) config.momentum = d.real();
        if (d.coin()) config.kernels = d.coin() ? Kernels::native : Kernels::torch;
        BatchNormTensors norm;
        if (d.coin()) norm = {of_shape(d, {5}), at::ones({5}), of_shape(d, {5}), at::ones({5})};
        conv_block(of_shape(d, {3, 2, 4, 4}), of_shape(d, {5, 2, 3, 3}), of_shape(d, {5}), norm,
                   config);
      },
      1000);
  const auto layout = [](Draw& d) {
    return GateLayout{d.coin() ? 2 : d.integer(),
                      d.coin() ? std::vector<std::int64_t>{1, 2} : d.sizes()};
  };
  rounds("gates", [&](Draw& d) {
    gate_fields(of_shape(d, {3, 10, 2, 2}), of_shape(d, {10}), of_shape(d, {10}), layout(d));
  });
  rounds("gated convolution", [&](Draw& d) {
    ConvGateConfig config;
    config.conv.axes = d.below(8) == 0 ? d.whole() : 2;
    config.conv.stride = draw_axes(d, 1);
    config.conv.padding = draw_axes(d, 1);
    config.layout = layout(d);
    if (d.coin()) config.pool = draw_pool(d);
    config.measured = d.coin();
    conv_gate(of_shape(d, {3, 2, 4, 4}), of_shape(d, {10, 2, 3, 3}), of_shape(d, {10}), config,
              [&](const BatchMoments&) {
                return Affine{of_shape(d, {10}), of_shape(d, {10})};
              });
  });
}

TEST(LayerOptions, OfLayersOnSpheres) {
  rounds(
      "Möbius convolution",
      [](Draw& d) {
        nn::MobiusConv layer(nn::MobiusConvOptions{1, d.size(), d.coin() ? 3 : d.integer(),
                                                   d.coin() ? 2 : d.small()});
        layer->forward(of_shape(d, {1, 1, 6, 6}));
        layer->jets(of_shape(d, {1, 1, 6, 6}));
        layer->energy(of_shape(d, {1, 1, 6, 6}));
      },
      60);
  rounds(
      "Möbius network",
      [](Draw& d) {
        nn::make_mobius_network(1, {d.coin() ? 2 : d.size(), d.coin() ? 3 : d.integer(), d.size(),
                                    d.coin() ? 1 : d.small(), d.coin() ? 4 : d.integer(), d.size()})
            .forward(of_shape(d, {1, 2, 6, 6}));
      },
      60);
  rounds("sphere auto-encoder", [](Draw& d) {
    nn::SphereAutoencoderOptions options;
    options.channels = d.size();
    options.grid = d.coin() ? std::vector<std::int64_t>{6, 4, 4} : d.sizes();
    options.widths = d.coin() ? std::vector<std::int64_t>{2, 2} : d.sizes();
    options.blocks = d.coin() ? 1 : d.integer();
    options.latent = d.size();
    options.padding = d.coin() ? nn::SpherePadding::around : nn::SpherePadding::zero;
    nn::make_sphere_autoencoder(1, options)
        .forward(of_shape(d, {2, options.channels == 1 ? 1 : 2, 6, 4, 4}));
  });
  rounds("orthogonal head", [](Draw& d) {
    nn::make_orthogonal_head(1, {d.size(), d.size(), d.size(), d.size(), d.size(), d.coin()})
        .forward(of_shape(d, {2, 3, 4, 4}));
  });
  rounds("polar factor", [](Draw& d) {
    nn::polar_factor(of_shape(d, {2, 4, 4}), d.coin() ? nn::Polar::orthogonal : nn::Polar::special);
  });
  rounds("isometry", [](Draw& d) {
    const nn::NeuralIsometry isometry(1, d.coin() ? 16 : d.integer(), d.coin() ? 4 : d.integer());
    const auto now = isometry.now();
    const auto a = now.spectrum(of_shape(d, {2, 3, 4, 4}));
    nn::rotate_spectrum(now.isometry(a, of_shape(d, {2, 3, 4})), of_shape(d, {2, 3, 4}));
    now.grid(a, d.coin() ? d.sizes() : std::vector<std::int64_t>{2, 3, 4, 4});
    now.multiplicity();
  });
  rounds("Fourier", [](Draw& d) {
    const nn::NeuralFourier fourier(1, d.coin() ? 16 : d.integer(), d.coin() ? 2 : d.integer(),
                                    d.coin() ? 2 : d.integer());
    const auto h = fourier.adapt(of_shape(d, {2, 3, 4, 4}));
    fourier.move(fourier.transition(h, of_shape(d, {2, 3, 4})), of_shape(d, {2, 3, 4}));
    fourier.grid(h, d.coin() ? d.sizes() : std::vector<std::int64_t>{2, 3, 4, 4});
  });
}

TEST(LayerOptions, OfWordsAndSymmetries) {
  const auto c4 = make_group("C4"), d4 = make_group("D4");
  rounds("word", [](Draw& d) {
    Word word;
    for (std::uint64_t i = d.below(4); i > 0; --i) word.push_back(d.coin() ? 1 : d.whole());
    std::vector<at::Tensor> matrices(d.below(3));
    for (auto& matrix : matrices) matrix = of_shape(d, {3, 3});
    evaluate(matrices, word);
  });
  rounds("volumes", [](Draw& d) {
    volume_action(make_group("cube"))(d.elements(), of_shape(d, {3, 1, 4, 4, 4}));
  });
  rounds("composition", [&](Draw& d) {
    const Action turn = planar_action(d.coin() ? c4 : d4);
    compose(turn, planar_action(d4))(d.elements(), d.images());
  });
}

TEST(DataOptions, OfMovedPairs) {
  rounds("moved images", [](Draw& d) {
    const auto motions = at::eye(2, at::kDouble).expand({3, 2, 2});
    move_images(d.images(), d.coin() ? motions : d.tensor());
  });
  rounds("matrices",
         [](Draw& d) { motion_matrices(make_group("C3"), d.coin() ? 2 : d.integer()); });
  rounds("rotations", [](Draw& d) {
    random_rotations(d.coin() ? 2 + std::int64_t(d.coin()) : d.integer(), d.elements(),
                     RandomKey(1));
  });
  rounds("moved pairs", [](Draw& d) {
    const auto bytes = d.coin() ? d.tensor() : at::ones({3, 1, 4, 4}, at::kByte);
    make_moved_pairs("x", bytes, d.elements(), make_group(d.coin() ? "C3" : "cube"))
        .get(d.coin() ? d.tensor() : at::arange(2), RandomKey(1));
  });
  rounds("planar transform", [](Draw& d) {
    const TurnMode mode = d.coin() ? TurnMode::direct : TurnMode::there_and_back;
    make_planar_transform(make_group(d.below(4) == 0 ? "S4" : "D3"), mode)(
        d.elements(), d.coin() ? d.tensor() : at::rand({3}, at::kDouble), d.images());
  });
}

TEST(DataOptions, OfVolumesAndTypefaces) {
  rounds(
      "voxel shapes",
      [](Draw& d) {
        const auto count = [&] { return d.coin() ? 8 : d.integer(); };
        const auto make = d.coin()   ? make_voxel_shapes
                          : d.coin() ? make_voxel_axes
                                     : make_tetracubes;
        const auto splits = make(1, count(), count(), count());
        volume_label_action(make_group(d.coin() ? "cube" : "C4"), splits)(
            d.elements(), at::zeros({3}, at::kLong));
      },
      60);
  rounds("typefaces", [](Draw& d) {
    TypefaceDigits digits{of_shape(d, {2, 10, 28, 28}), {"a", "b"}};
    if (d.below(4) == 0) digits.names.pop_back();
    make_typeface_pairs("x", digits, d.coin() ? 4 : d.integer())
        .get(d.coin() ? d.tensor() : at::arange(2), RandomKey(1));
  });
}

TEST(DataOptions, OfShapes) {
  const auto group = make_group("cube");
  const auto grid = mesh::cube_map_grid(4);
  const auto action = sphere_action(group, grid);
  rounds(
      "procedural shapes",
      [](Draw& d) {
        ShapeSplitOptions options{d.coin() ? 1 : std::min<std::int64_t>(d.integer(), 2), 1, 1};
        if (d.coin()) options.categories = {"no such shape"};
        make_procedural_shapes({.level = 1}, d.small(), options);
      },
      12);
  const ShapeSplits splits = make_procedural_shapes({.level = 2}, 2, {1, 1, 1});
  rounds(
      "maps of shapes",
      [&](Draw& d) {
        ShapeMapOptions options{d.coin(), d.coin() ? 1 : d.integer(), d.coin() ? 1 : d.integer(),
                                d.coin()};
        make_shape_maps("x", splits, d.below(6) == 0 ? ShapeList() : splits.train, grid, action,
                        options)
            .get(d.coin() ? d.tensor() : at::arange(2), RandomKey(1));
      },
      60);
}

}  // namespace
}  // namespace algprior
