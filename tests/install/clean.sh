#!/usr/bin/env bash
# clean.sh PACKAGE.deb [ROOT]: installs the package on a fresh Debian 12, runs the demo there, removes
# it, and compares the files before and after. Needs root. ROOT: a minimal system made earlier; else
# debootstrap makes one.
set -euo pipefail
package=$(readlink -f "$1") root=$(mktemp -d)
trap 'umount "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
if [ -n "${2:-}" ]; then
    cp -a "$2/." "$root"
else
    debootstrap --variant=minbase bookworm "$root"
fi
mount -t proc proc "$root/proc"
cp "$package" "$root/package.deb"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/home/user TERM=dumb \
    DEBIAN_FRONTEND=noninteractive "$@"; }
# Its own part of the system: what apt and dpkg keep about packages is theirs.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./var/lib/dpkg -o -path ./var/lib/apt -o \
        -path ./var/cache -o -path ./var/log -o -path ./home \) -prune -o -print | sort)
}
inside mkdir -p /home/user
inside apt-get update
# what it depends on stays, as on any system: only the package's own files must go
# shellcheck disable=SC2046 # one word a package
inside apt-get install -y --no-install-recommends \
    $(dpkg-deb -f "$package" Depends | tr ',' '\n' | sed 's/[(|].*//')
files >"$root/home/before"
inside apt-get install -y --no-install-recommends /package.deb
inside embedscope --version
inside embedscope demo --plain --estimator linear | tee "$root/home/ranking"
grep -q desc_all "$root/home/ranking"
inside dpkg --verify embedscope
inside apt-get purge -y embedscope
files >"$root/home/after"
diff "$root/home/before" "$root/home/after"
echo "installed, ran, and left nothing"
