/* Duels: a person decides between embedders. A question is a row and two other rows, each of them
 * the nearest neighbour of the row by one of two embedders that disagree; the answer says which is
 * nearer in meaning. Pure: no files, no threads. */
#ifndef ES_CORE_DUEL_H
#define ES_CORE_DUEL_H

#include "core_numerics.h"

/** What a person says of a question. */
typedef enum es_duel_choice {
    ES_DUEL_OPEN,  /* not answered */
    ES_DUEL_LEFT,  /* the left row is nearer */
    ES_DUEL_RIGHT, /* the right row is nearer */
    ES_DUEL_EQUAL  /* neither, or both */
} es_duel_choice;
/** "", "left", "right", "=". */
const char *es_duel_choice_name(es_duel_choice choice);
/** Reads left, right, =, h, l, 1, 2, both, neither in any case, and "" for an open one. False: the
 *  text is none of these. */
bool es_duel_choice_parse(const char *text, es_duel_choice *out);
/** The share of the answer that goes to the left row: 1, 0 or 1/2. NaN of an open one. */
double es_duel_choice_left(es_duel_choice choice);

/* ---- Neighbours ---- */

#define ES_DUEL_NONE UINT32_MAX

/** What a search for neighbours needs to know of an embedder: cosine similarity of standardised
 *  columns. Columns that are constant count nothing. */
typedef struct es_duel_space {
    size_t n, d;
    double *mean, *weight; /* (d) of a column; 1/variance, 0 of a constant column */
    double *norm;          /* (n) length of a row; 0: it has no direction, or values that are not
                              finite, and is nobody's neighbour */
} es_duel_space;

/** Reads all rows twice. Columns are summed in double over the rows with finite values alone.
 *  ES_ENOMEM, ES_ECANCELED, errors of reading. O(nd). */
es_status es_duel_space_new(const es_rows *rows, const es_run *run, es_duel_space *out,
                            es_error *err);
void es_duel_space_deinit(es_duel_space *space); /* all zero bytes is allowed */
/** Bytes that it holds. */
size_t es_duel_space_bytes(const es_duel_space *space);

/** Finds the nearest other row of each of `row` (count, below n); of equally near ones the first.
 *  out (count): ES_DUEL_NONE for a row without a direction. Sums in double; the result of a row
 *  does not depend on what else is asked. Reads all rows once: O(n d count). Errors as above. */
es_status es_duel_nearest(const es_duel_space *space, const es_rows *rows, const uint32_t *row,
                          size_t count, const es_run *run, uint32_t *out, es_error *err);

/* ---- Questions ---- */

/** The order in which questions are drawn: all rows in a random order, again and again, with a
 *  random pair of embedders each. A draw whose two embedders agree is skipped by the caller, so
 *  that questions are a random sample of all (row, pair) on which two embedders disagree. Pairs are
 *  not chosen by how often they disagree: that favours embedders with odd neighbours. */
typedef struct es_duel_order {
    uint64_t seed;
    size_t rows, embedders;
    uint32_t *row; /* (rows) permutation */
} es_duel_order;

typedef struct es_duel_draw {
    uint32_t row;
    uint32_t left, right; /* embedders, different ones */
} es_duel_draw;

/** rows >= 3, embedders >= 2. ES_EINVAL; ES_ENOMEM. */
es_status es_duel_order_new(uint64_t seed, size_t rows, size_t embedders, es_duel_order *out,
                            es_error *err);
void es_duel_order_deinit(es_duel_order *order); /* all zero bytes is allowed */
/** Draw number `at`, from 0. Depends on seed, rows, embedders and `at` alone. */
es_duel_draw es_duel_order_at(const es_duel_order *order, uint64_t at);

/* ---- What the answers say ---- */

/** One answered question: who proposed what, and the share of the answer for the left row (0..1;
 *  the mean over people who answered the same question). */
