"""Does an embedder trained on all members of the sample pool rank above them? fused.py PROGRAM POOL

1. By the predictive score, with derived embedders among those who judge and are judged. It was trained on the
   very rows and targets that it predicts.
2. By a probe: R2 of ridge regression, 5 folds, on the 16 physico-chemical descriptors of every molecule, in a
   pool without the descriptors, so that nobody is a copy of a target. (What stands in scores.csv cannot be
   probed: the labelled molecules of those tasks are not in the pool.)

Beside cMIM, its rivals and 64 principal axes of all members side by side. Prints markdown.
"""

import csv
import io
import json
import os
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile

MODES = ("cmim", "mim", "ae", "infonce")


def run(*words):
    """Standard output of the program."""
    return subprocess.run([PROGRAM, *words, "-q"], check=True, capture_output=True, text=True).stdout


def table(*words):
    return list(csv.DictReader(io.StringIO(run(*words, "--csv"))))


def fuse(pool):
    """Trained on all members; and their principal axes."""
    members = [m["name"] for m in json.load(open(pool + "/pool.json"))["models"]]
    for mode in MODES:
        run("derive", pool, "all", "--cmim", "64", "--mode", mode, "--name", mode)
    last = members[0]
    for other in members[1:]:
        run("derive", pool, last, "--concat", other, "--name", "joined-" + other)
        if last != members[0]:
            run("derive", pool, "--remove", last)
        last = "joined-" + other
    run("derive", pool, last, "--pca", "64", "--name", "pca64 of all")
    run("derive", pool, "--remove", last)
    return members


def by_ranking(pool):
    run("estimate", pool, "--estimator", "linear", "--preset", "shrunk", "--with-derived")
    return {r["model"]: float(r["score"]) for r in table("rank", pool, "--with-derived")}


def by_probe(pool):
    with open(pool + "/desc_phys16.npy", "rb") as file:
        data = file.read()
    start = 10 + struct.unpack("<H", data[8:10])[0]
    values = struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])
    with open(pool + "/labels.csv", "w") as file:
        file.write("row," + ",".join(f"p{j}" for j in range(16)) + "\n")
        for i in range(len(values) // 16):
            file.write(f"{i}," + ",".join(map(repr, values[16 * i:16 * i + 16])) + "\n")
    about = json.load(open(pool + "/pool.json"))
    about["models"] = [m for m in about["models"] if not m["name"].startswith("desc")]
    json.dump(about, open(pool + "/pool.json", "w"))
    for name in os.listdir(pool):
        if name.startswith("desc") or name == "scores.csv":
            os.remove(f"{pool}/{name}")
    fuse(pool)
    rows = table("measure", pool, "probe")
    tasks = [c for c in rows[0] if c.startswith("probe:") and "." not in c]
    rank = {r["model"]: [] for r in rows}
    for task in tasks:
        for at, row in enumerate(sorted(rows, key=lambda r: -float(r[task]))):
            rank[row["model"]].append(at + 1)
    return {r["model"]: (statistics.mean(float(r[t]) for t in tasks), statistics.mean(rank[r["model"]]),
                         rank[r["model"]].count(1)) for r in rows}


def main():
    with tempfile.TemporaryDirectory() as folder:
        pools = [f"{folder}/one", f"{folder}/two"]
        for pool in pools:
            shutil.copytree(sys.argv[2], pool, ignore=shutil.ignore_patterns(".embedscope"))
        fuse(pools[0])
        score, probe = by_ranking(pools[0]), by_probe(pools[1])
    order = sorted(score, key=lambda m: -score[m])
    print("| embedder | predictive score | rank | mean R2 of 16 | mean rank | best in |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name in order:
        r2 = "{:.3f} | {:.1f} | {}".format(*probe[name]) if name in probe else " | | "
        print(f"| {name} | {score[name]:.3f} | {order.index(name) + 1} | {r2} |")


PROGRAM = os.path.abspath(sys.argv[1])
main()
