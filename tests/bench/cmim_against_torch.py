#!/usr/bin/python3
"""A training step of cMIM (d = 768, H = 256, k = 64), one thread: PyTorch against embedscope.

    ./dev build && /usr/bin/python3 tests/bench/cmim_against_torch.py build/release/tests/bench_cmim

Needs python3-torch and python3-numpy. Rounds alternate, and the best of each side counts, so that a busy
machine disturbs both alike. Both do the same step: a batch drawn without replacement, encoder, sampled
code, Gaussian decoder, contrastive term, gradient clipped at 10, Adam with warm-up and decay. PyTorch is
the shortest program that does so, with denormals flushed.
"""
import json
import os
import subprocess
import sys
import time

import numpy as np
import torch
from torch import nn

D, H, K, N, STEPS, ROUNDS = 768, 256, 64, 4000, 300, 3


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden, self.mu, self.log_var = nn.Linear(D, H), nn.Linear(H, K), nn.Linear(H, K)
        self.back, self.out = nn.Linear(K, H), nn.Linear(H, D)

    def forward(self, x):
        top = torch.tanh(self.hidden(x))
        mu, log_var = self.mu(top), self.log_var(top).clamp(min=float(np.log(1e-6)))
        noise = torch.randn_like(mu)
        z = mu + torch.exp(log_var / 2) * noise
        return z, log_var, noise, self.out(torch.tanh(self.back(z)))


def loss_of(x, z, log_var, noise, y, tau=0.1):
    two_pi = float(np.log(2 * np.pi))
    unit = z / torch.sqrt((z * z).sum(1, keepdim=True) + 1e-12)
    s = unit @ unit.T / tau
    others = s.masked_fill(torch.eye(len(x), dtype=torch.bool), -torch.inf)
    m = torch.logsumexp(others, 1) - float(np.log(len(x) - 1))
    contrast = -nn.functional.softplus(m - 1 / tau)
    log_x = -0.5 * (D * two_pi + ((x - y) ** 2).sum(1))
    log_q = -0.5 * (K * two_pi + (log_var + noise ** 2).sum(1))
    log_p = -0.5 * (K * two_pi + (z * z).sum(1))
    return -(log_x + contrast + 0.5 * (log_q + log_p)).mean()


def torch_seconds(batch):
    torch.manual_seed(0)
    x, model = torch.randn(N, D), Model()
    adam = torch.optim.Adam(model.parameters(), lr=1e-3)
    start = time.perf_counter()
    for t in range(STEPS):
        rows = torch.randperm(N)[:batch]
        adam.zero_grad(set_to_none=True)
        loss = loss_of(x[rows], *model(x[rows]))
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 10)
        for group in adam.param_groups:
            group["lr"] = 1e-3 * min(1, (t + 1) / 500)
        adam.step()
    return (time.perf_counter() - start) / STEPS


def ours(bench):
    text = subprocess.run([bench, "--json"], capture_output=True, text=True, check=True).stdout
    found = {}
    for line in text.splitlines():
        row = json.loads(line)
        for batch in (100, 200):
            if f"d={D} " in json.dumps(row) and f"B={batch}\"" in json.dumps(row):
                found[batch] = float(row["seconds"])
    return found


def main():
    torch.set_num_threads(1)
    torch.set_flush_denormal(True)
    best = {("torch", b): np.inf for b in (100, 200)} | {("ours", b): np.inf for b in (100, 200)}
    for _ in range(ROUNDS):
        for batch, seconds in ours(sys.argv[1]).items():
            best["ours", batch] = min(best["ours", batch], seconds)
        for batch in (100, 200):
            best["torch", batch] = min(best["torch", batch], torch_seconds(batch))
    print(f"{os.cpu_count()} cores, torch {torch.__version__}, one thread each")
    for batch in (100, 200):
        a, b = best["torch", batch], best["ours", batch]
        print(f"B={batch}: PyTorch {1e3 * a:.2f} ms a step, embedscope {1e3 * b:.2f} ms: {a / b:.1f} x; "
              f"5,000 steps {5000 * a:.1f} s, {5000 * b:.1f} s")


main()
