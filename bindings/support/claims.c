/* Claims between processes: byte locks, files that are created once, and their heartbeat. */
#include "bindings/support/claims.h"
#include "bindings/support/output.h"
#include "bindings/support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int push_reason(lua_State *L, int why)
{
    char text[128];
    lua_pushnil(L);
    lua_pushstring(L, strerror_r(why, text, sizeof text));
    return 2;
}

/* --- locks ---------------------------------------------------------------------------------- */

/* The file at index 1, the byte at index 2. */
static int set_lock(lua_State *L, short kind)
{
    luaL_Stream *stream = luaL_checkudata(L, 1, LUA_FILEHANDLE);
    luaL_argcheck(L, stream->closef != NULL, 1, "the file is closed");
    struct flock lock = {
        .l_type = kind, .l_whence = SEEK_SET, .l_start = luaL_checkinteger(L, 2), .l_len = 1};
    int done;
    do
        done = fcntl(fileno(stream->f), F_SETLK, &lock);
    while (done != 0 && errno == EINTR);
    return done == 0 ? 0 : errno;
}

/* NFS without lockd says ENOLCK, Lustre without flock ENOSYS; 524 is the kernel's own ENOTSUPP. */
static bool means_no_locks(int why)
{
    return why == ENOLCK || why == ENOSYS || why == EOPNOTSUPP || why == EINVAL || why == 524;
}

static int lock(lua_State *L)
{
    int why = set_lock(L, F_WRLCK);
    if (why == 0 || why == EAGAIN || why == EACCES) {
        lua_pushboolean(L, why == 0);
        return 1;
    }
    push_reason(L, why);
    lua_pushboolean(L, means_no_locks(why));
    return 3;
}

static int unlock(lua_State *L)
{
    set_lock(L, F_UNLCK);
    return 0;
}

/* --- files with a heartbeat ----------------------------------------------------------------- */

typedef struct hold {
    int file; /* -1: given back */
    double seconds;
    bool beats, is_over;
    pthread_t thread;
    pthread_mutex_t mutex; /* of is_over */
    pthread_cond_t wake;
} hold;

static const char HOLD[] = "orrery.hold";

static struct timespec after(double seconds)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    double nanoseconds = (double)time.tv_nsec + seconds * 1e9;
    time.tv_sec += (time_t)(nanoseconds / 1e9);
    time.tv_nsec = (long)(nanoseconds - (double)(time_t)(nanoseconds / 1e9) * 1e9);
    return time;
}

/* Touches the file by the clock of its file system. */
static void *beat(void *of)
{
    hold *h = of;
    pthread_mutex_lock(&h->mutex);
    while (!h->is_over) {
        struct timespec until = after(h->seconds);
        if (pthread_cond_timedwait(&h->wake, &h->mutex, &until) == ETIMEDOUT)
            futimens(h->file, NULL);
    }
    pthread_mutex_unlock(&h->mutex);
    return NULL;
}

/* Signals are for the threads that compute. Gives errno, 0: all is well. */
static int start_beating(hold *h)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&h->mutex, NULL);
    pthread_cond_init(&h->wake, &attributes);
    pthread_condattr_destroy(&attributes);
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int why = pthread_create(&h->thread, NULL, beat, h);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    h->beats = why == 0;
    return why;
}

static void stop_beating(hold *h)
{
    if (h->beats) {
        pthread_mutex_lock(&h->mutex);
        h->is_over = true;
        pthread_cond_signal(&h->wake);
        pthread_mutex_unlock(&h->mutex);
        pthread_join(h->thread, NULL);
    }
    h->beats = false;
    if (h->file >= 0)
        close(h->file);
    h->file = -1;
}

static int release(lua_State *L)
{
    hold *h = luaL_checkudata(L, 1, HOLD);
    struct stat info;
    bool is_there = h->file >= 0 && fstat(h->file, &info) == 0 && info.st_nlink > 0;
    stop_beating(h);
    lua_pushboolean(L, is_there);
    return 1;
}

static int collect(lua_State *L)
{
    stop_beating(luaL_checkudata(L, 1, HOLD));
    return 0;
}

