/* SPDX-License-Identifier: Apache-2.0 */
/* What a trace file has. A closed file tells in its index, and only the chunks that are not streams are read here; a file
 * without an index is read from its beginning, chunk by chunk. Both ways build the same picture, and every contradiction
 * is a refusal. */
#include "trace/code/kernel_io.h"
#include "trace/read/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct opening {
    struct tr_reader *r;
    uint64_t at; /* of the chunk at hand */
    bool in_launch;
    bool scan;                /* group counts are known */
    VEC(struct group) groups; /* of the launch at hand, in the file's order, if scanning */
    uint32_t ninsns;
    uint64_t kernels_b;
};

/* ---- launches ---- */

static int by_cta(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->cta != y->cta)
        return x->cta < y->cta ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static void sort_places(struct reader_launch *l)
{
    for (uint32_t i = 1; i < l->places.n; i++)
        if (by_cta(&l->places.at[i - 1], &l->places.at[i]) > 0) {
            qsort(l->places.at, l->places.n, sizeof l->places.at[0], by_cta);
            return;
        }
}

/* Sorts the places, checks that each CTA's groups follow each other as they should, keeps the whole CTAs. */
static const char *settle_places(struct opening *o, struct reader_launch *l)
{
    sort_places(l);
    struct place *p = l->places.at;
    uint32_t n = l->places.n, kept = 0, end;
    for (uint32_t i = 0; i < n; i = end) {
        bool whole = false;
        for (end = i; end < n && p[end].cta == p[i].cta; end++) {
            if ((p[end].flags & GROUP_FIRST ? 1 : 0) != (end == i) || whole)
                return "pieces of a CTA that do not follow each other";
            whole = p[end].flags & GROUP_LAST;
        }
        if (p[i].cta >= l->info.nctas)
            return "a CTA outside the grid";
        l->info.recorded += whole;
        for (uint32_t k = i; whole && k < end; k++) {
            if (o->scan) {
                l->info.warp_insts += o->groups.at[p[k].seq].insts;
                l->info.thread_insts += o->groups.at[p[k].seq].threads;
            }
            p[kept++] = p[k];
        }
        if (!whole && l->info.complete)
            return "a complete launch with a CTA that is not";
    }
    l->places.n = kept;
    vec_clear(&o->groups);
    return NULL;
}

static const char *read_launch(struct opening *o, struct cursor *c)
{
    struct tr_reader *r = o->r;
    struct reader_launch rl = {0};
    struct tr_launch *l = &rl.info.l;
    l->kernel = get_u32(c, UINT32_MAX);
    for (unsigned i = 0; i < 3; i++)
        l->grid[i] = get_u32(c, i ? 65535 : 0x7fffffff);
    for (unsigned i = 0; i < 3; i++)
        l->block[i] = get_u32(c, TR_WARPS * TR_LANES);
    l->dyn_shared_b = get_u32(c, UINT32_MAX);
    l->flags = get_u32(c, UINT32_MAX);
    l->stream = get_varint(c);
    l->nafter = get_u32(c, r->launches.n);
    uint32_t *after = ARENA_ARRAY(&r->arena, uint32_t, c->bad ? 0 : l->nafter);
    for (uint32_t i = 0; i < l->nafter && !c->bad; i++) {
        uint32_t back = get_u32(c, r->launches.n);
        if (!back)
            c->bad = true;
        after[i] = r->launches.n - back;
    }
    l->after = after;
    bool clusters = cursor_left(c) != 0;
    for (unsigned i = 0; i < 3; i++)
        l->cluster[i] = clusters ? get_u32(c, TR_CLUSTER_MAX) : 1;
    uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    rl.info.nctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    if (c->bad || l->kernel >= r->kernels.n || !threads || threads > TR_WARPS * TR_LANES || !rl.info.nctas)
        return "a launch whose numbers are out of range";
    for (unsigned i = 0; i < 3; i++)
        if (!l->cluster[i] || l->grid[i] % l->cluster[i])
            return "a launch whose clusters do not make its grid";
    if (tr_cluster(l) > TR_CLUSTER_MAX || (clusters && tr_cluster(l) == 1))
        return "a launch whose numbers are out of range";
    rl.info.nwarps = (uint32_t)((threads + TR_LANES - 1) / TR_LANES);
    vec_push(&r->launches, rl);
    o->in_launch = true;
    return NULL;
}

