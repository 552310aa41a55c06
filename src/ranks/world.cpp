#include "algprior/ranks/world.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/text.hpp"
#include "meeting.hpp"
#include "transport.hpp"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>

#include <ATen/ATen.h>
#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <unistd.h>

// Debian's LibTorch has Gloo inside, and its headers in a package of their own.
#if defined(USE_C10D_GLOO) && __has_include(<gloo/config.h>)
#define ALGPRIOR_GLOO 1
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#endif

namespace algprior {
namespace {

// The address of this host on the way to rank 0. The host's own name often stands for 127.0.1.1,
// where no other host finds it. Nothing is sent.
std::string address_towards(const RankPlace& place) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  addrinfo* found = nullptr;
  if (getaddrinfo(place.address.c_str(), std::to_string(place.port).c_str(), &hints, &found) != 0) {
    return "127.0.0.1";
  }
  std::string result = "127.0.0.1";
  for (const addrinfo* one = found; one != nullptr; one = one->ai_next) {
    const int descriptor = socket(one->ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    sockaddr_storage own{};
    socklen_t length = sizeof own;
    auto* generic = reinterpret_cast<sockaddr*>(&own);
    char text[NI_MAXHOST];
    const bool good =
        descriptor >= 0 && connect(descriptor, one->ai_addr, one->ai_addrlen) == 0 &&
        getsockname(descriptor, generic, &length) == 0 &&
        getnameinfo(generic, length, text, sizeof text, nullptr, 0, NI_NUMERICHOST) == 0;
    if (descriptor >= 0) close(descriptor);
    if (!good) continue;
    result = text;
    break;
  }
  freeaddrinfo(found);
  return result;
}

#ifdef ALGPRIOR_GLOO
using Gloo = c10d::ProcessGroupGloo;

c10::intrusive_ptr<Gloo> make_group(const RankPlace& place,
                                    const c10::intrusive_ptr<c10d::Store>& store) {
  auto options = Gloo::Options::create(time_for_sums(place));
  const char* interface = std::getenv("GLOO_SOCKET_IFNAME");
  options->devices.push_back(interface != nullptr && *interface != '\0'
                                 ? Gloo::createDeviceForInterface(interface)
                                 : Gloo::createDeviceForHostname(address_towards(place)));
  options->threads = 2;
  return c10::make_intrusive<Gloo>(c10::make_intrusive<c10d::PrefixStore>("gloo", store),
                                   place.rank, place.size, options);
}
#else
using Gloo = c10d::ProcessGroup;

c10::intrusive_ptr<Gloo> make_group(const RankPlace&, const c10::intrusive_ptr<c10d::Store>&) {
  throw InputError({"this build cannot train with several ranks", "LibTorch without Gloo's headers",
                    "Gloo", "install libgloo-dev and build algprior again"});
}
#endif

const World kAlone;
std::atomic<const World*> current{&kAlone};

}  // namespace

struct World::State {
  explicit State(const RankPlace& place) : meeting(std::make_unique<Meeting>(place)) {}
  ~State() { close(); }

  // Ends the connections, so that the others notice, and keeps the store until they had time to
  // read in it why. A group in which an exchange hangs would wait for it: it is left behind.
  void close() noexcept try {
    const auto last = std::make_shared<c10::intrusive_ptr<Gloo>>(std::move(group));
    in_time(1.0, [last] { last->reset(); });
    if (const auto on_gpu = std::make_shared<BeginSum>(std::move(nccl)); *on_gpu) {
      in_time(1.0, [on_gpu] { *on_gpu = nullptr; });
    }
    meeting.reset();
  } catch (const std::exception&) {  // what matters is that it ended
  }

  std::unique_ptr<Meeting> meeting;
  c10::intrusive_ptr<Gloo> group;
  BeginSum nccl;  // from the first sum on a GPU
  double waited = 0.0;
  int agreements = 0;
  bool broken = false;

  [[noreturn]] void give_up(const std::exception& error) {
    broken = true;
    const std::string reason(error.what(), std::strcspn(error.what(), "\n"));
    throw Error({"the ranks cannot go on together", meeting->diagnose(reason),
                 "all ranks until the end",
                 "start the run again with --resume: it goes on from its last checkpoint"});
  }

