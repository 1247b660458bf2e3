#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The programs of programs/ and many/, built by bankshot cc, check themselves on the runtime stand-in.
set -u
here=$(cd "$(dirname "$0")" && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
status=0
for p in imgfilter topwords tcgemm; do
    sh "$here/run_one.sh" cc "$1" "$tmp" "$here/../../programs/$p/$p.cu" --size small || status=1
done
ls "$here"/many/*.cu "$here/groups.cu" | xargs -P 2 -I FILE sh "$here/run_one.sh" cc "$1" "$tmp" FILE || status=1
exit $status
