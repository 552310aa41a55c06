#pragma once

#include "algprior/group/subgroup.hpp"

#include <optional>
#include <vector>

namespace algprior {

/// φ: G → H with φ(gh) = φ(g)φ(h), as a table of images.
struct Homomorphism {
  Group source;
  Group target;
  std::vector<Element> images;  ///< element of the source → element of the target

  Element operator()(Element g) const { return images[g]; }
};

/// The homomorphism with the given images of source.generators(). Throws InputError that names the
/// first relator of the source which the images break. O(|G|) beside the relators.
Homomorphism make_homomorphism(const Group& source, const Group& target,
                               const std::vector<Element>& generator_images);

/// {g : φ(g) = e}.
Subgroup kernel(const Homomorphism& map);
/// φ(G).
Subgroup image(const Homomorphism& map);

/// A subgroup as a group of its own: the source of the inclusion H → G. Its elements are numbered
/// breadth-first over its generators.
Homomorphism inclusion(const Subgroup& subgroup);

/// The projection G → G/N. The cosets are numbered breadth-first over the images of G's generators.
/// Throws InputError when the subgroup is not normal.
Homomorphism quotient(const Subgroup& normal);

/// An isomorphism G → H, or nothing when there is none. First compares invariants of elements
/// (order, class size, powers, roots), then searches for images of a small generating set. Meant
/// for orders up to a few thousand; throws LimitError when the search takes more than 10^8 steps.
std::optional<Homomorphism> find_isomorphism(const Group& g, const Group& h);

}  // namespace algprior
