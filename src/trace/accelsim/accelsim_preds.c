/* SPDX-License-Identifier: Apache-2.0 */
/* Predicates of traces that do not name them (tracers before 6). What a trace shows is which instructions were executed by fewer
 * lanes than the one before them, so these have a guard; that it is the predicate of the nearest comparison above is an
 * assumption. Without it a branch would not wait for what decides it. A branch that all lanes always take does not show its
 * guard; where nobody else reads the comparison before it, that is for the branch: compilers leave none that is for nothing. */
#include "trace/accelsim/accelsim_in.h"

enum { PREDS = 7, NONE = -1 };

static bool is(const struct tr_insn *in, const char *const *names)
{
    size_t n = strcspn(in->text, ".");
    for (; *names; names++)
        if (strncmp(in->text, *names, n) == 0 && !(*names)[n])
            return true;
    return false;
}

static bool sets(const struct tr_insn *in)
{
    static const char *const names[] = {"ISETP", "FSETP", "DSETP", "HSETP2", "PSETP", "CSETP",
                                        "VSETP", "PLOP3", "FCHK",  "R2P",    "QSPC",  NULL};
    return is(in, names);
}

static bool uses(const struct tr_insn *in)
{
    static const char *const names[] = {"SEL",  "FSEL",  "FMNMX", "IMNMX", "VIMNMX", "DMNMX",
                                        "VOTE", "PLOP3", "P2R",   "PSETP", NULL};
    return is(in, names) || (sets(in) && strstr(in->text, ".EX"));
}

static bool is_branch(const struct tr_insn *in)
{
    static const char *const names[] = {"BRA", NULL};
    return is(in, names);
}

static struct tr_opnd pred(int p) { return (struct tr_opnd){.kind = TO_PRED, .n = 1, .val = (uint32_t)p}; }

void as_preds(struct tr_kernel *k, const bool *guarded)
{
    int last = NONE, next = 0;
    bool unread = false; /* the last one, in straight code */
    for (uint32_t i = 0; i < k->n; i++) {
        struct tr_insn *in = &k->insns[i];
        if (last != NONE && (guarded[i] || (unread && is_branch(in)))) {
            in->guard = pred(last);
            unread = false;
        }
        if (last != NONE && uses(in) && in->nsrc < TR_SRCS) {
            in->src[in->nsrc++] = pred(last);
            unread = false;
        }
        if (sets(in) && in->ndst < TR_DSTS) {
            in->dst[in->ndst++] = pred(next);
            last = next;
            next = (next + 1) % PREDS;
            unread = true;
        }
        unread = unread && in->cls != TC_BRANCH && in->cls != TC_CONVERGE;
    }
}
