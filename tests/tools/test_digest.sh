#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# The model's digest: code moves it, comments and white space do not. Usage: test_digest.sh BANKSHOT
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
echo "$passed passed, $failed failed"
[ $failed = 0 ]
