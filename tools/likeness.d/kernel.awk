# SPDX-License-Identifier: Apache-2.0
# All figures of some kernels, ours beside every reference: tools/likeness -k. Means and shares of the sums that measure.awk made.
# Reads: workload and program of each; measured rows, the first line names columns.
FILENAME ~ /workloads$/ { program[$1] = $2; next }
FNR == 1 {
    for (i = 1; i <= NF; i++) {
        column[$i] = i
        title[i] = $i
    }
    next
}
index($4, kernel) {
    for (w in program)
        if ($3 == w || ($2 == "static" && $3 == program[w]))
            break
    # awk has no other way to tell that a loop ended early
    if (!($3 == w || ($2 == "static" && $3 == program[w])))
        next
    where = ($2 == "static" ? program[w] : w) " " $4 " " $2
    if (!(where in seen)) {
        seen[where] = 1
        places[++nplaces] = where
    }
    if ((where, $1) in v)
        next
    v[where, $1] = $0
}

function ratio(a, b) { return b ? sprintf("%.2f", a / b) : "-" }

function show(where, text, name, a, b, scale, r, f, cell) {
    printf "  %-44s", text
    for (r = 1; r <= nrefs; r++) {
        cell = ""
        if ((where, refs[r]) in v) {
            split(v[where, refs[r]], f, ",")
            cell = name != "" ? f[column[name]] : ratio(scale * f[column[a]], f[column[b]] - (a ~ /_flight/ ? f[column[b "_open"]] : 0))
        }
        printf " %11s", cell
    }
    printf "\n"
}

END {
    nrefs = split("ours nvcc90 clang90 nvcc80 clang80", refs, " ")
    for (p = 1; p <= nplaces; p++) {
        where = places[p]
        printf "%s\n  %-44s", where, ""
        for (r = 1; r <= nrefs; r++)
            printf " %11s", refs[r]
        printf "\n"
        if (where ~ / executed$/)
            show(where, "launches counted", "launches")
        show(where, "registers", "regs")
        show(where, "instructions", "insts")
        for (i = column["fp32"]; i <= column["other"]; i++)
            show(where, "  " title[i], title[i])
        show(where, "with a guard, not control", "guarded")
        show(where, ".reuse flags", "reuse")
        show(where, "global load to first use, distance", "", "gl_dist", "gl", 1)
        show(where, "global loads in flight at first use", "", "gl_flight", "gl", 1)
        show(where, "global loads without a reader in reach, %", "", "gl_open", "gl", 100)
        show(where, "shared load to first use, distance", "", "sl_dist", "sl", 1)
        show(where, "shared loads in flight at first use", "", "sl_flight", "sl", 1)
        show(where, "shared loads without a reader in reach, %", "", "sl_open", "sl", 100)
        show(where, "FP32 reads two registers: both in a bank, %", "", "same2", "read2", 100)
        show(where, "FP32 reads three registers: all in a bank, %", "", "same3", "read3", 100)
    }
    if (!nplaces) {
        print "likeness: no kernel has " kernel " in its name" >"/dev/stderr"
        exit 2
    }
}
