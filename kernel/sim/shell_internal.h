/* The shell of a simulation: the part that both engines share.
 *
 * An engine's struct has an ori_shell as its first member, `shell`, and an ori_engine, whose
 * functions define an instant. The life of a simulation:
 *
 *     create    a shell without a scenario
 *     reset     ori_shell_reset; the engine forgets its run and begins another; ori_shell_begun
 *     step      ori_shell_step: one instant, all of it
 *     run_until, finish   ori_shell_run_until, ori_shell_finish: steps
 *     copy      ori_shell_copy, the engine's parts, ori_shell_copy_state
 *     destroy   ori_shell_free_state
 *
 * The shell is plain data: `to->shell = from->shell` copies all but the policy's state. */
#pragma once

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/try_internal.h"
#include "workload/jobs.h"

#include <math.h>

typedef enum ori_phase {
    ORI_EMPTY,   /* no scenario was set, or its beginning failed */
    ORI_BEGINS,  /* inside reset, where only the policy may act */
    ORI_RESTS,   /* between two instants: it may be stepped, copied and changed */
    ORI_MOVES,   /* inside an instant or a change, where only the policy may act */
    ORI_STOPPED, /* an error inside an instant stopped it: it cannot go on */
    ORI_FROZEN,  /* between two instants, and it is only copied */
} ori_phase;

/* The part of a policy that does not depend on the engine. */
typedef struct ori_policy_calls {
    const char *name; /* for messages */
    void *user;
    orr_status (*copy_state)(void *user, void *state, void **copy, orr_error *err);
    void (*free_state)(void *user, void *state);
} ori_policy_calls;

/* The name by which messages know a policy. */
#define ORI_POLICY_NAME(policy) ((policy)->name ? (policy)->name : "without a name")

/* The ori_policy_calls of a policy struct of either engine. */
#define ORI_POLICY_CALLS(policy)                                                                   \
    ((ori_policy_calls){ORI_POLICY_NAME(policy), (policy)->user, (policy)->copy_state,             \
                        (policy)->free_state})

typedef struct ori_shell {
    /* from the setup */
    uint64_t seed, set;
    bool record;
    const orr_cancel_flag *cancel;
    orr_trap trap;
    orr_allocator alloc;
    ori_policy_calls policy;

    /* the run */
    ori_phase phase;
    uint64_t scenario;
    double now;  /* s */
    orr_pcg rng; /* the policy's */

    /* the policy's state, where has_state; owned by this simulation */
    void *state;
    bool has_state;
} ori_shell;

/* The shell for a setup of either engine, before a scenario. */
#define ORI_SHELL_OF(setup)                                                                        \
    ((ori_shell){.seed = (setup)->seed,                                                            \
                 .set = (setup)->set,                                                              \
                 .record = (setup)->record,                                                        \
                 .cancel = (setup)->cancel,                                                        \
                 .trap = (setup)->trap,                                                            \
                 .alloc = orr_allocator_or_default((setup)->alloc),                                \
                 .policy = ORI_POLICY_CALLS((setup)->policy)})

/* --- phases ----------------------------------------------------------------------------------- */

/* Whether a scenario has begun. */
static inline bool ori_shell_is_begun(const ori_shell *shell)
{
    return shell->phase > ORI_BEGINS;
}

/* ORR_ERR_ARGUMENT when called from inside the policy; `what` as in "stepped". */
orr_status ori_shell_check_idle(const ori_shell *shell, const char *what, orr_error *err);

/* ORR_ERR_ARGUMENT or ORR_ERR_POLICY where a simulation cannot go on: inside its policy, without a
 * scenario, stopped. reset: the name of the function that begins a scenario. */
orr_status ori_shell_check_can_go_on(const ori_shell *shell, const char *reset, const char *what,
                                     orr_error *err);

/* Polls the cancel flag: ORR_ERR_CANCELLED, or ORR_OK. */
orr_status ori_shell_check_cancel(const ori_shell *shell, orr_error *err);

/* Whether a clock cannot tell seconds apart at this time; at INFINITY nothing happens. */
static inline bool ori_is_past_clock(double instant)
{
    return instant >= ORR_CLOCK_END && instant < INFINITY;
}

/* ORR_ERR_LIMIT for such a time. */
orr_status ori_shell_fail_clock(const ori_shell *shell, double instant, orr_error *err);

/* ori_shell_reset begins scenario `scenario`: it drops the last one, and sets the policy's
 * generator to the beginning of its stream. ori_shell_begun follows, with the status of the
 * engine's own reset, which it returns. */
void ori_shell_reset(ori_shell *shell, uint64_t scenario);
static inline orr_status ori_shell_begun(ori_shell *shell, orr_status status)
{
    shell->phase = status == ORR_OK ? ORI_RESTS : ORI_EMPTY;
    return status;
}

/* --- calls of the policy ---------------------------------------------------------------------- */

/* Around a call of a policy's function: clears err before; afterwards returns the status, with a
 * message that names the function if the policy gave none. */
void ori_policy_begin(orr_error *err);
orr_status ori_policy_end(const char *policy, const char *function, orr_status status,
                          orr_error *err);

/* --- the policy's state ----------------------------------------------------------------------- */

/* Refuses a policy that has some of the functions of a state, but not all. */
orr_status ori_policy_check_state(const ori_policy_calls *policy, bool makes, orr_error *err);

