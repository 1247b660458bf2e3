# SPDX-License-Identifier: Apache-2.0
# Measures machine code: reads listings, of SASS or of this compiler, and prints one row of figures (CSV) for each kernel.
# tools/likeness and tools/likeness-gather call it:   awk -v reference=R -v name=N -f measure.awk LISTING...   (-v header=1: the columns)
#
# Listings. SASS: what `cuobjdump -sass -res-usage` prints. Ours: what `bankshot inspect --code` or `--counts` prints of a trace.
#   In both a number between the address and the instruction is how often warps executed it, and a line "counted over N launches:"
#   stands before such a kernel. Everything below is the same code for both; only operands are read differently (function sass_operands).
#
# A kernel has a row with weight static, where every instruction counts once, and where executions are known a second one with weight
# executed, where it counts as often as warps executed it. All figures are counts and sums, so that rows can be added:
#   regs           registers per thread, as the assembler tells it (ours counts the same way: docs/machine.md)
#   insts          instructions; NOP does not count statically (it is padding), nor does the branch to itself that ends SASS
#   fp32 ... other instructions by class (function class_of): what an instruction does, so that IMAD.MOV.U32, CS2R and an HFMA2 of zeros
#                  are moves; conversions that the transcendental unit does are sfu; barriers and convergence are control; atomics,
#                  half precision, texture and what communicates between lanes are other
#   gl, sl         loads from global (or generic) and shared memory into registers
#   *_dist         sum over them of the instructions from the load to the first that reads a word of its result (the next one: 1). The
#                  way goes from the load to the end of its block and through one more: the target of a backward or unconditional
#                  branch, otherwise the block that follows. Where no reader is found, the distance to the end counts
#   *_open         loads of which no reader was found
#   *_flight       sum, over the loads with a reader, of loads of the same memory in flight when it comes to the reader: issued since the
#                  block began, no word of theirs read yet, the load itself among them
#   read2, read3   FP32 instructions that read two or three different registers from the banks: not what the reuse cache has, because
#                  the instruction before, in the same block, has .reuse on the same register in the same place
#   same2, same3   those of which all these registers are in one bank of two (numbers all even or all odd)
#   reuse          .reuse flags
#   guarded        instructions with a guard that are not control
BEGIN {
    nclasses = split("fp32 int move fp64 sfu tensor ldg stg lds sts local ldc control uniform other", classes, " ")
    nsums = split("gl gl_dist gl_open gl_flight sl sl_dist sl_open sl_flight read2 same2 read3 same3 reuse guarded", sums, " ")
    set(no_result, "ST STG STS STL STSM RED REDG REDS SUST SURED LDGSTS UBLKCP ISETP FSETP DSETP HSETP2 PLOP3 PSETP FCHK R2P BAR BSSY BSYNC BRA BRX JMP JMX" \
        " CALL RET EXIT KILL BREAK WARPSYNC NANOSLEEP YIELD MEMBAR ERRBAR FENCE CCTL DEPBAR LDGDEPBAR NOP BPT TRAP ENDCOLLECTIVE MBAR")
    set(ends, "BRA BRX JMP JMX CALL RET EXIT KILL BSYNC TRAP")
    set(in_class, "FFMA FADD FMUL FMNMX FSETP FSEL FSWZADD FCHK", "fp32")
    set(in_class, "MOV S2R CS2R P2R R2P", "move")
    set(in_class, "DADD DMUL DFMA DMNMX DSETP", "fp64")
    set(in_class, "MUFU F2F F2I I2F FRND", "sfu")
    set(in_class, "HMMA IMMA BMMA DMMA", "tensor")
    set(in_class, "LDG LD LDGSTS", "ldg")
    set(in_class, "STG ST", "stg")
    set(in_class, "LDS LDSM", "lds")
    set(in_class, "STS STSM", "sts")
    set(in_class, "LDL STL", "local")
    set(in_class, "LDC", "ldc")
    set(in_class, "BRA BRX JMP JMX CALL RET EXIT KILL BSSY BSYNC BREAK BMOV BAR WARPSYNC NANOSLEEP YIELD TRAP BPT ENDCOLLECTIVE", "control")
    set(in_class, "R2UR REDUX VOTEU S2UR", "uniform")
    set(in_class, "IADD3 IADD IMAD LEA IABS IMNMX LOP LOP3 SHL SHR SHF SGXT BMSK PRMT POPC FLO BREV IDP VABSDIFF VABSDIFF4 VIADD VIADD2 VIADDMNMX" \
        " VIMNMX VIMNMX3 ISETP PLOP3 PSETP SEL I2I I2FP", "int")
    if (header) {
        printf "reference,weight,name,kernel,launches,regs,insts"
        for (i = 1; i <= nclasses; i++)
            printf ",%s", classes[i]
        for (i = 1; i <= nsums; i++)
            printf ",%s", sums[i]
        printf "\n"
    }
}

