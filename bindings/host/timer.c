/* Timers by signals: timer_create on the processor time of the calling thread. */
#include "bindings/host/timer.h"
#include "bindings/support/interrupted.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { SIGNAL_OFFSET = 3 }; /* SIGRTMIN + 3: unlikely to be used by other code */

/* The timers that run in this thread; the handler runs in the thread whose timer ticked. */
static _Thread_local orr_timer *volatile running;

/* The handler that the signal had before, for signals that come from elsewhere. */
static void (*_Atomic former_with_info)(int number, siginfo_t *info, void *context);
static void (*_Atomic former)(int number);

static bool is_ours(const siginfo_t *info)
{
    if (info->si_code != SI_TIMER)
        return false;
    for (const orr_timer *timer = running; timer; timer = timer->next) {
        if (timer == info->si_value.sival_ptr)
            return true;
    }
    return false; /* it has been stopped, or is somebody else's */
}

static void on_signal(int number, siginfo_t *info, void *context)
{
    if (is_ours(info)) {
        const orr_timer *timer = info->si_value.sival_ptr;
        timer->tick(timer->user);
        return;
    }
    void (*with_info)(int, siginfo_t *, void *) = former_with_info;
    void (*plain)(int) = former;
    if (with_info)
        with_info(number, info, context);
    else if (plain)
        plain(number);
}

/* Without a timer there is no limit: every system error here fails the run. */
static orr_status fail_to_arm(const char *what, int code, orr_error *err)
{
    char why[128];
    return orr_fail(err, ORR_ERR_LIMIT, "no %s to keep limits.seconds with: %s", what,
                    strerror_r(code, why, sizeof why));
}

static int set_handler(const struct sigaction *action, struct sigaction *before)
{
    return orr_set_handler(SIGRTMIN + SIGNAL_OFFSET, action, before);
}

/* The handler is of the whole process, which may be somebody else's: it is there from the first
 * timer on, for as long as somebody holds it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int holders;
static bool is_installed;
static struct sigaction before; /* what is put back */

static void note_former(const struct sigaction *action)
{
    bool has_info = action->sa_flags & SA_SIGINFO;
    bool is_function = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    former_with_info = has_info ? action->sa_sigaction : NULL;
    former = !has_info && is_function ? action->sa_handler : NULL;
    before = *action;
}

/* Other code may have set a handler since the last timer started. */
static int install_handler(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    struct sigaction found;
    pthread_mutex_lock(&lock);
    int failed = set_handler(&action, &found);
    if (failed == 0) {
        if (!(found.sa_flags & SA_SIGINFO) || found.sa_sigaction != on_signal)
            note_former(&found);
        is_installed = true;
    }
    pthread_mutex_unlock(&lock);
    return failed;
}

void orr_timer_hold(void)
{
    pthread_mutex_lock(&lock);
    holders++;
    pthread_mutex_unlock(&lock);
}

/* To ignore a signal discards those that are still to come, which would end the process. */
static void remove_handler(void)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, found;
    if (set_handler(NULL, &found) != 0 || !(found.sa_flags & SA_SIGINFO) ||
        found.sa_sigaction != on_signal)
        return; /* somebody has set another one */
    set_handler(&ignore, NULL);
    set_handler(&before, NULL);
}

void orr_timer_release(void)
{
    pthread_mutex_lock(&lock);
    if (--holders == 0 && is_installed) {
        remove_handler();
        is_installed = false;
    }
    pthread_mutex_unlock(&lock);
}

/* A thread that blocks the signal would never get the timer's ticks. The program that started this
 * one may have blocked it, because masks survive exec. */
static int let_signal_in(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGRTMIN + SIGNAL_OFFSET);
    return pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

orr_status orr_timer_start(orr_timer *timer, double period, void (*tick)(void *user), void *user,
                           orr_error *err)
{
    int blocked = let_signal_in();
    if (blocked != 0)
        return fail_to_arm("signal", blocked, err);
    if (install_handler() != 0)
        return fail_to_arm("signal", errno, err);
    *timer = (orr_timer){.tick = tick, .user = user};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGRTMIN + SIGNAL_OFFSET,
                             .sigev_value.sival_ptr = timer};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer->id) != 0)
        return fail_to_arm("timer", errno, err);
    timer->runs = true;
    timer->next = running;
    running = timer;
    struct timespec length = {.tv_sec = 0, .tv_nsec = (long)(period * 1e9)};
    struct itimerspec spec = {length, length};
    return timer_settime(timer->id, 0, &spec, NULL) == 0 ? ORR_OK
                                                         : fail_to_arm("timer", errno, err);
}

void orr_timer_stop(orr_timer *timer)
{
    if (!timer->runs)
        return;
    timer_delete(timer->id);
    timer->runs = false;
    orr_timer *volatile *at = &running;
    while (*at && *at != timer)
        at = (orr_timer *volatile *)&(*at)->next;
    if (*at) /* it is not of this thread otherwise */
        *at = timer->next;
}
