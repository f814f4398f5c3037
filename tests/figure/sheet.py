#!/usr/bin/env python3
"""sheet.py PROGRAM FOLDER: a contact sheet of the figures, for people to look at: each beside what
seaborn's clustermap or matplotlib's errorbar makes of the same numbers, for 8, 23, 41 and 200
embedders with names as long as they are on the hub. Writes FOLDER/*.png and FOLDER/sheet.html.
"""
import csv
import json
import os
import random
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
import seaborn

SIZES = (8, 23, 41, 200)
LINES = [
    ("Alibaba-NLP", "gte-{}-en-v1.5-mrl-truncated-to-{}-dimensions", ("base", "large"), (128, 256, 512, 768)),
    ("sentence-transformers", "paraphrase-multilingual-{}-L12-v{}", ("MiniLM", "mpnet"), (1, 2, 3)),
    ("sentence-transformers", "average_word_embeddings_{}.{}B.300d", ("glove", "levy"), (6, 42, 840)),
    ("intfloat", "multilingual-e5-{}-instruct-{}", ("small", "base", "large"), ("v1", "v2")),
    ("BAAI", "bge-{}-en-v1.{}", ("small", "base", "large"), (0, 5)),
    ("nomic-ai", "nomic-embed-text-v1-{}-{}", ("ablated", "unsupervised"), (256, 768)),
    ("jinaai", "jina-embeddings-v{}-{}", (2, 3), ("small-en", "base-de", "base-code")),
    ("princeton-nlp", "{}-simcse-bert-{}-uncased", ("sup", "unsup"), ("base", "large")),
    ("tiny-random", "LlamaForCausalLM-{}-seed-{}", ("8B", "1B"), (0, 1, 2)),
    ("Salesforce", "SFR-Embedding-{}-{}", ("Mistral", "Code"), ("2_R", "400M_R")),
    ("thenlper", "gte-{}-checkpoint-{}", ("small", "large"), (1000, 20000)),
    ("Snowflake", "snowflake-arctic-embed-{}-v{}.0", ("xs", "m", "l"), (1, 2)),
    ("google", "embeddinggemma-{}m-matryoshka-{}", (300, 600), (128, 256, 512)),
]


