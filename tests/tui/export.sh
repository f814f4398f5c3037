#!/usr/bin/env bash
# What the explorer exports is what `embedscope export` writes, byte for byte: each view in each
# format, FILE.meta.json too. Prints TAP.
#   export.sh PROGRAM POOL [FORMATS]     by their letters in the dialog; without: all
program=$1 pool=$2 only=${3:-lmcjJnspg}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work XDG_RUNTIME_DIR=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work XDG_STATE_HOME=$work
unset TMUX NO_COLOR
cp -r "$pool" "$work/pool"
chmod -R u+w "$work/pool"
rm -rf "$work/pool/.embedscope"
mkdir "$work/explorer" "$work/shell"
count=0 failed=0
check() { # check CODE NAME
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count $2"
    else
        failed=1
        echo "not ok $count $2"
        sed 's/^/# /' "$work/out" | tail -50
    fi
}
play() { # play SCRIPT...: in the explorer's folder
    printf '%s\n' ':wait idle' "$@" >"$work/keys"
    (cd "$work/explorer" && "$program" --script "$work/keys" --size 100x30 "$work/pool") >"$work/out" 2>&1 </dev/null
}
"$program" estimate "$work/pool" --estimator linear --quiet >/dev/null 2>"$work/out"
check $? "estimate"

