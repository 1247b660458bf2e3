/* SPDX-License-Identifier: Apache-2.0 */
/* --check of a machine without features whose stages let an instruction go on that they should not: what it reads is told,
 * as where versions are kept from the beginning. */
#include "mini.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "sm/core.h"

enum { WRITER, READER, INSNS };

/* A partition with two instructions: R4 = ..., and one that reads R4. */
struct machine {
    struct mini conf;
    struct sm *s;
    struct part *p;
    struct tr_insn code[INSNS];
    struct tr_kernel tr;
    struct kinsn insns[INSNS];
    struct sm_kernel kernel;
    uint32_t flights[INSNS];
};

static void make(struct machine *m, bool sleeps)
{
    memset(m, 0, sizeof *m);
    mini_init(&m->conf);
    struct gpu_conf *c = &m->conf.conf;
    c->sm.sleep = sleeps; /* else it has a feature, and keeps versions */
    struct sm_timing tm = {.lat = &c->lat, .ii = &c->ii, .unit = &c->unit, .count = &c->count};
    m->s = sm_new(&c->sm, &tm, 0, true);
    m->p = m->s->parts;
    for (uint32_t i = 0; i < INSNS; i++) {
        m->code[i].text = "FADD";
        m->insns[i].at = i;
        m->flights[i] = flight_new(m->p);
        m->p->flights[m->flights[i]].i = (struct ientry){.k = &m->insns[i], .mask = ~0u};
    }
    m->insns[WRITER].nwrite = m->insns[READER].nread = 1;
    m->insns[WRITER].write[0] = m->insns[READER].read[0] = 4;
    m->insns[WRITER].def[0] = m->insns[READER].use[0] = 1ull << 4;
    m->insns[READER].need[0] = 1;
    m->tr = (struct tr_kernel){.insns = m->code, .n = INSNS};
    m->kernel = (struct sm_kernel){.tr = &m->tr, .insns = m->insns};
    m->s->ctas.at[0].k = &m->kernel;
    check_start(m->p, 0);
}

static void unmake(struct machine *m)
{
    sm_free(m->s);
    mini_free(&m->conf);
}

static void issue(struct machine *m, uint32_t i) { check_issue(m->p, m->flights[i]); }
static void write(struct machine *m) { check_write(m->p, m->flights[WRITER], 0); }
/* From bank 0. */
static void read(struct machine *m)
{
    m->p->collect.units[0] = (struct unit){.flight = m->flights[READER], .need = 1};
    if (m->p->check->exact)
        check_read_banks(m->p, 0, &(uint64_t){1});
}

static void in_order(void **state)
{
    (void)state;
    struct machine m;
    make(&m, true);
    assert_false(m.p->check->exact);
    for (uint32_t i = 0; i < 3; i++) {
        issue(&m, WRITER);
        write(&m);
        issue(&m, READER);
        read(&m);
    }
    assert_false(m.p->check->exact);
    assert_string_equal(m.s->error, "");
    unmake(&m);
}

/* Each is told with the same words by both books. */
static void wrong(void (*steps)(struct machine *m), const char *why)
{
    for (int sleeps = 0; sleeps < 2; sleeps++) {
        struct machine m;
        make(&m, sleeps);
        assert_int_equal(m.p->check->exact, !sleeps);
        steps(&m);
        assert_true(m.p->check->exact);
        if (!strstr(m.s->error, why))
            fail_msg("\"%s\" instead of \"%s\"", m.s->error, why);
        unmake(&m);
    }
}

static void before_its_write(struct machine *m)
{
    issue(m, WRITER);
    issue(m, READER);
    read(m);
}

static void after_another_write(struct machine *m)
{
    issue(m, WRITER);
    write(m);
    issue(m, READER);
    issue(m, WRITER);
    m->p->collect.units[0].flight = m->flights[READER];
    m->p->collect.nreading = 1; /* unit 0 */
    write(m);
    read(m);
}

static void out_of_order(void **state)
{
    (void)state;
    wrong(before_its_write, "R4 arrived with version 0, the program's is 1");
    wrong(after_another_write, "R4 arrived with version 2, the program's is 1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_order), cmocka_unit_test(out_of_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
