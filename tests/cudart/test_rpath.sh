#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs and libraries whose DT_RPATH names another CUDA runtime, as Python's packages do: that path comes before
# LD_LIBRARY_PATH. Started by bankshot record, calls reach the stand-in all the same. The other runtime is one that only says that
# it was called; where nvcc is, also NVIDIA's own; one that is linked in and stripped is refused. Usage: test_rpath.sh BANKSHOT
set -u
bankshot=$1
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
home=$(dirname "$bankshot")/lib/bankshot
[ -e "$home/libbankshot-static.so" ] || exit 77 # a build with sanitizers
cc=${CC:-cc}

mkdir "$tmp/other"
cat >"$tmp/other.c" <<'END'
#include <stdio.h>
#include <stdlib.h>
#define OWN(name) __attribute__((noinline)) int name(void) { puts("other " #name); fflush(stdout); abort(); }
OWN(__cudaRegisterFatBinary)
OWN(__cudaRegisterFatBinaryEnd)
OWN(__cudaUnregisterFatBinary)
OWN(__cudaRegisterFunction)
OWN(cudaMalloc)
OWN(cudaMemcpy)
OWN(cudaLaunchKernel)
OWN(cudaGetDeviceCount)
OWN(cudaMemGetMemPool)
END
echo 'libcudart.so.13 { global: cuda*; __cuda*; local: *; };' >"$tmp/map"
$cc -O0 -w -falign-functions=16 -shared -fPIC "$tmp/other.c" -o "$tmp/other/libcudart.so.13" -Wl,-soname,libcudart.so.13 \
    -Wl,--version-script="$tmp/map" || exit 1

cat >"$tmp/app.c" <<'END'
#include <stdio.h>
typedef struct { unsigned x, y, z; } dim3;
extern void **__cudaRegisterFatBinary(void *);
extern void __cudaRegisterFatBinaryEnd(void **);
extern void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
extern int cudaMalloc(void **, size_t), cudaMemcpy(void *, const void *, size_t, int), cudaGetDeviceCount(int *),
    cudaLaunchKernel(const void *, dim3, dim3, void **, size_t, void *);
static const char ptx[] =
    ".version 7.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry twice(.param .u64 p)\n{\n"
    " .reg .b32 %r<4>;\n .reg .b64 %d<4>;\n"
    " ld.param.u64 %d1, [p];\n mov.u32 %r1, %tid.x;\n mul.wide.u32 %d2, %r1, 4;\n add.s64 %d3, %d1, %d2;\n"
    " ld.global.u32 %r2, [%d3];\n add.u32 %r3, %r2, %r2;\n st.global.u32 [%d3], %r3;\n ret;\n}\n";
static struct { unsigned magic, version; const void *data, *more; } wrapper = {0x466243b1, 1, ptx, 0};
static void stub(void) {}
__attribute__((constructor)) static void enrol(void)
{
    void **h = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(h, (const char *)stub, "twice", "twice", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(h);
}
int go(void)
{
    int v[32], bad = 0, n = 0;
    void *d, *args[] = {&d};
    for (int i = 0; i < 32; i++)
        v[i] = i;
    if (cudaGetDeviceCount(&n) || cudaMalloc(&d, sizeof v) || cudaMemcpy(d, v, sizeof v, 1) ||
        cudaLaunchKernel(stub, (dim3){1, 1, 1}, (dim3){32, 1, 1}, args, 0, 0) || cudaMemcpy(v, d, sizeof v, 2))
        return 1;
    for (int i = 0; i < 32; i++)
        bad += v[i] != 2 * i;
    printf("devices %d bad %d\n", n, bad);
    return bad != 0;
}
END
echo 'int go(void); int main(void) { return go(); }' >"$tmp/main.c"
printf '#include <dlfcn.h>\nint main(int n, char **v) { void *h = dlopen(v[1], RTLD_NOW); int (*go)(void) = h ? dlsym(h, "go") : 0;
    return go ? go() : 9; }\n' >"$tmp/load.c"
rpath="-Wl,--disable-new-dtags -Wl,-rpath,$tmp/other"
# shellcheck disable=SC2086
$cc -w "$tmp/app.c" "$tmp/main.c" -o "$tmp/app" $rpath "$tmp/other/libcudart.so.13" &&
    $cc -w -shared -fPIC "$tmp/app.c" -o "$tmp/libapp.so" $rpath "$tmp/other/libcudart.so.13" &&
    $cc -w "$tmp/load.c" -o "$tmp/load" -ldl || exit 1

passed=0
fail() {
    echo "$1"
    cat "$tmp/out"
    exit 1
}
# tries NAME COMMAND...: the kernel's result is right, and the launch is in the trace
tries() {
    name=$1
    shift
    rm -f "$tmp/t.bst"
    "$bankshot" record -o "$tmp/t.bst" -- "$@" >"$tmp/out" 2>&1 || fail "$name: record"
    grep -q 'devices 1 bad 0' "$tmp/out" || fail "$name: the result is wrong"
    "$bankshot" inspect "$tmp/t.bst" | grep -q twice || fail "$name: the launch is not in the trace"
    passed=$((passed + 1))
}

"$tmp/app" >"$tmp/out" 2>&1 && fail "without the stand-in it must not run"
grep -q 'other __cudaRegisterFatBinary' "$tmp/out" || fail "its own runtime is not asked"
tries "a program with DT_RPATH" "$tmp/app"
tries "a library with DT_RPATH, opened later" "$tmp/load" "$tmp/libapp.so"

# NVIDIA's own, where they are at hand.
nvcc=$(command -v nvcc || ls /usr/local/cuda/bin/nvcc 2>/dev/null)
if [ -n "$nvcc" ] && ! "$nvcc" --version | grep -qi bankshot; then
    cat >"$tmp/own.cu" <<'END'
#include <cstdio>
__global__ void twice(int *p) { p[threadIdx.x] *= 2; }
int main()
{
    int v[32], *d, n = 0, bad = 0;
    for (int i = 0; i < 32; i++)
        v[i] = i;
    if (cudaGetDeviceCount(&n) || cudaMalloc(&d, sizeof v) || cudaMemcpy(d, v, sizeof v, cudaMemcpyHostToDevice))
        return 1;
    twice<<<1, 32>>>(d);
    if (cudaMemcpy(v, d, sizeof v, cudaMemcpyDeviceToHost))
        return 2;
    for (int i = 0; i < 32; i++)
        bad += v[i] != 2 * i;
    printf("devices %d bad %d\n", n, bad);
    return bad != 0;
}
END
    lib=$(dirname "$(dirname "$nvcc")")/lib64
    [ -d "$lib" ] || lib=$(dirname "$(dirname "$nvcc")")/lib
    "$nvcc" -w -arch=sm_90 "$tmp/own.cu" -o "$tmp/stripped" && strip "$tmp/stripped" || exit 1
    "$bankshot" record -o "$tmp/t.bst" -- "$tmp/stripped" >"$tmp/out" 2>&1 && fail "NVIDIA's runtime, stripped: must not be a success"
    [ "$(grep -c 'proof that the driver is NVIDIA' "$tmp/out")" = 1 ] || fail "NVIDIA's runtime, stripped: does not say why, once"
    passed=$((passed + 1))
    if [ -e "$lib/libcudart.so.13" ]; then
        "$nvcc" -w -arch=sm_90 -cudart shared "$tmp/own.cu" -o "$tmp/shared" -Xlinker --disable-new-dtags -Xlinker \
            -rpath,"$lib" || exit 1
        tries "NVIDIA's libcudart.so by DT_RPATH" "$tmp/shared"
    fi
fi
echo "$passed passed"
