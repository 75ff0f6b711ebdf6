/* SPDX-License-Identifier: MIT */
/*
 * The table of idle routines: kernel functions in which a CPU without work spends its time, each
 * with its source in Linux 2.6.32 to 6.18. Sorted for a binary search.
 */

#include "store/idle.h"

#include <stdlib.h>

typedef struct {
	const char *name;
	const char *source;
} IdleRoutine;

static const IdleRoutine routines[] = {
	{ "__cpu_do_idle", "arch/arm64/kernel/process.c (to 5.12)" },
	{ "__cpu_do_idle_irqprio", "arch/arm64/kernel/process.c (to 5.12)" },
	{ "__cpuidle_text_start",
	  "include/asm-generic/vmlinux.lds.h: the first code of .cpuidle.text" },
	{ "__psci_enter_domain_idle_state", "drivers/cpuidle/cpuidle-psci.c" },
	{ "__sched_text_end",
	  "include/asm-generic/vmlinux.lds.h: what follows was native_safe_halt (4.x)" },
	{ "acpi_idle_do_entry", "drivers/acpi/processor_idle.c" },
	{ "acpi_idle_enter", "drivers/acpi/processor_idle.c" },
	{ "acpi_idle_enter_bm", "drivers/acpi/processor_idle.c" },
	{ "acpi_idle_enter_c1", "drivers/acpi/processor_idle.c (to 3.x)" },
	{ "acpi_idle_enter_simple", "drivers/acpi/processor_idle.c (to 3.x)" },
	{ "acpi_idle_lpi_enter", "drivers/acpi/processor_idle.c: arm64 servers" },
	{ "acpi_processor_ffh_cstate_enter", "arch/x86/kernel/acpi/cstate.c" },
	{ "acpi_processor_ffh_lpi_enter", "drivers/acpi/arm64/cpuidle.c" },
	{ "acpi_safe_halt", "drivers/acpi/processor_idle.c" },
	{ "amd_e400_idle", "arch/x86/kernel/process.c" },
	{ "arch_cpu_idle", "arch/x86/kernel/process.c, arch/arm64/kernel/idle.c" },
	{ "arch_cpu_idle_enter", "arch/x86/kernel/process.c" },
	{ "arch_cpu_idle_exit", "kernel/sched/idle.c" },
	{ "arm_cpuidle_suspend", "arch/arm64/kernel/cpuidle.c" },
	{ "arm_enter_idle_state", "drivers/cpuidle/cpuidle-arm.c" },
	{ "c1e_idle", "arch/x86/kernel/process.c (to 3.x)" },
	{ "call_cpuidle", "kernel/sched/idle.c" },
	{ "cpu_bringup_and_idle", "arch/x86/xen/smp_pv.c: Xen guests" },
	{ "cpu_do_idle", "arch/arm64/kernel/idle.c, before 5.13 arch/arm64/mm/proc.S" },
	{ "cpu_idle", "arch/x86/kernel/process_64.c (to 3.9)" },
	{ "cpu_idle_loop", "kernel/sched/idle.c (3.10 to 4.11)" },
	{ "cpu_idle_poll", "kernel/sched/idle.c" },
	{ "cpu_startup_entry", "kernel/sched/idle.c" },
	{ "cpuidle_enter", "drivers/cpuidle/cpuidle.c" },
	{ "cpuidle_enter_state", "drivers/cpuidle/cpuidle.c" },
	{ "cpuidle_idle_call", "kernel/sched/idle.c" },
	{ "cpuidle_wrap_enter", "drivers/cpuidle/cpuidle.c (3.x)" },
	{ "default_enter_idle", "drivers/cpuidle/cpuidle-haltpoll.c: KVM guests" },
	{ "default_idle", "arch/x86/kernel/process.c: also guests of KVM and Hyper-V" },
	{ "default_idle_call", "kernel/sched/idle.c" },
	{ "do_idle", "kernel/sched/idle.c" },
	{ "intel_idle", "drivers/idle/intel_idle.c" },
	{ "intel_idle_hlt", "drivers/idle/intel_idle.c: guests" },
	{ "intel_idle_hlt_irq", "drivers/idle/intel_idle.c: guests" },
	{ "intel_idle_ibrs", "drivers/idle/intel_idle.c" },
	{ "intel_idle_irq", "drivers/idle/intel_idle.c" },
	{ "intel_idle_s2idle", "drivers/idle/intel_idle.c" },
	{ "intel_idle_xstate", "drivers/idle/intel_idle.c" },
	{ "io_idle", "drivers/acpi/processor_idle.c" },
	{ "mshv_vtl_idle", "drivers/hv/mshv_vtl_main.c: Hyper-V" },
	{ "mwait_idle", "arch/x86/kernel/process.c" },
	{ "mwait_idle_with_hints", "arch/x86/include/asm/mwait.h" },
	{ "native_halt", "arch/x86/include/asm/irqflags.h" },
	{ "native_safe_halt", "arch/x86/include/asm/irqflags.h: also guests of KVM and Hyper-V" },
	{ "poll_idle", "drivers/cpuidle/poll_state.c" },
	{ "psci_cpu_suspend_enter", "drivers/firmware/psci/psci.c" },
	{ "psci_enter_domain_idle_state", "drivers/cpuidle/cpuidle-psci.c" },
	{ "psci_enter_idle_state", "drivers/cpuidle/cpuidle-psci.c" },
	{ "pv_native_safe_halt", "arch/x86/kernel/paravirt.c: guests of KVM and Hyper-V" },
	{ "tdx_safe_halt", "arch/x86/coco/tdx/tdx.c: TDX guests" },
	{ "xen_hypercall_sched_op", "arch/x86/xen/xen-head.S: Xen guests, SCHEDOP_block" },
	{ "xen_hypercall_vcpu_op", "arch/x86/xen/xen-head.S: Xen guests (FlameScope's list)" },
	{ "xen_idle", "arch/x86/kernel/process-xen.c (2.6)" },
	{ "xen_safe_halt", "arch/x86/xen/irq.c: Xen guests" },
};

bool idle_is_task(const StoreThread *thread)
{
	return thread->tid == 0 && (thread->pid == 0 || thread->pid == ID_NONE) &&
	       (text_starts(thread->comm, "swapper") || text_starts(thread->comm, "idle"));
}

static int compare(const void *key, const void *row)
{
	return text_compare(*(const Text *)key, text_from(((const IdleRoutine *)row)->name));
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
