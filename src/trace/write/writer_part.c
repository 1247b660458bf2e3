/* SPDX-License-Identifier: Apache-2.0 */
/* Launches that other threads encode: a helper has a writer's CTA side, and holds its chunks until their place in the file is
 * known. Sequence numbers and checksums, which depend on that place, come when they are appended. */
#include "trace/write/writer.h"

struct tr_writer *tr_helper(const struct tr_writer *of)
{
    struct tr_writer *w = xcalloc(1, sizeof *w);
    w->helps = true;
    w->fd = -1;
    w->path = xstrdup(of->path);
    /* The kernels stay those of the writer. */
    w->kernels.at = of->kernels.at;
    w->kernels.n = of->kernels.n;
    writer_start(w);
    return w;
}

void tr_helper_at(struct tr_writer *helper, uint32_t launch) { helper->nlaunches = launch; }

size_t tr_held_b(const struct tr_writer *helper) { return helper->part.held_b; }

struct tr_part *tr_take(struct tr_writer *helper)
{
    struct tr_part *p = xmalloc(sizeof *p);
    *p = helper->part;
    helper->part = (struct tr_part){0};
    return p;
}

void tr_part_free(struct tr_part *p)
{
    if (!p)
        return;
    vec_each (&p->chunks, c) {
        buf_free(&c->out);
        vec_free(&c->streams.groups);
    }
    vec_free(&p->chunks);
    free(p);
}

void tr_append(struct tr_writer *w, struct tr_part *p)
{
    vec_each (&p->chunks, c) {
        if (c->type == CHUNK_LAUNCH) {
            writer_flush_copies(w);
            w->nlaunches++;
        }
        writer_put(w, c->type, c->raw_b, &c->out, &c->streams);
    }
    tr_part_free(p);
}

void tr_helper_free(struct tr_writer *helper)
{
    if (!helper)
        return;
    writer_drop_ctas(helper);
    tr_part_free(tr_take(helper));
    writer_free(helper);
}
