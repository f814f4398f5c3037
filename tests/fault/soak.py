#!/usr/bin/env python3
"""An explorer left running: random keys, pastes, mouse reports and resizes on a pseudo-terminal,
while it estimates. soak.py PROGRAM POOL MINUTES [SEED]. Prints TAP.

Fails when the program ends by itself, when it stops answering, or when its memory grows: the
median of the last quarter may be at most a tenth (and 4 MB) above that of the second quarter.
"""
import fcntl, os, pty, random, select, shutil, signal, statistics, struct, sys, tempfile, termios, time

program, pool, minutes = os.path.abspath(sys.argv[1]), sys.argv[2], float(sys.argv[3])
seed = int(sys.argv[4]) if len(sys.argv) > 4 else int(time.time())
random.seed(seed)
print(f"# seed {seed}", flush=True)
work = tempfile.mkdtemp()
shutil.copytree(pool, work + "/pool", ignore=shutil.ignore_patterns(".embedscope"))
for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
    os.environ[name] = work
os.environ.update(TERM="xterm-256color", LC_ALL="C.UTF-8")

# Everything but what leaves or stops the program: q, Ctrl-C, Ctrl-Z.
KEYS = ["1", "2", "3", "4", "5", "6", "7"] * 3 + list("hjklhjklGg0123456789<>_+-oOmitnNsSvMxuyFrpPRCTLKBcwdaeE?:/f !\"%&'()*,.;=@AbDHIJQUVWXYZ[]^`z{|}~") + [
    "\r", "\t", "\x1b", "\x1b", "\x1b", " ", "\x04", "\x15", "\x12", "\x0c", "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D",
    "\x1b[5~", "\x1b[6~", "\x1b[H", "\x1b[F", "\x1b[Z", "\x7f", "\x1bOP", "\x1b[<64;5;5M", "\x1b[<65;5;5M", "\x1b[<0;5",
    "\x1b[200~paste \x1b[31m\u202e\x1b[201~", "/e\r", "f dim>8\r", "f\x15\r", ":sort score\r", ":heat\r", ":theme nord\r",
    "\x05", "\x05\r", ":run linear seed=1\r",
    ":run knife seed=0\r", ":help run\r", "f /e5|gte/\r",
    "\u4e2d", "\xff"]
ROOM = [(24, 80), (40, 120), (16, 60), (5, 20), (1, 1), (60, 200), (30, 100)]


def resident(pid):
    with open(f"/proc/{pid}/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


drawn, kept = b"", 1 << 20


def take(fd, seconds):
    """Read what is drawn for so long, of which the end is kept; the number of bytes, or None at the end."""
    global drawn
    end, got = time.monotonic() + seconds, 0
    while (left := end - time.monotonic()) > 0:
        if not select.select([fd], [], [], left)[0]:
            break
        try:
            drawn = (drawn + (data := os.read(fd, 1 << 16)))[-kept:]
            got += len(data)
        except OSError:
            return None
    return got


def begin():
    pid, fd = pty.fork()
    if pid == 0:
        os.chdir(work)
        os.execv(program, [program, "--mouse", "--start", "--threads", "1", "pool"])
    return pid, fd


def send(fd, keys):
    """A program that hangs does not read: a write would wait for ever."""
    data = keys.encode("utf-8", "surrogateescape")
    return not data or (select.select([], [fd], [], 60)[1] and os.write(fd, data) == len(data))


pid, fd = begin()
opened = time.monotonic() + 120  # while it opens, Esc leaves
while b"0 Over" not in drawn and time.monotonic() < opened and take(fd, 0.1) is not None:
    pass
kept = 400
began, sampled, keys, resizes, why, memory, last = time.monotonic(), 0.0, 0, 0, "", [], []
while not why and time.monotonic() - began < 60 * minutes:
    if random.random() < 0.03:
        fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", *random.choice(ROOM), 0, 0))
        resizes += 1
    burst = "".join(random.choice(KEYS) for _ in range(random.randint(1, 6)))
    keys += len(burst)
    last = (last + [burst])[-30:]
    if not send(fd, burst):
        why = "does not read its keys"
    closed = take(fd, random.choice((0.01, 0.02, 0.2))) is None
    if closed:
        time.sleep(1)  # a process that has left its terminal has a moment to end
    done, status = os.waitpid(pid, os.WNOHANG)
    if closed or done:
        why = "ended by itself" + (f" with {os.waitstatus_to_exitcode(status)}" if done else ", but still runs")
        break
    if time.monotonic() - sampled > 5:
        sampled = time.monotonic()
        memory.append(resident(pid))
        # It answers: a redraw of the whole screen comes within a minute. Keys that ask for a hundred
        # threads get them; back to one, so that memory can be compared.
        take(fd, 0.05)
        if not send(fd, "\x1b\x1b:threads 1\r\x1b\x1b\x0c") or not (select.select([fd], [], [], 60)[0]):
            why = "does not answer"
elapsed = (time.monotonic() - began) / 60
if not why:
    os.kill(pid, signal.SIGTERM)
    end = time.monotonic() + 60
    while take(fd, 0.1) is not None and time.monotonic() < end:
        pass
    done, status = os.waitpid(pid, 0 if time.monotonic() < end else os.WNOHANG)
    if not done:
        why = "does not end"
    elif os.waitstatus_to_exitcode(status) != 128 + signal.SIGTERM:  # a sanitizer's report changes it
        why = f"ends with {os.waitstatus_to_exitcode(status)}"
try:
    os.kill(pid, signal.SIGKILL)
except ProcessLookupError:
    pass
log = work + "/embedscope/log"
if why:
    print(f"# the last keys: {last!r}\n# the last bytes: {drawn!r}")
if why and os.path.exists(log):
    print("# " + "# ".join(open(log, errors="replace").readlines()[-20:]))
shutil.rmtree(work, ignore_errors=True)

with open(program, "rb") as f: # a sanitizer keeps what was freed for a while, and notes of every access
    sanitized = (image := f.read()).find(b"__tsan_init") >= 0 or image.find(b"__asan_init") >= 0
quarter = 0 if sanitized else len(memory) // 4
if not why and quarter >= 3:
    early = statistics.median(memory[quarter:2 * quarter])
    late = statistics.median(memory[-quarter:])
    print(f"# memory {early:.1f} MB, at the end {late:.1f} MB")
    if late > 1.1 * early + 4:
        why = f"its memory grows: {early:.1f} MB, later {late:.1f} MB"
print(f"# {keys} bytes of keys, {resizes} resizes in {elapsed:.1f} minutes")
print(("not ok 1 soak: " + why) if why else "ok 1 soak: no growth, no error")
print("1..1")
sys.exit(1 if why else 0)
