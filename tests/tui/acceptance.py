#!/usr/bin/python3
"""What the explorer promises, as a user meets it: on a pseudo-terminal, in tmux and by scripts.
acceptance.py PROGRAM. Prints TAP."""
import hashlib, os, random, re, shutil, signal, subprocess, sys, time

from explorer import LAST, Explorer, Home, Tap, pyte, write_pool

program = os.path.abspath(sys.argv[1])
with open(program, "rb") as f:
    image = f.read()
threads_checked = b"__tsan_init" in image
slow = threads_checked or b"__asan_init" in image
del image
tap = Tap()
ANSWERS = {LAST: b"\033[?64c"}


def run(home, *arguments, codes=(0,)):
    done = subprocess.run([program, *arguments], env=home.environment(), capture_output=True, stdin=subprocess.DEVNULL, timeout=600)
    if done.returncode not in codes:
        raise SystemExit(f"{arguments}: {done.returncode}\n{done.stderr.decode(errors='replace')}")
    return done.stdout


def play(home, script, *arguments):
    path = home.file("script.keys")
    with open(path, "w") as f:
        f.write(script)
    return run(home, "--script", path, *arguments, home.pool)


# ---- a hang-up keeps what was done ----

if pyte:
    whole = Home()
    write_pool(whole.pool, 30)
    run(whole, "estimate", "--estimator", "linear", whole.pool)
    wanted = run(whole, "matrix", "--format", "csv", whole.pool)
    for attempt in range(10):
        home = Home()
        write_pool(home.pool, 30)
        e = Explorer(program, ["--fresh", "--start", "--estimator", "linear", "--threads", "1", home.pool], home, answers=ANSWERS)
        e.until(lambda: re.search(r"RUN|DONE", e.text()))
        e.kill(signal.SIGHUP)
        status = e.wait()
        e.quit()
        # 4: it was too early for a first one
        kept = len(re.findall(rb"\d\.\d", run(home, "matrix", "--format", "csv", home.pool, codes=(0, 4))))
        if status != 128 + signal.SIGHUP or 0 < kept < 800 or attempt == 9:
            break
        home.remove()
    run(home, "estimate", "--estimator", "linear", home.pool)
    tap.ok(status == 128 + signal.SIGHUP and run(home, "matrix", "--format", "csv", home.pool) == wanted,
           f"a run that SIGHUP broke off goes on to the same bytes", f"{status}, {kept} values kept")
    home.remove()
    whole.remove()
else:
    tap.skip("a run that SIGHUP broke off goes on to the same bytes", "python3-pyte is not installed")

# ---- sizes while it estimates ----

if pyte:
    home = Home()
    write_pool(home.pool, 40)
    e = Explorer(program, ["--fresh", "--start", "--estimator", "linear", "--threads", "2", home.pool], home, answers=ANSWERS, screen=False)
    e.until(lambda: b"help" in e.raw)
    draw = random.Random(3)
    for turn in range(60 if slow else 200):
        e.resize(draw.choice((1, 2, 19, 20, 59, 60, 80, 110, 120, 200, 250)), draw.choice((1, 2, 3, 15, 16, 24, 40, 70)))
        e.send(draw.choice("1234567jkl"))
        e.read(0.005)
    for size in ((65535, 3), (3, 65535)):
        e.resize(*size)
        seen = len(e.raw)
        e.until(lambda: len(e.raw) > seen + 20)
    e.resize(100, 30)
    e.watch()
    e.send("\033\033:jobs\r\014")
    good = e.shows("[7 Jobs]") and e.shows("DONE")
    e.send("q")
    tap.ok(good and e.wait() == 0, "a storm of sizes while it estimates", f"{e.status}\n{e.text()}")
    e.quit()
    home.remove()
else:
    tap.skip("a storm of sizes while it estimates", "python3-pyte is not installed")

# ---- a run that is stopped while it pauses ----

