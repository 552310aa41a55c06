#include "algprior/prior/learned_representation.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/memory.hpp"
#include "algprior/base/random.hpp"
#include "algprior/group/presentation.hpp"
#include "algprior/kernel/shape_text.hpp"
#include "singular.hpp"

#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <torch/types.h>

namespace algprior {
namespace {

// z is N×d or N×d×…: the matrix acts on dimension 1.
at::Tensor multiply_latents(const at::Tensor& matrix, const at::Tensor& z) {
  if (z.dim() == 2) return at::matmul(z, matrix.t());
  return at::matmul(matrix, z.flatten(2)).reshape(z.sizes());
}

void require_square(const Group& group, const std::vector<at::Tensor>& matrices) {
  const auto fail = [&](const std::string& found) {
    throw InputError({"these are no matrices of a learned representation", found,
                      fmt::format("{} square matrices of one size, one for each generator of {}",
                                  group.generators().size(), group.name()),
                      "give them in the order of group.generators()"});
  };
  if (matrices.empty() || matrices.size() != group.generators().size()) {
    fail(fmt::format("{} matrices", matrices.size()));
  }
  for (const auto& matrix : matrices) {
    const auto n = matrix.dim();
    const bool fits = (n == 2 || n == 3) && matrix.size(n - 1) == matrix.size(n - 2) &&
                      matrix.numel() > 0 && matrix.sizes().equals(matrices.front().sizes()) &&
                      at::isFloatingType(matrix.scalar_type()) &&
                      matrix.scalar_type() == matrices.front().scalar_type();
    if (!fits) {
      fail(fmt::format("{} {}", at::toString(matrix.scalar_type()), shape_text(matrix)));
    }
  }
}

std::vector<at::Tensor> start_matrices(const Group& group,
                                       const LearnedRepresentationOptions& options) {
  std::vector<at::Tensor> matrices;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    matrices.push_back(start_matrix(options, k));
  }
  return matrices;
}

}  // namespace

at::Tensor start_matrix(const LearnedRepresentationOptions& options, std::size_t generator) {
  const auto d = options.dimension;
  if (d < 1 || !std::isfinite(options.noise) || options.noise < 0.0) {
    throw InputError({"a learned representation cannot start so",
                      fmt::format("dimension {}, noise {}", d, options.noise),
                      "a dimension of at least 1 and noise of at least 0", ""});
  }
  // In double precision, with what a QR decomposition holds beside it.
  check_memory(3.0 * 8.0 * static_cast<double>(d) * static_cast<double>(d),
               "a learned representation", fmt::format("{0} x {0} matrices", d));
  RandomStream random(RandomKey(options.seed, "learned representation").sample(generator));
  const auto draw = [&](auto next) {
    const auto matrix = at::empty({d, d}, at::kDouble);
    auto* out = matrix.data_ptr<double>();
    for (std::int64_t i = 0; i < d * d; ++i) out[i] = next();
    return matrix;
  };
  const auto normal = [&] { return draw([&] { return random.normal(); }); };
  at::Tensor start;
  switch (options.start) {
    case MatrixStart::normal:
      start = normal();
      break;
    case MatrixStart::uniform:
      start = draw([&] { return random.uniform(); });
      break;
    case MatrixStart::orthogonal: {
      // Q of a Gaussian matrix is uniform once the signs of R's diagonal are fixed.
      const auto [q, r] = at::linalg_qr(normal());
      start = q * r.diagonal().sign() + options.noise * normal();
      break;
    }
    case MatrixStart::identity:
      start = at::eye(d, at::kDouble) + options.noise * normal();
      break;
  }
  return start.to(at::kFloat);
}

LearnedRepresentationImpl::LearnedRepresentationImpl(Group group,
                                                     const LearnedRepresentationOptions& options)
    : LearnedRepresentationImpl(group, start_matrices(group, options)) {}

LearnedRepresentationImpl::LearnedRepresentationImpl(Group group,
                                                     const std::vector<at::Tensor>& matrices)
    : torch::nn::Module("LearnedRepresentation"), group_(std::move(group)) {
  require_square(group_, matrices);
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    generators_.push_back(
        register_parameter(group_.generator_names()[k], matrices[k].detach().clone()));
  }
  grow_tree();
}

