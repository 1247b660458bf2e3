/* SPDX-License-Identifier: Apache-2.0 */
/* Files whose checksums are right and whose contents are not: every contradiction is refused, at the latest when the stream
 * is read. */
#define _GNU_SOURCE /* memfd_create */
#include "gen.h"
#include "trace/read/reader.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

/* ---- a trace taken apart ---- */

struct part {
    unsigned type;
    struct buf raw;
};
struct parts {
    struct part at[16];
    unsigned n;
    unsigned folders, more_b; /* in the index, behind the entries: as many as kernels; nothing */
};

static struct parts take_apart(const struct gen_program *p)
{
    char path[] = "/tmp/bankshot_trace_XXXXXX";
    int fd = mkstemp(path);
    struct diag d = {0};
    assert_true(fd >= 0 && gen_program_write(p, path, &d));
    struct tr_reader *r = tr_open_fd(fd, path, &d);
    assert_non_null(r);
    struct parts out = {.n = r->chunks.n, .folders = tr_nkernels(r)};
    assert_true(out.n <= 16);
    for (uint32_t i = 0; i < r->chunks.n; i++) {
        const char *why;
        uint32_t n;
        uint8_t *raw = reader_payload(r, i, &n, &why);
        assert_non_null(raw);
        out.at[i].type = r->chunks.at[i].type;
        put_bytes(&out.at[i].raw, raw, n);
        free(raw);
    }
    tr_free(r);
    unlink(path);
    return out;
}

static void drop_parts(struct parts *p)
{
    for (unsigned i = 0; i < p->n; i++)
        buf_free(&p->at[i].raw);
}

static struct buf *part(struct parts *p, unsigned type)
{
    for (unsigned i = 0; i < p->n; i++)
        if (p->at[i].type == type)
            return &p->at[i].raw;
    fail_msg("no such part");
    return NULL;
}

static uint64_t seal(struct buf *file, unsigned type, const struct buf *raw, uint32_t seq, uint64_t before,
                     struct chunk *c)
{
    uint8_t packed[1 << 16], head[CHUNK_HEAD_B];
    *c = (struct chunk){
        .type = (uint8_t)type, .seq = seq, .raw_b = (uint32_t)raw->n, .stored_b = (uint32_t)raw->n};
    const uint8_t *payload = raw->at;
    c->packed = type == CHUNK_KERNEL || type == CHUNK_STREAMS;
    if (c->packed) {
        c->stored_b = (uint32_t)ZSTD_compress(packed, sizeof packed, raw->at, raw->n, 1);
        payload = packed;
    }
    chunk_seal(c, head, payload, before);
    put_bytes(file, head, sizeof head);
    put_bytes(file, payload, c->stored_b);
    return c->sum;
}

/* The parts as a file; entry: what the index is to say of the streams (NULL: no index). */
static struct tr_reader *put_together(const struct parts *p, const struct stream_entry *entry, struct diag *d)
{
    struct buf file = {0}, index = {0};
    uint8_t head[FILE_HEAD_B];
    struct chunk c;
    uint64_t sum = file_head_write(head);
    put_bytes(&file, head, sizeof head);
    put_le(&index, p->n, 4);
    for (unsigned i = 0; i < p->n; i++) {
        sum = seal(&file, p->at[i].type, &p->at[i].raw, i, sum, &c);
        if (entry)
            index_put(&index, &c, entry);
    }
    put_varint(&index, 0); /* no launch is missing */
    put_string(&index, "./program 1 2");
    for (unsigned i = 0; i < p->folders; i++)
        put_string(&index, "");
    put_le(&index, 0, p->more_b);
    trailer_put(&index, file.n);
    if (entry)
        seal(&file, CHUNK_INDEX, &index, p->n, sum, &c);
    int fd = memfd_create("trace", MFD_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, file.at, file.n), file.n);
    buf_free(&file);
    buf_free(&index);
    return tr_open_fd(fd, "t.bst", d);
}

static const struct gen_launch launches[] = {{0, 3, 32, 10, false, 0}};
static const struct gen_program program = {21, 1, 1, launches, 0};

static void refused(struct parts *p, const struct stream_entry *entry, const char *text)
{
    struct diag d = {0};
    struct tr_reader *r = put_together(p, entry, &d);
    if (r)
        fail_msg("accepted, instead of '%s'", text);
    if (!strstr(d.msg[0].text, text))
        fail_msg("'%s' instead of '%s'", d.msg[0].text, text);
    diag_free(&d);
    drop_parts(p);
}

/* The entry that a truthful index has. */
static struct stream_entry entry_of(struct parts *p)
{
    struct streams s;
    struct buf *raw = part(p, CHUNK_STREAMS);
    uint8_t *copy = xcalloc(raw->n + CODEC_SLACK_B, 1);
    memcpy(copy, raw->at, raw->n);
    assert_null(streams_parse(&s, copy, (uint32_t)raw->n, 1));
    struct stream_entry e = s.entry;
    s.entry = (struct stream_entry){0};
    streams_free(&s);
    return e;
}

/* ---- lies ---- */

static void truth(void **state)
{
    (void)state;
    for (unsigned with_index = 0; with_index < 2; with_index++) {
        struct parts p = take_apart(&program);
        struct stream_entry e = entry_of(&p);
        struct diag d = {0};
        uint64_t ctas, bad;
        struct tr_reader *r = put_together(&p, with_index ? &e : NULL, &d);
        assert_non_null(r);
        assert_null(gen_program_compare(&program, r, &ctas, &bad));
        assert_true(ctas == 3 && bad == 0 && tr_partial(r) == !with_index);
        tr_free(r);
        vec_free(&e.groups);
        drop_parts(&p);
    }
}

