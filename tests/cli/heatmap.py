# SPDX-License-Identifier: MIT
"""The heat map's options from outside: scales, rows, mistakes that are told before reading."""

import json
import os
import struct
import zlib

import tap
from case import Case
from tap import flamebeat

SERVER = os.path.join(tap.EXAMPLES, "server.perf.gz")


def sample(seconds, cpu=0):
    return f"app 7/7 [{cpu:03d}] {seconds:.6f}: 1 cpu-clock:\n\t10 work+0x1 (/bin/app)\n\n".encode()


def png_size(data):
    return struct.unpack(">II", data[16:24])


def grid_note(data):
    """What the picture says of its own grid."""
    at = data.index(b"flamebeat:grid\0")
    size = struct.unpack(">I", data[at - 8:at - 4])[0]
    text = data[at + 15:at + size]
    return dict(part.split("=") for part in text.decode("latin-1").split())


def rows_of(data):
    """Rows of an indexed PNG as lists of colour indices."""
    width, height = png_size(data)
    packed, at = b"", 8
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        if kind == b"IDAT":
            packed += data[at + 8:at + 8 + size]
        at += 12 + size
    raw = zlib.decompress(packed)
    step = len(raw) // height
    return [raw[i * step + 1:(i + 1) * step] for i in range(height)], width


class Options(Case):
    def test_mistakes_are_told_before_anything_is_read(self):
        missing = self.path("none.perf")
        for args in (["--cpu", "x"], ["--cpu", "3-1"], ["--phase", "7"], ["--mark", "x"],
                     ["--every-origin", "x"], ["--every", "1"], ["--phase", "0.1..0.2"],
                     ["--every-origin", "3"], ["--every", "1s", "--phase", "0.5..1.5"],
                     ["--every", "1s", "--phase", "500ms..1500ms"], ["--rows", "some"],
                     ["--hz", "0"], ["--hz", "fast"], ["--cpus", "0"],
                     ["--scale", "surprise", "--cell", "peak"],
                     ["--scale", "capacity", "--weight", "period"]):
            result = self.fails(2, "--", "heatmap", missing, "-o", self.path("x.png"), *args)
            self.assertNotIn(b"none.perf", result.stderr, args)

    def test_far_ranges_are_clamped(self):
        for end in ("2400000000", "99999999999999999", "400000d"):
            out = self.notes("clamped", "slice", SERVER, "--range", f"5..{end}", "--format",
                             "folded")
            self.assertEqual(out, self.ok("slice", SERVER, "--range", "5..", "--format", "folded"))

    def test_unknown_ending(self):
        path = self.path("picture.jpg")
        result = flamebeat("heatmap", SERVER, "-o", path)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, b"no format has the ending .jpg: .*written as png")
        self.assertEqual(self.read(path)[:4], b"\x89PNG")
        quiet = flamebeat("heatmap", SERVER, "-o", path, "--format", "png")
        self.assertEqual(quiet.stderr, b"")
        result = flamebeat("slice", SERVER, "-o", self.path("x.jpg"))
        self.assertRegex(result.stderr, b"written as svg")

    def test_one_sample(self):
        path = self.path("one", sample(5))
        out = self.ok("info", path).decode()
        self.assertRegex(out, "1 sample, period")
        self.assertNotRegex(out, r"\b1 (samples|nodes|lines)\b")

    def test_no_dense_ranges_by_chance(self):
        path = self.path("two", sample(5.1) + sample(5.7) + sample(7.2) + sample(9.9))
        self.assertIn(b"no range stands out", self.ok("heatmap", path, "--format", "term"))


