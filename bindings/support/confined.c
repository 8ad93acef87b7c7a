/* Confined children, and the messages between them and their parent. */
#include "bindings/support/confined.h"
#include "bindings/support/filter.h"
#include "bindings/support/interrupted.h"
#include "bindings/support/output.h"
#include "bindings/support/raise.h"
#include "bindings/support/system.h"

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

/* One end of the connection of a confined child with its parent. */
typedef struct channel {
    int fd;
    int prints
        [2];     /* in the parent: what the child prints, by its file (less 1); -1: it is closed */
    pid_t child; /* in the parent; 0 in the child */
    uint64_t received, printed, most_received, most_printed; /* bytes */
    int cut;         /* an error of writing to standard output what was printed there; 0: none */
    bool is_stopped; /* Ctrl-C was passed on */
} channel;

static const char CHANNEL[] = "orrery.channel";

static channel *channel_of(lua_State *L)
{
    return luaL_checkudata(L, 1, CHANNEL);
}

/* is_socket: the other side may be gone (MSG_NOSIGNAL); the child may not use send. */
static bool put(int fd, bool is_socket, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        ssize_t n = is_socket ? send(fd, at, size, MSG_NOSIGNAL) : write(fd, at, size);
        if (n < 0 && errno != EINTR)
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

static bool send_message(int fd, bool is_socket, char kind, const char *a, size_t a_size,
                         const char *b, size_t b_size)
{
    header h;
    memset(&h, 0, sizeof h); /* also the padding */
    h.sizes[0] = a_size;
    h.sizes[1] = b_size;
    h.kind = kind;
    return put(fd, is_socket, &h, sizeof h) && put(fd, is_socket, a, a_size) &&
           put(fd, is_socket, b, b_size);
}

/* Prints what the child has printed to one of its files. */
static void print(channel *c, int which)
{
    char text[1 << 16];
    ssize_t n = read(c->prints[which], text, sizeof text);
    if (n == 0 || (n < 0 && errno != EINTR)) {
        close(c->prints[which]);
        c->prints[which] = -1;
        return;
    }
    c->printed += n > 0 ? (uint64_t)n : 0;
    if (n > 0 && c->printed <= c->most_printed &&
        !put(STDOUT_FILENO + which, false, text, (size_t)n) && which == 0)
        c->cut = errno;
}

/* Waits for all bytes, and prints meanwhile; false: the other side is gone, or a limit is passed.
 * Ctrl-C is passed on to the child, once, which reports the result. */
static bool get(channel *c, void *bytes, size_t size)
{
    char *at = bytes;
    while (size > 0) {
        struct pollfd all[3] = {{.fd = c->fd, .events = POLLIN},
                                {.fd = c->prints[0], .events = POLLIN},
                                {.fd = c->prints[1], .events = POLLIN}};
        int ready = poll(all, 3, -1);
        if (ready < 0 && c->child > 0 && !c->is_stopped && orr_is_cancelled(&orr_interrupted))
            c->is_stopped = kill(c->child, SIGINT) == 0;
        if (ready <= 0)
            continue;
        for (int i = 0; i < 2; i++) {
            if (all[i + 1].revents)
                print(c, i);
        }
        if (c->printed > c->most_printed)
            return false;
        if (!all[0].revents)
            continue;
        ssize_t n = read(c->fd, at, size);
        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        size -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

/* core.confined_send(channel, kind, a, b): whether it is sent. */
static int confined_send(lua_State *L)
{
    size_t a_size, b_size;
    channel *c = channel_of(L);
    const char *kind = luaL_checkstring(L, 2);
    const char *a = luaL_checklstring(L, 3, &a_size), *b = luaL_checklstring(L, 4, &b_size);
    lua_pushboolean(L, send_message(c->fd, c->child > 0, *kind, a, a_size, b, b_size));
    return 1;
}

/* Counts what is to come; false: it is too much. */
static bool count(channel *c, const header *h)
{
    bool fits = h->sizes[0] <= c->most_received && h->sizes[1] <= c->most_received;
    c->received += fits ? sizeof *h + h->sizes[0] + h->sizes[1] : c->most_received + 1;
    return c->received <= c->most_received;
}

/* core.confined_receive(channel): kind, a, b; no values where the other side is gone; false and
 * what was too much ("sent" or "printed"). */
static int confined_receive(lua_State *L)
{
    header h;
    channel *c = channel_of(L);
    bool got = get(c, &h, sizeof h) && count(c, &h);
    if (got)
        lua_pushlstring(L, &h.kind, 1);
    for (int i = 0; got && i < 2; i++) {
        luaL_Buffer buffer;
        char *text = luaL_buffinitsize(L, &buffer, (size_t)h.sizes[i] + 1);
        got = get(c, text, (size_t)h.sizes[i]);
        luaL_pushresultsize(&buffer, got ? (size_t)h.sizes[i] : 0);
    }
    if (got)
        return 3;
    if (c->printed <= c->most_printed && c->received <= c->most_received)
        return 0;
    lua_pushboolean(L, false);
    lua_pushstring(L, c->printed > c->most_printed ? "printed" : "sent");
    return 2;
}

/* --- the child ------------------------------------------------------------------------------- */

static int to_parent = -1; /* of a confined child */

/* The sender for orr_output_redirect. */
static bool send_file(const char *path, const char *bytes, size_t size)
{
    return send_message(to_parent, false, 'w', path, strlen(path), bytes, size);
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
static void begin_child(int fd, const int prints[2], pid_t parent, const child_limits *limits,
                        const orr_filter_paths *paths)
{
    orr_error err;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    orr_system_keep_terminals();
    if (isatty(STDOUT_FILENO))
        setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    dup2(prints[0], STDOUT_FILENO);
    dup2(prints[1], STDERR_FILENO);
    keep_files(fd);
    to_parent = fd;
    orr_status status = ORR_OK;
    if (!set_limits(limits))
        status = orr_fail(&err, ORR_ERR_LIMIT, "no limits can be set: %s", strerror(errno));
    if (status == ORR_OK)
        status = orr_filter_set(ORR_FILTER_RUN, paths, &err);
    const char *why = status == ORR_OK ? "" : err.message;
    if (!send_message(fd, false, status == ORR_OK ? 'r' : 'x', why, strlen(why), "", 0) ||
        status != ORR_OK)
        _exit(1);
    orr_output_redirect(send_file);
}

/* Both ends of the connection: of the parent, and of the child. */
static bool connect_both(channel ends[2])
{
    int fds[3][2] = {{-1, -1}, {-1, -1}, {-1, -1}};
    int guards[3] = {-1, -1,
                     -1}; /* no end gets the number of standard output where that is closed */
    for (int i = 0; i < 3 && (i == 0 || guards[i - 1] <= STDERR_FILENO); i++)
        guards[i] = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool done = socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds[0]) == 0 &&
                pipe2(fds[1], O_CLOEXEC) == 0 && pipe2(fds[2], O_CLOEXEC) == 0;
    for (int i = 0; i < 2; i++)
        ends[i] = (channel){.fd = fds[0][i], .prints = {fds[1][i], fds[2][i]}};
    for (int i = 0; i < 3; i++)
        close(guards[i]);
    return done;
}

static void disconnect(channel *c)
{
    int why = errno;
    close(c->fd);
    for (int i = 0; i < 2; i++) {
        if (c->prints[i] >= 0)
            close(c->prints[i]);
    }
    errno = why;
}

/* core.confine(seconds, bytes of memory, bytes of a file, bytes that are sent, bytes that are
 * printed[, paths]): whether this is the child, and the channel to the other side; nil and why it
 * cannot be. */
static int confine(lua_State *L)
{
    channel ends[2];
    child_limits limits = {(rlim_t)luaL_checkinteger(L, 1), (rlim_t)luaL_checkinteger(L, 2),
                           (rlim_t)luaL_checkinteger(L, 3)};
    uint64_t sent = (uint64_t)luaL_checkinteger(L, 4), printed = (uint64_t)luaL_checkinteger(L, 5);
    const orr_filter_paths paths = {.reads = texts_of(L, 6)};
    channel *c = lua_newuserdatauv(L, sizeof *c, 0);
    luaL_setmetatable(L, CHANNEL);
    bool done = connect_both(ends);
    fflush(NULL);
    pid_t parent = getpid(), child = done ? fork() : -1;
    if (child == 0)
        begin_child(ends[1].fd, ends[1].prints, parent, &limits, &paths);
    disconnect(&ends[child != 0]);
    if (child < 0) {
        disconnect(&ends[0]);
        lua_pushnil(L);
        lua_pushstring(L, strerror(errno));
        return 2;
    }
    *c = ends[child == 0];
    c->child = child;
    c->most_received = child == 0 ? UINT64_MAX / 4 : sent;
    c->most_printed = printed;
    if (child == 0)
        c->prints[0] = c->prints[1] = -1;
    lua_pushboolean(L, child == 0);
    lua_insert(L, -2);
    return 2;
}

/* core.confined_end(): ends the child. */
static int confined_end(lua_State *L)
{
    (void)L;
    _exit(0);
}

/* core.confined_wait(channel): ends the child, and prints what it has printed: an error of that, or
 * "", and the number of the signal by which it had ended, if any; SIGSYS where it made
 * a call that is not allowed. */
static int confined_wait(lua_State *L)
{
    int status = 0;
    channel *c = channel_of(L);
    kill(c->child, SIGKILL); /* it has ended, or has nothing to do any more */
    while (waitpid(c->child, &status, 0) < 0 && errno == EINTR) {
    }
    for (int i = 0; i < 2; i++) {
        while (c->prints[i] >= 0)
            print(c, i);
    }
    disconnect(c);
    bool forbidden = WIFEXITED(status) && WEXITSTATUS(status) == ORR_FORBIDDEN;
    lua_pushstring(L, c->cut == 0 ? "" : strerror(c->cut));
    if (!WIFSIGNALED(status) && !forbidden)
        return 1;
    lua_pushinteger(L, forbidden ? SIGSYS : WTERMSIG(status));
    return 2;
}

/* --- drawing --------------------------------------------------------------------------------- */

static int file_of(const char *text, size_t size)
{
    int fd = memfd_create("orrery", MFD_CLOEXEC);
    if (fd >= 0 && (!put(fd, false, text, size) || lseek(fd, 0, SEEK_SET) != 0)) {
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

static void draw(const char **words, const int fds[3], const child_limits *limits,
                 const orr_filter_paths *paths)
{
    orr_error err;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (int i = 0; i < 3; i++)
        dup2(fds[i], i);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    alarm(limits->seconds < UINT32_MAX / 10 ? 10 * (unsigned)limits->seconds : UINT32_MAX);
    if (!set_limits(limits) || orr_filter_set(ORR_FILTER_DRAWING, paths, &err) != ORR_OK)
        _exit(126);
    execvp(words[0], (char *const *)words);
    _exit(127);
}

/* core.confined_draw(words, text, reads, runs, seconds, bytes of memory, bytes of a file): runs a
 * program with this text as its input: whether it succeeded, its output, its error messages, and
 * the processor time that it took, s. */
static int confined_draw(lua_State *L)
{
    size_t size;
    int status = -1;
    struct rusage used = {0};
    lua_settop(L, 7);
    const char **words = texts_of(L, 1);
    const char *text = luaL_checklstring(L, 2, &size);
    const orr_filter_paths paths = {.reads = texts_of(L, 3), .runs = texts_of(L, 4)};
    const child_limits limits = {(rlim_t)luaL_checkinteger(L, 5), (rlim_t)luaL_checkinteger(L, 6),
                                 (rlim_t)luaL_checkinteger(L, 7)};
    int fds[3] = {file_of(text, size), file_of("", 0), file_of("", 0)};
    if (fds[0] >= 0 && fds[1] >= 0 && fds[2] >= 0) {
        pid_t child = fork();
        if (child == 0)
            draw(words, fds, &limits, &paths);
        while (child > 0 && wait4(child, &status, 0, &used) < 0 && errno == EINTR) {
        }
    }
    lua_pushboolean(L, status == 0);
    push_file(L, fds[1]);
    push_file(L, fds[2]);
    lua_pushinteger(L, used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    return 4;
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
    put(report, false, err.message, strlen(err.message));
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
        int found = 0;
        for (char word[24]; list && fscanf(list, "%23s", word) == 1;)
            found += kill((pid_t)strtol(word, NULL, 10), SIGKILL) == 0;
        if (list)
            fclose(list);
        if (found == 0)
            return;
        waitpid(-1, NULL, 0);
    }
}

/* core.confined_command(words, reads, runs, writes): runs a program to its end, confined to lists
 * of paths with all that it starts (filter.h): its exit status, or 128 and a signal's number; nil
 * and the reason where it cannot be confined, or cannot begin. */
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
    luaL_newmetatable(L, CHANNEL);
    lua_pop(L, 1);
    luaL_setfuncs(L, functions, 0);
}
