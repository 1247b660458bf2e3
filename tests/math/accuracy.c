/* SPDX-License-Identifier: Apache-2.0 */
/* Measures the error of device math functions against references of higher precision and compares it with CUDA's
 * documented bounds. Prints a table; exits with 1 if any function is outside its bound or wrong for a special value.
 *   accuracy [points per function] [name...] */
#define _GNU_SOURCE
#include "gpu.h"
#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REAL double
#define REF(name) ref_d_##name
#define LIBM(name) name
#include "ref.h"
#undef REAL
#undef REF
#undef LIBM
#define REAL long double
#define REF(name) ref_l_##name
#define LIBM(name) name##l
#include "ref.h"

typedef double (*ref_f)(double a, double b, double c, double d);
typedef long double (*ref_d)(long double a, long double b, long double c, long double d);

#define MATH1(name, ...)                                                                                     \
    static double rf_##name(double a, double b, double c, double d)                                          \
    {                                                                                                        \
        (void)b, (void)c, (void)d;                                                                           \
        return ref_d_##name(a);                                                                              \
    }                                                                                                        \
    static long double rd_##name(long double a, long double b, long double c, long double d)                 \
    {                                                                                                        \
        (void)b, (void)c, (void)d;                                                                           \
        return ref_l_##name(a);                                                                              \
    }
#define MATH2(name, ...)                                                                                     \
    static double rf_##name(double a, double b, double c, double d)                                          \
    {                                                                                                        \
        (void)c, (void)d;                                                                                    \
        return ref_d_##name(a, b);                                                                           \
    }                                                                                                        \
    static long double rd_##name(long double a, long double b, long double c, long double d)                 \
    {                                                                                                        \
        (void)c, (void)d;                                                                                    \
        return ref_l_##name(a, b);                                                                           \
    }
#define MATH3(name, ...)                                                                                     \
    static double rf_##name(double a, double b, double c, double d)                                          \
    {                                                                                                        \
        (void)d;                                                                                             \
        return ref_d_##name(a, b, c);                                                                        \
    }                                                                                                        \
    static long double rd_##name(long double a, long double b, long double c, long double d)                 \
    {                                                                                                        \
        (void)d;                                                                                             \
        return ref_l_##name(a, b, c);                                                                        \
    }
#define MATH4(name, ...)                                                                                     \
    static double rf_##name(double a, double b, double c, double d) { return ref_d_##name(a, b, c, d); }     \
    static long double rd_##name(long double a, long double b, long double c, long double d)                 \
    {                                                                                                        \
        return ref_l_##name(a, b, c, d);                                                                     \
    }
/* nextafter and fma depend on the format itself: the reference is the format's own function, exact by definition. */
static double ref_d_nextafter(double x, double y) { return nextafterf((float)x, (float)y); }
static long double ref_l_nextafter(long double x, long double y) { return nextafter((double)x, (double)y); }
static double ref_d_fma(double x, double y, double z) { return fmaf((float)x, (float)y, (float)z); }
static long double ref_l_fma(long double x, long double y, long double z)
{
    return fma((double)x, (double)y, (double)z);
}
#include "functions.def"
#define INTRIN1(name, ref, ...)                                                                              \
    static double ri_##name##ref(double a, double b, double c, double d)                                     \
    {                                                                                                        \
        (void)b, (void)c, (void)d;                                                                           \
        return ref_d_##ref(a);                                                                               \
    }
#define __logf __logf_
INTRIN1(x, exp)
INTRIN1(x, exp10)
INTRIN1(x, log)
INTRIN1(x, log2)
INTRIN1(x, log10)
INTRIN1(x, sin)
INTRIN1(x, cos)
INTRIN1(x, rsqrt)
INTRIN1(x, sqrt)
INTRIN1(x, recip)
#undef INTRIN1
#undef __logf

struct row {
    const char *name;
    unsigned nargs, size_b;
    double bound; /* ulp; < 0: abs_error instead */
    double lo[2], hi[2];
    ref_f rf;
    ref_d rd;
    double slope, abs_error;
    bool dense_only; /* the bound holds in [lo, hi] and nothing is said outside */
};

