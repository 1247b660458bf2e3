#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The digests of the model and of bankshot cc: code moves them, comments and white space do not. Usage: test_digest.sh BANKSHOT
set -u
. "$(dirname "$0")/../cli/frame.sh"
root=$(cd "$here/../.." && pwd)
cd "$tmp" || exit 1

# digest TEXT: of a model that has one source with this text.
digest() {
    printf '%b' "$1" >model.c
    printf '%s' "$tmp/model.c" >list.txt
    cmake -DROOT="$tmp" -DLIST="$tmp/list.txt" -DSCHEMA="$root/src/db/schema.sql" -DOUT="$tmp/out.c" -P "$root/cmake/generate.cmake" >&2
    sed -n 's/.*db_model_digest.*"\(.*\)".*/\1/p' out.c
}

plain=$(digest 'int a = 2; /* two */\nint b;\n')
verdict "16 hex digits" "$(echo "$plain" | grep -Eq '^[0-9a-f]{16}$' && echo 1)"
verdict "another comment" "$([ "$(digest 'int a = 2; /* a pair,\n * of stars ** */\nint b;\n')" = "$plain" ] && echo 1)"
verdict "a comment before everything" "$([ "$(digest '/**/ /* x **/\nint a = 2;\n\nint b;')" = "$plain" ] && echo 1)"
verdict "other white space" "$([ "$(digest 'int a =\n\t2;\n\n  int b; ')" = "$plain" ] && echo 1)"
verdict "code between two comments" "$([ "$(digest '/* a */ int a = 3; /* b */ int b;')" != "$plain" ] && echo 1)"
verdict "another number" "$([ "$(digest 'int a = 3; /* two */\nint b;\n')" != "$plain" ] && echo 1)"

# ---- bankshot cc: which sources, and that each of them counts ----
# rules ROOT: of the sources below ROOT that the build's list names.
rules() {
    sed "s|$root/|$1/|g" "$sources" >rules.txt
    cmake -DROOT="$1" -DLIST="$tmp/rules.txt" -DOUT="$tmp/rules.c" -P "$root/cmake/generate_rules.cmake" >&2
    sed -n 's/.*cc_rules_digest.*"\(.*\)".*/\1/p' rules.c
}
sources=$(dirname "$bankshot")/generated/rules_sources.txt
if [ -r "$sources" ]; then
    mkdir -p copy/src/cli
    cp -r "$root/src/cli/cc" "$root/src/cli/cc.c" copy/src/cli/
    built=$(rules "$tmp/copy")
    verdict "the rules' digest is the build's" "$(grep -q "\"$built\"" "$(dirname "$sources")/cc_rules.c" && echo 1)"
    for f in src/cli/cc.c src/cli/cc/device.c src/cli/cc/rows.c src/cli/cc/unit.h; do
        echo 'extern int more;' >>copy/$f
        now=$(rules "$tmp/copy")
        verdict "$f moves the rules' digest" "$([ -n "$now" ] && [ "$now" != "$built" ] && echo 1)"
        built=$now
    done
    echo '/* more */' >>copy/src/cli/cc.c
    verdict "a comment does not" "$([ "$(rules "$tmp/copy")" = "$built" ] && echo 1)"
fi
echo "$passed passed, $failed failed"
[ $failed = 0 ]
