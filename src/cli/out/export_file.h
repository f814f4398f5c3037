/* What `export` makes of a finished document, and the file beside it. */
#ifndef ES_CLI_EXPORT_FILE_H
#define ES_CLI_EXPORT_FILE_H

#include "command.h"

#include "buf.h"

/** Only for an export: a finished document becomes what is written (md and tex get the note, tex
 *  becomes a file that compiles alone and by \input). `out` is empty before. */
void es_export_dress(const es_cli *cli, const es_buf *document, es_buf *out);

/** FILE.meta.json beside the -o FILE that was written. */
es_status es_export_write_meta(const es_cli *cli, es_error *err);

#endif
