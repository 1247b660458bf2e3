#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every command that README.md and docs/tour.md show behind a prompt ("$ ...") works as it stands, in order, in a folder for each that
# looks like the repository's own, and prints what stands below it. In a transcript a line of "..." is any number of lines. What does not matter: how many blanks
# stand between columns; figures of the host (seconds, rates, the vector instructions, a trace's bytes, which hold paths). A
# command ends with 0, or else shows an error.
# Usage: test_readme.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
PATH=$(dirname "$bankshot"):$PATH
BANKSHOT_CACHE=${BANKSHOT_CACHE:-$tmp/cache} # nothing of the user changes
export PATH BANKSHOT_CACHE

if nm -D "$(dirname "$bankshot")/lib/bankshot/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    echo "skipped: programs without a sanitizer cannot load libraries with one"
    exit 0
fi

# take DOCUMENT FOLDER: its commands as FOLDER/N.sh, its transcripts as FOLDER/N.want.
take() {
    awk -v dir="$2" '
        /^```/ { inside = !inside; shown = 0; next }
        !inside { next }
        goes_on || /^\$ / {
            if (!goes_on) {
                if (n) { close(sh); close(want) }
                n++
                sh = dir "/" n ".sh"
                want = dir "/" n ".want"
                printf "" > want
                shown = 1
                $0 = substr($0, 3)
            }
            print > sh
            goes_on = /\\$/
            next
        }
        shown { print > want }' "$1"
}

plain() {
    sed -E 's/[0-9.]+ (s|MB\/s|Mwinst\/s)($|[ ,;)])/# \1\2/g; s/[0-9]+ bytes, [0-9.]+ bytes per/# bytes, # bytes per/
        s/isa [a-z0-9_]+/isa #/; s/([^ ])  +/\1 /g; s/[ \t]+$//' "$1"
}

# matches WANT GOT: prints the first line of WANT that is not in its place.
matches() {
    awk '
        FILENAME == ARGV[1] { want[++n] = $0; next }
        { got[++m] = $0 }
        END {
            while (n && want[n] == "")
                n-- # an empty line before the next prompt
            j = 1
            for (i = 1; i <= n; i++) {
                if (want[i] ~ /^ *\.\.\.$/) {
                    any = 1
                    continue
                }
                while (any && j <= m && got[j] != want[i])
                    j++
                if (j > m || got[j] != want[i]) {
                    printf "shown:     %s\n", want[i]
                    printf "printed:   %s\n", (any || j > m) ? "no such line" : got[j]
                    exit 1
                }
                j++
                any = 0
            }
            if (!any && j <= m) {
                printf "shown:     the end\nprinted:   %s\n", got[j]
                exit 1
            }
        }' "$1" "$2"
}

# follow DOCUMENT FEWEST: all its commands, of which there must be as many.
follow() {
    parts=$tmp/parts.$(basename "$1")
    place=$tmp/$(basename "$1" .md)
    mkdir "$parts" "$place"
    for entry in "$root"/*; do
        [ "$entry" = "$root/build" ] || ln -s "$entry" "$place/"
    done
    take "$root/$1" "$parts"
    cd "$place" || exit 1
    n=1
    while [ -f "$parts/$n.sh" ]; do
        timeout 1500 sh -eu "$parts/$n.sh" >"$tmp/raw" 2>&1 </dev/null
        status=$?
        plain "$tmp/raw" >"$tmp/got"
        plain "$parts/$n.want" >"$tmp/want"
        ok=0
        if [ $status != 0 ] && ! grep -q 'error: ' "$tmp/want"; then
            cp "$tmp/raw" "$tmp/out"
        elif matches "$tmp/want" "$tmp/got" >"$tmp/out"; then
            ok=1
        fi
        verdict "$1: $(head -n 1 "$parts/$n.sh") (status $status)" "$ok"
        n=$((n + 1))
    done
    [ $n -gt "$2" ] || verdict "$1 has $2 commands" 0
}

follow README.md 6
follow docs/tour.md 12
echo "$passed passed, $failed failed"
[ $failed = 0 ]
