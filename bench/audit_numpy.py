"""The audit's main numbers in plain NumPy, for bench/audit.cpp.

    audit_numpy.py FILE.npz     z of shape N x |G| x d and table, the |G| x |G| products of the group

Prints one JSON line: errors, intervals of the regular error, CPU seconds without reading the file.
"""
import json
import sys
import time

import numpy as np

SAMPLINGS = 1000


def main():
    with np.load(sys.argv[1]) as file:
        z, table = file["z"], file["table"]
    start = time.process_time()
    samples, order, d = z.shape
    mean = z.mean(axis=(0, 1), dtype=np.float64).astype(np.float32)
    z = z - mean
    spread = (z.astype(np.float64) ** 2).sum(axis=(1, 2)) / order
    between = (z.mean(axis=1, dtype=np.float64) ** 2).sum(axis=1)
    variance = spread.mean() + between.mean() / (samples - 1)
    rows = np.arange(samples)
    base = rows % order  # one base point a sample, as the audit takes for so many numbers
    x = z[rows, base]

    copies = d // order
    invariance = np.zeros(samples)
    regular = np.zeros(samples)
    fit, score = rows[0::2], rows[1::2]
    gram = np.linalg.pinv(x[fit].T.astype(np.float64) @ x[fit])
    fitted = 0.0
    for g in range(1, order):
        y = z[rows, table[g, base]]
        invariance += ((y - x) ** 2).sum(axis=1, dtype=np.float64)
        moved = x.copy()
        gather = np.argsort(table[g])  # the place h of e_gh
        for b in range(copies):
            moved[:, b * order:(b + 1) * order] = x[:, b * order + gather]
        regular += ((y - moved) ** 2).sum(axis=1, dtype=np.float64)
        matrix = (y[fit].T.astype(np.float64) @ x[fit]) @ gram
        fitted += ((y[score] - x[score] @ matrix.T) ** 2).sum()
    random = np.random.default_rng(0)
    drawn = []
    for _ in range(SAMPLINGS):
        chosen = random.integers(0, samples, samples)
        drawn.append(np.sqrt(regular[chosen].sum() / (order - 1) / (2 * spread[chosen].sum())))
    low, high = np.quantile(drawn, [0.025, 0.975])
    chance = 2 * variance * (order - 1)
    print(json.dumps({
        "invariance": float(np.sqrt(invariance.mean() / chance)),
        "regular": float(np.sqrt(regular.mean() / chance)),
        "low": float(low), "high": float(high),
        "fitted": float(np.sqrt(fitted / len(score) / chance)),
        "cpu": time.process_time() - start}))


if __name__ == "__main__":
    main()
