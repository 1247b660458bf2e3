/* SPDX-License-Identifier: Apache-2.0 */
#include "rig.h"

struct ptx_module *rig_parse(const char *text)
{
    struct diag d = {0};
    struct ptx_module *m = ptx_parse("t.ptx", text, strlen(text), &d);
    if (!m) {
        diag_print(&d, stderr);
        fail_msg("%s", d.msg[0].text);
    }
    assert_int_equal(d.errors, 0);
    diag_free(&d);
    return m;
}

struct ptx_module *rig_body(const char *lines)
{
    static const char head[] = HEAD ".entry k(.param .u64 a) {\n" REGS;
    size_t n = strlen(lines);
    char *text = xmalloc(sizeof head + n + 8);
    memcpy(text, head, sizeof head - 1);
    memcpy(text + sizeof head - 1, lines, n);
    memcpy(text + sizeof head - 1 + n, "\n}\n", 4);
    struct ptx_module *m = rig_parse(text);
    free(text);
    return m;
}

struct ptx_func *rig_func(struct ptx_module *m)
{
    struct ptx_func *found = NULL;
    vec_each (&m->funcs, f)
        if ((*f)->has_body) {
            assert_null(found);
            found = *f;
        }
    assert_non_null(found);
    return found;
}

struct ptx_insn *rig_insn(struct ptx_module *m, uint32_t i)
{
    struct ptx_func *f = rig_func(m);
    assert_true(i < f->insns.n);
    return &f->insns.at[i];
}

struct ptx_var *rig_var(struct ptx_module *m, const char *name)
{
    vec_each (&m->vars, v)
        if (strcmp((*v)->name, name) == 0)
            return *v;
    vec_each (&m->funcs, f)
        vec_each (&(*f)->vars, v)
            if (strcmp((*v)->name, name) == 0)
                return *v;
    fail_msg("no variable %s", name);
    return NULL;
}
