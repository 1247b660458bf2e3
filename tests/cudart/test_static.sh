#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# A program with a CUDA runtime linked into it: here one that only says that it was called. Started by bankshot record, its calls
# reach the stand-in: the kernel runs, and is in the trace. Usage: test_static.sh BANKSHOT
set -u
bankshot=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
home=$(dirname "$bankshot")/lib/bankshot
[ -e "$home/libbankshot-static.so" ] || exit 77 # a build with sanitizers

cat >"$tmp/app.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct { unsigned x, y, z; } dim3;

static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry twice(.param .u64 p)\n{\n"
    " .reg .b32 %r<4>;\n .reg .b64 %d<4>;\n"
    " ld.param.u64 %d1, [p];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %d2, %r1, 4;\n add.s64 %d3, %d1, %d2;\n"
    " ld.global.u32 %r2, [%d3];\n add.u32 %r3, %r2, %r2;\n st.global.u32 [%d3], %r3;\n ret;\n}\n";

static const char fat[8] __attribute__((section(".nv_fatbin"), used)) = "";
static struct { unsigned magic, version; const void *data, *more; } wrapper
    __attribute__((section(".nvFatBinSegment"))) = {0x466243b1, 1, ptx, 0};

/* The runtime that is linked in. */
#define OWN(type, name, params) \
    __attribute__((noinline)) type name params { printf("own %s called\n", #name); fflush(stdout); abort(); }
OWN(void **, __cudaRegisterFatBinary, (void *w))
OWN(void, __cudaRegisterFatBinaryEnd, (void **h))
OWN(void, __cudaUnregisterFatBinary, (void **h))
OWN(void, __cudaRegisterFunction, (void **h, const char *stub, char *fun, const char *name, int limit, void *a, void *b, void *c,
    void *d, int *e))
OWN(int, cudaMalloc, (void **p, size_t n))
OWN(int, cudaMemcpy, (void *d, const void *s, size_t n, int kind))
OWN(int, cudaLaunchKernel, (const void *stub, dim3 grid, dim3 block, void **args, size_t shared, void *stream))
OWN(int, cudaDeviceSynchronize, (void))
OWN(int, cudaMemGetMemPool, (void *pool, void *location, int type))
OWN(int, cudaOfAnotherTime, (int x))

static void stub(void) {}
static void **handle;
__attribute__((constructor)) static void enrol(void)
{
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)stub, "twice", "twice", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
}

int main(int argc, char **argv)
{
    int v[32], bad = 0;
    void *d, *args[] = {&d};
    for (int i = 0; i < 32; i++)
        v[i] = i;
    if (argc > 1)
        printf("other %d\n", cudaOfAnotherTime(1));
    if (cudaMalloc(&d, sizeof v) || cudaMemcpy(d, v, sizeof v, 1) ||
        cudaLaunchKernel(stub, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, 0) || cudaDeviceSynchronize() ||
        cudaMemcpy(v, d, sizeof v, 2))
        return 1;
    for (int i = 0; i < 32; i++)
        bad += v[i] != 2 * i;
    printf("bad %d\n", bad);
    return bad != 0;
}
END
${CC:-cc} -O0 -w -falign-functions=16 "$tmp/app.c" -o "$tmp/app" || exit 1
fail() {
    echo "$1"
    cat "$tmp/out"
    exit 1
}

"$tmp/app" >"$tmp/out" 2>&1 && fail "without the stand-in it must not run"
grep -q 'own __cudaRegisterFatBinary called' "$tmp/out" || fail "its own runtime is not asked"
"$bankshot" record -o "$tmp/app.bst" -- "$tmp/app" more >"$tmp/out" 2>&1 || fail "record"
grep -q 'bad 0' "$tmp/out" || fail "the kernel's result is wrong"
grep -q 'other 801' "$tmp/out" || fail "a function that is not here must fail"
grep -q 'bankshot: cudaOfAnotherTime is not supported' "$tmp/out" || fail "... and be named"
"$bankshot" inspect "$tmp/app.bst" | grep -q twice || fail "the launch is not in the trace"

strip "$tmp/app"
"$bankshot" record -o "$tmp/s.bst" -- "$tmp/app" >"$tmp/out" 2>&1 && fail "stripped: must not be a success"
grep -q 'names must not be stripped' "$tmp/out" || fail "stripped: says why"
echo "1 passed"
