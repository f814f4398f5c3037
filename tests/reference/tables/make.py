"""Scores against tasks, their mean rank and mean, by NumPy and SciPy; writes the files here."""
import numpy as np
from scipy import stats

rng = np.random.default_rng(20)
N, K, TASKS = 24, 4, 5
weight = np.array([1, 2, 1, 0.5, 3])
lower = np.array([False, True, False, False, True])
good = rng.normal(size=N)
score = np.round(good + rng.normal(size=(K, N)) * np.array([0.3, 1, 2, 9])[:, None], 3)
task = np.round(good[:, None] * rng.uniform(0.2, 2, TASKS) + rng.normal(size=(N, TASKS)), 2)
task[3, 0] = task[4, 0]  # a tie
task[:, lower] *= -1
task[7, 2] = task[11, 4] = score[1, 5] = np.nan
turned = np.where(lower, -task, task)
whole = ~np.isnan(turned).any(1)
rank = np.full(N, np.nan)
ranks = np.stack([stats.rankdata(-turned[whole, t]) for t in range(TASKS)], 1)
rank[whole] = -(ranks @ weight) / weight.sum()
mean = turned @ weight / weight.sum()
columns = np.column_stack([turned, rank, mean])

with open("scores.csv", "w") as f:
    f.write("model," + ",".join(f"t{t}" + (" (lower)" if lower[t] else "") for t in range(TASKS)) + "\n")
    for i in range(N):
        f.write(f"m{i:02}," + ",".join("" if np.isnan(v) else f"{v:.2f}" for v in task[i]) + "\n")
with open("tasks.csv", "w") as f:
    f.write("task,weight\n")
    for t in range(TASKS):
        f.write(f"t{t}" + (" (lower)" if lower[t] else "") + f",{weight[t]}\n")
with open("measures.csv", "w") as f:
    for k in range(K):
        f.write(",".join("nan" if np.isnan(v) else f"{v:.3f}" for v in score[k]) + "\n")
with open("expected.csv", "w") as f:
    f.write("score,column,n,pearson,spearman,kendall,weighted_tau\n")
    for k in range(K):
        for c in range(columns.shape[1]):
            both = ~(np.isnan(score[k]) | np.isnan(columns[:, c]))
            x, y = score[k][both], columns[both, c]
            f.write(f"{k},{c},{both.sum()},{stats.pearsonr(x, y)[0]:.15g},{stats.spearmanr(x, y)[0]:.15g},"
                    f"{stats.kendalltau(x, y)[0]:.15g},{stats.weightedtau(x, y)[0]:.15g}\n")
