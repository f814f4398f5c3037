#!/usr/bin/env python3
"""The Python module against the program: test_embedscope.py PROGRAM LIBRARY SOURCE. Prints TAP."""
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import sys
import tempfile
import threading
import time
import types
import unittest
import warnings
from pathlib import Path
from unittest import mock

PROGRAM, LIBRARY, SOURCE = [os.path.abspath(path) for path in sys.argv[1:4]]
HOME = tempfile.TemporaryDirectory(prefix="embedscope-python-")
os.environ.update(EMBEDSCOPE_LIBRARY=LIBRARY, EMBEDSCOPE_PROGRAM=PROGRAM, HOME=HOME.name,
                  XDG_CONFIG_HOME="", XDG_DATA_HOME="", XDG_STATE_HOME="",
                  PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=os.path.join(SOURCE, "src/python"))
sys.path.insert(0, os.environ["PYTHONPATH"])
sys.dont_write_bytecode = True

import numpy as np  # noqa: E402

import embedscope  # noqa: E402

try:
    import pandas
except ImportError:
    pandas = None

SAMPLE = Path(SOURCE, "sample_data/molecules")
NAMES = ["desc_phys16", "mol2vec_128", "maccs_167", "noise_gauss_64"]
X = {name: np.load(SAMPLE / f"{name}.npy") for name in NAMES}
MORE = ["desc_all", "ecfp4_pca64", "smiles_svd64"]  # with those of X of six kinds, and a control
FAMILIES = {"desc_phys16": "descriptors", "mol2vec_128": "learned"}
QUICK = {"estimator": "linear", "preset": "shrunk"}


def printed(*words):
    """What the program prints."""
    return subprocess.run([PROGRAM, *map(str, words)], check=True, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def plain(values):
    """A list with None for what is missing, which pandas has as NaN."""
    return [None if v is None or v != v else v for v in values]


def in_python(code, **environment):
    """What a Python of its own prints."""
    return subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.PIPE,
                          env={**os.environ, **environment}).stdout.decode()


class InAFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="embedscope-python-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)


