# SPDX-License-Identifier: MIT
"""Random recordings as `perf script` prints them, from a seed: the same seed, the same recording.

    samples = samples_of(7, n=300, n_events=2)
    text = text_of(samples, ns=True)

Names are bytes, as perf has them. The samples are in order of time, and no two have the same one.
"""

import random
from typing import NamedTuple

NS = 10**9
US = 1000


class Frame(NamedTuple):
    ip: int
    symbol: bytes  # as printed, b"[unknown]" where there is none
    dso: bytes  # empty for an inlined frame
    is_inlined: bool = False


class Sample(NamedTuple):
    time: int  # ns on the recording's clock, None: unknown
    event: bytes
    period: int  # None: not printed
    comm: bytes
    pid: int
    tid: int
    cpu: int  # None: unknown
    frames: tuple  # leaf first
    is_idle: bool  # the idle task in an idle routine


# Names of threads that readers of this format stumble over (formats.md 1.5), and that writers of
# terminal text, XML and JSON do.
COMMS = (
    b"java", b"C1 CompilerThre", b"kworker/0:1H-kb", b"1234 567", b"x 1 [000]", b"a 1 2.000000: c",
    b"#hash", b"# comment", b":-1", b"", b"t", b"9", b"two  blanks", b"-9 5/6", b"(sd-pam)",
    b"100%s", b"a;b", b"</script>", b"]]>", b"q\"uo'te\\", b"<&amp;>", b"\x1b[31mred", b"caf\xe9",
    "\u65e5\u672c\u8a9e".encode(), "\u202egnp.exe".encode(), b"bell\x07 del\x7f", b"K",
)

KERNEL = b"[kernel.kallsyms]"
IDLE = (b"pv_native_safe_halt", b"acpi_idle_do_entry", b"intel_idle", b"cpuidle_enter_state")

KERNEL_FRAMES = (
    (b"__schedule", KERNEL), (b"do_syscall_64", KERNEL), (b"entry_SYSCALL_64", KERNEL),
    (b"vfs_read", KERNEL), (b"tcp_sendmsg", b"[kernel.vmlinux]"), (b"nf_hook_slow", b"[nf_tables]"),
    (b"ext4_readpage", b"/lib/modules/6.1.0/kernel/fs/ext4/ext4.ko"), (b"foo.isra.0", KERNEL),
    (b"start_kernel", b"[kernel.kallsyms].init.text"), (b"__softirqentry_text_start", KERNEL),
)
USER_FRAMES = (
    (b"main", b"/srv/app/server"), (b"__libc_start_main@@GLIBC_2.34", b"/usr/lib/libc.so.6"),
    (b"(anonymous namespace)::Hidden::operator()", b"/srv/app/cpp"),
    (b"std::vector<int, std::allocator<int> >::push_back", b"/srv/app/cpp"),
    (b"std::_Function_handler<void (int), main::{lambda(int)#1}>::_M_invoke", b"/srv/app/cpp"),
    (b"operator->*", b"/srv/app/cpp"), (b"Tpl<(Kind)0>::~Tpl", b"/srv/app/cpp"),
    (b"foo(int, std::vector<int> const&) const", b"/srv/app/dir (x) y/my prog (1)"),
    (b"odd", b"/srv/app/un(bal"), (b"gone", b"/tmp/old (deleted)"), (b"clock", b"[vdso]"),
    (b"net/http.(*conn).serve", b"/srv/app/go"), (b"_ZN4core3fmt9FormatterE", b"/srv/app/rust"),
    (b"<alloc::boxed::Box<T> as gc::trace::Trace>::trace", b"/srv/app/rust"),
    (b"py::<module>:/srv/app/x.py", b"/tmp/perf-77.map"), (b"caf\xe9</script>]]>", b"/srv/app/cpp"),
)
JIT_FRAMES = (
    (b"Interpreter", b"/tmp/perf-77.map"), (b"vtable stub 12", b"/tmp/perf-77.map"),
    (b"Ljava/io/PrintStream;::print", b"/tmp/perf-77.map"),
    (b"Lcom/A;::foo->Lcom/B;::bar->Lcom/C;::baz", b"/tmp/perf-77.map"),
    (b"void java.util.stream.IntPipeline$6$1.accept(int)", b"/tmp/perf-77.map"),
    (b"JS:~weird name (x) /srv/app/s.js:3:26", b"/tmp/perf-78.map"),
    (b"RegExp:[&<>\"']", b"/tmp/perf-78.map"), (b"StubRoutines (1)", b"/tmp/perf-77.map"),
    (b"a;b;c", b"/tmp/jitted-77-1.so"), (b"ends with ) (", b"/tmp/perf-78.map"),
)
UNKNOWN_FRAMES = (
    (b"[unknown]", b"[unknown]"), (b"[unknown]", b"/usr/lib/libx.so.1"),
    (b"[unknown]", b"/memfd:my code (v1) (deleted)"), (b"[unknown]", b"/tmp/perf-77.map"),
)
INLINED = (b"operator()", b"hidden_free", b"sort<int*>", b"min")
EVENTS = (b"cycles:P", b"cpu-clock:pppH", b"sched:sched_switch", b"cpu/mem-loads,ldlat=30/P",
          b"page-faults")
PAYLOAD = b" prev_comm=two words prev_pid=1 prev_state=S ==> next_comm=x: 1.234567: y"


