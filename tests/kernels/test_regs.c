/* SPDX-License-Identifier: Apache-2.0 */
/* Registers per thread beside what NVIDIA's assembler uses for the same PTX (kernels/ptxas.csv,
 * tools/ptxas-regs.sh). Prints both columns; the geometric mean of the ratio is bounded. Instruction
 * counts are information only. */
#include "kt.h"

#include "base/file.h"

#include <math.h>
#include <string.h>

enum { MAX_FILE_B = 1 << 24, NAME = 96 };

struct row {
    char file[NAME], kernel[NAME];
    unsigned regs, spill_b, sass;
};

static bool row_read(char *line, struct row *r)
{
    return sscanf(line, "%95[^,],%95[^,],%*[^,],%*[^,],%u,%u,%u", r->file, r->kernel, &r->regs, &r->spill_b,
                  &r->sass) == 5;
}

static void read_or_fail(const char *name, struct file_text *text, struct diag *d)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", KERNELS_DIR, name);
    if (!file_read(path, MAX_FILE_B, text, d)) {
        diag_print(d, stderr);
        fail_msg("cannot read %s", path);
    }
}

static struct ptx_module *parse(const char *name, struct diag *d)
{
    struct file_text text;
    read_or_fail(name, &text, d);
    struct ptx_module *m = ptx_parse(name, text.at, text.n, d);
    file_free(&text);
    if (!m) {
        diag_print(d, stderr);
        fail_msg("%s does not parse", name);
    }
    return m;
}

struct sums {
    double log_regs, log_insns;
    unsigned n;
};

static void compare(struct sums *sums, const struct ptx_module *m, const struct row *r, struct diag *d)
{
    struct ptx_func *f = ptx_find_func(m, r->kernel);
    if (!f)
        fail_msg("%s has no kernel %s: run tools/ptxas-regs.sh --update", r->file, r->kernel);
    struct code *c = compile_kernel(m, f, &(struct compile_opts){0}, d);
    if (!c) {
        diag_print(d, stderr);
        fail_msg("%s: %s does not compile", r->file, r->kernel);
    }
    double ratio = (double)c->regs / r->regs;
    printf("%-24s %-16s %4u %5u %6.2f %7u %5u %6.2f %6u\n", r->file, r->kernel, c->regs, r->regs, ratio,
           c->static_insns, r->sass, (double)c->static_insns / r->sass, c->spill_b);
    sums->log_regs += log(ratio);
    sums->log_insns += log((double)c->static_insns / r->sass);
    sums->n++;
    code_free(c);
}

static void registers(void **state)
{
    (void)state;
    struct diag d = {0};
    struct file_text csv;
    read_or_fail("ptxas.csv", &csv, &d);
    struct ptx_module *m = NULL;
    char open[NAME] = "", *save = NULL;
    struct sums sums = {0};
    printf("%-24s %-16s %4s %5s %6s %7s %5s %6s %6s\n", "file", "kernel", "regs", "ptxas", "ratio", "insns",
           "sass", "ratio", "spill_b");
    for (char *line = strtok_r(csv.at, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        struct row r;
        if (!row_read(line, &r))
            continue; /* the header */
        if (strcmp(open, r.file) != 0) {
            if (m)
                ptx_module_free(m);
            m = parse(r.file, &d);
            memcpy(open, r.file, sizeof open);
        }
        compare(&sums, m, &r, &d);
    }
    if (m)
        ptx_module_free(m);
    file_free(&csv);
    diag_free(&d);
    assert_true(sums.n >= 80);
    double regs = exp(sums.log_regs / sums.n);
    printf("%u kernels: geomean registers ours/ptxas %.3f, static instructions %.3f\n", sums.n, regs,
           exp(sums.log_insns / sums.n));
    assert_true(regs >= 0.85 && regs <= 1.25);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(registers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
