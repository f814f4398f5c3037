/* What a ranking comes to, in words one can act on. */
#ifndef ES_REPORT_BOTTOM_LINE_H
#define ES_REPORT_BOTTOM_LINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "decision.h"
#include "results.h"
#include "words.h"

/** What is said of. */
typedef struct es_bottom_line_of {
    const es_decision *decision;
    const es_results *results; /* that it is of; NULL: nothing is said of single pairs */
    const es_results *beside; /* others of these embedders, as those of the published score: what is
                                 related by them is; NULL: none */
    const char *const *name;  /* (m) */
    const char *const *family; /* (m) of pool.json, NULL entries; NULL: none. "control": noise */
    size_t families;           /* that the targets are of */
    bool named;                /* they are those of pool.json, else communities */
    bool own_communities;      /* the tree shows those by another estimator */
    bool others_only;          /* targets of one's own family do not judge (--leave-family-out) */
    bool series;               /* or series, which are no sample of kinds */
    const char *score;         /* "predictive", "published" */
    size_t known, of;          /* pairs; unequal while a run goes on */
    bool so_far;               /* a run goes on */
    const es_words *grave;     /* what makes values mean less than they seem to
                                  (es_pool_grave_list); NULL: nothing */
} es_bottom_line_of;

enum { ES_BOTTOM_STATEMENTS = 12 };

/** What a statement is, by how soon it may be left out for want of room. */
typedef enum es_statement {
    ES_STATEMENT_REMEDY,  /* what would settle it; how it agrees downstream */
    ES_STATEMENT_ADVICE,  /* what to try */
    ES_STATEMENT_WORSE,   /* who is clearly worse */
    ES_STATEMENT_SET,     /* who may be the best */
    ES_STATEMENT_WARNING, /* what cannot be said; whose rows may be in another order */
    ES_STATEMENT_FIRST    /* who is first, or why nobody is */
} es_statement;

typedef struct es_bottom_line {
    char *sentence;
    size_t end[ES_BOTTOM_STATEMENTS]; /* (statements) bytes up to the end of each: where one can
                                         stop for want of room. The first says who is first */
    es_statement kind[ES_BOTTOM_STATEMENTS];
    size_t statements;
    size_t first;               /* of the ranking; SIZE_MAX: nothing is ranked */
    uint32_t *best_set, *worse; /* (best_count), (worse_count) best first */
    size_t best_count;          /* that may be the best, the first among them */
    size_t worse_count;         /* not among them, and separated from the first, behind it */
    uint32_t *ahead;            /* (ahead_count) separated from the first, and before it: over the
                                   targets that judge both, which its score is not over */
    size_t ahead_count;
    uint32_t *unrelated; /* (unrelated_count) of which no other embedder says anything, nor they
                            of any: their rows may be in another order. Controls are none. Where
                            they are half of the others or more, nothing is said of who is worse */
    size_t unrelated_count, of_unrelated; /* the embedders that are no controls */
    const char *settled_by; /* what would settle what is open: "rows", "families"; NULL:
                               nothing is open, nothing within reach would, or it is
                               not known what would */
    bool too_close;         /* more than one may be the best, and no number of rows or families
                               within reach would tell any of them from the first, as of copies */
    double level;
} es_bottom_line;

es_status es_bottom_line_new(const es_bottom_line_of *of, es_bottom_line **out, es_error *err);
void es_bottom_line_free(es_bottom_line *line);

#endif