/* Called after make_state of an engine's policy struct, which fills shell->state, with its status,
 * which it returns. ori_policy_begin is called before make_state. */
orr_status ori_shell_state_made(ori_shell *shell, orr_status status, orr_error *err);

/* Gives the copy a state of its own; `to` has no state yet. */
orr_status ori_shell_copy_state(ori_shell *to, const ori_shell *from, orr_error *err);
void ori_shell_free_state(ori_shell *shell);

/* A copy without the policy's state. */
static inline ori_shell ori_shell_copy(const ori_shell *from)
{
    ori_shell copy = *from;
    copy.state = NULL;
    copy.has_state = false;
    return copy;
}

/* --- broken invariants ------------------------------------------------------------------------ */

/* Reports one to the trap handler and gives ORR_ERR_INTERNAL. */
orr_status ori_shell_broken(const ori_shell *shell, const char *invariant, const char *file,
                            int line, orr_error *err);

/* Ends the function with ORR_ERR_INTERNAL where the condition does not hold. */
#define ORI_CHECK(shell, condition, err)                                                           \
    do {                                                                                           \
        if (ORR_UNLIKELY(!(condition)))                                                            \
            return ori_shell_broken((shell), #condition, __FILE__, __LINE__, (err));               \
    } while (0)

/* Invariants that cost too much to be checked always: in the build for the sanitizers. There the
 * program ends where one is broken, for a handler may return. */
#ifdef ORI_CHECKS
#define ORI_ASSERT(shell, condition)                                                               \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            (void)ori_shell_broken((shell), #condition, __FILE__, __LINE__, NULL);                 \
            __builtin_trap();                                                                      \
        }                                                                                          \
    } while (0)
#define ORI_IN_CHECKS(call) (call)
#else
#define ORI_ASSERT(shell, condition) ((void)0)
#define ORI_IN_CHECKS(call) ((void)0) /* defined only in that build */
#endif

/* --- going on --------------------------------------------------------------------------------- */

/* The functions of an engine. One constant per engine, passed to the inline functions below, so
 * that the compiler inlines the calls. A function gets the shell, which is the simulation's first
 * member. */
typedef struct ori_engine {
    const char *reset; /* the name of the function that begins a scenario */
    bool (*is_over)(const ori_shell *shell);
    double (*next_event)(const ori_shell *shell); /* s; INFINITY: none */
    /* Processes all events at `instant`, and moves the clock there. */
    orr_status (*apply)(ori_shell *shell, double instant, orr_error *err);
    /* Lets time pass without events, up to a finite time after the clock. */
    void (*pass)(ori_shell *shell, double time);
    /* For finish: goes on to the next instant that needs a step; NULL: the engine has no
     * shortcut. */
    orr_status (*shortcut)(ori_shell *shell, orr_error *err);
} ori_engine;

/* Processes one instant; does nothing at the end of the run. An error stops the simulation. */
ORR_INLINE orr_status ori_shell_step(ori_shell *shell, const ori_engine *engine, orr_error *err)
{
    if (ORR_UNLIKELY(shell->phase != ORI_RESTS || orr_is_cancelled(shell->cancel))) {
        orr_status status = ori_shell_check_can_go_on(shell, engine->reset, "stepped", err);
        return status == ORR_OK ? ori_shell_check_cancel(shell, err) : status;
    }
    if (engine->is_over(shell))
        return ORR_OK;
    double instant = engine->next_event(shell);
    ORI_CHECK(shell, instant >= shell->now, err);
    shell->phase = ORI_MOVES;
    orr_status status = ORR_UNLIKELY(ori_is_past_clock(instant))
                            ? ori_shell_fail_clock(shell, instant, err)
                            : engine->apply(shell, instant, err);
    shell->phase = ORR_LIKELY(status == ORR_OK) ? ORI_RESTS : ORI_STOPPED;
    return status;
}

/* All instants <= time; the clock then stands there, or later where it was later already. */
ORR_INLINE orr_status ori_shell_run_until(ori_shell *shell, const ori_engine *engine, double time,
                                          orr_error *err)
{
    ORI_TRY(ori_shell_check_can_go_on(shell, engine->reset, "run", err));
    ORI_REFUSE(isnan(time), err, "cannot run until a time that is not a number (nan)");
    while (!engine->is_over(shell)) {
        double next = engine->next_event(shell);
        if (!(next <= time && next < INFINITY))
            break;
        ORI_TRY(ori_shell_step(shell, engine, err));
    }
    if (time > shell->now && time < INFINITY)
        engine->pass(shell, time);
    return ORR_OK;
}

/* Runs to the end. */
ORR_INLINE orr_status ori_shell_finish(ori_shell *shell, const ori_engine *engine, orr_error *err)
{
    ORI_TRY(ori_shell_check_can_go_on(shell, engine->reset, "finished", err));
    while (!engine->is_over(shell)) {
        if (engine->shortcut)
            ORI_TRY(engine->shortcut(shell, err));
        if (ORR_UNLIKELY(ori_is_past_clock(shell->now))) {
            shell->phase = ORI_STOPPED;
            return ori_shell_fail_clock(shell, shell->now, err);
        }
        ORI_TRY(ori_shell_step(shell, engine, err));
    }
    return ORR_OK;
}
