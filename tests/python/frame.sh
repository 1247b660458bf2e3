# SPDX-License-Identifier: Apache-2.0
# What the tests of the Python package share: $python, one that has pandas and matplotlib (Debian's, if there are several), and the
# program that the package calls. Traces are kept where the workloads' own tests keep theirs.
root=$(cd "$(dirname "$0")/../.." && pwd)
BANKSHOT=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
export BANKSHOT
build=$(dirname "$BANKSHOT")
if nm -D "$build/lib/bankshot/libbankshot-cuda.so" | grep -Eq '__[at]san_init|__ubsan'; then
    echo "skipped: programs without a sanitizer cannot load libraries with one"
    exit 0
fi
export BANKSHOT_CACHE="$build/cache" MPLCONFIGDIR="$build/cache" PYTHONDONTWRITEBYTECODE=1
python=
for p in /usr/bin/python3 python3; do
    if "$p" -c 'import pandas, matplotlib' 2>/dev/null; then
        python=$p
        break
    fi
done
if [ -z "$python" ]; then
    echo "skipped: no Python with pandas and matplotlib (tools/setup.sh test)"
    exit 77
fi
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
