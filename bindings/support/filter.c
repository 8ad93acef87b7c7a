/* The filter of system calls, and Landlock; see filter.h. */
#include "bindings/support/filter.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

/* --- allowed calls ---------------------------------------------------------------------------- */

/* Allowed with any arguments. */
static const int always[] = {
    /* open files, and looking up other files */
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(pwrite64),
    SCMP_SYS(lseek),
    SCMP_SYS(_llseek),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(fstat),
    SCMP_SYS(fstat64),
    SCMP_SYS(stat),
    SCMP_SYS(stat64),
    SCMP_SYS(lstat),
    SCMP_SYS(lstat64),
    SCMP_SYS(newfstatat),
    SCMP_SYS(fstatat64),
    SCMP_SYS(statx),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getdents),
    SCMP_SYS(getdents64),
    SCMP_SYS(getcwd),
    SCMP_SYS(fadvise64),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(select),
    SCMP_SYS(pselect6),
    /* memory */
    SCMP_SYS(brk),
    SCMP_SYS(mmap),
    SCMP_SYS(mmap2),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(mprotect),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(mincore),
    /* threads, and their waiting */
    SCMP_SYS(futex),
    SCMP_SYS(futex_time64),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(get_robust_list),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(rseq),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(sched_getparam),
    SCMP_SYS(sched_getscheduler),
    SCMP_SYS(sched_get_priority_max),
    SCMP_SYS(sched_get_priority_min),
    SCMP_SYS(getcpu),
    SCMP_SYS(arch_prctl),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(restart_syscall),
    /* its own signals, and the watchdog's timers */
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(sigreturn),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(timer_create),
    SCMP_SYS(timer_settime),
    SCMP_SYS(timer_gettime),
    SCMP_SYS(timer_getoverrun),
    SCMP_SYS(timer_delete),
    SCMP_SYS(alarm),
    /* time, and the process's identity and place */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_gettime64),
    SCMP_SYS(clock_getres),
    SCMP_SYS(time),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(nanosleep),
    SCMP_SYS(times),
    SCMP_SYS(getrusage),
    SCMP_SYS(getrlimit),
    SCMP_SYS(ugetrlimit),
    SCMP_SYS(getpid),
    SCMP_SYS(gettid),
    SCMP_SYS(getppid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getgroups),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
    SCMP_SYS(getrandom),
};

/* Additional calls for drawing: waiting of GLib, and the start of drawing programs. */
static const int for_drawing[] = {
    SCMP_SYS(epoll_create1), SCMP_SYS(epoll_ctl), SCMP_SYS(epoll_wait), SCMP_SYS(epoll_pwait),
    SCMP_SYS(eventfd2),      SCMP_SYS(pipe2),     SCMP_SYS(execve),
};

/* Calls that are answered without being executed. */
static const struct {
    int call, error;
    orr_filter_kind least; /* RUN: for both kinds */
} soft[] = {
    /* its flags are in memory: the C library falls back to clone, whose flags can be checked */
    {SCMP_SYS(clone3), ENOSYS, ORR_FILTER_RUN},
    /* gnuplot drops rights that it does not have */
    {SCMP_SYS(setuid), 0, ORR_FILTER_DRAWING},
    {SCMP_SYS(setgid), 0, ORR_FILTER_DRAWING},
    {SCMP_SYS(setresuid), 0, ORR_FILTER_DRAWING},
    {SCMP_SYS(setresgid), 0, ORR_FILTER_DRAWING},
};

/* Calls that depend on one argument: allowed where argument & mask == value. */
static const struct {
    int call;
    unsigned argument;
    scmp_datum_t mask, value;
} sometimes[] = {
    {SCMP_SYS(ioctl), 1, UINT32_MAX, TCGETS},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, TIOCGWINSZ},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, FIONREAD},
    {SCMP_SYS(ioctl), 1, UINT32_MAX, FIOCLEX},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETFD},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETFD},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETFL},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_DUPFD},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_DUPFD_CLOEXEC},
    {SCMP_SYS(prctl), 0, UINT32_MAX, PR_SET_NAME},
    {SCMP_SYS(prctl), 0, UINT32_MAX, PR_GET_NAME},
    {SCMP_SYS(prlimit64), 2, UINT64_MAX, 0}, /* reads a limit, and sets none */
    {SCMP_SYS(clone), 0, CLONE_THREAD | CLONE_VM | CLONE_SIGHAND,
     CLONE_THREAD | CLONE_VM | CLONE_SIGHAND},
};

enum { WRITES = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY) };

/* --- the filter ------------------------------------------------------------------------------ */

/* Allows signals from this process to its own threads, as abort sends. */
static int allow_own_signals(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

static int allow_reading(scmp_filter_ctx filter)
{
    int bad = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(open), 1,
                               SCMP_A1(SCMP_CMP_MASKED_EQ, WRITES, O_RDONLY));
    return bad ? bad
               : seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(openat), 1,
                                  SCMP_A2(SCMP_CMP_MASKED_EQ, WRITES, O_RDONLY));
}

