#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Traces on the command line: exec --record, record, inspect. Usage: test_record.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

saxpy="exec $kernels/saxpy.ptx --kernel saxpy --grid 8 --block 250"
args="--arg f32:2 --arg buf:f32:2000=iota --arg out:f32:2000=const:1 --arg s32:2000"

# ---- exec --record and inspect ----
# shellcheck disable=SC2086 # lists of words
check "record a kernel" 0 '1 3 5 7 9' $saxpy $args --record "$tmp/s.bst"
t=$tmp/s.bst
check "header" 0 'state +complete' inspect "$t"
check "launch row" 0 '^ +0 saxpy +8 +250 .* 8 +[0-9]+ +[0-9]+ +[0-9.]+$' inspect "$t"
check "mix" 0 '^LDG +[0-9]+ .*load from global' inspect "$t"
check "footprint" 0 '^global .* 126 +16128$' inspect "$t"
check "values" 0 'register words written: [0-9]+, const .*stride4' inspect "$t"
check "one launch" 0 'saxpy' inspect "$t" --launch 0
check "no such launch" 2 'has 1 launch, numbered from 0' inspect "$t" --launch 1
check "singular" 0 ' 1 kernel, 1 launch, ' inspect "$t"
check "json" 0 '"partial": false' inspect "$t" --json
check "json counts" 0 '"requests": [0-9]+' inspect "$t" --json
check "static code" 0 'LDG\.E R[0-9]+ <- R[0-9]+-[0-9]+ +\{LDG load global 4 B\}' inspect "$t" --code
check "stream" 0 '^/\*[0-9a-f]+\*/ ffffffff LDG\.E .* global\[0x[0-9a-f]+\]\+4/lane$' inspect "$t" --stream 7,6
check "partial warp" 0 ' 03ffffff ' inspect "$t" --stream 7,7
check "no such CTA" 2 'CTA 8 of launch 0 is not in the trace' inspect "$t" --stream 8,0
check "no such warp" 2 'have 8 warps' inspect "$t" --stream 0,8
check "bad stream" 2 'expected CTA,WARP' inspect "$t" --stream 3
check "option of PTX" 2 'is a trace; that is for PTX files' inspect "$t" --cfg
check "option of traces" 2 'is a PTX file; that is for traces' inspect "$kernels/saxpy.ptx" --json
head -c 700 "$t" >"$tmp/cut.bst"
check "cut short" 2 'state +partial' inspect "$tmp/cut.bst"
head -c 20 "$t" >"$tmp/stub.bst"
check "hardly begun" 2 'stub.bst' inspect "$tmp/stub.bst"
cp "$t" "$tmp/first.bst"
# shellcheck disable=SC2086
check "again" 0 . $saxpy $args --record "$t"
ok=0
cmp -s "$t" "$tmp/first.bst" && ok=1
verdict "the same bytes again" $ok
echo "int main;" >"$tmp/a.c"
# shellcheck disable=SC2086
check "not over other files" 2 'is not a trace: it is not overwritten' $saxpy $args --record "$tmp/a.c"
# shellcheck disable=SC2086
check "no such folder" 2 'no/t.bst' $saxpy $args --record "$tmp/no/t.bst"
check "a launch that fails" 1 . exec "$kernels/saxpy.ptx" --kernel saxpy --grid 8 --block 256 --arg f32:2 \
    --arg buf:f32:1024 --arg out:f32:2048 --arg s32:2048 --record "$tmp/f.bst"
check "is incomplete" 2 ' saxpy .* incomplete$' inspect "$tmp/f.bst"
# shellcheck disable=SC2086
check "a launch that is refused" 2 '4096 threads' exec "$kernels/saxpy.ptx" --kernel saxpy --grid 8 --block 64,64 \
    $args --record "$tmp/r.bst"
check "is not there" 0 'holds +0 kernels, 0 launches|holds +1 kernel, 0 launches' inspect "$tmp/r.bst"

# wait_size FILE BYTES PID: until the file is that long, or the process that writes it has ended. However slow the machine is.
wait_size() {
    while [ "$(stat -c %s "$1" 2>/dev/null || echo 0)" -lt "$2" ] && kill -0 "$3" 2>/dev/null; do
        sleep 0.05
    done
}

# Killed in the middle: what is there is whole CTAs.
"$bankshot" exec "$kernels/mandelbrot.ptx" --kernel mandelbrot --grid 256,256 --block 16,16 --arg out:s32:16777216 \
    --arg s32:4096 --arg s32:4096 --arg f32:-2 --arg f32:-1.5 --arg f32:0.0007 --arg s32:500 \
    --record "$tmp/k.bst" >"$tmp/out" 2>&1 &
pid=$!
wait_size "$tmp/k.bst.part" 20000 $pid
kill -9 $pid
wait $pid 2>/dev/null
verdict "killed: the name is not taken" "$(truth test ! -e "$tmp/k.bst")"
mv "$tmp/k.bst.part" "$tmp/k.bst"
check "killed: says so" 2 'state +partial' inspect "$tmp/k.bst"
check "killed: whole CTAs" 2 ' mandelbrot .* incomplete$' inspect "$tmp/k.bst"
check "killed: a stream to its end" 0 ' EXIT$' inspect "$tmp/k.bst" --stream 0,7 --allow-partial

