#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Traces that are not whole, from a full disk to a program that ends too early: never kept in the cache, never used unasked, never
# status 0. And what a trace is known by. Usage: test_partial.sh BANKSHOT
# shellcheck disable=SC2086 # lists of words
set -u
. "$(dirname "$0")/frame.sh"
cd "$tmp" || exit 1
home=$(dirname "$bankshot")/lib/bankshot
include=$here/../../include

# A disk that is full after $1 blocks of 512 bytes, for the command behind it: writes beyond that fail.
full_after() {
    (
        trap '' XFSZ
        ulimit -f "$1"
        shift
        exec timeout 1200 "$@" </dev/null
    ) >"$tmp/out" 2>&1
}
# says NAME PATTERN...: $tmp/out has them all
says() {
    name=$1
    shift
    for p in "$@"; do
        grep -Eq -- "$p" "$tmp/out" || { verdict "$name: pattern $p" 0; return; }
    done
    verdict "$name" 1
}
# status NAME GOT WANT
status() { verdict "$1: status $2, not $3" "$([ "$2" = "$3" ] && echo 1)"; }

# ---- a trace that was cut ----
"$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 400 --block 250 --arg f32:2 --arg buf:f32:100000=iota \
    --arg out:f32:100000=const:1 --arg s32:100000 --record s.bst >/dev/null 2>&1 || echo "no trace"
# The end of the last launch is there, the index is not: whole launches, and nobody knows whether they are all.
head -c $(($(stat -c %s s.bst) - 40)) s.bst >noend.bst
head -c 900 s.bst >empty.bst
refused='noend.bst is partial: its recording did not come to its end, .*1 launch is whole; .*--allow-partial'
check "run refuses it" 2 "$refused" run noend.bst
check "run takes it if told" 0 'the trace is partial' run noend.bst --allow-partial
check "compare refuses it" 2 "$refused" compare noend.bst
check "compare takes it if told" 0 '^noend.bst +base +[0-9]+' compare noend.bst --allow-partial
check "and says so" 0 'noend.bst is partial' compare noend.bst --allow-partial
printf '[a]\nworkloads = noend.bst\ngpus = volta20\n' >spec.ini
check "sweep refuses it" 2 "$refused" sweep spec.ini --db s.db
check "sweep takes it if told" 0 ': 1 point,' sweep spec.ini --db s.db --allow-partial
check "export refuses it" 2 "$refused" export accelsim noend.bst -o out.dir
check "inspect shows it" 2 'state +partial: its recording did not' inspect noend.bst
check "inspect: no failure if told" 0 'state +partial' inspect noend.bst --allow-partial
check "nothing whole" 2 'empty.bst is partial: .*launch 0 \(saxpy\) has 0 of 400 CTAs, 0 of 1 launch is whole; record it again$' \
    run empty.bst
check "nothing whole, even if told" 2 'empty.bst is partial' run empty.bst --allow-partial
full_after 2 "$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 400 --block 250 --arg f32:2 \
    --arg buf:f32:100000=iota --arg out:f32:100000=const:1 --arg s32:100000 --record full.bst
status "exec on a full disk" $? 2
says "exec on a full disk" 'full.bst.part: File too large'

# ---- programs that leave less than they did ----
cat >app.c <<'END_C'
#include "cuda_runtime_api.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry good(.param .u64 p) { .reg .b64 %d; .reg .b32 %r, %i; .reg .pred %p; ld.param.u64 %d, [p];\n"
    "  mov.u32 %r, %tid.x; mov.u32 %i, 0;\n"
    "  L: mad.lo.u32 %r, %r, 1103515245, 12345; and.b32 %r, %r, 1020; add.u32 %i, %i, 1;\n"
    "  { .reg .b64 %a; cvt.u64.u32 %a, %r; add.u64 %a, %a, %d; st.global.u32 [%a], %i; }\n"
    "  setp.lt.u32 %p, %i, 100; @%p bra L; ret; }\n"
    ".visible .entry bad() { trap; }\n";
