/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/watch/timeline.h"

#include "base/aside.h"
#include "base/demangle.h"
#include "cli/cli.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <unistd.h>

enum {
    GPU_PID = 1,
    SM_PID = 2,     /* + SM */
    MEM_PID = 1000, /* behind those of all SMs */
    CTA_TID = 1000,
    LOAD_TID = 2000,
    WARP_TID = 3000, /* + slot of the SM */
    SLOTS = 1024,
    LANES = 8,         /* loads of an SM that are shown at a time; others are left out */
    MAX_KERNELS = 128, /* at a time, the range of gpu.kernels */
    CHUNK_B = 1 << 16,
};
/* Beyond this the viewers take minutes to open a file; what follows is left out, and said to be. */
static const uint64_t most_b = 256u << 20;
static const char tail[] = "\n]}\n";

typedef VEC(char) text;

struct span {
    bool open;
    uint64_t from, to;
    uint8_t cause;
};

struct cta_span {
    bool open, named;
    uint64_t from;
    uint32_t tenant, launch, cta;
};

struct tl_sm {
    struct timeline *t;
    uint32_t pid;
    struct sm_observer watch;
    struct span *scheds;
    struct cta_span *ctas;
    uint64_t lane_end[LANES];
    bool lane_named[LANES];
    bool warp_named[SLOTS];
    text out; /* of this window */
};

struct timeline {
    struct timeline_opts o;
    const struct gpu_conf *c;
    const struct watched *programs;
    uint32_t nprograms;
    struct gpu_observer watch;
    struct tl_sm *sms;
    struct aside *to;
    int error;     /* errno of a failed write */
    uint64_t size; /* of the file without its tail */
    bool full;
    text out;
    uint64_t now;
    struct {
        uint64_t end;
        bool named;
    } kernels[GPU_TENANTS][MAX_KERNELS];
    uint64_t sampled; /* cycle of the last sample, and what it was */
    uint64_t sm[SM_STATS], mem[MS_COUNT], thread_insts[GPU_TENANTS];
};

/* ---- text ---- */

__attribute__((format(printf, 2, 3))) static void put(text *to, const char *format, ...)
{
    char line[768];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(line, sizeof line, format, args);
    va_end(args);
    uint32_t len = n < (int)sizeof line ? (uint32_t)n : (uint32_t)sizeof line - 1;
    vec_reserve(to, to->n + len);
    memcpy(to->at + to->n, line, len);
    to->n += len;
}

/* A name between quotes: what JSON cannot hold as it is becomes '?'. */
static const char *quoted(const char *name, char *buf, size_t size)
{
    size_t n = 0;
    for (; name[n] && n < size - 1; n++)
        buf[n] = name[n] < 0x20 || name[n] > 0x7e || name[n] == '"' || name[n] == '\\' ? '?' : name[n];
    buf[n] = 0;
    return buf;
}

static void put_name(text *to, uint32_t pid, uint32_t tid, const char *name)
{
    put(to, ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_name\",\"args\":{\"name\":\"%s\"}}",
        pid, tid, name);
    put(to,
        ",\n{\"ph\":\"M\",\"pid\":%u,\"tid\":%u,\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}",
        pid, tid, tid);
}

static void put_process(text *to, bool first, uint32_t pid, const char *name)
{
    put(to, "%s{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}",
        first ? "" : ",\n", pid, name);
    put(to, ",\n{\"ph\":\"M\",\"pid\":%u,\"name\":\"process_sort_index\",\"args\":{\"sort_index\":%u}}", pid,
        pid);
}

/* The part of a span that is shown. False: none is. */
static bool clip(const struct timeline *t, uint64_t *from, uint64_t *to)
{
    *from = *from > t->o.from ? *from : t->o.from;
    *to = *to < t->o.to ? *to : t->o.to;
    return *from < *to && !t->full;
}

static void put_slice(text *to, uint32_t pid, uint32_t tid, uint64_t from, uint64_t until)
{
    put(to, ",\n{\"ph\":\"X\",\"pid\":%u,\"tid\":%u,\"ts\":%llu,\"dur\":%llu,\"name\":\"", pid, tid,
        (unsigned long long)from, (unsigned long long)(until - from));
}

static const char *kernel_name(struct timeline *t, uint32_t tenant, uint32_t launch, char *buf, size_t size)
{
    char name[256];
    struct tr_reader *of = t->programs[tenant].trace;
    demangle(tr_kernel(of, tr_launch(of, launch)->l.kernel)->name, name, sizeof name);
    return quoted(name, buf, size);
}

