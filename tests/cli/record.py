# SPDX-License-Identifier: MIT
"""`flamebeat record` with the perf that is installed: what it records, how it is stopped, what it
says when it may or can not. Skipped, saying so, where perf may not record."""

import json
import os
import pty
import re
import shutil
import signal
import stat
import subprocess
import sys
import time
import unittest

import case
import tap
from tap import ROOT, flamebeat

BUSY = os.path.join(ROOT, "examples", "workloads", "busy.c")

# perf as it is on other machines, or with a pen in its hand. What a fake has not to do with is
# done by the real one; it then takes no notice of BPF, which saves a second.
REFUSES = """#!/bin/sh
case "$*" in
*--clockid*) echo "clockid feature not supported." >&2; exit 255 ;;
*--event=cycles*) printf 'Error:\\nThe cycles event is not supported.\\n' >&2; exit 255 ;;
"record "*) shift; exec perf record --no-bpf-event "$@" ;;
esac
exec perf "$@"
"""
COUNTS = """#!%(python)s
import os, signal, sys, time
output = [word[9:] for word in sys.argv if word.startswith("--output=")]
if sys.argv[1] != "record" or output == ["/dev/null"]:
    os.execvp("perf", ["perf"] + sys.argv[1:])
hits = []
for number in (signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, frame: hits.append(number))
open(output[0] + ".ready", "w").close()
while not hits:
    time.sleep(0.02)
time.sleep(0.5)
with open(output[0] + ".hits", "w") as file:
    file.write(" ".join(str(int(hit)) for hit in hits))
os.execvp("perf", ["perf", "record", "-q", "--no-bpf-event", "-a", "-e", "cpu-clock", "-o",
                   output[0], "--", "sleep", "0.2"])
"""


def wait_for(found, process):
    """Waits until `found()` is true, for as long as the process runs."""
    end = time.monotonic() + 60
    while not found():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < end, "nothing happens"
        time.sleep(0.05)


