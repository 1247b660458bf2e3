#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every folder inside a module is a room with a line in docs/dataflow.md, and every room named there exists.
set -u
top=$(cd "$(dirname "$0")/../.." && pwd)
cd "$top" || exit 1
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
find src -mindepth 2 -maxdepth 2 -type d | sed 's,^src/,,' | sort >"$tmp/tree"
# Rows of tables begin with names in backquotes that end in a slash; those of cli's own table have no module before them.
awk -F'|' '
/^## / { cli = /rooms of `cli`/ }
/^\| `[a-z0-9_\/]*\/`/ {
    n = split($2, name, "`")
    for (i = 2; i <= n; i += 2) { sub(/\/$/, "", name[i]); print (cli ? "cli/" : "") name[i] }
}' docs/dataflow.md | sort >"$tmp/told"
diff "$tmp/tree" "$tmp/told" && exit 0
echo "docs/dataflow.md and src/ disagree about rooms (<: only in src, >: only in the document)"
exit 1
