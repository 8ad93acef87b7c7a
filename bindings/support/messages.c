/* What is written to a terminal: one place that makes control sequences harmless. Files are
 * written by output.c, as they are. */
#include "bindings/support/messages.h"
#include "bindings/support/raise.h"

#include <lauxlib.h>

/* How many bytes of the text are a character that only shows something; 0: none. */
static size_t harmless(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    if (*c < 0x80)
        return (*c >= 0x20 && *c != 0x7f) || *c == '\n' || *c == '\t';
    size_t size = *c >= 0xf0 ? 4 : *c >= 0xe0 ? 3 : *c >= 0xc2 ? 2 : 0;
    size_t i = 1;
    while (i < size && (c[i] & 0xc0) == 0x80)
        i++;
    if (size == 0 || i < size)
        return *c >= 0xa0; /* no UTF-8: below are the control characters of Latin-1 */
    return *c == 0xc2 && c[1] < 0xa0 ? 0 : size;
}

void orr_write_message(FILE *to, const char *text, size_t size)
{
    for (const char *end = text + size; text < end;) {
        size_t good = 0, one;
        while (text + good < end && (one = harmless(text + good)) > 0)
            good += one;
        fwrite(text, 1, good, to);
        text += good;
        if (text < end)
            fprintf(to, "\\x%02x", (unsigned char)*text++);
    }
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
    fflush(stdout);
    return 0;
}

static int complain(lua_State *L)
{
    write_value(L, 1, stderr);
    putc('\n', stderr);
    return 0;
}

void orr_lua_open_messages(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"print", print}, {"complain", complain}, {"error_code", orr_lua_error_code}, {NULL, NULL}};
    luaL_setfuncs(L, functions, 0);
}
