/* SPDX-License-Identifier: MIT */
/*
 * The table of idle routines: kernel functions in which a CPU without work spends its time. Sorted
 * for a binary search. Sources: kernel/sched/idle.c, arch/x86/kernel/process.c,
 * drivers/idle/intel_idle.c, drivers/acpi/processor_idle.c, drivers/cpuidle/, arch/arm64/kernel/,
 * arch/x86/xen/, arch/x86/hyperv/ of Linux 3.2 to 6.18, and the names in the recordings of
 * FlameScope and FlameGraph.
 */

#include "store/idle.h"

#include <stdlib.h>

static const char *const routines[] = {
	"__cpu_do_idle",
	"__cpuidle_text_start",
	"__sched_text_end",
	"acpi_idle_do_entry",
	"acpi_idle_enter",
	"acpi_idle_enter_bm",
	"acpi_idle_enter_c1",
	"acpi_idle_enter_simple",
	"acpi_processor_ffh_cstate_enter",
	"acpi_safe_halt",
	"amd_e400_idle",
	"arch_cpu_idle",
	"arch_cpu_idle_enter",
	"arch_cpu_idle_exit",
	"c1e_idle",
	"call_cpuidle",
	"cpu_bringup_and_idle",
	"cpu_do_idle",
	"cpu_idle",
	"cpu_idle_loop",
	"cpu_idle_poll",
	"cpu_startup_entry",
	"cpuidle_enter",
	"cpuidle_enter_state",
	"cpuidle_idle_call",
	"cpuidle_wrap_enter",
	"default_enter_idle",
	"default_idle",
	"default_idle_call",
	"do_idle",
	"hv_do_idle",
	"intel_idle",
	"intel_idle_ibrs",
	"intel_idle_irq",
	"intel_idle_xstate",
	"io_idle",
	"kvm_idle_poll",
	"mwait_idle",
	"mwait_idle_with_hints",
	"native_halt",
	"native_safe_halt",
	"poll_idle",
	"psci_cpu_suspend_enter",
	"psci_enter_idle_state",
	"pv_native_safe_halt",
	"tdx_safe_halt",
	"x86_idle",
	"xen_hypercall_sched_op",
	"xen_hypercall_vcpu_op",
	"xen_idle",
	"xen_safe_halt",
};

bool idle_is_task(const StoreThread *thread)
{
	return thread->tid == 0 && (thread->pid == 0 || thread->pid == ID_NONE) &&
	       (text_starts(thread->comm, "swapper") || text_starts(thread->comm, "idle"));
}

static int compare(const void *key, const void *row)
{
	return text_compare(*(const Text *)key, text_from(*(const char *const *)row));
}

/* The function without what the compiler appends to its name: `.isra.0`, `.cold`. */
static Text without_suffix(Text symbol)
{
	const char *dot = memchr(symbol.data, '.', symbol.len);

	return dot != NULL ? (Text){ symbol.data, (size_t)(dot - symbol.data) } : symbol;
}

bool idle_is_routine(Text symbol)
{
	Text name = symbol.len > 0 ? without_suffix(symbol) : symbol;

	return name.len > 0 && bsearch(&name, routines, G_N_ELEMENTS(routines), sizeof(routines[0]),
				       compare) != NULL;
}
