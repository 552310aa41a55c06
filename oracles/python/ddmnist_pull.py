#!/usr/bin/python3
"""How hard the prior pulls beside the task in the double-digit network: norms of both gradients over the encoder's parameters.

    ddmnist_pull.py MNIST_FOLDER [RUN/model.safetensors ...]

prints a line for random weights and one for each file: the mean over four batches of the task loss (1/2 + 1/2), the
equivariance loss to the regular representation of D4xD4, both norms and their ratio. docs/results.md has the numbers.
"""
import sys

import torch
from torch.nn import functional as F

from ddmnist_network import Network, read_safetensors, regular_pairs
from ddmnist_training import batch, draw_pairs, read_idx


def norm(loss, parameters):
    gradients = torch.autograd.grad(loss, parameters, retain_graph=True)
    return torch.cat([gradient.flatten() for gradient in gradients]).norm().item()


def measure(model, images, pairs, rho):
    encoder = [value for name, value in model.named_parameters() if name.startswith(("blocks", "latent"))]
    rows = []
    for chosen in torch.randperm(len(pairs[0])).split(256)[:4]:
        x, gx, g = batch(images, pairs[0][chosen], True)
        (output, z), (shifted, zg), y = model(x), model(gx), pairs[1][chosen]
        task = 0.5 * F.cross_entropy(output, y) + 0.5 * F.cross_entropy(shifted, y)
        equivariance = F.mse_loss(zg, torch.bmm(rho[g], z.unsqueeze(2)).squeeze(2))
        rows.append([task.item(), equivariance.item(), norm(task, encoder), norm(equivariance, encoder)])
    return torch.tensor(rows).mean(0).tolist()


def main(folder, files):
    torch.manual_seed(0)
    images = read_idx(folder, "train-images-idx3-ubyte")
    pairs = draw_pairs(read_idx(folder, "train-labels-idx1-ubyte"), 100)
    rho = regular_pairs(torch.arange(64))
    for file in [None] + files:
        model = Network()
        if file:
            model.load_state_dict(read_safetensors(file))
        task, equivariance, pull_of_task, pull = measure(model, images, pairs, rho)
        print(
            f"{file or 'random weights'}: task {task:.3f}, equivariance {equivariance:.5f}, "
            f"gradients {pull_of_task:.3f} and {pull:.4f}, ratio {pull / pull_of_task:.4f}"
        )


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2:])
