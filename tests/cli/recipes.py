#!/usr/bin/env python3
"""recipes.py SOURCE PROGRAM: runs the Python recipes of README and docs/pools.md as they stand there, with
stand-ins for the libraries that they import, and asks the program what it makes of the files; the
README's pool.json, too. Run in an empty directory. NumPy is the real one where it is installed."""
import json
import os
import re
import struct
import subprocess
import sys
import types

ROWS = 40


def plain_numpy():
    """As much of NumPy as the recipes use, on lists of numbers."""
    np = types.ModuleType("numpy")

    def save(path, rows):
        rows = [list(row) for row in rows]
        header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': ({len(rows)}, {len(rows[0])}), }}"
        header += " " * (117 - len(header)) + "\n"
        with open(path, "wb") as f:
            f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
            for row in rows:
                f.write(struct.pack(f"<{len(row)}d", *row))

    def mean(rows, axis):
        assert axis == 0
        return [sum(column) / len(rows) for column in zip(*rows)]

    np.save, np.stack, np.mean, np.array = save, list, mean, list
    return np


def vector(text, size):
    """Numbers that depend on all of a text."""
    seed = sum((i + 1) * ord(c) for i, c in enumerate(text))
    return [((seed + 7 * k) * (2 * k + 3) % 101) / 50 - 1 for k in range(size)]


def stand_ins(np):
    class SentenceTransformer:
        def __init__(self, name):
            self.size = 3 + len(name) % 3

        def encode(self, texts):
            return np.array([vector(text, self.size) for text in texts])

    def pipeline(task, model):
        assert task == "feature-extraction" and model
        return lambda text: [[vector(word, 5) for word in text.split()]]  # one text, token by token

    class MorganGenerator:
        def __init__(self, size):
            self.size = size

        def GetFingerprintAsNumPy(self, molecule):
            return np.array([int(v > 0) for v in vector(molecule.smiles, self.size)])

    modules = {name: types.ModuleType(name) for name in
               ("sentence_transformers", "transformers", "rdkit", "rdkit.Chem",
                "rdkit.Chem.rdFingerprintGenerator")}
    modules["sentence_transformers"].SentenceTransformer = SentenceTransformer
    modules["transformers"].pipeline = pipeline
    chem = modules["rdkit"].Chem = modules["rdkit.Chem"]
    chem.rdFingerprintGenerator = modules["rdkit.Chem.rdFingerprintGenerator"]
    chem.MolFromSmiles = lambda smiles: types.SimpleNamespace(smiles=smiles)
    chem.rdFingerprintGenerator.GetMorganGenerator = lambda radius, fpSize: MorganGenerator(fpSize)
    return modules


def section(path, heading):
    with open(path, encoding="utf-8") as f:
        return re.search(rf"^## {heading}$(.*?)^## ", f.read(), re.M | re.S).group(1)


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def described_pool(text, program):
    """Is every embedder of the README's pool.json found, and the control known as one?"""
    (about,) = blocks(text, "json")
    os.mkdir("described")
    with open("described/pool.json", "w", encoding="utf-8") as f:
        f.write(about)
    models = json.loads(about)["models"]
    for k, model in enumerate(models):
        path = os.path.join("described", model["file"])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        plain_numpy().save(path, [vector(f"{i} {k}", 4) for i in range(ROWS)])
    info = json.loads(subprocess.run([program, "info", "described", "--json", "--quiet"], check=True,
                                     capture_output=True).stdout)
    families = {m["name"]: m["family"] for m in models}
    assert {m["name"]: m["family"] for m in info["models"]} == families and info["pool"]["controls"] == 1, info
    assert not info["excluded"] and not info["unused"], info


def main():
    source, program = sys.argv[1:]
    try:
        import numpy
    except ImportError:
        numpy = plain_numpy()
    sys.modules.update({"numpy": numpy, **stand_ins(numpy)})
    vectors = section(os.path.join(source, "README.md"), "Your vectors")
    described_pool(vectors, program)
    recipes = blocks(vectors, "python") + blocks(section(os.path.join(source, "docs", "pools.md"),
                                                         "From your models"), "python")
    assert len(recipes) == 3, f"{len(recipes)} recipes"
    with open("texts.txt", "w", encoding="utf-8") as f:
        f.writelines(f"the text of row {i} says {'very ' * (i % 4)}much\n" for i in range(ROWS))
    names = {"smiles": ["C" * (1 + i % 9) + "O" * (i // 9) + "N" for i in range(ROWS)]}
    for recipe in recipes:
        exec(recipe, names)  # pylint: disable=exec-used
        assert len([line for line in recipe.splitlines() if not re.match("import|from", line)]) <= 6
    info = json.loads(subprocess.run([program, "info", "mypool", "--json", "--quiet"], check=True,
                                     capture_output=True).stdout)
    dims = {m["name"]: m["dim"] for m in info["models"]}
    assert dims == {"all-MiniLM-L6-v2": 4, "all-mpnet-base-v2": 5, "e5-small": 5, "ecfp4": 512}, dims
    assert not info["excluded"] and not info["unused"] and all(m["rows"] == ROWS for m in info["models"]), info


if __name__ == "__main__":
    main()
