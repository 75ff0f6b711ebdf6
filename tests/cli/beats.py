# SPDX-License-Identifier: MIT
"""`periods` and `spikes` on the shipped recordings, the patterns, and their forms of output."""

import csv
import io
import json
import os
import re
import subprocess
import unittest

import case
import tap
from tap import EXAMPLES, flamebeat

SCENE = os.environ.get("FLAMEBEAT_SCENE")


def example(name):
    return os.path.join(EXAMPLES, name + ".perf.gz")


class Beats(case.Case):
    def scene(self, name, seed=1):
        if not SCENE:
            self.skipTest("no FLAMEBEAT_SCENE")
        path = os.path.join(self.folder, f"{name}-{seed}.perf")
        if not os.path.exists(path):
            with open(path, "wb") as file:
                subprocess.run([SCENE, name, str(seed)], stdout=file, check=True)
        return path

    def periods(self, *args):
        return json.loads(self.ok("periods", "--json", *args))

    def spikes(self, *args):
        return json.loads(self.ok("spikes", "--json", *args))


class Examples(Beats):
    def test_heartbeat(self):
        first = self.periods(example("heartbeat"))["periods"][0]
        self.assertAlmostEqual(first["period_ns"] / 1e9, 0.7, delta=0.001)
        self.assertEqual(first["pool"], "worker")
        self.assertIn(first["function"], ("worker_loop", "spike", "scrub_page", "checksum_block"))
        self.assertAlmostEqual(first["duty"] * 0.7, 0.05, delta=0.02)
        self.assertEqual((first["cpus"], first["threads"]), (1, 1))

    def test_burst(self):
        first = self.periods(example("burst"))["periods"][0]
        self.assertAlmostEqual(first["period_ns"] / 1e9, 5, delta=0.01)
        self.assertEqual(first["pool"], "flusher/N")
        self.assertIn(first["function"], ("burst_loop", "flush_metrics", "aggregate_metrics"))
        self.assertEqual((first["cpus"], first["threads"]), (2, 2))
        spikes = self.spikes(example("burst"))
        self.assertAlmostEqual(spikes["median_gap_ns"] / 1e9, 5, delta=0.1)
        flushes = [s for s in spikes["spikes"] if s["pool"] == "flusher/N"]
        self.assertEqual([round(s["start_ns"] / 1e9, 1) for s in flushes],
                         [2.9 + 5 * i for i in range(12)])

    def test_server(self):
        spikes = self.spikes(example("server"))["spikes"]
        self.assertEqual([round(s["start_ns"] / 1e8) for s in spikes], [4, 44, 84, 124, 164])
        for spike in spikes:
            self.assertEqual((spike["pool"], spike["cpus"], spike["threads"]), ("server", 2, 4))
        self.assertAlmostEqual(self.periods(example("server"))["periods"][0]["period_ns"] / 1e9, 4,
                               delta=0.02)

    def test_what_spikes_leave_is_no_drop(self):
        for name in ("heartbeat", "burst"):
            self.assertEqual(self.spikes(example(name), "--kind", "drop")["spikes"], [])
        drops = self.spikes(example("server"), "--kind", "drop")["spikes"]
        self.assertEqual(len(drops), 1)  # until the first requests come
        self.assertLess(drops[0]["end_ns"], 400_000_000)

    def test_busy_has_other_code_at_the_same_load(self):
        """The twelve windows of examples/README.md, which no count of samples shows."""
        begins = (4.78, 12.25, 16.60, 22.98, 28.55, 32.57, 40.03, 43.29, 46.31, 50.98, 55.64, 58.89)
        spikes = self.spikes(example("busy"), "--kind", "mix")["spikes"]
        self.assertEqual(len(spikes), len(begins))
        for begin, spike in zip(begins, spikes):
            self.assertAlmostEqual(spike["start_ns"] / 1e9, begin, delta=0.021)
            self.assertAlmostEqual((spike["end_ns"] - spike["start_ns"]) / 1e9, 0.2, delta=0.021)
            self.assertIn(spike["function"], ("rebuild_index", "sort_postings", "merge_runs"))
        self.assertEqual(self.spikes(example("busy"))["spikes"], [])
        self.assertEqual(self.periods(example("busy"))["periods"], [])