class Numbers(InAFolder):
    """The same as the program's, to the last bit: their texts have every digit."""

    def check(self, ranking, pool, *words):
        document = ranking._study.document
        self.assertEqual(document("rank", "--csv"), printed("rank", pool, "--csv", *words))
        self.assertEqual(document("matrix", "--csv"), printed("matrix", pool, "--csv", *words))
        for view in ("ranking", "matrix", "tree"):
            self.assertTrue(document("export", view, "--format", "svg") ==
                            printed("export", pool, view, "--format", "svg", *words), view)
        mine, theirs = (json.loads(text) for text in (
            document("rank", "--json"), printed("rank", pool, "--json", *words)))
        for one in (mine, theirs): # where they come from, and how often the rows were drawn
            one["provenance"].pop("pool")
        self.assertEqual(mine, theirs)

    def test_whole_plan_with_families_and_scores(self):
        scores = str(SAMPLE / "scores.csv")
        ranking = embedscope.rank(X, families=FAMILIES, scores=scores, rows="first:400",
                                  settings={"epochs": 2}, estimator="knife", score="published")
        embedscope.save_pool(self.folder / "pool", X, families=FAMILIES)
        Path(self.folder, "pool/scores.csv").write_bytes(Path(scores).read_bytes())
        words = ["--rows", "first:400", "--estimator", "knife", "--set", "epochs=2"]
        printed("estimate", self.folder / "pool", *words)
        self.check(ranking, self.folder / "pool", *words)

    def test_standard_plan(self):
        few = {name: X[name][:300] for name in NAMES[:3]}
        ranking = embedscope.rank(few, seed=3)
        pool = embedscope.save_pool(self.folder / "pool", few)
        printed("estimate", pool, "--seed", 3)
        self.check(ranking, pool, "--seed", 3)
        stored = embedscope.rank(pool, seed=3)
        self.assertEqual(stored.document("rank")["ranking"], ranking.document("rank")["ranking"])

    def test_frontier(self):
        """The same points as the program's; a figure of them; options as on the command line."""
        few = {name: X[name][:300] for name in NAMES[:2]}
        ranking = embedscope.rank(few, **QUICK)
        pool = embedscope.save_pool(self.folder / "pool", few)
        mine = ranking.document("frontier", "--bytes", "16")
        theirs = json.loads(printed("frontier", pool, "--bytes", 16, "--json"))
        for mine_point, point in zip(mine["points"], theirs["points"], strict=True):
            for key in ("model", "transform", "bytes", "kept", "kept_low", "neighbours"):
                self.assertEqual(mine_point[key], point[key], key)
        self.assertIn("bytes a row", ranking.plot("frontier").data.decode())

    def test_table_and_matrix_have_them(self):
        ranking = embedscope.rank(X, **QUICK)
        ranked = ranking.document("rank")["ranking"]
        self.assertEqual(list(ranking.table["model"]), [r["model"] for r in ranked])
        for key in ("rank", "score", "ci_low", "ci_high", "in_best_set", "dim", "pairs"):
            self.assertEqual(plain(ranking.table[key]), [r[key] for r in ranked], key)
        self.assertEqual(ranking.names, sorted(X))
        self.assertEqual(np.asarray(ranking.matrix).tolist(), ranking.document("matrix")["is"])
        self.assertEqual(np.asarray(ranking.errors).tolist(), ranking.document("matrix")["se"])

    def test_best(self):
        """Of three kinds none can be named; of five the first is, and is one of the candidates."""
        few = embedscope.rank(X, scores=str(SAMPLE / "scores.csv"), **QUICK)
        self.assertIsNone(few.best)
        self.assertEqual(few.best_set, [])
        self.assertIn("Too few different embedders to generalise (3 kinds", few.summary())
        more = {**X, **{name: np.load(SAMPLE / f"{name}.npy") for name in MORE}}
        ranking = embedscope.rank(more, scores=str(SAMPLE / "scores.csv"), **QUICK)
        self.assertEqual(ranking.best, ranking.document("rank")["ranking"][0]["model"])
        self.assertIn(ranking.best, ranking.summary())
        self.assertIn(ranking.best, ranking.best_set)
        self.assertIn(ranking.document("rank")["downstream"]["sentence"], ranking.summary())
        self.assertIn(" Downstream (", ranking.summary())
        self.assertNotIn("Downstream", embedscope.rank(X, **QUICK).summary())

    def test_kinds_of_numbers(self):
        base = {name: X[name].astype(np.float16) for name in NAMES[:3]}
        whole = np.round(X["maccs_167"]).astype(np.int16)
        first = embedscope.rank({**base, "maccs_167": whole}, **QUICK).document("rank")["ranking"]
        other = {"desc_phys16": np.asfortranarray(base["desc_phys16"].astype(np.float64)),
                 "mol2vec_128": base["mol2vec_128"].astype(">f4"),
                 "maccs_167": whole.astype(np.int64)[:, ::1].tolist()}
        self.assertEqual(embedscope.rank(other, **QUICK).document("rank")["ranking"], first)

    def test_types_are_those_of_a_pool(self):
        """The seed of a pair is made from the digest, which the type is part of."""
        sign = (X["mol2vec_128"][:300, :16] > 0)
        for kind in (bool, "i1", "u1", "i2", "u2", "i4", "u4", "i8", "u8", "f2", ">f4", ">i2", "g"):
            few = {"a": np.asfortranarray(sign.astype(kind)), "b": X["desc_phys16"][:300].astype("f2"),
                   "c": (10 * X["desc_phys16"][:300, :4]).astype("i8")}
            with self.subTest(kind), tempfile.TemporaryDirectory() as folder:
                embedscope.save_pool(folder, few)
                mine, theirs = (embedscope.rank(of, estimator="linear").document("matrix")
                                for of in (few, folder))
                digests = [d["provenance"]["digests"] for d in (mine, theirs)]
                self.assertEqual(*digests)
                self.assertEqual(mine["is"], theirs["is"])

    def test_what_is_masked_is_missing(self):
        for kind in ("f4", "i2", "i8"):
            masked = np.ma.masked_array((10 * X["desc_phys16"]).astype(kind))
            self.assertEqual(embedscope.rank({**X, "desc_phys16": masked}, **QUICK).notes, [])
            masked[3, 2] = np.ma.masked
            notes = embedscope.rank({**X, "desc_phys16": masked}, **QUICK).notes
            self.assertTrue(any("desc_phys16 is left out" in n and "row 3" in n for n in notes), notes)
            pool = embedscope.save_pool(self.folder / kind, {"a": masked})
            self.assertTrue(np.isnan(np.load(pool / "a.npy")[3, 2]))

    def test_kernels_of_another_core(self):
        code = (f"import numpy, sys; numpy.ones((9, 9)) @ numpy.ones((9, 9)); import embedscope\n"
                f"X = {{n: numpy.load(f'{SAMPLE}/{{n}}.npy')[:300] for n in {NAMES}}}\n"
                "r = embedscope.rank(X, estimator='linear', preset='shrunk')\n"
                "print(r.provenance['blas_core'], r.matrix)")
        self.assertEqual(in_python(code, OPENBLAS_CORETYPE="Prescott").split()[1:],
                         in_python(code).split()[1:])

    def test_without_pandas(self):
        code = (f"import sys; sys.modules['pandas'] = None; import numpy, embedscope\n"
                f"X = {{n: numpy.load(f'{SAMPLE}/{{n}}.npy') for n in {NAMES}}}\n"
                "r = embedscope.rank(X, estimator='linear', preset='shrunk')\n"
                "assert type(r.table) is embedscope.Table and type(r.matrix) is numpy.ndarray\n"
                "assert [row['score'] for row in r.table] == r.table['score'], r.table\n"
                "assert r._repr_html_().count('<tr>') == 5 and len(str(r.table).splitlines()) == 5\n"
                "print([s and s.hex() for s in r.table['score']], r.table[0]['model'])")
        ranking = embedscope.rank(X, **QUICK)
        scores = [s and float(s).hex() for s in plain(ranking.table["score"])]
        self.assertEqual(in_python(code).strip(), f"{scores} {list(ranking.table['model'])[0]}")


