#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The Debian package, unpacked and used from another folder. Where mounts are allowed it is installed by dpkg as well, in a copy of this
# system that neither the repository nor anything of the user is in. Usage: test_deb.sh BANKSHOT
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/frame.sh"
command -v dpkg-shlibdeps >/dev/null || { echo "skipped: no dpkg-dev"; exit 0; }

cd "$build" || exit 1
verdict "cpack" "$(truth cpack -B "$tmp/package")"
deb=$(ls "$tmp"/package/bankshot_*.deb)
dpkg-deb -f "$deb" Depends >"$tmp/out"
for package in clang-19 libc6 libsqlite3-0 libzstd1; do
    verdict "depends on $package" "$(grep -Eq "(^|, )$package( |,|\$)" "$tmp/out" && echo 1)"
done
verdict "unpacks" "$(truth dpkg-deb -x "$deb" "$tmp/unpacked")"
cd "$tmp/else" || exit 1
newcomer unpacked env -i PATH="$tmp/unpacked/usr/bin:/usr/bin:/bin" HOME="$tmp" sh newcomer.sh

# A copy of the system: what is written goes to memory, /tmp, /home, /root and the repository's folder are empty.
cat >"$tmp/clean.sh" <<'END'
set -eu
tmp=$1 root=$2 deb=$3
mkdir -p "$tmp/overlay"
mount -t tmpfs none "$tmp/overlay"
cd "$tmp/overlay"
mkdir up work system
mount -t overlay overlay -o "lowerdir=/,upperdir=$PWD/up,workdir=$PWD/work" system
cp "$deb" up/bankshot.deb
cp -r "$tmp/else" up/else
for hidden in /tmp /home /root "$root"; do
    [ ! -d "system$hidden" ] || mount -t tmpfs none "system$hidden"
done
mount --rbind /dev system/dev
mount --rbind /proc system/proc
[ "${4-}" != try ] || exit 0
exec chroot system sh -c 'dpkg -i /bankshot.deb && rm -f /bankshot.deb && cd /else && rm -rf cache && env -i PATH=/usr/bin:/bin HOME=/nowhere sh newcomer.sh &&
    man -w bankshot >/dev/null && dpkg -r bankshot && ! ls /usr/lib/bankshot'
END
rm -rf "$tmp/else/cache" "$tmp/else/twice" "$tmp/else/twice.bst"
if command -v man >/dev/null && unshare -m sh "$tmp/clean.sh" "$tmp" "$root" "$deb" try >"$tmp/out" 2>&1; then
    newcomer "installed by dpkg" unshare -m sh "$tmp/clean.sh" "$tmp" "$root" "$deb"
else
    echo "not installed by dpkg: no mounts here ($(tail -n 1 "$tmp/out"))"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
