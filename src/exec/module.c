/* SPDX-License-Identifier: Apache-2.0 */
/* A module's variables: .global ones become allocations, .const ones share bank 3 in the order of their declaration, each
 * at its own alignment (the compiler takes the same offsets from ptx/layout.h), texture references hold the handle that is
 * bound to them. */
#include "exec/run.h"
#include "exec/sanitize/sanitize.h"
#include "ptx/ptx.h"

static bool is_opaque(const struct ptx_var *v) { return ir_types[v->type].kind == KIND_OPAQUE; }

static bool place_vars(struct exec_module *m, struct diag *diag)
{
    const struct ptx_module *p = m->ptx;
    uint64_t bank3 = 0;
    for (uint32_t i = 0; i < p->vars.n; i++) {
        const struct ptx_var *v = p->vars.at[i];
        uint64_t align = v->align_b ? v->align_b : 1;
        if (is_opaque(v) || (v->space != SPACE_GLOBAL && v->space != SPACE_CONST))
            continue;
        if (v->space == SPACE_CONST) {
            bank3 = (bank3 + align - 1) / align * align;
            m->addr[i] = bank3;
            if (v->size_b > BANK3_MAX_B || bank3 + v->size_b > BANK3_MAX_B) {
                ptx_error(p, diag, v->line, 0, "constant variables need more than 64 KiB at '%s'", v->name);
                return false;
            }
            bank3 += v->size_b;
            continue;
        }
        uint64_t extra = align > 512 ? align : 0; /* allocations are aligned to 512 */
        if (v->size_b >> 60 || extra >> 32) {
            ptx_error(p, diag, v->line, 0, "variable '%s' is too large", v->name);
            return false;
        }
        uint64_t at = exec_alloc(m->dev, (v->size_b ? v->size_b : 1) + extra);
        if (!at) {
            ptx_error(p, diag, v->line, 0, "no device memory for variable '%s' of %llu bytes", v->name,
                      (unsigned long long)v->size_b);
            return false;
        }
        m->alloc[i] = at;
        exec_check_wrote(m->dev, at, v->size_b + extra); /* variables start as zero */
        m->addr[i] = extra ? (at + align - 1) / align * align : at;
    }
    m->bank3_b = (uint32_t)((bank3 + 7) / 8 * 8);
    m->bank3 = xcalloc(1, m->bank3_b ? m->bank3_b : 8);
    return true;
}

/* Host memory of variable i, or NULL. */
static unsigned char *storage(const struct exec_module *m, uint32_t i)
{
    const struct exec_var *v = &m->vars[i];
    if (v->opaque)
        return NULL;
    if (v->space == SPACE_CONST)
        return m->bank3 + m->addr[i];
    return v->space == SPACE_GLOBAL ? exec_ptr(m->dev, m->addr[i], v->size_b) : NULL;
}

static uint64_t init_value(const struct exec_module *m, const struct ptx_init *w)
{
    if (w->func)
        return FUNC_ADDR0 + 16ull * w->func->index + w->value;
    if (!w->sym)
        return w->value;
    const struct ptx_var *s = w->sym;
    uint64_t a = !s->owner && s->index < m->nvars ? m->addr[s->index] : 0;
    if (w->generic && s->space == SPACE_CONST)
        a += WINDOW_CONST;
    else if (w->generic && s->space == SPACE_SHARED)
        a += WINDOW_SHARED;
    return a + w->value;
}

static bool init_vars(struct exec_module *m, struct diag *diag)
{
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct ptx_var *v = m->ptx->vars.at[i];
        unsigned char *at = storage(m, i);
        for (uint32_t k = 0; at && k < v->init.n; k++) {
            const struct ptx_init *w = &v->init.at[k];
            uint64_t value = init_value(m, w);
            if (w->size_b > 8 || w->size_b > v->size_b || w->off_b > v->size_b - w->size_b) {
                ptx_error(m->ptx, diag, v->line, 0, "the initialiser of '%s' is longer than the variable",
                          v->name);
                return false;
            }
            memcpy(at + w->off_b, &value, w->size_b); /* both sides little-endian */
        }
    }
    return true;
}

