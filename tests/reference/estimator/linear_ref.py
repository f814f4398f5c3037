#!/usr/bin/python3
"""Reference of the estimator `linear`, version 6. NumPy only.
  python3 linear_ref.py            checks vectors.npz against expected.json
  python3 linear_ref.py --write    makes expected.json anew
  python3 linear_ref.py FOLDER     the matrix of a folder of .npy files, as JSON"""
import glob, json, os, sys
import numpy as np
GRID = 10.0 ** (-3 + 6 * np.arange(10) / 9)   # penalties
FLOOR, BOUND, CLIP, CLEAR = np.exp(-2.0), 5.0, 3.0, 0.5
M64 = (1 << 64) - 1
def mix(x):                                    # SplitMix64
    x = (x + 0x9E3779B97F4A7C15) & M64
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & M64
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & M64
    return x ^ (x >> 31)

def split(n, seed=0, folds=0):
    """As src/core/numerics/split.c: [(train, val, test)]; folds 0: 5 below 1,000 rows, else 1."""
    folds = folds or (min(5, n // 4) if n < 1000 else 1)
    raw = iter(np.random.Philox(key=np.array([seed, mix(mix(1) ^ n)], np.uint64)).random_raw(2 * n + 99).tolist())
    o = list(range(n))
    for i in range(n, 1, -1):                  # Fisher-Yates with Lemire's bounded draws
        m = next(raw) * i
        while (m & M64) < ((1 << 64) - i) % i: m = next(raw) * i
        o[i - 1], o[m >> 64] = o[m >> 64], o[i - 1]
    if folds == 1:
        return [tuple(np.sort(x) for x in np.split(np.array(o), [n * 7 // 10, n * 7 // 10 + n // 10]))]
    out = []
    for k in range(folds):
        lo, hi = n * k // folds, n * (k + 1) // folds
        r = [o[(hi + i) % n] for i in range(n - hi + lo)]
        t = len(r) - len(r) // 8
        out.append((np.sort(r[:t]), np.sort(r[t:]), np.sort(o[lo:hi])))
    return out

def prepared(X, fold, limit):
    """Standardised by the training rows, limited, centred: train, val, test and the training variance."""
    T = X[fold[0]]
    keep = (T.min(0) != T.max(0)) & (T.std(0) > 0)
    Y = np.clip(((X - T.mean(0)) / np.where(keep, T.std(0), 1))[:, keep], -limit, limit)
    Y = Y - Y[fold[0]].mean(0)
    return [Y[i] for i in fold] + [Y[fold[0]].var(0)]

class Source:
    def __init__(self, X, fold):
        T, V, E, _ = prepared(X, fold, CLIP)
        n, d = T.shape
        s, U = np.linalg.eigh((T @ T.T if d > n else T.T @ T) / n)
        k = s > 1e-10 * s[-1]
        s, U = s[k], U[:, k]
        B = T.T @ U / np.sqrt(n * s) if d > n else U
        self.n, self.s, self.z = n, s, [A @ B for A in (T, V, E)]
        # what of a row lies outside the training rows' span; none where d <= n
        self.rest = [np.maximum((A * A).sum(1) - (z * z).sum(1), 0) if d > n else np.zeros(len(A)) for A, z in zip((T, V, E), self.z)]
    def df(self, lam): return 1 + (self.s / (self.s + lam)).sum()
    def leverage(self, part, lam):
        """h(u) = 1/n + u' (n S + n lam I)^-1 u, u centred."""
        return 1 / self.n + ((self.z[part] ** 2 / (self.s + lam)).sum(1) + self.rest[part] / lam) / self.n

def log_density(y, mean, var):                 # per row, summed over columns, without -d/2 ln 2 pi
    return -0.5 * ((y - mean) ** 2 / var + np.log(var)).sum(1)

def fit_pair(src, tgt):
    """One fold. Returns the test rows' log p(v|u) - log p(v) per dimension, and a note."""
    T, V, E, spread = tgt
    (n, d), prior = T.shape, np.maximum(spread, FLOOR)   # the marginal: N(0, prior)
    c, total = src.z[0].T @ T / n, (T * T).mean(0)
    best, pick, G = None, None, None
    for lam in [np.inf] + list(GRID[::-1]):    # ties keep the larger penalty
        if np.isinf(lam):
            g = total / (1 - 1 / n) ** 2
        else:
            rss = np.maximum(total - ((src.s + 2 * lam) / (src.s + lam) ** 2) @ (c * c), 0)
            if len(src.s) + 1 >= n: rss = (lam * lam / src.s / (src.s + lam) ** 2) @ (c * c)  # the same, without cancellation
            g = rss / max(1 - src.df(lam) / n, 1e-6) ** 2
        v = np.maximum(g, FLOOR)
        crit = (np.log(v) + g / v).sum()
        if best is None or crit < best: best, pick, G = crit, lam, g
    note = {'lambda': None if np.isinf(pick) else float(pick), 'rare': int((spread < FLOOR).sum()), 'evidence': True}
    if np.isinf(pick): return np.zeros(len(E)), dict(note, evidence=False)
    coef = c / (src.s[:, None] + pick)
    s2 = G * max(1 - src.df(pick) / n, 1e-6)   # RSS / (n - df)
    mean = [z @ coef for z in src.z]
    var = [np.maximum(s2 * (1 + src.leverage(p, pick))[:, None], FLOOR) for p in range(3)]
    m = len(V)                                 # do validation rows believe it?
    other = np.roll(np.arange(m), -(m // 2))
    own = log_density(V, mean[1], var[1])
    for g in (own - log_density(V, 0, prior), own - log_density(V, mean[1][other], var[1][other])):
        if not g.mean() > CLEAR * g.std(ddof=1) / np.sqrt(m) + 1e-6 * d:
            return np.zeros(len(E)), dict(note, evidence=False)
    return (log_density(E, mean[2], var[2]) - log_density(E, 0, prior)) / d, note

def matrix(Xs, seed=0, folds=0):
    Xs = [np.asarray(X, float) for X in Xs]
    parts, k = split(len(Xs[0]), seed, folds), len(Xs)
    D, notes = [[[] for _ in Xs] for _ in Xs], [[[] for _ in Xs] for _ in Xs]
    for fold in parts:
        S, T = [Source(X, fold) for X in Xs], [prepared(X, fold, BOUND) for X in Xs]
        for i in range(k):
            for j in range(k):
                for a, b in zip((D[i][j], notes[i][j]), fit_pair(S[i], T[j])): a.append(b)
    D = np.array([[np.concatenate(x) for x in r] for r in D])
    return D.mean(2), D.std(2, ddof=1) / np.sqrt(D.shape[2]), notes

if __name__ == '__main__':
    here = os.path.dirname(os.path.abspath(__file__))
    if len(sys.argv) > 1 and sys.argv[1] != '--write':
        f = sorted(glob.glob(sys.argv[1] + '/*.npy'))
        I, S, _ = matrix([np.load(x) for x in f])
        sys.exit(print(json.dumps({'names': [os.path.basename(x)[:-4] for x in f], 'is': I.tolist(), 'se': S.tolist()})))
    z = np.load(here + '/vectors.npz')
    out = {'names': sorted(z.files)}
    for tag, n, folds in (('one split', 400, 1), ('five folds', 150, 5)):
        I, S, notes = matrix([z[k][:n] for k in out['names']], folds=folds)
        out[tag] = {'rows': n, 'is': I.tolist(), 'se': S.tolist(), 'notes': notes}
    if len(sys.argv) > 1:
        json.dump(out, open(here + '/expected.json', 'w'))
    want = json.load(open(here + '/expected.json'))
    bad = max(np.abs(np.array(out[t][k]) - np.array(want[t][k])).max() for t in ('one split', 'five folds') for k in ('is', 'se'))
    sys.exit(print('largest difference', bad) or bool(bad > 1e-6))
