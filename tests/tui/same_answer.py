#!/usr/bin/env python3
"""One question has one answer: same_answer.py PROGRAM LIBRARY SOURCE [NUMBER...]. Prints TAP.

Random pools with missing pairs, derived embedders, controls, families and sets of rows. Of every
analysis, the names, the order and the numbers of the explorer's sheet, of csv, JSON and Markdown are
the same; of the matrix, in every order, those of the heatmap, csv and the picture; of the ranking,
those of Rank, JSON and Python; of the agreement downstream, those of all that state it."""
import csv, io, json, os, random, re, subprocess, sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from explorer import Explorer, Home, Tap, pyte, write_pool

PROGRAM, LIBRARY, SOURCE = [os.path.abspath(path) for path in sys.argv[1:4]]
# Any two things that a number decides by its remainders by 2, 3, 4, 5 and 8 come together in one of these, as
# they do in more.
NUMBERS = [int(word) for word in sys.argv[4:]] or [*range(1, 13), 17]
SIZE = (200, 60)
NAMES = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "noise"]
VERBOSE = "ES_SCREENS" in os.environ
ORDERS = ["name", "rank", "dim", "community", "cluster"]


def analyses():
    """(id, command, options, needs) of every row of the table that is of the pool: the others are of what a
    user names, and have tests of their own."""
    with open(os.path.join(SOURCE, "src/report/analyses.c")) as f:
        text = f.read()
    rows = re.findall(r'BY_COMMAND\("([^"]+)",\s*"[^"]*",\s*"[^"]*",\s*"([^"]*)",\s*(?:"([^"]*)"|NULL),\s*([A-Z_| 0\n]+?),\s*'
                      r'ES_ANALYSIS_OF_(\w+)\)', text)
    assert len(rows) == text.count("\n    BY_COMMAND("), rows
    return [row[:4] for row in rows if row[4] == "POOL"]


class Pool:
    """A random pool in a home of its own, and the program over it."""

    def __init__(self, number):
        draw = random.Random(number)
        self.home, self.number = Home(), number
        self.path = self.home.pool
        self.names = NAMES[:5 + number % 4] + ["noise"][: number % 3 == 0]
        self.env = self.home.environment(OPENBLAS_NUM_THREADS="1")
        write_pool(self.path, len(self.names), 120, number, self.names)
        self.family = {name: draw.choice(["one", "two"]) for name in self.names[: 3 * (number % 2)]}
        if "noise" in self.names:
            self.family["noise"] = "control"
        self.write("families.csv", ["model,family"] + [",".join(pair) for pair in self.family.items()])
        self.scored = number % 4 != 3
        if self.scored:
            self.write("scores.csv", ["model,one,two,three"] + [
                f"{name},{draw.random():.3f},{draw.random():.3f},{draw.random():.3f}" for name in self.names])
        self.sets = number % 5 == 2
        if self.sets:
            self.write("rows.csv", ["id,set"] + [f"{i},{'ab'[i % 2]}" for i in range(120)])
        part = ["--models", ",".join(self.names[1:])] if number % 3 == 1 else []
        self.run("estimate", self.path, "-q", *part)
        if number % 4 == 1:
            self.run("derive", self.path, self.names[2], "--whiten")
            if number % 8 == 1:
                self.run("estimate", self.path, "-q")
        self.run("agree", self.path, "-q")  # computes and stores every measure

    def write(self, name, lines):
        with open(os.path.join(self.path, name), "w") as f:
            f.write("\n".join(lines) + "\n")

    def run(self, *words):
        done = subprocess.run([PROGRAM, *words], env=self.env, capture_output=True)
        if done.returncode not in (0, 1):
            raise RuntimeError(f"{words}: {done.returncode}: {done.stderr.decode()}")
        return done.stdout.decode()


# ---- one kind of table against another ----


def tables_of_markdown(text):
    """The cells of every table."""
    tables, before = [], ""
    for line in text.split("\n"):
        if line.startswith("|") and not before.startswith("|"):
            tables.append([])
        if line.startswith("|"):
            cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
            tables[-1].append([re.sub(r"\\(.)", r"\1", cell) for cell in cells])
        before = line
    return [table[2:] for table in tables]


def objects_of(document):
    """Every list of objects in a JSON document."""
    if isinstance(document, list):
        if document and all(isinstance(item, dict) for item in document):
            yield document
        for item in document:
            yield from objects_of(item)
    elif isinstance(document, dict):
        for item in document.values():
            yield from objects_of(item)


