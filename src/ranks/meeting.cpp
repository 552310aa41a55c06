#include "meeting.hpp"

#include "algprior/base/error.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>
#include <unistd.h>

namespace algprior {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr const char* kFailed = "failed";
constexpr const char* kLeft = "left";
constexpr milliseconds kBeat(500);
constexpr milliseconds kSilence(3000);  // six beats
constexpr double kDiagnosis = 4.5;      // seconds: kSilence, and half of it for the store
constexpr double kGoodBye = 5.0;        // seconds

std::string key_of(const char* what, int rank) {
  return fmt::format("{}/{}", what, rank);
}

std::vector<std::uint8_t> to_value(const std::string& text) {
  return {text.begin(), text.end()};
}

std::string read_key(c10d::Store& store, const std::string& key) {
  const auto value = store.get(key);
  return {value.begin(), value.end()};
}

std::string own_name(int rank) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host = {'?'};
  return fmt::format("rank {} on {} (process {})", rank, host.data(), getpid());
}

c10::intrusive_ptr<c10d::Store> open_store(const RankPlace& place, bool serve) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place.port);
  options.isServer = serve;
  options.waitWorkers = false;
  options.timeout = milliseconds(static_cast<std::int64_t>(1000 * place.timeout));
  return c10::make_intrusive<c10d::PrefixStore>(
      place.prefix, c10::make_intrusive<c10d::TCPStore>(place.address, options));
}

// What LibTorch said, without the trace of its own calls.
std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string find_culprit(c10d::Store& store, const std::vector<std::string>& names,
                         const std::string& reason) {
  const auto beats = [&] {
    std::vector<std::int64_t> counts;
    for (std::size_t rank = 0; rank < names.size(); ++rank) {
      counts.push_back(store.add(key_of("beat", static_cast<int>(rank)), 0));
    }
    return counts;
  };
  const auto before = beats();
  for (const auto end = Clock::now() + kSilence; Clock::now() < end;) {
    if (store.check({kFailed})) return read_key(store, kFailed);
    std::this_thread::sleep_for(milliseconds(50));
  }
  const auto after = beats();
  std::vector<std::string> silent;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    if (before[rank] == after[rank]) silent.push_back(names[rank]);
  }
  if (silent.empty()) return "a connection broke: " + reason;
  std::string verdict = fmt::format("{} no longer answers", fmt::join(silent, ", "));
  blame(store, verdict);
  store.add(kLeft, static_cast<std::int64_t>(silent.size()));  // they will not say good-bye
  return verdict;
}

}  // namespace

void blame(c10d::Store& store, const std::string& reason) {
  if (!store.check({kFailed})) store.set(kFailed, to_value(reason));
}

bool in_time(double seconds, std::function<void()> work) {
  auto task = std::make_shared<std::packaged_task<void()>>(std::move(work));
  auto done = task->get_future();
  std::thread([task] { (*task)(); }).detach();
  if (done.wait_for(std::chrono::duration<double>(seconds)) != std::future_status::ready) {
    return false;
  }
  done.get();
  return true;
}

// Adds 1 to this rank's number in the store, again and again, over a connection of its own: who
// stands still while others beat is dead, stopped or cut off.
struct Meeting::Heart {
  std::mutex mutex;
  std::condition_variable changed;
  bool stop = false;
  bool stopped = false;

  void beat(c10d::Store& store, const std::string& key) {
    std::unique_lock lock(mutex);
    while (!stop) {
      lock.unlock();
      try {
        store.add(key, 1);
      } catch (const std::exception&) {
        lock.lock();
        break;  // the host of rank 0 is gone: the next exchange of this rank will say so
      }
      lock.lock();
      changed.wait_for(lock, kBeat, [&] { return stop; });
    }
    stopped = true;
    changed.notify_all();
  }
};

void Meeting::connect() {
  const std::string where = fmt::format("{}:{}", place_.address, place_.port);
  const bool serve = place_.rank == 0 && !place_.foreign_store;
  std::string reason = "it did not answer";
  auto opened = std::make_shared<c10::intrusive_ptr<c10d::Store>>();
  try {
    if (in_time(place_.timeout,
                [opened, place = place_, serve] { *opened = open_store(place, serve); })) {
      store_ = *opened;
      return;
    }
  } catch (const std::exception& error) {
    reason = first_line(error.what());
  }
  if (serve) {
    throw Error({"rank 0 cannot wait for the other ranks", where,
                 "a free port on this host: " + reason,
                 "choose another MASTER_PORT (launch --port), or end who uses it"});
  }
  throw Error({fmt::format("rank {} cannot reach rank 0", place_.rank), where,
               fmt::format("an answer within {} s: {}", place_.timeout, reason),
               "check MASTER_ADDR and MASTER_PORT, that rank 0 runs, and the firewall"});
}