/* "sgemm: " before what is one program's, where there are others; else "". */
static const char *whose(const struct timeline *t, uint32_t tenant, char *buf, size_t size)
{
    char name[100];
    buf[0] = 0;
    if (t->nprograms > 1)
        snprintf(buf, size, "%s: ", quoted(t->programs[tenant].name, name, sizeof name));
    return buf;
}

/* ---- an SM ---- */

static void put_span(struct tl_sm *s, uint32_t scheduler)
{
    struct span *p = &s->scheds[scheduler];
    static const char stall[] = "stall_";
    const char *name = sm_stats.rows[p->cause].name;
    if (strncmp(name, stall, sizeof stall - 1) == 0)
        name += sizeof stall - 1;
    if (p->open && p->cause != SS_stall_no_warp && clip(s->t, &p->from, &p->to)) {
        put_slice(&s->out, s->pid, 1 + scheduler, p->from, p->to);
        put(&s->out, "%s\"}", name);
    }
    p->open = false;
}

static void on_cycles(void *ctx, uint32_t scheduler, uint64_t from, uint64_t to, enum sm_stat cause)
{
    struct tl_sm *s = ctx;
    struct span *p = &s->scheds[scheduler];
    if (p->open && p->cause == cause && p->to == from) {
        p->to = to;
        return;
    }
    put_span(s, scheduler);
    *p = (struct span){.open = true, .from = from, .to = to, .cause = (uint8_t)cause};
}

static void on_cta_begin(void *ctx, uint32_t slot, uint64_t at, uint32_t tenant, uint32_t launch,
                         uint32_t cta)
{
    struct cta_span *c = &((struct tl_sm *)ctx)->ctas[slot];
    c->open = true;
    c->from = at;
    c->tenant = tenant;
    c->launch = launch;
    c->cta = cta;
}

static void on_cta_end(void *ctx, uint32_t slot, uint64_t to)
{
    struct tl_sm *s = ctx;
    struct cta_span *c = &s->ctas[slot];
    char name[200], of[128];
    bool shown = c->open && clip(s->t, &c->from, &to);
    c->open = false;
    if (!shown)
        return;
    if (!c->named) {
        snprintf(name, sizeof name, "CTA slot %u", slot);
        put_name(&s->out, s->pid, CTA_TID + slot, name);
        c->named = true;
    }
    put_slice(&s->out, s->pid, CTA_TID + slot, c->from, to);
    put(&s->out, "%sCTA %u\",\"args\":{\"launch\":%u,\"kernel\":\"%s\"}}",
        whose(s->t, c->tenant, of, sizeof of), c->cta, c->launch,
        kernel_name(s->t, c->tenant, c->launch, name, sizeof name));
}

/* Shown if a lane is free for all of the load's time. */
static void on_load(void *ctx, const struct sm_load *l)
{
    struct tl_sm *s = ctx;
    uint64_t from = l->from, to = l->to;
    uint32_t i = 0;
    while (i < LANES && s->lane_end[i] > l->from)
        i++;
    if (i == LANES || !clip(s->t, &from, &to))
        return;
    s->lane_end[i] = l->to;
    if (!s->lane_named[i]) {
        char name[32];
        snprintf(name, sizeof name, "loads %u", i);
        put_name(&s->out, s->pid, LOAD_TID + i, name);
        s->lane_named[i] = true;
    }
    put_slice(&s->out, s->pid, LOAD_TID + i, from, to);
    put(&s->out,
        "%s\",\"args\":{\"line\":\"0x%llx\",\"lines\":%u,\"cycles\":%llu,\"partition\":%u,\"CTA\":%u,"
        "\"warp\":%u}}",
        tr_classes[l->cls].name, (unsigned long long)l->line, l->lines, (unsigned long long)(l->to - l->from),
        l->part, s->ctas[l->cta].cta, l->index);
}

/* Where a policy stages registers: a track for each warp slot. */
static void on_warp_state(void *ctx, uint32_t part, uint32_t slot, uint64_t from, uint64_t to,
                          const char *name)
{
    struct tl_sm *s = ctx;
    uint32_t at = part * 64 + slot;
    if (at >= SLOTS || !clip(s->t, &from, &to))
        return;
    if (!s->warp_named[at]) {
        char track[48];
        snprintf(track, sizeof track, "warp slot %u of partition %u", slot, part);
        put_name(&s->out, s->pid, WARP_TID + at, track);
        s->warp_named[at] = true;
    }
    put_slice(&s->out, s->pid, WARP_TID + at, from, to);
    put(&s->out, "%s\"}", name);
}

