"""Writes biased.csv: M of the biased MMD statistic, where queries weigh 1/frequency of their class.

NumPy only, from the definition (Gretton et al., JMLR 2012, equation 5): every kernel matrix is made
pair by pair, the statistic is a double sum over documents, and nothing is shared between queries or
relabellings as in the C code. Weights come from the labels, not from expected.csv.
"""
import numpy as np

queries = np.load("queries_20x56.npy").astype(int)
label = np.loadtxt("digits_labels.csv", delimiter=",", skiprows=1, dtype=int)[:, 1]
own = label[queries[:, 0]]
weight = np.array([1 / (own == c).sum() for c in own])  # one over the queries of the same class


def reduced(x, share):
    if share >= 1:
        return x
    t = x - x.mean(0)
    s, v = np.linalg.svd(t, full_matrices=False)[1:]
    k = int(np.argmax(np.cumsum(s**2) / (s**2).sum() >= share - 1e-12)) + 1
    return t @ v[:k].T


def median_width(x):
    d = np.array([np.sqrt(((a - b) ** 2).sum()) for i, a in enumerate(x) for b in x[:i]])
    return np.median(d[d > 0]) ** 2


def kernels(x, s2, s2_own):
    k = len(x[0])

    def cosine(a, b):
        size = np.sqrt((a @ a) * (b @ b))
        return a @ b / size if size > 0 else 0.0

    return {"linear": lambda a, b: a @ b, "cosine": cosine,
            "poly2": lambda a, b: (a @ b / k + 1) ** 2, "poly3": lambda a, b: (a @ b / k + 1) ** 3,
            "rbf": lambda a, b: np.exp(-((a - b) ** 2).sum() / (2 * s2)),
            "rbf_perquery": lambda a, b: np.exp(-((a - b) ** 2).sum() / (2 * s2_own))}


def biased(x, y, kernel):
    mean = lambda p, q: np.mean([kernel(a, b) for a in p for b in q])
    return mean(x, x) - 2 * mean(x, y) + mean(y, y)


out = []
for model in ("digits_raw64", "digits_pca16", "digits_relu32", "noise8"):
    for how, share in (("pca90", 0.9), ("none", 1)):
        z = reduced(np.load(f"{model}.npy").astype(float), share)
        s2 = median_width(z[np.unique(queries[:, 1:])])
        sums = {}
        for q, w in zip(queries, weight):
            docs = z[q[1:]]
            for name, kernel in kernels(docs, s2, median_width(docs)).items():
                sums[name] = sums.get(name, 0) + w * biased(docs[:5], docs[5:], kernel)
        out += [(f"retmmd/{model}/{how}/{name}/biased_weighted_mean", v / weight.sum()) for name, v in sums.items()]
with open("biased.csv", "w") as file:
    file.write("key,value\n")
    file.writelines(f"{k},{float(v)!r}\n" for k, v in out)
