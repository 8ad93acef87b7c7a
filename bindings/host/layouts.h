/* What Lua knows of a table beside its contents: how much room its two parts have, where it looks
 * for a free slot, and where it looks for the border first. The length of a table with holes
 * depends on it, so what a policy keeps must have the same layout in every simulation, and a copy
 * of a simulation the layout of the original.
 *
 * Lua's API does not show it: this file knows the structs of Lua 5.4 (its lobject.h), and looks
 * whether they are as expected before it reads them. */
#pragma once

#include <lua.h>
#include <stdbool.h>

typedef struct orr_layout_image orr_layout_image;
typedef struct orr_layout_borders orr_layout_borders;

/* Gives a state that has no tables with texts as keys yet the seed that all such get: where a text
 * is among the keys of a table would else depend on the clock and on addresses, and with it when
 * the table gets more room. */
void orr_layout_reseed(lua_State *L);

/* Functions for sandbox.lua. image(tables, functions, numbers): remembers these tables, and of each
 * function the upvalue with the number at the same position; nil: the structs are other ones.
 * altered(image): the position of the first table with another layout than it had; nil: none. */
int orr_layout_make_image(lua_State *L);
int orr_layout_altered(lua_State *L);

/* Whether everything in the image is as it was. A long text that is another one with the same bytes
 * counts as changed. */
bool orr_layout_is_same(const orr_layout_image *image);

/* The tables of the image whose border may move when they are read; NULL: there are none. They are
 * part of the image. Restoring moves it back. */
const orr_layout_borders *orr_layout_find_borders(const orr_layout_image *image);
void orr_layout_restore(const orr_layout_borders *borders);

/* Pushes an empty table of `to` with as much room as the one at `index` of `from` has. */
void orr_layout_push_like(lua_State *to, lua_State *from, int index);

/* Gives the table at `copy` of `to`, made as above and filled with copies of what the other one
 * holds, the rest of its layout. In the same Lua state texts must be the same ones, and the table
 * at `memo` holds the copy of a table under its address. */
void orr_layout_finish(lua_State *to, int copy, lua_State *from, int index, int memo);
