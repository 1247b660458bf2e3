#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# examples/paper: builds from a database that it makes, says its numbers, and builds from another. Status 77 where LaTeX is missing,
# after what can be tried without it.
# Usage: test_paper.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
for p in gnuplot python3 make; do
    command -v $p >/dev/null 2>&1 || {
        echo "skipped: not here: $p (Debian: gnuplot)"
        exit 77
    }
done
root=$(cd "$here/../.." && pwd)
cp -r "$root/examples/paper" "$tmp/paper" && cd "$tmp/paper" || exit 1
rm -f paper.pdf answer.json results.db numbers.tex figure.pdf
sed -i 's/^workloads.*/workloads = bank2:small sgemm:small/' space.ini
make BANKSHOT="$bankshot" LATEX=no-such-latex >"$tmp/out" 2>&1
verdict "without LaTeX: that it is missing, and what is made" "$([ $? != 0 ] && [ -s numbers.tex ] && [ -s figure.pdf ] &&
    grep -q '^paper.pdf: no-such-latex is missing (Debian: texlive-latex-base' "$tmp/out" && echo 1)"
command -v pdflatex >/dev/null 2>&1 || {
    echo "$passed passed, $failed failed; the rest is skipped: not here: pdflatex (Debian: texlive-latex-base)"
    [ $failed = 0 ] && exit 77
    exit 1
}
make BANKSHOT="$bankshot" >"$tmp/out" 2>&1
verdict "the paper is made" "$([ $? = 0 ] && head -c 5 paper.pdf | grep -q '^%PDF-' && echo 1)"
points=$(python3 -c 'import json; print(len(json.load(open("answer.json"))["points"]))')
verdict "with the numbers of the exploration" "$(truth grep -qF "\\newcommand{\\Points}{$points}" numbers.tex)"
verdict "... and no number of its own" "$(truth sh -c '! sed "/documentclass/d; /resizebox\|includegraphics/d; s/95.%//; s/has 1 in it//; s/leaves* out 1//; s/elow 1//; s/emergencystretch=3em//" paper.tex | grep -q "[0-9]"')"
cp numbers.tex first.tex
make BANKSHOT="$bankshot" >"$tmp/out" 2>&1
verdict "again: the same" "$(truth cmp numbers.tex first.tex)"
cp answer.json other.json
rm paper.pdf answer.json
make BANKSHOT=false ANSWER=other.json DB=results.db figure.pdf >"$tmp/out" 2>&1
make BANKSHOT="$bankshot" ANSWER=other.json DB=results.db PLOT="--gpu volta" >"$tmp/out" 2>&1
verdict "from an answer that is there: nothing is run" "$([ $? = 0 ] && [ -e paper.pdf ] && [ ! -e answer.json ] && echo 1)"
rm other.json
make BANKSHOT="$bankshot" ANSWER=other.json >"$tmp/out" 2>&1
verdict "from one that is not: an error" "$([ $? != 0 ] && echo 1)"

echo "$passed passed, $failed failed"
[ $failed = 0 ]
