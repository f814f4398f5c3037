#!/usr/bin/env python3
"""mutants.py [ROOM...] [COUNT] [SEED]: would the tests see it if a line were wrong?

Draws COUNT lines (30) of the code in the rooms (src/core and src/engine), makes one small change to
each, a mutant, and runs the tests that are nearest to the file, then those of its layer, then all,
until one fails. A mutant that none finds is a hole in the tests or makes no difference; the latter
are listed, with the reason, in equivalent.txt. What does not compile is no mutant. Works on a copy of
the sources in build/mutants, with a build of its own. (DeMillo, Lipton and Sayward, "Hints on test
data selection", 1978.)
"""
import collections
import concurrent.futures
import filecmp
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TREE = os.path.join(ROOT, "build/mutants")
BUILD = os.path.join(TREE, "build/dev")
# Tests of the machine, of packages and of the source text: they fail for reasons other than a mutant.
NO_JUDGES = r"house|install|tui/(budgets|terminal|soak|acceptance)|.*slow"
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
            if step < 0 or "alloc(" not in line:  # more room than is needed makes no difference
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


def write(file, text):
    with open(os.path.join(TREE, file), "w", encoding="utf-8", errors="surrogateescape") as out:
        out.write(text)


def build(*targets):
    """Whether the targets build, and what was said."""
    done = subprocess.run(["ninja", "-C", BUILD, *targets], capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def build_all():
    done = subprocess.run(["cmake", "--preset", "dev", "-DES_WERROR=OFF"], cwd=TREE,
                          capture_output=True, text=True)
    ok, said = build("all") if done.returncode == 0 else (False, done.stdout + done.stderr)
    if not ok:
        sys.exit(said)


Test = collections.namedtuple("Test", "name command environment folder skip text")


def tests():
    """Of every test by its name: how to run it, and its source."""
    shown = subprocess.run(["ctest", "--show-only=json-v1"], cwd=BUILD, capture_output=True,
                           text=True, check=True).stdout
    found = {}
    for test in json.loads(shown)["tests"]:
        if re.fullmatch(NO_JUDGES, test["name"]) or "command" not in test:
            continue
        own = {p["name"]: p["value"] for p in test.get("properties", [])}
        source = "tests/" + test["name"] + ".c"
        text = read(source) if os.path.exists(os.path.join(TREE, source)) else ""
        found[test["name"]] = Test(test["name"], test["command"], own.get("ENVIRONMENT", []),
                                   own.get("WORKING_DIRECTORY", BUILD),
                                   own.get("SKIP_RETURN_CODE"), text)
    return found


def limits():
    os.setsid()
    resource.setrlimit(resource.RLIMIT_AS, (16 << 30, 16 << 30))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_test(test, limit, stop):
    """What failed, in a word or two; None when nothing did, or when it was stopped."""
    environment = dict(os.environ, **dict(e.split("=", 1) for e in test.environment))
    with tempfile.TemporaryFile("w+", errors="replace") as log:
        process = subprocess.Popen(test.command, cwd=test.folder, env=environment, stdout=log,
                                   stderr=log, stdin=subprocess.DEVNULL, preexec_fn=limits)
        end = time.monotonic() + limit
        while process.poll() is None and time.monotonic() < end and not stop.is_set():
            time.sleep(0.02)
        late = process.poll() is None
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        code = process.wait()
        if late:
            return None if stop.is_set() else test.name + " (time)"
        if code == 0 or code == test.skip:
            return None
        log.seek(0)
        case = re.search(r"\[  FAILED  \] (\w+)|^not ok \d+ -? ?(.*)", log.read(), re.M)
        return test.name + (" " + (case.group(1) or case.group(2)) if case else f" (exit {code})")


def judge(chosen, times, all=False):
    """What fails first, the quick ones asked first; with `all` everything that fails."""
    stop, found = threading.Event(), []

    def one(test):
        if stop.is_set():
            return
        begun = time.monotonic()
        failed = run_test(test, 20 + 10 * times.get(test.name, 28), stop)
        if failed:
            found.append(failed)
            all or stop.set()
        else:
            times.setdefault(test.name, time.monotonic() - begun)

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(one, sorted(chosen, key=lambda t: times.get(t.name, 0 if t.text else 60))))
    return found if all else found[0] if found else None


