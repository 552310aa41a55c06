#pragma once

#include "algprior/audit/audit_subject.hpp"
#include "algprior/paper/result.hpp"
#include "program.hpp"
#include "requests.hpp"

#include <string>
#include <vector>

namespace algprior {

/// What LibTorch says of itself once it runs here.
struct TorchFacts {
  std::string version;
  std::string kernels;  ///< the instruction set of its own kernels: "AVX2"
  int threads = 0;
  double gflops = 0.0;  ///< a float32 product of two 512×512 matrices, all threads
};

/// The part of the program that needs LibTorch, in a shared library of its own: LibTorch takes half
/// a second to load, and only some commands need it. A command with LibTorch parses its options in
/// apps/algprior/x_command.cpp, does its work in apps/algprior/torch/, and has one entry here.
struct TorchModule {
  const char* version;  ///< of the algprior that it was built with
  void (*set_threads)(int threads);
  TorchFacts (*facts)();
  int (*train)(const TrainRequest& request, Context& context);
  int (*eval)(const EvalRequest& request, Context& context);
  int (*predict)(const PredictRequest& request, Context& context);
  int (*demo)(const DemoRequest& request, Context& context);
  std::vector<Result> (*run_tasks)(const TasksRequest& request, Context& context);
  int (*bench)(const BenchRequest& request, Context& context);
  AuditSubject (*embed)(const EncoderRequest& request, Context& context);
  std::string (*recipes)();  ///< the schema of all recipes as JSON
};

}  // namespace algprior

/// The one symbol of the shared library.
extern "C" const algprior::TorchModule* algprior_torch_module();
