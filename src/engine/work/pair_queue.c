#include "pair_queue.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "alloc.h"
#include "rng.h"

/* What a pair costs besides the product of its dimensions, in dimensions. */
enum { COST_FLOOR = 32 };

/* All pairs of one source in one plan entry. */
typedef struct unit {
    size_t left;      /* up and unclaimed */
    unsigned workers; /* at it */
    double cost_left;
    double rank; /* among the sources of its entry */
} unit;

struct es_pair_queue {
    pthread_mutex_t lock;
    es_cache *cache;
    size_t entries, m, offset, left;
    double *cost;      // (m) of a dimension count
    uint8_t *urgency;  // (m)
    unit *units;       // (entries, 2 m), stand-ins last
    uint8_t *up;       // (entries, 2 m, m)
    double **targets;  // (entries) (m, m) ranks, or NULL
    uint8_t *presence; // (2 m) scratch
};

void es_pair_queue_free(es_pair_queue *b) {
    if (!b)
        return;
    for (size_t e = 0; b->targets && e < b->entries; e++)
        es_free(b->targets[e]);
    pthread_mutex_destroy(&b->lock);
    es_free(b->cost);
    es_free(b->urgency);
    es_free(b->units);
    es_free(b->up);
    es_free(b->targets);
    es_free(b->presence);
    es_free(b);
}

es_status es_pair_queue_new(size_t entries, size_t models, const size_t *dim, size_t offset,
                            es_cache *cache, es_pair_queue **out, es_error *err) {
    es_pair_queue *b = es_alloc_zero(1, sizeof *b);
    if (!b)
        return es_no_memory(err);
    pthread_mutex_init(&b->lock, NULL);
    b->cache = cache;
    b->entries = entries;
    b->m = models;
    b->offset = offset;
    b->cost = es_alloc(models, sizeof *b->cost);
    b->urgency = es_alloc_zero(models, 1);
    b->units = es_alloc_zero(entries * 2 * models, sizeof *b->units);
    b->up = es_alloc_zero(entries * 2 * models, models);
    b->targets = es_alloc_zero(entries, sizeof *b->targets);
    b->presence = es_alloc_zero(2 * models, 1);
    if (!b->cost || !b->urgency || !b->units || !b->up || !b->targets || !b->presence) {
        es_pair_queue_free(b);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < models; i++)
        b->cost[i] = (double)dim[i] + COST_FLOOR;
    for (size_t i = 0; i < entries * 2 * models; i++)
        b->units[i].rank = b->cost[i % models];
    *out = b;
    return ES_OK;
}

double es_pair_queue_cost(const es_pair_queue *b, size_t source, size_t target) {
    return b->cost[source % b->m] * b->cost[target];
}

static unit *unit_of(es_pair_queue *b, size_t entry, size_t source) {
    return &b->units[entry * 2 * b->m + source];
}

static uint8_t *up_of(es_pair_queue *b, size_t entry, size_t source) {
    return &b->up[(entry * 2 * b->m + source) * b->m];
}

bool es_pair_queue_want(es_pair_queue *b, es_claim pair) {
    pthread_mutex_lock(&b->lock);
    uint8_t *up = up_of(b, pair.entry, pair.source) + pair.target;
    bool added = !*up;
    if (added) {
        unit *u = unit_of(b, pair.entry, pair.source);
        *up = 1;
        u->left++;
        u->cost_left += es_pair_queue_cost(b, pair.source, pair.target);
        b->left++;
    }
    pthread_mutex_unlock(&b->lock);
    return added;
}

void es_pair_queue_clear(es_pair_queue *b) {
    pthread_mutex_lock(&b->lock);
    memset(b->up, 0, b->entries * 2 * b->m * b->m);
    for (size_t i = 0; i < b->entries * 2 * b->m; i++) {
        b->units[i].left = 0;
        b->units[i].cost_left = 0;
    }
    b->left = 0;
    pthread_mutex_unlock(&b->lock);
}

size_t es_pair_queue_left(es_pair_queue *b) {
    pthread_mutex_lock(&b->lock);
    size_t left = b->left;
    pthread_mutex_unlock(&b->lock);
    return left;
}

