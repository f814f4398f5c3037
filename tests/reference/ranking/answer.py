"""Writes answer.txt: numbers by rank.py (NumPy, float64) for tests of the ranking, one array a line:
name, number of values, values. Matrices are row-major; -1 stands for "not ranked".

    python3 answer.py CASES.npz EXPECTED.json > answer.txt

CASES.npz holds embedders and their rows, EXPECTED.json what rank.py says of them with 20,000 draws.
The width of six small embedders (width_*) is computed from seeded rows."""
import json
import sys

import numpy as np

import rank

cases, expected = np.load(sys.argv[1]), json.load(open(sys.argv[2]))
X = [cases[name] for name in expected["names"]]
tr, te = cases["tr"], cases["te"]


def put(name, values):
    values = np.asarray(values, float).ravel()
    print(name, len(values), *("%.17g" % v for v in values))


def parts(family, control, x):
    return rank.score(x, tr, te, family, control, draws=20000, seed=5)


def put_case(tag, got, family):
    put(tag + "_info", got["info"])
    put(tag + "_m", got["M"])
    put(tag + "_hand", got["hand"].transpose(1, 2, 0))  # (m, m, blocks)
    put(tag + "_kind", got["kind"])
    put(tag + "_first", got["first"])
    put(tag + "_vote", got["vote"])
    put(tag + "_who", got["who"])
    put(tag + "_family", family)
    put(tag + "_lead", got["rank"]["lead"])
    put(tag + "_delta", got["rank"]["delta"])
    put(tag + "_information", got["rank_info"]["lead"])
    if "new" in got["rank"]:
        new = got["rank"]["new"]
        put(tag + "_se", np.where(np.isinf(new["se"]), -1, new["se"]))
        put(tag + "_nu", new["nu"])
        put(tag + "_best", new["best"])
        put(tag + "_low", new["low"])
        put(tag + "_high", new["high"])


fam = expected["fam"]
number = np.unique(fam, return_inverse=True)[1]
got = parts(fam, [f == "control" for f in fam], X)
put_case("families", got, number)
assert np.allclose(got["rank"]["lead"], expected["families"]["rank"]["lead"])
got = parts(None, None, X)
put_case("none", got, np.arange(len(X)))
assert np.allclose(got["rank"]["lead"], expected["none"]["rank"]["lead"])
put_case("four", parts(None, None, X[:4]), np.arange(4))

g = np.random.default_rng(3)
n = 60
Z = g.normal(size=(n, 5))
rows = [Z[:, :3] @ g.normal(size=(3, d)) + 0.5 * g.normal(size=(n, d)) for d in (4, 6, 3, 5)]
rows += [g.normal(size=(n, 4)), Z @ g.normal(size=(5, 6))]
train, test = np.arange(45), np.arange(45, 60)
P = [rank.prepare(x, train) for x in rows]
for p in P:
    p["z"] = p["z"].astype("f4").astype(float)
kind, family = np.array([0, 0, 1, 2, 3, 4]), np.array([0, 1, 2, 0, 3, 4])
vote = np.array([True, True, True, True, False, True])
put("width_components", [len(p["ev"]) for p in P])
put("width_variance", np.hstack([p["ev"] for p in P]))
put("width_z", np.hstack([p["z"] for p in P]))  # (60, all components)
put("width_kind", kind)
put("width_family", family)
put("width_vote", vote)
put("width_shared", rank.shared(P, kind, family, vote, train, test))
