#!/usr/bin/env bash
# Does what `export` writes open elsewhere? Each view of two sample pools in each format, by the
# tools that are installed. Prints TAP. Usage: export.sh PROGRAM SAMPLE_DATA [FORMATS]
set -u
program=$1 sample=$2 only=${3:-csv json md tex svg pdf png}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_DATA_HOME=$work XDG_CONFIG_HOME=$work XDG_STATE_HOME=$work LC_ALL=C.UTF-8
cp -r "$sample/molecules" "$work/molecules" || exit 1
chmod -R u+w "$work/molecules"
rm -rf "$work/molecules/.embedscope"
cd "$work" || exit 1
count=0 failed=0
pandas=
for python in python3 /usr/bin/python3; do
    "$python" -c 'import importlib.util as u; assert u.find_spec("pandas")' 2>/dev/null && pandas=$python && break
done

# check NAME TOOL COMMAND...: skipped where the tool is not installed.
check() {
    local name=$1 tool=$2 log
    shift 2
    count=$((count + 1))
    if ! command -v "$tool" >/dev/null; then
        echo "ok $count $name # SKIP no $tool"
    elif log=$("$@" 2>&1); then
        echo "ok $count $name"
    else
        failed=1
        echo "not ok $count $name"
        printf '%s\n' "$log" | tail -n 5 | sed 's/^/# /'
    fi
}

opens() { # opens FILE
    case $1 in
    *.md) awk -F'|' '/^\|/ { if (n && NF != n) exit 1; n = NF; rows++ } END { exit rows < 3 }' "$1" ;;
    *.tex) pdflatex -interaction=batchmode -halt-on-error "$1" ;;
    *.svg) rsvg-convert "$1" -o seen.png && [ -s seen.png ] ;;
    *.pdf) pdftoppm -r 50 -png -singlefile "$1" seen && [ -s seen.png ] ;;
    *) ! grep -F "$1: " faults ;;
    esac
}
# What python3 opens, in one process, since it takes longer to start than to read all of them. Writes a
# line "FILE: WHY" for each that it cannot.
read_all() {
    python3 - "${written[@]}" >faults <<'PYTHON'
import csv, json, os, struct, sys, zlib

def read_csv(name):
    rows = list(csv.reader(open(name, newline="", encoding="utf-8"), strict=True))
    assert len(rows) > 1 and len({len(row) for row in rows}) == 1, "rows"

def read_json(name):
    json.load(open(name, encoding="utf-8"))

def read_png(name):
    data = open(name, "rb").read()
    assert data[:8] == b"\x89PNG\r\n\x1a\n", "signature"
    at, pixels, width, height = 8, b"", 0, 0
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), "CRC"
        if kind == b"IHDR":
            width, height = struct.unpack(">II", body[:8])
        if kind == b"IDAT":
            pixels += body
        at += 12 + size
    assert len(zlib.decompress(pixels)) == height * (3 * width + 1), "pixels"

readers = {".csv": read_csv, ".json": read_json, ".png": read_png}
for name in sys.argv[1:]:
    try:
        readers.get(os.path.splitext(name)[1], str)(name)
    except Exception as why:
        print(f"{name}: {why!r}")
print("all read")
PYTHON
}

# tool FORMAT: what opens it.
tool() {
    case $1 in
    csv | json | png) echo python3 ;;
    md) echo awk ;;
    tex) echo pdflatex ;;
    svg) echo rsvg-convert ;;
    pdf) echo pdftoppm ;;
    esac
}

# view NAME VIEW FORMATS OPTION...: writes.
written=()
view() {
    local name=$1 what=$2 formats=$3 format file
    shift 3
    for format in $formats; do
        [[ " $only " == *" $format "* ]] || continue
        file=$name.$format
        if "$program" export "$@" "$what" -q -o "$file" && [ -s "$file.meta.json" ]; then
            written+=("$file")
        else
            failed=1 count=$((count + 1))
            echo "not ok $count $name as $format is not written"
        fi
    done
}

rows=(--rows first:300)
"$program" estimate molecules "${rows[@]}" --estimator linear -q >/dev/null || exit 1
all="csv json md tex svg pdf png"
pool=(molecules "${rows[@]}")
# A pool stands before the view, a matrix from a file is an option.
pool_view() { # NAME VIEW FORMATS OPTION...
    local name=$1 what=$2 formats=$3
    shift 3
    view "$name" "$what" "$formats" "${pool[@]}" "$@"
}
pool_view pool-ranking ranking "$all"
pool_view pool-matrix matrix "$all"
pool_view pool-tree tree "csv json svg pdf png"
pool_view pool-correlation correlation "$all"
pool_view pool-compare compare "$all" --models mol2vec_128,desc_all
pool_view pool-agreement agreement "csv json md svg pdf png" --score uniformity,effective-rank
pool_view pool-panels panels "svg pdf png" --score effective-rank,uniformity
pool_view pool-sweep sweep "$all" --score consensus --sweep components=8,32
pool_view pool-measure matrix "svg" --measure cka --order community
nlp=(--matrix "$sample/paper-nlp/matrix.csv")
view nlp-ranking ranking "$all" "${nlp[@]}"
view nlp-matrix matrix "$all" "${nlp[@]}"
view nlp-tree tree "csv json svg pdf png" "${nlp[@]}" --method ward
view nlp-correlation correlation "$all" "${nlp[@]}" --scores "$sample/paper-nlp/scores.csv"
view nlp-tasks correlation "svg pdf png" "${nlp[@]}" --scores "$sample/paper-nlp/scores.csv" --tasks
view nlp-curve ranking "svg pdf png" "${nlp[@]}" --curve --theme dark

read_all
check "python3 reads what it can" python3 grep -qx 'all read' faults
for file in "${written[@]}"; do
    check "${file%.*} as ${file##*.}" "$(tool "${file##*.}")" opens "$file"
done
if [ -n "$pandas" ] && [[ " $only " == *" csv "* ]]; then # once: it takes longer to start than to read all of them
    check "every CSV is a data frame" "$pandas" "$pandas" -c 'import pandas, sys
assert len(sys.argv) > 5 and not any(pandas.read_csv(name).empty for name in sys.argv[1:])' ./*.csv
fi
echo "1..$count"
exit $failed
