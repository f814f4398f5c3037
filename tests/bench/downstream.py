#!/usr/bin/env python3
"""How rankings agree with downstream scores: one Markdown table of the pools that are named.

    downstream.py EMBEDSCOPE POOL...

A pool is copied to a temporary folder and estimated there. Downstream is the mean over the tasks of
scores.csv of the percentile among the embedders that have the task (100: best). Spearman with 95 %
percentile intervals over 1,000 resamples of embedders; regret: points of mean percentile between the
best downstream and the first of a ranking, or the best of its first five (equal scores count as the
worst order). Only looks; nothing of the program is chosen by it.
"""
import csv
import json
import math
import os
import random
import shutil
import subprocess
import sys
import tempfile

DRAWS, FIRST = 1000, 5


def say(program, *arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def midranks(values):
    order = sorted(range(len(values)), key=values.__getitem__)
    rank = [0.0] * len(values)
    at = 0
    while at < len(order):
        end = at
        while end < len(order) and values[order[end]] == values[order[at]]:
            end += 1
        for k in order[at:end]:
            rank[k] = (at + end - 1) / 2
        at = end
    return rank


def spearman(x, y):
    a, b = midranks(x), midranks(y)
    middle = (len(x) - 1) / 2
    a, b = [v - middle for v in a], [v - middle for v in b]
    spread = math.sqrt(sum(v * v for v in a) * sum(v * v for v in b))
    return sum(p * q for p, q in zip(a, b)) / spread if spread > 0 else math.nan


def interval(x, y, seed=1):
    draw, n, found = random.Random(seed), len(x), []
    for _ in range(DRAWS):
        rows = [draw.randrange(n) for _ in range(n)]
        value = spearman([x[k] for k in rows], [y[k] for k in rows])
        if not math.isnan(value):
            found.append(value)
    found.sort()
    return found[int(0.025 * len(found))], found[int(0.975 * len(found))]


def percentiles(path, names):
    """Mean percentile over tasks among `names`; a task whose name ends in an arrow down is an error."""
    with open(path, newline="", encoding="utf-8") as file:
        table = list(csv.reader(file))
    sums = {row[0]: [] for row in table[1:] if row[0] in names}
    for task in range(1, len(table[0])):
        sign = -1 if table[0][task].strip().endswith("↓") else 1
        known = {r[0]: sign * float(r[task]) for r in table[1:]
                 if r[task].strip() and r[0] in names}
        for name, value in known.items():
            below = sum(1 if v < value else 0.5 if v == value else 0 for v in known.values()) - 0.5
            sums[name].append(100 * below / (len(known) - 1))
    return {name: sum(v) / len(v) for name, v in sums.items() if v}


def regret(score, downstream, names, first):
    """On average over the orders of equal scores."""
    order = sorted(names, key=lambda n: -score[n])
    last = score[order[min(first, len(order)) - 1]]
    above = [downstream[n] for n in order if score[n] > last]
    equal = sorted((downstream[n] for n in order if score[n] == last), reverse=True)
    taken, sure, open_, best = first - len(above), max(above, default=float("-inf")), 1.0, 0.0
    for at, value in enumerate(equal):
        drawn = min(1.0, taken / (len(equal) - at))
        best += open_ * drawn * max(sure, value)
        open_ *= 1 - drawn
    return max(downstream[n] for n in names) - best


def rankings(program, pool):
    """By name: title -> score of each embedder, higher is better. Also the controls."""
    say(program, "estimate", pool, "--quiet")
    ranked = json.loads(say(program, "rank", pool, "--json"))["ranking"]
    info = json.loads(say(program, "info", pool, "--json"))
    out = {"predictive": {r["model"]: r["score"] for r in ranked},
           "published": {r["model"]: r["published"] for r in ranked},
           "dimension": {r["model"]: r["dim"] for r in ranked}}
    if any(os.path.exists(os.path.join(pool, f)) for f in ("pairs.csv", "groups.csv")):
        try:
            measured = json.loads(say(program, "rank", pool, "--score", "evalrank", "--json"))
            out["EvalRank"] = {r["model"]: r["score"] for r in measured["ranking"]}
        except SystemExit as problem:
            print(f"no EvalRank: {problem}", file=sys.stderr)
    controls = {m["name"] for m in info["models"] if m.get("family") == "control"}
    return out, controls


def rows_of(program, source, work):
    pool = os.path.join(work, os.path.basename(os.path.normpath(source)))
    shutil.copytree(source, pool, ignore=shutil.ignore_patterns(".embedscope"))
    os.chmod(pool, 0o755)
    by, controls = rankings(program, pool)
    for title, score in by.items():
        for without in (True, False):
            downstream = percentiles(os.path.join(pool, "scores.csv"),
                                     {n for n in score if not (without and n in controls)})
            names = [n for n in downstream if score[n] is not None]
            x, y = [score[n] for n in names], [downstream[n] for n in names]
            low, high = interval(x, y)
            yield (os.path.basename(pool), title, len(names), "out" if without else "in",
                   f"{spearman(x, y):.2f} [{low:.2f}, {high:.2f}]",
                   f"{regret(score, downstream, names, 1):.0f}",
                   f"{regret(score, downstream, names, FIRST):.0f}")


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__.strip())
    print("| pool | ranking | embedders | controls | Spearman | regret of the first "
          "| of the first five |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as work:
        for pool in sys.argv[2:]:
            for row in rows_of(os.path.abspath(sys.argv[1]), pool, work):
                print("| " + " | ".join(str(cell) for cell in row) + " |", flush=True)


main()
