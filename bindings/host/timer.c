/* Timers by signals: timer_create on the processor time of the calling thread. */
#include "bindings/host/timer.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef __SANITIZE_THREAD__
#include <dlfcn.h>
#endif

enum { SIGNAL_OFFSET = 3 }; /* SIGRTMIN + 3: unlikely to be used by other code */

static void on_signal(int number, siginfo_t *info, void *context)
{
    (void)number, (void)context;
    const orr_timer *timer = info->si_value.sival_ptr;
    timer->tick(timer->user);
}

/* Without a timer there is no limit: every system error here fails the run. */
static orr_status fail_to_arm(const char *what, int code, orr_error *err)
{
    char why[128];
    return orr_fail(err, ORR_ERR_LIMIT, "no %s to keep limits.seconds with: %s", what,
                    strerror_r(code, why, sizeof why));
}

/* The runtime of the thread sanitizer keeps a signal back until the thread calls something that it
 * knows, which an endless loop in Lua never does: there the C library's own function installs the
 * handler. */
static int install_handler(const struct sigaction *action)
{
#ifdef __SANITIZE_THREAD__
    void *libc = dlopen("libc.so.6", RTLD_LAZY);
    int (*install)(int, const struct sigaction *, struct sigaction *) = NULL;
    *(void **)&install = dlsym(libc, "sigaction");
    return install(SIGRTMIN + SIGNAL_OFFSET, action, NULL);
#else
    return sigaction(SIGRTMIN + SIGNAL_OFFSET, action, NULL);
#endif
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
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_RESTART | SA_SIGINFO};
    int blocked = let_signal_in();
    if (blocked != 0)
        return fail_to_arm("signal", blocked, err);
    if (install_handler(&action) != 0)
        return fail_to_arm("signal", errno, err);
    *timer = (orr_timer){.tick = tick, .user = user};
    struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
                             .sigev_signo = SIGRTMIN + SIGNAL_OFFSET,
                             .sigev_value.sival_ptr = timer};
    event._sigev_un._tid = (pid_t)syscall(SYS_gettid);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer->id) != 0)
        return fail_to_arm("timer", errno, err);
    timer->runs = true;
    struct timespec length = {.tv_sec = 0, .tv_nsec = (long)(period * 1e9)};
    struct itimerspec spec = {length, length};
    return timer_settime(timer->id, 0, &spec, NULL) == 0 ? ORR_OK
                                                         : fail_to_arm("timer", errno, err);
}

void orr_timer_stop(orr_timer *timer)
{
    if (timer->runs)
        timer_delete(timer->id);
    timer->runs = false;
}