class Scales(Case):
    def test_capacity_needs_what_is_not_told(self):
        path = self.path("few", sample(5) + sample(6))
        self.fails(2, "--hz N", "heatmap", path, "-o", self.path("x.png"), "--scale", "capacity")
        self.ok("heatmap", path, "-o", self.path("x.png"), "--scale", "capacity", "--hz", "99",
                "--cpus", "4")

    def test_the_rate_is_measured_where_no_header_tells(self):
        text = b"".join(sample(10 + i / 99, cpu) for i in range(990) for cpu in (0, 1))
        path = self.path("steady", text)
        term = self.ok("heatmap", path, "--scale", "capacity", "--format", "term").decode()
        self.assertIn("of 2 CPUs at 99 Hz", term)

    def test_same_load_same_colour(self):
        """Half of two CPUs, for 10 s and 40 s, the longer one with an outlier: same pixels."""
        base = [sample(10 + i / 100, i % 2) for i in range(1000)]
        longer = base + [sample(20 + i / 100, i % 2) for i in range(3000)]
        longer += [sample(45.005, 1)] * 300
        args = ["--scale", "capacity", "--hz", "100", "--cpus", "2", "--column", "1",
                "--cell-width", "8", "--cell-height", "8", "--format", "png"]
        a = self.ok("heatmap", self.path("a", b"".join(base)), *args)
        b = self.ok("heatmap", self.path("b", b"".join(sorted(longer, key=lambda s: float(
            s.split()[3][:-1])))), *args)
        lines_a, _ = rows_of(a)
        lines_b, _ = rows_of(b)
        left, top = int(grid_note(a)["left"]), int(grid_note(a)["top"])
        self.assertEqual((left, top), (int(grid_note(b)["left"]), int(grid_note(b)["top"])))
        for y in range(top, top + 400):
            self.assertEqual(lines_a[y][left:left + 71], lines_b[y][left:left + 71])

    def test_json_does_not_depend_on_the_scale(self):
        plain = json.loads(self.ok("heatmap", SERVER, "--format", "json"))
        for scale in ("capacity", "surprise", "log"):
            other = json.loads(self.ok("heatmap", SERVER, "--format", "json", "--scale", scale))
            self.assertEqual(plain["values"], other["values"])

    def test_auto_rows(self):
        """A steady load at 99 Hz gives all rows the same with auto, and stripes without."""
        text = b"".join(sample(10.005 + i / 99) for i in range(990))
        path = self.path("steady99", text)
        auto = json.loads(self.ok("heatmap", path, "--format", "json", "--rows", "auto"))
        self.assertEqual(len(auto["rows"]), 33)
        self.assertEqual({v for column in auto["values"] for v in column}, {3})
        plain = json.loads(self.ok("heatmap", path, "--format", "json"))
        self.assertEqual(len({v for column in plain["values"] for v in column}), 2)
        odd = flamebeat("heatmap", path, "--format", "json", "--rows", "auto", "--column", "1.3s")
        self.assertIn(b"--rows auto: no number of rows", odd.stderr)
        self.assertEqual(len(json.loads(odd.stdout)["rows"]), 50)

    def test_any_column_sums_to_all(self):
        total = json.loads(self.ok("heatmap", SERVER, "--format", "json"))["total"]
        for column in ("1.3s", "0.7", "333ms", "123456us", "7.77", "1m"):
            grid = json.loads(self.ok("heatmap", SERVER, "--format", "json", "--column", column))
            self.assertEqual(sum(map(sum, grid["values"])), total, column)

    def test_phases_that_tile_sum_to_the_whole(self):
        def weights(*args):
            lines = self.ok("slice", SERVER, "--format", "folded", *args).decode().splitlines()
            return {line.rsplit(" ", 1)[0]: int(line.rsplit(" ", 1)[1]) for line in lines}

        whole = weights()
        for every, origin in (("1.3s", "0"), ("70ms", "3.21"), ("4s", "19")):
            parts = {}
            for phase in ("0..0.123", "0.123..0.6", "0.6..0.9", "0.9..1"):
                for stack, n in weights("--every", every, "--phase", phase, "--every-origin",
                                        origin).items():
                    parts[stack] = parts.get(stack, 0) + n
            self.assertEqual(parts, whole, every)


