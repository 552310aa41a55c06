#pragma once

#include "algprior/sweep/manifest.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace algprior {

/// What the commands that train are asked, as parsed from the command line. Shared by the
/// torch-free program and the part with LibTorch.
struct TrainRequest {
  std::string file;  ///< an experiment file, "-" for the standard input, or a run folder
  std::vector<std::string> overrides;  ///< texts of --set
  std::optional<std::int64_t> seed;
  std::string folder;  ///< "": below the runs folder
  bool resume = false;
  bool dry_run = false;
  bool other_setting = false;        ///< resume with other threads or kernels
  std::string batch_norm = "local";  ///< with several ranks: "local" or "synchronised"
  std::string device = "cpu";
  std::string kernels = "auto";
};

struct EvalRequest {
  std::string folder;  ///< a run
  std::string data;    ///< "": the run's own test sets
  bool fresh_averages = false;
  std::string device = "cpu";
  std::string kernels = "auto";
};

struct PredictRequest {
  std::string folder;  ///< a run
  std::string data;    ///< NPZ, safetensors or NPY
  std::string inputs;  ///< "": as the run's own data calls them
  std::string output;  ///< NPZ or safetensors
  std::string device = "cpu";
  std::string kernels = "auto";
};

/// An encoder that an audit has to run first: that of a run, or a TorchScript file.
struct EncoderRequest {
  std::string run;          ///< a run folder, or "" for
  std::string torchscript;  ///< a TorchScript file with
  std::string data;         ///< samples x, perhaps labels, and
  std::string action;       ///< how the group acts on them
  std::string group;        ///< likewise for TorchScript; a run has its own
  std::string layer = "0";  ///< a number, or "output"
  std::int64_t samples = 1000;
};

struct PaperRunRequest {
  std::vector<std::string> experiments;  ///< "ddmnist-d4"
  std::string rows;                      ///< "cnn,regular"; "": all
  std::string seeds = "3";               ///< a count, or a list "4,7"
  std::optional<std::int64_t> epochs;
  std::vector<std::string> overrides;
  std::optional<int> jobs;  ///< runs at the same time; none: as many as there are cores for
  std::string kernels = "auto";
};

/// Runs, one after the other in this process.
struct TasksRequest {
  std::vector<sweep::Task> tasks;
  std::string kernels = "auto";
  std::string holder = {};  ///< who a second process finds in the run's folder
  bool heartbeat = false;   ///< tell in the folder who works there
};

struct DemoRequest {
  bool fonts = false;  ///< digits drawn from fonts even where MNIST is
  std::vector<std::string> overrides;
  std::string kernels = "auto";
};

struct PaperTableRequest {
  std::string name;  ///< "ddmnist"
  bool markdown = false;
  std::vector<std::string> folders;  ///< of results beside the runs folder
};

struct BenchRequest {
  std::vector<std::string> words;  ///< parts of the names of cases; none: all
  bool scaling = false;            ///< also over batch sizes and threads
  bool list = false;               ///< only name the cases
  int repetitions = 5;
  std::string memory_of;  ///< "native" or "torch": only measure the memory of a step, here
};

}  // namespace algprior
