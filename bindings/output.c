#include "output.h"

#include "bindings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static orr_status fail_io(const char *path, orr_error *err)
{
    char why[128];
    return orr_fail(err, ORR_ERR_IO, "cannot write %s: %s", path,
                    strerror_r(errno, why, sizeof why));
}

static bool is_special(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

orr_status orr_output_open(orr_output *out, const char *path, orr_error *err)
{
    memset(out, 0, sizeof *out);
    size_t size = strlen(path) + sizeof ".tmp";
    out->path = strdup(path);
    if (!is_special(path) && (out->temporary = malloc(size)) != NULL)
        snprintf(out->temporary, size, "%s.tmp", path);
    if (!out->path || (!out->temporary && !is_special(path))) {
        orr_output_discard(out);
        return orr_fail_memory(err, size);
    }
    out->file = fopen(out->temporary ? out->temporary : path, "w");
    if (out->file)
        return ORR_OK;
    orr_status status = fail_io(path, err);
    free(out->temporary);
    out->temporary = NULL;
    orr_output_discard(out);
    return status;
}

bool orr_output_write(void *user, const char *text, size_t size)
{
    orr_output *out = user;
    return fwrite(text, 1, size, out->file) == size;
}

orr_status orr_output_close(orr_output *out, orr_error *err)
{
    bool written = fflush(out->file) == 0 && !ferror(out->file);
    if (written && out->temporary)
        written = fsync(fileno(out->file)) == 0;
    if (fclose(out->file) != 0)
        written = false;
    out->file = NULL;
    if (written && out->temporary)
        written = rename(out->temporary, out->path) == 0;
    orr_status status = written ? ORR_OK : fail_io(out->path, err);
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

static int write_file(lua_State *L)
{
    const char *path = luaL_checkstring(L, 1);
    size_t size;
    const char *text = luaL_checklstring(L, 2, &size);
    orr_output out;
    orr_error err;
    orr_status status = orr_output_open(&out, path, &err);
    if (status != ORR_OK)
        return orr_lua_raise(L, &err);
    bool written = orr_output_write(&out, text, size);
    status = orr_output_close(&out, &err);
    if (status != ORR_OK || !written)
        return orr_lua_raise(L, &err);
    return 0;
}

void orr_lua_open_output(lua_State *L)
{
    lua_pushcfunction(L, write_file);
    lua_setfield(L, -2, "write_file");
}