if pyte:
    home = Home()
    write_pool(home.pool, 30, rows=300)
    e = Explorer(program, ["--fresh", "--estimator", "knife", "--threads", "1", home.pool], home, answers=ANSWERS)
    e.until(lambda: "READY" in e.text())
    e.send(":run\r")
    seen = [e.shows("RUN")]
    e.send("p")
    seen.append(e.shows("PAUSED"))
    e.send("Xy")
    seen.append(e.until(lambda: "PAUSED" not in e.text()))
    e.send(":run\r")
    seen.append(e.shows("RUN"))
    e.send(":q!\r")
    tap.ok(all(seen) and e.wait() == 0, "a run that pauses can be stopped and started again", f"{seen} {e.status}\n{e.text()}")
    e.quit()
    home.remove()
else:
    tap.skip("a run that pauses can be stopped and started again", "python3-pyte is not installed")

# ---- what ends it restores the terminal ----

home = Home()
write_pool(home.pool, 4)
for number in (signal.SIGTERM, signal.SIGQUIT, signal.SIGXCPU, signal.SIGUSR1, signal.SIGUSR2,
               signal.SIGALRM, signal.SIGPROF):
    e = Explorer(program, ["--fresh", home.pool], home, answers=ANSWERS, screen=False)
    e.until(lambda: b"help" in e.raw)
    e.kill(number)
    status = e.wait()
    e.quit()
    tap.ok(status == 128 + number and b"\033[?1049l" in e.raw, f"{number.name} ends it in order", f"{status} {bytes(e.raw[-100:])}")
if threads_checked:
    tap.skip("where no frame has room it does not start, and says so", "the sanitizer itself needs a file")
else:
    e = Explorer("/bin/sh", ["-c", f"ulimit -f 100; exec '{program}' --fresh '{home.pool}'"], home, screen=False)
    status = e.wait()
    tap.ok(status == 3 and b"no room for a screen" in e.raw, "where no frame has room it does not start, and says so", f"{status} {bytes(e.raw[-100:])}")
    e.quit()
home.remove()

# ---- a frozen order ----

RULES = "┃│║|"
home = Home()
write_pool(home.pool, 36)
names = [f"model-{i:03d}" for i in range(36)]


def order(file):
    with open(home.file(file)) as f:
        found = [re.search(r"model-\d+", line[:60]) for line in f if line[0] in RULES and line[1] not in "│╭"]  # not Why
    rows = [m.group(0) for m in found if m]
    with open(home.file(file)) as f:
        cursor = [re.search(r"model-\d+", line).group(0) for line in f if "❯" in line and re.search(r"model-\d+", line)]
    return rows, cursor[0]


play(home, f""":wait idle
:rank
jjjjj
F
:dump {home.file('before')}
:run
:wait done
:dump {home.file('frozen')}
F
:dump {home.file('after')}
:q!
""", "--estimator", "linear", "--size", "120x60")
before, frozen, after = order("before"), order("frozen"), order("after")
tap.ok(len(before[0]) >= 36 and before[0] == frozen[0] and before[1] == frozen[1],
       "a frozen order outlives 1,296 results, and the cursor its embedder", f"{before}\n{frozen}")
tap.ok(after[0] != before[0] and after[1] == before[1], "F applies them, and the cursor stays with its embedder", f"{before[1]} {after}")
home.remove()

# ---- names ----

NAMES = ["中文嵌入-v1.5", "日本語モデル", "한국어", "cafe\u0301-combining", "o\u0308\u0304stack", "עברית-rtl", "عربي-model",
         "inject\033]52;c;eA==\007x", "inject\033[2J\033[31m", "bidi\u202egnirts", "tab\tname", "zero\u200bwidth", "plain"]


def straight(rows):
    """Pairs of (line, wanted columns, columns) where a vertical rule of the first row is missing."""
    wrong = []
    for y, row in enumerate(rows):
        if row[0] not in RULES or row[-1] not in RULES:
            wrong.append((y, "".join(row)))
    return wrong


