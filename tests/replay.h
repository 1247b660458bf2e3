/* SPDX-License-Identifier: Apache-2.0 */
/* Replay equality: a launch is executed once, under the recorder and under a plain log of its own; reading the trace back
 * must give exactly what the log holds. The log takes nothing from the trace's code: destinations come from the executor's
 * instructions, value classes from a plain loop. Include it in one file of a test program. REPLAY_ALSO(path, buf, cap), where
 * defined before, is called with the trace of every launch that compared well; it returns NULL, or what is wrong. */
#ifndef TESTS_REPLAY_H
#define TESTS_REPLAY_H

#include "trace/write/record.h"

#include <unistd.h>

/* One warp's stream, word by word: at, mask, and with active lanes the class of each destination word, then for each
 * address set its space and the active lanes' addresses. */
struct replay_log {
    VEC(uint64_t) words;
};

struct replay {
    const struct code *code;
    uint32_t nwarps;
    uint64_t cur; /* CTA */
    uint64_t insts, threads;
    VEC(struct replay_log) logs; /* CTA * nwarps + warp */
    VEC(uint8_t) ended;          /* by CTA */
};

static inline unsigned replay_class(const uint32_t *row, uint32_t exist)
{
    static const struct {
        unsigned cls, step, half;
    } all[] = {
        {TV_CONST, 0, 32}, {TV_STRIDE1, 1, 32}, {TV_STRIDE4, 4, 32}, {TV_HALF1, 1, 16}, {TV_HALF4, 4, 16}};
    for (unsigned k = 0; k < 5; k++) {
        bool fits = true;
        for (unsigned l = 0; l < 32; l++) {
            unsigned from = l / all[k].half * all[k].half;
            fits &= !(exist >> l & 1) || row[l] == row[from] + all[k].step * (l - from);
        }
        if (fits)
            return all[k].cls;
    }
    return TV_OTHER;
}

static inline void replay_begin(void *ctx, uint32_t cta, const uint32_t idx[3], uint32_t nwarps)
{
    struct replay *r = ctx;
    (void)idx;
    r->nwarps = nwarps;
    if (r->ended.n <= cta) {
        vec_resize(&r->ended, cta + 1);
        vec_resize(&r->logs, (cta + 1) * nwarps);
    }
}

static inline void replay_switch(void *ctx, uint32_t cta) { ((struct replay *)ctx)->cur = cta; }

static inline void replay_end(void *ctx, uint32_t cta) { ((struct replay *)ctx)->ended.at[cta] = 1; }

static inline void replay_row(struct replay_log *log, const struct exec_step *s, uint32_t reg, bool late)
{
    unsigned c =
        late ? (s->active == s->exist ? TV_CONST : TV_OTHER) : replay_class(s->regs + 32 * reg, s->exist);
    vec_push(&log->words, c);
}

static inline void replay_insn(void *ctx, const struct exec_step *s)
{
    struct replay *r = ctx;
    struct replay_log *log = &r->logs.at[r->cur * r->nwarps + s->warp];
    const struct ir_insn *i = &r->code->insns[s->at];
    r->insts++;
    r->threads += (uint64_t)__builtin_popcount(s->active);
    vec_push(&log->words, s->at);
    vec_push(&log->words, s->active);
    if (!s->active)
        return;
    for (unsigned d = 0; d < 2; d++) {
        for (unsigned k = 0; i->dst[d].kind == OPND_REG && i->dst[d].val < REG_RZ && k < i->dst[d].n; k++)
            replay_row(log, s, i->dst[d].val + k, i->op == OP_BAR);
    }
    if (i->op == OP_CALL && i->dst[0].kind == OPND_NONE)
        replay_row(log, s, REG_LINK, false);
    for (unsigned set = 0; set < 2 && s->addrs[set]; set++) {
        vec_push(&log->words, set ? SPACE_SHARED : s->space);
        for (unsigned l = 0; l < 32; l++) {
            if (s->active >> l & 1)
                vec_push(&log->words, exec_step_addr(s, set, l));
        }
    }
}

/* The words of a step that came back. */
static inline unsigned replay_words(const struct tr_kernel *k, const struct tr_step *s, uint64_t out[128])
{
    const struct tr_insn *i = &k->insns[s->at];
    unsigned n = 0, w = 0;
    out[n++] = s->at;
    out[n++] = s->mask;
    for (unsigned d = 0; s->mask && d < i->ndst; d++) {
        for (unsigned j = 0; i->dst[d].kind == TO_REG && j < i->dst[d].n; j++)
            out[n++] = s->values[w++];
    }
    for (unsigned set = 0; s->mask && set < i->naddr; set++) {
        uint64_t addr[TR_LANES];
        tr_expand(&s->addr[set], s->mask, addr);
        out[n++] = s->addr[set].space;
        for (unsigned l = 0; l < 32; l++) {
            if (s->mask >> l & 1)
                out[n++] = addr[l];
        }
    }
    return n;
}

