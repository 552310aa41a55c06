#pragma once

#include "algprior/action/action.hpp"

#include <cstdint>
#include <vector>

namespace algprior {

/// A rectangle of an image: rows top … top+height−1, columns left … left+width−1.
struct Box {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

/// The components (g_1, …, g_k) of elements of G_1×…×G_k. The first factor is the slow index:
/// idx(g, h) = idx(g)·|H| + idx(h).
std::vector<at::Tensor> split_elements(const std::vector<Group>& factors, const at::Tensor& g);
/// The inverse of split_elements.
at::Tensor join_elements(const std::vector<Group>& factors,
                         const std::vector<at::Tensor>& components);

/// A direct product acting part by part on a stack: x is N×k×…, and factor i acts on x[:, i].
/// `product` must multiply componentwise in the order of split_elements, which is checked. Exact
/// when every part is. Throws InputError when the parts do not make up the product.
Action stacked_action(const Group& product, const std::vector<Action>& parts);

/// A direct product acting part by part on a canvas x (N×C×H×W): factor i acts inside boxes[i],
/// pixels outside every box stay. Throws InputError when boxes overlap, leave the canvas or miss a
/// part.
Action canvas_action(const Group& product, const std::vector<Action>& parts,
                     const std::vector<Box>& boxes);

}  // namespace algprior
