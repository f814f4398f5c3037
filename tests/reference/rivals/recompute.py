"""Computes every score of `embedscope rivals` again from the matrices, and says how far it is off.

    /usr/bin/python3 tests/reference/rivals/recompute.py build/release/embedscope POOL

NumPy only, and nothing here looks like the C code: whole matrices, no blocks. What is trained from random
weights (knife, flow, l2, infonce) and p-values of seeded shuffles (rsa-p) are not computed again; of knife, flow, l2
and linear it is the way from the stored matrix to the score. The difference is relative where values exceed 1.
Independent components are compared pair by pair where the search is determined: where `ica-gap.repeat` says that
rounding decides what it ends at, two programs need not agree.
"""
import json
import subprocess
import sys

import numpy as np

program, pool = sys.argv[1:3]


def ask(*words):
    return json.loads(subprocess.run([program, *words, "--json", "-q"], capture_output=True, check=True).stdout)


def stream(purpose, key):
    def mix(x):
        x = (x + 0x9E3779B97F4A7C15) % 2**64
        x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
        x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) % 2**64
        return x ^ (x >> 31)
    return mix(mix(purpose) ^ key)


def words(purpose, key, count, seed=0):
    raw = np.random.Philox(key=np.array([seed, stream(purpose, key)], np.uint64))
    return [int(w) for w in raw.random_raw(count)]


def sample(n, count):
    if count >= n:
        return np.arange(n)
    raw, items = iter(words(7, n, 2 * n)), list(range(n))
    for i in range(n, 1, -1):
        j = next(raw) * i >> 64  # the unfair part is never met below 2^32
        items[i - 1], items[j] = items[j], items[i - 1]
    return np.sort(items[:count])


def centre(x):
    return x - x.mean(0)


def distances2(x):
    x = centre(x)
    q = (x**2).sum(1)
    d = np.maximum(q[:, None] + q - 2 * x @ x.T, 0)
    for i, j in zip(*np.nonzero(d < 1e-6 * (q[:, None] + q))):
        d[i, j] = ((x[i] - x[j]) ** 2).sum()
    return d


def midranks(v, tolerance):
    order = np.argsort(v, kind="stable")
    group = np.concatenate([[0], np.cumsum(np.diff(v[order]) > tolerance)])
    size = np.bincount(group)
    out = np.empty(len(v))
    out[order] = (np.cumsum(size) - (size - 1) / 2)[group]
    return out


# ---- of one embedder ----

def spread(x):
    w = np.linalg.eigvalsh(np.cov(x.T))
    p = w[w > 1e-10 * w[-1]] / w[w > 0].sum()
    s = np.linalg.svd(x, compute_uv=False)
    q = s / s.sum() + 1e-7
    return {"effective-rank": np.exp(-(p * np.log(p)).sum()), "effective-rank.participation": 1 / (p**2).sum(),
            "effective-rank.rankme": np.exp(-(q * np.log(q)).sum())}


def uniformity(x):
    u = x[np.abs(x).max(1) > 0]
    u = u / np.linalg.norm(u, axis=1, keepdims=True)
    d = 2 - 2 * u @ u.T
    return {"uniformity": -np.log(np.exp(-2 * d[np.triu_indices(len(u), 1)]).mean())}


def intrinsic(x):
    x = np.unique(x, axis=0)
    n = len(x)
    r = np.sqrt(np.sort(distances2(x), 1)[:, 1:21])
    mu = np.log(r[:, 1] / r[:, 0])
    a, k = np.sort(mu)[:int(n * 0.9)], np.arange(1, int(n * 0.9) + 1)
    lb, mk = [], []
    for t in range(10, 21):
        s = np.log(r[:, t - 1:t] / r[:, :t - 1]).sum(1)
        lb.append(((t - 2) / s).mean())
        mk.append(1 / (s / (t - 1)).mean())
    name = "intrinsic-dimension"
    return {name: (a * -np.log(1 - k / n)).sum() / (a**2).sum(), name + ".two-nn-mle": n / mu.sum(),
            name + ".two-nn-unbiased": (n - 1) / mu.sum(), name + ".levina-bickel": np.mean(lb),
            name + ".mackay": np.mean(mk)}


def scaled(x, count):
    d = distances2(x[sample(len(x), count)])
    np.fill_diagonal(d, 0)
    n = len(d)
    return np.sqrt(d / (d.sum() / (n * (n - 1))))


