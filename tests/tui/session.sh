#!/usr/bin/env bash
# What lasts between sessions, and what is never touched. Prints TAP.
#   session.sh PROGRAM POOL
program=$1 pool=$2
work=$(mktemp -d)
trap 'chmod -R u+w "$work"; rm -rf "$work"' EXIT
export HOME=$work/home XDG_CONFIG_HOME=$work/config XDG_DATA_HOME=$work/data XDG_STATE_HOME=$work/state
mkdir -p "$HOME" "$XDG_CONFIG_HOME/embedscope"
cp -r "$pool" "$work/pool"
rm -rf "$work/pool/.embedscope"
. "$(dirname "$0")/tap.sh"
play() { # play NAME [option...], the script is standard input
    local name=$1
    shift
    cat >"$work/keys"
    "$program" --script "$work/keys" --size 100x30 "$@" "$work/pool" >"$work/out" 2>&1 </dev/null
    check $? 0 "$name"
}
sessions() { find "$XDG_STATE_HOME/embedscope/sessions" -type f 2>/dev/null; }

play "a script keeps nothing" <<'KEYS'
:wait idle
:rank
:sort dim
:q!
KEYS
[ -z "$(sessions)" ]
check $? 0 "so there is no session file"

play "--resume keeps the session" --resume <<'KEYS'
:wait idle
:assert arrows move · Enter opens · ? explains this screen
:rank
:sort dim
:mark /e/
:theme gruvbox
:heatmap
:order dim
:q!
KEYS
file=$(sessions)
[ "$(stat -c %a "$file")" = 600 ]
check $? 0 "in one file that only the user can read"
grep -q "$work" "$file"
check $? 1 "without a path in it"

