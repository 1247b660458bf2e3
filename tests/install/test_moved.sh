#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A checkout that was copied with its build folder builds itself, not the one that it was copied from.
set -eu
top=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
unset CMAKE_C_COMPILER_LAUNCHER CMAKE_GENERATOR || true
mkdir -p "$tmp/first/tools"
cp "$top/tools/configure" "$tmp/first/tools/"
cat >"$tmp/first/CMakeLists.txt" <<'EOF'
cmake_minimum_required(VERSION 3.22)
project(moved NONE)
add_custom_target(say ALL COMMAND ${CMAKE_COMMAND} -E echo "built ${PROJECT_SOURCE_DIR}")
EOF
echo '{ "version": 3, "configurePresets": [ { "name": "release", "generator": "Ninja", "binaryDir": "${sourceDir}/build/release" } ] }' \
    >"$tmp/first/CMakePresets.json"
built() { # the folder that the build in $1 is of
    "$1/tools/configure" release 2>"$tmp/said"
    cmake --build "$1/build/release" | sed -n 's/^built //p'
}
fail() { echo "FAIL: $*"; exit 1; }

[ "$(built "$tmp/first")" -ef "$tmp/first" ] || fail "the first build is not of its own folder"
[ ! -s "$tmp/said" ] || fail "a new folder is not worth a word: $(cat "$tmp/said")"
cp -r "$tmp/first" "$tmp/second"
[ "$(built "$tmp/second")" -ef "$tmp/second" ] || fail "the copy built $(built "$tmp/second")"
grep -q "was configured for" "$tmp/said" || fail "configuring anew was not said"
[ "$(built "$tmp/second")" -ef "$tmp/second" ] && [ ! -s "$tmp/said" ] || fail "the copy is configured each time"
mv "$tmp/first" "$tmp/third"
[ "$(built "$tmp/third")" -ef "$tmp/third" ] || fail "the moved checkout built $(built "$tmp/third")"
status=0
"$tmp/third/tools/configure" 2>/dev/null || status=$?
[ $status = 2 ] || fail "without a preset: status $status"
