#!/usr/bin/env bash
# install.sh BUILD SOURCE: what an installed embedscope does without its source tree. TAP output.
set -uo pipefail
build=$1 source=$2
unset OPENBLAS_CORETYPE
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export HOME=$work/home XDG_DATA_HOME='' XDG_STATE_HOME='' XDG_CONFIG_HOME=''
mkdir -p "$HOME"
count=0 failed=0
check() { # check NAME COMMAND...
    local name=$1
    shift
    count=$((count + 1))
    if "$@" >"$work/log" 2>&1 </dev/null; then
        echo "ok $count $name"
    else
        echo "not ok $count $name"
        sed 's/^/# /' "$work/log"
        failed=1
    fi
}
skip() {
    count=$((count + 1))
    echo "ok $count $1 # SKIP $2"
}
have() { command -v "$1" >/dev/null; }

# Installed, then moved: nothing may remember where it was.
install_and_move() {
    if have help2man; then cmake --build "$build" --target pages || return 1; fi
    cmake --install "$build" --prefix "$work/first" && mv "$work/first" "$work/moved"
}
prefix=$work/moved
check "installs and moves" install_and_move
share=$prefix/share
program=$prefix/bin/embedscope

demo() {
    "$program" demo --plain --estimator linear --threads 2 --quiet >"$work/out" &&
        grep -q desc_all "$work/out" && find "$HOME/.local/share/embedscope" -name results.db |
        grep -q . && ! find "$prefix" -name .embedscope | grep -q .
}
check "demo estimates, and writes to the user's folder only" demo

themes() {
    printf 'dump %s\nquit\n' "$work/screen.svg" | XDG_CONFIG_HOME=$work/none "$program" --plain --theme nord \
        "$share/embedscope/sample_data/molecules" && grep -qi '#2e3440' "$work/screen.svg"
}
check "themes are found" themes

check_files() {
    local file
    for file in "$share"/man/man5/embedscope-{pool,theme}.5 \
        "$share"/bash-completion/completions/embedscope "$share"/zsh/site-functions/_embedscope \
        "$share"/fish/vendor_completions.d/embedscope.fish "$share"/doc/embedscope/copyright \
        "$share"/embedscope/themes/mono.theme \
        "$share"/embedscope/schemas/{rank,meta}.schema.json; do
        [ -s "$file" ] || { echo "missing: $file" && return 1; }
    done
}
check "manual pages, completions and the rest are there" check_files

# ---- manual pages ----
lint() {
    local page
    for page in "$share"/man/man*/embedscope*; do
        mandoc -T lint -W warning "$page" || return 1
    done
    return 0
}
if have mandoc; then check "manual pages pass mandoc's lint" lint; else skip "mandoc" "not here"; fi

