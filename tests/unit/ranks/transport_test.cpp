#include "../../../src/ranks/transport.hpp"

#include "../../../src/ranks/meeting.hpp"
#include "algprior/base/error.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(Transport, IsNcclForTensorsOnAGpuAndGlooForAllOthers) {
  using c10::DeviceType;
  EXPECT_EQ(transport_of(DeviceType::CUDA, true), Transport::nccl);
  EXPECT_EQ(transport_of(DeviceType::CUDA, false), Transport::gloo_copy);
  for (const bool with_nccl : {false, true}) {
    EXPECT_EQ(transport_of(DeviceType::CPU, with_nccl), Transport::gloo);
    EXPECT_EQ(transport_of(DeviceType::XPU, with_nccl), Transport::gloo_copy);
  }
}

// A rank that is lost ends the others within their timeout, the search for its name included.
TEST(Transport, SumsLeaveTimeToFindOutWhoIsMissing) {
  RankPlace place;
  place.timeout = 120;
  EXPECT_EQ(time_for_sums(place).count(), 115'500);
  place.timeout = 4;
  EXPECT_EQ(time_for_sums(place).count(), 2'000);
}

TEST(Transport, SaysThatTheProgramHasNoNccl) {
  if (built_with_nccl()) GTEST_SKIP() << "it has";
  EXPECT_THROW(make_nccl_sum({}, {}), InputError);
}

}  // namespace
}  // namespace algprior
