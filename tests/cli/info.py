# SPDX-License-Identifier: MIT
"""What `info` tells: of the whole, of what filters leave, and how good the recording is."""

import json

import case
import generate
import tap
from generate import NS

# What is told of the samples themselves.
OF_SAMPLES = ("samples", "untimed_samples", "frames", "start_ns", "end_ns", "cpus", "cpu_list",
              "threads", "comms", "idle_samples", "stack_nodes", "distinct_frames", "quality",
              "top", "has_call_chains")
# What stays that of the whole recording.
OF_READING = ("zero_ns", "header", "lines", "text_bytes", "lost", "skipped_lines", "section_bytes",
              "silence_is_ambiguous", "idle_presumed", "format")


class Filtered(case.Case):
    """A filter leaves some of the samples: what is told is told of a recording of just those."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.samples = generate.samples_of(31, n=400, n_events=2)
        cls.recording = cls.write("whole.perf", cls.samples)
        cls.zero = cls.samples[0].time // NS

    @classmethod
    def write(cls, name, samples):
        path = f"{cls.folder}/{name}"
        with open(path, "wb") as file:
            file.write(generate.text_of(samples))
        return path

    def info(self, *args):
        return json.loads(self.ok("info", "--json", *args))

    def check(self, options, chosen):
        rest = [sample for sample in self.samples if chosen(sample)]
        self.assertTrue(0 < len(rest) < len(self.samples), options)
        filtered, alone = self.info(*options, self.recording), self.info(self.write("x", rest))
        whole = self.info(self.recording)
        for key in OF_SAMPLES:
            self.assertEqual(filtered[key], alone[key], (options, key))
        for key in OF_READING:
            self.assertEqual(filtered[key], whole[key], (options, key))
        for one, other in zip(filtered["events"], alone["events"], strict=True):
            self.assertEqual({**one, "rate_hz": 0}, {**other, "rate_hz": 0})
            self.assertAlmostEqual(one["rate_hz"] * filtered["covered_ns"],
                                   one["samples"] * NS, delta=NS)
        self.assertEqual((filtered["is_filtered"], filtered["samples_in_all"]),
                         (True, len(self.samples)))

    def test_filters(self):
        events = [sample.event.decode() for sample in self.samples]
        every = ("--event", "all", "--idle", "keep")
        begin, end = (self.zero + 1) * NS, (self.zero + 2) * NS
        tid = next(sample.tid for sample in self.samples if sample.tid)
        for options, chosen in (
                (every + ("--range", "1..2"), lambda s: begin <= s.time < end),
                (every + ("--cpu", "1"), lambda s: s.cpu == 1),
                (every + ("--tid", tid), lambda s: s.tid == tid),
                (every + ("--comm", "^swapper$"), lambda s: s.comm == b"swapper"),
                (("--event", "all", "--idle", "drop"), lambda s: not s.is_idle),
                (("--event", "all", "--idle", "only"), lambda s: s.is_idle),
                (("--event", events[0], "--idle", "keep"), lambda s: s.event.decode() == events[0]),
                (("--cpu", "0-1"), lambda s: s.event.decode() == events[0] and not s.is_idle and
                 s.cpu < 2)):
            with self.subTest(options=options):
                self.check(tuple(map(str, options)), chosen)

    def test_nothing_left(self):
        where = ("--tid", "99999", self.recording)
        info = json.loads(self.notes("no sample passes", "info", "--json", *where))
        self.assertEqual((info["samples"], info["events"], info["threads"], info["frames"]),
                         (0, [], 0, 0))
        text = self.notes("no sample passes", "info", *where).decode()
        self.assertRegex(text, r"samples +0 of 400 pass the filters")
        self.assertNotIn("short stacks", text)

    def test_text(self):
        text = self.ok("info", "--event", "all", "--idle", "keep", "--cpu", "2",
                       self.recording).decode()
        n = sum(sample.cpu == 2 for sample in self.samples)
        self.assertRegex(text, rf"samples +{n} of 400 pass the filters")
        self.assertRegex(text, r"CPUs seen +1 \(2\)\n")


def record(time, period=250_000, comm="a", tid=7, frames=("f (/bin/x)",), event="cycles"):
    lines = [f"{comm} {tid} [000] {time:.6f}: {period} {event}: "]
    lines += [f"\t            1234 {frame}" for frame in frames]
    return "\n".join(lines) + "\n\n"


class Told(case.Case):
    def info(self, text):
        path = self.path("a.perf", text.encode())
        return json.loads(self.ok("info", "--json", path)), self.ok("info", path).decode()

    def test_rates(self):
        # 0 to 10 s, a hole of 6.5 s within: 3.5 s are covered.
        text = "".join(record(i / 100) for i in range(151)) + "".join(
            record(8 + i / 100) for i in range(201))
        info, shown = self.info(text)
        self.assertEqual(info["holes"], [{"start_ns": 1_500_000_000, "end_ns": 8_000_000_000}])
        self.assertEqual(info["covered_ns"], 3_500_000_000)
        self.assertAlmostEqual(info["events"][0]["rate_hz"], 352 / 3.5, places=3)
        self.assertIn("cycles: 352 samples, 100.6 a second, period 88,000,000\n", shown)
        self.assertRegex(shown, r"covered +3.5 s, 1 hole\n +1.5\.\.8\n")
        # Filters leave the coverage alone, --range cuts it.
        path = self.path("a.perf", text.encode())
        for options, covered, n_holes in ((("--tid", "7"), 3.5, 1), (("--range", "1..2"), 0.5, 1),
                                          (("--range", "0..1"), 1, 0)):
            info = json.loads(self.ok("info", "--json", *options, path))
            self.assertEqual((info["covered_ns"], len(info["holes"])), (covered * NS, n_holes))

    def test_periods_that_vary(self):
        def events(periods):
            return self.info("".join(record(i / 100, period)
                                     for i, period in enumerate(periods)))

        for periods, varies in (
                ([250_000] * 20, False), ([100, 399] * 10, False), ([100, 800] * 10, True),
                # A processor's ramp after idleness; one odd sample of many is none.
                ([1, 1, 6, 70, 915, 12387, 144643, 250000, 250000], True),
                ([1] + [250_000] * 40, False), ([0] * 10, False)):
            with self.subTest(periods=periods):
                info, shown = events(periods)
                event = info["events"][0]
                self.assertEqual(event["periods_vary"], varies)
                self.assertEqual("overstate what follows idleness" in shown, varies)
                if max(periods) > 0:
                    self.assertTrue(event["period_p5"] <= event["period_p95"] <= max(periods))
                    self.assertTrue(event["period_p95"] > max(periods) * 15 / 16)
                else:
                    self.assertIsNone(event["period_p5"])
        # Two events of different periods are two events.
        text = "".join(record(i / 100, 1000 ** (i % 2), event=("page-faults", "cycles")[i % 2])
                       for i in range(40))
        self.assertFalse(any(e["periods_vary"] for e in self.info(text)[0]["events"]))

    def test_silence(self):
        busy = record(1) + record(2)
        info, shown = self.info(busy)
        self.assertTrue(info["silence_is_ambiguous"])
        self.assertIn("no idle CPU was sampled", shown)
        info, shown = self.info(busy + record(3, comm="swapper", tid=0, frames=["do_idle (k)"]))
        self.assertFalse(info["silence_is_ambiguous"])
        self.assertNotIn("no idle CPU was sampled", shown)

    def test_call_chains(self):
        line = "a 7 [000] %d.000000:     250000 cycles:      7f33c2c00b70 f+0x0 (/bin/x)\n"
        info, shown = self.info(line % 1 + line % 2)
        self.assertFalse(info["has_call_chains"])
        self.assertIn("recorded without call chains; record with -g", shown)
        info, shown = self.info(record(1, frames=("f (/bin/x)", "main (/bin/x)")))
        self.assertTrue(info["has_call_chains"])
        self.assertNotIn("with -g", shown)

    def test_sizes(self):
        info, shown = self.info(record(1) + record(2))
        sizes = info["section_bytes"]
        line = next(line for line in shown.splitlines() if line.startswith("in the store"))
        self.assertIn(f"{sum(sizes.values()):,} bytes: ", line)
        for name, size in sizes.items():
            self.assertEqual(f"{name} {size:,}" in line, size > 0, name)

    def test_quality(self):
        text = (record(1, frames=("[unknown] (/usr/lib/libx.so)", "main (/bin/x)")) +
                record(2, frames=("[unknown] ([unknown])",)) +
                record(3, frames=("[unknown] (/tmp/perf-7.map)", "f (/bin/x)", "g (/bin/x)")) +
                record(4, frames=("[unknown] ([kernel.kallsyms])", "f (/bin/x)", "g (/bin/x)")))
        info, shown = self.info(text)
        rows = {row["dso"]: row for row in info["quality"]["unresolved"]}
        self.assertEqual({dso: (row["frames"], row["leaves"]) for dso, row in rows.items()},
                         {"/usr/lib/libx.so": (1, 1), "[unknown]": (1, 1),
                          "/tmp/perf-7.map": (1, 1), "[kernel.kallsyms]": (1, 1)})
        for dso, fix in (("/usr/lib/libx.so", "debug symbols"), ("[unknown]", "dwarf"),
                         ("/tmp/perf-7.map", "perf map"), ("[kernel.kallsyms]", "kptr_restrict")):
            self.assertIn(fix, rows[dso]["fix"])
            self.assertIn(rows[dso]["fix"], shown)
        self.assertAlmostEqual(info["quality"]["frames_unresolved_share"], 4 / 9, places=5)
        self.assertAlmostEqual(info["quality"]["leaves_unresolved_share"], 1)
        self.assertAlmostEqual(info["quality"]["short_stacks_share"], 2 / 4)


if __name__ == "__main__":
    tap.main()
