/* SPDX-License-Identifier: Apache-2.0 */
/* The machine code in a cubin, a fat binary or a program, kernel by kernel. */
#include "cli/sass_file.h"

#include "base/demangle.h"
#include "base/file.h"
#include "cli/cli.h"
#include "cudart/code/fatbin.h"
#include "sass/cubin.h"
#include "sass/elf.h"
#include "sass/sass.h"

#include <inttypes.h>

enum { FILE_MAX_B = 2047 << 20 };

struct shown {
    const struct sass_file_opts *o;
    uint32_t cubins, kernels, unknown, bad;
};

static void print_resources(const struct cubin *c, const struct cubin_kernel *k)
{
    uint64_t n = c->sections.at[k->section].size_b / 16;
    printf("kernel %s: %" PRIu64
           " instructions, %u registers, parameters %u B at c[0x0][0x%x], shared %u B, local %u B, "
           "%u barrier%s",
           k->name, n, k->regs, k->param_b, k->param_base, k->static_shared_b, k->local_b, k->barriers,
           cli_s(k->barriers));
    if (k->max_threads[0])
        printf(", at most %u,%u,%u threads", k->max_threads[0], k->max_threads[1], k->max_threads[2]);
    if (k->cluster[0])
        printf(", clusters of %u,%u,%u", k->cluster[0], k->cluster[1], k->cluster[2]);
    putchar('\n');
}

struct labels {
    const struct cubin *c;
    uint32_t section;
    VEC(uint64_t) at; /* sorted: places that code goes to */
};

/* First pass: notes the place. */
static void note_label(void *ctx, uint64_t address, char *buf, size_t n)
{
    struct labels *l = ctx;
    uint32_t i = 0;
    while (i < l->at.n && l->at.at[i] < address)
        i++;
    if (i == l->at.n || l->at.at[i] != address)
        vec_insert(&l->at, i, address);
    snprintf(buf, n, "?");
}

static void name_label(void *ctx, uint64_t address, char *buf, size_t n)
{
    const struct labels *l = ctx;
    uint32_t i = 0;
    while (i < l->at.n && l->at.at[i] != address)
        i++;
    snprintf(buf, n, ".L_x_%u", i);
}

static void print_line_of(const struct cubin *c, const struct cubin_kernel *k, uint32_t at, uint32_t *last)
{
    const struct cubin_line *l = cubin_line_at(c, k->section, at);
    if (!l || l->line == *last)
        return;
    *last = l->line;
    printf("        //## %s:%u\n", c->files.at[l->file], l->line);
}

static void print_code(struct shown *s, const struct cubin *c, const struct cubin_kernel *k)
{
    const struct cubin_section *text = &c->sections.at[k->section];
    struct labels labels = {.c = c, .section = k->section};
    uint32_t line = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (uint32_t at = 0; at < text->size_b; at += 16) {
            char buf[SASS_TEXT_B], why[SASS_TEXT_B], control[40] = "";
            uint64_t w[2];
            struct sass_insn i;
            memcpy(w, text->data + at, sizeof w);
            bool known = sass_decode(c->sm, w[0], w[1], &i, why, sizeof why);
            if (known)
                sass_print(buf, sizeof buf, &i, at, pass ? name_label : note_label, &labels);
            if (!pass)
                continue;
            for (uint32_t l = 0; l < labels.at.n; l++) {
                if (labels.at.at[l] == at)
                    printf(".L_x_%u:\n", l);
            }
            print_line_of(c, k, at, &line);
            if (known && s->o->control)
                sass_print_ctl(control, sizeof control, &i.ctl);
            if (known)
                printf("        /*%04x*/ %s%s%s\n", at, control, *control ? "  " : "", buf);
            else
                printf("        /*%04x*/ ? 0x%016" PRIx64 " 0x%016" PRIx64 ": %s\n", at, w[0], w[1], why);
            s->unknown += !known;
        }
    }
    vec_free(&labels.at);
}

