#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# bankshot cc: options, several files, objects, messages, what it leaves behind. Usage: test_cc.sh BANKSHOT
set -u
. "$(dirname "$0")/cc_frame.sh"

# Building.
runs "three files" main.cu part.cu plain.c -o app -- ./app 'sum 1024 '
runs "words of nvcc" --define-macro FACTOR=3 -arch=sm_70 -gencode arch=compute_80,code=sm_80 -O3 -lineinfo \
    --ptxas-options=-v -Xcompiler -Wall,-O1 -rdc=true -lcudart -lcudadevrt -lm -lcuda --expt-relaxed-constexpr -Xptxas -O3 \
    main.cu part.cu plain.c --output-file app -- ./app 'sum 1520 '
check "to objects" 0 '' -c main.cu part.cu plain.c
runs "from objects" main.o part.o plain.o -o app -- ./app 'sum 1024 '
ar rc libpart.a part.o plain.o
runs "from a library" main.o -L . -lpart -o app -- ./app 'sum 1024 '
check "shared library" 0 '' -shared part.cu plain.c -o libboth.so
runs "with a shared library" main.cu -L. -lboth -Xlinker -rpath=. -o app -- ./app 'sum 1024 '
mkdir 'a b'
cp main.cu "a b/it's main.cu"
cp part.h part.cu plain.c 'a b'
runs "names with spaces" "a b/it's main.cu" 'a b/part.cu' 'a b/plain.c' -o 'a b/the app' -- 'a b/the app' 'sum 1024 '
mkdir inc
mv part.h inc
check "header not found" 2 "'part.h' file not found" main.cu -o app
cp main.cu source
runs "-x cu, debug of device code, old standard" -G -g -std=c++14 -Iinc -x cu source part.cu -x c plain.c -o app -- ./app 'sum 1024 '
runs "fast arithmetic, -isystem" -use_fast_math -ftz=true -prec-div=false -fmad=false -isystem inc main.cu part.cu plain.o \
    -o app -- ./app 'sum 1024 '

runs "the thread's own stream" --default-stream per-thread -isystem inc main.cu part.o plain.c -o app -- ./app 'sum 1024 '
# As after installation: the program in bin, the rest in lib, reached through a link.
mkdir -p root/bin root/lib
cp "$bankshot" root/bin/bankshot
ln -s "$(dirname "$bankshot")/lib/bankshot" root/lib/bankshot
ln -s root/bin/bankshot linked
built=$bankshot
bankshot=$tmp/linked
runs "installed" main.o part.o plain.o -o app -- ./app 'sum 1024 '
bankshot=$built

# Parts of the work.
check "-ptx" 0 '' -I inc -ptx main.cu
sh_ok "PTX is there" grep -q '\.visible \.entry\|\.entry' main.ptx
if [ "$("$bankshot" cc --dryrun -ptx main.cu 2>&1 | grep -o '+ptx.*-S' | tr -cd 0-9)" = 83 ]; then
    sh_ok "of the version that was asked for" grep -q '^\.version 8\.3' main.ptx
fi
check "--keep" 0 '' -I inc --keep -c part.cu -o kept.o
sh_ok "kept PTX" test -f part.ptx
check "-maxrregcount" 0 '' -I inc -ptx -maxrregcount=20 main.cu -o bound.ptx
sh_ok "the bound is in the PTX" grep -q '^\.maxnreg 20' bound.ptx
cat >wide.cu <<'END'
struct __align__(16) pair { float4 a, b; };
extern "C" __global__ void wide(pair *to, const pair *from, double *sum)
{
    __shared__ float4 tile[32];
    int i = threadIdx.x;
    tile[i] = from[i].b;
    to[i] = from[i];
    __syncthreads();
    to[i + 1].a = tile[31 - i];
    float4 held = from[i + 3].a;
    to[i + 2].b = held;
    sum[i] = sum[i] * 2 + 1;
}
END
check "copies of structures" 0 '' -ptx -lineinfo wide.cu
sh_ok "are as wide as can be" test "$(grep -c 'ld\..*v4' wide.ptx) $(grep -c 'st\..*v4' wide.ptx) $(grep -c 'u64.*\[%r' wide.ptx)" = '4 5 0'
sh_ok "multiplications and additions stay joined" grep -q 'fma.rn.f64' wide.ptx
check "... or not" 0 '' -fmad=false -ptx wide.cu
sh_ok "are apart" grep -q 'add.*f64' wide.ptx
sh_ok "execute" "$bankshot" inspect wide.ptx
cat >abstract.cu <<'END'
struct base { __device__ virtual int f() = 0; };
struct derived : base { __device__ int f() override { return 3; } };
__device__ base *made;
__global__ void k(int *p) { made = new derived; *p = made->f(); }
END
check "abstract classes without optimisation" 0 '' -G -c abstract.cu
check "-E" 0 'static .*void scale' -I inc -E part.cu
check "-MD" 0 '' -I inc -c -MD main.cu -o dep.o
sh_ok "dependencies" grep -q '^dep.o:.*main.cu' dep.d
sh_ok "dependencies: headers of this installation" grep -q '/include/cuda_runtime.h' dep.d
check "-M" 0 'part.o:.*part.cu' -I inc -M part.cu
check "dry run" 0 "cuda-device-only.*" --dry-run -I inc main.cu -o nothing
sh_ok "a dry run makes nothing" test ! -e nothing
check "verbose" 0 '-lcudart' -v -I inc main.cu part.cu plain.c -o app

