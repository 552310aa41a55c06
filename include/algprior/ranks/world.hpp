#pragma once

#include "algprior/ranks/place.hpp"

#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace algprior {

/// The processes that train one network together, and this one's place among them. A program
/// without ranks is alone, and then every function here gives back what it was given.
///
/// The functions that exchange something must be called by all ranks in the same order. What they
/// give is the same to the bit on every rank, and from one time to the next. When a rank died, does
/// not answer within the timeout or said that it failed, they throw Error naming it.
class World {
 public:
  /// Alone.
  World();
  /// Joins the others: connects to the host of rank 0, waits for all, and makes a Gloo group.
  /// Throws Error within the timeout naming the ranks that did not come, a port that is in use, a
  /// host that does not answer; InputError for a place that cannot be, and where LibTorch has no
  /// Gloo.
  explicit World(const RankPlace& place);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const noexcept { return place_.rank; }
  int size() const noexcept { return place_.size; }
  bool alone() const noexcept { return place_.size == 1; }
  /// Whether this is rank 0, which writes the files.
  bool leads() const noexcept { return place_.rank == 0; }

  /// A sum under way.
  class Pending {
   public:
    struct Work;
    Pending();  ///< nothing to wait for
    explicit Pending(std::unique_ptr<Work> work);
    Pending(Pending&&) noexcept;
    Pending& operator=(Pending&&) noexcept;
    ~Pending();
    /// Until the tensor holds the sum.
    void wait();

   private:
    std::unique_ptr<Work> work_;
  };

  /// Replaces a contiguous tensor by its sum over the ranks: on the CPU by Gloo, on a GPU by NCCL
  /// where LibTorch has it, else by Gloo through a copy on the CPU.
  void sum(const at::Tensor& values) const;
  /// The same beside other work; the tensor must not be touched before wait() returns.
  Pending begin_sum(const at::Tensor& values) const;
  /// How long this rank has waited for sums so far, for slower ranks as well as for the network.
  double seconds_waited() const noexcept;
  /// The rows of all ranks, those of rank 0 first. The shapes must agree but for the rows.
  at::Tensor gather_rows(const at::Tensor& rows) const;
  /// What rank 0 gave.
  std::string share(const std::string& bytes) const;

  /// Throws InputError unless every rank gave the same text, listing the first rank that differs
  /// from this one with the lines that do. `what` names it: "the configuration".
  void agree(const std::string& what, const std::string& text) const;

  /// Tells the others why this rank ends, so that they name it and the reason. Never throws.
  void fail(const std::string& reason) noexcept;

 private:
  struct State;
  RankPlace place_;
  std::unique_ptr<State> state_;
};

/// The ranks that this process belongs to: itself alone until WorldScope says otherwise. A process
/// has one world, as it has one number of threads.
const World& world() noexcept;

/// Makes a world the process's own while it lives.
class WorldScope {
 public:
  explicit WorldScope(const World& world) noexcept;
  ~WorldScope();
  WorldScope(const WorldScope&) = delete;
  WorldScope& operator=(const WorldScope&) = delete;

 private:
  const World* before_;
};

/// A rank's samples of a batch, which all ranks know whole.
struct Share {
  std::int64_t begin = 0;
  std::int64_t count = 0;
  double weight = 1.0;  ///< of this rank's means in the mean over the whole batch
  bool whole = true;    ///< this rank has all samples
};

/// Contiguous shares, as even as can be: nothing is left out, nothing stands twice. A batch of
/// fewer than two samples a rank is worked on whole by every rank with equal weights: a batch norm
/// needs two samples.
Share share_of(std::int64_t batch, const World& world);

}  // namespace algprior
