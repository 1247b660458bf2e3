# SPDX-License-Identifier: Apache-2.0
# The figures of `bankshot inspect --json` as lines "NAME VALUE". The JSON has one key or bracket per line.
/^ *"launch":/ { launches++ }
/^ *"stats": \{/ { inside = 1; next }
!inside { next }
/\{$/ { sub(/^ *"/, ""); sub(/".*/, ""); path[++depth] = $0; next }
/^ *\},?$/ { if (depth) depth--; next }
/^ *"[^"]*": [0-9]+,?$/ {
    line = $0
    gsub(/[ ",]/, "", line)
    split(line, kv, ":")
    name = kv[1]
    if (depth == 0 && (name == "warp_insts" || name == "thread_insts"))
        print name, kv[2]
    else if (depth == 1 && path[1] == "classes")
        print "class." name, kv[2]
    else if (depth == 2 && path[1] == "memory" && name ~ /^(requests|loads|stores|atomics|lanes|bytes|footprint_b)$/)
        print path[2] "." name, kv[2]
}
END { print "launches", launches + 0 }
