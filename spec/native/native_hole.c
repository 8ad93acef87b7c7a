/* A hole in the sandbox, for specs: loaded before the C library (LD_PRELOAD), it is the sine that
 * policies call, and does for some angles what no policy may do. As a Lua module it asks the system
 * for anything, and takes the right to set filters from a program before it runs that. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <linux/seccomp.h>
#include <lua.h>
#include <math.h>
#include <netinet/in.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <termios.h>
#include <unistd.h>

/* --- what is tried: attack n is tried where the sine of 1e6 + n is asked for ------------------- */

static void make_file(void)
{
    close(open("escaped", O_WRONLY | O_CREAT, 0644));
}

static void append(void)
{
    close(open("log.csv", O_WRONLY | O_APPEND));
}

static void empty(void)
{
    truncate("log.csv", 0);
}

static void run_program(void)
{
    execl("/bin/sh", "sh", "-c", "echo >escaped", (char *)NULL);
}

static void run_file(void)
{
    char *const words[] = {"sh", "-c", "echo >escaped", NULL};
    syscall(SYS_execveat, AT_FDCWD, "/bin/sh", words, NULL, 0);
}

static void new_process(void)
{
    if (fork() == 0)
        _exit(0);
}

static void new_process_raw(void)
{
    if (syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0) == 0)
        _exit(0);
}

static void remove_file(void)
{
    unlink("log.csv");
}

static void move_file(void)
{
    rename("log.csv", "escaped");
}

static void link_file(void)
{
    symlink("/etc", "escaped");
}

static void make_folder(void)
{
    mkdir("escaped", 0755);
}

static void change_mode(void)
{
    chmod("log.csv", 0777);
}

static void connect_out(void)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons(9)};
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    (void)connect(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&to, sizeof to);
}

static void connect_local(void)
{
    socket(AF_UNIX, SOCK_STREAM, 0);
}

static void kill_parent(void)
{
    kill(getppid(), SIGKILL);
}

static void kill_thread_of_parent(void)
{
    syscall(SYS_tgkill, getppid(), getppid(), SIGKILL);
}

static void queue_signal(void)
{
    sigqueue(getppid(), SIGTERM, (union sigval){0});
}

static void trace_parent(void)
{
    ptrace(PTRACE_ATTACH, getppid(), NULL, NULL);
}

static void type_ahead(void)
{
    ioctl(STDIN_FILENO, TIOCSTI, "x");
}

static void write_memory(void)
{
    close(open("/proc/self/mem", O_RDWR));
}

static void memory_file(void)
{
    memfd_create("escaped", 0);
}

static void kernel_ring(void)
{
    syscall(SYS_io_uring_setup, 1, NULL);
}

static void load_kernel_program(void)
{
    syscall(SYS_bpf, 0, NULL, 0);
}

static void open_by_memory(void)
{
    syscall(SYS_openat2, AT_FDCWD, "escaped", NULL, 0);
}

static void become_somebody(void)
{
    if (setuid(1) == 0)
        return;
}

static void change_root(void)
{
    chroot("/");
}

static void new_namespace(void)
{
    syscall(SYS_unshare, 0x10000000);
}

static void raise_limit(void)
{
    syscall(SYS_prlimit64, 0, 7, "................", NULL);
}

static void no_filter(void)
{
    syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, NULL);
}

static void read_secret(void)
{
    char text[64] = "";
    int fd = open("secret", O_RDONLY);
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
    if (n > 0)
        printf("read: %s\n", text);
    close(fd);
}

static void go_on(void)
{
    struct sigaction action = {.sa_handler = SIG_IGN};
    sigaction(SIGSYS, &action, NULL);
    make_file();
    run_program();
}

static void eat_memory(void)
{
    static char *blocks[1000];
    for (int i = 0; i < 1000; i++) {
        blocks[i] = malloc((size_t)1 << 30);
        if (!blocks[i])
            break;
    }
}

static void grow_output(void)
{
    char block[1 << 16];
    memset(block, 'x', sizeof block);
    while (write(STDOUT_FILENO, block, sizeof block) > 0) {
    }
}

/* The socket to the parent. */
static int parent_socket(void)
{
    struct stat info;
    for (int fd = STDERR_FILENO + 1; fd < 64; fd++) {
        if (fstat(fd, &info) == 0 && S_ISSOCK(info.st_mode))
            return fd;
    }
    return -1;
}

/* A message as those of bindings/support/confined.c; `b` has b_size bytes, or fewer are sent. */
static void message(char kind, const char *a, size_t a_size, const char *b, uint64_t b_size)
{
    struct {
        uint64_t sizes[2];
        char kind;
    } header;
    int fd = parent_socket();
    memset(&header, 0, sizeof header);
    header.sizes[0] = a_size;
    header.sizes[1] = b_size;
    header.kind = kind;
    if (write(fd, &header, sizeof header) < 0 || write(fd, a, a_size) < 0 ||
        write(fd, b, strlen(b)) < 0)
        _exit(3);
}

