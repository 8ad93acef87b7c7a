/* The parts of a simulation's shell that need not be inline: checks of the phase, the calls of a
 * policy and its state, and the report of a broken invariant. */
#include "sim/shell_internal.h"

/* --- phases ----------------------------------------------------------------------------------- */

orr_status ori_shell_check_idle(const ori_shell *shell, const char *what, orr_error *err)
{
    ORI_REFUSE(shell->phase == ORI_FROZEN, err, "a frozen simulation cannot be %s: a copy can",
               what);
    ORI_REFUSE(shell->phase == ORI_BEGINS || shell->phase == ORI_MOVES, err,
               "policy %s: a simulation cannot be %s from inside its own policy",
               shell->policy.name, what);
    return ORR_OK;
}

orr_status ori_shell_check_can_go_on(const ori_shell *shell, const char *reset, const char *what,
                                     orr_error *err)
{
    if (ORR_LIKELY(shell->phase == ORI_RESTS))
        return ORR_OK;
    ORI_REFUSE(shell->phase == ORI_EMPTY, err, "the simulation has no scenario yet; %s begins one",
               reset);
    ORI_FAIL_IF(shell->phase == ORI_STOPPED, err, ORR_ERR_POLICY,
                "policy %s: the simulation was stopped by an error at time %.17g and "
                "cannot go on",
                shell->policy.name, shell->now);
    return ori_shell_check_idle(shell, what, err);
}

orr_status ori_shell_check_cancel(const ori_shell *shell, orr_error *err)
{
    return orr_is_cancelled(shell->cancel)
               ? orr_fail(err, ORR_ERR_CANCELLED, "interrupted at time %.17g", shell->now)
               : ORR_OK;
}

orr_status ori_shell_fail_clock(const ori_shell *shell, double instant, orr_error *err)
{
    return orr_fail(
        err, ORR_ERR_LIMIT,
        "policy %s: at time %.17g the clock cannot tell one second from the next: times "
        "must stay below %.0f s",
        shell->policy.name, instant, ORR_CLOCK_END);
}

void ori_shell_reset(ori_shell *shell, uint64_t scenario)
{
    ori_shell_free_state(shell);
    shell->phase = ORI_BEGINS;
    shell->scenario = scenario;
    shell->rng = orr_stream_open(
        orr_stream_key_make(shell->seed, shell->set, scenario, ORR_PURPOSE_POLICY), 0);
}

/* --- calls of the policy ---------------------------------------------------------------------- */

void ori_policy_begin(orr_error *err)
{
    if (!err)
        return;
    err->status = ORR_OK;
    err->message[0] = '\0';
    err->place.known = false;
}

orr_status ori_policy_end(const char *policy, const char *function, orr_status status,
                          orr_error *err)
{
    if (status == ORR_OK || !err)
        return status;
    if (err->message[0] == '\0')
        return orr_fail(err, status, "policy %s: %s failed without saying why", policy, function);
    err->status = status;
    return status;
}

/* --- the policy's state ----------------------------------------------------------------------- */

orr_status ori_policy_check_state(const ori_policy_calls *policy, bool makes, orr_error *err)
{
    bool copies = policy->copy_state, frees = policy->free_state;
    ORI_REFUSE(makes != copies || makes != frees, err,
               "policy %s: of make_state, copy_state and free_state all three are needed, or none",
               policy->name);
    return ORR_OK;
}

orr_status ori_shell_state_made(ori_shell *shell, orr_status status, orr_error *err)
{
    shell->has_state = status == ORR_OK;
    return ori_policy_end(shell->policy.name, "make_state", status, err);
}

orr_status ori_shell_copy_state(ori_shell *to, const ori_shell *from, orr_error *err)
{
    const ori_policy_calls *policy = &from->policy;
    if (!from->has_state || !policy->copy_state)
        return ORR_OK;
    ori_policy_begin(err);
    orr_status status = policy->copy_state(policy->user, from->state, &to->state, err);
    to->has_state = status == ORR_OK;
    return ori_policy_end(policy->name, "copy_state", status, err);
}

void ori_shell_free_state(ori_shell *shell)
{
    if (shell->has_state && shell->policy.free_state)
        shell->policy.free_state(shell->policy.user, shell->state);
    shell->has_state = false;
    shell->state = NULL;
}

/* --- broken invariants ------------------------------------------------------------------------ */

orr_status ori_shell_broken(const ori_shell *shell, const char *invariant, const char *file,
                            int line, orr_error *err)
{
    orr_trap_report report = {invariant, file, line, shell->seed, (int64_t)shell->scenario,
                              shell->now};
    if (!shell->trap.handler)
        __builtin_trap();
    shell->trap.handler(shell->trap.user, &report);
    return orr_fail(err, ORR_ERR_INTERNAL,
                    "%s:%d: broken invariant: %s (time %.17g, scenario %lld)", report.file,
                    report.line, report.invariant, report.now, (long long)report.scenario);
}
