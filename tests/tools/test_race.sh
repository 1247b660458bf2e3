#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# tools/race with small traces and a script in Accel-Sim's place: what it writes, and what it refuses. Usage: test_race.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
race=$root/tools/race
kernels=${KERNELS_DIR:-$root/kernels}
case $bankshot in /*) ;; *) bankshot=$(pwd)/$bankshot ;; esac
cd "$tmp" || exit 1
mkdir traces config
touch config/gpgpusim.config config/trace.config
for p in fma sgemm reduction vectoradd gather; do
    "$bankshot" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 8 --block 64 --show 0 --arg f32:2 --arg buf:f32:512=rand:1 \
        --arg out:f32:512 --arg s32:512 --record "traces/$p.bst" >/dev/null 2>&1
done
# It is given a trace as Accel-Sim reads it, and both configurations.
cat >accelsim <<'END'
#!/bin/sh
[ "$1" = -trace ] && [ "$3" = -config ] && [ "$5" = -config ] && [ -f "$4" ] && [ -f "$6" ] || exit 1
grep -q '^kernel-1.traceg' "$2" && grep -q '^-grid dim = (8,1,1)' "$(dirname "$2")/kernel-1.traceg" || exit 1
printf 'gpu_tot_sim_cycle = 7\ngpu_tot_sim_cycle = 5000\n'
END
chmod +x accelsim

"$race" "$bankshot" accelsim config --traces traces --out race.csv >out 2>&1
verdict "status 0" "$([ $? = 0 ] && echo 1)"
cp out "$tmp/said"
model=$("$bankshot" list gpus volta --json | sed -n 's/^ "model": "\(.*\)",/\1/p')
verdict "a row for each program, with the model" "$([ "$(grep -c ",$model," race.csv)" = 5 ] && [ "$(wc -l <race.csv)" = 6 ] && echo 1)"
verdict "warp instructions, and Accel-Sim's last count of cycles" \
    "$([ "$(awk -F, 'NR > 1 && $2 == 304 && $5 == 5000 && $3 $6 $9 ~ /^([0-9]+[.][0-9][0-9][0-9])+$/' race.csv | wc -l)" = 5 ] && echo 1)"
verdict "three runs on each preset" "$([ "$(grep -c ': volta: ' said)" = 15 ] && [ "$(grep -c ': volta-accelsim: ' said)" = 15 ] && echo 1)"
verdict "these figures are of this model" "$(truth "$race" --check "$bankshot" --out race.csv)"
sed "s/,$model,/,0123456789abcdef,/" race.csv >old.csv
"$race" --check "$bankshot" --out old.csv >out 2>&1
verdict "others are not, and the answer names both" "$([ $? = 1 ] && grep -q "model 0123456789abcdef; this is model $model" out && echo 1)"

# Accel-Sim's columns of a table of this machine are taken; ours are measured.
sed 's/^\([^,]*,304\),[0-9.]*,/\1,77.125,/; s/,5000,/,4321,/; s/,[0-9]*\(,[^,]*,[^,]*\)$/,1\1/' race.csv >theirs.csv
"$race" "$bankshot" --theirs theirs.csv --traces traces --out again.csv >out 2>&1
verdict "Accel-Sim's figures are taken: status $?" "$([ "$(grep -c ',304,77.125,.*,4321,' again.csv)" = 5 ] && ! grep -q ': accelsim: ' out && echo 1)"
verdict "and ours are not" "$([ "$(cut -d, -f11 again.csv)" = "$(cut -d, -f11 race.csv)" ] && [ "$(cut -d, -f11 theirs.csv)" != "$(cut -d, -f11 race.csv)" ] && echo 1)"

# refused NAME PATTERN ARGS...: status 2, and the figures that are there stay.
cp race.csv before.csv
refused() {
    about=$1 pattern=$2
    shift 2
    "$race" "$@" --out race.csv >out 2>&1
    status=$?
    verdict "$about: status $status" "$([ $status = 2 ] && grep -q -- "$pattern" out && cmp -s race.csv before.csv && echo 1)"
}
refused "no Accel-Sim" 'nowhere: no such file' "$bankshot" nowhere config --traces traces
refused "no traces" 'none: no such file' "$bankshot" accelsim config --traces none
refused "Accel-Sim is not named" 'no accelsim given' "$bankshot"
refused "no runs at a time" 'wants 1 or more' "$bankshot" accelsim config --traces traces --jobs 0
refused "more runs than cores" 'this machine has' "$bankshot" accelsim config --traces traces --jobs 100000
sed '2s/,304,/,305,/' race.csv >theirs.csv
refused "taken from another trace" 'FMA loop: a trace of 305 warp instructions, and this one has 304' "$bankshot" --theirs theirs.csv --traces traces
sed 's/,[^,]*$/,an abacus/' race.csv | sed '1s/an abacus/machine/' >theirs.csv
refused "taken from another machine" 'measured on an abacus' "$bankshot" --theirs theirs.csv --traces traces
sed 3d race.csv >theirs.csv
refused "taken from a table that lacks one" 'KeyError' "$bankshot" --theirs theirs.csv --traces traces
printf '#!/bin/sh\necho a deadlock; exit 9\n' >accelsim
refused "Accel-Sim fails" 'a deadlock' "$bankshot" accelsim config --traces traces
chmod -x accelsim
refused "Accel-Sim is no program" 'Permission denied' "$bankshot" accelsim config --traces traces
chmod +x accelsim
printf '#!/bin/sh\n' >accelsim
refused "Accel-Sim says nothing" 'without a count of cycles' "$bankshot" accelsim config --traces traces
echo x >traces/gather.bst
refused "a trace that is none" 'gather: bankshot export failed' "$bankshot" accelsim config --traces traces
echo "$passed passed, $failed failed"
[ $failed = 0 ]
