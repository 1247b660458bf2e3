# SPDX-License-Identifier: Apache-2.0
# What the command-line tests share, to be sourced with the program as $1: $bankshot, $here, $kernels, a folder $tmp that goes at the
# end, and checks that count in $passed and $failed.
bankshot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
kernels=${KERNELS_DIR:-$here/../../kernels}
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0

# truth COMMAND...: 1 if it succeeds, for verdict.
truth() { "$@" >"$tmp/out" 2>&1 && echo 1; }

verdict() { # NAME OK: counts; shows $tmp/out when it failed
    if [ "$2" = 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL $1"
        sed 's/^/    /' "$tmp/out" | cut -c 1-300 | head -n 20
    fi
}

# check NAME STATUS PATTERN ARGS...: the exit status, and a pattern (grep -E) on stdout and stderr together.
check() {
    name=$1 want=$2 pattern=$3
    shift 3
    timeout 1200 "$bankshot" "$@" >"$tmp/out" 2>&1 </dev/null
    got=$?
    ok=0
    [ $got = "$want" ] && grep -Eq -- "$pattern" "$tmp/out" && ok=1
    verdict "$name: status $got (want $want), pattern $pattern" "$ok"
}

# A trace of 2,000 elements in 8 CTAs; one with shared memory and barriers.
record_saxpy() { # FILE
    "$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 8 --block 250 --arg f32:2 --arg buf:f32:2000=iota \
        --arg out:f32:2000=const:1 --arg s32:2000 --record "$1" >/dev/null 2>&1 || echo "no trace"
}
record_reduce() { # FILE
    "$bankshot" exec "$kernels/reduce.ptx" --kernel reduce_sum --grid 8 --block 256 --arg buf:s32:16384=iota \
        --arg out:s32:1 --arg s32:16384 --record "$1" >/dev/null 2>&1 || echo "no trace"
}
