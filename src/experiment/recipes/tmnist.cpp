// Digits of two typefaces, exchanged by C2: the learned representation of the TMNIST experiment.
#include "../planar_images.hpp"
#include "algprior/data/typefaces.hpp"
#include "algprior/group/make_group.hpp"
#include "algprior/store/store.hpp"
#include "recipes.hpp"

namespace algprior {
namespace {

constexpr std::int64_t kTypefaceTrain = 8000;
constexpr std::int64_t kTypefaceValidation = 2000;
constexpr std::int64_t kTypefaceTest = 10000;

struct TmnistSettings {
  std::string csv;
  NetworkSettings network{{"conv_autoencoder", "mlp_autoencoder"}};
  PriorSettings prior{.representation = "learned"};
  TrainSettings train{.ties = Ties::first};

  void bind(config::Fields& fields) {
    fields.text("data.csv", csv, "TMNIST_Data.csv; empty: the digits are drawn from the fonts");
    network.bind(fields);
    prior.bind(fields);
    train.bind(fields, network);
  }
};

Experiment make_tmnist(const RunId& run, const TmnistSettings& settings) {
  const TypefaceDigits digits =
      settings.csv.empty()
          ? render_typeface_digits(store::find("tmnist_fonts", "IBMPlexSans-MediumItalic.ttf"),
                                   store::find("tmnist_fonts", "Bahianita-Regular.ttf"))
          : read_typeface_digits(settings.csv, "IBMPlexSans-MediumItalic", "Bahianita-Regular");
  const nn::Shapes shapes{{1, 28, 28}, 10};
  const Network network = settings.network.make(run.seed, shapes);
  return assemble(
      {.run = run,
       .data = {.group = make_group("C2"),
                .outputs = 10,
                .train = make_typeface_pairs("training digits", digits, kTypefaceTrain),
                .validation = make_typeface_pairs("validation digits", digits, kTypefaceValidation),
                .tests = {{"test", make_typeface_pairs("test digits", digits, kTypefaceTest)}}},
       .network = network,
       .shapes = shapes,
       .task = task_of(settings.network.output()),
       .prior = settings.prior,
       .train = settings.train});
}

}  // namespace

Recipe tmnist_recipe() {
  return make_recipe("tmnist", "digits of two typefaces, which C2 exchanges", make_tmnist);
}

}  // namespace algprior
