/* SPDX-License-Identifier: Apache-2.0 */
/* A trace in Accel-Sim's form: kernelslist.g and one .traceg file per launch.
 *
 * Accel-Sim's lines name one destination and four sources, and nothing of predicates, constants, barriers or guards. What
 * they leave out is in header lines that it reads past (-bankshot ...): the kernel, as kernel chunks hold it, in hexadecimal.
 * An importer that knows them gets the same kernel back. */
#include "base/aside.h"
#include "ir/code.h"
#include "trace/accelsim/accelsim.h"
#include "trace/code/kernel_io.h"

#include <errno.h>
#include <sys/stat.h>

enum { SRCS = 4, NOTE_LINE_B = 2000, LINE_B = 4096 };

struct out {
    const struct accelsim_export *o;
    struct diag *d;
    struct aside *to;
    FILE *f; /* of that */
    const struct tr_kernel *k;
    bool by_index; /* PCs do not rise: 16 times the index stands for them */
    char **fixed;  /* by instruction: destinations, opcode, sources and width, once written */
};

/* ---- pieces of a line ---- */

static char *put_text(char *p, const char *s)
{
    size_t n = strlen(s);
    memcpy(p, s, n);
    return p + n;
}

static char *put_hex(char *p, uint64_t v, unsigned least)
{
    unsigned n = v ? (67u - (unsigned)__builtin_clzll(v)) / 4 : 1;
    for (n = n < least ? least : n; n--;)
        *p++ = "0123456789abcdef"[v >> 4 * n & 15];
    return p;
}

static char *put_decimal(char *p, int64_t v)
{
    char digits[24];
    unsigned n = 0;
    uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
    do
        digits[n++] = (char)('0' + u % 10);
    while (u /= 10);
    if (v < 0)
        *p++ = '-';
    while (n)
        *p++ = digits[--n];
    return p;
}

/* A run of lanes without a gap and with one stride: base and stride. Others: base and differences; a difference that may
 * not fit a reader's int: the addresses themselves. A space follows. */
static char *put_addresses(char *p, uint32_t mask, const uint64_t *a)
{
    if (!mask)
        return put_text(p, "1 0x0 0 ");
    uint32_t first = (uint32_t)__builtin_ctz(mask), n = (uint32_t)__builtin_popcount(mask);
    bool run = n > 1 && mask >> first == (n == 32 ? ~0u : (1u << n) - 1), small = true;
    int64_t stride = n > 1 ? (int64_t)(a[__builtin_ctz(mask & (mask - 1))] - a[first]) : 0;
    uint64_t last = a[first];
    for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
        int64_t step = (int64_t)(a[__builtin_ctz(m)] - last);
        last = a[__builtin_ctz(m)];
        run = run && step == stride;
        small = small && step >= INT32_MIN && step <= INT32_MAX;
    }
    p = put_text(p, !small ? "0 0x" : run ? "1 0x" : "2 0x");
    p = put_hex(p, a[first], 1);
    *p++ = ' ';
    if (small && run) {
        p = put_decimal(p, stride);
        *p++ = ' ';
        return p;
    }
    last = a[first];
    for (uint32_t m = mask & (mask - 1); m; m &= m - 1) {
        uint64_t x = a[__builtin_ctz(m)];
        p = small ? put_decimal(p, (int64_t)(x - last)) : put_hex(put_text(p, "0x"), x, 1);
        *p++ = ' ';
        last = x;
    }
    return p;
}

/* Code compiled here is nearest to Ampere's; what only Hopper has makes it Hopper's. */
static uint32_t binary_version(const struct tr_kernel *k)
{
    if (k->arch)
        return k->arch;
    for (uint32_t i = 0; i < k->n; i++)
        if (k->insns[i].cls == TC_MBAR || k->insns[i].cls == TC_TMA || k->insns[i].cls == TC_STSM)
            return 90;
    return 80;
}