/* ---- the GPU ---- */

static const struct sm_observer *on_sm(void *ctx, uint32_t sm)
{
    struct timeline *t = ctx;
    return sm < t->o.sms ? &t->sms[sm].watch : NULL;
}

/* The launch's latency, then its kernel cycles. */
static void put_kernel(struct timeline *t, uint32_t track, const struct gpu_kernel_result *k)
{
    uint64_t from = k->start, begin = k->begin, end = k->end, ready = k->begin;
    char name[200];
    if (clip(t, &from, &ready)) {
        put_slice(&t->out, GPU_PID, track, from, ready);
        put(&t->out, "launch latency\",\"args\":{\"launch\":%u}}", k->launch);
    }
    if (!clip(t, &begin, &end))
        return;
    put_slice(&t->out, GPU_PID, track, begin, end);
    put(&t->out, "%s\",\"args\":{\"launch\":%u,\"kernel cycles\":%llu,\"warp instructions\":%llu}}",
        kernel_name(t, k->tenant, k->launch, name, sizeof name), k->launch,
        (unsigned long long)gpu_kernel_cycles(k),
        (unsigned long long)tr_launch(t->programs[k->tenant].trace, k->launch)->warp_insts);
}

static void on_kernel(void *ctx, const struct gpu_kernel_result *k)
{
    struct timeline *t = ctx;
    uint64_t from = k->start, to = k->end;
    uint32_t i = 0;
    /* Kernels are told by their ends, so a track that ended before this one began is free. */
    while (i < MAX_KERNELS - 1 && t->kernels[k->tenant][i].end > from)
        i++;
    t->kernels[k->tenant][i].end = to;
    if (!clip(t, &from, &to))
        return;
    uint32_t track = 1 + k->tenant * MAX_KERNELS + i;
    if (!t->kernels[k->tenant][i].named) {
        char name[160], of[128];
        snprintf(name, sizeof name, "%skernels %u", whose(t, k->tenant, of, sizeof of), i);
        put_name(&t->out, GPU_PID, track, name);
        t->kernels[k->tenant][i].named = true;
    }
    put_kernel(t, track, k);
}

static void put_counter(struct timeline *t, uint32_t pid, uint64_t at, const char *name, double value)
{
    put(&t->out, ",\n{\"ph\":\"C\",\"pid\":%u,\"ts\":%llu,\"name\":\"%s\",\"args\":{\"\":%.4g}}", pid,
        (unsigned long long)at, name, value);
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 0;
}

/* The memory system: what passes between SMs, L2 and DRAM, and what waits there. */
static void put_memory(struct timeline *t, uint64_t at, const uint64_t *s, const uint64_t *m, double cycles)
{
    const struct gpu_conf *c = t->c;
    const struct {
        const char *name;
        double value;
    } rows[] = {
        {"L1 bytes read per cycle", (double)s[SS_l1_reads] * SECTOR_B / cycles},
        {"L1 misses in flight, of an SM", (double)s[SS_mshr_cycles] / cycles / c->gpu.sms},
        {"shared memory, cycles lost to conflicts, %",
         100 * (double)s[SS_shared_conflicts] / cycles / c->gpu.sms},
        {"bytes per cycle to L2", (double)m[MS_icnt_request_b] / cycles},
        {"bytes per cycle from L2", (double)m[MS_icnt_reply_b] / cycles},
        {"L2 bytes read per cycle", (double)m[MS_l2_reads] * SECTOR_B / cycles},
        {"L2 bytes written per cycle", (double)m[MS_l2_writes] * SECTOR_B / cycles},
        {"L2 misses in flight", (double)m[MS_l2_miss_cycles] / cycles},
        {"DRAM bytes read per cycle", (double)m[MS_dram_reads] * SECTOR_B / cycles},
        {"DRAM bytes written per cycle", (double)m[MS_dram_writes] * SECTOR_B / cycles},
        {"DRAM buses busy, %", c->mem.simple ? 0 : 100 * (double)m[MS_dram_busy] / cycles / c->mem.channels},
        {"DRAM accesses to open rows, %",
         percent(m[MS_dram_row_hits], m[MS_dram_row_hits] + m[MS_dram_row_opens] + m[MS_dram_row_conflicts])},
    };
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        put_counter(t, MEM_PID, at, rows[i].name, rows[i].value);
}

