# SPDX-License-Identifier: Apache-2.0
"""record, run, profile, corun, compare and sweep: what they measure, as data frames."""
import os
import tempfile

import pandas as pd

from .command import call, call_json, joined, settings
from .database import Database


class Result:
    """One run. `answer` is the program's JSON as it is; docs/json.md describes it."""

    def __init__(self, answer, intervals=None):
        self.answer = answer
        self.intervals = intervals  # a frame of what every counter grew by, with `from` and `to`; None: not asked for

    cycles = property(lambda self: self.answer["cycles"])
    kernel_cycles = property(lambda self: self.answer["kernel_cycles"])
    ipc = property(lambda self: self.answer["ipc"])
    energy_pj = property(lambda self: self.answer["energy_pj"])

    @property
    def counters(self):
        """Every counter by its name in `bankshot list stats`."""
        return pd.Series(self.answer["stats"], name="value", dtype="int64")

    @property
    def options(self):
        """Every option in effect."""
        return pd.Series(self.answer["options"], name="value", dtype="object")

    @property
    def kernels(self):
        """A row for each launch."""
        return pd.DataFrame(self.answer["kernels"]).set_index("launch")

    @property
    def energy(self):
        """pJ by part."""
        return pd.Series(self.answer["energy_parts_pj"], name="pj")

    def __repr__(self):
        return f"<{self.answer['workload']} on {self.answer['gpu']}: {self.kernel_cycles} kernel cycles, IPC {self.ipc:.3f}>"


def run(workload, gpu="volta", mechs=None, options=None, interval=None, threads=1, check=False):
    """A trace or a bundled workload on a GPU. options: {"sm.collectors": 4}. interval: cycles of a row of result.intervals."""
    words = ["run", workload, "--gpu", gpu, "--mech", joined(mechs), "--threads", threads, *settings(options)]
    if check:
        words.append("--check")
    if not interval:
        return Result(call_json(*words))
    with tempfile.TemporaryDirectory() as folder:
        rows = os.path.join(folder, "rows.csv")
        answer = call_json(*words, "--interval", interval, "--interval-csv", rows)
        return Result(answer, pd.read_csv(rows))


def profile(workload, gpu="volta", mechs=None, options=None):
    """Where the cycles of a run went in the code: a row for each instruction, with issues, causes of waiting and conflicts. The row
    without a kernel has the cycles of no instruction."""
    with tempfile.TemporaryDirectory() as folder:
        rows = os.path.join(folder, "profile.csv")
        call("run", workload, "--gpu", gpu, "--mech", joined(mechs), *settings(options), "--quiet", "--profile-csv", rows)
        return pd.read_csv(rows)


class Corun:
    """Programs that had one GPU together. `answer` is the program's JSON as it is."""

    def __init__(self, answer):
        self.answer = answer

    cycles = property(lambda self: self.answer["cycles"])

    @property
    def programs(self):
        """A row for each program: its cycles, its instructions, and its speed over that when it has the GPU alone."""
        return pd.DataFrame(self.answer["programs"])

    @property
    def counters(self):
        """Every counter by its name in `bankshot list stats`, of all programs together."""
        return pd.Series(self.answer["stats"], name="value", dtype="int64")


def corun(workloads, share=None, gpu="maxwell", mechs=None, options=None, target=None, insts=None, threads=1):
    """Several traces or bundled workloads on one GPU, and each alone. share: alone, temporal, spatial, smk or scavenger."""
    words = ["corun", *workloads, "--gpu", gpu, "--threads", threads, *settings(options)]
    words += ["--mech", joined(mechs)] if mechs else []
    words += ["--share", share] if share else []
    words += ["--target", target] if target else []
    words += ["--insts", insts] if insts else []
    return Corun(call_json(*words))


def record(program, *args, out=None, max_regs=None):
    """Runs a CUDA program, built by `bankshot cc`, without a GPU and writes its trace; returns the trace's path, for run and the others.
    What the program prints is lost; one that fails raises BankshotError with its status."""
    path = os.fspath(out) if out else os.path.basename(os.fspath(program)) + ".bst"
    words = ["record", "-o", path, "--quiet"]
    words += ["--max-regs", max_regs] if max_regs else []
    call(*words, "--", program, *args)
    return path