/* Names of reductions that SASS before sm_90 does not have, and at which Accel-Sim stops: there RED is any in global memory, and
 * one in shared memory is an atomic whose result nobody wants. */
static const char *known_name(const struct tr_kernel *k, const struct tr_insn *in, char *name, size_t cap)
{
    static const char *const ours[] = {"REDG", "REDS"}, *const theirs[] = {"RED", "ATOMS"};
    const char *text = *in->text ? in->text : "NOP";
    for (size_t i = 0; i < sizeof ours / sizeof *ours && binary_version(k) < 90; i++) {
        if (strncmp(text, ours[i], 4) != 0 || (text[4] && text[4] != '.'))
            continue;
        snprintf(name, cap, "%s%s", theirs[i], text + 4);
        return name;
    }
    return text;
}

static const char *fixed_part(struct out *x, uint32_t at)
{
    if (x->fixed[at])
        return x->fixed[at];
    const struct tr_insn *in = &x->k->insns[at];
    char line[512], name[256], *p = line;
    uint32_t d = 0, n = 0;
    while (d < in->ndst && in->dst[d].kind != TO_REG)
        d++;
    p += d < in->ndst ? sprintf(p, "1 R%u ", in->dst[d].val) : sprintf(p, "0 ");
    p += snprintf(p, 256, "%s ", known_name(x->k, in, name, sizeof name));
    for (uint32_t i = 0; i < in->nsrc; i++)
        n += in->src[i].kind == TO_REG;
    p += sprintf(p, "%u ", n < SRCS ? n : SRCS);
    for (uint32_t i = 0, k = 0; i < in->nsrc && k < SRCS; i++)
        if (in->src[i].kind == TO_REG) {
            p += sprintf(p, "R%u ", in->src[i].val);
            k++;
        }
    sprintf(p, "%u ", in->naddr ? in->width_b ? in->width_b : 1u : 0u);
    return x->fixed[at] = xstrdup(line);
}

static uint64_t window(uint8_t space)
{
    return space == SPACE_SHARED  ? WINDOW_SHARED
           : space == SPACE_LOCAL ? WINDOW_LOCAL
           : space == SPACE_CONST ? WINDOW_CONST
                                  : 0;
}

static int64_t immediate(const struct tr_insn *in)
{
    if (in->cls == TC_BAR)
        return in->imm & 15;
    if (in->cls == TC_ASYNC && in->imm != TA_COMMIT)
        return in->imm;
    for (uint32_t i = 0; i < in->nsrc; i++)
        if (in->src[i].kind == TO_IMM)
            return (int32_t)in->src[i].val;
    return 0;
}

static void write_step(struct out *x, const struct tr_step *s)
{
    const struct tr_insn *in = &x->k->insns[s->at];
    char line[LINE_B], *p = line;
    uint64_t a[TR_LANES];
    p = put_hex(p, x->by_index ? s->at * 16 : in->pc, 4);
    *p++ = ' ';
    p = put_hex(p, s->mask, 8);
    *p++ = ' ';
    p = put_text(p, fixed_part(x, s->at));
    if (in->naddr) {
        if (s->mask)
            tr_expand(&s->addr[0], s->mask, a);
        uint64_t add = s->mask && in->space == SPACE_NONE ? window(s->addr[0].space) : 0;
        for (uint32_t i = 0; add && i < TR_LANES; i++)
            a[i] += add;
        p = put_addresses(p, s->mask, a);
    }
    p = put_decimal(p, immediate(in));
    if (in->naddr == 2 && s->mask && !x->o->plain) {
        tr_expand(&s->addr[1], s->mask, a);
        p = put_addresses(put_text(p, " & "), s->mask, a);
    }
    *p++ = '\n';
    fwrite(line, 1, (size_t)(p - line), x->f);
}

/* ---- a launch ---- */

