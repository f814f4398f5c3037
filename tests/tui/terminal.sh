#!/usr/bin/env bash
# The explorer in a real terminal, with tmux as the referee: whatever ends it, the terminal is given
# back; any size; any TERM, locale and NO_COLOR. Prints TAP.
#   terminal.sh PROGRAM POOL
program=$1 pool=$2
command -v tmux >/dev/null || {
    echo "1..0 # SKIP skipped: tmux is not installed"
    exit 77
}
work=$(mktemp -d)
cp -r "$pool" "$work/pool"
rm -rf "$work/pool/.embedscope"
export XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
export XDG_CACHE_HOME=$work/cache XDG_RUNTIME_DIR=$work LC_ALL=C.UTF-8
mkdir -p "$XDG_CONFIG_HOME/embedscope" # nothing is estimated that is not asked for
echo "autostart = no" >"$XDG_CONFIG_HOME/embedscope/config"
unset NO_COLOR COLORTERM TMUX
tm() { tmux -L "es-test-$$" -f /dev/null "$@"; }
# Windows keep their names: one called after its program might be taken for the window "t".
tm start-server \; set -g default-shell /bin/sh \; set -g default-terminal tmux-256color \; \
    set -g history-limit 2000 \; set -g automatic-rename off \; \
    new-session -d -s main -n keep -x 100 -y 30 "sleep 1000" || exit 1
trap 'tm kill-server 2>/dev/null; rm -rf "$work"' EXIT

count=0 failed=0
report() { # report STATUS NAME [DETAIL|screen]
    count=$((count + 1))
    if [ "$1" -eq 0 ]; then
        echo "ok $count $2"
    else
        failed=1
        echo "not ok $count $2"
        [ "${3-}" != screen ] || set -- "$1" "$2" "$(screen | head -12)"
        [ -z "${3-}" ] || printf '%s\n' "$3" | sed 's/^/# /'
    fi
}
screen() { tm capture-pane -p -t main:t; }
# until_seen TEXT: the screen shows it within 30 s.
until_seen() {
    local i
    for ((i = 0; i < 1500; i++)); do
        [[ $(screen 2>/dev/null) == *"$1"* ]] && return 0
        sleep 0.05
    done
    return 1
}
# begin COMMAND: in a fresh window; its end leaves "EXIT code" on the screen.
begin() {
    tm kill-window -t main:t 2>/dev/null
    tm new-window -d -n t -t main: "stty sane; $1; echo EXIT \$?; stty -a | grep -o -- '-\\?echo ' ; sleep 1000" \; \
        resize-window -t main:t -x 100 -y 30
}
explorer() { echo "${1-} $program ${2-} $work/pool"; }
process() { pgrep -f "^$program.*$work/pool" | head -1; }
# restored NAME CODE: ended with CODE, terminal as before.
restored() {
    local flags got i
    until_seen "EXIT"
    for ((i = 0; i < 1500; i++)); do # stty comes after that
        screen | grep -qE '^-?echo' && break
        sleep 0.05
    done
    flags=$(tm display-message -p -t main:t '#{alternate_on} #{mouse_any_flag} #{cursor_flag}')
    got=$(screen | grep -o 'EXIT [0-9]*')
    screen | grep -q '^echo' || flags="$flags, no echo"
    [ "$flags" = "0 0 1" ] && [ "$got" = "EXIT $2" ]
    report $? "$1" "flags $flags (wanted 0 0 1), $got (wanted $2)
$(screen | tail -5)"
}
# open_explorer [ENV] [ARGS]: until the first screen.
open_explorer() {
    begin "$(explorer "$@")"
    until_seen "Pool"
}

open_explorer || {
    report 1 "the explorer opens" "$(screen)"
    echo "1..$count"
    exit 1
}
tm send-keys -t main:t q
restored "q restores the terminal" 0
open_explorer "" --mouse && tm send-keys -t main:t q
restored "q restores a terminal with mouse" 0
for signal in TERM:143 HUP:129 INT:130 SEGV:139 ABRT:134; do
    open_explorer "" --mouse && kill "-${signal%:*}" "$(process)"
    restored "SIG${signal%:*} restores the terminal" "${signal#*:}"
done
open_explorer && tm send-keys -t main:t C-c && sleep 0.2 && tm send-keys -t main:t C-c
restored "Ctrl-C twice ends with 130" 130

if [ -x /usr/bin/python3 ]; then
    open_explorer
    /usr/bin/python3 - "$(process)" <<'PY'
import ctypes, os, sys
pid = int(sys.argv[1])
threads = sorted(int(t) for t in os.listdir(f"/proc/{pid}/task"))
ctypes.CDLL(None).syscall(234, pid, threads[-1], 11)  # tgkill, SIGSEGV
PY
    restored "a crash in a worker restores the terminal" 139
