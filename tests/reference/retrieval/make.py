"""Retrieval measures by trec_eval's definitions, by brute force in NumPy; writes the files here."""
import numpy as np

rng = np.random.default_rng(11)
N, D, Q = 60, 8, 9
docs = rng.normal(size=(N, D))
docs[17] = docs[5]  # tied: the lower row first
docs[40] = 0
queries = docs[rng.integers(0, N, Q)] + 0.8 * rng.normal(size=(Q, D))
rows = []  # query, doc, rel; query 3 has no answer
for q in range(Q):
    near = [np.argsort(((x - docs) ** 2).sum(1))[:10] for x in (queries[q], docs[q])]
    for d in rng.choice(np.union1d(*near), 7, replace=False):
        rows.append((q, int(d), 0 if q == 3 else int(rng.integers(0, 4))))


def similarity(a, b, metric):
    if metric == "l2":
        return -((a[:, None] - b[None]) ** 2).sum(2)
    na, nb = np.linalg.norm(a, axis=1), np.linalg.norm(b, axis=1)
    return a @ b.T / np.where(na > 0, na, 1)[:, None] / np.where(nb > 0, nb, 1)[None]


def measure(own, metric, k, judged_only):
    s = np.round(similarity(queries if own else docs, docs, metric), 12)
    named = {d for _, d, _ in rows} if judged_only else set(range(N))
    out = []
    for q in range(Q):
        rel = {d: r for p, d, r in rows if p == q and (own or d != q)}
        if not any(r > 0 for r in rel.values()):
            continue
        order = [d for d in sorted(range(N), key=lambda d: (-s[q, d], d))
                 if d in named and (own or d != q)][:k]
        gains = [rel.get(d, 0) for d in order]
        total = sum(r > 0 for r in rel.values())
        dcg = sum(g / np.log2(i + 2) for i, g in enumerate(gains))
        best = sum(g / np.log2(i + 2) for i, g in enumerate(sorted(rel.values(), reverse=True)[:k]))
        hits = [i for i, g in enumerate(gains) if g > 0]
        out.append((dcg / best, sum((j + 1) / (i + 1) for j, i in enumerate(hits)) / total,
                    len(hits) / total, 1 / (hits[0] + 1) if hits else 0, float(bool(hits))))
    return np.mean(out, 0), len(out)


np.save("docs.npy", docs)
np.save("queries.npy", queries)
with open("qrels.csv", "w") as f:
    f.write("query,doc,rel\n" + "".join("%d,%d,%d\n" % r for r in rows))
with open("expected.csv", "w") as f:
    f.write("own,metric,k,judged,queries,ndcg,map,recall,mrr,success\n")
    for own in (0, 1):
        for metric in ("cosine", "l2"):
            for k in (1, 3, 10, 100):
                for judged in (0, 1):
                    v, n = measure(own, metric, k, judged)
                    f.write("%d,%s,%d,%d,%d,%s\n" % (own, metric, k, judged, n,
                                                     ",".join(repr(float(x)) for x in v)))
