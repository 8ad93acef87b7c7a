/* Maps: the meaning of columns, given by the caller, as a layer over what a reader knows of them.
 * Not a public header.
 *
 * A map is a text, "submit=adt,procs=nnumr,runtime=duration:min": a field of a job, the name of the
 * column in the header, and behind a colon the unit of a number or the format of a date. In a name
 * or format a backslash escapes a comma, a colon or a backslash. reader.h lists fields and units.
 * Filters of rows are columns of a map, too: "State=COMPLETED|FAILED,User!=root". */
#pragma once

#include "records_internal.h"

enum { ORI_MOST_MAPPED = 48 };

typedef struct ori_map {
    int count;  /* of columns, those of filters behind the others */
    int fields; /* without filters */
    ori_column columns[ORI_MOST_MAPPED];
    ori_type types[ORI_MOST_MAPPED];
    size_t used;                         /* bytes of */
    char text[1024];                     /* names, formats and words, each with a zero */
    char shares[2 * ORR_MOST_NEEDS][64]; /* names of columns of needs, of a node or a processor */
} ori_map;

/* Reads a map, and filters of rows; each may be NULL. pool: names of columns that a file may have;
 * nodes: also NAME_per_node and NAME_per_proc. twice: a field may stand several times.
 * ORR_ERR_ARGUMENT for a text that is none. */
orr_status ori_map_read(ori_map *map, const char *columns, const char *rows, const orr_pool *pool,
                        int32_t pools, bool nodes, bool twice, orr_error *err);

/* The field of a record with this name; SIZE_MAX: there is none. */
size_t ori_map_field(const char *name, size_t size);

bool ori_map_has(const ori_map *map, size_t field);

/* ORR_ERR_ARGUMENT where a log of which nothing else is known would have jobs without processors or
 * runtime. */
orr_status ori_map_check(const ori_map *map, orr_error *err);

/* The columns of a map in a file. One column of the file may fill several fields. */
typedef struct ori_layer {
    const ori_map *map;                    /* NULL: no layer */
    int32_t place[ORI_MOST_MAPPED];        /* the file's column of each, from 0; -1: none */
    unsigned char next[ORI_MOST_MAPPED];   /* another one of the same column, from 1; 0: none */
    unsigned char first[ORI_MOST_COLUMNS]; /* by the file's column: the first, from 1; 0: none */
    enum { ORI_CLOCK_UNKNOWN, ORI_CLOCK_SECONDS, ORI_CLOCK_DATES } clock; /* of submissions */
} ori_layer;

/* Before the first name of a header; and for each name. */
void ori_layer_open(ori_layer *layer, const ori_map *map);
void ori_layer_add(ori_layer *layer, int32_t place, const char *name, size_t size);

/* The name of a column that the file does not have; NULL: it has all. */
const char *ori_layer_missing(const ori_layer *layer);

/* The file's column that fills a field of the record, -1 for none. */
int32_t ori_layer_place(const ori_layer *layer, size_t field);

/* Reads the text of a column of the file into the fields that it fills, as ori_reader_of_type
 * says. */
orr_status ori_layer_read(const ori_layer *layer, int32_t place, const char *text, size_t size,
                          ori_record *record, const char **expected, orr_error *err);

/* Completes a record from its starts and ends; all submissions are dates, or none is. */
void ori_layer_complete(ori_layer *layer, ori_record *record);