# The user's mistakes.
check "no file" 2 'FILE.cu is missing' -o app
check "missing file" 2 'nowhere.cu: No such file' nowhere.cu -o app
check "unknown option" 2 'unknown option -archh=sm_80; did you mean -arch\?' -archh=sm_80 main.cu
check "far option" 2 'unknown option --frobnicate; see bankshot cc --help' --frobnicate main.cu
check "missing value" 2 '-o needs a value' main.cu -o
check "bad architecture" 2 'expected sm_NN' -arch=fast main.cu
check "bad truth" 2 'expected true or false' -ftz=maybe main.cu
check "bad language" 2 'expected cu, c or c\+\+' -x fortran main.cu
check "flag with value" 2 'takes no value' -lineinfo=3 main.cu
check "-o for many" 2 'one name for the results of several files' -c main.cu part.cu -o x.o
check "32 bits" 2 '-m32 is not supported' -m32 main.cu
check "help" 0 'usage: bankshot cc FILE' --help
cat >bad.cu <<'END'
__global__ void k(int *p) { *p = undeclared; }
END
check "error in device code" 2 'bad.cu:1:34: error: use of undeclared identifier' bad.cu -o app
cat >across.cu <<'END'
extern __device__ int elsewhere(int);
extern __device__ int variable;
__global__ void k(int *p) { *p = elsewhere(*p) + variable; }
END
check "device code of another file" 2 "uses '_Z9elsewherei', which the file does not define; with -rdc=true" -c across.cu
check "device variable of another file" 2 "uses 'variable', which the file does not define" -c across.cu
check "device link of everything" 2 '-dlto is not supported: device code is linked when the program runs' -dlto across.cu
check "bad rdc" 2 '-rdc=maybe: expected true or false' -rdc=maybe across.cu
cat >parallel.cu <<'END'
__global__ void child(int *p) { *p = 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
END
check "dynamic parallelism" 2 "parallel.cu:2:34: error: reference to __global__ function 'child' in __global__ function" -rdc=true -c parallel.cu
cat >unresolved.cu <<'END'
void nobody();
int main() { nobody(); }
END
check "unresolved function" 2 'undefined reference to .*nobody' unresolved.cu -o app
check "a library of the toolkit" 2 'note: -lcufft is left out' unresolved.cu -lcufft -o app
BANKSHOT_CLANG=/nowhere/clang
export BANKSHOT_CLANG
check "no such clang" 2 'BANKSHOT_CLANG=/nowhere/clang: no such program' main.cu -o app
BANKSHOT_CLANG=true
check "not a clang" 2 'is not a clang of version 14 or later' main.cu -o app
unset BANKSHOT_CLANG
BANKSHOT_HOME=$tmp/inc
export BANKSHOT_HOME
check "no headers" 2 'inc/include/cuda_runtime.h is missing' main.cu -o app
BANKSHOT_HOME=$tmp/nowhere
check "no home" 2 'BANKSHOT_HOME=.*nowhere: no such folder' main.cu -o app
unset BANKSHOT_HOME
PATH_WAS=$PATH
PATH=$tmp
check_without_clang() { "$bankshot" cc -I inc main.cu -o app; }
check_without_clang >out 2>&1 </dev/null
got=$?
PATH=$PATH_WAS
if [ $got = 2 ] && grep -q 'apt-get install clang-19' out; then
    passed=$((passed + 1))
else
    fail "no clang at all: status $got"
fi

# Two at a time, into one folder, with files of the same names.
for i in 1 2; do
    "$bankshot" cc -DFACTOR=$i -I inc main.cu part.o plain.c -o par$i >par$i.out 2>&1 &
done
wait
sh_ok "at the same time" test "$(LD_PRELOAD=$preload ./par1)$(LD_PRELOAD=$preload ./par2)" = 'sum 528 sum 1024 '

# Ended from outside: nothing stays.
cat >slow.cu <<'END'
template <int n> struct deep { static const long v = deep<n - 1>::v + deep<n - 2>::v % 7; };
template <> struct deep<0> { static const long v = 1; };
template <> struct deep<-1> { static const long v = 1; };
#define A(i) deep<800>::v +
int main() { return A(1) A(2) 0; }
END
"$bankshot" cc slow.cu -o slow >out 2>&1 &
pid=$!
sleep 0.3
kill -TERM $pid 2>/dev/null
wait $pid 2>/dev/null
if [ -z "$(ls temp)" ]; then passed=$((passed + 1)); else fail "ended from outside: left $(ls temp)"; fi

echo "test_cc: $passed passed, $failed failed"
[ $failed = 0 ]
