#!/usr/bin/python3
"""The network for volumes in python3-torch: an oracle for the C++ one.

    volume_network.py fixture FILE     write weights and the answers (tests/data/volume_network.safetensors)
    volume_network.py answer IN OUT    read weights, write the answers

A file holds "model/<parameter>" for each parameter and buffer. The volumes are those of ramp(), which both sides make
for themselves. Answers: "output" and "latent" in training mode, "evaluated" in evaluation mode after that one pass (so that
the running averages count), and "gradient", that of the sum of squares of the output by the first layer's weights.
"""
import sys

import torch
from torch import nn

from ddmnist_network import read_safetensors, write_safetensors

VOLUMES, SIDE = 4, 28


def ramp():
    """Numbers in [-1, 1) that repeat late: i -> ((31 i^2 + 17 i) mod 509) / 254.5 - 1."""
    i = torch.arange(VOLUMES * SIDE**3, dtype=torch.int64)
    values = ((31 * i * i + 17 * i) % 509).to(torch.float32) / 254.5 - 1
    return values.reshape(VOLUMES, 1, SIDE, SIDE, SIDE)


class Block(nn.Module):
    """Convolution, and unless it stands alone batch norm, ELU and perhaps a pooling."""

    def __init__(self, inputs, outputs, kernel, stride=1, padding=0, pool=None, alone=False):
        super().__init__()
        self.conv = nn.Conv3d(inputs, outputs, kernel, stride=stride, padding=padding)
        self.bn = None if alone else nn.BatchNorm3d(outputs)
        self.pool = nn.AvgPool3d(pool[0], stride=pool[1], padding=pool[2]) if pool else nn.Identity()

    def forward(self, x):
        x = self.conv(x)
        return x if self.bn is None else self.pool(nn.functional.elu(self.bn(x)))


class Network(nn.Module):
    def __init__(self, c, classes):
        super().__init__()
        self.first = Block(1, c, 7, padding=2)
        self.second = Block(c, 2 * c, 5, padding=2)
        self.first_skip = Block(1, 2 * c, 7, padding=2, alone=True)
        self.third = Block(2 * c, 4 * c, 3, stride=2, padding=1, pool=(5, 2, 1))
        self.fourth = Block(4 * c, 6 * c, 3, stride=2, padding=2)
        self.second_skip = Block(2 * c, 6 * c, 3, alone=True)
        self.fifth = Block(6 * c, 6 * c, 3, padding=1, pool=(3, 1, 0))
        self.sixth = Block(6 * c, 8 * c, 1, alone=True)
        self.third_skip = Block(6 * c, 8 * c, 3, alone=True)
        self.norm = nn.BatchNorm1d(8 * c)
        self.head = nn.Linear(8 * c, classes)

    def forward(self, x):
        x = nn.functional.interpolate(x, size=(29, 29, 29), mode="nearest")
        y = self.second(self.first(x)) + self.first_skip(x)
        y = nn.functional.avg_pool3d(y, 5, stride=2, padding=1)
        y = self.fourth(self.third(y)) + self.second_skip(nn.functional.avg_pool3d(y, 5, stride=2))
        z = (self.sixth(self.fifth(y)) + self.third_skip(y)).flatten(1)
        return self.head(nn.functional.elu(self.norm(z))), z


def answer(tensors):
    torch.set_num_threads(1)
    weights = {name[6:]: value for name, value in tensors.items() if name.startswith("model/")}
    model = Network(weights["first.conv.weight"].shape[0], weights["head.weight"].shape[0])
    model.load_state_dict(weights)
    model.train()
    output, z = model(ramp())
    output.square().sum().backward()
    model.eval()
    with torch.no_grad():
        evaluated = model(ramp())[0]
    return {"output": output, "latent": z, "evaluated": evaluated, "gradient": model.first.conv.weight.grad}


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "fixture":
        torch.manual_seed(1)
        tensors = {"model/" + name: value.clone() for name, value in Network(3, 11).state_dict().items()}
        path = arguments[1]
    elif len(arguments) == 3 and arguments[0] == "answer":
        tensors, path = read_safetensors(arguments[1]), arguments[2]
    else:
        sys.exit(__doc__)
    write_safetensors(path, {**tensors, **answer(tensors)}, {"script": "oracles/python/volume_network.py"})


if __name__ == "__main__":
    main(sys.argv[1:])
