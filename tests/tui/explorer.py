"""An explorer on a pseudo-terminal, for tests and measurements: what a terminal does, and what can
be asked about it. The screen is kept by pyte (Debian: python3-pyte) when it is there."""
import array, fcntl, os, pty, random, re, select, shutil, signal, struct, subprocess, tempfile, termios, time

try:
    import pyte
except ImportError:
    pyte = None

if pyte:

    class Stream(pyte.ByteStream):
        """pyte does not know REP, SU and SD, with which ncurses repeats a character and scrolls."""
        csi = dict(pyte.ByteStream.csi, b="repeat", S="scroll_up", T="scroll_down")
        events = pyte.ByteStream.events | {"repeat", "scroll_up", "scroll_down"}

    class Screen(pyte.Screen):
        last, kept = " ", []

        @property
        def display(self):
            """The lines, of which only those that changed are put together, since that takes pyte longest."""
            if len(self.kept) != self.lines:
                self.kept = [""] * self.lines
                self.dirty.update(range(self.lines))
            for y in [y for y in self.dirty if y < self.lines]:
                line = self.buffer[y]
                self.kept[y] = "".join([line[x].data for x in range(self.columns)])  # after a wide one stands ""
            self.dirty.clear()
            return list(self.kept)

        def draw(self, data):
            super().draw(data)
            self.last = data[-1]

        def repeat(self, count=1, **_):
            self.draw(self.last * max(count, 1))

        def scroll(self, count, edge, step):
            """At the edge of the scrolling region, index or reverse index moves what is in it."""
            at, self.cursor.y = self.cursor.y, edge(self.margins or (0, self.lines - 1))
            for _ in range(max(count, 1)):
                step()
            self.cursor.y = at

        def scroll_up(self, count=1, **_):
            self.scroll(count, max, self.index)

        def scroll_down(self, count=1, **_):
            self.scroll(count, min, self.reverse_index)

LIMIT = 60.0  # seconds that anything may take; only a program that hangs takes so long
BACKGROUND, SYNC, LAST = b"\033]11;?\007", b"\033[?2026$p", b"\033[c"
BEGIN, END = b"\033[?2026h", b"\033[?2026l"


class Home:
    """A place for the program's files, and a copy of a pool without results, of which none is
    estimated before it is asked for."""

    def __init__(self, pool=None):
        self.path = tempfile.mkdtemp(prefix="es-tui-")
        for name in ("home", "config", "data", "state", "cache", "run"):
            os.mkdir(os.path.join(self.path, name))
        self.configure("autostart = no\n")
        self.pool = os.path.join(self.path, "pool")
        if pool:
            shutil.copytree(pool, self.pool, ignore=shutil.ignore_patterns(".embedscope"))

    def configure(self, text):
        os.makedirs(self.path + "/config/embedscope", exist_ok=True)
        with open(self.path + "/config/embedscope/config", "w") as file:
            file.write(text)

    def environment(self, **more):
        env = {k: v for k, v in os.environ.items() if k not in ("TMUX", "STY", "NO_COLOR", "COLORTERM", "LINES", "COLUMNS")}
        env.update(HOME=self.path + "/home", XDG_CONFIG_HOME=self.path + "/config", XDG_DATA_HOME=self.path + "/data",
                   XDG_STATE_HOME=self.path + "/state", XDG_CACHE_HOME=self.path + "/cache",
                   XDG_RUNTIME_DIR=self.path + "/run", TERM="xterm-256color", LC_ALL="C.UTF-8")
        env.update(more)
        return env

    def file(self, name):
        return os.path.join(self.path, name)

    def remove(self):
        subprocess.run(["chmod", "-R", "u+w", self.path], check=False)
        shutil.rmtree(self.path, ignore_errors=True)


