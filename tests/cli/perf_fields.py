# SPDX-License-Identifier: MIT
"""Recordings made here, by the perf that is installed, printed with many choices of fields: every
sample, frame, period and thread name is there, by perf's own counts. Skipped, saying so, where perf
may not record."""

import collections
import json
import os
import re
import shutil
import subprocess
import unittest

import case
from tap import ROOT, flamebeat

WORKLOAD = os.path.join(ROOT, "examples", "workloads", "heartbeat.c")

# How stacks are recorded, and what else, so that there is more to print.
RECORDINGS = {
    "none": [],
    "fp": ["--call-graph", "fp"],
    "dwarf": ["--call-graph", "dwarf,2048"],
    "regs": ["--call-graph", "fp", "--intr-regs=ax,bx,ip", "-d"],
    "two events": ["--call-graph", "fp", "-e", "task-clock", "-F", "1999"],
}

# The words for perf script. All print a sample of each kind a line or a block.
FIELDS = [
    [],
    ["--ns"],
    ["--header"],
    ["--reltime"],
    ["--show-task-events", "--show-mmap-events"],
    ["--demangle", "--max-stack", "3"],
    ["-F", "comm,tid,time,ip,sym"],
    ["-F", "comm,pid,tid,time,ip,sym,dso"],
    ["-F", "comm,pid,time,event,ip,sym,dso"],
    ["-F", "tid,time,event,ip,sym,symoff,dso"],
    ["-F", "comm,tid,cpu,time,event"],
    ["-F", "comm,tid,time,event,ip"],
    ["-F", "comm,pid,tid,ip,sym"],
    ["-F", "comm,tid,cpu,time,period,event,ip,sym,dso,symoff"],
    ["--ns", "--no-inline", "-F", "comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,trace"],
    ["-F", "+misc"],
    ["-F", "+symoff"],
    ["-F", "+tod"],
    ["-F", "+period,+pid"],
    ["-F", "comm,tid,time,event,ip,sym,srcline"],
]
# These need what only one of the recordings has; lone addresses on the sample's own line look like
# those of data.
FIELDS_OF = {"none": [words for words in FIELDS
                      if words[-1:] not in (["comm,tid,time,event,ip"], ["comm,pid,tid,ip,sym"])],
             "regs": [["-F", "+iregs"], ["-F", "+addr"], ["-F", "+iregs,+addr"]],
             "dwarf": FIELDS + [["-F", "+uregs"]],
             "two events": [[], ["-F", "comm,tid,time,event,ip,sym"], ["-F", "+period"]]}

FRAME = re.compile(rb"^\t *[0-9a-f]+(?: |$)", re.MULTILINE)


def perf(*args):
    return subprocess.run(["perf", *args], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, check=False)


class PerfFields(case.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("perf") or not shutil.which("gcc"):
            raise unittest.SkipTest("no perf, or no gcc")
        cls.workload = os.path.join(cls.folder, "heartbeat")
        subprocess.run(["gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-pthread", "-o",
                        cls.workload, WORKLOAD], check=True)

    def make(self, words):
        data = self.path("perf.data")
        result = perf("record", "-q", "-e", "cpu-clock", "-F", "4999", "-k", "CLOCK_MONOTONIC",
                      "--sample-cpu", *words, "-o", data, "--", self.workload, "1")
        if result.returncode:
            self.skipTest(f"perf may not record so here: {result.stderr}")
        return data

    def by_comm(self, data):
        """Samples of each thread name, by perf report."""
        text = perf("report", "-n", "-i", data, "--sort", "comm", "--no-children", "-g", "none",
                    "--stdio").stdout.decode()
        counts = collections.Counter()
        for n, comm in re.findall(r"^ +[0-9.]+% +(\d+) +(\S.*?) *$", text, re.MULTILINE):
            counts[comm] += int(n)
        return counts

    def check(self, data, mode, words, expected):
        text = perf("script", "-i", data, *words)
        self.assertEqual(text.returncode, 0, text.stderr)
        path = self.path("out.perf", text.stdout)
        fields = words[-1] if "-F" in words else "+"
        has = lambda field: fields.startswith("+") or field in fields.split(",")
        info = json.loads(self.ok("info", "--json", path))
        self.assertEqual(info["samples"], expected["samples"])
        self.assertEqual(info["skipped_lines"], 0)
        self.assertEqual(info["untimed_samples"], 0 if has("time") else expected["samples"])
        self.assertEqual(info["frames"], len(FRAME.findall(text.stdout)) if mode != "none" else
                         expected["samples"] if has("ip") else 0)
        if "period" in fields:
            self.assertEqual(sum(e["period"] for e in info["events"]), expected["period"])
        if has("comm"):
            top = json.loads(self.ok("top", path, "--by", "comm", "--event", "all", "--idle",
                                     "keep", "--limit", "0", "--json"))
            self.assertEqual({row["name"]: row["self"] for row in top["rows"]}, expected["comms"])

    def check_all(self, mode):
        data = self.make(RECORDINGS[mode])
        expected = {"samples": len(perf("script", "-i", data, "-F", "time").stdout.splitlines()),
                    "period": sum(map(int, perf("script", "-i", data, "-F",
                                                "period").stdout.split())),
                    "comms": dict(self.by_comm(data))}
        self.assertGreater(expected["samples"], 100)
        self.assertEqual(sum(expected["comms"].values()), expected["samples"])
        for words in FIELDS_OF.get(mode, FIELDS):
            with self.subTest(mode, words=words):
                self.check(data, mode, words, expected)
        # And so does the file itself.
        info = json.loads(self.ok("info", "--json", data))
        self.assertEqual(info["samples"], expected["samples"])


for _mode in RECORDINGS:
    setattr(PerfFields, "test_" + _mode.replace(" ", "_"),
            lambda self, mode=_mode: self.check_all(mode))

if __name__ == "__main__":
    import tap
    tap.main()