class Asked(InAFolder):
    def test_errors_have_the_words_of_the_library(self):
        for error, says, call in [
                (ValueError, "no estimator 'nope'", lambda: embedscope.rank(X, estimator="nope")),
                (ValueError, "no parameter is called budgett; did you mean budget?",
                 lambda: embedscope.rank(X, budgett="1m")),
                (ValueError, "no parameter is called aggregate",
                 lambda: embedscope.rank(X, aggregate="mean")),
                (ValueError, "rows takes auto", lambda: embedscope.rank(X, rows="x")),
                (ValueError, "dry_run, nodes and format (json, csv) of `embedscope estimate`",
                 lambda: embedscope.rank(X, dry_run=True)),
                (ValueError, "and output are", lambda: embedscope.rank(X, output="x.csv")),
                (ValueError, "score is 'predictive', 'published' or None, not 'mean'",
                 lambda: embedscope.rank(X, score="mean")),
                (embedscope.EmbedscopeError, "memory='", lambda: embedscope.rank(X, memory="1")),
                (embedscope.EmbedscopeError, "drop_rows=True leaves those rows out (and strict=True",
                 lambda: embedscope.rank({**X, "b": np.where(np.eye(1500, 2) > 0, np.nan, 1.0)},
                                         strict=True)),
                (ValueError, "no setting 'x'", lambda: embedscope.rank(X, settings={"x": 1})),
                (ValueError, "shape (3,)", lambda: embedscope.rank({"a": [1, 2, 3]})),
                (ValueError, "type <U1", lambda: embedscope.rank({"a": [["x"]]})),
                (ValueError, "no embedders", lambda: embedscope.rank({})),
                (ValueError, "holds a NUL", lambda: embedscope.rank({**X, "z\0q": X[NAMES[0]]})),
                (ValueError, "holds a NUL", lambda: embedscope.rank(X, estimator="li\0near")),
                (ValueError, "UTF-8", lambda: embedscope.rank({**X, "z\ud800": X[NAMES[0]]})),
                (ValueError, "for the command line", lambda: embedscope.rank(X, dry_run=True)),
                (ValueError, "for the command line", lambda: embedscope.rank(X, nodes=3)),
                (ValueError, "for the command line", lambda: embedscope.rank(X, json=True)),
                (ValueError, "for the command line", lambda: embedscope.rank(X, format="csv")),
                (ValueError, "stranger", lambda: embedscope.rank(X, families={"stranger": "f"})),
                (FileNotFoundError, "/no/folder", lambda: embedscope.rank("/no/folder")),
                (ValueError, "scores: of 'a' on 't': 'x' is no number",
                 lambda: embedscope.rank(X, scores={"a": {"t": "x"}})),
                (ValueError, "scores: of 'a' on 't': inf: they are up to 1e+30",
                 lambda: embedscope.rank(X, scores={"a": {"t": float("inf")}})),
                (embedscope.EmbedscopeError, "scores: line 2, column 1: the name is empty",
                 lambda: embedscope.rank(X, scores={"": 1})),
                (embedscope.EmbedscopeError, ": there is one embedder, two are needed",
                 lambda: embedscope.rank({"a": X[NAMES[0]]})),
                (embedscope.EmbedscopeError, "two embedders are needed; b is left out: ",
                 lambda: embedscope.rank({"a": X[NAMES[0]], "b": np.full((1500, 2), np.nan)}))]:
            with self.subTest(says), self.assertRaises(error) as raised:
                call()
            self.assertIsInstance(raised.exception, embedscope.EmbedscopeError)
            self.assertNotRegex(str(raised.exception), "--[a-z]")
            self.assertIn(says, str(raised.exception))

    def test_what_is_left_out_is_a_warning(self):
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            ranking = embedscope.rank({**X, "few": np.ones((3, 2))}, **QUICK)
        self.assertTrue(any("few is left out" in str(w.message) for w in said))
        self.assertTrue(any("few is left out" in note for note in ranking.notes))
        self.assertEqual(said[0].filename, __file__)
        ranking.document("correlate", "--scores", str(SAMPLE / "scores.csv"))
        ranking.to_html()
        self.assertEqual(len(set(ranking.notes)), len(ranking.notes))
        self.assertEqual(len({str(w.message) for w in said}), len(said))

    def test_a_missing_family_is_none(self):
        for missing in (None, float("nan")) + ((pandas.NA,) if pandas is not None else ()):
            ranking = embedscope.rank(X, families={**FAMILIES, NAMES[2]: missing}, **QUICK)
            self.assertEqual(ranking.document("rank")["ranking"],
                             embedscope.rank(X, families=FAMILIES, **QUICK).document("rank")["ranking"])
            pool = embedscope.save_pool(self.folder / str(missing), X, families={NAMES[2]: missing})
            self.assertNotIn("family", (pool / "pool.json").read_text())

    def test_score_is_followed(self):
        scores = {name: {"a": float(i)} for i, name in enumerate(X)}
        ranking = embedscope.rank(X, scores=scores, estimator="linear", score="published")
        self.assertEqual(ranking.document("rank")["score"], "published")
        self.assertEqual(ranking.document("correlate")["score"], "published")
        self.assertNotIn("published", str(ranking.document("correlate", "--score", "effective-rank")))
        for view in ("ranking", "correlation"):
            self.assertEqual(ranking.plot(view).data,
                             ranking._study.document("export", view, "--score", "published",
                                                     "--format", "svg"))
        self.assertIn(ranking.table["model"][0], ranking.to_html())
        ranking.document("compare", *NAMES[:2])

    def test_scores(self):
        by_model = {name: {"a": float(i), "b": None if i == 1 else 2.5} for i, name in enumerate(X)}
        given = [by_model, {name: row["a"] for name, row in by_model.items()}]
        if pandas is not None:
            given.append(pandas.DataFrame.from_dict(by_model, orient="index"))
            given.append(given[-1].rename_axis("model").reset_index())
            given.append(given[-2].astype("Float64"))  # whose missing one is NA
        found = [embedscope.rank(X, scores=s, **QUICK).document("correlate")["tasks"] for s in given]
        self.assertEqual([task["task"] for task in found[0]][:2], ["a", "b"])
        self.assertEqual([task["n"] for task in found[0]][:2], [3, 2])  # noise is not ranked
        self.assertEqual(found[1][0]["spearman"], found[0][0]["spearman"])
        for one in found[2:]:
            self.assertEqual(one, found[0])
        with self.assertRaisesRegex(ValueError, "expected a DataFrame"):
            embedscope.rank(X, scores=3, **QUICK)

    def test_scores_and_families_of_a_pool(self):
        """As --scores and --families of the command line, in place of the pool's own; their files
        are gone when the documents are made."""
        embedscope.save_pool(self.folder / "pool", X, scores={name: 1.0 for name in X},
                             families={NAMES[2]: "old"})
        (self.folder / "pool/families.csv").write_text(f"model,family\n{NAMES[1]},old\n")
        scores = {name: {"t": float(i), "u": float(i % 2)} for i, name in enumerate(X)}
        ranking = embedscope.rank(self.folder / "pool", scores=scores, families=FAMILIES, **QUICK)
        files = self.folder / "s.csv", self.folder / "f.csv"
        files[0].write_text("model,t,u\n" + "".join(
            f"{name},{row['t']},{row['u']}\n" for name, row in scores.items()))
        files[1].write_text("model,family\n" + "".join(
            f"{name},{family}\n" for name, family in FAMILIES.items()))
        words = [self.folder / "pool", "--families", files[1], "--scores", files[0], "--json"]
        for command in ("rank", "correlate"):
            theirs = json.loads(printed(command, *words, "--estimator", "linear", "--preset", "shrunk"))
            mine = ranking.document(command)
            for one in (mine, theirs):
                one.pop("provenance")
            self.assertEqual(mine, theirs)
        self.assertIn(ranking.document("rank")["downstream"]["sentence"], ranking.summary())
        self.assertEqual({r["model"]: r["family"] for r in ranking.document("rank")["ranking"]},
                         {**dict.fromkeys(X), NAMES[2]: "old", **FAMILIES})
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            embedscope.rank(self.folder / "pool", families={"stranger": "f"}, **QUICK)
        self.assertIn("families.csv: line 2: no embedder is called \"stranger\"",
                      " ".join(str(one.message) for one in said))

    def test_scores_that_stand_twice_are_refused(self):
        twice = [("the models of scores: 2 are called '1'", {1: 0.5, "1": 0.25}),
                 ("the tasks of 'a' in scores: 2 are called '1'", {"a": {1: 0.5, "1": 0.25}})]
        if pandas is not None:
            table = pandas.DataFrame([[1, 2]] * 3, columns=["s", "t"], index=["a", "b", "a"])
            twice += [("the models of scores: 2 are called 'a'", table),
                      ("the models of scores: 2 are called 'a'",
                       table.rename_axis("model").reset_index()),
                      ("the columns of scores: 2 are called 't'",
                       table[:2].rename(columns={"s": "t"}))]
        for says, scores in twice:
            with self.subTest(says), self.assertRaisesRegex(ValueError, says):
                embedscope.rank(X, scores=scores)
            with self.assertRaisesRegex(ValueError, says):
                embedscope.save_pool(self.folder / "pool", X, scores=scores)
        self.assertFalse((self.folder / "pool").exists())

    def test_kinds_are_said_by_whoever_said_them(self):
        few = {name: X[name] for name in NAMES[:3]}
        notes = embedscope.rank(few, binary=["maccs_167"], **QUICK).notes
        self.assertTrue(any("takes maccs_167 as continuous, though given as binary" in n
                            for n in notes), notes)

    def test_progress(self):
        calls, bars = [], []

        class Tqdm:
            def __init__(self, total, **about):
                self.total, self.n, self.about = total, 0, about
                bars.append(self)

            def refresh(self):
                self.about["shown"] = self.n

            def close(self):
                self.about["closed"] = True

        auto = types.ModuleType("tqdm.auto")
        auto.tqdm = Tqdm
        with mock.patch.dict(sys.modules, {"tqdm": types.ModuleType("tqdm"), "tqdm.auto": auto}):
            embedscope.rank(X, progress=True, callback=lambda *now: calls.append(now), **QUICK)
        self.assertEqual(calls[-1], (16, 16))
        self.assertEqual([(b.total, b.about["shown"], b.about["closed"]) for b in bars],
                         [(16, 16, True)])
        with mock.patch.dict(sys.modules, {"tqdm": None, "tqdm.auto": None}), \
                mock.patch("sys.stderr", io.StringIO()) as line:
            embedscope.rank(X, progress=True, **QUICK)
        self.assertIn("embedscope: 16/16, 100 %", line.getvalue())

    def test_interrupt_is_quick(self):
        at = []
        # as in a terminal: whoever is started in the background ignores it
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)

        def press():
            at.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(0.4, press)
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            embedscope.rank(X, estimator="knife", settings={"epochs": 5000, "patience": 5000, "worse": 0})
        took = time.monotonic() - at[0]
        print(f"# Ctrl-C took {1000 * took:.0f} ms")
        self.assertLess(took, 0.1 if os.getloadavg()[0] < os.cpu_count() else 0.5)

    def test_a_callback_may_raise(self):
        def stop(done, total):
            raise RuntimeError(f"{total} are too many")

        with self.assertRaisesRegex(RuntimeError, "16 are too many"):
            embedscope.rank(X, callback=stop, **QUICK)

    def test_a_callback_that_asks_is_refused(self):
        code = (f"import faulthandler, gc, numpy, embedscope\n"
                "faulthandler.dump_traceback_later(60, exit=True)\n"
                f"X = {{n: numpy.load(f'{SAMPLE}/{{n}}.npy')[:300] for n in {NAMES}}}\n"
                "quick = {'estimator': 'linear', 'preset': 'shrunk'}\n"
                "other = embedscope.rank(X, **quick)\n"
                "for ask in (lambda *now: other.matrix, lambda *now: embedscope.rank(X, **quick)):\n"
                "    try:\n"
                "        embedscope.rank(X, seed=1, callback=ask, **quick)\n"
                "    except embedscope.EmbedscopeError as why:\n"
                "        print('returned' in str(why), end=' ')\n"
                "print(other.matrix.shape, end=' ')\n"
                "other.itself = other\n" # waits for the garbage collector
                "other = None\n"
                "embedscope.rank(X, seed=1, callback=lambda *now: gc.collect(), **quick)\n"
                "print(embedscope._library._at_work._left)")
        self.assertEqual(in_python(code), "True True (4, 4) []\n")


