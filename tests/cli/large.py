# SPDX-License-Identifier: MIT
"""Trees of a million nodes (a tenth of that by default) and stacks as deep as they may be, in every
form: written without recursion, read back where the form allows it."""

import gzip
import json

import case
import tap
from case import Case

N_STACKS = 200000 if case.IS_FULL else 20000
DEPTH = 60000 if case.IS_FULL else 20000


class Large(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        instance = cls()
        wide = "".join(f"p{i % 40};a{i % 977};b{i};c;d{i % 13};e 1\n" for i in range(N_STACKS))
        cls.wide = instance.path("wide.folded", wide.encode())
        frames = ";".join(f"f{i % 100}" for i in range(DEPTH))
        # What a file is is told by its beginning: short lines first.
        cls.deep = instance.path("deep.folded",
                                 f"a;b 1\na;b 1\na;{frames} 3\na;{frames};x 4\n".encode())

    def runTest(self):
        """For setUpClass, which only wants the folder."""

    def written(self, form, source, *args):
        return self.ok("slice", source, "--format", form, "--max-frames", 100000, *args)

    def test_wide(self):
        folded = self.written("folded", self.wide)
        self.assertEqual(len(folded.splitlines()), N_STACKS)
        tree = json.loads(self.written("json", self.wide))
        self.assertEqual(tree["value"], N_STACKS)
        n_nodes, left = 0, [tree]
        while left:
            node = left.pop()
            n_nodes += 1
            left += node["children"]
        self.assertGreater(n_nodes, 4 * N_STACKS)
        flat = json.loads(self.written("flat", self.wide, "--min-width", "0"))
        self.assertEqual(len(flat["name"]), n_nodes)

    def test_wide_profiles(self):
        profile = json.loads(self.written("speedscope", self.wide))["profiles"][0]
        self.assertEqual(sum(profile["weights"]), N_STACKS)
        self.assertGreater(len(gzip.decompress(self.written("pprof", self.wide))), 10 * N_STACKS)

    def test_wide_pictures_are_small(self):
        for form in ("svg", "png"):
            self.assertLess(len(self.written(form, self.wide, "--min-width", "0")), 20000000, form)
        self.assertGreater(len(self.written("html", self.wide, "--min-width", "0")), 100000)

    def test_deep(self):
        for form in ("svg", "html", "tree", "folded", "json", "flamescope", "flat", "speedscope",
                     "pprof"):
            self.assertGreater(len(self.written(form, self.deep)), 1000, form)
        self.assertEqual(self.written("folded", self.deep, "--group-by", "none").count(b";"),
                         2 * DEPTH - 1)

    def test_deep_rules(self):
        folded = self.written("folded", self.deep, "--collapse-recursion", "--hide", "f[0-9]*[1-9]$",
                              "--focus", "f50")
        # f50, f60, ... f90, then the tens of each further hundred.
        self.assertEqual(folded.splitlines()[-1].count(b";"), (DEPTH - 50) // 10 + 1)


if __name__ == "__main__":
    tap.main()
