/* The profile for other programs: CSV, a row for each instruction, and JSON. */
#include "cli/csv.h"
#include "cli/json.h"
#include "cli/output.h"
#include "cli/profile.h"
#include "cli/shown.h"

static void csv_row(struct profile *p, uint32_t kernel, uint32_t insn, FILE *f)
{
    bool nowhere = kernel == SM_NOWHERE;
    const struct tr_kernel *k = nowhere ? NULL : tr_kernel(profile_trace(p), kernel);
    const struct profile_row *r = nowhere ? profile_nowhere(p) : profile_at(p, kernel, insn);
    char text[1024];
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
    for (uint32_t i = 0; i < PROFILE_CAUSES; i++)
        fprintf(f, ",%llu", (unsigned long long)r->causes[i]);
    fputc('\n', f);
}

bool profile_csv(struct profile *p, const char *path)
{
    FILE *f = output_open(path);
    if (!f)
        return false;
    fputs("kernel,insn,pc,line,instruction,source,cycles,lanes,bank_conflicts,read_wait,shared_conflicts", f);
    for (uint32_t i = 0; i < PROFILE_CAUSES; i++)
        fprintf(f, ",%s", sm_stats.rows[SS_issued + i].name);
    fputc('\n', f);
    struct tr_reader *t = profile_trace(p);
    for (uint32_t k = 0; k < tr_nkernels(t); k++)
        for (uint32_t i = 0; i < tr_kernel(t, k)->n; i++)
            csv_row(p, k, i, f);
    csv_row(p, SM_NOWHERE, 0, f);
    return output_close(f, path);
}

static json_t *json_row(const struct profile_row *r)
{
    json_t *o = json_object(), *causes = json_object();
    json_object_set_new(o, "cycles", cli_json_number(profile_cycles(r)));
    json_object_set_new(o, "lanes", cli_json_number(r->lanes));
    json_object_set_new(o, "bank_conflicts", cli_json_number(r->bank_conflicts));
    json_object_set_new(o, "read_wait", cli_json_number(r->read_wait));
    json_object_set_new(o, "shared_conflicts", cli_json_number(r->shared_conflicts));
    for (uint32_t i = 0; i < PROFILE_CAUSES; i++)
        if (r->causes[i])
            json_object_set_new(causes, sm_stats.rows[SS_issued + i].name, cli_json_number(r->causes[i]));
    json_object_set_new(o, "causes", causes);
    return o;
}

json_t *profile_json(struct profile *p)
{
    struct tr_reader *t = profile_trace(p);
    json_t *all = json_array(), *nowhere = json_row(profile_nowhere(p));
    for (uint32_t k = 0; k < tr_nkernels(t); k++) {
        const struct tr_kernel *code = tr_kernel(t, k);
        for (uint32_t i = 0; i < code->n; i++) {
            json_t *o = json_row(profile_at(p, k, i));
            json_object_set_new(o, "kernel", cli_json_text(code->name));
            json_object_set_new(o, "insn", cli_json_number(i));
            json_object_set_new(o, "pc", cli_json_number(code->insns[i].pc));
            json_object_set_new(o, "file", cli_json_text(code->file));
            json_object_set_new(o, "line", cli_json_number(code->insns[i].line));
            json_object_set_new(o, "text", cli_json_text(profile_text(p, k, i)));
            json_object_set_new(o, "source", cli_json_text(profile_source(p, k, code->insns[i].line)));
            json_array_append_new(all, o);
        }
    }
    json_object_set_new(nowhere, "kernel", json_null());
    json_array_append_new(all, nowhere);
    return all;
}
