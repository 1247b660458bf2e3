# SPDX-License-Identifier: Apache-2.0
# The listings of cuobjdump (first file) with the executions of the profiler's source page (second file), for tools/likeness-gather.
# The profiler writes product<(bool)1>(const float *) where the other has _Z7productILb1EEvPKf, prints addresses instead of offsets and
# leaves out .reuse. A kernel is the one with the same name and template arguments, and must have the same instructions.
function plain(s) {
    gsub(/\.reuse/, "", s)
    if (s ~ /(BRA|BRX|BSSY|CALL|RET|WARPSYNC|JMP)[. ]/)
        gsub(/0x[0-9a-f]+/, "", s)
    sub(/;.*/, "", s)
    sub(/\(\*.*/, "", s)
    sub(/BREAK.*/, "BREAK", s) # the two print its operands in different order
    gsub(/[ \t,]/, "", s)
    return s
}

# "Kernel Name","void product<(bool)1, (int)2>(const float *)",   is product<1,2>.
function spoken(line) {
    sub(/^"Kernel Name","(void )?/, "", line)
    gsub(/\((bool|int|unsigned int)\)/, "", line)
    sub(/\(.*/, "", line)
    gsub(/ /, "", line)
    return line
}

function same(f, i) {
    if (len[f] != nsteps || name[f] != kernel)
        return 0
    for (i = 1; i <= nsteps; i++)
        if (listing[f, i] != step[i])
            return 0
    return 1
}

# With several launches the profiler prints each of them twice.
function finish(i, f) {
    if (nsteps && (nblocks++ % every) == 0) {
        for (f = 1; f <= nf && !same(f); f++)
            continue
        if (f > nf) {
            print "likeness-gather: " kernel ": not in the listing" >"/dev/stderr"
            bad = 1
        } else {
            for (i = 1; i <= nsteps; i++)
                total[f, i] += executed[i]
            seen[f]++
        }
    }
    nsteps = 0
}

FNR == NR && /Function : / { title[++nf] = $0; name[nf] = short($3) }
FNR == NR && /^ *\/\*[0-9a-f]+\*\/ / {
    s = $0
    sub(/^ *\/\*[0-9a-f]+\*\/ */, "", s)
    raw[nf, ++len[nf]] = s
    listing[nf, len[nf]] = plain(s)
    where[nf, len[nf]] = $1
}
FNR == NR && /^ Function |^  REG:/ { print }
FNR == NR { next }
FNR == 1 { every = blocks / launches }
/^"Kernel Name"/ { finish(); kernel = spoken($0) }
/^"0x/ { split($0, field, /","/); step[++nsteps] = plain(field[2]); executed[nsteps] = field[6] }
END {
    finish()
    for (f = 1; f <= nf; f++) {
        if (!seen[f])
            continue
        print "counted over " seen[f] " launches:"
        print title[f]
        for (i = 1; i <= len[f]; i++)
            printf "%s %.0f %s\n", where[f, i], total[f, i], raw[f, i]
    }
    exit bad
}
