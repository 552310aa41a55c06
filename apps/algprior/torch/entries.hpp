#pragma once

#include "algprior/audit/audit_subject.hpp"
#include "algprior/paper/result.hpp"
#include "program.hpp"
#include "requests.hpp"

#include <vector>

namespace algprior {

// The commands that need LibTorch; module.cpp puts them into the module's table.
int run_train(const TrainRequest& request, Context& context);
int run_eval(const EvalRequest& request, Context& context);
int run_predict(const PredictRequest& request, Context& context);
int run_demo(const DemoRequest& request, Context& context);
std::vector<Result> run_tasks(const TasksRequest& request, Context& context);
int run_bench(const BenchRequest& request, Context& context);
AuditSubject embed_encoder(const EncoderRequest& request, Context& context);

/// Threads of LibTorch, of BLAS and of the kernels.
void set_threads(int threads);

}  // namespace algprior
