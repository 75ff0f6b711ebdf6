# SPDX-License-Identifier: MIT
"""Input that is no recording, or an odd one; ranges and names that lead nowhere; output that
cannot be written. Never a crash, never half a file; one line that says what is wrong.

Damaged stores are in damage.py, packed input in inputs.py.
"""

import gzip
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

import tap
import case
import generate
from case import errors_of, has_asan
from tap import CLEAN, PROGRAM, flamebeat

# Every command, in forms that read the whole input.
COMMANDS = (
    ("info",), ("heatmap", "--format", "json"), ("heatmap", "--format", "term"),
    ("slice", "--format", "folded"), ("slice", "--format", "svg"), ("top",), ("ingest", "-o", "-"),
)
TIMELESS = (
    ("slice", "--format", "folded"), ("slice", "--format", "json"), ("slice", "--format", "tree"),
    ("top", "--json"), ("info", "--json"), ("ingest", "-o", "-"),
)
MIB = 1 << 20

ONE = b"a 7 [000] %d.%06d: 250000 cycles: \n\t            1234 work+0x4 (/bin/x)\n\n"


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.samples = generate.samples_of(21, n=80, n_events=2, seconds=3)
        cls.text = generate.text_of(cls.samples)
        cls.recording = os.path.join(cls.folder, "good.perf")
        with open(cls.recording, "wb") as file:
            file.write(cls.text)


