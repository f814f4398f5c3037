"""The papers' tables and figures from sample data: papers.py PROGRAM [FOLDER]

Writes FOLDER/papers.md with a section for each kind of analysis, its pictures beside it. Where sample_data/paper-nlp
holds what a paper printed, both stand side by side; elsewhere the sample pool has the same table of other data,
with pairs, labels and judgements made here from what is known of its molecules: they show the form, not the papers'
numbers.
"""

import csv
import io
import json
import os
import random
import shutil
import struct
import subprocess
import sys

# Darrin et al. 2024, Figure 3a and Table 9, as printed: Pearson, Spearman, Kendall of the score in Table 1.
PUBLISHED = {"average": (0.94, 0.90, 0.73), "classification": (0.92, 0.88, 0.73), "clustering": (0.86, 0.85, 0.66),
             "reranking": (0.84, 0.78, 0.64), "retrieval": (0.89, 0.89, 0.69), "sts": (0.92, 0.83, 0.63)}
KINDS = ("pearson", "spearman", "kendall")


def run(*words):
    """Standard output of the program."""
    return subprocess.run([PROGRAM, *words, "-q"], check=True, capture_output=True, text=True).stdout


def table(*words):
    return list(csv.DictReader(io.StringIO(run(*words, "--csv"))))


def read_npy(path):
    """Rows of a small C-ordered array of floats or bytes."""
    with open(path, "rb") as f:
        data = f.read()
    length = struct.unpack("<H", data[8:10])[0]
    head = eval(data[10:10 + length].decode(), {"__builtins__": {}}, {})  # a literal of NumPy's own format
    n, d = head["shape"]
    code = {"f4": "f", "f8": "d", "u1": "B", "i1": "b", "b1": "?"}[head["descr"][1:]]
    flat = struct.unpack(f"<{n * d}{code}", data[10 + length:])
    return [flat[i * d:(i + 1) * d] for i in range(n)]


def bits(rows):
    return [sum(1 << j for j, v in enumerate(r) if v) for r in rows]


def tanimoto(a, b):
    both = bin(a | b).count("1")
    return bin(a & b).count("1") / both if both else 0


def near_pairs(prints, rng, count):
    """Pairs (a, b, similarity) of a row and one of the 30 most similar ones."""
    out = []
    for a in rng.sample(range(len(prints)), count):
        order = sorted((b for b in range(len(prints)) if b != a), key=lambda b: -tanimoto(prints[a], prints[b]))
        b = order[rng.randrange(30)]
        out.append((a, b, tanimoto(prints[a], prints[b])))
    return out


def write(path, head, rows):
    with open(path, "w") as f:
        f.write(head + "\n" + "".join(",".join(str(c) for c in row) + "\n" for row in rows))


