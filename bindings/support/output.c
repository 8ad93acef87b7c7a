/* Files that are written whole or not at all: all files are written here. */
#include "bindings/support/output.h"
#include "bindings/support/messages.h"
#include "bindings/support/place.h"
#include "bindings/support/process.h"
#include "bindings/support/raise.h"

#include <errno.h>
#include <fcntl.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

struct orr_output {
    FILE *file, *terminal; /* where the file's text is shown, or NULL */
    orr_file_place place;
    char *path, *temporary; /* temporary: in the place's folder; NULL: it is written directly */
    int why;                /* errno of the first write that failed */
    char *bytes;            /* text of another writer */
    size_t size;
};

typedef orr_output output;

static orr_status fail_io(const char *path, int why, orr_error *err)
{
    char text[128];
    const char *reason = why == ORR_PLACE_OF_OTHERS
                             ? "it leads over a link in a folder in which others can write; name "
                               "the file itself"
                             : strerror_r(why, text, sizeof text);
    return orr_fail(err, ORR_ERR_IO, "cannot write %s: %s", path, reason);
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

static bool is_stdout(const char *path)
{
    return path && strcmp(path, "/dev/stdout") == 0;
}

/* Standard output is written where it stands, also if it is a file, to which others may append. */
static int open_number(const output *out)
{
    if (out->temporary)
        return openat(out->place.folder, out->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                      0666);
    if (!is_stdout(out->path))
        return openat(out->place.folder, out->place.name, O_WRONLY | O_CLOEXEC | out->place.flags);
    fflush(stdout);
    return fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
}

static int open_file(output *out)
{
    int number = open_number(out);
    if (number < 0)
        return errno;
    FILE *file = fdopen(number, "w");
    bool is_shown = file && !out->temporary && isatty(number);
    out->terminal = is_shown ? file : NULL;
    out->file = is_shown ? open_memstream(&out->bytes, &out->size) : file;
    int why = out->file ? 0 : errno;
    if (!file)
        close(number);
    if (!out->file && out->temporary)
        unlinkat(out->place.folder, out->temporary, 0);
    return why;
}

bool orr_output_is_swf(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcasecmp(path + length - 4, ".swf") == 0;
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
    if (out->file && out->temporary)
        unlinkat(out->place.folder, out->temporary, 0);
    if (out->terminal)
        fclose(out->terminal);
    orr_file_place_close(&out->place);
    free(out->temporary);
    free(out->path);
    free(out->bytes);
    *out = (output){.place.folder = -1};
}

/* Finds where the path leads. */
static orr_status locate(output *out, const char *path, orr_error *err)
{
    *out = (output){.place.folder = -1, .path = strdup(path)};
    int why = out->path && !is_stdout(path) ? orr_file_place_find(&out->place, path) : 0;
    bool is_direct = is_stdout(path) || out->place.is_special;
    if (out->path && why == 0 && !is_direct)
        out->temporary = orr_output_temporary(out->place.name);
    if (out->path && why == 0 && (is_direct || out->temporary))
        return ORR_OK;
    discard(out);
    return why == 0 ? orr_fail_memory(err, strlen(path)) : fail_io(path, why, err);
}

static orr_status open_output(output *out, const char *path, orr_error *err)
{
    *out = (output){.place.folder = -1};
    if (check_allowed(path, err) != ORR_OK)
        return err->status;
    if (send_elsewhere) {
        out->path = strdup(path);
        out->file = open_memstream(&out->bytes, &out->size);
        return out->file ? ORR_OK : orr_fail_memory(err, strlen(path));
    }
    if (locate(out, path, err) != ORR_OK)
        return err->status;
    int why = open_file(out);
    if (why == 0)
        return ORR_OK;
    discard(out);
    return fail_io(path, why, err);
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
    if (out->terminal) {
        orr_write_message(out->terminal, out->bytes, out->size);
        return fflush(out->terminal) == 0;
    }
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
    int folder = out->place.folder;
    if (written && out->temporary &&
        renameat(folder, out->temporary, folder, out->place.name) != 0) {
        written = false;
        out->why = errno;
    }
    orr_status status = written ? ORR_OK : fail_io(out->path, out->why, err);
    if (!written && out->temporary)
        unlinkat(folder, out->temporary, 0);
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

/* The write function of an output that was opened for pieces. */
static bool take_piece(void *user, const char *text, size_t size)
{
    output *out = user;
    if (out->why == 0)
        write_text(out, text, size);
    return true;
}

orr_output *orr_output_open(const char *path)
{
    orr_error err;
    output *out = send_elsewhere || is_refused ? NULL : malloc(sizeof *out);
    if (!out)
        return NULL;
    if (locate(out, path, &err) == ORR_OK && out->temporary && open_file(out) == 0)
        return out;
    orr_output_abandon(out);
    return NULL;
}

orr_sink orr_output_sink(orr_output *out)
{
    return (orr_sink){take_piece, out};
}

orr_status orr_output_finish(orr_output *out, orr_error *err)
{
    orr_status status = close_output(out, err);
    free(out);
    return status;
}

void orr_output_abandon(orr_output *out)
{
    if (out)
        discard(out);
    free(out);
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

/* Raises what would go wrong when a file is written there; a device or a pipe is not opened. */
static int check_place(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    output out;
    orr_error err;
    orr_lua_try(L, check_allowed(path, &err), &err);
    orr_lua_try(L, locate(&out, path, &err), &err);
    int why = 0;
    if (!out.place.is_special && !out.place.is_new &&
        faccessat(out.place.folder, out.place.name, W_OK, 0) != 0)
        why = errno;
    if (why == 0 && out.temporary)
        why = open_file(&out);
    discard(&out);
    orr_lua_try(L, why == 0 ? ORR_OK : fail_io(path, why, &err), &err);
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
    static const luaL_Reg functions[] = {{"write_file", write_file},
                                         {"replace_file", replace_file},
                                         {"temporary", temporary},
                                         {"check_place", check_place},
                                         {"check_writing", check_writing},
                                         {"scratch", scratch},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
