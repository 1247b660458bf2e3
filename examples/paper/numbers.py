"""numbers.tex: macros for the numbers of paper.tex, and the table of the front, from what `bankshot explore --json` wrote."""
import json
import sys


def tex(text):
    return text.replace("\\", "").replace("_", r"\_").replace("->", r"$\rightarrow$").replace("%", r"\%").replace("&", r"\&").replace("#", r"\#")


def mean(row, goal):
    """0.95 [0.91, 0.99], and an equals sign where there is no difference."""
    if goal not in row["mean"]:
        return "--"
    if goal not in row["lo"]:
        return f"{row['mean'][goal]:.3f}"
    same = row["lo"][goal] <= 1 <= row["hi"][goal]
    return f"{row['mean'][goal]:.3f} [{row['lo'][goal]:.3f}, {row['hi'][goal]:.3f}]" + (" $=$" if same else "")


def name(point):
    words = [",".join(point["mechs"]) or "base"] + [f"{k}={v}" for k, v in point["set"].items()]
    return r"\texttt{" + tex(" ".join(words)) + "}"


def macro(key, value):
    print(f"\\newcommand{{\\{key}}}{{{value}}}")


def main():
    with open(sys.argv[1], encoding="utf-8") as f:
        a = json.load(f)
    macro("Gpu", tex(a["gpu"]))
    macro("Points", len(a["points"]))
    macro("Programs", len(a["programs"]))
    macro("ProgramNames", ", ".join(tex(p["workload"]) for p in a["programs"]))
    macro("WholeRuns", a["whole_runs"])
    macro("Model", tex(a["model"]))
    macro("FrontPoints", len(a["front"]))
    best = a["points"][a["best"]["cycles"]]
    macro("Fastest", name(best))
    macro("FastestCycles", mean(best, "cycles"))
    for e in a["effects"]:
        if e["change"] == "rba":
            macro("RbaCycles", mean(e, "cycles"))
            macro("RbaEnergy", mean(e, "rf_energy"))
    spoil = [e for e in a["pairs"] if "rba" in (e["change"], e["with"]) and "cycles" in e["mean"]]
    macro("RbaPairs", "; ".join(f"{tex(e['with'] if e['change'] == 'rba' else e['change'])}: {mean(e, 'cycles')}" for e in spoil) or "none")
    rows = [" & ".join([name(a["points"][i])] + [mean(a["points"][i], g) for g in a["goals"]]) + r" \\" for i in a["front"]]
    macro("FrontTable", r"\begin{tabular}{l" + "l" * len(a["goals"]) + r"}\hline machine & " + " & ".join(tex(g) for g in a["goals"]) + r" \\ \hline " +
          " ".join(rows) + r" \hline\end{tabular}")


if __name__ == "__main__":
    main()
