#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Device code across files: bankshot cc -rdc=true, by objects, by a library, by a device link; what is missing or there twice.
. "$(dirname "$0")/cc_frame.sh"
cp "$here"/rdc/* .
expected='use 126
add 42
fill 61, counter 101, own 100'

# runs NAME PROGRAM
runs() {
    if LD_PRELOAD=$preload "$2" >out 2>&1 && [ "$(cat out)" = "$expected" ]; then
        passed=$((passed + 1))
    else
        fail "$1"
    fi
}

check "two files at once" 0 '' -rdc=true main.cu part.cu -o once
runs "two files at once" ./once
check "objects" 0 '' -dc main.cu part.cu
check "device link" 0 '' -dlink main.o part.o -o link.o
check "linked" 0 '' part.o main.o link.o -o linked
runs "objects, in another order" ./linked
check "library" 0 '' -lib -rdc=true part.cu -o libpart.a
check "linked with the library" 0 '' -rdc=true main.cu -L. -lpart -o with_library
runs "library" ./with_library

cat >missing.cu <<'END'
extern __device__ int nowhere(int), gone;
__global__ void calls(int *p) { *p = nowhere(1); }
__global__ void reads(int *p) { *p = gone; }
int main() { return calls<<<1, 1>>>(nullptr), cudaGetLastError() != cudaSuccess; }
END
check "missing" 0 '' -rdc=true missing.cu -o missing
LD_PRELOAD=$preload ./missing >out 2>&1 && fail "missing: it runs"
grep -q "variable 'gone' is declared but not defined" out && passed=$((passed + 1)) || fail "missing variable"
sed '/reads/d; s/, gone//' missing.cu >function.cu
check "missing function" 0 '' -rdc=true function.cu -o function
LD_PRELOAD=$preload ./function >out 2>&1 && fail "missing function: it runs"
grep -q "function '_Z7nowherei' is declared but not defined" out && passed=$((passed + 1)) || fail "missing function"

echo "test_rdc: $passed passed, $failed failed"
[ $failed = 0 ]
