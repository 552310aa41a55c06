#include "algprior/mesh/procedural.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/mesh/mesh_file.hpp"
#include "algprior/mesh/mobius.hpp"
#include "algprior/mesh/refine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>
#include <fmt/format.h>

namespace algprior::mesh {
namespace {

enum class Family { limbs, superquadric, waves, dumbbell, hand };
constexpr std::array<const char*, 5> kFamilies{"limbs", "superquadric", "waves", "dumbbell",
                                               "hand"};

struct Limb {
  Point direction;
  double length = 1.0, width = 0.35;
};

double between(RandomStream& random, double low, double high) {
  return low + (high - low) * random.uniform();
}

Point random_direction(RandomStream& random) {
  Point direction;
  do {
    for (int i = 0; i < 3; ++i) direction[i] = random.normal();
  } while (direction.norm() < 1e-6);
  return direction.normalized();
}

/// Directions of which no two are nearer than arccos(0.55); fewer when there is no room.
std::vector<Limb> spread_limbs(RandomStream& random, int count) {
  std::vector<Limb> limbs;
  for (int tries = 0; static_cast<int>(limbs.size()) < count && tries < 1000; ++tries) {
    const Point direction = random_direction(random);
    const bool free = std::all_of(limbs.begin(), limbs.end(), [&](const Limb& limb) {
      return limb.direction.dot(direction) < 0.55;
    });
    if (!free) continue;
    limbs.push_back({direction, between(random, 0.6, 1.5), between(random, 0.28, 0.45)});
  }
  return limbs;
}

/// A fan of fingers in one plane and a thumb.
std::vector<Limb> fan_of_limbs(RandomStream& random) {
  std::vector<Limb> limbs;
  const auto fingers = random.integer(3, 5);
  const double spread = between(random, 0.45, 0.6);
  for (std::int64_t i = 0; i < fingers; ++i) {
    const double angle = spread * (static_cast<double>(i) - 0.5 * static_cast<double>(fingers - 1));
    limbs.push_back({Point(std::sin(angle), 0.0, std::cos(angle)), between(random, 0.8, 1.4),
                     between(random, 0.2, 0.26)});
  }
  limbs.push_back({Point(0.3, between(random, 0.6, 1.0), -0.2).normalized(), 0.7, 0.3});
  return limbs;
}

/// Bends what lies beyond the root of a limb along a circle; lengths along the limb stay.
Point bent(const Point& x, const Limb& limb, double root, const Point& normal, double angle) {
  const double s = x.dot(limb.direction) - root;
  const Point offset = x - x.dot(limb.direction) * limb.direction;
  if (s <= 0.0 || offset.norm() >= 1.0 || std::abs(angle) < 1e-9) return x;
  const double k = angle / std::max(limb.length, 0.3);
  const Point side = normal.cross(limb.direction);
  const double turn = k * s;
  return root * limb.direction + std::sin(turn) / k * limb.direction +
         (1.0 - std::cos(turn)) / k * side + offset.dot(normal) * normal +
         offset.dot(side) * (std::cos(turn) * side - std::sin(turn) * limb.direction);
}

double superquadric_radius(const Point& v, double e1, double e2) {
  const double equator =
      std::pow(std::pow(std::abs(v.x()), 2 / e2) + std::pow(std::abs(v.y()), 2 / e2), e2 / e1);
  return std::pow(equator + std::pow(std::abs(v.z()), 2 / e1), -e1 / 2);
}

/// The body of one instance as a map of the unit sphere to space.
class Body {
 public:
  Body(int category, const RandomKey& own, RandomStream& varied, const ProceduralOptions& options)
      : family_(static_cast<Family>(category % 5)) {
    RandomStream random(own);
    for (int i = 0; i < 3; ++i) aspect_[i] = std::exp(between(random, -0.25, 0.25));
    if (family_ == Family::limbs)
      limbs_ = spread_limbs(random, static_cast<int>(random.integer(2, 6)));
    if (family_ == Family::hand) limbs_ = fan_of_limbs(random);
    if (family_ == Family::dumbbell) {
      aspect_ = Point(1.0, 1.0, between(random, 1.4, 2.2));
      waist_ = between(random, 0.3, 0.65);
    }
    exponents_ = {between(random, 0.5, 1.5), between(random, 0.5, 1.5)};
    taper_ = between(random, -0.35, 0.35);
    twist_ = between(random, -0.8, 0.8);
    for (int l = 2; l <= 6; ++l) {
      for (int m = -l; m <= l; ++m) waves_.push_back(between(random, -0.25, 0.25) / l);
    }
    for (Limb& limb : limbs_) {
      limb.length *= std::exp(0.04 * varied.normal());
      Point normal = random_direction(varied).cross(limb.direction);
      if (normal.norm() < 1e-6) normal = limb.direction.unitOrthogonal();
      normals_.push_back(normal.normalized());
      angles_.push_back(std::clamp(options.bending * varied.normal(), -1.5, 1.5));
    }
    spine_bend_ = std::clamp(0.5 * options.bending * varied.normal(), -0.7, 0.7);
    for (Ripple& ripple : ripples_) {
      ripple = {random_direction(varied), between(varied, 2.0, 4.0), between(varied, 0.0, 6.283),
                options.ripples};
    }
  }

