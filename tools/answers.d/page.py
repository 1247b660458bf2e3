# SPDX-License-Identifier: Apache-2.0
"""The page of tools/answers: text whose every number is of the database."""
import os
import sqlite3
import subprocess

from data import Data, LIMITS, OPERANDS, geomean, is_same, shown

PRESETS = ("hopper", "volta-accelsim")
# m, n, k of the default sizes, from workloads/*/*.cu.
PRODUCTS = {"sgemm": (1024, 528, 128, "single precision; 16 results of a thread in registers, B's tile in shared memory"),
            "gemm_tc_train": (7680, 128, 2560, "half precision by `mma`: all three operands in registers"),
            "gemm_pipelined": (2048, 2048, 1024, "half precision by `mma`, tiles by asynchronous copies through shared memory"),
            "gemm_wgmma": (2048, 2048, 1024, "half precision by `wgmma`: A and B read from shared memory, accumulators in registers")}
TILE = (128, 128, 64)
# Kernels of language models, by program.
GROUPS = {"attention": ("attention_mma", "attention_wgmma"),
          "products": ("sgemm", "gemm", "gemm_tc_train", "gemm_wgmma"),
          "decoding": ("decode_attention", "rmsnorm", "rope", "softmax_layernorm", "logprob")}
# Whose conclusion it is, the mechanism, what the paper concludes of it in a line, the measure it is about, what it should be for that.
LESS, NOT_MORE = "less", "not more"
PAPERS = [("Core partitioning, HPCA 2023", "rba", "bank-aware scheduling gets back speed that partitioned cores lose", "cycles", LESS),
          ("Core partitioning, HPCA 2023", "shuffle", "balanced assignment of warps does likewise", "cycles", LESS),
          ("Core partitioning, HPCA 2023", "shuffle,rba", "both together come near a fully connected core", "cycles", LESS),
          ("Bank stealing, ISLPED 2015", "steal", "idle banks read ahead: faster with fewer banks", "cycles", LESS),
          ("Malekeh, 2023", "malekeh", "caching collectors: faster", "cycles", LESS),
          ("Malekeh, 2023", "malekeh", "... and less register energy", "rf_energy", LESS),
          ("BOW, MICRO 2020 (as in Malekeh)", "bow", "operands bypass the register file: less of its energy", "rf_energy", LESS),
          ("Register file cache, ISCA 2011", "rfc", "a small cache takes most accesses: less register energy", "rf_energy", LESS),
          ("Software-managed register files, MICRO 2011", "swrfc", "a hierarchy under the compiler: less register energy yet", "rf_energy", LESS),
          ("Virtualised registers, MICRO 2015", "rfv", "half of the registers are enough", "cycles", NOT_MORE),
          ("RegLess, MICRO 2017 (thesis 2018)", "regless", "a quarter of the storage at nearly the same speed", "cycles", NOT_MORE),
          ("RegLess, MICRO 2017 (thesis 2018)", "regless", "... and less register energy", "rf_energy", LESS),
          ("WarpPool, thesis 2018", "warppool", "loads of warps merged: faster where L1's ports are short", "cycles", LESS),
          ("MRPB, HPCA 2014", "mrpb", "requests in order of warps: faster caches", "cycles", LESS)]


class Names:
    """What a program of the database is: the program, whose code, its family."""

    def __init__(self, traces, family):
        self.traces, self.family_of = traces, family

    def program(self, name):
        return self.traces[name]["program"] if name in self.traces else name.split(":")[0]

    def is_sass(self, name):
        return name.startswith("sass-")

    def family(self, name):
        if name in self.traces and self.traces[name]["kind"] == "public":
            return "public"
        return self.family_of[self.program(name)]

    def shown(self, name):
        return f"`{self.program(name)}`" + (" (small)" if name.endswith(":small") or self.traces.get(name, {}).get("size") == "small" else "")

    def groups(self, programs):
        """All, then by family."""
        families = sorted({self.family(p) for p in programs})
        return [("all", programs)] + [(f, [p for p in programs if self.family(p) == f]) for f in families]


