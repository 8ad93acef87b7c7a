/* Confined children, and the messages between them and their parent. */
#include "bindings/support/confined.h"
#include "bindings/support/filter.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- messages -------------------------------------------------------------------------------- */

/* A message: its kind, a letter, and two texts, behind their sizes. Both sides are one program. */
typedef struct header {
    uint64_t sizes[2];
    char kind;
} header;

static const uint64_t MOST = (uint64_t)4 << 30; /* bytes of a text */

static bool put(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = write(fd, at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool send_message(int fd, char kind, const char *a, size_t a_size, const char *b,
                         size_t b_size)
{
    header h;
    memset(&h, 0, sizeof h); /* also the padding */
    h.sizes[0] = a_size;
    h.sizes[1] = b_size;
    h.kind = kind;
    return put(fd, &h, sizeof h) && put(fd, a, a_size) && put(fd, b, b_size);
}

/* Waits for all bytes; false: the other side is gone. Ctrl-C is passed on to `child`, once, which
 * reports the result. */
static bool get(int fd, void *bytes, size_t size, pid_t *child)
{
    char *at = bytes;
    while (size > 0) {
        struct pollfd one = {.fd = fd, .events = POLLIN};
        int ready = poll(&one, 1, -1);
        if (ready < 0 && *child > 0 && orr_is_cancelled(&orr_interrupted)) {
            kill(*child, SIGINT);
            *child = 0;
        }
        if (ready <= 0)
            continue;
        ssize_t n = read(fd, at, size);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* core.confined_send(fd, kind, a, b): whether it is sent. */
static int confined_send(lua_State *L)
{
    size_t a_size, b_size;
    int fd = (int)luaL_checkinteger(L, 1);
    const char *kind = luaL_checkstring(L, 2);
    const char *a = luaL_checklstring(L, 3, &a_size), *b = luaL_checklstring(L, 4, &b_size);
    lua_pushboolean(L, send_message(fd, *kind, a, a_size, b, b_size));
    return 1;
}

/* core.confined_receive(fd, pid): kind, a, b; no values where the other side, pid, is gone. */
static int confined_receive(lua_State *L)
{
    header h;
    int fd = (int)luaL_checkinteger(L, 1);
    pid_t child = (pid_t)luaL_optinteger(L, 2, 0);
    if (!get(fd, &h, sizeof h, &child) || h.sizes[0] > MOST || h.sizes[1] > MOST)
        return 0;
    lua_pushlstring(L, &h.kind, 1);
    for (int i = 0; i < 2; i++) {
        luaL_Buffer buffer;
        char *text = luaL_buffinitsize(L, &buffer, (size_t)h.sizes[i] + 1);
        if (!get(fd, text, (size_t)h.sizes[i], &child))
            return 0;
        luaL_pushresultsize(&buffer, (size_t)h.sizes[i]);
    }
    return 3;
}

/* --- the child ------------------------------------------------------------------------------- */

static int to_parent = -1; /* of a confined child */

/* The sender for orr_output_redirect. */
static bool send_file(const char *path, const char *bytes, size_t size)
{
    return send_message(to_parent, 'w', path, strlen(path), bytes, size);
}

typedef struct child_limits {
    rlim_t seconds, memory, file;
} child_limits;

static bool set_limit(int which, rlim_t most)
{
    struct rlimit now;
    if (getrlimit(which, &now) != 0)
        return false;
    if (now.rlim_max != RLIM_INFINITY && now.rlim_max < most)
        most = now.rlim_max;
    struct rlimit limit = {most, which == RLIMIT_CPU && most < now.rlim_max ? most + 1 : most};
    return setrlimit(which, &limit) == 0;
}

/* Processes are the filter's matter: the system's limit counts all of a user. */
static bool set_limits(const child_limits *limits)
{
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
    bool memory = true; /* their shadows have no end */
#else
    bool memory = set_limit(RLIMIT_AS, limits->memory);
#endif
    return memory && set_limit(RLIMIT_CPU, limits->seconds) &&
           set_limit(RLIMIT_FSIZE, limits->file) && set_limit(RLIMIT_NOFILE, 64) &&
           set_limit(RLIMIT_CORE, 0);
}

/* Closes all open files of the parent except these. */
static void keep_files(int fd)
{
    if (fd > STDERR_FILENO + 1)
        close_range(STDERR_FILENO + 1, (unsigned)fd - 1, 0);
    close_range((unsigned)fd + 1, ~0U, 0);
}

/* The texts of the list at index, and NULL; NULL for nil. They stay on the stack until the function
 * returns. */
static const char **texts_of(lua_State *L, int index)
{
    if (lua_isnoneornil(L, index))
        return NULL;
    lua_Integer count = luaL_len(L, index);
    luaL_checkstack(L, (int)count + 2, "too many texts");
    const char **list = lua_newuserdatauv(L, ((size_t)count + 1) * sizeof *list, 0);
    for (lua_Integer i = 1; i <= count; i++) {
        lua_rawgeti(L, index, i);
        if (lua_type(L, -1) != LUA_TSTRING)
            luaL_error(L, "expected a list of texts, item %d is a %s", (int)i,
                       luaL_typename(L, -1));
        list[i - 1] = lua_tostring(L, -1);
    }
    list[count] = NULL;
    return list;
}

/* From here on the child is confined, or it reports to its parent why it cannot be, and ends. */
static void begin_child(int fd, pid_t parent, const child_limits *limits,
                        const orr_filter_paths *paths)
{
    orr_error err;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    keep_files(fd);
    to_parent = fd;
    orr_status status = ORR_OK;
    if (!set_limits(limits))
        status = orr_fail(&err, ORR_ERR_LIMIT, "no limits can be set: %s", strerror(errno));
    if (status == ORR_OK)
        status = orr_filter_set(ORR_FILTER_RUN, paths, &err);
    const char *why = status == ORR_OK ? "" : err.message;
    if (!send_message(fd, status == ORR_OK ? 'r' : 'x', why, strlen(why), "", 0) ||
        status != ORR_OK)
        _exit(1);
    orr_output_redirect(send_file);
}

/* core.confine(seconds, bytes of memory, bytes of a file[, paths]): in the child true and where its
 * parent is, in the parent false, where the child is, and its number; nil and why it cannot be. */
static int confine(lua_State *L)
{
    child_limits limits = {(rlim_t)luaL_checkinteger(L, 1), (rlim_t)luaL_checkinteger(L, 2),
                           (rlim_t)luaL_checkinteger(L, 3)};
    const orr_filter_paths paths = {.reads = texts_of(L, 4)};
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        lua_pushnil(L);
        lua_pushstring(L, strerror(errno));
        return 2;
    }
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0)
        begin_child(ends[1], parent, &limits, &paths);
    close(child == 0 ? ends[0] : ends[1]);
    if (child < 0) {
        close(ends[0]);
        lua_pushnil(L);
        lua_pushstring(L, strerror(errno));
        return 2;
    }
    lua_pushboolean(L, child == 0);
    lua_pushinteger(L, ends[child == 0]);
    lua_pushinteger(L, child);
    return 3;
}

/* core.confined_end(): ends the child. */
static int confined_end(lua_State *L)
{
    (void)L;
    _exit(0);
}

/* core.confined_wait(fd, pid): how the child ended: nil, or the number of a signal; SIGSYS where it
 * made a call that is not allowed. */
static int confined_wait(lua_State *L)
{
    int status = 0;
    pid_t pid = (pid_t)luaL_checkinteger(L, 2);
    close((int)luaL_checkinteger(L, 1));
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    bool forbidden = WIFEXITED(status) && WEXITSTATUS(status) == ORR_FORBIDDEN;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
        raise(SIGPIPE); /* nobody reads the output */
    if (!WIFSIGNALED(status) && !forbidden)
        return 0;
    lua_pushinteger(L, forbidden ? SIGSYS : WTERMSIG(status));
    return 1;
}

/* --- drawing --------------------------------------------------------------------------------- */

enum { DRAWING_SECONDS = 300 };

static int file_of(const char *text, size_t size)
{
    int fd = memfd_create("orrery", MFD_CLOEXEC);
    if (fd >= 0 && (!put(fd, text, size) || lseek(fd, 0, SEEK_SET) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

static void push_file(lua_State *L, int fd)
{
    off_t size = lseek(fd, 0, SEEK_END);
    luaL_Buffer buffer;
    char *text = luaL_buffinitsize(L, &buffer, size > 0 ? (size_t)size : 1);
    ssize_t n = size > 0 ? pread(fd, text, (size_t)size, 0) : 0;
    luaL_pushresultsize(&buffer, n > 0 ? (size_t)n : 0);
}

static void draw(const char **words, const int fds[3])
{
    static const char *const reads[] = {"/usr", "/lib",       "/lib64", "/bin",
                                        "/etc", "/var/cache", "/opt",   NULL};
    const orr_filter_paths paths = {.reads = reads, .runs = reads};
    const child_limits limits = {DRAWING_SECONDS, (rlim_t)8 << 30, (rlim_t)4 << 30};
    orr_error err;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++)
        dup2(fds[i], i);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    if (!set_limits(&limits) || orr_filter_set(ORR_FILTER_DRAWING, &paths, &err) != ORR_OK)
        _exit(126);
    execvp(words[0], (char *const *)words);
    _exit(127);
}

/* core.confined_draw(words, text): runs a program with this text as its input: whether it
 * succeeded, its output, and its error messages. */
static int confined_draw(lua_State *L)
{
    size_t size;
    int status = -1;
    const char **words = texts_of(L, 1);
    const char *text = luaL_checklstring(L, 2, &size);
    int fds[3] = {file_of(text, size), file_of("", 0), file_of("", 0)};
    if (fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0) {
        pid_t child = fork();
        if (child == 0)
            draw(words, fds);
        while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    lua_pushboolean(L, status == 0);
    push_file(L, fds[1]);
    push_file(L, fds[2]);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    return 3;
}

/* --- commands in a folder -------------------------------------------------------------------- */

/* The process becomes a program that is confined to these paths; or it reports why not. */
static void become(const char **words, const orr_filter_paths *paths, int report)
{
    orr_error err;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    if (orr_filter_set(ORR_FILTER_FOLDER, paths, &err) == ORR_OK) {
        execvp(words[0], (char *const *)words);
        orr_fail(&err, ORR_ERR_IO, "cannot run %s: %s", words[0], strerror(errno));
    }
    put(report, err.message, strlen(err.message));
    _exit(1);
}

/* Waits for the end of a process, to which Ctrl-C is passed on, once: its status. */
static int wait_for(pid_t child)
{
    int status = 0;
    bool passed = false;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        if (!passed && orr_is_cancelled(&orr_interrupted))
            passed = kill(child, SIGINT) == 0;
    }
    return status;
}

/* Ends the processes that a command left behind: they are now this process's own (subreaper). */
static void end_others(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%ld/children", (long)gettid());
    while (waitpid(-1, NULL, WNOHANG) >= 0) {
        FILE *list = fopen(path, "re");
        long pid = 0;
        int found = 0;
        while (list && fscanf(list, "%ld", &pid) == 1)
            found += kill((pid_t)pid, SIGKILL) == 0;
        if (list)
            fclose(list);
        if (found == 0)
            return;
        waitpid(-1, NULL, 0);
    }
}

/* core.confined_command(words, reads, runs, writes): runs a program to its end, with what it starts
 * confined to lists of paths (filter.h): its exit status, or 128 and the number of a signal. nil and
 * the reason where it cannot be confined, or cannot begin. */
static int confined_command(lua_State *L)
{
    char why[512];
    size_t size = 0;
    lua_settop(L, 4);
    const char **words = texts_of(L, 1);
    const orr_filter_paths paths = {texts_of(L, 2), texts_of(L, 3), texts_of(L, 4)};
    int ends[2];
    fflush(NULL);
    bool piped = pipe2(ends, O_CLOEXEC) == 0;
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    pid_t child = piped ? fork() : -1;
    if (child == 0)
        become(words, &paths, ends[1]);
    if (child < 0) {
        lua_pushnil(L);
        lua_pushstring(L, strerror(errno));
        return 2;
    }
    close(ends[1]);
    for (ssize_t n = 1; n != 0 && size<sizeof why; size += n> 0 ? (size_t)n : 0) {
        n = read(ends[0], why + size, sizeof why - size);
        if (n < 0 && errno != EINTR)
            break;
    }
    close(ends[0]);
    int status = wait_for(child);
    end_others();
    if (size > 0) {
        lua_pushnil(L);
        lua_pushlstring(L, why, size);
        return 2;
    }
    lua_pushinteger(L, WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status));
    return 1;
}

static int landlock(lua_State *L)
{
    lua_pushinteger(L, orr_filter_landlock());
    return 1;
}

void orr_lua_open_confined(lua_State *L)
{
    static const luaL_Reg functions[] = {{"confine", confine},
                                         {"confined_send", confined_send},
                                         {"confined_receive", confined_receive},
                                         {"confined_end", confined_end},
                                         {"confined_wait", confined_wait},
                                         {"confined_draw", confined_draw},
                                         {"confined_command", confined_command},
                                         {"landlock", landlock},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
