// Every operation here is one IEEE float32 operation in the order written: the build compiles this
// file without fused or reassociated arithmetic.
#include "algprior/base/error.hpp"
#include "algprior/fluid/solver.hpp"
#include "published_pressure.hpp"
#include "runaway.hpp"

#include <algorithm>
#include <cfenv>
#include <cfloat>

namespace algprior::fluid {

static_assert(FLT_EVAL_METHOD == 0, "float32 operations must be rounded to float32");

namespace {

/// Rounding to nearest with subnormal numbers while it lives: a process may have been told to flush
/// them to zero (-ffast-math at link time, LibTorch's set_flush_denormal).
class DefaultArithmetic {
 public:
  DefaultArithmetic() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultArithmetic() { std::fesetenv(&before_); }
  DefaultArithmetic(const DefaultArithmetic&) = delete;
  DefaultArithmetic& operator=(const DefaultArithmetic&) = delete;

 private:
  std::fenv_t before_;
};

float middle(float upper, float lower) {
  return upper * 0.5f + lower * 0.5f;
}

/// ⌊c⌋ and c mod 1, the latter rounded as NumPy does it. Beyond ±2²³ every float is whole.
struct Split {
  int floor;
  float rest;
};

Split split(float c) {
  constexpr float kWhole = 8388608.0f;
  c = c > -kWhole ? (c < kWhole ? c : kWhole) : -kWhole;  // a NaN goes to −2²³
  const int towards_zero = static_cast<int>(c);
  const float rest = c - static_cast<float>(towards_zero);
  if (rest < 0.0f) return {towards_zero - 1, rest + 1.0f};
  return {towards_zero, rest};
}

/// The two samples along one axis around an index, and the weight of the upper one.
struct Neighbours {
  int lower, upper;
  float weight;
};

Neighbours neighbours(int floor, int last, float weight) {
  return {std::clamp(floor, 0, last), std::clamp(floor + 1, 0, last), weight};
}

/// Linear interpolation in a field [..][height], the four products added in this order.
float blend(const float* field, int height, const Neighbours& x, const Neighbours& y) {
  const float left = 1.0f - x.weight;
  const float low = 1.0f - y.weight;
  const float* lower = field + static_cast<std::ptrdiff_t>(x.lower) * height;
  const float* upper = field + static_cast<std::ptrdiff_t>(x.upper) * height;
  return ((lower[y.lower] * (left * low) + lower[y.upper] * (left * y.weight)) +
          upper[y.lower] * (x.weight * low)) +
         upper[y.upper] * (x.weight * y.weight);
}

}  // namespace

struct PublishedSolver::Work {
  explicit Work(const Flow& given)
      : flow(given),
        width(given.grid.width),
        height(given.grid.height),
        time_step(static_cast<float>(given.time_step)),
        force_x(static_cast<float>(given.force_x * given.time_step)),
        force_y(static_cast<float>(given.force_y * given.time_step)),
        pressure(width, height),
        carried(given.grid.cells()),
        moved(given.grid.cells()),
        divergence(given.grid.cells()),
        padded_u(static_cast<std::size_t>(width + 1) * (height + 2), 0.0f),
        padded_v(static_cast<std::size_t>(width + 2) * (height + 1), 0.0f) {
    for (const double value : inflow_field(given)) inflow.push_back(static_cast<float>(value));
  }

  void advect_smoke(State<float>& state);
  void advect_velocity(const State<float>& old);
  void push(State<float>& state) const;
  int project(State<float>& state);

  Flow flow;
  int width, height;
  float time_step, force_x, force_y;
  PublishedPressure pressure;
  std::vector<float> inflow, carried, moved, divergence;
  std::vector<float> padded_u, padded_v;  // with a layer of zeros where there are no walls
  std::vector<float> next_u, next_v;
  int steps = 0;
};

/// MacCormack: there and back again, half the difference corrected, clamped to what was there.
void PublishedSolver::Work::advect_smoke(State<float>& state) {
  const auto sample = [&](const std::vector<float>& field, int x, int y, float sign, auto&& use) {
    const std::size_t cell = state.smoke_at(x, y);
    const float u = middle(state.u[state.u_at(x + 1, y)], state.u[state.u_at(x, y)]) * time_step;
    const float v = middle(state.v[state.v_at(x, y + 1)], state.v[state.v_at(x, y)]) * time_step;
    const Split at_x = split(((static_cast<float>(x) + 0.5f) + sign * u) - 0.5f);
    const Split at_y = split(((static_cast<float>(y) + 0.5f) + sign * v) - 0.5f);
    const Neighbours nx = neighbours(at_x.floor, width - 1, at_x.rest);
    const Neighbours ny = neighbours(at_y.floor, height - 1, at_y.rest);
    use(cell, blend(field.data(), height, nx, ny), nx, ny);
  };
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      sample(state.smoke, x, y, -1.0f,
             [&](std::size_t cell, float value, auto&, auto&) { carried[cell] = value; });
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      float back = 0.0f, low = 0.0f, high = 0.0f;
      sample(carried, x, y, 1.0f, [&](std::size_t, float value, auto&, auto&) { back = value; });
      sample(state.smoke, x, y, -1.0f, [&](std::size_t, float, auto& nx, auto& ny) {
        const float corners[] = {state.smoke[state.smoke_at(nx.lower, ny.lower)],
                                 state.smoke[state.smoke_at(nx.lower, ny.upper)],
                                 state.smoke[state.smoke_at(nx.upper, ny.lower)],
                                 state.smoke[state.smoke_at(nx.upper, ny.upper)]};
        low = *std::min_element(std::begin(corners), std::end(corners));
        high = *std::max_element(std::begin(corners), std::end(corners));
      });
      const std::size_t cell = state.smoke_at(x, y);
      const float value = carried[cell] + 0.5f * (state.smoke[cell] - back);
      moved[cell] = std::min(std::max(value, low), high) + inflow[cell];
    }
  }
}

