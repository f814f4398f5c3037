"""Ridge regression with generalised cross-validation in NumPy, by solving the normal equations.

    python3 make.py > ridge.csv

Values are made of integers, so that any language makes the same: see value(), source() and target().
"""
import numpy as np

GRID = np.logspace(-3, 3, 10)
FLOOR = np.exp(-2)
# case, training rows, validation rows, columns of the source, columns of the target, noise of the source
CASES = [("few_rows", 14, 80, 3, 24, 0.1), ("tall", 90, 60, 7, 12, 0.1), ("wide", 20, 60, 30, 12, 0.1),
         ("collinear", 40, 60, 80, 12, 0.01)]


def value(row, column, stream):
    x = (row * 7919 + column * 104729 + stream * 1299709 + 1) * 2654435761 % 2**32
    x = (x ^ (x >> 15)) * 2246822519 % 2**32
    x = (x ^ (x >> 13)) * 3266489917 % 2**32
    return (x ^ (x >> 16)) / 2**32 - 0.5


def source(row, column, d, noise):
    """Five directions, or fewer, and a little noise."""
    return value(row, column % min(d, 5), 1) + noise * value(row, column, 3)


def target(row, column, d):
    """Less and less of a direction, the more and more of something else."""
    return 4 / (1 + column) * value(row, column % min(d, 5), 1) + value(row, column, 2)


def standardised(x):
    return (x - x.mean(0)) / x.std(0)


def gcv(z, y, penalty):
    n, d = z.shape
    hat = z @ np.linalg.solve(z.T @ z / n + penalty * np.eye(d), z.T) / n
    rest = 1 - (1 + np.trace(hat)) / n
    return np.mean((y - hat @ y) ** 2) / rest**2, rest


print("case,column,chosen,variance,rest,variance_at_0.3")
for name, n, _, d, dv, noise in CASES:
    z = standardised(np.array([[source(i, j, d, noise) for j in range(d)] for i in range(n)]))
    v = standardised(np.array([[target(i, j, d) for j in range(dv)] for i in range(n)]))
    scores = [[gcv(z, v[:, j], p) for j in range(dv)] for p in GRID]
    loss = [sum(np.log(max(g, FLOOR)) + g / max(g, FLOOR) for g, _ in s) for s in scores]
    at = min(range(len(GRID)), key=lambda k: (loss[k], -k))
    for j in range(dv):
        (variance, rest), fixed = scores[at][j], gcv(z, v[:, j], 0.3)[0]
        print(f"{name},{j},{at},{variance:.12g},{rest:.12g},{fixed:.12g}")
