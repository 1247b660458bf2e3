# SPDX-License-Identifier: Apache-2.0
# What the tests of bankshot cc share, to be sourced with the program as $1: a folder with the files of cc/ to work in, another for
# temporary files, and checks that count in $passed and $failed.
bankshot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../programs/preload.sh"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
cp "$here"/cc/* "$tmp"
cd "$tmp" || exit 1
mkdir temp
TMPDIR=$tmp/temp
export TMPDIR
passed=0
failed=0

fail() {
    failed=$((failed + 1))
    echo "FAIL $1"
    sed 's/^/    /' out | head -n 20
}

# check NAME STATUS PATTERN WORDS...: the exit status of bankshot cc, and a pattern (grep -E) on all it says; an empty one
# means silence. Whatever happens, no temporary file is left.
check() {
    name=$1 want=$2 pattern=$3
    shift 3
    "$bankshot" cc "$@" >out 2>&1 </dev/null
    got=$?
    if [ -z "$pattern" ]; then
        [ ! -s out ] && found=1 || found=0
    else
        found=$(grep -Ec -- "$pattern" out)
    fi
    if [ $got != "$want" ] || [ "$found" = 0 ]; then
        fail "$name: status $got (want $want), output lacks: $pattern"
    elif [ -n "$(ls temp)" ]; then
        fail "$name: left $(ls temp)"
    else
        passed=$((passed + 1))
    fi
}

# runs NAME WORDS... -- APP WANT: builds in silence, runs APP and compares what it prints.
runs() {
    name=$1
    shift
    n=$#
    eval "app=\${$((n - 1))} want=\${$n}"
    while [ "$1" != -- ]; do
        set -- "$@" "$1"
        shift
    done
    shift 3
    if ! "$bankshot" cc "$@" >out 2>&1 || [ -s out ]; then
        fail "$name: does not build, or not in silence"
    elif ! LD_PRELOAD=$preload "$app" >out 2>&1 || [ "$(cat out)" != "$want" ]; then
        fail "$name: want $want"
    else
        passed=$((passed + 1))
    fi
    rm -f "$app"
}

sh_ok() { # NAME COMMAND...
    name=$1
    shift
    if "$@" >out 2>&1; then
        passed=$((passed + 1))
    else
        fail "$name"
    fi
}
