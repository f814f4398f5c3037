#!/usr/bin/python3
"""One pair, 6,000 rows, 256 -> 256, one thread: the published method in PyTorch against embedscope.

    ./dev build && /usr/bin/python3 tests/bench/against_torch.py build/release/embedscope

Needs python3-torch and python3-numpy. Both sides run alternately, so that a noisy machine disturbs both;
the best of the rounds counts. PyTorch runs the network of tests/reference/knife_published.py, written
from the method's description, with the published settings (paper-nlp) in single precision.
"""
import json
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
from knife_published import Conditional, Marginal, standardise  # noqa: E402

N, D, ROUNDS = 6000, 256, 3
MODES, BATCH, LR, EPOCHS, MARGINAL_LR, MARGINAL_EPOCHS = 8, 128, 1e-3, 10, 1e-4, 5


def make_pair():
    """Two views of one latent: V shares half of its variance with U, a part of it bent."""
    r = np.random.default_rng(0)
    latent = r.standard_normal((N, 128))
    u = np.tanh(latent @ r.standard_normal((128, D)) / 8) + 0.3 * r.standard_normal((N, D))
    bent = np.maximum(latent @ r.standard_normal((128, 64)) / 11, 0)
    v = latent @ r.standard_normal((128, D)) / 16 + bent @ r.standard_normal((64, D)) / 8
    return u, v + 0.6 * r.standard_normal((N, D))


def fit(model, x, y, rate, epochs, test=None):
    adam = torch.optim.Adam(model.parameters(), lr=rate)
    best = float("inf")
    for _ in range(epochs):
        order = torch.randperm(len(x))
        for i in range(0, len(x), BATCH):
            rows = order[i : i + BATCH]
            adam.zero_grad()
            (-model(x[rows], y[rows]).mean()).backward()
            adam.step()
        if test is not None:
            with torch.no_grad():
                best = min(best, -model(*test).double().mean().item() / D)
    return best


def published(x, y):
    """Seconds of a whole pair as published: conditional network, in sample (the marginal is shared)."""
    start = time.perf_counter()
    model = Conditional(D, D, MODES, 0, 2, False)
    fit(model, x, y, LR, EPOCHS)
    with torch.no_grad():
        sum(model(x[i : i + BATCH], y[i : i + BATCH]).sum().item() for i in range(0, N, BATCH))
    return time.perf_counter() - start


def ours(program, pool, *options):
    """Seconds of the pair u -> v, and its H(V|U) per dimension."""
    out = subprocess.run(
        [program, "estimate", pool, "--threads", "1", "--no-store", "--quiet", "--json", *options],
        capture_output=True, check=True, text=True)
    doc = json.loads(out.stdout)
    names = [m["name"] for m in doc["models"]]
    i, j = names.index("u"), names.index("v")
    return doc["seconds"][i][j], doc["h_cond"][i][j]


def main():
    program = sys.argv[1]
    torch.set_num_threads(1)
    u, v = make_pair()
    x, y = standardise(torch.tensor(u)), standardise(torch.tensor(v))
    flushed, shipped, nlp, default = [], [], [], []
    with tempfile.TemporaryDirectory() as pool:
        np.save(os.path.join(pool, "u.npy"), u.astype("f4"))
        np.save(os.path.join(pool, "v.npy"), v.astype("f4"))
        for _ in range(ROUNDS):
            torch.set_flush_denormal(True)
            flushed.append(published(x, y))
            torch.set_flush_denormal(False)
            shipped.append(published(x, y))
            nlp.append(ours(program, pool, "--estimator", "knife", "--preset", "paper-nlp"))
            default.append(ours(program, pool, "--estimator", "knife"))
    torch.set_flush_denormal(True)
    order = torch.tensor(np.random.default_rng(1).permutation(N))
    train, test = order[:4200], order[4800:]
    held_out = fit(Conditional(D, D, MODES, 0, 2, False), x[train], y[train], LR, 30,
                   (x[test], y[test]))
    a, b, c, d = min(flushed), min(shipped), min(nlp)[0], min(default)[0]
    print(f"published method, PyTorch, denormals flushed  {a:7.2f} s")
    print(f"published method, PyTorch, as shipped         {b:7.2f} s")
    print(f"embedscope paper-nlp                          {c:7.2f} s   {a / c:.1f} x, {b / c:.1f} x")
    print(f"embedscope knife default                      {d:7.2f} s   {a / d:.1f} x, {b / d:.1f} x")
    print(f"held-out H(V|U)/d: PyTorch's best of 30 epochs {held_out:.4f}, "
          f"knife default {default[0][1]:.4f}")


if __name__ == "__main__":
    main()
