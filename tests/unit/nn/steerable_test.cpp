// What steerable networks are made of: bases and their dimensions, kernel maps with the limits in
// which one is another, activations, convolutions.
#include "algprior/action/latent.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/group/geometry.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/io/safetensors.hpp"
#include "algprior/nn/steerable/conv.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "algprior/rep/constructions.hpp"
#include "relative_change.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior::steerable {
namespace {

// Bases go to a folder of the test's own, empty at the start.
const std::filesystem::path kCache = [] {
  const auto folder = std::filesystem::path(testing::TempDir()) / "steerable_test_cache";
  std::filesystem::remove_all(folder);
  setenv("XDG_CACHE_HOME", folder.c_str(), 1);
  return folder;
}();

SpatialBasis rings(int kernel) {
  return make_spatial_basis({.kernel = kernel});
}

FieldType hidden(const SteeringPtr& steering, const std::string& group) {
  return group == "D1" ? field_of_irreps(steering, {0}) : field_of_all_irreps(steering);
}

// (1/|G|) Σ_g χ_space χ_out χ_in, the number of equivariant kernels.
double dimension_by_characters(const SpatialBasis& space, const FieldType& out,
                               const FieldType& in) {
  const Steering& steering = *out.steering;
  double sum = 0;
  for (std::size_t g = 0; g < steering.space.size(); ++g) {
    double functions = 0, to = 0, from = 0;
    for (const SpatialBlock& block : space.blocks) {
      functions += spatial_action(space, block, steering.space[g]).trace() *
                   static_cast<double>(block.samples.size());
    }
    for (const auto i : out.irreps) to += steering.irreps[i].matrices[g].trace();
    for (const auto i : in.irreps) from += steering.irreps[i].matrices[g].trace();
    sum += functions * to * from;
  }
  return sum / static_cast<double>(steering.space.size());
}

TEST(SpatialBasis, HasTheTabledNumberOfFunctions) {
  const std::vector<std::tuple<int, std::size_t, std::size_t>> table = {
      {1, 1, 1}, {3, 6, 10}, {5, 11, 19}, {7, 18, 35}};
  for (const auto& [kernel, planar, spatial] : table) {
    EXPECT_EQ(make_spatial_basis({.kernel = kernel}).functions(), planar);
    EXPECT_EQ(make_spatial_basis({.axes = 3, .kernel = kernel}).functions(), spatial);
  }
}

// The law S_{gh} = S_g S_h, and S acts on samples as the group on the kernel's points.
TEST(SpatialBasis, CarriesALeftAction) {
  for (const char* name : {"C4", "D4", "cube", "D6"}) {
    const Group group = make_group(name);
    const auto steering = make_steering(group, Grid::sampled);
    const auto space = make_spatial_basis({.axes = steering->axes, .kernel = 7});
    for (const SpatialBlock& block : space.blocks) {
      for (Element g = 0; g < group.order(); g += 3) {
        for (Element h = 0; h < group.order(); h += 2) {
          const auto product = spatial_action(space, block, steering->space[group.multiply(g, h)]);
          const auto a = spatial_action(space, block, steering->space[g]);
          const auto b = spatial_action(space, block, steering->space[h]);
          EXPECT_LT((product - a * b).norm(), 1e-10) << name;
          EXPECT_LT((a.transpose() * a - Eigen::MatrixXd::Identity(a.rows(), a.rows())).norm(),
                    1e-10);
        }
      }
    }
  }
}

TEST(EquivariantBasis, HasTheTabledDimensions) {
  struct Row {
    const char* group;
    std::int64_t k7, k5, k3, k1;
  };
  for (const Row& row :
       {Row{"C4", 30, 77, 42, 1}, Row{"D4", 34, 96, 53, 1}, Row{"D1", 22, 14, 8, 1}}) {
    const auto steering = make_steering(make_group(row.group));
    const FieldType open = hidden(steering, row.group), before = with_gates(open);
    const FieldType scalar = field_of_irreps(steering, {0});
    EXPECT_EQ(equivariant_basis(rings(7), before, scalar)->size(), row.k7) << row.group;
    EXPECT_EQ(equivariant_basis(rings(5), before, open)->size(), row.k5) << row.group;
    EXPECT_EQ(equivariant_basis(rings(3), before, open)->size(), row.k3) << row.group;
    EXPECT_EQ(equivariant_basis(rings(1), scalar, open)->size(), row.k1) << row.group;
    EXPECT_NEAR(dimension_by_characters(rings(5), before, open), static_cast<double>(row.k5), 1e-9);
  }
  const auto c4 = make_group("C4");
  const auto steering = make_steering(c4);
  const auto regular = make_field(steering, regular_representation(c4));
  const auto vector = make_field(steering, matrix_representation(c4, {steering->space[1]}));
  EXPECT_EQ(equivariant_basis(rings(3), regular, vector)->size(), 12);
  EXPECT_EQ(equivariant_basis(rings(3), regular, regular)->size(), 24);
  EXPECT_EQ(equivariant_basis(rings(3), vector, regular)->size(), 12);
  const auto pixels = make_spatial_basis({.kernel = 3, .kind = SpatialKind::pixels});
  EXPECT_EQ(equivariant_basis(pixels, regular, regular)->size(), 36);
}

TEST(EquivariantBasis, IsReadFromTheCacheAndSolvedAnewWhenDamaged) {
  const auto steering = make_steering(make_group("D2"));
  const FieldType field = field_of_all_irreps(steering);
  const PairBasis solved = solve_equivariant_basis(rings(5), field, field);
  EXPECT_EQ(*equivariant_basis(rings(5), field, field), solved);
  EXPECT_FALSE(std::filesystem::exists(kCache)) << "not worth a file";
  EXPECT_EQ(*read_or_solve_basis(rings(5), field, field), solved);
  // The file that this wrote, read by hand as a later process would.
  std::filesystem::path newest;
  for (const auto& entry : std::filesystem::directory_iterator(kCache / "algprior" / "bases")) {
    if (newest.empty() || entry.last_write_time() > std::filesystem::last_write_time(newest)) {
      newest = entry.path();
    }
  }
  const auto content = io::read_safetensors(newest);
  const auto elements = io::view<double>(content.at("elements"));
  ASSERT_EQ(elements.size(), static_cast<std::size_t>(solved.elements.size()));
  EXPECT_TRUE(std::equal(elements.begin(), elements.end(), solved.elements.data()));
  std::fstream(newest, std::ios::in | std::ios::out | std::ios::binary).seekp(-9, std::ios::end)
      << 'x';
  EXPECT_EQ(*read_or_solve_basis(rings(5), field, field), solved);
  EXPECT_EQ(io::read_safetensors(newest).tensors, content.tensors);  // and written anew
}

TEST(EquivariantBasis, RefusesWhatDoesNotFitAndSaysWhatDoes) {
  const auto message = [](const auto& call) -> std::string {
    try {
      call();
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  const auto c4 = make_steering(make_group("C4")), d4 = make_steering(make_group("D4"));
  EXPECT_NE(message([] { make_steering(make_group("D6")); }).find("D4, C4"), std::string::npos);
  EXPECT_NE(message([] { make_steering(make_group("S5")); }).find("Cn, Dn"), std::string::npos);
  EXPECT_NE(
      message([&] { make_field(c4, regular_representation(make_group("D4"))); }).find("one of C4"),
      std::string::npos);
  EXPECT_NE(message([] { make_spatial_basis({.kernel = 3, .highest = 3}); }).find("at most 2"),
            std::string::npos);
  EXPECT_NE(message([] { make_spatial_basis({.kernel = 4}); }).find("odd"), std::string::npos);
  EXPECT_NE(message([&] {
              equivariant_basis(rings(3), field_of_all_irreps(c4), field_of_all_irreps(d4));
            }).find("fields of one group"),
            std::string::npos);
  // 2026-11-18: matrices of two shapes were compared entry by entry.
  EXPECT_THROW(equivariant_basis(rings(3), field_of_irreps(make_trivial_steering(2), {0}),
                                 field_of_irreps(make_trivial_steering(3), {0})),
               InputError);
  EXPECT_THROW(check_pointwise(field_of_all_irreps(d4)), InputError);
}

KernelSpace small_space(const SteeringPtr& steering) {
  const FieldType open = field_of_all_irreps(steering);
  return {{open, 2}, {with_gates(open), 3}, rings(3)};
}

at::Tensor kernel_of(const KernelMap& map) {
  std::vector<at::Tensor> values;
  for (const auto& [name, value] : map.parameters) values.push_back(value);
  return map.kernel(values);
}

// λ = δ_e, or uniform on some elements, by log-densities that are far apart.
void concentrate(const Likelihood& likelihood, const std::vector<std::int64_t>& elements) {
  auto logits = at::full({likelihood.fourier.size(0)}, -60.0);
  for (const auto g : elements) logits[g] = 0.0;
  likelihood.coefficients.copy_(at::linalg_solve(likelihood.fourier, logits));
}

// ρ(g) on all channels of fields of irreducible parts.
at::Tensor matrix_of(const Fields& fields, Element g) {
  const auto& type = fields.type;
  at::Tensor rho = at::zeros({type.dimension(), type.dimension()});
  for (std::size_t i = 0; i < type.irreps.size(); ++i) {
    const auto& psi = type.steering->irreps[type.irreps[i]].matrices[g];
    for (Eigen::Index a = 0; a < psi.rows(); ++a) {
      for (Eigen::Index b = 0; b < psi.cols(); ++b) {
        rho[type.offset(i) + a][type.offset(i) + b] = psi(a, b);
      }
    }
  }
  return at::kron(at::eye(fields.copies), rho);
}

// ‖ρ_out(g) K(g⁻¹x) ρ_in(g)⁻¹ − K‖ / ‖K‖ for one element.
double kernel_defect(const KernelSpace& where, const at::Tensor& kernel, Element g) {
  const auto& group = *where.out.type.steering->group;
  const auto turned = planar_action(group)(g, kernel);
  const auto moved =
      at::einsum("ab,bcxy,dc->adxy", {matrix_of(where.out, g), turned, matrix_of(where.in, g)});
  return relative_change(kernel, moved);
}

TEST(KernelMaps, AveragedOnesContainProjectionsAndFreeKernels) {
  at::manual_seed(2);
  const auto steering = make_steering(make_group("C4"));
  const auto where = small_space(steering);
  const Likelihood likelihood = make_likelihood(*steering);
  EXPECT_NEAR(alignment(likelihood).item<double>(), 0, 1e-6);
  EXPECT_NEAR(divergence_from_uniform(likelihood).item<double>(), 0, 1e-6);
  const KernelMap map = lambda_averaged(where, likelihood);
  const auto uniform = kernel_of(map);
  for (Element g = 0; g < 4; ++g) EXPECT_LT(kernel_defect(where, uniform, g), 1e-5);
  concentrate(likelihood, {0});
  const auto free = kernel_of(map);
  EXPECT_GT(kernel_defect(where, free, 1), 0.1);
  EXPECT_GT(divergence_from_uniform(likelihood).item<double>(), 1.0);
  // The projection of that kernel is the first one.
  at::Tensor mean = at::zeros_like(free);
  for (const std::int64_t g : {0, 1, 2, 3}) {
    concentrate(likelihood, {g});
    mean += kernel_of(map) / 4;
  }
  EXPECT_LT(relative_change(uniform, mean), 1e-5);
  concentrate(likelihood, {0, 2});
  EXPECT_LT(kernel_defect(where, kernel_of(map), 2), 1e-5);
  EXPECT_GT(kernel_defect(where, kernel_of(map), 1), 0.1);
}

TEST(KernelMaps, SumsAndRelaxedOnesContainTheProjectedOne) {
  at::manual_seed(3);
  const auto where = small_space(make_steering(make_group("D4")));
  const KernelMap plain = projected(where);
  KernelMap both = sum("equivariant", plain, "free", free_kernel(where));
  EXPECT_GT(relative_change(kernel_of(plain), kernel_of(both)), 1e-3);
  both.parameters[1].second = at::zeros_like(both.parameters[1].second);
  EXPECT_TRUE(at::equal(kernel_of(plain), kernel_of(both)));
  KernelMap relaxed = position_relaxed(where);
  EXPECT_GT(kernel_defect(where, kernel_of(relaxed), 1), 0.1);
  relaxed.parameters[0].second =
      plain.parameters[0].second.view({3, 2, -1, 1}).expand({3, 2, -1, 9});
  EXPECT_LT(relative_change(kernel_of(plain), kernel_of(relaxed)), 1e-6);
}

// The kernel against its plain twin, forwards and backwards, on planes that fill no vector.
TEST(Gates, AgreeWithTheirTwin) {
  at::manual_seed(5);
  const GateLayout layout{2, {1, 2, 3}};
  const auto x = at::randn({3, 18, 35, 37}).requires_grad_();
  const auto scale = at::rand({18}).add(0.5).requires_grad_();
  const auto shift = at::randn({18}).requires_grad_();
  const auto above = at::randn({3, 12, 35, 37});
  const auto run = [&](const auto& function) {
    for (const auto& leaf : {x, scale, shift}) leaf.mutable_grad() = at::Tensor();
    const auto y = function(x, scale, shift, layout);
    (y * above).sum().backward();
    return std::vector{y.detach(), x.grad().clone(), scale.grad().clone(), shift.grad().clone()};
  };
  const auto ours = run(gate_fields), theirs = run(gate_fields_torch);
  for (std::size_t i = 0; i < ours.size(); ++i)
    EXPECT_LT(relative_change(theirs[i], ours[i]), 1e-5);
  EXPECT_THROW(gate_fields(x, scale, shift, {3, {1, 2, 3}}), InputError);
}

TEST(FourierElu, CommutesWithTheGroupAndIsEluOnTheRegularRepresentation) {
  at::manual_seed(9);
  for (const char* name : {"C4", "D4"}) {
    const Group group = make_group(name);
    const auto steering = make_steering(group);
    const FieldType regular = make_field(steering, regular_representation(group));
    const Fields all{field_of_irreps(steering, regular.irreps), 2};
    const Fields some{field_of_all_irreps(steering), 2};
    for (const Fields& fields : {all, some}) {
      const auto activation = make_fourier_elu(fields);
      const auto x = at::randn({3, fields.channels(), 4, 4});
      const auto y = activation(x);
      EXPECT_GT(relative_change(x, y), 0.05);
      for (Element g = 0; g < group.order(); ++g) {
        const auto move = [&](const at::Tensor& z) {
          return at::einsum("ab,nbyx->nayx", {matrix_of(fields, g), z});
        };
        EXPECT_LT(relative_change(move(y), activation(move(x))), 1e-5) << name;
      }
    }
    EXPECT_THROW(make_fourier_elu({with_gates(some.type), 1}), InputError);
  }
}

TEST(SteerableConv, MakesItsKernelOnceAStepAndFollowsItsParameters) {
  at::manual_seed(4);
  const auto where = small_space(make_steering(make_group("C4")));
  int made = 0;
  KernelMap map = projected(where);
  map.kernel = [&made, inner = map.kernel](const auto& values) {
    ++made;
    return inner(values);
  };
  SteerableConv conv(where, map, ConvOptions{.padding = 1});
  const auto x = at::randn({1, where.in.channels(), 5, 5});
  (conv->forward(x) + conv->forward(conv->forward(x).narrow(1, 0, x.size(1)))).sum().backward();
  EXPECT_EQ(made, 1);
  conv->forward(x).sum().backward();  // the first graph is spent
  EXPECT_EQ(made, 2);
  const at::NoGradGuard no_gradient;
  const auto before = conv->forward(x);
  conv->forward(x);
  EXPECT_LE(made, 3);
  const int now = made;
  conv->forward(x);
  EXPECT_EQ(made, now);
  conv->parameters()[0].mul_(2);
  EXPECT_GT(relative_change(before, conv->forward(x)), 0.1);
}

}  // namespace
}  // namespace algprior::steerable
