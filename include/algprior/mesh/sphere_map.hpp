#pragma once

#include "algprior/mesh/mesh.hpp"

#include <vector>

namespace algprior::mesh {

/// How a mesh is carried to the sphere.
struct SphereMapOptions {
  double step = 0.4;     ///< of the flow, in units of the unit-area mesh; uncritical
  int iterations = 100;  ///< of the flow, at most
  double steady = 1e-6;  ///< the flow ends when the radius deviation changes by less in a step
  int repairs = 200;     ///< sweeps over folded places, at most; 0 leaves them as they are
  double most_folded =
      0.005;  ///< the largest folded part of the sphere that map_to_sphere() accepts
};

enum class SphereMethod { flow, harmonic };

/// A mesh on the unit sphere, with the same faces, and how well it got there.
struct SphereMap {
  std::vector<Point> vertices;
  SphereMethod method = SphereMethod::flow;
  int iterations = 0;
  double radius_deviation = 0.0;  ///< sd/mean of the distance from the centre before the projection
  std::size_t first_flips = 0;    ///< faces upside down before repairs
  std::size_t flips = 0;          ///< faces that are upside down now
  double folded_part = 0.0;       ///< their share of the sphere's area
};

/// Conformalised mean curvature flow (Kazhdan, Solomon, Ben-Chen: Can mean-curvature flow be
/// modified to be non-singular?, 2012): (M_t + dt·S)X_{t+1} = M_t X_t with S of the given mesh and
/// M_t of the current one, area kept at 1; then radially to the sphere. Its limit is conformal. One
/// symbolic factorisation, one numeric one a step. It starts from the mesh itself, or from `start`.
/// Where a coarse mesh folds, the folded vertices are moved to the mean of their neighbours. The
/// mesh must be a topological sphere (see why_not_sphere), else InputError; a flow that does not
/// stay finite throws InputError too.
SphereMap flow_to_sphere(const Mesh& mesh, const SphereMapOptions& options = {},
                         const std::vector<Point>& start = {});

/// Tutte's embedding in the plane with one face opened, under cotangent weights held positive,
/// wrapped around the sphere and centred (Haker and others: Conformal surface parameterization,
/// 2000). One linear system; folds nothing as long as doubles can tell the vertices apart; less
/// conformal than the flow's limit. Throws as flow_to_sphere().
SphereMap harmonic_to_sphere(const Mesh& mesh, const SphereMapOptions& options = {});

/// The flow started from the harmonic map, then centred: on long limbs the flow from the mesh
/// itself runs through shapes that fold. The harmonic map itself where the flow folds more than
/// options.most_folded of the sphere; InputError where both do. Folds within a limb that has shrunk
/// to a speck cover nothing and are only counted.
SphereMap map_to_sphere(const Mesh& mesh, const SphereMapOptions& options = {});

/// Möbius centring (Baden, Crane, Kazhdan: Möbius registration, 2018): the Möbius transformation
/// after which Σ m_f c_f = 0 for the masses m_f of the faces and their centres c_f on the sphere,
/// by Newton's method with a damped step. What remains is a rotation. Returns |Σ m_f c_f|, 1e-10 or
/// less when it converged.
double centre_on_sphere(std::vector<Point>& vertices, const std::vector<Face>& faces,
                        const std::vector<double>& masses);

/// The number of faces whose corners on the sphere run clockwise as seen from outside, or lie on a
/// great circle.
std::size_t count_flips(const std::vector<Point>& vertices, const std::vector<Face>& faces);

/// The area of those faces over that of the sphere.
double folded_part(const std::vector<Point>& vertices, const std::vector<Face>& faces);

/// The mean over the mesh, weighted by its area, of σ_max/σ_min of the linear map from each face to
/// its image: 1 for a conformal map.
double quasi_conformal_ratio(const Mesh& mesh, const std::vector<Point>& image);

}  // namespace algprior::mesh
