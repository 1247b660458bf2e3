#!/bin/sh
# Every command that README.md shows behind a prompt ("$ ...") works as it stands, in order, in one folder beside the repository's own,
# and prints what stands below it. In a transcript a line of "..." is any number of lines. What does not matter: how many blanks
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

mkdir "$tmp/parts" "$tmp/tour"
for entry in "$root"/*; do
    [ "$entry" = "$root/build" ] || ln -s "$entry" "$tmp/tour/"
done

# Command N.sh, transcript N.want.
awk -v dir="$tmp/parts" '
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
    shown { print > want }' "$root/README.md"

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
                    printf "README.md: %s\n", want[i]
                    printf "printed:   %s\n", (any || j > m) ? "no such line" : got[j]
                    exit 1
                }
                j++
                any = 0
            }
            if (!any && j <= m) {
                printf "README.md: the end\nprinted:   %s\n", got[j]
                exit 1
            }
        }' "$1" "$2"
}

cd "$tmp/tour" || exit 1
n=1
while [ -f "$tmp/parts/$n.sh" ]; do
    timeout 250 sh -eu "$tmp/parts/$n.sh" >"$tmp/raw" 2>&1 </dev/null
    status=$?
    plain "$tmp/raw" >"$tmp/got"
    plain "$tmp/parts/$n.want" >"$tmp/want"
    command=$(head -n 1 "$tmp/parts/$n.sh")
    ok=0
    if [ $status != 0 ] && ! grep -q 'error: ' "$tmp/want"; then
        cp "$tmp/raw" "$tmp/out"
    elif matches "$tmp/want" "$tmp/got" >"$tmp/out"; then
        ok=1
    fi
    verdict "$command (status $status)" "$ok"
    n=$((n + 1))
done
[ $n -gt 12 ] || verdict "README.md has commands" 0
echo "$passed passed, $failed failed"
[ $failed = 0 ]
