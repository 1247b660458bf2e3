#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The manual page has every command and every option that the help has, troff accepts it where groff is installed, and completion in
# bash (and zsh, where it is) knows them. Usage: test_man.sh BANKSHOT
set -u
. "$(dirname "$0")/frame.sh"

cd "$tmp" || exit 1
: >out
"$bankshot" help --man >bankshot.1 2>out && ok=1 || ok=0
verdict "the page" "$ok"
commands=$("$bankshot" help | sed -n '/^commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | grep -v '^help$')
[ "$(echo "$commands" | wc -l)" -gt 10 ] && ok=1 || ok=0
verdict "commands are found" "$ok"
for c in $commands; do
    grep -q "^\.SH bankshot $c\$" bankshot.1 && ok=1 || ok=0
    verdict "section of $c" "$ok"
    # Every option of the help is an entry of the page, and a word of the completion.
    "$bankshot" help "$c" | sed -n '/^options:/,$s/^  \(-[^ ,=]*\).*/\1/p' | sort -u >options
    awk -v c="$c" '/^\.SH/ { mine = $0 == ".SH bankshot " c } mine && /^\.B / { gsub(/\\-/, "-"); sub(/^\.B /, ""); sub(/[ ,=].*/, ""); print }' \
        bankshot.1 | sort -u >entries
    "$bankshot" help --words "$c" | sed 's/=$//' | sort -u >words
    diff options entries >out && ok=1 || ok=0
    verdict "options of $c on the page" "$ok"
    diff options words >out && ok=1 || ok=0
    verdict "words of $c" "$ok"
done
"$bankshot" help --words nonesuch >out 2>&1 && ok=0 || ok=1
verdict "words of no command" "$ok"
if command -v groff >/dev/null; then
    groff -man -Tascii -P-cbou -ww bankshot.1 >page 2>out
    [ ! -s out ] && grep -q -- '--interval-csv FILE' page && ok=1 || ok=0
    verdict "troff accepts it" "$ok"
fi

# complete WORDS...: what bash would offer for the last of them
cat >complete.bash <<END
. "$here/../../tools/completion/bankshot.bash"
COMP_WORDS=("$bankshot" "\$@") COMP_CWORD=\$#
_bankshot
printf '%s\n' "\${COMPREPLY[@]}"
END
offers() { # NAME WANT WORDS...: WANT is among the offers
    name=$1 want=$2
    shift 2
    bash complete.bash "$@" >out 2>&1
    grep -qx -- "$want" out && ok=1 || ok=0
    verdict "bash: $name" "$ok"
}
if command -v bash >/dev/null; then
    offers "a command" compare com
    offers "an option" --profile-csv run x.bst --prof
    offers "a GPU" volta run x.bst --gpu vol
    offers "a mechanism" rba compare x.bst --mech r
    offers "no mechanism" base compare x.bst --mech b
    offers "a setting" sm.banks= run x.bst --set sm.ba
    offers "a workload" vectoradd run vector
    offers "a list" options list opt
    offers "help" sweep help sw
    bash complete.bash run x.bst --nonesuch >out 2>&1
    [ -z "$(tr -d '\n' <out)" ] && ok=1 || ok=0
    verdict "bash: nothing" "$ok"
fi
if command -v zsh >/dev/null; then
    zsh -n "$here/../../tools/completion/_bankshot" >out 2>&1 && ok=1 || ok=0
    verdict "zsh reads its file" "$ok"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
