#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# No output may be an input, a database, another output or an existing file of another kind, whatever path or link names it; and what
# is written has its name only when it is complete. Every option that writes a file is held to that (bankshot help --files).
. "$(dirname "$0")/frame.sh"
cd "$tmp" || exit 1

record_saxpy a.bst
"$bankshot" compare a.bst --mech base --db b.db >/dev/null 2>&1 || echo "no database"
cp b.db x.db
cp b.db r.db
printf '__global__ void k(int *p) { p[0] = 1; }\nint main() { return 0; }\n' >h.cu
printf '[a]\nworkloads = a.bst\ngpus = volta\nmechs = base\n' >c.ini

sums() { sha256sum a.bst b.db x.db r.db h.cu c.ini "$@"; }
sums >before.txt
whole() { sums | cmp -s - before.txt && [ -z "$(find . -name '.bankshot-*')" ] && echo 1; }

# refused NAME PATTERN ARGS...: status 2, a line that names the file, and nothing has changed.
refused() {
    about=$1
    pattern=$2
    shift 2
    check "$about" 2 "$pattern" "$@"
    verdict "$about: files are as they were" "$(whole)"
}

# ---- what destroyed data ----
refused "report over its database" "-o x.db is the same file as RESULTS.db.*give -o another name" report x.db -o x.db
refused "compare: --csv is the database" "--csv b.db is the same file as --db" compare a.bst --db b.db --csv b.db
refused "compare: --json is the database" "--json b.db is the same file as --db" compare a.bst --db b.db --json b.db
refused "run: --json is the trace" "--json a.bst is the same file as TRACE" run a.bst --json a.bst
refused "run: --profile-csv is the trace" "--profile-csv a.bst is the same file as TRACE" run a.bst --profile-csv a.bst
refused "run: --timeline is the trace" "--timeline a.bst is the same file as TRACE" run a.bst --timeline a.bst
refused "cc: -o is the source" "-o h.cu is the same file as FILE" cc h.cu -o h.cu
refused "report over a source" "-o h.cu: the file exists and is not a page of bankshot report" report r.db -o h.cu
refused "sweep: --json is the specification" "--json c.ini is the same file as SPEC" sweep c.ini --db new.db --json c.ini
verdict "sweep: and no database was made" "$(truth test ! -e new.db)"

# ---- other names of the same file ----
ln -s a.bst soft.bst
ln a.bst hard.bst
mkdir -p sub
ln -s ../a.bst sub/up.bst
for name in soft.bst hard.bst sub/up.bst ./a.bst sub/../a.bst "$tmp/a.bst"; do
    refused "run: --json $name" "is the same file as TRACE" run a.bst --json "$name"
done
refused "two outputs, one file" "--json same.csv is the same file as --csv, which is written, too" \
    compare a.bst --json same.csv --csv same.csv
refused "two outputs, one file that is not there, two names" "is the same file as" \
    compare a.bst --json sub/../new.json --csv new.json
ln -s nowhere.json dangling.json
refused "two outputs, one of them through a link to nothing" "is the same file as" \
    run a.bst --json dangling.json --timeline nowhere.json
refused "two outputs to standard output" "only one of them can be -" compare a.bst --json - --csv -
refused "a preset of one's own" "--json c.ini is the same file as --gpu" compare a.bst --gpu c.ini --json c.ini
refused "record over what the program reads" "is the same file as" record -o a.bst -- /bin/cat a.bst
refused "merging a database into itself" "is the same file as --merge" sweep c.ini --db b.db --merge b.db
refused "cc: an object is an input" "is the same file as FILE|exists and is not" cc h.cu a.bst -o a.bst
refused "cc: dependencies over the source" "-MF h.cu" cc -c h.cu -MD -MF h.cu -o h.o
refused "cc: -ptx over something else" "-o c.ini: the file exists and is not PTX" cc -ptx h.cu -o c.ini
refused "exec: --record over the PTX" "is the same file as" exec "$kernels/saxpy.ptx" --grid 1 --block 1 --record "$kernels/saxpy.ptx"
printf 'notes\n' >notes.txt
check "import over notes" 2 "not a trace" import accelsim . -o notes.txt
verdict "import: the notes are there" "$(truth grep -q notes notes.txt)"
mkdir -p sass
printf '%s\n' '-kernel name = f' >sass/kernel-1.traceg
check "export over a trace of a GPU" 2 "kernel-1.traceg: the file exists" export accelsim a.bst -o sass
verdict "export: the trace of the GPU is there" "$(truth grep -qx -- '-kernel name = f' sass/kernel-1.traceg)"
echo '{"name": "package"}' >package.json
check "JSON of somebody else" 2 "package.json: the file exists and is not an answer" run a.bst --json package.json
check "a timeline is no answer" 0 "cycles" run a.bst --timeline t.json
check "an answer over a timeline" 2 "t.json: the file exists and is not an answer" run a.bst --json t.json
check "a folder" 2 "cannot write sub: Is a directory" run a.bst --json sub
check "a folder that is missing" 2 "cannot write no/x.json: No such file" run a.bst --json no/x.json
check "a trace to standard output" 2 "needs a file" record -o - -- /bin/true

