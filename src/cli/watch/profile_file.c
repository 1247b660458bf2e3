/* SPDX-License-Identifier: Apache-2.0 */
/* The profile for other programs: CSV, a row for each instruction, and JSON. */
#include "base/demangle.h"
#include "cli/csv.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/shown.h"
#include "cli/watch/profile.h"

/* name: NULL, there is one program; "" for cycles of none. */
static void csv_row(struct profile *p, const char *name, uint32_t kernel, uint32_t insn, FILE *f)
{
    bool nowhere = kernel == SM_NOWHERE;
    const struct tr_kernel *k = nowhere ? NULL : tr_kernel(profile_trace(p), kernel);
    const struct sm_charged *r = nowhere ? profile_nowhere(p) : profile_at(p, kernel, insn);
    char text[1024];
    if (name) {
        csv_cell(f, shown_text(text, sizeof text, name));
        fputc(',', f);
    }
    if (nowhere) {
        fputs(",,,,,", f);
    } else {
        csv_cell(f, shown_kernel(text, sizeof text, k->name));
        fprintf(f, ",%u,%u,", insn, k->insns[insn].pc);
        if (k->insns[insn].line)
            fprintf(f, "%u", k->insns[insn].line);
        fputc(',', f);
        csv_cell(f, shown_text(text, sizeof text, profile_text(p, kernel, insn)));
        fputc(',', f);
        csv_cell(f, shown_text(text, sizeof text, profile_source(p, kernel, k->insns[insn].line)));
    }
    fprintf(f, ",%llu,%llu,%llu,%llu,%llu", (unsigned long long)profile_cycles(r),
            (unsigned long long)r->lanes, (unsigned long long)r->bank_conflicts,
            (unsigned long long)r->read_wait, (unsigned long long)r->shared_conflicts);
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        fprintf(f, ",%llu", (unsigned long long)r->causes[i]);
    fputc('\n', f);
}

bool profile_csv(struct profile *const *all, const struct watched *programs, uint32_t n, const char *path)
{
    struct output o = output_open(path);
    FILE *f = o.f;
    if (!f)
        return false;
    fputs(n > 1 ? "program," : "", f);
    fputs("kernel,insn,pc,line,instruction,source,cycles,lanes,bank_conflicts,read_wait,shared_conflicts", f);
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        fprintf(f, ",%s", sm_stats.rows[SS_issued + i].name);
    fputc('\n', f);
    for (uint32_t a = 0; a < n; a++) {
        struct tr_reader *t = programs[a].trace;
        for (uint32_t k = 0; k < tr_nkernels(t); k++)
            for (uint32_t i = 0; i < tr_kernel(t, k)->n; i++)
                csv_row(all[a], n > 1 ? programs[a].name : NULL, k, i, f);
    }
    csv_row(all[0], n > 1 ? "" : NULL, SM_NOWHERE, 0, f);
    return output_close(&o);
}

/* clang-format off */
#define PROFILE_JSON(X, T)                                                                                   \
    X(T, COUNT, OPEN, cycles, "scheduler cycles charged to it: of all causes")                               \
    X(T, COUNT, OPEN, lanes, "active lanes, over all issues")                                                \
    X(T, COUNT, OPEN, bank_conflicts, "operand reads that waited for their bank")                            \
    X(T, COUNT, OPEN, read_wait, "cycles that these waited")                                                 \
    X(T, COUNT, OPEN, shared_conflicts, "extra cycles in shared memory")                                     \
    X(T, COUNTS, OPEN, causes, "scheduler cycles by cause, without those that are 0", .keys = &cause_keys, .some = true) \
    X(T, TEXT, NULLABLE, kernel, "null, with all below: cycles of no instruction, for want of a warp")       \
    X(T, TEXT, NULLABLE, name, "the same as people write it: without parameters, demangled")                 \
    X(T, COUNT, NULLABLE, insn, "number of the instruction in the kernel")                                   \
    X(T, COUNT, NULLABLE, pc, "its address in the kernel")                                                   \
    X(T, TEXT, NULLABLE, file, "source file")                                                                \
    X(T, COUNT, NULLABLE, line, "line of the source; 0: not known")                                          \
    X(T, TEXT, NULLABLE, text, "the instruction")                                                            \
    X(T, TEXT, NULLABLE, source, "the line's text, as far as the file is there")
/* clang-format on */

struct profile_answer {
    PROFILE_JSON(JSON_FIELD, )
};

static void add_causes(json_t *to)
{
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        json_object_set_new(to, sm_stats.rows[SS_issued + i].name,
                            json_pack("{s:s}", "description", sm_stats.rows[SS_issued + i].help));
}

static const struct json_keys cause_keys = {"causes", add_causes};
static const struct json_member members[] = {PROFILE_JSON(JSON_MEMBER, struct profile_answer)};
const struct json_shape profile_shape = {.name = "profile_row", .parts = {JSON_PART(members, 0)}};

static struct profile_answer answer_of(const struct sm_charged *r)
{
    struct profile_answer o = {.cycles = profile_cycles(r),
                               .lanes = r->lanes,
                               .bank_conflicts = r->bank_conflicts,
                               .read_wait = r->read_wait,
                               .shared_conflicts = r->shared_conflicts,
                               .causes = json_object(),
                               .insn = JSON_NO_COUNT,
                               .pc = JSON_NO_COUNT,
                               .line = JSON_NO_COUNT};
    for (uint32_t i = 0; i < SM_CAUSES; i++)
        if (r->causes[i])
            json_object_set_new(o.causes, sm_stats.rows[SS_issued + i].name, cli_json_number(r->causes[i]));
    return o;
}

json_t *profile_json(struct profile *p)
{
    struct tr_reader *t = profile_trace(p);
    json_t *all = json_array();
    for (uint32_t k = 0; k < tr_nkernels(t); k++) {
        const struct tr_kernel *code = tr_kernel(t, k);
        char name[256];
        demangle(code->name, name, sizeof name);
        for (uint32_t i = 0; i < code->n; i++) {
            struct profile_answer o = answer_of(profile_at(p, k, i));
            o.name = name;
            o.kernel = code->name;
            o.insn = i;
            o.pc = code->insns[i].pc;
            o.file = code->file;
            o.line = code->insns[i].line;
            o.text = profile_text(p, k, i);
            o.source = profile_source(p, k, code->insns[i].line);
            json_array_append_new(all, json_of(&profile_shape, &o));
        }
    }
    struct profile_answer nowhere = answer_of(profile_nowhere(p));
    json_array_append_new(all, json_of(&profile_shape, &nowhere));
    return all;
}
