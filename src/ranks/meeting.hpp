#pragma once

#include "algprior/ranks/place.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace algprior {

/// Runs work that may never return (a connection to a host that was cut off) on a thread of its
/// own: whether it ended in time. What it throws is thrown here; work that is late is left behind.
bool in_time(double seconds, std::function<void()> work);

/// How long a sum is waited for: what a rank's timeout leaves beside finding out who is to blame,
/// and half of it at least.
std::chrono::milliseconds time_for_sums(const RankPlace& place);

/// What diagnose() will tell the others; only the first counts.
void blame(c10d::Store& store, const std::string& reason);

/// Where the ranks meet: a store of keys on the host of rank 0, by which they find each other, and
/// find out who is missing when something broke.
class Meeting {
 public:
  /// Connects and waits for all ranks.
  explicit Meeting(const RankPlace& place);
  /// Says good-bye; rank 0 stays until the others have, or a few seconds.
  ~Meeting();
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  const c10::intrusive_ptr<c10d::Store>& store() const { return store_; }
  /// The texts of all ranks under a key that nobody used before.
  std::vector<std::string> exchange(const std::string& key, const std::string& text);
  /// "rank 2 on host b (process 77)"
  const std::string& name_of(int rank) const { return names_.at(static_cast<std::size_t>(rank)); }

  /// Who is to blame for an exchange that failed, in words: takes a few seconds.
  std::string diagnose(const std::string& reason) const;

 private:
  void connect();

  RankPlace place_;
  c10::intrusive_ptr<c10d::Store> store_;
  std::vector<std::string> names_;
  mutable bool gone_ = false;  // the store does not answer
  struct Heart;
  std::shared_ptr<Heart> heart_;
};

}  // namespace algprior
