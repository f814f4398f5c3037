#!/usr/bin/env python3
"""mutants.py [ROOM...] [COUNT] [SEED] [SECONDS] [again=LOG]: would the tests see a wrong line?

Draws COUNT lines (30) of the code in the rooms (core, engine and io), makes one small change to each,
a mutant, and asks the test programs that execute the line, near and quick ones first, until one fails
or SECONDS (30) of tests have passed. A mutant that none finds is a hole in the tests or makes no
difference; the latter are listed, with the reason, in equivalent.txt. What does not compile is no
mutant, nor what compiles to the same bytes: a line for another system, a value that is overwritten.
`again` asks only those that survived in the printed LOG of another run.

Works on a copy of the sources in build/mutants, with three builds in which every room is a shared
library. One counts executed lines, test by test (gcov). Another is what tests run on: a mutant is
one file compiled and one library linked, which stands before the right one in LD_LIBRARY_PATH, so
several are tried at once and nothing is built back. What survives there is asked once more in the
third, under AddressSanitizer and UBSan, as every change is (./dev asan), by the tests of its layer.
All of it runs at the lowest priority. (DeMillo, Lipton and Sayward, "Hints on test data selection",
1978.)
"""
import collections
import concurrent.futures
import filecmp
import json
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TREE = os.path.join(ROOT, "build/mutants")
PLAIN = os.path.join(TREE, "build/plain")
COVER = os.path.join(TREE, "build/cover")
WATCHED = os.path.join(TREE, "build/watched")
CORES = os.cpu_count() or 1
SLOWEST = 120  # seconds that a test may take which is asked
SWAPS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&",
         "+": "-", "-": "+", "*": "/", "/": "*"}

# No calls, or calls whose arguments only name things or are multiplied.
NO_CALLS = r"if|for|while|switch|return|sizeof|es_fail|es_no_memory\w*|es_alloc\w*|es_arena_alloc"

Mutant = collections.namedtuple("Mutant", "file line old new text swapped")


def read(file):
    with open(os.path.join(TREE, file), encoding="utf-8", errors="surrogateescape") as source:
        return source.read()


# ---- making mutants ----

def blank(match):
    return re.sub(r"[^\n]", " ", match.group())


def code_only(text):
    """The text with comments, strings and preprocessor lines blanked, place by place."""
    text = re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', blank, text,
                  flags=re.S)
    text = re.sub(r"^[ \t]*#(?:.*\\\n)*.*", blank, text, flags=re.M)
    text = re.sub(r"\b(?:static (?:const )?[^;(]*= \{.*?\};|assert\(.*?\);)", blank, text, flags=re.S)
    return re.sub(r"= \{0\}", blank, text)


def bodies(code):
    """Start and end of every function's body."""
    depth, start = 0, None
    for at, c in enumerate(code):
        if c == "{":
            if depth == 0 and code[:at].rstrip().endswith(")"):
                start = at
            depth += 1
        elif c == "}":
            depth -= 1
            if depth == 0 and start is not None:
                yield start, at
                start = None


def arguments(code, opened):
    """Start and end of each argument in the parentheses that open there; the last ends at theirs."""
    depth, start, found = 0, opened + 1, []
    for at in range(opened, len(code)):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth == 0 or (code[at] == "," and depth == 1):
            found.append((start + len(code[start:at]) - len(code[start:at].lstrip()), at))
            start = at + 1
        if depth == 0:
            break
    return found


def changes(code, text, start, end, rng):
    """(from, to, replacement, swapped) of every change that a body allows."""
    for m in re.finditer(r" (<=|>=|==|!=|<|>|&&|\|\||\+|-|\*|/)(?=[ \n])", code[start:end]):
        yield start + m.start(1), start + m.end(1), SWAPS[m.group(1)], False
    for m in re.finditer(r"(?<![\w.])(?<!e-)\d+(?![\w.])", code[start:end]):
        line = code[code.rfind("\n", 0, start + m.start()) + 1:start + m.end() + 1]
        if not re.search(r"^\s*[\w ]+[ *]\w+\[\d+\]$", line):  # the room of an array
            number = int(m.group())
            step = rng.choice((1, -1)) if number > 0 else 1
            if step < 0 or not re.search(r"alloc\w*\(", line):  # more room than is needed makes no difference
                yield start + m.start(), start + m.end(), str(number + step), False
    for m in re.finditer(r"\bif \(", code[start:end]):
        opened = start + m.end() - 1
        shut = arguments(code, opened)[-1][1]
        yield opened, shut + 1, "(!" + text[opened:shut + 1] + ")", False
        guard = re.match(r"\)\s*return\b[^;]*;(?!\s*else)", code[shut:end])
        if guard:
            yield start + m.start(), shut + guard.end(), ";", False
    for m in re.finditer(rf"\b(?!(?:{NO_CALLS})\b)\w+\(", code[start:end]):
        given = arguments(code, start + m.end() - 1)
        for (a, b), (c, d) in zip(given, given[1:]):
            if code[a:b].strip() and code[c:d].strip() and text[a:b].strip() != text[c:d].strip():
                yield a, d, text[c:d] + ", " + text[a:b], True


