/* SPDX-License-Identifier: Apache-2.0 */
/* GPGPU-Sim's configuration files: -flag value, comments after '#', quotes around values of several lines. */
#include "gpu/gpgpusim.h"

#include "base/file.h"

#include <math.h>
#include <unistd.h>

enum { MAX_B = 1 << 20 };

struct flag {
    const char *name, *value, *file;
    uint32_t line;
    bool used;
};

struct reading {
    struct conf *c;
    struct diag *d;
    VEC(struct flag) flags;
    double parts; /* partitions of an SM */
};

/* ---- files ---- */

/* One word, quotes taken off; NULL: the end. Blanks inside quotes are dropped. */
static const char *word(struct conf *c, const char **sp, uint32_t *line)
{
    const char *s = *sp;
    for (; *s; s++) {
        if (*s == '#')
            s += strcspn(s, "\n");
        if (!*s)
            break;
        if (*s == '\n')
            ++*line;
        else if (*s != ' ' && *s != '\t' && *s != '\r')
            break;
    }
    if (!*s)
        return NULL;
    bool quoted = *s == '"';
    size_t n = strcspn(s += quoted, quoted ? "\"" : " \t\r\n"), kept = 0;
    char *out = arena_strndup(&c->arena, s, n);
    for (size_t i = 0; i < n; i++) {
        *line += s[i] == '\n';
        if (s[i] != ' ' && s[i] != '\t' && s[i] != '\r' && s[i] != '\n')
            out[kept++] = s[i];
    }
    out[kept] = 0;
    *sp = s + n + (quoted && s[n]);
    return out;
}

static bool is_flag(const char *w) { return w[0] == '-' && ((w[1] | 32) >= 'a' && (w[1] | 32) <= 'z'); }

static bool read_flags(struct reading *r, const char *path)
{
    struct file_text t;
    if (!file_read(path, MAX_B, &t, r->d))
        return false;
    const char *s = t.at, *w;
    uint32_t line = 1;
    bool ok = true;
    while (ok && (w = word(r->c, &s, &line))) {
        if (is_flag(w)) {
            vec_push(&r->flags, (struct flag){w + 1, "", path, line, false});
        } else if (r->flags.n && r->flags.at[r->flags.n - 1].file == path) {
            struct flag *f = &r->flags.at[r->flags.n - 1];
            f->value = *f->value ? f->value : w; /* further words belong to flags that mean nothing here */
        } else {
            diag_error(r->d, path, NULL, 0, line, 0, "a value without a flag");
            ok = false;
        }
    }
    file_free(&t);
    return ok;
}

/* ---- values ---- */

/* The last of that name, as later lines overrule; all of them count as used. */
static struct flag *flag(struct reading *r, const char *name)
{
    struct flag *last = NULL;
    vec_each (&r->flags, f) {
        if (strcmp(f->name, name) == 0) {
            f->used = true;
            last = f;
        }
    }
    return last;
}

static bool wrong(struct reading *r, const struct flag *f)
{
    diag_error(r->d, f->file, NULL, 0, f->line, 0, "-%s: '%s' cannot be read", f->name, f->value);
    return false;
}

static bool number(struct reading *r, const struct flag *f, const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end);
    return (end != text && isfinite(*out)) || wrong(r, f);
}

static bool set_text(struct reading *r, const struct flag *f, const char *text)
{
    struct diag why = {0};
    bool ok = conf_set_from(r->c, text, CONF_PRESET, f->file, &why);
    if (!ok)
        diag_error(r->d, f->file, NULL, 0, f->line, 0, "-%s: %s", f->name,
                   why.n ? why.msg[0].text : "refused");
    diag_free(&why);
    return ok;
}

static bool set(struct reading *r, const struct flag *f, const char *option, double v)
{
    return set_text(r, f, arena_printf(&r->c->arena, "%s=%.9g", option, v));
}

static double value(struct reading *r, const char *name, double otherwise)
{
    struct flag *f = flag(r, name);
    double v;
    return f && number(r, f, f->value, &v) ? v : otherwise;
}

static bool field(struct reading *r, const char *name, char separator, uint32_t n, const char *option)
{
    struct flag *f = flag(r, name);
    if (!f)
        return true;
    const char *s = f->value;
    for (; n && s; n--)
        s = (s = strchr(s, separator)) ? s + 1 : NULL;
    double v;
    return s ? number(r, f, s, &v) && set(r, f, option, v) : wrong(r, f);
}

