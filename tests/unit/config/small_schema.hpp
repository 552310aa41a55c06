#pragma once

#include "algprior/toml/read_config.hpp"

#include <string>

#include <gtest/gtest.h>

namespace algprior::config {

/// A schema with every type, range, choice, an optional and a required key.
inline Schema small_schema() {
  return Schema({
      Key::text("name", "what the run is called").required(),
      Key::integer("train.epochs", "how often the data is seen").at_least(1).by_default(100),
      Key::real("train.rate", "learning rate").above(0).at_most(1).by_default(0.001),
      Key::text("train.optimizer", "which optimizer").one_of({"adam", "sgd"}).by_default("adam"),
      Key::boolean("train.shuffle", "draw the order anew each epoch").by_default(true),
      Key::integers("model.widths", "channels of each layer")
          .at_least(1)
          .by_default(std::vector<std::int64_t>{8, 16}),
      Key::reals("data.crop", "left, top, right, bottom")
          .of_length(4)
          .by_default(std::vector<double>{0, 0, 1, 1}),
      Key::texts("reference", "departures of the published code")
          .one_of({"D-2", "D-5"})
          .by_default(std::vector<std::string>{}),
      Key::real("prior.latent.weight", "weight of the equivariance loss").at_least(0),
  });
}

/// The ConfigError that parsing throws; fails the test when there is none.
inline std::vector<Failure> problems_of(const std::string& text,
                                        const std::vector<std::string>& overrides = {}) {
  try {
    parse_config(small_schema(), text, "my.toml", overrides);
  } catch (const ConfigError& error) {
    return error.problems();
  }
  ADD_FAILURE() << "accepted: " << text;
  return {Failure()};
}

inline void expect_contains(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text << "\n  lacks: " << part;
}

}  // namespace algprior::config
