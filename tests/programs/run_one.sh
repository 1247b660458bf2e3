# SPDX-License-Identifier: Apache-2.0
# Builds one program and runs it: run_one.sh HOW BANKSHOT TMP FILE.cu [ARGUMENT...]. HOW: cc or nvcc. The program says PASS on
# its last line, and does nothing but pass; its output stays in TMP/NAME.out.
set -u
how=$1 bankshot=$2 tmp=$3 file=$4
shift 4
. "$(dirname "$0")/preload.sh"
name=$(basename "$file" .cu)
if [ "$how" = cc ]; then
    build="$bankshot cc -O1"
else
    build="nvcc -w -O1 -cudart shared -gencode arch=compute_80,code=compute_80"
    LD_LIBRARY_PATH=$(dirname "$bankshot")/lib/bankshot
    export LD_LIBRARY_PATH
fi
if ! $build -o "$tmp/$name" "$file" >"$tmp/$name.build" 2>&1; then
    echo "$name: does not build:" && head -20 "$tmp/$name.build"
    exit 1
fi
if [ -z "$preload" ] && [ -s "$tmp/$name.build" ]; then
    echo "$name: builds with messages:" && head -20 "$tmp/$name.build"
    exit 1
fi
LD_PRELOAD=$preload "$tmp/$name" "$@" >"$tmp/$name.out" 2>"$tmp/$name.err"
status=$?
if [ $status != 0 ] || ! tail -1 "$tmp/$name.out" | grep -q 'PASS$'; then
    echo "$name: status $status" && tail -n 5 "$tmp/$name.out" && tail -n 5 "$tmp/$name.err"
    exit 1
fi
echo "$name: passed"