static void write_note(struct out *x, const struct tr_launch *l)
{
    struct buf b = {0};
    kernel_put(&b, x->k);
    for (size_t i = 0; i < b.n; i += NOTE_LINE_B) {
        fputs("-bankshot kernel = ", x->f);
        for (size_t j = i; j < b.n && j < i + NOTE_LINE_B; j++)
            fprintf(x->f, "%02x", b.at[j]);
        fputc('\n', x->f);
    }
    buf_free(&b);
    fputs("-bankshot after =", x->f);
    for (uint32_t i = 0; i < l->nafter; i++)
        fprintf(x->f, " %u", l->after[i]);
    fprintf(x->f, "\n-bankshot flags = %u\n", l->flags);
    if (tr_cluster(l) > 1)
        fprintf(x->f, "-bankshot cluster = (%u,%u,%u)\n", l->cluster[0], l->cluster[1], l->cluster[2]);
}

static void write_head(struct out *x, uint32_t number, const struct tr_launch *l)
{
    const struct tr_kernel *k = x->k;
    fprintf(
        x->f,
        "-kernel name = %s\n-kernel id = %u\n-grid dim = (%u,%u,%u)\n-block dim = (%u,%u,%u)\n-shmem = %u\n"
        "-nregs = %u\n-binary version = %u\n-cuda stream id = %llu\n-shmem base_addr = 0x%016llx\n"
        "-local mem base_addr = 0x%016llx\n-nvbit version = 1.5.5\n-accelsim tracer version = 5\n"
        "-enable lineinfo = 0\n",
        k->name, number + 1, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
        k->shared_b + l->dyn_shared_b, k->regs, binary_version(k), (unsigned long long)l->stream,
        (unsigned long long)WINDOW_SHARED, (unsigned long long)WINDOW_LOCAL);
    if (!x->o->plain)
        write_note(x, l);
    fputs("\n#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
          "[adrrescompress?] [mem_addresses] immediate\n\n",
          x->f);
}

/* The number of a warp's instructions comes before them: its lines are counted first. */
static bool count_steps(struct out *x, uint32_t launch, uint32_t cta, uint32_t nwarps, uint64_t *counts)
{
    struct tr_cta *c = tr_open_cta(x->o->from, launch, cta, x->d);
    struct tr_step s;
    enum tr_status st = TR_END;
    for (uint32_t w = 0; c && w < nwarps; w++) {
        counts[w] = 0;
        while ((st = tr_next(c, w, &s)) == TR_STEP)
            counts[w]++;
        if (st == TR_BAD) {
            diag_plain(x->d, "%s", tr_cta_error(c));
            break;
        }
    }
    if (c)
        tr_close_cta(c);
    return c && st != TR_BAD;
}

static bool write_cta(struct out *x, uint32_t launch, uint32_t cta, const struct tr_launch_info *info)
{
    uint64_t counts[TR_WARPS];
    if (!count_steps(x, launch, cta, info->nwarps, counts))
        return false;
    struct tr_cta *c = tr_open_cta(x->o->from, launch, cta, x->d);
    if (!c)
        return false;
    const uint32_t *g = info->l.grid;
    struct tr_step s;
    fprintf(x->f, "\n#BEGIN_TB\n\nthread block = %u,%u,%u\n", cta % g[0], cta / g[0] % g[1],
            cta / g[0] / g[1]);
    for (uint32_t w = 0; w < info->nwarps; w++) {
        fprintf(x->f, "\nwarp = %u\ninsts = %llu\n", w, (unsigned long long)counts[w]);
        while (tr_next(c, w, &s) == TR_STEP)
            write_step(x, &s);
    }
    fputs("\n#END_TB\n", x->f);
    tr_close_cta(c);
    return true;
}

static bool pcs_rise(const struct tr_kernel *k)
{
    for (uint32_t i = 1; i < k->n; i++)
        if (k->insns[i].pc <= k->insns[i - 1].pc)
            return false;
    return true;
}