class Shown(InAFolder):
    @classmethod
    def setUpClass(cls):
        cls.ranking = embedscope.rank(X, families=FAMILIES, scores=SAMPLE / "scores.csv", **QUICK)

    def test_pictures(self):
        for view, options in [("ranking", {}), ("matrix", {"order": "cluster", "title": "Mine"}),
                              ("tree", {}), ("correlation", {}), ("compare", {"models": NAMES[:2]})]:
            svg = self.ranking.plot(view, **options)._repr_mimebundle_()["image/svg+xml"]
            self.assertTrue("<svg" in svg and "<text" in svg, view)
        self.assertIn("Mine", self.ranking.plot("matrix", title="Mine").data.decode())
        self.assertTrue(self.ranking.plot(format="pdf").data.startswith(b"%PDF"))
        self.ranking.plot(format="png").save(self.folder / "a.png")
        self.assertTrue((self.folder / "a.png").read_bytes().startswith(b"\x89PNG"))
        with self.assertRaisesRegex(ValueError, "no view is called 'ranks'"):
            self.ranking.plot("ranks")
        for other in ({"models": NAMES[:2]}, {"seed": 7}, {"estimator": "knife"}, {"rows": 100}):
            with self.assertRaisesRegex(ValueError, "that were estimated"):
                self.ranking.plot("matrix", **other)
        shown = self.ranking.plot("matrix", show=",".join(NAMES[:2])).data
        self.assertNotEqual(shown, self.ranking.plot("matrix").data)

    def test_report(self):
        page = self.ranking.to_html()
        path = self.ranking.to_html(str(self.folder / "report.html"))
        self.assertEqual(path, self.folder / "report.html")
        self.assertEqual(path.read_text(), page)
        self.assertTrue(self.ranking.table["model"][0] in page)
        self.assertFalse("/tmp/" in page)
        self.assertTrue("embedscope report mypool --estimator linear" in page)
        self.assertTrue("save_pool" in page)

    def test_in_a_notebook(self):
        self.assertIn("<table", self.ranking._repr_html_())
        self.assertIn(self.ranking.summary(), repr(self.ranking))


