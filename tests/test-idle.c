/* SPDX-License-Identifier: MIT */
/*
 * Who is a CPU's idle task, and which functions wait for work (contract, `--idle`).
 */

#include "store/idle.h"

#include <glib.h>

static void check_task(const char *comm, int32_t pid, int32_t tid, bool expected)
{
	StoreThread thread = { text_from(comm), pid, tid };

	if (idle_is_task(&thread) != expected)
		g_error("%s %d/%d: expected %d", comm, pid, tid, expected);
}

static void test_task(void)
{
	check_task("swapper", 0, 0, true);
	check_task("swapper", ID_NONE, 0, true);
	check_task("swapper/3", 0, 0, true);
	check_task("swapper/127", ID_NONE, 0, true);
}

static void test_no_task(void)
{
	check_task("swapper", 12, 12, false); /* anyone may call himself so */
	check_task("swapper", 0, 12, false);
	check_task("systemd", 1, 1, false);
	check_task(":-1", ID_NONE, -1, false);
	check_task(":-1", 0, -1, false);
	check_task("swapper", ID_NONE, ID_NONE, false);
	check_task("idle_inject/0", 22, 22, false);
}

static void check_routine(const char *symbol, bool expected)
{
	if (idle_is_routine(text_from(symbol)) != expected)
		g_error("%s: expected %d", symbol, expected);
}

/* Where CPUs of several makes wait, and what FlameScope calls idle. */
static void test_routine(void)
{
	static const char *const symbols[] = { "native_safe_halt",
					       "pv_native_safe_halt",
					       "default_idle",
					       "default_idle_call",
					       "intel_idle",
					       "intel_idle_irq",
					       "mwait_idle",
					       "mwait_idle_with_hints",
					       "acpi_idle_do_entry",
					       "acpi_safe_halt",
					       "poll_idle",
					       "arch_cpu_idle",
					       "cpu_do_idle",
					       "do_idle",
					       "cpuidle_enter_state",
					       "cpuidle_idle_call",
					       "cpu_startup_entry",
					       "xen_safe_halt",
					       "xen_hypercall_sched_op",
					       "xen_hypercall_vcpu_op",
					       "cpu_bringup_and_idle",
					       "psci_enter_idle_state" };

	for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
		check_routine(symbols[i], true);
}

static void test_compiler_suffix(void)
{
	check_routine("intel_idle.isra.0", true);
	check_routine("poll_idle.cold", true);
	check_routine("acpi_idle_do_entry.part.0", true);
}

/* Work that the idle task carries out, and names that only resemble. */
static void test_no_routine(void)
{
	static const char *const symbols[] = { "",
					       "[unknown]",
					       "idle",
					       "_idle",
					       "do_idle2",
					       "xdo_idle",
					       "intel_idle_",
					       "Intel_Idle",
					       "__do_softirq",
					       "handle_softirqs",
					       "asm_sysvec_apic_timer_interrupt",
					       "net_rx_action",
					       "_raw_spin_unlock_irqrestore",
					       "tick_nohz_idle_exit",
					       "nohz_run_idle_balance",
					       "g_idle_add",
					       "futex_wait",
					       ".isra.0" };

	for (size_t i = 0; i < G_N_ELEMENTS(symbols); i++)
		check_routine(symbols[i], false);
}

/* A table that is not sorted would lose rows to its binary search. */
static void test_every_row(void)
{
	g_autofree char *source = NULL;
	const char *path = g_test_get_filename(G_TEST_DIST, "..", "store", "idle.c", NULL);

	g_assert_true(g_file_get_contents(path, &source, NULL, NULL));
	g_auto(GStrv) parts = g_strsplit(strstr(source, "routines[] = {"), "\"", -1);
	int n = 0;
	/* Name and source, each within quotes, up to the end of the table. */
	for (char **part = parts; strstr(part[0], "};") == NULL; part += 4, n++) {
		check_routine(part[1], true);
		g_assert_cmpuint(strlen(part[3]), >, 10);
	}
	g_assert_cmpint(n, >, 50);
}

int main(int argc, char **argv)
{
	g_test_init(&argc, &argv, NULL);
	g_test_add_func("/idle/task", test_task);
	g_test_add_func("/idle/task/no", test_no_task);
	g_test_add_func("/idle/routine", test_routine);
	g_test_add_func("/idle/routine/suffix", test_compiler_suffix);
	g_test_add_func("/idle/routine/no", test_no_routine);
	g_test_add_func("/idle/routine/every-row", test_every_row);
	return g_test_run();
}
