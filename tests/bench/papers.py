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
# Ranks by 1, 2, ... modes against downstream ranks (Pearson of ranks), from the authors' notebooks.
MODES = {1: 0.785, 2: 0.793, 4: 0.798, 8: 0.808, 10: 0.814, 12: 0.789}


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


def write_npy(path, rows):
    head = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        for row in rows:
            f.write(struct.pack(f"<{len(row)}d", *map(float, row)))


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
    sizes = dict(zip(tasks, (1116, 639, 1999, 1513, 842, 1074, 1277, 1928, 1513, 1430, 1990, 1994, 1988, 2000, 2000,
                             2000)))  # molecules, as the pool's README has them
    write(pool + "/tasks.csv", "task,category,size", [(t, kinds.get(t, "ADMET"), sizes[t]) for t in tasks])


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
    print("The same of the sample pool (Tables 1, 9 and 10, Figure 6), and the size of a task against its\n"
          "agreement (Figure 21):\n", file=OUT)
    show(table("correlate", pool, "--by-category"),
         ["category", "tasks", "n"] + [k + end for k in KINDS for end in ("", "_low", "_high")])
    picture("categories.svg", pool, "categories")
    picture("sizes.svg", pool, "sizes")


def units(pool):
    section("Units (EMIR, Appendix C.3.4)", "The published score by `linear` in nats per dimension of the target, in nats of",
            "all of it, and as a share of its entropy, with Spearman's rho with the tasks.")
    how = ("--estimator", "linear", "--score", "published", "--unit")
    at = {unit: {r["model"]: r for r in table("rank", pool, *how, unit)} for unit in ("dimension", "nats", "entropy")}
    show([{"embedder": m, **{u: at[u][m]["score"] for u in at}, **{"rank, " + u: at[u][m]["rank"] for u in at}}
          for m in at["dimension"] if at["dimension"][m]["rank"]],
         ["embedder"] + [c for u in at for c in (u, "rank, " + u)], 3)
    rows = []
    for unit in at:
        found = {r["task"]: r for r in table("correlate", pool, *how, unit)}["mean rank"]
        rows.append({"unit": unit, **found})
    show(rows, ["unit", "n", "spearman", "spearman_low", "spearman_high", "kendall"])
    picture("nats.svg", pool, "ranking", *how, "nats")


def tuned(pool):
    section("Base and tuned (EMIR, Figure 4c)", "Six embedders with noise, and the same with less: tuned ones by construction.")
    rng = random.Random(11)
    folder = FOLDER + "/tuned"
    os.makedirs(folder)
    for name in ("desc_phys16", "maccs_167", "mol2vec_128", "smiles_svd64", "ecfp4_pca64", "smiles_stats16"):
        values = read_npy(f"{pool}/{name}.npy")[:600]
        spread = [max(1e-6, (sum(r[j] ** 2 for r in values) / len(values)) ** 0.5) for j in range(len(values[0]))]
        for end, noise in (("", 1.0), ("-tuned", 0.4)):
            write_npy(f"{folder}/{name}{end}.npy", [[v + noise * s * rng.gauss(0, 1) for v, s in zip(r, spread)]
                                                    for r in values])
    run("estimate", folder, "--estimator", "linear", "--preset", "shrunk")
    show(table("tuned", folder), ["base", "score_base", "score_tuned", "change", "change_low", "change_high",
                                  "rank_base", "rank_tuned"], 3)
    print(json.loads(run("tuned", folder, "--json"))["text"] + "\n", file=OUT)
    picture("tuned.svg", folder, "tuned")


def null(pool):
    section("Similarity beyond permuted rows (arXiv:2602.14486)", "CKA as published, its 95 % quantile over 39 permutations, and the",
            "excess: noise beside the widest embedder has 0.06 by chance, and 0 beyond it.")
    how = ("--set", "draws=39", "--models", "desc_phys16,maccs_167,ecfp4_b256,mol2vec_128,noise_gauss_64,desc_shuffled")
    run("measure", pool, "null-cka-biased", *how)
    picture("null.svg", pool, "matrices", "--measure", "null-cka-biased.observed,null-cka-biased.null,null-cka-biased", *how)