def percent(m):
    """How much less, in words, with its interval."""
    what = "fewer" if m[0] < 1 else "more"
    a, b = sorted((100 * abs(1 - m[1]), 100 * abs(1 - m[2]))) if (m[1] < 1) == (m[2] < 1) else (None, None)
    return f"{100 * abs(1 - m[0]):.1f}% {what} cycles" + (f" [{a:.1f}, {b:.1f}]" if a is not None else f" (interval {m[1]:.3f} to {m[2]:.3f} of the cycles: no difference)")


def verdict(m):
    if m[1] is None:
        return "one program"
    return "less" if m[2] < 1 else "more" if m[1] > 1 else "no difference"


def holds(m, want):
    """Does the conclusion hold by the interval?"""
    if m is None or m[1] is None:
        return "not judged"
    found = verdict(m)
    if want == NOT_MORE:
        return "no" if found == "more" else "yes"
    return {"less": "yes", "more": "no", "no difference": "not shown"}[found]


# ---- sections ----

def figure(name, title):
    return f"![{title}](answers-{name}.svg)\n\n*{title}. Drawn by* `tools/answers build/release/bankshot --page --db build/answers.db`.\n"


def headroom(out, d, names, programs):
    out.append("## (a) Headroom: what a part without limits would give\n")
    out.append("Kernel cycles over those of the preset, geometric mean over programs, with a 95% interval by bootstrap over them; `=`: no difference is shown. "
               "*Register file*: 64 banks and 64 collectors with 16 ports in each partition (four reads a bank and cycle on `volta-accelsim`; `hopper`'s operand "
               "ports have one). *Fetch*: every instruction is there when it is asked for. *Memory*: all behind L1 takes a cycle, over ways of 1 KB a cycle. "
               "`tools/answers.d/headroom-*.ini` have the options. No mechanism of a kind can give more than its row, as far as the model is right.\n")
    out.append(figure("headroom", "Cycles without a limit, by family of programs"))
    for gpu in PRESETS:
        machines, base = d.unlimited(gpu), programs[gpu]
        if not base:
            out.append(f"\n### {gpu}\n\nnot run")
            continue
        out.append(f"\n### {gpu}\n\n| programs | " + " | ".join(LIMITS) + " |\n|---|" + "---|" * len(LIMITS))
        for title, group in names.groups(base) + [(names.shown(p), [p]) for p in base]:
            cells = []
            for part in LIMITS:
                logs = d.logs(group, gpu, "base", "cycles", machines[part]) if part in machines else {}
                cells.append(shown(geomean(list(logs.values()))) if len(logs) == len(group) else f"{len(logs)} of {len(group)} runs")
            out.append(f"| {title}{f' ({len(group)})' if len(group) > 1 else ''} | " + " | ".join(cells) + " |")


def front(out, answers, names):
    out.append("\n## (b) The front of speed, energy and area\n")
    out.append("By `bankshot explore` ([explore.md](../explore.md)), all points with whole runs. Ratios to the preset without mechanisms; *front*: no other "
               "point is better in all of cycles, operand energy, energy and area of register access.\n")
    out.append(figure("front", "Cycles and operand energy of mechanisms"))
    titles = {"hopper": "hopper", "wgmma": "hopper, products of warp groups", "volta-accelsim": "volta-accelsim"}
    for key, title in titles.items():
        a = answers.get(key)
        out.append(f"\n### {title}\n")
        if not a:
            out.append("not run")
            continue
        out.append(f"{len(a['points'])} points on {len(a['programs'])} programs ({', '.join(names.shown(p['workload']) for p in a['programs'])}); {a['whole_runs']} whole runs"
                   + (f"; {a['not_taken']} combinations are not taken by the preset" if a["not_taken"] else "") + ".\n\n"
                   "| mechanisms | " + " | ".join(a["goals"]) + " | bits added to an SM | |\n|---|" + "---|" * (len(a["goals"]) + 2))
        left_out = []
        for p in sorted(a["points"], key=lambda p: p["mean"].get("cycles", 9)):
            mechs = ", ".join(p["mechs"]) or "none"
            if not all(g in p["mean"] for g in a["goals"]):
                left_out.append(f"`{mechs}`: {p['reason'] or p['state']}")
                continue
            out.append(f"| {mechs} | " + " | ".join(shown((p["mean"][g], p["lo"].get(g), p["hi"].get(g))) for g in a["goals"]) +
                       f" | {p['storage_bits']} | {p['state'] if p['state'] == 'front' else ''} |")
        out += [f"\nNot measured: {text}." for text in left_out]
        out.append("\nTwo together, beyond what each does (only where the interval leaves out 1 in cycles; below 1 they help each other): " + pairs_text(a) + ".")
        deciders = [p for p in a["programs"] if p["comes"] or p["goes"] or p["best"]]
        out.append("\nPrograms that decide (without them so many points come to the front, or go): " +
                   (", ".join(f"{names.shown(p['workload'])} (+{p['comes']}, -{p['goes']})" for p in deciders) or "none") + ".")


