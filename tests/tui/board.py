#!/usr/bin/python3
"""A table of scores in the explorer: every view against the command line, what is refused, and the
time to the first screen. board.py PROGRAM. Prints TAP."""
import json, os, random, re, subprocess, sys, time

from explorer import Explorer, Home, Tap, pyte

if pyte is None:
    print("1..0 # SKIP skipped: python3-pyte is not installed")
    sys.exit(77)
program = os.path.abspath(sys.argv[1])
tap, home = Tap(), Home()
os.chdir(home.path)  # where the explorer writes
FIRST = 1.0  # seconds to the first screen of a large board


def write_board(path, models, tasks, seed=3):
    """Scores of a skill, of what a task asks for, and noise; some are missing."""
    draw = random.Random(seed)
    kinds = [draw.gauss(0, 1) for _ in range(models)]
    with open(path, "w") as out:
        out.write("model," + ",".join(f"task{t:02d}" for t in range(tasks)) + "\n")
        for i in range(models):
            cells = [f"{60 - 20 * i / models + 3 * kinds[i] * (t % 3) + draw.gauss(0, 2):.3f}" for t in range(tasks)]
            for t in range(tasks):
                cells[t] = "" if draw.random() < 0.02 else cells[t]
            out.write(f"model-{i:03d}," + ",".join(cells) + "\n")


def call(*words):
    return subprocess.run([program, *words], capture_output=True, text=True, env=home.environment(), check=False)


def known(*words):
    return json.loads(call("leaderboard", *words, "--json").stdout)


def flat(text):
    """The words of a screen, whatever its lines."""
    return re.sub(r"\s+", " ", re.sub(r"[┃│╭╮╰╯━─┏┓┗┛|]", " ", text))


def missing(text, rows):
    """Rows (lists of words) of which no line of the screen has all, in this order."""
    lines = [re.sub(r"[^\x20-\x7e]+", " ", line).split() for line in text.split("\n")]

    def has(line, words):
        rest = iter(line)
        return all(word in rest for word in words)

    return [words for words in rows if not any(has(line, words) for line in lines)]


def cell(value, digits=3):
    return "-" if value is None else f"{value:.{digits}f}"


board = home.file("board.csv")
write_board(board, 24, 12)
ranking = known(board)
top = [row["model"] for row in ranking["ranking"][:2]]
e = Explorer(program, [board], home, size=(120, 40))

tap.ok(e.shows("Standing") and e.shows(top[0]), "a table opens in the overview", e.text())
said = ranking["bottom_line"]["sentence"]
tap.ok(said in flat(e.text()), "the overview has the leaderboard's sentence", f"{said}\n{e.text()}")
rows = [[str(r["rank"]), r["model"], cell(r["mean"]), f"#{r['rank_low']}-{r['rank_high']}"]
        for r in ranking["ranking"] if r["rank_low"] < r["rank_high"]]
tap.ok(rows and e.until(lambda: not missing(e.text(), rows)), "ranks and their intervals", f"{missing(e.text(), rows)}\n{e.text()}")

e.send("4")
rows = [[str(r["rank"]), r["model"], cell(r["mean"]), f"{r['rank_low']}-{r['rank_high']}", str(r["group"]), str(r["tasks"])]
        for r in ranking["ranking"][:20]]
tap.ok(e.until(lambda: not missing(e.text(), rows)), "Rank has the table", f"{missing(e.text(), rows)}\n{e.text()}")
e.send("lls")
tap.ok(e.shows("mean▼"), "s sorts by the column", e.text())
e.send("/model-00\r")
tap.ok(e.until(lambda: re.search("❯ +[0-9]+ +model-00", e.text())), "/ finds a model", e.text())
e.send("\033")  # the search

e.send("5")
tasks = known(board, "--by-task")
rows = [[t["task"], str(t["models"]), cell(t["spearman"]), cell(t["spearman_low"]), cell(t["spearman_high"])] for t in tasks["tasks"]]
tap.ok(e.until(lambda: not missing(e.text(), rows)), "Corr has every task", f"{missing(e.text(), rows)}\n{e.text()}")
first = tasks["tasks"][0]["task"]
e.send("\r")
pair = known(board, "--by-task", "--against", first)
rows = [[t["task"], cell(t["spearman"])] for t in pair["tasks"]]
tap.ok(e.shows(f"Most like {first}") and e.until(lambda: not missing(e.text(), rows)), "Enter: what goes with a task", e.text())
e.send("\033")
tap.ok(e.shows("mean of the others"), "Esc goes back to the tasks", e.text())

e.send("6")
versus = known(board, *top)
tap.ok(e.until(lambda: versus["sentence"] in flat(e.text())), "Compare begins with the first two", f"{versus['sentence']}\n{e.text()}")
rows = [[t["task"], cell(t["a"]), cell(t["b"]), cell(t["difference"])] for t in versus["tasks"]]
tap.ok(e.until(lambda: not missing(e.text(), rows)), "and has the difference in every task", f"{missing(e.text(), rows)}\n{e.text()}")
e.send("4")
e.shows("mean▼")
e.send("G")
last = min((r for r in ranking["ranking"]), key=lambda r: r["mean"])["model"]
e.until(lambda: re.search(f"❯ +[0-9]+ +{last}", e.text()))
e.send("\r")
versus = known(board, top[0], last)
tap.ok(e.until(lambda: versus["sentence"] in flat(e.text())), "Enter in Rank compares with the first", f"{versus['sentence']}\n{e.text()}")
e.send("\033")
tap.ok(e.shows("[4 Rank]"), "Esc goes back to Rank", e.text())