  Point operator()(const Point& v) const {
    double radius = 1.0;
    for (const Limb& limb : limbs_) {
      radius += limb.length * std::exp((v.dot(limb.direction) - 1.0) / (limb.width * limb.width));
    }
    if (family_ == Family::superquadric)
      radius = superquadric_radius(v, exponents_[0], exponents_[1]);
    if (family_ == Family::waves) radius = std::max(0.3, 1.0 + wave_sum(v));
    for (const Ripple& r : ripples_)
      radius *= 1.0 + r.size * std::cos(r.rate * v.dot(r.axis) + r.phase);
    Point x = aspect_.cwiseProduct(radius * v);
    if (family_ == Family::dumbbell) {
      const double pinch = 1.0 - (1.0 - waist_) * std::exp(-4.0 * v.z() * v.z());
      x.head<2>() *= pinch;
    }
    if (family_ == Family::superquadric) {
      x.head<2>() *= 1.0 + taper_ * std::clamp(x.z(), -1.0, 1.0);
      x = Eigen::AngleAxisd(twist_ * x.z(), Point::UnitZ()) * x;
    }
    if (limbs_.empty() && std::abs(spine_bend_) > 1e-9) {
      // The whole body bends about the y axis; |x|·curvature stays below 1, so nothing overlaps.
      const double k = spine_bend_ / 2.0, turn = k * x.z(), arm = 1.0 / k - x.x();
      x = Point(1.0 / k - arm * std::cos(turn), x.y(), arm * std::sin(turn));
    }
    for (std::size_t i = 0; i < limbs_.size(); ++i) {
      const double root = 0.9 * aspect_.cwiseProduct(limbs_[i].direction).norm();
      // Only what belongs to this limb follows it.
      if (v.dot(limbs_[i].direction) > 0.75) x = bent(x, limbs_[i], root, normals_[i], angles_[i]);
    }
    return x;
  }

 private:
  struct Ripple {
    Point axis = Point::Zero();
    double rate = 0.0, phase = 0.0, size = 0.0;
  };

  double wave_sum(const Point& v) const {
    const double polar = std::acos(std::clamp(v.z(), -1.0, 1.0)),
                 azimuth = std::atan2(v.y(), v.x());
    double sum = 0.0;
    std::size_t i = 0;
    for (int l = 2; l <= 6; ++l) {
      for (int m = -l; m <= l; ++m, ++i) {
        const auto order = static_cast<unsigned>(std::abs(m));
        const double legendre = std::sph_legendre(static_cast<unsigned>(l), order, polar);
        const double turn = m == 0  ? 1.0
                            : m > 0 ? std::numbers::sqrt2 * std::cos(m * azimuth)
                                    : std::numbers::sqrt2 * std::sin(-m * azimuth);
        sum += waves_[i] * legendre * turn;
      }
    }
    return sum;
  }

  Family family_;
  Point aspect_ = Point::Ones();
  std::vector<Limb> limbs_;
  std::vector<Point> normals_;
  std::vector<double> angles_, waves_;
  std::array<double, 2> exponents_{};
  std::array<Ripple, 6> ripples_{};
  double waist_ = 1.0, taper_ = 0.0, twist_ = 0.0, spine_bend_ = 0.0;
};

void check_procedural(int category, int instance, const ProceduralOptions& options) {
  if (category < 0 || instance < 0 || options.level < 1 || options.level > 6 ||
      !(options.bending >= 0.0 && options.bending <= 2.0) ||
      !(options.ripples >= 0.0 && options.ripples <= 0.1)) {
    throw InputError(
        {"procedural shapes cannot be made so",
         fmt::format("category {}, instance {}, level {}, bending {}, ripples {}", category,
                     instance, options.level, options.bending, options.ripples),
         "level 1 to 6, bending 0 to 2, ripples 0 to 0.1", ""});
  }
}

}  // namespace

std::string procedural_category(int category) {
  return fmt::format("{}-{}", kFamilies[static_cast<std::size_t>(category) % kFamilies.size()],
                     category);
}

Mesh procedural_shape(int category, int instance, const ProceduralOptions& options) {
  check_procedural(category, instance, options);
  const RandomKey key(options.seed, "procedural shapes");
  const RandomKey own = key.purpose("category").sample(static_cast<std::uint64_t>(category));
  RandomStream varied(
      key.purpose("instance")
          .at(static_cast<std::uint32_t>(category), static_cast<std::uint64_t>(instance)));
  const Body body(category, own, varied, options);
  const Eigen::Matrix3d turn = random_rotation(varied);
  Mesh mesh = make_icosphere(options.level);
  for (Point& vertex : mesh.vertices) vertex = turn * body(vertex);
  return scaled_to_area(std::move(mesh), 4.0 * std::numbers::pi);
}

void write_procedural_shapes(const std::filesystem::path& folder, const ProceduralOptions& options,
                             const ProgressSink& progress) {
  check_procedural(0, 0, options);
  if (options.categories < 1 || options.instances < 1) {
    throw InputError({"there are no procedural shapes to write",
                      fmt::format("{} categories of {}", options.categories, options.instances),
                      "at least 1 of each", ""});
  }
  const auto total = static_cast<std::uint64_t>(options.categories) *
                     static_cast<std::uint64_t>(options.instances);
  std::uint64_t done = 0;
  for (int category = 0; category < options.categories; ++category) {
    const std::filesystem::path place = folder / procedural_category(category);
    make_folder(place);
    for (int instance = 0; instance < options.instances; ++instance) {
      throw_if_stopped();
      write_mesh(place / fmt::format("{}.off", instance),
                 procedural_shape(category, instance, options));
      if (progress) progress(++done, total);
    }
  }
}

}  // namespace algprior::mesh
