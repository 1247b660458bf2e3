# SPDX-License-Identifier: Apache-2.0
# The table of tools/likeness: a line for each kernel, ours beside the reference's, then geometric means and what lies outside.
# Reads: workload and program of each; ours over all launches; silicon/suite-h200.csv; measured rows, the first line names columns.
FILENAME ~ /workloads$/ { program[$1] = $2; order[++nworkloads] = $1; next }
FILENAME ~ /totals$/ { whole[$2] = $3; next }
FILENAME ~ /suite-h200.csv$/ { if (FNR > 1) silicon[$1] = $6; next }
FNR == 1 {
    for (i = 1; i <= NF; i++)
        column[$i] = i
    for (i = column["fp32"]; i <= column["other"]; i++)
        title[i] = $i
    next
}
$2 != weight || ($1 != "ours" && $1 != reference) { next }
{
    # Statically a program has one row for each kernel, whichever workload showed it.
    who = $1 == "ours"
    key = (weight == "static" && who ? program[$3] : $3) SUBSEP $4
    if (who && !(key in rank)) {
        rank[key] = ++nkeys
        keys[nkeys] = key
    }
    if ((who, key) in have)
        next
    have[who, key] = 1
    for (i = 5; i <= NF; i++)
        v[who, key, i] = $i
}

function get(who, key, name) { return v[who, key, column[name]] }
function over(a, b) { return b ? a / b : 0 }
function mean(who, key, load, what) {
    return over(get(who, key, load what), get(who, key, load) - (what == "_flight" ? get(who, key, load "_open") : 0))
}

# One pair of means in the table, and its ratio into the geometric mean.
function pair(key, load, what, a, b) {
    a = mean(1, key, load, what)
    b = mean(0, key, load, what)
    if (a && b) {
        logs[load what] += log(a / b)
        count[load what]++
        if (a / b < 0.5 || a / b > 2)
            far_off(load what, key, a / b)
    }
    return sprintf(" %6s %6s", a ? sprintf("%.1f", a) : "-", b ? sprintf("%.1f", b) : "-")
}

function line(key, part, a, b, i, program_kernel) {
    split(key, part, SUBSEP)
    a = get(1, key, "regs")
    b = get(0, key, "regs")
    program_kernel = (part[1] in program ? program[part[1]] : part[1]) SUBSEP part[2]
    if (!(program_kernel in seen)) {
        seen[program_kernel] = 1
        logs["regs"] += log(a / b)
        count["regs"]++
        if (a / b < 0.6 || a / b > 1.6)
            odd["regs"] = odd["regs"] sprintf("  %-28s %-36s %4d %4d %6.2f\n", part[1], short(part[2]), a, b, a / b)
    }
    printf "%-21s %-26.26s %4d %4d %5.2f", part[1], short(part[2]), a, b, a / b
    a = get(1, key, "insts")
    b = get(0, key, "insts")
    if (a && b) {
        logs["insts"] += log(a / b)
        count["insts"]++
    }
    printf " %10d %10d %5.2f", a, b, over(a, b)
    printf "%s%s%s%s\n", pair(key, "gl", "_dist"), pair(key, "gl", "_flight"), pair(key, "sl", "_dist"), pair(key, "sl", "_flight")
    for (i = column["fp32"]; a && b && i <= column["other"]; i++) {
        share[1, i] += v[1, key, i] / a
        share[0, i] += v[0, key, i] / b
    }
    for (i = 0; i < 2; i++) {
        reads2[i] += over(get(i, key, "read2"), get(i, key, "insts")); sames2[i] += over(get(i, key, "same2"), get(i, key, "insts"))
        reads3[i] += over(get(i, key, "read3"), get(i, key, "insts")); sames3[i] += over(get(i, key, "same3"), get(i, key, "insts"))
        reuse[i] += over(get(i, key, "reuse"), get(i, key, "insts"))
        guarded[i] += over(get(i, key, "guarded"), get(i, key, "insts"))
        open["gl", i] += get(i, key, "gl_open"); loads["gl", i] += get(i, key, "gl")
        open["sl", i] += get(i, key, "sl_open"); loads["sl", i] += get(i, key, "sl")
    }
}

# Sorted by ratio.
function far_off(what, key, r, i, part) {
    split(key, part, SUBSEP)
    for (i = ++noff[what]; i > 1 && off[what, i - 1] > r; i--) {
        off[what, i] = off[what, i - 1]
        off_name[what, i] = off_name[what, i - 1]
    }
    off[what, i] = r
    off_name[what, i] = part[1] " " short(part[2])
}

