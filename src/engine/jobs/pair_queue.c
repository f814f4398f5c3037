/* Whether each pair is up or leased, and sums a source and a band. A worker stays at its source
 * while no earlier band waits; the next source is looked for among all of them, under a mutex. */
#include <math.h>
#include <pthread.h>
#include <string.h>

#include "engine_jobs.h"

/* Of a pair. A leased one is not put up again before its owner knows how that ended: it would be
 * computed twice. */
enum { DOWN, UP, LEASED, AWAY };

/* Of an entry: by urgency, and stand-ins. */
enum { BANDS = ES_URGENCY_MOST + 2 };

/* All pairs of one source in one plan entry. */
typedef struct unit {
    size_t left;      /* up and free */
    unsigned workers; /* at it */
    bool shared;      /* so were others, of other processes */
    double cost_left;
    double rank; /* among the sources of its entry */
} unit;

struct es_pair_queue {
    pthread_mutex_t lock;
    es_cache *cache;
    size_t entries, m, offset, left, away;
    es_pair_costs costs;
    uint8_t *urgency; // (m)
    size_t *waiting;  // (entries, BANDS) pairs up of each band
    unit *units;      // (entries, 2 m), stand-ins last
    uint8_t *up;      // (entries, 2 m, m)
    uint8_t *held;    // the same
    double **targets; // (entries) (m, m) ranks, or NULL
};

void es_pair_queue_free(es_pair_queue *q) {
    if (!q)
        return;
    for (size_t e = 0; q->targets && e < q->entries; e++)
        es_free(q->targets[e]);
    pthread_mutex_destroy(&q->lock);
    es_free(q->urgency);
    es_free(q->waiting);
    es_free(q->units);
    es_free(q->up);
    es_free(q->held);
    es_free(q->targets);
    es_free(q);
}

/* By which the sources of an entry are distinguished: their own pair. */
static double source_cost(const es_pair_queue *q, size_t entry, size_t source) {
    return q->costs.of(q->costs.context, (es_lease){entry, source, source});
}

es_status es_pair_queue_new(size_t entries, size_t models, const es_pair_costs *costs,
                            size_t offset, es_cache *cache, es_pair_queue **out, es_error *err) {
    es_pair_queue *q = es_alloc_zero(1, sizeof *q);
    if (!q)
        return es_no_memory(err);
    pthread_mutex_init(&q->lock, NULL);
    q->cache = cache;
    q->entries = entries;
    q->m = models;
    q->offset = offset;
    q->costs = *costs;
    q->urgency = es_alloc_zero(models, 1);
    q->units = es_alloc_zero(entries * 2 * models, sizeof *q->units);
    q->up = es_alloc_zero(entries * 2 * models, models);
    q->held = es_alloc_zero(entries * 2 * models, models);
    q->targets = es_alloc_zero(entries, sizeof *q->targets);
    q->waiting = es_alloc_zero(entries * BANDS, sizeof *q->waiting);
    if (!q->urgency || !q->units || !q->up || !q->held || !q->targets || !q->waiting) {
        es_pair_queue_free(q);
        return es_no_memory(err);
    }
    for (size_t i = 0; i < entries * 2 * models; i++)
        q->units[i].rank = source_cost(q, i / (2 * models), i % models);
    *out = q;
    return ES_OK;
}

double es_pair_queue_cost(const es_pair_queue *q, es_lease pair) {
    pair.source %= q->m;
    return q->costs.of(q->costs.context, pair);
}

static unit *unit_of(es_pair_queue *q, size_t entry, size_t source) {
    return &q->units[entry * 2 * q->m + source];
}

static uint8_t *up_of(es_pair_queue *q, size_t entry, size_t source) {
    return &q->up[(entry * 2 * q->m + source) * q->m];
}

static uint8_t *held_of(es_pair_queue *q, es_lease pair) {
    return &q->held[(pair.entry * 2 * q->m + pair.source) * q->m + pair.target];
}

/* What decides before everything else: the entry, then the urgency. Lower is sooner. */
static size_t band_of(const es_pair_queue *q, size_t entry, size_t source) {
    size_t later =
        source < q->m ? (size_t)(ES_URGENCY_MOST - q->urgency[source]) : (size_t)BANDS - 1;
    return entry * BANDS + later;
}

static size_t band(const es_pair_queue *q, size_t at) {
    return band_of(q, at / (2 * q->m), at % (2 * q->m));
}

