#!/usr/bin/env bash
# The explorer in lines (--plain): commands from a pipe, answers as text. Prints TAP.
#   plain.sh PROGRAM POOL
program=$1 pool=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$pool" "$work/pool"
rm -rf "$work/pool/.embedscope"
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
export XDG_RUNTIME_DIR=$work LC_ALL=C.UTF-8
unset TMUX
count=0 failed=0
report() { # report STATUS NAME
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count $2"
    else
        failed=1
        echo "not ok $count $2"
        tail -30 "$work/out" | cut -c1-200 | sed 's/^/# /'
    fi
}
# play ARGS < lines: output in $work/out, exit code in $code.
play() {
    "$program" "$@" "$work/pool" >"$work/out" 2>&1
    code=$?
}
says() { grep -qF -- "$1" "$work/out"; }

play --plain --start --estimator linear --preset shrunk < <(printf '')
[ $code -eq 0 ] && says "The run is on." && says "percent" && says "Run finished: 196 of 196 pairs"
report $? "a run is told line by line, and finished when the input ends"
play --plain < <(printf 'plan\nrun linear seed=3\nquit\n')
[ $code -eq 0 ] && says "Type run to run the open pool" && says "run: not with --plain"
report $? "the run dialog says what to do without a screen"
play --plain < <(printf 'rank\n3\nj\nyn\nheatmap\nl\nquit\n')
[ $code -eq 0 ] && says "View: Rank" && says "3 of 14: " && says "4 of 14: " && says "Copied" && says " → "
report $? "numbers select, moves are announced, cells are said"
play --plain < <(printf 'rank\nlist\nhelp sort\nread\nbogus\n99\nquit\nrank\n')
says "14. " && says "sort [column]: " && says "Ranking: lead" && says "bogus: no such command" &&
    says "There is no row 99 here"
report $? "list, help with a word, read, and what cannot be done"
for seconds in 2 10 40; do # until the stored results are read, which a busy machine takes long for
    play --plain < <(sleep $seconds && printf 'overview\nread\nrank\nsort name\nlist\nsort score\noverview\nquit\n')
    { says "No embedder is ranked." || says "the answer comes in a moment"; } || break
done
says "First of the ranking" && says "noise_gauss_64" && ! grep -q '…' "$work/out"
report $? "the overview is told whole: no name and no interval is cut"
says " desc_all, rank 1, " && says ", a candidate" && ! says "1. desc_all"
report $? "whatever the list is sorted by, the rank is said, and the candidates"
play --plain < <(printf 'help rank\nquit\n')
says "Help: Rank" && says "the candidates" && says "  s           sort by the column"
report $? "help with a topic is its page"
! grep -qP '\x1b|[\x{2500}-\x{259f}\x{2800}-\x{28ff}]' "$work/out"
report $? "no escape sequence, no line art, no braille"
play --plain --ascii < <(for view in 1 2 3 4 5 6 7; do printf '%s\nread\nlist\n' $view; done)
[ $code -eq 0 ] && ! LC_ALL=C grep -q '[^ -~]' "$work/out"
report $? "--ascii prints nothing beyond ASCII in any view"
mkdir -p "$work/config/embedscope"
echo 'format = json' >"$work/config/embedscope/config"
TERM=dumb play --plain < <(printf 'quit\n')
[ $code -eq 0 ] && says "View: Overview" && ! says '"embedscope"'
report $? "TERM=dumb is enough, and a format of the configuration closes nothing"
rm "$work/config/embedscope/config"
play --plain < <(printf '\033]52;c;eA==\a\n:goto \033[2J\nquit')
[ $code -eq 0 ] && ! grep -qP '\x1b|\x07' "$work/out"
report $? "escapes that are typed never come back"
echo "1..$count"
exit $failed