# ---- record ----
printf '#!/bin/sh\nexit 4\n' >"$tmp/script"
chmod +x "$tmp/script"
check "nothing to run" 2 'PROGRAM is missing' record -o x.bst
check "unknown letter" 2 'unknown option -x; see bankshot record --help' record -x -- true
check "no such program" 2 'cannot start ./no-such-program: No such file' record -o "$tmp/n.bst" -- ./no-such-program
check "not a CUDA program" 2 'no trace: this is not a CUDA program' record -o "$tmp/n.bst" -- true
check "a script" 4 'no trace: the program is a script' record -o "$tmp/n.bst" -- "$tmp/script"
check "a status" 3 'no trace' record -o "$tmp/n.bst" -- sh -c 'exit 3'
check "a signal" 137 'no trace' record -o "$tmp/n.bst" -- sh -c 'kill -9 $$'
check "not over other files" 2 'it is not overwritten' record -o "$tmp/a.c" -- true

# As if linked with the static runtime: device code, but no libcudart.
printf '__attribute__((section(".nv_fatbin"))) int x;\nint main(void) { return x; }\n' >"$tmp/static.c"
if ${CC:-cc} "$tmp/static.c" -o "$tmp/static" 2>"$tmp/out"; then
    check "static runtime" 2 'static CUDA runtime, its names must not be stripped' record -o "$tmp/n.bst" -- "$tmp/static"
fi

cat >"$tmp/app.cu" <<'END'
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
__global__ void work(int *out, int rounds)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = i, kept[24];
    for (int k = 0; k < 24; k++)
        kept[k] = i + k;
    for (int r = 0; r < rounds; r++) {
        v = v & 1 ? 3 * v + 1 : v / 2 + r;
        for (int k = 0; k < 24; k++)
            kept[k] = kept[k] * 5 ^ v;
    }
    for (int k = 0; k < 24; k++)
        v ^= kept[k];
    out[i] = v;
}
/* app ROUNDS LAUNCHES STATUS: reads a word, prints it. */
int main(int argc, char **argv)
{
    int *out, rounds = atoi(argv[1]), launches = atoi(argv[2]);
    char word[20] = "";
    if (argc != 4 || scanf("%19s", word) < 0)
        return 99;
    if (cudaMallocManaged((void **)&out, 4 * 64 * 256) != cudaSuccess)
        return 98;
    for (int l = 0; l < launches; l++)
        work<<<64, 256>>>(out, rounds);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 97;
    printf("word %s\n", word);
    fflush(stdout);
    if (atoi(argv[3]) < 0)
        abort();
    return atoi(argv[3]);
}
END
built=0
"$bankshot" cc "$tmp/app.cu" -o "$tmp/app" >"$tmp/cc" 2>&1 && built=1
if [ $built = 0 ] && command -v nvcc >/dev/null 2>&1; then
    nvcc -cudart shared "$tmp/app.cu" -o "$tmp/app" >"$tmp/cc" 2>&1 && built=1
fi
# A runtime library with sanitizers inside does not go with a program that has none.
if [ $built = 1 ] && echo w | "$bankshot" record -o "$tmp/a.bst" -- "$tmp/app" 1 1 0 2>&1 | grep -q 'ASan runtime'; then
    built=0
fi
if [ $built = 0 ]; then
    echo "programs are not recorded: no compiler for CUDA, or a runtime library with sanitizers"