class Explorer:
    def __init__(self, program, arguments, home, size=(100, 30), answers=None, screen=True, **environment):
        """`answers`: what the terminal says to BACKGROUND, SYNC and LAST; what is not there gets none."""
        self.answers = dict(answers or {})
        self.raw, self.asked, self.ended, self.status = bytearray(), [], False, None
        self.shown = (None, "")  # the text, and of what
        self.tail = b""  # what came last, in which a question may have begun
        self.size, self.screen, self.stream = size, None, None
        if screen and pyte:
            self.watch()
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
            env = home.environment(**{k: v for k, v in environment.items() if v is not None})
            os.execve(program, [program] + list(arguments), env)
        self.resize(*size)

    def watch(self):
        """From here the screen is kept."""
        self.screen = Screen(*self.size)
        self.stream = Stream(self.screen)

    def resize(self, width, height):
        self.size = (width, height)
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", height, width, 0, 0))
        if self.screen and (self.screen.columns, self.screen.lines) != (width, height):
            self.screen.resize(height, width)

    def read(self, wait=0.0, most=1 << 16):
        """What has come within `wait` seconds, at most one read; b"" when nothing did."""
        if self.ended or not select.select([self.fd], [], [], wait)[0]:
            return b""
        try:
            data = os.read(self.fd, most)
        except OSError:
            data = b""
        if not data:
            self.ended = True
            return b""
        self.raw += data
        self.listen(data)
        if self.stream:
            for noise in (BACKGROUND, SYNC, LAST, BEGIN, END):
                data = data.replace(noise, b"")
            self.stream.feed(data)
        return data

    def listen(self, data):
        """Answers each question each time: while a pool takes long to open there is a first screen,
        and the explorer behind it asks again."""
        before, text = len(self.tail), self.tail + data
        found = [at for at in re.finditer(b"|".join(map(re.escape, (BACKGROUND, SYNC, LAST))), text) if at.end() > before]
        self.tail = text[-len(SYNC):]
        for question in (at.group() for at in found):
            if question not in self.asked:
                self.asked.append(question)
            if question in self.answers:
                self.send(self.answers[question])

    def send(self, keys):
        data = keys.encode() if isinstance(keys, str) else keys
        end = time.monotonic() + LIMIT
        while data and time.monotonic() < end:
            if select.select([], [self.fd], [], 1)[1]:
                data = data[os.write(self.fd, data):]
        return not data

    def until(self, holds, limit=LIMIT):
        """Read until holds() or nothing more can come; what holds() says in the end."""
        end = time.monotonic() + limit
        while not holds() and time.monotonic() < end and not self.ended:
            self.read(0.05)
        return holds()

    def text(self):
        at = (len(self.raw), self.size)
        if self.shown[0] != at:  # pyte takes long to say what it shows
            self.shown = (at, "\n".join(self.screen.display))
        return self.shown[1]

    def shows(self, text, limit=LIMIT):
        return self.until(lambda: text in self.text(), limit)

    def wait(self, limit=LIMIT):
        """Reads until the program has ended; its exit code, negative for a signal."""
        end = time.monotonic() + limit
        while self.status is None and time.monotonic() < end:
            self.read(0.02)
            pid, status, used = os.wait4(self.pid, os.WNOHANG)
            if pid:
                self.used = used.ru_utime + used.ru_stime  # seconds of a processor
                self.status = os.waitstatus_to_exitcode(status)
        while self.read(0.05):
            pass
        return self.status

    def kill(self, number=signal.SIGTERM):
        try:
            os.kill(self.pid, number)
        except ProcessLookupError:
            pass

    def quit(self):
        """Ends it, whatever it is doing; the exit code."""
        if self.status is None:
            self.kill()
            if self.wait(10) is None:
                self.kill(signal.SIGKILL)
                self.wait(10)
        try:
            os.close(self.fd)
        except OSError:
            pass
        return self.status

    def memory(self):
        """Resident bytes."""
        with open(f"/proc/{self.pid}/statm") as f:
            return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def write_matrix(path, count):
    """A square table of results, as `--matrix` reads it; neighbours differ, as results do."""
    with open(path, "w") as f:
        names = [f"model-{i:03d}" for i in range(count)]
        f.write("," + ",".join(names) + "\n")
        for s in range(count):
            cells = (f"{((s * 7919 + t * 104729) % 1009) / 1009 + (s % 9) / 5:.4f}" for t in range(count))
            f.write(names[s] + "," + ",".join(cells) + "\n")


class Tap:
    def __init__(self):
        self.count = self.failed = 0

    def ok(self, good, name, detail=""):
        self.count += 1
        print(("ok" if good else "not ok"), self.count, name, flush=True)
        if not good:
            self.failed += 1
            for line in str(detail).split("\n"):
                print("#", line.encode("ascii", "backslashreplace").decode(), flush=True)
        return good

    def skip(self, name, why):
        self.count += 1
        print("ok", self.count, name, "# SKIP", why, flush=True)

    def end(self):
        print(f"1..{self.count}")
        return 1 if self.failed else 0


def write_npy(path, rows, dim, values):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({rows}, {dim}), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    with open(path, "wb") as f:
        f.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values)


def write_pool(path, count, rows=120, seed=1, names=None):
    """A pool of `count` float32 embedders of the same hidden variables, with the more noise the later."""
    draw = random.Random(seed)
    os.makedirs(path, exist_ok=True)
    hidden = [[draw.gauss(0, 1) for _ in range(6)] for _ in range(rows)]
    for i in range(count):
        dim = 3 + i % 4
        mix = [[draw.gauss(0, 1) for _ in range(dim)] for _ in range(6)]
        values = [sum(h[k] * mix[k][d] for k in range(6)) + draw.gauss(0, 0.1 + i / count)
                  for h in hidden for d in range(dim)]
        name = names[i] if names else f"model-{i:03d}"
        write_npy(os.path.join(path, name + ".npy"), rows, dim, struct.pack(f"<{len(values)}f", *values))


def write_wide_pool(path, count, rows, dims):
    """A pool that takes long to estimate and not long to write: windows of one wide matrix."""
    draw = random.Random(1)
    os.makedirs(path, exist_ok=True)
    step, wide = 3, 3 * count + max(dims)
    base = array.array("f", (draw.gauss(0, 1) for _ in range(rows * wide))).tobytes()
    for i in range(count):
        dim = dims[i % len(dims)]
        starts = range(4 * step * i, 4 * wide * rows, 4 * wide)
        write_npy(os.path.join(path, f"model-{i:03d}.npy"), rows, dim, b"".join(base[s:s + 4 * dim] for s in starts))
