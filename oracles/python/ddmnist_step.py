#!/usr/bin/python3
"""One DDMNIST training step in the manner of published research code: images are augmented one by
one, x and g*x pass the network separately, and the latent representation acts by dense matrices
under masks. `algprior bench` carries this script, runs it and compares both its loss and its time.

Every input follows from a formula (also in apps/algprior/torch/bench_step.cpp), so that the loss of
the first step must agree.

    ddmnist_step.py [--pairs 256] [--steps 3] [--threads 2]

prints {"loss": the first step's, "ms": the fastest step's}.
"""
import argparse
import json
import math
import time

import torch
from torch import nn
from torch.nn import functional as F

SIDE, DIGITS, LATENT = 28, 100, 66


def product(a, b):
    """r^k1 s^f1 * r^k2 s^f2 in D4, index 4f + k."""
    k1, f1, k2, f2 = a % 4, a // 4, b % 4, b // 4
    return 4 * ((f1 + f2) % 2) + (k1 + (-k2 if f1 else k2)) % 4


def dense_representation():
    """rho(g, h) of D4xD4 on 64 + 2 coordinates, one matrix an element."""
    one = torch.zeros(8, 8, 8)
    for g in range(8):
        for h in range(8):
            one[g, product(g, h), h] = 1
    matrices = torch.zeros(64, LATENT, LATENT)
    for g in range(8):
        for h in range(8):
            matrices[8 * g + h, :64, :64] = torch.kron(one[g], one[h])
            matrices[8 * g + h, 64:, 64:] = torch.eye(LATENT - 64)
    return matrices


def digit_images():
    m = torch.arange(DIGITS).view(-1, 1)
    p = torch.arange(SIDE * SIDE).view(1, -1)
    return ((m * 131 + p * 17 + (p * p) % 97) % 256).to(torch.uint8).view(DIGITS, SIDE, SIDE)


def motion(digit, stage):
    """Angle in degrees, element 4f + k of D4."""
    angle = (digit * 37 + stage * 101) % 360 - 180
    return float(angle), (digit * 5 + stage * 3) % 8


def rotate(image, degrees):
    a = math.radians(degrees)
    theta = torch.tensor([[[math.cos(a), -math.sin(a), 0.0], [math.sin(a), math.cos(a), 0.0]]])
    grid = F.affine_grid(theta, [1, 1, SIDE, SIDE], align_corners=False)
    return F.grid_sample(image[None, None], grid, mode="bilinear", align_corners=False)[0, 0]


def transform(image, angle, element):
    if element >= 4:
        image = torch.flip(image, [1])
    return rotate(rotate(image, angle), 90.0 * (element % 4) - angle)


def canvas(left, right):
    image = torch.zeros(1, 2 * SIDE, 2 * SIDE)
    image[0, SIDE // 2:SIDE // 2 + SIDE, :SIDE] = left
    image[0, SIDE // 2:SIDE // 2 + SIDE, SIDE:] = right
    return (image - 0.06535) / 0.555068


def batch(digits, pairs):
    x, gx, y, g = [], [], [], []
    for n in range(pairs):
        first, second, elements = [], [], []
        for half in range(2):
            number = (7 * n) % DIGITS if half == 0 else (11 * n + 3) % DIGITS
            image = transform(digits[number].float() / 255, *motion(2 * n + half, 0))
            angle, element = motion(2 * n + half, 1)
            first.append(image)
            second.append(transform(image, angle, element))
            elements.append(element)
        x.append(canvas(*first))
        gx.append(canvas(*second))
        y.append((13 * n) % 100)
        g.append(8 * elements[0] + elements[1])
    return torch.stack(x), torch.stack(gx), torch.tensor(y), torch.tensor(g)


class Network(nn.Module):
    def __init__(self):
        super().__init__()

        def block(i, o, k, s, p):
            return [nn.Conv2d(i, o, k, s, p), nn.BatchNorm2d(o), nn.ELU()]

        self.encoder = nn.Sequential(
            nn.Upsample(size=(57, 57)), *block(1, 6, 7, 1, 2), *block(6, 12, 5, 1, 2),
            nn.AvgPool2d(5, 2, 1), *block(12, 24, 3, 2, 2), nn.AvgPool2d(5, 2, 1),
            *block(24, 36, 3, 2, 0), *block(36, 36, 3, 1, 1), nn.AvgPool2d(5, 1, 1),
            nn.Conv2d(36, LATENT, 1), nn.Flatten())
        self.head = nn.Sequential(nn.BatchNorm1d(LATENT), nn.ELU(), nn.Linear(LATENT, 100))
        for number, parameter in enumerate(self.parameters()):
            if parameter.dim() == 1:
                continue
            scale = 1 / math.sqrt(parameter[0].numel())
            count = parameter.numel()
            values = torch.sin(12.9898 * torch.arange(1, count + 1, dtype=torch.float64) + number)
            parameter.data = (scale * values).float().view_as(parameter)
        for module in self.modules():
            if isinstance(module, (nn.Conv2d, nn.Linear)):
                nn.init.zeros_(module.bias)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=256)
    parser.add_argument("--steps", type=int, default=3)
    parser.add_argument("--threads", type=int, default=2)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    digits, representation, network = digit_images(), dense_representation(), Network()
    optimizer = torch.optim.Adam(network.parameters(), lr=5e-4)
    losses, times = [], []
    for _ in range(options.steps):
        start = time.perf_counter()
        x, gx, y, g = batch(digits, options.pairs)
        z = network.encoder(x)
        zg = network.encoder(gx)
        moved = torch.zeros_like(z)
        for element in range(64):
            mask = (g == element)[:, None].float()
            moved = moved + mask * (z @ representation[element].T)
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