  template <class Exchange>
  auto attempt(Exchange&& exchange) {
    try {
      return exchange();
    } catch (const Error&) {
      throw;
    } catch (const std::exception& error) {
      give_up(error);
    }
  }
};

World::World() = default;

World::World(const RankPlace& place) : place_(place) {
  check(place);
  if (alone()) return;
  state_ = std::make_unique<State>(place);
  state_->attempt([&] {
    state_->group = make_group(place, state_->meeting->store());
    return 0;
  });
}

World::~World() = default;

struct World::Pending::Work {
  State* state;
  at::Tensor values;                // what the caller gave
  std::vector<at::Tensor> tensors;  // what is summed: that, or a copy of it on the CPU
  c10::intrusive_ptr<c10d::Work> work;
};

World::Pending::Pending() = default;
World::Pending::Pending(std::unique_ptr<Work> work) : work_(std::move(work)) {}
World::Pending::Pending(Pending&&) noexcept = default;
World::Pending& World::Pending::operator=(Pending&&) noexcept = default;
World::Pending::~Pending() = default;

void World::Pending::wait() {
  if (!work_) return;
  const auto work = std::move(work_);
  const auto start = std::chrono::steady_clock::now();
  work->state->attempt([&] { return work->work->wait(); });
  if (!work->values.is_same(work->tensors[0])) work->values.copy_(work->tensors[0]);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  work->state->waited += seconds.count();
}

World::Pending World::begin_sum(const at::Tensor& values) const {
  if (alone()) return Pending(nullptr);
  auto work = std::make_unique<Pending::Work>(Pending::Work{state_.get(), values, {values}, {}});
  const Transport transport = transport_of(values.device().type(), built_with_nccl());
  state_->attempt([&] {
    if (transport == Transport::nccl) {
      if (!state_->nccl) state_->nccl = make_nccl_sum(place_, state_->meeting->store());
      work->work = state_->nccl(work->tensors);
    } else {
      if (transport == Transport::gloo_copy) work->tensors = {values.cpu()};
      work->work = state_->group->allreduce(work->tensors);
    }
    return 0;
  });
  return Pending(std::move(work));
}

double World::seconds_waited() const noexcept {
  return alone() ? 0.0 : state_->waited;
}

void World::sum(const at::Tensor& values) const {
  begin_sum(values).wait();
}

at::Tensor World::gather_rows(const at::Tensor& rows) const {
  if (!rows.defined() || rows.dim() < 1) {
    throw InputError({"rows cannot be gathered", rows.defined() ? "a single number" : "no tensor",
                      "a tensor with rows", ""});
  }
  if (alone()) return rows;
  const auto counts = at::zeros({size()}, at::kLong);
  counts[rank()].fill_(rows.size(0));
  sum(counts);
  auto shape = rows.sizes().vec();
  shape[0] = counts.sum().item<std::int64_t>();
  const auto all = at::zeros(shape, rows.options().device(at::kCPU));
  const auto begin = counts.narrow(0, 0, rank()).sum().item<std::int64_t>();
  all.narrow(0, begin, rows.size(0)).copy_(rows);
  sum(all);  // 0 + v is v to the bit
  return all;
}

std::string World::share(const std::string& bytes) const {
  if (alone()) return bytes;
  std::vector<at::Tensor> length{at::full({1}, static_cast<std::int64_t>(bytes.size()), at::kLong)};
  state_->attempt([&] { return state_->group->broadcast(length)->wait(); });
  std::vector<at::Tensor> content{at::empty({length[0].item<std::int64_t>()}, at::kByte)};
  if (content[0].numel() == 0) return {};
  if (leads()) std::memcpy(content[0].data_ptr(), bytes.data(), bytes.size());
  state_->attempt([&] { return state_->group->broadcast(content)->wait(); });
  return {static_cast<const char*>(content[0].data_ptr()),
          static_cast<std::size_t>(content[0].numel())};
}

void World::agree(const std::string& what, const std::string& text) const {
  if (alone()) return;
  const auto all = state_->meeting->exchange(fmt::format("agree-{}", state_->agreements++), text);
  for (int other = 0; other < size(); ++other) {
    if (all[other] == text) continue;
    throw InputError({what + " differs between the ranks",
                      fmt::format("rank {} (-) and rank {} (+):\n{}", other, rank(),
                                  list_differences(all[other], text)),
                      "the same on all ranks",
                      "give all ranks the same program, files, options and kind of machine"});
  }
}

void World::fail(const std::string& reason) noexcept try {
  if (alone() || !state_->meeting || state_->broken) return;
  state_->broken = true;
  const auto meeting = state_->meeting.get();
  const std::string words = meeting->name_of(rank()) + " failed: " + reason;
  in_time(1.0, [store = meeting->store(), words] { blame(*store, words); });
  state_->close();
} catch (const std::exception&) {  // the others will find out by themselves
}

const World& world() noexcept {
  return *current.load();
}

WorldScope::WorldScope(const World& world) noexcept : before_(current.exchange(&world)) {}

WorldScope::~WorldScope() {
  current.store(before_);
}

Share share_of(std::int64_t batch, const World& world) {
  // So that no product below leaves 64 bits.
  constexpr std::int64_t kLargest = std::int64_t{1} << 40;
  if (batch < 0 || batch > kLargest) {
    throw InputError({"a batch cannot be shared among ranks", fmt::format("{} samples", batch),
                      fmt::format("0 to {}", kLargest), ""});
  }
  if (world.alone()) return {0, batch, 1.0, true};
  if (batch < 2 * world.size()) return {0, batch, 1.0 / world.size(), true};
  const std::int64_t begin = batch * world.rank() / world.size();
  const std::int64_t end = batch * (world.rank() + 1) / world.size();
  return {begin, end - begin, static_cast<double>(end - begin) / static_cast<double>(batch), false};
}

}  // namespace algprior
