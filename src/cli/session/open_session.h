/* Opening a session as the options ask, and waiting for it in the presence of Ctrl-C. */
#ifndef ES_CLI_SESSION_CLI_H
#define ES_CLI_SESSION_CLI_H

#include <stdbool.h>

#include "command.h"

#include "session.h"

typedef enum es_access {
    ES_ACCESS_SHOW,     /* what is stored; nothing is estimated or written */
    ES_ACCESS_ESTIMATE, /* with workers, for es_session_start */
    ES_ACCESS_MEASURE,  /* with workers for measures; pairs are shown as they are stored */
    ES_ACCESS_EXPLORE   /* the same; a folder without embedders opens, too: the explorer says so */
} es_access;

/** Opens the pool of the first argument, or the file of --matrix. ES_EINVAL: an estimator, a
 *  preset or a setting that does not exist. */
es_status es_cli_open(es_cli *cli, es_access access, bool with_pmi, es_session **out,
                      es_error *err);

/** A note, unless --quiet, when opening a store waits for another process. */
es_store_waiting es_cli_waiting(es_cli *cli);

/** Until the session is checked (ES_ACCESS_SHOW) or idle again after es_session_start, with
 *  progress. ES_ECANCELED after SIGINT, SIGTERM or SIGHUP (then cli->exit_code is 130, and finished
 *  pairs are kept); else the session's problem with its pool. */
es_status es_cli_wait(es_cli *cli, es_session *session, es_error *err);
/** The same where one embedder is enough. */
es_status es_cli_wait_checked(es_cli *cli, es_session *session, es_error *err);

/** ES_ACCESS_SHOW and es_cli_wait; *entry is the plan entry to show. ES_EEMPTY, with the command to
 *  run, when nothing is stored. */
es_status es_cli_open_stored(es_cli *cli, bool with_pmi, es_session **out, size_t *entry,
                             es_error *err);

/** The plan entry to show by default; ES_EEMPTY, with the command to run, when nothing is known. */
es_status es_cli_best(const es_cli *cli, const es_session *session, size_t *entry, es_error *err);

/** A note on stderr for each embedder that is left out. */
void es_cli_note_excluded(const es_cli *cli, es_session *session);

/** A note where an estimator takes binary embedders as continuous ones: that of the plan entry, or
 *  any of the plan for SIZE_MAX. */
void es_cli_note_kinds(const es_cli *cli, es_session *session, size_t entry);

#endif