static void print_cubin(struct shown *s, const char *bytes, size_t n)
{
    char why[300];
    struct cubin *c = cubin_read(bytes, n, why, sizeof why);
    if (!c) {
        cli_error("%s: a cubin in it: %s", s->o->path, why);
        s->bad++;
        return;
    }
    char letter[2] = {c->variant, 0};
    printf("%s: sm_%u%s%s%s\n", s->o->path, c->sm, letter, *c->tool ? ", made by CUDA " : "", c->tool);
    s->cubins++;
    vec_each (&c->kernels, k) {
        if (s->o->kernel && strcmp(s->o->kernel, k->name) != 0)
            continue;
        s->kernels++;
        print_resources(c, k);
        if (!s->o->list)
            print_code(s, c, k);
    }
    cubin_free(c);
}

static void see(void *ctx, enum fatbin_kind kind, const struct fatbin_text *code)
{
    if (kind == FATBIN_ELF)
        print_cubin(ctx, code->text, code->n);
}

static void print_fat(struct shown *s, const char *at, size_t n)
{
    struct fatbin_text t;
    if (fatbin_list(at, n, see, s, &t) != FATBIN_OK) {
        cli_error("%s: %s", s->o->path, t.why);
        s->bad++;
    }
}

/* A program or library of the host: fat binaries lie in its section .nv_fatbin, one after another at multiples of 8. */
static void print_program(struct shown *s, const struct file_text *f)
{
    struct elf_head h;
    memcpy(&h, f->at, sizeof h);
    if (h.section_b != sizeof(struct elf_section) || h.sections > f->n || h.names >= h.nsections ||
        (uint64_t)h.nsections * sizeof(struct elf_section) > f->n - h.sections)
        return;
    struct elf_section names, e;
    memcpy(&names, f->at + h.sections + h.names * sizeof e, sizeof names);
    for (uint32_t i = 0; i < h.nsections; i++) {
        static const char wanted[] = ".nv_fatbin";
        memcpy(&e, f->at + h.sections + i * sizeof e, sizeof e);
        uint64_t name = names.offset + e.name;
        if (name < names.offset || name > f->n || sizeof wanted > f->n - name ||
            memcmp(f->at + name, wanted, sizeof wanted) != 0)
            continue;
        if (e.type == SHT_NOBITS || e.offset > f->n || e.size_b > f->n - e.offset)
            continue;
        for (uint64_t at = 0; at + sizeof(struct fatbin_header) <= e.size_b && !s->bad;) {
            struct fatbin_header fat;
            memcpy(&fat, f->at + e.offset + at, sizeof fat);
            if (fat.magic != FATBIN_MAGIC) {
                at += 8;
                continue;
            }
            uint64_t n =
                fat.payload_b < e.size_b - at - sizeof fat ? fat.payload_b + fat.header_b : e.size_b - at;
            print_fat(s, f->at + e.offset + at, n);
            at += (n + 7) / 8 * 8;
        }
    }
}

int sass_print_file(const struct sass_file_opts *o)
{
    struct diag d = {0};
    struct file_text f;
    struct shown s = {.o = o};
    uint32_t magic = 0;
    if (!file_read(o->path, FILE_MAX_B, &f, &d)) {
        diag_print(&d, stderr);
        diag_free(&d);
        return CLI_USAGE;
    }
    if (f.n >= sizeof(struct elf_head))
        memcpy(&magic, f.at, sizeof magic);
    uint16_t machine = 0;
    if (magic == ELF_MAGIC)
        memcpy(&machine, f.at + offsetof(struct elf_head, machine), sizeof machine);
    if (machine == CUBIN_MACHINE)
        print_cubin(&s, f.at, f.n);
    else if (magic == ELF_MAGIC)
        print_program(&s, &f);
    else if (magic == FATBIN_MAGIC)
        print_fat(&s, f.at, f.n);
    else
        s.bad = 1, cli_error("%s: not a cubin, a fat binary or a program", o->path);
    if (!s.bad && !s.cubins)
        s.bad = 1, cli_error("%s: there is no machine code of NVIDIA's in it", o->path);
    else if (!s.bad && !s.kernels)
        s.bad = 1,
        cli_error(o->kernel ? "%s: no kernel %s" : "%s: no kernel%.0s", o->path, o->kernel ? o->kernel : "");
    if (s.unknown)
        cli_error("%s: %u instruction%s not known", o->path, s.unknown, cli_s(s.unknown));
    file_free(&f);
    diag_free(&d);
    return s.bad || s.unknown ? CLI_USAGE : CLI_OK;
}