def compare(workloads, mechs, gpu="volta", options=None, db=None, jobs=None, interval=None):
    """Workloads by machines: a row for each, with its speedup over the first of mechs. What db has is not measured again.
    interval: cycles of a row of Database(db).over_time."""
    words = ["compare", *([workloads] if isinstance(workloads, str) else workloads), "--gpu", gpu, *settings(options)]
    for m in [mechs] if isinstance(mechs, str) else mechs:
        words += ["--mech", joined(m)]
    words += ["--db", db] if db else []
    words += ["--jobs", jobs] if jobs else []
    words += ["--interval", interval] if interval else []
    return _frame(call_json(*words)["rows"])


def _spec_file(spec, folder):
    """The path of a specification: a file, or blocks of names, which are written to the folder."""
    if not isinstance(spec, dict):
        return spec
    path = os.path.join(folder, "spec.ini")
    with open(path, "w", encoding="utf-8") as f:
        for block, keys in spec.items():
            f.write(f"[{block}]\n")
            for name, values in keys.items():
                values = [values] if isinstance(values, (str, int, float)) else values
                f.write(f"{name} = {' '.join(map(str, values))}\n")
    return path


class Exploration:
    """What `bankshot explore` found. front, points, effects and pairs are frames; answer is all of it."""

    def __init__(self, answer):
        self.answer = answer
        self.goals = answer["goals"]
        self.whole_runs, self.estimates, self.left = answer["whole_runs"], answer["estimates"], answer["left"]
        self.points = _goal_frame(answer["points"], self.goals).set_index("point", drop=False)
        self.front = self.points.loc[answer["front"]]
        self.best = answer["best"]
        self.effects = _goal_frame(answer["effects"], self.goals)
        self.pairs = _goal_frame(answer["pairs"], self.goals)
        self.programs = pd.DataFrame(answer["programs"])

    def __repr__(self):
        return f"<exploration: {len(self.front)} of {len(self.points)} points on the front, {self.whole_runs} whole runs>"


def _goal_frame(rows, goals):
    """mean, lo and hi of each goal as columns: cycles, cycles_lo, cycles_hi."""
    flat = []
    for row in rows:
        new = {k: v for k, v in row.items() if k not in ("mean", "lo", "hi", "set", "mechs")}
        if "mechs" in row:
            new["mechs"] = ",".join(row["mechs"]) or "base"
            new.update(row["set"])
        for g in goals:
            new[g], new[g + "_lo"], new[g + "_hi"] = (row[k].get(g) for k in ("mean", "lo", "hi"))
        flat.append(new)
    return pd.DataFrame(flat)


def explore(spec, db, whole=None, seed=None, size=None, jobs=None, slurm=None):
    """Searches the machines of a specification for those that no other beats in all goals: an Exploration. spec: as for sweep, with
    a block "explore": {"goals": ["cycles", "area"], "whole": 60}. slurm: so many tasks of a cluster do each round."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["explore", _spec_file(spec, folder), "--db", db]
        for name, value in (("whole", whole), ("seed", seed), ("size", size), ("jobs", jobs), ("slurm", slurm)):
            words += [f"--{name}", value] if value else []
        return Exploration(call_json(*words))


def sweep(spec, db, size=None, jobs=None):
    """Every point of a specification that db does not have; all of them as a frame. spec: a file, or blocks of names:
    {"banks": {"workloads": ["sgemm"], "gpus": ["fermi"], "sm.banks": [4, 8]}}."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["sweep", _spec_file(spec, folder), "--db", db]
        words += ["--size", size] if size else []
        words += ["--jobs", jobs] if jobs else []
        return _frame(call_json(*words)["rows"])


def _frame(rows):
    """Rows of the program's JSON. Mechanisms as text, options of a sweep as columns of their own."""
    flat = []
    for row in rows:
        row = dict(row)
        row["mechs"] = ",".join(row["mechs"]) or "base"
        for name, value in row.pop("set", {}).items():
            row[name] = value
        flat.append(row)
    return pd.DataFrame(flat)