def same_value(cell, value):
    if value is None:
        return cell == ""
    if isinstance(value, bool):
        return cell == ("true" if value else "false")
    if isinstance(value, (int, float)):
        return cell != "" and float(cell) == float(value)
    return cell == (" ".join(value) if isinstance(value, list) else str(value))


def unlike(rows, objects):
    """What the first row says otherwise; None: they are the same."""
    for number, (row, item) in enumerate(zip(rows, objects)):
        for key, cell in row.items():
            if key in item and not isinstance(item[key], (dict, list)) and not same_value(cell, item[key]):
                return f"row {number}: {key} is {cell!r} in csv, {item[key]!r} in JSON"
    return None


def check_json(rows, document):
    """csv against the list of JSON that has the same keys."""
    if not rows:
        return None
    keys = set(rows[0])
    lists = [o for o in objects_of(document) if len(o) == len(rows) and len(keys & set(o[0])) * 2 > len(keys)]
    found = [unlike(rows, o) for o in lists]
    return None if None in found else found[0] if found else lost(rows, document)


def scalars(document):
    if isinstance(document, (dict, list)):
        for item in document.values() if isinstance(document, dict) else document:
            yield from scalars(item)
    elif document is not None:
        yield document


def keys_of(document):
    if isinstance(document, dict):
        yield from document
    if isinstance(document, (dict, list)):
        for item in document.values() if isinstance(document, dict) else document:
            yield from keys_of(item)


def lost(rows, document):
    """A column of csv and JSON with values that stand nowhere in JSON, where that is nested otherwise."""
    values, keys = list(scalars(document)), set(keys_of(document))
    texts = {str(v) for v in values} | {"true", "false"}
    numbers = {float(v) for v in values if isinstance(v, (int, float))}
    for key in rows[0]:
        cells = [row[key] for row in rows if row[key]]
        gone = [c for c in cells if c not in texts and not (is_number(c) and float(c) in numbers)]
        if gone and key in keys:
            return f"{key} {gone[0]!r} of csv is not in JSON"
    return None


def is_number(cell):
    return re.fullmatch(r"-?[\d.]+(e[-+]?\d+)?", cell) is not None


def same_word(shown, word):
    """`shown` may have lost its middle."""
    if "…" not in shown or shown == word:
        return shown == word
    head, tail = shown.split("…", 1)
    return len(shown) <= len(word) and word.startswith(head) and word.endswith(tail)


def is_part(shown, words):
    """The words of a line are among those of a row, in their order."""
    at = 0
    for word in shown:
        while at < len(words) and not same_word(word, words[at]):
            at += 1
        if at == len(words):
            return False
        at += 1
    return len(shown) > 0


def lines_of(screen):
    """The words of every line of the view, without its frame, cursor and marks."""
    return [re.sub("[┃│❯●─┐┘┤┬┴└┌├┼]", " ", line).split() for line in screen.split("\n")]


def check_screen(rows, screen):
    """The rows of a document stand on the screen, one after the other, with the same numbers."""
    rows = [" ".join(row).split() for row in rows]
    lines = lines_of(screen)
    if not rows:
        return None
    starts = [i for i, line in enumerate(lines) if is_part(line, rows[0])]
    problems = []
    for start in starts or [0]:
        wrong = [(row, line) for row, line in zip(rows, lines[start:start + len(rows)])
                 if len(line) < min(2, len(row)) or not is_part(line, row)]
        if not wrong:
            return None
        problems.append(wrong[0])
    return "the document has {}\nand the screen {}".format(*problems[0])


def check_some(rows, screen):
    """Rows of a document that lists some of a sheet's: those in sight have the same numbers. The last
    column is the document's own, and a plot stands beside the sheet."""
    lines, found = lines_of(screen), 0
    for row in rows:
        begin, words = " ".join(row[:2]).split(), " ".join(row[:-1]).split()
        for line in lines:
            if line[:len(begin)] == begin:
                found += 1
                if not is_part(words, line):
                    return f"the document has {words}\nand the screen {line}"
    return None if found >= 3 else f"{found} of {len(rows)} rows of the document are on the screen"


# ---- the surfaces ----


class Screen:
    """The explorer over a pool."""

    def __init__(self, pool):
        self.pool = pool
        self.explorer = Explorer(PROGRAM, [pool.path], pool.home, SIZE, OPENBLAS_NUM_THREADS="1")
        self.explorer.shows("[0 Overview]")
        assert self.explorer.until(lambda: re.search("DONE|READY|PARTIAL", self.text())), self.text()

    def text(self):
        return self.explorer.text()

    def settled(self, holds):
        """The screen when it holds and nothing more comes for a moment; None: it never does."""
        while self.explorer.until(holds):
            if not self.explorer.read(0.04):
                return self.text()
        return None

    def sheet(self, name, title):
        self.explorer.send(f":sheet {name}\r")
        return self.settled(lambda: f" {title} " in self.text() and "Making the sheet" not in self.text() and
                            "updating" not in self.text() and ":sheet" not in self.text())