class Record(case.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        if not shutil.which("perf"):
            raise unittest.SkipTest("no perf")
        probe = subprocess.run(
            ["perf", "record", "-q", "-e", "cpu-clock", "-a", "-o", "/dev/null", "--", "true"],
            stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        if probe.returncode:
            raise unittest.SkipTest("perf may not record here")

    def record(self, *args, **settings):
        return flamebeat("record", *args, cwd=self.folder, **settings)

    def start(self, *args, **settings):
        process = subprocess.Popen(
            [tap.PROGRAM, "record", *args], cwd=self.folder, env=tap.CLEAN,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **settings)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def end(self, process):
        out, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(out, b"")
        return err.decode()

    def info(self, *names):
        return json.loads(self.ok("info", "--json", *map(self.path, names)))

    def names_by(self, by, name, *args):
        top = json.loads(self.ok("top", self.path(name), *args, "--by", by, "--json"))
        return {row["name"] for row in top["rows"]}

    def fake(self, name, text):
        path = self.path(name, text.encode())
        os.chmod(path, stat.S_IRWXU)
        return path

    def check_same(self, name):
        """The store has all that is in perf's file; returns what it says."""
        times = subprocess.run(["perf", "script", "-i", self.path(name + ".data"), "-F", "time"],
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                               stderr=subprocess.DEVNULL, check=True).stdout.splitlines()
        info = self.info(name + ".beat")
        self.assertGreater(len(times), 0)
        self.assertEqual(info["samples"], len(times))
        return info

    # --- what is recorded ------------------------------------------------------------------

    def test_a_program_on_all_cpus(self):
        if not shutil.which("gcc"):
            self.skipTest("no gcc")
        subprocess.run(["gcc", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls",
                        "-pthread", "-o", self.path("busy"), BUSY], check=True)
        # Joined and bundled options, and a command without `--`: as with perf.
        result = self.record("-ag", "-F499", "-e", "cpu-clock", "-o", "all.beat", "./busy", "1")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.check_calm(result)
        self.assertIn(b"all.beat: ", result.stderr)
        self.assertIn(b"perf's own file is all.data", result.stderr)
        info = self.check_same("all")
        self.assertEqual(info["header"]["sample_freq"], "499")
        self.assertEqual(info["wall_source"], "reference time")
        self.assertEqual(stat.S_IMODE(os.stat(self.path("all.data")).st_mode) & 0o077, 0)
        self.assertIn("lookup_key", self.names_by("function", "all.beat", "--comm", "^worker"))

    def test_a_command_alone_and_its_failure(self):
        loop = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; echo out; echo err >&2; exit 3"
        result = self.record("-o", "one.beat", "--", "sh", "-c", loop)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stdout, b"out\n")
        self.assertIn(b"err\n", result.stderr)
        self.assertIn(b"note: sh ended with status 3\n", result.stderr)
        info = self.check_same("one")
        self.assertEqual(self.names_by("comm", "one.beat") - {"perf-exec"}, {"sh"})
        # perf leaves the CPU out unless told otherwise.
        self.assertGreaterEqual(info["cpus"], 1)

    def test_a_running_process(self):
        loop = subprocess.Popen([sys.executable, "-c", "while True: pass"])
        self.addCleanup(loop.wait)
        self.addCleanup(loop.kill)
        result = self.record("-p", str(loop.pid), "-o", "pid.beat", "--", "sleep", "0.5")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.check_same("pid")
        names = self.names_by("pid", "pid.beat")
        self.assertEqual({name.rsplit("-", 1)[1] for name in names}, {str(loop.pid)})

    def test_started_by_who_ignores_the_end_of_children(self):
        result = subprocess.run(
            [tap.PROGRAM, "record", "-a", "-e", "cpu-clock", "-o", "ignored.beat", "--", "sh", "-c",
             "sleep 0.3; exit 7"], cwd=self.folder, env=tap.CLEAN, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, timeout=60,
            preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn(b"note: sh ended with status 7", result.stderr)
        self.check_same("ignored")

    def test_tracepoints_are_not_sampled(self):
        result = self.record("-a", "-e", "sched:sched_process_exec", "-o", "trace.beat", "--",
                             "sh", "-c", "for i in 1 2 3 4 5 6 7 8; do /bin/true; done")
        if b"does not know this event" in result.stderr or b"forbids" in result.stderr:
            self.skipTest("no tracepoints here")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreaterEqual(self.check_same("trace")["samples"], 8)

    # --- how it ends -----------------------------------------------------------------------

    def test_interrupted_recording_is_whole(self):
        process = self.start("-a", "-g", "-o", "stopped.beat")
        wait_for(lambda: os.path.exists(self.path("stopped.data")) and
                 os.path.getsize(self.path("stopped.data")) > 4096, process)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        text = self.end(process)
        self.assertNotIn("signal", text)
        info = self.check_same("stopped")
        # While perf records, we sleep.
        top = json.loads(self.ok("top", self.path("stopped.beat"), "--by", "pid", "--idle", "keep",
                                 "--json"))
        ours = sum(row["self"] for row in top["rows"] if row["name"].endswith(f"-{process.pid}"))
        self.assertLess(ours, info["samples"] / 5)

    def count_signals(self, name, send):
        """How often perf hears of a signal that `send` sends to flamebeat."""
        hits = self.path(name + ".data.hits")
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.start("-a", "-o", name + ".beat", "--perf", self.fake(
            name, COUNTS % {"python": sys.executable}), start_new_session=True,
            preexec_fn=lambda: own_terminal(slave))
        os.close(slave)
        wait_for(lambda: os.path.exists(self.path(name + ".data.ready")), process)
        send(process, master)
        self.end(process)
        self.check_same(name)
        return [int(hit) for hit in self.read(hits).split()]

    def test_signals_are_passed_on_once(self):
        def send(process, _):
            process.send_signal(signal.SIGINT)
            time.sleep(0.1)
            process.send_signal(signal.SIGINT)
        self.assertEqual(self.count_signals("kill", send), [signal.SIGINT])

    def test_interrupt_of_the_terminal_comes_once(self):
        self.assertEqual(self.count_signals("tty", lambda _, master: os.write(master, b"\x03")),
                         [signal.SIGINT])

    def test_hangup_of_the_terminal_ends_it_well(self):
        self.assertEqual(self.count_signals(
            "hangup", lambda process, _: os.killpg(process.pid, signal.SIGHUP)), [signal.SIGTERM])

    # --- one after the other ---------------------------------------------------------------

    def test_rotation(self):
        old = [self.path("ring/20200101-00000000" + ending, b"x") for ending in (".data", ".beat")]
        other = self.path("ring/notes.data", b"x")
        for path in old + [other]:
            os.utime(path, (1e9, 1e9))

        def parts():
            return sorted(name for name in os.listdir(self.path("ring"))
                          if name.endswith(".beat") and name not in map(os.path.basename, old))

        process = self.start("-a", "-g", "-e", "cpu-clock", "--rotate", "1s", "--keep", "1h", "-o",
                             "ring")
        # Parts are there while perf goes on.
        wait_for(lambda: len(parts()) >= 3, process)
        process.send_signal(signal.SIGTERM)
        text = self.end(process)
        names = parts()
        self.assertGreaterEqual(len(names), 3)
        self.assertIn(f"ring: {len(names)} recordings", text)
        for name in names:
            self.assertRegex(name, r"^\d{8}-\d{8}\.beat$")
            self.assertIn(f"ring/{name}: ", text)
        infos = [self.check_same("ring/" + name[:-5]) for name in names]
        for before, after in zip(infos, infos[1:]):
            self.assertLess(before["end_ns"], after["start_ns"])
        whole = self.info(*["ring/" + name for name in names])
        self.assertEqual(whole["samples"], sum(info["samples"] for info in infos))
        self.assertEqual(sorted(name for name in os.listdir(self.path("ring"))
                                if "perf" in name), [])
        self.assertFalse(any(map(os.path.exists, old)))
        self.assertTrue(os.path.exists(other))

    # --- what cannot be --------------------------------------------------------------------

    def test_perf_that_knows_less(self):
        result = self.record("-a", "-e", "cycles", "-o", "less.beat", "--perf",
                             self.fake("less", REFUSES), "--", "sleep", "0.3")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stderr, b"note: perf refuses -k CLOCK_MONOTONIC")
        self.assertEqual(len(re.findall(b"counts no cycles", result.stderr)), 1)
        info = self.check_same("less")
        self.assertTrue(info["events"][0]["name"].startswith("cpu-clock"), info["events"])
        self.assertIsNone(info["wall_zero_ns"])

    def test_what_perf_cannot(self):
        for pattern, args in (
                ("does not know this event", ["-a", "-e", "nosuch"]),
                ("no such process", ["-p", "2147483646"]),
                ("nosuch: no such program", ["-a", "--", "nosuch"]),
                ("nosuch.d: cannot write: No such file", ["-a", "-o", "nosuch.d/x.beat"]),
                ("is a folder", ["-a", "-o", "."]),
                ("cannot run nosuch: there is none", ["-a", "--perf", "nosuch"])):
            before = set(os.listdir(self.folder))
            self.fails(1, pattern, "record", *args, cwd=self.folder)
            self.assertEqual(set(os.listdir(self.folder)), before)
        self.path("file", b"")
        self.fails(1, "file is no folder", "record", "--rotate", "2s", "-o", "file",
                   cwd=self.folder)

    def test_no_perf(self):
        self.fails(1, r"cannot run perf: there is none; install perf \(Debian: linux-perf",
                   "record", "-a", env={"PATH": self.folder}, cwd=self.folder)

    def test_nothing_to_sample(self):
        result = self.record("-e", "cpu-clock:u", "-F", "1", "-o", "none.beat", "--", "sleep", "0")
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, rb"no samples: .* -a records everything .*none.data is kept")
        self.assertFalse(os.path.exists(self.path("none.beat")))

    def test_what_the_kernel_forbids(self):
        with open("/proc/sys/kernel/perf_event_paranoid", encoding="ascii") as file:
            paranoid = int(file.read())
        if os.getuid() != 0 or paranoid < 1 or not shutil.which("setpriv"):
            self.skipTest("nobody here to whom it is forbidden")
        other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", tap.PROGRAM]
        if subprocess.run([*other, "--version"], stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("the program is out of reach for others")
        result = subprocess.run([*other, "record", "-a", "-o", "/tmp/nosuch.beat"],
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                env=tap.CLEAN)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertRegex(result.stderr, rb"^flamebeat: only root may record.*"
                                        rb"sysctl kernel\.perf_event_paranoid=0.*\n$")

    def test_usage(self):
        for pattern, args in (
                ("give one of them", ["-a", "-p", "1"]),
                ("--keep is for --rotate", ["--keep", "2h"]),
                ("nothing would be kept", ["--rotate", "2m", "--keep", "1m"]),
                ("whole seconds", ["--rotate", "1.5s"]),
                ("whole seconds", ["--rotate", "often"]),
                ("--call-graph: expected one of fp, dwarf, lbr", ["--call-graph", "no"]),
                ("--freq: expected an integer", ["-F", "0"]),
                ("--freq: expected an integer", ["-F99x"]),
                ("--pid: expected an integer", ["-p", "1,x"]),
                ("two files are written", ["-o", "-"]),
                ("-o names the store", ["-o", "perf.data"]),
                ("Unknown option", ["-a", "-Z", "--", "true"])):
            self.fails(2, pattern, "record", *args, cwd=self.folder)


def own_terminal(slave):
    """In the child: the terminal that `slave` is becomes that of its session."""
    import fcntl
    import termios
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)


if __name__ == "__main__":
    tap.main()