static const struct row rows[] = {
#define ONE(n, args, size, bnd, l, h, l2, h2, f, d)                                                          \
    {.name = n, .nargs = args, .size_b = size, .bound = bnd, .lo = {l, l2}, .hi = {h, h2}, .rf = f, .rd = d},
#define MATH1(name, fb, db, l, h) ONE(#name "f", 1, 4, fb, l, h, 0, 0, rf_##name, NULL)
#define MATH2(name, fb, db, l, h, l2, h2) ONE(#name "f", 2, 4, fb, l, h, l2, h2, rf_##name, NULL)
#define MATH3(name, fb, db) ONE(#name "f", 3, 4, fb, -10, 10, -10, 10, rf_##name, NULL)
#define MATH4(name, fb, db) ONE(#name "f", 4, 4, fb, -10, 10, -10, 10, rf_##name, NULL)
#include "functions.def"
#define MATH1(name, fb, db, l, h) ONE(#name, 1, 8, db, l, h, 0, 0, NULL, rd_##name)
#define MATH2(name, fb, db, l, h, l2, h2) ONE(#name, 2, 8, db, l, h, l2, h2, NULL, rd_##name)
#define MATH3(name, fb, db) ONE(#name, 3, 8, db, -10, 10, -10, 10, NULL, rd_##name)
#define MATH4(name, fb, db) ONE(#name, 4, 8, db, -10, 10, -10, 10, NULL, rd_##name)
#include "functions.def"
#define INTRIN1(n, ref, ulp, sl, ae, l, h)                                                                   \
    {.name = #n,                                                                                             \
     .nargs = 1,                                                                                             \
     .size_b = 4,                                                                                            \
     .bound = ulp,                                                                                           \
     .lo = {l},                                                                                              \
     .hi = {h},                                                                                              \
     .rf = ri_x##ref,                                                                                        \
     .slope = sl,                                                                                            \
     .abs_error = ae,                                                                                        \
     .dense_only = true},
#include "functions.def"
};

/* splitmix64 */
static uint64_t rnd(uint64_t *s)
{
    uint64_t z = *s += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}
static double unit(uint64_t *s) { return (double)(rnd(s) >> 11) * 0x1p-53; }

static const double specials[] = {0.0,
                                  0x1p-149,
                                  0x1.fffffcp-127,
                                  0x1p-126,
                                  0x1p-1074,
                                  0x1.ffffffffffffep-1023,
                                  0x1p-1022,
                                  0x1p-500,
                                  0x1p-60,
                                  0x1p-30,
                                  0x1p-12,
                                  0.25,
                                  0.5,
                                  0x1.fffffep-1,
                                  0x1.fffffffffffffp-1,
                                  1.0,
                                  0x1.000002p0,
                                  0x1.0000000000001p0,
                                  1.5,
                                  2.0,
                                  2.5,
                                  3.0,
                                  4.0,
                                  7.0,
                                  10.0,
                                  33.0,
                                  34.0,
                                  171.0,
                                  0x1.921fb6p0,
                                  0x1.921fb6p1,
                                  0x1.921fb54442d18p0,
                                  0x1.921fb54442d18p1,
                                  0x1.62e42fefa39efp-1,
                                  88.72284,
                                  88.72283,
                                  -103.9721,
                                  -104.0,
                                  709.782712893384,
                                  709.78,
                                  -745.1332191019411,
                                  -745.2,
                                  128.0,
                                  127.99999,
                                  -150.0,
                                  1024.0,
                                  -1075.0,
                                  38.53184,
                                  308.2547155599167,
                                  0x1p22,
                                  0x1.000002p22,
                                  0x1.fffffep22,
                                  0x1p23,
                                  0x1.000002p23,
                                  0x1p24,
                                  105615.0,
                                  0x1p31,
                                  0x1p32,
                                  0x1p52,
                                  0x1p53,
                                  0x1.8p51,
                                  1e10,
                                  1e22,
                                  0x1p63,
                                  0x1p100,
                                  0x1.fffffep127,
                                  0x1p512,
                                  0x1p1000,
                                  0x1.fffffffffffffp1023,
                                  INFINITY,
                                  NAN};
