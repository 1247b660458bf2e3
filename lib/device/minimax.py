"""Minimax polynomials for the device math library: Remez's exchange on a fine grid, in many digits; then the coefficients are
rounded to float or double from the lowest power up, refitting those above each time. Needs python3-mpmath."""
from mpmath import mp, mpf, matrix, lu_solve, cos, pi, ldexp, frexp, nint

mp.prec = 240
POINTS = 500


def rounded(v, bits):
    if v == 0:
        return mpf(0)
    m, e = frexp(v)
    return ldexp(nint(ldexp(m, bits)), e - bits)


def remez(xs, fs, ws, powers):
    """Coefficients of sum c_p x^p that minimise the largest |sum - f| / w over the points xs, and that error."""
    n = len(powers)
    rows = [[x**p / w for p in powers] for x, w in zip(xs, ws)]
    goal = [f / w for f, w in zip(fs, ws)]
    at = [round((len(xs) - 1) * (1 - cos(pi * (2 * i + 1) / (2 * n + 2))) / 2) for i in range(n + 1)]
    coef, worst = [mpf(0)] * n, max(abs(g) for g in goal)
    for _ in range(40):
        system, rhs = matrix(n + 1, n + 1), matrix(n + 1, 1)
        for i, k in enumerate(at):
            for j in range(n):
                system[i, j] = rows[k][j]
            system[i, n] = (-1) ** i
            rhs[i] = goal[k]
        try:
            sol = lu_solve(system, rhs)
        except ZeroDivisionError:
            break
        now = [sol[j] for j in range(n)]
        es = [sum(c * r for c, r in zip(now, row)) - g for row, g in zip(rows, goal)]
        largest = max(abs(e) for e in es)
        if largest < worst:
            coef, worst = now, largest
        if largest <= abs(sol[n]) * mpf('1.0005'):
            break
        runs = []  # one extremum for each run of one sign
        for k, e in enumerate(es):
            if runs and (es[runs[-1]] > 0) == (e > 0):
                if abs(e) > abs(es[runs[-1]]):
                    runs[-1] = k
            else:
                runs.append(k)
        # Too many: the least run joins its neighbours, which have one sign; an end goes alone.
        while len(runs) > n + 1:
            k = min(range(len(runs)), key=lambda i: abs(es[runs[i]]))
            if len(runs) > n + 2 and 0 < k < len(runs) - 1:
                runs[k - 1:k + 2] = [max(runs[k - 1], runs[k + 1], key=lambda r: abs(es[r]))]
            else:
                runs.pop(0 if abs(es[runs[0]]) < abs(es[runs[-1]]) else -1)
        if len(runs) < n + 1:
            break
        at = runs
    return coef, worst


def fit(f, a, b, terms, bits, weight=None, first=0, step=1):
    """`terms` coefficients of x^first, x^(first+step), ...; weight(x) divides the error (default |f|)."""
    a, b = mpf(a), mpf(b)
    xs = [(a + b) / 2 - (b - a) / 2 * cos(pi * (2 * i + 1) / (2 * POINTS)) for i in range(POINTS)]
    fs = [f(x) for x in xs]
    ws = [abs(weight(x)) if weight else abs(y) for x, y in zip(xs, fs)]
    powers = [first + step * i for i in range(terms)]
    def error(coef):
        return max(abs(sum(c * x**p for c, p in zip(coef, powers)) - y) / w for x, y, w in zip(xs, fs, ws))

    # Rounded all at once, or one by one from the lowest with a new fit of those above: whichever is better.
    coef, _ = remez(xs, fs, ws, powers)
    best = [rounded(c, bits) for c in coef]
    done, rest = [], list(fs)
    while len(done) < terms:
        coef, _ = remez(xs, rest, ws, powers[len(done):])
        take = 1 if len(done) < 6 else terms - len(done)
        for c in coef[:take]:
            c = rounded(c, bits)
            p = powers[len(done)]
            rest = [r - c * x**p for r, x in zip(rest, xs)]
            done.append(c)
    best = min(best, done, key=error)
    return best, error(best)


def table(name, what, done, error, bits):
    """The coefficients as a C array, lowest power first."""
    suffix, kind = ('f', 'float') if bits == 24 else ('', 'double')
    print('/* %s; relative error 2^%.1f */' % (what, float(mp.log(error, 2))))
    print('static const %s %s[] = {' % (kind, name))
    for c in done:
        print('    %s%s,' % (float(c).hex(), suffix))
    print('};')
# SPDX-License-Identifier: Apache-2.0