def pairs_text(a):
    found = [(e["change"], e["with"], (e["mean"]["cycles"], e["lo"]["cycles"], e["hi"]["cycles"])) for e in a["pairs"]
             if "cycles" in e["lo"] and not is_same((e["mean"]["cycles"], e["lo"]["cycles"], e["hi"]["cycles"]))]
    return ", ".join(f"`{x}` with `{y}` {shown(m)}" for x, y, m in found) or "none"


def conclusions(out, d, names, programs):
    out.append("\n## (c) Do the papers' conclusions hold?\n")
    out.append("The measure that each paper argues with, mechanism over none: on `hopper` over all programs, over attention, matrix products and the kernels of decoding alone, and on "
               "`volta-accelsim` over all. *Holds*: *yes* where the interval is on the side that the paper says (for *as fast as*: not above 1), *no* where it is on the other, *not shown* "
               "where it has 1 in it. In brackets: programs, where the mechanism does not take all. Groups of two to five programs have intervals that are little more than their span. What a paper had "
               "on its own machine and programs is in [reproduction.md](reproduction.md); this is another chip and other programs, and mechanisms as their overlays have them.\n")
    out.append("| paper | mechanism | its conclusion | measure | holds on hopper | hopper, all | " + " | ".join(GROUPS) + " | holds on volta-accelsim | volta-accelsim, all |\n"
               "|---|---|---|---|---|---|" + "---|" * (len(GROUPS) + 2))
    count = {}
    for paper, mech, says, measure, want in PAPERS:
        cells, verdicts = [], {}
        for gpu in PRESETS:
            groups = [programs[gpu]] + ([[p for p in programs[gpu] if names.program(p) in of] for of in GROUPS.values()] if gpu == "hopper" else [])
            for i, group in enumerate(groups):
                logs = d.logs(group, gpu, mech, measure)
                m = geomean(list(logs.values()))
                text = shown(m) + (f" ({len(logs)} of {len(group)})" if len(logs) < len(group) else "") if m else "not run" if group else "none"
                if i == 0:
                    verdicts[gpu] = holds(m, want)
                    cells.append(verdicts[gpu] if m else "not run, or not taken by the preset")
                cells.append(text)
            count.setdefault(gpu, []).append(verdicts[gpu])
        out.append(f"| {paper} | `{mech}` | {says} | {measure} | " + " | ".join(cells) + " |")
    return count