class Pools(InAFolder):
    def test_what_is_saved_is_a_pool(self):
        texts = [f"text {i}, \"quoted\"" for i in range(1500)]
        models = {"org/first": X[NAMES[0]], "second": X[NAMES[1]].astype(np.float32)}
        pool = embedscope.save_pool(self.folder / "new/pool", models, texts=texts,
                                    families={"second": "f"}, scores={"second": 1, "org/first": 2})
        info = json.loads(printed("info", pool, "--json"))
        self.assertEqual([m["name"] for m in info["models"]], ["org/first", "second"])
        self.assertEqual(info["excluded"], [])
        self.assertEqual([m.get("family") for m in info["models"]], [None, "f"])
        self.assertIn(f'7,"{texts[7]}"'.replace('"quoted"', '""quoted""'),
                      (pool / "rows.csv").read_text())
        self.assertEqual((pool / "scores.csv").read_text(),
                         "model,score\nsecond,1.0\norg/first,2.0\n")

    def test_nothing_is_lost(self):
        pool = embedscope.save_pool(self.folder / "pool", {"a": X[NAMES[0]]})
        before = (pool / "a.npy").read_bytes()
        with self.assertRaisesRegex(FileExistsError, "a.npy"):
            embedscope.save_pool(pool, {"b": X[NAMES[1]], "a": X[NAMES[1]]})
        self.assertFalse((pool / "b.npy").exists())
        self.assertEqual((pool / "a.npy").read_bytes(), before)
        embedscope.save_pool(pool, {"a": X[NAMES[1]]}, overwrite=True)
        self.assertNotEqual((pool / "a.npy").read_bytes(), before)

    def test_a_list_is_added_to(self):
        def members(pool):
            info = json.loads(printed("info", pool, "--json"))
            return {m["name"]: m.get("family") for m in info["models"]}

        few = {name: X[NAMES[0]][:100] for name in "abcde"}
        pool = embedscope.save_pool(self.folder / "pool", {n: few[n] for n in "ab"})
        np.save(pool / "org.queries.npy", few["a"])
        (pool / "deep/er").mkdir(parents=True)
        np.save(pool / "deep/er/c.npy", few["c"])
        embedscope.save_pool(pool, {"d": few["d"]}, families={"d": "f"}, texts=range(100))
        found = {"a": None, "b": None, "deep/er/c": None, "d": "f"}
        self.assertEqual(members(pool), found)
        about = json.loads((pool / "pool.json").read_text())
        about["name"], about["models"][0]["notes"] = "mine", "first"
        (pool / "pool.json").write_text(json.dumps(about))
        embedscope.save_pool(pool, {"e": few["e"]})
        self.assertEqual(members(pool), {**found, "e": None})
        embedscope.save_pool(pool, {"a": few["a"]}, families={"a": "g"}, overwrite=True)
        self.assertEqual(members(pool), {**found, "a": "g", "e": None})
        after = json.loads((pool / "pool.json").read_text())
        self.assertEqual((after["name"], after["models"][0]["notes"]), ("mine", "first"))
        about["models"] = [{"name": "a", "file": "deep/er/c.npy"}]
        (pool / "pool.json").write_text(json.dumps(about))
        (pool / "a.npy").unlink()
        with self.assertRaisesRegex(FileExistsError, "deep/er/c.npy is there"):
            embedscope.save_pool(pool, {"a": few["a"]})
        (pool / "pool.json").unlink()
        (pool / "table.csv").write_text("1,2\n")
        with self.assertRaisesRegex(ValueError, "table.csv may be an embedder"):
            embedscope.save_pool(pool, {"f": few["a"]}, families={"f": "g"})
        (pool / "pool.json").write_text("{")
        with self.assertRaisesRegex(ValueError, "pool.json"):
            embedscope.save_pool(pool, {"f": few["a"]})
        self.assertFalse((pool / "f.npy").exists())

    def test_refusals(self):
        for says, call in [("names?|name", lambda p: embedscope.save_pool(p, {"../a": X[NAMES[0]]})),
                           ("name", lambda p: embedscope.save_pool(p, {"": X[NAMES[0]]})),
                           ("name", lambda p: embedscope.save_pool(p, {".hidden": X[NAMES[0]]})),
                           ("names of embedders: 2 are called '1'",
                            lambda p: embedscope.save_pool(p, {n: X[NAMES[0]] for n in (1, "1")})),
                           ("x.queries.npy holds vectors of queries",
                            lambda p: embedscope.save_pool(p, {"a/x.queries": X[NAMES[0]]})),
                           ("texts, row 1: .*UTF-8",
                            lambda p: embedscope.save_pool(p, {"a": X[NAMES[0]][:2]},
                                                           texts=["x", "\ud800"])),
                           ("families: .*UTF-8",
                            lambda p: embedscope.save_pool(p, {"a": X[NAMES[0]]},
                                                           families={"a": "\ud800"})),
                           ("'a' on 'score': 'x' is no number",
                            lambda p: embedscope.save_pool(p, X, scores={"a": "x"})),
                           ("shape", lambda p: embedscope.save_pool(p, {"a": [1, 2]})),
                           ("2 of them", lambda p: embedscope.save_pool(p, {"a": X[NAMES[0]]},
                                                                        texts=["x", "y"]))]:
            with self.assertRaisesRegex(ValueError, says):
                call(self.folder / "pool")
        self.assertFalse((self.folder / "pool").exists())

    def test_explore(self):
        pool = embedscope.save_pool(self.folder / "pool", {n: X[n][:100] for n in NAMES})
        with self.assertRaisesRegex(embedscope.EmbedscopeError, f"embedscope {pool}"):
            with mock.patch("sys.stdin", io.StringIO()):
                embedscope.explore(pool)
        code = f"import embedscope; embedscope.explore({str(pool)!r}); print('left')"
        process, terminal = pty.fork()
        if process == 0:
            os.execve(sys.executable, [sys.executable, "-c", code], {**os.environ, "TERM": "xterm"})
        seen, asked, until = b"", 0, time.monotonic() + 60
        while select.select([terminal], [], [], max(0, until - time.monotonic()))[0]:
            try:
                seen += os.read(terminal, 65536)
            except OSError: # it has left
                break
            if not asked and b"pool" in seen: # its first screen
                asked = os.write(terminal, b"q")
        else:
            os.kill(process, signal.SIGKILL)
        self.assertEqual(os.waitpid(process, 0)[1], 0)
        self.assertIn(b"left", seen)


