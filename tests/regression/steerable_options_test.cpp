// The options of steerable kernels, layers and networks, as options_test.cpp does it for the
// others.
#include "algprior/group/make_group.hpp"
#include "algprior/nn/steerable/continuous.hpp"
#include "algprior/nn/steerable/digits.hpp"
#include "algprior/nn/steerable/flows.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "algprior/nn/steerable/volumes.hpp"
#include "algprior/rep/constructions.hpp"
#include "draw_options.hpp"

namespace algprior::steerable {
namespace {

SteeringPtr planar() {
  static const SteeringPtr steering = make_steering(make_group("C4"));
  return steering;
}

FieldType draw_field(Draw& d) {
  switch (d.below(6)) {
    case 0:
      return {};
    case 1:
      return field_of_irreps(d.coin() ? planar() : nullptr, {d.below(5)});
    case 2:
      return field_of_irreps(make_trivial_steering(d.small()), {0});
    case 3: {
      FieldType broken = field_of_all_irreps(planar());
      broken.irreps.push_back(d.below(9));
      return broken;
    }
    default:
      return d.coin() ? field_of_all_irreps(planar())
                      : make_field(planar(), regular_representation(*planar()->group));
  }
}

Fields draw_fields(Draw& d) {
  return {draw_field(d), d.size()};
}

SpatialBasis draw_space(Draw& d) {
  if (d.below(8) == 0) return {};
  if (d.coin()) return make_spatial_basis({.kernel = 3});
  return make_spatial_basis({.axes = d.coin() ? 2 : d.small(),
                             .kernel = d.coin() ? 3 : d.small(),
                             .kind = d.coin() ? SpatialKind::rings : SpatialKind::pixels,
                             .highest = d.coin() ? -1 : d.small()});
}

KernelSpace draw_where(Draw& d) {
  if (d.coin()) return {draw_fields(d), draw_fields(d), draw_space(d)};
  const FieldType type = make_field(planar(), regular_representation(*planar()->group));
  return {{type, 2}, {type, d.size()}, draw_space(d)};
}

TEST(SteerableOptions, OfSpaces) {
  rounds("spatial basis", [](Draw& d) { draw_space(d); });
  rounds("spatial sizes", [](Draw& d) {
    make_spatial_basis({.axes = d.small(), .kernel = d.whole(), .highest = d.whole()});
  });
  rounds("harmonics", [](Draw& d) {
    harmonics(d.small(), d.whole(), Eigen::MatrixXd::Ones(1 + Eigen::Index(d.below(3)), 2));
  });
  rounds("spatial action", [](Draw& d) {
    const SpatialBasis basis = make_spatial_basis({.axes = d.coin() ? 2 : 3, .kernel = 3});
    const auto size = 1 + static_cast<Eigen::Index>(d.below(3));
    spatial_action(basis, {d.coin() ? d.whole() : 1, 2, {}},
                   d.part() * Eigen::MatrixXd::Identity(size, size));
  });
  rounds("trivial steering", [](Draw& d) { make_trivial_steering(d.whole()); });
  rounds(
      "rotations", [](Draw& d) { make_rotation_steering(d.coin(), d.coin() ? d.whole() : 1); }, 40);
  rounds("constituents",
         [](Draw& d) { constituents(*planar(), d.below(5), std::size_t(d.small())); });
  const SteeringPtr rotations = make_rotation_steering(false, 1);
  rounds(
      "Fourier",
      [&](Draw& d) {
        rotation_fourier(d.coin() ? *planar() : *rotations, d.coin() ? 1 : d.whole());
      },
      20);
  rounds("moved kernels",
         [](Draw& d) { moved_kernels(draw_space(d), draw_field(d), draw_field(d), d.below(6)); });
  rounds("basis", [](Draw& d) { equivariant_basis(draw_space(d), draw_field(d), draw_field(d)); });
  rounds(
      "coupled basis",
      [&](Draw& d) {
        const FieldType scalar = field_of_irreps(rotations, {0});
        const auto space =
            d.coin() ? make_spatial_basis({.axes = 3, .kernel = 3, .highest = d.coin() ? 1 : 2})
                     : draw_space(d);
        solve_coupled_basis(space, d.coin() ? scalar : draw_field(d), scalar,
                            d.coin() ? 1 : d.whole());
      },
      60);
}

TEST(SteerableOptions, OfKernelMaps) {
  const auto try_map = [](const char* name, const auto& make) {
    rounds(
        name,
        [&](Draw& d) {
          const KernelSpace where = draw_where(d);
          const KernelMap map = make(where, d);
          SteerableConv layer(
              where, map, ConvOptions{d.size(), d.coin() ? 1 : d.integer(), d.coin(), d.coin()});
          layer->forward(d.below(4) == 0 ? d.tensor() : at::rand({2, map.shape[1], 4, 4}));
        },
        150);
  };
  try_map("free", [](const KernelSpace& where, Draw&) { return free_kernel(where); });
  try_map("projected", [](const KernelSpace& where, Draw&) { return projected(where); });
  try_map("relaxed", [](const KernelSpace& where, Draw&) { return position_relaxed(where); });
  try_map("banks", [](KernelSpace where, Draw& d) {
    if (d.coin()) where.space = make_spatial_basis({.kernel = 3, .kind = SpatialKind::pixels});
    return bank_mixed(where, d.size());
  });
  try_map("averaged", [](const KernelSpace& where, Draw& d) {
    const Likelihood likelihood =
        d.below(5) == 0 ? Likelihood{d.tensor(), d.tensor(), {}, {}}
                        : make_likelihood(d.coin() ? *planar() : *make_trivial_steering(2));
    return lambda_averaged(where, likelihood, {d.coin(), d.coin()});
  });
  try_map("sum", [](const KernelSpace& where, Draw& d) {
    return sum("a", free_kernel(where), "b", d.coin() ? KernelMap{} : free_kernel(where));
  });
  rounds("likelihood", [](Draw& d) {
    const Likelihood a{d.tensor(), d.tensor(), {}, {}}, b = make_likelihood(*planar());
    divergence(b, d.coin() ? a : b);
    alignment(d.coin() ? a : b);
    likelihood_terms({b, d.coin() ? a : b}, {d.part(), d.part(), d.part()});
  });
}

TEST(SteerableOptions, OfLayers) {
  const auto x = [](Draw& d, std::int64_t channels) {
    if (d.below(3) == 0) return d.tensor();
    return at::rand({2, std::clamp<std::int64_t>(channels, 0, 1000), 3, 3});
  };
  rounds("field norm", [&](Draw& d) {
    const Fields fields = draw_fields(d);
    FieldNorm norm(fields);
    norm->forward(x(d, fields.channels()));
  });
  rounds("inner norm", [&](Draw& d) {
    const Fields fields = draw_fields(d);
    InnerNorm norm(fields);
    norm->forward(x(d, fields.channels()));
  });
  rounds("gate", [&](Draw& d) {
    const Fields fields{field_of_all_irreps(planar()), d.size()};
    Gate gate(d.coin() ? fields : draw_fields(d));
    const std::int64_t copies = std::clamp<std::int64_t>(fields.copies, 0, 1000);
    gate->forward(x(d, copies * with_gates(fields.type).dimension()));
  });
  rounds("gated convolution", [&](Draw& d) {
    const Fields in{field_of_irreps(planar(), {0}), 2}, out{field_of_all_irreps(planar()), 2};
    const Fields before{with_gates(out.type), out.copies};
    const KernelSpace where{in, before, make_spatial_basis({.kernel = 3})};
    SteerableConv conv(where, projected(where), ConvOptions{.padding = 1});
    FieldNorm norm(d.coin() ? before : out);
    Pool pool;
    if (d.coin()) pool = gaussian_window(2, d.small(), d.coin() ? 1 : d.whole());
    gated_conv(x(d, 2), conv, d.coin() ? norm : FieldNorm(nullptr), Gate(out), pool);
  });
  rounds("gates", [](Draw& d) { with_gates(draw_field(d)); });
  rounds("restricted", [](Draw& d) { restricted(draw_fields(d)); });
  rounds("Fourier ELU", [&](Draw& d) {
    const Fields fields = draw_fields(d);
    const bool empty = d.below(5) == 0;
    const FourierElu elu = empty ? FourierElu{} : make_fourier_elu(fields);
    elu(x(d, empty ? 8 : fields.channels()));
  });
  rounds("pool", [](Draw& d) {
    gaussian_pool(d.coin() ? at::rand({1, 2, 6, 6}) : d.tensor(), d.small(),
                  d.coin() ? 1 : d.whole());
  });
  rounds("mask", [](Draw& d) { disc_mask(d.size()); });
}

SystemOptions draw_system(Draw& d) {
  constexpr System kSystems[] = {System::scnn, System::restriction, System::rpp, System::pscnn};
  SystemOptions options;
  options.system = kSystems[d.below(4)];
  if (d.coin()) options.equivariant_decay = d.part();
  if (d.coin()) options.free_decay = d.part();
  if (d.coin()) options.likelihood = {d.part(), d.part(), d.part()};
  return options;
}

TEST(SteerableOptions, OfNetworks) {
  constexpr int kNetworks = 40;
  rounds(
      "digits",
      [](Draw& d) {
        constexpr const char* kGroups[] = {"C2", "D1", "C3", "S3", "D4", "T", "nothing", ""};
        DigitNetworkOptions options{kGroups[d.below(8)],     draw_system(d), true,
                                    d.coin() ? 1 : d.size(), d.size(),       d.size()};
        const Network network = make_digit_network(1, options);
        if (d.below(4) == 0) network.forward(d.images());
      },
      kNetworks);
  rounds(
      "flows",
      [](Draw& d) {
        constexpr FlowSystem kSystems[] = {FlowSystem::e2cnn,  FlowSystem::rpp,
                                           FlowSystem::lift,   FlowSystem::rgroup,
                                           FlowSystem::rsteer, FlowSystem::pscnn};
        FlowNetworkOptions options;
        options.system = kSystems[d.below(6)];
        options.frames = d.size();
        options.height = d.size();
        options.width = d.size();
        options.hidden = d.coin() ? 4 : d.size();
        options.banks = d.size();
        options.code_width = d.size();
        if (d.coin()) options.decay = d.part();
        if (d.coin()) options.smoothness = d.part();
        if (d.coin()) options.likelihood = {d.part(), d.part(), d.part()};
        make_flow_network(1, options);
      },
      4 * kNetworks);
  rounds(
      "volumes",
      [](Draw& d) {
        constexpr const char* kGroups[] = {"T", "T", "T", "D4"};
        SystemOptions system = draw_system(d);
        if (system.system == System::pscnn) system.system = System::scnn;  // seconds
        make_volume_network(1, {kGroups[d.below(4)], system, d.coin() ? 1 : d.integer(),
                                d.coin() ? 2 : d.integer()});
      },
      12);
}

}  // namespace
}  // namespace algprior::steerable
