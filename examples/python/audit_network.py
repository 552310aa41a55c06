"""Is a network that was never told of a symmetry equivariant? Audits a small convolutional encoder under turns and
flips, layer by layer.

    PYTHONPATH=build/release/python /usr/bin/python3 examples/python/audit_network.py

Prints for each layer the verdict and the error (0 exact, 1 chance), then the whole report of the last one. The pooled
layer forgets where things are, so it is nearest to being invariant.
"""
import torch
from torch import nn

import algprior
from algprior.torch import audit, planar_action


def make_network():
    torch.manual_seed(0)
    return nn.Sequential(nn.Conv2d(1, 6, 3, padding=1), nn.ReLU(), nn.Conv2d(6, 6, 3, padding=1), nn.ReLU(),
                         nn.AdaptiveAvgPool2d(1), nn.Flatten())


def blobs(n):
    """Smooth images."""
    return nn.functional.interpolate(torch.randn(n, 1, 4, 4), size=12, mode="bilinear", align_corners=False)


def main():
    network, x, action = make_network(), blobs(200), planar_action("D4")
    for depth in (2, 4, 6):
        # Grids are averaged over positions: what is left is one number a channel.
        report = audit(lambda x: network[:depth](x).flatten(2).mean(2) if depth < 6 else network(x), x, action,
                       resamplings=200)
        print(f"{depth} layers: {report.verdict}, error of invariance {report.errors['invariance'].value:.3f}")
    print(report)
    return report


if __name__ == "__main__":
    main()
