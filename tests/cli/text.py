# SPDX-License-Identifier: MIT
"""perf's text from outside: every recording there is, counted by other means; encodings; what is
said of lines that were not used."""

import json
import os
import re
import signal
import shutil
import subprocess
import unittest

import case
import tap
from tap import PROGRAM, CLEAN, flamebeat, shared

# --- every recording of other projects -----------------------------------------------------------
#
# Samples, frames and skipped lines, each checked against a count by a regular expression of the
# file's own form (not by a grammar of perf's): (event lines, frame lines).

TIME = rb"^(?![#\t]).*\s\d+\.\d{6}(\d{3})?:\s"
TAB_FRAME = rb"^\t *[0-9a-f]+( |$)"
ANY_FRAME = rb"^\s+[0-9a-f]+( |$)"
ON_THE_LINE = rb": {2,} *[0-9a-f]{2,16} \S+.* \(.*\)"
FOLDED = rb"^.+ \d+$"

TABLE = {
    "flamegraph/perf-cycles-instructions-01.txt": (444, 705, 0, TIME, ANY_FRAME),
    "flamegraph/perf-funcab-cmd-01.txt": (169, 507, 0, TIME, ANY_FRAME),
    "flamegraph/perf-iperf-stacks-pidtid-01.txt": (201, 3207, 0, TIME, ANY_FRAME),
    "flamegraph/perf-java-faults-01.txt": (23, 143, 0, TIME, ANY_FRAME),
    "flamegraph/perf-java-stacks-01.txt": (46, 1233, 0, TIME, ANY_FRAME),
    "flamegraph/perf-numa-stacks-01.txt": (200, 2345, 0, TIME, ANY_FRAME),
    # Without times: `java 52353 cpu-clock: `.
    "flamegraph/perf-vertx-stacks-01.txt": (286, 9397, 0, rb"^\S.* \d+ .*:\s*$", ANY_FRAME),
    "flamescope/perf.test01": (9, 240, 0, TIME, ANY_FRAME),
    "inferno/cpp-stacks-std-function.txt": (46, 423, 0, TIME, ANY_FRAME),
    "inferno/go-stacks.txt": (5, 90, 0, TIME, ANY_FRAME),
    "inferno/java-inline.txt": (22, 157, 0, TIME, ANY_FRAME),
    # One of the two frames is `THIS_IS_A_WEIRD_LINE`.
    "inferno/weird-stack-line.txt": (2, 1, 1, TIME, ANY_FRAME),
    # 6 samples of a thread called "new\nline": a line `new` each.
    "perf-6.1/comm-variants-callchain.txt": (215, 440, 6, TIME + rb"| 125\d\.\d{6}: ", TAB_FRAME),
    "perf-6.1/comm-variants-singleline.txt": (215, 215, 6, rb" 125\d\.\d{6}: ", ON_THE_LINE),
    "perf-6.1/cpp-dwarf-inlined.txt": (60, 429, 0, TIME, TAB_FRAME),
    "perf-6.1/cpp-dwarf-srcline.txt": (30, 214, 0, TIME, TAB_FRAME),
    "perf-6.1/cpp-srccode.txt": (10, 20, 0, rb"^(?![|\t]).*\d\.\d{6}: ", TAB_FRAME),
    "perf-6.1/f-no-dso.txt": (6, 49, 0, TIME, TAB_FRAME),
    "perf-6.1/f-no-event.txt": (11, 25, 0, rb" \d+\.\d{6}: ", TAB_FRAME),
    "perf-6.1/f-no-tid.txt": (11, 25, 0, TIME, TAB_FRAME),
    # The other line is perf's message about lost trace data.
    "perf-6.1/itrace-errors.txt": (1, 1, 1, TIME, rb"^\s+[0-9a-f]{4,16} \S+\+0x"),
    "perf-6.1/multi-events.txt": (44, 212, 0, TIME, TAB_FRAME),
    "perf-6.1/node-perf-basic-prof.txt": (25, 451, 0, TIME, TAB_FRAME),
    "perf-6.1/ns.txt": (19, 40, 0, TIME, TAB_FRAME),
    "perf-6.1/page-faults-noaddr.txt": (102, 102, 0, TIME, ON_THE_LINE),
    "perf-6.1/pipe-mode-header.txt": (9, 16, 0, TIME, TAB_FRAME),
    "perf-6.1/reltime.txt": (19, 40, 0, TIME, TAB_FRAME),
    # Times of fewer decimals; a TAB behind the address.
    "perf-6.1/simpleperf-legacy.txt": (2, 3, 0, rb"^\S.*\[\d+\] \d+\.\d+:", rb"^ +[0-9a-f]+\t"),
    # No call chains were recorded.
    "perf-6.1/tracepoints-nocallchain.txt": (130, 0, 0, TIME, TAB_FRAME),
    "perf-6.1/untimed.txt": (19, 41, 0, rb"^\S+ \d+ +\d+ \S+: *$", TAB_FRAME),
    "perf-6.1/uprobes.txt": (10, 20, 0, TIME, TAB_FRAME),
    "perf-6.1/uregs-callchain.txt": (20, 45, 0, TIME, TAB_FRAME),
    "perf-6.1/uregs-singleline.txt": (20, 20, 0, TIME, ON_THE_LINE),
    "speedscope/forks.linux-perf.txt": (561, 2659, 0, TIME, ANY_FRAME),
    "speedscope/system-wide.linux-perf.txt": (556, 2319, 0, TIME, ANY_FRAME),
}

