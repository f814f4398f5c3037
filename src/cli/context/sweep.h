/* --sweep KEY=V,V: values that settings run through, and every combination of them. */
#ifndef ES_CLI_SWEEP_H
#define ES_CLI_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

enum { ES_SWEEP_AXES = 4, ES_SWEEP_POINTS = 64, ES_SWEEP_TEXT = 96 };

/** One combination. */
typedef struct es_sweep_point {
    char text[ES_SWEEP_AXES][ES_SWEEP_TEXT];   /* "modes=4" each */
    const char *setting[ES_SWEEP_AXES + 1];    /* NULL-terminated, into text */
    char label[ES_SWEEP_AXES * ES_SWEEP_TEXT]; /* "modes=4 folds=5" */
} es_sweep_point;

/** Does --sweep name settings to run through? Else it names trained embedders. */
bool es_sweep_asked(const es_options *options);

/** Usage errors: no KEY=VALUE, a setting or a value twice, more than ES_SWEEP_AXES settings. */
es_status es_sweep_check(es_cli *cli, es_error *err);
/** How many combinations there are; 1 without --sweep. Usage errors: as above, and more than
 *  ES_SWEEP_POINTS combinations. */
es_status es_sweep_count(es_cli *cli, size_t *out, es_error *err);
/** Combination `at`; the first setting changes fastest. */
void es_sweep_at(const es_options *options, size_t at, es_sweep_point *out);

#endif