static const char *read_launch_end(struct opening *o, struct cursor *c)
{
    struct reader_launch *l = &o->r->launches.at[o->r->launches.n - 1];
    unsigned complete = (unsigned)get_le(c, 1);
    uint64_t recorded = get_varint(c), insts = get_varint(c), threads = get_varint(c);
    if (c->bad || complete > 1)
        return "a launch's end that makes no sense";
    l->info.complete = complete;
    o->in_launch = false;
    const char *wrong = settle_places(o, l);
    if (wrong)
        return wrong;
    if (!o->scan) {
        l->info.warp_insts = insts;
        l->info.thread_insts = threads;
    }
    if (l->info.recorded != recorded || l->info.warp_insts != insts || l->info.thread_insts != threads ||
        insts > l->insts || threads > l->threads)
        return "a launch's end that does not match its streams";
    if (complete && (insts != l->insts || threads != l->threads))
        return "a launch's end that does not match its streams";
    return NULL;
}

/* ---- the other chunks ---- */

static const char *read_info(struct opening *o, struct cursor *c)
{
    o->r->info.program = get_string(c, &o->r->arena);
    o->r->info.maker = get_string(c, &o->r->arena);
    o->r->info.command = o->r->info.program;
    return c->bad ? "file information that makes no sense" : NULL;
}

static const char *read_kernel(struct opening *o, struct cursor *c)
{
    const char *why = "more static code than a trace may hold";
    o->kernels_b += cursor_left(c);
    if (o->kernels_b > KERNELS_MAX_B)
        return why;
    struct tr_kernel *k = kernel_get(c->at, cursor_left(c), TRACE_MAX_INSNS - o->ninsns, &o->r->arena, &why);
    if (!k)
        return why;
    c->at = c->end;
    o->ninsns += k->n;
    vec_push(&o->r->kernels, k);
    vec_push(&o->r->codes, codec_code_new(k));
    return NULL;
}

static const char *read_copies(struct opening *o, struct cursor *c)
{
    uint32_t n = get_u32(c, UINT32_MAX);
    for (uint32_t i = 0; i < n && !c->bad; i++) {
        struct tr_copy copy = {.kind = (uint8_t)get_le(c, 1)};
        copy.before = get_u32(c, UINT32_MAX);
        copy.stream = get_varint(c);
        copy.addr = get_varint(c);
        copy.bytes = get_varint(c);
        if (copy.kind > TRC_SET || copy.before > o->r->launches.n)
            c->bad = true;
        if (!c->bad)
            vec_push(&o->r->copies, copy);
    }
    return c->bad ? "copies that make no sense" : NULL;
}

static const char *add_streams(struct opening *o, const struct stream_entry *e)
{
    struct tr_reader *r = o->r;
    struct reader_launch *l = &r->launches.at[r->launches.n - 1];
    struct reader_chunk *rc = &r->chunks.at[r->chunks.n - 1];
    rc->launch = r->launches.n - 1;
    rc->ngroups = e->groups.n;
    rc->insts = e->insts;
    rc->threads = e->threads;
    if (l->insts + e->insts < l->insts || l->threads + e->threads < l->threads || !e->groups.n ||
        l->places.n > UINT32_MAX / 2)
        return "streams whose counts are out of range";
    l->insts += e->insts;
    l->threads += e->threads;
    for (uint32_t i = 0; i < e->groups.n; i++) {
        const struct group *g = &e->groups.at[i];
        vec_push(&l->places, (struct place){.cta = g->cta,
                                            .chunk = r->chunks.n - 1,
                                            .seq = l->places.n,
                                            .group = (uint16_t)i,
                                            .flags = g->flags});
        if (o->scan)
            vec_push(&o->groups, *g);
    }
    return NULL;
}

/* Streams and a launch's end belong into a launch, everything else between launches; the file's information comes first. */
static const char *check_order(const struct opening *o, unsigned type)
{
    bool inside = type == CHUNK_STREAMS || type == CHUNK_LAUNCH_END;
    if (type != CHUNK_KERNEL && inside != o->in_launch)
        return "a chunk in the wrong place";
    return (type == CHUNK_INFO) == (o->r->chunks.n == 1) ? NULL : "a chunk in the wrong place";
}