def products(out, d):
    tile = TILE[0] * TILE[1] * TILE[2]
    out.append("\n## (d) A product's tile: registers, shared memory, accumulators\n")
    out.append(f"On `hopper`, whole kernels (NVIDIA's machine code where its trace is there), given for a tile of {TILE[0]} by {TILE[1]} results over {TILE[2]} steps of k ({tile} multiply-adds of the kernel's m n k). KB of 1,000 bytes; "
               "a register of a warp is 128 bytes. *accumulators*: registers of warp groups' products, which bypass the collectors; *products from shared*: what these read there. "
               "nJ: `rf_*` and collectors; `product_rf`; `shared` and `copy_shared`; `product_shared` ([energy.md](../energy.md)).\n")
    out.append(figure("products", "Bytes moved for a tile, and the energy of it"))
    out.append("| program | m, n, k | operands | registers, KB | accumulators, KB | shared memory, KB | products from shared, KB | registers, nJ | accumulators, nJ | "
               "shared, nJ | products from shared, nJ | all operands, nJ | all energy, nJ |\n|---|---|---|" + "---:|" * 10)
    found = {}
    for name, (m, n, k, how) in PRODUCTS.items():
        as_run = next((x for x in (f"sass-{name}.bst", name) if (x, "hopper", "base", "") in d.rows), None)
        row = d.get(as_run, "hopper") if as_run else None
        if not row:
            out.append(f"| `{name}` | | not run |" + " |" * 10)
            continue
        c, e, per = d.counters(row["run"]), d.parts(row["run"]), tile / (m * n * k) / 1000
        b = [128 * (c["sm.reg_reads"] + c["sm.reg_writes"]), 128 * (c["sm.product_regs"] + c["sm.product_a_regs"]),
             4 * c["sm.lanes_shared"] + c["sm.copy_in_b"], c["sm.product_shared_b"]]
        pj = [sum(e.get(p, 0) for p in ("rf_banks", "rf_crossbar", "rf_arbiter", "collectors", "rf_cache")), e.get("product_rf", 0),
              e.get("shared", 0) + e.get("copy_shared", 0), e.get("product_shared", 0)]
        found[name] = {"b": [x * per for x in b], "pj": [x * per for x in pj], "all": row["energy"] * per, "unpriced": b[3] > 0 and pj[3] == 0, "run": row["run"]}
        cells = [f"{x * per:.1f}" for x in b] + [f"{x * per:.1f}" for x in pj] + [f"{sum(pj) * per:.1f}", f"{row['energy'] * per:.0f}"]
        out.append(f"| `{name}` | {m}, {n}, {k} | {how} | " + " | ".join(cells) + " |")
    if any(f["unpriced"] for f in found.values()):
        out.append("\nThe reads of shared memory by warp groups' products have no price of their own on `hopper`: on the chip they cannot be told apart from the product, whose price has them.")
    return found


def compilers(out, d, names, programs):
    out.append("\n### Does it matter whose code it is?\n")
    twins = [(p, q) for p in programs["hopper"] if names.is_sass(p) for q in d.programs("hopper")
             if not q.endswith(".bst") and names.program(q) == names.program(p) and q.endswith(":small") == (names.traces[p]["size"] == "small")]
    mechs = [m for m in ("rba", "malekeh", "regless", "banked-l1") if any((q, "hopper", m, "") in d.rows for _, q in twins)]
    if not twins or not mechs:
        out.append("not run: there are no traces of NVIDIA's machine code, or none of the same programs by `bankshot cc`.")
        return
    out.append(f"{len(twins)} programs on `hopper` ({', '.join(names.shown(q) for _, q in twins)}), from NVIDIA's machine code and as `bankshot cc` compiles them; the last column is the ratio of "
               "the two effects, program by program: where its interval has 1 in it, the answer does not depend on the compiler.\n")
    out.append("| mechanism | measure | NVIDIA's code | bankshot cc | one over the other |\n|---|---|---|---|---|")
    for mech in mechs:
        for measure in ("cycles", "rf_energy"):
            a, b = d.logs([p for p, _ in twins], "hopper", mech, measure), d.logs([q for _, q in twins], "hopper", mech, measure)
            both = [a[p] - b[q] for p, q in twins if p in a and q in b]
            out.append(f"| {mech} | {measure} | {shown(geomean(list(a.values())))} | {shown(geomean(list(b.values())))} | {shown(geomean(both))} |")


