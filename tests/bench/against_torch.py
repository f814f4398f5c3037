#!/usr/bin/python3
"""One pair, 6,000 rows, 256 -> 256, one thread: the published method in PyTorch against embedscope.

    ./dev build && /usr/bin/python3 tests/bench/against_torch.py build/release/tests/bench_knife

Needs python3-torch and python3-numpy. Both sides run alternately and count processor time, so that a
busy machine disturbs both and as little as it can; the best of the rounds counts. Each side does the
whole pair: the target's marginal, the conditional density, and the evaluation of both on every row.

PyTorch runs two versions, written from the method's description:
  procedure   as its authors' code runs it: one output cut into weights, means and scales, the data
              copied into a new order every epoch, the float64 constant that makes every density and
              its gradient's start double, the loss of every step read out, per-row results as lists;
  minimal     the same arithmetic with nothing else: the network of tests/reference.
With denormals flushed and as shipped, on made data and, where a pool of real text or molecules with
256 dimensions is given as further arguments (SOURCE.npy TARGET.npy), on that.
"""
import json
import math
import os
import subprocess
import sys
import tempfile
import time

import numpy as np
import torch
from torch import nn

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
from knife_published import Conditional, Marginal, network, standardise  # noqa: E402

N, D, ROUNDS = 6000, 256, 3
MODES, BATCH, LR, EPOCHS, MARGINAL_LR, MARGINAL_EPOCHS = 8, 128, 1e-3, 10, 1e-4, 5
clock = time.process_time


def make_pair():
    """Two views of one latent: V shares half of its variance with U, a part of it bent."""
    r = np.random.default_rng(0)
    latent = r.standard_normal((N, 128))
    u = np.tanh(latent @ r.standard_normal((128, D)) / 8) + 0.3 * r.standard_normal((N, D))
    bent = np.maximum(latent @ r.standard_normal((128, 64)) / 11, 0)
    v = latent @ r.standard_normal((128, D)) / 16 + bent @ r.standard_normal((64, D)) / 8
    return u, v + 0.6 * r.standard_normal((N, D))


