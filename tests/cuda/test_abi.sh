#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The headers in include/ against NVIDIA's of CUDA 13, where those are installed: the number of every enumerator, size and
# offsets of every structure, the parameters of every function. What differs on purpose, because ours are of CUDA 12.8, is
# listed here by name; anything else that differs fails, and so does a name of the lists that does not differ any more.
set -u
here=$(cd "$(dirname "$0")/../.." && pwd)
ours=$here/include
theirs=
for d in "${CUDA_HOME:-/nonexistent}" /usr/local/cuda; do
    if grep -q 'define CUDART_VERSION *13' "$d/include/cuda_runtime_api.h" 2>/dev/null; then
        theirs=$d/include
        break
    fi
done
if [ -z "$theirs" ] || ! command -v gcc >/dev/null; then
    echo "abi: no CUDA 13 headers here, nothing compared"
    exit 0
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
fail=0

# Enumerators that CUDA 13 dropped or gave another name.
gone_enums='cudaDevAttrCooperativeMultiDeviceLaunch cudaDevAttrMax CU_TARGET_COMPUTE_101
cudaKeyValuePair cudaCSV'
# Structures of CUDA 11 and 12 only; structures that CUDA 13 made longer; one that lost members (src/cudart/versions/abi.h).
gone_structs='textureReference surfaceReference cudaLaunchParams'
longer_structs='cudaResourceDesc cudaResourceViewDesc cudaPointerAttributes cudaExternalMemoryHandleDesc
cudaExternalMemoryBufferDesc cudaExternalMemoryMipmappedArrayDesc cudaExternalSemaphoreHandleDesc cudaChildGraphNodeParams'
changed_structs='cudaDeviceProp'
# Functions of CUDA 11 and 12 only.
gone_functions='cudaThreadExit cudaThreadSynchronize cudaThreadSetLimit cudaThreadGetLimit cudaThreadSetCacheConfig
cudaThreadGetCacheConfig cudaSetDoubleForDevice cudaSetDoubleForHost cudaProfilerInitialize cudaBindTexture
cudaBindTexture2D cudaBindTextureToArray cudaBindTextureToMipmappedArray cudaUnbindTexture
cudaGetTextureAlignmentOffset cudaGetTextureReference cudaBindSurfaceToArray cudaGetSurfaceReference
cudaLaunchCooperativeKernelMultiDevice
cudaGetDeviceProperties_v2 cudaEventElapsedTime_v2 cudaStreamGetCaptureInfo_v2 cudaStreamGetCaptureInfo_v3
cudaStreamUpdateCaptureDependencies_v2 cudaMemPrefetchAsync_v2 cudaMemAdvise_v2 cudaGraphAddNode_v2
cudaGraphGetEdges_v2 cudaGraphNodeGetDependencies_v2 cudaGraphNodeGetDependentNodes_v2
cudaGraphAddDependencies_v2 cudaGraphRemoveDependencies_v2
cudaSignalExternalSemaphoresAsync_v2 cudaWaitExternalSemaphoresAsync_v2
cuCtxCreate_v2 cuDeviceGetUuid cuMemAdvise cuMemPrefetchAsync
__cudaPushCallConfiguration __cudaPopCallConfiguration'
# Functions whose plain name has other parameters in CUDA 13.
changed_functions='cudaMemPrefetchAsync cudaMemAdvise cudaMemcpyBatchAsync cudaMemcpy3DBatchAsync
cudaStreamUpdateCaptureDependencies cudaGraphAddNode cudaGraphGetEdges cudaGraphNodeGetDependencies
cudaGraphNodeGetDependentNodes cudaGraphAddDependencies cudaGraphRemoveDependencies'

is_in() { # word list
    case " $(echo $2) " in *" $1 "*) return 0 ;; esac
    return 1
}

headers='#include <cuda.h>
#include <cuda_profiler_api.h>
#include <cuda_runtime_api.h>
#include <library_types.h>
#include <stddef.h>
#include <stdio.h>'