function outliers(what, text, i) {
    if (!noff[what])
        return
    printf "\n%s, ratio outside 0.5 to 2: %d kernels", text, noff[what]
    for (i = 1; i <= noff[what]; i++)
        printf "%s%-36.36s %5.2f", i % 4 == 1 ? "\n  " : "   ", off_name[what, i], off[what, i]
    printf "\n"
}

function geomean(what, text) {
    if (count[what])
        printf "%-46s %6.3f over %d kernels\n", text, exp(logs[what] / count[what]), count[what]
}

# Over all launches, which the reference's rows do not have.
function totals(i, w, r, n, sum, text, inside, all) {
    for (i = 1; i <= nworkloads; i++) {
        w = order[i]
        if (!(w in whole) || !(w in silicon))
            continue
        r = whole[w] / silicon[w]
        n++
        sum += log(r)
        all = all sprintf("%s%-22s %5.2f", n % 5 == 1 ? "\n  " : "   ", w, r)
        if (r < 0.8 || r > 1.25)
            text = text sprintf("  %-28s %12d %12d %6.2f\n", w, whole[w], silicon[w], r)
        else
            inside++
    }
    if (n)
        printf "\nexecuted warp instructions of whole programs, ours over the H200's: geometric mean %.3f over %d workloads, %d of them within 0.8 to 1.25; outside:\n%seach:%s\n", exp(sum / n), n, inside, text, all
}

END {
    printf "%-48s %-15s %-27s %-27s %-27s\n", "", "registers", "     instructions", "  global loads", "  shared loads"
    printf "%-21s %-26s %4s %4s %5s %10s %10s %5s", "", "", "ours", "ref", "", "ours", reference, ""
    for (k = 0; k < 2; k++)
        printf " %13s %13s", "distance  ", "in flight  "
    printf "\n"
    for (k = 1; k <= nkeys; k++) {
        if (!((0, keys[k]) in have)) {
            split(keys[k], part, SUBSEP)
            missing = missing "  " part[1] " " short(part[2]) "\n"
            continue
        }
        line(keys[k])
        lines++
    }
    if (missing != "")
        printf "not in the reference:\n%s", missing
    if (!lines)
        exit 1
    printf "\nours over %s, %s, geometric means\n", reference, weight == "static" ? "every instruction once" : "as executed"
    geomean("regs", "registers")
    geomean("insts", "instructions")
    geomean("gl_dist", "global load to first use, distance")
    geomean("gl_flight", "global loads in flight at first use")
    geomean("sl_dist", "shared load to first use, distance")
    geomean("sl_flight", "shared loads in flight at first use")
    printf "\nregisters outside 0.6 to 1.6:\n%s", odd["regs"]
    outliers("gl_dist", "global load to first use")
    outliers("gl_flight", "global loads in flight")
    outliers("sl_dist", "shared load to first use")
    outliers("sl_flight", "shared loads in flight")
    if (weight == "executed")
        totals()
    printf "\nmean over the kernels, per cent of instructions   ours  %s\n", reference
    for (i = column["fp32"]; i <= column["other"]; i++)
        printf "  %-46s %6.2f %7.2f\n", title[i], 100 * share[1, i] / lines, 100 * share[0, i] / lines
    printf "  %-46s %6.2f %7.2f\n", "with a guard, not control", 100 * guarded[1] / lines, 100 * guarded[0] / lines
    printf "  %-46s %6.2f %7.2f\n", ".reuse flags", 100 * reuse[1] / lines, 100 * reuse[0] / lines
    printf "of FP32 instructions that read two registers, both in one bank of two, per cent    %6.2f %7.2f\n", 100 * over(sames2[1], reads2[1]), 100 * over(sames2[0], reads2[0])
    printf "... three registers, all in one                                                    %6.2f %7.2f\n", 100 * over(sames3[1], reads3[1]), 100 * over(sames3[0], reads3[0])
    printf "global loads without a reader in their block and the next, per cent                %6.2f %7.2f\n", 100 * over(open["gl", 1], loads["gl", 1]), 100 * over(open["gl", 0], loads["gl", 0])
    printf "shared loads ...                                                                   %6.2f %7.2f\n", 100 * over(open["sl", 1], loads["sl", 1]), 100 * over(open["sl", 0], loads["sl", 0])
}
