/* Runs a command whose calls of the operating system fail, in all of its processes:
 *
 *   faulty REPORT CALL N HOW PREFIX[,PREFIX...] COMMAND [ARGUMENT...]
 *
 * CALL is one of the names in `calls` below. The N-th such call that is about a file whose path
 * begins with one of the PREFIXes fails (fork: any); with N+ all from then on do. HOW is the number
 * of an errno, or `short`: a write takes half of what it was given. REPORT gets a line for each
 * failed call: its name, its number, its path.
 *
 * The kernel asks this process about every such call (seccomp's user notification), for the C
 * library's own writes are out of reach of LD_PRELOAD, and children are to fail, too. Exit status:
 * the command's, 125 where the kernel does not do this. */
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROOM = 4096, FAILED = 125 };

typedef enum subject { BY_FILE, BY_PATH, BY_PATH_AT, BY_NOTHING } subject;

/* Which system calls are which CALL, and where they say what they are about. */
static const struct {
    const char *name;
    int number;
    subject by;
    int path; /* which argument is the path or the file; of a file beside which one is created, its
                 new name */
} calls[] = {
    {"open", SYS_openat, BY_PATH_AT, 1},
    {"read", SYS_read, BY_FILE, 0},
    {"read", SYS_pread64, BY_FILE, 0},
    {"read", SYS_readv, BY_FILE, 0},
    {"list", SYS_getdents64, BY_FILE, 0},
    {"write", SYS_write, BY_FILE, 0},
    {"write", SYS_pwrite64, BY_FILE, 0},
    {"write", SYS_writev, BY_FILE, 0},
    {"fsync", SYS_fsync, BY_FILE, 0},
    {"fsync", SYS_fdatasync, BY_FILE, 0},
    {"close", SYS_close, BY_FILE, 0},
    {"lock", SYS_fcntl, BY_FILE, 0},
    {"rename", SYS_renameat2, BY_PATH_AT, 3},
    {"rename", SYS_renameat, BY_PATH_AT, 3},
    {"mkdir", SYS_mkdirat, BY_PATH_AT, 1},
    {"fork", SYS_clone, BY_NOTHING, 0},
    {"fork", SYS_clone3, BY_NOTHING, 0},
    {"memory", SYS_memfd_create, BY_NOTHING, 0},
    {"map", SYS_mmap, BY_FILE, 4},
    {"protect", SYS_mprotect, BY_NOTHING, 0},
#ifdef SYS_open /* x86 has the older calls, too */
    {"open", SYS_open, BY_PATH, 0},
    {"open", SYS_creat, BY_PATH, 0},
    {"rename", SYS_rename, BY_PATH, 1},
    {"mkdir", SYS_mkdir, BY_PATH, 0},
    {"fork", SYS_fork, BY_NOTHING, 0},
    {"fork", SYS_vfork, BY_NOTHING, 0},
#endif
};
enum { CALLS = sizeof calls / sizeof calls[0] };

typedef struct plan {
    const char *call, *prefixes;
    FILE *report;
    long nth, seen;
    bool from_then_on, is_short;
    int why;
} plan;

static _Noreturn void give_up(const char *what)
{
    perror(what);
    exit(FAILED);
}

/* --- the command ---------------------------------------------------------------------------- */