/* Behind the entries of the index: a folder for each kernel, and nothing else. */
static void folders(void **state)
{
    (void)state;
    for (int wrong = -1; wrong <= 1; wrong++) {
        struct parts p = take_apart(&program);
        struct stream_entry e = entry_of(&p);
        if (wrong) {
            p.folders += (unsigned)wrong;
            refused(&p, &e, "does not match the file");
        } else {
            p.more_b = 1;
            refused(&p, &e, "does not match the file");
        }
        vec_free(&e.groups);
    }
}

static void launch_ends(void **state)
{
    (void)state;
    struct parts p = take_apart(&program);
    part(&p, CHUNK_LAUNCH_END)->at[1]++; /* CTAs */
    refused(&p, NULL, "does not match its streams");
    p = take_apart(&program);
    part(&p, CHUNK_LAUNCH_END)->at[2]++; /* warp instructions */
    refused(&p, NULL, "does not match its streams");
    p = take_apart(&program);
    struct stream_entry e = entry_of(&p);
    part(&p, CHUNK_LAUNCH_END)->at[2]++;
    refused(&p, &e, "does not match its streams");
    p = take_apart(&program);
    e.insts++; /* the index agrees with the launch, and not with the streams */
    part(&p, CHUNK_LAUNCH_END)->at[2]++;
    struct diag d = {0};
    struct tr_reader *r = put_together(&p, &e, &d);
    assert_non_null(r);
    assert_null(tr_open_cta(r, 0, 0, &d));
    assert_non_null(strstr(d.msg[0].text, "not those of the index"));
    diag_free(&d);
    tr_free(r);
    drop_parts(&p);
    vec_free(&e.groups);
    p = take_apart(&program);
    put_le(part(&p, CHUNK_LAUNCH_END), 0, 1);
    refused(&p, NULL, "more bytes than it needs");
}

static void ctas(void **state)
{
    (void)state;
    struct parts p = take_apart(&program);
    part(&p, CHUNK_STREAMS)->at[1] ^= GROUP_FIRST; /* the first group's flags */
    refused(&p, NULL, "do not follow each other");
    p = take_apart(&program);
    part(&p, CHUNK_STREAMS)->at[1] ^= GROUP_LAST;
    refused(&p, NULL, "a complete launch with a CTA that is not");
    p = take_apart(&program);
    part(&p, CHUNK_STREAMS)->at[1] |= 80;
    refused(&p, NULL, "a CTA outside the grid");
    p = take_apart(&program);
    struct stream_entry e = entry_of(&p);
    e.groups.at[2].cta = e.groups.at[1].cta;
    refused(&p, &e, "do not follow each other");
    p = take_apart(&program);
    part(&p, CHUNK_STREAMS)->at[0]++;
    refused(&p, NULL, "a table of pieces that makes no sense");
    p = take_apart(&program);
    put_le(part(&p, CHUNK_STREAMS), 0, 1);
    refused(&p, NULL, "a table of pieces that makes no sense");
    vec_free(&e.groups);
}

static void places(void **state)
{
    (void)state;
    struct parts p = take_apart(&program);
    p.at[0].type = CHUNK_TYPES;
    refused(&p, NULL, "unknown type");
    p = take_apart(&program);
    buf_free(&p.at[--p.n].raw); /* the launch's end: streams of the next launch would follow */
    put_bytes(&p.at[p.n].raw, "\0\0", 2);
    p.at[p.n++].type = CHUNK_INFO;
    refused(&p, NULL, "a chunk in the wrong place");
    p = take_apart(&program);
    for (unsigned i = 0; i < p.n; i++)
        if (p.at[i].type == CHUNK_LAUNCH)
            p.at[i].raw.at[0] = 7; /* kernel */
    refused(&p, NULL, "a launch whose numbers are out of range");
    p = take_apart(&program);
    p.at[1].raw.at[0] = 0x7f; /* the kernel's name */
    refused(&p, NULL, "a kernel whose bytes make no sense");
}

/* Streams that leave the code: the file opens, the stream complains. */
static void streams_of_nothing(void **state)
{
    (void)state;
    unsigned complaints = 0, whole = 0;
    for (uint64_t seed = 0; seed < 600; seed++) {
        struct rng r = {seed};
        struct parts p = take_apart(&program);
        struct buf *raw = part(&p, CHUNK_STREAMS);
        raw->at[raw->n - 1 - rng_below(&r, (uint32_t)raw->n / 2)] = (uint8_t)rng_u32(&r);
        struct diag d = {0};
        struct tr_reader *t = put_together(&p, NULL, &d);
        for (uint32_t c = 0; t && c < 3; c++) {
            struct tr_cta *cta = tr_open_cta(t, 0, c, &d);
            struct tr_step s;
            enum tr_status st;
            assert_non_null(cta);
            while ((st = tr_next(cta, 0, &s)) == TR_STEP)
                assert_true(s.at < tr_kernel(t, 0)->n);
            assert_int_equal(st == TR_BAD, tr_cta_error(cta)[0] != 0);
            assert_int_equal(tr_next(cta, 0, &s), st); /* and it stays so */
            complaints += st == TR_BAD;
            whole += st == TR_END;
            tr_close_cta(cta);
        }
        tr_free(t);
        diag_free(&d);
        drop_parts(&p);
    }
    if (complaints <= 50 || whole <= 50)
        fail_msg("%u complaints, %u whole", complaints, whole);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(truth),  cmocka_unit_test(launch_ends), cmocka_unit_test(ctas),
        cmocka_unit_test(places), cmocka_unit_test(folders),     cmocka_unit_test(streams_of_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