else
    # run NAME STATUS PATTERN ARGS...: record app ARGS in $tmp, with a word on its input
    run() {
        name=$1 want=$2 pattern=$3
        shift 3
        # shellcheck disable=SC2086 # a list of words
        (cd "$tmp" && echo hello | "$bankshot" record ${opts-} -- ./app "$@") >"$tmp/out" 2>&1
        got=$?
        ok=0
        [ $got = "$want" ] && grep -Eq -- "$pattern" "$tmp/out" && ok=1
        verdict "$name: status $got (want $want), pattern $pattern" $ok
    }
    run "input and output pass" 0 '^word hello$' 3 2 0
    run "a summary" 0 '^bankshot: app.bst: 2 launches, [0-9]+ warp instructions, [0-9]+ bytes, [0-9.]+ bytes per' 3 2 0
    check "the trace" 0 'state +complete' inspect "$tmp/app.bst"
    check "its program" 0 'program +./app 3 2 0' inspect "$tmp/app.bst"
    check "many registers" 0 '"regs": [2-9][0-9]' inspect "$tmp/app.bst" --json
    check "two launches" 0 '^ +1 .*work.* 64 +256 ' inspect "$tmp/app.bst"
    if setarch "$(uname -m)" -R true 2>/dev/null; then
        cp "$tmp/app.bst" "$tmp/first.bst"
        run "again" 0 '^word hello$' 3 2 0
        ok=0
        cmp -s "$tmp/app.bst" "$tmp/first.bst" && ok=1
        verdict "the same trace again" $ok
    fi
    run "status passes" 7 '^word hello$' 3 1 7
    run "abort is 134" 134 'bankshot: app.bst' 3 1 -1
    run "nothing launched" 2 'launched no kernel' 3 0 0
    opts="--quiet -o q.bst"
    run "quiet" 0 '^word' 3 1 0
    ok=1
    grep -q 'bankshot:' "$tmp/out" && ok=0
    verdict "quiet says nothing" $ok
    opts="--max-regs 16 -o q.bst"
    run "few registers" 0 '^word' 3 1 0
    check "are few" 0 '"regs": 1[0-6]' inspect "$tmp/q.bst" --json
    opts="--no-schedule -o q.bst"
    run "in PTX order" 0 '^word' 3 2 0
    "$bankshot" inspect "$tmp/q.bst" --code >"$tmp/ptx-order"
    "$bankshot" inspect "$tmp/app.bst" --code >"$tmp/scheduled"
    ok=1
    cmp -s "$tmp/ptx-order" "$tmp/scheduled" && ok=0
    verdict "is not the scheduled one" $ok
    opts=

    # Killed in the middle: by a signal that is passed on, and beyond recall.
    for sig in TERM KILL; do
        rm -f "$tmp/k.bst" "$tmp/k.bst.part"
        echo w | "$bankshot" record -o "$tmp/k.bst" -- "$tmp/app" 300 2000 0 >"$tmp/out" 2>&1 &
        pid=$!
        wait_size "$tmp/k.bst.part" 20000 $pid
        kill -$sig $pid
        wait $pid 2>/dev/null
        got=$?
        ok=0
        [ $got = 143 ] || [ $sig = KILL ] && ok=1
        verdict "$sig: status $got" $ok
        n=0
        while pgrep -f "$tmp/app 300" >/dev/null 2>&1 && [ $n -lt 1200 ]; do
            sleep 0.05
            n=$((n + 1))
        done
        ok=0
        [ $n -lt 1200 ] && ok=1
        verdict "$sig: the program has ended" $ok
        [ $sig = TERM ] || mv "$tmp/k.bst.part" "$tmp/k.bst" # beyond recall, nobody gives it its name
        check "$sig: partial" 2 'state +partial' inspect "$tmp/k.bst"
        check "$sig: whole CTAs" 0 ' EXIT$' inspect "$tmp/k.bst" --launch 0 --stream 0,7 --allow-partial
    done
fi

# ---- what values toggle ----
cat >"$tmp/v.cu" <<'END'
#include <cstdio>
__global__ void chain(float *x, float f, int n)
{
    float *at = x + blockIdx.x * blockDim.x + threadIdx.x, v = *at;
    for (int i = 0; i < n; i++) v = v * f + f;
    *at = v;
}
int main(int argc, char **)
{
    static float host[8 * 256];
    for (int i = 0; i < 8 * 256; i++) host[i] = argc > 1 ? 1.0f + i * 0.7071f / 256 : 0;
    float *x; cudaMalloc(&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    chain<<<8, 256>>>(x, argc > 1 ? 0.997f : 0, 200);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
if "$bankshot" cc "$tmp/v.cu" -o "$tmp/v" >"$tmp/out" 2>&1; then
    check "values that stand still" 0 . record -o "$tmp/v0.bst" --values "$tmp/v0.ini" -- "$tmp/v"
    check "values that toggle" 0 . record -o "$tmp/v1.bst" --values "$tmp/v1.ini" -- "$tmp/v" 1
    check "values nobody asked for" 0 . record -o "$tmp/v2.bst" -- "$tmp/v" 1
    verdict "values: the trace is the same" "$(truth cmp -s "$tmp/v1.bst" "$tmp/v2.bst")"
    verdict "values: by kind" "$(truth awk '/^toggle_float/ { v[FILENAME] = $3 } END { for (f in v) n++; exit !(n == 2) }' "$tmp/v0.ini" "$tmp/v1.ini")"
    verdict "values: constants toggle least" \
        "$(truth test "$(awk '/^toggle_float/ { print int(1000 * $3) }' "$tmp/v0.ini")" -lt "$(awk '/^toggle_float/ { print int(1000 * $3) - 200 }' "$tmp/v1.ini")")"
    energy_of() { "$bankshot" run "$tmp/v1.bst" --gpu hopper --mech "$1" --json - 2>/dev/null | awk -F'[:,]' '/^ "energy_pj"/ { print int($2) }'; }
    verdict "values: what toggles takes more" "$(truth test "$(energy_of "$tmp/v0.ini")" -lt "$(energy_of "$tmp/v1.ini")")"
    check "values again" 0 . record -o "$tmp/v1.bst" --values "$tmp/v1.ini" -- "$tmp/v" 1
    check "values not over other files" 2 'is not an overlay of bankshot record --values' record -o "$tmp/v1.bst" --values "$tmp/a.c" -- "$tmp/v"
    check "values not into the trace" 2 . record -o "$tmp/v1.bst" --values "$tmp/v1.bst" -- "$tmp/v"
fi

# The form of cmocka's summary, which tools/run-tests adds up.
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || echo "[  FAILED  ] $failed test(s), listed above"
[ $failed = 0 ]
