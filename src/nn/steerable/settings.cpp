#include "settings.hpp"

namespace algprior::steerable {
namespace {

constexpr Choices<System, 4> kSystems = {{"scnn", System::scnn},
                                         {"restriction", System::restriction},
                                         {"rpp", System::rpp},
                                         {"pscnn", System::pscnn}};

}  // namespace

void bind_averaged(config::Fields& fields, AveragedOptions& averaged,
                   LikelihoodWeights& likelihood) {
  fields.boolean("network.duplicates", averaged.duplicates,
                 "list redundant kernels as the published systems do");
  fields.boolean("network.normalised", averaged.normalised,
                 "scale every kernel to the norm that equivariant ones have");
  fields
      .real("network.alignment", likelihood.alignment,
            "weight of max l(g) - l(e) over the log-densities l")
      .at_least(0);
  fields
      .real("network.likelihood_chain", likelihood.chain,
            "weight of the densities' divergence from the layer before")
      .at_least(0);
  fields
      .real("network.likelihood_uniform", likelihood.uniform,
            "weight of the first density's divergence from the uniform one")
      .at_least(0);
}

void bind_system(config::Fields& fields, SystemOptions& options) {
  fields.choice("network.system", options.system, kSystems,
                "scnn: equivariant kernels; restriction: free ones in the last layers; rpp: "
                "equivariant plus free ones; pscnn: averaged over a learned density on the group");
  fields.when("network.system", {"rpp"}, [&] {
    fields
        .real("network.equivariant_decay", options.equivariant_decay,
              "weight of the squared norm of the equivariant kernels")
        .at_least(0);
    fields
        .real("network.free_decay", options.free_decay,
              "weight of the squared norm of the free kernels")
        .at_least(0);
  });
  fields.when("network.system", {"pscnn"},
              [&] { bind_averaged(fields, options.averaged, options.likelihood); });
}

}  // namespace algprior::steerable
