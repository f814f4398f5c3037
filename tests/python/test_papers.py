#!/usr/bin/env python3
"""The papers' tables against plain NumPy: test_papers.py PROGRAM. Prints TAP."""
import csv
import io
import json
import math
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import numpy as np

PROGRAM = os.path.abspath(sys.argv[1])
HOME = tempfile.TemporaryDirectory(prefix="embedscope-papers-")
ENV = {**os.environ, "HOME": HOME.name, "XDG_CONFIG_HOME": "", "XDG_DATA_HOME": "", "XDG_STATE_HOME": ""}
ROWS, MODELS, TASKS = 400, 5, 8
SIZES = [120, 4000, 900, 60, 15000, 300, 2500, 700]
KINDS = ["near", "far", "near", "far", "near", "odd", "far", "odd"]


def run(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENV, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"{words}: {done.stderr}")
    return done.stdout


def table(*words):
    return list(csv.DictReader(io.StringIO(run(*words, "--csv", "-q"))))


def ranks(x):
    """Mid-ranks from 1."""
    x = np.asarray(x, float)
    return np.array([(x < v).sum() + ((x == v).sum() + 1) / 2 for v in x])


def pearson(x, y):
    return np.corrcoef(x, y)[0, 1]


def spearman(x, y):
    return pearson(ranks(x), ranks(y))


def kendall(x, y):
    """tau-b, pair by pair."""
    a, b = np.sign(np.subtract.outer(x, x)), np.sign(np.subtract.outer(y, y))
    return (a * b).sum() / math.sqrt((a * a).sum() * (b * b).sum())


def make_pool(folder):
    """Views of common factors, more or less noisy, each with what was tuned from it: less noisy, one more so."""
    rng = np.random.default_rng(12)
    common = rng.standard_normal((ROWS, 12))
    names, quality = [], []
    for k in range(MODELS):
        for end, noise in (("", 1.0 + 0.2 * k), ("-tuned", 0.4 + 0.1 * k if k else 3.0)):
            d = 6 + 3 * k + len(end)
            x = common @ rng.standard_normal((12, d)) + noise * 3 * rng.standard_normal((ROWS, d))
            np.save(folder / f"m{k}{end}.npy", x.astype("float32"))
            names.append(f"m{k}{end}")
            quality.append(-noise)
    scores = np.array(quality)[:, None] + 0.6 * rng.standard_normal((len(names), TASKS))
    with open(folder / "scores.csv", "w") as f:
        f.write("model," + ",".join(f"t{t}" for t in range(TASKS)) + "\n")
        f.writelines(f"{n}," + ",".join(f"{v!r}" for v in map(float, row)) + "\n" for n, row in zip(names, scores))
    with open(folder / "tasks.csv", "w") as f:
        f.write("task,category,size\n" + "".join(f"t{t},{KINDS[t]},{SIZES[t]}\n" for t in range(TASKS)))
    return names, scores


