#pragma once

// Experiments: data sets, tasks, the trainer, recipes and runs. Link algprior::lab.

#include "algprior/data/dataset.hpp"
#include "algprior/data/image_pairs.hpp"
#include "algprior/data/tensor_data.hpp"
#include "algprior/experiment/assemble.hpp"
#include "algprior/experiment/recipe.hpp"
#include "algprior/experiment/run.hpp"
#include "algprior/paper/result_table.hpp"
#include "algprior/prior.hpp"
#include "algprior/store/store.hpp"
#include "algprior/toml/read_config.hpp"
#include "algprior/train/evaluate.hpp"
#include "algprior/train/step.hpp"
#include "algprior/train/trainer.hpp"
