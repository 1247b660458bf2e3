#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Text of instructions beside that of NVIDIA's disassembler: the lines of words.tsv, and all of ../shared/sass where it is there.
# Usage: test_words.sh BANKSHOT
set -u
bankshot=$1
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

# What is compared: labels have names that words do not hold, comments neither.
plain() { sed -e 's/`([^)]*)/`(L)/' -e 's/ *(\*.*//' -e 's/ *$//'; }

compare() { # architecture, file of LOW HIGH TEXT separated by tabs
    cut -f 1,2 "$2" >"$tmp/words"
    cut -f 3 "$2" | plain >"$tmp/want"
    "$bankshot" sass --arch "$1" --words "$tmp/words" 2>"$tmp/err" | plain >"$tmp/got"
    if ! cmp -s "$tmp/want" "$tmp/got" || [ -s "$tmp/err" ]; then
        echo "$1: text differs ($2)"
        diff "$tmp/want" "$tmp/got" | head -20
        head -3 "$tmp/err"
        failed=1
    fi
}

for arch in sm_75 sm_80 sm_86 sm_89 sm_90a sm_100a sm_120a; do
    grep "^$arch	" "$here/words.tsv" | cut -f 2- >"$tmp/lines"
    [ -s "$tmp/lines" ] || { echo "no lines of $arch"; failed=1; }
    compare "$arch" "$tmp/lines"
    data="$here/../../../shared/sass/$arch.txt.gz"
    [ -f "$data" ] || continue
    gzip -dc "$data" | grep -v '^#' | cut -f 2- >"$tmp/all"
    compare "$arch" "$tmp/all"
done

# The table of docs/sass.md is what the decoder says.
"$here/../../tools/sass-table" "$bankshot" --check >"$tmp/out" 2>&1 || {
    tail -20 "$tmp/out"
    failed=1
}

# What is no instruction is refused with its encoding; what are no words with the line.
echo "0000000000000fff 0000000000000000" >"$tmp/w"
"$bankshot" sass --arch sm_90a --words "$tmp/w" >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] && grep -q "0x0000000000000fff" "$tmp/out" || { echo "an unknown opcode was not refused"; failed=1; }
echo "hello" >"$tmp/w"
"$bankshot" sass --arch sm_90a --words "$tmp/w" >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] && grep -q ":1: not two hexadecimal words" "$tmp/err" || { echo "words that are none were not refused"; failed=1; }
"$bankshot" sass --arch sm_42 --words "$tmp/w" >/dev/null 2>&1
[ $? = 2 ] || { echo "sm_42 was not refused"; failed=1; }
exit $failed
