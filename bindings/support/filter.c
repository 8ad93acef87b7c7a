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
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

/* --- allowed calls ---------------------------------------------------------------------------- */

/* Names of calls that are allowed with any arguments. */
static const char always[] =
    /* open files, and looking up other files */
    "read readv pread64 preadv write writev pwrite64 lseek _llseek close close_range dup dup2 "
    "dup3 fstat fstat64 stat stat64 lstat lstat64 newfstatat fstatat64 statx statfs fstatfs "
    "access faccessat faccessat2 readlink readlinkat getdents getdents64 getcwd fadvise64 "
    "poll ppoll select pselect6 "
    /* memory */
    "brk mmap mmap2 munmap mremap mprotect madvise membarrier mincore "
    /* threads, and their waiting */
    "futex futex_time64 set_robust_list get_robust_list set_tid_address rseq sched_yield "
    "sched_getaffinity sched_getparam sched_getscheduler sched_get_priority_max "
    "sched_get_priority_min getcpu arch_prctl exit exit_group restart_syscall "
    /* its own signals, and the watchdog's timers */
    "rt_sigaction rt_sigprocmask rt_sigreturn sigreturn rt_sigpending rt_sigtimedwait "
    "sigaltstack timer_create timer_settime timer_gettime timer_getoverrun timer_delete alarm "
    /* time, and the process's identity and place */
    "clock_gettime clock_gettime64 clock_getres time gettimeofday clock_nanosleep nanosleep "
    "times getrusage getrlimit ugetrlimit getpid gettid getppid getpgrp getuid geteuid getgid "
    "getegid getgroups uname sysinfo getrandom";

/* Additional calls for drawing: waiting of GLib, and the start of drawing programs. */
static const char for_drawing[] =
    "epoll_create1 epoll_ctl epoll_wait epoll_pwait eventfd2 pipe2 execve";

/* Additional calls for work in a folder: files, which Landlock confines, processes, and more
 * filters, which only forbid more. */
static const char for_folder[] =
    "fork vfork wait4 rt_sigsuspend pause waitid pipe memfd_create umask chdir fchdir mkdir "
    "mkdirat rmdir unlink unlinkat rename renameat renameat2 link linkat symlink symlinkat "
    "ftruncate fallocate fsync fdatasync flock getpgid getsid seccomp landlock_create_ruleset "
    "landlock_add_rule landlock_restrict_self";

/* Signals, and groups to send them to, where Landlock confines them to processes of the same. */
static const char for_signals[] = "kill tgkill setpgid";

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
    /* the heartbeat of a claim; it could change the times of files elsewhere */
    {SCMP_SYS(utimensat), 0, ORR_FILTER_FOLDER},
};

enum {
    WRITES = O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND | (O_TMPFILE & ~O_DIRECTORY),
    NAMESPACES = 0x7e000080 /* all CLONE_NEW... */
};

/* Calls that depend on one argument: allowed where argument & mask == value. */
typedef struct condition {
    int call;
    unsigned argument;
    scmp_datum_t mask, value;
} condition;

static const condition sometimes[] = {
    {SCMP_SYS(open), 1, WRITES, O_RDONLY},
    {SCMP_SYS(openat), 2, WRITES, O_RDONLY},
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

static const condition for_folder_sometimes[] = {
    {SCMP_SYS(clone), 0, NAMESPACES, 0},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETFL},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_GETLK},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETLK},
    {SCMP_SYS(fcntl), 1, UINT32_MAX, F_SETLKW},
    {SCMP_SYS(prctl), 0, UINT32_MAX, PR_SET_PDEATHSIG},
    {SCMP_SYS(prctl), 0, UINT32_MAX, PR_SET_NO_NEW_PRIVS},
    {SCMP_SYS(prctl), 0, UINT32_MAX, PR_SET_SECCOMP},
    {SCMP_SYS(prlimit64), 0, UINT32_MAX, 0}, /* its own limits */
    {SCMP_SYS(kill), 1, UINT32_MAX, 0},      /* asks whether one is alive */
    /* reading is allowed to all; a file that is open for reading cannot be emptied (O_TRUNC) */
    {SCMP_SYS(open), 1, O_ACCMODE, O_WRONLY},
    {SCMP_SYS(open), 1, O_ACCMODE, O_RDWR},
    {SCMP_SYS(openat), 2, O_ACCMODE, O_WRONLY},
    {SCMP_SYS(openat), 2, O_ACCMODE, O_RDWR},
    /* pairs of streams, which reach nobody else */
    {SCMP_SYS(socketpair), 1, UINT32_MAX & ~(SOCK_CLOEXEC | SOCK_NONBLOCK), SOCK_STREAM},
    {SCMP_SYS(sendto), 4, UINT64_MAX, 0},
};