static bool scaled(struct reading *r, const char *name, const char *option, double factor, double by)
{
    struct flag *f = flag(r, name);
    double v;
    if (!f)
        return true;
    if (!number(r, f, f->value, &v))
        return false;
    v = v * factor / by;
    return set(r, f, option, v >= 1 ? floor(v) : v > 0 ? 1 : 0);
}

/* ---- what takes more than one flag ---- */

/* [N:|S:]sets:line:ways,...,A:entries:merges,... */
struct cache {
    bool sectors;
    unsigned sets, line_b, ways, mshrs, merges;
};

static bool cache(struct reading *r, const struct flag *f, struct cache *out)
{
    const char *s = f->value, *mshrs = strchr(s, ',');
    *out = (struct cache){.sectors = *s == 'S'};
    if ((*s == 'S' || *s == 'N') && s[1] == ':')
        s += 2;
    if (sscanf(s, "%9u:%9u:%9u", &out->sets, &out->line_b, &out->ways) != 3)
        return wrong(r, f);
    mshrs = mshrs ? strchr(mshrs + 1, ',') : NULL;
    if (mshrs)
        sscanf(mshrs + 1, "%*c:%9u:%9u", &out->mshrs, &out->merges);
    return true;
}

static bool l1(struct reading *r)
{
    struct flag *f = flag(r, "gpgpu_cache:dl1"), *unified = flag(r, "gpgpu_unified_l1d_size");
    struct flag *skip = flag(r, "gpgpu_gmem_skip_L1D");
    struct cache c;
    bool ok = true;
    if (f && strcmp(f->value, "none") != 0) {
        ok = cache(r, f, &c) && set(r, f, "sm.l1_ways", c.ways) && set(r, f, "sm.l1_sectors", c.sectors) &&
             set_text(r, f, unified ? "sm.onchip=carved" : "sm.onchip=partitioned");
        ok = ok && (!c.mshrs || set(r, f, "sm.l1_mshrs", c.mshrs)) &&
             (!c.merges || set(r, f, "sm.l1_merges", c.merges));
        ok = ok && (unified || set(r, f, "sm.l1_kb", (double)c.sets * c.line_b * c.ways / 1024));
    }
    double v;
    if (ok && unified)
        ok = number(r, unified, unified->value, &v) && set(r, unified, "sm.l1_kb", v);
    if (ok && skip)
        ok = number(r, skip, skip->value, &v) && set(r, skip, "sm.l1_loads", v == 0);
    return ok;
}

static bool l2(struct reading *r)
{
    struct flag *f = flag(r, "gpgpu_cache:dl2"), *sub = flag(r, "gpgpu_n_sub_partition_per_mchannel");
    double slices = value(r, "gpgpu_n_mem", 8) * value(r, "gpgpu_n_sub_partition_per_mchannel", 1);
    struct cache c;
    if (sub && !set(r, sub, "mem.slices", slices))
        return false;
    return !f ||
           (cache(r, f, &c) && set(r, f, "mem.l2_kb", (double)c.sets * c.line_b * c.ways * slices / 1024) &&
            set(r, f, "mem.l2_ways", c.ways) && (!c.mshrs || set(r, f, "mem.l2_mshrs", c.mshrs)));
}

static bool small_caches(struct reading *r)
{
    struct flag *code = flag(r, "gpgpu_cache:il1"), *konst = flag(r, "gpgpu_const_cache:l1");
    struct cache c;
    return (!code || (cache(r, code, &c) && set(r, code, "sm.l1i_b", (double)c.sets * c.line_b * c.ways))) &&
           (!konst ||
            (cache(r, konst, &c) && set(r, konst, "sm.const_b", (double)c.sets * c.line_b * c.ways)));
}