def pairs_kept(pool):
    section("Structure from queries to answers (arXiv:2605.22202), and errors of regression",
            "Shared nearest neighbours of both sides of the pairs; the probe of support vectors on a number.")
    show(table("measure", pool, "retention", "--fields"),
         ["model", "retention", "retention.jaccard", "retention.chance", "retention.pairs"], 3)
    phys = read_npy(pool + "/desc_phys16.npy")
    labels = FOLDER + "/numbers"
    os.makedirs(labels)
    for name in ("maccs_167", "mol2vec_128", "smiles_svd64", "noise_gauss_64"):
        shutil.copy(f"{pool}/{name}.npy", labels)
    write(labels + "/labels.csv", "row,number", [(i, r[0]) for i, r in enumerate(phys)])
    show(table("measure", labels, "probe", "--set", "probe=svm", "--fields"), ["model", "probe", "probe.rmse"], 3)


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
    print("Measures of two embedders side by side, all in the order of the first:\n", file=OUT)
    picture("pairs.svg", pool, "matrices", "--measure", "cka,cka-rbf,rsa,knn-overlap")
    print("Ranks by several scores, and RetMMD's kernels and degrees against downstream:\n", file=OUT)
    picture("ranks.svg", pool, "agreement", "--score", "evalrank,effective-rank,uniformity,consensus")
    kernels = ("--set", "runs=1 permutations=99 from=labels", "--task", "first")
    picture("kernels.svg", pool, "panels", "--score", "retmmd", *kernels)
    picture("degrees.svg", pool, "panels", "--score", "retmmd.c-poly3", "--sweep", "power=2,3,4,5,6", *kernels)


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
    picture("power.svg", pool, "sweep", "--score", "retmmd", "--sweep", "power=2,3,4,5,6", "--task", "first", "--set",
            "runs=1 permutations=99 from=labels")


def flow(pool):
    section("A flow to a standard normal (EvalRank, Tables 3 and 4: BERT-flow)",
            "MRR of an embedder as it is, whitened, and by an invertible flow, and how uniform its directions are.")
    names = ["mol2vec_128", "ecfp4_pca64", "desc_phys16"]
    for name in names:
        for way in ("--whiten", "--flow"):
            run("derive", pool, name, way)
    members = ",".join(n for name in names for n in (name, name + "+whiten", name + "+flow"))
    rows = table("measure", pool, "evalrank.mrr,uniformity", "--models", members)
    show(rows, ["model", "evalrank", "uniformity"], 3)


def objectives(pool):
    section("Objectives and batches (cMIM, Figures 3, 4, 6 and 8 to 15)",
            "The contrastive term alone and beside a VAE and an auto-encoder, a decoder's variance fixed and learned, InfoNCE",
            "with and without changed views; z scores and ranks of a probe of the labels over sizes of a batch, and slopes of z.")
    how = ("--cmim", "8", "--set", "hidden=64 steps=400 rate=0.003")
    modes = "mode=cmim,mim,cvae,vae,cae,ae,infonce"
    run("derive", pool, "desc_phys16", *how, "--name", "s", "--sweep", "batch=5,20,100", "--sweep", modes)
    show(table("measure", pool, "probe", "--sweep", "s"),
         ["rival", "accuracy", "mean_z", "mean_rank", "slope", "slope_low", "slope_high", "p"], 3)
    picture("objectives.svg", pool, "objectives", "--sweep", "s")
    picture("slopes.svg", pool, "slopes", "--sweep", "s")
    run("derive", pool, "desc_phys16", *how, "--name", "v", "--sweep", "variance=fixed,learned", "--sweep", "tau=0.1,1")
    run("derive", pool, "desc_phys16", *how, "--name", "i", "--set", "mode=infonce", "--sweep", "corrupt=0,0.2")
    for name in ("v", "i"):
        members = json.loads(run("measure", pool, "probe", "--sweep", name, "--json"))["members"]
        show(members, ["model", "mean_z", "mean_rank"], 3)


