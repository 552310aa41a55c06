#!/usr/bin/python3
"""The algebra losses of learned representations and their gradients in python3-torch: an oracle for prior/.

    learned.py FILE     write tests/data/learned.json

One record a group: the matrices of the generators, the losses MSE(word, I), the regulariser as the paper writes it
(C2: MSE(W, W^-1), C4: MSE(W^3, W^-1), both through a differentiated solve; D3: -0.995 times the term of rsrs), and
the gradient of each. Matrices are given by formulas and rounded, so that the file is the same everywhere.
"""
import json
import sys

import torch

torch.set_default_dtype(torch.float64)


def matrix(d, shift):
    i = torch.arange(d * d, dtype=torch.float64)
    return (torch.round(1000 * torch.sin(1.7 * i + shift + 0.1 * i * i)) / 1000).reshape(d, d)


def mse(a, b):
    return torch.nn.functional.mse_loss(a, b)


def inverse(w):
    return torch.linalg.solve(w, torch.eye(len(w)))


def c2(w):
    return {"r^2": mse(w @ w, torch.eye(len(w)))}, mse(w, inverse(w))


def c4(w):
    return {"r^4": mse(w @ w @ w @ w, torch.eye(len(w)))}, mse(w @ w @ w, inverse(w))


def d3(r, s):
    one = torch.eye(len(r))
    losses = {"r^3": mse(r @ r @ r, one), "s^2": mse(s @ s, one), "r*s*r*s": mse(r @ s @ r @ s, one)}
    return losses, -0.995 * losses["r*s*r*s"]


def record(group, function, matrices):
    leaves = [m.clone().requires_grad_() for m in matrices]
    losses, regulariser = function(*leaves)

    def entry(value):
        gradients = torch.autograd.grad(value, leaves, retain_graph=True, allow_unused=True)
        filled = [torch.zeros_like(m) if g is None else g for g, m in zip(gradients, leaves)]
        return {"value": value.item(), "gradients": [g.flatten().tolist() for g in filled]}

    return {"group": group, "dimension": len(matrices[0]), "matrices": [m.flatten().tolist() for m in matrices],
            "relators": {name: entry(value) for name, value in losses.items()}, "regulariser": entry(regulariser)}


def main():
    records = [record("C2", c2, [matrix(8, 0.3)]), record("C4", c4, [matrix(6, 1.1)]),
               record("D3", d3, [matrix(6, 0.2), matrix(6, 2.5)])]
    with open(sys.argv[1], "w") as file:
        json.dump({"script": "oracles/python/learned.py", "records": records}, file)
        file.write("\n")


if __name__ == "__main__":
    main()
