# SPDX-License-Identifier: Apache-2.0
"""Bankshot from Python: the command line runs, its JSON and its database become data frames.

    import bankshot
    r = bankshot.run("sgemm:small", gpu="volta", mechs="rba", interval=1000)
    r.kernel_cycles, r.counters["sm.bank_conflict"], r.intervals
    bankshot.compare(["sgemm:small", "bfs:small"], gpu="volta", mechs=["base", "rba"], db="results.db")
    bankshot.Database("results.db").speedups()
"""
from .command import BankshotError, program
from .database import Database
from .runs import Corun, Exploration, Result, compare, corun, explore, profile, record, run, sweep

__all__ = ["BankshotError", "Corun", "Database", "Exploration", "Result", "compare", "corun", "explore", "profile", "program", "record",
           "run", "sweep"]