Meeting::Meeting(const RankPlace& place) : place_(place) {
  connect();
  names_ = exchange("hello", own_name(place.rank));
  heart_ = std::make_shared<Heart>();
  std::thread([heart = heart_, place] {
    try {
      const auto store = open_store(place, false);
      heart->beat(*store, key_of("beat", place.rank));
    } catch (const std::exception&) {
      const std::lock_guard lock(heart->mutex);
      heart->stopped = true;
    }
  }).detach();
}

Meeting::~Meeting() {
  {
    std::unique_lock lock(heart_->mutex);
    heart_->stop = true;
    heart_->changed.notify_all();
    heart_->changed.wait_for(lock, kBeat, [&] { return heart_->stopped; });
  }
  if (gone_) return;
  const auto part = [store = store_, place = place_] {
    store->add(kLeft, 1);
    if (place.rank != 0 || place.foreign_store) return;
    const auto end = Clock::now() + milliseconds(static_cast<int>(1000 * kGoodBye));
    while (store->add(kLeft, 0) < place.size && Clock::now() < end) {
      std::this_thread::sleep_for(milliseconds(20));
    }
  };
  try {
    in_time(kGoodBye + 1, part);
  } catch (const std::exception&) {  // nobody is there to say good-bye to
  }
}

std::vector<std::string> Meeting::exchange(const std::string& key, const std::string& text) {
  const auto result = std::make_shared<std::vector<std::string>>(place_.size);
  const auto seen = std::make_shared<std::vector<char>>(place_.size, 0);
  const auto work = [=, store = store_, place = place_] {
    store->set(key_of(key.c_str(), place.rank), to_value(text));
    const auto end = Clock::now() + milliseconds(static_cast<std::int64_t>(1000 * place.timeout));
    for (int rank = 0; rank < place.size;) {
      const auto name = key_of(key.c_str(), rank);
      if (store->check({name})) {
        (*result)[rank] = read_key(*store, name);
        (*seen)[rank] = 1;
        ++rank;
      } else if (Clock::now() > end) {
        ++rank;
      } else {
        std::this_thread::sleep_for(milliseconds(5));
      }
    }
  };
  std::string reason = fmt::format("an answer within {} s", place_.timeout);
  bool answered = false;
  try {
    answered = in_time(place_.timeout + 1, work);
  } catch (const std::exception& error) {
    reason += ": " + first_line(error.what());
  }
  if (!answered) {
    throw Error({fmt::format("rank {} lost rank 0", place_.rank),
                 fmt::format("{}:{}", place_.address, place_.port), reason,
                 "see what rank 0 said; is it a rank of this run that answers there?"});
  }
  std::vector<int> missing;
  for (int rank = 0; rank < place_.size; ++rank) {
    if ((*seen)[rank] == 0) missing.push_back(rank);
  }
  if (missing.empty()) return *result;
  throw Error({"not all ranks are here",
               fmt::format("missing: {} of {} ranks ({})", missing.size(), place_.size,
                           fmt::join(missing, ", ")),
               reason, "see what these ranks said; start all of them with the same WORLD_SIZE"});
}

std::chrono::milliseconds time_for_sums(const RankPlace& place) {
  const double seconds = std::max(place.timeout / 2.0, place.timeout - kDiagnosis);
  return milliseconds(static_cast<std::int64_t>(1000 * seconds));
}

std::string Meeting::diagnose(const std::string& reason) const {
  auto verdict = std::make_shared<std::string>();
  try {
    if (in_time(kDiagnosis, [=, store = store_, names = names_] {
          *verdict = find_culprit(*store, names, reason);
        })) {
      return *verdict;
    }
  } catch (const std::exception&) {  // the store is gone, and with it rank 0
  }
  gone_ = true;
  return place_.foreign_store ? "the store of the ranks no longer answers"
                              : fmt::format("{} no longer answers at {}:{}", name_of(0),
                                            place_.address, place_.port);
}

}  // namespace algprior
