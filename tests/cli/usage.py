# SPDX-License-Identifier: MIT
"""Options, exit statuses, and where output goes: the contract, from outside."""

import fcntl
import json
import os
import pty
import re
import select
import struct
import subprocess
import termios

import tap
import case
import generate
import png
from case import errors_of
from tap import CLEAN, PROGRAM, ROOT, flamebeat

COMMANDS = ("ingest", "info", "heatmap", "slice", "top")
WITH_DIFF = (*COMMANDS, "diff")  # which needs more than one input

# A value for every option that takes one; None: it takes none.
VALUES = {
    "color-by": "name",
    "fold": "1.3s", "block": "20ms",
    "focus": "main", "root-at": "main", "hide": "main", "max-depth": "9", "bgcolors": "grey",
    "height": "20", "minwidth": "1%", "fonttype": "serif", "fontsize": "11", "countname": "bytes",
    "nametype": "Method:",
    "annotate": "kernel,jit,inline", "by": None, "cell": "peak", "cell-height": "5",
    "cell-width": "5", "cgroup": ".", "colors": "java", "column": "100ms", "comm": ".",
    "cpu": "0-3", "event": "all", "every": "1s", "every-origin": "1", "exclude": "nothing",
    "format": "json", "group-by": "tid", "idle": "keep", "kallsyms": "/proc/kallsyms",
    "layout": "icicle", "limit": "3", "mark": "1..2", "match": ".", "max-frames": "100",
    "min-width": "0.5", "names": "raw", "output": "-", "palette": None, "perf": "perf",
    "phase": "0..0.5", "pid": "0", "process": ".", "range": "0..2", "rows": "10", "scale": "log",
    "scale-factor": "1", "sort": "total", "subtitle": "S", "symfs": "/", "threads": "2",
    "tid": "0", "title": "T", "utc-offset": "+02:00", "wall-zero": "2026-11-21T14:00:00",
    "weight": "period", "width": "600", "zero": "first", "cpus": "4", "hz": "99",
}
EXAMPLE = os.path.join(ROOT, "examples", "burst.perf.gz")
BY_COMMAND = {
    ("heatmap", "by"): "comm", ("top", "by"): "pid", ("heatmap", "palette"): "viridis",
    ("slice", "palette"): "green", ("ingest", "output"): "OUT", ("diff", "palette"): "green",
    ("diff", "base"): EXAMPLE, ("diff", "base-range"): "0..1", ("diff", "normalize"): "rate",
    ("diff", "min-change"): "1.5", ("diff", "noise"): "blocks",
    ("diff", "fail-if"): "increase > 100",
}
NEEDS = {"every": ("--phase", "0..1"), "phase": ("--every", "1s"),
         "every-origin": ("--every", "1s", "--phase", "0..1")}

# What the contract promises of the commands that there are.
SAMPLES = {"event", "process", "comm", "pid", "tid", "cpu", "match", "exclude", "idle", "weight",
           "range", "zero", "every", "phase", "every-origin", "names"}
GENERAL = {"strict", "threads", "quiet", "output"}
PROMISED = {
    "ingest": GENERAL | {"concat"},
    "info": GENERAL | SAMPLES | {"json", "concat", "verify"},
    "heatmap": GENERAL | SAMPLES | {"format", "column", "rows", "cell", "scale", "palette", "by",
                                    "title"},
    "slice": GENERAL | SAMPLES | {"format", "group-by", "layout", "reverse", "annotate", "title",
                                  "subtitle", "width", "min-width", "colors", "palette",
                                  "scale-factor", "max-frames"},
    "diff": GENERAL | SAMPLES | {"base", "base-range", "rest", "normalize", "min-change", "flip",
                                 "limit", "fail-if", "format", "group-by", "reverse", "title"},
    "top": GENERAL | SAMPLES | {"by", "sort", "limit", "json", "csv"},
}


def help_options(command):
    """(short, long, value) of each option that `COMMAND --help` lists."""
    text = flamebeat(command, "--help").stdout.decode()
    return re.findall(r"^  (?:-(\w), |    )--([\w-]+)(?: ([^\sa-z]\S*|\S*\|\S*))?\s", text, re.M)


