#!/usr/bin/env python3
"""complete.py SHELL SCRIPT PROGRAM: types lines with Tab into a real shell on a terminal of its own, and
looks at what it made of them. TAP output.

In that shell `embedscope` prints its arguments, one in < > each, so that what was completed is seen as
the program would get it; `embedscope names` is the program's own.
"""
import os
import pty
import re
import select
import sys
import tempfile
import time

SHELL, SCRIPT, PROGRAM = sys.argv[1], os.path.realpath(sys.argv[2]), os.path.realpath(sys.argv[3])
TAB = "\t"

POSIX = 'embedscope() { if [[ $1 == names ]]; then "$PROGRAM" "$@"; else printf "<%s>" "$@"; echo; fi; }\n'
START = {
    "bash": (["bash", "--norc", "-i"],
             "PS1='READY> '; bind 'set show-all-if-ambiguous on' 'set page-completions off'; "
             "bind 'set completion-query-items 0' 2>/dev/null; bind 'set enable-bracketed-paste off'; "
             + POSIX.strip() + "; . \"$SCRIPT\"\n"),
    "zsh": (["zsh", "-f", "-i"],
            "PS1='READY> '; unsetopt zle_bracketed_paste 2>/dev/null; unset zle_bracketed_paste; LISTMAX=9999; setopt no_prompt_sp no_prompt_cr; "
            "autoload -Uz compinit && compinit -u -D; setopt bash_auto_list no_always_last_prompt; "
            + POSIX.strip() + "; . \"$SCRIPT\"\n"),
}

# Typed, and what the program gets.
INSERTED = [
    ("embedscope corr", "<correlate>"),
    ("embedscope export P rank", "<export><P><ranking>"),
    ("embedscope export P matrix --theme da", "<export><P><matrix><--theme><dark>"),
    ("embedscope P --theme no", "<P><--theme><nord>"),
    ("embedscope compare P o", "<compare><P><o'brien v2>"),
    ("embedscope compare P alp", "<compare><P><alpha>"),
    ("embedscope compare P alpha be", "<compare><P><alpha><beta>"),
    ("embedscope rank P --models alpha,be", "<rank><P><--models><alpha,beta>"),
    ("embedscope correlate P --task acc", "<correlate><P><--task><accuracy>"),
    ("embedscope measure P knn-o", "<measure><P><knn-overlap>"),
    ("embedscope measure P --worst-of bet", "<measure><P><--worst-of><beta>"),
    ("embedscope tree P --resol", "<tree><P><--resolution>"),
    ("embedscope rank P --estimator lin", "<rank><P><--estimator><linear>"),
    ("embedscope help tre", "<help><tree>"),
    ("embedscope tree P --threads 2 --thres", "<tree><P><--threads><2><--threshold>"),
]
# Typed, what is offered, and what is not.
OFFERED = [
    ("embedscope rank P --preset ", ["default", "shrunk", "paper-nlp"], []),
    ("embedscope export P matrix --theme ", ["light", "dark", "nord"], ["viridis"]),
    ("embedscope export P ", ["ranking", "by-task", "tree"], ["alpha"]),
    ("embedscope rank P --models alpha,", [{"bash": r"alpha\,beta", "fish": "alpha,beta", "zsh": "beta"}[SHELL]], ["alpha,alpha", "alpha"]),
    ("embedscope tree P --th", ["--threshold", "--threads"], ["--theme"]),
]


class Terminal:
    def __init__(self, argv, directory):
        pid, self.fd = pty.fork()
        if pid == 0:
            os.chdir(directory)
            os.environ.update(PROGRAM=PROGRAM, SCRIPT=SCRIPT, TERM="dumb" if SHELL == "bash" else "vt100",
                              LC_ALL="C.UTF-8", HOME=directory, XDG_CONFIG_HOME=directory, COLUMNS="200")
            os.execvp(argv[0], argv)

    def send(self, text):
        os.write(self.fd, text.encode())

    def read(self, until, seconds=10):
        """What comes until the pattern does, or nothing more for a while."""
        text, end = "", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.fd], [], [], 0.1)[0]:
                try:
                    text += os.read(self.fd, 65536).decode(errors="replace")
                except OSError:
                    break
            if until and re.search(until, text):
                break
        return text