def make_pool(pool):
    """The sample pool with two sets of scored pairs, rows that compete, labels, and judged queries."""
    rng = random.Random(7)
    shutil.copytree("sample_data/molecules", pool, ignore=shutil.ignore_patterns(".embedscope"))
    sets = {"ecfp": bits(read_npy(pool + "/ecfp4_b256.npy")), "maccs": bits(read_npy(pool + "/maccs_167.npy"))}
    pairs = [(a, b, f"{s:.4f}", name) for name, prints in sets.items() for a, b, s in near_pairs(prints, rng, 120)]
    n = len(sets["ecfp"])
    write(pool + "/pairs.csv", "row,row,score,set", pairs)
    write(pool + "/background.csv", "row", [(r,) for r in sorted(rng.sample(range(n), 400))])
    phys = read_npy(pool + "/desc_phys16.npy")
    cut = [sorted(r[k] for r in phys)[n // 2] for k in (0, 1)]
    write(pool + "/labels.csv", "row,first,second",
          [(i, "ab"[r[0] > cut[0]], "xy"[r[1] > cut[1]]) for i, r in enumerate(phys)])
    write(pool + "/qrels.csv", "query,doc,rel", sorted({(a, b, 1) for a, b, _, _ in pairs}))
    with open(pool + "/scores.csv") as f:
        tasks = f.readline().strip().split(",")[1:]
    kinds = {"esol": "physical", "freesolv": "physical", "lipo": "physical", "bace_pic50": "binding",
             "bace_cls": "binding", "hiv": "binding"}
    write(pool + "/tasks.csv", "task,category", [(t, kinds.get(t, "ADMET")) for t in tasks])


def show(rows, columns, digits=2):
    """Markdown."""
    def cell(value):
        if str(value).isdigit():
            return str(value)
        try:
            return f"{float(value):.{digits}f}"
        except (TypeError, ValueError):
            return value or ""
    print("| " + " | ".join(columns) + " |\n|" + " --- |" * len(columns), file=OUT)
    for row in rows:
        print("| " + " | ".join(cell(row.get(c)) for c in columns) + " |", file=OUT)
    print(file=OUT)


def section(title, *lines):
    print(f"## {title}\n\n" + "\n".join(lines) + "\n", file=OUT)


def picture(name, *words):
    run("export", *words, "-o", f"{FOLDER}/{name}")
    print(f"![{name}]({name})\n", file=OUT)


def categories(pool):
    section("Categories (EMIR, Figure 3a and Table 9)", "The published score against MTEB's categories: ours from",
            "`sample_data/paper-nlp` (30 embedders have both; the figure has 29; scores as printed there are",
            "rounded to two digits, so that many tie), and as printed.")
    nlp = "sample_data/paper-nlp/"
    found = json.loads(run("correlate", "--ranking", nlp + "ranking.csv", "--scores", nlp + "scores.csv", "--json"))
    rows, worst = [], 0
    for task in found["tasks"]:
        row = {"task": task["task"], "n": str(task["n"])}
        for kind, printed in zip(KINDS, PUBLISHED[task["task"]]):
            row[kind] = f"{task[kind]:.3f}"
            row[kind + ", printed"] = f"{printed:.2f}"
            worst = max(worst, abs(task[kind] - printed))
        rows.append(row)
    show(rows, ["task"] + [c for k in KINDS for c in (k, k + ", printed")], 3)
    print(f"Largest difference: {worst:.3f}.\n", file=OUT)
    print("The same of the sample pool:\n", file=OUT)
    kinds = json.loads(run("correlate", pool, "--json"))["categories"]
    show([{**k, "tasks": str(k["tasks"]), "low": k["spearman_ci"][0], "high": k["spearman_ci"][1]} for k in kinds],
         ["category", "tasks", "spearman", "low", "high", "kendall"])


def by_task(pool):
    section("Measures and tasks (EvalRank, Tables 3 and 6; EMIR, Table 9; RetMMD, Table 1)",
            "Spearman of each score with the mean rank, the mean and some tasks; RetMMD by 3 seeds of one draw.")
    rows = table("agree", pool, "evalrank,similarity,smoothness,retmmd", "--by-task", "--runs", "3", "--set",
                 "runs=1 permutations=99 from=labels")
    shown = ["mean rank", "mean", "esol", "bbbp", "hiv", "ames"]
    scores = list(dict.fromkeys(r["score"] for r in rows))
    at = {(r["score"], r["task"]): r for r in rows}
    def text(r):
        sd = float(r["spearman_sd"] or 0)
        return f"{float(r['spearman']):.2f}" + (f" ± {sd:.2f}" if sd > 0 else "")
    show([{"score": s, **{t: text(at[s, t]) for t in shown}} for s in scores], ["score"] + shown)
    picture("by-task.svg", pool, "by-task")


def retrieval(pool):
    section("Retrieval (RetMMD, Table 3)", "Partners of the pairs as the only answers; trec_eval's definitions.")
    show(table("measure", pool, "retrieval"), ["model", "retrieval", "retrieval.map", "retrieval.recall",
                                               "retrieval.mrr", "retrieval.success"], 3)


def evalrank(pool):
    section("Sets, background, levels (EvalRank, Tables 3, 4 and 7, Figure 2)",
            "MRR for all sets together and each, with all rows competing and with a list of 400.")
    keys = [f"evalrank{s}[background={b}]" for b in ("all", "list") for s in ("", ":ecfp", ":maccs")]
    show(table("measure", pool, "evalrank.mrr", "--sweep", "background=all,list"), ["model"] + keys, 3)
    print("Spearman with the pairs' scores, in all and inside five overlapping levels of them:\n", file=OUT)
    show(table("measure", pool, "similarity", "--fields"),
         ["model", "similarity"] + [f"similarity.level{l}" for l in range(1, 6)])


def pictures(pool):
    section("Pictures of measures (EvalRank, Figure 4; RetMMD, Figures 2 to 5)")
    picture("cka.svg", pool, "matrix", "--measure", "cka")
    picture("evalrank.svg", pool, "correlation", "--score", "evalrank", "--task", "hiv")


def sweeps(pool):
    section("Sweeps (EvalRank, Table 10; RetMMD, Figure 4)", "What is done to the vectors before:")
    values = ("none", "centre", "abtt", "whiten")
    show(table("measure", pool, "evalrank.mrr", "--sweep", "preprocess=" + ",".join(values)),
         ["model"] + [f"evalrank[preprocess={v}]" for v in values], 3)
    print("and the degree of RetMMD's polynomial kernel, against downstream (Spearman):\n", file=OUT)
    rows = table("agree", pool, "retmmd.c-poly3", "--by-task", "--set", "runs=1 permutations=99 from=labels", "--sweep",
                 "power=2,3,4,5,6")
    show([r for r in rows if r["task"] == "mean rank" and "[" in r["score"]],
         ["score", "spearman", "spearman_low", "spearman_high"])


def main():
    pool = FOLDER + "/pool"
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    make_pool(pool)
    run("estimate", pool, "--estimator", "linear")
    run("estimate", pool, "--estimator", "linear", "--preset", "shrunk")
    global OUT
    with open(FOLDER + "/papers.md", "w") as OUT:
        print("# The papers' tables and figures, from sample data\n", file=OUT)
        for part in (categories, by_task, retrieval, evalrank, pictures, sweeps):
            part(pool)
    print(FOLDER + "/papers.md")


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = sys.argv[2] if len(sys.argv) > 2 else "build/papers"
main()