/* The last chunk of r->chunks, which is no stream, or whose entry is not known yet. */
static const char *read_chunk(struct opening *o)
{
    struct tr_reader *r = o->r;
    unsigned type = r->chunks.at[r->chunks.n - 1].type;
    const char *why = check_order(o, type);
    uint32_t raw_b;
    uint8_t *raw = why ? NULL : reader_payload(r, r->chunks.n - 1, &raw_b, &why);
    if (!raw)
        return why;
    if (type == CHUNK_STREAMS) {
        struct streams s;
        why = streams_parse(&s, raw, raw_b, r->launches.at[r->launches.n - 1].info.nwarps);
        if (!why)
            why = add_streams(o, &s.entry);
        streams_free(&s);
        return why;
    }
    struct cursor c = cursor_of(raw, raw_b);
    switch (type) {
    case CHUNK_INFO: why = read_info(o, &c); break;
    case CHUNK_KERNEL: why = read_kernel(o, &c); break;
    case CHUNK_LAUNCH: why = read_launch(o, &c); break;
    case CHUNK_COPIES: why = read_copies(o, &c); break;
    case CHUNK_LAUNCH_END: why = read_launch_end(o, &c); break;
    }
    if (!why && cursor_left(&c))
        why = "a chunk with more bytes than it needs";
    free(raw);
    return why;
}

/* ---- the two ways ---- */

/* The entries of an index whose bytes are right. */
static const char *walk_index(struct opening *o, struct cursor *c, uint32_t n, uint64_t index_at)
{
    struct tr_reader *r = o->r;
    struct stream_entry entry = {0};
    const char *why = NULL;
    o->at = FILE_HEAD_B;
    for (uint32_t i = 0; i < n && !why; i++) {
        struct chunk ch;
        uint64_t left = index_at - o->at;
        if (!index_get(c, &ch, &entry) || left < CHUNK_HEAD_B || left - CHUNK_HEAD_B < ch.stored_b) {
            why = "the index has no sensible entry for the chunk here";
            break;
        }
        vec_push(&r->chunks,
                 (struct reader_chunk){.at = o->at, .sum = ch.sum, .stored_b = ch.stored_b, .type = ch.type});
        if (ch.type != CHUNK_STREAMS)
            why = read_chunk(o);
        else if (!(why = check_order(o, ch.type)))
            why = add_streams(o, &entry);
        if (!why)
            o->at += CHUNK_HEAD_B + (uint64_t)ch.stored_b;
    }
    vec_free(&entry.groups);
    if (!why && (c->bad || o->at != index_at || o->in_launch || !n))
        why = "an index that does not match the file";
    return why;
}

/* What does not count for the identity: the command line, and the folders of the kernels' source files. */
static void read_places(struct tr_reader *r, struct cursor *c)
{
    r->info.command = get_string(c, &r->arena);
    for (uint32_t i = 0; i < r->kernels.n && !c->bad; i++) {
        struct tr_kernel *k = r->kernels.at[i];
        const char *folder = get_string(c, &k->arena);
        if (!c->bad && *folder)
            k->file = arena_printf(&k->arena, "%s%s", folder, k->file);
    }
}

