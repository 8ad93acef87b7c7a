/* Where a path leads: a folder, which stays open, and a name in it. The way there is gone name by
 * name, so that nobody can put a link in between. */
#pragma once

#include <limits.h>
#include <stdbool.h>

typedef struct orr_file_place {
    int folder; /* to be closed; -1: none */
    char name[NAME_MAX + 1];
    bool is_special, is_new; /* neither: a regular file */
    int flags;               /* for openat of what is special */
} orr_file_place;

enum { ORR_PLACE_OF_OTHERS = -1 };

/* Returns 0, an errno, or ORR_PLACE_OF_OTHERS: the name is a link that others may have put there.
 * The last name is no link where others can write, whoever made it; those before it are the user's
 * or root's there. */
int orr_file_place_find(orr_file_place *place, const char *path);

void orr_file_place_close(orr_file_place *place);
