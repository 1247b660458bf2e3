/* SPDX-License-Identifier: Apache-2.0 */
/* A module from a cubin: its variables are placed as its sections have them, one allocation for each section; code and constants
 * get the addresses. Kernels of it are translated when they are asked for. */
#include "base/diag.h"
#include "exec/run.h"
#include "exec/sanitize/sanitize.h"
#include "sass/cubin.h"
#include "sass/link.h"
#include "sass/sass.h"

struct exec_cubin {
    struct cubin *cubin;
    struct sass_link *link;
    uint32_t *symbol; /* by variable */
    uint64_t *moved;  /* by symbol: where it is, if not in its section */
    VEC(uint64_t) allocs;
};

static bool is_global(const struct cubin_section *s) { return strncmp(s->name, ".nv.global", 10) == 0; }

static bool place_sections(struct exec_module *m, struct exec_cubin *x, struct diag *diag)
{
    for (uint32_t i = 0; i < x->cubin->sections.n; i++) {
        const struct cubin_section *s = &x->cubin->sections.at[i];
        if (!is_global(s) || !s->size_b)
            continue;
        uint64_t at = exec_alloc(m->dev, s->size_b);
        if (!at) {
            diag_plain(diag, "no device memory for %llu bytes of variables", (unsigned long long)s->size_b);
            return false;
        }
        vec_push(&x->allocs, at);
        exec_check_wrote(m->dev, at, s->size_b);
        x->link->addr[i] = at;
        x->link->data[i] = exec_ptr(m->dev, at, s->size_b);
        if (s->data)
            memcpy(x->link->data[i], s->data, s->size_b);
        else
            memset(x->link->data[i], 0, s->size_b);
    }
    return true;
}

/* Bank 3 is the module's, as ours has it; pointers to constants are generic addresses. */
static bool place_bank3(struct exec_module *m, struct exec_cubin *x, struct diag *diag)
{
    uint32_t at = cubin_section_named(x->cubin, ".nv.constant3");
    const struct cubin_section *s = &x->cubin->sections.at[at];
    if (at && s->size_b > BANK3_MAX_B) {
        diag_plain(diag, "%llu bytes of constants: more than 64 KiB", (unsigned long long)s->size_b);
        return false;
    }
    m->bank3_b = at ? (uint32_t)((s->size_b + 7) / 8 * 8) : 0;
    m->bank3 = xcalloc(1, m->bank3_b ? m->bank3_b : 8);
    if (at && s->data)
        memcpy(m->bank3, s->data, s->size_b);
    if (at) {
        x->link->addr[at] = WINDOW_CONST;
        x->link->data[at] = m->bank3;
    }
    return true;
}

static void add_vars(struct exec_module *m, struct exec_cubin *x)
{
    const struct cubin *c = x->cubin;
    uint32_t bank3 = cubin_section_named(c, ".nv.constant3");
    m->vars = xcalloc(c->symbols.n + 1, sizeof *m->vars);
    m->addr = xcalloc(c->symbols.n + 1, sizeof *m->addr);
    m->alloc = xcalloc(c->symbols.n + 1, sizeof *m->alloc);
    x->symbol = xcalloc(c->symbols.n + 1, sizeof *x->symbol);
    x->moved = xcalloc(c->symbols.n + 1, sizeof *x->moved);
    for (uint32_t i = 0; i < c->symbols.n; i++) {
        const struct cubin_symbol *s = &c->symbols.at[i];
        bool constant = bank3 && s->section == bank3;
        if (s->type != CUBIN_OBJECT || !s->section || !(constant || is_global(&c->sections.at[s->section])))
            continue;
        m->vars[m->nvars] = (struct exec_var){
            .name = s->name, .size_b = s->size_b, .space = constant ? SPACE_CONST : SPACE_GLOBAL};
        m->addr[m->nvars] = constant ? s->value : x->link->addr[s->section] + s->value;
        x->symbol[m->nvars++] = i;
    }
}

static bool apply(struct exec_cubin *x, struct diag *diag)
{
    char why[400];
    if (sass_link_apply(x->link, x->moved, why, sizeof why))
        return true;
    diag_plain(diag, "%s", why);
    return false;
}

