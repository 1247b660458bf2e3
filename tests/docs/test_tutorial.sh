#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every block of commands of docs/tutorial.md works as it stands, in order, in one folder, and prints what the text promises: a comment
# <!-- expect: PATTERN --> under a block. Usage: test_tutorial.sh BANKSHOT
set -u
bankshot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
passed=0
failed=0
PATH=$(dirname "$bankshot"):$PATH
BANKSHOT_CACHE=${BANKSHOT_CACHE:-$tmp/cache} # nothing of the user changes
export PATH BANKSHOT_CACHE

mkdir "$tmp/blocks" "$tmp/tour"
# block N.sh and patterns N.expect
awk -v dir="$tmp/blocks" '
    /^```sh$/ { n++; inside = 1; next }
    /^```$/ { inside = 0; next }
    inside { print > (dir "/" n ".sh") }
    !inside && /^<!-- expect: .* -->$/ { sub(/^<!-- expect: /, ""); sub(/ -->$/, ""); print > (dir "/" n ".expect") }' \
    "$here/../../docs/tutorial.md"

cd "$tmp/tour" || exit 1
n=1
while [ -f "$tmp/blocks/$n.sh" ]; do
    if timeout 1500 sh -eu "$tmp/blocks/$n.sh" >"$tmp/out" 2>&1 </dev/null; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL block $n:"
        sed 's/^/    /' "$tmp/blocks/$n.sh" | tail -n 3
        tail -n 10 "$tmp/out"
    fi
    [ -f "$tmp/blocks/$n.expect" ] || : >"$tmp/blocks/$n.expect"
    while IFS= read -r pattern; do
        if grep -Eq -- "$pattern" "$tmp/out"; then
            passed=$((passed + 1))
        else
            failed=$((failed + 1))
            echo "FAIL block $n does not print: $pattern"
            tail -n 10 "$tmp/out"
        fi
    done <"$tmp/blocks/$n.expect"
    n=$((n + 1))
done
[ $n -gt 8 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed"
[ $failed = 0 ]
