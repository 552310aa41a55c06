#pragma once

#include "representation_state.hpp"
#include "spanning_tree.hpp"

#include <mutex>

namespace algprior {

/// Images of all elements of a group, given on its generators and multiplied along shortest words.
/// They are kept from the first use on when together they stay below Representation::kStoreLimit.
template <class Image>
class Generated {
 public:
  /// `multiply(a, b)` is the image of the product; `bytes` the memory of one image.
  Generated(Group group, std::vector<Image> generators, std::vector<Image> inverses, Image identity,
            Image (*multiply)(const Image&, const Image&), std::size_t bytes)
      : group_(std::move(group)),
        generators_(std::move(generators)),
        inverses_(std::move(inverses)),
        identity_(std::move(identity)),
        multiply_(multiply),
        kept_(bytes * group_.order() <= Representation::kStoreLimit) {}

  Image operator()(Element g) const {
    if (!kept_) return evaluate(group_.word(g));
    std::call_once(once_, [this] { fill(); });
    return images_[g];
  }

  Image evaluate(const Word& word) const {
    Image product = identity_;
    for (int letter : word) product = multiply_(product, image(letter));
    return product;
  }

 private:
  const Image& image(int letter) const {
    return letter > 0 ? generators_[static_cast<std::size_t>(letter) - 1]
                      : inverses_[static_cast<std::size_t>(-letter) - 1];
  }

  void fill() const {
    const SpanningTree tree = spanning_tree(group_);
    images_.assign(group_.order(), identity_);
    for (Element g : tree.order) {
      if (g != 0) images_[g] = multiply_(image(tree.letter[g]), images_[tree.parent[g]]);
    }
  }

  Group group_;
  std::vector<Image> generators_, inverses_;
  Image identity_;
  Image (*multiply_)(const Image&, const Image&);
  bool kept_;
  mutable std::once_flag once_;
  mutable std::vector<Image> images_;
};

}  // namespace algprior
