# SPDX-License-Identifier: Apache-2.0
# Two listings side by side, of the first kernel with `kernel` in its name: ours (with executions) and SASS. tools/likeness -k -l.
function of_kernel(name) { return index(name, kernel) && !(FILENAME in taken) }
/^kernel / { on = of_kernel($2); if (on) taken[FILENAME] = 1; file = 1; next }
/Function : / { on = of_kernel($3); if (on) taken[FILENAME] = 1; file = 2; next }
on && /^B[0-9]+:/ { text[1, ++n[1]] = $1 }
on && /^ *\/\*[0-9a-f]+\*\/ / {
    s = $0
    sub(/^ */, "", s)
    if (file == 1)
        sub(/  \{.*/, "", s)
    else
        sub(/ *;.*/, "", s)
    gsub(/  +/, " ", s)
    text[file, ++n[file]] = s
}
END {
    for (i = 1; i <= n[1] || i <= n[2]; i++)
        printf "%-70s | %s\n", text[1, i], text[2, i]
}
