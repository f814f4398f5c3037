/* Which embedders an export writes, and the note on the others. */
#ifndef ES_CLI_EXPORT_NOTE_H
#define ES_CLI_EXPORT_NOTE_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

#include "buf.h"
#include "json.h"
#include "picture_colours.h"
#include "session.h"

/** The pools of a document over several, while they are open. */
typedef struct es_export_pools {
    const void *what;
    size_t count;
    es_session *(*session)(const void *what, size_t k, const char **name);
    void (*json)(const es_cli *cli, const void *what, es_json *json); /* as in the document */
} es_export_pools;

struct es_export {
    const char *view;        /* "ranking" */
    es_output_format format; /* in force */
    es_session *session;     /* borrowed; NULL until it is open, and for a ranking from a file */
    size_t entry;
    es_export_pools several; /* count 0: there is one, or none */
    bool measures;           /* numbers are those of measures, not of the entry's estimator */
    bool *shown;             /* (m) of the entry's results */
    bool themed;             /* a picture has these colours */
    es_picture_colours colours;
    size_t pools;                /* arguments before the view */
    const char *const *compared; /* (n_compared) names, for the view `compare` */
    size_t n_compared;
};

/** The session is open: settles which embedders --show and --hide leave. Nothing without an export.
 *  A pattern that matches nothing is a usage error, as is one that leaves nothing. */
es_status es_export_attach(es_cli *cli, es_session *session, size_t entry, es_error *err);
void es_export_deinit(es_export *export);

/** Is the embedder at `position` of the results written? Always, without an export. */
bool es_export_shows(const es_cli *cli, size_t position);

/** Which results these are, who is hidden and who is excluded and why; one paragraph. */
void es_export_note(const es_cli *cli, es_buf *out);

/** The results that are written; NULL for a ranking from a file. */
const es_results *es_export_results(const es_export *export);

#endif
