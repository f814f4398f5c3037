#!/usr/bin/env bash
# Rules of ARCHITECTURE.md that the linker cannot see, and those of words. Prints TAP.
cd "$(dirname "$0")/../.." || exit 1
count=0 failed=0

# rule DESCRIPTION COMMAND...: holds when the command prints nothing.
rule() {
    local name=$1 found
    shift
    count=$((count + 1))
    found=$("$@")
    if [ -z "$found" ]; then
        echo "ok $count $name"
    else
        failed=1
        echo "not ok $count $name"
        printf '%s\n' "$found" | sed 's/^/# /'
    fi
}

includes() { # includes PATTERN PATH...: files below PATH that include a header matching PATTERN
    local pattern=$1
    shift
    grep -rnE "^[[:space:]]*#[[:space:]]*include[[:space:]]*[<\"]($pattern)[>\"]" "$@"
}

curses_elsewhere() { includes '(ncursesw/)?n?curses\.h|term\.h' src include | grep -v '^src/tui/terminal/term_curses.c:' | grep '<'; }
threads_in_core() { includes 'pthread\.h|threads\.h|fcntl\.h|unistd\.h|sys/.*' src/core src/base/rng.c src/base/text.c; }
printing_in_core() { grep -rnE '\b(printf|fprintf|puts|fputs|fopen|perror|getenv|exit|abort)\(' src/core; }
raw_allocation() { grep -rnE '[^_a-z](malloc|calloc|realloc|free|strdup|aligned_alloc)\(' src --include='*.c' | grep -v '^src/base/alloc.c:' | grep -v 'not ours' | grep -vE '^\S+\s*(\*|//|/\*)'; }
clocks_in_app() { includes 'time\.h|sys/time\.h|embedscope/clock\.h|pthread\.h' src/app; }
open_work() { grep -rnE '\b(TODO|FIXME|XXX)\b' src include tests/*/*.[ch] dev; }
tables_of_docs() { # every layer and room of the build is in ARCHITECTURE.md
    local layer room
    for layer in $(ls src | grep -vE '\.|cmake'); do
        grep -q "^| $layer |" ARCHITECTURE.md || echo "the layer $layer is not in ARCHITECTURE.md"
    done
    for room in $(sed -n 's|^es_room(\([a-z]*\)/\([a-z/]*\).*|\2|p' src/CMakeLists.txt); do
        grep -q "\`$room\`" ARCHITECTURE.md || echo "the room $room is not in ARCHITECTURE.md"
    done
}
files_of_docs() { # every file that documents and comments name is there
    local name
    for name in $(grep -rhE '\b[a-z0-9]+(_[a-z0-9]+)+\.[ch]\b' src include --include='*.[ch]' | grep -v '#include' |
        grep -oE '\b[a-z0-9]+(_[a-z0-9]+)+\.[ch]\b' | sort -u); do
        find src include tests -name "$name" | grep -q . || echo "a comment names no file $name"
    done
    for name in $(grep -hoE '`[a-z0-9_/]+\.(c|h|def|py|sh)`' ARCHITECTURE.md CONTRIBUTING.md docs/*.md docs/dev/*.md | tr -d '`' | sort -u); do
        find src include tests -name "$(basename "$name")" | grep -q . || echo "no file $name"
    done
}

retired_words() { # words that docs/glossary.md retires; what has such a name for others keeps it
    local words='errand|spokesman|doubt|(^|[^l])lapse[ds]?\b|\bclaim(s|ed|ing)?\b|\bjudges\b|\bhands\b'
    words+='|told apart|but for|passed over'
    grep -rnEi "$words" src include README.md ARCHITECTURE.md CONTRIBUTING.md SECURITY.md docs themes \
        --include='*.[ch]' --include='*.def' --include='*.md' --include='*.py' --include='*.5' --include='*.h2m' |
        grep -v '^docs/glossary.md:' |
        grep -vE '(col|e)lapse[ds]?\b' |
        # SQL of a table that older stores have; fields of JSON and CSV that are promised; a former option
        grep -vE "(FROM|INTO|EXISTS) claim|'claim'|\"(spokesman|spokesman_covers|doubt|judges|hands)\"" |
        # the verb
        grep -vE '\bhands (over|out|it|all|measures|what|to)\b|Hands the'
}
outlines() { # README and ARCHITECTURE.md can be read in one go
    [ "$(wc -l <README.md)" -le 230 ] || echo "README.md has more than 230 lines"
    [ "$(wc -w <README.md)" -le 1500 ] || echo "README.md has more than 1,500 words"
    [ "$(wc -l <ARCHITECTURE.md)" -le 100 ] || echo "ARCHITECTURE.md has more than 100 lines"
    [ "$(wc -l <CHANGELOG.md)" -le 120 ] || echo "CHANGELOG.md has more than 120 lines"
}
links_of_docs() { # every link and picture of a document leads to a file
    local document target
    for document in *.md docs/*.md docs/dev/*.md; do
        for target in $(grep -oE '\]\([^)#]+' "$document" | sed 's/^](//' | grep -v '^http'); do
            [ -e "$(dirname "$document")/$target" ] || echo "$document: no $target"
        done
    done
}

rule "curses is included in one file" curses_elsewhere
rule "core knows no threads and no system calls" threads_in_core
rule "core neither prints nor opens files nor exits" printing_in_core
rule "memory comes from alloc.c" raw_allocation
rule "the explorer's state knows no clock and no threads" clocks_in_app
rule "nothing is left open" open_work
rule "ARCHITECTURE.md names every layer and room" tables_of_docs
rule "the files that documents and comments name are there" files_of_docs
rule "links of documents lead to files" links_of_docs
rule "README and ARCHITECTURE.md are short" outlines
rule "retired words are gone" retired_words

echo "1..$count"
exit $failed
