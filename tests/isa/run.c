/* SPDX-License-Identifier: Apache-2.0 */
#include "run.h"

#include <stdlib.h>

uint32_t kern_threads(const struct kern *k)
{
    uint32_t n = 1;
    for (unsigned i = 0; i < 3; i++)
        n *= (k->grid[i] ? k->grid[i] : 1) * (k->block[i] ? k->block[i] : 1);
    return n;
}

static const char prologue[] =
    "  .reg .pred %%p<16>;\n  .reg .b16 %%h<32>;\n  .reg .b32 %%r<96>;\n  .reg .b64 %%rd<32>;\n  .reg .f32 "
    "%%f<64>;\n"
    "  .reg .f64 %%fd<32>;\n  .reg .b32 %%tx, %%gid, %%sys<8>;\n  .reg .b64 %%out, %%in0, %%in1, %%in2;\n"
    "  ld.param.u64 %%out, [pout];\n"
    "  mov.u32 %%tx, %%tid.x;\n  mov.u32 %%sys1, %%ntid.x;\n  mov.u32 %%sys2, %%tid.y;\n  mov.u32 %%sys3, "
    "%%ntid.y;\n"
    "  mov.u32 %%sys4, %%tid.z;\n  mad.lo.u32 %%sys5, %%sys4, %%sys3, %%sys2;\n  mad.lo.u32 %%gid, %%sys5, "
    "%%sys1, %%tx;\n"
    "  mov.u32 %%sys6, %%ntid.z;\n  mul.lo.u32 %%sys1, %%sys1, %%sys3;\n  mul.lo.u32 %%sys1, %%sys1, "
    "%%sys6;\n"
    "  mov.u32 %%sys2, %%ctaid.x;\n  mov.u32 %%sys3, %%ctaid.y;\n  mov.u32 %%sys4, %%ctaid.z;\n"
    "  mov.u32 %%sys5, %%nctaid.x;\n  mov.u32 %%sys6, %%nctaid.y;\n  mad.lo.u32 %%sys4, %%sys4, %%sys6, "
    "%%sys3;\n"
    "  mad.lo.u32 %%sys4, %%sys4, %%sys5, %%sys2;\n  mad.lo.u32 %%gid, %%sys4, %%sys1, %%gid;\n"
    "  mad.wide.u32 %%out, %%gid, %u, %%out;\n";

const char *kern_text(struct isa *t, const struct kern *k)
{
    char in_params[128] = "", in_loads[256] = "", setup[2048];
    for (unsigned i = 0; i < 3 && k->in[i].host; i++) {
        size_t at = strlen(in_params);
        snprintf(in_params + at, sizeof in_params - at, ", .param .u64 pin%u", i);
        at = strlen(in_loads);
        snprintf(in_loads + at, sizeof in_loads - at, "  ld.param.u64 %%in%u, [pin%u];\n", i, i);
    }
    snprintf(setup, sizeof setup, prologue, 8 * k->slots);
    return arena_printf(&t->arena, "%s%s\n.visible .entry k(.param .u64 pout%s%s)\n{\n%s%s  %s\n  ret;\n}\n",
                        ISA_HEAD, k->module ? k->module : "", in_params, k->params ? k->params : "", setup,
                        in_loads, k->body);
}

struct isa_launch kern_launch(struct isa *t, const struct kern *k, uint64_t *out)
{
    struct isa_launch l = {.ptx = kern_text(t, k),
                           .dyn_shared_b = k->dyn_shared_b,
                           .nbufs = 1,
                           .buf = {{out, sizeof *out * k->slots * kern_threads(k)}},
                           .extra = k->extra,
                           .extra_b = k->extra_b,
                           .cooperative = k->cooperative,
                           .tight_regs = k->tight_regs,
                           .out = k->out};
    memcpy(l.grid, k->grid, sizeof l.grid);
    memcpy(l.block, k->block, sizeof l.block);
    memcpy(l.cluster, k->cluster, sizeof l.cluster);
    for (unsigned i = 0; i < 3 && k->in[i].host; i++)
        l.buf[l.nbufs++] = k->in[i];
    return l;
}

static void compare_slots(struct isa *t, const struct kern *k, unsigned config, const uint64_t *want,
                          const uint64_t *got)
{
    unsigned wrong = 0, n = kern_threads(k) * k->slots;
    for (unsigned i = 0; i < n; i++) {
        t->checks++;
        if (want[i] != got[i] && wrong++ == 0)
            isa_fail(t, "%s [%u] thread %u slot %u: want %#llx, got %#llx", k->name, config, i / k->slots,
                     i % k->slots, (unsigned long long)want[i], (unsigned long long)got[i]);
    }
    if (wrong > 1)
        isa_fail(t, "    ... %s: %u slots wrong of %u", k->name, wrong, n);
}

static void compare_buffers(struct isa *t, const struct kern *k, unsigned config, const void *const *want_in)
{
    for (unsigned i = 0; i < 3 && want_in && k->in[i].host; i++) {
        const unsigned char *got = k->in[i].host, *want = want_in[i];
        size_t at = 0;
        if (!want)
            continue;
        t->checks++;
        while (at < k->in[i].size_b && got[at] == want[at])
            at++;
        if (at < k->in[i].size_b)
            isa_fail(t, "%s [%u] buffer %u byte %zu: want %#x, got %#x", k->name, config, i, at, want[at],
                     got[at]);
    }
}

void kern_check(struct isa *t, const struct kern *k, const uint64_t *want, const void *const *want_in)
{
    uint32_t n = kern_threads(k) * k->slots;
    uint64_t *got = xcalloc(n ? n : 1, sizeof *got);
    void *saved[3] = {0};
    isa_count(t, k->name);
    for (unsigned i = 0; i < 3 && k->in[i].host; i++) {
        saved[i] = xmalloc(k->in[i].size_b);
        memcpy(saved[i], k->in[i].host, k->in[i].size_b);
    }
    for (unsigned config = 0; config < ISA_CONFIGS; config++) {
        memset(got, 0, n * sizeof *got);
        struct isa_launch l = kern_launch(t, k, got);
        bool ran = isa_run(t, config, &l, k->name);
        if (ran) {
            compare_slots(t, k, config, want, got);
            compare_buffers(t, k, config, want_in);
        }
        for (unsigned i = 0; i < 3 && saved[i]; i++)
            memcpy(k->in[i].host, saved[i], k->in[i].size_b);
        if (!ran)
            break;
    }
    for (unsigned i = 0; i < 3; i++)
        free(saved[i]);
    free(got);
}
