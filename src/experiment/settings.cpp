#include "algprior/experiment/settings.hpp"

#include "algprior/base/choice.hpp"
#include "algprior/prior/fixed_prior.hpp"

#include <algorithm>

namespace algprior {
namespace {

constexpr Choices<MatrixStart, 4> kStarts = {{"normal", MatrixStart::normal},
                                             {"uniform", MatrixStart::uniform},
                                             {"orthogonal", MatrixStart::orthogonal},
                                             {"identity", MatrixStart::identity}};
constexpr Choices<Regulariser, 3> kRegularisers = {
    {"none", Regulariser::none},
    {"inverse", Regulariser::inverse},
    {"damped_commutation", Regulariser::damped_commutation}};
constexpr Choices<TaskTerms, 3> kTaskTerms = {
    {"pair", TaskTerms::pair}, {"first", TaskTerms::first}, {"single", TaskTerms::single}};
constexpr Choices<Ties, 2> kTies = {{"first", Ties::first}, {"loss", Ties::loss}};
constexpr Choices<bool, 2> kOptimizers = {{"adam", false}, {"adamw", true}};
constexpr double kMostEpochs = 1e9;  // steps are counted in 64 bits
constexpr Choices<bool, 2> kKept = {{"best", true}, {"last", false}};
constexpr Choices<Schedule::Shape, 3> kSchedules = {{"constant", Schedule::Shape::constant},
                                                    {"step", Schedule::Shape::step},
                                                    {"cosine", Schedule::Shape::cosine}};

}  // namespace

bool Departures::has(const std::string& name) const {
  return std::find(on.begin(), on.end(), name) != on.end();
}

void Departures::bind(config::Fields& fields, const Known& known) {
  std::string sentence = "departures of the published code to switch on: ";
  std::vector<std::string> names;
  for (const auto& [name, meaning] : known) {
    sentence += (names.empty() ? "" : ", ") + name + " (" + meaning + ")";
    names.push_back(name);
  }
  fields.texts("experiment.reference", on, sentence).one_of(names);
}

NetworkSettings::NetworkSettings(std::vector<std::string> fitting)
    : kinds(std::move(fitting)), kind(kinds.at(0)) {}

void NetworkSettings::bind(config::Fields& fields) {
  std::string sentence;
  for (const std::string& name : kinds) {
    sentence += (sentence.empty() ? "" : "; ") + name + ": " + nn::network_kind(name).sentence;
  }
  fields.text("network.kind", kind, sentence).one_of(kinds);
  for (const std::string& name : kinds) {
    fields.when("network.kind", {name},
                [&] { makers_[name] = nn::network_kind(name).begin(fields); });
  }
}

Network NetworkSettings::make(std::uint64_t seed, const nn::Shapes& shapes) const {
  return makers_.at(kind)(seed, shapes);
}

void NetworkSettings::when_output(config::Fields& fields, nn::Output wanted,
                                  const std::function<void()>& body) const {
  std::vector<std::string> names;
  for (const std::string& name : kinds) {
    if (nn::network_kind(name).output == wanted) names.push_back(name);
  }
  if (!names.empty()) fields.when("network.kind", names, body);
}

void AlgebraSettings::bind(config::Fields& fields) {
  fields.choice("prior.start", start.start, kStarts,
                "how the free matrices start, N standard normal: N, uniform on [0, 1), "
                "Q + σN with Q orthogonal, I + σN");
  fields.when("prior.start", {"orthogonal", "identity"},
              [&] { fields.real("prior.noise", start.noise, "σ of the start").at_least(0); });
  fields.choice("prior.regulariser", algebra.regulariser, kRegularisers,
                "what is added to the algebra loss");
  fields.when("prior.regulariser", {"damped_commutation"}, [&] {
    fields.real("prior.damping", algebra.damping, "the share taken from mixed relators")
        .at_least(0);
  });
}

void PriorSettings::bind(config::Fields& fields) {
  fields.text("prior.representation", representation,
              "what Z is asked to carry: none, learned, or a representation of the group by name: "
              "regular, defining, trivial, sign, irrep0, …, and sums, copies and products of them: "
              "2*regular + trivial; regular#trivial for a product group; or matrices: those of "
              "prior.matrices_file");
  fields.when("prior.representation", {"matrices"}, [&] {
    fields.path("prior.matrices_file", matrices_file,
                "an NPZ or safetensors file with an array d×d for each generator of the group "
                "under its name, or an NPY file generators×d×d; relative to the file in which it "
                "stands");
  });
  fields.unless("prior.representation", {"none"}, [&] {
    fields.real("prior.weight", weight, "λ of the equivariance loss").at_least(0);
  });
  fields.unless("prior.representation", {"none", "learned"}, [&] {
    fields.boolean("prior.relative", relative, "the equivariance loss over the spread of Z")
        .starts_with(true);
    fields
        .real("prior.balance", balance.ratio,
              "instead of prior.weight: λ such that the prior pulls so many times as hard as the "
              "task, measured at the start; 0: off")
        .at_least(0)
        .starts_with(10.0);
    fields
        .integer("prior.balance_every", balance.every,
                 "epochs after which the balance is measured again; 0: never")
        .at_least(0);
    fields
        .real("prior.latent_task", latent.weight,
              "λ_l of task(D(ρ_Z(g)E(x)), g·y), augmentation in Z; 0: without it")
        .at_least(0);
    fields
        .integer("prior.second_pass_every", latent.second_pass_every,
                 "the encoder sees g·x every so many steps; above 1 only with prior.latent_task")
        .at_least(1);
  });
  fields.when("prior.representation", {"learned"}, [&] {
    learned.bind(fields);
    fields.real("prior.latent_to_output", latent_to_output, "λ_t of task(D(ρ̂(g)E(x)), g·y)")
        .at_least(0);
    fields.real("prior.algebra", algebra, "λ_a of the algebra loss and its regulariser")
        .at_least(0);
  });
}

void TrainSettings::bind(config::Fields& fields, const Metric& metric) {
  bind_all_but_watch(fields);
  bind_watch(fields, metric);
}

void TrainSettings::bind(config::Fields& fields, const NetworkSettings& network) {
  bind_all_but_watch(fields);
  network.when_output(fields, nn::Output::vector, [&] { bind_watch(fields, metrics::kAccuracy); });
  network.when_output(fields, nn::Output::sample, [&] { bind_watch(fields, metrics::kError); });
}

void TrainSettings::bind_probes(config::Fields& fields) {
  fields.boolean("train.probes", probes, "linear probes on orbits after every epoch");
}

void TrainSettings::bind_watch(config::Fields& fields, const Metric& metric) {
  watch = metric.name;
  fields.text("train.watch", watch, "the validation number that decides on the best weights")
      .one_of({watch, std::string(metrics::kLoss.name)});
}

void TrainSettings::bind_all_but_watch(config::Fields& fields) {
  fields.choice("train.task", task, kTaskTerms,
                "pair: ½ task(x) + ½ task(g·x); first: task(x), pairs for the prior; single: "
                "task(x), no pairs");
  fields.choice("train.optimizer", decoupled, kOptimizers,
                "adamw: weight decay apart from the gradient");
  fields.real("train.learning_rate", learning_rate, "of the optimizer, before the schedule")
      .above(0);
  fields.real("train.weight_decay", weight_decay, "how strongly weights are pulled to 0")
      .at_least(0);
  fields.real("train.clip", clip, "largest norm of the gradient of all weights; 0: any")
      .at_least(0);
  fields.choice("train.schedule", schedule, kSchedules,
                "how the learning rate changes from epoch to epoch");
  fields.when("train.schedule", {"step"}, [&] {
    fields.integer("train.schedule_step", schedule_step, "epochs between two decays").at_least(1);
    fields.real("train.schedule_factor", schedule_factor, "factor of each decay").above(0);
  });
  fields.integer("train.warmup", warmup, "epochs of linear warm-up")
      .at_least(0)
      .at_most(kMostEpochs);
  fields.integer("train.batch_size", batch_size, "samples (pairs) a step").at_least(1);
  fields.integer("train.epochs", epochs, "at most so many").at_least(1).at_most(kMostEpochs);
  fields
      .integer("train.patience", patience,
               "epochs without a better validation number before stopping; 0: never stop")
      .at_least(0);
  fields
      .integer("train.plateau_after", plateau_after,
               "after so many epochs, stop once the last five validation numbers are on average no "
               "better than the five before; 0: never")
      .at_least(0);
  fields.real("train.min_delta", min_delta, "what counts as better").at_least(0);
  fields.choice(
      "train.ties", ties, kTies,
      "of epochs with equal validation numbers, first: keep the first; loss: the one with "
      "the lower task loss");
  fields.choice("train.keep", keep_best, kKept, "the weights that are measured and kept");
  fields.boolean("train.fresh_averages", fresh_averages,
                 "take the running averages of batch norms anew before every validation");
}

TrainerOptions TrainSettings::options(std::uint64_t seed, std::int64_t samples) const {
  AdamOptions adam;
  adam.learning_rate = learning_rate;
  adam.weight_decay = weight_decay;
  adam.decoupled = decoupled;
  TrainerOptions options;
  options.epochs = epochs;
  options.batch_size = batch_size;
  options.seed = seed;
  options.parameters = {{"", adam}};
  options.clip_norm = clip;
  options.schedule.shape = schedule;
  options.schedule.gamma = schedule_factor;
  options.schedule.every = schedule_step;
  options.schedule.warmup_steps = warmup * batch_count(samples, batch_size);
  options.watch = watch;
  if (ties == Ties::loss) options.tie_break = metrics::kTaskLoss.name;
  const Metric* metric = find_metric(watch);
  options.stopping.larger_is_better = metric != nullptr && metric->better == Better::higher;
  options.stopping.patience = patience;
  options.stopping.min_delta = min_delta;
  options.stopping.plateau_after = plateau_after;
  return options;
}

}  // namespace algprior