struct exec_module *exec_module_load(struct exec_dev *d, const struct ptx_module *p, struct diag *diag)
{
    struct exec_module *m = xcalloc(1, sizeof *m);
    m->dev = d;
    m->ptx = p;
    m->nvars = p->vars.n;
    m->vars = xcalloc(m->nvars + 1, sizeof *m->vars);
    for (uint32_t i = 0; i < m->nvars; i++) {
        const struct ptx_var *v = p->vars.at[i];
        m->vars[i] = (struct exec_var){v->name, v->size_b, (uint8_t)v->space, is_opaque(v)};
    }
    m->addr = xcalloc(m->nvars + 1, sizeof *m->addr);
    m->alloc = xcalloc(m->nvars + 1, sizeof *m->alloc);
    if (place_vars(m, diag) && init_vars(m, diag))
        return m;
    exec_module_free(m);
    return NULL;
}

void exec_module_free(struct exec_module *m)
{
    if (!m)
        return;
    for (uint32_t i = 0; i < m->nvars; i++) {
        if (m->alloc[i])
            exec_free(m->dev, m->alloc[i]);
    }
    if (m->cubin)
        module_cubin_free(m);
    free(m->vars);
    free(m->addr);
    free(m->alloc);
    free(m->bank3);
    free(m);
}

static const struct exec_var *find_var(const struct exec_module *m, const char *name, uint32_t *i)
{
    for (*i = 0; *i < m->nvars; ++*i) {
        if (strcmp(m->vars[*i].name, name) == 0)
            return &m->vars[*i];
    }
    return NULL;
}

uint64_t exec_module_var(const struct exec_module *m, const char *name, uint64_t *size_b)
{
    uint32_t i;
    const struct exec_var *v = find_var(m, name, &i);
    if (!v || !storage(m, i))
        return 0;
    if (size_b)
        *size_b = v->size_b;
    return v->space == SPACE_CONST ? WINDOW_CONST + m->addr[i] : m->addr[i];
}

bool exec_module_has(const struct exec_module *m, const char *name, uint64_t *size_b, bool *constant,
                     bool *texture)
{
    uint32_t i;
    const struct exec_var *v = find_var(m, name, &i);
    if (!v || (v->space != SPACE_GLOBAL && v->space != SPACE_CONST))
        return false;
    *size_b = v->size_b;
    *constant = v->space == SPACE_CONST;
    *texture = v->opaque;
    return true;
}

uint32_t exec_module_const_b(const struct exec_module *m)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < m->nvars; i++)
        n += m->vars[i].space == SPACE_CONST ? m->vars[i].size_b : 0;
    return (uint32_t)n;
}

void *exec_module_host(const struct exec_module *m, const char *name)
{
    uint32_t i;
    return find_var(m, name, &i) ? storage(m, i) : NULL;
}

bool exec_module_place(struct exec_module *m, const char *name, uint64_t addr)
{
    uint32_t i;
    const struct exec_var *v = find_var(m, name, &i);
    if (v && v->space == SPACE_GLOBAL && m->cubin)
        return module_cubin_place(m, i, addr);
    if (!v || v->space != SPACE_GLOBAL || v->opaque || !m->alloc[i] || !exec_ptr(m->dev, addr, v->size_b))
        return false;
    exec_free(m->dev, m->alloc[i]);
    m->alloc[i] = 0;
    m->addr[i] = addr;
    memset(storage(m, i), 0, v->size_b);
    /* All of them: initialisers hold addresses of each other. */
    struct diag none = {0};
    bool good = init_vars(m, &none);
    diag_free(&none);
    return good;
}

static unsigned char *const_range(const struct exec_module *m, const char *name, uint64_t off, uint64_t n)
{
    uint32_t i;
    const struct exec_var *v = find_var(m, name, &i);
    if (!v || v->space != SPACE_CONST || v->opaque || off > v->size_b || n > v->size_b - off)
        return NULL;
    return m->bank3 + m->addr[i] + off;
}

bool exec_module_const_write(struct exec_module *m, const char *name, uint64_t off, const void *src,
                             uint64_t n)
{
    unsigned char *at = const_range(m, name, off, n);
    if (at)
        memcpy(at, src, n);
    return at != NULL;
}

bool exec_module_const_read(const struct exec_module *m, const char *name, uint64_t off, void *dst,
                            uint64_t n)
{
    const unsigned char *at = const_range(m, name, off, n);
    if (at)
        memcpy(dst, at, n);
    return at != NULL;
}

bool exec_module_bind_tex(struct exec_module *m, const char *name, uint64_t handle)
{
    uint32_t i;
    const struct exec_var *v = find_var(m, name, &i);
    if (!v || !v->opaque)
        return false;
    m->addr[i] = handle;
    return true;
}