e.send("3")
tree = known(board, "--method", "average")
rows = [[t["task"], cell(t["joined"]), t["nearest"], cell(t["spearman"])] for t in tree["tasks"]]
tap.ok(e.until(lambda: not missing(e.text(), rows)), "Tree has every task", f"{missing(e.text(), rows)}\n{e.text()}")
at = [re.search(rf"┃[ ❯] {t['task']} ", e.text()).start() for t in tree["tasks"]]
tap.ok(at == sorted(at), "in the order of the leaves", e.text())

for key, name in (("1", "Pool"), ("2", "Heatmap"), ("7", "Jobs")):
    e.send(key)
    tap.ok(e.shows(f"{name} needs") and e.shows("embedscope POOL"), f"{name} says what it needs", e.text())
e.send("9")
tap.ok(e.shows("this is a table of scores"), "Sheets says what the others need", e.text())

for view, words, name in (("4", [], "leaderboard"), ("5", ["--by-task"], "task-correlation"), ("3", ["--method", "average"], "task-tree"),
                          ("6", [top[0], last], "versus")):
    path = home.file(name + ".csv")
    e.send(view)
    e.until(lambda: f"[{view} " in e.text() and "Making" not in e.text())
    e.send(f":export {os.path.basename(path)}\r")
    e.until(lambda: os.path.exists(path + ".meta.json") and f"/{name}.csv" in e.text())
    with open(path) as file:
        text, done = file.read(), call("leaderboard", board, *words, "--csv")
    tap.ok(text == done.stdout, f"e writes {name}.csv as the command does", f"{text}\n{done}")
page = home.file("board.html")
e.send(f"4:export {os.path.basename(page)}\r")
e.until(lambda: os.path.exists(page + ".meta.json"))
with open(page) as file:
    text = file.read()
tap.ok(text == call("leaderboard", board, "--format", "html").stdout and f">{top[0]}</th>" in text and "ranks</th>" in text
       and "group</th>" in text and "<script" not in text and "http" not in text, "and a part for a web page", text[:400])

e.send("?")
tap.ok(e.shows("sort"), "there is help", e.text())
e.send("\033")
for size in ((80, 24), (60, 16), (200, 60), (80, 24)):
    e.resize(*size)
    good = True
    for key in "034569":
        e.send(key)
        wanted = "Enter opens" if key == "9" else f"[{key} "  # narrow screens cut the last tabs
        good = good and e.until(lambda: len(e.text().split("\n")) == size[1] and wanted in e.text())
    tap.ok(good, "every view at %d x %d" % size, e.text())
e.send("q")
tap.ok(e.wait() == 0, "q quits", e.status)

e = Explorer(program, ["--ascii", "--color", "16", board], home, size=(80, 24))
good = e.shows("Standing")
for key in "4563":
    e.send(key)
    good = good and e.until(lambda: f"[{key}" in e.text().split("\n")[0] and "Making" not in e.text())
    good = good and all(ord(c) < 128 for c in e.text())
tap.ok(good, "ASCII and 16 colours", e.text())
e.quit()

# ---- without a terminal, and what is refused ----

tap.ok(call(board).stdout == call("leaderboard", board).stdout != "", "a pipe gets what leaderboard prints")
tap.ok(call(board, "--csv").stdout == call("leaderboard", board, "--csv").stdout != "", "in its formats, too")
tap.ok(call(board, "--plain").stdout == call("leaderboard", board).stdout, "and --plain")
BROKEN = {"words.csv": "model,t1\na,x\nb,y\n", "twice.csv": "model,t1,t2\na,1,2\na,3,4\n", "one.csv": "model,t1,t2\na,1,2\n",
          "none.csv": "model\na\nb\n", "empty.csv": ""}
for name, text in BROKEN.items():
    path = home.file(name)
    with open(path, "w") as file:
        file.write(text)
    wanted, piped = call("leaderboard", path), call(path)
    e = Explorer(program, [path], home, size=(250, 24))
    code = e.wait()
    tap.ok(wanted.returncode != 0 and wanted.stderr.strip() != "" and (piped.returncode, piped.stderr) == (wanted.returncode, wanted.stderr)
           and code == wanted.returncode and wanted.stderr.strip() in flat(e.text()), f"{name} is refused as by leaderboard",
           f"{wanted.returncode} {wanted.stderr}{piped.returncode} {piped.stderr}{code} {e.text()}")
    e.quit()

large = home.file("large.csv")
write_board(large, 181, 41)
began = time.monotonic()
e = Explorer(program, [large], home, size=(120, 40))
shown = e.shows("candidates:")
took = time.monotonic() - began
print(f"# 181 models, 41 tasks: the overview after {took:.2f} s")
tap.ok(shown, "a board of 181 models and 41 tasks", e.text())
if os.environ.get("ES_TIMES"):
    tap.ok(took < FIRST, f"within {FIRST} s", took)
e.quit()
home.remove()
sys.exit(tap.end())