else
    report 0 "a crash in a worker restores the terminal # SKIP python3 is not installed"
fi

# Ctrl-Z under a shell with job control, and back.
tm kill-window -t main:t
tm new-window -d -n t -t main: "bash --norc --noprofile -i"
tm resize-window -t main:t -x 100 -y 30
tm send-keys -t main:t "PS1='ready> '" Enter
until_seen "ready> "
tm send-keys -t main:t "$program $work/pool" Enter
until_seen "1 Pool" && tm send-keys -t main:t C-z && until_seen "Stopped"
stopped=$?
flags=$(tm display-message -p -t main:t '#{alternate_on} #{cursor_flag}')
tm resize-window -t main:t -x 90 -y 25
tm send-keys -t main:t fg Enter
until_seen "1 Pool"
back=$?
tm send-keys -t main:t q
sleep 0.3
tm send-keys -t main:t "echo E\$?" Enter
until_seen "E0"
[ "$stopped$back$? $flags" = "000 0 1" ]
report $? "Ctrl-Z stops, fg brings the screen back" \
    "stopped $stopped, flags $flags, back $back
$(screen)"

# A stop that cannot be seen coming: the shell has set modes of its own.
tm send-keys -t main:t "clear; $program $work/pool" Enter
until_seen "1 Pool" && kill -STOP "$(process)" && until_seen "Stopped"
tm send-keys -t main:t fg Enter
until_seen "1 Pool" && sleep 0.3 && tm send-keys -t main:t 4 && until_seen "[4 Rank]"
back=$?
tm send-keys -t main:t q
sleep 0.3
tm send-keys -t main:t "echo E\$?" Enter
until_seen "E0"
[ "$back$?" = "00" ]
report $? "after SIGSTOP, fg brings screen and keys back" "back $back
$(screen)"

# A storm of sizes, then the explorer still answers.
open_explorer
for size in 1x1 2x2 5x3 19x2 20x3 200x5 3x60 60x16 79x24 80x24 120x40 250x70 10x10 100x30; do
    tm resize-window -t main:t -x "${size%x*}" -y "${size#*x}"
    tm send-keys -t main:t j
    sleep 0.05
done
until_seen "Pool" && tm send-keys -t main:t q
restored "a storm of sizes leaves it answering" 0

# Bytes of paste and of unknown keys never act as commands.
open_explorer
tm set-buffer $'q\nq\ny' \; paste-buffer -p -t main:t
tm send-keys -t main:t -H 1b 5b 31 3b 36 50 # an unknown function key: ESC [ 1 ; 6 P
sleep 0.3
screen | grep -q "EXIT"
report $((1 - $?)) "a paste and unknown keys do not quit" "$(screen)"
tm send-keys -t main:t q
restored "and q still does" 0

# The mouse: a click on a tab (SGR report "ESC [ < 0 ; 20 ; 1 M"), and switched on later.
open_explorer "" --mouse
tm send-keys -t main:t -H 1b 5b 3c 30 3b 32 30 3b 31 4d 1b 5b 3c 30 3b 32 30 3b 31 6d
until_seen "[2 Heat"
report $? "a click on a tab goes there" "$(screen | head -3)"
tm send-keys -t main:t ":mouse off" Enter
until_seen "Mouse off"
off=$(tm display-message -p -t main:t '#{mouse_any_flag}')
tm send-keys -t main:t ":mouse on" Enter
until_seen "Mouse on"
on=$(tm display-message -p -t main:t '#{mouse_any_flag}')
[ "$off$on" = "01" ]
report $? ":mouse off and on reach the terminal" "flags off $off, on $on"
tm send-keys -t main:t q
restored "q restores it after :mouse on" 0

# What is copied is in tmux's buffer.
open_explorer
tm send-keys -t main:t y n
sleep 0.4
copied=$(tm show-buffer 2>/dev/null)
screen | grep -q "Copied" && [ -n "$copied" ] && screen | grep -qF -- "$copied"
report $? "y n copies the name into tmux's buffer" "buffer: $copied
$(screen | tail -3)"
tm send-keys -t main:t q
until_seen "EXIT"

# Outside tmux the terminal is asked (OSC 52), here a tmux that may take it; one that has no
# clipboard leaves a file.
tm set -g set-clipboard on \; delete-buffer 2>/dev/null
open_explorer "env -u TMUX"
tm send-keys -t main:t y n
until_seen "(OSC 52)"
ok=$?
for ((i = 0; i < 250; i++)); do # tmux takes it in its own time
    copied=$(tm show-buffer 2>/dev/null) && [ -n "$copied" ] && break
    sleep 0.05
