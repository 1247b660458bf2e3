#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot cc: words of nvcc's command line that mean more than they say. Usage: test_cc_words.sh BANKSHOT
set -u
. "$(dirname "$0")/cc_frame.sh"

# Device code of -G: multiplications and additions stay apart, as nvcc's do whatever -fmad says.
cat >debug.cu <<'END'
extern "C" __global__ void k(float *a, double *d, float b)
{
    a[0] = a[0] * b + a[1];
    d[0] = d[0] * d[1] + d[2];
    a[2] = fmaf(a[2], b, a[3]);
}
END
fused() { # WORDS...: how often the PTX says so, for float and for double
    "$bankshot" cc "$@" -ptx debug.cu -o debug.ptx 2>out && echo "$(grep -c 'fma.*f32' debug.ptx) $(grep -c 'fma.*f64' debug.ptx)"
}
sh_ok "-G" test "$(fused -G)" = '1 0'
sh_ok "-G -fmad=true" test "$(fused -G -fmad=true)" = '1 0'
sh_ok "-G -use_fast_math" test "$(fused -G -use_fast_math)" = '1 0'
sh_ok "without -G" test "$(fused)" = '2 1'
sh_ok "-G -dopt=on" test "$(fused -G -dopt=on)" = '2 1'

# Lists and quotes, as nvcc splits them.
cat >args.cu <<'END'
#include <cstdio>
#define S_(...) #__VA_ARGS__
#define S(...) S_(__VA_ARGS__)
__global__ void k(int *p) { *p = A; }
int main() { printf("%s|%s|%s|%s\n", S(A), S(B), S(C), S(D)); }
END
runs "-Xcompiler with spaces" -Xcompiler "-DA=1 -O1  -DB=2" -DC -DD args.cu -o app -- ./app '1|2|1|1'
runs "-Xcompiler with commas" -Xcompiler=-DA=1,-DB=2 -DC,D args.cu -o app -- ./app '1|2|1|1'
runs "-Xcompiler with quotes" -Xcompiler '"-DA=1 + 1",-DB="2,3",-DC=4\,5' '-DD="x y"' args.cu -o app -- ./app '1 + 1|2,3|4,5|"x y"'
runs "-Xcompiler with strings" -DA=1 -Xcompiler "'-DB=\"a,b\"'" -Xcompiler '-DC=\\\"c\\\"' '-DD=\"d\"' args.cu -o app -- ./app '1|"a,b"|"c"|"d"'
printf '%s\n' '-DA=1 "-DB=b c"' '@"more options"' >options
printf '%s\n' "-DC='c d'" >'more options'
runs "files of options" --options-file options -optf=/dev/null,/dev/null -DD args.cu -o app -- ./app '1|b c|c d|1'
runs "@file" @options -DD args.cu -o app -- ./app '1|b c|c d|1'
printf '@loop' >loop
check "files of options in a circle" 2 'loop: files of options name one another' @loop
check "no such file of options" 2 'nowhere: No such file' -optf nowhere
check "-optf alone" 2 '-optf needs a value' args.cu -optf
mkdir 'with space' one two
echo '#define A 7' >'with space/a.h'
echo '#define B 8' >two/b.h
runs "-I with a space, -I with several" -I 'with space' -Ione,two -include a.h,b.h -DC -DD args.cu -o app -- ./app '7|8|1|1'

# Folders of results, and libraries.
mkdir out_dir
check "-odir" 0 '' -odir out_dir -c -MD main.cu part.cu
sh_ok "objects there" test -f out_dir/main.o -a -f out_dir/part.o
sh_ok "dependencies too" grep -q '^out_dir/main.o: main.cu' out_dir/main.d
check "-odir with -o" 0 '' --output-directory=out_dir -ptx main.cu -o here.ptx
sh_ok "-o is where it says" test -f here.ptx
check "-lib" 0 '' -lib part.cu plain.c -o libboth.a
check "-lib again" 0 '' -lib part.cu plain.c -o libboth.a
sh_ok "holds objects once" test "$(ar t libboth.a | wc -l)" = 2
runs "links with it" main.cu libboth.a -o app -- ./app 'sum 1024 '

