# SPDX-License-Identifier: MIT
"""Packed input (gzip, zstd, xz) and folded stacks."""

import gzip
import json
import lzma
import os
import shutil
import struct
import subprocess
import tempfile
import time
import unittest

import tap
from tap import EXAMPLES, flamebeat

RECORDING = os.path.join(EXAMPLES, "heartbeat.perf.gz")
with gzip.open(RECORDING) as recording:
    TEXT = recording.read()


def zstd(data):
    if not shutil.which("zstd"):
        raise unittest.SkipTest("no zstd")
    return subprocess.run(["zstd", "-q", "-c"], input=data, stdout=subprocess.PIPE,
                          check=True).stdout


def gz(data):
    return gzip.compress(data, 6, mtime=0)


PACKERS = {"gzip": gz, "zstd": zstd, "xz": lzma.compress}


def n_samples(data, *args):
    result = flamebeat("info", "--json", *args, "-", stdin=data)
    return json.loads(result.stdout)["samples"], result


class Packed(unittest.TestCase):
    def test_same_result_from_every_form(self):
        plain = flamebeat("slice", "-", "--format", "folded", stdin=TEXT)
        self.assertEqual(plain.returncode, 0)
        for name, pack in PACKERS.items():
            with self.subTest(name):
                packed = flamebeat("slice", "-", "--format", "folded", stdin=pack(TEXT))
                self.assertEqual(packed.stdout, plain.stdout)

    def test_several_members(self):
        once, _ = n_samples(TEXT)
        for name, pack in PACKERS.items():
            for between in (b"", b"\0" * 8):
                with self.subTest(name, between=between):
                    twice, result = n_samples(pack(TEXT) + between + pack(TEXT), "--strict")
                    self.assertEqual(twice, 2 * once)
                    self.assertEqual(result.returncode, 0, result.stderr)

    def test_many_empty_members_end(self):
        for name, pack in PACKERS.items():
            with self.subTest(name):
                once, _ = n_samples(pack(b"") * 2000 + pack(TEXT))
                self.assertEqual(once, n_samples(TEXT)[0])

    def test_trailing_bytes_are_said(self):
        for name, pack in PACKERS.items():
            with self.subTest(name):
                count, result = n_samples(pack(TEXT) + b"hello, world", "--strict")
                self.assertEqual(count, n_samples(TEXT)[0])
                self.assertEqual(result.returncode, 3)
                self.assertIn(b"what follows", result.stderr)

    def test_cut_off_is_said_and_what_was_there_is_used(self):
        for name, pack in PACKERS.items():
            packed = pack(TEXT)
            for part in (0.3, 0.7, 0.999):
                with self.subTest(name, part=part):
                    count, result = n_samples(packed[: int(len(packed) * part)], "--strict")
                    self.assertEqual(result.returncode, 3)
                    self.assertIn(b"cut off", result.stderr)
                    self.assertGreater(count, 0)
                    self.assertLessEqual(count, n_samples(TEXT)[0])

    def test_damage_is_an_error(self):
        for name, pack in PACKERS.items():
            packed = pack(TEXT)
            for at in range(40, len(packed) - 20, len(packed) // 12):
                with self.subTest(name, at=at):
                    bad = bytearray(packed)
                    bad[at] ^= 0x10
                    result = flamebeat("slice", "-", "--format", "folded", stdin=bytes(bad))
                    self.assertEqual(result.returncode, 1, result.stderr)
                    self.assertIn(b"damaged " + name.encode(), result.stderr)
                    self.assertEqual(result.stdout, b"")

    def test_wrong_checksum_is_an_error(self):
        bad = bytearray(gz(TEXT))
        bad[-6] ^= 1
        self.assertEqual(flamebeat("info", "-", stdin=bytes(bad)).returncode, 1)

    def test_packed_twice_is_said(self):
        for outer in PACKERS.values():
            for name, inner in PACKERS.items():
                result = flamebeat("info", "-", stdin=outer(inner(TEXT)))
                self.assertEqual(result.returncode, 1)
                self.assertIn(b"packed twice: there is " + name.encode(), result.stderr)

    def test_pipes_of_packed_and_binary_input(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "x.beat")
            self.assertEqual(flamebeat("ingest", RECORDING, "-o", store).returncode, 0)
            with open(store, "rb") as file:
                data = file.read()
            # What must be a file goes into TMPDIR, without a name; where that cannot be, it is said.
            result = flamebeat("info", "-", stdin=data, env={"TMPDIR": folder})
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(os.listdir(folder), ["x.beat"])
            result = flamebeat("info", "-", stdin=data, env={"TMPDIR": folder + "/nowhere"})
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"no temporary file in " + folder.encode(), result.stderr)

    def test_a_bomb_ends_at_a_limit(self):
        if not shutil.which("zstd"):
            self.skipTest("no zstd")
        bomb = subprocess.run("head -c 3000000000 /dev/zero | zstd -q -c", shell=True,
                              stdout=subprocess.PIPE, check=True).stdout
        result = flamebeat("info", "-", stdin=bomb)
        self.assertEqual(result.returncode, 5)
        self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_a_large_window_is_refused_however_it_comes(self):
        text = b"a;b 1\n" * 50
        # A frame with a window of 1 GiB, its length in two bytes, and one raw block (RFC 8878).
        frame = (b"\x28\xb5\x2f\xfd\x40\xa0" + struct.pack("<H", len(text) - 256) +
                 struct.pack("<I", len(text) << 3 | 1)[:3] + text)
        for data in (frame, zstd(b"c;d 1\n") + frame):
            for parts in ([data], [data[:-40], data[-40:]]):
                process = subprocess.Popen([tap.PROGRAM, "slice", "-", "--format", "folded"],
                                           stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                           stderr=subprocess.PIPE, env=tap.CLEAN)
                for part in parts[:-1]:
                    process.stdin.write(part)
                    process.stdin.flush()
                    time.sleep(0.1)
                out, err = process.communicate(parts[-1])
                self.assertEqual(process.returncode, 5, (parts, err))
                self.assertEqual(out, b"")
                self.assertIn(b"more memory", err)

    def test_a_store_can_be_packed(self):
        with tempfile.TemporaryDirectory() as folder:
            store = os.path.join(folder, "x.beat")
            self.assertEqual(flamebeat("ingest", RECORDING, "-o", store).returncode, 0)
            with open(store, "rb") as file:
                data = file.read()
        plain = flamebeat("slice", "-", "--format", "json", stdin=data)
        packed = flamebeat("slice", "-", "--format", "json", stdin=gz(data))
        self.assertEqual(plain.returncode, 0)
        self.assertEqual(plain.stdout, packed.stdout)