# Every enumerator, and every structure with its members, of our own headers, as lines that a C program prints.
cat "$ours"/bankshot/type_*.h "$ours"/texture_types.h "$ours"/surface_types.h "$ours"/device_types.h \
    "$ours"/library_types.h "$ours"/vector_types.h | sed 's,//.*,,' >"$tmp/types"
tr '\n' ' ' <"$tmp/types" | grep -o 'enum [A-Za-z0-9_]* {[^}]*}' | sed 's/.*{//;s/}//' | tr ',' '\n' |
    sed 's/=.*//;s/ //g' | grep -v '^$' | sort -u >"$tmp/enums"
awk '/^(typedef )?(struct|union) [A-Za-z0-9_]+ \{/ {
        kind = $1 == "typedef" ? $2 : $1; tag = $1 == "typedef" ? $3 : $2; print kind, tag; next }
    /^}/ { tag = "" }
    tag && /^    [a-zA-Z}].*;/ {
        line = $0; sub(/^ *}? */, "", line); sub(/;.*/, "", line); gsub(/\[[^]]*\]/, "", line)
        n = split(line, part, ",")
        for (i = 1; i <= n; i++) { sub(/ *$/, "", part[i]); sub(/.*[ *]/, "", part[i])
            print kind, tag, part[i] } }' "$tmp/types" >"$tmp/structs"
test "$(wc -l <"$tmp/enums")" -gt 700 && test "$(wc -l <"$tmp/structs")" -gt 400 || {
    echo "abi: found too few types to compare"
    exit 1
}

