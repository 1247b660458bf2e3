/* SPDX-License-Identifier: Apache-2.0 */
/* Calls, indirect branches, local arrays, struct parameters, generic pointers, output, locks, the heap. */
#include "kt.h"

#include <string.h>

static int weigh(int a, int b, int c, int d)
{
    return (int)((uint32_t)a * 3 + (uint32_t)b * 5 - (uint32_t)c * 7 + (uint32_t)(d ^ a));
}

static void call_plain(struct kt *t)
{
    enum { N = 100 };
    struct {
        uint64_t in, out, rot;
        int n;
    } p = {.n = N};
    int *in = KT_NEW(t, int, N, &p.in), *out = KT_NEW(t, int, N, &p.out), want[N];
    float *rot = KT_NEW(t, float, 2 * N, &p.rot);
    double wrot[2 * N];
    for (int i = 0; i < N; i++) {
        int v = in[i] = kt_int(t, -1000, 1000);
        want[i] = weigh(v, i, N, 1);
        if (v & 1)
            want[i] = weigh(want[i], v, i, 2) + v;
        wrot[2 * i] = v * 0.8 - (i - 4) * 0.6;
        wrot[2 * i + 1] = v * 0.6 + (i - 4) * 0.8;
    }
    kt_launch(t, "call_plain", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
    KT_NEAR(t, rot, wrot, 2 * N, 1e-6, 1e-4);
}
KT_TEST("calls", call_plain)

static void call_fib(struct kt *t)
{
    enum { N = 40 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    uint32_t *in = KT_NEW(t, uint32_t, N, &p.in), *out = KT_NEW(t, uint32_t, N, &p.out), want[N];
    static const uint32_t fib[12] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
    for (int i = 0; i < N; i++)
        want[i] = fib[in[i] = (uint32_t)kt_int(t, 0, 12)];
    kt_launch(t, "call_fib", KT_1(1), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("calls", call_fib)

static void call_pointer(struct kt *t)
{
    enum { N = 100 };
    struct {
        uint64_t which, a, b, out;
        int n;
    } p = {.n = N};
    int *which = KT_NEW(t, int, N, &p.which), *a = KT_NEW(t, int, N, &p.a), *b = KT_NEW(t, int, N, &p.b),
        *out = KT_NEW(t, int, N, &p.out);
    int want[N];
    for (int i = 0; i < N; i++) {
        which[i] = i < 64 ? kt_int(t, 0, 4) : 2; /* a mixed warp and a uniform one */
        a[i] = kt_int(t, -500, 500);
        b[i] = kt_int(t, -500, 500);
        int all[4] = {a[i] + b[i], a[i] - b[i], a[i] * b[i], a[i] > b[i] ? a[i] : b[i]};
        want[i] = all[which[i]];
    }
    kt_launch(t, "call_pointer", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("calls", call_pointer)

static uint32_t switch_step(uint32_t v, int op, uint32_t i)
{
    switch (op) {
    case 0: return v + 17;
    case 1: return v ^ 0x55;
    case 2: return v * 3;
    case 3: return v - i;
    case 4: return v << 2;
    case 5: return (uint32_t)((int32_t)-v >> 1);
    case 6: return (uint32_t)((int32_t)v >> 1);
    case 7: return v * v + 1;
    case 8: return v | 8;
    default: return ~v;
    }
}

static void dense_switch(struct kt *t)
{
    enum { N = 200 };
    struct {
        uint64_t code, out;
        int n;
    } p = {.n = N};
    int *code = KT_NEW(t, int, 4 * N, &p.code);
    uint32_t *out = KT_NEW(t, uint32_t, N, &p.out), want[N];
    for (int i = 0; i < N; i++) {
        bool stop = false;
        want[i] = (uint32_t)i;
        for (int k = 0; k < 4; k++) {
            int op = code[4 * i + k] = kt_int(t, 0, 12);
            stop |= op == 9;
            want[i] = switch_step(want[i], op, (uint32_t)i);
        }
        if (stop)
            want[i] = (uint32_t)-1;
    }
    kt_launch(t, "dense_switch", KT_1(2), KT_1(128), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("calls", dense_switch)

static void brx(struct kt *t)
{
    enum { N = 150, LEN = 9 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    uint32_t *in = KT_NEW(t, uint32_t, 64 * LEN, &p.in), *out = KT_NEW(t, uint32_t, N, &p.out), want[N];
    for (int i = 0; i < N; i++) {
        uint32_t v = in[i] = rng_u32(&t->rng), all[5] = {v + 1000, v << 3, ~v, v * v, v ^ 0x5a5a5a5a};
        want[i] = all[v % 5];
    }
    kt_launch(t, "brx_switch", KT_1(3), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
    for (int i = 0; i < 64; i++) {
        want[i] = (uint32_t)i;
        for (int k = 0; k < LEN; k++)
            in[i * LEN + k] = rng_u32(&t->rng) % 4;
        for (int k = 0; k < LEN; k++) {
            uint32_t op = in[i * LEN + k];
            want[i] = op == 0 ? want[i] + 1 : op == 1 ? want[i] * 2 : op == 2 ? -want[i] : want[i];
            k += op == 3;
        }
    }
    p.n = LEN;
    kt_launch(t, "brx_loop", KT_1(1), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, 64);
}
KT_TEST("brx", brx)

static void print_all(struct kt *t)
{
    struct {
        uint64_t v;
        int n;
    } p = {.n = 3};
    double *v = KT_NEW(t, double, 3, &p.v);
    v[0] = -1.25;
    v[1] = 1e10;
    v[2] = 0.0005;
    kt_launch(t, "print_all", KT_1(1), KT_1(32), &p, sizeof p);
    assert_string_equal(
        kt_text(t), "0: -1.250 even a 0x0     0|0   |\n1: 10000000000.000 odd b 0x123456789abc     7|1   |\n"
                    "2: 0.001 even c 0x2468acf13578    14|2   |\ndone\n");
}
KT_TEST("print", print_all)

static void asserts(struct kt *t)
{
    enum { N = 100 };
    struct {
        uint64_t v;
        int n;
    } p = {.n = N};
    int *v = KT_NEW(t, int, N, &p.v);
    for (int i = 0; i < N; i++)
        v[i] = i * i;
    kt_launch(t, "check_sorted", KT_1(2), KT_1(64), &p, sizeof p);
    p.n = 1;
    assert_int_equal(kt_try(t, "trap_if", KT_1(1), KT_1(64), &p, sizeof p), EXEC_TRAP);
    p.n = N;
    v[70] = -5;
    assert_int_equal(kt_try(t, "check_sorted", KT_1(2), KT_1(64), &p, sizeof p), EXEC_ASSERT);
    assert_int_equal(t->err.cta[0], 1);
    assert_non_null(strstr(t->err.text, "v[i] <= v[i + 1]"));
}
KT_TEST("print", asserts)

static void locks(struct kt *t)
{
    struct {
        uint64_t lock, count;
        int rounds;
    } p = {.rounds = 2};
    int *lock = KT_NEW(t, int, 1, &p.lock), *count = KT_NEW(t, int, 1, &p.count), want = 2 * 64 * 2;
    kt_launch(t, "spin_lock", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, count, &want, 1);
    *lock = *count = 0;
    want = 2 * 64;
    kt_launch(t, "spin_wait", KT_1(2), KT_1(64), &p, 2 * sizeof p.lock);
    KT_SAME(t, count, &want, 1);
    struct {
        uint64_t flag, order;
    } c;
    int *order, chain[32];
    KT_NEW(t, int, 32, &c.flag);
    order = KT_NEW(t, int, 32, &c.order);
    for (int i = 0; i < 32; i++)
        chain[i] = i * (i + 1) / 2;
    kt_launch(t, "lane_chain", KT_1(1), KT_1(32), &c, sizeof c);
    KT_SAME(t, order, chain, 32);
}
KT_TEST("lock", locks)

static void gridsync(struct kt *t)
{
    enum { N = 230, PHASES = 5 };
    struct {
        uint64_t a, b;
        int n, phases;
    } p = {.n = N, .phases = PHASES};
    int *a = KT_NEW(t, int, N, &p.a), *b = KT_NEW(t, int, N, &p.b), want[N];
    for (int i = 0; i < N; i++)
        a[i] = i * 10;
    for (int i = 0; i < N; i++)
        want[i] = (i + PHASES) % N * 10 + PHASES * (PHASES - 1) / 2;
    t->cooperative = true;
    kt_launch(t, "grid_rotate", KT_1(4), KT_1(64), &p, sizeof p);
    KT_SAME(t, b, want, N);
}
KT_TEST("gridsync", gridsync)

static void local_sort(struct kt *t)
{
    enum { N = 70 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    int *in = KT_NEW(t, int, 16 * N, &p.in), *out = KT_NEW(t, int, 16 * N, &p.out), want[16 * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 16; j++) {
            int x = in[j * N + i] = kt_int(t, -99, 99), k = j;
            for (; k > 0 && want[(k - 1) * N + i] > x; k--)
                want[k * N + i] = want[(k - 1) * N + i];
            want[k * N + i] = x;
        }
    kt_launch(t, "local_sort", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, 16 * N);
}
KT_TEST("local", local_sort)

static void stack_machine(struct kt *t)
{
    enum { N = 70, LEN = 13 };
    struct {
        uint64_t program, args, out;
        int len, n;
    } p = {.len = LEN, .n = N};
    int8_t *prog = KT_NEW(t, int8_t, N * LEN, &p.program);
    double *args = KT_NEW(t, double, 8, &p.args), *out = KT_NEW(t, double, N, &p.out), want[N];
    for (int i = 0; i < 8; i++)
        args[i] = kt_int(t, -9, 9);
    for (int i = 0; i < N; i++) {
        double st[8];
        int sp = 0;
        for (int k = 0; k < LEN; k++) {
            bool must_pop = LEN - k < sp, push = sp < 2 || (!must_pop && sp < 7 && kt_int(t, 0, 2));
            int op = prog[i * LEN + k] = (int8_t)(push ? kt_int(t, 0, 8) : -kt_int(t, 1, 4));
            if (push) {
                st[sp++] = args[op];
                continue;
            }
            sp--;
            st[sp - 1] = op == -1   ? st[sp - 1] + st[sp]
                         : op == -2 ? st[sp - 1] - st[sp]
                                    : st[sp - 1] * st[sp];
        }
        want[i] = st[0];
    }
    kt_launch(t, "stack_machine", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("local", stack_machine)

static void forces(struct kt *t)
{
    enum { N = 90 };
    struct {
        uint64_t p, charge, out;
        float cut2;
        int n;
    } p = {.cut2 = 2.0f, .n = N};
    float *pos = KT_NEW(t, float, 4 * N, &p.p), *q = KT_NEW(t, float, N, &p.charge),
          *out = KT_NEW(t, float, 4 * N, &p.out);
    double want[4 * N] = {0};
    for (int i = 0; i < 4 * N; i++)
        pos[i] = kt_f32(t, -1, 1);
    for (int i = 0; i < N; i++)
        q[i] = kt_f32(t, 0, 1);
    for (int i = 0; i < N; i++) {
        double d[12][3], s[12], mean = 0;
        for (int j = 0; j < 12; j++) {
            s[j] = 0;
            for (int k = 0; k < 3; k++) {
                d[j][k] = (double)pos[4 * ((i + j + 1) % N) + k] - (double)pos[4 * i + k];
                s[j] += d[j][k] * d[j][k];
            }
            mean += s[j] / 12;
        }
        for (int j = 0; j < 12; j++) {
            double w = s[j] < 2 ? (double)q[(i + j + 1) % N] / (s[j] + mean) : 0;
            for (int k = 0; k < 3; k++)
                want[4 * i + k] += w * d[j][k];
            want[4 * i + 3] += w * (double)q[(i + 12 - j) % N];
        }
    }
    kt_launch(t, "forces", KT_1(2), KT_1(64), &p, sizeof p);
    KT_NEAR(t, out, want, 4 * N, 1e-5, 1e-5);
}
KT_TEST("forces", forces)

static void wide(struct kt *t)
{
    enum { N = 40 };
    struct {
        uint64_t in, out;
        int n;
    } p = {.n = N};
    double *in = KT_NEW(t, double, 40 * N, &p.in), *out = KT_NEW(t, double, N, &p.out), want[N];
    for (int i = 0; i < 40 * N; i++)
        in[i] = (double)kt_f32(t, -1, 1);
    for (int i = 0; i < N; i++) {
        double v[40];
        for (int j = 0; j < 40; j++)
            v[j] = in[j * N + i];
        for (int r = 1; r < 5; r++)
            for (int j = 0; j < 40; j++)
                v[j] = v[j] * 0.5 + v[(j * 7 + r) % 40];
        want[i] = 0;
        for (int j = 0; j < 40; j++)
            want[i] += v[j] * (j + 1);
    }
    kt_launch(t, "wide", KT_1(1), KT_1(64), &p, sizeof p);
    kt_near64(t, "out", out, want, N, 1e-13, 1e-12);
}
KT_TEST("forces", wide)

struct box {
    char tag;
    double lo[3], hi[3];
    short count;
};

static void structs(struct kt *t)
{
    enum { N = 50 };
    struct {
        struct {
            uint64_t boxes;
            int n;
            uint8_t mode;
            float scale;
            uint64_t counts, volumes;
        } job;
        short bias;
        uint8_t flag;
    } p = {.job = {.n = N, .mode = 2, .scale = 0.5f}, .bias = -3, .flag = 200};
    struct box *b = KT_NEW(t, struct box, N, &p.job.boxes);
    int *counts = KT_NEW(t, int, N, &p.job.counts), wc[N];
    double *volumes = KT_NEW(t, double, N, &p.job.volumes), wv[N];
    for (int i = 0; i < N; i++) {
        b[i].tag = i % 3 ? 'x' : 'y';
        b[i].count = (short)kt_int(t, -30000, 30000);
        wv[i] = 0.5;
        for (int d = 0; d < 3; d++) {
            b[i].lo[d] = kt_int(t, -10, 0);
            b[i].hi[d] = kt_int(t, 0, 10);
            wv[i] *= b[i].hi[d] - b[i].lo[d];
        }
        wc[i] = b[i].count - 3 + (i % 3 ? 200 : 0);
    }
    kt_launch(t, "volumes", KT_1(1), KT_1(64), &p, sizeof p);
    KT_SAME(t, volumes, wv, N);
    KT_SAME(t, counts, wc, N);

    struct {
        int v[10];
        uint64_t index, out;
        int n;
    } q = {.n = N};
    int *index = KT_NEW(t, int, N, &q.index), *out = KT_NEW(t, int, N, &q.out);
    for (int i = 0; i < 10; i++)
        q.v[i] = 100 + i * i;
    for (int i = 0; i < N; i++)
        wc[i] = 2 * q.v[index[i] = kt_int(t, 0, 10)];
    kt_launch(t, "param_index", KT_1(1), KT_1(64), &q, sizeof q);
    KT_SAME(t, out, wc, N);
}
KT_TEST("structs", structs)

static void generic(struct kt *t)
{
    static const int coef[4] = {1, -2, 0, 8};
    struct {
        uint64_t in, out;
    } p;
    int *in = KT_NEW(t, int, 128, &p.in), *out = KT_NEW(t, int, 32, &p.out), want[32], history[64] = {0};
    for (int i = 0; i < 128; i++)
        in[i] = kt_int(t, -1000, 1000);
    for (int i = 0; i < 32; i++) {
        want[i] = 0;
        for (int j = 0; j < 4; j++)
            want[i] += 3 * (j + 1) *
                       (i % 3 == 0   ? in[4 * i + j]
                        : i % 3 == 1 ? in[4 * i + j] + 100
                                     : in[(4 * i + j * 5) & 127] - 50);
        if (i < 8)
            history[8 + i] = want[i] + coef[i & 3];
    }
    t->dyn_shared_b = 128 * sizeof(int);
    kt_launch(t, "generic_sum", KT_1(1), KT_1(32), &p, sizeof p);
    KT_SAME(t, out, want, 32);
    uint64_t size_b, addr = exec_module_var(t->mod, "history", &size_b);
    assert_int_equal(size_b, sizeof history);
    int *seen = exec_ptr(t->dev, addr, size_b);
    assert_non_null(seen);
    KT_SAME(t, seen, history, 64);
}
KT_TEST("generic", generic)

static void dynamic_reverse(struct kt *t)
{
    enum { N = 3000 };
    struct {
        uint64_t v;
        int n;
    } p = {.n = N};
    int *v = KT_NEW(t, int, N, &p.v), want[N];
    for (int i = 0; i < N; i++)
        want[N - 1 - i] = v[i] = (int)rng_u32(&t->rng);
    t->dyn_shared_b = N * sizeof(int);
    kt_launch(t, "dynamic_reverse", KT_1(1), KT_1(256), &p, sizeof p);
    KT_SAME(t, v, want, N);
}
KT_TEST("generic", dynamic_reverse)

static void heap(struct kt *t)
{
    enum { N = 100 };
    struct {
        uint64_t out;
        int n;
    } p = {.n = N};
    int *out = KT_NEW(t, int, N, &p.out), want[N] = {0};
    for (int i = 0; i < N; i++)
        for (int k = i % 5; k >= 0; k--)
            want[i] = want[i] * 3 + i * 10 + k;
    kt_launch(t, "heap_list", KT_1(2), KT_1(64), &p, sizeof p);
    KT_SAME(t, out, want, N);
}
KT_TEST("heap", heap)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_call_plain),
        cmocka_unit_test(test_call_fib),
        cmocka_unit_test(test_call_pointer),
        cmocka_unit_test(test_dense_switch),
        cmocka_unit_test(test_brx),
        cmocka_unit_test(test_print_all),
        cmocka_unit_test(test_locks),
        cmocka_unit_test(test_gridsync),
        cmocka_unit_test(test_local_sort),
        cmocka_unit_test(test_stack_machine),
        cmocka_unit_test(test_forces),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_structs),
        cmocka_unit_test(test_generic),
        cmocka_unit_test(test_dynamic_reverse),
        cmocka_unit_test(test_heap),
        cmocka_unit_test(test_asserts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
