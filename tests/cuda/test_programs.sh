#!/bin/sh
# CUDA programs that check themselves, built by `bankshot cc`, on the runtime stand-in.
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cat >"$tmp/run" <<'END'
bankshot=$1 here=$2 tmp=$3 p=$4
libs=
[ "$p" = driver ] && libs=-lcuda
if ! "$bankshot" cc -std=c++17 -O1 -o "$tmp/$p" "$here/$p.cu" $libs >"$tmp/$p.build" 2>&1; then
    echo "$p: does not build:" && head -20 "$tmp/$p.build"
    exit 1
fi
if [ -s "$tmp/$p.build" ]; then
    echo "$p: builds with messages:" && head -20 "$tmp/$p.build"
    exit 1
fi
"$tmp/$p" >"$tmp/$p.out" 2>"$tmp/$p.err"
status=$?
if [ $status != 0 ] || [ "$(tail -1 "$tmp/$p.out")" != PASS ]; then
    echo "$p: status $status" && tail -n 5 "$tmp/$p.out" && tail -n 5 "$tmp/$p.err"
    exit 1
fi
echo "$p: passed"
END
printf '%s\n' memory errors streams textures graphs kernels services driver old |
    xargs -P 2 -I PROGRAM sh "$tmp/run" "$bankshot" "$here" "$tmp" PROGRAM
