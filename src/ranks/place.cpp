#include "algprior/ranks/place.hpp"

#include "algprior/base/error.hpp"

#include <charconv>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

namespace algprior {
namespace {

std::optional<std::string> variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr || *text == '\0') return std::nullopt;
  return text;
}

int number(const char* name, int least, int most) {
  const auto text = variable(name);
  if (!text) {
    throw InputError({"the place of this rank is not told whole", name,
                      fmt::format("a number from {} to {}", least, most),
                      "set it, or start the ranks with algprior launch or srun"});
  }
  int value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size() || value < least || value > most) {
    throw InputError({"the place of this rank cannot be read", fmt::format("{}={}", name, *text),
                      fmt::format("a number from {} to {}", least, most), "correct the variable"});
  }
  return value;
}

constexpr int kMostRanks = 65536;
constexpr int kLastPort = 65535;

void read_local(RankPlace& place, const char* name) {
  if (variable(name)) place.local_rank = number(name, 0, place.size - 1);
}

void read_plain(RankPlace& place) {
  place.size = number("WORLD_SIZE", 1, kMostRanks);
  place.rank = number("RANK", 0, place.size - 1);
  if (place.size == 1) return;
  read_local(place, "LOCAL_RANK");
  place.address = variable("MASTER_ADDR").value_or("");
  if (place.address.empty()) {
    throw InputError({"the place of this rank is not told whole", "MASTER_ADDR",
                      "the name or address of the host of rank 0", "set it"});
  }
  place.port = number("MASTER_PORT", 1, kLastPort);
  if (variable("TORCHELASTIC_USE_AGENT_STORE").value_or("") == "True") {
    place.foreign_store = true;
    place.prefix =
        "/worker/attempt_" + variable("TORCHELASTIC_RESTART_COUNT").value_or("0") + "/algprior";
  }
}

// Of a step, which srun starts: what a batch script itself runs is one process, whatever the number
// of its tasks.
void read_slurm(RankPlace& place) {
  place.size = number("SLURM_STEP_NUM_TASKS", 1, kMostRanks);
  place.rank = number("SLURM_PROCID", 0, place.size - 1);
  if (place.size == 1) return;
  read_local(place, "SLURM_LOCALID");
  const auto hosts = variable("SLURM_STEP_NODELIST");
  if (!hosts) {
    throw InputError({"the place of this rank is not told whole", "SLURM_STEP_NODELIST",
                      "the hosts of the step, as srun sets them", "start the ranks with srun"});
  }
  place.address = variable("MASTER_ADDR").value_or(first_host(*hosts));
  constexpr int kFirst = 20000, kPorts = 20000;
  constexpr int kMany = 2'000'000'000;
  place.port = variable("MASTER_PORT") ? number("MASTER_PORT", 1, kLastPort)
                                       : kFirst + (number("SLURM_JOB_ID", 0, kMany) % kPorts * 7 +
                                                   number("SLURM_STEP_ID", 0, kMany) % kPorts) %
                                                      kPorts;
}

}  // namespace

int gpu_of(const RankPlace& place, int visible) {
  const int local = place.local_rank.value_or(0);
  if (visible == 1) return 0;
  if (local < visible) return local;
  throw InputError({"this rank has no GPU of its own",
                    fmt::format("rank {}, number {} on its host", place.rank, local),
                    fmt::format("fewer ranks than GPUs here: there are {}", visible),
                    "start fewer ranks on a host, or say which GPU: --device cuda:0"});
}

void check(const RankPlace& place) {
  constexpr double kLongest = 1e6;
  const bool alone = place.size == 1 && place.rank == 0;
  if (alone) return;
  const auto refuse = [](const std::string& where, const std::string& expected) {
    throw InputError({"a rank cannot have this place", where, expected,
                      "start the ranks with algprior launch, torchrun or srun"});
  };
  if (place.size < 1 || place.size > kMostRanks || place.rank < 0 || place.rank >= place.size) {
    refuse(fmt::format("rank {} of {}", place.rank, place.size),
           fmt::format("1 to {} ranks, counted from 0", kMostRanks));
  }
  if (place.port < 1 || place.port > kLastPort || place.address.empty()) {
    refuse(fmt::format("address \"{}\", port {}", place.address, place.port),
           fmt::format("a host, and a port from 1 to {}", kLastPort));
  }
  if (!(place.timeout > 0) || place.timeout > kLongest) {
    refuse(fmt::format("a timeout of {} seconds", place.timeout),
           fmt::format("more than 0, at most {}", kLongest));
  }
}

std::string first_host(const std::string& list) {
  const std::size_t bracket = list.find('[');
  const std::size_t comma = list.find(',');
  if (bracket == std::string::npos || comma < bracket) return list.substr(0, comma);
  const std::size_t end = list.find_first_of(",-]", bracket);
  if (end == std::string::npos) return list.substr(0, bracket);
  const std::size_t close = std::min(list.find(']', bracket), list.size() - 1);
  const std::string after = list.substr(close + 1, list.find_first_of(",[", close + 1) - close - 1);
  return list.substr(0, bracket) + list.substr(bracket + 1, end - bracket - 1) + after;
}

RankPlace place_from_environment() {
  RankPlace place;
  if (variable("ALGPRIOR_RANK_TIMEOUT")) {
    constexpr int kDay = 86'400;
    place.timeout = number("ALGPRIOR_RANK_TIMEOUT", 1, kDay);
  }
  if (variable("RANK") || variable("WORLD_SIZE")) {
    read_plain(place);
  } else if (variable("SLURM_STEP_NUM_TASKS") && variable("SLURM_PROCID")) {
    read_slurm(place);
  }
  return place;
}

}  // namespace algprior