static void send_unknown(void)
{
    message('?', "", 0, "", 0);
    sleep(1);
}

static void send_much(void)
{
    message('w', "out.csv", 7, "", (uint64_t)3 << 30);
    sleep(30);
}

static void hang_up(void)
{
    close(parent_socket());
    sleep(30);
}

static void ask_pictures(void)
{
    char text[1 << 16];
    for (;;) {
        message('d', "gnuplot\0-", 9, "set terminal dumb\nplot x\n", 25);
        if (read(parent_socket(), text, sizeof text) > 0)
            write(STDERR_FILENO, "drawn\n", 6);
    }
}

static const struct {
    const char *name;
    void (*attack)(void);
} attacks[] = {
    {"make_file", make_file},
    {"append", append},
    {"empty", empty},
    {"run_program", run_program},
    {"run_file", run_file},
    {"new_process", new_process},
    {"new_process_raw", new_process_raw},
    {"remove_file", remove_file},
    {"move_file", move_file},
    {"link_file", link_file},
    {"make_folder", make_folder},
    {"change_mode", change_mode},
    {"connect_out", connect_out},
    {"connect_local", connect_local},
    {"kill_parent", kill_parent},
    {"kill_thread_of_parent", kill_thread_of_parent},
    {"queue_signal", queue_signal},
    {"trace_parent", trace_parent},
    {"type_ahead", type_ahead},
    {"write_memory", write_memory},
    {"memory_file", memory_file},
    {"kernel_ring", kernel_ring},
    {"load_kernel_program", load_kernel_program},
    {"open_by_memory", open_by_memory},
    {"become_somebody", become_somebody},
    {"change_root", change_root},
    {"new_namespace", new_namespace},
    {"raise_limit", raise_limit},
    {"no_filter", no_filter},
    {"go_on", go_on},
    /* these are not calls that a filter knows: see the spec */
    {"read_secret", read_secret},
    {"eat_memory", eat_memory},
    {"grow_output", grow_output},
    {"send_unknown", send_unknown},
    {"send_much", send_much},
    {"hang_up", hang_up},
    {"ask_pictures", ask_pictures},
};

enum { ATTACKS = sizeof attacks / sizeof *attacks };

__attribute__((visibility("default"))) double sin(double x)
{
    double n = x - 1e6;
    if (getenv("ORRERY_SPEC_HOLE") && n >= 0 && n < ATTACKS)
        attacks[(int)n].attack();
    return 0;
}

/* --- the module --------------------------------------------------------------------------------- */

/* Becomes a program, of the words from `first` on. */
static int become(lua_State *L, int first)
{
    const char *words[16] = {luaL_checkstring(L, first)};
    int count = lua_gettop(L) - first < 14 ? lua_gettop(L) - first : 14;
    for (int i = 1; i <= count; i++)
        words[i] = luaL_checkstring(L, first + i);
    execv(words[0], (char *const *)words);
    return luaL_error(L, "cannot run it: %s", strerror(errno));
}

/* run_without_filters(word, ...): becomes this program, which can set no filter of system calls. */
static int run_without_filters(lua_State *L)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prctl), 1,
                     SCMP_A0(SCMP_CMP_EQ, 22)); /* PR_SET_SECCOMP */
    return seccomp_load(filter) == 0 ? become(L, 1) : 0;
}

/* run_without_landlock(word, ...): the same, as on a kernel without Landlock. */
static int run_without_landlock(lua_State *L)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(landlock_create_ruleset), 0);
    return seccomp_load(filter) == 0 ? become(L, 1) : 0;
}

/* try(name): makes the attack in this process; the error of the system that it met, or none. */
static int try_attack(lua_State *L)
{
    for (int i = 0; i < ATTACKS; i++) {
        if (strcmp(attacks[i].name, luaL_checkstring(L, 1)) != 0)
            continue;
        errno = 0;
        attacks[i].attack();
        lua_pushstring(L, errno == 0 ? "done" : strerrorname_np(errno));
        return 1;
    }
    return luaL_error(L, "there is no such attack");
}

int luaopen_native_hole(lua_State *L);
__attribute__((visibility("default"))) int luaopen_native_hole(lua_State *L)
{
    static const luaL_Reg functions[] = {{"run_without_filters", run_without_filters},
                                         {"run_without_landlock", run_without_landlock},
                                         {"try", try_attack},
                                         {NULL, NULL}};
    luaL_newlib(L, functions);
    lua_createtable(L, ATTACKS, 0);
    for (int i = 0; i < ATTACKS; i++) {
        lua_pushstring(L, attacks[i].name);
        lua_rawseti(L, -2, i + 1);
    }
    lua_setfield(L, -2, "attacks");
    return 1;
}