class NoRecording(Case):
    def check(self, data, pattern, status=1):
        path = self.path("bad.perf", data)
        for command in COMMANDS:
            with self.subTest(command=command):
                self.fails(status, pattern, *command, path)
        self.fails(status, pattern, "info", "-", stdin=data)

    def test_empty(self):
        self.check(b"", "no input|empty")
        self.check(gzip.compress(b""), "no input|empty")

    def test_blank(self):
        self.check(b"\n\r\n  \n\t\n", "does not look like")

    def test_header_only(self):
        self.check(generate.HEADER, "header but no samples")
        self.check(generate.HEADER[:-20], "header")

    def test_side_records_only(self):
        self.check(b"perf 1 [000] 1.000000: PERF_RECORD_COMM exec: a:1/1\n" * 3, "no sample")

    def test_junk(self):
        r = random.Random(1)
        for data in (b"\0" * 5000, r.randbytes(20_000), b"\xff\xfe" + r.randbytes(50),
                     b"\x7fELF" + r.randbytes(3000), b"%PDF-1.7\n%\xe2\xe3\n",
                     r.randbytes(3 * MIB).replace(b"\n", b"x")):
            self.check(data, "")

    def test_mostly_junk(self):
        # A few lines that happen to fit do not make a recording of it.
        lines = b"".join(b"some other log line %d\n" % i for i in range(100))
        self.check(ONE % (5, 0) + lines, "does not look like")

    def test_junk_within(self):
        r = random.Random(2)
        junk = b"what is this\n" + r.randbytes(300).replace(b"\n", b"") + b"\n"
        middle = self.text.index(b"\n\n", len(self.text) // 2) + 2
        text = self.text[:middle] + junk + self.text[middle:]
        expected = self.ok("slice", "--format", "folded", "-", stdin=self.text)
        self.assertEqual(self.notes("skipped", "slice", "--format", "folded", "-", stdin=text),
                         expected)
        info = json.loads(self.notes("skipped", "info", "--json", "-", stdin=text))
        self.assertEqual(info["skipped_lines"], 2)
        line = text[:middle].count(b"\n") + 1
        self.assertEqual([example.split(": ")[0] for example in info["skipped_examples"]],
                         [f"standard input:{line}", f"standard input:{line + 1}"])

    def test_not_a_file(self):
        missing = self.path("missing.perf")
        for command in COMMANDS:
            self.fails(1, "directory", *command, self.folder)
            self.fails(1, re.escape(missing) + ".*No such file", *command, missing)
        self.fails(1, "No such file", "info", self.recording, missing)

    @unittest.skipUnless(os.getuid() == 0, "root only: as somebody else")
    def test_not_allowed(self):
        path = self.path("private.perf", self.text)
        os.chmod(path, 0o600)
        os.chmod(self.folder, 0o755)
        try:
            result = subprocess.run([PROGRAM, "info", path], user=65534, group=65534,
                                    extra_groups=[], env=CLEAN, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        except PermissionError:
            self.skipTest("the program itself is private")
        self.check_calm(result)
        self.assertEqual((result.returncode, result.stdout), (1, b""))
        self.assertRegex(result.stderr, b"private.perf.*Permission denied")


class Gzip(Case):
    def test_cut_off_at_many_lengths(self):
        packed = gzip.compress(self.text, mtime=0)
        path, before = self.path("cut.gz"), 0
        for length in [*range(2, 24), *range(24, len(packed), len(packed) // 40 | 1),
                       *range(len(packed) - 9, len(packed))]:
            self.path("cut.gz", packed[:length])
            with self.subTest(length=length):
                result = flamebeat("info", "--json", path)
                self.check_calm(result)
                self.assertIn(b"cut off", result.stderr)
                if result.returncode == 0:
                    count = json.loads(result.stdout)["samples"]
                    self.assertLessEqual(before, count)
                    self.assertLessEqual(count, len(self.samples))
                    before = count
                else:
                    self.assertEqual((result.returncode, before), (1, 0))
        self.assertEqual(before, len(self.samples))

    def test_checksum_and_length(self):
        for at in (-8, -5, -4, -1):
            packed = bytearray(gzip.compress(self.text, mtime=0))
            packed[at] ^= 0x40
            for command in COMMANDS:
                self.fails(1, "damaged gzip", *command, self.path("bad.gz", bytes(packed)))

    def test_members(self):
        parts = [generate.record_of(sample) for sample in self.samples]
        middle = len(b"".join(parts[:30])) - 7  # within a line
        text = b"".join(parts)
        packed = gzip.compress(text[:middle]) + gzip.compress(b"") + gzip.compress(text[middle:])
        self.assertEqual(self.ok("slice", "--format", "folded", "-", stdin=packed),
                         self.ok("slice", "--format", "folded", "-", stdin=text))


class NoTime(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # Without a time, a line that begins with `#` is a comment, and a payload has no end.
        cls.samples = [sample._replace(comm=sample.comm.replace(b"#", b"."))
                       for sample in cls.samples if not sample.event.startswith(b"sched:")]

    def test_no_sample_has_a_time(self):
        text = generate.text_of([sample._replace(time=None) for sample in self.samples])
        path = self.path("untimed.perf", text)
        for command in (("heatmap", "--format", "json"), ("heatmap", "--format", "term"),
                        ("heatmap", "--format", "png"), ("slice", "--range", "0..1"),
                        ("top", "--every", "1s", "--phase", "0..0.5")):
            self.fails(1, "no timestamps.*record without --per-thread", *command, path)
        for command in TIMELESS:
            self.ok(*command, path)
        # The same stacks as with times.
        self.assertEqual(
            self.ok("slice", "--format", "folded", "--event", "all", "--idle", "keep", path),
            self.ok("slice", "--format", "folded", "--event", "all", "--idle", "keep", "-",
                    stdin=generate.text_of(self.samples)))

    def test_some_samples_have_none(self):
        samples = self.samples[:40]
        mixed = [sample._replace(time=None) if i % 4 == 0 else sample
                 for i, sample in enumerate(samples)]
        path = self.path("mixed.perf", generate.text_of(mixed))
        everything = ("--event", "all", "--idle", "keep", path)
        picture = json.loads(self.notes("10 samples have no time", "heatmap", "--format", "json",
                                        *everything))
        self.assertEqual(sum(map(sum, picture["values"])), 30)
        lines = self.notes("10 samples have no time", "slice", "--format", "folded", "--range",
                           "..", *everything)
        self.assertEqual(sum(int(line.rsplit(b" ", 1)[1]) for line in lines.splitlines()), 30)
        lines = self.ok("slice", "--format", "folded", *everything)
        self.assertEqual(sum(int(line.rsplit(b" ", 1)[1]) for line in lines.splitlines()), 40)


class Ranges(Case):
    EVERYTHING = ("--event", "all", "--idle", "keep")

    def folded(self, *ranges, check=None):
        options = [word for text in ranges for word in ("--range", text)]
        args = ("slice", "--format", "folded", *self.EVERYTHING, *options, self.recording)
        return self.notes(check, *args) if check else self.ok(*args)

    def test_reversed_is_swapped(self):
        expected = self.folded("0.9..2.1")
        self.assertTrue(expected)
        for text in ("2.1..0.9", "2100ms..900ms", "2.1s..0.9"):
            self.assertEqual(self.folded(text, check="swapped"), expected)
        zero = self.samples[0].time // generate.NS
        self.assertEqual(self.folded(f"@{zero + 2}.1..{zero}.9", check="swapped"), expected)
        # As a selection that was clicked from its end.
        picture = self.notes("swapped", "heatmap", "--format", "json", *self.EVERYTHING,
                             "--range", "2.1..0.9", self.recording)
        self.assertEqual(json.loads(picture)["values"], json.loads(self.ok(
            "heatmap", "--format", "json", *self.EVERYTHING, "--range", "0.9..2.1",
            self.recording))["values"])

    def test_outside_is_clamped(self):
        whole = self.folded()
        for text in ("0..1000", "-1000..1000", "..1h", "@0.."):
            self.assertEqual(self.folded(text, check="clamped"), whole, text)
        self.assertEqual(self.folded("1..1000", check="clamped"), self.folded("1.."))
        for text in ("500..600", "-600..-500", "@1..2", "1000.."):
            with self.subTest(range=text):
                self.assertEqual(self.folded(text, check="(?s)clamped.*no samples"), b"")

    def test_empty(self):
        zero, time = self.samples[0].time // generate.NS * generate.NS, self.samples[10].time
        beside = f"{(time - zero + 1) / 1e9:.9f}+100ns"
        for text in ("1..1", "1+0", "0s..0ms", beside):
            with self.subTest(range=text):
                self.assertEqual(self.folded(text, check="no samples"), b"")
        where = ("--range", "1..1", *self.EVERYTHING, self.recording)
        tree = json.loads(self.notes("no samples", "slice", "--format", "json", *where))
        self.assertEqual(tree, {"name": "root", "value": 0, "children": []})
        svg = self.notes("no samples", "slice", "--format", "svg", *where)
        self.assertIn(b"</svg>", svg)
        for command in (("slice", "--format", "png"), ("slice", "--format", "tree"), ("top",),
                        ("heatmap", "--format", "term"), ("heatmap", "--format", "png"),
                        ("heatmap", "--format", "json"), ("info",)):
            with self.subTest(command=command):
                result = flamebeat(*command, *where)
                self.check_calm(result)
                self.assertEqual((result.returncode, errors_of(result)), (0, []))
                self.assertTrue(result.stdout)

    def test_edges(self):
        # FlameScope sends [start of the first cell, end of the last]; both ends may be samples.
        zero = self.samples[0].time // generate.NS * generate.NS
        a, b = self.samples[20].time, self.samples[30].time

        def count(begin, end):
            lines = self.folded(f"@{begin // 10**9}.{begin % 10**9:09}.."
                                f"{end // 10**9}.{end % 10**9:09}")
            return sum(int(line.rsplit(b" ", 1)[1]) for line in lines.splitlines())

        self.assertEqual(count(a, b), 10)
        self.assertEqual(count(a, b + 1), 11)
        self.assertEqual(count(a + 1, b), 9)
        self.assertEqual(count(a, a + 1), 1)
        self.assertEqual(count(zero, self.samples[-1].time + 1), 80)
        self.assertEqual(count(zero, self.samples[-1].time), 79)
        # To the end of the last second is within the recording: nothing to say.
        result = flamebeat("slice", "--format", "folded", "--strict", *self.EVERYTHING, "--range",
                           f"0..{self.samples[-1].time // 10**9 - zero // 10**9 + 1}",
                           self.recording)
        self.assertEqual((result.returncode, result.stderr), (0, b""))

    def test_nonsense(self):
        for text in ("", "foo", "1", "1..x", "1e3..2", "0x1..2", "nan..inf", "1..2..3", "--1..2",
                     "1+", "+1", "1+-1", "@..@", "1,5..2", "1..2s3", "..5parsecs", "1 .. 2x",
                     "9" * 400 + "..1", "14:03:22..14:03:23"):
            with self.subTest(range=text):
                result = self.fails(2, "^flamebeat: --range", "slice", f"--range={text}",
                                    self.recording)
                self.assertLess(len(result.stderr), 1000)
        for options in (("--zero", "x"), ("--every", "1s"), ("--phase", "0..1"),
                        ("--every", "x", "--phase", "0..1"), ("--every", "1s", "--phase", "0"),
                        ("--every", "1s", "--phase", "0..1.5"), ("--every-origin", "1"),
                        ("--every", "0", "--phase", "0..1"), ("--every", "1s", "--phase", "a..b"),
                        ("--every", "1s", "--phase", "-0.5..1")):
            with self.subTest(options=options):
                self.fails(2, "", "slice", *options, self.recording)

    def test_filters_that_match_nothing(self):
        for options in (("--pid", "1"), ("--tid", "99999"), ("--comm", "^nobody$"),
                        ("--process", "nobody"), ("--match", "no_such_function"), ("--cpu", "63"),
                        ("--exclude", ".", "--match", ".")):
            with self.subTest(options=options):
                lines = self.notes("match|passes", "slice", "--format", "folded", *options,
                                   self.recording)
                self.assertLessEqual(lines.count(b"\n"), 1)

    def test_unknown_event(self):
        names = {sample.event.decode() for sample in self.samples}
        for command in COMMANDS[:-1]:
            result = self.fails(2, "no event 'cache-misses'", *command, "--event", "cache-misses",
                                self.recording)
            for name in names:
                self.assertIn(name, result.stderr.decode())

    def test_bad_expressions(self):
        for option in ("--comm", "--process", "--match", "--exclude"):
            self.fails(2, option, "slice", option, "(", self.recording)
        for option, value in (("--pid", "x"), ("--tid", "1.5"), ("--cpu", "3-1"), ("--cpu", ""),
                              ("--idle", "maybe"), ("--weight", "kg"), ("--names", "nice")):
            self.fails(2, option, "slice", option, value, self.recording)

    def test_expressions_that_give_up(self):
        # No answer is not "does not match": it would be a wrong picture.
        name = b"a" * 40 + b"b"
        path = self.path("backtrack.perf", (ONE % (5, 0)).replace(b"work", name))
        for option in ("--match", "--exclude"):
            self.fails(5, f"^flamebeat: {option}: .*simpler", "slice", option, "^(a+)+$", path)
        path = self.path("backtrack.perf", (ONE % (5, 0)).replace(b"a 7", name + b" 7"))
        for option in ("--comm", "--process"):
            self.fails(5, f"^flamebeat: {option}: .*simpler", "top", option, "^(a+)+$", path)

    def test_options_given_twice(self):
        # The last one counts, but for those that add up.
        slice_one = ("slice", "--format", "json", "--format", "folded", "--idle", "drop", "--idle",
                     "keep", "--group-by", "tid", "--group-by", "comm", "--event", "x", "--event",
                     "all", self.recording)
        self.assertEqual(self.ok(*slice_one), self.folded())
        picture = self.ok("heatmap", "--rows", "7", "--rows", "9", "--column", "2s", "--column",
                          "1s", "--format", "json", self.recording)
        self.assertEqual(len(json.loads(picture)["rows"]), 9)
        out = self.path("twice.svg")
        self.ok("slice", "-o", self.path("first.svg"), "-o", out, self.recording)
        self.assertTrue(os.path.exists(out))
        self.assertFalse(os.path.exists(self.path("first.svg")))

    def test_input_given_twice(self):
        for again in (self.recording, os.path.join(self.folder, ".", "good.perf")):
            result = flamebeat("slice", "--format", "folded", *self.EVERYTHING, self.recording,
                               again)
            self.assertEqual(result.returncode, 0)
            self.assertIn(b"given twice", result.stderr)
            self.assertEqual(result.stdout, self.folded())


WRITERS = (
    ("ingest",), ("heatmap", "--format", "png"), ("heatmap", "--format", "json"),
    ("heatmap", "--format", "term"), ("slice", "--format", "svg"), ("slice", "--format", "png"),
    ("slice", "--format", "folded"), ("slice", "--format", "json"),
    ("slice", "--format", "flamescope"), ("slice", "--format", "tree"), ("top",), ("top", "--json"),
    ("info",), ("info", "--json"),
)


class Output(Case):
    """What cannot be written whole is not written at all, and said."""

    def check_status(self, result, command, name="standard output"):
        self.check_calm(result, command)
        self.assertIn(name.encode(), result.stderr)
        self.assertEqual(result.returncode, 1, (command, result.stderr))
        self.assertEqual(len(errors_of(result)), 1, (command, result.stderr))
        self.assertIn(b"write", result.stderr)

    def test_full_device(self):
        for command in WRITERS:
            with self.subTest(command=command):
                self.check_status(flamebeat(*command, "-o", "/dev/full", self.recording), command,
                                  "/dev/full")
                to = ("-o", "-") if command == ("ingest",) else ()
                with open("/dev/full", "wb") as full:
                    result = subprocess.run(
                        [PROGRAM, *command, *to, self.recording], env=CLEAN, stdout=full,
                        stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
                self.check_status(result, command)

    def test_help_to_a_full_device(self):
        for command in (("--help",), ("--version",), ("slice", "--help")):
            with open("/dev/full", "wb") as full:
                result = subprocess.run([PROGRAM, *command], env=CLEAN, stdout=full,
                                        stderr=subprocess.PIPE, check=False)
            self.check_status(result, command)

    def test_folder_is_missing(self):
        for command in WRITERS:
            with self.subTest(command=command):
                self.fails(1, "no-such-folder.*No such file", *command, "-o",
                           self.path("no-such-folder/x"), self.recording)
                folder = os.path.dirname(self.path("taken/file", b""))
                self.fails(1, "directory", *command, "-o", folder, self.recording)
                self.assertEqual(os.listdir(folder), ["file"])
        self.assertFalse(os.path.exists(self.path("no-such-folder")))

    def test_limit_of_file_size(self):
        # A full disk for everybody: what is written beyond 4 KiB fails.
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

        folder = os.path.dirname(self.path("limited/old.out", b"as it was"))
        recording = self.path("large.perf", generate.text_of(generate.samples_of(22, n=600)))
        for command in (("ingest",), ("slice", "--format", "svg"), ("heatmap", "--format", "png"),
                        ("slice", "--format", "json"), ("top", "--csv", "--by", "thread",
                                                        "--limit", "0")):
            for name in ("old.out", "new.out"):
                with self.subTest(command=command, output=name):
                    result = subprocess.run(
                        [PROGRAM, *command, "-o", os.path.join(folder, name), recording],
                        env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                        stderr=subprocess.PIPE, preexec_fn=limit, check=False)
                    if command[0] == "top" and result.returncode == 0:
                        os.replace(self.path("limited/old.out", b"as it was"),
                                   os.path.join(folder, "old.out"))
                        if name == "new.out":
                            os.unlink(os.path.join(folder, name))
                        continue  # short enough
                    self.check_status(result, command, name)
                    self.assertEqual(os.listdir(folder), ["old.out"])
                    self.assertEqual(self.read(os.path.join(folder, "old.out")), b"as it was")

    def test_full_file_system(self):
        # In a mount namespace of its own, so that nothing is left behind.
        script = """
            mount -t tmpfs -o size=8k,nr_inodes=20 none "$1" || exit 77
            cd "$1" && echo as it was >old.out && shift
            for name in old.out new.out; do
              "$@" -o "$name"
              echo "status $?"
            done
            ls -A
            cat old.out
            df -k . | tail -1 | awk '{print "used", $3}'
        """
        if not shutil.which("unshare"):
            self.skipTest("no unshare")
        mount = os.path.dirname(self.path("mount/x", b""))
        recording = self.path("large.perf", generate.text_of(generate.samples_of(22, n=1500)))
        for command in (("ingest",), ("slice", "--format", "svg"), ("heatmap", "--format", "png",
                                                                    "--scale-factor", "4")):
            result = subprocess.run(
                ["unshare", "--mount", "sh", "-c", script, "sh", mount, PROGRAM, *command, "-q",
                 recording], env=CLEAN, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, check=False)
            if result.returncode == 77 or b"unshare" in result.stderr:
                self.skipTest("may not mount")
            with self.subTest(command=command):
                self.assertEqual(result.stdout.split(b"\n")[:-2],
                                 [b"status 1", b"status 1", b"old.out", b"as it was"],
                                 result.stderr)
                self.assertRegex(result.stdout, rb"used [0-4]\n")
                self.assertEqual(result.stderr.count(b"No space left"), 2)
                self.assertEqual(result.stderr.count(b"\n"), 2)

    def test_replaces_whole_files(self):
        old = self.path("whole/old.svg", b"x" * 10**6)
        os.chmod(old, 0o640)
        link = self.path("whole/link.svg")
        os.symlink("old.svg", link)
        self.ok("slice", "-o", link, self.recording)
        self.assertTrue(os.path.islink(link))
        self.assertTrue(self.read(old).endswith(b"</svg>\n"))
        self.assertEqual(os.stat(old).st_mode & 0o777, 0o640)
        self.assertEqual(sorted(os.listdir(os.path.dirname(old))), ["link.svg", "old.svg"])

    def test_follows_a_link_to_nothing(self):
        folder = os.path.dirname(self.path("dangling/to/x", b""))
        link = os.path.join(folder, "link.svg")
        os.symlink("../new.svg", link)
        other = os.path.join(folder, "other.svg")
        os.symlink(link, other)
        self.ok("slice", "-o", other, self.recording)
        self.assertTrue(os.path.islink(link) and os.path.islink(other))
        self.assertTrue(self.read(self.path("dangling/new.svg")).endswith(b"</svg>\n"))

    def test_a_store_that_is_cut_off_while_it_is_read(self):
        store = self.path("busy/cut.beat")
        self.ok("ingest", self.recording, "-o", self.path("busy/whole.beat", b""))
        whole = self.read(self.path("busy/whole.beat"))
        for n in (0, 4096, len(whole) // 2):
            self.path("busy/cut.beat", whole)
            # While it waits for the second input, the first is mapped.
            process = subprocess.Popen([tap.PROGRAM, "info", store, "-"], stdin=subprocess.PIPE,
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                       env=tap.CLEAN)
            with open(f"/proc/{process.pid}/maps", "rb") as maps:
                end = time.monotonic() + 30
                while store.encode() not in maps.read() and time.monotonic() < end:
                    maps.seek(0)
                    time.sleep(0.01)
            os.truncate(store, n)
            out, err = process.communicate(self.text)
            self.assertEqual((process.returncode, out), (4, b""), err)
            self.assertEqual(err.count(b"\n"), 1, err)
            self.assertIn(b"cut off", err)

    def test_failure_leaves_the_old_file(self):
        old = self.path("kept/old.beat", b"as it was")
        self.fails(1, "", "ingest", self.path("junk.perf", b"junk\n" * 9), "-o", old)
        self.fails(2, "", "slice", self.recording, "--event", "none", "-o", old)
        self.assertEqual(self.read(old), b"as it was")
        self.assertEqual(os.listdir(os.path.dirname(old)), ["old.beat"])

    def test_output_over_the_input(self):
        path = self.path("same/rec.perf", self.text)
        expected = self.ok("slice", "--format", "folded", path)
        self.ok("ingest", path, "-o", path)
        self.assertEqual(self.read(path)[1:5], b"BEAT")
        self.ok("ingest", path, "-o", path)
        self.assertEqual(self.ok("slice", "--format", "folded", path), expected)

    def test_reader_goes_away(self):
        recording = self.path("large.perf", generate.text_of(generate.samples_of(22, n=1500)))
        for command in (("slice", "--format", "svg"), ("slice", "--format", "json"),
                        ("slice", "--format", "tree"), ("ingest", "-o", "-"),
                        ("heatmap", "--format", "json", "--column", "20ms")):
            with self.subTest(command=command):
                for restores in (True, False):  # SIGPIPE as usual, and ignored
                    with subprocess.Popen(
                            [PROGRAM, *command, "-q", recording], env=CLEAN,
                            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, restore_signals=restores) as process:
                        self.assertEqual(len(process.stdout.read(1)), 1)
                        process.stdout.close()
                        errors = process.stderr.read()
                        process.wait()
                    if restores:
                        self.assertEqual(errors, b"")
                        self.assertIn(process.returncode, (0, -signal.SIGPIPE))
                    else:
                        self.assertLessEqual(errors.count(b"\n"), 1, errors)
                        self.assertNotIn(b"Sanitizer", errors)
                        self.assertIn(process.returncode, (0, 1))


class Extremes(Case):
    def limited(self, *args, stack=None, memory=None):
        """The program with little stack, or memory (which sanitizers need for themselves)."""
        def limit():
            if stack:
                resource.setrlimit(resource.RLIMIT_STACK, (stack, stack))
            if memory and not has_asan():
                resource.setrlimit(resource.RLIMIT_AS, (memory, memory))

        result = subprocess.run([PROGRAM, *map(str, args)], env=CLEAN, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limit,
                                check=False)
        self.check_calm(result, args)
        return result

    def test_long_lines(self):
        long = b"x" * 5_000_000
        text = (ONE % (5, 0) + long + b" 7 [000] 5.100000: 1 cycles: \n\t 1234 work (/bin/x)\n\n" +
                ONE % (5, 200000) + b"\t            1234 " + long + b" (/bin/x)\n\n" +
                ONE % (5, 300000))
        path = self.path("long.perf", text)
        info = json.loads(self.notes("longer than", "info", "--json", path))
        self.assertEqual(info["samples"], 3)
        lines = self.notes("lines skipped", "slice", "--format", "folded", path)
        self.assertEqual(lines, b"a;work 3\n")

    def test_endless_line(self):
        self.fails(1, "does not look like", "info", self.path("endless.perf", b"y" * 7_000_000))

    def test_deep_stacks(self):
        n, most = 100_000, 65_536  # the most that --max-frames takes
        frames = b"".join(b"\t%16x f%d+0x1 (/bin/x)\n" % (i, i % 7000) for i in range(n))
        path = self.path("deep.perf", b"a 7 [000] 5.000000: 1 cycles: \n" + frames + b"\n")
        result = self.limited("slice", "--format", "folded", path, stack=256 << 10)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"[truncated]", result.stderr)
        names = result.stdout.removesuffix(b" 1\n").split(b";")
        self.assertEqual(names[:2], [b"a", b"[truncated]"])
        self.assertEqual(names[2:], [b"f%d" % (i % 7000) for i in reversed(range(8192))])
        for command in (("slice", "--format", "json"), ("slice", "--format", "flamescope"),
                        ("slice", "--format", "svg"), ("slice", "--format", "tree"),
                        ("slice", "--format", "folded", "--reverse", "--match", "f6999"),
                        ("top",), ("heatmap", "--format", "json"), ("ingest", "-o", "-")):
            with self.subTest(command=command):
                result = self.limited(*command, "--max-frames", most, path, stack=256 << 10)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(result.stderr.count(b"\n"), 1, result.stderr)
                if "json" in command and command[0] == "slice":
                    self.assertEqual(result.stdout.count(b'"name"'), most + 3)
                    self.assertEqual(result.stdout.rstrip()[-2 * most:], b"]}" * most)
                if "folded" in command:
                    self.assertEqual(result.stdout.count(b";"), most + 1)

    def test_far_away(self):
        # A clock that jumps by 31 years: no memory for all the time between.
        for far in (10**6, 10**9, 2 * 10**9):
            path = self.path("far.perf", ONE % (5, 0) + ONE % (far, 1) + ONE % (far, 999999))
            with self.subTest(far=far):
                for command in (("heatmap", "--format", "json"), ("heatmap", "--format", "term"),
                                ("heatmap", "--format", "json", "--column", "1h"),
                                ("heatmap", "--format", "json", "--column", "1ns"),
                                ("heatmap", "--format", "json", "--by", "cpu")):
                    result = self.limited(*command, path, memory=2 << 30)
                    self.assertIn(result.returncode, (0, 5), result.stderr)
                    if result.returncode == 5:
                        self.assertEqual((result.stdout, result.stderr.count(b"\n")), (b"", 1))
                for command, output in (
                        (("slice", "--format", "folded"), b"a;work 3\n"),
                        (("slice", "--format", "folded", "--range", "-2.."), b"a;work 2\n"),
                        (("slice", "--format", "folded", "--every", "1us", "--phase", "0..1"),
                         b"a;work 3\n")):
                    result = self.limited(*command, path, memory=2 << 30)
                    self.assertEqual((result.returncode, result.stdout, result.stderr),
                                     (0, output, b""))
                info = json.loads(self.limited("info", "--json", path, memory=2 << 30).stdout)
                self.assertEqual(info["end_ns"], far * 10**9 + 999999000)
                picture = self.limited("heatmap", "--format", "json", "--range", "-1..", path)
                self.assertEqual(json.loads(picture.stdout)["total"], 2)

    def test_times_that_do_not_fit(self):
        text = (ONE % (5, 0) + ONE % (9999999999, 0) + ONE % (10**25, 0) +
                ONE % (18446744073, 709551))
        info = json.loads(self.ok("info", "--json", "-", stdin=text))
        self.assertEqual((info["samples"], info["untimed_samples"]), (4, 3))
        self.assertEqual((info["start_ns"], info["end_ns"]), (5 * 10**9, 5 * 10**9))

    def test_numbers_that_do_not_fit(self):
        text = b"".join(ONE.replace(b"250000", number) % (5, i * 1000) for i, number in
                        enumerate((b"18446744073709551615", b"18446744073709551614",
                                   b"99999999999999999999999")))
        options = ("--weight", "period", "-")
        lines = self.ok("slice", "--format", "folded", *options, stdin=text)
        self.assertEqual(lines, b"a;work 18446744073709551615\n")
        # Sums stay at the largest number instead of beginning anew.
        picture = json.loads(self.ok("heatmap", "--format", "json", *options, stdin=text))
        self.assertEqual(picture["maxvalue"], 2**64 - 1)
        self.assertEqual(picture["total"], 2**64 - 1)
        for ids in (b"99999999999", b"-1", b"-1/-1", b"5/99999999999", b"4294967296/1"):
            line = ONE.replace(b"a 7 ", b"a %s " % ids) % (5, 0)
            self.assertEqual(self.ok("slice", "--format", "folded", "-", stdin=line), b"a;work 1\n")
        cpu = ONE.replace(b"[000]", b"[4294967295]") % (5, 0)
        self.ok("heatmap", "--format", "json", "--by", "cpu", "-", stdin=cpu)

    def test_many_names(self):
        # Every thread, symbol and event is another.
        text = b"".join(b"t%d %d [%03d] 5.%06d: 1 e%d: \n\t%16x s%d (/bin/d%d)\n\n"
                        % (i, i + 1, i % 999, i, i % 4000, i, i, i) for i in range(20_000))
        path = self.path("many.perf", text)
        info = json.loads(self.limited("info", "--json", path).stdout)
        self.assertEqual((info["threads"], len(info["events"])), (20_000, 4000))
        result = self.limited("slice", "--format", "folded", "--event", "all", path)
        self.assertEqual(result.stdout.count(b"\n"), 20_000)
        result = self.limited("heatmap", "--format", "json", "--by", "thread", path, "-q")
        self.assertEqual(len(json.loads(result.stdout)["rows"]), 5)


HOSTILE = (
    b"\x1b[31mred\x1b[0m", b"\x1b]0;t\x07", b"\xe2\x80\xaegnp", b"</script>", b"]]><x>",
    b"&amp;\"'",
    b"caf\xe9 \xff\xfe", b"\xc0\xaf\xed\xa0\x80", b"a\x00b", b"\x01\x02\x7f\x9b", b"%s%n%d",
    b"\xef\xbf\xbf\xf0\x9f\x94\xa5", b"\\u0000\\", b"${jndi}", b"\xc2\x9b31m", b"\xe2\x80\xa8x",
)


class Hostile(Case):
    """Names with bytes that mean something to a terminal, to XML, JSON or HTML."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        records = []
        for i, name in enumerate(HOSTILE):
            for k, (comm, event, symbol, dso) in enumerate((
                    (name, b"cycles", b"work", b"/bin/x"), (b"a", b"cycles", name, b"/bin/x"),
                    (b"a", b"cycles", b"[unknown]", b"/lib/" + name),
                    (b"a", name.replace(b" ", b""), b"work", b"/tmp/perf-7.map"))):
                records.append(b"%s 7 [000] 5.%06d: 1 %s: \n\t            1234 %s+0x4 (%s)\n\n"
                               % (comm, i * 4 + k, event, symbol, dso))
        cls.path_ = os.path.join(cls.folder, "hostile \x1b[31m\u202e<&>.perf")
        with open(cls.path_, "wb") as file:
            file.write(b"".join(records))

    def outputs(self, *commands, **settings):
        for command in commands:
            result = flamebeat(*command, self.path_, **settings)
            self.check_calm(result, command)
            self.assertEqual((result.returncode, errors_of(result)), (0, []), command)
            yield command, result

    def test_terminals(self):
        commands = (
            ("info",), ("top", "--event", "all"), ("top", "--by", "comm"), ("top", "--by", "dso"),
            ("top", "--by", "thread"), ("top", "--by", "process"), ("slice", "--format", "tree"),
            ("slice", "--format", "tree", "--group-by", "pool", "--event", "all"),
            ("heatmap", "--format", "term", "--by", "comm"),
            ("heatmap", "--format", "term", "--title", "\x1b[31m\u202e"),
        )
        for locale in ("C", "C.UTF-8"):
            env = {"NO_COLOR": "1", "TERM": "xterm-256color", "LC_ALL": locale}
            for command, result in self.outputs(*commands, env=env):
                with self.subTest(command=command, locale=locale):
                    for output in (result.stdout, result.stderr):
                        text = output.decode()
                        odd = set(re.findall("[\0-\x08\x0b-\x1f\x7f-\x9f\u202e\u2028]", text))
                        self.assertEqual(odd, set())

    def test_colours_are_all_that_is_escaped(self):
        env = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LC_ALL": "C.UTF-8"}
        for _, result in self.outputs(("heatmap", "--format", "term", "--by", "comm"),
                                      ("heatmap", "--format", "term"), ("slice", "--format",
                                                                        "tree"), env=env):
            text = re.sub("\x1b\\[[0-9;]*m", "", result.stdout.decode())
            self.assertEqual(re.findall("[\x1b\x9b\u202e]", text), [])

    def test_errors(self):
        for args in (("info", "\x1b[31mmissing\u202e"), ("slice", "--event", "\x1b[2J",
                                                          self.path_),
                     ("slice", "--range", "\x1b[2J", self.path_), ("\x1b[2J",),
                     ("slice", "--\x1b[2J", self.path_), ("slice", "--comm", "(\x1b[2J",
                                                           self.path_),
                     ("slice", "--format", "\x1b[2J", self.path_),
                     ("slice", "-o", self.path("\x1b[2J/x"), self.path_)):
            with self.subTest(args=args):
                result = flamebeat(*args)
                self.assertIn(result.returncode, (1, 2))
                self.assertEqual(re.findall(rb"[\x00-\x09\x0b-\x1f\x7f]", result.stderr), [])

    def test_json(self):
        for command, result in self.outputs(
                ("slice", "--format", "json"), ("slice", "--format", "flamescope", "--event",
                                                "all"),
                ("heatmap", "--format", "json", "--by", "comm"), ("info", "--json"),
                ("heatmap", "--format", "json", "--by", "thread", "--event", "all"),
                ("top", "--json"), ("top", "--json", "--by", "comm"),
                ("top", "--json", "--by", "dso")):
            with self.subTest(command=command):
                text = result.stdout.decode()  # it is UTF-8
                json.loads(text)
                self.assertEqual(re.findall("[\0-\x09\x0b-\x1f]", text), [])

    def test_svg(self):
        for command, result in self.outputs(
                ("slice", "--format", "svg", "--event", "all"),
                ("slice", "--format", "svg", "--group-by", "tid", "--title", "]]>\x1b</script>",
                 "--subtitle", "<&\"'\x01\u2028")):
            with self.subTest(command=command):
                text = result.stdout.decode()
                self.assertEqual(re.findall("[\0-\x08\x0b-\x1f\ufffe\uffff]", text), [])
                if shutil.which("xmllint"):
                    lint = subprocess.run(["xmllint", "--noout", "--nonet", "-"], check=False,
                                          input=result.stdout, stderr=subprocess.PIPE)
                    self.assertEqual((lint.returncode, lint.stderr), (0, b""))
                self.assertEqual(text.count("</script>"), 1)
                self.assertEqual(text.count("<x>"), 0)

    def test_folded_is_utf8(self):
        for _, result in self.outputs(("slice", "--format", "folded", "--event", "all")):
            result.stdout.decode()

    def test_folded_and_csv(self):
        for command, result in self.outputs(("slice", "--format", "folded", "--event", "all"),
                                            ("slice", "--format", "folded", "--group-by", "tid")):
            for line in result.stdout.split(b"\n")[:-1]:
                self.assertRegex(line, rb"\A[^;\0-\x1f]+(;[^;\0-\x1f]+)* \d+\Z", command)
        for _, result in self.outputs(("top", "--csv", "--by", "comm"), ("top", "--csv")):
            result.stdout.decode()

    def test_pictures(self):
        list(self.outputs(("heatmap", "--format", "png"), ("slice", "--format", "png"),
                          ("heatmap", "--format", "png", "--by", "comm", "--title", "\x1b\x01")))

    def test_store_keeps_the_bytes(self):
        store = self.path("hostile.beat")
        self.ok("ingest", self.path_, "-o", store)
        for command in (("slice", "--format", "json", "--event", "all"), ("top", "--json"),
                        ("top", "--json", "--by", "comm", "--event", "all")):
            self.assertEqual(flamebeat(*command, store).stdout,
                             flamebeat(*command, self.path_).stdout)
        chosen = ("--event", "all", "--comm", "^caf\udce9 ", "--format", "json")
        tree = json.loads(flamebeat("slice", *chosen, store).stdout)
        self.assertEqual(tree["value"], 1)


if __name__ == "__main__":
    tap.main()
