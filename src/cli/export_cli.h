/* What `export` adds to the document of a command: which embedders are written, a note on the
 * others, the look of a picture, and the file beside it that says how to make it again. */
#ifndef ES_CLI_EXPORT_CLI_H
#define ES_CLI_EXPORT_CLI_H

#include <stdbool.h>
#include <stddef.h>

#include "command.h"

#include "figure.h"

#include "buf.h"
#include "embedscope/session.h"

struct es_export {
    const char *view;        /* "ranking" */
    es_output_format format; /* in force */
    es_session *session;     /* borrowed; NULL until it is open, and for a ranking from a file */
    size_t entry;
    bool *shown;                 /* (m) of the entry's results */
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

/** The picture of a format that is one. */
es_picture es_picture_of(es_output_format format);

/** The look that the options ask for. `note` holds the small print and must outlive the style. A
 *  --width that says nothing is a usage error. */
es_status es_export_style(es_cli *cli, es_buf *note, es_figure_style *out, es_error *err);

/** The ends of the colours that --limits asks for; NaN without it. What are no two numbers, the
 * lower first, is a usage error. */
es_status es_export_limits(es_cli *cli, double *low, double *high, es_error *err);

/** Only for an export: a finished document becomes what is written (md and tex get the note, tex
 *  becomes a file that compiles alone and by \input). `out` is empty before. */
void es_export_dress(const es_cli *cli, const es_buf *document, es_buf *out);

/** FILE.meta.json beside the -o FILE that was written. */
es_status es_export_write_meta(const es_cli *cli, es_error *err);

#endif
