# SPDX-License-Identifier: Apache-2.0
"""The package over a real program, which the environment variable BANKSHOT names (tests/python)."""
import os
import tempfile
import unittest

import pandas as pd

import bankshot


class Runs(unittest.TestCase):
    def test_run(self):
        r = bankshot.run("bank2:small", gpu="volta", mechs="rba", options={"gpu.sms": 4}, check=True)
        self.assertEqual(r.options["gpu.sms"], 4)
        self.assertEqual(r.options["sm.wsched"], "rba")
        self.assertEqual(r.counters["sm.warp_insts"], r.kernels["warp_insts"].sum())
        self.assertAlmostEqual(r.ipc, r.counters["sm.warp_insts"] / r.kernel_cycles)
        self.assertAlmostEqual(r.energy.sum() / r.energy_pj, 1)
        self.assertGreater(r.cycles, r.kernel_cycles)
        self.assertIsNone(r.intervals)
        self.assertIn("bank2 on volta", repr(r))

    def test_same_as_on_two_threads(self):
        one, two = (bankshot.run("bank2:small", threads=n) for n in (1, 2))
        self.assertTrue(one.counters.equals(two.counters))

    def test_intervals(self):
        r = bankshot.run("bank2:small", interval=1000)
        self.assertTrue((r.intervals["from"].iloc[1:].values == r.intervals["to"].iloc[:-1].values).all())
        for name in ("sm.warp_insts", "sm.bank_conflict", "sm.stall_bank"):
            self.assertEqual(r.intervals[name].sum(), r.counters[name])

    def test_options(self):
        r = bankshot.run("bank2:small", mechs=["cu4", "shuffle"], options={"sm.sleep": False})
        self.assertEqual(r.answer["mechs"], ["cu4", "shuffle"])
        self.assertEqual(r.answer["set"], {"sm.sleep": False})

    def test_profile(self):
        rows = bankshot.profile("bank2:small")
        r = bankshot.run("bank2:small")
        self.assertEqual(rows["issued"].sum(), r.counters["sm.issued"])
        self.assertEqual(rows["kernel"].isna().sum(), 1)

    def test_corun(self):
        r = bankshot.corun(["bank2:small", "hotspot:small"], share="spatial")
        self.assertEqual(len(r.programs), 2)
        self.assertGreater(r.cycles, 0)
        self.assertEqual(r.counters["sm.thread_insts"], sum(r.programs["thread_insts"]))

    def test_record(self):
        with tempfile.TemporaryDirectory() as folder:
            source, app, trace = (os.path.join(folder, n) for n in ("k.cu", "k", "k.bst"))
            with open(source, "w", encoding="utf-8") as f:
                f.write("__global__ void k(int *p) { p[threadIdx.x] = 1; }\n"
                        "int main() { int *p; cudaMalloc(&p, 128); k<<<1, 32>>>(p); return cudaDeviceSynchronize(); }\n")
            bankshot.command.call("cc", source, "-o", app)
            self.assertEqual(bankshot.record(app, out=trace), trace)
            self.assertEqual(bankshot.run(trace).kernels["warp_insts"].sum(), bankshot.run(trace).counters["sm.warp_insts"])
            with self.assertRaises(bankshot.BankshotError):
                bankshot.record("/bin/true", out=os.path.join(folder, "none.bst"))

    def test_mistakes(self):
        for words, text in (
            (dict(workload="bank22:small"), "bank2"),
            (dict(workload="bank2:small", gpu="volt"), "did you mean 'volta'"),
            (dict(workload="bank2:small", mechs="nothing"), "unknown mechanism"),
            (dict(workload="bank2:small", options={"sm.collectors": -1}), "sm.collectors"),
        ):
            with self.assertRaises(bankshot.BankshotError) as e:
                bankshot.run(**words)
            self.assertEqual(e.exception.status, 2)
            self.assertIn(text, str(e.exception))

    def test_no_program(self):
        before = os.environ["BANKSHOT"]
        try:
            os.environ["BANKSHOT"] = "/nowhere/bankshot"
            with self.assertRaises(bankshot.BankshotError) as e:
                bankshot.run("bank2:small")
            self.assertIn("/nowhere/bankshot", str(e.exception))
        finally:
            os.environ["BANKSHOT"] = before