/* Up, or no longer. */
static void put_up(es_pair_queue *q, es_lease pair) {
    unit *u = unit_of(q, pair.entry, pair.source);
    up_of(q, pair.entry, pair.source)[pair.target] = UP;
    u->left++;
    u->cost_left += es_pair_queue_cost(q, pair);
    q->waiting[band_of(q, pair.entry, pair.source)]++;
    q->left++;
}

/* Takes a pair off the queue. */
static void take_off(es_pair_queue *q, es_lease pair, uint8_t state) {
    unit *u = unit_of(q, pair.entry, pair.source);
    up_of(q, pair.entry, pair.source)[pair.target] = state;
    u->left--;
    u->cost_left -= es_pair_queue_cost(q, pair);
    q->waiting[band_of(q, pair.entry, pair.source)]--;
    q->left--;
}

bool es_pair_queue_want(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    uint8_t *up = up_of(q, pair.entry, pair.source) + pair.target;
    bool added = *up == DOWN;
    if (added)
        put_up(q, pair);
    pthread_mutex_unlock(&q->lock);
    return added;
}

void es_pair_queue_ended(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    uint8_t *up = up_of(q, pair.entry, pair.source) + pair.target;
    if (*up == LEASED)
        *up = DOWN;
    *held_of(q, pair) = 0;
    pthread_mutex_unlock(&q->lock);
}

void es_pair_queue_drop(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    uint8_t *up = up_of(q, pair.entry, pair.source) + pair.target;
    if (*up == UP) {
        take_off(q, pair, DOWN);
    } else if (*up == AWAY) {
        *up = DOWN;
        q->away--;
    }
    pthread_mutex_unlock(&q->lock);
}

void es_pair_queue_clear(es_pair_queue *q) {
    pthread_mutex_lock(&q->lock);
    for (size_t i = 0; i < q->entries * 2 * q->m * q->m; i++)
        if (q->up[i] == UP || q->up[i] == AWAY)
            q->up[i] = DOWN;
    for (size_t i = 0; i < q->entries * 2 * q->m; i++) {
        q->units[i].left = 0;
        q->units[i].cost_left = 0;
    }
    memset(q->waiting, 0, q->entries * BANDS * sizeof *q->waiting);
    q->left = q->away = 0;
    pthread_mutex_unlock(&q->lock);
}

size_t es_pair_queue_left(es_pair_queue *q) {
    pthread_mutex_lock(&q->lock);
    size_t left = q->left;
    pthread_mutex_unlock(&q->lock);
    return left;
}

bool es_pair_queue_spent(es_pair_queue *q, size_t entry, size_t source) {
    pthread_mutex_lock(&q->lock);
    const unit *u = unit_of(q, entry, source);
    bool spent = u->left == 0 && u->workers == 0;
    pthread_mutex_unlock(&q->lock);
    return spent;
}

double es_pair_queue_cost_left(es_pair_queue *q, size_t entry) {
    double cost = 0;
    pthread_mutex_lock(&q->lock);
    for (size_t s = 0; s < 2 * q->m; s++)
        if (unit_of(q, entry, s)->left > 0)
            cost += unit_of(q, entry, s)->cost_left;
    pthread_mutex_unlock(&q->lock);
    return cost;
}

void es_pair_queue_urge(es_pair_queue *q, const uint8_t *urgency) {
    pthread_mutex_lock(&q->lock);
    for (size_t s = 0; s < q->m; s++)
        q->urgency[s] = !urgency                       ? 0
                        : urgency[s] > ES_URGENCY_MOST ? (uint8_t)ES_URGENCY_MOST
                                                       : urgency[s];
    memset(q->waiting, 0, q->entries * BANDS * sizeof *q->waiting);
    for (size_t i = 0; i < q->entries * 2 * q->m; i++)
        q->waiting[band(q, i)] += q->units[i].left;
    pthread_mutex_unlock(&q->lock);
}

es_status es_pair_queue_rank(es_pair_queue *q, size_t entry, const double *sources,
                             const double *targets, es_error *err) {
    double *copy = NULL;
    if (targets) {
        copy = es_alloc(q->m * q->m, sizeof *copy);
        if (!copy)
            return es_no_memory(err);
        memcpy(copy, targets, q->m * q->m * sizeof *copy);
    }
    pthread_mutex_lock(&q->lock);
    es_free(q->targets[entry]);
    q->targets[entry] = copy;
    for (size_t s = 0; s < q->m; s++)
        unit_of(q, entry, s)->rank = sources ? sources[s] : source_cost(q, entry, s);
    pthread_mutex_unlock(&q->lock);
    return ES_OK;
}

/* ---- leasing ---- */

