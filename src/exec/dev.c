/* SPDX-License-Identifier: Apache-2.0 */
/* A device: configuration, the choice of host instruction set, memory. */
#include "exec/run.h"
#include "exec/sanitize/san_hooks.h"
#include "exec/tex/texop.h"

enum { MAX_ALUS = 16 };

static const struct xalu *find_alu(const char *name)
{
    for (const struct xalu *const *a = exec_alus; *a; a++) {
        if ((!name || strcmp((*a)->name, name) == 0) && (*a)->usable())
            return *a;
    }
    return NULL;
}

struct exec_dev *exec_dev_new(const struct exec_cfg *cfg)
{
    static const struct exec_cfg none;
    if (!cfg)
        cfg = &none;
    const struct xalu *alu = find_alu(cfg->isa);
    if (!alu)
        return NULL;
    struct exec_dev *d = xcalloc(1, sizeof *d);
    d->cfg = *cfg;
    d->cfg.isa = alu->name;
    if (!d->cfg.nsm)
        d->cfg.nsm = 132; /* H200 */
    if (!d->cfg.out)
        d->cfg.out = stdout;
    d->alu = alu;
    mem_init(&d->mem, cfg->mem_limit_b, cfg->heap_b, cfg->short_addr);
    return d;
}

void exec_dev_free(struct exec_dev *d)
{
    if (!d)
        return;
    exec_tex_table_free(d->tex_table);
    mem_free_all(&d->mem);
    san_free(d->check);
    free(d->values);
    free(d);
}

const char *exec_isa(const struct exec_dev *d) { return d->alu->name; }

const char *const *exec_isa_list(void)
{
    /* The same values each time, as the host does not change; per thread, so that no one sees it half filled. */
    static _Thread_local const char *names[MAX_ALUS];
    unsigned n = 0;
    for (const struct xalu *const *a = exec_alus; *a && n + 1 < MAX_ALUS; a++) {
        if ((*a)->usable())
            names[n++] = (*a)->name;
    }
    return names;
}

void **exec_dev_tex_table(struct exec_dev *d) { return &d->tex_table; }
