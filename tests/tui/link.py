#!/usr/bin/python3
"""The line between the explorer and its terminal: questions and answers, whole frames, and a
terminal that takes its time. link.py PROGRAM POOL. Prints TAP."""
import os, re, signal, sys, time

from explorer import BACKGROUND, BEGIN, END, LAST, SYNC, Explorer, Home, Tap, pyte, write_matrix

if pyte is None:
    print("1..0 # SKIP skipped: python3-pyte is not installed")
    sys.exit(77)
program, pool = os.path.abspath(sys.argv[1]), sys.argv[2]
tap, home = Tap(), Home(pool)
LIGHT, DARK = b"\033]11;rgb:fdfd/f6f6/e3e3\033\\", b"\033]11;rgb:1c1c/1c1c/1c1c\007"
THEMES = [name[:-6] for name in os.listdir(os.path.join(os.path.dirname(__file__), "../../themes")) if name.endswith(".theme")]
DEVICE, CAN_SYNC, NO_SYNC = b"\033[?64;1;2c", b"\033[?2026;2$y", b"\033[?2026;0$y"


def explore(*arguments, **more):
    return Explorer(program, ["--fresh", *arguments, home.pool], home, **more)


def theme(e):
    """What the last line says, once it is there as a whole: a name may come in two pieces."""
    e.send(":set theme\r")
    found = None

    def said():
        nonlocal found
        found = re.search(r"theme is (\S+) ", e.text())
        return found is not None and found.group(1) in THEMES

    e.until(said)
    return found.group(1) if found else None


# ---- the background ----

def untouched(e):
    """Nothing of an answer was a key: no other view, no prompt, no help, no run."""
    last = e.screen.display[-1]
    return "[0 Over" in e.text() and "RUN" not in e.text() and "Esc close" not in e.text() and "rgb" not in last


def asks(name, wanted, answers, *arguments, **environment):
    for turn in range(5):
        e = explore(*arguments, answers=answers, **environment)
        e.shows("? help")
        good = untouched(e)
        found = theme(e)
        if not good or found == wanted:
            break
        if turn < 4:  # on a busy machine the answer came too late, and is none then
            e.quit()
    tap.ok(good and found == wanted, name, f"theme {found}, wanted {wanted}\n{e.text()}")
    asked = list(e.asked)
    e.quit()
    return asked


asks("a light background brings the light theme", "default-light", {BACKGROUND: LIGHT, SYNC: NO_SYNC, LAST: DEVICE})
asks("a dark one the dark theme", "default-dark", {BACKGROUND: DARK, SYNC: NO_SYNC, LAST: DEVICE})
asks("a terminal that does not know its background: dark", "default-dark", {LAST: DEVICE})
asks("a silent terminal: dark", "default-dark", {})
for number, garbage in enumerate((b"\033]11;rgb:zzzz/q/r:heatmap\007", b"\033]11;\033\\", b"\033]11;" + b"2" * 600 + b"\007",
                                  b"\033]11;rgb:ffff/ffff/ffff/ffff/ffff;r\007", b"\033[?999;1;2;3;4;5;6;7;8;9$x", b"\xff\xfe\033]11;\x80r\007")):
    asks(f"nonsense {number + 1} as an answer: dark, and no key", "default-dark", {BACKGROUND: garbage, LAST: DEVICE})
asked = asks("with --theme nobody is asked", "nord", {BACKGROUND: LIGHT, LAST: DEVICE}, "--theme", "nord")
tap.ok(BACKGROUND not in asked, "so the question is not sent", asked)
asked = asks("inside tmux nobody is asked", "default-dark", {BACKGROUND: LIGHT, LAST: DEVICE}, TMUX="/nowhere,1,0", TERM="tmux-256color")
tap.ok(BACKGROUND not in asked and SYNC in asked, "but whether frames can be whole", asked)
asked = asks("on the Linux console nothing is asked", "default-dark", {BACKGROUND: LIGHT}, TERM="linux")
tap.ok(asked == [], "not one question", asked)

