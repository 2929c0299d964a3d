#!/bin/sh
# Puts a Virtuoso server under .cache/virtuoso without root and without starting a daemon.
# Needs a Debian-like system with apt-get and dpkg. Usage: tests/install_virtuoso.sh [FOLDER]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
target=${1:-$root/.cache/virtuoso}
if [ -x "$target/usr/bin/virtuoso-t" ]; then
    echo "Virtuoso is already in $target"
    exit 0
fi
if [ $# -eq 0 ]; then
    mkdir -p "$root/.cache"
    echo '*' >"$root/.cache/.gitignore"
fi
partial="$target.partial.$$"
trap 'rm -rf "$partial"' EXIT
mkdir -p "$partial"
cd "$partial"
apt-get download virtuoso-opensource-7-bin libpcre3 libwbxml2-1 libminizip1 libltdl7
for package in *.deb; do dpkg -x "$package" .; done
rm -f ./*.deb
rm -rf "$target"
mkdir -p "$(dirname "$target")"
mv "$partial" "$target"
echo "Virtuoso is in $target"
