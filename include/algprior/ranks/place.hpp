#pragma once

#include <optional>
#include <string>

namespace algprior {

/// Which of how many processes this one is, and where they meet.
struct RankPlace {
  int rank = 0;
  int size = 1;
  std::optional<int> local_rank = {};  ///< among the ranks of this host, where it was told
  std::string address = "127.0.0.1";   ///< of the host of rank 0
  int port = 29500;
  /// Someone else (torchrun's agent) keeps the store at that address; else rank 0 does.
  bool foreign_store = false;
  std::string prefix = "algprior";  ///< of this run's keys in the store
  /// The longest that one rank waits for another, in seconds.
  double timeout = 120.0;
};

/// From RANK, WORLD_SIZE, MASTER_ADDR, MASTER_PORT (`algprior launch`, torchrun), else from the
/// SLURM_… variables of a step that srun started, whose ranks meet on the first of its hosts at a
/// port that follows from the job's number. One rank when there are neither. LOCAL_RANK or
/// SLURM_LOCALID say which of its host it is.
/// ALGPRIOR_RANK_TIMEOUT sets the timeout. Throws InputError naming a variable that is missing or
/// not what it should be.
RankPlace place_from_environment();

/// The GPU of a rank, when nobody names one: its own among those that it sees, which is the first
/// where it sees one (as srun --gpus-per-task=1 makes it) or was not told its number on its host.
/// Throws InputError where several are too few for the ranks.
int gpu_of(const RankPlace& place, int visible);

/// Throws InputError for a rank, a port or a timeout that cannot be.
void check(const RankPlace& place);

/// The first host of a list as Slurm writes it: "node[03-07,12],gpu1" gives "node03".
std::string first_host(const std::string& list);

}  // namespace algprior
