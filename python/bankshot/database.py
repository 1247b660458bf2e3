# SPDX-License-Identifier: Apache-2.0
"""A results database (docs/results.md) as data frames. It is only read."""
import os
import sqlite3

import pandas as pd

from .command import BankshotError

POINT = ["workload", "size", "max_regs", "code_order", "gpu", "mechs", "options"]


class Database:
    """results.db of `compare`, `sweep` and `repro`. Usable in a with statement."""

    def __init__(self, path):
        if not os.path.exists(path):
            raise BankshotError(2, f"{path}: there is no such database")
        self.path = path
        self._db = sqlite3.connect(f"file:{os.path.abspath(path)}?mode=ro", uri=True)
        try:
            self._db.execute("SELECT 1 FROM result LIMIT 1")
        except sqlite3.Error as e:
            self._db.close()
            raise BankshotError(2, f"{path} is no results database: {e}") from e

    def close(self):
        self._db.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def query(self, sql, params=()):
        """Any query; tables and views are in docs/results.md."""
        return pd.read_sql_query(sql, self._db, params=params)

    def results(self):
        """A row for each point: cycles, IPC, energy."""
        return self.query("SELECT * FROM result ORDER BY point")

    def speedups(self, by="kernel_cycles"):
        """A row for each point whose base is there. by: kernel_cycles, or cycles for those of the program."""
        column = {"kernel_cycles": "speedup", "cycles": "program_speedup"}[by]
        return self.query(f"SELECT {', '.join(POINT)}, kernel_cycles, cycles, {column} AS speedup, energy_ratio FROM speedup ORDER BY point")

    def counters(self, *names):
        """A row for each point, a column for each counter; all of them where none is named."""
        marks = ", ".join("?" * len(names))
        rows = self.query(f"""SELECT r.point, {', '.join('r.' + p for p in POINT)}, c.name, c.value FROM result r JOIN counter c USING (run)
            {f'WHERE c.name IN ({marks})' if names else ''}""", names)
        missing = [n for n in names if n not in set(rows["name"])]
        if missing:
            raise KeyError(f"no counter {', '.join(missing)} in {self.path} (bankshot list stats)")
        wide = rows.pivot(index=["point", *POINT], columns="name", values="value").reset_index()
        wide.columns.name = None
        return wide

    def stalls(self):
        """A row for each point, a column for each cause: shares of the scheduler cycles, which add up to 1."""
        rows = self.query("SELECT * FROM stall")
        wide = rows.pivot(index=["point", *POINT], columns="cause", values="share").reset_index()
        wide.columns.name = None
        return wide

    def over_time(self, name):
        """What a counter grew by, a row for each interval of every point whose run has them (`compare(..., interval=N)`)."""
        return self.query(f"""SELECT r.point, {', '.join('r.' + p for p in POINT)}, o.start, o.end, o.value FROM result r
            JOIN over_time o USING (run) WHERE o.name = ? ORDER BY r.point, o.step""", (name,))

    def ratios(self):
        """IPC per SM, hit rates, conflicts per instruction and the like."""
        return self.query("SELECT * FROM ratio")

    def claims(self):
        """The papers' claims, as `repro` last answered them."""
        return self.query("SELECT * FROM claim")