def limits(out, d, instead, names):
    out.append("\n## (e) Limits of this page\n")
    replaced = [f"`{n[:-4]}`" for n, other in instead.items() if other]
    missing = [f"`{n[:-4]}`" for n, other in instead.items() if not other]
    out.append("- Programs: those named above and no others, at their default size (*small* where it says so). " +
               ("No program is left out. " if not missing else f"Left out, since their sources were not there: {', '.join(missing)}. ") +
               ("" if not replaced else f"From `bankshot cc`, since nvcc was not there or did not end in time: {', '.join(replaced)}. ") +
               "The public programs are six of some 350, chosen for their length and before any of them was run here; the suite's are this project's own versions.\n"
               "- `volta-accelsim` runs code of `bankshot cc` for newer chips than a V100; `hopper` NVIDIA's code where a trace of it is there, else that of `bankshot cc` (`bfs`, `pagerank`, "
               "`hash_join`, whose traces are large).\n"
               "- Mechanisms have the options that their overlays give them; none was tuned for either preset. `bankshot explore` with their options is the way to do so.\n"
               "- Papers are judged by one measure in one line each. A paper's machine had other limits: where this chip does not have the limit that a mechanism removes, *not shown* says nothing "
               "against the paper.\n"
               "- Intervals are over these programs, taken as a sample of programs of their kind, which they are not strictly. They do not have the error of the model "
               "([silicon.md](../silicon.md)) nor that of the energies ([energy.md](../energy.md): on `hopper` the operand path's scale is uncertain by more than half, so operand energies are weak; "
               "those of `volta-accelsim` are the papers': compare machines, do not read the joules).\n"
               "- Many comparisons stand side by side; of those with no effect one in twenty will leave out 1 by chance.\n"
               "- A part without limits is not a design: it bounds what mechanisms of a kind can give, on these programs; and timing is not monotone: a few programs are slower without a limit, since warps meet in "
               "another order.\n"
               "- Runs are single and exact (the same on every host). `shuffle` draws lots from one seed.\n")
    models = d.models()
    out.append(f"Runs used: {len(d.used)}, all of one model, `{d.model}`" + (f" (the database has {len(models)} models; others are not used)" if len(models) > 1 else "") +
               f", {d.instructions() / 1e9:.2f} billion warp instructions. They took {d.seconds():.0f} seconds of one core each where they were made, all together.")


def summary(d, names, programs, answers, count, tiles):
    """Sentences, each from numbers below."""
    out = ["## In short\n"]
    for gpu in PRESETS:
        machines, group = d.unlimited(gpu), programs[gpu]
        m = {part: d.mean(group, gpu, "base", "cycles", machines[part]) for part in LIMITS if part in machines}
        if len(m) == len(LIMITS) and all(x and x[1] is not None for x in m.values()):
            out.append(f"- On `{gpu}` a register file without limits would take {percent(m['register file'])} over {len(group)} programs; fetch without limits {percent(m['fetch'])}; memory without limits "
                       f"{percent(m['memory'])} ([a](#a-headroom-what-a-part-without-limits-would-give)).")
    for gpu in PRESETS:
        a = answers.get(gpu)
        if a:
            out.append(best_text(gpu, a))
    for gpu in PRESETS:
        c = count.get(gpu, [])
        if any(v != "not judged" for v in c):
            out.append(f"- Of {sum(v != 'not judged' for v in c)} conclusions of papers that `{gpu}` can be asked about, {c.count('yes')} hold, {c.count('no')} do not, and of {c.count('not shown')} no difference is shown "
                       "([c](#c-do-the-papers-conclusions-hold)).")
    if "gemm_pipelined" in tiles and "gemm_wgmma" in tiles:
        a, b = tiles["gemm_pipelined"], tiles["gemm_wgmma"]
        out.append(f"- Today's own answer is to keep operands of products out of the register file: for the same product, `wgmma` moves {b['b'][0] + b['b'][1]:.0f} KB through registers for a tile where `mma` moves "
                   f"{a['b'][0] + a['b'][1]:.0f}, and operands take {sum(b['pj']):.0f} nJ instead of {sum(a['pj']):.0f}" +
                   (" (without the reads of shared memory by `wgmma` itself, which have no price of their own)" if b["unpriced"] else "") + " ([d](#d-a-products-tile-registers-shared-memory-accumulators)).")
    return out + [""]


def best_text(gpu, a):
    ok = [p for p in a["points"] if all(g in p["mean"] for g in a["goals"])]
    of = {g: min(ok, key=lambda p, g=g: p["mean"][g]) for g in ("cycles", "rf_energy")}
    words = []
    for g, what in (("cycles", "fewest cycles"), ("rf_energy", "least operand energy")):
        p = of[g]
        m = (p["mean"][g], p["lo"].get(g), p["hi"].get(g))
        words.append(f"{what}: `{','.join(p['mechs']) or 'none'}`, {shown(m).rstrip(' =')}" + (" (no difference from none)" if is_same(m) and p["mechs"] else ""))
    fast = [p for p in ok if p["mechs"] and "cycles" in p["hi"] and p["hi"]["cycles"] < 1]
    return (f"- Of {len(ok) - 1} mechanisms and pairs on `{gpu}`, {len(fast)} are faster than none by their interval" +
            (f" ({', '.join('`' + ','.join(p['mechs']) + '`' for p in sorted(fast, key=lambda p: p['mean']['cycles']))})" if fast else "") +
            f"; {'; '.join(words)} ([b](#b-the-front-of-speed-energy-and-area)).")


