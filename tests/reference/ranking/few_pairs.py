"""How often a percentile bootstrap's 95 % interval of Spearman's rho holds the true one, by the number
of embedders, and how many of these intervals have no width (in brackets): why embedscope gives none
of fewer than ES_CORRELATE_ENOUGH (include/embedscope/correlate.h). Normal pairs; rho of the population
is 6/pi asin(r/2)."""

import math
import sys

import numpy as np

SIZES, CORRELATIONS = (4, 5, 6, 7, 8, 10, 12), (0.3, 0.6, 0.9)
TRIALS, DRAWS = (int(sys.argv[1]) if len(sys.argv) > 1 else 1000), 1000


def spearman(x, y):
    a, b = ((v[:, :, None] > v[:, None, :]).sum(2) + 0.5 * (v[:, :, None] == v[:, None, :]).sum(2) for v in (x, y))
    a -= a.mean(axis=1, keepdims=True)
    b -= b.mean(axis=1, keepdims=True)
    with np.errstate(all="ignore"):
        return (a * b).sum(axis=1) / np.sqrt((a * a).sum(axis=1) * (b * b).sum(axis=1))


rng = np.random.default_rng(1)
for r in CORRELATIONS:
    true, row = 6 / math.pi * math.asin(r / 2), []
    for n in SIZES:
        held = flat = 0
        for _ in range(TRIALS):
            x = rng.normal(size=n)
            y = r * x + math.sqrt(1 - r * r) * rng.normal(size=n)
            draw = rng.integers(0, n, size=(DRAWS, n))
            rho = spearman(x[draw], y[draw])
            low, high = np.quantile(rho[np.isfinite(rho)], [0.025, 0.975])
            held += low <= true <= high
            flat += high - low < 1e-9
        row.append(f"{n}: {held / TRIALS:.2f} ({flat / TRIALS:.2f})")
    print(f"r {r}  " + "  ".join(row))
