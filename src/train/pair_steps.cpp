#include "algprior/train/pair_steps.hpp"

#include "algprior/base/error.hpp"

#include <ATen/ATen.h>
#include <torch/nn/module.h>

namespace algprior {
namespace {

struct PairLatents {
  at::Tensor z, partner;
};

PairLatents encode_partners(const Network& network, const Batch& batch) {
  if (!batch.paired() || !network.encode || !network.decode) {
    throw InputError(
        {"a map between partners needs their latents",
         batch.paired() ? "a network without encode or decode" : "a batch without pairs",
         "pairs, and a network with encode and decode", ""});
  }
  const auto both = network.encode(at::cat({batch.x, batch.gx})).at(0).split(batch.size());
  return {both[0], both[1]};
}

// Both latents through the decoder as one batch.
void add_reconstructions(Terms& terms, const Task& task, const Network& network, const Batch& batch,
                         const at::Tensor& of_x, const at::Tensor& of_partner) {
  const auto outputs = network.decode(at::cat({of_x, of_partner}), 0).split(batch.size());
  terms.add("task", task.loss(outputs[0], task.target(batch)));
  terms.add("task_shifted", task.loss(outputs[1], task.shifted_target(batch)));
}

class WithParts : public torch::nn::Module {
 public:
  WithParts(const Network& network, const std::string& name,
            const std::shared_ptr<torch::nn::Module>& part) {
    register_module("autoencoder", network.module);
    register_module(name, part);
  }
};

// The network with `pass` between encoder and decoder.
Network passing(Network network, const std::shared_ptr<torch::nn::Module>& module,
                const std::function<at::Tensor(const at::Tensor&)>& pass) {
  network.module = module;
  network.forward_pair = {};
  network.forward = [encode = network.encode, decode = network.decode, pass](const at::Tensor& x) {
    const auto z = encode(x).at(0);
    return Encoded{decode(pass(z), 0), {z}};
  };
  return network;
}

}  // namespace

Step make_isometry_step(const Task& task, const nn::NeuralIsometry& isometry,
                        IsometryWeights weights) {
  return [=](const Network& network, const Batch& batch) {
    const PairLatents latents = encode_partners(network, batch);
    const auto now = isometry.now();
    const auto a = now.spectrum(latents.z), b = now.spectrum(latents.partner);
    const auto rotation = now.isometry(a, b);
    const auto forth = nn::rotate_spectrum(rotation, a);
    const auto back = nn::rotate_spectrum(rotation.transpose(1, 2), b);
    const auto shape = latents.z.sizes();
    Terms terms;
    add_reconstructions(terms, task, network, batch, now.grid(back, shape), now.grid(forth, shape));
    terms.add("equivariance", at::l1_loss(b, forth) + at::l1_loss(a, back), weights.equivariance);
    terms.add("multiplicity", now.multiplicity(), weights.multiplicity);
    return terms;
  };
}

Step make_fourier_step(const Task& task, const nn::NeuralFourier& fourier) {
  return [=](const Network& network, const Batch& batch) {
    const PairLatents latents = encode_partners(network, batch);
    const auto h = fourier.adapt(latents.z), partner = fourier.adapt(latents.partner);
    const auto forth = fourier.move(fourier.transition(h, partner), h);
    const auto back = fourier.move(fourier.transition(partner, h), partner);
    const auto shape = latents.z.sizes();
    Terms terms;
    add_reconstructions(terms, task, network, batch, fourier.grid(back, shape),
                        fourier.grid(forth, shape));
    return terms;
  };
}

Network with_isometry(const Network& network, const nn::NeuralIsometry& isometry) {
  return passing(network, std::make_shared<WithParts>(network, "isometry", isometry.module()),
                 [isometry](const at::Tensor& z) {
                   const auto now = isometry.now();
                   return now.grid(now.spectrum(z), z.sizes());
                 });
}

Network with_fourier(const Network& network, const nn::NeuralFourier& fourier) {
  return passing(
      network, std::make_shared<WithParts>(network, "fourier", fourier.module()),
      [fourier](const at::Tensor& z) { return fourier.grid(fourier.adapt(z), z.sizes()); });
}

}  // namespace algprior