home = Home()
write_pool(home.pool, len(NAMES), names=NAMES)
run(home, "estimate", "--estimator", "linear", home.pool)
if pyte:
    for width, height in ((120, 40), (80, 24)):
        e = Explorer(program, ["--fresh", home.pool], home, size=(width, height), answers=ANSWERS)
        e.until(lambda: re.search(r"READY|DONE", e.text()))
        wrong = []
        for view in "12345671":
            e.send(view + "\014")
            e.shows(f"[{view} ")
            while e.read(0.1):
                pass
            # The frame around the views, cell by cell: what pyte has at both ends of each line.
            # Above it are the lines of the answer.
            rows = [[e.screen.buffer[y][x].data for x in range(width)] for y in range(height - 3)]
            top = next(y for y, r in enumerate(rows) if r[0] in "┏╭")
            ends = [(r[0], r[-1]) for r in rows[top:]]
            wrong += [(view, y + top, a, b, e.screen.display[y + top]) for y, (a, b) in enumerate(ends)
                      if a not in "┃│┏┗╭╰" or b not in "┃│┓┛╮╯"]
        tap.ok(not wrong, f"borders are straight whatever the names, {width}x{height}, pyte", "\n".join(map(str, wrong[:5])))
        tap.ok(b"\033]52" not in e.raw and b"\033[31m" not in e.raw and "\u202e".encode() not in e.raw, "and no name reaches the terminal as a command", "")
        e.quit()
else:
    tap.skip("borders are straight whatever the names, pyte", "python3-pyte is not installed")
if shutil.which("tmux") and pyte:
    from wcwidth import wcswidth
    socket = f"es-accept-{os.getpid()}"

    def tmux(*arguments):
        return subprocess.run(["tmux", "-L", socket, "-f", "/dev/null", *arguments], env=home.environment(), capture_output=True).stdout.decode(errors="replace")

    tmux("new-session", "-d", "-x", "100", "-y", "30", program, "--fresh", home.pool)
    def crooked(view, lines):  # a frame may be caught half drawn
        if not (f"[{view} " in lines[0] and re.search("READY|DONE", "".join(lines[-4:]))):
            return [(view, lines[0])]
        tops = [y for y, line in enumerate(lines) if line[:1] in ("┏", "╭")]  # below the answer
        if not tops:
            return [(view, lines[0])]
        return [(view, y, wcswidth(line), line) for y, line in enumerate(lines[tops[0]:26]) if wcswidth(line) != 100 or line[-1] not in "┃│┓┛╮╯"]

    wrong = []
    for view in "1243":
        tmux("send-keys", view)
        end, bad = time.monotonic() + 60, [view]
        while bad and time.monotonic() < end:
            time.sleep(0.02)
            bad = crooked(view, tmux("capture-pane", "-p").split("\n"))
        wrong += bad
    tmux("kill-server")
    tap.ok(not wrong, "and in tmux", "\n".join(map(str, wrong[:5])))
else:
    tap.skip("and in tmux", "tmux or python3-pyte is not installed")
home.remove()

# ---- without colours ----

if pyte:
    home = Home()
    write_pool(home.pool, 5)
    e = Explorer(program, ["--fresh", home.pool], home, answers=ANSWERS, NO_COLOR="1")
    e.shows("READY")
    e.send("1jj")
    e.shows("3/5")
    marked = [y for y in range(2, 26) if "❯" in e.screen.display[y]]
    reverse = [y for y in range(2, 26) if sum(e.screen.buffer[y][x].reverse for x in range(1, 60)) > 20]
    tap.ok(len(marked) == 1 and marked == reverse, "without colours the selected row is reverse and marked", f"{marked} {reverse}\n{e.text()}")
    e.quit()
    home.remove()
else:
    tap.skip("without colours the selected row is reverse and marked", "python3-pyte is not installed")

# ---- a hundred sessions ----

home = Home()
write_pool(home.pool, 5)
os.makedirs(home.file("config/embedscope"), exist_ok=True)
for name, text in (("config", "# mine\norder = dim   \nmetric = se\n"), ("keys", "# mine\nmap heatmap w transpose\n")):
    with open(home.file("config/embedscope/" + name), "w") as f:
        f.write(text)


def state():
    found = {}
    for name in sorted(os.listdir(home.file("config/embedscope"))):
        path = home.file("config/embedscope/" + name)
        with open(path, "rb") as f:
            found[name] = (hashlib.sha256(f.read()).hexdigest(), os.stat(path).st_mtime_ns, os.stat(path).st_ino)
    return found


