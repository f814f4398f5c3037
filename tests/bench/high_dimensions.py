"""What many columns cost, and whether scores then still say the same: time, memory and stability of every
score that needs no labels, over the number of columns.

    /usr/bin/python3 tests/bench/high_dimensions.py build/release/embedscope [--rows 1000]
        [--columns 256,1024,4096,8192] [--only linear,cka] [--embedders 8] [--keep FOLDER]

Makes pools of made-up embedders: a latent of 48 dimensions with a falling spectrum, of which each embedder
knows fewer than the one before, mixed into all of its columns, bent, and with noise of its own; the ranking
has a reason. Stability is Spearman's rho of the ranking by the even rows with the ranking by the odd ones.
One thread; seconds are of the processor, for the whole pool, reading included, with the wall's after `/` in the
lines beginning with `#`; memory is the peak of the program. A score is stable where rho is at least 0.9; `-` where
it gives no ranking. With --keep the pools are made in a folder and stay there for the next run. NumPy only.
"""
import argparse
import json
import os
import resource
import subprocess
import tempfile
import time

import numpy as np

ESTIMATORS = {"linear": ("linear", "default"), "linear shrunk": ("linear", "shrunk"),
              "knife": ("knife", "default"), "flow": ("flow", "default"), "l2": ("l2", "default")}
MEASURES = ["consensus", "knn-overlap", "infonce", "effective-rank", "cca-information", "procrustes", "rsa",
            "ica-gap", "cka-biased", "cka", "linear-r2", "cka-rbf", "rsa-correlation", "pwcca", "cca", "svcca",
            "intrinsic-dimension", "persistence", "uniformity"]


def make_pool(folder, rows, columns, embedders):
    rng = np.random.default_rng(7)
    latent = rng.standard_normal((rows, 48)) * (np.arange(1, 49) ** -0.5)
    for k in range(embedders):
        known = latent[:, :48 - 5 * k]
        x = known @ rng.standard_normal((known.shape[1], columns)) / 2
        x = np.tanh(x) + (0.3 + 0.35 * k) * rng.standard_normal((rows, columns))
        for half, part in (("all", x), ("even", x[::2]), ("odd", x[1::2])):
            os.makedirs(f"{folder}/{half}", exist_ok=True)
            np.save(f"{folder}/{half}/e{k}.npy", part.astype(np.float32))


def run(words):
    """The document, seconds of the processor and of the wall, and peak memory in MB."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as out:
        child = subprocess.Popen(words, stdout=out, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        out.seek(0)
        text = out.read()
    document = json.loads(text) if status == 0 else None
    seconds = used.ru_utime + used.ru_stime, time.monotonic() - began
    return document, seconds, used.ru_maxrss / 1024


def median_of_others(values):
    value = np.array([[np.nan if v is None else v for v in row] for row in values], float)
    np.fill_diagonal(value, np.nan)
    return np.nanmedian(value, 1)


def score(program, pool, name):
    options = ["--threads", "1", "--no-store", "--json", "-q"]
    if name in ESTIMATORS:
        estimator, preset = ESTIMATORS[name]
        document, seconds, mb = run([program, "estimate", pool, "--estimator", estimator, "--preset", preset,
                                     *options])
        return (median_of_others(document["is"]) if document else None), seconds, mb
    document, seconds, mb = run([program, "measure", pool, name, *options])
    if not document:
        return None, seconds, mb
    measure = document["measures"][0]
    values = measure["values"]
    if measure["kind"] == "pairwise":
        return median_of_others(values), seconds, mb
    field = next(f["name"] for f in measure["fields"] if f["ranks"])
    return np.array([v[field].get("value") or np.nan for v in values], float), seconds, mb


def ranks(v):
    return np.array([(v < x).sum() + ((v == x).sum() + 1) / 2 for x in v])


def spearman(a, b):
    if a is None or b is None or not (np.isfinite(a).all() and np.isfinite(b).all()):
        return None
    ra, rb = ranks(a), ranks(b)
    return np.corrcoef(ra, rb)[0, 1] if ra.std() > 0 and rb.std() > 0 else None


def main():
    p = argparse.ArgumentParser()
    p.add_argument("program")
    p.add_argument("--rows", type=int, default=1000)
    p.add_argument("--columns", default="256,1024,4096,8192")
    p.add_argument("--only", default=",".join([*ESTIMATORS, *MEASURES]))
    p.add_argument("--embedders", type=int, default=8)
    p.add_argument("--keep")
    options = p.parse_args()
    columns = [int(c) for c in options.columns.split(",")]
    names = options.only.split(",")
    cells = {name: [] for name in names}
    for d in columns:
        with tempfile.TemporaryDirectory() as passing:
            folder = f"{options.keep}/{options.rows}x{d}x{options.embedders}" if options.keep else passing
            if not os.path.exists(folder) or folder == passing:
                make_pool(folder, options.rows, d, options.embedders)
            for name in names:
                _, (seconds, wall), mb = score(options.program, f"{folder}/all", name)
                halves = [score(options.program, f"{folder}/{half}", name)[0] for half in ("even", "odd")]
                rho = spearman(*halves)
                cells[name].append(f"{seconds:.1f} s, {mb:.0f} MB, {'-' if rho is None else f'{rho:.2f}'}")
                print(f"# {d} {name}: {cells[name][-1]} / {wall:.1f} s of the wall", flush=True)
    print(f"| {options.rows:,} rows | " + " | ".join(f"{d:,}" for d in columns) + " |")
    print("| --- |" + " --- |" * len(columns))
    for name in names:
        print(f"| {name} | " + " | ".join(cells[name]) + " |")


main()
