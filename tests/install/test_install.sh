#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# make install's tree, in a place of its own and used from another: commands, manual page, completion; then the library with
# pkg-config, the examples built out of the tree, and a plug-in, right and wrong. Usage: test_install.sh BANKSHOT
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/frame.sh"

prefix=$tmp/usr
verdict "installs" "$(truth cmake --install "$build" --prefix "$prefix")"
mv "$prefix" "$tmp/moved" # it is found from its own place
prefix=$tmp/moved
for file in share/man/man1/bankshot.1 share/bash-completion/completions/bankshot share/zsh/vendor-completions/_bankshot \
    lib/bankshot/conf/gpus/volta.ini lib/libbankshot.so.0 include/bankshot.h share/doc/bankshot/README.md; do
    verdict "$file" "$([ -s "$prefix/$file" ] && echo 1)"
done
grep -rlF "$root" "$prefix/lib/pkgconfig" "$prefix/share" "$prefix/lib/bankshot/conf" >"$tmp/out" 2>&1
verdict "no file names the source's folder" "$([ -s "$tmp/out" ] || echo 1)"
python3 "$prefix/lib/bankshot/correlate" >"$tmp/out" 2>&1
verdict "correlate finds its clocks" "$(grep -q 'which bankshot' "$tmp/out" && echo 1)"
cd "$tmp/else" || exit 1
newcomer installed env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$tmp" sh newcomer.sh

# ---- the library ----
unset BANKSHOT_HOME
export PKG_CONFIG_PATH="$prefix/lib/pkgconfig" LD_LIBRARY_PATH="$prefix/lib"
examples=$prefix/share/doc/bankshot/examples
# shellcheck disable=SC2046
verdict "example compiles" "$(truth cc -Wall -Wextra -Werror "$examples/replay.c" -o replay $(pkg-config --cflags --libs bankshot))"
# shellcheck disable=SC2046
verdict "plug-in compiles" "$(truth cc -Wall -Wextra -Werror -shared -fPIC "$examples/youngest.c" -o youngest.so $(pkg-config --cflags bankshot))"
printf '#include <bankshot.h>\nint main() { return bankshot_abi() != BANKSHOT_ABI; }\n' >plus.cc
# shellcheck disable=SC2046
c++ -Wall -Wextra -Werror plus.cc -o plus $(pkg-config --cflags --libs bankshot)
verdict "header in C++" "$(truth ./plus)"
verdict "nothing else is exported" "$([ "$(nm -D --defined-only "$prefix/lib/libbankshot.so.0" | grep -vc ' bankshot_')" = 0 ] && echo 1)"

trace=$(ls cache/*/bank2*.bst cache/bank2*.bst 2>/dev/null | head -n 1)
./replay "$trace" volta rba >"$tmp/out" 2>&1
verdict "example runs" "$([ $? = 0 ] && grep -Eq '^kernel cycles +[0-9]+ +[0-9]+$' "$tmp/out" && echo 1)"
# The same cycles as the command's.
want=$("$prefix/bin/bankshot" run "$trace" --gpu volta --mech rba | sed -n 's/^\([0-9]*\) kernel cycles.*/\1/p')
verdict "as the command ($want cycles)" "$([ -n "$want" ] && grep -Eq "^kernel cycles +[0-9]+ +$want\$" "$tmp/out" && echo 1)"

# refused NAME TEXT ARGS: the example ends with 2 and says so.
refused() {
    ./replay "$3" "${4-volta}" "${5-rba}" >"$tmp/out" 2>&1
    verdict "$1" "$([ $? = 2 ] && grep -q "$2" "$tmp/out" && echo 1)"
}
refused "no trace" 'nothing.bst' nothing.bst
refused "no such GPU" "unknown GPU 'volt'; did you mean 'volta'" "$trace" volt
refused "no such mechanism" "unknown mechanism 'rbb'" "$trace" volta rbb
refused "no trace at all" 'newcomer.sh' newcomer.sh
BANKSHOT_HOME=/nowhere refused "no home" 'BANKSHOT_HOME=/nowhere: no such folder' "$trace"

# ---- the plug-in ----
bankshot=$prefix/bin/bankshot
check "plug-in" 0 'plug-in +\./youngest.so: sm.wsched = youngest, the same warp' run "$trace" --plugin ./youngest.so --check
one=$("$bankshot" run "$trace" --plugin youngest.so --json - | grep -E '"(kernel_cycles|sm.wsched)"' | tr -d '\n')
two=$("$bankshot" run "$trace" --plugin youngest.so --json - --threads 2 | grep -E '"(kernel_cycles|sm.wsched)"' | tr -d '\n')
verdict "threads: $one" "$([ "$one" = "$two" ] && echo "$one" | grep -q youngest && echo 1)"
check "no plug-in" 2 'cannot open shared object' run "$trace" --plugin ./nothing.so
check "no shared object" 2 'invalid ELF header|file too short' run "$trace" --plugin ./newcomer.sh
# wrong NAME TEXT SED: the plug-in, changed.
wrong() {
    sed -E "$3" "$examples/youngest.c" >wrong.c
    # shellcheck disable=SC2046
    cc -shared -fPIC wrong.c -o "wrong-$1.so" $(pkg-config --cflags bankshot) 2>"$tmp/out" || echo "wrong-$1.so does not compile"
    check "plug-in: $1" 2 "$2" run "$trace" --plugin "./wrong-$1.so"
}
wrong version 'version 0 of bankshot.h, this is version 1' 's/BANKSHOT_ABI/0/'
wrong symbol 'is no plug-in: it has no symbol bankshot_plugin' 's/ bankshot_plugin / another /'
wrong function 'youngest lacks a function `pick`' 's/^ *\.pick = pick,//'
wrong name 'the name of a bundled one, gto' 's/"youngest"/"gto"/'
wrong slot 'sm.wsched = youngest picked slot 63, which is not ready' 's/return best;/return 63;/'
wrong waits 'sm.wsched = youngest picked slot 64, which is not ready' 's/return best;/return -1;/'
echo "$passed passed, $failed failed"
[ $failed = 0 ]
