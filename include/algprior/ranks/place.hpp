#pragma once

#include <string>

namespace algprior {

/// Which of how many processes this one is, and where they meet.
struct RankPlace {
  int rank = 0;
  int size = 1;
  std::string address = "127.0.0.1";  ///< of the host of rank 0
  int port = 29500;
  /// Someone else (torchrun's agent) keeps the store at that address; else rank 0 does.
  bool foreign_store = false;
  std::string prefix = "algprior";  ///< of this run's keys in the store
  /// The longest that one rank waits for another, in seconds.
  double timeout = 120.0;
};

/// From RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT (`algprior launch`, torchrun), else from the
/// SLURM_… variables of a step that srun started, whose ranks meet on the first of its hosts at a
/// port that follows from the job's number. One rank when there are neither.
/// ALGPRIOR_RANK_TIMEOUT sets the timeout. Throws InputError naming a variable that is missing or
/// not what it should be.
RankPlace place_from_environment();

/// The first host of a list as Slurm writes it: "node[03-07,12],gpu1" gives "node03".
std::string first_host(const std::string& list);

}  // namespace algprior
