#!/usr/bin/env python3
"""circles.py BUILD: the shape of the house, measured from what was built. Prints TAP.

A file is a .c and the .h of its name together. It points to another file when it includes that
file's header or when its object needs a symbol that the other's object defines. A room is a folder
of src; rooms must not point at each other in a circle, and names must not come twice.
--arrows FILE prints what a file points to and what points to it, with the names.
"""
import collections
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
MOST_PUBLIC_HEADERS = 15


def listed(*paths):
    found = []
    for path in paths:
        for folder, _, names in os.walk(os.path.join(ROOT, path)):
            found += [os.path.relpath(os.path.join(folder, n), ROOT) for n in names]
    return sorted(f for f in found if f.endswith((".c", ".h", ".def")))


def text_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8", errors="replace") as file:
        return file.read()


def stem(path):
    return os.path.splitext(os.path.basename(path))[0]


def symbols(build):
    """Names each object defines and needs, by the source's stem."""
    defines, needs = {}, collections.defaultdict(set)
    there = {stem(file) for file in listed("src") if file.endswith(".c")}
    objects = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(build, "src"))
               for name in names if name.endswith(".c.o")
               and name[: -len(".c.o")] in there]  # not of a file that was removed
    out = subprocess.run(["nm", *objects], capture_output=True, text=True, check=True).stdout
    for line in out.splitlines():
        words = line.split()
        if line.endswith(".c.o:"):
            source = os.path.basename(line)[: -len(".c.o:")]
        elif len(words) == 2 and words[0] in "Uw":
            needs[source].add(words[1])
        elif len(words) == 3 and words[1] in "TDBRVWC":
            defines[words[2]] = source
    return defines, needs


def arrows_of(build):
    files = listed("src", "include")
    stems = {stem(f) for f in files}
    arrows = collections.defaultdict(lambda: collections.defaultdict(set))
    for file in files:
        for header in re.findall(r'^\s*#\s*include\s+"([^"]+)"', text_of(file), re.M):
            if stem(header) in stems and stem(header) != stem(file):
                arrows[stem(file)][stem(header)].add("#include in " + os.path.basename(file))
    defines, needs = symbols(build)
    for source, names in needs.items():
        for name in names:
            if name in defines and defines[name] != source:
                arrows[source][defines[name]].add(name)
    return arrows


def rooms_of(arrows):
    """The same between rooms. A public header gives types to all, and its functions to nobody below
    the room of its source."""
    public = {stem(f) for f in listed("include")}
    room = {stem(f): f.split(os.sep)[1] for f in listed("include", "src")}
    del room["embedscope"]  # the header that has them all
    rooms = collections.defaultdict(lambda: collections.defaultdict(set))
    for a, to in arrows.items():
        for b in to:
            names = [name for name in to[b] if b not in public or not name.startswith("#include")]
            if a in room and b in room and room[a] != room[b] and names:
                rooms[room[a]][room[b]].add(f"{a} -> {b}")
    return rooms


def circles(arrows):
    """Strongly connected components of more than one (Tarjan 1972)."""
    index, low, stack, on, found = {}, {}, [], set(), []
    sys.setrecursionlimit(10000)

    def visit(v):
        index[v] = low[v] = len(index)
        stack.append(v)
        on.add(v)
        for w in list(arrows[v]):
            if w not in index:
                visit(w)
                low[v] = min(low[v], low[w])
            elif w in on:
                low[v] = min(low[v], index[w])
        if low[v] == index[v]:
            component = []
            while True:
                w = stack.pop()
                on.discard(w)
                component.append(w)
                if w == v:
                    break
            if len(component) > 1:
                found.append(sorted(component))

    for v in sorted(arrows):
        if v not in index:
            visit(v)
    return found


def same_names():
    places = collections.defaultdict(set)
    for file in listed("src", "include"):
        places[stem(file)].add(os.path.dirname(file))
    return [f"{name}: {', '.join(sorted(p))}" for name, p in sorted(places.items())
            if len(p - {"include/embedscope"}) > 1]


def types_of_two_meanings():
    places = collections.defaultdict(set)
    for file in listed("src", "include"):
        text = text_of(file)
        for name in re.findall(r"^\} (es_\w+);", text, re.M):
            places[name].add(file)
        for name in re.findall(r"^(?:struct|enum|union) (es_\w+) \{", text, re.M):
            places[name].add(file)
    return [f"{name}: {', '.join(sorted(p))}" for name, p in sorted(places.items()) if len(p) > 1]


def public_headers():
    found = os.listdir(os.path.join(ROOT, "include/embedscope"))
    return [f"{len(found)} headers"] if len(found) > MOST_PUBLIC_HEADERS else []


def without_a_head():
    """Sources that do not open with a comment of what they are for."""
    return [f for f in listed("src") if f.endswith(".c") and not text_of(f).startswith("/*")]


def circle_lines(arrows):
    lines = []
    for circle in circles(arrows):
        lines.append(f"{len(circle)} rooms: {' '.join(circle)}")
        for a in circle:
            for b in circle:
                if b in arrows[a] and len(circle) < 12:
                    lines.append(f"  {a} -> {b}: {', '.join(sorted(arrows[a][b])[:6])}")
    return lines


def main():
    build = sys.argv[1]
    arrows = arrows_of(build)
    if len(sys.argv) > 3 and sys.argv[2] == "--arrows":
        name = stem(sys.argv[3])
        for to in sorted(arrows[name]):
            print(f"{name} -> {to}: {', '.join(sorted(arrows[name][to]))}")
        for other in sorted(arrows):
            if name in arrows[other]:
                print(f"{other} -> {name}: {', '.join(sorted(arrows[other][name]))}")
        return 0
    rules = [
        ("rooms do not point at each other in a circle", circle_lines(rooms_of(arrows))),
        ("no two files have one name", same_names()),
        ("no type has two meanings", types_of_two_meanings()),
        (f"there are at most {MOST_PUBLIC_HEADERS} public headers", public_headers()),
        ("every source opens with what it is for", without_a_head()),
    ]
    failed = 0
    for number, (rule, found) in enumerate(rules, 1):
        print(("not ok" if found else "ok"), number, rule)
        for line in found:
            print("#", line)
        failed += bool(found)
    print(f"1..{len(rules)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
