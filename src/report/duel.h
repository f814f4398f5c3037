/* What people's answers show of the candidates (core_duel.h), and its sentences. */
#ifndef ES_REPORT_DUEL_H
#define ES_REPORT_DUEL_H

#include "answer.h"
#include "core_duel.h"
#include "engine_requests.h"

/** Whom the questions are about: embedders of the pool. */
typedef struct es_duel_candidates {
    size_t k;
    size_t *item;    /* (k) of the pool, ascending */
    uint32_t *place; /* (k) in the ranking, or as they are */
} es_duel_candidates;

/** Whom to ask about, best first: the candidates for the best or, where the ranking names none, the
 *  first five of it that are no copies. out: room for five and for the candidates; positions in the
 *  results that were decided on. Returns how many. */
size_t es_duel_choose(const es_bottom_line *line, const es_decision *decision, uint32_t *out);
/** Those of an answer. ES_EEMPTY: there are fewer than two. */
es_status es_duel_candidates_of_answer(const es_answer *answer, es_duel_candidates *out,
                                       es_error *err);
/** All embedders of the pool that are in use. ES_EEMPTY likewise. */
es_status es_duel_candidates_of_pool(const es_pool *pool, es_duel_candidates *out, es_error *err);
/** Those of `item` (k), best first. ES_EEMPTY likewise. */
es_status es_duel_candidates_new(const size_t *item, size_t k, es_duel_candidates *out,
                                 es_error *err);
void es_duel_candidates_deinit(es_duel_candidates *candidates); /* all zero bytes is allowed */

/** Two people who answered the same questions. */
typedef struct es_duel_people {
    size_t a, b; /* of es_duel_report.person */
    es_duel_agreement agreement;
} es_duel_people;

typedef struct es_duel_report {
    const char **name; /* (standing.k) borrowed from the pool */
    es_duel_standing standing;
    size_t answers;       /* that were given */
    size_t questions;     /* that they are about; of several answers to one the mean counts */
    es_words person;      /* who answered; one, perhaps without a name */
    es_duel_people *pair; /* (pairs) */
    size_t pairs;
    size_t more; /* answers like these until one candidate is left, about; SIZE_MAX: not known */
    char *sentence;
} es_duel_report;

/** Reads who proposed what from the embedders. lists (n): answers; their labels name people where a
 *  line does not, if there are several lists. place (k of the finder). Errors of
 *  es_duel_finder_sides. */
es_status es_duel_report_new(es_duel_finder *finder, const es_pool *pool, const uint32_t *place,
                             const es_duel_list *lists, size_t n, const es_run *run,
                             es_duel_report **out, es_error *err);
void es_duel_report_free(es_duel_report *report); /* NULL is allowed */

/** "After 14 answers: bge is ahead of e5 for your rows (.71 [.52, .86]); gte is out.", then what is
 *  left and when to stop. */
void es_duel_put(const es_duel_report *report, es_buf *out);
/** The same of an answer's candidates and the pool's own answers, for other documents; nothing if
 *  there are none, or too few candidates. */
es_status es_duel_put_of_pool(es_session *session, const es_answer *answer, const es_run *run,
                              es_buf *out, es_error *err);

/* In the background of a session. */

/** Finds the next question after draw `from`, about a row that is neither in the pool's answers nor
 *  in `held` (count, copied). The finder is held. */
es_status es_duel_ask_start(es_session *session, es_duel_finder *finder,
                            const es_duel_question *held, size_t count, uint64_t from, uint64_t tag,
                            es_error *err);
/** Returns the newest that es_session_pump has delivered, with its tag; NULL: none. why->code is
 *  ES_OK, or says why there is no question. */
const es_duel_question *es_duel_asked(const es_session *session, uint64_t *tag,
                                      const es_error **why);
/** Reads the pool's answers and says what they come to. place (k of the finder) is copied. */
es_status es_duel_count_start(es_session *session, es_duel_finder *finder, const uint32_t *place,
                              uint64_t tag, es_error *err);
/** Likewise. */
const es_duel_report *es_duel_counted(const es_session *session, uint64_t *tag,
                                      const es_error **why);

#endif
