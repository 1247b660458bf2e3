#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Calls every function that the headers declare with zeroes for all arguments: none may crash or hang, and those that
# answer "not supported" are exactly those that docs/runtime.md names.
set -eu
home=$(dirname "$1")/lib/bankshot
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cc="${CC:-cc} -iquote $root/include -idirafter $root/include"
if nm -D "$home/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    echo "skipped: programs without a sanitizer cannot load libraries with one"
    exit 0
fi

printf '#include "cuda_runtime_api.h"\n#include "cuda.h"\n#include "cuda_profiler_api.h"\n' >"$work/zeros.c"
$cc -E -P "$work/zeros.c" | tr '\n' ' ' | awk '
    BEGIN { RS = ";" }
    /typedef|static|=|\{|\}/ || !match($0, /(cuda[A-Za-z0-9_]*|cu[A-Z][A-Za-z0-9_]*)\(/) || /__cuda/ { next }
    {
        name = substr($0, RSTART, RLENGTH - 1)
        # These end what other calls need, or tell what another call said.
        if (name ~ /^cuda(DeviceReset|ThreadExit|GetLastError|PeekAtLastError)$/ || $0 !~ /extern +(cudaError_t|CUresult)/)
            next
        args = substr($0, RSTART + RLENGTH)
        sub(/\)[^)]*$/, "", args)
        n = args ~ /^ *void *$/ ? 0 : split(args, arg, ",")
        call = ""
        for (i = 1; i <= n; i++) {
            sub(/[A-Za-z0-9_]+ *$/, "", arg[i]) # the parameter name
            call = call (i > 1 ? ", " : "") "(" arg[i] "){0}"
        }
        printf "    TRY(%s, %s(%s));\n", name, name, call
    }' >"$work/calls"
{
    cat "$work/zeros.c"
    cat <<'END'
#include <stdio.h>
#define TRY(name, call) (fprintf(stderr, "in %s\n", #name), printf("%s %d\n", #name, (int)(call)), fflush(stdout))
int main(void)
{
END
    cat "$work/calls"
    printf '    return 0;\n}\n'
} >"$work/program.c"
$cc -w -o "$work/program" "$work/program.c" -L"$home" -lcudart -lcuda -Wl,-rpath,"$home"

status=0
if ! timeout 600 "$work/program" >"$work/out" 2>"$work/err"; then
    echo "crashed or hung: $(grep '^in ' "$work/err" | tail -n 1)"
    status=1
fi
if [ "$(wc -l <"$work/out")" -lt 300 ]; then
    echo "only $(wc -l <"$work/out") functions were called"
    status=1
fi
awk '$2 == 801 { print $1 }' "$work/out" | sort -u >"$work/refused"
sed -n '/^<!-- not supported -->$/,/^<!-- end -->$/p' "$root/docs/runtime.md" | grep -o '`cu[A-Za-z0-9_]*`' | tr -d '`' |
    sort -u >"$work/documented"
if ! diff "$work/documented" "$work/refused" >"$work/diff"; then
    echo "docs/runtime.md (<) and the libraries (>) disagree on what is not supported:"
    grep '^[<>]' "$work/diff"
    status=1
fi
# Refused by name, each of them.
while read -r name; do
    if ! grep -q "^bankshot: ${name%_v[23]}.*: not supported" "$work/err"; then
        echo "$name: not supported, but its name was not printed"
        status=1
    fi
done <"$work/refused"
exit $status
