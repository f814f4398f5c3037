#!/usr/bin/env python3
"""make.py: what compressions keep, by NumPy, for tests/core/test_frontier.c.

Prints the array of kept and neighbours of the grid for a matrix that both make from cosines. Rows
i with i % 10 below 7 train, 7 validates, 8 and 9 are evaluated.
"""
import numpy as np

N, D, NEAREST = 240, 32, 10
CLIP, BOUND, FLOOR, POWER = 3, 5, np.exp(-2), 0.75
GRID = np.logspace(-3, 3, 10)


def matrix():
    i, j = np.arange(N)[:, None], np.arange(D)[None, :]
    x = np.zeros((N, D))
    for k in range(1, 24):
        x += np.cos(0.37 * k * k * (i + 1)) * np.cos(1.3 * k * (j + 1)) / k
    return x + 0.05 * np.cos(7.1 * (i + 1) * (j + 1) + 0.3 * (j + 1) ** 2)


def standard(x, train, limit):
    mean, sd = x[train].mean(0), x[train].std(0)
    kept = sd > 0
    z = np.clip((x[:, kept] - mean[kept]) / sd[kept], -limit, limit)
    return z - z[train].mean(0), sd[kept]


def quantised(x, train, bits):
    t = x[train]
    low, high, mean, sd = t.min(0), t.max(0), t.mean(0), t.std(0)
    if bits == 32:
        return x
    if bits == 16:
        return x.astype(np.float16).astype(float)
    if bits == 1:
        return np.where(x > mean, 1.0, -1.0)
    step, centre = (high - low) / 2**bits, (low + high) / 2
    if bits == 4:
        narrow = 0.3352 * sd < step
        step, centre = np.where(narrow, 0.3352 * sd, step), np.where(narrow, mean, centre)
    half = 2**bits / 2
    return centre + (np.clip(np.floor((x - centre) / step), -half, half - 1) + 0.5) * step


def explained(source, target, weight, train, test):
    z, _ = standard(source, train, CLIP)
    n = len(train)
    value, vector = np.linalg.eigh(z[train].T @ z[train] / n)
    kept = value > 1e-10 * value.max()
    value, vector = value[kept], vector[:, kept]
    b = (z[train] @ vector).T @ target[train] / n
    total, best = (target[train] ** 2).mean(0), None
    for penalty in GRID:
        w = 1 / (value + penalty)
        rest = 1 - (1 + (value * w).sum()) / n
        rss = total - ((2 * w - value * w * w)[:, None] * b**2).sum(0)
        g = rss / rest**2
        loss = (np.log(np.maximum(g, FLOOR)) + g / np.maximum(g, FLOOR)).sum()
        if best is None or loss <= best[0]:
            best = loss, penalty
    error = target[test] - (z[test] @ vector) @ (b / (value + best[1])[:, None])
    return 1 - (error**2 * weight).sum() / (target[test] ** 2 * weight).sum()


def places(x, queries):
    length = np.linalg.norm(x, axis=1, keepdims=True)
    cosine = (x / length)[queries] @ (x / length).T
    share = np.zeros_like(cosine)
    for q, row in enumerate(queries):
        others = np.delete(np.arange(N), row)
        last = np.sort(cosine[q, others])[-NEAREST]
        above = others[cosine[q, others] > last + 2e-6]
        tied = others[np.abs(cosine[q, others] - last) <= 2e-6]
        share[q, above] = 1
        share[q, tied] = (NEAREST - len(above)) / len(tied)
    return share


def main():
    x, rows = matrix(), np.arange(N)
    train, test = rows[rows % 10 < 7], rows[rows % 10 >= 8]
    centred = x - x[train].mean(0)
    _, s, axes = np.linalg.svd(centred[train], full_matrices=False)
    turned = centred @ axes[s**2 > 1e-10 * s[0] ** 2].T
    target, sd = standard(turned, train, BOUND)
    weight = sd ** (2 * POWER)
    grid = [(x, bits) for bits in (32, 16, 8, 4, 1)]
    grid += [(x[:, :16], bits) for bits in (32, 8, 1)] + [(turned[:, :16], bits) for bits in (8, 4)]
    whole = None
    for source, bits in grid:
        z = quantised(source, train, bits)
        r, near = explained(z, target, weight, train, test), places(z, test)
        whole = whole or (r, near)
        same = np.minimum(near, whole[1]).sum() / whole[1].sum()
        print(f"    {{{r / whole[0]:.6f}, {same:.6f}}},")


main()
