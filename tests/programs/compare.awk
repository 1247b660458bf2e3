# SPDX-License-Identifier: Apache-2.0
# Compares the figures of one program by two compilers: awk -v limit=0.10 -v small=0.03 -f compare.awk OURS NVCC. A figure may
# differ by the part `limit`; a class of instructions also by the part `small` of all warp instructions, so that classes with
# few members do not decide. Integer sums and products count together: which of them an index times a power of two is depends on
# how a front end wrote it.
$1 == "class.INT" || $1 == "class.IMUL" || $1 == "class.WIDE" { $1 = "class.INT+IMUL" }
!($1 in seen) { seen[$1]; order[++n] = $1 }
NR == FNR { ours[$1] += $2; next }
{ theirs[$1] += $2 }
END {
    total = theirs["warp_insts"]
    printf "  %-20s %14s %14s %9s\n", "figure", "bankshot cc", "nvcc", "differs"
    for (i = 1; i <= n; i++) {
        name = order[i]
        a = ours[name] + 0
        b = theirs[name] + 0
        d = a - b
        if (d < 0)
            d = -d
        bad = d > limit * b
        if (name ~ /^class\./ && d <= small * total)
            bad = 0
        if (name == "launches")
            bad = a != b
        printf "  %-20s %14d %14d %8.2f%%%s\n", name, a, b, b ? 100 * (a - b) / b : (a ? 100 : 0), bad ? "  TOO MUCH" : ""
        failed += bad
    }
    exit failed > 0 || n < 10
}