{
    echo "$headers"
    cat <<'END'
#define NUMBER(e) printf("%s %lld\n", #e, (long long)e);
#define OFFSET(type, member) printf("%s.%s %zu\n", #type, #member, offsetof(type, member));
#define SIZE(type) printf("%s %zu %zu\n", #type, sizeof(type), _Alignof(type));
int main(void) {
END
    while read -r e; do
        is_in "$e" "$gone_enums" || echo "NUMBER($e)"
    done <"$tmp/enums"
    while read -r kind tag member; do
        is_in "$tag" "$gone_structs $changed_structs" && continue
        if [ -n "$member" ]; then
            echo "OFFSET($kind $tag, $member)"
        elif is_in "$tag" "$longer_structs"; then
            :
        else
            echo "SIZE($kind $tag)"
        fi
    done <"$tmp/structs"
    for v in char uchar short ushort int uint long ulong longlong ulonglong float double; do
        for n in 1 2 3 4; do
            echo "SIZE($v$n)"
        done
    done
    echo 'SIZE(dim3) return 0; }'
} >"$tmp/facts.c"
for side in ours theirs; do
    eval "dir=\$$side"
    if ! gcc -std=gnu17 -w -I"$dir" "$tmp/facts.c" -o "$tmp/facts_$side" 2>"$tmp/log"; then
        echo "abi: the program of facts does not compile with the headers in $dir:"
        head -20 "$tmp/log"
        exit 1
    fi
    "$tmp/facts_$side" >"$tmp/$side.facts"
done
if ! diff "$tmp/ours.facts" "$tmp/theirs.facts" >"$tmp/diff"; then
    echo "abi: sizes, offsets or numbers differ (< ours, > NVIDIA's):"
    head -40 "$tmp/diff"
    fail=1
fi

# A structure that grew must have its old members at their old places (compared above) and really be longer.
for s in $longer_structs; do
    printf '%s\nint main(void) { printf("%%zu\\n", sizeof(struct %s)); return 0; }\n' "$headers" "$s" >"$tmp/size.c"
    gcc -w -I"$ours" "$tmp/size.c" -o "$tmp/a" && gcc -w -I"$theirs" "$tmp/size.c" -o "$tmp/b" || exit 1
    if [ "$("$tmp/a")" -ge "$("$tmp/b")" ]; then
        echo "abi: $s is listed as longer in CUDA 13 and is not"
        fail=1
    fi
done

# CUDA 13's device properties as src/cudart/versions/abi.h has them.
awk '/^struct abi13_device_prop/ { on = 1; next } /^}/ { on = 0 }
    on { sub(/;.*/, ""); sub(/\[.*/, ""); print $NF }' "$here/src/cudart/versions/abi.h" >"$tmp/members"
{
    cat <<'END'
#define OFFSET(member) printf("%s %zu\n", #member, offsetof(PROP, member));
int main(void) {
    printf("%zu\n", sizeof(PROP));
END
    while read -r m; do echo "OFFSET($m)"; done <"$tmp/members"
    echo 'return 0; }'
} >"$tmp/prop.body"
{ echo "$headers"; echo '#define PROP struct cudaDeviceProp'; cat "$tmp/prop.body"; } >"$tmp/prop_b.c"
{ echo "$headers"; echo '#include "abi.h"'; echo '#define PROP struct abi13_device_prop'; cat "$tmp/prop.body"; } >"$tmp/prop_a.c"
gcc -w -I"$ours" -I"$here/src/cudart/versions" "$tmp/prop_a.c" -o "$tmp/a" && gcc -w -I"$theirs" "$tmp/prop_b.c" -o "$tmp/b" || exit 1
"$tmp/a" >"$tmp/prop.ours"
"$tmp/b" >"$tmp/prop.theirs"
if ! diff "$tmp/prop.ours" "$tmp/prop.theirs"; then
    echo "abi: struct abi13_device_prop differs from CUDA 13's"
    fail=1
fi

# gcc writes the prototypes of all functions it has seen, without the names of parameters.
echo "$headers" >"$tmp/all.c"
for side in ours theirs; do
    eval "dir=\$$side"
    gcc -w -std=gnu17 -I"$dir" -aux-info "$tmp/aux" -c "$tmp/all.c" -o /dev/null || exit 1
    sed -n 's,^/\*[^*]*\*/ ,,p' "$tmp/aux" | sed 's,  */\*.*,,' | grep -E '(^| |\*)(__)?cu(da)?[A-Z][A-Za-z0-9_]* \(' |
        sed -E 's/(.*[ *])([A-Za-z_0-9]+) \(/\2 \1(/' | sort -u >"$tmp/$side.protos"
done
test "$(wc -l <"$tmp/ours.protos")" -gt 450 || { echo "abi: found too few functions"; exit 1; }
while read -r name rest; do
    them=$(grep "^$name " "$tmp/theirs.protos")
    if is_in "$name" "$gone_functions"; then
        [ -z "$them" ] || { echo "abi: $name is listed as gone in CUDA 13 and is there"; fail=1; }
    elif is_in "$name" "$changed_functions"; then
        [ "$them" != "$name $rest" ] || { echo "abi: $name is listed as changed in CUDA 13 and is not"; fail=1; }
    elif [ -z "$them" ]; then
        case $name in
        # CUDA 13's header does not declare these, its library has them.
        cuDeviceGetProperties | cuDeviceComputeCapability | cuCtxAttach | cuCtxDetach | cuCtxGetSharedMemConfig | \
            cuCtxSetSharedMemConfig | cuFuncSetSharedMemConfig | cuModuleGetTexRef | cuProfiler*) ;;
        *) echo "abi: CUDA 13 has no $name"; fail=1 ;;
        esac
    elif [ "$them" != "$name $rest" ]; then
        echo "abi: $name differs"
        echo "  ours:     $name $rest"
        echo "  NVIDIA's: $them"
        fail=1
    fi
done <"$tmp/ours.protos"

[ $fail = 0 ] && echo "abi: $(wc -l <"$tmp/ours.facts") facts, $(wc -l <"$tmp/ours.protos") functions compared"
exit $fail
