/* Files that are written whole or not at all: all files are written here. */
#include "bindings/support/output.h"
#include "bindings/support/process.h"
#include "bindings/support/raise.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct output {
    FILE *file;
    char *path, *temporary; /* temporary: NULL where path is written directly */
    int why;                /* errno of the first write that failed */
    char *bytes;            /* text of another writer */
    size_t size;
} output;

static orr_status fail_io(const char *path, int why, orr_error *err)
{
    char text[128];
    return orr_fail(err, ORR_ERR_IO, "cannot write %s: %s", path,
                    strerror_r(why, text, sizeof text));
}

static _Thread_local bool is_refused;

bool orr_output_refuse(bool refused)
{
    bool before = is_refused;
    is_refused = refused;
    return before;
}

static orr_status check_allowed(const char *path, orr_error *err)
{
    if (!is_refused)
        return ORR_OK;
    return orr_fail(err, ORR_ERR_POLICY,
                    "cannot write %s: a policy writes no files and no pictures", path);
}

static bool (*send_elsewhere)(const char *path, const char *bytes, size_t size);

void orr_output_redirect(bool (*send)(const char *path, const char *bytes, size_t size))
{
    send_elsewhere = send;
}

static bool is_special(const char *path)
{
    struct stat info;
    return strcmp(path, "/dev/stdout") == 0 || (stat(path, &info) == 0 && !S_ISREG(info.st_mode));
}

/* Standard output is written where it stands, also if it is a file, to which others may append. */
static FILE *open_file(const char *path, bool is_new)
{
    if (strcmp(path, "/dev/stdout") != 0)
        return fopen(path, is_new ? "wxe" : "we");
    fflush(stdout);
    int copy = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    FILE *file = copy < 0 ? NULL : fdopen(copy, "w");
    if (!file && copy >= 0)
        close(copy);
    return file;
}

/* The file that a link leads to; a path that does not exist yet is unchanged. */
static char *final_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

char *orr_output_temporary(const char *path)
{
    char process[ORR_PROCESS_TEXT];
    orr_process_text(process);
    size_t size = strlen(path) + sizeof process + sizeof "..tmp";
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s.%s.tmp", path, process);
    return text;
}

/* Gives up: no file remains. */
static void discard(output *out)
{
    if (out->file)
        fclose(out->file);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    free(out->path);
    free(out->bytes);
    memset(out, 0, sizeof *out);
}

static orr_status open_output(output *out, const char *path, orr_error *err)
{
    memset(out, 0, sizeof *out);
    if (check_allowed(path, err) != ORR_OK)
        return err->status;
    if (send_elsewhere) {
        out->path = strdup(path);
        out->file = open_memstream(&out->bytes, &out->size);
        return out->file ? ORR_OK : orr_fail_memory(err, strlen(path));
    }
    out->path = is_special(path) ? strdup(path) : final_path(path);
    char *temporary = out->path && !is_special(path) ? orr_output_temporary(out->path) : NULL;
    if (!out->path || (!temporary && !is_special(path))) {
        discard(out);
        return orr_fail_memory(err, strlen(path));
    }
    out->file = open_file(temporary ? temporary : out->path, temporary != NULL);
    if (out->file) {
        out->temporary = temporary;
        return ORR_OK;
    }
    orr_status status = fail_io(out->path, errno, err);
    free(temporary);
    discard(out);
    return status;
}

/* The write function of orr_sink: user is the output. */
static bool write_text(void *user, const char *text, size_t size)
{
    output *out = user;
    if (fwrite(text, 1, size, out->file) == size)
        return true;
    out->why = errno;
    return false;
}

/* Flushes, and for a file of our own waits until it is on the disk. */
static bool complete(output *out)
{
    if (fflush(out->file) != 0 || ferror(out->file))
        return false;
    if (send_elsewhere)
        return send_elsewhere(out->path, out->bytes, out->size);
    return !out->temporary || fsync(fileno(out->file)) == 0;
}

static orr_status close_output(output *out, orr_error *err)
{
    bool written = complete(out);
    if (!written && out->why == 0)
        out->why = errno;
    if (fclose(out->file) != 0 && written) {
        written = false;
        out->why = errno;
    }
    out->file = NULL;
    if (written && out->temporary && rename(out->temporary, out->path) != 0) {
        written = false;
        out->why = errno;
    }
    orr_status status = written ? ORR_OK : fail_io(out->path, out->why, err);
    if (written) {
        free(out->temporary);
        out->temporary = NULL;
    }
    discard(out);
    return status;
}

