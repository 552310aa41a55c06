#include "algprior/group/catalogue.hpp"

#include "catalogue.hpp"

#include <array>
#include <cmath>

namespace algprior {
namespace {

double times(unsigned n, double factor) {
  return n * factor;
}
double factorial(unsigned n) {
  return std::tgamma(n + 1.0);
}

constexpr std::array kCatalogue{
    CatalogueEntry{"C", "C4", "cyclic group of order n: turns of the n-gon", true, 1, 1,
                   [](unsigned n) { return times(n, 1); }, cyclic_group},
    CatalogueEntry{"Z", "Z4", "cyclic group of order n, another name", true, 1, 1,
                   [](unsigned n) { return times(n, 1); }, cyclic_group},
    CatalogueEntry{"D", "D4", "dihedral group of order 2n: turns and flips of the n-gon", true, 1,
                   1, [](unsigned n) { return times(n, 2); }, dihedral_group},
    CatalogueEntry{"S", "S5", "symmetric group on n points", true, 1, 1, factorial,
                   symmetric_group},
    CatalogueEntry{"A", "A5", "alternating group on n points", true, 1, 1,
                   [](unsigned n) { return n < 2 ? 1.0 : factorial(n) / 2; }, alternating_group},
    CatalogueEntry{"Q", "Q8", "quaternion group, and the generalised ones of order n", true, 8, 4,
                   [](unsigned n) { return times(n, 1); }, quaternion_group},
    CatalogueEntry{"Dic", "Dic3", "dicyclic group of order 4n", true, 1, 1,
                   [](unsigned n) { return times(n, 4); }, dicyclic_group},
    CatalogueEntry{"V4", "V4", "Klein's group of order 4", false, 0, 1,
                   [](unsigned) { return 4.0; }, klein_group},
    CatalogueEntry{"K4", "K4", "Klein's group, another name", false, 0, 1,
                   [](unsigned) { return 4.0; }, klein_group},
    CatalogueEntry{"cube", "cube", "rotations of the cube (24)", false, 0, 1,
                   [](unsigned) { return 24.0; }, cube_group},
    CatalogueEntry{"O", "O", "rotations of the cube, another name", false, 0, 1,
                   [](unsigned) { return 24.0; }, cube_group},
    CatalogueEntry{"Oh", "Oh", "rotations and reflections of the cube (48)", false, 0, 1,
                   [](unsigned) { return 48.0; }, cube_group_with_reflections},
    CatalogueEntry{"T", "T", "rotations of the tetrahedron (12)", false, 0, 1,
                   [](unsigned) { return 12.0; }, tetrahedral_group},
    CatalogueEntry{"Td", "Td", "rotations and reflections of the tetrahedron (24)", false, 0, 1,
                   [](unsigned) { return 24.0; }, tetrahedral_group_with_reflections},
    CatalogueEntry{"Th", "Th", "rotations of the tetrahedron and inversion (24)", false, 0, 1,
                   [](unsigned) { return 24.0; }, tetrahedral_group_with_inversion},
    CatalogueEntry{"I", "I", "rotations of the icosahedron (60)", false, 0, 1,
                   [](unsigned) { return 60.0; }, icosahedral_group},
    CatalogueEntry{"Ih", "Ih", "rotations and reflections of the icosahedron (120)", false, 0, 1,
                   [](unsigned) { return 120.0; }, icosahedral_group_with_inversion},
};

}  // namespace

std::span<const CatalogueEntry> catalogue() {
  return kCatalogue;
}

}  // namespace algprior
