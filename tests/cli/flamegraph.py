# SPDX-License-Identifier: MIT
"""Our folded stacks against those that FlameGraph and inferno published for their recordings.

Every line must be the same, but for the differences in the tables below, where ours is right. The
tables are exact: a difference that is not listed fails, and so does one that is gone.
"""

import collections
import os
import re
import unittest

import tap
from tap import flamebeat, shared

# A published result's suffix, and the options that ask us for the same.
RESULTS = {
    "all": ("--annotate", "kernel,jit"),
    "kernel": ("--annotate", "kernel"),
    "jit": ("--annotate", "jit"),
    "pid": ("--group-by", "pid"),
    "tid": ("--group-by", "tid"),
}
ANNOTATED = {"all", "kernel", "jit"}
MARKED = {"all", "kernel"}  # where kernel frames have their _[k]

LAST = "stackcollapse-perf.pl loses the last record of a file that ends without an empty line"
VDSO = "[vdso] is a library that the kernel lends to the process: what runs there is not kernel"
EMPTY = "the symbol is empty: stackcollapse-perf.pl names the frame ` `, we by its DSO"

# Recording, results concerned, their line, our line, why ours is right. None: no such line. In
# lines, `…` stands for any text, `~` for an annotation or none.
DIFFERENCES = (
    ("perf-iperf-stacks-pidtid-01", MARKED, "iperf;[unknown];[iperf];__vdso_gettimeofday_[k] 1",
     "iperf;[unknown];[iperf];__vdso_gettimeofday 1", VDSO),
    ("perf-iperf-stacks-pidtid-01", ANNOTATED, None, "iperf;[unknown];[unknown];[iperf] 1", LAST),
    ("perf-iperf-stacks-pidtid-01", {"pid"}, None, "iperf-27409;[unknown];[unknown];[iperf] 1",
     LAST),
    ("perf-iperf-stacks-pidtid-01", {"tid"}, None,
     "iperf-27409/28744;[unknown];[unknown];[iperf] 1", LAST),
    ("perf-java-stacks-01", ANNOTATED, None,
     "ab;[unknown];[[vdso]];__epoll_wait_nocancel;system_call_fastpath~;…;schedule~;__schedule~ 1",
     LAST),
    ("perf-numa-stacks-01", ANNOTATED, "swapper;start_secondary~;…;native_safe_halt~ 72",
     "swapper;start_secondary~;…;native_safe_halt~ 73", LAST),
    ("perf-numa-stacks-01", {"pid"}, "swapper-?;start_secondary;…;native_safe_halt 72",
     "swapper-?;start_secondary;…;native_safe_halt 73", LAST),
    ("perf-numa-stacks-01", {"tid"}, "swapper-?/0;start_secondary;…;native_safe_halt 72",
     "swapper-?/0;start_secondary;…;native_safe_halt 73", LAST),
    ("perf-vertx-stacks-01", ANNOTATED, "java;…;sun/nio/ch/FileDispatcherImpl:.write0~;  3",
     "java;…;sun/nio/ch/FileDispatcherImpl:.write0~;[libc-2.15.so] 3", EMPTY),
    ("perf-vertx-stacks-01", ANNOTATED, None,
     "java;…;__kfree_skb~;skb_release_data~;skb_release_data.part.45~ 1", LAST),
)

# inferno's results: the options they were made with, and the differences as above.
INFERNO = {
    "cpp-stacks-std-function": ((), (
        ("perf_stacks;…;main;std::function<int (int, int)>::operator;…::_M_invoke 3306084",
         "perf_stacks;…;main;std::function<int (int, int)>::operator();…::_M_invoke 3306084",
         "the name of a call operator is `operator()`, and its arguments begin after that"),
    )),
    "go-stacks": ((), ()),
    "java-inline": (("--annotate", "inline"), ()),
}


def lines_of(path):
    with open(path, "rb") as file:
        return collections.Counter(file.read().decode().splitlines())


def matches(pattern, line):
    pattern = re.escape(pattern).replace("…", ".*").replace("\\~", r"(?:_\[[kji]\])?")
    return re.fullmatch(pattern, line) is not None


