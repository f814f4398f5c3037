/* What tables of named columns are that are no embedders: those that this program writes, and
 * others about models. */
#include "io_readers.h"

#include <string.h>

enum { ROWS = 32, START = 1 << 20 }; /* looked at; a header of thousands of names is long */

typedef struct names {
    es_buf header; /* the cells of the first row, each with a NUL behind it */
    size_t next;   /* the one that the next row is to be called as */
    bool about_models, square;
} names;

/* Headers over names of models, or of what is said about models. */
static bool names_models(const char *name) {
    static const char *const known[] = {"model", "model_name", "models",   "embedder",
                                        "task",  "task_name",  "rank",     "source",
                                        "pool",  "measure",    "data set", "dataset"};
    char lower[16];
    size_t length = strlen(name);
    for (size_t i = 0; i <= length && length < sizeof lower; i++)
        lower[i] = es_ascii_lower(name[i]);
    return length < sizeof lower &&
           es_text_index(known, sizeof known / sizeof *known, lower) != SIZE_MAX;
}

static es_status take_name(es_cells *r, const char *text, size_t length) {
    names *n = r->sink;
    double value;
    if (r->row == 0) {
        bool number = es_cells_number(r->delimiter, text, length, &value);
        es_buf_add(&n->header, text, length);
        es_buf_putc(&n->header, '\0');
        if (r->column == 0) {
            n->next = length + 1;
            n->about_models = n->header.data && names_models(n->header.data);
        } else
            n->square = n->square && !number && length > 0;
        return es_buf_check(&n->header, NULL);
    }
    if (r->column > 0)
        return ES_OK;
    const char *name = n->next < n->header.length ? n->header.data + n->next : NULL;
    n->square = n->square && name && strlen(name) == length && memcmp(name, text, length) == 0;
    n->next += name ? strlen(name) + 1 : 0;
    return ES_OK;
}

static es_status end_row(es_cells *r) {
    (void)r;
    return ES_OK;
}

es_table_kind es_table_kind_of(const es_map *map, const char *path) {
    size_t size = map->size < START ? map->size : START;
    names n = {.square = true};
    es_table_kind kind = ES_TABLE_UNKNOWN;
    while (size < map->size && size > 0 && map->data[size - 1] != '\n')
        size--;
    es_cells r = {.label = "",
                  .delimiter = es_cells_delimiter_of(path, map->data, size),
                  .most_rows = ROWS,
                  .cell = take_name,
                  .end = end_row,
                  .sink = &n};
    if (size > 0 && es_cells_read(&r, map->data, size, path) == ES_OK && r.row > 1 &&
        r.columns > 1) {
        if (n.square)
            kind = ES_TABLE_OF_PAIRS;
        else if (n.about_models)
            kind = ES_TABLE_OF_MODELS;
    }
    es_buf_free(&n.header);
    return kind;
}
