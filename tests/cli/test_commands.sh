#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Statuses and messages of the command line. Usage: test_commands.sh BANKSHOT
# shellcheck disable=SC2086 # $args is a list of words
set -u
. "$(dirname "$0")/frame.sh"

saxpy() { # NAME STATUS PATTERN ARGS...
    name=$1 want=$2 pattern=$3
    shift 3
    check "$name" "$want" "$pattern" exec "$kernels/saxpy.ptx" --kernel saxpy "$@"
}
args="--arg f32:2 --arg buf:f32:1000=iota --arg out:f32:1000=const:1 --arg s32:1000"
errors=$here/data/errors.ptx

check "no command" 2 'usage: bankshot'
check "help" 0 'inspect .*compile a PTX file' --help
check "help of help" 0 'usage: bankshot COMMAND' help
check "help of a command" 0 '--max-warp-insts N' help exec
check "command --help" 0 'bankshot inspect FILE.ptx' inspect --help
check "-h" 0 'bankshot inspect FILE.ptx' inspect -h
check "version" 0 '^bankshot [0-9]+\.[0-9]+' --version
check "unknown command" 2 "unknown command 'inspcet'; did you mean 'inspect'\?" inspcet
check "swapped letters of a short command" 2 "unknown command 'rnu'; did you mean 'run'\?" rnu
check "far command" 2 "unknown command 'frobnicate'; see bankshot --help" frobnicate
check "help of unknown" 2 "unknown command 'exek'; did you mean 'exec'" help exek
check "unknown global option" 2 'unknown option --wat' --wat
check "unknown option" 2 'unknown option --max-reg; did you mean --max-regs\?' inspect x.ptx --max-reg 3
check "short option" 2 'unknown option -x' inspect -x
check "missing value" 2 '--kernel needs a value: --kernel NAME' inspect x.ptx --kernel
check "flag with value" 2 '--code takes no value' inspect x.ptx --code=1
check "missing file name" 2 'FILE is missing' inspect
check "two files" 2 "unexpected argument 'b.ptx'" inspect a.ptx b.ptx
check "range low" 2 'expected a number from 16 to 255' inspect x.ptx --max-regs 15
check "range high" 2 'expected a number from 16 to 255' inspect x.ptx --max-regs=256
check "not a number" 2 'expected a number' inspect x.ptx --max-regs many

check "no such file" 2 'nowhere.ptx: No such file' inspect nowhere.ptx
check "no such program of the suite" 2 "unknown workload 'hotspto'; did you mean 'hotspot'\?" inspect hotspto
check "a program of the suite is a trace" 2 '^bankshot: error: --cfg: hotspot is a trace; that is for PTX files' inspect hotspot --cfg
check "directory" 2 'is a directory' inspect "$tmp"
: >"$tmp/empty.ptx"
check "empty file" 2 'error:' inspect "$tmp/empty.ptx"
head -c 4096 /dev/urandom >"$tmp/noise.ptx"
check "noise" 2 'error:' inspect "$tmp/noise.ptx"
printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\tadd.f33 %%f1, %%f2;\n}\n' >"$tmp/bad.ptx"
check "place of an error" 2 'bad.ptx:6:[0-9]+: error: ' inspect "$tmp/bad.ptx"
check "caret of an error" 2 '^[[:space:]]*\^$' inspect "$tmp/bad.ptx"
printf '.version 8.0\n.target sm_80\n.address_size 64\n' >"$tmp/none.ptx"
check "no kernels" 2 'no kernel' inspect "$tmp/none.ptx"

check "table" 0 '^saxpy +[0-9]+ +[0-9]+ +0 +0 +0 +28$' inspect "$kernels/saxpy.ptx"
check "table header" 0 '^kernel +regs +insns +spills' inspect "$kernels/saxpy.ptx"
check "one kernel" 0 '^saxpy4 ' inspect "$kernels/saxpy.ptx" --kernel saxpy4
check "wrong kernel" 2 "no kernel 'saxpi'; did you mean 'saxpy'" inspect "$kernels/saxpy.ptx" --kernel saxpi
check "code" 0 'FFMA' inspect "$kernels/saxpy.ptx" --code
check "cfg" 0 . inspect "$kernels/saxpy.ptx" --cfg
check "live" 0 . inspect "$kernels/saxpy.ptx" --live
check "regs" 0 . inspect "$kernels/saxpy.ptx" --regs

