# SPDX-License-Identifier: Apache-2.0
"""numbers.tex: macros for the numbers and tables of paper.tex, from what `bankshot explore --json` wrote."""
import json
import sys


def tex(text):
    return text.replace("\\", "").replace("_", r"\_").replace("->", r"$\rightarrow$").replace("%", r"\%").replace("&", r"\&").replace("#", r"\#")


def is_same(row, goal):
    return goal in row["lo"] and row["lo"][goal] <= 1 <= row["hi"][goal]


def mean(row, goal):
    """0.95 [0.91, 0.99], and an equals sign where there is no difference."""
    if goal not in row["mean"]:
        return "--"
    if goal not in row["lo"]:
        return f"{row['mean'][goal]:.3f}"
    return f"{row['mean'][goal]:.3f} [{row['lo'][goal]:.3f}, {row['hi'][goal]:.3f}]" + (" $=$" if is_same(row, goal) else "")


def name(point):
    words = [",".join(point["mechs"]) or "base"] + [f"{k}={v}" for k, v in point["set"].items()]
    return r"\texttt{" + tex(" ".join(words)) + "}"


def macro(key, value):
    print(f"\\newcommand{{\\{key}}}{{{value}}}")


def table(first, goals, rows):
    return (r"\begin{tabular}{l" + "l" * len(goals) + r"}\hline " + first + " & " + " & ".join(tex(g) for g in goals) + r" \\ \hline " +
            " ".join(f"{title} & {' & '.join(mean(row, g) for g in goals)} " + r"\\" for title, row in rows) + r" \hline\end{tabular}")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        a = json.load(f)
    goals = a["goals"]
    macro("Gpu", tex(a["gpu"]))
    macro("Points", len(a["points"]))
    macro("Programs", len(a["programs"]))
    macro("ProgramNames", ", ".join(tex(p["workload"]) for p in a["programs"]))
    macro("WholeRuns", a["whole_runs"])
    macro("Estimates", a["estimates"])
    macro("Model", tex(a["model"]))
    macro("Spec", tex(a["spec"].split("/")[-1]))
    macro("Goals", ", ".join(tex(g) for g in goals))
    macro("FrontPoints", len(a["front"]))
    best = [(g, a["points"][a["best"][g]]) for g in goals if g in a["best"] and g != "area"]
    macro("Best", "The " + "; the ".join(f"least {tex(g)}: {name(p)}, {mean(p, g)}" for g, p in best))
    macro("FrontTable", table("machine", goals, [(name(a["points"][i]), a["points"][i]) for i in a["front"]]))
    effects = sorted(a["effects"], key=lambda e: e["mean"].get(goals[0], 9))
    macro("EffectsTable", table("change", goals, [(r"\texttt{" + tex(e["change"]) + "}", e) for e in effects]))
    macro("EffectsOf", "whole runs" if a["effects_whole"] else "estimates")
    macro("Changes", len(effects))
    macro("NoDifference", sum(is_same(e, goals[0]) for e in effects))
    pairs = [e for e in a["pairs"] if goals[0] in e["lo"] and not is_same(e, goals[0])]
    macro("Pairs", "; ".join(rf"\texttt{{{tex(e['change'])}}} with \texttt{{{tex(e['with'])}}} {mean(e, goals[0])}" for e in pairs) or "none")
    macro("Deciders", ", ".join(tex(p["workload"]) for p in a["programs"] if p["comes"] or p["goes"] or p["best"]) or "none")


if __name__ == "__main__":
    main()
