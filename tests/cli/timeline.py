# SPDX-License-Identifier: MIT
"""The wall clock, and several inputs on one time line."""

import json
import os
import shutil
import tempfile
import unittest

import tap
from tap import flamebeat


def header(host, reference=None):
    lines = ["# ========", f"# hostname : {host}"]
    if reference:
        lines.append(f"# reference time: {reference}")
    return "\n".join(lines + ["# ========", "#", ""])


def sample(seconds, function, tod=""):
    tod = tod + " " if tod else ""
    return f"app 7/7 [000] {tod}{seconds:.6f}: 1 cycles:\n\t10 {function}+0x1 (/bin/app)\n\n"


# 13:00:00 UTC, printed in a zone two hours ahead, is 100 s of this clock.
REFERENCE = "2026-11-21 15:00:00.000000 = 1795266000.000000 (TOD) = 100.000000000 (monotonic)"
# The same moment is 5000 s of another boot's, or host's.
OTHER_BOOT = "2026-11-21 15:00:00.000000 = 1795266000.000000 (TOD) = 5000.000000000 (monotonic)"


class TimeLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)

    def file(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def folded(self, *args):
        result = flamebeat("slice", *args, "--format", "folded", "--group-by", "none")
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout.decode().split()

    def info(self, *args):
        result = flamebeat("info", "--json", *args)
        self.assertEqual(result.returncode, 0, result.stderr)
        return json.loads(result.stdout)

    def test_reference_time(self):
        path = self.file("a", header("h", REFERENCE) + sample(103.25, "f") + sample(104.5, "g"))
        info = self.info(path)
        self.assertEqual(info["wall_source"], "reference time")
        self.assertEqual(info["wall_zone"], "local")
        self.assertEqual(info["wall_zero_ns"], (1795266000 + 2 * 3600 + 3) * 10**9)
        self.assertEqual(self.folded(path, "--range", "15:00:03..15:00:04"), ["f", "1"])
        self.assertEqual(self.folded(path, "--range", "2026-11-21T15:00:04.5+1ms"), ["g", "1"])
        self.assertEqual(self.folded(path, "--utc-offset", "+00:00", "--range",
                                     "13:00:04..13:00:05"), ["g", "1"])
        self.assertEqual(self.folded(path, "--utc-offset", "-03:30", "--range",
                                     "09:30:04..09:30:05"), ["g", "1"])

    def test_tod(self):
        path = self.file("a", sample(103.25, "f", "2026-11-21 14:03:22.250000") +
                         sample(104.5, "g", "2026-11-21 14:03:23.500000"))
        info = self.info(path)
        self.assertEqual(info["wall_source"], "tod")
        self.assertEqual(self.folded(path, "--range", "14:03:23..14:03:24"), ["g", "1"])

    def test_the_header_is_better_than_tod(self):
        path = self.file("a", header("h", REFERENCE) +
                         sample(103.25, "f", "2026-11-21 14:03:22.250000"))
        self.assertEqual(self.info(path)["wall_source"], "reference time")

    def test_wall_zero_is_best(self):
        path = self.file("a", header("h", REFERENCE) + sample(103.25, "f") + sample(104.5, "g"))
        self.assertEqual(self.info(path, "--wall-zero", "2020-01-01T00:00:00")["wall_source"],
                         "--wall-zero")
        self.assertEqual(self.folded(path, "--wall-zero", "2020-01-01T00:00:00", "--range",
                                     "00:00:01..00:00:02"), ["g", "1"])

    def test_midnight(self):
        path = self.file("a", sample(103.25, "f", "2026-11-21 23:59:59.250000") +
                         sample(104.5, "g", "2026-11-22 00:00:00.500000"))
        self.assertEqual(self.folded(path, "--range", "00:00:00..00:00:01"), ["g", "1"])
        self.assertEqual(self.folded(path, "--range", "23:59:59..00:00:00"), ["f", "1"])

    def test_unknown(self):
        path = self.file("a", sample(103.25, "f"))
        self.assertIsNone(self.info(path)["wall_zero_ns"])
        result = flamebeat("slice", path, "--range", "14:00:00..14:00:01")
        self.assertEqual(result.returncode, 2)
        self.assertIn(b"-k CLOCK_MONOTONIC", result.stderr)

    def test_captured_on_is_not_trusted(self):
        path = self.file("a", "# ========\n# captured on    : Sat Nov 21 01:44:06 2026\n# ========\n"
                         + sample(103.25, "f"))
        self.assertIsNone(self.info(path)["wall_zero_ns"])

    def test_nonsense(self):
        path = self.file("a", header("h", REFERENCE) + sample(103.25, "f"))
        for args in (["--range", "25:99..26:00"], ["--wall-zero", "yesterday"],
                     ["--wall-zero", "14:00:00"], ["--utc-offset", "x"],
                     ["--range", "2026-13-45T00:00:00..1"]):
            self.assertEqual(flamebeat("slice", path, *args).returncode, 2, args)

    def test_axes_and_titles_show_it(self):
        path = self.file("a", header("h", REFERENCE) + sample(103.25, "f") + sample(104.5, "g"))
        result = flamebeat("slice", path, "--format", "svg")
        self.assertIn(b"2026-11-21 15:00:03 local", result.stdout)

    def test_one_host_on_its_clock(self):
        a = self.file("a", header("h") + sample(103.25, "f"))
        b = self.file("b", header("h") + sample(203.25, "g"))
        info = self.info(b, a)
        self.assertEqual(info["samples"], 2)
        self.assertEqual(info["zero_ns"], 103 * 10**9)
        self.assertEqual(len(info["holes"]), 1)
        self.assertEqual(self.folded(a, b, "--range", "100.."), ["g", "1"])

    def test_order_of_files_does_not_matter(self):
        a = self.file("a", header("h") + sample(103.25, "f"))
        b = self.file("b", header("h") + sample(203.25, "g"))
        self.assertEqual(flamebeat("heatmap", a, b, "--format", "json").stdout,
                         flamebeat("heatmap", b, a, "--format", "json").stdout)

    def test_a_ring_of_a_day(self):
        paths = [self.file(f"perf-{i:03}.txt", header("h") + "".join(
            sample(1000 + 120 * i + k * 59.9, f"f{i % 7}") for k in range(3))) for i in range(720)]
        info = self.info(*reversed(paths))
        self.assertEqual(info["samples"], 3 * 720)
        self.assertEqual(info["end_ns"] - info["start_ns"], (719 * 120 * 10 + 1198) * 10**8)
        whole = flamebeat("heatmap", *paths, "--format", "json")
        other = flamebeat("heatmap", *reversed(paths), "--threads", "1", "--format", "json")
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertEqual(whole.stdout, other.stdout)
        self.assertEqual(self.folded(*paths, "--range", "43200..43320"), ["f3", "3"])

    def test_the_first_that_cannot_be_read_is_named(self):
        paths = [self.file(f"p{i}", sample(100 + i, "f")) for i in range(20)]
        for i in (7, 12, 19):
            with open(paths[i], "w", encoding="utf-8") as file:
                file.write("junk\n" * (20000 if i == 7 else 1))
        for threads in (1, 2, 8):
            result = flamebeat("info", *paths, "--threads", threads)
            self.assertEqual(result.returncode, 1)
            self.assertIn(paths[7].encode(), result.stderr)
            self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_two_hosts_are_refused(self):
        a = self.file("a", header("h") + sample(103.25, "f"))
        b = self.file("b", header("other") + sample(203.25, "g"))
        result = flamebeat("info", a, b)
        self.assertEqual(result.returncode, 2)
        for word in (a, b, "--concat"):
            self.assertIn(word.encode(), result.stderr)

    def test_two_boots_are_placed_by_the_wall_clock(self):
        a = self.file("a", header("h", REFERENCE) + sample(103.25, "f"))
        b = self.file("b", header("h", OTHER_BOOT) + sample(5001.5, "g"))
        info = self.info(a, b)
        self.assertEqual(info["end_ns"] - info["start_ns"], 1750 * 10**6)
        self.assertEqual(self.folded(a, b, "--range", "15:00:01..15:00:02"), ["g", "1"])
        self.assertEqual(self.folded(b, a, "--range", "15:00:03..15:00:04"), ["f", "1"])

    def test_two_hosts_with_wall_clocks_are_named(self):
        a = self.file("a", header("h", REFERENCE) + sample(103.25, "f"))
        b = self.file("b", header("other", OTHER_BOOT) + sample(5001.5, "g"))
        result = flamebeat("info", a, b)
        self.assertEqual(result.returncode, 0)
        self.assertIn(b"of host h, " + b.encode() + b" of other", result.stderr)

    def test_concat(self):
        a = self.file("a", header("h") + sample(103.25, "f") + sample(104.25, "f"))
        b = self.file("b", header("other") + sample(3.5, "g"))
        info = self.info("--concat", a, b)
        self.assertEqual(info["end_ns"] - info["start_ns"], 10**9 + 1000)
        self.assertEqual(self.folded("--concat", a, b, "--range", "1.25..1.26"),
                         ["f", "1", "g", "1"])

    def test_a_file_given_twice_counts_once(self):
        a = self.file("a", header("h") + sample(103.25, "f"))
        link = os.path.join(self.folder, "link")
        os.symlink(a, link)
        result = flamebeat("info", "--json", a, a, link)
        self.assertEqual(json.loads(result.stdout)["samples"], 1)
        self.assertEqual(result.stderr.count(b"given twice"), 2)

    def test_stores_and_text_together(self):
        a = self.file("a", header("h") + sample(103.25, "f") + "noise here\n")
        b = self.file("b", header("h") + sample(203.25, "g"))
        store = os.path.join(self.folder, "a.beat")
        both = os.path.join(self.folder, "both.beat")
        self.assertEqual(flamebeat("ingest", a, "-o", store).returncode, 0)
        self.assertEqual(flamebeat("ingest", store, b, "-o", both).returncode, 0)
        direct, later = self.info(a, b), self.info(both)
        self.assertEqual({k: v for k, v in direct.items() if k != "section_bytes"},
                         {k: v for k, v in later.items() if k != "section_bytes"})
        self.assertEqual(direct["skipped_lines"], 1)


class Cgroups(unittest.TestCase):
    TEXT = (b"a 1 [000] 1.000000: 1 cycles: /user.slice/a\n\t10 f (/x)\n\n"
            b"a 1 [000] 2.000000: 1 cycles: /\n\t10 g (/x)\n\n"
            b"c 1 [000] 3.000000: 1 cycles: /sys ffffffffaaaaaaaa kf (/y)\n"
            b"c 1 [000] 4.000000: 1 cycles: \n\t10 h (/x)\n")

    def folded(self, *args):
        return flamebeat("slice", "-", "--format", "folded", *args, stdin=self.TEXT)

    def test_group_by(self):
        self.assertEqual(self.folded("--group-by", "cgroup").stdout,
                         b"/;g 1\n/sys;kf 1\n/user.slice/a;f 1\n[no cgroup];h 1\n")

    def test_filter(self):
        self.assertEqual(self.folded("--cgroup", "slice").stdout, b"a;f 1\n")
        self.assertEqual(self.folded("--cgroup", "^/$", "--cgroup", "sys").stdout,
                         b"a;g 1\nc;kf 1\n")

    def test_a_filter_that_matches_none(self):
        result = self.folded("--cgroup", "nope", "--strict")
        self.assertEqual(result.returncode, 3)
        self.assertIn(b"no cgroup", result.stderr)

    def test_a_store_keeps_them(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "x.beat")
            flamebeat("ingest", "-", "-o", store, stdin=self.TEXT)
            result = flamebeat("slice", store, "--format", "folded", "--group-by", "cgroup")
            self.assertEqual(result.stdout, self.folded("--group-by", "cgroup").stdout)


if __name__ == "__main__":
    tap.main()
