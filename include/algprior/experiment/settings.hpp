#pragma once

#include "algprior/config/fields.hpp"
#include "algprior/nn/registry.hpp"
#include "algprior/paper/run_id.hpp"
#include "algprior/prior/algebra_loss.hpp"
#include "algprior/prior/learned_representation.hpp"
#include "algprior/train/step.hpp"
#include "algprior/train/trainer.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace algprior {

/// Departures of the published code from the paper that a recipe can switch on, by their number and
/// what they do: {{"D-5", "task loss on x alone"}}. Declares `experiment.reference`.
struct Departures {
  using Known = std::vector<std::pair<std::string, std::string>>;

  std::vector<std::string> on;

  bool has(const std::string& name) const;
  void bind(config::Fields& fields, const Known& known);
};

/// [network]: one of the networks that fit the recipe, with the keys of that network.
struct NetworkSettings {
  /// The first kind is the default.
  explicit NetworkSettings(std::vector<std::string> fitting);

  std::vector<std::string> kinds;
  std::string kind;

  void bind(config::Fields& fields);
  Network make(std::uint64_t seed, const nn::Shapes& shapes) const;
  nn::Output output() const { return nn::network_kind(kind).output; }
  /// What `body` declares is read only with a network of that output.
  void when_output(config::Fields& fields, nn::Output wanted,
                   const std::function<void()>& body) const;

 private:
  std::map<std::string, nn::NetworkKind::Make> makers_;
};

/// How ρ̂ starts and what holds it to the group's relators: of a learned prior and of the null
/// model.
struct AlgebraSettings {
  LearnedRepresentationOptions start;
  AlgebraOptions algebra;

  void bind(config::Fields& fields);
};

/// [prior]: what Z is asked to carry.
struct PriorSettings {
  std::string representation = "regular";  ///< "none", a text for make_representation, "learned",
                                           ///< or "matrices": those of a file
  double weight = 1.0;                     ///< λ, or λ_e of a learned prior
  bool relative = false;
  Balance balance = {};
  LatentAugmentation latent = {};
  AlgebraSettings learned = {};
  double latent_to_output = 0.5;
  double algebra = 1.0;
  std::string matrices_file = {};

  bool none() const { return representation == "none"; }
  bool is_learned() const { return representation == "learned"; }
  bool fixed() const { return !none() && !is_learned(); }
  void bind(config::Fields& fields);
};

/// Which pairs a step sees and which task terms it has.
enum class TaskTerms {
  pair,    ///< ½ task(x) + ½ task(g·x)
  first,   ///< task(x); pairs for the prior
  single,  ///< task(x); no pairs
};

/// Which of several epochs with equal watched numbers is the best.
enum class Ties {
  first,  ///< as in the paper's experiments
  loss,   ///< the one with the lower task loss on the validation set
};

/// [train].
struct TrainSettings {
  TaskTerms task = TaskTerms::pair;
  bool decoupled = false;  ///< AdamW
  double learning_rate = 5e-4;
  double weight_decay = 0.0;
  Schedule::Shape schedule = Schedule::Shape::constant;
  std::int64_t schedule_step = 1;
  double schedule_factor = 0.95;
  std::int64_t warmup = 0;
  std::int64_t batch_size = 256;
  std::int64_t epochs = 150;
  std::int64_t patience = 20;
  std::int64_t plateau_after = 0;
  std::string watch = "accuracy";
  double min_delta = 0.0;
  Ties ties = Ties::loss;
  bool keep_best = true;
  bool fresh_averages = false;
  bool probes = false;
  double clip = 0.0;

  /// For a task with this validation number, by which the best epoch may be chosen beside "loss".
  void bind(config::Fields& fields, const Metric& metric);
  /// For classification, or reconstruction where the network is an autoencoder.
  void bind(config::Fields& fields, const NetworkSettings& network);
  /// Where images stand upright, so that the elements of an orbit can be told apart.
  void bind_probes(config::Fields& fields);
  TrainerOptions options(std::uint64_t seed, std::int64_t samples) const;

 private:
  void bind_all_but_watch(config::Fields& fields);
  void bind_watch(config::Fields& fields, const Metric& metric);
};

}  // namespace algprior
