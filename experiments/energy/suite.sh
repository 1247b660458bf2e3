# SPDX-License-Identifier: Apache-2.0
# Energy of the workload suite in steady state beside that of an H200 (no figure of a paper)
# Every program at default size on hopper, its launches a thousand cycles apart; the H200 repeated each for two seconds. Errors in percent.
set -eu
home=$(cd -P "$(dirname "$0")" && cd ../.. && pwd)
# With nvcc from its machine code, which is what the H200 ran, and by what values toggle; without as bankshot cc compiles it.
code=
command -v nvcc >/dev/null 2>&1 && code="--code sass --values --dir $home/build/energy-sass"
# shellcheck disable=SC2086 # words
exec "$home/tools/energy-table" "$BANKSHOT" $code --csv