REFUSED = {
    "perf-6.1/deltatime.txt": "deltatime",
    "perf-6.1/f-ip-sym-only.txt": ":2: 15 frames without an event line",
    "perf-6.1/sideband-records.txt": "79 records of other kinds, but no sample",
}


def n_matching(lines, pattern):
    return sum(re.search(pattern, line) is not None for line in lines)


class EveryRecording(case.Case):
    def test_the_table_is_complete(self):
        files = {os.path.relpath(os.path.join(folder, name), tap.SHARED)
                 for folder, _, names in os.walk(shared()) for name in names
                 if os.path.basename(folder) != "results"}
        self.assertEqual(files, {*TABLE, *REFUSED})

    def test_counts(self):
        for name, (samples, frames, skipped, event_line, frame_line) in TABLE.items():
            with self.subTest(file=name):
                path = shared(name)
                lines = self.read(path).split(b"\n")
                self.assertEqual((n_matching(lines, event_line), n_matching(lines, frame_line)),
                                 (samples, frames))
                result = flamebeat("info", "--json", path)
                self.assertEqual(result.returncode, 0, result.stderr)
                info = json.loads(result.stdout)
                self.assertEqual((info["samples"], info["frames"], info["skipped_lines"]),
                                 (samples, frames, skipped))
                self.assertEqual((info["suspicious"], info["lines"]), (0, len(lines) - 1))

    def test_refused(self):
        for name, reason in REFUSED.items():
            self.fails(1, reason, "info", shared(name))

    def test_results_of_flamegraph(self):
        # Folded: a sample a line, its frames behind the semicolons (one is a blank: none).
        frame = rb";[^;]*[^; ][^;]*(?=;| \d+$)"
        for project in ("flamegraph", "inferno"):
            folder = shared(project, "results")
            for name in os.listdir(folder):
                with self.subTest(file=name):
                    lines = self.read(os.path.join(folder, name)).splitlines()
                    info = json.loads(self.ok("info", "--json", os.path.join(folder, name)))
                    self.assertEqual(
                        (info["samples"], info["frames"], info["skipped_lines"]),
                        (n_matching(lines, FOLDED), sum(len(re.findall(frame, line)) for line in lines), 0))


ONE = b"a 7 [000] %d.000000: 250000 cycles: \n\t            1234 %s+0x4 (/bin/x)\n\n"


class Encodings(case.Case):
    """What editors and shells make of a text is the same recording."""

    def check(self, data, expected=b"a;caf\xc3\xa9 2\n"):
        self.assertEqual(self.ok("slice", "--format", "folded", "-", stdin=data), expected)
        path = self.path("recording", data)
        self.assertEqual(self.ok("slice", "--format", "folded", path), expected)
        info = json.loads(self.ok("info", "--json", path))
        self.assertEqual((info["samples"], info["frames"], info["skipped_lines"]), (2, 2, 0))

    def test_all(self):
        text = (ONE % (5, "café".encode()) + ONE % (6, "café".encode())).decode()
        for body in (text, text.replace("\n", "\r\n"), text[:-2]):
            for encoding in ("utf-8", "utf-8-sig", "utf-16"):
                with self.subTest(encoding=encoding, crlf="\r" in body):
                    self.check(body.encode(encoding))
            self.check(b"\xfe\xff" + body.encode("utf-16-be"))

    def test_packed(self):
        text = ONE % (5, b"f") + ONE % (6, b"f")
        packed = subprocess.run(["xz", "-c"], input=text.decode().encode("utf-16"), check=True,
                                stdout=subprocess.PIPE).stdout
        self.check(packed, b"a;f 2\n")

    def test_cut_off(self):
        data = (ONE % (5, b"f")).decode().encode("utf-16")[:-1]
        self.assertEqual(self.notes("UTF-16 with 1 broken unit", "slice", "--format", "folded",
                                    "-", stdin=data), b"a;f 1\n")

    def test_folded(self):
        self.assertEqual(self.ok("slice", "--format", "folded", "-",
                                 stdin="a;b 3\r\na;c 2\r\n".encode("utf-16")), b"a;b 3\na;c 2\n")


