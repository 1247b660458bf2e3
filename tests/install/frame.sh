# SPDX-License-Identifier: Apache-2.0
# What the tests of an installation share: a folder $tmp/else with a CUDA program in it, and what an installed Bankshot must be able
# to do there.
. "$here/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
build=$(dirname "$bankshot")
if nm -D "$build/lib/bankshot/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    echo "skipped: programs without a sanitizer cannot load libraries with one"
    exit 0
fi
mkdir "$tmp/else"
cat >"$tmp/else/twice.cu" <<'END'
#include <cstdio>
#include <cmath>
__global__ void twice(float *p) { p[threadIdx.x] = sinf(0) + 2 * threadIdx.x; }
int main()
{
    float *p, h[64];
    cudaMalloc(&p, sizeof h);
    twice<<<1, 64>>>(p);
    cudaMemcpy(h, p, sizeof h, cudaMemcpyDeviceToHost);
    printf("twice: %s\n", h[63] == 126 ? "PASS" : "FAIL");
}
END
# What a newcomer does with it, for `sh`, in a folder of any place: bankshot is in PATH, nothing else is known.
cat >"$tmp/else/newcomer.sh" <<'END'
set -eu
export BANKSHOT_CACHE=$PWD/cache
bankshot cc twice.cu -o twice
./twice
bankshot record -o twice.bst -- ./twice 2>&1
bankshot run twice.bst --gpu hopper --check | head -n 2
bankshot run bank2:small --gpu volta --mech rba --quiet | head -n 2
bankshot list mechs | grep -c regless
END

# newcomer NAME COMMAND...: runs newcomer.sh by that command and looks at what it says.
newcomer() {
    name=$1
    shift
    "$@" >"$tmp/out" 2>&1
    verdict "$name ends well" "$([ $? = 0 ] && echo 1)"
    for said in '^twice: PASS$' 'twice\.bst: 1 launch' '^twice\.bst on hopper$' '^bank2:small on volta with rba' '^[0-9]+ kernel cycles' '^2$'; do
        verdict "$name says $said" "$(grep -Eq "$said" "$tmp/out" && echo 1)"
    done
}