class Comparison(unittest.TestCase):
    def folded(self, path, *options):
        result = flamebeat("slice", path, "--idle", "keep", "--weight", "period", "--format",
                           "folded", *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return collections.Counter(result.stdout.decode().splitlines())

    def take(self, lines, pattern, side):
        """Takes the one line of `lines` that is listed as `pattern`."""
        if pattern is None:
            return None
        found = [line for line in lines.elements() if matches(pattern, line)]
        self.assertEqual(len(found), 1, f"listed, but not among the differences {side}: {pattern}")
        lines[found[0]] -= 1
        return found[0]

    def compare(self, theirs, ours, differences):
        """`differences`: of (their line, our line, why)."""
        missing, added = theirs - ours, ours - theirs
        for before, after, why in differences:
            self.assertTrue(why)
            taken = self.take(missing, before, "(theirs)"), self.take(added, after, "(ours)")
            # What `…` hides must be the same on both sides.
            if None not in taken:
                same = os.path.commonprefix(taken)
                tail = os.path.commonprefix([line[::-1] for line in taken])
                self.assertLess(max(map(len, taken)) - len(same) - len(tail), 16, taken)
        self.assertEqual(sorted((+missing).elements()), [], "theirs, not ours")
        self.assertEqual(sorted((+added).elements()), [], "ours, not theirs")


class FlameGraph(Comparison):
    def test_published_results(self):
        folder = shared("flamegraph")
        recordings = sorted(name for name in os.listdir(folder) if name.endswith(".txt"))
        n_compared = 0
        for recording in recordings:
            name = recording.removesuffix(".txt")
            for suffix, options in RESULTS.items():
                result = os.path.join(folder, "results", f"{name}-collapsed-{suffix}.txt")
                if not os.path.exists(result):
                    continue
                listed = [(before, after, why) for file, suffixes, before, after, why
                          in DIFFERENCES if file == name and suffix in suffixes]
                with self.subTest(recording=name, result=suffix):
                    self.compare(lines_of(result),
                                 self.folded(os.path.join(folder, recording), *options), listed)
                n_compared += 1
        self.assertGreaterEqual(n_compared, 29)

    def test_every_listed_recording_is_there(self):
        for name in {row[0] for row in DIFFERENCES}:
            self.assertTrue(os.path.exists(shared("flamegraph", name + ".txt")), name)

    def test_lost_records_are_the_last_ones(self):
        # Cut before its last event line, the recording gives perl's result.
        for name in {row[0] for row in DIFFERENCES if row[4] is LAST}:
            with open(shared("flamegraph", name + ".txt"), "rb") as file:
                text = file.read()
            self.assertFalse(text.endswith(b"\n\n"), name)
            begin = text.rstrip().rindex(b"\n\n")
            cut = flamebeat("slice", "-", "--idle", "keep", "--weight", "period", "--annotate",
                            "kernel,jit", "--format", "folded", stdin=text[:begin + 2])
            listed = [row[2:] for row in DIFFERENCES
                      if row[0] == name and "all" in row[1] and row[4] is not LAST]
            self.compare(lines_of(shared("flamegraph", "results", name + "-collapsed-all.txt")),
                         collections.Counter(cut.stdout.decode().splitlines()), listed)

    def test_event_seen_first_is_the_default(self):
        path = shared("flamegraph", "perf-cycles-instructions-01.txt")
        with open(path, encoding="utf-8") as file:
            text = file.read()
        names = re.findall(r"^\S.* ([\w-]+): *$", text, re.M)
        self.assertGreater(len(set(names)), 1)
        named = self.folded(path, "--event", names[0], *RESULTS["all"])
        self.assertEqual(named, self.folded(path, *RESULTS["all"]))
        self.assertNotEqual(named, self.folded(path, "--event", "all", *RESULTS["all"]))


class Inferno(Comparison):
    def test_published_results(self):
        for name, (options, differences) in INFERNO.items():
            with self.subTest(recording=name):
                theirs = lines_of(shared("inferno", "results", name + "-collapsed.txt"))
                self.compare(theirs, self.folded(shared("inferno", name + ".txt"), *options),
                             differences)


if __name__ == "__main__":
    tap.main()