def check_analysis(pool, screen, row, title):
    name, command, options, needs = row
    words = options.split() if options else []
    if command == "info":
        return None  # files, of which the document is no table
    try:
        documents = {kind: pool.run(command, pool.path, *words, "--format", kind, "-q") for kind in ("csv", "json", "md")}
    except RuntimeError as why:
        shown = screen.sheet(name, title)
        return None if shown and "There is no sheet" in shown else f"{why}{shown if VERBOSE else str()}"
    rows = list(csv.DictReader(io.StringIO(documents["csv"])))
    problem = check_json(rows, json.loads(documents["json"]))
    if problem:
        return problem
    shown = screen.sheet(name, title)
    if shown is None:
        return "the sheet does not come\n" + screen.text()
    check = check_some if name == "frontier" else check_screen
    problems = [check(table, shown) for table in tables_of_markdown(documents["md"])]
    return None if None in problems else "\n".join(problems) + (shown if VERBOSE else "")


def first_names(lines, names):
    """Names in the order in which lines begin with them, after the branches of a tree."""
    found = []
    for line in lines:
        line = re.sub("[┃│❯●╭╰┤├─]", " ", line).split()
        name = line[0].lstrip("~") if line else ""
        if name in names and name not in found:
            found.append(name)
    return found


def numbers_after(lines, name):
    for line in lines:
        words = re.sub("[┃│❯●╭╰┤├─]", " ", line[:line.find("││") if "││" in line else None]).split()
        if words and words[0].lstrip("~") == name:
            return [word for word in words[1:] if re.fullmatch(r"-?\d+\.\d{3}", word)]
    return None


def check_matrix(pool, screen, order):
    table = list(csv.reader(io.StringIO(pool.run("matrix", pool.path, "--order", order, "--format", "csv"))))
    names = [row[0] for row in table[1:]]
    picture = pool.home.file("matrix.svg")
    pool.run("export", pool.path, "matrix", "--order", order, "-o", picture, "-q")
    with open(picture) as f:
        texts = re.findall(r'<text x="[^"]*" y="([^"]*)"[^>]*>~?([^<]*)</text>', f.read())
    drawn = [name for _, name in sorted((float(y), name) for y, name in texts if name in names)]
    if drawn != names:
        return f"csv has {names}\nand the picture {drawn}"
    screen.explorer.send(f":heatmap\r:metric is\r:order {order}\r")
    shown = screen.settled(lambda: f"order: {order}" in screen.text() and ":order" not in screen.text())
    if shown is None:
        return "the order does not come\n" + screen.text()
    lines = [line[:line.find("┃", 1) + 1 or None] for line in shown.split("\n")]
    if first_names(lines, names) != names:
        return f"csv has {names}\nand the screen {first_names(lines, names)}{shown if VERBOSE else str()}"
    for i, row in enumerate(table[1:]):
        expected = [f"{float(cell):.3f}" for j, cell in enumerate(row[1:]) if cell and i != j]
        digits = numbers_after(lines, row[0])
        if digits and [d for d in digits] != expected:
            return f"{row[0]}: csv has {expected}\nand the screen {digits}"
    return None


def check_ranking(pool, screen):
    document = json.loads(pool.run("rank", pool.path, "--json"))
    ranked = [(row["model"], row["score"]) for row in next(objects_of({k: v for k, v in document.items() if k != "provenance"}))
              if row.get("rank") is not None]
    screen.explorer.send(":rank\r")
    shown = screen.settled(lambda: "[4 Rank]" in screen.text())
    if shown is None:
        return "Rank does not come\n" + screen.text()
    counts = [re.findall(r"\d+ embedders?(?: \+ \d+ controls?)?\b", text)
              for text in (shown.split("\n")[0], pool.run("rank", pool.path, "-q").replace("\n", " "))]
    if not counts[0] or (counts[1] and counts[0][0] not in counts[1]):
        return f"the screen is of {counts[0]}, and rank of {counts[1]}"
    for name, score in ranked:
        line = next((line for line in lines_of(shown) if name in [word.lstrip("~") for word in line[:4]]), None)
        if line is None or f"{score:.3f}".replace("-0.000", "0.000") not in line:
            return f"{name} scores {score:.3f} in JSON; Rank has {line}{shown if VERBOSE else str()}"
    order = [n for line in lines_of(shown) for n in [next((w.lstrip("~") for w in line[:4] if w.lstrip("~") in dict(ranked)), None)] if n]
    if order[:len(ranked)] != [name for name, _ in ranked]:
        return f"JSON ranks {ranked}\nRank has {order}"
    return None