/* The text of this process and the name of its host, for other processes. */
static int write_holder(int file)
{
    char text[ORR_PROCESS_TEXT], host[256] = "", line[sizeof text + sizeof host + 2];
    orr_process_text(text);
    gethostname(host, sizeof host - 1);
    int size = snprintf(line, sizeof line, "%s %s\n", text, host);
    ssize_t written;
    do
        written = write(file, line, (size_t)size);
    while (written < 0 && errno == EINTR);
    return written == size ? 0 : written < 0 ? errno : ENOSPC;
}

static int create_file(int *file, const char *path)
{
    *file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return *file < 0 ? errno : write_holder(*file);
}

/* Only one process can make a link of a file. NFS may repeat a request whose answer was lost, and
 * then reports that the name is taken: the number of links shows whether the link was made. */
static int link_file(int file, const char *from, const char *to)
{
    struct stat info;
    int why = link(from, to) == 0 ? 0 : errno;
    return why != 0 && fstat(file, &info) == 0 && info.st_nlink == 2 ? 0 : why;
}

/* Creates a file that has its text from the beginning, so that a killed process never leaves a
 * claim without owner. The file is written under another name and linked. Where links do not exist
 * (vfat) it is empty for a moment. Returns errno; EEXIST: another process has it. */
static int create_held(int *file, const char *path)
{
    char *beside = orr_output_temporary(path);
    if (!beside)
        return ENOMEM;
    int why = create_file(file, beside);
    bool written = why == 0;
    if (written)
        why = link_file(*file, beside, path);
    if (*file >= 0)
        unlink(beside);
    free(beside);
    if (why != 0 && *file >= 0) {
        close(*file);
        *file = -1;
    }
    if (!written || why == 0 || why == EEXIST || why == ENOENT)
        return why;
    why = create_file(file, path);
    if (why != 0 && *file >= 0)
        unlink(path);
    return why;
}

static int make_hold(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    hold *h = lua_newuserdatauv(L, sizeof *h, 0);
    *h = (hold){.file = -1, .seconds = luaL_checknumber(L, 2)};
    luaL_setmetatable(L, HOLD);
    int why = create_held(&h->file, path);
    if (why == EEXIST) {
        lua_pushboolean(L, false);
        return 1;
    }
    if (why != 0)
        return push_reason(L, why);
    why = start_beating(h);
    if (why == 0)
        return 1;
    unlink(path);
    return push_reason(L, why);
}

static int state(lua_State *L)
{
    static const char *const names[] = {
        [ORR_PROCESS_ALIVE] = "alive",
        [ORR_PROCESS_ENDED] = "ended",
        [ORR_PROCESS_ELSEWHERE] = "elsewhere",
    };
    lua_pushstring(L, names[orr_process_look(luaL_checkstring(L, 1))]);
    return 1;
}

static double seconds_of(struct timespec time)
{
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

/* The clocks of machines differ, so the age is the difference to a file that is made now. Opening a
 * file on NFS gets its times from the server, not from a cache. */
static int age(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    struct stat then = {0}, now = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC);
    int why = file < 0 || fstat(file, &then) != 0 ? errno : 0;
    if (file >= 0)
        close(file);
    if (why != 0)
        return push_reason(L, why);
    char *beside = orr_output_temporary(path);
    if (!beside)
        return luaL_error(L, "not enough memory");
    file = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    why = file < 0 || futimens(file, NULL) != 0 || fstat(file, &now) != 0 ? errno : 0;
    if (file >= 0) {
        close(file);
        unlink(beside);
    }
    free(beside);
    if (why != 0)
        return push_reason(L, why);
    lua_pushnumber(L, seconds_of(now.st_mtim) - seconds_of(then.st_mtim));
    return 1;
}

void orr_lua_open_claims(lua_State *L)
{
    static const luaL_Reg functions[] = {{"lock", lock},   {"unlock", unlock}, {"hold", make_hold},
                                         {"state", state}, {"age", age},       {NULL, NULL}};
    static const luaL_Reg methods[] = {{"release", release}, {NULL, NULL}};
    luaL_newmetatable(L, HOLD);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    luaL_newlib(L, methods);
    lua_setfield(L, -2, "__index");
    lua_pop(L, 1);
    luaL_newlib(L, functions);
    lua_setfield(L, -2, "claims");
}
