/* SPDX-License-Identifier: Apache-2.0 */
/* Where nvcc's optimiser takes less for granted than clang's, read off nvcc 13 for sm_90 on small kernels:
 *   - It knows no bounds of threadIdx, blockDim, blockIdx and gridDim. Clang has 1,024 threads to a CTA, and so counts the rounds
 *     of "for (unsigned i = threadIdx.x; i < 256; i += blockDim.x)" by a division and unrolls it; nvcc, for which i might
 *     overflow, leaves it alone. A range that says nothing keeps clang from adding its own.
 *   - A square root or a reciprocal behind a branch stays there: it is a dozen instructions and a call where its operand is out
 *     of the ordinary, which the branch is often there to prevent. For clang it is one cheap instruction, executed in any case.
 *     As inline PTX it is not moved; where its operand has become a constant, it is turned back and folded (cc_fold_ir). */
#define _GNU_SOURCE /* memmem */
#include "cli/cc/ir.h"

/* An operation as clang writes it around its operand, and the PTX that computes it. */
struct operation {
    const char *before, *after;
    const char *type, *ptx, *constraint;
    bool is_root;
};

static const struct operation operations[] = {
    {"call float @llvm.sqrt.f32(float ", ")", "float", "sqrt.rn%s.f32", "f", true},
    {"call double @llvm.sqrt.f64(double ", ")", "double", "sqrt.rn.f64", "d", true},
    {"fdiv float 1.000000e+00, ", "", "float", "rcp.rn%s.f32", "f", false},
    {"fdiv double 1.000000e+00, ", "", "double", "rcp.rn.f64", "d", false},
    {"fdiv contract float 1.000000e+00, ", "", "float", "rcp.rn%s.f32", "f", false},
    {"fdiv contract double 1.000000e+00, ", "", "double", "rcp.rn.f64", "d", false},
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const char *find(const char *line, const char *end, const char *word)
{
    return line < end ? memmem(line, (size_t)(end - line), word, strlen(word)) : NULL;
}

/* Behind " #12", if that stands there. */
static const char *behind_group(const char *p, const char *end)
{
    return ir_starts(p, end, " #") ? p + 2 + strspn(p + 2, "0123456789") : p;
}

/* The line's words, from "%5 = [tail ]BEFORE" to its operand; NULL: it has others. */
static const char *operand_of(const char *line, const char *end, const char *before, int *result_n)
{
    const char *value = line + strspn(line, " "), *equals = find(line, end, " = ");
    if (value >= end || *value != '%' || !equals)
        return NULL;
    *result_n = (int)(equals - line);
    const char *p = equals + 3;
    p += ir_starts(p, end, "tail ") ? 5 : 0;
    return ir_starts(p, end, before) ? p + strlen(before) : NULL;
}

bool ir_rewrite_special(FILE *to, const char *line, const char *end, uint32_t range)
{
    static const char start[] = "call i32 @llvm.nvvm.read.ptx.sreg.";
    static const char *const which[] = {"tid.", "ntid.", "ctaid.", "nctaid."};
    const char *at = find(line, end, start);
    bool ours = false;
    for (unsigned k = 0; at && k < sizeof which / sizeof *which; k++)
        ours |= ir_starts(at + sizeof start - 1, end, which[k]);
    if (!ours || find(line, end, "!range"))
        return false;
    fprintf(to, "%.*s, !range !%u\n", (int)(end - line), line, range);
    return true;
}

static void inline_ptx(char *words, size_t n, const struct operation *o, bool flush)
{
    char ptx[32];
    snprintf(ptx, sizeof ptx, o->ptx, flush ? ".ftz" : "");
    snprintf(words, n, "asm \"%s $0, $1;\", \"=%s,%s\"(%s ", ptx, o->constraint, o->constraint, o->type);
}

bool ir_rewrite_costly(FILE *to, const char *line, const char *end, const struct ir_costly *c)
{
    for (const struct operation *o = operations; o < operations + OPERATIONS; o++) {
        int n;
        const char *operand =
            (o->is_root ? c->roots : c->reciprocals) ? operand_of(line, end, o->before, &n) : NULL;
        if (!operand || *operand != '%')
            continue;
        const char *rest = operand + 1 + strspn(operand + 1, "0123456789");
        int operand_n = (int)(rest - operand);
        if (!ir_starts(rest, end, o->after))
            return false;
        rest = behind_group(rest + strlen(o->after), end);
        char words[96];
        inline_ptx(words, sizeof words, o, c->flush);
        fprintf(to, "%.*s = call %s %s%.*s) #%u%.*s\n", n, line, o->type, words, operand_n, operand, c->group,
                (int)(end - rest), rest);
        return true;
    }
    return false;
}

/* The operation as clang had it, if its operand is a constant; NULL: it stays as it is. */
static const struct operation *turn_back(FILE *to, const char *line, const char *end)
{
    for (const struct operation *o = operations; o < operations + OPERATIONS; o++)
        for (int flush = 0; flush < 2; flush++) {
            char words[96];
            inline_ptx(words, sizeof words, o, flush);
            const char *equals = find(line, end, " = "), *at = equals ? find(equals, end, words) : NULL;
            const char *operand = at ? at + strlen(words) : NULL,
                       *close = at ? find(operand, end, ")") : NULL;
            if (!close || *operand == '%')
                continue;
            const char *rest = behind_group(close + 1, end);
            fprintf(to, "%.*s = %s%.*s%s%.*s\n", (int)(equals - line), line, o->before,
                    (int)(close - operand), operand, o->after, (int)(end - rest), rest);
            return o;
        }
    return NULL;
}

static void fold(void *none, FILE *to, const char *p, const char *end)
{
    (void)none;
    const char *text = p;
    bool made[OPERATIONS] = {0};
    while (p < end) {
        const char *line_end = ir_line_end(p, end);
        const struct operation *o = turn_back(to, p, line_end);
        if (o)
            made[o - operations] = true;
        else
            fprintf(to, "%.*s\n", (int)(line_end - p), p);
        p = line_end + 1;
    }
    if (made[0] && !find(text, end, "declare float @llvm.sqrt.f32("))
        fprintf(to, "declare float @llvm.sqrt.f32(float)\n");
    if (made[1] && !find(text, end, "declare double @llvm.sqrt.f64("))
        fprintf(to, "declare double @llvm.sqrt.f64(double)\n");
}

bool cc_fold_ir(const char *from, const char *to)
{
    return ir_edit_file(from, to, &(struct ir_edit){.write = fold});
}