struct { unsigned magic, version; const void *data, *more; } wrapper = {0x466243b1, VERSION, ptx, 0};
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
static const char good, bad, gone;
__attribute__((constructor)) static void start(void)
{
    void **handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &good, 0, "good", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(handle, &bad, 0, "bad", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(handle, &gone, 0, "gone", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}
/* Looks at no error, as many programs do. */
int main(int argc, char **argv)
{
    void *p, *args[] = {&p};
    dim3 one = {1, 1, 1}, many = {50, 1, 1}, block = {64, 1, 1};
    cudaMalloc(&p, 1024);
    for (const char *c = argc > 1 ? argv[1] : ""; *c; c++)
        switch (*c) {
        case 'g': cudaLaunchKernel(&good, many, block, args, 0, 0); break;
        case 'b': cudaLaunchKernel(&bad, one, one, 0, 0, 0); break;
        case 'm': cudaLaunchKernel(&gone, one, one, 0, 0, 0); break;
        case 'q': _exit(0);
        case 'k': abort();
        case '5': return 5;
        }
    return 0;
}
END_C
programs=0
if ! nm -D "$home/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    programs=1
    for v in 1 2; do
        ${CC:-cc} -w -DVERSION=$v -iquote "$include" -idirafter "$include" -o app$v app.c -L"$home" -lcudart \
            -Wl,-rpath,"$home" || programs=0
    done
fi
if [ $programs = 0 ]; then
    echo "programs are not recorded: no compiler, or a runtime library with sanitizers"
else
    check "a program" 0 '2 launches' record -o p.bst -- ./app1 gg
    check "it can be timed" 0 'cycles' run p.bst
    full_after 8 "$bankshot" record -o full.bst -- ./app1 gggggggg
    status "record on a full disk" $? 2
    says "record on a full disk" 'full.bst.part: File too large .*: the trace ends here' \
        'full.bst is partial: its recording did not come to its end, launch [0-9]+ \(good\) has [0-9]+ of 50 CTAs, [0-9]+ of'
    full_after 8 env BANKSHOT_RECORD="$tmp/alone.bst" ./app1 gggggggg
    status "a program that records itself, on a full disk" $? 2
    full_after 8 env BANKSHOT_RECORD="$tmp/alone5.bst" ./app1 gggggggg5
    status "its own status comes first" $? 5
    check "ended without an exit" 2 'is partial: its recording did not come to its end, 1 of 1 launch is whole' \
        record -o p.bst -- ./app1 gq
    check "aborted" 134 'is partial' record -o p.bst -- ./app1 gk
    check "a failed kernel" 1 'is partial: launch 1 \(bad\) has 0 of 1 CTAs, 1 of 2 launches are whole' \
        record -o p.bst -- ./app1 gb
    check "a failed kernel is partial" 2 'p.bst is partial' run p.bst
    check "a kernel that is not there" 2 'is partial: 2 launches could not be recorded, 1 of 1 launch is whole' \
        record -o p.bst -- ./app1 mgm
    check "it is partial" 2 'p.bst is partial: 2 launches could not' run p.bst
    check "separate compilation" 2 'is partial: 2 launches could not be recorded, 0 of 0' record -o p.bst -- ./app2 gg
    check "no launch" 2 'launched no kernel: the trace is empty' record -o p.bst -- ./app1
    check "nothing to time" 2 'p.bst has no launch: there is nothing to time' run p.bst

    # ---- what a trace is known by ----
    id() { "$bankshot" inspect "$1" --json | sed -n 's/^ *"identity": "\(.*\)",*$/\1/p'; }
    mkdir -p far/away && cp app1 far/away/app1 && echo 1 >far/away/data
    same() { verdict "$1" "$([ -n "$(id a.bst)" ] && [ "$(id a.bst)" $2 "$(id b.bst)" ] && echo 1)"; }
    "$bankshot" record --quiet -o a.bst -- ./app1 g /data --in=far/away/data "$tmp/far/" >out 2>&1
    (cd far && "$bankshot" record --quiet -o "$tmp/b.bst" -- "$tmp/far/away/app1" g ../data --in=away/data ./far) >out 2>&1
    same "folders do not matter" =
    check "the command line is kept" 0 "program +$tmp/far/away/app1 g \.\./data" inspect b.bst
    "$bankshot" record --quiet -o b.bst -- ./app1 g /data --in=far/away/other far >out 2>&1
    same "arguments do" !=
    "$bankshot" record --quiet -o a.bst -- ./app1 g 3/4 >out 2>&1
    "$bankshot" record --quiet -o b.bst -- ./app1 g 2/4 >out 2>&1
    same "what is no path is left alone" !=
fi

# ---- the cache ----
if ! "$bankshot" run vectoradd:small >/dev/null 2>&1; then
    echo "bundled programs cannot be made here"
else
    export BANKSHOT_CACHE="$tmp/cache"
    cycles() { timeout 1200 "$bankshot" run srad_v1:small --json - 2>"$tmp/err" | sed -n 's/^ "cycles": \([0-9]*\),/\1/p'; }
    right=$(cycles)
    trace=$(echo cache/*.bst)
    verdict "a first run" "$([ -n "$right" ] && [ -f "$trace" ] && echo 1)"
    mv "$trace" kept.bst
    full_after 16 "$bankshot" run srad_v1:small
    status "a full disk" $? 2
    says "a full disk" 'recording srad_v1, small failed with status 2' 'File too large' 'launches are whole'
    verdict "nothing of it stays" "$([ "$(ls cache | grep -v '^headers$')" = "$(ls -d cache/bin-* | xargs -n 1 basename)" ] && echo 1)"
    verdict "right once there is room" "$([ "$(cycles)" = "$right" ] && echo 1)"
    head -c 9000 kept.bst >"$trace"
    verdict "a partial one is made again" "$([ "$(cycles)" = "$right" ] && grep -q 'partial: it is made again' err && echo 1)"
    : >"$trace"
    verdict "an empty one is made again" "$([ "$(cycles)" = "$right" ] && cmp -s "$trace" kept.bst && echo 1)"

    key() { # NAME WORKLOAD...: the keys of runs in a new database, with the cache in NAME
        cache=$tmp/$1
        shift
        rm -f key.db
        BANKSHOT_CACHE=$cache "$bankshot" compare "$@" --gpu volta20 --db key.db >"$tmp/out" 2>&1
        sqlite3 key.db 'SELECT key, identity, program FROM run JOIN trace ON trace.id = run.trace ORDER BY 1'
    }
    if command -v sqlite3 >/dev/null 2>&1; then
        mkdir -p another
        here1=$(key cache srad_v1:small)
        there=$(key another/cache srad_v1:small)
        verdict "the same key from another cache" "$([ -n "$here1" ] && [ "$here1" = "$there" ] && echo 1)"
        verdict "names without folders" "$(echo "$here1" | grep -q '|srad_v1 --size small$' && echo 1)"
        key cache shared_stride1:small shared_stride2:small >two
        verdict "another key for other arguments" "$([ "$(cut -d'|' -f1 two | sort -u | wc -l)" = 2 ] && echo 1)"
    fi
fi

# The form of cmocka's summary, which tools/run-tests adds up.
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || echo "[  FAILED  ] $failed test(s), listed above"
[ $failed = 0 ]