class Databases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.path = os.path.join(cls.folder.name, "results.db")
        cls.compared = bankshot.compare(["bank2:small", "bank4:small"], ["base", "rba", ["shuffle", "rba"]], gpu="volta20", db=cls.path, interval=500)
        cls.db = bankshot.Database(cls.path)

    @classmethod
    def tearDownClass(cls):
        cls.db.close()
        cls.folder.cleanup()

    def test_compare(self):
        rows = self.compared
        self.assertEqual(len(rows), 6)
        self.assertEqual(list(rows["mechs"].unique()), ["base", "rba", "shuffle,rba"])
        base = rows[rows["mechs"] == "base"].set_index("workload")["kernel_cycles"]
        for _, row in rows.iterrows():
            self.assertAlmostEqual(row["speedup"], base[row["workload"]] / row["kernel_cycles"])

    def test_speedups_are_those_of_compare(self):
        told = self.db.speedups().set_index(["workload", "mechs"])["speedup"]
        for _, row in self.compared.iterrows():
            self.assertAlmostEqual(told[(row["workload"], row["mechs"])], row["speedup"])

    def test_counters(self):
        some = self.db.counters("sm.warp_insts", "sm.bank_conflict")
        self.assertEqual(len(some), 6)
        results = self.db.results().set_index("point")
        self.assertTrue((some.set_index("point")["sm.warp_insts"] == results["warp_insts"]).all())
        self.assertGreater(self.db.counters().shape[1], 100)
        with self.assertRaises(KeyError):
            self.db.counters("sm.nothing")

    def test_stalls_add_up(self):
        stalls = self.db.stalls()
        shares = stalls[[c for c in stalls.columns if c == "issued" or c.startswith("stall_")]]
        for total in shares.sum(axis=1):
            self.assertAlmostEqual(total, 1)

    def test_over_time(self):
        rows = self.db.over_time("sm.warp_insts")
        results = self.db.results().set_index("point")
        self.assertTrue((rows.groupby("point")["value"].sum() == results["warp_insts"]).all())
        self.assertTrue((rows.groupby("point")["end"].max() == results["cycles"]).all())
        self.assertTrue(self.db.over_time("sm.nothing").empty)

    def test_ratios_and_claims(self):
        self.assertEqual(len(self.db.ratios()), 6)
        self.assertTrue(self.db.claims().empty)

    def test_sweep(self):
        spec = {"banks": {"workloads": "bank2", "sizes": "small", "gpus": ["volta20"], "sm.banks": [2, 4], "mechs": ["base", "rba"]}}
        rows = bankshot.sweep(spec, self.path)
        self.assertEqual(len(rows), 4)
        self.assertEqual(sorted(rows["sm.banks"].dropna().unique())[-1], 4)
        again = bankshot.sweep(spec, self.path)
        pd.testing.assert_frame_equal(rows, again)

    def test_explore(self):
        spec = {"explore": {"goals": ["cycles", "area"]},
                "space": {"workloads": ["bank2", "sgemm"], "sizes": "small", "gpus": "volta20", "mechs": ["base", "rba"], "sm.banks": [2, 4]}}
        found = bankshot.explore(spec, os.path.join(self.folder.name, "explored.db"))
        self.assertEqual((len(found.points), found.whole_runs, found.estimates), (4, 8, 0))
        self.assertEqual(found.front["cycles"].min(), found.points["cycles"].min())
        self.assertEqual(found.points.loc[0, "cycles"], 1)
        self.assertEqual(set(found.effects["change"]), {"rba", "sm.banks 2 -> 4"})
        self.assertIn("4 points", repr(found))

    def test_sweep_of_a_file(self):
        path = os.path.join(self.folder.name, "spec.ini")
        with open(path, "w", encoding="utf-8") as f:
            f.write("[one]\nworkloads = bank2\ngpus = volta20\nmechs = base rba\n")
        self.assertEqual(len(bankshot.sweep(path, self.path, size="small")), 2)

    def test_only_read(self):
        with self.assertRaises(Exception):
            self.db.query("DELETE FROM run")

    def test_no_database(self):
        with self.assertRaises(bankshot.BankshotError):
            bankshot.Database(os.path.join(self.folder.name, "nothing.db"))
        with self.assertRaises(bankshot.BankshotError):
            bankshot.Database(__file__)


if __name__ == "__main__":
    unittest.main()