# OpenMP, with clang's library whatever the words are.
cat >omp.cu <<'END'
#include <cstdio>
#include <omp.h>
__global__ void k(int *p) { *p = 1; }
int main()
{
    int n = 0;
#pragma omp parallel num_threads(3) reduction(+ : n)
    n += omp_get_num_threads();
    printf("%d %d\n", n, _OPENMP > 0);
}
END
runs "-Xcompiler -fopenmp" -Xcompiler -fopenmp omp.cu -o app -- ./app '9 1'
runs "-fopenmp" -fopenmp omp.cu -o app -- ./app '9 1'
check "-fopenmp -c" 0 '' -Xcompiler -fopenmp -c omp.cu
runs "-lgomp" omp.o -lgomp -o app -- ./app '9 1'
cat >no_omp <<'END'
#!/bin/sh
case $1 in
-dumpversion) echo 19.1.7 ;;
-print-file-name=*) echo "${1#*=}" ;;
esac
END
chmod +x no_omp
BANKSHOT_CLANG=$tmp/no_omp
export BANKSHOT_CLANG
check "no OpenMP" 2 '-fopenmp: .*/no_omp has no OpenMP; as root: apt-get install libomp-19-dev' -fopenmp omp.cu -o app
unset BANKSHOT_CLANG

# The standard that nvcc 12 still takes.
cat >old.cu <<'END'
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <curand_kernel.h>
#include <vector>
__global__ void k(float *p, uchar4 *q, half2 h) { *p = sinf(__low2float(h)) + __ldcg(q).x; }
int main()
{
    std::vector<std::vector<int> > v(3);
    dim3 d(3);
    uint3 u = d;
    printf("%ld %d\n", (long)__cplusplus, (int)v.size() + (int)u.x);
}
END
runs "-std=c++03" -std=c++03 old.cu -o app -- ./app '199711 6'
# Pairs of 16-bit numbers take braces wherever nvcc lets them.
cat >braces.cu <<'END'
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
struct both { half2 h; __nv_bfloat162 b; };
__host__ __device__ half2 zero() { return {}; }
__device__ half2 global[2] = {};
template <class P, class T> __host__ __device__ float sum(P *p, T one)
{
    P a = {}, b{}, c = {one, one}, d[2] = {{one, one}};
    p[0] = {};
    p[1] = {one, one};
    p[2] = a;
    p[3] = b;
    return (float)p[0].x + (float)p[1].y + (float)p[2].x + (float)p[3].y + (float)c.x + (float)d[0].x + (float)d[1].y;
}
__host__ __device__ float all(both *s)
{
    half2 h[4];
    __nv_bfloat162 b[4];
    s[0] = {};
    h[0] = __half2_raw();
    h[0] = zero();
    return sum(h, __half(1.0f)) + sum(b, __nv_bfloat16(2.0f)) + (float)s[0].h.x;
}
__global__ void k(float *p, both *s) { *p = all(s) + (float)global[1].x; }
int main()
{
    both one, *s;
    float *p;
    cudaMallocManaged(&p, sizeof *p);
    cudaMalloc(&s, sizeof *s);
    k<<<1, 1>>>(p, s);
    cudaDeviceSynchronize();
    printf("%g %g\n", *p, all(&one));
}
END
runs "braces" braces.cu -o app -- ./app '9 9'
# What nvcc refuses of its atomic functions.
refused() { # NAME PATTERN STATEMENT
    echo "__global__ void k(int *p, float *f, short *s, long long *l, int4 *q) { $3 }" >atomic.cu
    check "$1" 2 "$2" -ptx atomic.cu
}
refused "order of a load" "atomic load's memory order cannot be release" '*p = __nv_atomic_load_n(p, __NV_ATOMIC_RELEASE);'
refused "order of a store" "atomic store's memory order cannot be consume" '__nv_atomic_store_n(p, 1, __NV_ATOMIC_ACQUIRE);'
refused "_n on a float" 'valid only on integral types' '*f = __nv_atomic_load_n(f, __NV_ATOMIC_RELAXED);'
refused "exchange of 2 bytes" 'only on objects of 4 or 8 bytes' '*s = __nv_atomic_exchange_n(s, 1, __NV_ATOMIC_RELAXED);'
refused "sum of signed 64 bits" "no matching function for call to '__nv_atomic_fetch_add'" '*l = __nv_atomic_fetch_add(l, 1, __NV_ATOMIC_RELAXED);'
refused "minimum of float" "no matching function for call to '__nv_atomic_min'" '__nv_atomic_min(f, 1.0f, __NV_ATOMIC_RELAXED);'
# Words of nvcc that have no meaning here, or another.
check "accepted" 0 '' -c plain.c -t0 -ewp -jtd 3 -Ofc 0 -compress-mode=size -brief-diag=true -noeh -time times.csv -fdevice-time-trace=- \
    -Werror=all-warnings,reorder -Werror cross-execution-space-call,reorder -Wmissing-launch-bounds -Wdefault-stream-launch -ldir / \
    -opt-info inline -ftemplate-depth 900 -ftemplate-backtrace-limit=5 -pg -split-compile-extended 2 -arbin ar -nohdinitlist -link