def mutants_of(file, rng):
    """All mutants of a file, by line."""
    text = read(file)
    code = code_only(text)
    by_line = collections.defaultdict(list)
    for start, end in bodies(code):
        for a, b, replacement, swapped in changes(code, text, start, end, rng):
            first = text.rfind("\n", 0, a) + 1
            last = text.find("\n", b)
            old = " ".join(text[first:last].split())
            new = " ".join((text[first:a] + replacement + text[b:last]).split())
            line = text.count("\n", 0, a) + 1
            by_line[line].append(
                Mutant(file, line, old, new, text[:a] + replacement + text[b:], swapped))
    return by_line


def drawn(files, rng):
    """Mutants in random order, one a line."""
    lines = []
    for file in files:
        by_line = mutants_of(file, rng)
        lines += [by_line[n] for n in sorted(by_line)]
    rng.shuffle(lines)
    for candidates in lines:
        yield rng.choice([c for c in candidates if not c.swapped] or candidates)


def redrawn(files, wanted):
    """Those mutants, also where other lines have changed since; some numbers change up or down by
    the draw."""
    left = set(wanted)
    for seed in range(8):
        for file in sorted({file for file, _, _ in left} & set(files)):
            for candidates in mutants_of(file, random.Random(seed)).values():
                for m in candidates:
                    if (m.file, m.old, m.new) in left:
                        left.remove((m.file, m.old, m.new))
                        yield m


# ---- the copy, its build and its tests ----

def copy_tree():
    """The tracked and new files as they are now; what has not changed is not touched."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT,
                            capture_output=True, text=True, check=True).stdout.splitlines()
    wanted = {f for f in listed if os.path.isfile(os.path.join(ROOT, f))}
    for folder, folders, names in os.walk(TREE):
        if folder == TREE and "build" in folders:
            folders.remove("build")
        for name in names:
            if os.path.relpath(os.path.join(folder, name), TREE) not in wanted:
                os.remove(os.path.join(folder, name))
    for file in wanted:
        source, path = os.path.join(ROOT, file), os.path.join(TREE, file)
        if not os.path.exists(path) or not filecmp.cmp(source, path, shallow=False):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            shutil.copy(source, path)
    return sorted(wanted)


def said_by(*command, cwd=TREE):
    """What a command that must work prints."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(done.stdout + done.stderr)
    return done.stdout


def room_of(file):
    """src/core/cmim/x.c is linked into src/libes_core_cmim.so."""
    return "src/libes_" + os.path.dirname(file)[len("src/"):].replace("/", "_") + ".so"


def layer_of(file):
    return file.split("/")[1]


def build_all(files):
    for tree, flags, watched in ((PLAIN, "-O1", ""), (WATCHED, "-O1", "address,undefined"),
                                 (COVER, "-O1 --coverage -fprofile-update=single", "")):
        said_by("cmake", "-G", "Ninja", "-S", ".", "-B", tree, "-DCMAKE_BUILD_TYPE=Debug",
                "-DCMAKE_C_FLAGS_DEBUG=" + flags, "-DES_SANITIZE=" + watched, "-DES_ROOMS=SHARED",
                "-DES_MPI=OFF",
                "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--enable-new-dtags",
                "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--enable-new-dtags")
    said_by("ninja", "-C", PLAIN)
    layers = {layer_of(file) for file in files}
    said_by("ninja", "-C", WATCHED, *sorted({room_of(file) for file in files}),
            *sorted(layer + "_tests" for layer in layers))
    said_by("ninja", "-C", COVER, *sorted({room_of(file) for file in files} | made_before(COVER)))


def made_before(tree):
    """Rooms that an earlier run has built there: tests find them, so they must not be of old. Those
    that are no more are removed."""
    targets = said_by("ninja", "-C", tree, "-t", "targets", "all")
    known = {line.split(":")[0] for line in targets.splitlines()}
    folder = os.path.join(tree, "src")
    found = {f"src/{name}" for name in os.listdir(folder) if name.endswith(".so")} \
        if os.path.isdir(folder) else set()
    for room in found - known:
        os.remove(os.path.join(tree, room))
    return found & known


