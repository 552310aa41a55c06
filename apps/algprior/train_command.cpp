#include "algprior/base/error.hpp"
#include "algprior/base/suggest.hpp"
#include "algprior/config/config.hpp"
#include "algprior/paper/recipe_schema.hpp"
#include "commands.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "torch_module.hpp"
#include "whole_number.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>

namespace algprior {
namespace {

void add_machine_options(CLI::App& command, std::string& device, std::string& kernels) {
  command.add_option("--device", device, "cpu, cuda or cuda:N")->capture_default_str();
  command.add_option("--kernels", kernels, "auto, native or torch")->capture_default_str();
}

// The keys of a recipe alone, from the schema that needs no LibTorch.
int show_starter(const std::string& recipe, const std::vector<std::string>& overrides,
                 Context& context) {
  std::map<std::string, std::string> selectors{{"experiment.recipe", "arrays"}};
  if (!recipe.empty() && recipe != "true") selectors["experiment.recipe"] = recipe;
  for (const std::string& text : overrides) {
    const std::size_t equals = std::min(text.find('='), text.size());
    selectors[text.substr(0, equals)] = text.substr(std::min(equals + 1, text.size()));
  }
  const config::Schema& schema = recipe_schema();
  for (const auto& [name, value] : selectors) {
    const config::Key* key = schema.find(name);
    if (key == nullptr || key->choices.empty()) {
      throw InputError({"this key does not select others", name,
                        "a key such as experiment.recipe, network.kind or prior.representation",
                        schema.suggestion(name)});
    }
    const auto& choices = key->choices;
    if (name == "experiment.recipe" &&
        std::find(choices.begin(), choices.end(), value) == choices.end()) {
      throw InputError({"there is no recipe of this name", value, config::expected_text(*key),
                        did_you_mean(value, choices)});
    }
  }
  context.terminal.print(config::starter_toml(schema, selectors));
  return 0;
}

void add_train(Program& program) {
  auto request = std::make_shared<TrainRequest>();
  CLI::App& command =
      program.add_command({"train", "Train the network that an experiment file describes",
                           "algprior train my.toml --set train.epochs=20 --seed 1"});
  command.add_option("file", request->file,
                     "experiment file (TOML), - for the standard input, or the folder of a run to "
                     "go on with");
  auto starter = std::make_shared<std::string>();
  CLI::Option* fresh = command
                           .add_option("--new", *starter,
                                       "print a commented experiment file to start from: of a "
                                       "recipe (default arrays), as --set has its selectors")
                           ->expected(0, 1);
  command.add_option("--set", request->overrides, "override a setting: a.b=c (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--seed", request->seed, "seed of the run")
      ->check(whole_number(0, std::numeric_limits<std::int64_t>::max()));
  command.add_option("--out", request->folder, "run folder; default below runs/ or ALGPRIOR_RUNS");
  command.add_flag("--resume", request->resume, "go on from the folder's checkpoint");
  command.add_flag("--other-setting", request->other_setting,
                   "resume with other threads, ranks, kernels or CPU, giving up equal bits");
  command
      .add_option("--batch-norm", request->batch_norm,
                  "with several ranks: by the samples of each (local) or of all (synchronised)")
      ->check(CLI::IsMember({"local", "synchronised"}))
      ->capture_default_str();
  command.add_flag("--dry-run", request->dry_run, "say what it would cost, train nothing");
  add_machine_options(command, request->device, request->kernels);
  program.on_run(command, [request, starter, fresh](Context& context) {
    if (fresh->count() > 0) return show_starter(*starter, request->overrides, context);
    return load_torch_module(context.threads).train(*request, context);
  });
}

void add_eval(Program& program) {
  auto request = std::make_shared<EvalRequest>();
  CLI::App& command = program.add_command({"eval", "Measure the network of a finished run again",
                                           "algprior eval runs/ddmnist-d4/regular/0"});
  command.add_option("run", request->folder, "run folder")->required();
  command.add_option("--data", request->data, "NPZ or safetensors file with x and y");
  command.add_flag("--fresh-averages", request->fresh_averages,
                   "take the running averages of batch norms anew from the training data");
  add_machine_options(command, request->device, request->kernels);
  program.on_run(command, [request](Context& context) {
    return load_torch_module(context.threads).eval(*request, context);
  });
}

void add_predict(Program& program) {
  auto request = std::make_shared<PredictRequest>();
  CLI::App& command = program.add_command(
      {"predict", "Apply the network of a finished run to data: outputs and latents",
       "algprior predict runs/own-data/regular/0 --data new.npz -o predictions.npz"});
  command.add_option("run", request->folder, "run folder")->required();
  command.add_option("--data", request->data, "NPZ, safetensors or NPY file of inputs")->required();
  command
      .add_option("-o,--out", request->output,
                  "NPZ or safetensors file to write: output, z, and label of a classifier")
      ->required();
  command.add_option("--inputs", request->inputs,
                     "name of the inputs in the file (default: as in the run's own data, else x)");
  add_machine_options(command, request->device, request->kernels);
  program.on_run(command, [request](Context& context) {
    return load_torch_module(context.threads).predict(*request, context);
  });
}

}  // namespace

void add_train_commands(Program& program) {
  add_train(program);
  add_eval(program);
  add_predict(program);
}

}  // namespace algprior
