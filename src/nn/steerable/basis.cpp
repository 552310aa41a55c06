#include "algprior/nn/steerable/basis.hpp"

#include "algprior/base/error.hpp"
#include "checks.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>
#include <unsupported/Eigen/KroneckerProduct>

namespace algprior::steerable {
namespace {

using Eigen::MatrixXd;

/// Kernels between two irreducible representations, a row each: [out, in, point].
struct IrrepKernels {
  RowMatrix elements;
};

MatrixXd tensor_action(const MatrixXd& space, const MatrixXd& out, const MatrixXd& in) {
  return Eigen::kroneckerProduct(space, Eigen::kroneckerProduct(out, in).eval());
}

// Σ_m c[m, (out, in)] φ_m(x) for a column of coefficients c.
Eigen::RowVectorXd sample(const Eigen::VectorXd& coefficients, const MatrixXd& functions) {
  const Eigen::Index pairs = coefficients.size() / functions.rows();
  const RowMatrix kernel =
      Eigen::Map<const RowMatrix>(coefficients.data(), functions.rows(), pairs).transpose() *
      functions;
  return Eigen::Map<const Eigen::RowVectorXd>(kernel.data(), kernel.size());
}

// The vectors fixed by all generators: the kernel of Σ (T − 1)ᵀ(T − 1) = Σ 2 − T − Tᵀ.
MatrixXd fixed_vectors(const Steering& steering, const SpatialBasis& space,
                       const SpatialBlock& block, const Irrep& out, const Irrep& in) {
  const Eigen::Index size = block.functions * out.dimension() * in.dimension();
  MatrixXd defect = MatrixXd::Zero(size, size);
  for (const std::size_t g : steering.generators) {
    const MatrixXd action = tensor_action(spatial_action(space, block, steering.space[g]),
                                          out.matrices[g], in.matrices[g]);
    defect += 2 * MatrixXd::Identity(size, size) - action - action.transpose();
  }
  const Eigen::SelfAdjointEigenSolver<MatrixXd> solver(defect);
  constexpr double kZero = 1e-7;
  Eigen::Index count = 0;
  while (count < size && solver.eigenvalues()[count] < kZero) ++count;
  return solver.eigenvectors().leftCols(count);
}

IrrepKernels solve_irreps(const Steering& steering, const SpatialBasis& space, const Irrep& out,
                          const Irrep& in) {
  constexpr double kUnseen = 1e-2;
  std::vector<Eigen::RowVectorXd> rows;
  for (const SpatialBlock& block : space.blocks) {
    const MatrixXd fixed = fixed_vectors(steering, space, block, out, in);
    for (const MatrixXd& functions : block.samples) {
      for (Eigen::Index i = 0; i < fixed.cols(); ++i) {
        const Eigen::RowVectorXd row = sample(fixed.col(i), functions);
        const double norm = row.squaredNorm() / static_cast<double>(out.dimension());
        if (norm >= kUnseen) rows.push_back(row / std::sqrt(norm));
      }
    }
  }
  IrrepKernels kernels{RowMatrix(static_cast<Eigen::Index>(rows.size()),
                                 out.dimension() * in.dimension() * space.points())};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    kernels.elements.row(static_cast<Eigen::Index>(i)) = rows[i];
  }
  return kernels;
}

IrrepKernels move_irreps(const Steering& steering, const SpatialBasis& space, const Irrep& out,
                         const Irrep& in, std::size_t g) {
  std::vector<RowMatrix> parts;
  const Eigen::Index width = out.dimension() * in.dimension() * space.points();
  Eigen::Index count = 0;
  for (const SpatialBlock& block : space.blocks) {
    const MatrixXd action = tensor_action(spatial_action(space, block, steering.space[g]),
                                          out.matrices[g], in.matrices[g]);
    for (const MatrixXd& functions : block.samples) {
      RowMatrix rows(action.cols(), width);
      for (Eigen::Index i = 0; i < action.cols(); ++i) {
        rows.row(i) = sample(action.col(i), functions);
      }
      count += rows.rows();
      parts.push_back(std::move(rows));
    }
  }
  IrrepKernels kernels{RowMatrix(count, width)};
  Eigen::Index place = 0;
  for (const RowMatrix& part : parts) {
    kernels.elements.middleRows(place, part.rows()) = part;
    place += part.rows();
  }
  return kernels;
}

// Puts kernels between irreducible parts in their places, and turns both sides by Q.
template <class Kernels>
PairBasis join(const SpatialBasis& space, const FieldType& out, const FieldType& in,
               const Kernels& kernels_of) {
  check_pair(space, out, in);
  const Steering& steering = *out.steering;
  const Eigen::Index points = space.points(), wide = in.dimension() * points;
  std::map<std::pair<std::size_t, std::size_t>, IrrepKernels> known;
  PairBasis basis;
  std::vector<RowMatrix> rows;
  for (std::size_t o = 0; o < out.irreps.size(); ++o) {
    const auto out_part =
        out.basis.middleCols(out.offset(o), steering.irreps[out.irreps[o]].dimension());
    for (std::size_t i = 0; i < in.irreps.size(); ++i) {
      const auto in_part =
          in.basis.middleCols(in.offset(i), steering.irreps[in.irreps[i]].dimension());
      const std::pair key(out.irreps[o], in.irreps[i]);
      if (!known.contains(key)) {
        known.emplace(key, kernels_of(steering.irreps[key.first], steering.irreps[key.second]));
      }
      const RowMatrix& elements = known.at(key).elements;
      for (Eigen::Index e = 0; e < elements.rows(); ++e) {
        RowMatrix whole = RowMatrix::Zero(out.dimension(), wide);
        const RowMatrix left =
            out_part * Eigen::Map<const RowMatrix>(elements.row(e).data(), out_part.cols(),
                                                   in_part.cols() * points);
        for (Eigen::Index to = 0; to < in_part.rows(); ++to) {
          for (Eigen::Index from = 0; from < in_part.cols(); ++from) {
            if (in_part(to, from) == 0) continue;
            whole.middleCols(to * points, points) +=
                in_part(to, from) * left.middleCols(from * points, points);
          }
        }
        rows.push_back(std::move(whole));
        basis.out_place.push_back(static_cast<std::int64_t>(o));
        basis.in_irrep.push_back(static_cast<std::int64_t>(in.irreps[i]));
      }
    }
  }
  basis.elements.resize(static_cast<Eigen::Index>(rows.size()), out.dimension() * wide);
  for (std::size_t e = 0; e < rows.size(); ++e) {
    basis.elements.row(static_cast<Eigen::Index>(e)) =
        Eigen::Map<const Eigen::RowVectorXd>(rows[e].data(), rows[e].size());
  }
  return basis;
}

bool same_steering(const Steering& a, const Steering& b) {
  // Eigen compares matrices of one shape only.
  const auto same_matrix = [](const Eigen::MatrixXd& x, const Eigen::MatrixXd& y) {
    return x.rows() == y.rows() && x.cols() == y.cols() && x == y;
  };
  return &a == &b || (a.name == b.name && std::equal(a.space.begin(), a.space.end(),
                                                     b.space.begin(), b.space.end(), same_matrix));
}

}  // namespace

