#include "shape_settings.hpp"

#include "algprior/store/made.hpp"

namespace algprior {

void ShapeDataSettings::bind(config::Fields& fields) {
  fields
      .text(
          "data.source", source,
          "shrec11: the meshes that `algprior data get shrec11` prepared; procedural: bodies that "
          "bend, made anew")
      .one_of({"shrec11", "procedural"});
  fields.when("data.source", {"shrec11"}, [&] {
    fields.texts("data.categories", categories,
                 "categories to tell apart; none: all but the five that the published experiments "
                 "leave out");
  });
  fields.when("data.source", {"procedural"}, [&] {
    fields.integer("data.procedural_categories", procedural_categories, "how many categories")
        .at_least(2)
        .at_most(1000);
    fields
        .integer("data.detail", detail, "halvings of the icosahedron's edges: 10·4^d + 2 vertices")
        .at_least(1)
        .at_most(6);
  });
  fields.integer("data.train", train, "shapes of each category to train on").at_least(1);
  fields.integer("data.validation", validation, "shapes of each category to validate on")
      .at_least(1);
  fields.integer("data.test", test, "shapes of each category to test on, or what is left")
      .at_least(1);
  fields.integer("data.maps", maps, "conformal maps of each shape").at_least(1);
  fields
      .text("data.statistics", statistics, "the shapes by whose mean and deviation maps are scaled")
      .one_of({"all", "train"});
  fields.text("data.grid", grid,
              "cube-N: cube map; HxW-half: parallels, half offset; HxW: end points included, as "
              "published");
  fields.text("data.group", group, "Oh: the 48 symmetries of the cube; cube: its 24 rotations")
      .one_of({"Oh", "cube"});
}

ShapeSplits ShapeDataSettings::load(std::uint64_t seed) const {
  ShapeSplitOptions options{.train = train,
                            .validation = validation,
                            .test = test,
                            .seed = seed,
                            .training_statistics = statistics == "train"};
  if (source == "procedural") {
    mesh::ProceduralOptions shapes;
    shapes.categories = static_cast<int>(procedural_categories);
    shapes.level = static_cast<int>(detail);
    return make_procedural_shapes(shapes, maps - 1, options);
  }
  options.categories = categories;
  options.skipped = mesh::shrec11_skipped();
  return read_shapes(store::find_made("shrec11").folder, options);
}

void HeadSettings::bind(config::Fields& fields) {
  fields.integer("head.width", width, "features of the layers that commute with orthogonal maps")
      .at_least(1);
  fields.integer("head.gram", gram, "features of the Gram matrix").at_least(1);
  fields.integer("head.hidden", hidden, "size of the hidden layer behind it").at_least(1);
  fields.boolean("head.finetune", finetune, "train the encoder on; else it stays as it is");
  fields.boolean("head.unit", unit,
                 "bring what it sees of a sample to a root mean square of 1; else latents that "
                 "shrank are lost below the floor of its norms");
  fields.real("head.learning_rate", learning_rate, "of AdamW, as of the pre-training").above(0);
  fields.integer("head.warmup", warmup, "epochs of linear warm-up").at_least(0);
  fields.integer("head.batch_size", batch_size, "maps a step").at_least(1);
  fields.integer("head.epochs", epochs, "an epoch has every map of every training shape once")
      .at_least(1);
}

TrainSettings HeadSettings::train() const {
  TrainSettings settings;
  settings.task = TaskTerms::single;
  settings.decoupled = true;
  settings.learning_rate = learning_rate;
  settings.weight_decay = 1e-4;
  settings.warmup = warmup;
  settings.batch_size = batch_size;
  settings.epochs = epochs;
  settings.patience = 0;
  settings.keep_best = false;
  return settings;
}

}  // namespace algprior
