#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The precompiled headers of bankshot cc: the code is the same as without them, and they are not used where they would not be right.
# Usage: test_cc_headers.sh BANKSHOT
set -u
. "$(dirname "$0")/cc_frame.sh"

cat >one.cu <<'END'
#include <cstdio>
#include <cmath>
#ifndef SIZE
#define SIZE 64
#endif
__device__ float twice(float x) { return __shfl_xor_sync(~0u, x, 1) + sinf(x); }
__global__ void k(float4 *p, int *n)
{
    float4 v = p[threadIdx.x];
    v.x = twice(v.y) * __ldg(&p[0].z);
    p[threadIdx.x] = v;
    atomicAdd(n, SIZE);
}
int main()
{
    int *n;
    float4 *p;
    cudaMallocManaged(&n, sizeof *n);
    cudaMallocManaged(&p, SIZE * sizeof *p);
    *n = 0;
    k<<<1, 64>>>(p, n);
    cudaDeviceSynchronize();
    printf("sum %d\n", *n);
    return !(std::fabs(*n - 64. * SIZE) < 1);
}
END

cache=$tmp/cache
with() { BANKSHOT_CACHE=$cache "$bankshot" cc "$@" >out 2>&1; }
without() { env -u HOME -u XDG_CACHE_HOME -u BANKSHOT_CACHE "$bankshot" cc "$@" >out 2>&1; }
kept() { find "$cache/headers" -name '*.pch' | wc -l; }
uses() { with -v "$@" && [ "$(grep -c -e '-include-pch' out)" -ge 1 ]; }
reads() { with -v "$@" && [ "$(grep -c -e '-include-pch' out)" = 0 ]; }

sh_ok "without a folder for them" without one.cu -o plain
sh_ok "with one" with one.cu -o first
sh_ok "one for each pass" [ "$(kept)" = 2 ]
find "$cache/headers" -type f -exec stat -c '%n %Y %s' {} + | sort >before
sh_ok "both use them" uses one.cu -o second
cp out said
sh_ok "twice" [ "$(grep -c -e '-include-pch' said)" = 2 ]
find "$cache/headers" -type f -exec stat -c '%n %Y %s' {} + | sort >after
sh_ok "nothing was made again" cmp before after
sh_ok "the program" ./second

for options in "-G -g" "-use_fast_math -std=c++14 -DSIZE=16 -UOTHER -lineinfo -Xcompiler -Wall,-Werror"; do
    # shellcheck disable=SC2086
    without $options -c --keep one.cu -o without.o && mv one.ptx without.ptx && with $options -c --keep one.cu -o with.o
    sh_ok "the same code, $options" cmp without.ptx one.ptx
    sh_ok "the same object, $options" cmp without.o with.o
done
sh_ok "macros of the user's need none of their own" sh -c "[ $(kept) -le 5 ]"

# Where the header would say something else.
mkdir -p mine empty
echo '#error mine' >mine/math.h
sh_ok "a folder of the user's" uses -ptx -I empty -isystem empty one.cu -o app.ptx
with -Imine one.cu -o app
cp out said
sh_ok "a folder with a header of the same name" grep -q '#error mine' said
rm mine/math.h
sh_ok "and without it" uses -Imine one.cu -o app
sh_ok "a macro of the library's" reads -ptx -D_GLIBCXX_ASSERTIONS one.cu -o app.ptx
sh_ok "a macro of CUDA's" reads -ptx -DCUDA_NOTHING=1 one.cu -o app.ptx
sh_ok "a macro in small letters" reads -ptx -Dlittle=3 one.cu -o app.ptx
echo '#define SIZE 32' >before.h
sh_ok "a header before all others" reads -ptx -include before.h one.cu -o app.ptx
echo '#error here' >cuda_runtime.h
with one.cu -o app
cp out said
sh_ok "a header of the same name here" grep -q '#error here' said
rm cuda_runtime.h
sh_ok "C++20, in which clang merges host and device functions" reads -ptx -std=c++20 one.cu -o app.ptx
sh_ok "debug information of the host's" uses -g one.cu -o app
cp out said
sh_ok "... in the device pass alone" [ "$(grep -c -e '-include-pch' said)" = 1 ]
sh_ok "a rule of dependencies: in the device pass alone" uses -c -MMD one.cu -o app.o
cp out said
sh_ok "... once" [ "$(grep -c -e '-include-pch' said)" = 1 ]
sh_ok "... which names what is the user's" [ "$(cat app.d)" = "app.o: one.cu" ]
sh_ok "-rdc=true, whose options name the source" reads -ptx -rdc=true one.cu -o app.ptx
sh_ok "only shown" sh -c "BANKSHOT_CACHE=$tmp/none '$bankshot' cc -dryrun one.cu >shown 2>&1 && ! [ -e '$tmp/none' ] && ! grep -q include-pch shown"

# An installation of its own, whose header changes.
mkdir own
cp -rL "$(dirname "$bankshot")/lib/bankshot/." own/
BANKSHOT_HOME=$tmp/own
export BANKSHOT_HOME
sh_ok "another installation" uses -ptx one.cu -o app.ptx
echo '#define SIZE 80' >>own/include/host_defines.h
sh_ok "a header that changed" sh -c "BANKSHOT_CACHE=$cache '$bankshot' cc one.cu -o app && ./app | grep -q 'sum 5120'"
unset BANKSHOT_HOME

# What stands in the folder may be anything.
for f in "$cache"/headers/*.pch; do head -c 100000 "$f" >cut && cat cut >"$f"; done
sh_ok "files that were cut" uses -ptx one.cu -o app.ptx
for f in "$cache"/headers/*.pch; do printf X | dd of="$f" bs=1 seek=200000 conv=notrunc 2>/dev/null; done
sh_ok "a byte that changed" uses -ptx one.cu -o app.ptx
for f in "$cache"/headers/*.d; do echo nonsense >"$f"; done
sh_ok "rules that are none" uses -ptx one.cu -o app.ptx
rm "$cache"/headers/*.d
sh_ok "rules that are gone" uses -ptx one.cu -o app.ptx
rm -r "$cache/headers"
echo none >"$cache/headers"
sh_ok "a file in the folder's place" reads -ptx one.cu -o app.ptx
rm "$cache/headers"
for i in 1 2; do with one.cu -o "app$i" & done
wait
sh_ok "two at once" sh -c './app1 && ./app2'
sh_ok "nothing else is left" sh -c "[ \"\$(find '$cache/headers' -type f | wc -l)\" = 4 ]"
printf 'int main() { return x; }\n' >bad.cu
with bad.cu -o app
cp out said
sh_ok "a mistake is told once" [ "$(grep -c 'undeclared identifier' said)" = 1 ]
i=0
while [ $i -lt 60 ]; do : >"$cache/headers/old$i.pch" && touch -d '2001-01-01' "$cache/headers/old$i.pch" && i=$((i + 1)); done
with -ptx -std=c++14 one.cu -o app.ptx
sh_ok "the oldest go" sh -c "[ \"\$(find '$cache/headers' -type f | wc -l)\" = 48 ]"
sh_ok "and not what is used" uses -ptx -std=c++14 one.cu -o app.ptx
echo "test_cc_headers: $passed passed, $failed failed"
[ $failed = 0 ]
