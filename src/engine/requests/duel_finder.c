/* Nearest rows of a pool's embedders for duels, found when they are asked for and kept. One lock
 * an embedder, so that the next question waits for one scan of a standing at most. */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "engine_place.h"
#include "engine_requests.h"

enum { TRIES = 500 /* draws on which two embedders may agree, one after the other */ };
static const size_t KEPT = (size_t)256 << 20; /* bytes of spaces; beyond, they are made again */

typedef struct candidate {
    pthread_mutex_t lock; /* around all of it */
    size_t item;
    es_duel_space space;  /* n 0: not kept */
    uint32_t *row, *near; /* (count) found so far */
    size_t count;
} candidate;

struct es_duel_finder {
    const es_pool *pool; /* outlives it */
    atomic_uint owners;
    atomic_size_t kept;
    size_t k;
    candidate *of; /* (k) */
};

static void candidate_deinit(candidate *e) {
    es_duel_space_deinit(&e->space);
    es_free(e->row);
    es_free(e->near);
    (void)pthread_mutex_destroy(&e->lock);
}

es_status es_duel_finder_new(const es_pool *pool, const size_t *item, size_t k,
                             es_duel_finder **out, es_error *err) {
    es_duel_finder *f = es_alloc_zero(1, sizeof *f);
    candidate *of = es_alloc_zero(k, sizeof *of);
    if (!f || !of) {
        es_free(f);
        es_free(of);
        return es_no_memory(err);
    }
    f->pool = pool;
    f->k = k;
    f->of = of;
    atomic_init(&f->owners, 1);
    atomic_init(&f->kept, 0);
    for (size_t i = 0; i < k; i++) {
        of[i].item = item[i];
        (void)pthread_mutex_init(&of[i].lock, NULL);
    }
    *out = f;
    return ES_OK;
}

es_duel_finder *es_duel_finder_hold(es_duel_finder *finder) {
    atomic_fetch_add(&finder->owners, 1);
    return finder;
}

void es_duel_finder_free(es_duel_finder *finder) {
    if (!finder || atomic_fetch_sub(&finder->owners, 1) > 1)
        return;
    for (size_t i = 0; i < finder->k; i++)
        candidate_deinit(&finder->of[i]);
    es_free(finder->of);
    es_free(finder);
}

size_t es_duel_finder_count(const es_duel_finder *finder) {
    return finder->k;
}

size_t es_duel_finder_item(const es_duel_finder *finder, size_t embedder) {
    return finder->of[embedder].item;
}

size_t es_duel_finder_rows(const es_duel_finder *finder) {
    return es_pool_all_rows(finder->pool);
}

/* ---- neighbours ---- */

static size_t find_known(const candidate *e, uint32_t row) {
    size_t i = 0;
    while (i < e->count && e->row[i] != row)
        i++;
    return i;
}

/* Keeps the space if there is room. */
static void keep_space(es_duel_finder *f, candidate *e, es_duel_space *space) {
    size_t bytes = es_duel_space_bytes(space);
    if (atomic_fetch_add(&f->kept, bytes) + bytes <= KEPT) {
        e->space = *space;
        *space = (es_duel_space){0};
    } else {
        atomic_fetch_sub(&f->kept, bytes);
    }
}

static es_status grow(candidate *e, size_t more, es_error *err) {
    uint32_t *row = es_realloc(e->row, e->count + more, sizeof *row);
    if (row)
        e->row = row;
    uint32_t *near = row ? es_realloc(e->near, e->count + more, sizeof *near) : NULL;
    if (near)
        e->near = near;
    return near ? ES_OK : es_no_memory(err);
}

/* Finds those of `row` that are not known yet. */
static es_status scan(es_duel_finder *f, candidate *e, const uint32_t *row, size_t count,
                      const es_run *run, es_error *err) {
    es_status st = ES_OK;
    es_duel_space made = {0};
    es_rows rows;
    size_t more = 0;
    ES_TRY(grow(e, count, err));
    for (size_t i = 0; i < count; i++) {
        size_t j = 0;
        while (j < e->count + more && e->row[j] != row[i])
            j++;
        if (j == e->count + more)
            e->row[e->count + more++] = row[i];
    }
    if (more == 0)
        return ES_OK;
    ES_TRY(es_pool_file_rows_of(f->pool, e->item, &rows, err));
    if (e->space.n == 0) {
        ES_TRY(es_duel_space_new(&rows, run, &made, err));
        keep_space(f, e, &made);
    }
    ES_TRY(es_duel_nearest(e->space.n > 0 ? &e->space : &made, &rows, e->row + e->count, more, run,
                           e->near + e->count, err));
    e->count += more;
done:
    es_pool_rest(f->pool, e->item);
    es_duel_space_deinit(&made);
    return st;
}

