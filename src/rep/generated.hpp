#pragma once

#include "representation_state.hpp"
#include "spanning_tree.hpp"

#include <algorithm>
#include <mutex>

namespace algprior {

/// Images (permutations or matrices, all of one size) of the elements of a group, given on its
/// generators and multiplied along shortest words. From the first use beyond the generators on, all
/// are kept in one array when it stays below Representation::kStoreLimit.
template <class Image>
class Generated {
 public:
  using Entry = typename Image::value_type;
  using Multiply = Image (*)(const Image&, const Image&);

  Generated(Group group, std::vector<Image> generators, std::vector<Image> inverses, Image identity,
            Multiply multiply)
      : group_(std::move(group)),
        generators_(std::move(generators)),
        inverses_(std::move(inverses)),
        identity_(std::move(identity)),
        multiply_(multiply),
        size_(static_cast<std::size_t>(identity_.size())),
        kept_(sizeof(Entry) * size_ * group_.order() <= Representation::kStoreLimit) {}

  Image operator()(Element g) const {
    if (g == Group::identity()) return identity_;
    for (std::size_t k = 0; k < generators_.size(); ++k) {
      if (group_.generators()[k] == g) return generators_[k];
    }
    if (!kept_) return evaluate(group_.word(g));
    std::call_once(once_, [this] { fill(); });
    return load(g);
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

  Image load(Element g) const {
    Image result = identity_;
    std::copy_n(entries_.data() + g * size_, size_, result.data());
    return result;
  }

  void fill() const {
    const SpanningTree tree = spanning_tree(group_);
    entries_.resize(size_ * group_.order());
    for (Element g : tree.order) {
      const Image result =
          g == 0 ? identity_ : multiply_(image(tree.letter[g]), load(tree.parent[g]));
      std::copy_n(result.data(), size_, entries_.data() + g * size_);
    }
  }

  Group group_;
  std::vector<Image> generators_, inverses_;
  Image identity_;
  Multiply multiply_;
  std::size_t size_;
  bool kept_;
  mutable std::once_flag once_;
  mutable std::vector<Entry> entries_;
};

}  // namespace algprior