# Too late: behind the first frame, in one piece, byte by byte, and with a pause behind ESC.
for name, pieces, pause in (("in one piece", [LIGHT + NO_SYNC + DEVICE], 0), ("byte by byte", [bytes([b]) for b in LIGHT + NO_SYNC + DEVICE], 0.004),
                            ("torn behind its ESC", [LIGHT[:1], LIGHT[1:]], 0.12), ("of another question, torn so", [DEVICE[:1], DEVICE[1:]], 0.12)):
    e = explore()
    e.shows("? help")
    for piece in pieces:
        e.send(piece)
        time.sleep(pause)
    found = theme(e)
    tap.ok(untouched(e) and found == "default-dark", f"a late answer {name} is no key", f"{found}\n{e.text()}")
    e.quit()

# A matrix of three is open at once. What takes longer has a first screen, which asks, too, and where
# no such view: to go to; and an answer after a tenth of a second is none: neither is this test's.
small = home.file("small.csv")
write_matrix(small, 3)
for turn in range(10):
    e = Explorer(program, ["--fresh", "--matrix", small], home)
    e.until(lambda: BACKGROUND in e.asked)
    e.send(b"4" + LIGHT + DEVICE + b":set theme\r")
    e.until(lambda: re.search("theme is default-(light|dark) ", e.text()))
    once, kept, light = e.raw.count(BACKGROUND) == 1, "[4 Rank]" in e.text(), "theme is default-light" in e.text()
    text = e.text()
    e.quit()
    if once and (light or not kept):
        break
tap.ok(once and light and kept, "what is typed while it asks is not lost", text)
e = explore(answers={LAST: DEVICE})
e.shows("? help")
e.send(b"\033]")
tap.ok(e.shows("[1 Pool"), "Esc and ] typed at once are keys", e.text())
e.quit()

# ---- whole frames ----

def paired(raw):
    """Begin and end alternate, and the last one is an end."""
    marks = re.findall(rb"\033\[\?2026[hl]", bytes(raw))
    opened = 0
    for mark in marks:
        if mark == BEGIN and opened:
            return False
        opened = mark == BEGIN
    return not opened


def ends(name, how, code, answers, **environment):
    e = explore(answers=answers, size=(120, 40), **environment)
    e.shows("? help")
    for key in "2j4j3jT\0331":
        e.send(key)
        e.read(0.01)
    how(e)
    status, begun = e.wait(), e.raw.count(BEGIN)
    tap.ok(status == code and paired(e.raw), name, f"status {status}, {begun} frames, {bytes(e.raw[-200:])}")
    return begun


def quit_after_frames(e):
    """Keys sent at once may share a frame, so each of these waits for its own."""
    for key in "24" * 10:
        if e.raw.count(BEGIN) > 2:
            break
        e.send(key)
        e.until(lambda: e.raw.count(BEGIN) > 2, 2)
    e.send("q")


CAN = {BACKGROUND: DARK, SYNC: CAN_SYNC, LAST: DEVICE}
begun = ends("every whole frame ends, q at the end", quit_after_frames, 0, CAN)
tap.ok(begun > 2, "frames are whole where the terminal can", begun)
for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGSEGV, signal.SIGABRT):
    code = 128 + number if number in (signal.SIGTERM, signal.SIGHUP) else -number
    ends(f"and {signal.Signals(number).name} leaves none open", lambda e: e.kill(number), code, CAN)
tap.ok(ends("no end is missing where it cannot", lambda e: e.send("q"), 0, {LAST: DEVICE, SYNC: NO_SYNC}) == 0, "nor are frames marked there", "")
e = explore(answers=CAN, TERM="linux")
e.shows("? help")
e.send("q")
e.wait()
tap.ok(b"2026" not in e.raw, "the Linux console never sees the mark", bytes(e.raw[:300]))
e = explore(answers=CAN)
e.shows("? help")
for key in "2424242424": # the terminal's answer may come after the first frames
    if e.raw.count(BEGIN) == 0:
        e.send(key)
        e.until(lambda: e.raw.count(BEGIN) > 0, 2)
