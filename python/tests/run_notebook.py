# SPDX-License-Identifier: Apache-2.0
"""Executes the code cells of a notebook in order, as Jupyter would, without it; saves each figure. Usage: run_notebook.py FILE [FOLDER]"""
import json
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

with open(sys.argv[1], encoding="utf-8") as f:
    cells = json.load(f)["cells"]
names = {"__name__": "__main__"}
figures = 0
plt.show = lambda: None
for n, cell in enumerate(cells):
    if cell["cell_type"] == "code":
        exec(compile("".join(cell["source"]), f"{sys.argv[1]}, cell {n}", "exec"), names)
        for number in plt.get_fignums():
            figures += 1
            if len(sys.argv) > 2:
                plt.figure(number).savefig(f"{sys.argv[2]}/figure{figures}.png")
        plt.close("all")
print(f"{figures} figures")