def make_sets(pool):
    """Three data sets: light, middling and heavy molecules, with their labels; seven embedders."""
    names = ["desc_phys16", "maccs_167", "mol2vec_128", "mtr_mlp_128", "smiles_stats16", "ecfp4_pca64", "noise_gauss_64"]
    weight = [r[0] for r in read_npy(pool + "/desc_phys16.npy")]
    order = sorted(range(len(weight)), key=lambda i: weight[i])
    third = len(order) // 3
    with open(pool + "/labels.csv") as f:
        labels = [line.split(",")[2] for line in f.read().split("\n")[1:] if line]
    sets = {name: sorted(order[k * third:(k + 1) * third]) for k, name in enumerate(("light", "middling", "heavy"))}
    for name, rows in sets.items():
        os.makedirs(f"{FOLDER}/sets/{name}")
        for model in names:
            values = read_npy(f"{pool}/{model}.npy")
            write_npy(f"{FOLDER}/sets/{name}/{model}.npy", [values[i] for i in rows])
        write(f"{FOLDER}/sets/{name}/labels.csv", "row,second", [(i, labels[r]) for i, r in enumerate(rows)])


def data_sets(pool):
    section("Several data sets (EMIR, Appendix C.3.6, Figure 10; RetMMD, Figure 6)",
            "The molecules by weight: light, middling, heavy. One ranking over all three, then how far every two are",
            "apart, of the classes' answers and of plain rows, beside how alike they rank. Three pairs show the form and",
            "no more.")
    make_sets(pool)
    pools = [f"{FOLDER}/sets/{name}" for name in ("light", "middling", "heavy")]
    run("estimate", *pools, "--estimator", "linear", "--preset", "shrunk")
    show(table("rank", *pools, "--within", "rank"),
         ["rank", "model", "share", "ci_low", "ci_high", "light", "middling", "heavy"])
    picture("sets.svg", *pools, "sets")
    rows = table("measure", *pools, "dataset-distance")
    show(rows, ["a", "b", "shared", "tau", "answers_mmd2", "rows_mmd2", "answers_w1", "rows_w1"], 3)
    picture("distance.svg", *pools, "distance")


def series(pool):
    section("Series (EMIR, Figures 4b, 5b and 7; RetMMD, Figure 5)",
            "A run that is noise at first and comes nearer to `mol2vec_128` step by step, among others that stay.")
    rng = random.Random(3)
    folder = FOLDER + "/run"
    os.makedirs(folder)
    for name in ("desc_phys16", "maccs_167", "smiles_svd64"):
        shutil.copy(f"{pool}/{name}.npy", folder)
    values = read_npy(pool + "/mol2vec_128.npy")
    spread = (sum(v * v for r in values for v in r) / len(values) / len(values[0])) ** 0.5
    noise = [[rng.gauss(0, spread) for _ in r] for r in values]
    for step, share in ((0, 0.0), (100, 0.1), (200, 0.3), (400, 0.6), (800, 0.9), (1600, 1.0)):
        write_npy(f"{folder}/run@{step}.npy", [[share * v + (1 - share) * e for v, e in zip(r, s)]
                                               for r, s in zip(values, noise)])
    run("estimate", folder, "--estimator", "linear")
    run("estimate", folder, "--estimator", "linear", "--preset", "shrunk")
    show(table("series", folder, "effective-rank"), ["step", "score", "rank", "ci_low", "ci_high", "of_before", "effective-rank"],
         3)
    picture("series.svg", folder, "series")


