#!/usr/bin/python3
"""One MedMNIST3D training step in the manner of published research code: volumes are turned one by one
with grid_sample, all 24 rotations and their products are worked out again for every turn, x and g*x pass
the network separately, and the latent representation acts by dense matrices under masks. `algprior
bench` carries this script, runs it and compares both its loss and its time.

Every input follows from a formula (also in apps/algprior/torch/bench_volumes.cpp), so that the loss of
the first step must agree; for that, volumes turn by a left action.

    volume_step.py [--volumes 32] [--steps 3] [--threads 2]

prints {"loss": the first step's, "ms": the fastest step's}.
"""
import argparse
import json
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

SIDE, LATENT = 28, 48

# (x, y, z) goes to: the order of the elements.
IMAGES = ("x y z|x -z y|x -y -z|x z -y|z y -x|-x y -z|-z y x|-y x z|-x -y z|y -x z|z x y|y z x|"
          "y -z -x|-z x -y|-y -z x|z -x -y|-y z -x|-z -x y|z -y x|-z -y -x|-x z y|-x -z -y|y x -z|-y -x -z")


def rotations():
    matrices = []
    for images in IMAGES.split("|"):
        matrix = torch.zeros(3, 3)
        for row, name in enumerate(images.split()):
            matrix[row, "xyz".index(name[-1])] = -1 if name[0] == "-" else 1
        matrices.append(matrix)
    return matrices


def representation():
    """Matrices by index, and the regular representation by way of a dictionary of products."""
    matrices = rotations()
    index = {tuple(m.flatten().tolist()): i for i, m in enumerate(matrices)}
    regular = torch.zeros(24, 24, 24)
    for i in range(24):
        for j in range(24):
            regular[i, index[tuple((matrices[i] @ matrices[j]).flatten().tolist())], j] = 1
    return matrices, regular


def turn(volume, element):
    matrices, _ = representation()
    theta = torch.cat([matrices[element].T, torch.zeros(3, 1)], 1)[None]
    grid = F.affine_grid(theta, [1, 1, SIDE, SIDE, SIDE], align_corners=True)
    return F.grid_sample(volume[None], grid, mode="bilinear", align_corners=True)[0]


def volumes(count):
    n = torch.arange(count).view(-1, 1)
    p = torch.arange(SIDE**3).view(1, -1)
    return ((n * 131 + p * 17 + (p * p) % 97) % 256).to(torch.uint8).view(count, 1, SIDE, SIDE, SIDE)


def batch(data):
    x, gx, y, g = [], [], [], []
    for n in range(len(data)):
        first = turn((data[n].float() / 255 - 0.5) / 0.5, (5 * n + 3) % 24)
        g.append((7 * n + 1) % 24)
        x.append(first)
        gx.append(turn(first, g[-1]))
        y.append(13 * n % 2)
    return torch.stack(x), torch.stack(gx), torch.tensor(y), torch.tensor(g)


class Network(nn.Module):
    def __init__(self, c=6):
        super().__init__()

        def block(i, o, k, s, p):
            return nn.Sequential(nn.Conv3d(i, o, k, s, p), nn.BatchNorm3d(o), nn.ELU())

        self.first, self.second = block(1, c, 7, 1, 2), block(c, 2 * c, 5, 1, 2)
        self.first_skip = nn.Conv3d(1, 2 * c, 7, 1, 2)
        self.third, self.fourth = block(2 * c, 4 * c, 3, 2, 1), block(4 * c, 6 * c, 3, 2, 2)
        self.second_skip = nn.Conv3d(2 * c, 6 * c, 3)
        self.fifth, self.sixth = block(6 * c, 6 * c, 3, 1, 1), nn.Conv3d(6 * c, 8 * c, 1)
        self.third_skip = nn.Conv3d(6 * c, 8 * c, 3)
        self.norm, self.linear = nn.BatchNorm1d(8 * c), nn.Linear(8 * c, 2)
        for number, parameter in enumerate(self.parameters()):
            if parameter.dim() == 1:
                continue
            scale = 1 / math.sqrt(parameter[0].numel())
            count = parameter.numel()
            values = torch.sin(12.9898 * torch.arange(1, count + 1, dtype=torch.float64) + number)
            parameter.data = (scale * values).float().view_as(parameter)
        for module in self.modules():
            if isinstance(module, (nn.Conv3d, nn.Linear)):
                nn.init.zeros_(module.bias)

    def encoder(self, x):
        x = F.interpolate(x, size=(29, 29, 29), mode="nearest")
        y = F.avg_pool3d(self.second(self.first(x)) + self.first_skip(x), 5, 2, 1)
        y = self.fourth(F.avg_pool3d(self.third(y), 5, 2, 1)) + self.second_skip(F.avg_pool3d(y, 5, 2))
        return (self.sixth(F.avg_pool3d(self.fifth(y), 3, 1)) + self.third_skip(y)).flatten(1)

    def head(self, z):
        return self.linear(F.elu(self.norm(z)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--volumes", type=int, default=32)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    data, network = volumes(options.volumes), Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-4)
    losses, times = [], []
    for _ in range(options.steps):
        start = time.perf_counter()
        x, gx, y, g = batch(data)
        z = network.encoder(x)
        zg = network.encoder(gx)
        _, regular = representation()
        moved = torch.zeros_like(z)
        for element in range(24):
            mask = (g == element)[:, None].float()
            moved = moved + mask * (z @ torch.block_diag(regular[element], regular[element]).T)
        loss = (0.5 * F.cross_entropy(network.head(z), y)
                + 0.5 * F.cross_entropy(network.head(zg), y) + F.mse_loss(zg, moved))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
        times.append(1e3 * (time.perf_counter() - start))
    print(json.dumps({"loss": losses[0], "ms": min(times)}))


if __name__ == "__main__":
    main()