function set(to, names, value, i, n, a) {
    n = split(names, a, " ")
    for (i = 1; i <= n; i++)
        to[a[i]] = value == "" ? 1 : value
}

# ---- listings ----

/^ Function .*:$/ { resource = $2; sub(/:$/, "", resource) }
/^  REG:/ { split($1, part, ":"); regs_of[resource] = part[2] }
/^counted over / { launches_next = $3 }
/Function : / { begin($3, regs_of[$3]) }
/^kernel .* registers/ {
    kernel_name = $2
    sub(/:$/, "", kernel_name)
    begin(kernel_name, $5)
}
/^ *\/\*[0-9a-f]+\*\/ / { instruction($0) }
END { finish() }

function begin(kernel, registers) {
    finish()
    name_now = kernel
    regs = registers
    launches = launches_next + 0
    launches_next = 0
    n = counted = 0
}

function instruction(line, addr, text, ours) {
    addr = line
    sub(/^ *\/\*0*/, "", addr)
    sub(/\*\/.*/, "", addr)
    addr = addr == "" ? "0" : addr
    text = line
    sub(/^ *\/\*[0-9a-f]+\*\/ */, "", text)
    ours = text ~ /  \{[A-Z0-9]+/
    if (ours)
        sub(/  \{.*/, "", text)
    else
        sub(/ *;.*/, "", text)
    n++
    count[n] = 0
    if (match(text, /^[0-9]+ +/)) {
        count[n] = substr(text, 1, RLENGTH) + 0
        counted = 1
        text = substr(text, RLENGTH + 1)
    }
    at[addr] = n
    address[n] = addr
    guard[n] = match(text, /^@!?U?P[0-9]+ /) ? substr(text, 2, RLENGTH - 2) : ""
    sub(/^@!?U?P[0-9T]+ /, "", text)
    sub(/ *\(\*.*/, "", text) # the table of an indirect branch
    code[n] = text
    op[n] = base[n] = text
    sub(/ .*/, "", op[n])
    sub(/[. ].*/, "", base[n])
    sub(/^[^ ]* */, "", text)
    results[n] = target[n] = ""
    nslots[n] = conditional[n] = flags[n] = 0
    if (ours)
        our_operands(text)
    else
        sass_operands(text)
    class[n] = class_of(n)
}

# R4-7 is four registers. Without <- there are only results, or only sources.
function our_operands(text, i, m, half, a) {
    if (match(text, /(^| )-> [0-9]+$/)) {
        half = substr(text, RSTART, RLENGTH)
        text = substr(text, 1, RSTART - 1)
        sub(/.*> /, "", half)
        target[n] = sprintf("%x", half * 16)
    }
    i = index(text, " <- ")
    half = i ? substr(text, 1, i - 1) : base[n] in no_result ? "" : text
    m = split(half, a, ", ")
    for (i = 1; i <= m; i++)
        results[n] = results[n] numbers(a[i], 1)
    i = index(text, " <- ")
    half = i ? substr(text, i + 4) : base[n] in no_result ? text : ""
    nslots[n] = split(half, a, ", ")
    for (i = 1; i <= nslots[n]; i++)
        slot[n, i] = numbers(a[i], 1)
}

# The result is the first operand that is a register, behind predicates; how wide operands are is in the mnemonic. Predicates have no
# place among the sources.
function sass_operands(text, i, m, a, has_result) {
    m = split(text, a, /, */)
    if (base[n] in ends && a[m] ~ /0x[0-9a-f]+$/) {
        target[n] = a[m]
        sub(/.*0x0*/, "", target[n])
        target[n] = target[n] == "" ? "0" : target[n]
        conditional[n] = base[n] == "BRA" && m > 1
    }
    has_result = base[n] in no_result
    for (i = 1; i <= m; i++) {
        if (a[i] ~ /^!?U?P[0-9TR]/)
            continue
        if (!has_result) {
            has_result = 1
            if (a[i] ~ /^R[0-9Z]/) {
                results[n] = numbers(a[i], wide(0))
                continue
            }
            if (a[i] ~ /^(UR|B)[0-9Z]/)
                continue
        }
        flags[n] += gsub(/\.reuse/, "&", a[i])
        slot[n, ++nslots[n]] = numbers(a[i], a[i] ~ /\[/ ? 1 : wide(nslots[n]))
        kept[n, nslots[n]] = a[i] ~ /\.reuse/
    }
}

# Registers that an operand of SASS has: 0 the result, 1.. the sources.
function wide(operand, o) {
    o = op[n]
    if (base[n] ~ /^D/ && base[n] != "DEPBAR")
        return 2
    if (o ~ /^IMAD\.WIDE/)
        return operand == 0 || operand == 3 ? 2 : 1
    if (base[n] == "HMMA" || base[n] == "IMMA")
        return operand == 0 || operand == 3 ? (o ~ /F32|IMMA/ ? 4 : 2) : operand == 1 ? (o ~ /\.16816/ ? 4 : 2) : o ~ /\.16816/ ? 2 : 1
    if (base[n] == "CS2R")
        return operand == 0 && o !~ /\.32/ ? 2 : 1
    if (base[n] == "LDSM")
        return o ~ /\.4$/ ? 4 : o ~ /\.2$/ ? 2 : 1
    if (base[n] ~ /^(F2F|F2I|I2F|FRND)$/) {
        if (operand == 0)
            return o ~ /^(F2F|I2F|FRND)\.F64|^F2I.*\.[SU]64/ ? 2 : 1
        return o ~ /^F2F\.[A-Z0-9]+\.F64|^F2I.*\.F64|^FRND\.F64|^I2F.*\.[SU]64/ ? 2 : 1
    }
    if (base[n] ~ /^(LD|ST|ATOM|RED)/)
        return o ~ /\.128/ ? 4 : o ~ /\.64/ ? 2 : 1
    return base[n] == "RET" || base[n] == "BRX" ? 2 : 1
}

# The general registers in an operand, each as " N"; width: of one that does not tell its own.
function numbers(text, width, list, first, last, w) {
    gsub(/UR[0-9]+/, "", text)
    while (match(text, /(^|[^A-Za-z0-9_])R[0-9]+(-[0-9]+)?/)) {
        first = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/.*R/, "", first)
        last = first
        w = text ~ /^\.64/ ? 2 : width
        if (sub(/.*-/, "", last) == 0)
            last = first + w - 1
        for (first += 0; first <= last + 0; first++)
            list = list " " first
    }
    return list
}

function class_of(i, b) {
    b = base[i]
    if (b ~ /^IMAD$/ && (op[i] ~ /^IMAD\.MOV/ || code[i] ~ /^IMAD\.U32 R[0-9]+, RZ, RZ,/))
        return "move"
    if (b == "HFMA2" && code[i] ~ / -?RZ, RZ,/)
        return "move"
    if (b in in_class)
        return in_class[b]
    return b ~ /^U[A-Z]/ ? "uniform" : "other"
}

# ---- figures ----

function finish(i) {
    if (name_now == "")
        return
    blocks()
    for (i = 1; i <= n; i++)
        once[i] = !(base[i] == "NOP" || target[i] == address[i] && guard[i] == "")
    flights()
    row("static", once)
    if (counted)
        row("executed", count)
    name_now = ""
    split("", at)
    split("", slot)
    split("", kept)
}

# last[i]: the last instruction of the block of i, leader[i]: whether it begins one.
function blocks(i, end) {
    split("", leader)
    leader[1] = 1
    for (i = 1; i <= n; i++) {
        if (!(base[i] in ends))
            continue
        leader[i + 1] = 1
        if (target[i] != "" && target[i] in at && base[i] != "CALL")
            leader[at[target[i]]] = 1
    }
    for (i = n; i >= 1; i--) {
        if (i == n || (i + 1) in leader)
            end = i
        last[i] = end
    }
}

# The first instruction of the block that follows the one that ends at i; 0: none.
function after(i, to) {
    to = base[i] == "BRA" && target[i] in at ? at[target[i]] : 0
    if (to && (to <= i || guard[i] == "" && !conditional[i]))
        return to
    if (guard[i] == "" && base[i] ~ /^(BRA|BRX|JMP|JMX|RET|EXIT|KILL)$/ && !conditional[i])
        return 0
    return i < n ? i + 1 : 0
}

function loads_into_registers(i) { return (class[i] == "ldg" || class[i] == "lds") && results[i] != "" }

function flights(i, k, next_block, m, own) {
    for (i = 1; i <= n; i = last[i] + 1) {
        m = 0
        split("", way)
        for (k = i; k <= last[i]; k++)
            way[++m] = k
        own = m
        next_block = after(last[i])
        if (next_block)
            for (k = next_block; k <= last[next_block]; k++)
                way[++m] = k
        along(m, own)
    }
}

# dist[i], flight[i] (0: open) of the loads among the first `own` of the m instructions way[].
function along(m, own, k, j, i, u) {
    split("", used)
    split("", gone)
    split("", loads)
    nloads = 0
    for (k = 1; k <= m; k++) {
        i = way[k]
        if (nloads)
            settle(i, k)
        if (loads_into_registers(i)) {
            loads[++nloads] = k
            words[nloads] = results[i] " "
        }
    }
    for (j = 1; j <= nloads && loads[j] <= own; j++) {
        i = way[loads[j]]
        u = used[j]
        dist[i] = (u ? u : m + 1) - loads[j]
        flight[i] = 0
        for (k = 1; u && k <= nloads && loads[k] < u; k++)
            if (class[way[loads[k]]] == class[i] && (!used[k] || used[k] >= u) && (!gone[k] || gone[k] >= u))
                flight[i]++
    }
}

# What instruction i, at k of the way, does to the loads before it: reads a word of a result, or replaces one.
function settle(i, k, j, s, r, a, m) {
    read_now = " "
    for (s = 1; s <= nslots[i]; s++)
        read_now = read_now substr(slot[i, s], 2) " "
    m = split(read_now results[i], a, " ")
    for (j = 1; j <= nloads; j++) {
        if (used[j] || gone[j])
            continue
        for (r = 1; r <= m; r++) {
            if (!index(words[j], " " a[r] " "))
                continue
            if (index(read_now, " " a[r] " ")) {
                used[j] = k
                break
            }
            if (guard[i] == "")
                sub(" " a[r] " ", " ", words[j])
        }
        if (!used[j] && words[j] ~ /^ *$/)
            gone[j] = k
    }
}

# Different registers of an FP32 instruction that come from the banks, as "COUNT SAME".
function banks(i, s, r, seen, c, even) {
    split("", seen)
    for (s = 1; s <= nslots[i]; s++) {
        r = substr(slot[i, s], 2)
        if (r == "" || r in seen)
            continue
        if (!(i in leader) && i > 1 && kept[i - 1, s] && slot[i - 1, s] == slot[i, s])
            continue
        seen[r] = 1
        c++
        even += r % 2 == 0
    }
    return c + 0 " " (even == 0 || even == c)
}

function row(weight, w, i, k, c, total, by, sum, b, of) {
    split("", by)
    split("", sum)
    for (i = 1; i <= n; i++) {
        if (!w[i])
            continue
        c = class[i]
        total += w[i]
        by[c] += w[i]
        sum["reuse"] += flags[i] * w[i]
        if (guard[i] != "" && c != "control")
            sum["guarded"] += w[i]
        if (loads_into_registers(i)) {
            k = c == "ldg" ? "gl" : "sl"
            sum[k] += w[i]
            sum[k "_dist"] += dist[i] * w[i]
            sum[k "_flight"] += flight[i] * w[i]
            sum[k "_open"] += flight[i] ? 0 : w[i]
        }
        if (c == "fp32") {
            split(banks(i), b, " ")
            if (b[1] >= 2) {
                sum["read" b[1]] += w[i]
                sum["same" b[1]] += b[2] * w[i]
            }
        }
    }
    printf "%s,%s,%s,%s,%d,%d,%.0f", reference, weight, name, name_now, weight == "static" ? 0 : launches, regs, total
    for (i = 1; i <= nclasses; i++)
        printf ",%.0f", by[classes[i]]
    for (i = 1; i <= nsums; i++)
        printf ",%.0f", sum[sums[i]]
    printf "\n"
}
