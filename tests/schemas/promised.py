#!/usr/bin/env python3
"""promised.py SOURCE PROGRAM [--update]: is everything that users' programs rely on still there?

promised.txt lists the fields of JSON documents (as the schemas have them), the columns of CSV, and
the options of commands. A line of it that is gone breaks somebody's script: exit code 1. What is new
is to be added to the list, by --update, which never takes a line away. Run where documents.sh has
made its pools.
"""
import json
import os
import re
import subprocess
import sys

CSV = {
    "matrix": ["matrix", "mypool", "--estimator", "linear"],
    "matrix --long": ["matrix", "mypool", "--estimator", "linear", "--long"],
    "rank": ["rank", "mypool", "--estimator", "linear"],
    "correlate": ["correlate", "mypool", "--estimator", "linear"],
    "compare": ["compare", "mypool", "e5", "gte", "--estimator", "linear"],
    "tree": ["tree", "mypool", "--estimator", "linear"],
    "info": ["info", "mypool"],
}


def fields(schema, path):
    """Names that a document always has; below additionalProperties the names are the pool's."""
    for key in schema.get("required", []):
        yield f"{path}.{key}"
    for key, below in schema.get("properties", {}).items():
        yield from fields(below, f"{path}.{key}")
    for word, mark in (("items", "[]"), ("additionalProperties", ".*")):
        if isinstance(schema.get(word), dict):
            yield from fields(schema[word], path + mark)


def run(program, *words):
    done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(words)}: {done.stderr}")
    return done.stdout


def found(source, program):
    folder = os.path.join(source, "tests", "schemas")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".schema.json"):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                for field in fields(json.load(file), ""):
                    yield f"json {name[:-len('.schema.json')]} {field}"
    pool = json.loads(run(program, "info", "mypool", "--json", "--quiet"))
    models = {model["name"] for model in pool["models"]}
    for name, words in CSV.items():
        columns = run(program, *words, "--csv", "--quiet").splitlines()[0].split(",")
        for column in columns:
            if column not in models:
                yield f"csv {name} {column or '(the first)'}"
    usage = run(program, "--help=all")
    commands = re.findall(r"^  ([a-z]+) ", usage.split("Commands:")[1].split("Examples:")[0], re.M)
    for command in ["", *commands]:
        text = run(program, *([command] if command else []), "--help=all")
        for option in sorted(set(re.findall(r"^ {2,6}(?:-.,? )?(--[a-z][a-z0-9-]*)", text, re.M))):
            yield f"option {command or 'embedscope'} {option}"


def main():
    source, program = sys.argv[1], os.path.realpath(sys.argv[2])
    path = os.path.join(source, "tests", "schemas", "promised.txt")
    now = set(found(source, program))
    promised = set()
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            promised = set(file.read().splitlines())
    gone, new = sorted(promised - now), sorted(now - promised)
    for line in gone:
        print(f"gone: {line}")
    if "--update" in sys.argv:
        with open(path, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in sorted(promised | now)))
    else:
        for line in new:
            print(f"new, to be listed by tests/schemas/promised.py --update: {line}")
    return 1 if gone or (new and "--update" not in sys.argv) else 0


sys.exit(main())