#define NSPECIAL (2 * sizeof specials / sizeof *specials)
static double special(unsigned i)
{
    return i & 1 ? -specials[i / 2 % (NSPECIAL / 2)] : specials[i / 2 % (NSPECIAL / 2)];
}

/* Argument `arg` of point `i`. First the special values (all pairs of every third), then a mixture. */
static double point(const struct row *r, unsigned arg, unsigned i, uint64_t *s)
{
    unsigned k = arg > 1 ? arg - 2 : arg;
    double u = unit(s), v = unit(s);
    uint64_t bits = rnd(s);
    if (!r->dense_only && r->nargs == 1 && i < NSPECIAL)
        return special(i);
    if (!r->dense_only && r->nargs > 1 && i < NSPECIAL * NSPECIAL / 9)
        return special((unsigned)(arg == 0   ? i % (NSPECIAL / 3) * 3
                                  : arg == 1 ? i / (NSPECIAL / 3) * 3
                                             : bits % NSPECIAL));
    if (!r->dense_only && i % 4 == 0) { /* any bits */
        if (r->size_b == 4) {
            float f;
            uint32_t b = (uint32_t)bits;
            memcpy(&f, &b, 4);
            return f;
        }
        double d;
        memcpy(&d, &bits, 8);
        return d;
    }
    if (i % 4 == 1 && r->lo[k] <= 0) /* towards zero */
        return (r->lo[k] < 0 && bits & 1 ? r->lo[k] : r->hi[k]) * exp2(-40 * v * v) * u;
    if (i % 4 == 2) /* towards an end */
        return bits & 1 ? r->hi[k] - (r->hi[k] - r->lo[k]) * exp2(-20 * v) * u
                        : r->lo[k] + (r->hi[k] - r->lo[k]) * exp2(-20 * v) * u;
    return r->lo[k] + (r->hi[k] - r->lo[k]) * u;
}

/* Position of a value in the order of all values of its format: neighbours differ by 1, +0 and -0 are both 0. */
static int64_t place_f(float f)
{
    int32_t i;
    memcpy(&i, &f, 4);
    return i < 0 ? -(int64_t)(i & 0x7fffffff) : i;
}
static int64_t place_d(double f)
{
    int64_t i;
    memcpy(&i, &f, 8);
    return i < 0 ? -(i & INT64_MAX) : i;
}

struct worst {
    double ulp, abs_error; /* real error in ulp of the result; largest absolute error */
    double at[4], got, want;
    bool wrong; /* NaN, infinity or the sign of zero differs, or outside the bound */
};

/* The documented exceptions: what bound holds for these arguments? < 0: no ulp bound; *abs_error is set or 0 (nothing is
 * said). */
static double bound_at(const struct row *r, double x, double *abs_error)
{
    size_t n = strlen(r->name);
    bool f = r->size_b == 4;
    *abs_error = r->abs_error;
    if (!strncmp(r->name, "lgamma", 6)) {
        if (f ? x > -10.001 && x < -2.264 : x > -11.0001 && x < -2.2637)
            return -1;
    } else if ((n == 2 || n == 3) && (r->name[0] == 'j' || r->name[0] == 'y') && fabs(x) >= 8) {
        *abs_error = f ? 2.2e-6 : 5e-12;
        return -1;
    }
    return r->bound < 0 ? -1 : r->bound + floor(r->slope * fabs(x));
}