LearnedRepresentationImpl::LearnedRepresentationImpl(Group group, Shared shared)
    : torch::nn::Module("LearnedRepresentation"), group_(std::move(group)) {
  require_square(group_, shared.matrices);
  generators_ = std::move(shared.matrices);
  grow_tree();
}

void LearnedRepresentationImpl::grow_tree() {
  // Breadth-first over products with generators alone: in a finite group these reach everything.
  constexpr auto kUnseen = std::numeric_limits<std::size_t>::max();
  tree_.assign(group_.order(), {0, kUnseen});
  std::vector<Element> found{Group::identity()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    for (std::size_t k = 0; k < generators_.size(); ++k) {
      const Element next = group_.multiply_unchecked(found[i], group_.generators()[k]);
      if (next == Group::identity() || tree_[next].second != kUnseen) continue;
      tree_[next] = {found[i], k};
      found.push_back(next);
    }
  }
}

std::int64_t LearnedRepresentationImpl::dimension() const {
  return generators_.front().size(-1);
}

std::map<Element, at::Tensor> LearnedRepresentationImpl::matrices(
    const std::vector<Element>& elements) const {
  std::map<Element, at::Tensor> known;
  known[Group::identity()] =
      at::eye(dimension(), generators_.front().options()).expand_as(generators_.front());
  std::vector<Element> path;
  for (Element g : elements) {
    if (g >= tree_.size()) {
      throw InputError({"no such group element", fmt::format("{}", g),
                        fmt::format("an index below {}", tree_.size()), ""});
    }
    for (path.clear(); !known.contains(g); g = tree_[g].first) path.push_back(g);
    for (auto step = path.rbegin(); step != path.rend(); ++step) {
      const auto& [parent, k] = tree_[*step];
      known[*step] = parent == Group::identity() ? generators_[k]
                                                 : at::matmul(known.at(parent), generators_[k]);
    }
  }
  return known;
}

at::Tensor LearnedRepresentationImpl::matrix(Element g) const {
  return matrices({g}).at(g);
}

at::Tensor LearnedRepresentationImpl::apply(const at::Tensor& g, const at::Tensor& z) const {
  if (generators_.front().dim() != 2 || z.dim() < 2 || z.size(1) != dimension()) {
    throw InputError(
        {"a latent tensor does not fit the learned representation",
         fmt::format("latents {}, matrices {}", shape_text(z), shape_text(generators_.front())),
         fmt::format("N x {0} or N x {0} x H x W", dimension()),
         "give the representation the dimension of the latent layer"});
  }
  check_elements(group_, g, z.size(0));
  const auto host = g.to(at::kCPU).contiguous();
  const auto* elements = host.data_ptr<std::int64_t>();
  std::map<Element, std::vector<std::int64_t>> places;
  for (std::int64_t n = 0; n < host.numel(); ++n) {
    places[static_cast<Element>(elements[n])].push_back(n);
  }
  std::vector<Element> distinct;
  for (const auto& [element, samples] : places) distinct.push_back(element);
  const auto images = matrices(distinct);
  const auto act = [&](Element element, const at::Tensor& part) {
    if (element == Group::identity()) return part;
    return multiply_latents(images.at(element).to(z.options()), part);
  };
  if (distinct.empty()) return z;
  if (distinct.size() == 1) return act(distinct.front(), z);

  std::vector<std::int64_t> order;
  std::vector<at::Tensor> parts;
  for (const auto& [element, samples] : places) {
    order.insert(order.end(), samples.begin(), samples.end());
  }
  std::vector<std::int64_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    back[static_cast<std::size_t>(order[i])] = static_cast<std::int64_t>(i);
  }
  const auto sorted = z.index_select(0, at::tensor(order, at::kLong).to(z.device()));
  std::int64_t begin = 0;
  for (const auto& [element, samples] : places) {
    const auto count = static_cast<std::int64_t>(samples.size());
    parts.push_back(act(element, sorted.narrow(0, begin, count)));
    begin += count;
  }
  return at::cat(parts).index_select(0, at::tensor(back, at::kLong).to(z.device()));
}