done
[ "$ok" -eq 0 ] && [ -n "$copied" ] && screen | grep -qF -- "$copied"
report $? "y n outside tmux goes through the terminal" "buffer: $copied
$(screen | tail -3)"
tm send-keys -t main:t q
until_seen "EXIT"
for where in "XDG_RUNTIME_DIR=$work:embedscope-yank" "-u XDG_RUNTIME_DIR:state/embedscope/yank"; do
    rm -f "$work/${where#*:}"
    open_explorer "env -u TMUX ${where%:*} TERM=linux"
    tm send-keys -t main:t y n
    until_seen "Copied into the file"
    ok=$?
    copied=$(cat "$work/${where#*:}")
    [ "$ok" -eq 0 ] && [ -n "$copied" ] && screen | grep -qF -- "$copied" &&
        [ "$(stat -c %a "$work/${where#*:}")" = 600 ]
    report $? "y n without a clipboard writes ${where#*:}" "file: $copied
$(screen | tail -3)"
    tm send-keys -t main:t q
    until_seen "EXIT"
done

# What others write over the screen goes with Ctrl-L.
open_explorer
printf '\033[5;5HLITTER' >"$(tm display-message -p -t main:t '#{pane_tty}')"
until_seen "LITTER"
ok=$?
tm send-keys -t main:t C-l
for ((i = 0; i < 1500; i++)); do
    screen | grep -q LITTER || break
    sleep 0.05
done
[ "$ok" -eq 0 ] && ! screen | grep -q LITTER && screen | grep -q "1 Pool"
report $? "Ctrl-L draws the whole screen anew" "$(screen | head -6)"

# Idle: not one wake-up of any of its threads in two seconds.
if [ -d "/proc/$(process)/task" ] && ! grep -q __tsan_init "$program"; then # it has a thread that ticks
    switches() { cat "/proc/$(process)/task"/*/status | awk '/ctxt_switches/ {n += $2} END {print n}'; }
    until_seen "READY"
    for ((i = 0; i < 30; i++)); do # until what was to be done at the start is done
        before=$(switches)
        sleep 2
        [ "$(switches)" = "$before" ] && break
    done
    [ "$i" -lt 30 ]
    report $? "an idle explorer sleeps" "switches went on: $before, then $(switches)"
else
    report 0 "an idle explorer sleeps # SKIP no /proc, or ThreadSanitizer"
fi
tm send-keys -t main:t q
restored "q after all that" 0

# Terminals, locales, NO_COLOR: six keys, quit; ASCII where the locale says so; no colour when asked.
for term in xterm xterm-256color tmux-256color screen linux vt100 dumb unknown; do
    for locale in C C.UTF-8 xx_XX.UTF-8; do
        for colour in "" NO_COLOR=1; do
            name="TERM=$term LC_ALL=$locale $colour"
            begin "$(explorer "env TERM=$term LC_ALL=$locale $colour")"
            rm -f "$work/bytes"
            tm pipe-pane -t main:t "cat >$work/bytes"
            if [ "$term" = dumb ]; then
                until_seen "help lists them"
                ok=$?
                tm send-keys -t main:t quit Enter
                until_seen "EXIT 0" || ok=1
                screen | grep -q "TERM=dumb cannot place a cursor" || ok=1
                report $ok "$name starts in lines" screen
                continue
            fi
            if [ "$term" = unknown ]; then
                until_seen "EXIT 3"
                ok=$?
                screen | grep -q "cannot use the terminal" || ok=1
                report $ok "$name is refused in one line" screen
                continue
            fi
            until_seen "Pool"
            ok=$?
            for key in 2 j l 4 j 7; do
                tm send-keys -t main:t "$key"
                sleep 0.05
            done
            tm send-keys -t main:t q
            until_seen "EXIT 0" || ok=1
            screen | grep -q '^EXIT 0$' || ok=1 # on a line of its own, also where the last frame stays
            if [ "$locale" = C ] && LC_ALL=C grep -q '[^ -~[:cntrl:]]' "$work/bytes"; then
                ok=1
                name="$name: bytes beyond ASCII"
            fi
            if [ -n "$colour" ] && LC_ALL=C grep -qE $'\033\\[[0-9;]*(38;|48;|3[0-7]m|4[0-7]m)' "$work/bytes"; then
                ok=1
                name="$name: colours"
            fi
            report $ok "$name" screen
        done
    done
done

# pool.json goes on to list a matrix that has left the folder: the notice names it all the same
chmod u+w "$work/pool"
open_explorer
until_seen "READY"
rm -f "$work/pool/desc_all.npy"
until_seen "desc_all no longer takes part"
report $? "a matrix that has left the folder is named" "$(screen | tail -3)"
tm send-keys -t main:t q

echo "1..$count"
exit $failed