bool es_pair_queue_spent(es_pair_queue *b, size_t entry, size_t source) {
    pthread_mutex_lock(&b->lock);
    const unit *u = unit_of(b, entry, source);
    bool spent = u->left == 0 && u->workers == 0;
    pthread_mutex_unlock(&b->lock);
    return spent;
}

double es_pair_queue_cost_left(es_pair_queue *b, size_t entry) {
    double cost = 0;
    pthread_mutex_lock(&b->lock);
    for (size_t s = 0; s < 2 * b->m; s++)
        if (unit_of(b, entry, s)->left > 0)
            cost += unit_of(b, entry, s)->cost_left;
    pthread_mutex_unlock(&b->lock);
    return cost;
}

void es_pair_queue_urge(es_pair_queue *b, const uint8_t *urgency) {
    pthread_mutex_lock(&b->lock);
    for (size_t s = 0; s < b->m; s++)
        b->urgency[s] = !urgency                       ? 0
                        : urgency[s] > ES_URGENCY_MOST ? (uint8_t)ES_URGENCY_MOST
                                                       : urgency[s];
    pthread_mutex_unlock(&b->lock);
}

es_status es_pair_queue_rank(es_pair_queue *b, size_t entry, const double *sources,
                             const double *targets, es_error *err) {
    double *copy = NULL;
    if (targets) {
        copy = es_alloc(b->m * b->m, sizeof *copy);
        if (!copy)
            return es_no_memory(err);
        memcpy(copy, targets, b->m * b->m * sizeof *copy);
    }
    pthread_mutex_lock(&b->lock);
    es_free(b->targets[entry]);
    b->targets[entry] = copy;
    for (size_t s = 0; s < b->m; s++)
        unit_of(b, entry, s)->rank = sources ? sources[s] : b->cost[s];
    pthread_mutex_unlock(&b->lock);
    return ES_OK;
}

/* ---- claiming ---- */

/* What decides before everything else: the entry, then the urgency. Lower is sooner. */
static size_t band(const es_pair_queue *b, size_t at) {
    size_t entry = at / (2 * b->m), source = at % (2 * b->m);
    size_t later = source < b->m ? (size_t)(ES_URGENCY_MOST - b->urgency[source])
                                 : (size_t)ES_URGENCY_MOST + 1;
    return entry * (ES_URGENCY_MOST + 2) + later;
}

/* Whether source s is to be taken before source t, of one band. */
static bool sooner(const unit *s, const unit *t) {
    if ((s->workers > 0) != (t->workers > 0))
        return s->workers == 0;
    if (s->workers > 0)
        return s->cost_left > t->cost_left;
    return s->rank > t->rank;
}

/* The best source with pairs left; SIZE_MAX when there is none. */
static size_t best_unit(es_pair_queue *b) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < b->entries * 2 * b->m; i++) {
        if (b->units[i].left == 0)
            continue;
        if (best == SIZE_MAX) {
            best = i;
            continue;
        }
        size_t mine = band(b, i), other = band(b, best);
        if (mine < other || (mine == other && sooner(&b->units[i], &b->units[best])))
            best = i;
    }
    return best;
}

/* The unit to take from next for a worker that is at unit `now` (or SIZE_MAX). */
static size_t choose_unit(es_pair_queue *b, size_t now) {
    size_t best = best_unit(b);
    if (now == SIZE_MAX || best == SIZE_MAX || b->units[now].left == 0)
        return best;
    return band(b, best) < band(b, now) ? best : now;
}

/* Where to begin among the targets of a source. Drawn anew for each source, so that two processes
 * that meet at one pair part at the next source instead of doing everything twice. */
static size_t first_target(const es_pair_queue *b, size_t entry, size_t source) {
    uint64_t id = (uint64_t)b->offset * 1000003u + entry * b->m + source;
    return b->offset ? (size_t)(es_rng_stream(ES_STREAM_SHUFFLE, id) % b->m) : 0;
}

/* A state that another worker is making would have to be waited for: such targets come last. With a
 * rank, by rank; else prepared ones first, in turned order. */