class Written(InAFolder):
    def test_documents(self):
        """Lines of README and docs, one block after the other, in a folder where nothing is but texts.txt."""
        class SentenceTransformer:
            def __init__(self, name):
                self.seed = len(name)

            def encode(self, texts):
                draw = np.random.default_rng(self.seed)
                length = np.array([[len(text)] for text in texts])
                return (length + draw.normal(size=(len(texts), self.seed))).astype(np.float32)

        here = os.getcwd()
        self.addCleanup(os.chdir, here)
        models = types.ModuleType("sentence_transformers")
        models.SentenceTransformer = SentenceTransformer
        documents = {"README.md": ("\n## Python\n", 1), "docs/python.md": ("# Python", 3)}
        for document, (heading, count) in documents.items():
            text = Path(SOURCE, document).read_text().split(heading)[1].split("\n## ")[0]
            blocks = re.findall(r"^```python\n(.*?)^```", text, re.M | re.S)
            self.assertEqual(len(blocks), count, document)
            names, folder = {}, self.folder / f"of {len(document)}"
            folder.mkdir()
            os.chdir(folder)
            Path("texts.txt").write_text("".join("x" * (i % 17) + "\n" for i in range(200)))
            with mock.patch.dict(sys.modules, {"sentence_transformers": models}):
                for block in blocks:
                    exec(block, names)  # pylint: disable=exec-used
            self.assertTrue(Path("matrix.svg").exists() and Path("report.html").exists())
            self.assertTrue(Path("mypool", "rows.csv").exists())
        words = ["--estimator", "linear", "--preset", "shrunk", "--seed", "1"]
        self.assertEqual(names["again"]._study.document("rank", "--csv"),
                         printed("rank", "mypool", "--csv", *words))
        ranked = [names[name].document("rank") for name in ("quick", "again")]
        for one in ranked:
            one["provenance"].pop("pool")
        self.assertEqual(*ranked)

    def test_docs_list_the_documents_that_there_are(self):
        line = re.search(r"ranking\.document\(\"(\w+)\".*# also (.*)", Path(SOURCE, "docs/python.md").read_text())
        words = {"compare": NAMES[:2], "rows": NAMES[:2]}
        scores = {name: {"t": float(i)} for i, name in enumerate(X)}
        ranking = embedscope.rank({n: x[:300] for n, x in X.items()}, scores=scores, **QUICK)
        for command in [line[1], *line[2].split(", ")]:
            self.assertIn("provenance", ranking.document(command, *words.get(command, [])), command)

    def test_annotations(self):
        try:
            from mypy import api
        except ImportError:
            self.skipTest("mypy is not here")
        out, err, code = api.run(["--strict", "--cache-dir", os.path.join(HOME.name, "mypy"),
                                  os.path.join(SOURCE, "src/python/embedscope")])
        self.assertEqual(code, 0, out + err)


class Tap(unittest.TextTestResult):
    """One line a test, as ./dev test counts them."""

    def __init__(self, *args):
        super().__init__(*args)
        self.number = 0

    def line(self, test, word, rest=""):
        self.number += 1
        print(f"{word} {self.number} {test.id().split('.', 1)[1]}{rest}", flush=True)

    def addSuccess(self, test):
        super().addSuccess(test)
        self.line(test, "ok")

    def addSkip(self, test, reason):
        super().addSkip(test, reason)
        self.line(test, "ok", f" # SKIP {reason}")

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.line(test, "not ok")

    def addError(self, test, err):
        super().addError(test, err)
        self.line(test, "not ok")

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.line(subtest, "not ok")


if __name__ == "__main__":
    suite = unittest.defaultTestLoader.loadTestsFromModule(sys.modules[__name__])
    result = unittest.TextTestRunner(resultclass=Tap, verbosity=0).run(suite)
    print(f"1..{result.testsRun}")
    sys.exit(not result.wasSuccessful())