/* Watts by part, one on the other. */
static void put_power(struct timeline *t, uint64_t at, const struct gpu_sample *from,
                      const struct gpu_sample *to)
{
    struct energy_out e;
    gpu_energy_between(t->c, from, to, &e);
    if (e.seconds <= 0 || e.total_pj <= 0)
        return;
    put(&t->out, ",\n{\"ph\":\"C\",\"pid\":%u,\"ts\":%llu,\"name\":\"power, W\",\"args\":{", GPU_PID,
        (unsigned long long)at);
    for (uint32_t i = 0; i < EP_COUNT; i++)
        put(&t->out, "%s\"%s\":%.4g", i ? "," : "", energy_parts[i].name, e.pj[i] * 1e-12 / e.seconds);
    put(&t->out, "}}");
}

/* A counter's value holds from its time on: it stands at the beginning of the cycles it is over. */
static void on_sample(void *ctx, const struct gpu_sample *now)
{
    struct timeline *t = ctx;
    uint64_t s[SS_COUNT], m[MS_COUNT], own[GPU_TENANTS], since = t->sampled, at = now->at, to = at;
    for (uint32_t i = 0; i < SS_COUNT; i++)
        s[i] = now->sm[i] - t->sm[i];
    for (uint32_t i = 0; i < MS_COUNT; i++)
        m[i] = now->mem[i] - t->mem[i];
    for (uint32_t i = 0; i < GPU_TENANTS; i++)
        own[i] = now->thread_insts[i] - t->thread_insts[i];
    struct gpu_sample last = {.at = since};
    memcpy(last.sm, t->sm, sizeof last.sm);
    memcpy(last.mem, t->mem, sizeof last.mem);
    memcpy(t->thread_insts, now->thread_insts, sizeof t->thread_insts);
    memcpy(t->sm, now->sm, sizeof t->sm);
    memcpy(t->mem, now->mem, sizeof t->mem);
    t->sampled = at;
    if (!clip(t, &since, &to))
        return;
    double cycles = (double)(at - since);
    put_counter(t, GPU_PID, since, "IPC", (double)s[SS_warp_insts] / cycles);
    for (uint32_t i = 0; t->nprograms > 1 && i < t->nprograms; i++) {
        char name[160], of[128];
        snprintf(name, sizeof name, "%sthread instructions per cycle", whose(t, i, of, sizeof of));
        put_counter(t, GPU_PID, since, name, (double)own[i] / cycles);
    }
    put_counter(t, GPU_PID, since, "L1 hits, %", percent(s[SS_l1_read_hits], s[SS_l1_reads]));
    put_counter(t, GPU_PID, since, "L2 hits, %", percent(m[MS_l2_read_hits], m[MS_l2_reads]));
    put_counter(t, GPU_PID, since, "DRAM bytes per cycle",
                (double)(m[MS_dram_reads] + m[MS_dram_writes]) * SECTOR_B / cycles);
    put_memory(t, since, s, m, cycles);
    put_power(t, since, &last, now);
}

/* ---- the file ---- */

/* What has been gathered takes the tail's place, in one write with a new tail. */
static void write_out(struct timeline *t)
{
    uint32_t n = t->out.n;
    if (!n || t->error)
        return;
    put(&t->out, "%s", tail);
    for (uint32_t done = 0; done < t->out.n && !t->error;) {
        ssize_t k = pwrite(aside_fd(t->to), t->out.at + done, t->out.n - done, (off_t)(t->size + done));
        if (k < 0 && errno != EINTR)
            t->error = errno;
        done += k > 0 ? (uint32_t)k : 0;
    }
    t->size += n;
    vec_clear(&t->out);
}

static void gather(struct timeline *t)
{
    for (uint32_t i = 0; i < t->o.sms; i++) {
        text *from = &t->sms[i].out;
        vec_reserve(&t->out, t->out.n + from->n);
        if (from->n)
            memcpy(t->out.at + t->out.n, from->at, from->n);
        t->out.n += from->n;
        vec_clear(from);
    }
}

