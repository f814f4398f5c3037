"""Writes independent.csv: EvalRank, the similarity task and geometry of the digits, by plain loops.

NumPy only; nothing here looks like the C code: no blocks, no centring for distances.
"""
import numpy as np

x = np.load("digits_relu32.npy").astype(float)
label = np.loadtxt("digits_labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1]
n = len(x)
pairs = []
for c in range(10):
    rows = np.flatnonzero(label == c)
    pairs += [(a, b) for a, b in zip(rows[:6:2], rows[1:6:2])]


def midranks(v):
    return np.array([(v < a).sum() + (v == a).sum() / 2 for a in v])


def spearmanr(a, b):
    return np.corrcoef(midranks(a), midranks(b))[0]


def centre(m):
    return m - m.mean(0)


def abtt(m, k):
    t = centre(m)
    v = np.linalg.svd(t, full_matrices=False)[2][:k]
    return t - t @ v.T @ v


def pcr(m, k):
    v = np.linalg.svd(m, full_matrices=False)[2][:k]
    return m - m @ v.T @ v


def whiten(m, k=None):
    t = centre(m)
    u, s, v = np.linalg.svd(t, full_matrices=False)
    keep = s**2 > 1e-10 * s[0] ** 2
    k = min(k or keep.sum(), keep.sum())
    return u[:, :k] * np.sqrt(len(m) - 1)


def pca(m, k):
    t = centre(m)
    return t @ np.linalg.svd(t, full_matrices=False)[2][:k].T


def rank(m, i, j, metric):
    if metric == "cos":
        u = m / np.linalg.norm(m, axis=1, keepdims=True)
        s = u @ u[i]
    else:
        s = -((m - m[i]) ** 2).sum(1)
    others = np.delete(s, [i, j])
    tol = 1e-9 * max(1, abs(s[j]))
    return 1 + (others > s[j] + tol).sum() + 0.5 * (abs(others - s[j]) <= tol).sum()


out = []
kinds = {"none": x, "centre": centre(x), "abtt2": abtt(x, 2), "pcr2": pcr(x, 2), "whiten": whiten(x),
         "whiten10": whiten(x, 10), "pca5": pca(x, 5)}
for name, m in kinds.items():
    for metric in ("cos", "l2"):
        r = np.array([rank(m, i, j, metric) for a, b in pairs for i, j in ((a, b), (b, a))])
        out += [(f"evalrank/{name}/{metric}/MRR", (1 / r).mean()), (f"evalrank/{name}/{metric}/MR", r.mean()),
                (f"evalrank/{name}/{metric}/hits10", (r <= 10).mean())]
u = x / np.linalg.norm(x, axis=1, keepdims=True)
d2 = ((u[:, None] - u[None]) ** 2).sum(-1)
upper = np.triu_indices(n, 1)
w = np.linalg.eigvalsh(np.cov(x.T))
p = w[w > 1e-12] / w[w > 1e-12].sum()
out += [("geometry/alignment", np.mean([d2[a, b] for a, b in pairs])),
        ("geometry/uniformity", np.log(np.exp(-2 * d2[upper]).mean())),
        ("geometry/mean_cosine", (u @ u.T)[upper].mean()),
        ("geometry/effective_rank", np.exp(-(p * np.log(p)).sum())), ("geometry/participation", 1 / (p**2).sum())]
# The similarity task: the "human" score of rows i and i + 7 is made from their numbers.
a, b = np.arange(0, 300), np.arange(7, 307)
human = (a * 37 % 101) / 20.0 + (label[a] == label[b]) * 2
out += [("task/cos", spearmanr(human, (u[a] * u[b]).sum(1))[1]),
        ("task/l2", spearmanr(human, -np.linalg.norm(x[a] - x[b], axis=1))[1])]
q = np.quantile(human, [1 / 3, 2 / 3])
for t, part in enumerate((human <= q[0], (human > q[0]) & (human <= q[1]), human > q[1])):
    out.append((f"task/cos/tercile{t}", spearmanr(human[part], (u[a] * u[b]).sum(1)[part])[1]))
with open("independent.csv", "w") as file:
    file.write("key,value\n")
    file.writelines(f"{k},{v!r}\n" for k, v in ((k, float(v)) for k, v in out))
