# SPDX-License-Identifier: MIT
"""Damaged stores: cut off at any length, or with any byte changed.

`info --verify` always finds it. Every other command either prints exactly what it prints of the
undamaged store or exits with 4: never another result, never a crash. By default a part of the
bytes is tried; all of them with FLAMEBEAT_FULL.
"""

import json
import os
import shutil
import struct
from concurrent.futures import ThreadPoolExecutor

import tap
import case
import generate
from case import IS_FULL, errors_of
from tap import ROOT, flamebeat

HEADER = 112
MAGIC = 8
BLOCK = 1 << 20

COMMANDS = (
    ("heatmap", "--format", "json", "--event", "all"),
    ("slice", "--format", "folded", "--event", "all", "--idle", "keep", "--weight", "period"),
    ("top", "--event", "all", "--limit", "0"),
    ("info",),
    ("slice", "--format", "svg", "--event", "all", "--range", "0.5..1", "--title", "T"),
    ("ingest", "-o", "-"),
    ("heatmap", "--format", "json", "--by", "thread", "--event", "all", "--comm", "."),
    ("slice", "--format", "tree", "--event", "all", "--group-by", "process", "--match", "a"),
)


class Damage(case.Case):
    def make_store(self, name, text):
        path = self.path(name + ".beat")
        self.ok("ingest", self.path(name + ".perf", text), "-o", path)
        return self.read(path)

    def small_store(self):
        samples = generate.samples_of(11, n=24, n_threads=3, n_cpus=2, seconds=2)
        store = self.make_store("small", generate.text_of(samples, header=False))
        self.assertLess(len(store), 6000)
        return store

    def check_refused(self, data, *args):
        """Exit status 4, one line, nothing printed."""
        return self.fails(4, r"store|version|damaged|cut", *args, self.path("bad.beat", data))

    def check_same_or_refused(self, result, expected, what):
        self.check_calm(result, what)
        if result.returncode == 0:
            self.assertEqual(result.stdout, expected, what)
        else:
            self.assertEqual(result.returncode, 4, (what, result.stderr))
            self.assertEqual(result.stdout, b"", what)
            self.assertEqual(len(errors_of(result)), 1, what)


class Cut(Damage):
    def check(self, store, lengths):
        for i, length in enumerate(lengths):
            with self.subTest(length=length):
                self.check_refused(store[:length], *COMMANDS[i % len(COMMANDS)])

    def test_small_store(self):
        store = self.small_store()
        step = 1 if IS_FULL else 29
        lengths = {*range(1, 24), *range(24, min(len(store), 2048), step),
                   *range(len(store) - (64 if IS_FULL else 12), len(store))}
        self.check(store, sorted(lengths))

    def test_larger_store(self):
        store = self.make_store("larger", generate.text_of(generate.samples_of(12, n=4000)))
        self.assertGreater(len(store), 20000)
        self.check(store, range(2048, len(store), 1000 if IS_FULL else 3000))

    def test_begins_like_a_store(self):
        store = self.small_store()
        self.fails(4, "store", "info", "-", stdin=store[:-1])
        self.fails(4, "store", "slice", "-", stdin=store[:3])

    def test_more_than_the_store(self):
        store = self.small_store()
        for more in (b"\0", b"\0" * 8, store):
            self.check_refused(store + more, "info")
            self.check_refused(store + more, *COMMANDS[0])