es_status es_duel_finder_nearest(es_duel_finder *finder, size_t embedder, const uint32_t *row,
                                 size_t count, const es_run *run, uint32_t *out, es_error *err) {
    candidate *e = &finder->of[embedder];
    pthread_mutex_lock(&e->lock);
    es_status st = scan(finder, e, row, count, run, err);
    for (size_t i = 0; st == ES_OK && i < count; i++)
        out[i] = e->near[find_known(e, row[i])];
    pthread_mutex_unlock(&e->lock);
    return st;
}

/* ---- questions ---- */

/* Was the row asked about, or, when all rows have been, the very question? */
static bool was_asked(const es_duel_question *asked, size_t count, const es_duel_question *q,
                      bool first_round) {
    for (size_t i = 0; i < count; i++) {
        bool same = (asked[i].left == q->left && asked[i].right == q->right) ||
                    (asked[i].left == q->right && asked[i].right == q->left);
        if (asked[i].row == q->row && (first_round || same))
            return true;
    }
    return false;
}

es_status es_duel_finder_next(es_duel_finder *finder, const es_duel_order *order,
                              const es_duel_question *asked, size_t count, uint64_t from,
                              const es_run *run, es_duel_question *out, es_error *err) {
    es_status st = ES_OK;
    size_t tries = 0;
    for (uint64_t at = from; tries < TRIES && at < from + 2 * order->rows + TRIES; at++) {
        es_duel_draw draw = es_duel_order_at(order, at);
        es_duel_question q = {.row = draw.row, .at = at};
        if (at < order->rows && was_asked(asked, count, &q, true))
            continue;
        tries++;
        ES_TRY(es_run_check(run, err));
        ES_TRY(es_duel_finder_nearest(finder, draw.left, &q.row, 1, run, &q.left, err));
        ES_TRY(es_duel_finder_nearest(finder, draw.right, &q.row, 1, run, &q.right, err));
        if (q.left == q.right || q.left == ES_DUEL_NONE || q.right == ES_DUEL_NONE ||
            (at >= order->rows && was_asked(asked, count, &q, false)))
            continue;
        *out = q;
        return ES_OK;
    }
    st = es_fail(err, ES_EEMPTY,
                 "no question is left: on the rows looked at, the embedders propose the same "
                 "neighbours");
done:
    return st;
}

es_status es_duel_finder_sides(es_duel_finder *finder, const es_duel_question *question,
                               size_t count, const es_run *run, int8_t *side, es_error *err) {
    es_status st = ES_OK;
    uint32_t *row = es_alloc(2 * count + 1, sizeof *row), *near = row ? row + count : NULL;
    if (!row)
        return es_no_memory(err);
    for (size_t t = 0; t < count; t++)
        row[t] = question[t].row;
    for (size_t i = 0; i < finder->k; i++) {
        ES_TRY(es_duel_finder_nearest(finder, i, row, count, run, near, err));
        for (size_t t = 0; t < count; t++)
            side[t * finder->k + i] =
                (int8_t)((near[t] == question[t].left) - (near[t] == question[t].right));
    }
done:
    es_free(row);
    return st;
}

/* ---- answers ---- */

/* The answers of a pool: its duels.csv, and the user's where the pool cannot be written. */

es_status es_duel_answers_read(const es_pool *pool, es_duel_list *out, es_error *err) {
    char *place[2] = {NULL, NULL};
    es_duel_list all = {0}, more = {0};
    if (!es_pool_path(pool))
        return ES_OK;
    es_status st = es_duels_places(es_pool_path(pool), place, err);
    for (int i = 0; i < 2 && st == ES_OK && place[i]; i++) {
        es_error why = {0};
        st = es_duel_list_read(place[i], 0, es_pool_all_rows(pool), &more, &why);
        if (st == ES_OK)
            st = es_duel_list_append(&all, &more, err);
        else
            st = st == ES_ENOTFOUND ? ES_OK : es_fail(err, st, "%s", why.message);
    }
    es_free(place[0]);
    es_free(place[1]);
    if (st == ES_OK)
        *out = all;
    else
        es_duel_list_deinit(&all);
    return st;
}

es_status es_duel_answers_edit(const es_pool *pool, const es_duel_line *line, bool remove,
                               es_error *err) {
    char *path = NULL;
    if (!es_pool_path(pool))
        return es_fail(err, ES_EUNSUPPORTED, "matrices in memory have no folder for duels.csv");
    es_status st = es_duels_place_write(es_pool_path(pool), &path, err);
    if (st == ES_OK)
        st = es_duel_list_edit(path, line, remove, err);
    es_free(path);
    return st;
}