covers_help() { # every option and every command of --help has its page
    local word command page
    for command in '' $("$program" --help=all | sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p'); do
        page=$(<"$share/man/man1/embedscope${command:+-$command}.1") || return 1
        # shellcheck disable=SC2086 # no command is no word
        for word in $("$program" $command --help=all | grep -oE -- '--[a-z-]+' | sort -u); do
            [[ $page == *"${word//-/\\-}"* ]] ||
                { echo "not in the page of $command: $word" && return 1; }
        done
    done
    grep -q 'half a page down' "$share/man/man1/embedscope.1" # a key
}
if have help2man; then
    check "pages name every option, and the keys" covers_help
else
    skip "pages name every option, and the keys" "no help2man here"
fi
lists_roles() { # the page of themes has every role
    local role page
    page=$(<"$share/man/man5/embedscope-theme.5")
    for role in $(sed -n 's/^    X([A-Z_0-9]*, *"\([a-z0-9.]*\)").*/\1/p' "$source/src/app/look/app_look.h"); do
        [[ $page == *"$role"* ]] || { echo "not in the page: $role" && return 1; }
    done
    [ -n "$role" ]
}
check "the page of themes has every role" lists_roles

# ---- completions ----
completes() { python3 "$source/tests/install/complete.py" "$1" "$2" "$program"; } # SHELL SCRIPT
if have python3; then
    check "bash completes" completes bash "$share/bash-completion/completions/embedscope"
else
    skip "bash" "no python3 to type"
fi
zsh_loads() {
    zsh -f -c 'fpath=($1 $fpath); autoload -Uz compinit && compinit -u -d "$2" &&
        [[ ${_comps[embedscope]} == _embedscope ]] && autoload +X -Uz _embedscope' zsh \
        "$share/zsh/site-functions" "$work/zcompdump"
}
if have zsh; then check "zsh loads its completion" zsh_loads; else skip "zsh" "not here"; fi
if have zsh && have python3; then
    check "zsh completes" completes zsh "$share/zsh/site-functions/_embedscope"
else
    skip "zsh" "not here"
fi
if have fish && have python3; then
    check "fish completes" completes fish "$share/fish/vendor_completions.d/embedscope.fish"
else
    skip "fish" "not here"
fi

# ---- the library ----
export PKG_CONFIG_PATH
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name embedscope.pc)")
library=$(dirname "$PKG_CONFIG_PATH")
pool=$work/pool
mkdir "$pool"
cp "$share"/embedscope/sample_data/molecules/{desc_phys16,atombag_32,noise_gauss_64}.npy "$pool"
ranks() { # the example's order, by a program given
    LD_LIBRARY_PATH=$library "$@" "$pool" >"$work/ranking" && cat "$work/ranking" &&
        [ "$(wc -l <"$work/ranking")" -eq 3 ] && grep -q '^ 3 .*noise_gauss_64' "$work/ranking"
}
ranks_arrays() { # the order of the example that has its matrices in memory; writes nothing
    (cd "$work" && mkdir -p empty && cd empty && LD_LIBRARY_PATH=$library "$@" >"$work/ranking" &&
        [ -z "$(ls -A)" ]) && cat "$work/ranking" && [ "$(wc -l <"$work/ranking")" -eq 3 ] &&
        grep -q '^ 1 .*sum' "$work/ranking" && grep -q '^ 3 .*noise' "$work/ranking"
}
by_pkg_config() {
    local flags name
    flags=$(pkg-config --cflags --libs embedscope) || return 1
    # shellcheck disable=SC2086 # flags are words
    for name in example example_arrays; do
        ${CC:-cc} -std=c11 -Wall -Wextra -Werror -pedantic "$source/tests/install/$name.c" $flags \
            -o "$work/$name" || return 1
    done
    ranks "$work/example" && ranks_arrays "$work/example_arrays"
}
check "examples build by pkg-config, and rank" by_pkg_config
by_cmake() {
    cmake -S "$source/tests/install" -B "$work/build" -DCMAKE_PREFIX_PATH="$prefix" &&
        cmake --build "$work/build" && ranks "$work/build/example" &&
        ranks_arrays "$work/build/example_arrays"
}
check "the same by find_package" by_cmake
statically() {
    local flags
    flags=$(pkg-config --static --cflags --libs embedscope | sed 's/-lembedscope/-l:libembedscope.a/')
    # shellcheck disable=SC2086
    ${CC:-cc} -std=c11 "$source/tests/install/example.c" $flags \
        -o "$work/static" && ranks "$work/static"
}
check "the same with the static library" statically
exports_the_headers() { # no symbol that they do not declare, and none missing
    ${CC:-cc} -E -P -I"$prefix/include" -include embedscope/embedscope.h -x c /dev/null |
        grep -oE '\bes_[a-z0-9_]+\(' | tr -d '(' | sort -u >"$work/declared"
    nm -D --defined-only "$library/libembedscope.so" | awk '$2 != "A" { print $3 }' |
        sed 's/@@EMBEDSCOPE_0\.2$//' | sort >"$work/exported"
    [ "$(wc -l <"$work/declared")" -gt 80 ] && diff "$work/declared" "$work/exported"
}
check "the library shows what the headers declare" exports_the_headers
python_module() { # found beside the library, wherever the tree went
    PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=$prefix/lib/python3/dist-packages /usr/bin/python3 - "$pool" <<'PYTHON'
import sys
import embedscope
ranking = embedscope.rank(sys.argv[1], estimator="linear")
assert list(ranking.table["model"])[2] == "noise_gauss_64", ranking.table
assert any("moved" in line for line in open("/proc/self/maps") if "libembedscope" in line)
PYTHON
}
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    check "the Python module finds the library, and ranks" python_module
else
    skip "the Python module" "no NumPy"
fi
headers_alone() { # the folder holds what the headers include, and nothing private
    local header
    for header in "$prefix"/include/embedscope/*.h; do
        ${CC:-cc} -std=c11 -fsyntax-only -Wall -Werror -pedantic -I"$prefix/include" -x c "$header" ||
            return 1
    done
    [ "$(ls "$prefix/include/embedscope")" = "$(ls "$source/include/embedscope")" ]
}
check "installed headers compile alone" headers_alone

echo "1..$count"
exit "$failed"
