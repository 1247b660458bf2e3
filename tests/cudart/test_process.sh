#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What depends on the process as a whole: the order of output, the end of the trace, forks, programs that end in odd ways.
set -eu
bankshot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
home=$(dirname "$bankshot")/lib/bankshot
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if nm -D "$home/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    echo "skipped: programs without a sanitizer cannot load libraries with one"
    exit 0
fi

cat >"$work/app.c" <<'END'
#include "cuda_runtime_api.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
    ".global .align 1 .b8 text[8] = {107, 101, 114, 110, 101, 108, 10, 0};\n" /* "kernel\n" */
    ".visible .entry say() { .reg .b64 %d; .reg .b32 %r; mov.u64 %d, text; cvta.global.u64 %d, %d;\n"
    "  { .param .b64 p0; st.param.b64 [p0], %d; .param .b64 p1; st.param.b64 [p1], 0; .param .b32 q;\n"
    "    call.uni (q), vprintf, (p0, p1); ld.param.b32 %r, [q]; } ret; }\n"
    ".visible .entry spin(.param .u64 p) { .reg .b64 %d; .reg .b32 %r; .reg .pred %p; ld.param.u64 %d, [p];\n"
    "  L: ld.volatile.global.u32 %r, [%d]; atom.global.add.u32 %r, [%d+4], 1; setp.ne.u32 %p, %r, 4000000000; @%p bra L; ret; }\n"
    ".visible .entry bad() { trap; }\n";
struct { unsigned magic, version; const void *data, *more; } wrapper = {0x466243b1, 1, ptx, 0};
void **__cudaRegisterFatBinary(void *);
void __cudaRegisterFatBinaryEnd(void **);
void __cudaUnregisterFatBinary(void **);
void __cudaRegisterFunction(void **, const char *, char *, const char *, int, void *, void *, void *, void *, int *);
static const char say, spin, bad;
static void **handle;
static void finish(void) { __cudaUnregisterFatBinary(handle); }
__attribute__((constructor)) static void start(void)
{
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &say, 0, "say", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(handle, &spin, 0, "spin", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFunction(handle, &bad, 0, "bad", -1, 0, 0, 0, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    atexit(finish);
}
static void launch(const void *k, void **args)
{
    dim3 one = {1, 1, 1};
    if (cudaLaunchKernel(k, one, one, args, 0, 0))
        exit(9);
}
static void leave(void *arg) { exit(*(int *)arg); }
static void *run_spin(void *arg) { return launch(&spin, arg), NULL; }
int main(int argc, char **argv)
{
    int seven = 7, status;
    void *p;
    pthread_t t;
    cudaMalloc(&p, 8);
    cudaMemset(p, 0, 8);
    void *args[] = {&p};
    switch (argv[1][0]) {
    case 'o': printf("one\n"); launch(&say, 0); printf("two\n"); launch(&say, 0); printf("three\n"); return 0;
    case 'e': launch(&say, 0); cudaLaunchHostFunc(0, leave, &seven); return 1; /* exit inside a call */
    case 'f': /* the child launches and exits properly */
        launch(&say, 0);
        fflush(stdout);
        if (fork() == 0) {
            launch(&say, 0);
            exit(0);
        }
        wait(&status);
        launch(&say, 0);
        return WEXITSTATUS(status);
    case 't': pthread_create(&t, 0, run_spin, args); usleep(200000); printf("leaving\n"); return 3; /* a kernel is running */
    case 'q': launch(&say, 0); fflush(stdout); _exit(5);
    case 'b': launch(&bad, 0); return cudaDeviceSynchronize() == cudaErrorLaunchFailure ? 0 : 1;
    }
    return 99;
}
END
${CC:-cc} -w -iquote "$root/include" -idirafter "$root/include" -o "$work/app" "$work/app.c" -L"$home" -lcudart \
    -lpthread -Wl,-rpath,"$home"

fails=0
# check NAME ARG STATUS: runs it with a trace, output and messages in $work/NAME.out and .err
check() {
    st=0
    BANKSHOT_RECORD="$work/$1.bst" timeout 600 "$work/app" "$2" >"$work/$1.out" 2>"$work/$1.err" || st=$?
    if [ $st != "$3" ]; then
        echo "$1: exit status $st, not $3"
        cat "$work/$1.out" "$work/$1.err"
        fails=1
    fi
}
# launches NAME N: the trace has N launches; partial NAME: it says that it is not whole
launches() {
    "$bankshot" inspect "$work/$1.bst" >"$work/$1.txt" 2>&1 || true
    n=$(grep -c '^ *[0-9][0-9]* .*\(say\|bad\)' "$work/$1.txt" || true)
    if [ "$n" != "$2" ]; then
        echo "$1: $n launches in the trace, not $2"
        cat "$work/$1.txt"
        fails=1
    fi
}
is_partial() { grep -qi partial "$work/$1.txt"; }

check order o 0
printf 'one\nkernel\ntwo\nkernel\nthree\n' | cmp - "$work/order.out" || fails=1
launches order 2
! is_partial order || { echo "order: the trace is partial"; fails=1; }
sum=$(cksum <"$work/order.bst")
check order o 0 # a second program does not write over the trace of the first
[ "$sum" = "$(cksum <"$work/order.bst")" ] && grep -q 'is not recorded' "$work/order.err" || { echo "overwritten"; fails=1; }
check exit e 7
launches exit 1
! is_partial exit || { echo "exit: the trace is partial"; fails=1; }
check fork f 0
launches fork 2 # the child's is not there
! is_partial fork || { echo "fork: the trace is partial"; fails=1; }
check thread t 3
check quick q 5
launches quick 1
is_partial quick || { echo "quick: the trace does not say that it is partial"; fails=1; }

# A plug-in with device code, loaded and unloaded twice: one trace.
cat >"$work/loader.c" <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
    for (int i = 0; i < 2; i++) {
        void *lib = dlopen(PLUGIN, RTLD_NOW);
        int (*run)(int, char **) = lib ? (int (*)(int, char **))dlsym(lib, "plugin_main") : 0;
        if (!run || run(argc, argv) || dlclose(lib))
            return 1;
    }
    return 0;
}
END
${CC:-cc} -w -shared -fPIC -Dmain=plugin_main -iquote "$root/include" -idirafter "$root/include" -o "$work/plugin.so" \
    "$work/app.c" -L"$home" -lcudart -lpthread -Wl,-rpath,"$home"
mv "$work/app" "$work/first"
${CC:-cc} -w -DPLUGIN="\"$work/plugin.so\"" -o "$work/app" "$work/loader.c" -ldl
check plugin o 0
launches plugin 4
mv "$work/first" "$work/app"

check bad b 0
grep -q "kernel 'bad'" "$work/bad.err" || { echo "bad: no message"; fails=1; }
exit $fails
