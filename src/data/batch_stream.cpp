#include "algprior/data/batch_stream.hpp"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <variant>

namespace algprior {
namespace {

// The worker shares the machine with the training step, whose threads occupy every core: one thread
// of its own is enough. OpenMP keeps the number for each thread, while LibTorch's set_num_threads
// would also change what threads started later get.
void work_single_threaded() {
#ifdef _OPENMP
  at::get_num_threads();  // LibTorch sets the thread's number once, here, and not again later
  omp_set_num_threads(1);
#endif
}

}  // namespace

struct BatchStream::Worker {
  using Item = std::variant<Batch, std::exception_ptr>;

  std::mutex mutex;
  std::condition_variable changed;
  std::deque<Item> ready;
  bool stop = false;
  std::thread thread;

  void run(const Dataset& dataset, const std::vector<at::Tensor>& batches, const RandomKey& key,
           std::size_t ahead) {
    work_single_threaded();
    const at::NoGradGuard no_gradient;
    for (const auto& indices : batches) {
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stop || ready.size() < ahead; });
        if (stop) return;
      }
      Item item;
      try {
        item = dataset.get(indices, key);
      } catch (...) {
        item = std::current_exception();
      }
      const bool failed = std::holds_alternative<std::exception_ptr>(item);
      {
        const std::lock_guard lock(mutex);
        ready.push_back(std::move(item));
      }
      changed.notify_all();
      if (failed) return;
    }
  }

  Item take() {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return !ready.empty(); });
    auto item = std::move(ready.front());
    ready.pop_front();
    lock.unlock();
    changed.notify_all();
    return item;
  }
};

BatchStream::BatchStream(Dataset dataset, std::vector<at::Tensor> batches, RandomKey key,
                         std::size_t ahead)
    : dataset_(std::move(dataset)), batches_(std::move(batches)), key_(key) {
  if (ahead == 0 || batches_.empty()) return;
  worker_ = std::make_unique<Worker>();
  worker_->thread = std::thread([this, ahead] { worker_->run(dataset_, batches_, key_, ahead); });
}

BatchStream::~BatchStream() {
  if (!worker_) return;
  {
    const std::lock_guard lock(worker_->mutex);
    worker_->stop = true;
  }
  worker_->changed.notify_all();
  worker_->thread.join();
}

std::optional<Batch> BatchStream::next() {
  if (position_ >= batches_.size()) return std::nullopt;
  const auto& indices = batches_[position_++];
  if (!worker_) {
    const at::NoGradGuard no_gradient;
    return dataset_.get(indices, key_);
  }
  auto item = worker_->take();
  if (auto* failure = std::get_if<std::exception_ptr>(&item)) {
    position_ = batches_.size();
    std::rethrow_exception(*failure);
  }
  return std::get<Batch>(std::move(item));
}

}  // namespace algprior