def by_terminal(directory):
    argv, setup = START[SHELL]
    term = Terminal(argv, directory)
    term.send(setup + "echo SET''UP\n")
    term.read(r"SETUP[\r\n]")
    for typed, expected in INSERTED:
        term.send(typed + TAB)
        time.sleep(0.05)
        term.send("\n")
        found = term.read(r"(?s)\n<.*>\r?\n.*READY> ", 5).replace("\0", "")
        yield f"{typed} becomes {expected}", f"\n{expected}" in found.replace("\r", "\n"), found
    for typed, offered, absent in OFFERED:
        term.send(typed + (TAB if SHELL == "bash" else TAB * 3))
        found = term.read(r"(?s)" + offered[-1] + r".*READY> ", 3)
        term.send("\x15\n")
        term.read("READY> ", 2)
        yield (*judge(typed, found.replace(typed, ""), offered, absent), found)


def judge(typed, found, offered, absent):
    words = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", " ", found.replace("\0", "")).replace("=", " ").split()
    good = all(words.count(word) == 1 for word in offered) and not any(word in words for word in absent)
    return f"{typed.strip()} offers {' '.join(offered)} once each", good


def by_fish(directory):
    """fish completes for whoever asks; what it offers is what Tab inserts."""
    import subprocess
    with open(os.path.join(directory, "embedscope"), "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\nexec "{PROGRAM}" "$@"\n')
    os.chmod(os.path.join(directory, "embedscope"), 0o755)
    environment = dict(os.environ, PATH=directory + ":" + os.environ["PATH"], HOME=directory,
                       XDG_CONFIG_HOME=directory, LC_ALL="C.UTF-8")

    def ask(lines):
        script = "source $argv[1]\n" + "".join(
            f"echo 'LINE {k}'; complete -C {quote(line)}\n" for k, line in enumerate(lines))
        done = subprocess.run(["fish", "--no-config", "-c", script, SCRIPT], capture_output=True, text=True,
                              cwd=directory, env=environment, check=False, timeout=60)
        parts = re.split(r"^LINE \d+\n", done.stdout, flags=re.M)[1:]
        return [[row.split("\t")[0] for row in part.splitlines()] for part in parts], done.stderr

    answers, said = ask([typed for typed, _ in INSERTED] + [typed for typed, _, _ in OFFERED])
    for (typed, expected), words in zip(INSERTED, answers):
        last = re.findall(r"<([^>]*)>", expected)[-1]
        yield f"{typed} becomes {expected}", words == [last] or words.count(last) == 1 and all(
            word.startswith(typed.split()[-1]) for word in words), f"{words} {said}"
    for (typed, offered, absent), words in zip(OFFERED, answers[len(INSERTED):]):
        yield (*judge(typed, " ".join(words), offered, absent), f"{words} {said}")


def quote(text):
    return "'" + text.replace("'", "\\'") + "'"


def make_pool(directory):
    pool = os.path.join(directory, "P")
    os.mkdir(pool)
    for name in ("alpha", "beta", "o'brien v2"):
        header = "{'descr': '<f4', 'fortran_order': False, 'shape': (30, 2), }"
        header += " " * (117 - len(header)) + "\n"
        with open(os.path.join(pool, name + ".npy"), "wb") as file:
            file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode())
            file.write(bytes(range(240)))
    with open(os.path.join(pool, "scores.csv"), "w", encoding="utf-8") as file:
        file.write("model,accuracy,recall\nalpha,1,2\nbeta,2,1\n")


def main():
    bad = count = 0
    with tempfile.TemporaryDirectory() as directory:
        make_pool(directory)
        for name, good, found in by_fish(directory) if SHELL == "fish" else by_terminal(directory):
            count += 1
            print(f"{'ok' if good else 'not ok'} {count} {SHELL}: {name}")
            if not good:
                bad = 1
                print("".join(f"# {line!r}\n" for line in found.splitlines()), end="")
    print(f"1..{count}")
    return bad


sys.exit(main())
