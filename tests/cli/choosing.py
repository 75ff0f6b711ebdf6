# SPDX-License-Identifier: MIT
"""Choosing frames and time: what the options leave is what a few lines of Python leave."""

import os
import re
from collections import Counter

import tap
from case import Case

SERVER = os.path.join(tap.EXAMPLES, "server.perf.gz")


def parse(folded):
    """Counter of stacks, each a tuple of names, the first one's group."""
    stacks = Counter()
    for line in folded.decode().splitlines():
        stack, count = line.rsplit(" ", 1)
        stacks[tuple(stack.split(";"))] += int(count)
    return stacks


def change(stacks, rule):
    """`rule` makes a list of frames of a list of frames, or None of what does not count."""
    result = Counter()
    for (group, *frames), count in stacks.items():
        frames = rule(frames)
        if frames is not None:
            result[(group, *frames)] += count
    return result


def cut(frames, pattern, otherwise):
    for i, frame in enumerate(frames):
        if re.search(pattern, frame):
            return frames[i:]
    return otherwise


def collapse(frames):
    return [f for i, f in enumerate(frames) if i == 0 or f != frames[i - 1]]


class Frames(Case):
    def folded(self, *args):
        return parse(self.ok("slice", self.source, "--format", "folded", *args))

    def check(self, args, rule, has_reverse=True):
        whole = self.folded()
        expected = change(whole, rule)
        self.assertEqual(self.folded(*args), expected, args)
        self.assertNotEqual(expected, whole, args)
        if not has_reverse:
            return
        # The same from the leaf.
        backwards = Counter()
        for (group, *frames), count in expected.items():
            backwards[(group, *reversed(frames))] += count
        self.assertEqual(self.folded(*args, "--reverse"), backwards, args)

    source = SERVER

    def test_focus_cuts_the_callers_of_the_first_match(self):
        for pattern in ("^do_syscall_64$", "_write", "serve_loop|tcp_sendmsg"):
            self.check(["--focus", pattern], lambda f, p=pattern: cut(f, p, f))

    def test_root_at_keeps_what_is_under_it(self):
        for pattern in ("^do_syscall_64$", "^handle_"):
            self.check(["--root-at", pattern], lambda f, p=pattern: cut(f, p, None))

    def test_root_at_and_match_both_hold(self):
        self.check(["--root-at", "^ksys_write$", "--match", "tcp_"],
                   lambda f: cut(f, "^ksys_write$", None)
                   if any("tcp_" in g for g in f) else None)

    def test_hide_splices_out(self):
        self.check(["--hide", "^__", "--hide", "^tcp"],
                   lambda f: [g for g in f if not re.search("^(__|tcp)", g)])

    def test_max_depth(self):
        for depth in (1, 5, 20):
            self.check(["--max-depth", depth], lambda f, d=depth: f[:d], has_reverse=False)
        leaves = self.folded("--max-depth", 1, "--reverse")
        self.assertEqual(leaves, change(self.folded(), lambda f: f[-1:]))

    def test_rules_together(self):
        self.check(["--root-at", "^serve_loop$", "--hide", "^handle", "--max-depth", 3],
                   lambda f: (lambda c: None if c is None else
                              [g for g in c if not g.startswith("handle")][:3])
                   (cut(f, "^serve_loop$", None)), has_reverse=False)

    def test_match_is_grep(self):
        # What people do to folded files with grep and sed.
        whole = self.folded()
        self.assertEqual(self.folded("--match", "ext4_"), Counter(
            {s: n for s, n in whole.items() if any("ext4_" in f for f in s[1:])}))

    def test_what_is_left_out_is_counted(self):
        svg = self.ok("slice", SERVER, "--root-at", "^handle_put$", "--idle", "keep").decode()
        whole = sum(self.folded("--idle", "keep").values())
        left = sum(self.folded("--root-at", "^handle_put$", "--idle", "keep").values())
        self.assertTrue(f"{whole - left:,} filtered out" in svg)

    def test_bad_expressions_and_numbers(self):
        for args in (["--focus", "("], ["--hide", "["], ["--root-at", "*"], ["--max-depth", "0"]):
            self.fails(2, args[0], "slice", SERVER, *args)

    def test_nothing_matches(self):
        self.notes("--root-at", "slice", SERVER, "--root-at", "no such function",
                   "--format", "folded")


class Recursion(Frames):
    def setUp(self):
        self.source = self.path("r.folded", b"a;x;x;x;y;x 5\na;x;y;y 2\na;b;b;x;x 1\nb;a 1\n")

    def test_collapse_recursion(self):
        self.check(["--collapse-recursion"], collapse)


# The other tests of Frames are about another recording.
for name in [n for n in dir(Frames) if n.startswith("test_")]:
    setattr(Recursion, name, None)