# ---- every option that says it writes a file ----
# What a command needs beside the option.
base_of() {
    case $1 in
    run) echo a.bst ;;
    corun | diff) echo a.bst hard.bst ;;
    compare) echo a.bst ;;
    sweep | explore) echo c.ini --db new.db ;;
    report | plot) echo b.db ;;
    record | correlate) echo ;;
    exec) echo "$kernels/saxpy.ptx" --grid 1 --block 1 ;;
    import) echo accelsim . ;;
    repro) echo partition/fig12 --out sub/rep --size small ;;
    cc) echo h.cu ;;
    *) echo a.bst ;;
    esac
}
tail_of() {
    case $1 in
    record) echo -- /bin/true ;;
    correlate) echo a.bst ;;
    esac
}
tab=$(printf '\t')
"$bankshot" help --files >files.txt
verdict "every option for a FILE says what it does to it" "$(truth sh -c '! grep undeclared files.txt')"
verdict "there are such options" "$(truth test "$(grep -c writes files.txt)" -ge 15)"
while IFS="$tab" read -r command option role kind; do
    case $role in writes | "adds to") ;; *) continue ;; esac
    for target in h.cu c.ini; do
        more=
        [ "$command $option" != "run --interval-csv" ] && [ "$command $option" != "corun --interval-csv" ] || more="--interval 500"
        flag=$option
        [ "$option" != -MF ] || flag="-c -MD -MF"
        # shellcheck disable=SC2046,SC2086
        timeout 600 "$bankshot" "$command" $(base_of "$command") $more $flag "$target" $(tail_of "$command") >out 2>&1 </dev/null
        status=$?
        verdict "$command $option $target is refused, by name: status $status" \
            "$([ $status = 2 ] && grep -q -- "$target" out && whole)"
    done
done <files.txt

# fine NAME ARGS...: status 0.
fine() {
    about=$1
    shift
    verdict "$about" "$(truth timeout 1200 "$bankshot" "$@" </dev/null)"
}

# ---- what may be replaced, twice ----
for i in 1 2; do
    fine "run writes all, time $i" run a.bst --json o.json --timeline o.tl.json --profile-csv o.p.csv --interval 500
    fine "compare writes all, time $i" compare a.bst --mech base --csv o.c.csv --json o.c.json
    fine "report, time $i" report b.db -o o.html
    fine "plot, time $i" plot b.db --chart stack -o o.csv
    fine "plot as a figure, time $i" plot b.db --chart stack -o o.svg
    fine "plot as PDF, time $i" plot b.db --chart stack -o o.pdf
    fine "record, time $i" exec "$kernels/saxpy.ptx" --kernel saxpy --grid 1 --block 32 --arg f32:2 --arg buf:f32:32 \
        --arg out:f32:32 --arg s32:32 --record o.bst
    fine "export, time $i" export accelsim o.bst -o o.sass
    fine "import, time $i" import accelsim o.sass -o o2.bst
    fine "sweep, time $i" sweep c.ini --db o.db --json o.s.json
    fine "cc, time $i" cc h.cu -o o.app
    fine "cc -c, time $i" cc -c h.cu -MD -MF o.d -o o.o
    fine "cc -ptx, time $i" cc -ptx h.cu -o o.ptx
    fine "cc -lib, time $i" cc -lib h.cu -o o.a
    fine "cc -E, time $i" cc -E h.cu -o o.i
done
verdict "nothing is left beside them" "$(truth test -z "$(find . -name '.bankshot-*' -o -name '*.tmp')")"
: >empty.json
fine "an empty file is replaced" run a.bst --json empty.json
verdict "and has an answer" "$(truth grep -q '"command": "run"' empty.json)"
fine "/dev/null for two" run a.bst --json /dev/null --profile-csv /dev/null
ln -s real.json link.json
fine "through a link to nothing" run a.bst --json link.json
verdict "the link is still one, and its file is there" "$(truth test -L link.json -a -s real.json)"
chmod 640 o.json
fine "rights stay" run a.bst --json o.json
verdict "the rights are those that it had" "$(truth test "$(stat -c %a o.json)" = 640)"
"$bankshot" run a.bst --json /dev/stdout >shell.json 2>/dev/null
verdict "/dev/stdout is the shell's file" "$(truth python3 -c 'import json,sys; t=open("shell.json").read(); json.loads(t[t.index("{"):t.rindex("}")+1])')"

# ---- signals ----
cp o.json keep.json
cp o.tl.json keep.tl.json
for signal in INT TERM HUP; do
    for n in 0.3 1; do
        # A shell without job control starts programs with SIGINT ignored.
        python3 - "$bankshot" $signal $n <<'PY'
import os, signal, subprocess, sys, time
signal.signal(signal.SIGINT, signal.default_int_handler)
p = subprocess.Popen([sys.argv[1], "run", "sgemm:small", "--json", "keep.json", "--timeline", "keep.tl.json", "--interval", "500",
                      "--interval-csv", "keep.csv", "--gpu", "hopper", "--check"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
time.sleep(float(sys.argv[3]))
p.send_signal(getattr(signal, "SIG" + sys.argv[2]))
p.wait()
PY
        verdict "SIG$signal after $n s: what had the names is whole" \
            "$(python3 -c 'import json; json.load(open("keep.json")); json.load(open("keep.tl.json"))' && echo 1)"
        verdict "SIG$signal after $n s: nothing is left" "$(truth test -z "$(find . -name '.bankshot-*')")"
    done
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
