#!/usr/bin/env bash
# clean.sh PACKAGE.deb [ROOT]: installs the package, and the library's and the Python module's beside it,
# on a fresh Debian 12, runs the demo and the Python tests there (lines of README and docs among them: the numbers
# are those of the program), removes them, and compares the files before and after. Needs root. ROOT: a
# minimal system made earlier; else debootstrap makes one.
set -euo pipefail
package=$(readlink -f "$1") root=$(mktemp -d) source=$(readlink -f "$(dirname "$0")/../..")
packages=("$package" "${package%/*}"/libembedscope0_*.deb "${package%/*}"/python3-embedscope_*.deb)
names=(embedscope libembedscope0 python3-embedscope)
trap 'umount "$root/dev/pts" "$root/proc" 2>/dev/null || true; rm -rf "$root"' EXIT
if [ -n "${2:-}" ]; then
    cp -a "$2/." "$root"
else
    debootstrap --variant=minbase bookworm "$root"
fi
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -sf pts/ptmx "$root/dev/ptmx"
mkdir -p "$root/packages" "$root/source/tests/python"
cp "${packages[@]}" "$root/packages"
cp -r "$source/README.md" "$source/docs" "$root/source"
cp "$source/tests/python/test_embedscope.py" "$root/source/tests/python"
ln -s /usr/share/embedscope/sample_data "$root/source/sample_data"
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
    $(for one in "${packages[@]}"; do dpkg-deb -f "$one" Depends; done | tr ',' '\n' |
        sed 's/[(|].*//' | grep -v embedscope)
files >"$root/home/before"
inside sh -c 'apt-get install -y --no-install-recommends /packages/*.deb'
inside embedscope --version
inside embedscope demo --plain --estimator linear | tee "$root/home/ranking"
grep -q desc_all "$root/home/ranking"
# the module as installed: there is no src/python here
inside sh -c 'python3 /source/tests/python/test_embedscope.py /usr/bin/embedscope \
    /usr/lib/*/libembedscope.so.0 /source' | tee "$root/home/python"
grep -q '^ok .*test_readme' "$root/home/python" && ! grep '^not ok' "$root/home/python"
inside dpkg --verify "${names[@]}"
inside apt-get purge -y "${names[@]}"
files >"$root/home/after"
diff "$root/home/before" "$root/home/after"
echo "installed, ran, and left nothing"
