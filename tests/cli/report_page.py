#!/usr/bin/env python3
"""report_page.py PROGRAM POOL: the page that `report` writes, as a reader, a screen reader and a browser
have it. Prints TAP. What takes a browser is left out where Chromium is not installed."""
import html.parser
import json
import os
import pty
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM, POOL = [os.path.abspath(path) for path in sys.argv[1:3]]
WIDTHS = (360, 800, 1400)
MOST_BYTES = 500_000
VOID = {"meta", "br", "img", "hr", "input", "link"}


class Page(html.parser.HTMLParser):
    """The elements in their order, with where they are and what they say."""

    def __init__(self, text):
        super().__init__()
        self.elements, self.open, self.faults = [], [], []
        self.feed(text)
        self.faults += [f"<{tag['tag']}> is not closed" for tag in self.open]

    def handle_starttag(self, tag, attrs):
        element = {"tag": tag, "within": [e["tag"] for e in self.open], "text": "", **dict(attrs)}
        self.elements.append(element)
        if tag not in VOID:
            self.open.append(element)

    def handle_startendtag(self, tag, attrs):
        self.elements.append({"tag": tag, "within": [e["tag"] for e in self.open], "text": "",
                              **dict(attrs)})

    def handle_endtag(self, tag):
        if not self.open or self.open[-1]["tag"] != tag:
            self.faults.append(f"</{tag}> within {[e['tag'] for e in self.open][-3:]}")
        elif self.open:
            self.open.pop()

    def handle_data(self, data):
        for element in self.open:
            element["text"] += data

    def all(self, *tags):
        return [e for e in self.elements if e["tag"] in tags]


def asks_for_nothing(text, page):
    """No script, and nothing that a browser would fetch."""
    outside = re.findall(r"(?i)(?:src|href|action|data|poster|srcset)\s*=\s*[\"'](?!#|data:)[^\"']*", text)
    outside += re.findall(r"(?i)url\(\s*[\"']?(?!#|data:)[^)]*|@import|@font-face", text)
    outside += [e["tag"] for e in page.all("script", "iframe", "object", "embed", "link", "base", "form")]
    outside += [key for e in page.elements for key in e if key.startswith("on")]
    assert not outside, outside[:5]


def reads_in_order(page):
    """Language, title, one first heading, no heading skipped; regions and figures have names; tables
    say what their rows and columns are."""
    assert not page.faults, page.faults[:5]
    assert page.all("html")[0]["lang"] == "en" and page.all("title")[0]["text"].strip()
    levels = [int(e["tag"][1]) for e in page.all("h1", "h2", "h3", "h4")]
    assert levels[0] == 1 and levels.count(1) == 1, levels
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:])), levels
    assert len(page.all("main")) == 1
    ids = [e["id"] for e in page.elements if "id" in e]
    assert len(ids) == len(set(ids)), "two elements of one id"
    for section in page.all("section"):
        assert section["aria-labelledby"] in ids, section
    pictures = [e for e in page.all("svg", "img") if "svg" not in e["within"]]
    assert len(pictures) >= 4
    for picture in pictures:
        assert "figure" in picture["within"]
        assert picture.get("alt") or picture.get("role") == "img" and picture.get("aria-label")
    tables = page.all("table")
    assert len(tables) >= 3
    for cell in page.all("th"):
        assert cell.get("scope") == ("col" if "thead" in cell["within"] else "row"), cell
    rows = [e for e in page.all("tr") if "tbody" in e["within"]]
    assert len(rows) == len([e for e in page.all("th") if "tbody" in e["within"]])
    for link in page.all("a"):
        assert link["href"][1:] in ids


def has_the_numbers(page, ranked, matrix):
    """Those of the documents, with all digits; and the answer, before anything else."""
    order = [e["tag"] for e in page.elements]
    assert order.index("p") < order.index("section")
    assert ranked["bottom_line"]["sentence"] in page.all("p")[0]["text"]
    shown = {e["data-value"] for e in page.elements if "data-value" in e}
    for row in ranked["ranking"]:
        for key in ("score", "ci_low", "ci_high", "published"):
            assert row[key] is None or any(float(text) == row[key] for text in shown), (row["model"], key)
    assert sum(row["score"] is not None for row in ranked["ranking"]) == ranked["n"] > 5
    text = page.all("main")[0]["text"]
    for name in [m["name"] for m in matrix["models"]]:
        assert name in text, name
    assert "@inproceedings{darrin2024embedding" in text and "embedscope report" in text
    assert '"blas_core"' in text and '"digests"' in text


def by_chromium(folder, *words):
    return subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--allow-file-access-from-files", "--user-data-dir=" + os.path.join(folder, "profile"), *words],
        check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, timeout=120).stdout.decode()