static size_t choose_target(es_pair_queue *b, size_t entry, size_t source) {
    const uint8_t *up = up_of(b, entry, source);
    bool ranked = b->targets[entry] && source < b->m;
    const double *rank = ranked ? b->targets[entry] + source * b->m : NULL;
    size_t best = SIZE_MAX;
    double best_value = -INFINITY;
    int best_class = -1;
    if (b->cache)
        es_cache_look(b->cache, entry, ES_CACHE_TARGET, b->presence);
    size_t first = first_target(b, entry, source);
    for (size_t k = 0; k < b->m; k++) {
        size_t t = (k + first) % b->m;
        if (!up[t])
            continue;
        int class = b->presence[t] != ES_CACHE_MAKING;
        double value = rank ? rank[t] : b->presence[t] == ES_CACHE_READY;
        if (class > best_class || (class == best_class && value > best_value)) {
            best = t;
            best_class = class;
            best_value = value;
        }
    }
    return best;
}

/* Takes the next pair for a worker at unit `now` (or SIZE_MAX). Returns the unit, SIZE_MAX when
 * nothing is left. */
static size_t take(es_pair_queue *b, size_t now, es_claim *pair) {
    size_t row = 2 * b->m, next = choose_unit(b, now);
    if (next == SIZE_MAX)
        return next;
    unit *u = &b->units[next];
    if (next != now) {
        if (now != SIZE_MAX)
            b->units[now].workers--;
        u->workers++;
    }
    pair->entry = next / row;
    pair->source = next % row;
    pair->target = choose_target(b, pair->entry, pair->source);
    up_of(b, pair->entry, pair->source)[pair->target] = 0;
    u->left--;
    u->cost_left -= es_pair_queue_cost(b, pair->source, pair->target);
    b->left--;
    return next;
}

bool es_pair_queue_claim(es_pair_queue *b, es_claim *pair) {
    pthread_mutex_lock(&b->lock);
    size_t now = pair->source == SIZE_MAX ? SIZE_MAX : pair->entry * 2 * b->m + pair->source;
    bool found = take(b, now, pair) != SIZE_MAX;
    pthread_mutex_unlock(&b->lock);
    return found;
}

/* ---- looking ahead ---- */

/* A pair taken while looking ahead, and how to put it back. */
typedef struct step {
    size_t from, to;  /* units */
    double cost_left; /* of `to`, before */
} step;

static void put_back(es_pair_queue *b, const step *s, es_claim pair) {
    unit *u = &b->units[s->to];
    up_of(b, pair.entry, pair.source)[pair.target] = 1;
    u->left++;
    u->cost_left = s->cost_left;
    b->left++;
    if (s->from != s->to) {
        u->workers--;
        if (s->from != SIZE_MAX)
            b->units[s->from].workers++;
    }
}

/* Units that workers are at; one of nowhere when there are none. */
static size_t find_workers(const es_pair_queue *b, size_t *at) {
    size_t count = 0;
    for (size_t i = 0; i < b->entries * 2 * b->m; i++)
        for (unsigned w = 0; w < b->units[i].workers && count < ES_PAIR_QUEUE_LOOK; w++)
            at[count++] = i;
    if (count == 0)
        at[count++] = SIZE_MAX;
    return count;
}

size_t es_pair_queue_next(es_pair_queue *b, es_claim *out, size_t capacity) {
    size_t at[ES_PAIR_QUEUE_LOOK], count = 0;
    step steps[ES_PAIR_QUEUE_LOOK];
    capacity = capacity < ES_PAIR_QUEUE_LOOK ? capacity : (size_t)ES_PAIR_QUEUE_LOOK;
    pthread_mutex_lock(&b->lock);
    size_t workers = find_workers(b, at);
    for (size_t w = 0; count < capacity; w = (w + 1) % workers) {
        size_t next = choose_unit(b, at[w]);
        if (next == SIZE_MAX)
            break;
        steps[count] = (step){at[w], next, b->units[next].cost_left};
        at[w] = take(b, at[w], &out[count++]);
    }
    for (size_t k = count; k-- > 0;)
        put_back(b, &steps[k], out[k]);
    pthread_mutex_unlock(&b->lock);
    return count;
}

void es_pair_queue_leave(es_pair_queue *b, es_claim pair) {
    if (pair.source == SIZE_MAX)
        return;
    pthread_mutex_lock(&b->lock);
    unit_of(b, pair.entry, pair.source)->workers--;
    pthread_mutex_unlock(&b->lock);
}