orr_status orr_output_write_file(const char *path, const char *text, size_t size, orr_error *err)
{
    output out;
    orr_status status = open_output(&out, path, err);
    if (status != ORR_OK)
        return status;
    if (write_text(&out, text, size))
        return close_output(&out, err);
    status = fail_io(out.path, out.why, err);
    discard(&out);
    return status;
}

orr_status orr_output_write_by(const char *path, orr_output_writer write, const void *user,
                               orr_error *err)
{
    output out;
    orr_status status = open_output(&out, path, err);
    if (status != ORR_OK)
        return status;
    orr_sink sink = {write_text, &out};
    status = write(user, &sink, err);
    if (status == ORR_ERR_IO)
        fail_io(out.path, out.why, err); /* which says where and why */
    if (status == ORR_OK)
        status = close_output(&out, err);
    discard(&out);
    return status;
}

int orr_output_push_text(lua_State *L, orr_output_writer write, const void *user)
{
    char *text = NULL;
    size_t size = 0;
    output out = {.file = open_memstream(&text, &size)};
    if (!out.file)
        return luaL_error(L, "not enough memory");
    orr_sink sink = {write_text, &out};
    orr_error err;
    orr_status status = write(user, &sink, &err);
    bool whole = fclose(out.file) == 0;
    if (status == ORR_OK && whole)
        lua_pushlstring(L, text, size);
    free(text);
    orr_lua_try(L, status, &err);
    return whole ? 1 : luaL_error(L, "not enough memory");
}

static int write_file(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    orr_error err;
    orr_lua_try(L, orr_output_write_file(path, text, size, &err), &err);
    return 0;
}

static int check_writing(lua_State *L)
{
    orr_error err;
    orr_lua_try(L, check_allowed(luaL_checkstring(L, 1), &err), &err);
    return 0;
}

/* Moves a file that another program has written beside `path` to `path`, after its data is on the
 * disk. */
static int replace_file(lua_State *L)
{
    const char *from = luaL_checkstring(L, 1), *path = luaL_checkstring(L, 2);
    orr_error err;
    orr_lua_try(L, check_allowed(path, &err), &err);
    int file = open(from, O_RDONLY | O_CLOEXEC);
    int why = file < 0 || fsync(file) != 0 ? errno : 0;
    if (file >= 0)
        close(file);
    if (why == 0 && rename(from, path) != 0)
        why = errno;
    if (why == 0)
        return 0;
    unlink(from);
    orr_lua_try(L, fail_io(path, why, &err), &err);
    return 0;
}

/* A new file in the folder for temporary files ($TMPDIR), with that text, for other programs. */
static int scratch(lua_State *L)
{
    size_t size;
    const char *text = luaL_checklstring(L, 1, &size), *ending = luaL_optstring(L, 2, "");
    const char *folder = getenv("TMPDIR");
    lua_pushfstring(L, "%s/orrery-XXXXXX%s", folder && *folder ? folder : "/tmp", ending);
    char *path = strdup(lua_tostring(L, -1));
    if (!path)
        return luaL_error(L, "not enough memory");
    int number = mkostemps(path, (int)strlen(ending), O_CLOEXEC);
    int why = number < 0 ? errno : 0;
    FILE *file = number < 0 ? NULL : fdopen(number, "w");
    if (number >= 0 && !file) {
        why = errno;
        close(number);
    }
    if (file && (fwrite(text, 1, size, file) != size || fflush(file) != 0))
        why = errno;
    if (file && fclose(file) != 0 && why == 0)
        why = errno;
    if (number >= 0 && why != 0)
        unlink(path);
    orr_error err;
    orr_status status = why == 0 ? ORR_OK : fail_io(path, why, &err);
    lua_pushstring(L, path);
    free(path);
    orr_lua_try(L, status, &err);
    return 1;
}

static int temporary(lua_State *L)
{
    char *text = orr_output_temporary(luaL_checkstring(L, 1));
    lua_pushstring(L, text);
    free(text);
    return 1;
}

void orr_lua_open_output(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"write_file", write_file}, {"replace_file", replace_file},   {"temporary", temporary},
        {"scratch", scratch},       {"check_writing", check_writing}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