static const char *open_index(struct opening *o, uint64_t index_at)
{
    struct tr_reader *r = o->r;
    size_t size = (size_t)(r->size_b - index_at), body = size - CHUNK_HEAD_B;
    struct chunk ch = {.stored_b = (uint32_t)body};
    uint8_t *bytes = xmalloc(size);
    struct cursor c = cursor_of(bytes + CHUNK_HEAD_B, body - TRAILER_B);
    uint32_t n = 0;
    o->at = index_at;
    const char *why = reader_read(r, index_at, bytes, size) ? NULL : "the file cannot be read";
    if (!why && (body > UINT32_MAX || load_le32(bytes + 16) != body))
        why = "an index of another size";
    /* The header's check needs the sum of the last chunk, which is in the index: the payload is checked first. */
    if (!why) {
        ch.sum = load_le64(bytes + 32);
        why = chunk_check(&ch, bytes, bytes + CHUNK_HEAD_B);
    }
    if (!why) {
        n = (uint32_t)get_le(&c, 4);
        why = walk_index(o, &c, n, index_at);
    }
    if (!why)
        why = chunk_read_head(&ch, bytes, n, r->chunks.at[n - 1].sum);
    if (!why && ch.type != CHUNK_INDEX)
        why = "something else where the index should be";
    r->identity = ch.sum;
    if (!why && r->version > 1) {
        r->missing = get_varint(&c);
        r->identity =
            index_identity(bytes + CHUNK_HEAD_B, body - TRAILER_B - cursor_left(&c), r->chunks.at[n - 1].sum);
        read_places(r, &c);
    }
    if (!why && (c.bad || cursor_left(&c)))
        why = "an index that does not match the file";
    r->closed = true;
    free(bytes);
    return why;
}

static const char *open_scan(struct opening *o)
{
    struct tr_reader *r = o->r;
    uint8_t head[CHUNK_HEAD_B];
    struct chunk c;
    const char *why;
    o->scan = true;
    r->identity = r->head_sum;
    for (o->at = FILE_HEAD_B; r->size_b - o->at >= CHUNK_HEAD_B;
         o->at += CHUNK_HEAD_B + (uint64_t)c.stored_b) {
        if (!reader_read(r, o->at, head, sizeof head))
            return "the file cannot be read";
        if ((why = chunk_read_head(&c, head, r->chunks.n, r->identity)))
            return why;
        uint64_t left = r->size_b - o->at - CHUNK_HEAD_B;
        if (c.stored_b > left)
            break;
        if (c.type == CHUNK_INDEX)
            return c.stored_b < left ? "bytes behind the end of the trace" : "a damaged index";
        vec_push(&r->chunks,
                 (struct reader_chunk){.at = o->at, .sum = c.sum, .stored_b = c.stored_b, .type = c.type});
        if ((why = read_chunk(o)))
            return why;
        r->identity = c.sum;
    }
    return o->in_launch ? settle_places(o, &r->launches.at[r->launches.n - 1]) : NULL;
}

static const char *find_out(struct opening *o)
{
    struct tr_reader *r = o->r;
    struct stat st;
    if (fstat(r->fd, &st) != 0)
        return strerror(errno);
    if (!S_ISREG(st.st_mode))
        return S_ISDIR(st.st_mode) ? "is a directory" : "is no regular file";
    r->size_b = (uint64_t)st.st_size;
    uint8_t head[FILE_HEAD_B], last[TRAILER_B];
    if (r->size_b < FILE_HEAD_B)
        return "too short for a trace (.bst) file";
    if (!reader_read(r, 0, head, sizeof head) || !reader_read(r, r->size_b - TRAILER_B, last, sizeof last))
        return "the file cannot be read";
    const char *why = file_head_read(head, &r->head_sum, &r->version);
    if (why)
        return why;
    uint64_t index_at;
    if (!trailer_get(last, &index_at))
        return open_scan(o);
    o->at = r->size_b - TRAILER_B;
    if (index_at < FILE_HEAD_B || index_at > r->size_b || r->size_b - index_at < CHUNK_HEAD_B + 4 + TRAILER_B)
        return "an index that is not in the file";
    return open_index(o, index_at);
}

struct tr_reader *tr_open_fd(int fd, const char *path, struct diag *d)
{
    struct tr_reader *r = xcalloc(1, sizeof *r);
    r->fd = fd;
    r->path = xstrdup(path);
    r->info = (struct tr_info){.program = "", .maker = "", .command = ""};
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->changed, NULL);
    struct opening o = {.r = r};
    const char *why = find_out(&o);
    vec_free(&o.groups);
    if (!why)
        return r;
    diag_error(d, path, NULL, 0, 0, 0, "at byte %llu: %s", (unsigned long long)o.at, why);
    tr_free(r);
    return NULL;
}

struct tr_reader *tr_open(const char *path, struct diag *d)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, not waited for */
    if (fd >= 0)
        return tr_open_fd(fd, path, d);
    diag_error(d, path, NULL, 0, 0, 0, "%s", strerror(errno));
    return NULL;
}