static const char *unfit(const struct tr_launch_info *i, const struct tr_kernel *k)
{
    if (!i->complete || i->recorded != i->nctas)
        return "is not complete";
    if (strchr(k->name, '\n'))
        return "has a kernel whose name is no line";
    for (uint32_t n = 0; n < k->n; n++)
        if (strlen(k->insns[n].text) > 200 || strpbrk(k->insns[n].text, " \t\n\r"))
            return "has an opcode that is no word";
    return NULL;
}

static bool close_file(struct out *x, const char *path)
{
    int why = 0;
    if (x->d->errors)
        aside_drop(x->to);
    else
        why = aside_keep(x->to);
    if (why)
        diag_error(x->d, path, NULL, 0, 0, 0, "cannot be written: %s", strerror(why));
    return !why;
}

static bool open_file(struct out *x, const char *path)
{
    int why;
    x->to = aside_open(path, &why);
    x->f = x->to ? aside_stream(x->to) : NULL;
    if (x->f)
        return true;
    diag_error(x->d, path, NULL, 0, 0, 0, "cannot be written: %s", strerror(x->to ? errno : why));
    if (x->to)
        aside_drop(x->to);
    return false;
}

static bool write_launch(struct out *x, struct arena *a, uint32_t number)
{
    const struct tr_launch_info *info = tr_launch(x->o->from, number);
    x->k = tr_kernel(x->o->from, info->l.kernel);
    const char *wrong = unfit(info, x->k),
               *path = arena_printf(a, "%s/" ACCELSIM_KERNEL, x->o->dir, number + 1);
    if (wrong) {
        diag_plain(x->d, "launch %u %s", number, wrong);
        return false;
    }
    if (!open_file(x, path))
        return false;
    x->by_index = !pcs_rise(x->k);
    x->fixed = xcalloc(x->k->n, sizeof *x->fixed);
    write_head(x, number, &info->l);
    bool ok = true;
    for (uint32_t c = 0; ok && c < info->nctas; c++)
        ok = write_cta(x, number, c, info);
    for (uint32_t i = 0; i < x->k->n; i++)
        free(x->fixed[i]);
    free(x->fixed);
    return close_file(x, path) && ok;
}

static bool write_list(struct out *x, struct arena *a)
{
    static const char *const kinds[] = {[TRC_TO_DEVICE] = "MemcpyHtoD",
                                        [TRC_TO_HOST] = "MemcpyDtoH",
                                        [TRC_ON_DEVICE] = "MemcpyDtoD",
                                        [TRC_SET] = "Memset"};
    const char *path = arena_printf(a, "%s/" ACCELSIM_LIST, x->o->dir);
    uint32_t copy = 0, n = tr_nlaunches(x->o->from);
    if (!open_file(x, path))
        return false;
    for (uint32_t l = 0; l <= n; l++) {
        for (; copy < tr_ncopies(x->o->from) && (l == n || tr_copy(x->o->from, copy)->before <= l); copy++) {
            const struct tr_copy *c = tr_copy(x->o->from, copy);
            fprintf(x->f, "%s,0x%016llx,%llu\n", c->kind <= TRC_SET ? kinds[c->kind] : "Memcpy",
                    (unsigned long long)c->addr, (unsigned long long)c->bytes);
        }
        if (l < n)
            fprintf(x->f, ACCELSIM_KERNEL "\n", l + 1);
    }
    return close_file(x, path);
}

bool accelsim_export(const struct accelsim_export *o, struct diag *d)
{
    struct arena a = {0};
    struct out x = {.o = o, .d = d};
    if (mkdir(o->dir, 0777) != 0 && errno != EEXIST) {
        diag_error(d, o->dir, NULL, 0, 0, 0, "cannot be made: %s", strerror(errno));
        return false;
    }
    bool ok = true;
    for (uint32_t i = 0; ok && i < tr_nlaunches(o->from); i++)
        ok = write_launch(&x, &a, i);
    ok = ok && write_list(&x, &a);
    arena_free(&a);
    return ok;
}