typedef struct es_duel_answer {
    const int8_t *side; /* (k) 1: the embedder proposes the left row, -1: the right, 0: neither */
    double left;
} es_duel_answer;

/** Share of people's answers that may be wrong by chance: the intervals allow for it. */
#define ES_DUEL_WRONG 0.1
/** Confidence of intervals and of what is out. */
#define ES_DUEL_LEVEL 0.95

/** Shares (0..1) of answers, each split into what was won, lost and even: 1 is won, 0 is lost, 1/2
 *  even, 3/4 half won and half even. */
typedef struct es_duel_tally {
    double won, lost, even;
} es_duel_tally;
void es_duel_tally_add(es_duel_tally *tally, double share);
double es_duel_tally_share(const es_duel_tally *tally); /* the mean; NaN: of nothing */

/** Interval of the mean share that is valid whenever one stops (confidence sequence). All m are in
 *  it at which a mixture of bets against m has not won 1 / (1 - level):
 *      K(m) = integral over p in 0..1 of prod_t (1 + (p - m) / (m (1 - m)) (x_t - m)),
 *  for answers that are 0 or 1 Robbins's mixture of likelihood ratios with a uniform prior (Ville
 *  1939; Robbins 1970, Annals of Mathematical Statistics 41, 1397-1409); for any values between 0
 *  and 1 a nonnegative martingale (Waudby-Smith and Ramdas 2024, JRSS B 86, 1-27, section 4). Each
 *  end is moved to where it would be if up to ES_DUEL_WRONG of the answers were exchanged at
 * random, which only widens. [0, 1] without answers. O(1). */
void es_duel_interval(const es_duel_tally *tally, double level, double *low, double *high);

/** Evidence that a mean share is above 1/2, from what was won and lost: the mixture of bets
 *      integral over b in 0..1 of (1 + b)^won (1 - b)^lost,
 *  which under "at most 1/2" exceeds x at any time with probability 1/x at most. 1 without
 *  answers. */
double es_duel_evidence(double won, double lost);

/** Arrays are by embedder. */
typedef struct es_duel_standing {
    size_t k;
    size_t *answers; /* (k) questions in which it proposed one of the two rows, against another */
    double *net;     /* (k) won less lost */
    double *share;   /* (k) mean share of them; NaN: none */
    double *low, *high; /* (k) of the share of all questions that it would win */
    double *against;    /* (k) evidence against it */
    bool *out;          /* (k) the evidence is 1 / (1 - level) or more */
    uint32_t *order;    /* (k) first who has won the most above what it lost; those that are out
                           last; equal ones by `place` */
    size_t left;        /* that are not out: at least one */
    size_t counted;     /* answers in which embedders were on different sides */
} es_duel_standing;

/** An answer counts for all that proposed its row, against all that proposed the other.
 *
 *  Half of the evidence against an embedder is that it wins less than half of its questions, half
 *  that another wins more than half of its duels against it (the mean over all others). So one that
 *  wins at least half and loses to nobody is out, at any time, with probability 1 - level at most.
 *  The first in the order is never out.
 *
 *  place (k): the order to begin with; NULL: as they are. k >= 2. O(count k² + k²). ES_ENOMEM. */
es_status es_duel_standing_new(const es_duel_answer *answers, size_t count, size_t k, double level,
                               const uint32_t *place, es_duel_standing *out, es_error *err);
void es_duel_standing_deinit(es_duel_standing *standing); /* all zero bytes is allowed */

/** How far two people agree. */
typedef struct es_duel_agreement {
    size_t count;        /* questions that both answered */
    double equal, kappa; /* share of equal answers; Cohen's kappa (1960); NaN: none in common, or
                            both gave one and the same answer throughout */
} es_duel_agreement;
/** a, b (count): answers to the same questions; pairs with an open one are skipped. */
es_duel_agreement es_duel_agree(const es_duel_choice *a, const es_duel_choice *b, size_t count);

#endif