static inline const char *replay_warp(const struct replay *r, const struct tr_kernel *k, struct tr_cta *c,
                                      uint32_t cta, uint32_t warp, char *buf, size_t cap)
{
    const struct replay_log *log = &r->logs.at[(size_t)cta * r->nwarps + warp];
    struct tr_step s;
    enum tr_status st;
    uint32_t pos = 0;
    while ((st = tr_next(c, warp, &s)) == TR_STEP) {
        uint64_t words[128];
        unsigned n = s.at < k->n ? replay_words(k, &s, words) : 0;
        if (!n || pos + n > log->words.n || memcmp(words, log->words.at + pos, n * sizeof *words) != 0) {
            snprintf(buf, cap,
                     "replay: CTA %u warp %u word %u: instruction %u mask %08x is not what was executed", cta,
                     warp, pos, s.at, s.mask);
            return buf;
        }
        pos += n;
    }
    if (st == TR_BAD || pos != log->words.n) {
        snprintf(buf, cap, "replay: CTA %u warp %u: %s", cta, warp,
                 st == TR_BAD ? tr_cta_error(c) : "ends early");
        return buf;
    }
    return NULL;
}

static inline const char *replay_cta(const struct replay *r, struct tr_reader *t, uint32_t cta, char *buf,
                                     size_t cap)
{
    struct diag d = {0};
    const struct tr_kernel *k = tr_kernel(t, tr_launch(t, 0)->l.kernel);
    if (tr_has_cta(t, 0, cta) != r->ended.at[cta]) {
        snprintf(buf, cap, "replay: CTA %u %s the trace", cta,
                 r->ended.at[cta] ? "is missing from" : "is only partly in");
        return buf;
    }
    struct tr_cta *c = r->ended.at[cta] ? tr_open_cta(t, 0, cta, &d) : NULL;
    const char *bad = NULL;
    if (r->ended.at[cta] && !c) {
        snprintf(buf, cap, "replay: CTA %u: %s", cta, d.n ? d.msg[0].text : "?");
        bad = buf;
    }
    for (uint32_t w = 0; c && !bad && w < r->nwarps; w++)
        bad = replay_warp(r, k, c, cta, w, buf, cap);
    if (c)
        tr_close_cta(c);
    diag_free(&d);
    return bad;
}

static inline const char *replay_compare(const struct replay *r, const char *path, enum exec_status st,
                                         char *buf, size_t cap)
{
    struct diag d = {0};
    struct tr_reader *t = tr_open(path, &d);
    const char *bad = NULL;
    if (!t) {
        snprintf(buf, cap, "replay: %s", d.n ? d.msg[0].text : "?");
        bad = buf;
    } else if (!tr_closed(t) || tr_nlaunches(t) != (r->ended.n > 0)) {
        bad = "replay: not closed, or another number of launches";
    } else if (r->ended.n) {
        const struct tr_launch_info *l = tr_launch(t, 0);
        if (l->complete != (st == EXEC_OK) || l->nwarps != r->nwarps ||
            (st == EXEC_OK && (l->warp_insts != r->insts || l->thread_insts != r->threads)))
            bad = "replay: the launch's counts are wrong";
    }
    for (uint32_t cta = 0; !bad && cta < r->ended.n; cta++)
        bad = replay_cta(r, t, cta, buf, cap);
    if (t)
        tr_free(t);
    diag_free(&d);
    return bad;
}

/* exec_launch, recorded and compared. *bad: NULL, or what is wrong, in buf. */
static inline enum exec_status replay_launch(struct exec_dev *dev, const struct exec_launch *l,
                                             struct exec_counts *counts, struct exec_error *err,
                                             const char **bad, char *buf, size_t cap)
{
    const char *dir = getenv("TMPDIR");
    char path[256];
    struct diag d = {0};
    struct replay r = {.code = l->code};
    struct exec_obs obs = {&r, replay_begin, replay_switch, replay_insn, replay_end};
    struct exec_launch seen = *l;
    snprintf(path, sizeof path, "%s/bankshot_replay_XXXXXX", dir && *dir ? dir : "/tmp");
    int fd = mkstemp(path);
    close(fd);
    struct tr_recorder *rec =
        tr_recorder_new(path, &(struct tr_info){.program = "replay", .maker = "test"}, &d);
    seen.obs = &obs;
    enum exec_status st = tr_record_launch(rec, dev, &seen, NULL, NULL, counts, err);
    *bad =
        rec && tr_recorder_close(rec, &d) ? replay_compare(&r, path, st, buf, cap) : "replay: cannot write";
#ifdef REPLAY_ALSO
    if (!*bad)
        *bad = REPLAY_ALSO(path, buf, cap);
#endif
    unlink(path);
    vec_each (&r.logs, log)
        vec_free(&log->words);
    vec_free(&r.logs);
    vec_free(&r.ended);
    diag_free(&d);
    return st;
}

#endif
