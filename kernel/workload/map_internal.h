/* Maps: the meaning of the columns of a CSV, given by the caller. Not a public header.
 *
 * A map is a text, "submit=adt,procs=nnumr,runtime=duration:min": a field of a job, the name of the
 * column in the header, and behind a colon the unit of a number or the format of a date. In a name
 * or format a backslash escapes a comma, a colon or a backslash. reader.h lists fields and
 * units. */
#pragma once

#include "formats_internal.h"

enum { ORI_MOST_MAPPED = 16 };

typedef struct ori_map {
    ori_dialect dialect;
    ori_column columns[ORI_MOST_MAPPED];
    ori_type types[ORI_MOST_MAPPED];
    char text[1024]; /* names and formats, each with a zero */
} ori_map;

/* ORR_ERR_ARGUMENT for a text that is no map. */
orr_status ori_map_read(ori_map *map, const char *text, orr_error *err);
