#!/usr/bin/env bash
# Is the program linked and compiled as src/CMakeLists.txt asks? hardening.sh PROGRAM. Prints TAP.
program=$1 count=0 failed=0
command -v readelf >/dev/null || { echo "1..0 # SKIP no readelf"; exit 0; }
all=$(readelf -hldW --dyn-syms "$program")
has() { # has NAME PATTERN
    count=$((count + 1))
    if grep -qE "$2" <<<"$all"; then
        echo "ok $count $1"
    else
        failed=1
        echo "not ok $count $1"
    fi
}
has "position-independent (PIE)" 'Type: +DYN'
has "relocations are read-only (RELRO)" 'GNU_RELRO'
has "all of them before the start (now)" 'BIND_NOW|FLAGS_1.*NOW'
has "the stack is not executable" 'GNU_STACK +0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ 0x[0-9a-f]+ RW '
has "stacks are guarded" '__stack_chk_fail'
has "copies and formats are checked" '__(snprintf|memcpy|vsnprintf|read|strncpy|fprintf)_chk'
echo "1..$count"
exit $failed