/// Semi-Lagrangian, into next_u and next_v. The generator scales the coordinate along a face's own
/// axis to the unit interval and back, which is the identity but for rounding: kept.
void PublishedSolver::Work::advect_velocity(const State<float>& old) {
  for (int x = 0; x <= width; ++x) {
    std::copy_n(&old.u[old.u_at(x, 0)], height, &padded_u[x * (height + 2) + 1]);
  }
  std::copy(old.v.begin(), old.v.end(), padded_v.begin() + (height + 1));

  const auto along = [&](float position, int faces, int last) {
    const auto scale = static_cast<float>(faces);
    const float c = ((position - 0.5f) / scale) * scale - 0.5f;
    return neighbours(split(c + 1.0f).floor, last, split(c).rest);
  };
  const auto across = [&](float position, int last) {
    const float c = position - 0.5f;
    return neighbours(split(c + 1.0f).floor, last, split(c).rest);
  };
  next_u = old.u;
  next_v = old.v;
  for (int x = 1; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      const float u = old.u[old.u_at(x, y)];
      const float above = middle(old.v[old.v_at(x, y + 1)], old.v[old.v_at(x - 1, y + 1)]);
      const float below = middle(old.v[old.v_at(x, y)], old.v[old.v_at(x - 1, y)]);
      const float v = middle(above, below);
      const auto nx = along(static_cast<float>(x) - u * time_step, width - 1, width);
      const auto ny = across((static_cast<float>(y) + 0.5f) - v * time_step, height + 1);
      next_u[old.u_at(x, y)] = blend(padded_u.data(), height + 2, nx, ny);
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 1; y < height; ++y) {
      const float above = middle(old.u[old.u_at(x + 1, y)], old.u[old.u_at(x, y)]);
      const float below = middle(old.u[old.u_at(x + 1, y - 1)], old.u[old.u_at(x, y - 1)]);
      const float u = middle(above, below);
      const float v = old.v[old.v_at(x, y)];
      const auto nx = across((static_cast<float>(x) + 0.5f) - u * time_step, width + 1);
      const auto ny = along(static_cast<float>(y) - v * time_step, height - 1, height);
      next_v[old.v_at(x, y)] = blend(padded_v.data(), height + 1, nx, ny);
    }
  }
}

void PublishedSolver::Work::push(State<float>& state) const {
  for (int x = 1; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      state.u[state.u_at(x, y)] += middle(state.smoke[state.smoke_at(x, y)] * force_x,
                                          state.smoke[state.smoke_at(x - 1, y)] * force_x);
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 1; y < height; ++y) {
      state.v[state.v_at(x, y)] += middle(state.smoke[state.smoke_at(x, y)] * force_y,
                                          state.smoke[state.smoke_at(x, y - 1)] * force_y);
    }
  }
}

int PublishedSolver::Work::project(State<float>& state) {
  for (int x = 0; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      divergence[state.smoke_at(x, y)] =
          (state.u[state.u_at(x + 1, y)] - state.u[state.u_at(x, y)]) +
          (state.v[state.v_at(x, y + 1)] - state.v[state.v_at(x, y)]);
    }
  }
  int iterations = 0;
  const std::vector<float>& p = pressure.solve(divergence, iterations);
  for (int x = 1; x < width; ++x) {
    for (int y = 0; y < height; ++y) {
      state.u[state.u_at(x, y)] -= p[state.smoke_at(x, y)] - p[state.smoke_at(x - 1, y)];
    }
  }
  for (int x = 0; x < width; ++x) {
    for (int y = 1; y < height; ++y) {
      state.v[state.v_at(x, y)] -= p[state.smoke_at(x, y)] - p[state.smoke_at(x, y - 1)];
    }
  }
  return iterations;
}

PublishedSolver::PublishedSolver(const Flow& flow) {
  check(flow);
  if (flow.walls != Walls::kStick) {
    throw InputError({"the published generator knows no walls that slip", to_text(flow),
                      "walls that stick", "take SymmetricSolver"});
  }
  work_ = std::make_unique<Work>(flow);
}

PublishedSolver::~PublishedSolver() = default;
PublishedSolver::PublishedSolver(PublishedSolver&&) noexcept = default;
PublishedSolver& PublishedSolver::operator=(PublishedSolver&&) noexcept = default;

StepReport PublishedSolver::step(State<float>& state) {
  const DefaultArithmetic arithmetic;
  refuse_other_grid(work_->flow, state);
  work_->advect_smoke(state);
  work_->advect_velocity(state);
  state.smoke.swap(work_->moved);
  state.u.swap(work_->next_u);
  state.v.swap(work_->next_v);
  work_->push(state);
  const int iterations = work_->project(state);
  refuse_runaway(state, work_->flow, work_->steps);
  if (iterations > PublishedPressure::kMaxIterations) {
    throw_runaway("the pressure solve did not converge", work_->flow, work_->steps);
  }
  ++work_->steps;
  return {iterations};
}

}  // namespace algprior::fluid
