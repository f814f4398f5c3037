"""Draws the toy of cMIM as a picture: toy_cmim.py PROGRAM OUT.svg, PROGRAM being tests/bench/toy_cmim.c.

Points of the first quadrant and where the contrastive term alone moves them, in the same colour; below,
how many lie in each twelfth of a turn.
"""

import math
import subprocess
import sys

SIDE, GAP, SCALE, BAR = 300, 40, 46, 70
COLOURS = ["#440154", "#3b528b", "#21918c", "#5ec962", "#c8a800"]


def panel(out, left, title, facts, points, colours):
    """One panel of points (x, y) with the histogram of their directions below."""
    middle_x, middle_y = left + SIDE / 2, 40 + SIDE / 2
    out.append(f'<text x="{left}" y="16" class="title">{title}</text>')
    out.append(f'<text x="{left}" y="32">{facts}</text>')
    out.append(f'<rect x="{left}" y="40" width="{SIDE}" height="{SIDE}" class="frame"/>')
    out.append(f'<path d="M{left} {middle_y}h{SIDE}M{middle_x} 40v{SIDE}" class="axis"/>')
    for (x, y), colour in zip(points, colours):
        px, py = middle_x + SCALE * x, middle_y - SCALE * y
        if left <= px <= left + SIDE and 40 <= py <= 40 + SIDE:
            out.append(f'<circle cx="{px:.1f}" cy="{py:.1f}" r="1.4" fill="{colour}"/>')
    counts = [0] * 12
    for x, y in points:
        counts[int(math.atan2(y, x) % (2 * math.pi) / (math.pi / 6)) % 12] += 1
    base, most = 40 + SIDE + 20 + BAR, max(counts)
    for i, count in enumerate(counts):
        height = BAR * count / most
        out.append(f'<rect x="{left + i * SIDE / 12 + 1:.1f}" y="{base - height:.1f}" '
                   f'width="{SIDE / 12 - 2:.1f}" height="{height:.1f}" class="bar"/>')
    out.append(f'<text x="{left}" y="{base + 14}">0</text>')
    out.append(f'<text x="{left + SIDE}" y="{base + 14}" text-anchor="end">a turn</text>')


def main():
    text = subprocess.run([sys.argv[1]], check=True, capture_output=True, text=True).stdout.splitlines()
    facts = {}
    for line in text[:2]:
        _, when, *rest = line.split()
        facts[when] = dict(word.split("=") for word in rest)
    rows = [[float(v) for v in line.split(",")] for line in text[2:]]
    colours = [COLOURS[min(4, int(math.atan2(r[1], r[0]) / (math.pi / 2) * 5))] for r in rows]
    width, height = 2 * SIDE + GAP + 20, 40 + SIDE + 20 + BAR + 24
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
           f'viewBox="-10 0 {width} {height}" font-family="sans-serif" font-size="11">',
           "<style>.title{font-weight:bold}.frame{fill:#fff;stroke:#999}.axis{stroke:#ccc;fill:none}"
           ".bar{fill:#7a8ba6}</style>",
           f'<rect x="-10" width="{width}" height="{height}" fill="#fff"/>']
    for left, when, at in ((0, "before", 0), (SIDE + GAP, "after", 2)):
        f = facts[when]
        line = f'KS {float(f["ks"]):.3f}, Rayleigh {float(f["rayleigh"]):.2g}, radii cv {float(f["radius_cv"]):.2f}'
        title = "1,000 points" if when == "before" else "after 1,500 steps of the contrastive term"
        panel(out, left, title, line, [r[at:at + 2] for r in rows], colours)
    out.append("</svg>")
    with open(sys.argv[2], "w") as file:
        file.write("\n".join(out) + "\n")
    print(*text[:2], sep="\n")


main()
