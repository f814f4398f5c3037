#!/usr/bin/python3
"""The list of themes follows the file that is being edited. themes.py PROGRAM POOL. Prints TAP."""
import os, sys

from explorer import Explorer, Home, Tap, pyte

if pyte is None:
    print("1..0 # SKIP skipped: python3-pyte is not installed")
    sys.exit(77)
program, pool = os.path.abspath(sys.argv[1]), sys.argv[2]
tap, home = Tap(), Home(pool)
RED, GREEN, BLUE, YELLOW = (196, "ff0000"), (46, "00ff00"), (21, "0000ff"), (226, "ffff00")
os.mkdir(home.file("themes"))


def write(name, text):
    """As editors do: whole, under another name, then renamed."""
    path = home.file(f"themes/{name}.theme")
    with open(path + ".new", "w") as file:
        file.write(text)
    os.rename(path + ".new", path)


def drawn(e, colour):
    """Some text is in this colour."""
    rows = (e.screen.buffer[line] for line in range(e.screen.lines))
    return any(row[x].data.isalpha() and row[x].fg == colour[1] for row in rows for x in range(e.screen.columns))


def turns(e, colour, name):
    tap.ok(e.until(lambda: drawn(e, colour)), name, e.text())


def theme(colour):
    return f"[roles]\ntext = {colour[0]} on 16\n"


write("base", theme(YELLOW))
write("mine", "name = Mine\n" + theme(RED))
e = Explorer(program, ["--fresh", "--theme-dir", home.file("themes"), "--theme", "mine", home.pool], home)
e.shows("READY")
turns(e, RED, "a theme from --theme-dir is shown")
e.send("T")
e.shows("keep")
write("mine", "name = Mine\n" + theme(GREEN))
turns(e, GREEN, "what is saved is shown, with no key pressed")
write("mine", "name = Mine\n[roles]\ntext = 21 on 16\nkey = purplish\n")
tap.ok(e.shows("mine.theme:4:"), "a mistake is named with its line", e.text())
tap.ok(drawn(e, GREEN), "and what was shown stays", e.text())
write("mine", "name = Mine\n" + theme(BLUE))
turns(e, BLUE, "the mended file is shown")
write("mine", "name = Mine\ninherits = base\n")
turns(e, YELLOW, "it inherits")
write("base", theme(RED))
turns(e, RED, "and follows the file that it inherits from")
write("another", theme(GREEN))
write("base", theme(BLUE))
tap.ok(e.shows("another"), "a theme that has come is listed with the next change", e.text())
os.remove(home.file("themes/mine.theme"))
tap.ok(e.shows("mine.theme: No such file"), "a file that has gone is named", e.text())
tap.ok(drawn(e, BLUE), "and what was shown stays", e.text())
e.send("\033")
e.until(lambda: "Esc as before" not in e.text())
e.send("q")
tap.ok(e.wait() == 0, "it ends well", e.status)
e.quit()
home.remove()
sys.exit(tap.end())
