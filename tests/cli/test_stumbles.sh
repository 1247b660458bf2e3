#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Command lines that a new user has stumbled over, and what they answer: nothing wrong is taken in silence. Usage: test_stumbles.sh BANKSHOT
. "$(dirname "$0")/frame.sh"
cd "$tmp" || exit 1
record_saxpy a.bst
lines() { "$bankshot" "$@" 2>&1 >/dev/null </dev/null; }

# ---- options ----
check "two --mech of run" 2 '--mech is given twice, as rba and as shuffle: .* as in rba,shuffle' run a.bst --mech rba --mech shuffle
check "two --gpu" 2 '--gpu is given twice, as volta and as fermi' run a.bst --gpu volta --gpu fermi
check "twice the same is no mistake" 0 'kernel cycles' run a.bst --gpu volta --gpu volta
check "two --mech of compare are two columns" 0 'rba' compare a.bst --mech base --mech rba
check "an empty --mech" 2 '--mech needs a value, and this one is empty' run a.bst --mech ""
check "an empty --set" 2 '--set needs a value' run a.bst --set ""
check "two --threads" 2 '--threads is given twice' run a.bst --threads 1 --threads 2
printf '[sm]\nbanks = 2\n[gpu]\nsms = 2\n[sm]\nBanks = 4\n' >own.ini
check "a key of a preset twice" 2 'own.ini:6: error: sm.Banks is there twice, before in line 2' run a.bst --gpu ./own.ini
check "a workload in capitals" 2 "unknown workload 'HOTSPOT'; did you mean 'hotspot'" run HOTSPOT:small
check "a mechanism in capitals" 2 "did you mean .?rba" run a.bst --mech RBA
"$bankshot" compare a.bst --mech base --db d.db >/dev/null 2>&1
check "a measure that is none" 2 '--measure nonsense: unknown measure' plot d.db --measure nonsense -o x.csv
check "a measure that is nearly one" 2 "did you mean 'kernel_cycles'" plot d.db --measure kernel_cycle -o x.csv

# ---- what is printed ----
check "L2 says hits, merged and missed" 0 'L2 +[0-9]+ sectors? read: [0-9.]+% hit, [0-9.]+% merged .*, [0-9.]+% missed$' run a.bst
"$bankshot" run a.bst | awk '/^L2 / { gsub("%", ""); s = 0; for (i = 1; i <= NF; i++) if ($i ~ /^[0-9.]+$/ && i > 4) s += $i;
    if (s < 99.7 || s > 100.3) exit 1 }' >out 2>&1
verdict "the three are all of them" "$([ $? = 0 ] && echo 1)"

# ---- what a GPU has not ----
cat >m.cu <<'END'
__global__ void tensor(float *d)
{
    float a = 0, b = 0, c = 0, e = 0;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%4,%4}, {%0,%1,%2,%3};"
                 : "+f"(a), "+f"(b), "+f"(c), "+f"(e) : "r"(0x3c003c00));
    d[threadIdx.x] = a + b + c + e;
}
int main() { float *d; cudaMalloc(&d, 128); tensor<<<1, 32>>>(d); return cudaDeviceSynchronize(); }
END
if ! "$bankshot" cc m.cu -o m >out 2>&1 || ! "$bankshot" record --quiet -o m.bst -- ./m >>out 2>&1; then
    echo "no program can be compiled here: $(tail -n 1 out)"
    exit 77
fi
for gpu in fermi maxwell; do
    check "mma.sync on $gpu" 0 'warning: tensor has instructions of class HMMA .* from compute capability 7.0 on' run m.bst --gpu $gpu
done
verdict "mma.sync on volta20, turing and hopper: not a word" \
    "$([ -z "$(lines run m.bst --gpu volta20)$(lines run m.bst --gpu turing)$(lines run m.bst --gpu hopper)" ] && echo 1)"
check "mma.sync in a comparison" 0 'warning: m.bst on fermi: tensor has instructions of class HMMA' compare m.bst --gpu fermi --mech base --mech rba
verdict "said once for all mechanisms" "$([ "$(lines compare m.bst --gpu fermi --mech base --mech rba | grep -c HMMA)" = 1 ] && echo 1)"
check "wgmma on volta20" 2 'class GMMA .* from compute capability 9.0 on and this one \(7.0\)' run gemm_wgmma:small --gpu volta20
verdict "wgmma on hopper: not a word" "$(truth sh -c "! '$bankshot' run gemm_wgmma:small --gpu hopper 2>&1 | grep -q capability")"
check "rfc on hopper runs, and its operands are right" 0 'every operand was the one' run m.bst --gpu hopper --mech rfc --check

# ---- launches that are refused ----
cat >l.cu <<'END'
template <int N> __global__ void k(int *p) { p[threadIdx.x] = N; }
__global__ void __launch_bounds__(64) small(int *p) { p[threadIdx.x] = 0; }
int main()
{
    int *p;
    cudaMalloc(&p, 4096);
    k<1><<<1, 2048>>>(p);
    k<1><<<1, 2048>>>(p);
    k<2><<<0, 32>>>(p);
    k<3><<<1, 32, 300 << 10>>>(p);
    k<4><<<1, 32>>>(p);
    k<5><<<dim3(1, 70000), 32>>>(p);
    small<<<1, 128>>>(p);
    return 0;
}
END
"$bankshot" cc l.cu -o l >out 2>&1
./l 2>told >/dev/null
told() { verdict "$1" "$([ "$(grep -Ec -- "$2" told)" = 1 ] && echo 1)"; }
cp told out
told "2,048 threads, once" "kernel 'k<1>' is not launched: its block 2048,1,1 has 2048 threads"
told "an empty grid" "kernel 'k<2>' is not launched: its grid 0,1,1 is empty"
told "300 KiB of shared memory" "kernel 'k<3>' is not launched: it asks for 307200 bytes of shared memory"
told "a grid that is too large" "kernel 'k<5>' is not launched: its grid 1,70000,1 is larger than"
told "launch bounds" "kernel 'small' is not launched: its block has 128 threads, and its __launch_bounds__ are 64"
verdict "nothing of the one that is fine" "$(truth sh -c '! grep "k<4>" told')"
verdict "told not to" "$([ -z "$(BANKSHOT_QUIET=1 ./l 2>&1)" ] && echo 1)"
verdict "record --quiet" "$(truth sh -c "! '$bankshot' record --quiet -o l.bst -- ./l 2>&1 | grep 'not launched'")"

# ---- sources and programs where a trace is expected ----
check "run of a source" 2 'm.cu is CUDA source, no trace: bankshot cc m.cu -o m && bankshot record -o m.bst -- ./m, then m.bst' run m.cu
check "run of a program: recorded first" 0 'kernel cycles' run ./m --gpu volta20
check "compare of a source" 2 'm.cu is CUDA source' compare m.cu --mech base
check "run of a file that is neither" 2 'own.ini' run ./own.ini
check "run of nothing" 2 'No such file' run ./none.cu

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