saxpy "run" 0 '^    1 3 5 7 9 11 13 15 \.\.\.$' --grid 4 --block 256 $args
saxpy "counts" 0 '^4 CTAs  [0-9]+ warp instructions  [0-9]+ thread instructions ' --grid 4 --block 256 $args
saxpy "show" 0 '^    1 3 \.\.\.$' --grid 4 --block 256 --show 2 $args
saxpy "few registers" 0 '^    1 3 5 7 ' --grid 1 --block 32 --max-regs 16 --no-schedule $args
saxpy "plain code" 0 'isa plain' --grid 1 --block 32 --isa plain $args
saxpy "unknown isa" 2 'plain' --grid 1 --block 32 --isa mmx $args
saxpy "no grid" 2 '--grid is missing' --block 32 $args
saxpy "no block" 2 '--block is missing' --grid 1 $args
saxpy "bad grid" 2 '--grid 0: expected' --grid 0 --block 32 $args
saxpy "bad dimensions" 2 '--grid 1,2,3,4: expected X' --grid 1,2,3,4 --block 32 $args
saxpy "block too large" 2 '1024|block' --grid 1 --block 64,64 $args
saxpy "few arguments" 2 'takes 4 arguments, 1 given' --grid 1 --block 32 --arg f32:1
saxpy "lists parameters" 2 ' 8 bytes ' --grid 1 --block 32
saxpy "argument's size" 2 'parameter 1 .* of saxpy has 4' --grid 1 --block 32 --arg f64:2 --arg u64:0 --arg u64:0 --arg s32:0
saxpy "argument's type" 2 "unknown type" --grid 1 --block 32 --arg i32:2 --arg u64:0 --arg u64:0 --arg s32:0
saxpy "argument's value" 2 "'x' is not a value" --grid 1 --block 32 --arg f32:x --arg u64:0 --arg u64:0 --arg s32:0
saxpy "too much memory" 2 'no room' --grid 1 --block 32 --arg f32:1 --arg buf:f32:99999999999 --arg u64:0 --arg s32:0
saxpy "too much shared memory" 2 '--shared' --grid 1 --block 32 --shared 99999999 $args
saxpy "null pointer" 1 'saxpy' --grid 1 --block 32 --arg f32:1 --arg u64:0 --arg out:f32:32 --arg s32:32
saxpy "past the end" 1 'saxpy' --grid 1 --block 64 --arg f32:1 --arg buf:f32:32 --arg out:f32:32 --arg s32:64
saxpy "limit" 1 'warp inst' --grid 4 --block 256 --max-warp-insts 10 $args
check "choose a kernel" 2 'choose one with --kernel' exec "$kernels/saxpy.ptx" --grid 1 --block 1
check "trap" 1 'trap' exec "$errors" --kernel trap --grid 1 --block 32
check "deadlock" 3 . exec "$errors" --kernel deadlock --grid 1 --block 64
check "endless loop" 1 'warp inst' exec "$errors" --kernel endless --grid 1 --block 32 --max-warp-insts 100000
check "misaligned" 1 'lign' exec "$errors" --kernel misaligned --grid 1 --block 32 --arg buf:b32:64
check "structure argument" 0 'sum 3 ' exec "$errors" --kernel by_value --grid 1 --block 1 --arg hex:0100000002000000 --arg out:u32:1
check "place of a kernel error" 1 'line [0-9]+|errors.ptx:[0-9]+' exec "$errors" --kernel misaligned --grid 1 --block 32 --arg buf:b32:64
printf '.version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %%r<2>;\nadd.u32 %%r0, %%r1, k;\nret;\n}\n' >"$tmp/function.ptx"
check "a function where a word is expected" 2 "function.ptx:7:1: error: the address of function 'k' has 64 bits" inspect "$tmp/function.ptx" --code
check "standard input" 2 'stdin|error' inspect -
if [ -c /dev/full ]; then
    "$bankshot" --version >/dev/full 2>"$tmp/out"
    if [ $? = 1 ] && grep -q 'cannot write' "$tmp/out"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAIL full disk: no complaint"
    fi
fi

# The form of cmocka's summary, which tools/run-tests adds up.
echo "[  PASSED  ] $passed test(s)."
[ $failed = 0 ] || echo "[  FAILED  ] $failed test(s), listed above"
[ $failed = 0 ]
