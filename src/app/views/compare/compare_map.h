/* Compare's other face: the rows of two embedders on a plane each, the same row under the cursor in
 * both, or those of one embedder alone. The document of `embedscope map` is asked for in the
 * background (ES_FX_MAP) and read here.
 */
#ifndef ES_APP_COMPARE_MAP_H
#define ES_APP_COMPARE_MAP_H

#include "app_state.h"
#include "json.h"

enum { ES_MAP_SIDES = 2 };

/** One row in the order of the cursor: what the first captures alone comes first, what the second
 *  does last; without such values, group by group. */
typedef struct es_map_row {
    double at[ES_MAP_SIDES][2]; /* x and y */
    double difference;          /* NaN: not known */
    size_t number, group;       /* group ES_NONE: of none */
    const char *id, *text;      /* in the document; never NULL */
} es_map_row;

typedef struct es_compare_map {
    size_t item[ES_MAP_SIDES]; /* that it is of, or is being made of; ES_NONE behind the last */
    size_t sides;              /* how many of them */
    es_phase phase;            /* of the run when it was asked for */
    bool asking;
    char *problem;      /* why there is none; NULL: there is, or it is being made */
    es_json_doc *doc;   /* NULL: nothing is known */
    const char *by;     /* NULL: there are no groups */
    es_map_row *row;    /* (rows) */
    size_t rows, of;    /* a sample of so many */
    bool evaluated;     /* which are the ones with values per row */
    const char **group; /* (groups) names */
    size_t groups;
    const char **column; /* (columns) what rows can be coloured by */
    size_t columns;
    char asked_by[ES_APP_LINE];    /* of the settings when it was asked for */
    double share[ES_MAP_SIDES][2]; /* of the variance; NaN */
    size_t line;                   /* under the cursor */
} es_compare_map;

/** The two that are mapped, or the one, with ES_NONE behind it; how many. 0: there is nothing. */
size_t es_compare_map_of(const es_app *app, size_t item[ES_MAP_SIDES]);
/** What rows are to be coloured by; "": what there is first. */
const char *es_compare_map_by(const es_app *app);
/** The document, of `item` as it was asked for, or why there is none. */
void es_app_map_known(es_app *app, const char *json, size_t length);
void es_app_map_failed(es_app *app, const char *why);
void es_compare_map_ask(es_app *app, es_effects *effects);
bool es_compare_map_shown(const es_app *app);
/** The column to colour by after the one that is shown, round; "": what there is first. */
const char *es_compare_map_next(const es_app *app);
/** The sides that are drawn: the first, and how many. */
size_t es_compare_map_sides(const es_app *app, size_t *first);
/** The first row of the group before or behind that of the cursor. */
void es_compare_map_group(es_app *app, bool next);
void es_compare_map_free(es_app *app);

#endif