class Folded(unittest.TestCase):
    def folded(self, text, *args):
        return flamebeat("slice", "-", "--format", "folded", *args, stdin=text)

    def test_comes_back_as_it_was(self):
        text = flamebeat("slice", RECORDING, "--format", "folded", "--idle", "keep").stdout
        self.assertGreater(text.count(b"\n"), 50)
        self.assertEqual(self.folded(text).stdout, text)

    def test_annotations_come_back_when_asked_for(self):
        text = b"java;main_[j];inner_[i];do_syscall_64_[k] 7\n"
        self.assertEqual(self.folded(text).stdout, b"java;main;inner;do_syscall_64 7\n")
        self.assertEqual(self.folded(text, "--annotate", "kernel,jit,inline").stdout, text)

    def test_weights(self):
        text = b"a;b 3 5\na;c 2.7\na;d 0.2\na;b 1\na;;e 2\n"
        result = self.folded(text)
        self.assertEqual(result.stdout, b"a;b 6\na;c 3\na;e 2\n")
        info = json.loads(flamebeat("slice", "-", "--format", "json", stdin=text).stdout)
        self.assertEqual(info["value"], 11)

    def test_huge_weights(self):
        for weight in (b"18446744073709551615.9", b"18446744073709551616", b"9" * 400):
            self.assertEqual(self.folded(b"a;b " + weight + b"\na;c 2\n").stdout,
                             b"a;b 18446744073709551614\na;c 2\n", weight)

    def test_lines_that_are_none_are_counted(self):
        result = self.folded(b"a;b 3\nnonsense\na;c -1\na;d 2\na;e 4\n", "--strict")
        self.assertEqual(result.returncode, 3)
        self.assertEqual(result.stdout, b"a;b 3\na;d 2\na;e 4\n")
        self.assertIn(b"3 samples, 3 frames; 2 lines skipped (first at standard input:2: ", result.stderr)

    def test_time_is_said_to_be_missing(self):
        for args in (["heatmap"], ["slice", "--range", "1..2"], ["top", "--every", "1",
                                                                  "--phase", "0..0.5"]):
            result = flamebeat(*args, "-", stdin=b"a;b 3\na;c 4\n")
            self.assertEqual(result.returncode, 1)
            self.assertIn(b"folded stacks have no time", result.stderr)
            self.assertEqual(result.stdout, b"")

    def test_feeds_top(self):
        result = flamebeat("top", "-", "--json", stdin=b"a;f;g 3\na;g 4\n")
        rows = {r["name"]: (r["self"], r["total"]) for r in json.loads(result.stdout)["rows"]}
        self.assertEqual(rows, {"g": (7, 7), "f": (0, 3)})


if __name__ == "__main__":
    tap.main()