Test = collections.namedtuple("Test", "name command environment folder")


def tests(tree):
    """The cmocka programs, by name. Scripts judge the machine, too, and are not asked."""
    found = {}
    for test in json.loads(said_by("ctest", "--show-only=json-v1", cwd=tree))["tests"]:
        if os.path.exists(os.path.join(TREE, "tests", test["name"] + ".c")):
            own = {p["name"]: p["value"] for p in test.get("properties", [])}
            environment = dict(e.split("=", 1) for e in own.get("ENVIRONMENT", []))
            program = os.path.join(tree, "tests", test["name"].replace("/", "_", 1))
            found[test["name"]] = Test(test["name"], test.get("command", [program]), environment,
                                       own.get("WORKING_DIRECTORY", tree))
    return found


def limits(seconds, watched):
    os.setsid()
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    if not watched:  # AddressSanitizer takes all the addresses there are
        resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_test(test, limit, libraries, **environment):
    """What failed, in a word or two, with the libraries in a folder; None when nothing did. The limit
    is of processor time, as others may use the machine, and by the clock four times that."""
    environment = {**os.environ, **test.environment, **environment, "LD_LIBRARY_PATH": libraries}
    watched = test.command[0].startswith(WATCHED)
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(test.command, cwd=test.folder, env=environment, stdout=log,
                                   stderr=log, stdin=subprocess.DEVNULL,
                                   preexec_fn=lambda: limits(int(limit) + 1, watched))
        try:
            code = process.wait(4 * limit)
        except subprocess.TimeoutExpired:
            code = None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        process.wait()
        if code in (None, -signal.SIGXCPU, -signal.SIGKILL):
            return test.name + " (time)"
        if code == 0:
            return None
        log.seek(0)
        case = re.search(r"\[  FAILED  \] (\w+)|^not ok \d+ -? ?(.*)", log.read(), re.M)
        return test.name + (" " + (case.group(1) or case.group(2)) if case else f" (exit {code})")


# ---- which test executes which line ----

def executed(folder):
    """{file: lines} from the counts that a test has left in the folder, and {file: all lines}."""
    hit, all_lines = collections.defaultdict(set), collections.defaultdict(set)
    counts = [os.path.join(path, name) for path, _, names in os.walk(folder) for name in names
              if name.endswith(".gcda")]
    for count in counts:
        os.symlink(count[len(folder):-4] + "gcno", count[:-4] + "gcno")
    if counts:
        done = subprocess.run(["gcov", "-t", "-j", *counts], cwd=COVER, capture_output=True,
                              text=True)
        for document in done.stdout.splitlines():
            for source in json.loads(document)["files"]:
                file = os.path.relpath(os.path.join(COVER, source["file"]), TREE)
                for line in source["lines"]:
                    all_lines[file].add(line["line_number"])
                    if line["count"]:
                        hit[file].add(line["line_number"])
    return hit, all_lines