/* A filter that asks about the calls of that name; the listener, on which it asks. */
static int install(const char *call)
{
    struct sock_filter code[2 * CALLS + 2];
    unsigned short size = 0;
    code[size++] =
        (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    for (int i = 0; i < CALLS; i++)
        if (strcmp(calls[i].name, call) == 0) {
            code[size++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K,
                                                        (uint32_t)calls[i].number, 0, 1);
            code[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF);
        }
    code[size++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
    struct sock_fprog program = {.len = size, .filter = code};
    if (size == 2) {
        fprintf(stderr, "faulty: no call %s\n", call);
        exit(FAILED);
    }
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        give_up("faulty: prctl");
    int listener = (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
                                SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener < 0)
        give_up("faulty: seccomp");
    return listener;
}

/* The child shares its table of files with us until it runs the command: so we have its listener.
 * It waits for us to be there before it does anything that we are asked about. */
typedef struct start {
    const char *call;
    char **command;
    int listener; /* -1: not yet */
} start;

static int run(void *of)
{
    start *s = of;
    int listener = install(s->call);
    __atomic_store_n(&s->listener, listener, __ATOMIC_RELEASE);
    fcntl(listener, F_SETFD, FD_CLOEXEC); /* the command has files of its own from here on */
    execvp(s->command[0], s->command);
    perror("faulty: exec");
    _exit(FAILED);
}

/* --- what calls are about ------------------------------------------------------------------- */

static void link_text(pid_t pid, const char *name, char text[ROOM])
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", (int)pid, name);
    ssize_t size = readlink(path, text, ROOM - 1);
    text[size > 0 ? size : 0] = '\0';
}

static void file_path(pid_t pid, int file, char text[ROOM])
{
    char name[32];
    snprintf(name, sizeof name, file == AT_FDCWD ? "cwd" : "fd/%d", file);
    link_text(pid, name, text);
}

/* Reads up to the end of a page at a time: what follows may not be there. */
static void copy_text(pid_t pid, uint64_t from, char text[ROOM])
{
    size_t have = 0;
    while (have + 1 < ROOM) {
        size_t size = 4096 - (from + have) % 4096;
        if (size > ROOM - 1 - have)
            size = ROOM - 1 - have;
        struct iovec here = {text + have, size}, there = {(void *)(uintptr_t)(from + have), size};
        if (process_vm_readv(pid, &here, 1, &there, 1, 0) <= 0)
            break;
        if (memchr(text + have, '\0', size))
            return;
        have += size;
    }
    text[have] = '\0';
}

static void path_of(const struct seccomp_notif *asked, int call, char text[ROOM])
{
    pid_t pid = (pid_t)asked->pid;
    const __u64 *args = asked->data.args;
    text[0] = '\0';
    if (calls[call].by == BY_NOTHING)
        return;
    if (calls[call].by == BY_FILE) {
        file_path(pid, (int)args[calls[call].path], text);
        return;
    }
    char name[ROOM], folder[ROOM];
    copy_text(pid, args[calls[call].path], name);
    int at = calls[call].by == BY_PATH ? AT_FDCWD : (int)args[calls[call].path - 1];
    file_path(pid, at, folder);
    while (strncmp(name, "./", 2) == 0)
        memmove(name, name + 2, strlen(name + 2) + 1);
    if (name[0] == '/')
        snprintf(text, ROOM, "%s", name);
    else
        snprintf(text, ROOM, "%.2000s/%.2000s", folder, name);
}

static bool is_meant(const plan *p, const struct seccomp_notif *asked, int call, const char *path)
{
    if (calls[call].number == SYS_fcntl && asked->data.args[1] != F_SETLK &&
        asked->data.args[1] != F_SETLKW)
        return false;
    if (calls[call].by == BY_NOTHING)
        return true;
    for (const char *at = p->prefixes; *at; at += *at == ',') {
        size_t size = strcspn(at, ",");
        if (strncmp(path, at, size) == 0)
            return true;
        at += size;
    }
    return false;
}

/* --- what comes of them --------------------------------------------------------------------- */

/* Writes half of what the call has; the count, or less than 0. */
static long write_half(const struct seccomp_notif *asked)
{
    pid_t pid = (pid_t)asked->pid;
    size_t size = asked->data.args[2] / 2;
    int process = (int)syscall(SYS_pidfd_open, pid, 0);
    int file = (int)syscall(SYS_pidfd_getfd, process, (int)asked->data.args[0], 0);
    char *text = malloc(size + 1);
    struct iovec here = {text, size}, there = {(void *)(uintptr_t)asked->data.args[1], size};
    long written = -1;
    if (file >= 0 && text && process_vm_readv(pid, &here, 1, &there, 1, 0) == (ssize_t)size)
        written = write(file, text, size);
    free(text);
    if (file >= 0)
        close(file);
    if (process >= 0)
        close(process);
    return written;
}

static void decide(plan *p, const struct seccomp_notif *asked, struct seccomp_notif_resp *answer)
{
    int call = 0;
    while (call < CALLS && calls[call].number != asked->data.nr)
        call++;
    char path[ROOM];
    answer->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
    if (call == CALLS)
        return;
    path_of(asked, call, path);
    if (!is_meant(p, asked, call, path))
        return;
    p->seen++;
    if (p->seen < p->nth || (p->seen > p->nth && !p->from_then_on))
        return;
    long half = 0;
    if (p->is_short &&
        (asked->data.nr != SYS_write || asked->data.args[2] < 2 || (half = write_half(asked)) < 0))
        return;
    fprintf(p->report, "%s %ld %s\n", calls[call].name, p->seen, path);
    fflush(p->report);
    answer->flags = 0;
    answer->val = half;
    answer->error = p->is_short ? 0 : -p->why;
}

static void answer_all(plan *p, int listener)
{
    for (;;) {
        struct pollfd files = {.fd = listener, .events = POLLIN};
        if (poll(&files, 1, -1) < 0 && errno != EINTR)
            give_up("faulty: poll");
        if (files.revents & POLLIN) {
            struct seccomp_notif asked = {0};
            struct seccomp_notif_resp answer = {0};
            if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0)
                continue; /* it was killed meanwhile */
            answer.id = asked.id;
            decide(p, &asked, &answer);
            ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
        } else if (files.revents) {
            return; /* none of its processes is left */
        }
    }
}

int main(int argc, char **argv)
{
    if (argc < 7) {
        fprintf(stderr, "usage: faulty REPORT CALL N[+] HOW PREFIX[,PREFIX...] COMMAND...\n");
        return FAILED;
    }
    plan p = {.call = argv[2],
              .prefixes = argv[5],
              .report = fopen(argv[1], "we"),
              .is_short = strcmp(argv[4], "short") == 0,
              .why = (int)strtol(argv[4], NULL, 10)};
    char *end;
    p.nth = strtol(argv[3], &end, 10);
    p.from_then_on = *end == '+';
    if (!p.report)
        give_up(argv[1]);
    static char stack[1 << 16];
    start s = {p.call, argv + 6, -1};
    pid_t child = clone(run, stack + sizeof stack, CLONE_VM | CLONE_FILES | SIGCHLD, &s);
    if (child < 0)
        give_up("faulty: clone");
    int status = 0, listener;
    while ((listener = __atomic_load_n(&s.listener, __ATOMIC_ACQUIRE)) < 0)
        if (waitpid(child, &status, WNOHANG) == child)
            return FAILED;
    answer_all(&p, listener);
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