play "the next one goes on there" --resume <<'KEYS'
:wait idle
:assert order: dim
:assert-not Theme
:rank
:wait 0.4
u
:heatmap
:assert order: rank
:q!
KEYS
grep -q '^theme gruvbox$' "$file"
check $? 0 "with its theme"
play "--fresh begins with the defaults" --resume --fresh <<'KEYS'
:assert [0 Over
:assert-not arrows move
:heatmap
:assert order: rank
:q!
KEYS
(cd "$work/pool/.." && "$program" --script "$work/keys" --resume ./pool >"$work/out" 2>&1 </dev/null)
[ "$(sessions | wc -l)" -eq 1 ]
check $? 0 "another way to the pool leads to the same session"

echo "embedscope-session 99" >"$file"
play "a newer session is said and not used" --resume <<'KEYS'
:assert a newer embedscope wrote it; begun anew, the old one is kept
:assert [0 Over
KEYS
grep -q 'session 99' "$file.kept" && grep -q 'session 1' "$file"
check $? 0 "it is kept beside the new one"
head -c 100 /dev/urandom >"$file"
play "neither is a broken one" --resume <<'KEYS'
:assert this is not a session of embedscope; begun anew
KEYS

if [ "$(id -u)" -ne 0 ]; then
    chmod -R a-w "$XDG_STATE_HOME"
    play "a folder that cannot be written gives one hint" --resume <<'KEYS'
:assert this session will not be kept
:wait idle
:rank
:q!
KEYS
    chmod -R u+w "$XDG_STATE_HOME"
fi
rm -rf "$XDG_STATE_HOME"
touch "$XDG_STATE_HOME"
play "a file where the folder should be gives one hint" --resume <<'KEYS'
:assert this session will not be kept
:wait idle
:rank
:q!
KEYS
rm -f "$XDG_STATE_HOME"

config=$XDG_CONFIG_HOME/embedscope
mkdir -p "$XDG_CONFIG_HOME/embedscope"
echo 'theme = nosuch' >"$XDG_CONFIG_HOME/embedscope/config"
play "a theme that the configuration names and that is not there is said" <<'KEYS'
:assert there is no theme "nosuch"
:assert the default one is shown
:assert [0 Over
KEYS
printf '# mine\norder = dim   \nmetric = se\n' >"$config/config"
printf '# mine\nmap heatmap w transpose\nmap heatmap ^n metric seconds\nmap * zz freez\n' >"$config/keys"
play "settings of the configuration count" <<'KEYS'
:wait idle
:heatmap
:assert order: dim
:assert Standard error
:set order
:assert order is dim
w
:assert t transpose
KEYS
play "a file of keys is read when asked for" --keys "$config/keys" <<'KEYS'
:assert keys:4: there is no command 'freez'; did you mean 'freeze'?
:wait idle
:heatmap
:assert w transpose
:assert-not t transpose
<c-n>
:assert Cells show seconds
?transp
:assert w t
<esc>
:map
:assert map heatmap ^n metric seconds
<esc>
:map heatmap w digits --save
:assert map heatmap w digits, saved in
:unmap * x --save
:set order community --save
:assert order = community, saved in
:set theme gruvbox
:set ascii yes --save
:assert saved in
:paths
:assert configuration
:assert keys
<esc>
:doctor
:assert processor
<esc>
:q!
KEYS
[ "$(cat "$config/config")" = "$(printf '# mine\norder = community\nmetric = se\nascii = yes')" ]
check $? 0 "--save changes one line of the configuration"
[ "$(cat "$config/keys")" = "$(printf '# mine\nmap heatmap w digits\nmap heatmap ^n metric seconds\nmap * zz freez\nunmap * x')" ]
check $? 0 "and of the keys"
refuse() { # refuse LINE SAYS NAME
    printf '# mine\n%s\n' "$1" >"$config/config"
    "$program" --script "$work/keys" "$work/pool" >"$work/out" 2>&1 </dev/null
    check $? 3 "$3"
    grep -qF "$2" "$work/out"
    check $? 0 "and it is named with its line"
}
printf ':q!\n' >"$work/keys"
refuse 'metirc = se' "config:2: there is no setting 'metirc'; did you mean 'metric'?" "a misspelt setting is refused"
refuse 'digits = perhaps' "config:2: digits takes one of yes, no, not 'perhaps'" "so is a wrong value"
refuse 'sede = 1' "config:2: unknown option --sede; did you mean --seed?" "so is a misspelt option"
"$program" --script "$work/keys" --keys "$work/none" "$work/pool" >"$work/out" 2>&1 </dev/null
check $? 3 "a file of keys that is asked for must be there"
rm -f "$config/keys"

rm -rf "$XDG_STATE_HOME/embedscope/sessions" "$XDG_CONFIG_HOME/embedscope/config"
play "measures that are shown" --resume <<'KEYS'
:wait idle
:measure uniformity
:rank
:sort uniformity
:corr
:axis uniformity
:q!
KEYS
play "are there again in the next session" --resume <<'KEYS'
:wait idle
:wait 0.2
:assert uniformity vs
:rank
:assert sort: uniformity
:q!
KEYS

printf '# mine\ntheme = nord   \n\nascii = yes\n' >"$XDG_CONFIG_HOME/embedscope/config"
before=$(stat -c '%Y %i %s' "$XDG_CONFIG_HOME/embedscope/config"; sha256sum <"$XDG_CONFIG_HOME/embedscope/config")
printf ',a,b,c,d\na,1,.5,.2,.1\nb,.4,1,.3,.2\nc,.6,.1,1,.3\nd,.2,.3,.4,1\n' >"$work/matrix.csv"
RANDOM=7
views=(pool heatmap tree rank corr compare-view jobs)
keys=(j k l h G v M s S o m i t F u '<space>' '<esc>' '<enter>' '<tab>' _)
for session in {1..100}; do
    {
        echo ":${views[RANDOM % 7]}"
        for _ in 1 2 3 4 5 6 7 8; do echo "${keys[RANDOM % 20]}"; done
        echo '<esc>'
        echo ':q!'
    } >"$work/keys"
    "$program" --script "$work/keys" --size 80x24 --resume --matrix "$work/matrix.csv" \
        >"$work/out" 2>&1 </dev/null || {
        check 1 0 "random session $session"
        break
    }
done
after=$(stat -c '%Y %i %s' "$XDG_CONFIG_HOME/embedscope/config"; sha256sum <"$XDG_CONFIG_HOME/embedscope/config")
[ "$before" = "$after" ]
check $? 0 "100 random sessions leave the configuration as it was"
[ "$(find "$XDG_CONFIG_HOME" -type f | wc -l)" -eq 1 ]
check $? 0 "and put nothing beside it"
# Lines typed before come back, whatever the pool; :w keeps at once; :source runs a file.
printf '# mine\nheatmap\norder name\n' >"$work/mine"
printf 'heatmap\nordr name\n' >"$work/wrong"
play "typed lines, :w and :source" --resume <<KEYS
:wait idle
<esc>:redraw<enter>
:w
:assert Session kept
:source $work/mine
:assert order: name
:source $work/wrong
:assert wrong:2: ordr
:source $work/none
:assert none
:q!
KEYS
[ "$(stat -c %a "$XDG_STATE_HOME/embedscope/history")" = 600 ]
check $? 0 "typed lines are for the user only"
play "and recalled by Up" --resume <<'KEYS'
:wait idle
<esc>:<up>
:assert :redraw
:q!
KEYS

rm -rf "$work/pool/.embedscope"
play ":wait idle waits for intervals and stability" --fresh <<'KEYS'
:wait idle
:run linear preset=shrunk
:wait idle
:rank
:assert Best of these
:tree
:assert the same in
KEYS
play "the matrix is drawn in the map that was chosen" --fresh <<KEYS
:wait idle
:run linear
:wait idle
:heatmap
:colours grey
:screenshot $work/grey.svg
u
:screenshot $work/own.svg
KEYS
grep -q '#eeeeee' "$work/grey.svg" && ! grep -q '#eeeeee' "$work/own.svg"
check $? 0 "and after an undo in the theme's again"
for colours in never 16 rgb; do
    printf '%s\n' ':wait idle' ':heatmap' ":screenshot $work/$colours.svg" >"$work/keys"
    "$program" --script "$work/keys" --color "$colours" "$work/pool" >"$work/out" 2>&1 </dev/null
    colours_of() { grep -o '#[0-9a-f]\{6\}' "$work/$1.svg" | sort -u | wc -l; }
done
[ "$(colours_of never)" -le 2 ] && [ "$(colours_of 16)" -le 18 ] && [ "$(colours_of 16)" -gt 2 ] &&
    [ "$(colours_of rgb)" -gt 18 ]
check $? 0 "a screenshot has as many colours as --color says"

echo "1..$count"
exit $failed