KEYS = list("1234567hjklgGxuoOmitnNsSvMFCLKBcwd+->_0 ") + ["<lt>", "<enter>", "<tab>", "<esc>", "<c-d>", "<c-r>", "/e<enter>", "fdim<lt>9<enter>", "<esc><esc>"]
LINES = [":set metric is", ":set digits yes", ":theme nord", ":sort name", ":map heatmap w digits", ":unmap * x", ":order name", ":hide", ":set theme gruvbox"]
before, sessions = state(), 12 if slow else 100
for session in range(sessions):
    draw = random.Random(session)
    lines = ["".join(draw.choice(KEYS) for _ in range(12)) if draw.random() < 0.7 else draw.choice(LINES) for _ in range(6)]
    play(home, "\n".join(lines) + "\n<esc><esc>\n:q!\n", "--resume", "--keys", home.file("config/embedscope/keys"))
tap.ok(state() == before, f"{sessions} random sessions touch neither configuration nor keys", f"{before}\n{state()}")
home.remove()

# ---- kill -9 ----

if pyte:
    home = Home()
    write_pool(home.pool, 5)
    e = Explorer(program, [home.pool], home, answers=ANSWERS)
    e.shows("READY")
    e.send("4:sort name\r")
    e.shows("[4 Rank]")
    folder = home.file("state/embedscope/sessions")
    kept = e.until(lambda: os.path.isdir(folder) and any(not n.startswith(".") for n in os.listdir(folder)))
    e.kill(signal.SIGKILL)
    e.wait()
    leftovers = [n for n in os.listdir(folder)] if os.path.isdir(folder) else []
    e.quit()
    e = Explorer(program, [home.pool], home, answers=ANSWERS)
    tap.ok(kept and e.shows("[4 Rank]") and len(leftovers) == 1, "after a quiet while even kill -9 loses nothing of a session", f"{leftovers}\n{e.text()}")
    e.quit()
    home.remove()
else:
    tap.skip("after a quiet while even kill -9 loses nothing of a session", "python3-pyte is not installed")

# ---- a terminal that closes ----

name = "a terminal that closes, with two SIGHUPs, leaves a whole session and nothing beside it"
if pyte:
    home = Home()
    write_pool(home.pool, 5)
    folder, good, said = home.file("state/embedscope/sessions"), True, ""
    for i in range(6):
        e = Explorer(program, [home.pool], home, answers=ANSWERS)
        e.shows("READY")
        view = "Rank" if i % 2 else "Pool"
        e.send("4" if i % 2 else "1")
        e.until(lambda: f"{view}]" in e.text())
        e.kill(signal.SIGHUP)
        e.kill(signal.SIGHUP)
        status = e.wait()
        files = os.listdir(folder)
        kept = open(os.path.join(folder, files[0])).read() if len(files) == 1 else ""
        if status not in (129, -signal.SIGHUP) or ("view Rank" in kept) != (view == "Rank") or not kept:
            good, said = False, f"time {i}: status {status}, {files}\n{kept}"
        e.quit()
    tap.ok(good, name, said)
    home.remove()
else:
    tap.skip(name, "python3-pyte is not installed")

# ---- another pool ----

if pyte:
    home = Home()
    first, second, broken = home.pool, home.file("second"), home.file("broken")
    for folder, count in ((first, 5), (second, 4), (broken, 3)):
        write_pool(folder, count)
    os.mkdir(broken + "/.embedscope")
    with open(broken + "/.embedscope/results.db", "w") as f:
        f.write("no database " * 99)
    e = Explorer(program, [first], home, size=(120, 40), answers=ANSWERS)
    e.shows("5 embedders")
    e.send("a")
    e.shows(":open")
    e.send(second + "\r")
    tap.ok(e.shows("second · 4 embedders"), "another pool is opened without leaving", e.text())
    e.send("1")
    tap.ok(e.shows("Other pools"), "and the one before is listed", e.text())
    e.shows("READY")
    e.send("a")
    e.shows(first)
    e.send("\t\r")
    tap.ok(e.shows("5 embedders"), "three keys go back to it", e.text())
    e.shows("READY")
    e.send(":open " + home.file("state/embedscope/log") + "\r")
    tap.ok(e.shows("not a folder"), "what is no pool is said to be none", e.text())
    e.send(":open " + broken + "\r")
    tap.ok(e.shows("It cannot be opened") and e.shows("damaged"), "one that cannot be opened is explained", e.text())
    e.send("\033")
    tap.ok(e.until(lambda: "cannot be opened" not in e.text() and "5 embedders" in e.text() and "READY" in e.text()),
           "over the one that was open", e.text())
    e.send("q")
    tap.ok(e.wait() == 0, "and it ends well", e.status)
    e.quit()
    home.remove()
