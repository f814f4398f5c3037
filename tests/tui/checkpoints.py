"""A folder in which a new checkpoint appears every so often: checkpoints.py PROGRAM [COUNT [SECONDS]]

30 of them, one every 2 s, while the explorer goes through its views in a terminal. Says of each view whether it
followed, of all frames whether any lost what the one before had, and whether a pair was estimated twice."""
import collections, os, random, re, sqlite3, struct, sys, threading, time

sys.dont_write_bytecode = True
from explorer import BACKGROUND, BEGIN, END, LAST, SYNC, Explorer, Home, Screen, Stream

PROGRAM = os.path.abspath(sys.argv[1])
COUNT = int(sys.argv[2]) if len(sys.argv) > 2 else 30
PAUSE = float(sys.argv[3]) if len(sys.argv) > 3 else 2.0
ROWS, DIM, SIZE = 300, 12, (140, 60)
OTHERS = ("alpha", "beta", "gamma")
VIEWS = ("0", "1", "2", "3", "4", "5", "7", "9")  # Compare (6) is of two that were chosen


def write(folder, name, seed, share):
    """Noise that comes nearer to one thing, step by step; whole when it has its name."""
    same, own = random.Random(1), random.Random(seed)
    values = [share * same.gauss(0, 1) + (1 - share) * own.gauss(0, 1) for _ in range(ROWS * DIM)]
    head = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({ROWS}, {DIM}), }}"
    head += " " * (-(len(head) + 11) % 64) + "\n"
    with open(folder + "/.late", "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode())
        f.write(struct.pack(f"<{len(values)}f", *values))
    os.rename(folder + "/.late", f"{folder}/{name}.npy")


def add(folder, over):
    for i in range(1, COUNT + 1):
        time.sleep(PAUSE)
        write(folder, f"train@{i * 100}", 100 + i, min(0.95, i / COUNT))
    over.set()


class Watch:
    """What whole frames show, one after the other."""

    def __init__(self):
        self.screen = Screen(*SIZE)
        self.stream, self.rest = Stream(self.screen), b""
        self.view, self.frames, self.faults = None, 0, []
        self.count, self.seen, self.spans = 0, set(), collections.OrderedDict()

    def take(self, data):
        self.rest += data
        while END in self.rest:
            frame, self.rest = self.rest.split(END, 1)
            for noise in (BACKGROUND, SYNC, LAST, BEGIN):
                frame = frame.replace(noise, b"")
            self.stream.feed(frame)
            self.look()

    def look(self):
        lines = self.screen.display
        view, count = re.search(r"\[(\d) \w+\]", lines[0]), re.search(r"(\d+) embedders", lines[0])
        if not view or not count:
            return
        view, count, text = view.group(1), int(count.group(1)), "\n".join(lines[1:-2])
        self.frames += 1
        if view != self.view:
            self.view, self.seen = view, set()
        first, _ = self.spans.get(view, (count, count))
        self.spans[view] = (first, count)
        if count < self.count:
            self.faults.append(f"view {view}: {self.count} embedders, then {count}")
        self.count = count
        if len(text.split()) < 12:
            self.faults.append(f"view {view}: an empty body with {count} embedders")
        shown = {name for name in OTHERS if name in text} if view in "124" else set()
        if self.seen - shown:
            self.faults.append(f"view {view}: {', '.join(sorted(self.seen - shown))} went away")
        self.seen |= shown


def main():
    home, over, watch = Home(), threading.Event(), Watch()
    os.mkdir(home.pool)
    for i, name in enumerate(OTHERS):
        write(home.pool, name, 10 + i, 0.3 * i)
    write(home.pool, "train@0", 99, 0)
    e = Explorer(PROGRAM, [home.pool, "--start", "--estimator", "linear"], home, size=SIZE, screen=False,
                 answers={SYNC: b"\033[?2026;2$y", LAST: b"\033[?62c"})
    threading.Thread(target=add, args=(home.pool, over), daemon=True).start()
    stay, at, next_view = COUNT * PAUSE / len(VIEWS), -1, time.monotonic() + 1
    end = time.monotonic() + COUNT * PAUSE + 30
    while time.monotonic() < end and not (over.is_set() and watch.count == len(OTHERS) + 1 + COUNT):
        watch.take(e.read(0.05))
        if time.monotonic() >= next_view and at + 1 < len(VIEWS):
            at, next_view = at + 1, time.monotonic() + stay
            e.send(VIEWS[at])
    quiet = time.monotonic() + 3
    while time.monotonic() < quiet:
        watch.take(e.read(0.05))
    e.send(":quit!\r")
    e.wait(20)
    store = sqlite3.connect(home.pool + "/.embedscope/results.db")
    pairs, last = store.execute("SELECT count(*), max(id) FROM pair").fetchone()
    home.remove()
    models = len(OTHERS) + 1 + COUNT
    good = watch.count == models and pairs == last == models * models and not watch.faults
    for view, (first, final) in watch.spans.items():
        print(f"view {view}: {first} to {final} embedders")
        good = good and final > first
    for fault in watch.faults[:20]:
        print("FAULT", fault)
    print(f"{watch.frames} frames, {len(watch.faults)} faults; {watch.count} of {models} embedders shown; {pairs} of "
          f"{models * models} pairs stored, {last - pairs} of them more than once")
    return 0 if good else 1


sys.exit(main())