e.send(":set sync no\r")
e.shows("sync = no")
before = e.raw.count(BEGIN)
e.send("24")
e.shows("[4 Rank]")
after = e.raw.count(BEGIN)
e.send(":set sync yes\r")
e.shows("sync = yes")
e.raw[:] = b""
e.send("2")
e.shows("[2 Heat")
tap.ok(before > 0 and e.raw.count(BEGIN) > 0 and after == before, ":set sync no turns it off, and yes on", (before, after, e.raw.count(BEGIN)))
e.quit()

# ---- a terminal that takes its time ----

matrix = home.file("matrix.csv")
write_matrix(matrix, 200)


def wait_for_file(path, limit=60):
    end = time.monotonic() + limit
    while not (os.path.exists(path) and os.path.getsize(path) > 0) and time.monotonic() < end:
        time.sleep(0.01)
    return os.path.exists(path)


def dumped(e, name, reading):
    """What the program means to show, by its own account; the terminal may be deaf meanwhile."""
    path = home.file(name)
    e.send(f":dump {path}\r")
    good = e.until(lambda: os.path.exists(path)) if reading else wait_for_file(path)
    return good and open(path).read()


size = (200, 100)
e = Explorer(program, ["--fresh", "--matrix", matrix, "--theme", "default-dark"], home, size=size, screen=True)
e.shows("? help")
while e.read(0.2):
    pass
e.raw[:] = b""
e.send("2")
shown = dumped(e, "first", True)
e.until(lambda: len(e.raw) > 20000)
while e.read(0.3):
    pass
tap.ok(20000 < len(e.raw) <= 450000, "200 x 200 cells on 200 x 100 take at most 450 KB", len(e.raw))
memory = e.memory()
e.raw[:] = b""
# From here nobody reads. Each of these would be a large frame.
for turn in range(60):
    e.send("4" if turn % 2 else "2")
    e.send("jjll" if turn % 3 else "\014")
deaf = dumped(e, "deaf", False)
tap.ok("[4 Rank]" in deaf, "keys are taken while the terminal takes nothing", str(deaf)[:200])
grown = e.memory() - memory
sanitized = b"__asan_init" in open(program, "rb").read() or b"__tsan_init" in open(program, "rb").read()
tap.ok(sanitized or grown < 4e6, "and nothing piles up", f"{grown} bytes more")
while e.read(0.3, 8192):
    pass
tap.ok(len(e.raw) <= 3 * 450000, "60 frames that nobody took are at most three", len(e.raw))
e.send("2")
wanted = dumped(e, "last", True)


def differing():
    """Lines of the screen and what they should be."""
    show = [line.rstrip().replace("▀", " ") for line in e.screen.display[1:-2]]
    mean = [line.rstrip().replace("▀", " ") for line in wanted.split("\n")[1:len(show) + 1]]
    return [pair for pair in zip(show, mean + ["nothing"] * (len(show) - len(mean))) if pair[0] != pair[1]]


e.until(lambda: not differing(), 10)
wrong = differing()
tap.ok(not wrong, "what the emulator shows is what it should be", "\n".join(f"{show[:90]} | {mean[:90]}" for show, mean in wrong[:4]))
# And it can leave although nobody listens.
for turn in range(20):
    e.send("4\014" if turn % 2 else "2\014")
dumped(e, "left", False)
e.kill()
for _ in range(3000):
    pid, status = os.waitpid(e.pid, os.WNOHANG)
    if pid:
        e.status = os.waitstatus_to_exitcode(status)
        break
    time.sleep(0.02)
tap.ok(e.status == 128 + signal.SIGTERM, "SIGTERM ends it although nobody reads", e.status)
e.quit()

home.remove()
sys.exit(tap.end())
