// The published solver compiled for another instruction set, and with other flags than the
// library's: the same bytes.
#include "generator.hpp"

namespace algprior::fluid {
namespace {

TEST(SmokeVariant, SameBytes) {
#if defined(__x86_64__)
  if (!__builtin_cpu_supports(ALGPRIOR_VARIANT)) GTEST_SKIP() << "no " ALGPRIOR_VARIANT " here";
#endif
  EXPECT_EQ(expect_generator_states(1, 52), 15);
  EXPECT_EQ(expect_generator_states(4, 102), 4);
}

}  // namespace
}  // namespace algprior::fluid
