#pragma once

// The prior in a training loop of your own: actions, losses, networks, what they learned. Needs
// LibTorch: link algprior::prior.

#include "algprior/action/latent.hpp"
#include "algprior/action/parts.hpp"
#include "algprior/action/planar.hpp"
#include "algprior/action/sample.hpp"
#include "algprior/action/symmetry.hpp"
#include "algprior/algebra.hpp"
#include "algprior/analysis/equivariance.hpp"
#include "algprior/analysis/orbits.hpp"
#include "algprior/analysis/probes.hpp"
#include "algprior/analysis/representation_report.hpp"
#include "algprior/kernel/kernels.hpp"
#include "algprior/nn/conv_block.hpp"
#include "algprior/nn/learned.hpp"
#include "algprior/nn/network.hpp"
#include "algprior/nn/steerable/conv.hpp"
#include "algprior/nn/steerable/layers.hpp"
#include "algprior/nn/weights.hpp"
#include "algprior/prior/algebra_loss.hpp"
#include "algprior/prior/equivariance.hpp"
#include "algprior/prior/fixed_prior.hpp"
#include "algprior/prior/learned_prior.hpp"
#include "algprior/prior/learned_representation.hpp"
#include "algprior/prior/terms.hpp"
