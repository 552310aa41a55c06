#include "algprior/paper/catalogue.hpp"

#include "algprior/base/error.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/toml/read_config.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace algprior {
namespace {

config::Config config_of(const PaperRow& row) {
  return config::parse_config(experiment_schema(), row.toml, std::string(row.row));
}

TEST(Catalogue, EveryRowIsAConfigurationThatNamesItself) {
  for (const PaperRow& row : paper_rows()) {
    EXPECT_EQ(to_string(run_id(config_of(row))),
              row.experiment() + "/" + std::string(row.row) + "/0");
  }
}

// The settings of the paper's hyperparameter table for double-digit MNIST.
TEST(Catalogue, HasThePapersSettings) {
  const auto setting = [](const char* experiment, const char* row, const char* key) {
    for (const PaperRow& known : rows_of(experiment)) {
      if (known.row == row) return config_of(known).get<double>(key);
    }
    throw InputError({"no such row", row, "", ""});
  };
  EXPECT_EQ(setting("ddmnist-c4", "cnn", "train.learning_rate"), 5e-4);
  EXPECT_EQ(setting("ddmnist-c4", "regular", "train.learning_rate"), 1e-3);
  EXPECT_EQ(setting("ddmnist-c4", "regular", "prior.weight"), 2);
  EXPECT_EQ(setting("ddmnist-c2", "cnn", "train.learning_rate"), 1e-3);
  EXPECT_EQ(setting("ddmnist-c2", "regular", "prior.weight"), 1);
  EXPECT_EQ(setting("ddmnist-d4", "cnn", "train.learning_rate"), 5e-4);
  EXPECT_EQ(setting("ddmnist-d4", "defining", "prior.weight"), 1);
  EXPECT_EQ(setting("ddmnist-d4", "regular", "train.learning_rate"), 5e-4);
}

// The paper's C2 is a flip, which is D1 here: C2 would turn digits upside down.
TEST(Catalogue, TheC2OfThePaperIsTheFlip) {
  for (const PaperRow& row : rows_of("ddmnist-c2")) {
    EXPECT_EQ(config_of(row).get<std::string>("data.group"), "D1") << row.row;
  }
}

// A baseline on data that is not augmented would be another, weaker one.
TEST(Catalogue, EveryRowOfAnExperimentHasTheSameData) {
  for (const char* experiment : {"ddmnist-c4", "ddmnist-c2", "ddmnist-d4", "demo-mnist"}) {
    const auto rows = rows_of(experiment);
    for (const PaperRow& row : rows) {
      for (const auto& change : config::differences(config_of(rows.front()), config_of(row))) {
        EXPECT_FALSE(change.name.starts_with("data.")) << experiment << " " << change.name;
      }
    }
  }
}

TEST(Catalogue, SensitivityCoversThePapersWeightsInOrder) {
  std::vector<double> weights;
  for (const PaperRow& row : rows_of("ddmnist-sensitivity")) {
    weights.push_back(config_of(row).get<double>("prior.weight"));
  }
  EXPECT_EQ(weights, (std::vector<double>{0, 0.05, 0.5, 1, 1.5, 2}));
}

TEST(Catalogue, UnknownNamesSuggestTheNearest) {
  try {
    rows_of("ddmnist-d5");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("ddmnist-d4"), std::string::npos);
  }
  EXPECT_THROW(published_table("ddmnst"), InputError);
}

TEST(Catalogue, EveryNamedTableIsThere) {
  const std::vector<std::string> names = table_names();
  for (const char* name : {"ddmnist", "ddmnist-sensitivity", "exploratory", "room", "subgroup"}) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
  }
  const std::vector<std::string> studies = study_names();
  for (const std::string& name : names) {
    const bool study = std::find(studies.begin(), studies.end(), name) != studies.end();
    EXPECT_FALSE((study ? study_text(name) : published_table(name)).empty()) << name;
  }
}

}  // namespace
}  // namespace algprior