def names_of(count):
    """Names line by line, in families; further ones are revisions."""
    found = []
    for revision in range(1, 9):
        for family, (owner, form, first, second) in enumerate(LINES):
            for a in first:
                for b in second:
                    suffix = "" if revision == 1 else f"-rev{revision}"
                    found.append((f"{owner}/{form.format(a, b)}{suffix}", family))
    return spread(found[:max(count, len(found) // 8)], count)


def spread(found, count):
    step = len(found) / count
    return [found[int(i * step)] for i in range(count)]


def matrix_of(count):
    """Rows simulate columns: quality of the row, how much is in the column, more inside a family."""
    draw = np.random.default_rng(count)
    names, family = zip(*names_of(count))
    family = np.array(family)
    quality, hard = draw.beta(3, 2, count), draw.uniform(0.3, 1, count)
    near = 1 + 0.9 * (family[:, None] == family[None, :])
    values = np.maximum(0, quality[:, None] * hard[None, :] * near + draw.normal(0, 0.03, (count, count)))
    values[np.arange(count), np.arange(count)] = 1.2 + hard
    return list(names), family, values


def write_pool(folder, names, family, values):
    with open(f"{folder}/matrix.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["source", *names])
        for name, row in zip(names, values):
            out.writerow([name, *(f"{v:.6f}" for v in row)])
    with open(f"{folder}/families.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["model", "family"])
        out.writerows((name, LINES[f][0] + " " + str(f)) for name, f in zip(names, family))
    draw = random.Random(7)
    with open(f"{folder}/scores.csv", "w", encoding="utf-8", newline="") as file:
        out = csv.writer(file)
        out.writerow(["model", "retrieval of answers (nDCG@10)", "classification", "reranking"])
        for i, name in enumerate(names):
            base = np.mean(np.delete(values[i], i))
            out.writerow([name, *(f"{40 + 40 * base + draw.gauss(0, 3):.2f}" for _ in range(3))])


def clustermap(path, names, values):
    grid = seaborn.clustermap(values, xticklabels=names, yticklabels=names, figsize=(7, 7), cmap="YlGnBu")
    grid.savefig(path, dpi=100)
    plt.close("all")


def errorbar(path, program, folder):
    said = subprocess.run([program, "rank", "--matrix", f"{folder}/matrix.csv", "--families",
                           f"{folder}/families.csv", "--json", "-q"], capture_output=True, check=True)
    rows = json.loads(said.stdout)["ranking"]
    score = np.array([r["score"] for r in rows], float)
    low, high = (np.array([r[end] for r in rows], float) for end in ("ci_low", "ci_high"))
    at = np.arange(len(rows))[::-1]
    plt.figure(figsize=(4.5, max(2, 0.16 * len(rows))))
    plt.errorbar(score, at, xerr=[np.nan_to_num(score - low), np.nan_to_num(high - score)], fmt="o", ms=3)
    plt.yticks(at, [r["model"] for r in rows], fontsize=5)
    plt.tight_layout()
    plt.savefig(path, dpi=100)
    plt.close("all")


def figures(count):
    """Name, options, and what stands beside it."""
    yield "matrix-double", ["matrix", "--width", "double"], "clustermap"
    yield "matrix-single", ["matrix", "--width", "single"], "clustermap"
    yield "matrix-dark", ["matrix", "--width", "double", "--theme", "dark"], "clustermap"
    yield "ranking-single", ["ranking", "--width", "single"], "errorbar"
    yield "ranking-double", ["ranking", "--width", "double"], "errorbar"
    yield "tree", ["tree"], None
    yield "tree-single", ["tree", "--width", "single"], None
    yield "dendrogram", ["tree", "--method", "average"], None
    yield "correlation", ["correlation"], None
    yield "correlation-double", ["correlation", "--width", "double", "--title",
                                 "A long title says what is seen: the ranking without labels against the mean "
                                 "rank over all tasks, with names"], None
    yield "correlation-tasks", ["correlation", "--tasks"], None
    if count <= 41:
        yield "ranking-narrow", ["ranking", "--width", "2in"], None


def main():
    program, out = os.path.realpath(sys.argv[1]), sys.argv[2]
    wanted = [int(x) for x in sys.argv[3:]] or SIZES
    page = ["<!doctype html><title>Figures</title><style>img{max-width:48%;vertical-align:top;margin:4px;"
            "background:#fff;border:1px solid #ccc}</style>"]
    for count in wanted:
        folder = f"{out}/{count}"
        os.makedirs(folder, exist_ok=True)
        names, family, values = matrix_of(count)
        write_pool(folder, names, family, values)
        clustermap(f"{folder}/clustermap.png", names, values)
        errorbar(f"{folder}/errorbar.png", program, folder)
        page.append(f"<h1>{count} embedders</h1>")
        for name, options, beside in figures(count):
            files = ["--matrix", f"{folder}/matrix.csv", "--families", f"{folder}/families.csv"]
            if "correlation" in name:
                files += ["--scores", f"{folder}/scores.csv"]
            done = subprocess.run([program, "export", *options, *files, "-q", "-o", f"{folder}/{name}.svg"],
                                  capture_output=True, text=True, check=False)
            page.append(f"<h2>{name}</h2>")
            if done.returncode != 0:
                page.append(f"<p>{done.stderr}</p>")
                print(count, name, done.stderr.strip(), file=sys.stderr)
                continue
            subprocess.run(["rsvg-convert", "-z", "2", f"{folder}/{name}.svg", "-o", f"{folder}/{name}.png"],
                           check=True)
            page.append(f"<img src='{count}/{name}.png'>" +
                        (f"<img src='{count}/{beside}.png'>" if beside else ""))
    with open(f"{out}/sheet.html", "w", encoding="utf-8") as file:
        file.write("\n".join(page) + "\n")
    print(f"{out}/sheet.html")


main()