def where(d, gpu, programs):
    return (f"model = '{d.model}' AND gpu = '{gpu}'\n    AND workload || size IN (" + ", ".join(in_list(p) for p in programs) + ")")


def follow(out, number, sentence, sql, d):
    """A sentence, the command that follows it back to runs, and what that prints."""
    said = d.sql.execute(sql).fetchall()
    out.append(f"{number}. {sentence}\n\n```\nsqlite3 build/answers.db \"{sql}\"\n```\n\nIt prints `" + "`, `".join("|".join(map(str, row)) for row in said) + "`.\n")


def trace_back(out, d, names, programs, answers, tiles):
    out.append("\n## To follow a sentence back\n")
    out.append("The database is that of `make answers` (`build/answers.db`). Sentences of *In short*, by hand:\n")
    number = 1
    for gpu in PRESETS:
        options = d.unlimited(gpu).get("register file")
        group = list(d.logs(programs[gpu], gpu, "base", "cycles", options)) if options else []
        if group:
            follow(out, number, f"*A register file without limits on `{gpu}`* is the geometric mean of ratios of two runs for each program:",
                   "SELECT count(*), printf('%.4f', exp(avg(ln(1.0 * u.kernel_cycles / b.kernel_cycles)))) FROM result u JOIN result b USING (workload, size, gpu, model)\n"
                   f"    WHERE u.mechs = 'base' AND b.mechs = 'base' AND b.options = '' AND u.options = '{options}'\n    AND {where(d, gpu, group)}", d)
            number += 1
    for gpu in PRESETS:
        a = answers.get(gpu)
        if not a:
            continue
        best = min((p for p in a["points"] if "rf_energy" in p["mean"]), key=lambda p: p["mean"]["rf_energy"])
        mechs = ",".join(best["mechs"]) or "base"
        group = list(d.logs([p["workload"] for p in a["programs"]], gpu, mechs, "rf_energy"))
        parts = ", ".join(f"'{p}'" for p in OPERANDS)
        follow(out, number, f"*The least operand energy on `{gpu}`*, with `{mechs}`: {best['mean']['rf_energy']:.4f} in the answer of explore:",
               f"WITH e AS (SELECT run, sum(pj) AS pj FROM energy WHERE name IN ({parts}) GROUP BY run)\n"
               "    SELECT count(*), printf('%.4f', exp(avg(ln(a.pj / b.pj)))) FROM result x JOIN e a ON a.run = x.run JOIN result y USING (workload, size, gpu, model, options)\n"
               f"    JOIN e b ON b.run = y.run WHERE options = '' AND x.mechs = '{mechs}' AND y.mechs = 'base'\n    AND {where(d, gpu, group)}", d)
        number += 1
    if "gemm_wgmma" in tiles:
        m, n, k, _ = PRODUCTS["gemm_wgmma"]
        follow(out, number, "*Bytes through registers for a tile*, of `gemm_wgmma`, in KB:",
               f"SELECT printf('%.1f', sum(value) * 128.0 * {TILE[0] * TILE[1] * TILE[2]} / ({m}.0 * {n} * {k}) / 1000) FROM counter WHERE run = {tiles['gemm_wgmma']['run']}\n"
               "    AND name IN ('sm.reg_reads', 'sm.reg_writes', 'sm.product_regs', 'sm.product_a_regs')", d)
    first = next((p for p in programs["hopper"] if (p, "hopper", "malekeh", "") in d.rows), None)
    if first:
        out.append(f"Any run again, without the database: `bankshot compare {first if not first.endswith('.bst') else 'build/answers-traces/' + first} --gpu hopper --mech base --mech malekeh` has "
                   f"{d.get(first, 'hopper')['cycles']} and {d.get(first, 'hopper', 'malekeh')['cycles']} kernel cycles.\n")
    out.append("Figures, of the same numbers: `tools/answers build/release/bankshot --page` draws all three with gnuplot from `tools/answers.d/figures.gp` and writes this page. From the database alone, "
               "`bankshot plot build/answers.db --chart pareto --gpu hopper -o front.pdf` and `--chart speedup --gpu hopper --mech rba --mech malekeh -o speedup.pdf` draw the like.")