enum { ABI_TRUNCATE = 3, ABI_SIGNALS = 6 }; /* versions of Landlock */

/* --- the filter ------------------------------------------------------------------------------ */

/* Allows signals from this process to its own threads, as abort sends. */
static int allow_own_signals(scmp_filter_ctx filter)
{
    return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(tgkill), 1,
                            SCMP_A0(SCMP_CMP_EQ, (scmp_datum_t)getpid()));
}

/* names: of calls, with blanks between them */
static int allow_all(scmp_filter_ctx filter, const char *names)
{
    char name[64];
    int bad = 0, size = 0;
    for (; bad == 0 && sscanf(names, "%63s%n", name, &size) == 1; names += size) {
        int call = seccomp_syscall_resolve_name(name);
        bad = call == __NR_SCMP_ERROR ? -ENOSYS : seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
    }
    return bad;
}

static int allow_sometimes(scmp_filter_ctx filter, const condition *calls, size_t count)
{
    int bad = 0;
    for (size_t i = 0; bad == 0 && i < count; i++)
        bad = seccomp_rule_add(
            filter, SCMP_ACT_ALLOW, calls[i].call, 1,
            SCMP_CMP64(calls[i].argument, SCMP_CMP_MASKED_EQ, calls[i].mask, calls[i].value));
    return bad;
}

#define ALLOW_SOMETIMES(filter, calls)                                                             \
    allow_sometimes(filter, calls, sizeof(calls) / sizeof *(calls))

static int add_rules(scmp_filter_ctx filter, orr_filter_kind kind)
{
    int bad = allow_all(filter, always);
    for (size_t i = 0; bad == 0 && i < sizeof soft / sizeof *soft; i++) {
        if (kind >= soft[i].least)
            bad = seccomp_rule_add(filter, SCMP_ACT_ERRNO(soft[i].error), soft[i].call, 0);
    }
    bad = bad ? bad : ALLOW_SOMETIMES(filter, sometimes);
    if (bad == 0 && kind >= ORR_FILTER_DRAWING)
        bad = allow_all(filter, for_drawing);
    if (bad != 0 || kind != ORR_FILTER_FOLDER)
        return bad ? bad : allow_own_signals(filter);
    bad = allow_all(filter, for_folder);
    bad = bad ? bad : ALLOW_SOMETIMES(filter, for_folder_sometimes);
    return bad || orr_filter_landlock() < ABI_SIGNALS ? bad : allow_all(filter, for_signals);
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

/* What headers older than the kernel's do not have. */
typedef struct ruleset {
    uint64_t files, net, scoped;
} ruleset;

enum { EMPTYING = 1 << 14 /* ..._FS_TRUNCATE */, SIGNALS = 1 << 1 /* LANDLOCK_SCOPE_SIGNAL */ };

enum {
    READING = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR,
    RUNNING = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE,
    OF_FILES = RUNNING | LANDLOCK_ACCESS_FS_WRITE_FILE | EMPTYING,
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

static void allow_paths(int rules, const char *const *paths, uint64_t rights)
{
    for (; paths && *paths; paths++)
        allow_path(rules, *paths, rights);
}

static bool set_landlock(const orr_filter_paths *paths)
{
    int version = orr_filter_landlock();
    uint64_t emptying = version >= ABI_TRUNCATE ? EMPTYING : 0;
    uint64_t all = (ALL & ~(paths->reads ? 0 : READING)) | emptying;
    ruleset attributes = {.files = all, .scoped = version >= ABI_SIGNALS ? SIGNALS : 0};
    int rules = version == 0
                    ? -1
                    : (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (rules < 0)
        return false;
    allow_paths(rules, paths->reads, READING);
    allow_paths(rules, paths->runs, all & (READING | RUNNING));
    allow_paths(rules, paths->writes, all & ~(uint64_t)LANDLOCK_ACCESS_FS_EXECUTE);
    bool done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
                syscall(SYS_landlock_restrict_self, rules, 0) == 0;
    close(rules);
    return done;
}

/* Without Landlock the filter of system calls alone keeps a run from writing, but no other program
 * from reading, running and writing. */
orr_status orr_filter_set(orr_filter_kind kind, const orr_filter_paths *paths, orr_error *err)
{
    if (!set_landlock(paths) && kind != ORR_FILTER_RUN)
        return orr_fail(err, ORR_ERR_LIMIT, "this kernel cannot confine files (Landlock)");
    return set_filter(kind, err);
}
