# SPDX-License-Identifier: MIT
"""Long work: what a terminal is shown meanwhile, and what is left when it is broken off."""

import gzip
import os
import pty
import select
import signal
import subprocess
import tempfile
import time

import tap
import case
from tap import CLEAN, PROGRAM, flamebeat

RECORD = b"worker %d [000] %d.000000: 1 cycles:\n\t1000 work+0x1 (/bin/w)\n\n"


def records(first, n):
    return b"".join(RECORD % (i % 7 + 1, i) for i in range(first, first + n))


class Progress(case.Case):
    def setUp(self):
        self.room = tempfile.mkdtemp(dir=self.folder)

    def start(self, *args, stderr):
        """flamebeat reading a pipe; the caller feeds it."""
        process = subprocess.Popen([PROGRAM, *args], stdin=subprocess.PIPE, stderr=stderr,
                                   stdout=subprocess.DEVNULL, env=CLEAN, cwd=self.room,
                                   start_new_session=True)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        return process

    def read_terminal(self, master, wanted, seconds=20):
        seen, end = b"", time.monotonic() + seconds
        while wanted not in seen and time.monotonic() < end:
            if select.select([master], [], [], 0.05)[0]:
                try:
                    seen += os.read(master, 4096)
                except OSError:
                    break
        return seen

    def feed_until_shown(self, process, master):
        seen, n = b"", 0
        while b"samples" not in seen and n < 400:
            process.stdin.write(records(n * 50, 50))
            process.stdin.flush()
            seen += self.read_terminal(master, b"samples", 0.05)
            n += 1
        return seen, n * 50

    def test_a_terminal_is_shown_how_far_it_is_and_the_line_is_wiped(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.start("ingest", "-", "-o", "out.beat", stderr=slave)
        os.close(slave)
        seen, n = self.feed_until_shown(process, master)
        self.assertIn(b"MB/s", seen)
        process.stdin.close()
        seen += self.read_terminal(master, b"never said", 5)
        self.assertEqual(process.wait(), 0)
        self.assertTrue(seen.endswith(b"\r\x1b[K"), seen[-80:])
        info = flamebeat("info", "--json", os.path.join(self.room, "out.beat"))
        self.assertIn(b'"samples": %d,' % n, info.stdout)

    def test_no_terminal_is_shown_nothing(self):
        process = self.start("ingest", "-", "-o", "out.beat", stderr=subprocess.PIPE)
        self.addCleanup(process.stderr.close)
        for i in range(8):
            process.stdin.write(records(i, 1))
            process.stdin.flush()
            time.sleep(0.1)
        process.stdin.close()
        self.assertEqual(process.stderr.read(), b"")
        self.assertEqual(process.wait(), 0)

    def test_an_interrupt_leaves_nothing_behind(self):
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        for output in ("out.beat", "out.png"):
            command = "ingest" if output.endswith("beat") else "heatmap"
            process = self.start(command, "-", "-o", output, stderr=slave)
            self.feed_until_shown(process, master)
            os.killpg(process.pid, signal.SIGINT)
            self.assertEqual(process.wait(), -signal.SIGINT)
            self.assertEqual(os.listdir(self.room), [])
        os.close(slave)

    def test_an_interrupted_rewrite_keeps_what_was_there(self):
        path = os.path.join(self.room, "out.beat")
        self.assertEqual(flamebeat("ingest", "-", "-o", path, stdin=records(0, 10)).returncode, 0)
        with open(path, "rb") as file:
            before = file.read()
        master, slave = pty.openpty()
        self.addCleanup(os.close, master)
        process = self.start("ingest", "-", "-o", "out.beat", stderr=slave)
        os.close(slave)
        self.feed_until_shown(process, master)
        os.killpg(process.pid, signal.SIGINT)
        process.wait()
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(self.room), ["out.beat"])


class Threads(case.Case):
    """The number of threads has no say in what comes out, wherever the text comes from."""

    def test_any_number_of_threads(self):
        text = b"".join(
            b"t%d %d/%d [%03d] %d.%06d: %d cycles:u: \n" % (i % 9, i % 5, i % 31, i % 4, i // 999,
                                                          (i * 7919) % 999999, i % 13) +
            b"".join(b"\t  %x f%d+0x%x (/bin/p%d)\n" % (k * 4096 + i % 7, k * (i % 11), i % 7, k % 3)
                     for k in range(i % 17)) + b"\n"
            for i in range(6000))
        plain, packed = self.path("t.perf", text), self.path("t.perf.gz", gzip.compress(text, 1))
        stores = {name: [self.ok("ingest", "--threads", n, source, "-o", "-", stdin=stdin)
                         for n in (1, 2, 3, 8)]
                  for name, source, stdin in (("plain", plain, None), ("packed", packed, None),
                                              ("pipe", "-", text))}
        self.assertGreater(len(text), 1 << 20)
        for name, outputs in stores.items():
            self.assertEqual(len(set(outputs)), 1, name)


if __name__ == "__main__":
    tap.main()