/* Whether source s is to be taken before source t, of one band. */
static bool sooner(const unit *s, const unit *t) {
    if (s->shared != t->shared)
        return t->shared;
    if ((s->workers > 0) != (t->workers > 0))
        return s->workers == 0;
    if (s->workers > 0)
        return s->cost_left > t->cost_left;
    return s->rank > t->rank;
}

/* The best source with pairs left; SIZE_MAX when there is none. */
static size_t best_unit(es_pair_queue *q) {
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < q->entries * 2 * q->m; i++) {
        if (q->units[i].left == 0)
            continue;
        if (best == SIZE_MAX) {
            best = i;
            continue;
        }
        size_t mine = band(q, i), other = band(q, best);
        if (mine < other || (mine == other && sooner(&q->units[i], &q->units[best])))
            best = i;
    }
    return best;
}

/* The unit to take from next for a worker that is at unit `now` (or SIZE_MAX). */
static size_t choose_unit(es_pair_queue *q, size_t now) {
    size_t earlier = 0, own = now == SIZE_MAX || q->units[now].left == 0 ? SIZE_MAX : band(q, now);
    while (earlier < own && own != SIZE_MAX && q->waiting[earlier] == 0)
        earlier++;
    return earlier == own ? now : best_unit(q);
}

/* Where to begin among the targets of a source. Drawn anew for each source, so that two processes
 * that meet at one pair part at the next source instead of doing everything twice. */
static size_t first_target(const es_pair_queue *q, size_t entry, size_t source) {
    uint64_t id = (uint64_t)q->offset * 1000003u + entry * q->m + source;
    return q->offset ? (size_t)(es_rng_stream(ES_STREAM_SHUFFLE, id) % q->m) : 0;
}

/* A state that another worker is making would have to be waited for: such targets come last. With a
 * rank, by rank; else the first that is prepared, in turned order. */