class Time(Case):
    def folded(self, *args):
        return parse(self.ok("slice", SERVER, "--format", "folded", *args))

    def test_parts_of_every_period_tile_the_whole(self):
        whole = self.folded()
        for every, cuts in (("1.3s", ["0", "0.1", "0.37", "0.9", "1"]),
                            ("250ms", ["0ms", "83ms", "250ms"]),
                            ("0.7", ["0.25", "0.5", "0.25"])):
            total = Counter()
            for a, b in zip(cuts, cuts[1:]):
                total += self.folded("--every", every, "--phase", f"{a}..{b}",
                                     "--every-origin", "0.123")
            self.assertEqual(total, whole, every)

    def test_ranges_tile_the_whole(self):
        whole = self.folded()
        ends = ["", "3.2", "3.2001", "10", "17.77", ""]
        tiles = [f"{a}..{b}" for a, b in zip(ends, ends[1:])]
        total = Counter()
        for tile in tiles:
            total += self.folded("--range", tile)
        self.assertEqual(total, whole)
        several = [word for tile in tiles for word in ("--range", tile)]
        self.assertEqual(self.folded(*several, "--range", "2..5"), whole)
        self.assertEqual(self.folded(*several[:2], *several[4:6]),
                         self.folded(*several[:2]) + self.folded(*several[4:6]))


class Lines(Case):
    TEXT = b"".join(b"""cpp 1/1 [000] 1.%03d000: 1000000 cpu-clock:
\tffff inner+0x1
  a.h:%d (inlined)
\tffff main+0x2 (/bin/cpp)
  cpp.cpp:19
\tffff _start+0x20 (/bin/cpp)
  ??:0
\tffff syscall+0x20 (/lib/libc.so.6)
  libc.so.6[27b25]
\tffff [unknown] (/lib/x.so)
  x.c:3

""" % (i, 7 + i % 2) for i in range(10))

    def folded(self, source, *args):
        return self.ok("slice", source, "--format", "folded", *args).decode().splitlines()

    def test_functions_apart_by_line(self):
        path = self.path("l.perf", self.TEXT)
        store = self.path("l.beat")
        again = self.path("again.beat")
        self.ok("ingest", path, "-o", store)
        self.ok("ingest", store, "-o", again)
        for source in (path, store, again):
            self.assertEqual(self.folded(source), ["cpp;[x.so];syscall;_start;main;inner 10"])
            self.assertEqual(self.folded(source, "--by-line"), [
                "cpp;[x.so];syscall;_start;main (cpp.cpp:19);inner (a.h:7) 5",
                "cpp;[x.so];syscall;_start;main (cpp.cpp:19);inner (a.h:8) 5"])
        self.assertEqual(self.folded(path, "--by-line", "--annotate", "inline", "--hide", ":8"), [
            "cpp;[x.so];syscall;_start;main (cpp.cpp:19) 5",
            "cpp;[x.so];syscall;_start;main (cpp.cpp:19);inner (a.h:7)_[i] 5"])

    def test_all_of_a_recording(self):
        path = tap.shared("perf-6.1", "cpp-dwarf-srcline.txt")
        with open(path, "rb") as file:
            told = Counter(re.findall(rb"(?m)^  (\S+:[1-9]\d*)(?: \(inlined\))?$", file.read()))
        lines = self.folded(path, "--by-line")
        found = Counter()
        for line in lines:
            stack, count = line.rsplit(" ", 1)
            for place in re.findall(r"\(([^\s()]+:\d+)\)(?=;|$)", stack):
                found[place.encode()] += int(count)
        self.assertEqual(found, told)


class Title(Case):
    def test_says_what_was_chosen(self):
        svg = self.ok("slice", SERVER, "--range", "3.5..4", "--comm", "server", "--match", "tcp_",
                      "--cpu", "0", "--weight", "period", "--idle", "keep", "--focus", "^do_sys",
                      "--hide", "^__x64", "--max-depth", "9", "--wall-zero", "2026-11-21T10:00:00",
                      "--format", "svg").decode()
        subtitle = re.sub(r"<[^>]+>", " ", re.search(r'id="subtitle".*?</text>', svg)[0])
        for words in ("3.5..4 s (@1680.5..1681)", "2026-11-21 10:00:03.500..10:00:04.000 local",
                      "cpu-clock", "weighed by period of cpu-clock", "comm server, cpu 0, match tcp_",
                      "idle keep", "filtered out", "focus ^do_sys, hide ^__x64, at most 9 frames"):
            self.assertIn(words, re.sub(r" +", " ", subtitle))

    def test_without_a_wall_clock_none_is_told(self):
        svg = self.ok("slice", SERVER, "--range", "3..4", "--format", "svg").decode()
        self.assertNotRegex(svg, r"\d (local|UTC) ")


if __name__ == "__main__":
    tap.main()
