/* Opening a pool without silence: text files are gone through once to know their rows, which takes
 * long where they are large. */
#ifndef ES_CLI_OPENING_H
#define ES_CLI_OPENING_H

#include "command.h"
#include "session.h"
#include "embedscope/status.h"

/** What is opened: a pool's folder, or a finished matrix. */
typedef struct es_opening {
    const char *path;
    const es_session_options *options; /* of a pool; NULL: a matrix */
    const es_matrix_files *matrix;
    bool screen; /* the explorer shows how far it is */
} es_opening;

/** es_session_open, or es_session_open_matrix, in a thread of its own. Meanwhile the explorer shows
 *  how far it is and can be left (screen), a terminal has a line about it, and a program around us
 *  is asked whether to stop: then ES_ECANCELED. */
es_status es_opening_run(es_cli *cli, es_opening *what, es_session **out, es_error *err);

#endif
