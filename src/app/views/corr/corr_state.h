/* What Corr has worked out. */
#ifndef ES_APP_CORR_STATE_H
#define ES_APP_CORR_STATE_H

#include "app_state.h"
#include "report.h"
#include "core_ranking.h"

/* How the list was last put in order. */
typedef struct es_corr_listed {
    uint64_t tag; /* of the set */
    bool sorted;
    es_correlation kind;
} es_corr_listed;

struct es_corr {
    size_t columns, tasks; /* columns of scores.csv, and with sums over them (report_answer.h) */
    size_t task;           /* selected */
    size_t *order;         /* (tasks) as listed */
    es_corr_listed listed;
    size_t *at;          /* (n) where the newest set has an item; ES_NONE */
    double *place;       /* (n) score of what the lists show, excluded points too; else NAN */
    size_t *point;       /* (n) items with both values, excluded ones too, by x */
    size_t points;       /* of the selected task */
    uint64_t tag;        /* of what was asked for last */
    uint64_t seen;       /* of the values that were asked about */
    bool drawing;        /* intervals were asked for */
    bool asking;         /* at this message */
    bool looked;         /* stored scores were looked for since Corr was opened */
    size_t *partner;     /* (n) row of scores.csv that is, or might be, the item's; ES_NONE */
    es_name_match *how;  /* (n) */
    bool *row_used;      /* (rows) joined exactly */
    size_t rows, joined; /* rows of scores.csv; exact or accepted */
    bool *counts;        /* (n) downstream (report_answer.h) */
    uint32_t *family;    /* (n) as there */
    const struct es_decision *grouped_by; /* the decision that says who is ranked */
    const es_results *grouped;            /* whose embedders these are; NULL: not known yet */
};

#endif
