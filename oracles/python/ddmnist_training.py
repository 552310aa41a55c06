#!/usr/bin/python3
"""Double-digit MNIST under D4, data and training alike, in python3-torch and nothing else: a second opinion on whole runs.

    ddmnist_training.py MNIST_FOLDER [--row cnn|regular] [--published] [--epochs 10] [--seed 0] [--threads 1]

prints a line an epoch in the form of a run's metrics.jsonl. Random streams differ from the program's, so curves agree as
those of two seeds do. --published weighs the task 1 on x and 0 on g*x (departure D-5). docs/results.md has the comparison.
"""
import argparse
import gzip
import json
import math
import os
import struct
import sys

import torch
from torch.nn import functional as F

from ddmnist_network import Network, regular_pairs

SIDE = 28


def read_idx(folder, name):
    path = os.path.join(folder, name)
    opened = open(path, "rb") if os.path.exists(path) else gzip.open(path + ".gz", "rb")
    with opened as file:
        content = file.read()
    axes = content[3]
    shape = struct.unpack(">" + "I" * axes, content[4 : 4 + 4 * axes])
    return torch.frombuffer(bytearray(content[4 + 4 * axes :]), dtype=torch.uint8).reshape(shape)


def draw_pairs(labels, per_class):
    """Image numbers of the left and the right digit, with replacement, and the class 10 left + right."""
    numbers, classes = [], []
    for n in range(100):
        columns = []
        for digit in (n // 10, n % 10):
            candidates = (labels == digit).nonzero().squeeze(1)
            columns.append(candidates[torch.randint(len(candidates), (per_class,))])
        numbers.append(torch.stack(columns, 1))
        classes += [n] * per_class
    return torch.cat(numbers), torch.tensor(classes)


def rotate(images, degrees):
    """Counter-clockwise, bilinear, zeros outside."""
    a = degrees * math.pi / 180
    rows = torch.stack([a.cos(), -a.sin(), 0 * a, a.sin(), a.cos(), 0 * a], 1).reshape(-1, 2, 3)
    return F.grid_sample(images, F.affine_grid(rows, images.shape, align_corners=False), align_corners=False)


def transform(images, elements):
    """r^k s^f, index 4f + k: the flip first, then a turn by a random angle and one by what is missing to 90 k."""
    flipped = torch.where((elements >= 4).reshape(-1, 1, 1, 1), images.flip(3), images)
    angles = 360 * torch.rand(len(images)) - 180
    return rotate(rotate(flipped, angles), 90.0 * (elements % 4) - angles)


def canvas(digits):
    both = digits.reshape(-1, 2, SIDE, SIDE)
    image = torch.zeros(len(both), 1, 2 * SIDE, 2 * SIDE)
    image[:, 0, SIDE // 2 : SIDE // 2 + SIDE, :SIDE] = both[:, 0]
    image[:, 0, SIDE // 2 : SIDE // 2 + SIDE, SIDE:] = both[:, 1]
    return (image - 0.06535) / 0.555068


def batch(images, numbers, paired):
    digits = images[numbers.reshape(-1)].unsqueeze(1).float() / 255
    digits = transform(digits, torch.randint(8, (len(digits),)))
    if not paired:
        return canvas(digits), None, None
    elements = torch.randint(8, (len(digits),))
    g = elements.reshape(-1, 2)
    return canvas(digits), canvas(transform(digits, elements)), 8 * g[:, 0] + g[:, 1]


def accuracy(model, images, pairs):
    model.eval()
    right = 0
    with torch.no_grad():
        for numbers, y in zip(pairs[0].split(256), pairs[1].split(256)):
            right += (model(batch(images, numbers, False)[0])[0].argmax(1) == y).sum().item()
    return right / len(pairs[1])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("mnist")
    parser.add_argument("--row", choices=["cnn", "regular"], default="cnn")
    parser.add_argument("--published", action="store_true")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    train_images = read_idx(options.mnist, "train-images-idx3-ubyte")
    test_images = read_idx(options.mnist, "t10k-images-idx3-ubyte")
    train = draw_pairs(read_idx(options.mnist, "train-labels-idx1-ubyte"), 100)
    validation = draw_pairs(read_idx(options.mnist, "t10k-labels-idx1-ubyte"), 20)
    model, rho = Network(), regular_pairs(torch.arange(64))
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-4)
    paired, step = options.row == "regular", 0
    for epoch in range(1, options.epochs + 1):
        model.train()
        sums, count = {}, 0
        for chosen in torch.randperm(len(train[0])).split(256):
            y = train[1][chosen]
            x, gx, g = batch(train_images, train[0][chosen], paired)
            output, z = model(x)
            terms = {"task": (F.cross_entropy(output, y), 1.0)}
            if paired:
                shifted, zg = model(gx)
                moved = torch.bmm(rho[g], z.unsqueeze(2)).squeeze(2)
                weights = (1.0, 0.0) if options.published else (0.5, 0.5)
                terms = {
                    "task": (F.cross_entropy(output, y), weights[0]),
                    "task_shifted": (F.cross_entropy(shifted, y), weights[1]),
                    "equivariance": (F.mse_loss(zg, moved), 1.0),
                }
            optimizer.zero_grad()
            sum(weight * value for value, weight in terms.values()).backward()
            optimizer.step()
            step, count = step + 1, count + len(y)
            for name, (value, _) in terms.items():
                sums[name] = sums.get(name, 0.0) + value.item() * len(y)
        terms = {name: total / count for name, total in sums.items()}
        print(json.dumps({"step": step, "epoch": epoch, "split": "train", "terms": terms, "metrics": {}}))
        metrics = {"accuracy": accuracy(model, test_images, validation)}
        print(json.dumps({"step": step, "epoch": epoch, "split": "validation", "terms": {}, "metrics": metrics}))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