def fits(folder):
    """At every width the page is as wide as its window, and its fetches are those of the test."""
    frames = "".join(f'<iframe src="report.html" style="width:{w}px;height:900px;border:0"></iframe>'
                     for w in WIDTHS)
    with open(os.path.join(folder, "frames.html"), "w", encoding="utf-8") as file:
        file.write(f"<!DOCTYPE html><title>x</title>{frames}<pre></pre><script>onload=()=>{{"
                   "document.querySelector('pre').textContent=JSON.stringify("
                   "[...document.querySelectorAll('iframe')].map(f=>{const d=f.contentDocument;return "
                   "[f.clientWidth,d.documentElement.scrollWidth,d.querySelectorAll('figure').length,"
                   "d.querySelector('h1').getBoundingClientRect().width]}))}</script>")
    log = os.path.join(folder, "net.json")
    shown = by_chromium(folder, "--window-size=3000,1200", "--dump-dom", "--log-net-log=" + log,
                        "file://" + os.path.join(folder, "frames.html"))
    found = json.loads(re.search(r"<pre>(\[.*?\])</pre>", shown).group(1))
    assert [f[0] for f in found] == list(WIDTHS), found
    for width, scrolled, figures, heading in found:
        assert scrolled <= width and figures >= 4 and 0 < heading <= width, found
    with open(log, encoding="utf-8", errors="replace") as file:
        asked = set(re.findall(r'"url":"((?!file:|data:|chrome)[a-z]+://[^"]*)"', file.read()))
    asked = [url for url in asked # the rest is the browser's own
             if not re.search(r"//[^/]*(google|gstatic|gvt1)[^/]*/", url)]
    assert not asked, asked


def prints(folder, best):
    """To a PDF whose text is text, without empty pages."""
    pdf = os.path.join(folder, "report.pdf")
    by_chromium(folder, "--no-pdf-header-footer", "--print-to-pdf=" + pdf,
                "file://" + os.path.join(folder, "report.html"))
    pages = subprocess.run(["pdftotext", pdf, "-"], check=True, stdout=subprocess.PIPE).stdout.decode()
    pages = pages.split("\f")[:-1]
    assert 3 <= len(pages) <= 8, f"{len(pages)} pages"
    assert all(len(page.split()) > 20 for page in pages), [len(page.split()) for page in pages]
    assert best in pages[0]


def needs_a_file(pool):
    """No page of HTML floods a terminal."""
    ours, theirs = pty.openpty()
    done = subprocess.run([PROGRAM, "report", pool], stdout=theirs, stderr=subprocess.PIPE)
    os.close(theirs)
    os.close(ours)
    assert done.returncode == 2 and b"use -o FILE.html" in done.stderr, done.stderr


def main():
    with tempfile.TemporaryDirectory(prefix="embedscope-report-") as folder:
        os.environ.update(HOME=folder, XDG_CONFIG_HOME="", XDG_DATA_HOME="", XDG_STATE_HOME="")
        pool, report = os.path.join(folder, "pool"), os.path.join(folder, "report.html")
        shutil.copytree(POOL, pool, ignore=shutil.ignore_patterns(".embedscope"))

        def run(*words):
            return subprocess.run([PROGRAM, *words, "--quiet"], check=True, stdout=subprocess.PIPE).stdout

        run("estimate", pool, "--estimator", "linear", "--preset", "shrunk")
        run("estimate", pool, "--estimator", "linear")
        run("report", pool, "-o", report)
        with open(report, encoding="utf-8") as file:
            text = file.read()
        ranked, matrix = (json.loads(run(d, pool, "--json")) for d in ("rank", "matrix"))
        page = Page(text)
        browser = shutil.which("chromium") and shutil.which("pdftotext")
        tests = [
            (f"{len(text.encode())} bytes, at most {MOST_BYTES}",
             lambda: len(text.encode()) <= MOST_BYTES or sys.exit("too large")),
            ("no script, and nothing from elsewhere", lambda: asks_for_nothing(text, page)),
            ("asks for a file in a terminal", lambda: needs_a_file(pool)),
            ("reads in order", lambda: reads_in_order(page)),
            ("has the numbers of rank and matrix", lambda: has_the_numbers(page, ranked, matrix)),
            (f"fits windows of {', '.join(map(str, WIDTHS))} pixels", browser and (lambda: fits(folder))),
            ("prints", browser and (lambda: prints(folder, ranked["ranking"][0]["model"])))]
        failed = 0
        for number, (name, test) in enumerate(tests, 1):
            if not test:
                print(f"ok {number} {name} # SKIP no Chromium or no pdftotext")
                continue
            try:
                test()
                print(f"ok {number} {name}", flush=True)
            except (AssertionError, subprocess.SubprocessError, AttributeError) as why:
                failed = 1
                print(f"not ok {number} {name}\n# {type(why).__name__}: {why}", flush=True)
        print(f"1..{len(tests)}")
        sys.exit(failed)


if __name__ == "__main__":
    main()