struct exec_module *exec_module_load_cubin(struct exec_dev *d, struct cubin *c, struct diag *diag)
{
    struct exec_module *m = xcalloc(1, sizeof *m);
    struct exec_cubin *x = xcalloc(1, sizeof *x);
    m->dev = d;
    m->cubin = x;
    x->cubin = c;
    x->link = sass_link_new(c);
    if (place_sections(m, x, diag) && place_bank3(m, x, diag)) {
        add_vars(m, x);
        if (apply(x, diag))
            return m;
    }
    exec_module_free(m);
    return NULL;
}

void module_cubin_free(struct exec_module *m)
{
    struct exec_cubin *x = m->cubin;
    vec_each (&x->allocs, a)
        exec_free(m->dev, *a);
    vec_free(&x->allocs);
    sass_link_free(x->link);
    free(x->symbol);
    free(x->moved);
    free(x);
}

/* The variable's contents go with it. */
bool module_cubin_place(struct exec_module *m, uint32_t var, uint64_t addr)
{
    struct exec_cubin *x = m->cubin;
    uint64_t size = m->vars[var].size_b;
    void *to = exec_ptr(m->dev, addr, size), *from = exec_ptr(m->dev, m->addr[var], size);
    struct diag none = {0};
    if (!to || !from)
        return false;
    memcpy(to, from, size);
    m->addr[var] = x->moved[x->symbol[var]] = addr;
    bool good = apply(x, &none);
    diag_free(&none);
    return good;
}

static const uint32_t *lines_of(struct exec_cubin *x, const struct cubin_kernel *k, const char **file)
{
    uint32_t n = (uint32_t)(x->cubin->sections.at[k->section].size_b / 16);
    if (!x->cubin->lines.n)
        return NULL;
    uint32_t *lines = ARENA_ARRAY(&x->link->arena, uint32_t, n);
    for (uint32_t i = 0; i < n; i++) {
        const struct cubin_line *l = cubin_line_at(x->cubin, k->section, 16 * i);
        lines[i] = l ? l->line : 0;
        if (l && !*file)
            *file = x->cubin->files.at[l->file];
    }
    return lines;
}

struct code *exec_module_translate(struct exec_module *m, const char *name, char *why, size_t why_b)
{
    struct exec_cubin *x = m->cubin;
    const struct cubin_kernel *k = x ? cubin_kernel_named(x->cubin, name) : NULL;
    if (!k) {
        snprintf(why, why_b, "there is no kernel of that name");
        return NULL;
    }
    struct code_param *params = ARENA_ARRAY(&x->link->arena, struct code_param, k->params.n);
    for (uint32_t i = 0; i < k->params.n; i++)
        params[i] = (struct code_param){.name = arena_printf(&x->link->arena, "param_%u", i),
                                        .off_b = k->params.at[i].offset_b,
                                        .size_b = k->params.at[i].size_b,
                                        .align_b = 1};
    /* Of sm_90 and later the section begins with what the system keeps for each CTA. */
    enum { SYSTEM_B = 1024, SYSTEM_SM = 90 };
    uint32_t system_b = x->cubin->sm >= SYSTEM_SM && k->static_shared_b >= SYSTEM_B ? SYSTEM_B : 0;
    struct sass_kernel s = {
        .name = k->name,
        .arch = x->cubin->sm,
        .words = (const uint64_t *)(const void *)x->link->data[k->section],
        .n = (uint32_t)(x->cubin->sections.at[k->section].size_b / 16),
        .text_addr = x->link->addr[k->section],
        .regs = k->regs,
        .param_off = k->param_base,
        .param_b = k->param_b,
        .params = params,
        .nparams = k->params.n,
        .shared_b = k->static_shared_b - system_b,
        .system_shared_b = system_b,
        .local_b = (k->local_b + 15) / 16 * 16,
        .maxntid = k->max_threads[0] * k->max_threads[1] * k->max_threads[2],
        .max_cluster = k->max_cluster,
        .explicit_cluster = k->explicit_cluster,
    };
    s.lines = lines_of(x, k, &s.file);
    memcpy(s.reqntid, k->req_threads, sizeof s.reqntid);
    memcpy(s.cluster, k->cluster, sizeof s.cluster);
    _Static_assert((int)CUBIN_BANKS == (int)SASS_BANKS, "a cubin's banks are a kernel's");
    for (uint32_t b = 1; b < SASS_BANKS; b++) {
        s.bank[b] = k->bank[b] ? x->link->data[k->bank[b]] : NULL;
        s.bank_b[b] = k->bank[b] ? (uint32_t)x->cubin->sections.at[k->bank[b]].size_b : 0;
    }
    return sass_translate(&s, why, why_b);
}
