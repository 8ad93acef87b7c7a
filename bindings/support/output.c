/* Files that are there whole or not at all: all that is written goes through here. */
#include "bindings/support/output.h"
#include "bindings/support/raise.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static orr_status fail_io(const char *path, int why, orr_error *err)
{
    char text[128];
    return orr_fail(err, ORR_ERR_IO, "cannot write %s: %s", path,
                    strerror_r(why, text, sizeof text));
}

orr_status orr_output_fail(const orr_output *out, orr_error *err)
{
    return fail_io(out->path, out->why, err);
}

static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

/* The file that a link leads to; a name that is not there yet, as it is. */
static char *final_path(const char *path)
{
    char *real = realpath(path, NULL);
    return real ? real : strdup(path);
}

static char *temporary_path(const char *path)
{
    size_t size = strlen(path) + 32;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s.%ld.tmp", path, (long)getpid());
    return text;
}

orr_status orr_output_open(orr_output *out, const char *path, orr_error *err)
{
    memset(out, 0, sizeof *out);
    out->path = is_special(path) ? strdup(path) : final_path(path);
    char *temporary = out->path && !is_special(path) ? temporary_path(out->path) : NULL;
    if (!out->path || (!temporary && !is_special(path))) {
        orr_output_discard(out);
        return orr_fail_memory(err, strlen(path));
    }
    out->file = fopen(temporary ? temporary : out->path, temporary ? "wx" : "w");
    if (out->file) {
        out->temporary = temporary;
        return ORR_OK;
    }
    orr_status status = fail_io(out->path, errno, err);
    free(temporary);
    orr_output_discard(out);
    return status;
}

bool orr_output_write(void *user, const char *text, size_t size)
{
    orr_output *out = user;
    if (fwrite(text, 1, size, out->file) == size)
        return true;
    out->why = errno;
    return false;
}

/* Flushes, and for a file of our own waits until it is on the disk. */
static bool complete(orr_output *out)
{
    return fflush(out->file) == 0 && !ferror(out->file) &&
           (!out->temporary || fsync(fileno(out->file)) == 0);
}

orr_status orr_output_close(orr_output *out, orr_error *err)
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
    orr_status status = written ? ORR_OK : orr_output_fail(out, err);
    if (written) {
        free(out->temporary);
        out->temporary = NULL;
    }
    orr_output_discard(out);
    return status;
}

void orr_output_discard(orr_output *out)
{
    if (out->file)
        fclose(out->file);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    free(out->path);
    memset(out, 0, sizeof *out);
}

orr_status orr_output_write_file(const char *path, const char *text, size_t size, orr_error *err)
{
    orr_output out;
    orr_status status = orr_output_open(&out, path, err);
    if (status != ORR_OK)
        return status;
    if (orr_output_write(&out, text, size))
        return orr_output_close(&out, err);
    status = orr_output_fail(&out, err);
    orr_output_discard(&out);
    return status;
}

orr_status orr_output_write_by(const char *path, orr_output_writer write, const void *user,
                               orr_error *err)
{
    orr_output out;
    orr_status status = orr_output_open(&out, path, err);
    if (status != ORR_OK)
        return status;
    orr_sink sink = {orr_output_write, &out};
    status = write(user, &sink, err);
    if (status == ORR_ERR_IO)
        orr_output_fail(&out, err); /* which says where and why */
    if (status == ORR_OK)
        status = orr_output_close(&out, err);
    orr_output_discard(&out);
    return status;
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

void orr_lua_open_output(lua_State *L)
{
    lua_pushcfunction(L, write_file);
    lua_setfield(L, -2, "write_file");
}