class Papers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.pool = Path(HOME.name, "pool")
        cls.pool.mkdir()
        cls.names, cls.scores = make_pool(cls.pool)
        for preset in ("default", "shrunk"):
            run("estimate", cls.pool, "--estimator", "linear", "--preset", preset, "-q")
        found = {row["model"]: row["score"] for row in table("rank", cls.pool)}
        cls.lead = np.array([float(found[name]) for name in cls.names])

    def near(self, cell, value, places=9):
        self.assertAlmostEqual(float(cell), value, places)

    def test_categories(self):
        """Each coefficient with the mean percentile over a category's tasks; and sizes."""
        percentile = np.array([100 * (ranks(y) - 1) / (len(y) - 1) for y in self.scores.T])
        rows = {row["category"]: row for row in table("correlate", self.pool, "--by-category")}
        self.assertEqual(list(rows), ["near", "far", "odd", "mean rank"])
        for kind in ("near", "far", "odd"):
            y = np.round(percentile[[k == kind for k in KINDS]].mean(axis=0), 9)
            self.assertEqual(int(rows[kind]["tasks"]), KINDS.count(kind))
            for name, coefficient in (("pearson", pearson), ("spearman", spearman), ("kendall", kendall)):
                self.near(rows[kind][name], coefficient(self.lead, y), 8)
                self.assertLess(float(rows[kind][name + "_low"]), float(rows[kind][name + "_high"]))
        mean_rank = -np.array([ranks(-y) for y in self.scores.T]).mean(axis=0)
        self.near(rows["mean rank"]["spearman"], spearman(self.lead, mean_rank))
        document = json.loads(run("correlate", self.pool, "--by-category", "--json", "-q"))
        each = [spearman(self.lead, y) for y in self.scores.T]
        self.assertEqual([task["size"] for task in document["tasks"]], SIZES)
        for task, rho in zip(document["tasks"], each):
            self.near(task["spearman"], rho)
        self.near(document["sizes"]["spearman"], spearman(SIZES, each))

    def test_units(self):
        """Medians of the matrix's cells over the other targets, times or over what the target has."""
        cells = {value: np.array([[float(v) for k, v in row.items() if k != "source"] for row in
                                  table("matrix", self.pool, "--estimator", "linear", "--value", value, "--order", "name")])
                 for value in ("is", "total", "h")}
        order = [row["source"] for row in table("matrix", self.pool, "--estimator", "linear", "--order", "name")]
        others = ~np.eye(len(order), dtype=bool)
        shares = np.where(cells["h"] > 0, cells["is"] / cells["h"], np.nan)
        for unit, values in (("nats", cells["total"]), ("entropy", shares), ("dimension", cells["is"])):
            rows = table("rank", self.pool, "--estimator", "linear", "--score", "published", "--unit", unit)
            found = {row["model"]: row["score"] for row in rows}
            for i, name in enumerate(order):
                if found[name]:
                    self.near(found[name], np.nanmedian(values[i][others[i]]))
            self.assertGreater(sum(bool(v) for v in found.values()), 5)

    def test_null(self):
        """CKA as it stands; its quantile by chance about that of permutations drawn here; any number of threads."""
        words = ("measure", self.pool, "cka-biased", "--null", "--json", "-q", "--no-store")
        a, b = (json.loads(run(*words, "--threads", n)) for n in (1, 2))
        self.assertEqual(a["measures"], b["measures"])
        x, y = (np.load(self.pool / f"{n}.npy").astype(float) for n in ("m1", "m3"))
        x, y = x - x.mean(axis=0), y - y.mean(axis=0)

        def cka(y):
            return (np.linalg.norm(x.T @ y) ** 2) / (np.linalg.norm(x.T @ x) * np.linalg.norm(y.T @ y))
        rng = np.random.default_rng(1)
        chance = np.quantile([cka(y[rng.permutation(ROWS)]) for _ in range(2000)], 0.95)
        observed = self.matrix("null-cka-biased.observed")
        quantile = self.matrix("null-cka-biased.null")
        excess = self.matrix("null-cka-biased")
        self.near(observed["m1", "m3"], cka(y), 5)
        self.assertLess(abs(quantile["m1", "m3"] - chance), 0.15 * chance)
        self.near(excess["m1", "m3"], observed["m1", "m3"] - quantile["m1", "m3"], 9)
        self.assertGreater(excess["m1", "m1-tuned"], 0)

    def matrix(self, name):
        rows = list(csv.reader(io.StringIO(run("matrix", self.pool, "--measure", name, "--csv", "-q"))))
        return {(row[0], target): float(value) for row in rows[1:] for target, value in zip(rows[0][1:], row[1:]) if value}

    def test_tuned(self):
        """Who rose, and the binomial tail on both sides."""
        document = json.loads(run("tuned", self.pool, "--json", "-q"))
        lead = dict(zip(self.names, self.lead))
        rose = sum(lead[f"m{k}-tuned"] > lead[f"m{k}"] for k in range(MODELS))
        most = max(rose, MODELS - rose)
        tail = 2 * sum(math.comb(MODELS, k) for k in range(most, MODELS + 1)) / 2 ** MODELS
        self.assertEqual(document["score_signs"], {"rose": rose, "fell": MODELS - rose, "same": 0,
                                                   "p": document["score_signs"]["p"]})
        self.near(document["score_signs"]["p"], min(1, tail), 12)
        self.assertEqual([pair["base"] for pair in document["pairs"]], [f"m{k}" for k in range(MODELS)])
        for k, pair in enumerate(document["pairs"]):
            self.near(pair["change"], lead[f"m{k}-tuned"] - lead[f"m{k}"])
        # a column of models.csv says more than a name, and no other surface stumbles over it
        known = Path(self.pool, "models.csv")
        known.write_text("model,price,base\nm0-tuned,2,m1\nm1-tuned,3,gone\n")
        pairs = json.loads(run("tuned", self.pool, "--json", "-q"))["pairs"]
        self.assertIn(("m1", "m0-tuned"), [(pair["base"], pair["tuned"]) for pair in pairs])
        self.assertEqual(len(pairs), MODELS - 1)
        prices = json.loads(run("agree", self.pool, "--json", "-q"))
        self.assertIn("price", json.dumps(prices))
        known.unlink()

    def test_series(self):
        """Ranks over steps are those of the ranking; the baseline is the first that is no step."""
        folder = Path(HOME.name, "run")
        folder.mkdir()
        rng = np.random.default_rng(3)
        common = rng.standard_normal((ROWS, 10))
        for k, name in enumerate(["run@1", "run@2", "run@3", "run@4", "still", "other", "third"]):
            noise = (4, 2, 1, 0.5, 1.5, 3, 2.5)[k]
            x = common @ rng.standard_normal((10, 8 + k)) + 3 * noise * rng.standard_normal((ROWS, 8 + k))
            np.save(folder / f"{name}.npy", x.astype("float32"))
        run("estimate", folder, "--estimator", "linear", "--preset", "shrunk", "-q")
        ranking = {row["model"]: row["rank"] for row in table("rank", folder)}
        document = json.loads(run("series", folder, "--json", "-q"))
        self.assertEqual([step["step"] for step in document["steps"]], [1, 2, 3, 4])
        for step in document["steps"]:
            self.assertEqual(str(step["rank"] or ""), ranking[step["model"]])
        self.assertGreater(sum(step["rank"] is not None for step in document["steps"]), 2)
        first = min((int(rank), name) for name, rank in ranking.items() if rank and "@" not in name)[1]
        self.assertEqual(document["baseline"], first)

    def test_worth(self):
        """q^2 (1 - c) / (c (c - q^2)), q with a task, c between tasks; at most all other tasks."""
        document = json.loads(run("rivals", self.pool, "effective-rank", "--json", "-q"))
        row = next(r for r in document["rivals"] if r["score"] == "predictive")
        y = self.scores.T
        q = np.mean([spearman(self.lead, t) for t in y])
        c = np.mean([spearman(y[a], y[b]) for a in range(TASKS) for b in range(a)])
        worth = math.inf if c <= q * q else q * q * (1 - c) / (c * (c - q * q))
        self.near(row["each_task"], q)
        self.near(row["worth"], min(worth, TASKS - 1))
        self.assertEqual(document["compared"], sum(r["rank"] is not None for r in document["rivals"]))


class Tap(unittest.TextTestResult):
    count = 0

    def line(self, test, word):
        Tap.count += 1
        print(f"{word} {Tap.count} {test.id().split('.')[-1]}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line(test, "ok")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(test, "not ok")

    def addError(self, test, err):
        super().addError(test, err)
        self.line(test, "not ok")


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Papers)
    result = unittest.TextTestRunner(resultclass=Tap, verbosity=0).run(suite)
    print(f"1..{Tap.count}")
    sys.exit(0 if result.wasSuccessful() else 1)
