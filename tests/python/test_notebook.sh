#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Every cell of python/papers.ipynb works, and draws a figure for each paper and one over time. Usage: test_notebook.sh BANKSHOT
set -eu
. "$(dirname "$0")/frame.sh"
export PYTHONPATH="$root/python" PAPERS_DB="$tmp/papers.db"
"$python" "$root/python/tests/run_notebook.py" "$root/python/papers.ipynb" "$tmp" | tee "$tmp/out"
grep -q '^8 figures$' "$tmp/out"