check "dependencies of PTX" 0 '' -ptx -MD -MP -MT made main.cu
sh_ok "with their target" grep -q '^made: main.cu' main.d
check "link-time optimisation" 2 '-lto is not supported: device code is linked when the program runs' -lto main.cu
check "machine code" 2 '-cubin is not supported: .*; -ptx writes PTX' -cubin main.cu
check "no level" 2 '-O-c: expected 0 to 3' -O -c main.cu
check "architectures" 0 '^compute_80$' --list-gpu-arch
check "machines" 0 '^sm_90$' --list-gpu-code
check "all of Hopper" 0 '^sm_90a$' --list-gpu-code
cat >arch.cu <<'EOF'
__global__ void k(int *o)
{
#ifdef __CUDA_ARCH_FEAT_SM90_ALL
    o[0] = 1;
#endif
#ifdef __CUDA_ARCH__
    o[1] = __CUDA_ARCH__;
#endif
    asm volatile("fence.proxy.async;");
}
EOF
check "sm_90a" 0 '' -ptx -gencode arch=compute_90a,code=sm_90a arch.cu
sh_ok "its target" grep -q '^\.target sm_90a' arch.ptx
sh_ok "its features" sh -c '[ $(grep -c st.global.u32 arch.ptx) = 2 ]'
sh_ok "its number" grep -q 'mov.*, 900;' arch.ptx
cat >sizes.cuh <<'EOF'
#define SIZE(n) __cluster_dims__(n, 2)
EOF
cat >cluster.cu <<'EOF'
#include "sizes.cuh"
template <int N> __global__ void SIZE(N) k(int *p) { *p = N; }
template __global__ void k<4>(int *);
extern "C" __global__ void plain(int *p) { *p = 1; }
EOF
check "clusters" 0 '' -ptx -arch=sm_90 cluster.cu
sh_ok "their size" sh -c '[ "$(grep -A9 "entry _Z1kILi4E" cluster.ptx | grep -c "^.reqnctapercluster 4, 2, 1")" = 1 ]'
sh_ok "of one kernel" sh -c '[ $(grep -c cluster cluster.ptx) -ge 2 ] && [ $(grep -c "^.reqnctapercluster" cluster.ptx) = 1 ]'
check "clusters and dependencies" 0 '' -ptx -arch=sm_90 -MD cluster.cu
sh_ok "both" sh -c 'grep -q "^.reqnctapercluster 4, 2, 1" cluster.ptx && grep -q sizes.cuh cluster.d'
check "sm_90" 0 '' -ptx -arch=sm_90 arch.cu
check "the device'\''s own" 0 '' -ptx -arch=native -o native.ptx arch.cu
sh_ok "is that" cmp arch.ptx native.ptx
sh_ok "without a letter" grep -q '^\.target sm_90$' arch.ptx
sh_ok "without them" sh -c '[ $(grep -c st.global.u32 arch.ptx) = 1 ]'
check "the version" 0 'nvcc: NVIDIA \(R\) Cuda compiler driver' --version
check "of CUDA" 0 'release 12.8, V12.8.0$' -V

echo "test_cc_words: $passed passed, $failed failed"
[ $failed = 0 ]