Action LearnedRepresentationImpl::action() const {
  // The holder keeps the module alive and so follows its training.
  const auto self = std::dynamic_pointer_cast<const LearnedRepresentationImpl>(shared_from_this());
  return Action(group_, fmt::format("learned action of {}", group_.name()),
                std::numeric_limits<double>::infinity(),
                [self](const at::Tensor& g, const at::Tensor& z) { return self->apply(g, z); });
}

at::Tensor evaluate(const std::vector<at::Tensor>& generators, const Word& word) {
  if (generators.empty()) {
    throw InputError({"a word needs matrices", "no generators", "one matrix a generator", ""});
  }
  for (const at::Tensor& matrix : generators) {
    if (matrix.defined() && matrix.dim() >= 2 && matrix.size(-1) == matrix.size(-2) &&
        matrix.is_floating_point() && matrix.sizes().equals(generators.front().sizes())) {
      continue;
    }
    throw InputError({"a word needs matrices", shape_text(matrix), "square ones of one size", ""});
  }
  const auto& first = generators.front();
  if (word.empty()) return at::eye(first.size(-1), first.options()).expand_as(first);
  const auto factor = [&](int letter) {
    const auto k = static_cast<std::size_t>(std::abs(std::int64_t{letter})) - 1;
    if (letter == 0 || k >= generators.size()) {
      throw InputError({"a word has a letter without a matrix", fmt::format("{}", letter),
                        fmt::format("letters of {} generators", generators.size()), ""});
    }
    return letter > 0 ? generators[k]
                      : differentiable_inverse(generators[k], fmt::format("number {}", k + 1));
  };
  const auto length = period(word);
  auto base = factor(word[0]);
  for (std::size_t i = 1; i < length; ++i) base = at::matmul(base, factor(word[i]));
  return at::matrix_power(base, static_cast<std::int64_t>(word.size() / length));
}

at::Tensor differentiable_inverse(const at::Tensor& matrix, const std::string& name) {
  const auto identity = at::eye(matrix.size(-1), matrix.options());
  const auto [inverse, info] = at::linalg_solve_ex(matrix, identity.expand_as(matrix));
  if (matrix.dim() == 2 && info.item<std::int64_t>() != 0) {
    throw DivergedError({"a learned matrix is singular", "generator " + name,
                         "a matrix that can be inverted",
                         "start from another seed or lower the learning rate"});
  }
  return inverse;
}

ApproximateRepresentation to_approximate(const LearnedRepresentation& representation) {
  check_finite(representation);
  std::vector<Eigen::MatrixXd> matrices;
  for (const auto& generator : representation->generators()) {
    if (generator.dim() != 2) {
      throw InputError({"a batch of representations is not one representation",
                        fmt::format("matrices {}", shape_text(generator)), "d x d matrices",
                        "take one of the batch"});
    }
    const auto values = generator.detach().to(at::kCPU, at::kDouble).contiguous();
    using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    matrices.emplace_back(
        Eigen::Map<const RowMajor>(values.data_ptr<double>(), values.size(0), values.size(1)));
  }
  return {representation->group(), std::move(matrices)};
}

ApproximateRepresentation to_approximate(const Representation& representation) {
  std::vector<Eigen::MatrixXd> matrices;
  for (const Element s : representation.group().generators()) {
    matrices.push_back(representation.matrix(s));
  }
  return {representation.group(), std::move(matrices)};
}

LearnedRepresentation to_learned(const ApproximateRepresentation& representation) {
  std::vector<at::Tensor> matrices;
  for (const auto& generator : representation.generators()) {
    Eigen::MatrixXd columns = generator.transpose();  // Eigen stores columns first
    matrices.push_back(
        at::from_blob(columns.data(), {generator.rows(), generator.cols()}, at::kDouble).clone());
  }
  return LearnedRepresentation(representation.group(), matrices);
}

void check_finite(const LearnedRepresentation& representation) {
  for (std::size_t k = 0; k < representation->generators().size(); ++k) {
    if (at::isfinite(representation->generators()[k]).all().item<bool>()) continue;
    throw DivergedError(
        {"a learned representation diverged",
         fmt::format("the matrix of generator {} of {} is not finite",
                     representation->group().generator_names()[k], representation->group().name()),
         "finite entries", "lower the learning rate or start from another seed"});
  }
}

}  // namespace algprior
