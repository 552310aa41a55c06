#include "commands.hpp"
#include "program.hpp"
#include "requests.hpp"
#include "torch_module.hpp"

#include <memory>

namespace algprior {

void add_demo_command(Program& program) {
  auto request = std::make_shared<DemoRequest>();
  CLI::App& command = program.add_command(
      {"demo", "Train a small network without and with the prior, and compare them: minutes",
       "algprior demo"});
  command.add_flag("--fonts", request->fonts, "digits drawn from fonts, even where MNIST is");
  command.add_option("--set", request->overrides, "override a setting: a.b=c (repeatable)")
      ->allow_extra_args(false);
  command.add_option("--kernels", request->kernels, "auto, native or torch")->capture_default_str();
  program.on_run(command, [request](Context& context) {
    return load_torch_module(context.threads).demo(*request, context);
  });
}

}  // namespace algprior
