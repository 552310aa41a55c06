#include "algprior/base/error.hpp"

#include <gtest/gtest.h>

namespace algprior {
namespace {

TEST(Error, MessageHoldsEveryPartThatIsGiven) {
  const Error error({"cannot read the group", "\"D0\"", "n >= 1", "write D1"});
  EXPECT_STREQ(error.what(), "cannot read the group: \"D0\"\n  expected: n >= 1\n  next: write D1");
}

TEST(Error, EmptyPartsLeaveNoTrace) {
  EXPECT_STREQ(Error({"stopped", "", "", ""}).what(), "stopped");
  EXPECT_STREQ(Error({"stopped", "", "", "run it again"}).what(), "stopped\n  next: run it again");
}

TEST(Error, FamilyIsCaughtByItsRoot) {
  EXPECT_THROW(throw InputError({"x", "", "", ""}), Error);
  EXPECT_THROW(throw FileError({"x", "", "", ""}), Error);
}

}  // namespace
}  // namespace algprior