void check_pair(const SpatialBasis& space, const FieldType& out, const FieldType& in) {
  check_field(out);
  check_field(in);
  if (space.blocks.empty() || space.blocks.front().samples.empty()) {
    throw InputError(
        {"a kernel has no functions", "an empty basis", "one of make_spatial_basis", ""});
  }
  if (!same_steering(*out.steering, *in.steering)) {
    throw InputError({"a kernel joins fields of two groups",
                      fmt::format("{} to {}", in.steering->name, out.steering->name),
                      "fields of one group", "restrict the fields first: restricted()"});
  }
  if (space.options.axes != out.steering->axes) {
    throw InputError({"a kernel's axes are not those that the group turns",
                      fmt::format("{} axes, group {}", space.options.axes, out.steering->name),
                      fmt::format("{} axes", out.steering->axes), ""});
  }
}

PairBasis solve_equivariant_basis(const SpatialBasis& space, const FieldType& out,
                                  const FieldType& in) {
  return join(space, out, in, [&](const Irrep& to, const Irrep& from) {
    return solve_irreps(*out.steering, space, to, from);
  });
}

PairBasis moved_kernels(const SpatialBasis& space, const FieldType& out, const FieldType& in,
                        std::size_t element) {
  check_field(out);
  if (element >= out.steering->space.size()) {
    throw InputError({"a group has no such element",
                      fmt::format("number {} of {}", element, out.steering->name),
                      fmt::format("below {}", out.steering->space.size()), ""});
  }
  return join(space, out, in, [&](const Irrep& to, const Irrep& from) {
    return move_irreps(*out.steering, space, to, from, element);
  });
}

}  // namespace algprior::steerable