class ProcedureMarginal(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.mean = nn.Parameter(0.01 * torch.randn(1, MODES, d))
        self.scale = nn.Parameter(0.01 * torch.randn(1, MODES, d))
        self.weight = nn.Parameter(torch.ones(1, MODES))
        self.constant = torch.tensor([-d / 2 * math.log(2 * math.pi)])

    def forward(self, x, y):
        return self.constant + mixture(y, self.mean, self.scale, self.weight)


class ProcedureConditional(nn.Module):
    def __init__(self, dx, d):
        super().__init__()
        self.d = d
        self.ff = network(dx, d, 2, MODES * (2 * d + 1))
        self.constant = torch.tensor([np.float64(-d / 2 * math.log(2 * math.pi))],
                                     dtype=torch.float64)

    def forward(self, x, y):
        out = self.ff(x).view(-1, MODES, 2 * self.d + 1)
        return self.constant + mixture(y, out[:, :, 1 : self.d + 1], out[:, :, self.d + 1 :],
                                       out[:, :, 0])


def mixture(y, mean, scale, weight):
    log_weight = torch.log_softmax(weight, dim=1)
    inverse_sd = scale.tanh().exp()
    z = (y[:, None, :] - mean) * inverse_sd
    energy = -torch.sum(z**2, dim=2) / 2 + torch.log(inverse_sd.abs() + 1e-8).sum(dim=-1)
    return torch.logsumexp(energy + log_weight, dim=-1)


def phase(model, x, y, rate, epochs, losses):
    """Trains on (x, y), which come back in the order of the last epoch, as published."""
    adam = torch.optim.Adam(model.parameters(), lr=rate)
    for _ in range(epochs):
        order = torch.randperm(len(x))
        x, y = x[order], y[order]
        total = []
        for i in range(0, len(x), BATCH):
            adam.zero_grad()
            loss = -model(x[i : i + BATCH], y[i : i + BATCH]).mean()
            loss.backward()
            adam.step()
            total.append(loss.item())
        losses.append(sum(total) / len(total))
    return x, y


def procedure(x, y):
    start, losses = clock(), []
    marginal, conditional = ProcedureMarginal(y.shape[1]), ProcedureConditional(x.shape[1], y.shape[1])
    x, y = phase(marginal, x, y, MARGINAL_LR, MARGINAL_EPOCHS, losses)
    x, y = phase(conditional, x, y, LR, EPOCHS, losses)
    with torch.no_grad():
        rows = [[], []]
        for i in range(0, len(x), BATCH):
            for model, kept in zip((marginal, conditional), rows):
                kept.extend((-model(x[i : i + BATCH], y[i : i + BATCH])).tolist())
    return clock() - start


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
                best = min(best, -model(*test).double().mean().item() / y.shape[1])
    return best


def minimal(x, y):
    start = clock()
    marginal = Marginal(y.shape[1], MODES, False)
    model = Conditional(x.shape[1], y.shape[1], MODES, 0, 2, False)
    fit(marginal, x, y, MARGINAL_LR, MARGINAL_EPOCHS)
    fit(model, x, y, LR, EPOCHS)
    with torch.no_grad():
        for i in range(0, len(x), BATCH):
            for part in (marginal, model):
                part(x[i : i + BATCH], y[i : i + BATCH]).sum().item()
    return clock() - start


def ours(program, preset, files):
    """Processor seconds of source, target and pair, and H(V|U) per dimension."""
    out = subprocess.run([program, "--json", preset, *files], capture_output=True, check=True, text=True)
    doc = json.loads(out.stdout)
    return doc["seconds"] + doc["source_s"] + doc["target_s"], doc["h_cond"]


def compare(title, program, files):
    # constant columns tell nothing and standardise to NaN
    x, y = ((lambda m: m[:, torch.isfinite(m.sum(0))].contiguous())(
        standardise(torch.tensor(np.load(f).astype("f8")))) for f in files)
    times = {}
    for _ in range(ROUNDS):
        for name, flush, run in (("procedure, denormals flushed", True, procedure),
                                 ("procedure, as shipped", False, procedure),
                                 ("minimal, denormals flushed", True, minimal),
                                 ("minimal, as shipped", False, minimal)):
            torch.set_flush_denormal(flush)
            times.setdefault(name, []).append(run(x, y))
        for preset in ("paper-nlp", "default"):
            times.setdefault(preset, []).append(ours(program, preset, files))
    nlp, default = min(times.pop("paper-nlp"))[0], min(times["default"])[0]
    h_default = times.pop("default")[0][1]
    print(f"{title}: {tuple(x.shape)} -> {tuple(y.shape)}")
    print(f"{'':32} {'seconds':>8} {'/ paper-nlp':>12} {'/ default':>10}")
    for name, seconds in times.items():
        t = min(seconds)
        print(f"PyTorch {name:24} {t:8.2f} {t / nlp:12.1f} {t / default:10.1f}")
    print(f"{'embedscope knife paper-nlp':32} {nlp:8.2f}")
    print(f"{'embedscope knife default':32} {default:8.2f}", flush=True)
    torch.set_flush_denormal(True)
    n = len(x)
    order = torch.tensor(np.random.default_rng(1).permutation(n))
    train, test = order[: 7 * n // 10], order[8 * n // 10 :]
    best = fit(Conditional(x.shape[1], y.shape[1], MODES, 0, 2, False), x[train], y[train], LR, 30,
               (x[test], y[test]))
    print(f"held-out H(V|U)/d: PyTorch, best of 30 epochs {best:.3f}; knife default {h_default:.3f}\n",
          flush=True)


def main():
    program, files = sys.argv[1], sys.argv[2:]
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as folder:
        made = [os.path.join(folder, f"{name}.npy") for name in "uv"]
        for path, values in zip(made, make_pair()):
            np.save(path, values.astype("f4"))
        compare("made data", program, made)
    for i in range(0, len(files), 2):
        compare(" -> ".join(map(os.path.basename, files[i : i + 2])), program, files[i : i + 2])


if __name__ == "__main__":
    main()