# Each view of the explorer, its key and what the command line needs to say the same.
script=(:compare\ mol2vec_128\ desc_all)
add() { # add KEY VIEW FORMATS OPTIONS...
    local key=$1 view=$2 formats=$3 i letter format
    shift 3
    for ((i = 0; i < ${#formats}; i++)); do
        letter=${formats:i:1}
        [[ $only == *$letter* ]] || continue
        case $letter in
        l) format=tex ;; m) format=md ;; c) format=csv ;; j) format=json ;; J) format=jsonl ;; n) format=npz ;;
        s) format=svg ;; p) format=pdf ;; g) format=png ;;
        esac
        script+=(":$key" "e$letter<enter>" ":wait idle" ":assert /$view.$format")
        (cd "$work/shell" && "$program" export "$work/pool" "$view" --estimator linear "$@" \
            -o "$view.$format") >"$work/out" 2>&1
        check $? "$view as $format from a shell"
    done
}
add rank ranking lmcjspg
# A picture of the matrix ends its colours where the screen does: at the 5th and 95th percentile.
limits=$("$program" matrix "$work/pool" --estimator linear --csv --quiet | python3 -c '
import csv, sys
table = list(csv.reader(line for line in sys.stdin if not line.startswith("#")))[1:]
v = sorted(float(x) for i, row in enumerate(table) for j, x in enumerate(row[1:]) if i != j)
tail = len(v) // 20 # that many at each end are beyond the colours
print("%.4g,%.4g" % (v[tail], v[-1 - tail]))')
add heatmap matrix lmcjJn --order rank
add heatmap matrix spg --order rank --limits "$limits"
add tree tree cjspg --resolution 1
add corr correlation lmcjspg
add compare-view compare lmcjspg --models mol2vec_128,desc_all
(cd "$work/shell" && "$program" report "$work/pool" -o report.html --quiet) >"$work/out" 2>&1
check $? "report from a shell"
play "${script[@]}" eh\<enter\> ":wait idle" ":assert /report.html"
check $? "all of them from the explorer"
for file in "$work"/shell/*; do
    cmp "$file" "$work/explorer/$(basename "$file")" >"$work/out" 2>&1
    check $? "$(basename "$file") is the same"
done

# Marks, a name with blanks, the look of a picture; and the command that the dialog shows.
mkdir "$work/bin" && ln -s "$program" "$work/bin/embedscope"
rm -f "$work"/explorer/*
play ':pool' ':mark /mol2vec|maccs|desc_/' ':hide smiles_svd64' ':heatmap' ':order name' 'eswt' 'f' \
    '<home><space>it <enter>y<enter>' ':wait idle' ':assert / it matrix.svg'
check $? "marked embedders, a dark single column"
mv "$work/explorer" "$work/first" && mkdir "$work/explorer"
(cd "$work/explorer" && PATH=$work/bin:$PATH sh -c "$(cat "$work"/embedscope-yank)") >"$work/out" 2>&1
check $? "the copied command runs"
diff -r "$work/first" "$work/explorer" >"$work/out" 2>&1
check $? "and gives the same"
grep -q '"hidden"' "$work"/first/*.meta.json && grep -q -- '--show' "$work"/first/*.meta.json
check $? "who is left out is written beside it"

# The third look is the theme of the screen, from wherever that came.
mkdir "$work/themes" && rm -rf "$work/explorer" && mkdir "$work/explorer"
printf 'inherits = default-dark\n[roles]\ntext = #ffeedd on #102030\n' >"$work/themes/mine.theme"
printf '%s\n' ':wait idle' ':rank' 'estt<enter>' ':wait idle' ':assert /ranking.svg' >"$work/keys"
(cd "$work/explorer" && "$program" --theme-dir "$work/themes" --theme mine --script "$work/keys" --size 100x30 \
    "$work/pool") >"$work/out" 2>&1 </dev/null
check $? "a picture in the colours of a theme of one's own"
"$program" export "$work/pool" ranking --estimator linear --theme "$work/themes/mine.theme" --quiet \
    -o "$work/mine.svg" >"$work/out" 2>&1
cmp "$work/mine.svg" "$work/explorer/ranking.svg" >"$work/out" 2>&1
check $? "as from a shell by the theme's file"

# Of a measure it is the table that `measure` writes, of the field that cells show.
play ':measure cca-information' ':wait idle' ':heatmap' ':metric cca-information' ':set metric cca-information.strongest' \
    ':export matrix strongest.csv' ':wait idle' ':assert /strongest.csv'
check $? "a field of a measure is written from the heatmap"
"$program" measure "$work/pool" cca-information.strongest --csv --quiet >"$work/strongest.usual" 2>"$work/out"
cmp "$work/strongest.usual" "$work/explorer/strongest.csv" >"$work/out" 2>&1
check $? "as from a shell"

play ':export tree t.svg' ':wait idle' ':assert /t.svg' ':export tree t.svg' \
    ':assert Overwrite' 'n' ':export tree t.tex' ':assert a tree is not a table' \
    ':export rank no/such/folder/r.csv' ':wait idle' ':assert no/such/folder'
check $? "asks before it overwrites, and says what went wrong"
# What is written is what the screen ranks by: the predictive score, or the published one after m; so
# are the ranks of a matrix, of a comparison and of what goes with downstream scores.
"$program" estimate "$work/pool" --estimator linear --preset shrunk --quiet >/dev/null 2>"$work/out"
check $? "estimate for the predictive score"
"$program" export "$work/pool" ranking --score predictive --quiet -o "$work/beside.md" >"$work/out" 2>&1 &&
    grep "Columns published, community: by linear default\.$" "$work/beside.md" >>"$work/out"
check $? "a document says whose the values beside the score are"
names() { # names FILE: of a table, in its order, with scores as the screen rounds them
    python3 - "$1" <<'EOF'
import csv, sys
text = [line.strip().strip("|") for line in open(sys.argv[1], encoding="utf-8") if line[0] != "#"]
bars = "|" in text[0]
table = [[cell.strip() for cell in row] for row in csv.reader(text, delimiter="|" if bars else ",")]
name, score = table[0].index("name" if bars else "model"), table[0].index("score")
rounded = lambda cell: cell if cell in ("", "-") else "%.3f" % float(cell)
print("\n".join("%s %s" % (row[name], rounded(row[score]) or "-") for row in table[2 if bars else 1:]))
EOF
}
for score in predictive published; do
    [ "$score" = published ] && turn=m || turn=
    rm -f "$work"/explorer/*
    play ':set order rank' ':rank' $turn ':wait idle' 'ym' ':export ranking r.csv' ':wait idle' ':export matrix m.csv' \
        ':wait idle' ':export correlation c.csv' ':wait idle' ':export agreement a.json' ':wait idle'
    check $? "export by the $score score"
    names "$work/explorer/r.csv" >"$work/written"
    names "$work/embedscope-yank" >"$work/screen"
    diff "$work/screen" "$work/written" >"$work/out"
    check $? "the $score ranking is that of the screen"
    head -1 "$work/explorer/m.csv" | tr , '\n' | tail -n +2 >"$work/order"
    cut -d' ' -f1 "$work/screen" | diff - "$work/order" >"$work/out"
    check $? "and so is the order of the matrix"
    "$program" correlate "$work/pool" --score "$score" --csv --quiet 2>"$work/out" | cmp - "$work/explorer/c.csv" >>"$work/out"
    check $? "and what is correlated"
    [ "$score" = predictive ] && first=predictive || first=is
    grep -m 1 '"name"' "$work/explorer/a.json" | grep "\"$first\"" >"$work/out" 2>&1
    check $? "and what is first beside others"
done
play ':pool' ':mark /mol2vec|maccs/' ':corr' ':wait idle' 'ec' ':assert coefficients over all 14 embedders' 's' \
    ':assert coefficients over all 14 embedders; drawn: marked ones' '<esc>' ':rank' 'ec' ':assert 2 of 14 embedders: the marked'
check $? "the dialog says what of it is over all"
printf ':wait idle\nr\n:wait done\n:export r.csv\n:assert in memory only\n' >"$work/keys"
"$program" --script "$work/keys" --no-store --estimator linear "$work/pool" >"$work/out" 2>&1 </dev/null
check $? "results in memory only are refused in a line"
echo "1..$count"
exit $failed
