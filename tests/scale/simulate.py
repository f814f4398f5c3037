#!/usr/bin/env python3
"""simulate.py COSTS.json FIGURE.svg: how much faster many workers are, from what one machine measured (measure.py).

A pool of 45 or 500 embedders is drawn, by a seed, from those that were measured, and a pair costs what the pair of those
two took. Each worker is a rank of one thread: it asks rank 0 when it is done (LATENCY), stays with its source as long as
there is something left of it, then takes the costliest source that nobody is at, else the one with most left, as
pair_queue.c does; it prepares a source or a target the first time that it meets it. Rank 0 serves one after the other,
at the measured cost a pair. Prints a table with where the workers' time goes, and draws the figure.
"""
import heapq
import json
import random
import sys

LATENCY = 0.0015  # seconds: rank 0 looks once a millisecond, and the network
WORKERS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024]
POOLS = [45, 500]


def simulate(seconds, prepare, lead, workers, m, seed=1):
    """The time until all is done, and the workers' seconds in pairs, in preparing, in asking, at the end."""
    draw = random.Random(seed)
    kind = [draw.randrange(len(seconds)) for _ in range(m)]
    cost = [[seconds[kind[s]][kind[t]] for t in range(m)] for s in range(m)]
    left = [sum(row) for row in cost]
    rank = list(left)
    todo = [sorted(range(m), key=lambda t: cost[s][t]) for s in range(m)]
    at = [0] * m
    half = prepare / 2  # as source, as target
    met = [[set(), set()] for _ in range(workers)]
    place = [None] * workers
    spent = {"pairs": 0.0, "preparing": 0.0, "asking": 0.0}
    ends, free_at = [], 0.0
    heap = [(0.0, w) for w in range(workers)]
    heapq.heapify(heap)
    while heap:
        now, w = heapq.heappop(heap)
        s = place[w]
        if s is None or not todo[s]:
            if s is not None:
                at[s] -= 1
            open_ = [i for i in range(m) if todo[i]]
            if not open_:
                ends.append(now)
                place[w] = None
                continue
            free = [i for i in open_ if at[i] == 0]
            s = max(free, key=lambda i: rank[i]) if free else max(open_, key=lambda i: left[i])
            place[w] = s
            at[s] += 1
        t = todo[s].pop()
        left[s] -= cost[s][t]
        free_at = max(free_at, now) + lead
        wait = free_at - now + (LATENCY if workers > 1 else 0)
        made = half * ((s not in met[w][0]) + (t not in met[w][1]))
        met[w][0].add(s)
        met[w][1].add(t)
        spent["asking"] += wait
        spent["preparing"] += made
        spent["pairs"] += cost[s][t]
        heapq.heappush(heap, (now + wait + made + cost[s][t], w))
    whole = max(ends)
    spent["waiting for the last"] = sum(whole - e for e in ends)
    return whole, spent


def figure(path, curves):
    width, height, left, top, right, bottom = 640, 400, 62, 40, 120, 52
    low, high = 0, 10  # powers of two

    def x(workers):
        return left + (width - left - right) * (workers.bit_length() - 1 - low) / (high - low)

    def y(speed):
        import math
        return height - bottom - (height - top - bottom) * (math.log2(speed) - low) / (high - low)

    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="DejaVu Sans,'
           ' sans-serif" font-size="12">' % (width, height, width, height),
           '<rect width="100%" height="100%" fill="#ffffff"/>',
           '<text x="%d" y="22" font-size="14" fill="#222222">Speed-up over one worker, simulated from measured costs of '
           'pairs</text>' % left]
    for power in range(low, high + 1):
        n = 2 ** power
        out.append('<path d="M%.1f %.1fV%.1f" stroke="#e4e4e4"/>' % (x(n), top, height - bottom))
        out.append('<path d="M%.1f %.1fH%.1f" stroke="#e4e4e4"/>' % (left, y(n), width - right))
        if power % 3 == 0 or power == high:
            out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#444444">%d</text>' %
                       (x(n), height - bottom + 18, n))
            out.append('<text x="%d" y="%.1f" text-anchor="end" fill="#444444">%d</text>' % (left - 8, y(n) + 4, n))
    out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#444444">workers</text>' %
               ((left + width - right) / 2, height - 12))
    out.append('<path d="M%.1f %.1fL%.1f %.1f" stroke="#888888" stroke-dasharray="4 4" fill="none"/>' %
               (x(1), y(1), x(1024), y(1024)))
    out.append('<text x="%.1f" y="%.1f" fill="#888888">ideal</text>' % (width - right + 10, y(1024) + 4))
    for (m, points), colour, mark in zip(curves, ("#b3541e", "#1f5fa8"), ("circle", "rect")):
        line = " ".join("%.1f,%.1f" % (x(w), y(s)) for w, s in points)
        out.append('<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>' % (line, colour))
        for w, s in points:
            if mark == "circle":
                out.append('<circle cx="%.1f" cy="%.1f" r="3.5" fill="%s"/>' % (x(w), y(s), colour))
            else:
                out.append('<rect x="%.1f" y="%.1f" width="7" height="7" fill="%s"/>' %
                           (x(w) - 3.5, y(s) - 3.5, colour))
            if w in (8, 64, 512):
                above = m == max(POOLS)
                out.append('<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s">%.3g</text>' %
                           (x(w) + (-7 if above else 7), y(s) + (-7 if above else 15), "end" if above else "start",
                            colour, s))
        out.append('<text x="%.1f" y="%.1f" fill="%s">%d embedders</text>' %
                   (width - right + 10, y(points[-1][1]) + (14 if m == max(POOLS) else 4), colour, m))
    out.append("</svg>")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(out) + "\n")


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        costs = json.load(file)
    curves = []
    for m in POOLS:
        alone, points = None, []
        for workers in WORKERS:
            whole, spent = simulate(costs["seconds"], costs["prepare"], costs["lead"], workers, m)
            alone = alone or whole
            points.append((workers, alone / whole))
            print("%4d embedders %5d workers %9.1f s  x %6.1f  %3.0f %%:" %
                  (m, workers, whole, alone / whole, 100 * alone / whole / workers),
                  ", ".join("%s %.1f %%" % (name, 100 * value / whole / workers) for name, value in spent.items()),
                  flush=True)
        curves.append((m, points))
    figure(sys.argv[2], curves)


if __name__ == "__main__":
    main()
