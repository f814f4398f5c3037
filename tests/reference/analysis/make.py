#!/usr/bin/env python3
"""Makes the files of this folder that SciPy can make: linkage.csv, leaf_order.csv, stats.csv.

Usage: make.py [EXPECTED.json]   (stats.csv is made only from a file of cases with x and y)
Needs NumPy and SciPy (cluster, and for stats.csv also stats); made with SciPy 1.10.1.
"""
import csv
import json
import os
import sys

import numpy as np
from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering
from scipy.spatial.distance import pdist, squareform

here = os.path.dirname(os.path.abspath(__file__))


def matrix():
    with open(os.path.join(here, "nlp_is_square20.csv")) as file:
        rows = list(csv.reader(file))[1:]
    return np.array([[float(v) for v in row[1:]] for row in rows])


def write(name, rows):
    with open(os.path.join(here, name), "w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)


def tied(m):
    """A matrix of few different values: many equal distances."""
    return np.array([[(3 * i * i + 5 * j + i * j) % 4 for j in range(m)] for i in range(m)], float)


def make_linkage():
    rows = [["matrix", "of", "method", "a", "b", "height", "size"]]
    costs = [["matrix", "of", "method", "sum_between_neighbours"]]
    for name, values in (("nlp", matrix()), ("tied", tied(12))):
        for of, x in (("sources", values), ("targets", values.T)):
            for method in ("ward", "average", "complete", "single", "median"):
                if name == "tied" and method == "median":
                    continue  # equal heights are merged in another order
                z = linkage(x, method)
                rows += [[name, of, method, int(a), int(b), repr(float(h)), int(n)] for a, b, h, n in z]
                d = squareform(pdist(x))
                order = leaves_list(optimal_leaf_ordering(z, pdist(x)))
                cost = sum(d[a, b] for a, b in zip(order[:-1], order[1:]))
                costs.append([name, of, method, repr(float(cost))])
    write("linkage.csv", rows)
    write("leaf_order.csv", costs)


def make_stats(path):
    with open(path) as file:
        cases = json.load(file)
    rows = [["case", "x", "y", "pearson", "spearman", "kendall", "weighted_tau"]]
    for name, case in cases.items():
        if "x" not in case:
            continue
        values = [case[k] for k in ("pearson", "spearman", "kendall_tau_b", "weightedtau")]
        rows.append([name, " ".join(repr(float(v)) for v in case["x"]),
                     " ".join(repr(float(v)) for v in case["y"])]
                    + ["" if v is None else repr(v) for v in values])
    write("stats.csv", rows)


make_linkage()
if len(sys.argv) > 1:
    make_stats(sys.argv[1])
