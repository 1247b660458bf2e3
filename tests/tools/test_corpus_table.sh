#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/corpus-table: what is missing is named and the status is 2; a program without its folder is told and the others go on. Usage:
# test_corpus_table.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
command -v python3 >/dev/null || exit 77
cd "$tmp" || exit 1

# judge NAME STATUS PATTERN ARGS...
judge() {
    name=$1 want=$2 pattern=$3
    shift 3
    "$root/tools/corpus-table" "$@" >out 2>&1
    got=$?
    verdict "$name: $got, want $want" "$([ $got = "$want" ] && grep -Eq "$pattern" out && ! grep -q Traceback out && echo 1)"
}
printf 'name,repository,folder,sources,flags,args\none,There,one,main.cu,,\n' >programs.csv
printf 'name,launch,kernel,grid,block,cycles,insts,regs\none,0,k,1x1x1,32x1x1,100,10,8\n' >measured.csv
judge "no sources" 2 'corpus-table: .*/nowhere is missing' "$bankshot" programs.csv nowhere measured.csv
mkdir sources
judge "no repository" 2 'sources has no There, which 1 of' "$bankshot" programs.csv sources measured.csv
mkdir sources/There
judge "no folder" 0 '^one .*its folder is missing' "$bankshot" programs.csv sources measured.csv
echo "$passed passed, $failed failed"
[ $failed = 0 ]