/* nbk=16:CCD=1:RRD=3:... */
static bool dram(struct reading *r)
{
    static const struct {
        const char *name, *option;
    } times[] = {{"nbk", "mem.banks"}, {"RRD", "mem.t_rrd"},   {"RCD", "mem.t_rcd"},
                 {"RAS", "mem.t_ras"}, {"RP", "mem.t_rp"},     {"CL", "mem.t_cl"},
                 {"WL", "mem.t_wl"},   {"CDLR", "mem.t_cdlr"}, {"WR", "mem.t_wr"}};
    struct flag *f = flag(r, "gpgpu_dram_timing_opt"), *width = flag(r, "gpgpu_dram_buswidth");
    for (const char *s = f ? f->value : NULL; s; s = (s = strchr(s, ':')) ? s + 1 : NULL) {
        for (uint32_t i = 0; i < sizeof times / sizeof times[0]; i++) {
            size_t n = strlen(times[i].name);
            double v;
            if (strncmp(s, times[i].name, n) == 0 && s[n] == '=' &&
                !(number(r, f, s + n + 1, &v) && set(r, f, times[i].option, v)))
                return false;
        }
    }
    double ratio = value(r, "gpgpu_n_mem_per_ctrlr", 1) * value(r, "dram_data_command_freq_ratio", 2), b;
    struct flag *queue = flag(r, "gpgpu_frfcfs_dram_sched_queue_size");
    if (width && !(number(r, width, width->value, &b) && set(r, width, "mem.bus_b", b * ratio)))
        return false;
    /* 0: without limit */
    return !queue || (number(r, queue, queue->value, &b) && set(r, queue, "mem.queue", b > 0 ? b : 1024));
}

/* With the sub-core model each scheduler has a partition of its own. */
static bool core(struct reading *r)
{
    struct flag *n = flag(r, "gpgpu_n_clusters"), *sched = flag(r, "gpgpu_num_sched_per_core");
    struct flag *threads = flag(r, "gpgpu_shader_core_pipeline"), *policy = flag(r, "gpgpu_scheduler");
    double scheds = value(r, "gpgpu_num_sched_per_core", 1), v;
    bool split = value(r, "gpgpu_sub_core_model", 0) != 0, ok = true;
    r->parts = split && scheds >= 1 ? scheds : 1;
    if (n)
        ok = number(r, n, n->value, &v) && set(r, n, "gpu.sms", v * value(r, "gpgpu_n_cores_per_cluster", 1));
    if (ok && sched)
        ok = set(r, sched, "sm.partitions", r->parts) && set(r, sched, "sm.schedulers", split ? 1 : scheds);
    if (ok && threads)
        ok = number(r, threads, threads->value, &v) && set(r, threads, "sm.warps", floor(v / 32 / r->parts));
    if (ok && policy) {
        bool known = strcmp(policy->value, "gto") == 0 || strcmp(policy->value, "lrr") == 0;
        policy->used = known;
        if (known)
            ok = set_text(r, policy, arena_printf(&r->c->arena, "sm.wsched=%s", policy->value));
    }
    return ok;
}

static bool rows(struct reading *r)
{
    double one = 1, parts = r->parts;
#define ONE one
#define PARTS parts
#define PLAIN(name, option) field(r, #name, ' ', 0, option) &&
#define FIELD(name, separator, n, option) field(r, #name, separator, n, option) &&
#define SCALED(name, option, factor, by) scaled(r, #name, option, factor, by) &&
    return
#include "gpu/gpgpusim.def"
        true;
}

static const char *ignored_flags(struct reading *r)
{
    const char *list = "";
    vec_each (&r->flags, f) {
        if (!f->used)
            list = arena_printf(&r->c->arena, "%s%s-%s", list, *list ? " " : "", f->name);
    }
    return list;
}

bool gpgpusim_read(struct conf *c, const char *path, const char **ignored, struct diag *d)
{
    struct reading r = {.c = c, .d = d, .parts = 1};
    const char *slash = strrchr(path, '/');
    const char *beside =
        arena_printf(&c->arena, "%.*strace.config", slash ? (int)(slash + 1 - path) : 0, path);
    uint32_t before = d->errors;
    path = arena_strndup(&c->arena, path, strlen(path));
    bool ok = read_flags(&r, path);
    if (ok && strcmp(beside, path) != 0 && access(beside, R_OK) == 0)
        ok = read_flags(&r, beside);
    ok = ok && core(&r) && l1(&r) && l2(&r) && small_caches(&r) && dram(&r) && rows(&r);
    *ignored = ok ? ignored_flags(&r) : "";
    vec_free(&r.flags);
    return ok && d->errors == before;
}