static void on_window(void *ctx, uint64_t until)
{
    struct timeline *t = ctx;
    gather(t);
    t->now = until;
    if (t->out.n < CHUNK_B)
        return;
    write_out(t);
    if (t->size < most_b || t->full)
        return;
    t->full = true;
    put(&t->out,
        ",\n{\"ph\":\"i\",\"s\":\"g\",\"pid\":%u,\"tid\":1,\"ts\":%llu,\"name\":\"the file is full\"}",
        GPU_PID, (unsigned long long)until);
    cli_error("timeline: %s is full at cycle %llu (%llu MiB); --timeline-from and --timeline-to show a part "
              "of the run",
              t->o.path, (unsigned long long)until, (unsigned long long)(most_b >> 20));
}

static void sm_open(struct timeline *t, uint32_t i)
{
    struct tl_sm *s = &t->sms[i];
    const struct sm_cfg *c = &t->c->sm;
    char name[64];
    *s = (struct tl_sm){.t = t, .pid = SM_PID + i};
    s->watch = (struct sm_observer){.ctx = s,
                                    .cycles = on_cycles,
                                    .cta_begin = on_cta_begin,
                                    .cta_end = on_cta_end,
                                    .load = on_load,
                                    .warp_state = on_warp_state};
    s->scheds = xcalloc(c->partitions * c->schedulers, sizeof *s->scheds);
    s->ctas = xcalloc(c->ctas, sizeof *s->ctas);
    snprintf(name, sizeof name, "SM %u", i);
    put_process(&t->out, false, s->pid, name);
    for (uint32_t k = 0; k < c->partitions * c->schedulers; k++) {
        if (c->schedulers == 1)
            snprintf(name, sizeof name, "partition %u", k);
        else
            snprintf(name, sizeof name, "partition %u scheduler %u", k / c->schedulers, k % c->schedulers);
        put_name(&t->out, s->pid, 1 + k, name);
    }
}

struct timeline *timeline_open(const struct timeline_opts *o, const struct gpu_conf *c,
                               const struct watched *programs, uint32_t n)
{
    int why;
    struct aside *to = aside_open(o->path, &why);
    if (!to || !aside_is_file(to)) {
        cli_error("cannot write the timeline to %s: %s", o->path,
                  to ? "it is no regular file" : strerror(why));
        if (to)
            aside_drop(to);
        return NULL;
    }
    struct timeline *t = xcalloc(1, sizeof *t);
    t->o = *o;
    t->o.sms = o->sms < c->gpu.sms ? o->sms : c->gpu.sms;
    t->c = c;
    t->programs = programs;
    t->nprograms = n;
    t->to = to;
    t->watch = (struct gpu_observer){.ctx = t,
                                     .sample_cyc = o->every,
                                     .sm = on_sm,
                                     .kernel = on_kernel,
                                     .window = on_window,
                                     .sample = on_sample};
    put(&t->out,
        "{\"displayTimeUnit\":\"ns\",\"otherData\":{\"clock\":\"1 us is 1 core cycle\"},\"traceEvents\":[\n");
    put_process(&t->out, true, GPU_PID, "GPU");
    put_process(&t->out, false, MEM_PID, "memory");
    t->sms = xcalloc(t->o.sms ? t->o.sms : 1, sizeof *t->sms);
    for (uint32_t i = 0; i < t->o.sms; i++)
        sm_open(t, i);
    write_out(t);
    return t;
}

const struct gpu_observer *timeline_observer(const struct timeline *t) { return &t->watch; }

bool timeline_close(struct timeline *t)
{
    for (uint32_t i = 0; i < t->o.sms; i++) {
        struct tl_sm *s = &t->sms[i];
        for (uint32_t k = 0; k < t->c->sm.partitions * t->c->sm.schedulers; k++)
            put_span(s, k);
        for (uint32_t k = 0; k < t->c->sm.ctas; k++)
            on_cta_end(s, k, t->now); /* those that a cut run leaves */
    }
    gather(t);
    write_out(t);
    if (t->error)
        aside_drop(t->to);
    else
        t->error = aside_keep(t->to);
    if (t->error)
        cli_error("cannot write the timeline to %s: %s", t->o.path, strerror(t->error));
    bool ok = !t->error;
    for (uint32_t i = 0; i < t->o.sms; i++) {
        free(t->sms[i].scheds);
        free(t->sms[i].ctas);
        vec_free(&t->sms[i].out);
    }
    free(t->sms);
    vec_free(&t->out);
    free(t);
    return ok;
}
