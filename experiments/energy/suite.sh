# Energy of the workload suite in steady state, compiled here, beside that of an H200 (no figure of a paper)
# Every program at default size on hopper, its launches a thousand cycles apart; the H200 repeated each for two seconds. Errors in percent.
set -eu
home=$(cd -P "$(dirname "$0")" && cd ../.. && pwd)
exec "$home/tools/energy-table" "$BANKSHOT" --csv