class ClosingNote(case.Case):
    def check(self, data, note):
        path = self.path("a.perf", data)
        for command in (("info",), ("slice", "--format", "folded"), ("top",),
                        ("heatmap", "--format", "json"), ("ingest", "-o", "-")):
            result = flamebeat(*command, path)
            self.assertEqual(result.returncode, 0)
            self.assertIn(("flamebeat: note: " + note).replace("FILE", path).encode(),
                          result.stderr)

    def test_words(self):
        one, two = ONE % (5, b"f"), ONE % (6, b"g")
        junk = b"what is this\n"
        why = "no line that perf script prints)"
        self.check(one + junk, f"1 sample, 1 frame; 1 line skipped (first at FILE:4: {why}")
        self.check(one + two + junk + junk,
                   f"2 samples, 2 frames; 2 lines skipped (first at FILE:7: {why}")
        # perf's own messages are noise, and no line is "the first" because of them.
        self.check(b"Warning:\n" * 6 + one + junk,
                   f"1 sample, 1 frame; 1 line skipped (first at FILE:10: {why}")

    def test_none(self):
        for data in (ONE % (5, b"f"), b"Warning:\n" + ONE % (5, b"f")):
            result = flamebeat("top", self.path("a.perf", data))
            self.assertEqual((result.returncode, result.stderr), (0, b""))


class WithoutTimeOrEvent(case.Case):
    FRAMES = b"\t            1234 f+0x4 (/bin/x)\n\n"

    def test_threads_alone(self):
        # perf script -F comm,tid,ip,sym and the like.
        for line in (b"a 7 ", b"a 6/7 ", b"a 6/7 [001] ", b"two words    7 "):
            text = (line + b"\n" + self.FRAMES) * 3
            info = json.loads(self.ok("info", "--json", "-", stdin=text))
            self.assertEqual((info["samples"], info["frames"], info["skipped_lines"],
                              info["untimed_samples"]), (3, 3, 0, 3))
            self.assertEqual(info["events"][0]["name"], "[unknown]")
        self.fails(1, "no timestamps", "heatmap", "-", stdin=text)

    def test_no_frames_follow(self):
        text = ONE % (5, b"f") + b"chapter 7\n" + ONE % (6, b"f")
        info = json.loads(self.notes("first at standard input:4", "info", "--json", "-",
                                     stdin=text))
        self.assertEqual((info["samples"], info["skipped_lines"]), (2, 1))

    def test_frames_alone(self):
        # perf script -F ip,sym and -F comm,ip,sym.
        for line in (b"", b"a"):
            self.fails(1, "frames without an event line .*-F comm,pid,tid,cpu,time", "info", "-",
                       stdin=(line + b"\n" + self.FRAMES) * 3)


class LookAlikes(case.Case):
    """What is no recording is called by its name, with what to do instead."""

    def test_all(self):
        for data, what in (
                (b"# To display the perf.data header info, please use --header\n#\n# Overhead  Command"
                 b"\n    12.00%  bash  libc  [.] read\n", "perf report"),
                (b"     0.036 ( 0.002 ms): ls/18061 brk() = 0x55e8\n", "perf trace"),
                (b"         ? (         ): ls/1  ... [continued]: brk()) = 0x5\n"
                 b"     0.036 (         ): ls/18061 brk() = 0x55e8\n", "perf trace"),
                (b"0x228 [0x58]: event: 1\n.\n. ... raw event: size 88 bytes\n", "perf script -D"),
                (b"0 0x228 [0x58]: PERF_RECORD_MMAP -1/0: [0xffff]: x [kernel]\n", "perf script -D"),
                (b"   time    cpu  task name    wait time\n", "timehist"),
                (b"# tracer: function\n#\n bash-1 [000] d..2. 1.2: x\n", "ftrace"),
                (b"            bash-1234  [001] d..2.  12.345678: sched_switch: x\n", "ftrace"),
                (b"sample:\n  event_type: cpu-cycles\n  time: 1\n", "simpleperf"),
                (b"SIMPLEPERF\1\0\5\0\0\0", "simpleperf"), (b"FLR\0\0\2\0\0", "Flight Recorder"),
                (b"@[\n    f+1\n]: 12\n", "bpftrace"), (b"<?xml version='1.0'?><svg/>", "picture"),
                (b'{"nodes": [], "samples": []}\n', "JSON"), (b"\x7fELF\2\1\1\0", "a program")):
            with self.subTest(data=data):
                self.fails(1, f"does not look like a recording but like .*{what}.*; ", "info",
                           self.path("x", data))
                self.fails(1, what, "slice", "-", stdin=data)

    def test_not_of_recordings(self):
        # A recording of threads with such names is a recording.
        for comm in (b"# tracer: x", b"cpus=2", b"sample:", b"<svg", b"{", b"@["):
            text = (ONE % (5, b"f")).replace(b"a 7", comm + b" 7")
            self.ok("info", self.path("x", text))


class Perf(case.Case):
    @unittest.skipUnless(shutil.which("perf"), "no perf")
    def test_parent_ignores_its_children(self):
        # SIGCHLD ignored is inherited: perf's exit status could not be waited for.
        data = self.path("perf.data")
        recorded = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock", "-o", data, "--",
                                   "sh", "-c", "i=0; while [ $i -lt 30000 ]; do i=$((i+1)); done"],
                                  stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if recorded.returncode != 0:
            self.skipTest("perf may not record")
        result = subprocess.run(
            [PROGRAM, "info", "--json", data], env=CLEAN, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
            preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(json.loads(result.stdout)["samples"], 0)


if __name__ == "__main__":
    tap.main()