class Patterns(Beats):
    """brendangregg.com/blog/2018-11-08/flamescope-pattern-recognition.html"""

    PERIODS = {1: 1, 2: 0.5, 3: 1, 4: 1.02, 5: 0.52, 6: 1.08, 7: 1.01, 8: 5, 9: None, 10: None,
               11: None, 12: None, 13: None, 14: 30, 15: None, 16: None, 17: None}

    def test_periods(self):
        for number, period in self.PERIODS.items():
            with self.subTest(pattern=number):
                found = self.periods(self.scene(f"pattern-{number}"))["periods"]
                self.assertEqual(bool(found), period is not None, found)
                for row in found:
                    self.assertAlmostEqual(row["period_ns"] / 1e9, period, delta=period / 200)
                if found and number not in (3, 14):
                    self.assertEqual((found[0]["pool"], found[0]["function"]), ("lone", "work"))

    def test_two_threads_are_two_rows(self):
        found = self.periods(self.scene("pattern-3"))["periods"]
        self.assertEqual(sorted(row["pool"] for row in found), ["one", "two"])

    def test_load_has_no_spikes(self):
        for number in (9, 10, 11, 12):
            for kind in ("load", "drop", "mix"):
                found = self.spikes(self.scene(f"pattern-{number}"), "--kind", kind)["spikes"]
                self.assertEqual(found, [], (number, kind))

    def test_every_cpu_perturbed(self):
        spike, = self.spikes(self.scene("pattern-15"))["spikes"]
        self.assertEqual(spike["range"], "23.4..23.7")
        self.assertEqual((spike["pool"], spike["function"]), ("GC Thread#N", "collect"))
        self.assertEqual((spike["cpus"], spike["threads"]), (4, 4))

    def test_blocking_is_a_drop(self):
        for number in (16, 17):
            drop, = self.spikes(self.scene(f"pattern-{number}"), "--kind", "drop")["spikes"]
            self.assertAlmostEqual(drop["start_ns"] / 1e9, 31.2, delta=0.03)
            self.assertAlmostEqual(drop["end_ns"] / 1e9, 31.7, delta=0.03)
            self.assertLess(drop["excess_samples"], -60)
            self.assertEqual(drop["pool"], "server")

    def test_collection_is_one_spike(self):
        """Eight threads at once while the others stop: one spike, and named after them."""
        spikes = self.spikes(self.scene("gc"))["spikes"]
        self.assertEqual(len(spikes), 15)
        for spike in spikes:
            self.assertEqual(spike["pool"], "server:GC Thread#N")
            self.assertEqual(spike["process"], "server")
            self.assertEqual(spike["function"], "evacuate")
            self.assertEqual((spike["cpus"], spike["threads"]), (8, 8))


class Clocks(Beats):
    def test_a_beat_of_the_sampling_clock_is_said(self):
        """100 Hz work, sampled 99 times a second, seems to come once a second."""
        path = self.scene("alias")
        result = flamebeat("periods", path, "--json")
        row, = json.loads(result.stdout)["periods"]
        self.assertAlmostEqual(row["period_ns"] / 1e9, 1, delta=0.01)
        self.assertEqual(row["alias_hz"], 100)
        self.assertIn(b"may be a beat of the sampling clock: work of 100 Hz", result.stderr)

    def test_several_cpus_tell_what_is_real(self):
        result = flamebeat("periods", self.scene("second"), "--json")
        row, = json.loads(result.stdout)["periods"]
        self.assertAlmostEqual(row["period_ns"] / 1e9, 1, delta=0.001)
        self.assertIsNone(row["alias_hz"])
        self.assertNotIn(b"sampling clock", result.stderr)

    def test_holes_are_not_quiet(self):
        self.assertEqual(self.periods(self.scene("holes"))["periods"], [])
        for kind in ("load", "drop"):
            self.assertEqual(self.spikes(self.scene("holes"), "--kind", kind)["spikes"], [], kind)

    def test_losses_are_said(self):
        with open(self.scene("second"), "rb") as file:
            text = file.read() + b"every 1/1 [000] 1060.000000: PERF_RECORD_LOST lost 5\n"
        result = flamebeat("periods", "-", stdin=text)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"perf lost 5 samples", result.stderr)