def nearest(file, all_tests):
    """Tests that share a word with the file's name, include its header or call its functions."""
    text = read(file)
    stem = os.path.splitext(os.path.basename(file))[0]
    header = re.search(r'^#include "([^"]+)"', text, re.M)
    names = set(re.findall(r"^(?!static)[\w *]*?\b(es_\w+)\(", text, re.M))
    scores = {}
    for test in all_tests.values():
        shared = set(stem.split("_")) & set(os.path.basename(test.name).split("_"))
        scores[test.name] = (2 * len(shared) + 2 * bool(header and f'"{header.group(1)}"' in test.text) +
                             sum(name in test.text for name in names))
    best = sorted((n for n in scores if scores[n] > 0), key=lambda n: (-scores[n], n))[:6]
    return [all_tests[n] for n in best]


def killer(mutant, all_tests, times):
    """The test that finds the mutant, "SURVIVED", or None when it does not compile."""
    path = mutant.file[len("src/"):]
    room = "es_" + os.path.dirname(path).replace("/", "_")
    ok, said = build(f"src/CMakeFiles/{room}.dir/{path}.o")
    if not ok or (mutant.swapped and "warning:" in said):
        return None
    layer = path.split("/")[0]
    near = nearest(mutant.file, all_tests)
    own = [t for t in all_tests.values() if t.name.startswith(layer + "/") and t not in near]
    rest = [t for t in all_tests.values() if t not in near and t not in own]
    for chosen in (near, own, rest):
        # cmocka's programs are targets of their own; scripts need the whole program
        named = chosen is not rest and all(t.text for t in chosen)
        ok, said = build(*([t.name.replace("/", "_") for t in chosen] if named else ["all"]))
        if not ok:
            return "the build"
        found = judge(chosen, times)
        if found and chosen is rest:  # far away: it must be no coincidence
            found = judge([all_tests[found.split()[0]]], times)
        if found:
            return found
    return "SURVIVED"


# ---- the report ----

def equivalents():
    """(file, line's text, changed text): blocks of four lines, the fourth of which says why."""
    with open(os.path.join(HERE, "equivalent.txt"), encoding="utf-8") as listed:
        text = re.sub(r"^#.*\n", "", listed.read(), flags=re.M)
    blocks = [[line.strip() for line in block.splitlines()] for block in text.strip().split("\n\n")]
    return {tuple(block[:3]) for block in blocks if len(block) >= 4}


def own_tests(all_tests, rooms, times):
    """Those of the rooms' layers, after a look at which pass without any mutant."""
    layers = {room.split("/")[0] for room in rooms}
    own = [t for t in all_tests.values() if t.name.split("/")[0] in layers]
    for failed in judge(own, times, all=True):
        print(f"# fails without any mutant, not asked: {failed}")
        del all_tests[failed.split()[0]]
    return set(times)


def try_out(mutant, all_tests, times, trusted):
    """killer() in the copy, which is as before when it returns. A test that has not been seen to pass
    is run without the mutant before it is believed."""
    original = read(mutant.file)
    while True:
        write(mutant.file, mutant.text)
        found = killer(mutant, all_tests, times)
        write(mutant.file, original)
        name = found.split()[0] if found else ""
        if name not in all_tests or name in trusted:
            return found
        build("all")
        if judge([all_tests[name]], times):
            del all_tests[name]
        trusted.add(name)


def main():
    rooms = [a for a in sys.argv[1:] if not a.isdigit()] or ["core", "engine"]
    numbers = [int(a) for a in sys.argv[1:] if a.isdigit()]
    count, seed = (numbers + [30, 1][len(numbers):])[:2]
    files = [f for f in copy_tree() if f.endswith(".c") and
             f.startswith(tuple(f"src/{room}/" for room in rooms))]
    build_all()
    all_tests, times = tests(), {}
    trusted = own_tests(all_tests, rooms, times)
    known, scores, number, failed = equivalents(), collections.Counter(), 0, 0
    for mutant in drawn(files, random.Random(seed)):
        if number == count:
            break
        same = (mutant.file, mutant.old, mutant.new) in known
        found = "" if same else try_out(mutant, all_tests, times, trusted)
        if found is None:
            continue
        number += 1
        survived = found == "SURVIVED"
        failed += survived
        room = os.path.dirname(mutant.file)[len("src/"):]
        scores[room, "all"] += 1
        scores[room, "found"] += not survived and not same
        print("not ok" if survived else "ok", number, f"{mutant.file}:{mutant.line}")
        print(f"#   {mutant.old}\n#   {mutant.new}")
        print("#  ", found if survived else f"killed by {found}" if found else
              "makes no difference: equivalent.txt", flush=True)
    for room in sorted({room for room, _ in scores}):
        print(f"# {room}: {scores[room, 'found']} of {scores[room, 'all']} found")
    print(f"{number - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