static int add_rules(scmp_filter_ctx filter, orr_filter_kind kind)
{
    int bad = 0;
    for (size_t i = 0; bad == 0 && i < sizeof always / sizeof *always; i++)
        bad = seccomp_rule_add(filter, SCMP_ACT_ALLOW, always[i], 0);
    for (size_t i = 0; bad == 0 && i < sizeof soft / sizeof *soft; i++) {
        if (kind >= soft[i].least)
            bad = seccomp_rule_add(filter, SCMP_ACT_ERRNO(soft[i].error), soft[i].call, 0);
    }
    for (size_t i = 0; bad == 0 && i < sizeof sometimes / sizeof *sometimes; i++)
        bad = seccomp_rule_add(filter, SCMP_ACT_ALLOW, sometimes[i].call, 1,
                               SCMP_CMP64(sometimes[i].argument, SCMP_CMP_MASKED_EQ,
                                          sometimes[i].mask, sometimes[i].value));
    if (bad == 0)
        bad = allow_own_signals(filter);
    if (bad == 0)
        bad = allow_reading(filter);
    size_t more = kind == ORR_FILTER_DRAWING ? sizeof for_drawing / sizeof *for_drawing : 0;
    for (size_t i = 0; bad == 0 && i < more; i++)
        bad = seccomp_rule_add(filter, SCMP_ACT_ALLOW, for_drawing[i], 0);
    return bad;
}

/* Names the forbidden call: the kernel has not executed it, even if this message is lost. */
static void on_forbidden(int signal_number, siginfo_t *info, void *context)
{
    (void)signal_number, (void)context;
    char text[128];
    char *name = seccomp_syscall_resolve_num_arch(seccomp_arch_native(), info->si_syscall);
    int size = snprintf(text, sizeof text,
                        "orrery: the system call %s is not allowed in an untrusted run\n",
                        name ? name : "(unknown)");
    if (write(STDERR_FILENO, text, (size_t)size) < 0) {
        /* nobody reads it */
    }
    _exit(ORR_FORBIDDEN);
}

static orr_status fail(const char *what, int code, orr_error *err)
{
    char why[128];
    return orr_fail(err, ORR_ERR_LIMIT, "%s: %s", what, strerror_r(code, why, sizeof why));
}

static orr_status set_filter(orr_filter_kind kind, orr_error *err)
{
    struct sigaction action = {.sa_sigaction = on_forbidden, .sa_flags = SA_SIGINFO};
    if (kind == ORR_FILTER_RUN && sigaction(SIGSYS, &action, NULL) != 0)
        return fail("SIGSYS", errno, err);
    scmp_filter_ctx filter =
        seccomp_init(kind == ORR_FILTER_RUN ? SCMP_ACT_TRAP : SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return orr_fail_memory(err, 0);
    int bad = add_rules(filter, kind);
    seccomp_attr_set(filter, SCMP_FLTATR_API_SYSRAWRC, 1); /* the kernel's own errors */
    if (bad == 0)
        bad = seccomp_load(filter); /* which also sets no_new_privs */
    seccomp_release(filter);
    return bad == 0 ? ORR_OK : fail("no filter of system calls can be set (seccomp)", -bad, err);
}

/* --- Landlock -------------------------------------------------------------------------------- */

int orr_filter_landlock(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    return version > 0 ? (int)version : 0;
}

enum {
    READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    RUNNING = LANDLOCK_ACCESS_FS_EXECUTE,
    OF_FILES = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_EXECUTE,
    /* to LANDLOCK_ACCESS_FS_MAKE_SYM: what all versions know */
    ALL = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1
};

static void allow_path(int rules, const char *path, uint64_t rights)
{
    struct landlock_path_beneath_attr rule = {.allowed_access = rights};
    struct stat info;
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return;
    if (fstat(rule.parent_fd, &info) == 0 && !S_ISDIR(info.st_mode))
        rule.allowed_access &= OF_FILES;
    syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

/* A missing Landlock is no error: the filter of system calls works without it. */
static void set_landlock(orr_filter_kind kind, const char *const *paths)
{
    uint64_t reads = paths ? 0 : READING;
    struct landlock_ruleset_attr attributes = {.handled_access_fs = ALL & ~reads};
    if (orr_filter_landlock() == 0)
        return;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &attributes,
                             sizeof(attributes.handled_access_fs), 0);
    if (rules < 0)
        return;
    for (; paths && *paths; paths++)
        allow_path(rules, *paths, kind == ORR_FILTER_RUN ? READING : READING | RUNNING);
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
        syscall(SYS_landlock_restrict_self, rules, 0);
    close(rules);
}

orr_status orr_filter_set(orr_filter_kind kind, const char *const *paths, orr_error *err)
{
    set_landlock(kind, paths);
    return set_filter(kind, err);
}