class Folding(Case):
    """40 ms of work every 1.3 s, 0.5 s into the period, for 60 s, beside 20 samples a second."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        times = [100 + i / 20 for i in range(1200)]
        times += [100 + 1.3 * k + 0.5 + i / 500 for k in range(46) for i in range(20)]
        cls.times = sorted(t for t in times if t < 160)
        cls.recording = os.path.join(cls.folder, "planted")
        with open(cls.recording, "wb") as file:
            file.write(b"".join(map(sample, cls.times)))

    def fold(self, *args):
        return json.loads(self.ok("heatmap", self.recording, "--format", "json", *args))

    def test_adds_up(self):
        for period, rows in (("1.3s", 50), ("0.7", 7), ("60", 99), ("7m", 3)):
            profile = self.fold("--fold", period, "--rows", rows)
            self.assertEqual(len(profile["bins"]), rows)
            self.assertEqual(sum(bin["weight"] for bin in profile["bins"]), len(self.times))
            self.assertEqual(profile["total"], len(self.times))
            self.assertEqual(sum(bin["covered_ns"] for bin in profile["bins"]),
                             round((self.times[-1] - self.times[0]) * 1e9) + 1)

    def test_is_the_sum_of_the_columns(self):
        grid = self.fold("--column", "1.3s")
        profile = self.fold("--fold", "1.3s")
        rows = list(zip(*grid["values"]))
        self.assertEqual([sum(row) for row in reversed(rows)],
                         [bin["weight"] for bin in profile["bins"]])

    def test_a_spike_is_a_peak_at_its_phase(self):
        profile = self.fold("--fold", "1.3s", "--rows", 65)
        peak = [bin for bin in profile["bins"] if bin["rate"] > 5 * profile["rate"]]
        self.assertEqual([round(bin["offset_ns"] / 1e6) for bin in peak], [500, 520])
        self.assertEqual(profile["periods"], 47)
        for bin in peak:
            self.assertAlmostEqual(bin["rate"], 520, delta=40)
            self.assertLess(bin["error"], 10)
            self.assertGreater(bin["p10"], 400)
        other = self.fold("--fold", "1.1s", "--rows", 55)
        self.assertLess(max(bin["rate"] for bin in other["bins"]), 4 * other["rate"])

    def test_a_line_where_the_column_is_the_period(self):
        def rows_of_spike(column):
            grid = self.fold("--column", column, "--rows", 50)
            rows = {}
            for values in grid["values"]:
                for r, value in enumerate(values):
                    if value >= 5:
                        rows[r] = rows.get(r, 0) + value
            return rows

        self.assertLessEqual(len(rows_of_spike("1.3s")), 3)
        self.assertGreaterEqual(len(rows_of_spike("1")), 15)

    def test_slice_takes_that_part_of_every_period(self):
        out = self.ok("slice", self.recording, "--every", "1.3s", "--phase", "500ms..540ms",
                      "--format", "folded").decode()
        profile = self.fold("--fold", "1.3s", "--rows", 65)
        self.assertEqual(int(out.split()[-1]),
                         sum(b["weight"] for b in profile["bins"]
                             if b["offset_ns"] in (500000000, 520000000)))

    def test_forms(self):
        self.assertEqual(self.ok("heatmap", self.recording, "--fold", "1.3s")[:4], b"\x89PNG")
        term = self.ok("heatmap", self.recording, "--fold", "1.3s", "--format", "term").decode()
        self.assertIn("47 periods of 1.3 s", term)

    def test_what_cannot_go_together(self):
        for args in (["--column", "2"], ["--by", "cpu"], ["--cell", "peak"]):
            self.fails(2, "--fold", "heatmap", self.recording, "--fold", "1.3s", *args)
        self.fails(2, "--fold", "heatmap", self.recording, "--fold", "0")

    def test_one_sample(self):
        path = self.path("one", sample(5))
        self.ok("heatmap", path, "--fold", "1.3s")
        profile = json.loads(self.ok("heatmap", path, "--fold", "1h", "--format", "json"))
        self.assertEqual(profile["total"], 1)


if __name__ == "__main__":
    tap.main()
