# SPDX-License-Identifier: Apache-2.0
"""Runs of one model in a results database, and the statistics of docs/explore.md over programs."""
import math
import random
import sqlite3

OPERANDS = ("rf_banks", "rf_crossbar", "rf_arbiter", "collectors", "rf_cache", "osu_tags", "compressor", "product_rf", "leak_rf")
# What the unlimited machines of headroom-*.ini set, to tell them apart from others.
LIMITS = {"register file": "sm.banks=64", "fetch": "sm.l0i_b=1048576", "memory": "mem.simple=true"}


def geomean(logs, seed=1, draws=2000):
    """Geometric mean with its 95% interval, by bootstrap over programs; of one program there is no interval."""
    if not logs:
        return None
    r, n = random.Random(seed), len(logs)
    mean = math.exp(sum(logs) / n)
    if n == 1:
        return mean, None, None
    means = sorted(sum(r.choice(logs) for _ in logs) / n for _ in range(draws))
    return mean, math.exp(means[draws // 40]), math.exp(means[draws - 1 - draws // 40])


def is_same(m):
    return m[1] is not None and m[1] <= 1 <= m[2]


def shown(m):
    if m is None:
        return "not run"
    mean, lo, hi = m
    if lo is None:
        return f"{mean:.3f}"
    return f"{mean:.3f} [{lo:.3f}, {hi:.3f}]" + (" =" if is_same(m) else "")


class Data:
    """A run is found by its program, preset, mechanisms and options. Programs of a size other than the default are NAME:SIZE, files NAME.bst."""

    def __init__(self, path, model):
        self.sql = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.model, self.rows, self.used = model, {}, set()
        parts = ",".join(f"'{p}'" for p in OPERANDS)
        for w, size, gpu, mechs, options, run, cycles, pj, rf in self.sql.execute(
                f"SELECT p.workload, p.size, p.gpu, p.mechs, p.options, r.id, r.kernel_cycles, (SELECT sum(pj) FROM energy WHERE run = r.id), "
                f"(SELECT sum(pj) FROM energy WHERE run = r.id AND name IN ({parts})) "
                "FROM point p JOIN run r ON r.id = p.run WHERE r.status = 'ok' AND r.model = ?", (model,)):
            name = w if size in ("default", "") else f"{w}:{size}"
            self.rows[name, gpu, mechs, options] = {"run": run, "cycles": cycles, "energy": pj, "rf_energy": rf}

    def get(self, program, gpu, mechs="base", options=""):
        row = self.rows.get((program, gpu, mechs, options))
        if row:
            self.used.add(row["run"])
        return row

    def programs(self, gpu, mechs="base", options=""):
        return [w for w, g, m, o in self.rows if (g, m, o) == (gpu, mechs, options)]

    def unlimited(self, gpu):
        """By part: the options of the machine on which it has no limits."""
        found = {}
        for _, g, mechs, options in self.rows:
            for name, mark in LIMITS.items():
                if g == gpu and mechs == "base" and mark in options.split():
                    found[name] = options
        return found

    def counters(self, run):
        return dict(self.sql.execute("SELECT name, value FROM counter WHERE run = ?", (run,)))

    def parts(self, run):
        return dict(self.sql.execute("SELECT name, pj FROM energy WHERE run = ?", (run,)))

    def logs(self, programs, gpu, mechs, measure, options=""):
        """log of the ratio to the preset alone, of the programs that have both runs."""
        out = {}
        for p in programs:
            a, b = self.rows.get((p, gpu, mechs, options)), self.rows.get((p, gpu, "base", ""))
            if a and b and a[measure] and b[measure]:
                self.used |= {a["run"], b["run"]}
                out[p] = math.log(a[measure] / b[measure])
        return out

    def mean(self, programs, gpu, mechs, measure, options=""):
        return geomean(list(self.logs(programs, gpu, mechs, measure, options).values()))

    def seconds(self):
        return self.sql.execute(f"SELECT coalesce(sum(seconds), 0) FROM run WHERE id IN ({','.join(map(str, self.used)) or '0'})").fetchone()[0]

    def instructions(self):
        return self.sql.execute(f"SELECT coalesce(sum(warp_insts), 0) FROM run WHERE id IN ({','.join(map(str, self.used)) or '0'})").fetchone()[0]

    def models(self):
        return [m for (m,) in self.sql.execute("SELECT DISTINCT model FROM run")]

    def versions(self):
        return [v for (v,) in self.sql.execute("SELECT DISTINCT version FROM run WHERE model = ?", (self.model,))]