else:
    tap.skip("another pool is opened without leaving", "python3-pyte is not installed")

# ---- several data sets, estimated from another shell ----

name = "data sets that are estimated meanwhile come into Sets by themselves"
if pyte:
    home = Home()
    os.mkdir(home.pool)
    for folder in "abc":
        write_pool(home.pool + "/" + folder, 4)
    run(home, "estimate", "--quiet", "--estimator", "linear", home.pool + "/a")
    e = Explorer(program, ["--estimator", "linear", *(home.pool + "/" + folder for folder in "abc")], home, size=(120, 40), answers=ANSWERS)
    e.shows("? help")
    e.send("8")
    tap.ok(e.shows("only a has results"), "Sets says that two data sets are needed", e.text())
    for folder in "bc":
        run(home, "estimate", "--quiet", "--estimator", "linear", home.pool + "/" + folder)
    tap.ok(e.until(lambda: "only a has results" not in e.text() and "Over 3 data sets" in e.text()), name, e.text())
    e.quit()
    home.remove()
else:
    tap.skip(name, "python3-pyte is not installed")

# ---- scores from elsewhere ----

name = "twelve keys check the ranking against scores from elsewhere"
if pyte:
    home = Home()
    write_pool(home.pool, 6)
    run(home, "estimate", "--estimator", "linear", home.pool)
    models = sorted(n[:-4] for n in os.listdir(home.pool) if n.endswith(".npy"))
    with open(home.file("home/scores.csv"), "w") as f:
        f.write("model,first,second\n" + "".join(f"{m.upper()},{i},{i * i % 5}\n" for i, m in enumerate(models)))
    e = Explorer(program, ["--estimator", "linear", home.pool], home, size=(120, 36), answers=ANSWERS)
    e.shows("DONE")
    seen, keys = [], 0
    for key, then in (("5", "No downstream scores"), ("o", ":scores"), ("~", "~"), ("/", "~/"), ("s", "~/s"), ("c", "~/sc"),
                      ("\t", "~/scores.csv"), ("\r", "accept name"), ("A", "n=6"), ("j", "vs mean "), ("j", "vs first"), ("B", "no band")):
        keys += 1
        e.send(key)
        if not e.shows(then):
            seen.append(f"{key!r}: no {then!r}\n{e.text()}")
            break
    tap.ok(keys == 12 and not seen, name, "\n".join(seen))
    e.quit()
    broken = home.file("home/broken.csv")
    with open(broken, "w") as f:
        f.write("model,first\na,b,c,d\n")
    e = Explorer(program, ["--estimator", "linear", home.pool], home, size=(120, 36), answers=ANSWERS)
    e.shows("DONE")
    e.send(f":scores {broken}\r")
    tap.ok(e.shows("broken.csv: line 2"), "scores that cannot be read change nothing", e.text())
    e.quit()
    home.remove()
else:
    tap.skip(name, "python3-pyte is not installed")

# ---- memory of threads that are there no more ----

if not slow: # sanitizers keep what is freed
    home = Home(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../sample_data/molecules"))
    e = Explorer(program, ["--fresh", "--start", "--threads", "30", "--estimator", "knife", home.pool], home, screen=False)
    e.until(lambda: e.memory() > 120e6)
    most = e.memory()
    e.send(":threads 1\r")
    given = e.until(lambda: e.memory() < 70e6)
    tap.ok(most > 120e6 and given, "memory of threads that left goes back to the system", f"{most / 1e6:.0f} MB, later {e.memory() / 1e6:.0f} MB")
    e.quit()
    home.remove()

sys.exit(tap.end())