def check_downstream(pool, screen):
    """One number for "does the ranking agree downstream": rank, correlate, agree, Overview, Corr."""
    number = r"(-?\d?\.\d\d)"
    rows = list(csv.DictReader(io.StringIO(pool.run("correlate", pool.path, "--format", "csv"))))
    exact = [row["spearman"] for row in rows if row["task"] == "mean rank"]
    if not exact or not exact[0]:
        return None
    said = {"correlate": re.findall(r"mean rank: rho " + number, pool.run("correlate", pool.path)),
            "rank": re.findall(r"rho " + number, pool.run("rank", pool.path))}
    agree = json.loads(pool.run("agree", pool.path, "effective-rank", "--json"))["against_downstream"]
    said["agree"] = [row["spearman"] for row in agree if row["measure"] == "predictive"]
    screen.explorer.send(":overview\r")
    shown = screen.settled(lambda: "[0 Overview]" in screen.text() and "this ranking" in screen.text()) or ""
    said["Overview"] = re.findall("(?:rho |this ranking +)" + number, shown)
    screen.explorer.send(":corr\r")
    corr = screen.settled(lambda: re.search("Spearman ρ +-?[0-9]", screen.text())) or ""
    said["Corr"] = re.findall("Spearman ρ +" + number, corr)
    wrong = {who: values for who, values in said.items()
             if not values or any(abs(float(v) - float(exact[0])) > 0.00501 for v in values)}
    return f"correlate has {exact[0]}, and others {wrong}{shown + corr if VERBOSE else str()}" if wrong else None


def check_python(pool):
    """The module, given the arrays, ranks as the program does."""
    code = f"""
import json, numpy as np, os, embedscope
names = {[name for name in pool.names]!r}
pool = {pool.path!r}
models = {{name: np.load(os.path.join(pool, name + ".npy")) for name in names}}
families = {pool.family!r}
r = embedscope.rank(models, families=families, estimator="linear", preset="shrunk", progress=False)
print(json.dumps([[row["model"], row["score"]] for row in r.document("rank")["ranking"] if row["rank"] is not None]))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=dict(
        pool.env, EMBEDSCOPE_LIBRARY=LIBRARY, EMBEDSCOPE_PROGRAM=PROGRAM, PYTHONPATH=SOURCE + "/src/python",
        PYTHONDONTWRITEBYTECODE="1"))
    if done.returncode != 0:
        return done.stderr.decode()
    python = json.loads(done.stdout)
    document = json.loads(pool.run("rank", pool.path, "--json"))
    program = [[row["model"], row["score"]] for row in document["ranking"] if row["rank"] is not None and not row.get("derived")]
    return None if python == program else f"Python {python}\nprogram {program}"


def main():
    tap = Tap()
    if not pyte:
        tap.skip("same answer", "python3-pyte is missing")
        return tap.end()
    titles = dict(re.findall(r'BY_COMMAND\("([^"]+)",\s*"([^"]*)",', open(os.path.join(SOURCE, "src/report/analyses.c")).read()))
    for number in NUMBERS:
        pool = Pool(number)
        screen = Screen(pool)
        screen.explorer.send(":heatmap\ri:overview\r")
        problems = []
        for row in analyses():
            missing = ("SCORES" in row[3] and not pool.scored) or "SERIES" in row[3]
            problem = None if missing else check_analysis(pool, screen, row, titles[row[0]])
            problems += [f"{row[0]}: {problem}"] if problem else []
        for order in ORDERS:
            problem = check_matrix(pool, screen, order)
            problems += [f"matrix by {order}: {problem}"] if problem else []
        for name, check in (("ranking", check_ranking), ("downstream", check_downstream)):
            problem = check(pool, screen) if name != "downstream" or pool.scored else None
            problems += [f"{name}: {problem}"] if problem else []
        if number % 3 != 1 and not pool.sets:
            problem = check_python(pool)
            problems += [f"Python: {problem}"] if problem else []
        screen.explorer.quit()
        tap.ok(not problems, f"pool {number}: every surface says the same", "\n".join(problems))
        pool.home.remove()
    return tap.end()


if __name__ == "__main__":
    sys.exit(main())