def targets(pool):
    section("Chosen targets and totals (EMIR, Table 1, Figures 11, 15 and 16)",
            "Table 1 has 34 targets; 20 of the embedders are in the notebooks' matrix (`sample_data/paper-nlp`). The score",
            "over those 20, itself included as there, beside the printed one, and over four of them:")
    nlp = "sample_data/paper-nlp/"
    with open(nlp + "ranking.csv") as f:
        printed = {r["model"]: float(r["score"]) for r in csv.DictReader(f)}
    how = ("rank", "--matrix", nlp + "matrix.csv", "--score", "published", "--include-self")
    ours = {r["model"]: r for r in table(*how)}
    both = [m for m in ours if m in printed]
    few = ",".join(sorted(both)[::5])
    chosen = {r["model"]: r["score"] for r in table(*how, "--targets", few)}
    show([{"model": m, "20 targets": ours[m]["score"], "34, printed": f"{printed[m]:.2f}", "4 targets": chosen.get(m)}
          for m in sorted(both, key=lambda m: -printed[m])], ["model", "34, printed", "20 targets", "4 targets"], 3)
    write(FOLDER + "/printed.csv", "model,printed", [(m, printed[m]) for m in both])
    found = json.loads(run("correlate", *how[1:], "--scores", FOLDER + "/printed.csv", "--json"))["tasks"][0]
    print("With the printed score, over " + str(found["n"]) + " embedders: Pearson "
          + f"{found['pearson']:.3f}, Spearman {found['spearman']:.3f}, Kendall {found['kendall']:.3f}"
          + " (the authors' 34 against 42 targets: 0.993, 0.983, 0.918).\n", file=OUT)
    print("Of the sample pool, nats in all of the target beside nats per dimension:\n", file=OUT)
    total = {r["source"]: r for r in table("matrix", pool, "--estimator", "linear", "--value", "total")}
    each = {r["source"]: r for r in table("matrix", pool, "--estimator", "linear")}
    shown = ["desc_phys16", "maccs_167", "mol2vec_128"]
    show([{"source": s, **{t: each[s][t] for t in shown}, **{t + ", total": total[s][t] for t in shown}} for s in shown],
         ["source"] + shown + [t + ", total" for t in shown])


def maps(pool):
    section("Maps of rows (EMIR, Figures 18 and 19)", "What one of two embedders captures and the other does not; and "
            "one alone, by a label.")
    picture("map.png", pool, "map", "--models", "mol2vec_128,desc_all", "--sample", "600")
    picture("map-label.png", pool, "map", "--models", "desc_all", "--colour-by", "first", "--sample", "600")


def modes(pool):
    section("Modes (EMIR, Figure 20)", "The score by `knife` with more and more modes, on 400 rows: Pearson of its ranks",
            "with the ranks of the mean over tasks, beside the same of the authors' notebooks (their text embedders);",
            "and of each ranking with the first.")
    values = ",".join(map(str, MODES))
    how = ("--estimator", "knife", "--set", "epochs=5", "--rows", "400", "--sweep", "modes=" + values)
    rows = table("estimate", pool, *how)
    show([{**r, "modes": str(m), "of ranks": r["spearman"], "of ranks, theirs": f"{theirs:.3f}"}
          for (m, theirs), r in zip(MODES.items(), rows)],
         ["modes", "of ranks, theirs", "of ranks", "spearman_low", "spearman_high", "spearman_first", "kendall_first"], 3)
    picture("modes.svg", pool, "sweep", *how)


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
        for part in (data_sets, categories, units, tuned, null, pairs_kept, by_task, retrieval, evalrank, pictures,
                     series, sweeps, flow, objectives, modes, targets, maps):
            part(pool)
    print(FOLDER + "/papers.md")


PROGRAM = os.path.abspath(sys.argv[1])
FOLDER = sys.argv[2] if len(sys.argv) > 2 else "build/papers"
main()