static void compare(const struct row *r, const double *at, double got, long double ref, struct worst *w)
{
    bool f = r->size_b == 4;
    double want = f ? (double)(float)ref : (double)ref;
    int64_t dist = f ? place_f((float)got) - place_f((float)want) : place_d(got) - place_d(want);
    double abs_limit, limit = bound_at(r, at[0], &abs_limit), ulp = 0;
    bool wrong = false;
    if (isnan(want) || isnan(got)) {
        wrong = isnan(want) != isnan(got);
        ulp = wrong ? INFINITY : 0;
    } else {
        dist = dist < 0 ? -dist : dist;
        /* The spacing of the format at the result. */
        double unit_d = f ? (double)(nextafterf(fabsf((float)want), INFINITY) - fabsf((float)want))
                          : nextafter(fabs(want), INFINITY) - fabs(want);
        unit_d = isfinite(unit_d) ? unit_d : f ? 0x1p104 : 0x1p971;
        double err =
            isinf(want) || isinf(got) ? (double)dist : (double)(fabsl((long double)got - ref) / unit_d);
        double abs_error = isinf(want) || isinf(got) ? 0 : (double)fabsl((long double)got - ref);
        if (limit >= 0) {
            ulp = err;
            wrong = (double)dist > limit;
        } else if (abs_limit > 0) {
            w->abs_error = abs_error > w->abs_error ? abs_error : w->abs_error;
            wrong = abs_error > abs_limit;
        }
        if (got == 0 && ref == 0 && signbit(got) != signbit(want) && limit >= 0)
            wrong = true, ulp = INFINITY;
    }
    if ((wrong && !w->wrong) || (ulp > w->ulp && wrong == w->wrong)) {
        memcpy(w->at, at, sizeof w->at);
        w->got = got;
        w->want = want;
        w->wrong |= wrong;
    }
    w->ulp = ulp > w->ulp ? ulp : w->ulp;
}

static bool measure(const struct row *r, unsigned n)
{
    uint64_t seed = 0;
    for (const char *c = r->name; *c; c++)
        seed = seed * 131 + (unsigned char)*c;
    double *args[4];
    void *in[4], *out = calloc(n, 8);
    for (unsigned a = 0; a < 4; a++) {
        args[a] = calloc(n, sizeof(double));
        in[a] = calloc(n, 8);
        for (unsigned i = 0; i < n; i++) {
            double v = a < r->nargs ? point(r, a, i, &seed) : 0;
            if (r->dense_only)
                v = fmin(fmax(v, r->lo[0]), r->hi[0]);
            if (r->size_b == 4) {
                ((float *)in[a])[i] = (float)v;
                v = (float)v;
            } else {
                ((double *)in[a])[i] = v;
            }
            args[a][i] = v;
        }
    }
    gpu_run(r->name, (const void *const *)in, out, n, r->size_b);
    struct worst w = {0};
    for (unsigned i = 0; i < n; i++) {
        double at[4] = {args[0][i], args[1][i], args[2][i], args[3][i]};
        double got = r->size_b == 4 ? ((float *)out)[i] : ((double *)out)[i];
        long double ref = r->rf ? r->rf(at[0], at[1], at[2], at[3]) : r->rd(at[0], at[1], at[2], at[3]);
        compare(r, at, got, ref, &w);
    }
    char doc[40];
    if (r->bound < 0)
        snprintf(doc, sizeof doc, "abs %.3g", r->abs_error);
    else
        snprintf(doc, sizeof doc, r->slope > 0 ? "%g+%.3g|x|" : "%g", r->bound, r->slope);
    printf("%-16s %12s ", r->name, doc);
    r->bound < 0 ? printf(" abs %.3g", w.abs_error) : printf("%9.3f", w.ulp);
    if (r->bound >= 0 && w.abs_error > 0)
        printf("  (abs %.2g outside)", w.abs_error);
    if (w.wrong) {
        printf("  WRONG at");
        for (unsigned a = 0; a < r->nargs; a++)
            printf(" %a", w.at[a]);
        printf(" (%g): %.17g, correct %.17g", w.at[0], w.got, w.want);
    } else if (getenv("ACCURACY_WORST")) {
        printf("  at %a", w.at[0]);
        for (unsigned a = 1; a < r->nargs; a++)
            printf(" %a", w.at[a]);
    }
    printf("\n");
    for (unsigned a = 0; a < 4; a++) {
        free(args[a]);
        free(in[a]);
    }
    free(out);
    return !w.wrong;
}

int main(int argc, char **argv)
{
    unsigned n = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 0) : 0, failed = 0, done = 0;
    printf("%-16s %12s %9s\n", "function", "documented", "measured");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool chosen = argc <= 2;
        for (int a = 2; a < argc; a++)
            chosen |= !strcmp(argv[a], rows[i].name);
        if (!chosen)
            continue;
        unsigned points = n ? n : rows[i].size_b == 4 ? 40000 : 8000;
        failed += !measure(&rows[i], points);
        done++;
    }
    printf("%u functions, %u outside their bound\n", done, failed);
    return failed != 0 || done == 0;
}
