"""Writes matrix.txt: what follows from the matrices of cells.csv, with and without their blocks of
rows (CASE_hands.npy), families and gaps. One array a line: name, number of values, values; matrices
are row-major, -1 stands for "not known".

    python3 matrix.py > matrix.txt

Kinds are those of rank.py; leads, errors, the set and ranks are computed pair by pair, so that
missing values are allowed, and agree with rank.py if there are none. The diagonal is 1, so that no
embedder is a copy of another."""
import csv

import numpy as np

import rank

BLOCKS, DRAWS, LEVEL = 32, 20000, 0.95


def read_cells():
    is_, family = {}, {}
    for case, a, t, f, v in list(csv.reader(open("cells.csv")))[1:]:
        is_.setdefault(case, {})[int(a), int(t)] = float(v)
        family.setdefault(case, {})[int(t)] = int(f)
    for case, cells in is_.items():
        m = len(family[case])
        x = np.array([[1 if a == t else cells[a, t] for t in range(m)] for a in range(m)])
        yield case, x, np.array([family[case][t] for t in range(m)])


def read_blocks(case, m):
    hands = np.load(case + "_hands.npy").reshape(m, m, -1)
    blocks = hands.reshape(m, m, BLOCKS, -1).mean(3).transpose(2, 0, 1)  # (blocks, m, m)
    blocks[:, np.arange(m), np.arange(m)] = 1
    return blocks


def kinds_of(x):
    """rank.kinds, with means over what is known."""
    m, off = len(x), ~np.eye(len(x), dtype=bool)
    known = off & np.isfinite(x)
    if known.sum() == off.sum():
        return rank.kinds(x, rank.number_of_kinds(m))
    v = np.where(known, x, 0)
    row, column = v.sum(1) / known.sum(1), v.sum(0) / known.sum(0)
    filled = np.where(known, x, row[:, None] + column - v.sum() / known.sum())
    top = np.maximum(np.where(known, x, -9).max(0), 1e-9)
    share = np.where(known, np.clip(v / top, 0, 1), 0)
    e = filled - filled.mean(1, keepdims=True)
    e -= e.mean(0)
    length = np.sqrt((e**2).sum(0))
    d = 0.5 * (1 - (share + share.T) / 2) + 0.5 * (1 - e.T @ e / np.outer(length, length))
    np.fill_diagonal(d, 0)
    groups = [[i] for i in range(m)]
    while len(groups) > rank.number_of_kinds(m):
        pairs = [(a, b) for a in range(len(groups)) for b in range(a + 1, len(groups))]
        a, b = min(pairs, key=lambda p: (d[np.ix_(groups[p[0]], groups[p[1]])].mean(), p))
        groups[a] += groups.pop(b)
    label = np.zeros(m, int)
    for k, members in enumerate(groups):
        label[members] = k
    return label


def influences(x, blocks, kind, family, a, b):
    """delta, number of kinds, influences of kinds and of blocks."""
    means, rows = {}, {}
    for k in range(kind.max() + 1):
        t = [j for j in range(len(x)) if kind[j] == k and k not in (kind[a], kind[b])
             and family[j] not in (family[a], family[b]) and np.isfinite(x[a, j] + x[b, j])]
        if t:
            means[k] = np.mean([x[a, j] - x[b, j] for j in t])
            rows[k] = np.mean([blocks[:, a, j] - blocks[:, b, j] for j in t], 0)
    n, h = len(means), len(blocks)
    if n == 0:
        return np.nan, 0, np.zeros(kind.max() + 1), np.zeros(h)
    delta, psi = np.mean(list(means.values())), np.zeros(kind.max() + 1)
    for k, v in means.items():
        psi[k] = (v - delta) / n * np.sqrt(n / max(n - 1, 1))
    rho = np.mean(list(rows.values()), 0)
    return delta, n, psi, rank.INFLATE * (rho - rho.mean()) / np.sqrt(h * (h - 1.0))


def decide(x, blocks, kind, family):
    m, g = len(x), np.random.default_rng(7)
    d, n = np.full((m, m), np.nan), np.zeros((m, m), int)
    psi, rho = np.zeros((m, m, kind.max() + 1)), np.zeros((m, m, len(blocks)))
    for a in range(m):
        for b in range(m):
            if a != b:
                d[a, b], n[a, b], psi[a, b], rho[a, b] = influences(x, blocks, kind, family, a, b)
    off, out = ~np.eye(m, dtype=bool), dict(delta=d, comparing=n)
    out["lead"] = np.array([np.nanmean(d[a]) for a in range(m)])
    if kind.max() + 1 < 5:
        return out
    var = (psi**2).sum(2) + (rho**2).sum(2)
    blind = off & (n < 2)
    se = np.where(blind, np.inf, np.where(off, np.sqrt(var), 1))
    nu = max(np.median(n[off]) - 2, 1)
    z = psi.reshape(m * m, -1) @ g.standard_normal((psi.shape[2], DRAWS))
    z += rho.reshape(m * m, -1) @ g.standard_normal((rho.shape[2], DRAWS))
    z = z.reshape(m, m, DRAWS) / np.sqrt(g.chisquare(nu, DRAWS) / nu)
    t = np.where(off & ~blind, d / se, 0)
    critical = np.quantile((z / se[:, :, None]).max(0), LEVEL, axis=1)
    best = (t <= critical).all(0)
    truth = np.where((off & ~blind)[:, :, None], z + np.where(blind | ~off, 0, d)[:, :, None], 0)
    place = np.sort(1 + (truth > 0).sum(0), 1)
    low = place[:, int((1 - LEVEL) / 2 * DRAWS)]
    out.update(se=np.where(blind, -1, np.where(off, se, 0)), nu=nu, best=best,
               low=np.where(best, 1, np.maximum(low, 2)),
               high=place[:, int((1 + LEVEL) / 2 * DRAWS) - 1])
    return out


def put(name, values):
    values = np.nan_to_num(np.asarray(values, float).ravel(), nan=-1)
    print(name, len(values), *("%.12g" % v for v in values))


def put_case(tag, x, blocks, family, named=None):
    kind = kinds_of(x)
    got = decide(x, blocks, kind, family)
    put(tag + "_is", x)
    put(tag + "_family", family if named is None else named)
    put(tag + "_kind", kind)
    for name, values in got.items():
        put(f"{tag}_{name}", values)
    if np.isfinite(x).all() and "se" in got:
        same = rank.decide(x, blocks, kind, family)
        assert np.allclose(same["lead"], got["lead"])
        assert np.allclose(np.where(np.isinf(same["new"]["se"]), -1, same["new"]["se"]), got["se"])
        assert (same["new"]["best"] != got["best"]).sum() <= 1


for case, x, family in read_cells():
    m = len(x)
    blocks, none, each = read_blocks(case, m), np.zeros((2, m, m)), np.arange(m)
    assert np.allclose(blocks.mean(0), x)
    put_case(case, x, blocks, family)
    put_case(case + "-plain", x, none, each)
    if case == "square12":
        gaps = x.copy()
        gaps[0, 5] = gaps[3, 4] = gaps[3, 8] = gaps[7, 1] = np.nan
        put_case("gaps", gaps, blocks, family)
        few = slice(4)  # too few kinds: families do not count, as every voter is needed
        put_case("four", x[few, few], none[:, few, few], np.arange(4), [0, 0, 1, 2])
