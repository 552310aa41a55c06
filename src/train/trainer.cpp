#include "algprior/train/trainer.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/base/interrupt.hpp"
#include "algprior/data/batch_stream.hpp"
#include "algprior/data/check.hpp"
#include "algprior/kernel/detail/translate.hpp"
#include "algprior/ranks/batch_norm.hpp"
#include "algprior/ranks/shared_batch.hpp"
#include "algprior/train/evaluate.hpp"
#include "trainer_state.hpp"

#include <chrono>
#include <cmath>

#include <ATen/ATen.h>
#include <fmt/format.h>
#include <torch/nn/module.h>
#include <torch/nn/utils/clip_grad.h>

namespace algprior {
namespace {

double clock_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

TrainerOptions checked(TrainerOptions options) {
  if (options.epochs < 1 || options.batch_size < 1) {
    throw InputError({"there is nothing to train",
                      fmt::format("{} epochs, batch size {}", options.epochs, options.batch_size),
                      "at least 1 of each", ""});
  }
  constexpr std::int64_t kLongestWindow = 1'000'000;
  constexpr double kLargest = 1e30;  // far from what float32 cannot hold
  const auto usable = [](double value) { return value >= 0.0 && value <= kLargest; };
  const EarlyStopping& stopping = options.stopping;
  if (!usable(options.clip_norm) || !usable(stopping.min_delta) || stopping.patience < 0 ||
      stopping.plateau_after < 0 || stopping.window < 1 || stopping.window > kLongestWindow ||
      std::isnan(options.checkpoint_seconds)) {
    throw InputError(
        {"a setting of the trainer is out of range",
         fmt::format("clip_norm {}, min_delta {}, patience {}, plateau_after {}, "
                     "window {}, checkpoint_seconds {}",
                     options.clip_norm, stopping.min_delta, stopping.patience,
                     stopping.plateau_after, stopping.window, options.checkpoint_seconds),
         "numbers of at least 0 and not too large, and a window of at least 1", ""});
  }
  return options;
}

}  // namespace

Trainer::State::State(Network network_, Step step_, Dataset data_, Validate validate_,
                      TrainerOptions options_)
    : network(std::move(network_)),
      step(std::move(step_)),
      data(std::move(data_)),
      validate(std::move(validate_)),
      options(checked(std::move(options_))),
      optimizer(options.optimizer
                    ? options.optimizer(*network.module)
                    : to_optimizer(std::make_shared<Adam>(*network.module, options.parameters))),
      stopping(options.stopping) {
  if (!world().alone()) shared.emplace(world(), *network.module);
  if (options.folder.empty()) return;
  make_folder(options.folder);
  metrics.emplace(options.folder / "metrics.jsonl");
}

double Trainer::State::elapsed() const {
  return earlier + clock_seconds() - started;
}

void Trainer::State::report(const MetricRecord& record) {
  if (metrics) metrics->append(record);
  for (const auto& sink : sinks) sink(record);
}

bool Trainer::State::is_time_to_save() const {
  return clock_seconds() - last_saved >= options.checkpoint_seconds;
}

void Trainer::State::check_weights() const {
  for (const auto& item : network.module->named_parameters()) {
    if (at::isfinite(item.value()).all().item<bool>()) continue;
    throw DivergedError(
        {"training diverged",
         fmt::format("parameter {} is not finite after step {}", item.key(), progress.steps),
         "finite weights", "lower the learning rate; the last good checkpoint was kept"});
  }
}

void Trainer::State::check_values(const NamedValues& values, const Batch& batch) const {
  for (const auto& [name, value] : values) {
    if (std::isfinite(value)) continue;
    check_finite(batch.x, fmt::format("{}, batch of step {}", data.name, progress.steps + 1));
    throw DivergedError(
        {"training diverged",
         fmt::format("term {} is {} at step {} (epoch {})", name, value, progress.steps + 1,
                     progress.epoch + 1),
         "finite losses",
         "lower the learning rate or the term's weight; the last good checkpoint was kept"});
  }
}

// `whole`: the samples of the batch over all ranks.
void Trainer::State::train_batch(const Batch& batch, std::int64_t whole) {
  optimizer.zero_gradients();
  const Share share = share_of(whole, world());
  const double begun = clock_seconds(), waited_before = world().seconds_waited();
  if (shared) {
    // Of each rank and step its own, so that a resume needs no state for it.
    at::manual_seed(RandomKey(options.seed, "rank")
                        .at(static_cast<std::uint32_t>(world().rank()),
                            static_cast<std::uint64_t>(progress.steps))
                        .to_seed());
  }
  auto terms =
      translated("a training step failed", fmt::format("step {}", progress.steps + 1), [&] {
        // Samples that all ranks have need no exchange, and would count once
        // for each rank.
        const SharedBatchScope dealt(!share.whole);
        const BatchNormScope norms(options.synchronised && !share.whole);
        return step(network, batch);
      });
  if (options.balance.ratio > 0.0) terms.scale(options.balance.term, progress.balance);
  NamedValues values;
  for (const auto& term : terms.all()) values.emplace_back(term.name, term.value.item<double>());
  if (shared) {
    const bool save_now = !options.folder.empty() && is_time_to_save();
    shared->begin(values, share.weight, {stop_requested(), save_now});
    (terms.total() * share.weight).backward();
    shared->finish(values);
    check_values(values, batch);  // by all ranks, of the same numbers
  } else {
    check_values(values, batch);
    terms.total().backward();
  }
  for (const auto& [name, value] : values) {
    progress.sums[name] += value * static_cast<double>(whole);
    progress.counts[name] += whole;
  }
  if (options.clip_norm > 0.0) {
    torch::nn::utils::clip_grad_norm_(network.module->parameters(), options.clip_norm);
  }
  optimizer.step(options.rate ? options.rate(progress.epoch, options.epochs, progress.steps)
                              : learning_rate_factor(options.schedule, progress.epoch,
                                                     options.epochs, progress.steps));
  ++progress.steps;
  ++progress.step_in_epoch;
  step_seconds += clock_seconds() - begun;
  waited_seconds += world().seconds_waited() - waited_before;
  for (const auto& observer : observers) observer(progress.steps);
}

// At the start of an epoch, from weights that a checkpoint holds too: a resumed run finds the same.
void Trainer::State::rebalance() {
  const Balance& balance = options.balance;
  if (balance.ratio <= 0.0 || progress.step_in_epoch > 0) return;
  const bool due = balance.every > 0 && progress.epoch % balance.every == 0;
  if (progress.epoch > 0 && !due) return;
  const auto epoch = static_cast<std::uint32_t>(progress.epoch + 1);
  // Every rank takes the same batch, and must draw the same for it.
  const RandomKey key = RandomKey(options.seed, "balance").at(epoch);
  if (shared) at::manual_seed(key.to_seed());
  progress.balance = balanced_factor(balance, network, step, data, options.batch_size, key);
}

void Trainer::State::train_epoch() {
  network.module->train();
  rebalance();
  const auto epoch = static_cast<std::uint32_t>(progress.epoch + 1);
  const auto order = RandomKey(options.seed, "order").at(epoch);
  auto batches = shuffled_batches(data.size, options.batch_size, order);
  if (progress.step_in_epoch > static_cast<std::int64_t>(batches.size())) {
    throw InputError({"the data changed since the checkpoint",
                      fmt::format("{} batches an epoch", batches.size()),
                      fmt::format("at least {}", progress.step_in_epoch), "restore the data"});
  }
  batches.erase(batches.begin(), batches.begin() + progress.step_in_epoch);
  const auto device = device_of(network);
  std::vector<std::int64_t> sizes;
  for (auto& indices : batches) {
    sizes.push_back(indices.numel());
    const Share share = share_of(indices.numel(), world());
    indices = indices.narrow(0, share.begin, share.count);
  }
  BatchStream stream(data, std::move(batches), RandomKey(options.seed, "train").at(epoch));
  auto size = sizes.begin();
  while (const auto batch = stream.next()) {
    if (!shared && stop_requested()) {
      save();
      throw_if_stopped();
    }
    auto moved = to_device(*batch, device);
    moved.number = progress.steps;
    train_batch(moved, *size++);
    if (shared && shared->wishes().stop) {
      save();
      throw Interrupted({"stopped on request", "", "", ""});
    }
    if (!(shared ? shared->wishes().save : is_time_to_save())) continue;
    save();
    last_saved = clock_seconds();
  }
}

void Trainer::State::end_epoch() {
  const auto epoch = progress.epoch + 1;
  MetricRecord trained{progress.steps, epoch, "train", {}, {}};
  for (const auto& [name, sum] : progress.sums) {
    trained.terms[name] = sum / static_cast<double>(progress.counts[name]);
  }
  if (options.balance.ratio > 0.0) {
    trained.metrics[std::string(metrics::kPriorBalance.name)] = progress.balance;
  }
  report(trained);
  if (validate) {
    const auto values = validate(network, epoch);
    const auto watched = values.find(options.watch);
    if (watched == values.end()) {
      throw InputError({"the watched metric is missing", options.watch,
                        "a metric that the validation returns", ""});
    }
    report({progress.steps, epoch, "validation", {}, values});
    const auto tie = values.find(options.tie_break);
    if (stopping.update(watched->second, epoch,
                        tie == values.end() ? std::nullopt : std::optional(tie->second))) {
      best = weights_of(*network.module);
    }
  } else {
    stopping.best_epoch = epoch;
    best = weights_of(*network.module);
  }
  progress.epoch = epoch;
  progress.step_in_epoch = 0;
  progress.sums.clear();
  progress.counts.clear();
  progress.stopped_early = validate && stopping.should_stop();
  progress.finished = progress.stopped_early || epoch >= options.epochs;
}

Trainer::Trainer(Network network, Step step, Dataset data, Validate validate,
                 TrainerOptions options)
    : state_(std::make_unique<State>(std::move(network), std::move(step), std::move(data),
                                     std::move(validate), std::move(options))) {}

Trainer::~Trainer() = default;

void Trainer::add_sink(MetricSink sink) {
  state_->sinks.push_back(std::move(sink));
}

void Trainer::observe_steps(std::function<void(std::int64_t)> observer) {
  state_->observers.push_back(std::move(observer));
}

bool Trainer::resume() {
  auto& state = *state_;
  const bool here =
      !state.options.folder.empty() && std::filesystem::exists(state.checkpoint_path());
  const bool there = world().share(here ? "checkpoint" : "") == "checkpoint";
  if (!there) return false;
  const auto path = state.checkpoint_path();
  state.load(world().alone()
                 ? read_checkpoint(path)
                 : parse_checkpoint(world().share(here ? read_file(path) : ""), path.string()));
  state.resumed = true;
  if (state.extended) {
    state.earlier = state.progress.seconds;
    state.started = clock_seconds();
    state.save();
  }
  return true;
}

TrainingResult Trainer::run() {
  auto& state = *state_;
  auto& progress = state.progress;
  const bool files = !state.options.folder.empty();
  if (files && !state.resumed) {
    if (std::filesystem::exists(state.checkpoint_path())) {
      throw InputError({"this folder holds a run already", state.options.folder.string(),
                        "an empty folder", "resume it, or choose another folder"});
    }
    state.metrics->cut(0);
  }
  if (files && state.options.tensorboard && !progress.finished) {
    state.sinks.push_back(make_tensorboard_sink(state.options.folder));
  }
  world().agree("the machine's setting", numeric_setting(state.options.synchronised));
  state.earlier = progress.seconds;
  state.started = state.last_saved = clock_seconds();
  for (const auto& observer : state.observers) observer(progress.steps);
  while (!progress.finished) {
    state.train_epoch();
    state.end_epoch();
    state.save();
    state.last_saved = clock_seconds();
  }
  return {progress.epoch,
          progress.steps,
          state.stopping.best_epoch,
          state.stopping.best.value_or(0.0),
          progress.stopped_early,
          state.elapsed(),
          progress.balance,
          state.step_seconds,
          state.waited_seconds};
}

const NamedTensors& Trainer::best_weights() const {
  return state_->best;
}

}  // namespace algprior
