"""EvalRank over several sets of pairs, with and without a list of rows that compete, and Spearman
inside overlapping levels of people's scores, by brute force in NumPy and SciPy; writes the files here."""
import numpy as np
from scipy import stats

rng = np.random.default_rng(5)
N, D = 90, 7
x = rng.normal(size=(N, D)) * np.linspace(2, 0.3, D) + 3
x[20] = x[21]  # a tie
np.save("e.npy", x)
pairs = []  # a, b, score, set
for k, (name, scale) in enumerate([("sick", 5), ("sts", 1)]):
    for _ in range(60):
        a, b = rng.choice(N, 2, replace=False)
        near = -np.linalg.norm(x[a] - x[b]) + rng.normal()
        pairs.append((int(a), int(b), round(scale * 1 / (1 + np.exp(-near - 3)), 2), name))
pairs.append((4, 4, 1, "sts"))
background = sorted(rng.choice(N, 40, replace=False).tolist())
with open("pairs.csv", "w") as f:
    f.write("a,b,score,set\n" + "".join(f"{a},{b},{s},{n}\n" for a, b, s, n in pairs))
with open("background.csv", "w") as f:
    f.write("row\n" + "".join(f"{r}\n" for r in background))


def positives(rows):
    first = {}
    for a, b, s, _ in rows:
        if a != b:
            first.setdefault((min(a, b), max(a, b)), s)
    scores = sorted(first.values(), reverse=True)
    cut = scores[max(1, int(len(scores) * 0.25 + 0.5)) - 1]
    return {p for p, s in first.items() if s >= cut}


def evalrank(pos, metric, rows):
    c = x - x.mean(0)
    if metric == "cos":
        c = c / np.linalg.norm(c, axis=1, keepdims=True)
        s = c @ c.T
    else:
        s = -((c[:, None] - c[None]) ** 2).sum(2)
    asked = {r for p in pos for r in p}
    compete = set(rows) | asked
    ranks = []
    for a, b in pos:
        for q, p in ((a, b), (b, a)):
            others = [s[q, k] for k in compete if k not in (q, p)]
            tied = [abs(o - s[q, p]) <= 1e-12 * max(1, abs(s[q, p])) for o in others]
            better = sum(o > s[q, p] and not t for o, t in zip(others, tied))
            ranks.append(1 + better + sum(tied) / 2)
    r = np.array(ranks)
    return (1 / r).mean(), (r <= 1).mean(), (r <= 3).mean(), (r <= 10).mean(), r.mean()


sets = {n: [p for p in pairs if p[3] == n] for n in ("sick", "sts")}
cut = {n: positives(rows) for n, rows in sets.items()}
cut["all"] = cut["sick"] | cut["sts"]
with open("expected.csv", "w") as f:
    f.write("set,background,metric,mrr,hits1,hits3,hits10,mean-rank\n")
    for name, pos in cut.items():
        for list_, rows in (("all", range(N)), ("list", background)):
            for metric in ("cos", "l2"):
                f.write(f"{name},{list_},{metric}," + ",".join(f"{v:.15g}" for v in evalrank(pos, metric, rows)) + "\n")

with open("levels.csv", "w") as f:
    f.write("set,spearman,low,middle,high,level1,level2,level3,level4,level5\n")
    c = x - x.mean(0)
    u = c / np.linalg.norm(c, axis=1, keepdims=True)
    for name in ("sick", "sts", "all"):
        rows = [p for p in pairs if name in ("all", p[3])]
        human = np.array([p[2] for p in rows], float)
        if name == "all":
            for n in sets:
                own = np.array([p[3] == n for p in rows])
                human[own] = (stats.rankdata(human[own]) - 0.5) / own.sum()
        machine = np.array([u[a] @ u[b] for a, b, _, _ in rows])
        q = lambda p: np.quantile(human, p)
        rho = lambda keep: stats.spearmanr(human[keep], machine[keep])[0]
        parts = [rho(human <= q(1 / 3)), rho((human > q(1 / 3)) & (human <= q(2 / 3))), rho(human > q(2 / 3))]
        parts += [rho((human >= q(l * 0.15)) & (human <= q(min(1, l * 0.15 + 0.4)))) for l in range(5)]
        f.write(f"{name},{rho(human == human):.15g}," + ",".join(f"{v:.15g}" for v in parts) + "\n")
