/* A ranking from a file: made elsewhere, or by `embedscope rank --csv` or `--json`. */
#ifndef ES_CLI_RANKING_FILE_H
#define ES_CLI_RANKING_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "embedscope/status.h"

typedef struct es_ranking_file {
    size_t n;
    char **name;        /* (n) cleaned, unique, in the file's order */
    double *score;      /* (n) NaN where the cell is empty */
    double *dim;        /* (n) NaN where not said */
    bool lower;         /* lower is better: "lower_is_better" of a document */
    char *score_column; /* its heading */
} es_ranking_file;

/** NAME.json: a document with "ranking": [{"model", "score"}]. Else CSV: columns are found by their
 * headings: "model" (else the first), "score" (else the only other one but "rank" and "dim"), "dim"
 * where there is one; the rest is not looked at. ES_EFORMAT names the line: no such columns, an
 * empty or repeated name, text in place of a score, an infinity. */
es_status es_ranking_file_read(const char *path, es_ranking_file *out, es_error *err);
void es_ranking_file_deinit(es_ranking_file *file); /* all zero bytes is allowed */

#endif
