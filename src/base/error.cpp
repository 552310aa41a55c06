#include "algprior/base/error.hpp"

#include <utility>

namespace algprior {
namespace {

std::string message_of(const Failure& failure) {
  std::string message = failure.what;
  if (!failure.where.empty()) message += ": " + failure.where;
  if (!failure.expected.empty()) message += "\n  expected: " + failure.expected;
  if (!failure.next.empty()) message += "\n  next: " + failure.next;
  return message;
}

}  // namespace

Error::Error(Failure failure) : failure_(std::move(failure)), message_(message_of(failure_)) {}

}  // namespace algprior
