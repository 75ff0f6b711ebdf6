# SPDX-License-Identifier: MIT
"""What flamebeat diff makes of noise, and of what is none: shares of many seeded trials.

20 seeds each in tests/run; `tests/campaign diff` makes it 200 and prints the figures.
"""

import gzip
import json
import os
import random
import re
import unittest

import tap
from case import IS_FULL, Case
from tap import EXAMPLES

N_SEEDS = 200 if IS_FULL else 20
N_SAMPLES = 4000
HZ = 1000


def stack_table(r, n=120):
    """Stacks with common beginnings, and weights that fall as 1/i."""
    stacks = [[f"f{depth}_{r.randrange(1 + 3 * depth)}" for depth in range(r.randint(2, 8))] +
              [f"leaf{i}"] for i in range(n)]
    return stacks, [1 / (i + 1) for i in range(n)]


def samples_of(r, stacks, weights, n, dwell=1):
    """`n` stacks in a row; one stays for `dwell` samples on average."""
    current, out = None, []
    for _ in range(n):
        if current is None or r.random() < 1 / dwell:
            current = r.choices(stacks, weights)[0]
        out.append(current)
    return out


def perf_text(samples):
    lines = []
    for i, stack in enumerate(samples):
        lines.append(f"app 1/1 [000] {100 + i / HZ:.6f}: 1 cpu-clock: ")
        lines += [f"\t 1000 {name} (app)" for name in reversed(stack)]
        lines.append("")
    return ("\n".join(lines) + "\n").encode()


class Noise(Case):
    def nodes(self, *args):
        """All nodes but the root."""
        tree = json.loads(self.ok("diff", *args, "--format", "json", "-q"))
        todo, found = list(tree["children"]), []
        while todo:
            node = todo.pop()
            found.append(node)
            todo += node["children"]
        return found

    def coloured(self, make):
        """Per cent of all nodes that are significant in `make(seed)`, over all seeds."""
        n = n_coloured = 0
        for seed in range(N_SEEDS):
            nodes = make(random.Random(seed))
            n += len(nodes)
            n_coloured += sum(node["significant"] for node in nodes)
        share = 100 * n_coloured / n
        print(f"# {self.id().split('.')[-1]}: {share:.3f} % of {n} nodes, {N_SEEDS} seeds")
        return share

    def split(self, records, r):
        """A coin for every record says which side it is on; compared."""
        sides = [], []
        for record in records:
            sides[r.random() < 0.5].append(record)
        paths = [self.path(f"side{i}.perf", b"".join(side)) for i, side in enumerate(sides)]
        return self.nodes(paths[0], "--base", paths[1], "--min-change", 0)

    def test_one_recording_split_at_random(self):
        with gzip.open(os.path.join(EXAMPLES, "server.perf.gz")) as file:
            text = file.read()
        records = re.findall(rb"^\S.*?\n\n", text[text.index(b"\n#\n") + 3:], re.M | re.S)
        records = [record for record in records if not record.startswith((b"swapper", b"#"))]
        self.assertGreater(len(records), 5000)
        self.assertLess(self.coloured(lambda r: self.split(records, r)), 5)

    def test_independent_samples(self):
        def make(r):
            stacks, weights = stack_table(r)
            text = perf_text(samples_of(r, stacks, weights, 2 * N_SAMPLES))
            return self.nodes(self.path("even.perf", text), "--range", "0..4", "--base-range",
                              "4..8", "--min-change", 0)
        self.assertLess(self.coloured(make), 5)

    def test_samples_in_bursts(self):
        """A program that stays in a function for 20 samples: counts vary 40 times as much as coins
        do, and blocks of time tell."""
        def make(r):
            stacks, weights = stack_table(r)
            text = perf_text(samples_of(r, stacks, weights, 2 * N_SAMPLES, dwell=20))
            return self.nodes(self.path("bursts.perf", text), "--range", "0..4", "--base-range",
                              "4..8", "--min-change", 0)
        self.assertLess(self.coloured(make), 5)

    def test_independent_samples_by_counting(self):
        def make(r):
            stacks, weights = stack_table(r)
            text = perf_text(samples_of(r, stacks, weights, 2 * N_SAMPLES))
            return self.nodes(self.path("blocks.perf", text), "--range", "0..4", "--base-range",
                              "4..8", "--min-change", 0, "--noise", "counting")
        self.assertLess(self.coloured(make), 5)

    def test_a_moment_against_the_rest(self):
        def make(r):
            stacks, weights = stack_table(r)
            text = perf_text(samples_of(r, stacks, weights, 2 * N_SAMPLES))
            return self.nodes(self.path("moment.perf", text), "--range", "2..2.3", "--rest",
                              "--min-change", 0)
        self.assertLess(self.coloured(make), 5)

    def run_of(self, r, name, stacks, weights, cv):
        """A run in which every stack has its weight times a random factor."""
        varied = [w * r.gammavariate(1 / cv**2, cv**2) for w in weights]
        return self.path(name, perf_text(samples_of(r, stacks, varied, N_SAMPLES)))

    def runs(self, r, n_bases, cv):
        stacks, weights = stack_table(r)
        paths = [self.run_of(r, f"run{i}.perf", stacks, weights, cv) for i in range(n_bases + 1)]
        bases = [word for path in paths[1:] for word in ("--base", path)]
        return self.nodes(paths[0], *bases, "--min-change", 0)

    def test_runs_that_vary(self):
        for n_bases in (2, 3, 5):
            share = self.coloured(lambda r, n=n_bases: self.runs(r, n, 0.25))
            self.assertLess(share, 5, f"{n_bases} runs of the base")

    def found(self, r, n_bases, folded, is_sorted=False):
        """Whether a function of 200 of 10,000 samples is found when it doubles."""
        stacks, weights = stack_table(r)
        planted = sum(weights) * 0.02 / 0.98
        stacks.append(["f0_0", "planted"])
        paths = []
        for i in range(n_bases + 1):
            share = 2 * planted if i == 0 else planted
            samples = samples_of(r, stacks, weights + [share], 10000)
            if is_sorted:  # one thing after the other, as batch programs do
                samples.sort()
            if folded:
                data = "".join(";".join(["app", *stack]) + " 1\n" for stack in samples).encode()
            else:
                data = perf_text(samples)
            paths.append(self.path(f"planted{i}", data))
        bases = [word for path in paths[1:] for word in ("--base", path)]
        return any(node["name"] == "planted" and node["significant"]
                   for node in self.nodes(paths[0], *bases))

    def test_a_doubling_is_found(self):
        for how in ((1, False), (1, False, True), (1, True), (3, True)):
            n = sum(self.found(random.Random(seed), *how) for seed in range(N_SEEDS))
            print(f"# a doubling of 200 samples is found in {n} of {N_SEEDS}")
            self.assertGreaterEqual(n, 0.95 * N_SEEDS)


if __name__ == "__main__":
    tap.main()
