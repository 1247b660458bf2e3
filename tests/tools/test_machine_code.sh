#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/machine-code: the machine code in workloads/ was made of the sources that are there now, all of it is executed, and the tool names
# what is older. Usage: test_machine_code.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
cd "$tmp" || exit 1

"$root/tools/machine-code" --check >log 2>&1
verdict "as new as its sources: $(cat log)" "$([ ! -s log ] && echo 1)"
for file in "$root"/workloads/*/sm_75.fatbin; do
    "$bankshot" sass --list "$file" >log 2>&1 || verdict "$file is read" 0
    grep -q ': sm_75' log || verdict "$file is for sm_75" 0
done
# Every program of an experiment that asks for it has it.
for paper in malekeh partition; do
    grep -qx 'order = sm75' "$root/experiments/$paper"/*.ini || continue
    awk -F, -v p="$paper:" 'NR > 1 && index(" " $5, " " p) { print $3 }' "$root/workloads/manifest.csv" | sort -u >programs
    while read -r program; do
        [ -f "$root/workloads/$program/sm_75.fatbin" ] || verdict "$paper's $program has machine code" 0
    done <programs
done

# A source, a header of a header, a file that is gone.
mkdir -p tools workloads/one workloads/two
cp "$root/tools/machine-code" tools/
echo '#include "../mine.h"' >workloads/one/one.cu
echo '#include "deep.h"' >workloads/mine.h
echo 'int deep;' >workloads/deep.h
echo 'int other;' >workloads/other.h
printf 'name,family,program,args,uses,about,arch\none,general,one,,malekeh:general,about\n' >workloads/manifest.csv
printf '#!/bin/sh\n[ "$1" = --version ] && echo "release 1.0, V1.0.2" || for out; do [ "${last:-}" = -o ] && echo code >"$out"; last=$out; done\n' >nvcc
chmod +x nvcc
NVCC=$tmp/nvcc tools/machine-code >log 2>&1
verdict "made" "$(truth grep -q '^one,sm_75,1.0.2,' workloads/machine-code.csv)"
verdict "new" "$(truth tools/machine-code --check)"
echo 'int another;' >workloads/other.h
verdict "a header that it does not have" "$(truth tools/machine-code --check)"
echo 'int deeper;' >workloads/deep.h
tools/machine-code --check >log 2>&1
verdict "older: status $?" "$(truth grep -q 'workloads/one/sm_75.fatbin is older than its source' log)"
NVCC=$tmp/nvcc tools/machine-code >log 2>&1
verdict "made again" "$(truth tools/machine-code --check)"
rm workloads/one/sm_75.fatbin
verdict "gone" "$(tools/machine-code --check >log 2>&1 || truth grep -q 'names one, but there is no' log)"
NVCC=$tmp/none tools/machine-code one >log 2>&1
verdict "no nvcc: status $?" "$(truth grep -q 'there is no nvcc' log)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
