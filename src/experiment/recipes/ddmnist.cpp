// Pairs of MNIST digits, a planar group acting on each of them: the paper's first experiment.
#include "algprior/data/ddmnist.hpp"

#include "../planar_images.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/base/error.hpp"
#include "algprior/data/font_digits.hpp"
#include "algprior/experiment/fonts.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/group/product.hpp"
#include "algprior/store/store.hpp"
#include "recipes.hpp"

namespace algprior {
namespace {

struct DdmnistSettings {
  std::string group = "D4";
  std::string digits = "mnist";
  DdmnistSizes counts{100, 20, 50};
  bool artefacts = true;
  NetworkSettings network{{"ddmnist", "mlp", "steerable"}};
  PriorSettings prior;
  TrainSettings train{.ties = Ties::first};
  Departures departures;

  void bind(config::Fields& fields) {
    departures.bind(fields, {{"D-2", "no rotation back"}, {"D-5", "task loss on x alone"}});
    fields.text("data.group", group, "acts on each digit: D4, C4, D1, …");
    fields.text("data.digits", digits, "mnist, or digits drawn from the fonts of this machine")
        .one_of({"mnist", "fonts"});
    fields.integer("data.train_per_class", counts.train, "training pairs a class").at_least(1);
    fields.integer("data.validation_per_class", counts.validation, "validation pairs a class")
        .at_least(1);
    fields.integer("data.test_per_class", counts.test, "test pairs a class").at_least(1);
    fields.boolean("data.artefacts", artefacts,
                   "rotate by a random angle and back with each element");
    network.bind(fields);
    prior.bind(fields);
    train.bind(fields, network);
  }
};

struct DigitSplits {
  Digits train;
  Digits held_out;
};

DigitSplits make_digit_splits(const std::string& source) {
  if (source == "mnist") {
    return {read_digits(store::find("mnist", "train-images-idx3-ubyte"),
                        store::find("mnist", "train-labels-idx1-ubyte")),
            read_digits(store::find("mnist", "t10k-images-idx3-ubyte"),
                        store::find("mnist", "t10k-labels-idx1-ubyte"))};
  }
  // As many as there are in MNIST would be seconds; these are drawn in a tenth of one.
  constexpr std::int64_t kTrainPerDigit = 400, kHeldOutPerDigit = 100;
  const std::vector<io::Font> fonts = find_digit_fonts();
  return {draw_digits(fonts, kTrainPerDigit, RandomKey(0, "font digits, train")),
          draw_digits(fonts, kHeldOutPerDigit, RandomKey(0, "font digits, held out"))};
}

TurnMode turn_mode(const DdmnistSettings& settings) {
  if (settings.departures.has("D-2")) return TurnMode::there_only;
  return settings.artefacts ? TurnMode::there_and_back : TurnMode::direct;
}

// On whole canvases, where the group keeps the pixel grid: by it orbits are made after training.
// The pairs of training are turned by a random angle and back on top of it.
std::optional<Action> make_canvas_action(const Group& product) {
  constexpr std::int64_t kSide = 28;
  try {
    return canvas_action(product, planar_parts(product),
                         {{kSide / 2, 0, kSide, kSide}, {kSide / 2, kSide, kSide, kSide}});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

Experiment make_ddmnist(const RunId& run, const DdmnistSettings& settings) {
  const auto [train, held_out] = make_digit_splits(settings.digits);
  const Group group = make_group(settings.group);
  const DdmnistSplits splits = make_ddmnist_splits(train, held_out, group, run.seed,
                                                   settings.train.task != TaskTerms::single,
                                                   turn_mode(settings), settings.counts);
  const Group product = direct_product(group, group);
  constexpr std::int64_t kClasses = 100;
  const nn::Shapes shapes{{1, 56, 56}, kClasses, settings.group};
  // What can be refused is made first: g++ 12 frees the parts before it twice when a later one
  // throws.
  const std::optional<Action> input = make_canvas_action(product);
  const Network network = settings.network.make(run.seed, shapes);
  return assemble(
      {.run = run,
       .data = {.group = product,
                .outputs = kClasses,
                .train = splits.train,
                .validation = splits.validation,
                .tests = {{"augmented_test", splits.augmented_test}, {"test", splits.test}},
                .input = input,
                .upright_test = splits.test},
       .network = network,
       .shapes = shapes,
       .task = classify(),
       .prior = settings.prior,
       .train = settings.train,
       .on_x_alone = settings.departures.has("D-5")});
}

}  // namespace

Recipe ddmnist_recipe() {
  return make_recipe("ddmnist", "pairs of MNIST digits, a group acting on each", make_ddmnist);
}

}  // namespace algprior