static size_t choose_target(es_pair_queue *q, size_t entry, size_t source) {
    const uint8_t *up = up_of(q, entry, source);
    bool ranked = q->targets[entry] && source < q->m;
    const double *rank = ranked ? q->targets[entry] + source * q->m : NULL;
    size_t best = SIZE_MAX;
    double best_value = -INFINITY;
    int best_class = -1;
    size_t first = first_target(q, entry, source), t = first;
    for (size_t k = 0; k < q->m; k++, t = t + 1 == q->m ? 0 : t + 1) {
        if (up[t] != UP)
            continue;
        es_cache_presence presence =
            q->cache ? es_cache_look(q->cache, entry, ES_CACHE_TARGET, t) : ES_CACHE_ABSENT;
        if (presence == ES_CACHE_READY && !rank)
            return t;
        int class = presence != ES_CACHE_MAKING;
        double value = rank ? rank[t] : 0;
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
static size_t take(es_pair_queue *q, size_t now, es_lease *pair) {
    size_t row = 2 * q->m, next = choose_unit(q, now);
    if (next == SIZE_MAX)
        return next;
    unit *u = &q->units[next];
    if (next != now) {
        if (now != SIZE_MAX)
            q->units[now].workers--;
        u->workers++;
    }
    pair->entry = next / row;
    pair->source = next % row;
    pair->target = choose_target(q, pair->entry, pair->source);
    take_off(q, *pair, LEASED);
    return next;
}

bool es_pair_queue_lease(es_pair_queue *q, es_lease *pair) {
    pthread_mutex_lock(&q->lock);
    size_t now = pair->source == SIZE_MAX ? SIZE_MAX : pair->entry * 2 * q->m + pair->source;
    bool found = take(q, now, pair) != SIZE_MAX;
    pthread_mutex_unlock(&q->lock);
    return found;
}

/* ---- several processes ---- */

size_t es_pair_queue_ahead(es_pair_queue *q, es_lease pair, es_lease *out, size_t capacity) {
    size_t count = 0;
    pthread_mutex_lock(&q->lock);
    uint8_t *up = up_of(q, pair.entry, pair.source);
    for (out[count++] = pair; count < capacity; count++) {
        size_t target = choose_target(q, pair.entry, pair.source);
        if (target == SIZE_MAX)
            break;
        out[count] = (es_lease){pair.entry, pair.source, target};
        up[target] = LEASED; /* for a moment: the next choice is another */
    }
    size_t kept = 1;
    for (size_t k = 1; k < count; k++) {
        up[out[k].target] = UP;
        if (!*held_of(q, out[k]))
            out[kept++] = out[k];
    }
    pthread_mutex_unlock(&q->lock);
    return kept;
}

void es_pair_queue_hold(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    *held_of(q, pair) = 1;
    pthread_mutex_unlock(&q->lock);
}

bool es_pair_queue_is_held(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    bool held = *held_of(q, pair) != 0;
    pthread_mutex_unlock(&q->lock);
    return held;
}

void es_pair_queue_forget_held(es_pair_queue *q) {
    pthread_mutex_lock(&q->lock);
    memset(q->held, 0, q->entries * 2 * q->m * q->m);
    pthread_mutex_unlock(&q->lock);
}

void es_pair_queue_away(es_pair_queue *q, es_lease pair, bool leased) {
    pthread_mutex_lock(&q->lock);
    uint8_t *up = up_of(q, pair.entry, pair.source) + pair.target;
    if (*up == (leased ? LEASED : UP)) {
        if (!leased)
            take_off(q, pair, DOWN);
        *up = AWAY;
        q->away++;
    }
    pthread_mutex_unlock(&q->lock);
}

void es_pair_queue_back(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    if (up_of(q, pair.entry, pair.source)[pair.target] == AWAY) {
        put_up(q, pair);
        q->away--;
    }
    pthread_mutex_unlock(&q->lock);
}

size_t es_pair_queue_count_away(es_pair_queue *q) {
    pthread_mutex_lock(&q->lock);
    size_t away = q->away;
    pthread_mutex_unlock(&q->lock);
    return away;
}

size_t es_pair_queue_list_away(es_pair_queue *q, es_lease *out, size_t capacity) {
    size_t row = 2 * q->m * q->m, count = 0;
    pthread_mutex_lock(&q->lock);
    for (size_t i = 0; i < q->entries * row && q->away > 0 && count < capacity; i++)
        if (q->up[i] == AWAY)
            out[count++] = (es_lease){i / row, i % row / q->m, i % q->m};
    pthread_mutex_unlock(&q->lock);
    return count;
}

/* A source of the same band that nobody is known to be at. */
static bool has_free_unit(const es_pair_queue *q, size_t than) {
    for (size_t i = 0; i < q->entries * 2 * q->m; i++)
        if (i != than && q->units[i].left > 0 && q->units[i].workers == 0 && !q->units[i].shared &&
            band(q, i) == band(q, than))
            return true;
    return false;
}

bool es_pair_queue_may_yield(es_pair_queue *q, es_lease pair) {
    pthread_mutex_lock(&q->lock);
    bool may = has_free_unit(q, pair.entry * 2 * q->m + pair.source);
    pthread_mutex_unlock(&q->lock);
    return may;
}

bool es_pair_queue_yield(es_pair_queue *q, es_lease *pair) {
    pthread_mutex_lock(&q->lock);
    unit *u = unit_of(q, pair->entry, pair->source);
    bool yields = has_free_unit(q, pair->entry * 2 * q->m + pair->source);
    if (yields) {
        put_up(q, *pair);
        u->shared = true;
        u->workers--;
        pair->source = SIZE_MAX;
    }
    pthread_mutex_unlock(&q->lock);
    return yields;
}

/* ---- looking ahead ---- */

/* A pair taken while looking ahead, and how to put it back. */
typedef struct step {
    size_t from, to;  /* units */
    double cost_left; /* of `to`, before */
} step;

/* Puts a pair back at its place of the queue. */
static void put_back(es_pair_queue *q, const step *s, es_lease pair) {
    unit *u = &q->units[s->to];
    up_of(q, pair.entry, pair.source)[pair.target] = UP;
    u->left++;
    u->cost_left = s->cost_left;
    q->waiting[band(q, s->to)]++;
    q->left++;
    if (s->from != s->to) {
        u->workers--;
        if (s->from != SIZE_MAX)
            q->units[s->from].workers++;
    }
}

/* Units that workers are at; one of nowhere when there are none. */
static size_t find_workers(const es_pair_queue *q, size_t *at) {
    size_t count = 0;
    for (size_t i = 0; i < q->entries * 2 * q->m; i++)
        for (unsigned w = 0; w < q->units[i].workers && count < ES_PAIR_QUEUE_LOOK; w++)
            at[count++] = i;
    if (count == 0)
        at[count++] = SIZE_MAX;
    return count;
}

size_t es_pair_queue_next(es_pair_queue *q, es_lease *out, size_t capacity) {
    size_t at[ES_PAIR_QUEUE_LOOK], count = 0;
    step steps[ES_PAIR_QUEUE_LOOK];
    capacity = capacity < ES_PAIR_QUEUE_LOOK ? capacity : (size_t)ES_PAIR_QUEUE_LOOK;
    pthread_mutex_lock(&q->lock);
    size_t workers = find_workers(q, at);
    for (size_t w = 0; count < capacity; w = (w + 1) % workers) {
        size_t next = choose_unit(q, at[w]);
        if (next == SIZE_MAX)
            break;
        steps[count] = (step){at[w], next, q->units[next].cost_left};
        at[w] = take(q, at[w], &out[count++]);
    }
    for (size_t k = count; k-- > 0;)
        put_back(q, &steps[k], out[k]);
    pthread_mutex_unlock(&q->lock);
    return count;
}

void es_pair_queue_leave(es_pair_queue *q, es_lease pair) {
    if (pair.source == SIZE_MAX)
        return;
    pthread_mutex_lock(&q->lock);
    unit_of(q, pair.entry, pair.source)->workers--;
    pthread_mutex_unlock(&q->lock);
}

/* ---- pace ---- */

/* Sums that halve every so many seconds: long enough that a few pairs of one source, which are
 * alike, do not pass for all, short enough to see that the machine has become slower. */

static const double HALF_LIFE = 60;          /* seconds */
static const double MANY = 100, SETTLED = 5; /* pairs and seconds before gaps are judged */
static const double SHORT = 0.05, LEAST_BUSY = 0.2;
static const double STEP = 0.1, WINDOW = 20, LATE = 2;
_Static_assert(ES_LAPS > 200, "steps reach over the window");

void es_pace_add(es_pace *pace, double now, double work, double seconds) {
    double kept = pace->seconds > 0 ? exp2(-fmax(now - pace->at, 0) / HALF_LIFE) : 0;
    pace->elapsed = pace->pairs > 0 ? kept * pace->elapsed + fmax(now - pace->at, 0) : 0;
    pace->work = kept * pace->work + work;
    pace->seconds = kept * pace->seconds + seconds;
    pace->pairs = kept * pace->pairs + 1;
    pace->at = now;
}

/* The share of time that threads spend in pairs; 1 until many short pairs have ended. Pairs under
 * way are not counted as time spent, so long ones say nothing of it. */
static double busy_share(const es_pace *pace, double threads) {
    bool known = pace->pairs >= MANY && pace->elapsed >= SETTLED &&
                 pace->seconds < SHORT * pace->pairs * pace->elapsed;
    return known ? fmin(1, fmax(LEAST_BUSY, pace->seconds / (threads * pace->elapsed))) : 1;
}

/* Work a second of the part, or of the nearest that has begun; 0: there is none. */
static double rate_of(const es_pace *pace, size_t part, size_t parts, double threads) {
    const es_pace *of = NULL;
    for (size_t i = part + 1; i-- > 0 && !of;)
        of = pace[i].seconds > 0 ? &pace[i] : NULL;
    for (size_t i = part + 1; i < parts && !of; i++)
        of = pace[i].seconds > 0 ? &pace[i] : NULL;
    return of ? busy_share(of, threads) * of->work / of->seconds : 0;
}

double es_pace_left(const es_pace *pace, const double *left, size_t parts, double threads) {
    double sum = 0;
    for (size_t i = 0; i < parts; i++) {
        double rate = left[i] > 0 ? rate_of(pace, i, parts, threads) : 1;
        if (!(rate > 0) || !(threads > 0))
            return (double)NAN;
        sum += left[i] / rate;
    }
    return sum / threads;
}

void es_laps_add(es_laps *laps, double now, size_t part) {
    if (part != laps->part) {
        if (part < laps->part && now - laps->last < LATE)
            return;
        *laps = (es_laps){.part = part, .since = laps->last};
    }
    laps->last = now;
    if (laps->n == 0 || now - laps->time[(laps->n - 1) % ES_LAPS] >= STEP) {
        laps->time[laps->n % ES_LAPS] = now;
        laps->pairs[laps->n++ % ES_LAPS] = 0;
    }
    laps->pairs[(laps->n - 1) % ES_LAPS]++;
}

double es_laps_rate(const es_laps *laps, double now) {
    double from = fmax(now - WINDOW, laps->since);
    size_t kept = laps->n < ES_LAPS ? laps->n : ES_LAPS, pairs = 0;
    for (size_t k = 1; k <= kept && laps->time[(laps->n - k) % ES_LAPS] >= from; k++)
        pairs += laps->pairs[(laps->n - k) % ES_LAPS];
    return pairs > 0 ? (double)pairs / fmax(now - from, STEP) : 0;
}
