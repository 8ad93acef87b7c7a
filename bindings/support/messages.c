/* Output to a terminal: only this file makes control sequences harmless. output.c writes files
 * unchanged. */
#include "bindings/support/messages.h"
#include "bindings/support/raise.h"

#include <errno.h>
#include <lauxlib.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct range {
    uint32_t first, last;
} range;

/* Characters that command a terminal or change the direction of text, except tabs and ends of
 * lines: C0, DEL and C1, and direction marks, which can make a line look like another one. */
static const range OBEYED[] = {
    {0x00, 0x08},     {0x0b, 0x1f},     {0x7f, 0x9f},     {0x61c, 0x61c},
    {0x200e, 0x200f}, {0x2028, 0x202e}, {0x2066, 0x2069},
};

/* The character that the text begins with and the count of its bytes; 0: this is no UTF-8, such as
 * a longer form than need be, or half of a pair. */
static size_t decode(const unsigned char *c, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    size_t size = *c < 0x80 ? 1 : *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : *c >= 0xc0 ? 2 : 0;
    *code = size == 1 ? *c : *c & (0x7fu >> size);
    for (size_t i = 1; i < size; i++) {
        if ((c[i] & 0xc0) != 0x80)
            return 0;
        *code = *code << 6 | (c[i] & 0x3f);
    }
    bool fine = *code >= least[size] && *code <= 0x10ffff && (*code < 0xd800 || *code > 0xdfff);
    return fine ? size : 0;
}

/* The number of bytes of the first character if it is harmless; 0: it is not. */
static size_t harmless(const char *text)
{
    uint32_t code;
    size_t size = decode((const unsigned char *)text, &code);
    for (size_t i = 0; i < sizeof OBEYED / sizeof OBEYED[0]; i++)
        if (code >= OBEYED[i].first && code <= OBEYED[i].last)
            return 0;
    return size;
}

/* Many characters at a time: a call of the operating system for each would take a policy that
 * prints beyond its time. */
void orr_write_message(FILE *to, const char *text, size_t size)
{
    char shown[4096];
    size_t used = 0;
    for (const char *end = text + size; text < end;) {
        size_t good = harmless(text);
        if (used + 5 > sizeof shown) {
            fwrite(shown, 1, used, to);
            used = 0;
        }
        for (size_t i = 0; i < good; i++)
            shown[used++] = text[i];
        if (good == 0)
            used += (size_t)snprintf(shown + used, 5, "\\x%02x", (unsigned char)*text);
        text += good > 0 ? good : 1;
    }
    fwrite(shown, 1, used, to);
}

static int output_errno; /* of the first write to standard output that failed */

int orr_flush_output(void)
{
    bool failed = fflush(stdout) != 0 || ferror(stdout);
    if (failed && output_errno == 0)
        output_errno = errno ? errno : EIO;
    return failed ? output_errno : 0;
}

static void write_value(lua_State *L, int index, FILE *to)
{
    size_t size;
    const char *text = luaL_tolstring(L, index, &size);
    orr_write_message(to, text, size);
    lua_pop(L, 1);
}

static int print(lua_State *L)
{
    int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            putchar('\t');
        write_value(L, i, stdout);
    }
    putchar('\n');
    orr_flush_output();
    return 0;
}

static int complain(lua_State *L)
{
    write_value(L, 1, stderr);
    putc('\n', stderr);
    return 0;
}

static int harmless_text(lua_State *L)
{
    size_t size, written;
    const char *text = luaL_checklstring(L, 1, &size);
    char *shown = NULL;
    FILE *to = open_memstream(&shown, &written);
    if (!to)
        return luaL_error(L, "not enough memory");
    orr_write_message(to, text, size);
    bool whole = fclose(to) == 0;
    if (whole)
        lua_pushlstring(L, shown, written);
    free(shown);
    return whole ? 1 : luaL_error(L, "not enough memory");
}

void orr_lua_open_messages(lua_State *L)
{
    static const luaL_Reg functions[] = {{"print", print},
                                         {"complain", complain},
                                         {"harmless", harmless_text},
                                         {"error_code", orr_lua_error_code},
                                         {"note_code", orr_lua_note_code},
                                         {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