# Looking for leaks takes a third of the time of such a call: not in every one.
QUICK = {"ASAN_OPTIONS": os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"}


class Changed(Damage):
    def try_byte(self, store, at, command):
        """What `info --verify` and `command` (or None) say once the byte is another."""
        bad = bytearray(store)
        bad[at] ^= 1 << at % 8 if at % 3 else 255
        # By the same name as the good one: some outputs tell it.
        folder = os.path.dirname(self.path(f"bad{at}/small.beat", bytes(bad)))
        where = {"cwd": folder, "env": None if IS_FULL or at % 16 == 0 else QUICK}
        verified = flamebeat("info", "--verify", "small.beat", **where)
        result = flamebeat(*command, "small.beat", **where) if command else None
        shutil.rmtree(folder)
        return verified, result

    def test_any_byte(self):
        store = self.small_store()
        expected = [self.ok(*command, "small.beat", cwd=self.folder) for command in COMMANDS]
        n_index = HEADER + struct.unpack_from("<Q", store, 24)[0]
        self.assertLess(n_index, 1200)
        jobs = {}
        with ThreadPoolExecutor(2) as pool:
            for at in range(MAGIC, len(store)):
                k = at % len(COMMANDS)
                if IS_FULL or at % 17 == 0:
                    jobs[at] = k, pool.submit(self.try_byte, store, at, COMMANDS[k])
                elif at < n_index:
                    jobs[at] = k, pool.submit(self.try_byte, store, at, None)
        for at, (k, job) in jobs.items():
            verified, result = job.result()
            with self.subTest(at=at):
                self.check_calm(verified, at)
                self.assertEqual((verified.returncode, verified.stdout), (4, b""))
                self.assertEqual(verified.stderr.count(b"\n"), 1)
                if result is not None:
                    self.check_same_or_refused(result, expected[k], (at, COMMANDS[k]))

    def test_magic(self):
        store = self.small_store()
        for at in range(MAGIC):
            bad = bytearray(store)
            bad[at] ^= 1 << at
            with self.subTest(at=at):
                self.check_refused(bytes(bad), "info", "--verify")
                self.check_refused(bytes(bad), *COMMANDS[at % len(COMMANDS)])

    def test_newer_version(self):
        store = bytearray(self.small_store())
        store[8] += 1
        self.fails(4, "newer|version", "info", self.path("newer.beat", bytes(store)))

    def test_an_older_version_is_as_good(self):
        data = os.path.join(ROOT, "tests", "data")
        for command in (("slice", "--format", "folded", "--event", "all", "--idle", "keep"),
                        ("heatmap", "--format", "json", "--weight", "period"), ("top",),
                        ("top", "--by", "thread", "--event", "all")):
            with self.subTest(command=command):
                self.assertEqual(self.ok(*command, os.path.join(data, "version-1.beat")),
                                 self.ok(*command, os.path.join(data, "version-1.perf")))
        old, new = (json.loads(self.ok("info", "--json", os.path.join(data, name)))
                    for name in ("version-1.beat", "version-1.perf"))
        # What the survey did not find out then is not known.
        for info in (old, new):
            for event in info["events"]:
                del event["period_p5"], event["period_p95"]
        for key in ("top", "quality", "events", "samples", "header", "covered_ns"):
            self.assertEqual(old[key], new[key], key)

    def test_a_damaged_store_beside_a_good_one(self):
        store = bytearray(self.small_store())
        store[-30] ^= 4
        bad = self.path("bad.beat", bytes(store))
        other = self.path("other.perf", generate.text_of(generate.samples_of(13, n=20)))
        for command in COMMANDS[:5]:
            self.fails(4, "store", *command, other, bad)
        self.fails(4, "store", "ingest", other, bad, "-o", self.path("both.beat"))


class Blocks(Damage):
    """Columns of several blocks: one that is damaged only concerns who reads it."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.n = 600_000
        # Every 7 us and some: the time column takes 19 bits, more than a block.
        lines = (b"a %d [000] %d.%06d: %d cycles: \n" % (10 + i % 3, 7 + t // 10**6, t % 10**6,
                                                      100 + i % 91)
                 for i in range(cls.n) for t in (7 * i + i % 5,))
        cls.seconds = 7 * cls.n // 10**6 + 1
        cls.text = b"".join(lines)

    def find_change(self, store):
        """A byte of the time column's last block that concerns none of the first."""
        offset, n, _, width = struct.unpack_from("<QQQQ", store, HEADER)
        self.assertGreater(n * width // 8, BLOCK)
        return offset + n * width // 8 - 2

    def test_one_damaged_block(self):
        store = self.make_store("blocks", self.text)
        bad = bytearray(store)
        bad[self.find_change(store)] ^= 0x10
        path, bad = self.path("blocks.beat"), self.path("bad.beat", bytes(bad))
        self.fails(4, "time", "info", "--verify", bad)
        self.fails(4, "time", "heatmap", "--format", "json", bad)
        self.fails(4, "time", "slice", "--format", "folded", "--range", "-10ms..", bad)
        self.fails(4, "time", "ingest", bad, "-o", self.path("again.beat"))
        # What lies in other blocks is as good as it was, and is all that is read.
        for command in (("info",), ("slice", "--format", "folded", "--weight", "period", "--range", "0..1"),
                        ("heatmap", "--format", "json", "--range", "0..1")):
            self.assertEqual(self.ok(*command, bad), self.ok(*command, path), command)

    def test_sums_over_blocks(self):
        self.make_store("blocks", self.text)
        path = self.path("blocks.beat")
        counts = [0] * self.seconds
        for i in range(self.n):
            counts[(7 * i + i % 5) // 10**6] += 1
        picture = json.loads(self.ok("heatmap", "--format", "json", "--rows", "1", path))
        self.assertEqual([column[0] for column in picture["values"]], counts)
        for second in (0, 2, self.seconds - 1):
            line = self.ok("slice", "--format", "folded", "--range", f"{second}+1", path)
            self.assertEqual(line, b"a %d\n" % counts[second])


if __name__ == "__main__":
    tap.main()