def measure(test):
    """(seconds, {file: lines}, {file: all lines}) of a test without a mutant; None when it fails."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.monotonic()
        failed = run_test(test, SLOWEST, os.path.join(COVER, "src"), GCOV_PREFIX=folder)
        seconds = time.monotonic() - begun
        if failed:
            print(f"# fails without any mutant, not asked: {failed}", flush=True)
            return None
        hit, all_lines = executed(folder)
        return [seconds, *({f: sorted(n) for f, n in part.items()} for part in (hit, all_lines))]


def measure_all(all_tests):
    """measure() of every test; kept in build/mutants until the test or a library is another."""
    kept, path = {}, os.path.join(TREE, "build/lines.json")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as saved:
            kept = json.load(saved)
    libraries = os.path.join(COVER, "src")
    newest = max(os.path.getmtime(os.path.join(libraries, f)) for f in os.listdir(libraries)
                 if f.endswith(".so"))
    stamps = {t.name: max(newest, os.path.getmtime(t.command[0])) for t in all_tests.values()}
    stale = [t for t in all_tests.values() if kept.get(t.name, [0])[0] != stamps[t.name]]
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        for test, found in zip(stale, pool.map(measure, stale)):
            kept[test.name] = [stamps[test.name], found]
    with open(path, "w", encoding="utf-8") as saved:
        json.dump(kept, saved)
    return {name: kept[name][1] for name in all_tests if kept[name][1]}


def judges(mutant, known):
    """The tests that execute the mutant's line, near and quick ones first; if none does those of its
    layer. A line that gcov does not count is taken for the ones before and behind it."""
    lines = {n for _, _, all_lines in known.values() for n in all_lines.get(mutant.file, ())}
    beside = {mutant.line} if mutant.line in lines else {
        max((n for n in lines if n < mutant.line), default=0),
        min((n for n in lines if n > mutant.line), default=0)}
    words = set(os.path.basename(mutant.file)[:-2].split("_"))
    layer = layer_of(mutant.file)
    found = []
    for name, (seconds, hit, _) in known.items():
        near = words & set(os.path.basename(name).split("_"))
        if beside & set(hit.get(mutant.file, ())):
            far = 0.3 if near else 1 if name.startswith(layer + "/") else 3
            found.append((far * (seconds + 0.1), name))
    if found:
        return [name for _, name in sorted(found)]
    own = [name for name in known if name.startswith(layer + "/")]  # a child's counts may be lost
    return sorted(own, key=lambda n: (not words & set(os.path.basename(n).split("_")), known[n][0]))


# ---- trying a mutant ----

class Builder:
    """Compiles a mutant and links its room, in a folder of its own."""

    def __init__(self, files, tree):
        self.tree = tree
        with open(os.path.join(tree, "compile_commands.json"), encoding="utf-8") as listed:
            self.compile = {os.path.relpath(c["file"], TREE): c for c in json.load(listed)
                            if "output" not in c or "dir/" in c["output"]}
        self.plain = {}  # objects of files as they are
        self.link = {room: said_by("ninja", "-C", tree, "-t", "commands", room).splitlines()[-1]
                     for room in {room_of(file) for file in files}}

    def compiled(self, file, text, folder):
        """(object, what the compiler says) of a file with that text; None when it does not compile."""
        source = os.path.join(folder, os.path.basename(file))
        made = os.path.join(folder, "made.o")
        with open(source, "w", encoding="utf-8", errors="surrogateescape") as out:
            out.write(text)
        words = shlex.split(self.compile[file]["command"])
        words[words.index("-o") + 1] = made
        words[words.index(os.path.join(TREE, file))] = source
        words.insert(1, "-iquote" + os.path.dirname(os.path.join(TREE, file)))
        words.insert(1, f"-ffile-prefix-map={folder}=.")
        done = subprocess.run(words, cwd=self.tree, capture_output=True, text=True)
        if done.returncode != 0:
            return None
        with open(made, "rb") as object_file:
            return object_file.read(), done.stderr

    def build(self, mutant, folder):
        """Whether it compiles, to other bytes and, where arguments are in another order, without a
        warning."""
        if mutant.file not in self.plain:
            self.plain[mutant.file] = self.compiled(mutant.file, read(mutant.file), folder)[0]
        made = self.compiled(mutant.file, mutant.text, folder)
        if not made or made[0] == self.plain[mutant.file] or (mutant.swapped and "warning:" in made[1]):
            return False
        words = shlex.split(self.compile[mutant.file]["command"])
        usual, room = words[words.index("-o") + 1], room_of(mutant.file)
        linked = os.path.join(folder, os.path.basename(room))
        link = self.link[room].replace(f" {usual}", f" {os.path.join(folder, 'made.o')}")
        return subprocess.run(link.replace(f"-o {room}", f"-o {linked}"), shell=True,
                              cwd=self.tree, capture_output=True).returncode == 0


class Judge:
    """Asks tests about mutants."""

    def __init__(self, files, seconds):
        self.seconds = seconds
        self.tests, self.watched_tests = tests(PLAIN), tests(WATCHED)
        self.known = measure_all(self.tests)
        self.builder, self.watched_builder = Builder(files, PLAIN), Builder(files, WATCHED)

    def killer(self, mutant):
        """(whether it is found, by what, or what was asked); None when it is no mutant."""
        with tempfile.TemporaryDirectory() as folder:
            if not self.builder.build(mutant, folder):
                return None
            chosen, asked, spent = judges(mutant, self.known), 0, 0.0
            for name in chosen:
                if asked and spent > self.seconds:  # as long as they take without a mutant
                    break
                spent += self.known[name][0]
                limit = 10 + 5 * self.known[name][0]
                failed = run_test(self.tests[name], limit, folder)
                # far away: it must be no coincidence
                if failed and (name.split("/")[0] == layer_of(mutant.file) or
                               run_test(self.tests[name], limit, folder)):
                    return True, f"killed by {failed}"
                asked += 1
        by = self.watched_killer(mutant, [n for n in chosen if n.startswith(layer_of(mutant.file))])
        if by:
            return True, f"killed under AddressSanitizer by {by}"
        return False, f"survived {asked} of {len(chosen)} tests" if chosen else "no test executes it"

    def watched_killer(self, mutant, chosen):
        """What fails under AddressSanitizer, and does not without the mutant; None when nothing does."""
        spent = 0.0
        with tempfile.TemporaryDirectory() as folder:
            if not self.watched_builder.build(mutant, folder):
                return None
            for name in chosen:
                if spent > self.seconds:
                    break
                spent += self.known[name][0]
                limit = 30 + 15 * self.known[name][0]
                failed = run_test(self.watched_tests[name], limit, folder)
                if failed and not run_test(self.watched_tests[name], limit, os.path.join(WATCHED, "src")):
                    return failed
        return None


def judged(mutants, ask):
    """(mutant, what ask says of it), in order, several at a time."""
    waiting = collections.deque()
    with concurrent.futures.ThreadPoolExecutor(CORES) as pool:
        for mutant in mutants:
            waiting.append((mutant, pool.submit(ask, mutant)))
            if len(waiting) > 8 * CORES:
                mutant, asked = waiting.popleft()
                yield mutant, asked.result()
        while waiting:
            mutant, asked = waiting.popleft()
            yield mutant, asked.result()


# ---- the report ----

def equivalents():
    """(file, line's text, changed text): blocks of four lines, the fourth of which says why."""
    with open(os.path.join(HERE, "equivalent.txt"), encoding="utf-8") as listed:
        text = re.sub(r"^#.*\n", "", listed.read(), flags=re.M)
    blocks = [[line.strip() for line in block.splitlines()] for block in text.strip().split("\n\n")]
    return {tuple(block[:3]) for block in blocks if len(block) >= 4}


def survivors(log):
    """(file, line's text, changed text) of those that survived in a printed log."""
    with open(log, encoding="utf-8") as printed:
        return set(re.findall(r"^not ok \d+ (\S+):\d+\n#   (.*)\n#   (.*)", printed.read(), re.M))


def score(found, all):
    """In words, with Wilson's interval of 95 %."""
    z, p = 1.96, found / all
    middle, half = p + z * z / (2 * all), z * (p * (1 - p) / all + z * z / (4 * all * all)) ** 0.5
    low, high = ((middle + side * half) / (1 + z * z / all) for side in (-1, 1))
    return f"{found} of {all} found, {100 * p:.1f} % ({100 * low:.1f} to {100 * high:.1f})"


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        print(__doc__)
        return 0
    os.nice(19)
    again = [a[len("again="):] for a in sys.argv[1:] if a.startswith("again=")]
    numbers = [int(a) for a in sys.argv[1:] if a.isdigit()]
    rooms = [a for a in sys.argv[1:] if not a.isdigit() and "=" not in a] or ["core", "engine", "io"]
    for room in rooms:
        if not os.path.isdir(os.path.join(ROOT, "src", room)):
            sys.exit(f"no room src/{room}; {__doc__.splitlines()[0]}")
    count, seed, seconds = (numbers + [30, 1, 30][len(numbers):])[:3]
    files = [f for f in copy_tree() if f.endswith(".c") and
             f.startswith(tuple(f"src/{room}" for room in rooms))]
    build_all(files)
    judge, same = Judge(files, seconds), equivalents()
    mutants = redrawn(files, survivors(again[0])) if again else drawn(files, random.Random(seed))

    def ask(mutant):
        if (mutant.file, mutant.old, mutant.new) in same:
            return False, "makes no difference: equivalent.txt"
        return judge.killer(mutant)

    scores, number, failed = collections.Counter(), 0, 0
    for mutant, answer in judged(mutants, ask):
        if answer is None:
            continue
        found, said = answer
        number += 1
        room = os.path.dirname(mutant.file)[len("src/"):]
        equal = said.startswith("makes no difference")
        failed += not found and not equal
        for part in room, "all together":
            scores[part, "all"] += not equal
            scores[part, "found"] += found
            scores[part, "equal"] += equal
            scores[part, "watched"] += "AddressSanitizer" in said
        print("ok" if found or equal else "not ok", number, f"{mutant.file}:{mutant.line}")
        print(f"#   {mutant.old}\n#   {mutant.new}\n#   {said}", flush=True)
        if number == count:
            break
    for room in sorted({room for room, _ in scores}):
        if scores[room, "all"]:
            print(f"# {room}: {score(scores[room, 'found'], scores[room, 'all'])}; "
                  f"{scores[room, 'watched']} of them under AddressSanitizer alone; "
                  f"{scores[room, 'equal']} more make no difference")
    print(f"{number - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
