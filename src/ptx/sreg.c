/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers, as far as PTX names them; which of them exist here is lowering's business. */
#include "ptx/parser.h"

static const char *const vectors[] = {
    "tid", "ntid", "ctaid", "nctaid", "clusterid", "nclusterid", "cluster_ctaid", "cluster_nctaid",
};

static const char *const scalars[] = {
    "laneid",
    "warpid",
    "nwarpid",
    "smid",
    "nsmid",
    "gridid",
    "is_explicit_cluster",
    "cluster_ctarank",
    "cluster_nctarank",
    "lanemask_eq",
    "lanemask_le",
    "lanemask_lt",
    "lanemask_ge",
    "lanemask_gt",
    "clock",
    "clock_hi",
    "clock64",
    "globaltimer",
    "globaltimer_lo",
    "globaltimer_hi",
    "total_smem_size",
    "aggr_smem_size",
    "dynamic_smem_size",
    "reserved_smem_offset_begin",
    "reserved_smem_offset_end",
    "reserved_smem_offset_cap",
    "reserved_smem_offset_0",
    "reserved_smem_offset_1",
    "current_graph_exec",
};

static bool is_one_of(const char *const *list, size_t n, const char *s, size_t len)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(list[i]) == len && memcmp(list[i], s, len) == 0)
            return true;
    return false;
}

/* %pm0..%pm7, %pm0_64..%pm7_64, %envreg0..%envreg31. */
static bool is_numbered(const char *s, size_t len)
{
    if (len >= 3 && memcmp(s, "pm", 2) == 0 && s[2] >= '0' && s[2] <= '7')
        return len == 3 || (len == 6 && memcmp(s + 3, "_64", 3) == 0);
    if (len < 7 || len > 8 || memcmp(s, "envreg", 6) != 0)
        return false;
    unsigned v = 0;
    for (size_t i = 6; i < len; i++) {
        if (s[i] < '0' || s[i] > '9')
            return false;
        v = v * 10 + (unsigned)(s[i] - '0');
    }
    return v < 32;
}

bool ptx_special(struct ptx_parser *p, const struct ptx_tok *name, const char **sreg, bool *failed)
{
    const char *s = name->s + 1;
    size_t len = name->len - 1;
    if (is_one_of(scalars, sizeof scalars / sizeof *scalars, s, len) || is_numbered(s, len)) {
        *sreg = arena_strndup(&p->m->arena, s, len);
        return true;
    }
    if (!is_one_of(vectors, sizeof vectors / sizeof *vectors, s, len))
        return false;
    bool component = p->t.kind == TK_DOT && p->t.glued && p->t.len == 1 && strchr("xyzw", p->t.s[0]);
    if (!component) {
        *failed = true;
        ptx_err(p, name, "'%.*s' needs a component: .x, .y or .z", PTX_TOK(name));
        return false;
    }
    *sreg = arena_printf(&p->m->arena, "%.*s.%c", (int)len, s, p->t.s[0]);
    ptx_next(p);
    return true;
}
