#include "algprior/action/parts.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

std::vector<Group> groups_of(const std::vector<Action>& parts) {
  std::vector<Group> groups;
  for (const auto& part : parts) groups.push_back(part.group());
  return groups;
}

std::vector<Element> components(const std::vector<Group>& factors, Element g) {
  std::vector<Element> result(factors.size());
  for (std::size_t i = factors.size(); i-- > 0;) {
    const auto order = static_cast<Element>(factors[i].order());
    result[i] = g % order;
    g /= order;
  }
  return result;
}

// It is enough to multiply by generators: the map to the factors is then a homomorphism.
bool multiplies_componentwise(const Group& product, const std::vector<Group>& factors) {
  std::size_t order = 1;
  for (const auto& factor : factors) order *= factor.order();
  if (order != product.order()) return false;
  for (const auto generator : product.generators()) {
    const auto left = components(factors, generator);
    for (Element h = 0; h < order; ++h) {
      const auto right = components(factors, h);
      const auto both = components(factors, product.multiply_unchecked(generator, h));
      for (std::size_t i = 0; i < factors.size(); ++i) {
        if (both[i] != factors[i].multiply_unchecked(left[i], right[i])) return false;
      }
    }
  }
  return true;
}

void check_product(const Group& product, const std::vector<Action>& parts) {
  if (!parts.empty() && multiplies_componentwise(product, groups_of(parts))) return;
  throw InputError({"the parts do not make up the group",
                    fmt::format("{} with {} parts", product.name(), parts.size()),
                    "the direct product of the parts' groups, first factor slowest",
                    "make the group as a product, for example make_group(\"D4xD4\")"});
}

double worst_tolerance(const std::vector<Action>& parts) {
  double worst = 0.0;
  for (const auto& part : parts) worst = std::max(worst, part.tolerance());
  return worst;
}

// So large that no image reaches it, so small that sums of two do not overflow.
constexpr std::int64_t kLargestCanvas = std::int64_t{1} << 40;

void check_boxes(const std::vector<Box>& boxes, std::size_t parts) {
  const auto overlap = [](const Box& a, const Box& b) {
    return a.top < b.top + b.height && b.top < a.top + a.height && a.left < b.left + b.width &&
           b.left < a.left + a.width;
  };
  bool good = boxes.size() == parts;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto& box = boxes[i];
    good = good && box.top >= 0 && box.left >= 0 && box.height > 0 && box.width > 0 &&
           std::max({box.top, box.left, box.height, box.width}) < kLargestCanvas;
    for (std::size_t j = 0; j < i; ++j) good = good && !overlap(boxes[j], box);
  }
  if (good) return;
  throw InputError({"boxes do not fit the parts", fmt::format("{} boxes", boxes.size()),
                    fmt::format("{} boxes that do not overlap", parts),
                    "give each part its own box"});
}

}  // namespace

std::vector<at::Tensor> split_elements(const std::vector<Group>& factors, const at::Tensor& g) {
  if (!g.defined() || g.dim() != 1 || g.scalar_type() != at::kLong) {
    throw InputError({"elements of a product cannot be split",
                      g.defined() ? fmt::format("a {}-dimensional {} tensor", g.dim(),
                                                at::toString(g.scalar_type()))
                                  : std::string("no tensor"),
                      "an int64 vector", ""});
  }
  std::vector<at::Tensor> result(factors.size());
  auto rest = g;
  for (std::size_t i = factors.size(); i-- > 0;) {
    const auto order = static_cast<std::int64_t>(factors[i].order());
    result[i] = rest.remainder(order);
    rest = rest.div(order, "floor");
  }
  return result;
}

at::Tensor join_elements(const std::vector<Group>& factors, const std::vector<at::Tensor>& parts) {
  if (factors.empty() || factors.size() != parts.size()) {
    throw InputError({"components do not fit the factors",
                      fmt::format("{} components", parts.size()), fmt::format("{}", factors.size()),
                      ""});
  }
  const auto samples = parts[0].defined() && parts[0].dim() == 1 ? parts[0].size(0) : 0;
  for (std::size_t i = 0; i < parts.size(); ++i) check_elements(factors[i], parts[i], samples);
  auto g = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    g = g * static_cast<std::int64_t>(factors[i].order()) + parts[i];
  }
  return g;
}

Action stacked_action(const Group& product, const std::vector<Action>& parts) {
  check_product(product, parts);
  return Action(product, "action of " + product.name() + " on stacked parts",
                worst_tolerance(parts),
                [parts, factors = groups_of(parts)](const at::Tensor& g, const at::Tensor& x) {
                  if (x.dim() < 2 || x.size(1) != static_cast<std::int64_t>(parts.size())) {
                    throw InputError({"a stack does not have the action's parts", "",
                                      fmt::format("dimension 1 of size {}", parts.size()), ""});
                  }
                  const auto split = split_elements(factors, g);
                  std::vector<at::Tensor> moved;
                  for (std::size_t i = 0; i < parts.size(); ++i) {
                    moved.push_back(parts[i](split[i], x.select(1, static_cast<std::int64_t>(i))));
                  }
                  return at::stack(moved, 1);
                });
}

Action canvas_action(const Group& product, const std::vector<Action>& parts,
                     const std::vector<Box>& boxes) {
  check_product(product, parts);
  check_boxes(boxes, parts.size());
  return Action(
      product, "action of " + product.name() + " on parts of a canvas", worst_tolerance(parts),
      [parts, boxes, factors = groups_of(parts)](const at::Tensor& g, const at::Tensor& x) {
        for (const auto& box : boxes) {
          if (x.dim() == 4 && box.top + box.height <= x.size(2) &&
              box.left + box.width <= x.size(3)) {
            continue;
          }
          throw InputError(
              {"a part's box leaves the canvas",
               fmt::format("rows {}+{}, columns {}+{}", box.top, box.height, box.left, box.width),
               "a box inside images of shape N x C x H x W", ""});
        }
        const auto split = split_elements(factors, g);
        auto canvas = x.clone();
        for (std::size_t i = 0; i < parts.size(); ++i) {
          const auto& box = boxes[i];
          const auto part = x.narrow(2, box.top, box.height).narrow(3, box.left, box.width);
          canvas.narrow(2, box.top, box.height)
              .narrow(3, box.left, box.width)
              .copy_(parts[i](split[i], part));
        }
        return canvas;
      });
}

}  // namespace algprior
