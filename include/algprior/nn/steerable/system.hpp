#pragma once

#include "algprior/nn/steerable/conv.hpp"
#include "algprior/prior/terms.hpp"

#include <functional>
#include <string>
#include <vector>

namespace algprior::steerable {

/// The systems that steer a whole network, each a choice of kernel map.
enum class System {
  scnn,         ///< projected
  restriction,  ///< projected, for {e} from some layer on
  rpp,          ///< projected + free, a decay on each
  pscnn         ///< averaged over a likelihood of each layer
};

struct SystemOptions {
  System system = System::scnn;
  AveragedOptions averaged = {};
  LikelihoodWeights likelihood = {};
  double equivariant_decay = 1e-5;  ///< of rpp
  double free_decay = 1e-3;         ///< of rpp
};

/// Makes the convolutions of a network by one system and keeps what they lose beside the data.
class SystemLayers {
 public:
  /// Throws InputError for weights that are negative or not finite.
  explicit SystemLayers(const SystemOptions& options);

  /// The next convolution. rpp adds a free bias where there is a bias.
  SteerableConv make(const KernelSpace& where, const ConvOptions& options);

  /// To be registered by the network.
  const std::vector<Likelihood>& likelihoods() const { return likelihoods_; }
  /// "alignment", "likelihood_chain", "likelihood_uniform" of pscnn; "equivariant_weights" and
  /// "free_weights", the squared norms of both paths, of rpp; nothing else.
  std::vector<Term> terms() const;

 private:
  SystemOptions options_;
  std::vector<SteerableConv> layers_;
  std::vector<Likelihood> likelihoods_;
};

/// |θ|² over the parameters of the layers whose name `chosen` accepts.
at::Tensor squared_norm(const std::vector<SteerableConv>& layers,
                        const std::function<bool(const std::string&)>& chosen);

}  // namespace algprior::steerable