def kruskal(d):
    i, j = np.triu_indices(len(d), 1)
    root, edges = np.arange(len(d)), []
    for e in np.argsort(d[i, j], kind="stable"):
        a, b = root[i[e]], root[j[e]]
        if a != b:
            root[root == a] = b
            edges.append((i[e], j[e]))
    return edges


def loops(d):
    """Coboundaries of edges, longest first, reduced over Z/2."""
    n = len(d)
    i, j = np.triu_indices(n, 1)
    order = np.argsort(d[i, j], kind="stable")
    i, j = i[order], j[order]
    length, rank, v = d[i, j], np.zeros((n, n), int), np.arange(n)
    rank[i, j] = rank[j, i] = np.arange(len(i))
    tree = {rank[a, b] for a, b in kruskal(d)}

    def above(e):
        a, b = rank[i[e]], rank[j[e]]
        most = np.maximum(a, b)
        key = np.maximum(most, e) * n + np.where(e > most, v, np.where(a > b, j[e], i[e]))
        return np.delete(key, [i[e], j[e]])

    owner, kept, total = {}, {}, 0
    for e in range(len(i) - 1, -1, -1):
        if e in tree:
            continue
        column = above(e)
        pivot = column.min()
        if pivot in owner:
            column = set(column.tolist())
            while (pivot := min(column)) in owner:
                o = owner[pivot]
                column ^= kept[o] if o in kept else set(above(o).tolist())
            kept[e] = column
        owner[pivot] = e
        total += length[pivot // n] - length[e]
    return total


def persistence(x):
    d = scaled(x, 2000)
    return {"persistence": sum(d[a, b] for a, b in kruskal(d)), "persistence.h1": loops(scaled(x, 200))}


def standard(x):
    s = x.std(0)
    return (x - x.mean(0))[:, s > 0] / s[s > 0]


def consensus(all_x):
    z = [standard(x[sample(len(x), 2000)]) for x in all_x]
    gram = [a @ a.T / a.shape[1] for a in z]
    n, out = len(z[0]), []
    for a, g in zip(z, gram):
        w, t = np.linalg.eigh(sum(gram) - g)
        w, t = w[-32:], t[:, -32:]
        u, s, _ = np.linalg.svd(a, full_matrices=False)
        u, s = u[:, s**2 > 1e-10 * s[0] ** 2], s[s**2 > 1e-10 * s[0] ** 2]
        best = -np.inf
        for penalty in 10.0 ** np.arange(-3, 4):
            f = s**2 / n / (s**2 / n + penalty)
            off = (t - (u * f) @ (u.T @ t)) / (1 - 1 / n - (u**2 * f).sum(1))[:, None]
            r2 = 1 - (off**2).sum(0) / ((t / (1 - 1 / n)) ** 2).sum(0)
            best = max(best, (w * r2).sum() / w.sum())
        out.append(best)
    return {"consensus": out}


# ---- of two ----

class Side:
    def __init__(self, x):
        n = len(x)
        self.x = centre(x)
        self.u, self.s, _ = np.linalg.svd(self.x, full_matrices=False)
        self.rank = (self.s > 1e-5 * self.s[0]).sum()
        share = np.cumsum(self.s**2) / (self.s**2).sum()
        self.kept = int((share < 0.99 - 1e-12).sum()) + 1
        self.d2 = distances2(x)
        upper = np.triu_indices(n, 1)
        self.ranks = midranks(self.d2[upper], 1e-12 * 2 * (self.x**2).sum() / n)
        k = np.exp(-self.d2 / (2 * np.median(self.d2)))
        self.kernel = k - k.mean(0) - k.mean(1)[:, None] + k.mean()
        r = x - x.mean(1, keepdims=True)
        length = np.linalg.norm(r, axis=1, keepdims=True)
        r = np.divide(r, length, out=np.zeros_like(r), where=length > 1e-12 * np.linalg.norm(x, axis=1, keepdims=True))
        self.ranks_pearson = midranks((2 - 2 * r @ r.T)[upper], 2e-12)
        length = np.linalg.norm(x, axis=1, keepdims=True)
        c = np.divide(x, length, out=np.zeros_like(x), where=length > 0)
        # by 10 digits, then by row, as rounding must not choose among equal neighbours
        far = np.round(2 - 2 * c @ c.T, 10) + 10 * np.eye(n)
        near = np.argsort(far, 1, kind="stable")[:, :10]
        self.near = np.zeros((n, n), bool)
        np.put_along_axis(self.near, near, True, 1)
        self.ica()
        sd = x.std(0, ddof=1)
        z = self.x[:, sd > 1e-6 * abs(x.mean(0))] / sd[sd > 1e-6 * abs(x.mean(0))]
        u, s, _ = np.linalg.svd(z, full_matrices=False)
        most = min((s**2 > 1e-10 * s[0] ** 2).sum(), n // 10, 64)
        var = s[:most] ** 2 / (n - 1)
        self.white = u[:, :most] * np.sqrt(var / (var + 0.001 * var.mean()))

    def ica(self):
        n, k = len(self.x), int(min(16, (self.s**2 > 1e-10 * self.s[0] ** 2).sum()))
        x = self.u[:, :k].T * np.sqrt(n)
        w = np.linalg.eigh(x * (x**2).sum(0) @ x.T)[1].T
        for _ in range(1000):
            y = np.tanh(w @ x)
            new = self.level(y @ x.T / n - (1 - y**2).mean(1)[:, None] * w)
            new = self.level(w + np.sign((w * new).sum(1))[:, None] * new)
            still = (1 - (w * new).sum(1)).max() < 1e-8
            w = new
            if still:
                break
        self.components = w @ x

    @staticmethod
    def level(w):
        u, _, v = np.linalg.svd(w)
        return u @ v


def assignment(gain):
    """The match of most gain, by augmenting along shortest paths."""
    n = len(gain)
    u, v, p, way = np.zeros(n + 1), np.zeros(n + 1), np.zeros(n + 1, int), np.zeros(n + 1, int)
    for i in range(1, n + 1):
        p[0], j0, least, used = i, 0, np.full(n + 1, np.inf), np.zeros(n + 1, bool)
        while True:
            used[j0] = True
            row, j1, delta = p[j0], 0, np.inf
            for j in range(1, n + 1):
                if not used[j]:
                    cost = -gain[row - 1, j - 1] - u[row] - v[j]
                    if cost < least[j]:
                        least[j], way[j] = cost, j0
                    if least[j] < delta:
                        delta, j1 = least[j], j
            u[p[used]] += delta
            v[used] -= delta
            least[~used] -= delta
            j0 = j1
            if p[j0] == 0:
                break
        while j0:
            p[j0], j0 = p[way[j0]], way[j0]
    return [(p[j] - 1, j - 1) for j in range(1, n + 1)]


def pair(a, b):
    n, out = len(a.x), {}
    aa, bb, ab = (np.linalg.norm(p.x.T @ q.x) ** 2 for p, q in ((a, a), (b, b), (a, b)))
    out["cka-biased"] = ab / np.sqrt(aa * bb)

    def unbiased(p, q, value):
        r, t = (p.x**2).sum(1), (q.x**2).sum(1)
        return value - n / (n - 2) * (r @ t) + r.sum() * t.sum() / ((n - 1) * (n - 2))
    out["cka"] = unbiased(a, b, ab) / np.sqrt(unbiased(a, a, aa) * unbiased(b, b, bb))
    out["cka-rbf"] = (a.kernel * b.kernel).sum() / np.linalg.norm(a.kernel) / np.linalg.norm(b.kernel)
    out["rsa"] = np.corrcoef(a.ranks, b.ranks)[0, 1]
    out["rsa-correlation"] = np.corrcoef(a.ranks_pearson, b.ranks_pearson)[0, 1]
    both, either = (a.near & b.near).sum(1), (a.near | b.near).sum(1)
    out["knn-overlap"], out["knn-jaccard"] = both.mean() / 10, (both / either).mean()
    nuclear = np.linalg.svd(a.x.T @ b.x, compute_uv=False).sum()
    out["procrustes"] = -(2 - 2 * nuclear / np.linalg.norm(a.x) / np.linalg.norm(b.x))
    out["linear-r2"] = (np.linalg.norm(a.u[:, :a.rank].T @ b.x) / np.linalg.norm(b.x)) ** 2
    w, rho, _ = np.linalg.svd(a.u[:, :a.rank].T @ b.u[:, :b.rank], full_matrices=False)
    out["cca"] = rho.mean()
    weight = abs((a.u[:, :a.rank] @ w).T @ a.x).sum(1)
    out["pwcca"] = (weight * rho).sum() / weight.sum()
    out["svcca"] = np.linalg.svd(a.u[:, :a.kept].T @ b.u[:, :b.kept], compute_uv=False).mean()
    rho = np.linalg.svd(a.white.T @ b.white, compute_uv=False)
    out["cca-information"] = -np.log1p(-np.minimum(rho, 1 - 1e-15) ** 2).sum() / 2
    r = a.components @ b.components.T / n
    most, least = max(r.shape), min(r.shape)
    gain = np.zeros((most, most))
    gain[:r.shape[0], :r.shape[1]] = abs(r)
    match = [(i, j) for i, j in assignment(gain) if i < r.shape[0] and j < r.shape[1]]
    out["ica-gap.retention"] = sum(abs(r[i, j]) for i, j in match) / least
    out["ica-gap"] = -sum(abs(a.components[i] - np.sign(r[i, j]) * b.components[j]).mean() for i, j in match) / least
    return out


# ---- information sufficiency, from the stored matrix ----

def rankings(names, meta):
    out = {}
    for score, words_ in (("linear", ("linear", "default")), ("linear-shrunk", ("linear", "shrunk")),
                          ("knife", ("knife", "default")), ("flow", ("flow", "default")),
                          ("l2", ("l2", "default"))):
        try:
            doc = ask("matrix", pool, "--estimator", words_[0], "--preset", words_[1])
        except subprocess.CalledProcessError:
            continue
        where = [m["name"] for m in doc["models"]]
        value = np.array([[np.nan if v is None else v for v in row] for row in doc["is"]])[
            np.ix_([where.index(n) for n in names], [where.index(n) for n in names])]
        rows = range(len(names))
        sign = -1 if score == "l2" else 1  # an error
        out[score] = [sign * np.median(np.delete(value[i], i)) for i in rows]
        if score == "linear-shrunk" and all(meta.get(n) for n in names):
            families = sorted({meta[n] for n in names})
            out["predictive"] = [
                np.mean([np.mean(members) for f in families
                         if (members := [value[i, j] for j in rows if j != i and meta[names[j]] == f])]) for i in rows]
    return out


shown = ask("rivals", pool)
names = [m["name"] for m in shown["models"]]
x = [np.load(f"{pool}/{name}.npy").astype(float) for name in names]
families = {m["name"]: m.get("family") for m in json.load(open(f"{pool}/pool.json")).get("models", [])}
ours = {"dimension": [m.shape[1] for m in x], **rankings(names, families), **consensus(x)}
for function in (spread, uniformity, intrinsic, persistence):
    for m in x:
        for key, v in function(m).items():
            ours.setdefault(key, []).append(v)
sides = [Side(m) for m in x]
grid = [[pair(a, b) for b in sides] for a in sides]
for i, row in enumerate(grid):
    for key in row[0]:
        ours.setdefault(key, []).append(np.median([v[key] for j, v in enumerate(row) if j != i]))
worst = 0.0


def report(name, off):
    global worst
    worst = max(worst, off)
    print(f"{name:36} {off:.1e}")


def components():
    """Pairs of ica-gap of which both searches are determined."""
    fields = ask("measure", pool, "ica-gap")["measures"][0]
    at = [fields["models"].index(n) for n in names]
    value = {f["name"]: np.array(f["values"], float)[np.ix_(at, at)] for f in fields["fields"]}
    sure = (value["repeat"] > 1 - 1e-6) & ~np.eye(len(at), dtype=bool)
    for name, key in (("gap", "ica-gap"), ("retention", "ica-gap.retention")):
        own = np.array([[abs(v[key]) for v in row] for row in grid])
        report(f"{key}, {sure.sum() // 2} of {len(at) * (len(at) - 1) // 2} pairs",
               abs(own - value[name])[sure].max(initial=0))


components()
for row in shown["values"]:
    if row["score"].startswith("ica-gap"):
        continue
    if row["score"] not in ours:
        print(f"{row['score']:36} not computed again")
        continue
    theirs, own = np.array(row["value"], float), np.array(ours[row["score"]], float)
    report(row["score"], (abs(theirs - own) / np.maximum(1, abs(own))).max())
print(f"{'largest difference':36} {worst:.1e}")
