#!/usr/bin/env python3
"""Records a session of the explorer for README and docs.

  record.py cast PROGRAM POOL OUT.cast     what the program really wrote to a terminal, as asciicast v2
  record.py film OUT.svg SECONDS FRAME.svg...   pictures one after the other in one animated SVG
  record.py number OUT.svg SCREEN.svg COLUMN,LINE...   a screen with numbers, 1 at the first place
"""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

WIDTH, HEIGHT = 120, 40
# Seconds to wait, then what is typed.
KEYS = [(1.5, "r"), (0.5, "2"), (3.0, "jjjlllll"), (1.5, ":order cluster\r"), (2.5, "m"), (1.5, "m"),
        (1.5, "u"), (0.6, "u"), (1.0, "4"), (2.5, "jjj"), (1.5, "3"), (2.0, "g"), (2.5, "5"), (2.0, "jj"),
        (2.0, "4"), (1.0, "c"), (3.5, "7"), (2.0, "q"), (1.0, "y")]  # y: where a run is on, q asks


def typed():
    """Moments and keys; of several, one every 0.12 s."""
    for wait, keys in KEYS:
        for key in keys:
            yield wait, key
            wait = 0.12


def cast(program, pool, out):
    pid, fd = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8")
        os.environ.pop("TMUX", None)
        os.execv(program, [program, "--theme", "default-dark", pool])
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", HEIGHT, WIDTH, 0, 0))
    begin, events, keys = time.monotonic(), [], typed()
    wait, key = next(keys)
    due = begin + wait
    pending = b""
    while True:
        now = time.monotonic()
        if key is not None and now >= due:
            try:
                os.write(fd, key.encode())
            except OSError:
                break  # it has ended without asking
            wait, key = next(keys, (0, None))
            due = now + wait
        ready, _, _ = select.select([fd], [], [], 0.02)
        if not ready:
            if now > begin + 120:
                os.kill(pid, signal.SIGTERM)
                sys.exit("the program has not ended")
            continue
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        pending += data
        try:
            text, pending = pending.decode(), b""
        except UnicodeDecodeError:
            continue  # the rest of a character is on its way
        events.append([round(time.monotonic() - begin, 3), "o", text])
    os.waitpid(pid, 0)
    with open(out, "w", encoding="utf-8") as f:
        head = {"version": 2, "width": WIDTH, "height": HEIGHT, "title": "embedscope",
                "env": {"TERM": "xterm-256color"}}
        for line in [head] + events:
            f.write(json.dumps(line, ensure_ascii=False) + "\n")


def film(out, seconds, frames):
    """Every frame is shown for `seconds`, for ever. The first stays where nothing is animated."""
    bodies, head = [], None
    for path in frames:
        with open(path, encoding="utf-8") as f:
            text = f.read()
        start = text.index(">", text.index("<svg")) + 1
        head = head or text[:start]
        bodies.append(re.sub(r'\bid="[^"]*"', "", text[start:text.rindex("</svg>")]))
    share, total = 100 / len(bodies), seconds * len(bodies)
    with open(out, "w", encoding="utf-8") as f:
        f.write(head)
        f.write("<style>.f{visibility:hidden;animation:f %gs step-end infinite}.f:first-of-type{visibility:"
                "visible}@keyframes f{0%%{visibility:visible}%.4f%%{visibility:hidden}}</style>\n"
                % (total, share))
        for k, body in enumerate(bodies):
            f.write('<g class="f" style="animation-delay:%gs">%s</g>\n' % (k * seconds, body))
        f.write("</svg>\n")


def number(out, screen, places):
    """Circles with numbers over a screen that the program has drawn; places count cells from 0."""
    with open(screen, encoding="utf-8") as f:
        text = f.read()
    cell_w, cell_h, edge = 8.43, 17, 8  # as screenshots have them
    marks = ['<g font-family="sans-serif" font-size="15" font-weight="bold" text-anchor="middle">']
    for k, place in enumerate(places):
        column, line = (int(v) for v in place.split(","))
        x, y = edge + (column + 0.5) * cell_w, edge + (line + 0.5) * cell_h
        marks.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="12" fill="#f2c14e" stroke="#15181e" stroke-width="2"/>'
                     f'<text x="{x:.1f}" y="{y + 5.4:.1f}" fill="#15181e">{k + 1}</text>')
    end = text.rindex("</svg>")
    with open(out, "w", encoding="utf-8") as f:
        f.write(text[:end] + "\n".join(marks) + "</g>\n" + text[end:])


if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[1] == "cast":
        cast(*sys.argv[2:])
    elif len(sys.argv) > 4 and sys.argv[1] == "film":
        film(sys.argv[2], float(sys.argv[3]), sys.argv[4:])
    elif len(sys.argv) > 4 and sys.argv[1] == "number":
        number(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        sys.exit(__doc__)
