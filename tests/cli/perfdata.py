# SPDX-License-Identifier: MIT
"""perf.data: read through the plug-in in perf, and as perf's text; recorded here, by the perf
that is installed. Skipped, saying so, where perf may not record."""

import gzip
import json
import os
import re
import shutil
import stat
import subprocess
import tempfile
import unittest

import tap
from tap import ROOT, flamebeat

WORKLOAD = os.path.join(ROOT, "examples", "workloads", "heartbeat.c")

SPIN = r"""
#include <stdint.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
static volatile uint64_t sink;
__attribute__((noinline)) void %(name)s(double seconds)
{
	struct timespec a, b;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &a);
	do {
		for (int i = 0; i < 100000; i++)
			sink += (uint64_t)i * %(factor)d;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &b);
	} while ((b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) / 1e9 < seconds);
}
int main(int argc, char **argv)
{
	%(name)s(0.4);
	if (argc > 1)
		execl(argv[1], argv[1], (char *)0);
	return 0;
}
"""


LOADER = r"""
#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
	for (int i = 1; i + 1 < argc; i += 2) {
		void *library = dlopen(argv[i], RTLD_NOW);
		void (*loop)(double) = (void (*)(double))dlsym(library, argv[i + 1]);
		printf("%p\\n", (void *)loop);
		loop(0.4);
		dlclose(library);
	}
	return 0;
}
"""


def run(*args, **kwargs):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          **kwargs)


def folded(*args):
    result = flamebeat("slice", *args, "--idle", "keep", "--group-by", "tid", "--format", "folded",
                       "--annotate", "kernel,jit,inline")
    assert result.returncode == 0, result.stderr
    lines = {}
    for line in result.stdout.decode("utf-8", "replace").splitlines():
        stack, weight = line.rsplit(" ", 1)
        lines[stack] = int(weight)
    return lines


