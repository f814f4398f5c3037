/* What a ranking comes to, in sentences one can act on. All sentences of the answer are made in
 * bottom_line.c, from the facts of a decision (es_decision). */
#ifndef ES_REPORT_BOTTOM_LINE_H
#define ES_REPORT_BOTTOM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base.h"
#include "core_ranking.h"
#include "engine_results.h"

/** The facts. */
typedef struct es_bottom_line_of {
    const es_decision *decision;
    const es_results *results; /* that it is of; NULL: dimensions and failures are not known */
    const char *const *name;   /* (m) */
    const double *width;       /* (m) shared dimensions; NaN: not known. NULL: of none */
    const char *score;         /* of a ranking that is not by lead: "published score" ... */
    bool default_known;        /* then: the default score is known, too */
    size_t known, of;          /* pairs; unequal while a run goes on */
    const es_words *grave;     /* findings that make values mean less than they seem to
                                  (es_pool_grave_list); NULL: none */
} es_bottom_line_of;

enum { ES_BOTTOM_STATEMENTS = 16 };

/** Kinds of statements; those of lower kinds are left out first for want of room. */
typedef enum es_statement {
    ES_STATEMENT_REST,   /* the reference, information and width, copies */
    ES_STATEMENT_NARROW, /* what would narrow it; how it agrees downstream */
    ES_STATEMENT_SET,    /* the candidates */
    ES_STATEMENT_FIRST,  /* which is first, or why none is */
    ES_STATEMENT_ADVICE, /* what to try */
    ES_STATEMENT_WARNING /* rows in different orders, missing values, damage */
} es_statement;

typedef struct es_bottom_line {
    char *sentence;
    size_t end[ES_BOTTOM_STATEMENTS]; /* (statements) bytes up to the end of each */
    es_statement kind[ES_BOTTOM_STATEMENTS];
    size_t statements;
    size_t first;       /* best of the ranking; SIZE_MAX: none can be named */
    uint32_t *best_set; /* (best_count) the candidates, best first; none if nothing can be said */
    size_t best_count;
    size_t advised;      /* so many at the front of best_set are worth trying: at most five */
    uint32_t *unrelated; /* (unrelated_count) outside the largest group; of no group if none is */
    size_t unrelated_count;
    const char *settled_by; /* what would narrow what is open: "rows", "kinds"; NULL: nothing is */
    double level;
} es_bottom_line;

es_status es_bottom_line_new(const es_bottom_line_of *of, es_bottom_line **out, es_error *err);
void es_bottom_line_free(es_bottom_line *line);

/** "A: 1st by information, 3rd by width (43 of its 100 dimensions are shared with other kinds)."
 *  Adds nothing if neither is known. */
void es_bottom_line_put_parts(const es_bottom_line_of *of, size_t embedder, es_buf *out);
/** "A is ahead of B by .021 ± .009 with 6 kinds as reference" or "no difference shown ...": the
 *  decision about two embedders, as one sentence. */
void es_bottom_line_put_pair(const es_bottom_line_of *of, size_t a, size_t b, es_buf *out);
/** Place of an embedder by width among those ranked, from 1; 0: not known. */
size_t es_bottom_line_width_rank(const es_decision *decision, const double *width, size_t embedder);

#endif