class _Maker:
    def __init__(self, seed, n_threads, n_cpus, n_events):
        self.random = random.Random(seed)
        self.n_cpus = n_cpus
        self.events = self.random.sample(EVENTS, n_events)
        self.addresses = {}
        self.threads = self._threads(n_threads)
        self.stacks = [self._stack() for _ in range(40)]

    def _threads(self, n):
        threads, tid = [], 1000
        for _ in range(n):
            tid += self.random.randint(1, 40)
            pid = tid if not threads or self.random.random() < 0.4 else threads[-1][1]
            threads.append((self.random.choice(COMMS), pid, tid))
        return threads

    def _frame(self, name):
        """Every symbol has a place of its own."""
        if name not in self.addresses:
            self.addresses[name] = 0x400000 + 0x1000 * len(self.addresses)
        ip = self.addresses[name] + self.random.choice((0x0, 0x11, 0x7f))
        is_kernel = name in KERNEL_FRAMES
        return Frame(ip + (0xffffffff81000000 if is_kernel else 0), *name)

    def _stack(self):
        """Frames, leaf first: kernel over user, some of it inlined."""
        r = self.random
        user = [self._frame(r.choice(r.choice((USER_FRAMES, USER_FRAMES, JIT_FRAMES,
                                               UNKNOWN_FRAMES))))
                for _ in range(r.randint(0, 12))]
        kernel = [self._frame(r.choice(KERNEL_FRAMES)) for _ in range(r.choice((0, 0, 1, 5)))]
        frames = []
        for frame in kernel + user:
            if frame.dso == b"/srv/app/cpp":
                for _ in range(r.choice((0, 0, 1, 2))):
                    frames.append(Frame(frame.ip, r.choice(INLINED), b"", True))
            frames.append(frame)
        return tuple(frames)

    def _idle_stack(self, cpu, is_idle):
        r = self.random
        leaf = (r.choice(IDLE), KERNEL) if is_idle else r.choice(KERNEL_FRAMES[:4])
        start = b"rest_init" if cpu == 0 else b"start_secondary"
        return tuple(self._frame(name) for name in (leaf, (b"do_idle", KERNEL), (start, KERNEL)))

    def sample(self, time, idle_share):
        r = self.random
        event = r.choice(self.events)
        cpu = r.randrange(self.n_cpus)
        period = None if event.startswith(b"sched:") else r.choice((1, 250000, 5000000,
                                                                     r.randint(0, 2**40)))
        if r.random() < idle_share:
            is_idle = r.random() < 0.8
            return Sample(time, event, period, b"swapper", 0, 0, cpu,
                          self._idle_stack(cpu, is_idle), is_idle)
        comm, pid, tid = r.choice(self.threads)
        return Sample(time, event, period, comm, pid, tid, cpu, r.choice(self.stacks), False)


def samples_of(seed, n=300, n_threads=12, n_cpus=3, n_events=2, seconds=4, tick=US,
               idle_share=0.3):
    """`n` samples within `seconds`, at multiples of `tick` ns."""
    maker = _Maker(seed, n_threads, n_cpus, n_events)
    start = maker.random.randrange(1, 400_000) * NS + maker.random.randrange(NS) // tick * tick
    offsets = maker.random.sample(range(seconds * NS // tick), n)
    return [maker.sample(start + offset * tick, idle_share) for offset in sorted(offsets)]


def frame_line(frame, symoff=True):
    offset = b"+0x%x" % (frame.ip & 0xfff) if symoff and frame.symbol != b"[unknown]" else b""
    tail = b"(inlined)" if frame.is_inlined else b"(%s)" % frame.dso
    return b"\t%16x %s%s %s" % (frame.ip, frame.symbol, offset, tail)


def event_line(sample, ns=False, ids="pid/tid"):
    words = [sample.comm]
    is_pair = ids == "pid/tid"
    words.append(b"%5d/%-5d" % (sample.pid, sample.tid) if is_pair else b"%5d" % sample.tid)
    if sample.cpu is not None:
        words.append(b"[%03d]" % sample.cpu)
    if sample.time is not None:
        seconds, rest = divmod(sample.time, NS)
        words.append(b"%5d.%09d:" % (seconds, rest) if ns else b"%5d.%06d:" % (seconds, rest // US))
    if sample.period is not None:
        words.append(b"%10d" % sample.period)
    payload = PAYLOAD if sample.event.startswith(b"sched:") else b""
    return b" ".join(words) + b" %s: %s" % (sample.event, payload)


def record_of(sample, ns=False, ids="pid/tid", symoff=True):
    lines = [event_line(sample, ns, ids)]
    lines += [frame_line(frame, symoff) for frame in sample.frames]
    return b"\n".join(lines) + b"\n\n"


HEADER = b"""# ========
# captured on    : Sat Nov 21 01:44:06 2026
# hostname : vm
# os release : 6.1.0
# perf version : 6.1.187
# arch : x86_64
# nrcpus online : 3
# nrcpus avail : 4
# cmdline : /usr/bin/perf record -F 99 -a -g -- bash -c true
for x in 1 2; do :; done
# event : name = cycles:P, , id = { 1 }, type = 0, { sample_period, sample_freq } = 99, freq = 1
# ========
#
"""


def text_of(samples, ns=False, ids="pid/tid", symoff=True, header=True):
    """The samples in the order given."""
    records = [record_of(sample, ns, ids, symoff) for sample in samples]
    return (HEADER if header else b"") + b"".join(records)


def shuffled(samples, seed):
    """In another order, all over the file."""
    samples = list(samples)
    random.Random(seed).shuffle(samples)
    return samples
