/* The manuals' entries for the fields that hooks see, read from the tables of these fields. */
#include "bindings/host/views.h"

#include <string.h>

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
        orr_lua_push_texts(L, views[i]->texts);
        return 1;
    }
    return luaL_argerror(L, 1, "no class of values that hooks see");
}