def in_list(program):
    name, _, size = program.partition(":")
    return f"'{name}{'' if name.endswith('.bst') else size or 'default'}'"


# ---- figures ----

def draw(out_path, d, names, programs, answers, tiles):
    """The three figures beside the page, by gnuplot; False: it is not here, and those that there are stay."""
    folder = os.path.dirname(out_path)
    text = []

    def block(name, rows):
        text.append(f"${name} << EOD\n" + "\n".join("\t".join(map(str, r)) for r in rows) + "\nEOD\n")

    for i, gpu in enumerate(PRESETS):
        machines, rows = d.unlimited(gpu), []
        groups = names.groups(programs[gpu])
        for k, part in enumerate(LIMITS):
            for at, (_, group) in enumerate(groups):
                m = d.mean(group, gpu, "base", "cycles", machines[part]) if part in machines else None
                if m:
                    rows.append((k, at + 0.22 * (k - 1), m[0], m[1] or m[0], m[2] or m[0]))
        text.append(f"groups{i} = {len(groups)}\n")
        block(f"family{i}", [(at, f"{title} ({len(group)})") for at, (title, group) in enumerate(groups)])
        block(f"headroom{i}", rows or [(0, 0, 1, 1, 1)])
        a = answers.get(gpu)
        points = sorted((p for p in (a["points"] if a else []) if "rf_energy" in p["lo"] and p["mechs"]), key=lambda p: p["mean"]["cycles"])
        text.append(f"mechs{i} = {max(1, len(points))}\n")
        block(f"front{i}", [(at, *(p[k][g] for g in ("cycles", "rf_energy") for k in ("mean", "lo", "hi")), 1 if p["state"] == "front" else 0, ",".join(p["mechs"]))
                            for at, p in enumerate(points)] or [(0, 1, 1, 1, 1, 1, 1, 0, "not run")])
    block("tiles", [(name, *t["b"], *t["pj"]) for name, t in tiles.items() if name != "sgemm"] or [("none", *(0,) * 8)])
    gp = os.path.join(os.path.dirname(os.path.abspath(__file__)), "figures.gp")
    with open(gp, encoding="utf-8") as f:
        text.append(f.read())
    try:
        done = subprocess.run(["gnuplot", "-"], input="".join(text), text=True, cwd=folder, check=False, capture_output=True)
    except OSError:
        print("answers: no gnuplot here: the figures are as they were")
        return
    if done.returncode != 0:
        print("answers: gnuplot:", done.stderr.strip())


def write(out_path, db, answers, traces, instead, family, specs):
    model = next((a["model"] for a in answers.values()), None) or \
        sqlite3.connect(db).execute("SELECT model FROM run GROUP BY model ORDER BY count(*) DESC").fetchone()[0]
    d, names = Data(db, model), Names(traces, family)
    # Programs of a preset: those that (a) has. Twins of section (c) have no run without limits.
    programs = {gpu: [p for p in d.programs(gpu) if any((p, gpu, "base", o) in d.rows for o in d.unlimited(gpu).values())] for gpu in PRESETS}
    body = []
    headroom(body, d, names, programs)
    front(body, answers, names)
    count = conclusions(body, d, names, programs)
    compilers(body, d, names, programs)
    tiles = products(body, d)
    trace_back(body, d, names, programs, answers, tiles)
    first = summary(d, names, programs, answers, count, tiles)
    limits(body, d, instead, names)
    draw(out_path, d, names, programs, answers, tiles)
    sass = sum(names.is_sass(p) for p in programs["hopper"])
    head = ["# How should today's GPU store and move its operands?\n",
            f"Made by `make answers` from one database of one model (`{d.model}`, version {', '.join(d.versions())}); the specifications of `{specs}` have the programs, machines and options that were run, and "
            f"nothing else was. On `hopper` {sass} of {len(programs['hopper'])} programs are NVIDIA's machine code, built by nvcc; {sum(names.family(p) == 'public' for p in programs['hopper'])} are public ones "
            "(HeCBench, CUDA samples, PolyBench). Runs that are missing are named in their place. Below 1 is less: faster, or less energy, or smaller.\n"]
    with open(out_path, "w", encoding="utf-8") as f:
        f.write("\n".join(head + first + body) + "\n")
