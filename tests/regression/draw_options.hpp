#pragma once

#include "algprior/base/error.hpp"
#include "algprior/base/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace algprior {

// What a careless or hostile caller might give.
class Draw {
 public:
  explicit Draw(std::uint64_t round) : random_(RandomKey(20, "options").sample(round)) {}

  std::int64_t integer() {
    constexpr std::int64_t kValues[] = {-1,
                                        0,
                                        1,
                                        2,
                                        3,
                                        4,
                                        8,
                                        10'000'000'000'000,
                                        std::numeric_limits<std::int64_t>::min(),
                                        std::numeric_limits<std::int64_t>::max()};
    return kValues[random_.below(std::size(kValues))];
  }
  // Mostly usable, so that the other options are reached.
  std::int64_t size() {
    return random_.below(4) == 0 ? integer() : 1 + std::int64_t(random_.below(9));
  }
  std::vector<std::int64_t> sizes() {
    std::vector<std::int64_t> values(random_.below(4));
    for (auto& value : values) value = size();
    return values;
  }
  double real() {
    constexpr double kValues[] = {-1.0, 0.0, 0.5, 1.0, 1e300, INFINITY, -INFINITY, NAN};
    return kValues[random_.below(std::size(kValues))];
  }
  int whole() {
    constexpr int kValues[] = {std::numeric_limits<int>::min(), -1, 0, 1, 2, 3, 5, 1 << 20,
                               std::numeric_limits<int>::max()};
    return kValues[random_.below(std::size(kValues))];
  }
  // Mostly usable, as size().
  int small() { return random_.below(4) == 0 ? whole() : 1 + int(random_.below(4)); }
  double part() { return random_.below(3) == 0 ? real() : random_.uniform(); }
  bool coin() { return random_.coin(); }
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }
  at::Tensor tensor() {
    const auto kind = random_.below(8);
    if (kind == 0) return {};
    std::vector<std::int64_t> shape(random_.below(6));
    for (auto& extent : shape) extent = std::int64_t(random_.below(5));
    const auto value = at::rand(shape) * 4;
    constexpr at::ScalarType kTypes[] = {at::kFloat, at::kFloat, at::kFloat, at::kLong,
                                         at::kByte,  at::kBool,  at::kDouble};
    return value.to(kTypes[kind - 1]);
  }
  at::Tensor images() { return coin() ? tensor() : at::rand({3, 1, 4, 4}); }
  at::Tensor elements() { return coin() ? tensor() : at::arange(3, at::kLong) % 2; }

 private:
  RandomStream random_;
};

// ALGPRIOR_ROUNDS=20 draws twenty times as often.
inline int times_as_often() {
  const char* text = std::getenv("ALGPRIOR_ROUNDS");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

// What comes back is a result or an Error, and both do in some of the rounds.
template <class Work>
void rounds(const char* what, Work work, int count = 300) {
  int done = 0, refused = 0;
  for (int round = 0; round < count * times_as_often(); ++round) {
    Draw draw(static_cast<std::uint64_t>(round));
    try {
      work(draw);
      ++done;
    } catch (const Error& error) {
      ++refused;
      EXPECT_FALSE(error.failure().what.empty());
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << ", round " << round << ": " << error.what();
      return;
    }
  }
  // Only refusals, or none, would mean that the rounds say nothing.
  EXPECT_GT(done, 0) << what;
  EXPECT_GT(refused, 0) << what;
}

}  // namespace algprior