class Case(case.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.recording = os.path.join(cls.folder, "good.perf")
        with open(cls.recording, "wb") as file:
            file.write(generate.text_of(generate.samples_of(31, n=60, n_events=2)))


class Help(Case):
    def test_program(self):
        text = self.ok("--help").decode()
        for command in WITH_DIFF:
            self.assertRegex(text, f"(?m)^  {command} +[A-Z]")
        for words in (("help",), ("-h",)):
            self.assertEqual(self.ok(*words).decode(), text)

    def test_version(self):
        with open(os.path.join(ROOT, "meson.build"), encoding="utf-8") as file:
            version = re.search(r"version: '([^']+)'", file.read())[1]
        self.assertEqual(self.ok("--version"), f"flamebeat {version}\n".encode())

    def test_help_lists_what_is_promised(self):
        for command in WITH_DIFF:
            listed = {name for _, name, _ in help_options(command)}
            self.assertEqual(PROMISED[command] - listed, set(), command)
            self.assertEqual(self.ok("help", command), self.ok(command, "--help"))
        self.assertEqual(self.ok("flamegraph", "--help"), self.ok("slice", "--help"))

    def test_help_keeps_its_columns_apart(self):
        for command in WITH_DIFF:
            for line in self.ok(command, "--help").decode().splitlines():
                if line.startswith(("  -", "      --")):
                    self.assertRegex(line, r"^ +(-\w, )?--[\w-]+( \S+)?(  +\S.*)?$")

    def test_help_wins(self):
        # Wherever it stands, whatever else is wrong.
        for words in (("slice", "--help", "missing"), ("slice", "--range", "x", "--help"),
                      ("slice", "missing", "-o", "x.svg", "--help")):
            self.assertEqual(self.ok(*words), self.ok("slice", "--help"), words)

    def option(self, command, name, value):
        """`--NAME [VALUE]` as words, and what else the command needs to run quickly."""
        more = ["-q", *NEEDS.get(name, ())]
        if command == "ingest" and name != "output":
            more += ["-o", self.path("out.beat")]
        if command in ("heatmap", "slice", "diff") and name != "format":
            more += ["--format", "json"]
        if command == "diff" and name == "rest":
            more += ["--range", "0..1"]
        elif command == "diff" and name not in ("base", "spikes"):
            more += ["--base", self.recording]
        if not value:
            return [f"--{name}"], more
        given = BY_COMMAND.get((command, name)) or VALUES.get(name)
        self.assertIsNotNone(given, f"{command} --{name}: add it to this test")
        return [f"--{name}", self.path("out.beat") if given == "OUT" else given], more

    def run_with(self, command, words, more):
        """Output, without the options that it repeats."""
        data = self.ok(command, *words, *more, self.recording)
        return re.sub(rb'"options":".*"', b"", data)

    def test_every_option_listed_is_taken(self):
        for command in WITH_DIFF:
            for short, name, value in help_options(command):
                words, more = self.option(command, name, value)
                with self.subTest(command=command, option=name):
                    expected = self.run_with(command, words, more)
                    if value:
                        joined = ["=".join(words)]
                        self.assertEqual(self.run_with(command, joined, more), expected)
                        self.fails(2, name, command, self.recording, f"--{name}")
                    if short:
                        short_words = [f"-{short}", *words[1:]]
                        self.assertEqual(self.run_with(command, short_words, more), expected)

    def test_flags_take_no_value(self):
        for command in ("info", "slice"):
            for _, name, value in help_options(command):
                if not value:
                    with self.subTest(command=command, option=name):
                        _, more = self.option(command, name, value)
                        self.fails(2, name, command, f"--{name}=0", *more, self.recording)

    def test_no_other_option_is_taken(self):
        for command in WITH_DIFF:
            for option in ("--no-such-option", "-Z", "--rang", "-", "--colour"):
                if option != "-":
                    self.fails(2, re.escape(option.lstrip("-")), command, option, self.recording)
        for command, option in (("info", "--group-by"), ("top", "--rows"), ("ingest", "--range"),
                                ("slice", "--column"), ("heatmap", "--annotate")):
            self.fails(2, option.lstrip("-"), command, option, "1", self.recording)

    def test_values_that_are_none(self):
        for command, option, value in (
                ("heatmap", "rows", "0"), ("heatmap", "rows", "-1"), ("heatmap", "rows", "x"),
                ("heatmap", "rows", "99999999999"), ("heatmap", "column", "0"),
                ("heatmap", "column", "-1"), ("heatmap", "by", "mood"), ("heatmap", "scale", "x"),
                ("heatmap", "palette", "x"), ("heatmap", "cell", "x"), ("heatmap", "format", "svg"),
                ("slice", "format", "term"), ("slice", "format", "x"), ("slice", "colors", "x"),
                ("slice", "group-by", "x"), ("slice", "annotate", "x"), ("slice", "layout", "x"),
                ("slice", "width", "x"), ("slice", "min-width", "-1"), ("slice", "max-frames", "0"),
                ("top", "by", "x"), ("top", "sort", "x"), ("top", "limit", "-1"),
                ("top", "threads", "0"), ("top", "format", "png"), ("info", "format", "svg"),
                ("slice", "output", "")):
            with self.subTest(command=command, option=option, value=value):
                self.fails(2, option, command, f"--{option}={value}", self.recording)


class Status(Case):
    def test_done(self):
        self.ok("info", self.recording)

    def test_failed(self):
        self.fails(1, "missing", "info", self.path("missing"))

    def test_usage(self):
        self.fails(2, "no command", )
        self.fails(2, "no-such-command", "no-such-command", self.recording)
        for command in COMMANDS:
            self.fails(2, "no input", command)
        self.fails(2, "-o", "ingest", self.recording)

    def test_strict(self):
        # Each kind of shortfall of the contract; without --strict a note.
        text = self.read(self.recording) + b"this is no line of perf's\n"
        broken = self.path("broken.perf", text)
        for args in (("slice", broken), ("info", broken), ("heatmap", broken), ("top", broken),
                     ("ingest", broken, "-o", self.path("broken.beat")),
                     ("slice", "--range", "2..1", self.recording),
                     ("top", "--range", "0..9999", self.recording),
                     ("heatmap", "--range", "1..1", self.recording),
                     ("slice", "--comm", "nobody", self.recording),
                     ("slice", "--match", "nothing", self.recording)):
            with self.subTest(args=args):
                self.notes(".", *args)
        # What is only worth knowing is none.
        for args in (("slice", self.recording), ("info", self.recording, self.recording)):
            result = flamebeat(*args, "--strict")
            self.assertEqual(result.returncode, 0)
            self.assertIn(b"flamebeat: note: ", result.stderr)

    def test_damaged_store(self):
        store = self.path("good.beat")
        self.ok("ingest", self.recording, "-o", store)
        cut = self.path("cut.beat", self.read(store)[:-5])
        for command in COMMANDS:
            self.fails(4, "store", command, cut, "-o", self.path("out.json"))

    def test_limit(self):
        self.fails(5, "column", "heatmap", "--column", "1ns", "--format", "json", self.recording)

    def test_words_are_looked_at_before_files(self):
        # What is wrong on the command line is said before a long file is read.
        for option, value in (("range", "x"), ("range", "1..y"), ("zero", "x"), ("comm", "("),
                              ("format", "x"), ("every", "x")):
            with self.subTest(option=option):
                self.fails(2, option, "slice", f"--{option}={value}", self.path("missing"))

    def test_first_error_is_the_only_one(self):
        self.fails(1, "missing1", "slice", self.path("missing1"), self.path("missing2"))


MAGIC = {
    "svg": b"<?xml", "png": png.SIGNATURE, "json": b"{", "folded": None, "beat": b"\x89BEAT",
    "csv": b"",
}


class Where(Case):
    """Which form, and on which stream."""

    def test_endings_choose_the_form(self):
        for command, name, form in (
                ("slice", "a.svg", "svg"), ("slice", "a.png", "png"), ("slice", "a.json", "json"),
                ("slice", "a.folded", "folded"), ("slice", "A.PNG", "png"), ("slice", "a", "svg"),
                ("slice", "a.perf.json", "json"), ("heatmap", "a.png", "png"),
                ("heatmap", "a.json", "json"), ("heatmap", "a", "png"), ("heatmap", "a.x", "png"),
                ("top", "a.json", "json"), ("info", "a.json", "json")):
            with self.subTest(command=command, name=name):
                path = self.path(name)
                self.assertEqual(self.ok(command, "-q", "-o", path, self.recording), b"")
                explicit = self.ok(command, "-q", "--format", form, self.recording)
                data = self.read(path)
                if MAGIC[form]:
                    self.assertTrue(data.startswith(MAGIC[form]))
                if form in ("folded", "json"):
                    self.assertEqual(data, explicit.replace(b"--format " + form.encode(), b"")
                                     if b"--format" in data else explicit
                                     if b'"options"' not in data else data)
        self.ok("top", "-o", self.path("a.csv"), self.recording)
        self.assertEqual(self.read(self.path("a.csv")), self.ok("top", "--csv", self.recording))

    def test_format_wins_over_the_ending(self):
        path = self.path("a.svg")
        self.ok("slice", "--format", "folded", "-o", path, self.recording)
        self.assertEqual(self.read(path), self.ok("slice", "--format", "folded", self.recording))

    def test_defaults_in_a_pipe(self):
        self.assertTrue(self.ok("heatmap", self.recording).startswith(png.SIGNATURE))
        self.assertTrue(self.ok("slice", self.recording).startswith(b"<?xml"))
        self.assertTrue(self.ok("flamegraph", self.recording).startswith(b"<?xml"))
        for command in ("info", "top"):
            self.ok(command, self.recording).decode()

    def test_dash_is_standard_output(self):
        for command in (("slice",), ("heatmap",), ("top", "--json"), ("info", "--json")):
            self.assertEqual(self.ok(*command, "-o", "-", self.recording),
                             self.ok(*command, self.recording))
        self.assertFalse(os.path.exists("-"))
        path = self.path("good.beat")
        self.ok("ingest", self.recording, "-o", path)
        self.assertEqual(self.ok("ingest", self.recording, "-o", "-"), self.read(path))

    def test_dash_is_standard_input(self):
        data = self.read(self.recording)
        for words in (("-",), ("--", "-")):
            self.assertEqual(self.ok("slice", "--format", "folded", *words, stdin=data),
                             self.ok("slice", "--format", "folded", self.recording))

    def test_files_with_odd_names(self):
        for name in ("-o", "--help", "a b", "x=y", "caf\udce9", "\u65e5"):
            path = self.path(f"odd/{name}", self.read(self.recording))
            folder = os.path.dirname(path)
            expected = self.ok("slice", "--format", "folded", self.recording)
            self.assertEqual(self.ok("slice", "--format", "folded", "--", name, cwd=folder),
                             expected)
            self.assertEqual(self.ok("slice", "--format", "folded", path), expected)
            for form in ("svg", "png"):
                self.ok("slice", "-o", os.path.join(folder, "out." + form), path)
                self.ok("heatmap", "--format", "json", path)

    def test_standard_output_carries_data_only(self):
        broken = self.path("broken.perf", self.read(self.recording) + b"no line of perf's\n")
        for command in (("slice", "--format", "json"), ("heatmap", "--format", "json"),
                        ("info", "--json"), ("top", "--json")):
            with self.subTest(command=command):
                result = flamebeat(*command, "--range", "3..1", broken)
                self.assertEqual(result.returncode, 0)
                self.assertEqual(errors_of(result), [])
                self.assertIn(b"swapped", result.stderr)
                self.assertIn(b"skipped", result.stderr)
                json.loads(result.stdout)
                quiet = flamebeat(*command, "--range", "3..1", "-q", broken)
                self.assertEqual((quiet.returncode, quiet.stderr), (0, b""))
                self.assertEqual(json.loads(quiet.stdout).keys(), json.loads(result.stdout).keys())
                strict = flamebeat(*command, "--range", "3..1", "-q", "--strict", broken)
                self.assertEqual((strict.returncode, strict.stderr), (3, b""))
        self.assertEqual(self.ok("ingest", self.recording, "-o", self.path("out.beat")), b"")

    def test_quiet_is_not_silent_about_errors(self):
        self.fails(1, "missing", "info", "-q", self.path("missing"))

    def test_no_progress_without_a_terminal(self):
        for command in COMMANDS[1:]:
            result = flamebeat(command, "--event", "all", self.recording)
            self.assertEqual(result.stderr, b"")


def on_terminal(*args, columns=100, env=None):
    """Runs the program with a terminal as its standard output; (status, output, errors)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    with subprocess.Popen([PROGRAM, *map(str, args)], stdin=subprocess.DEVNULL, stdout=slave,
                          stderr=subprocess.PIPE,
                          env={**CLEAN, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8",
                               **(env or {})}) as process:
        os.close(slave)
        output = b""
        while select.select([master], [], [], 120)[0]:
            try:
                data = os.read(master, 65536)
            except OSError:  # the last one has closed it
                break
            if not data:
                break
            output += data
        errors = process.stderr.read()
    os.close(master)
    return process.returncode, output.replace(b"\r\n", b"\n"), errors


class Terminal(Case):
    def test_binary_is_refused(self):
        for args in (("heatmap", "--format", "png"), ("slice", "--format", "png"),
                     ("slice", "--format", "png", "-o", "-"), ("ingest", "-o", "-")):
            with self.subTest(args=args):
                status, output, errors = on_terminal(*args, self.recording)
                self.assertEqual((status, output), (2, b""))
                self.assertRegex(errors, rb"terminal.*-o FILE")
                self.assertEqual(errors.count(b"\n"), 1)

    def test_binary_to_a_file_is_not(self):
        status, output, _ = on_terminal("heatmap", "-o", self.path("t.png"), self.recording)
        self.assertEqual((status, output), (0, b""))
        self.assertTrue(self.read(self.path("t.png")).startswith(png.SIGNATURE))
        status, output, _ = on_terminal("slice", "-o", self.path("t.svg"), self.recording)
        self.assertEqual((status, output), (0, b""))
        self.assertTrue(self.read(self.path("t.svg")).startswith(b"<?xml"))

    def test_defaults(self):
        status, output, _ = on_terminal("heatmap", self.recording)
        self.assertEqual(status, 0)
        self.assertIn(b"\x1b[", output)
        self.assertFalse(output.startswith(png.SIGNATURE))
        status, output, _ = on_terminal("slice", self.recording)
        self.assertEqual(status, 0)
        self.assertNotIn(b"<svg", output)
        self.assertIn("%", output.decode())
        for command in ("info", "top"):
            status, output, _ = on_terminal(command, self.recording)
            self.assertEqual(status, 0)
            output.decode()

    def test_text_forms_are_not_refused(self):
        for form in ("svg", "json", "folded", "flamescope"):
            status, output, _ = on_terminal("slice", "--format", form, self.recording)
            self.assertEqual(status, 0, form)
            self.assertTrue(output)

    def test_picture_fits(self):
        for columns in (60, 80, 200):
            _, output, _ = on_terminal("heatmap", self.recording, columns=columns)
            drawn = [line for line in output.decode().splitlines() if "\x1b" in line]
            self.assertGreater(len(drawn), 5)
            for line in drawn:
                line = re.sub("\x1b\\[[0-9;]*m", "", line)
                self.assertNotIn("\x1b", line)
                self.assertLessEqual(len(line), columns, line)

    def test_colours_by_the_environment(self):
        def colours(**env):
            return on_terminal("heatmap", self.recording, env=env)[1]

        self.assertIn(b"8;2;", colours(COLORTERM="truecolor"))
        self.assertIn(b"8;5;", colours(TERM="xterm-256color"))
        self.assertNotIn(b"8;5;", colours(TERM="linux"))
        self.assertIn(b"\x1b[", colours(TERM="linux"))
        self.assertNotIn(b"\x1b", colours(TERM="dumb"))
        self.assertNotIn(b"\x1b", colours(COLORTERM="truecolor", NO_COLOR="1"))
        plain = colours(NO_COLOR="1", LC_ALL="C")
        self.assertNotIn(b"\x1b", plain)
        plain.decode("ascii")
        self.assertRegex(plain, rb"[.:=+*#%@]")

    def test_limit_of_a_table(self):
        many = self.path("many.perf", b"".join(
            b"a 7 [000] 5.%06d: 1 cycles: \n\t %x f%d (/bin/x)\n\n" % (i, i, i)
            for i in range(200)))
        _, output, _ = on_terminal("top", many)
        self.assertEqual(len(re.findall(rb" f\d+ ", output)), 25)
        self.assertEqual(len(re.findall(rb" f\d+ ", self.ok("top", many))), 200)


if __name__ == "__main__":
    tap.main()
