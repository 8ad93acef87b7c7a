/* The manuals' entries for the fields that hooks see, read from the tables of these fields. */
#include "bindings/host/views.h"

#include <string.h>

static void push_text(lua_State *L, const orr_field_text *text)
{
    lua_createtable(L, 3, 1);
    lua_pushstring(L, text->name);
    lua_rawseti(L, -2, 1);
    lua_pushstring(L, text->type);
    lua_rawseti(L, -2, 2);
    lua_pushstring(L, *text->about ? text->about : NULL);
    lua_rawseti(L, -2, 3);
    lua_pushstring(L, text->unit);
    lua_setfield(L, -2, "unit");
}

int orr_lua_fields_seen(lua_State *L)
{
    const orr_view *const views[] = {
        &orr_views_of_jobs.sim,  &orr_views_of_jobs.item,  &orr_views_of_jobs.group,
        &orr_views_of_tasks.sim, &orr_views_of_tasks.item,
    };
    const char *class_name = luaL_checkstring(L, 1);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        if (strcmp(class_name, views[i]->class_name) != 0)
            continue;
        lua_newtable(L);
        for (const orr_field_text *text = views[i]->texts; text->name; text++) {
            push_text(L, text);
            lua_rawseti(L, -2, text - views[i]->texts + 1);
        }
        return 1;
    }
    return luaL_argerror(L, 1, "no class of values that hooks see");
}