class Forms(Beats):
    def check_ranges(self, path, *filters, chosen=()):
        """What a row says is in its range is what the range yields."""
        for kind in ("load", "drop", "mix"):
            for spike in self.spikes(path, "--kind", kind, *filters, *chosen)["spikes"]:
                top = json.loads(self.ok("top", path, "--json", "--range", spike["range"],
                                         *filters))
                self.assertEqual(top["samples"], spike["samples"], (kind, spike["range"]))

    def test_every_range_yields_its_count(self):
        self.check_ranges(example("burst"))
        self.check_ranges(example("busy"))
        self.check_ranges(example("server"), "--process", "server", "--cpu", "0")
        self.check_ranges(example("heartbeat"), "--zero", "first",
                          chosen=("--range", "3.003..3.73", "--range", "4.4..20"))

    def test_period_selects_what_it_counts(self):
        first = self.periods(example("heartbeat"))["periods"][0]
        args = ("--every", first["every"], "--phase", first["phase_range"])
        top = json.loads(self.ok("top", example("heartbeat"), "--json", "--by", "pool", *args))
        self.assertGreater(top["rows"][0]["self"], 350)
        self.assertEqual(top["rows"][0]["name"], "worker")

    def test_csv_has_what_json_has(self):
        for command, key in (("spikes", "spikes"), ("periods", "periods")):
            rows = json.loads(self.ok(command, example("burst"), "--json"))[key]
            table = list(csv.DictReader(io.StringIO(
                self.ok(command, example("burst"), "--csv").decode())))
            self.assertEqual(len(table), len(rows))
            for line, row in zip(table, rows):
                for name in line:
                    self.assertIn(name, row)
                self.assertEqual((line["pool"], line["function"]), (row["pool"], row["function"]))

    def test_text(self):
        text = self.ok("spikes", example("heartbeat")).decode()
        rows = [line for line in text.splitlines() if re.match(r"\d+(\.\d+)?\.\.\d", line)]
        self.assertEqual(len(rows), 20)
        self.assertIn("the 20 largest", text)
        self.assertRegex(text, r"median gap \d+ ms, jitter .*, \d+ missed beat")
        every = self.ok("spikes", example("heartbeat"), "--limit", "0").decode()
        self.assertGreater(len(every.splitlines()), len(text.splitlines()))
        self.assertIn("--every 0.7", self.ok("periods", example("heartbeat")).decode())

    def test_order_and_limits(self):
        path = example("burst")
        rows = self.ok("spikes", path, "--csv", "--sort", "excess").decode().splitlines()[1:]
        excess = [float(row.split(",")[4]) for row in rows]
        self.assertEqual(excess, sorted(excess, reverse=True))
        everything = self.spikes(path)["spikes"]
        self.assertEqual([s["start_ns"] for s in everything],
                         sorted(s["start_ns"] for s in everything))
        large = self.spikes(path, "--min-excess", "15")["spikes"]
        self.assertEqual([s["range"] for s in large],
                         [s["range"] for s in everything if s["excess_samples"] >= 15])
        long = self.spikes(path, "--min-length", "100ms")["spikes"]
        self.assertEqual([s["range"] for s in long],
                         [s["range"] for s in everything
                          if s["end_ns"] - s["start_ns"] >= 100_000_000])
        self.assertEqual(len(self.spikes(path, "--max-length", "100ms")["spikes"]), 12)

    def test_filters(self):
        rows = self.periods(example("heartbeat"), "--comm", "logger")["periods"]
        self.assertAlmostEqual(rows[0]["period_ns"] / 1e9, 0.131, delta=0.001)
        self.assertEqual(self.spikes(example("burst"), "--comm", "^collector$")["spikes"], [])

    def test_bounds(self):
        rows = self.periods(example("heartbeat"), "--min-period", "0.2", "--max-period", "1")
        self.assertEqual((rows["min_period_ns"], rows["max_period_ns"]), (200_000_000, 10**9))
        self.notes("a third of the covered time", "periods", example("heartbeat"),
                   "--max-period", "1h")
        self.fails(2, "not less than", "periods", example("heartbeat"), "--min-period", "2",
                   "--max-period", "1")
        self.fails(2, "--min-period: must be 1ms", "periods", example("heartbeat"),
                   "--min-period", "10us")
        self.fails(2, "--kind", "spikes", example("heartbeat"), "--kind", "noise")

    def test_little_or_no_time(self):
        few = b"a 1/1 [000] 5.000000: 1 cycles: \n\t 1 f (x)\n\n"
        for command in ("periods", "spikes"):
            result = json.loads(self.ok(command, "-", "--json", stdin=few))
            self.assertEqual(result["samples"], 1)
            self.fails(1, "no timestamps", command, "-", stdin=b"a;b 3\n")
            self.notes("no samples in the chosen time", command, "-", "--range", "0.5..0.6",
                       stdin=few)

    def test_same_bytes_of_a_store(self):
        store = os.path.join(self.folder, "burst.beat")
        self.ok("ingest", example("burst"), "-o", store)
        for command in ("periods", "spikes"):
            self.assertEqual(self.ok(command, store, "--json"),
                             self.ok(command, example("burst"), "--json"))


if __name__ == "__main__":
    tap.main()
