/* SPDX-License-Identifier: MIT */
/*
 * What a DSO's name says (shared reference formats.md, 1.6 and the table at the end of 1.9).
 */

#include "store/dso.h"

#include <glib.h>

typedef enum { UNKNOWN, JIT, KERNEL, USER } Kind;

/* First match, as the reference has it. */
static Kind kind_of(Text dso)
{
	if (dso_is_unknown(dso))
		return UNKNOWN;
	if (dso_is_jit(dso))
		return JIT;
	return dso_is_kernel(dso) ? KERNEL : USER;
}

static void check(const char *const *names, Kind expected)
{
	for (; *names != NULL; names++)
		if (kind_of(text_from(*names)) != expected)
			g_error("'%s' is of kind %d, expected %d", *names,
				kind_of(text_from(*names)), expected);
}

static void test_unknown(void)
{
	static const char *const names[] = { "", "[unknown]", NULL };

	check(names, UNKNOWN);
}

static void test_jit(void)
{
	static const char *const names[] = { "/tmp/perf-17675.map",
					     "/tmp/perf-1.map",
					     "/tmp/jitted-123-4.so",
					     "/root/.debug/jit/llvm-2026/jitted-99-1.so",
					     "[JIT app cache]",
					     "[JIT tid 9]",
					     "//anon",
					     NULL };

	check(names, JIT);
}

static void test_kernel(void)
{
	static const char *const names[] = {
		"[kernel.kallsyms]",
		"[kernel.kallsyms].init.text",
		"[kernel.vmlinux]",
		"[kernel]",
		"[guest.kernel.kallsyms]",
		"[guest.kernel.kallsyms.4711]",
		"[nf_conntrack]",
		"[xfs]",
		"[bpf]",
		"vmlinux",
		"/boot/vmlinux",
		"/usr/lib/debug/lib/modules/5.4.14-x/vmlinux-5.4.14-x",
		"/lib/modules/4.9-virtual/build/vmlinux",
		"/lib/modules/6.1.0/kernel/net/ipv4/tcp_bbr.ko",
		"/lib/modules/6.1.0/kernel/net/ipv4/tcp_bbr.ko.gz",
		"/lib/modules/6.1.0/kernel/net/ipv4/tcp_bbr.ko.xz",
		"/lib/modules/6.1.0/kernel/net/ipv4/tcp_bbr.ko.zst",
		"bpf_prog_2b956549c660136a_uni_l4lb",
		NULL,
	};

	check(names, KERNEL);
}

/* The rules are `*vmlinux*` and `*.ko[.*]`: wherever in the basename. */
static void test_vmlinux_anywhere(void)
{
	static const char *const names[] = { "/srv/kernels/x86-vmlinux-5.4.bin", NULL };

	check(names, KERNEL);
}

static void test_last_ko(void)
{
	static const char *const names[] = { "/lib/modules/6.1/extra/my.kobj.ko",
					     "/lib/modules/6.1/extra/my.kobj.ko.xz", NULL };

	check(names, KERNEL);
}

/* What peers take for kernel, and names that only resemble others. */
static void test_user(void)
{
	static const char *const names[] = { "[vdso]",
					     "[vsyscall]",
					     "[stack]",
					     "[heap]",
					     "[uprobes]",
					     "[anon:scudo:primary]",
					     "/bin/x",
					     "/usr/lib/x86_64-linux-gnu/libc.so.6",
					     "/memfd:my code (v1) (deleted)",
					     "/srv/app/dir (x) y/my prog (1)",
					     "/tmp/un(bal",
					     "/dev/zero (deleted)",
					     "/SYSV00000000 (deleted)",
					     "anon_inode:[perf_event]",
					     "/srv/vmlinux/bin/tool",
					     "/opt/x.kotlin",
					     "/tmp/perf-1.map/x",
					     "/tmp/perf.map",
					     "/srv/jitted/app",
					     "/data/app/base.apk!lib/arm64/libx.so",
					     NULL };

	check(names, USER);
}

static void check_basename(const char *dso, const char *expected)
{
	Text name = dso_basename(text_from(dso));

	g_assert_cmpmem(name.data, name.len, expected, strlen(expected));
}

static void test_basename(void)
{
	check_basename("/usr/lib/libc.so.6", "libc.so.6");
	check_basename("libc.so.6", "libc.so.6");
	check_basename("/usr/lib/libc.so.6 (deleted)", "libc.so.6");
	check_basename("/srv/app/dir (x) y/my prog (1)", "my prog (1)");
	check_basename("[kernel.kallsyms]", "[kernel.kallsyms]");
	check_basename("", "");
}

static void test_offsets(void)
{
	static const char *const with[] = { "/bin/x", "/usr/lib/libc.so.6", "[vdso]" };
	static const char *const without[] = {
		"",
		"[unknown]",
		"/tmp/perf-1.map",
		"//anon",
		"[JIT app cache]",
		"[stack]",
		"[heap]",
		"[kernel.kallsyms]",
		"[nf_tables]",
		"/boot/vmlinux-6.1",
		"[bpf]",
		"/lib/modules/x.ko",
		"[guest.kernel.kallsyms]",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(with); i++) {
		g_assert_cmpuint(dso_offset(text_from(with[i]), 0x1f), ==, 0x1f);
		g_assert_cmpuint(dso_offset(text_from(with[i]), 0xffffffff), ==, 0xffffffff);
		/* Where it was in memory. */
		g_assert_cmpuint(dso_offset(text_from(with[i]), 0x55d0a1b2c3d4), ==, 0);
		g_assert_cmpuint(dso_offset(text_from(with[i]), 0xffffffffff600000), ==, 0);
	}
	for (size_t i = 0; i < G_N_ELEMENTS(without); i++)
		g_assert_cmpuint(dso_offset(text_from(without[i]), 0x1f), ==, 0);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/dso/unknown", test_unknown);
	g_test_add_func("/dso/jit", test_jit);
	g_test_add_func("/dso/kernel", test_kernel);
	g_test_add_func("/dso/kernel/vmlinux-anywhere", test_vmlinux_anywhere);
	g_test_add_func("/dso/kernel/last-ko", test_last_ko);
	g_test_add_func("/dso/user", test_user);
	g_test_add_func("/dso/basename", test_basename);
	g_test_add_func("/dso/offsets", test_offsets);
	return g_test_run();
}