class PerfData(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if not shutil.which("perf") or not shutil.which("gcc"):
            raise unittest.SkipTest("no perf, or no gcc")
        cls.folder = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        workload = os.path.join(cls.folder, "heartbeat")
        subprocess.run(["gcc", "-O1", "-g", "-fno-omit-frame-pointer", "-pthread", "-o", workload,
                        WORKLOAD], check=True)
        cls.data = os.path.join(cls.folder, "perf.data")
        if cls.record(cls.data, "-F", "999", "-a", "-g", "--", workload, "2").returncode:
            raise unittest.SkipTest("perf may not record here")
        # A perf without the plug-in's option, as old ones are.
        cls.old_perf = os.path.join(cls.folder, "old-perf")
        with open(cls.old_perf, "w", encoding="utf-8") as file:
            file.write('#!/bin/sh\ncase "$*" in *--dlfilter*) echo "unknown option" >&2; exit 129;;'
                       'esac\nexec perf "$@"\n')
        os.chmod(cls.old_perf, stat.S_IRWXU)

    @classmethod
    def record(cls, path, *args):
        return run("perf", "record", "-e", "cpu-clock", "-o", path, *args, stdin=subprocess.DEVNULL)

    @classmethod
    def perf_text(cls, path, *args):
        return run("perf", "script", "-i", path, *args, stdin=subprocess.DEVNULL).stdout

    def test_every_sample_is_there(self):
        n = len(self.perf_text(self.data, "-F", "time").splitlines())
        info = json.loads(flamebeat("info", "--json", self.data).stdout)
        self.assertGreater(n, 500)
        self.assertEqual(info["samples"], n)
        self.assertEqual(info["format"], "perf.data")
        self.assertEqual(info["header"]["sample_freq"], "999")

    def test_plug_in_text_and_pasted_text_agree(self):
        by_plug_in = folded(self.data)
        by_text = folded("--perf", self.old_perf, self.data)
        pasted = os.path.join(self.folder, "pasted.txt")
        with open(pasted, "wb") as file:
            file.write(self.perf_text(self.data, "--ns", "--no-inline", "-F",
                                      "comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso,trace"))
        self.assertEqual(by_text, folded(pasted))
        # There is one kind of difference. Of a chain with an entry that is neither an address nor
        # one of the marks between its parts, perf prints nothing; the plug-in keeps the rest of
        # it. Everything else is the same, frame by frame.
        lost = {k: n - by_text.get(k, 0) for k, n in by_plug_in.items() if n > by_text.get(k, 0)}
        bare = {k: n - by_plug_in.get(k, 0) for k, n in by_text.items() if n > by_plug_in.get(k, 0)}
        self.assertEqual(sum(lost.values()), sum(bare.values()))
        self.assertTrue(all(";" not in stack for stack in bare), bare)
        self.assertEqual(sum(bare.values()), self.count_broken_chains(self.data))

    def count_broken_chains(self, path):
        """Samples with an entry in their chain that cannot be, by perf's dump of the file."""
        marks = {2**64 - n for n in (32, 128, 512)}
        broken = 0
        for sample in self.perf_text(path, "-D").split(b"PERF_RECORD_SAMPLE")[1:]:
            entries = [int(entry, 16) for entry in
                       re.findall(rb"^\.{5} +\d+: ([0-9a-f]{16})$", sample, re.MULTILINE)]
            broken += any(entry >= 2**64 - 4095 and entry not in marks for entry in entries)
        return broken

    def test_same_times_both_ways(self):
        a = flamebeat("heatmap", self.data, "--format", "json", "--idle", "keep")
        b = flamebeat("heatmap", self.data, "--format", "json", "--idle", "keep", "--perf",
                      self.old_perf)
        strip = re.compile(rb'"options":"[^"]*"')
        self.assertEqual(strip.sub(b"", a.stdout), strip.sub(b"", b.stdout))

    def test_pipe_and_gzip(self):
        with open(self.data, "rb") as file:
            data = file.read()
        plain = folded(self.data)
        for form in (data, gzip.compress(data, 1)):
            result = flamebeat("slice", "-", "--idle", "keep", "--group-by", "tid", "--format",
                               "folded", "--annotate", "kernel,jit,inline", stdin=form)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(len(result.stdout.splitlines()), len(plain))

    def test_exec_of_another_program_at_the_same_addresses(self):
        programs = []
        # Equal code would have equal build-ids, which perf takes for the same program.
        for name, factor in (("first_loop", 7), ("other_loop", 11)):
            source = os.path.join(self.folder, name + ".c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(SPIN % {"name": name, "factor": factor})
            program = os.path.join(self.folder, name)
            subprocess.run(["gcc", "-O1", "-no-pie", "-static", "-fno-omit-frame-pointer", "-o",
                            program, source], check=True)
            programs.append(program)
        path = os.path.join(self.folder, "exec.data")
        self.record(path, "-F", "999", "-g", "--", *programs)
        rows = folded(path, "--match", "_loop")
        for comm in ("first_loop", "other_loop"):
            mine = {k: n for k, n in rows.items() if k.startswith(comm + "-")}
            self.assertGreater(sum(mine.values()), 100)
            for stack in mine:
                self.assertIn(comm, stack.split(";", 1)[1])
                for other in ("first_loop", "other_loop"):
                    if other != comm:
                        self.assertNotIn(other, stack.split(";", 1)[1])

    def test_another_library_at_the_same_addresses(self):
        program = os.path.join(self.folder, "loader")
        source = program + ".c"
        with open(source, "w", encoding="utf-8") as file:
            file.write(LOADER)
        subprocess.run(["gcc", "-O1", "-fno-omit-frame-pointer", "-fno-optimize-sibling-calls",
                        "-o", program, source], check=True)
        libraries = []
        for name, factor in (("first_loop", 7), ("other_loop", 11)):
            source = os.path.join(self.folder, name + "-library.c")
            with open(source, "w", encoding="utf-8") as file:
                file.write(SPIN.split("int main")[0] % {"name": name, "factor": factor})
            libraries.append(os.path.join(self.folder, name + ".so"))
            subprocess.run(["gcc", "-O1", "-fPIC", "-shared", "-fno-omit-frame-pointer", "-o",
                            libraries[-1], source], check=True)
        path = os.path.join(self.folder, "library.data")
        result = self.record(path, "-F", "999", "-g", "--", program, libraries[0], "first_loop",
                             libraries[1], "other_loop", libraries[0], "first_loop")
        places = set(result.stdout.split())
        rows = folded(path, "--match", "_loop")
        counts = [sum(n for stack, n in rows.items() if name in stack)
                  for name in ("first_loop", "other_loop")]
        self.assertEqual(rows, folded("--perf", self.old_perf, path, "--match", "_loop"))
        self.assertGreater(min(counts), 100)
        # 0.4 s each time; as long as both were at the same place, this shows something.
        self.assertAlmostEqual(counts[0] / counts[1], 2, delta=0.6)
        self.assertEqual(len(places), 1, "the loader now places libraries otherwise")

    def test_dwarf_chains_come_as_text(self):
        path = os.path.join(self.folder, "dwarf.data")
        self.record(path, "-F", "499", "--call-graph", "dwarf,4096", "--",
                    os.path.join(self.folder, "heartbeat"), "1")
        rows = folded(path)
        self.assertTrue(any(";spike;" in stack and ";worker_loop;" in stack for stack in rows),
                        list(rows)[:20])

    def test_without_times(self):
        path = os.path.join(self.folder, "untimed.data")
        self.record(path, "-F", "499", "--no-timestamp", "-g", "--",
                    os.path.join(self.folder, "heartbeat"), "1")
        self.assertTrue(folded(path))
        result = flamebeat("heatmap", path, "-o", os.path.join(self.folder, "x.png"))
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"no timestamps", result.stderr)

    def test_without_call_chains(self):
        path = os.path.join(self.folder, "flat.data")
        self.record(path, "-F", "499", "--", os.path.join(self.folder, "heartbeat"), "1")
        for perf in ("perf", self.old_perf):
            rows = folded(path, "--perf", perf)
            self.assertTrue(rows)
            self.assertTrue(all(stack.count(";") == 1 for stack in rows), rows)

    def fake_perf(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, stat.S_IRWXU)
        return path

    def test_several_are_read_by_as_many_perfs_as_cpus(self):
        paths = [os.path.join(self.folder, f"part{i}.data") for i in range(6)]
        for path in paths:
            self.record(path, "-F", "199", "-a", "-g", "-k", "CLOCK_MONOTONIC", "--", "sleep",
                        "0.1")
        log = os.path.join(self.folder, "log")
        perf = self.fake_perf("slow-perf", '#!/bin/sh\ncase "$*" in *--dlfilter*)\n'
                              f'echo begin >>{log}; sleep 0.3; perf "$@"; status=$?\n'
                              f'echo end >>{log}; exit $status ;; esac\nexec perf "$@"\n')
        stores = []
        for threads in (1, 3):
            store = os.path.join(self.folder, f"parts{threads}.beat")
            if os.path.exists(log):
                os.unlink(log)
            result = flamebeat("ingest", *paths, "-o", store, "--perf", perf, "--threads", threads)
            self.assertEqual(result.returncode, 0, result.stderr)
            with open(log, encoding="ascii") as file:
                words = file.read().split()
            running = [words[:i].count("begin") - words[:i].count("end")
                       for i in range(len(words) + 1)]
            self.assertEqual(max(running), threads)
            self.assertEqual(words.count("begin"), len(paths))
            with open(store, "rb") as file:
                stores.append(file.read())
        self.assertEqual(stores[0], stores[1])
        info = json.loads(flamebeat("info", "--json", store).stdout)
        self.assertEqual(info["samples"], sum(len(self.perf_text(path, "-F", "time").splitlines())
                                              for path in paths))
        self.assertEqual(info["wall_source"], "reference time")

    def test_a_plug_in_that_stops_half_way(self):
        expected = folded("--perf", self.old_perf, self.data)
        # All of the plug-in's part reaches flamebeat but its end; or it is refused; or perf fails.
        part = ('#!/bin/sh\ncase "$*" in *--dlfilter*)\n'
                f'perf "$@" 9>{self.folder}/stream\n'
                f'head -c $(($(stat -c %%s {self.folder}/stream) %s)) {self.folder}/stream >&9\n'
                '%s ;; esac\nexec perf "$@"\n')
        for name, less, then in (("cut", "/ 2", "exit 0"), ("short", "- 1", "exit 0"),
                                 ("refused", "- 1", "printf '\\005' >&9; exit 0"),
                                 ("fails", "- 0", "exit 1"), ("dies", "/ 3", "kill -9 $$"),
                                 ("junk", "/ 2", "head -c 100000 /bin/sh >&9; exit 0"),
                                 ("nothing", "* 0", "exit 0")):
            perf = self.fake_perf(name + "-perf", part % (less, then))
            with self.subTest(name):
                self.assertEqual(folded("--perf", perf, self.data), expected)
                result = flamebeat("info", "--perf", perf, self.data, "--strict", "--json")
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(json.loads(result.stdout)["samples"], sum(expected.values()))
        # And whole, it is the plug-in's.
        perf = self.fake_perf("whole-perf", part % ("- 0", "exit 0"))
        self.assertEqual(folded("--perf", perf, self.data), folded(self.data))

    def test_what_was_lost_is_known(self):
        path = os.path.join(self.folder, "lost.data")
        self.record(path, "-F", "20000", "-m", "1", "-a", "--call-graph", "dwarf", "--",
                    os.path.join(self.folder, "heartbeat"), "1")
        stats = run("perf", "report", "--stats", "-i", path, stdin=subprocess.DEVNULL).stdout
        events = re.split(rb"^(\S.*) stats:$", stats, flags=re.MULTILINE)[1:]
        of_events = dict(zip(events[::2], events[1::2]))
        lost = [int(n) for n in re.findall(rb"LOST_SAMPLES events: +(\d+)", of_events[b"cpu-clock"])]
        if not lost:
            self.skipTest("this kernel lost nothing, or does not say so")
        # An old kernel tells of lost records alone.
        old = self.fake_perf("old-kernel-perf",
                             '#!/bin/sh\nperf "$@" | grep -v "LOST_SAMPLES events"\n')
        records = self.perf_text(path, "--show-lost-events", "-F", "comm")
        lost_records = [int(n) for n in re.findall(rb"PERF_RECORD_LOST lost (\d+)", records)]
        for perf, n in (("perf", sum(lost)), (old, sum(lost_records))):
            result = flamebeat("info", "--json", "--perf", perf, path)
            info = json.loads(result.stdout)
            self.assertEqual(info["lost"], n)
            self.assertIn(b"perf lost %d samples" % n, result.stderr)
            store = os.path.join(self.folder, "lost.beat")
            flamebeat("ingest", path, "--perf", perf, "-o", store)
            self.assertEqual(json.loads(flamebeat("info", "--json", store).stdout)["lost"], n)

    def test_suspended_sampling_is_known(self):
        perf = self.fake_perf("throttled-perf", "#!/bin/sh\nperf \"$@\" | sed 's/^Aggregated "
                              "stats:/&\\n   THROTTLE events:  12  ( 0.1%)/'\n")
        result = flamebeat("info", "--json", "--perf", perf, self.data)
        self.assertEqual(json.loads(result.stdout)["throttled"], 12)
        self.assertIn(b"suspended sampling 12 times", result.stderr)
        self.assertIn(b"12 times", flamebeat("info", "--perf", perf, self.data).stdout)
        self.assertEqual(json.loads(flamebeat("info", "--json", self.data).stdout)["throttled"], 0)

    def test_symbols_from_another_folder(self):
        program = os.path.join(self.folder, "moved")
        source = program + ".c"
        with open(source, "w", encoding="utf-8") as file:
            file.write(SPIN % {"name": "moved_loop", "factor": 13})
        subprocess.run(["gcc", "-O1", "-no-pie", "-fno-omit-frame-pointer", "-o", program, source],
                       check=True)
        path = os.path.join(self.folder, "moved.data")
        self.record(path, "-N", "-F", "999", "-g", "--", program)
        root = os.path.join(self.folder, "root")
        os.makedirs(root + self.folder)
        shutil.move(program, root + program)
        for perf in ("perf", self.old_perf):
            self.assertFalse(folded(path, "--perf", perf, "--match", "moved_loop"))
            self.assertTrue(folded(path, "--perf", perf, "--match", "moved_loop", "--symfs", root))

    def test_the_kernels_symbols_from_a_file(self):
        symbols = os.path.join(self.folder, "kallsyms")
        with open("/proc/kallsyms", encoding="ascii") as file:
            lines = [line.split() for line in file if "[" not in line]
        if not any(line[0].strip("0") for line in lines):
            self.skipTest("the kernel hides its addresses")
        with open(symbols, "w", encoding="ascii") as file:
            for address, kind, name, *_ in lines:
                file.write(f"{address} {kind} {'' if name.startswith('_') else 'other_'}{name}\n")
        for perf in ("perf", self.old_perf):
            self.assertFalse(folded(self.data, "--perf", perf, "--match", "^other_"))
            self.assertTrue(folded(self.data, "--perf", perf, "--match", "^other_", "--kallsyms",
                                   symbols))

    def test_perf_is_missing(self):
        result = flamebeat("info", self.data, "--perf", "/nowhere/perf")
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"install linux-perf", result.stderr)
        self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_damaged_files(self):
        with open(self.data, "rb") as file:
            data = file.read()
        killed = data[:48] + bytes(8) + data[56:]
        for name, bytes_, words in (
                ("magic alone", data[:8], b"damaged, or of another"),
                ("header cut", data[:60], b"damaged, or of another"),
                ("no data", data[:200], b"damaged, or of another"),
                ("cut", data[: len(data) // 2], b"cut off or damaged"),
                ("killed", killed, b"stop perf record with ^C")):
            path = os.path.join(self.folder, "damaged.data")
            with open(path, "wb") as file:
                file.write(bytes_)
            for args in ([path], ["-", "--perf", self.old_perf]):
                with self.subTest(name, args=args):
                    result = flamebeat("info", *args, stdin=bytes_)
                    self.assertEqual(result.returncode, 1)
                    self.assertIn(b"perf script failed", result.stderr)
                    self.assertIn(words, result.stderr)
                    self.assertEqual(result.stdout, b"")
                    self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_perf_that_dies(self):
        for end, words in (("kill -SEGV $$", b"perf was ended by signal 11 (Segmentation fault)"),
                           ("exit 3", b"perf ended with status 3"),
                           ("echo some reason >&2; exit 3", b"perf script failed: some reason\n")):
            perf = self.fake_perf("dying-perf", f"#!/bin/sh\n{end}\n")
            result = flamebeat("info", "--perf", perf, self.data)
            self.assertEqual(result.returncode, 1)
            self.assertIn(words, result.stderr)
            self.assertEqual(result.stderr.count(b"\n"), 1)

    def test_another_owner(self):
        if os.getuid() != 0:
            self.skipTest("not root")
        path = os.path.join(self.folder, "owned.data")
        shutil.copy(self.data, path)
        os.chown(path, 12345, 12345)
        result = flamebeat("info", path)
        self.assertEqual(result.returncode, 1)
        self.assertIn(b"--force", result.stderr)
        self.assertEqual(flamebeat("info", path, "--force").returncode, 0)


if __name__ == "__main__":
    tap.main()
