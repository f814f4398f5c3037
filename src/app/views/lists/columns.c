/* Columns of the two tables: what they are called, how wide they are, what they say. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app_lists.h"
#include "app_state.h"
#include "app_values.h"

enum {
    AS_TEXT = -1,     /* in place of decimals */
    TITLE_MOST = 8,   /* columns below which a title is worth room for its arrow */
    FAMILY_MOST = 14, /* columns of a family's name */
    NAME_ROOM = 34,   /* columns of an embedder's name that others give way for */
    LEAST_TOLD = 9    /* the priority of columns that a whole name is worth more than */
};

/* Keys, titles, widths, when they give way, alignment, biggest first when sorted. */
static const es_column pool_columns[ES_POOL_COLUMNS] = {
    [ES_POOL_NAME] = {"name", "name", 24, 0, -1, false, AS_TEXT,
                      "the file's name, or what pool.json calls it"},
    [ES_POOL_DIM] = {"dim", "dim", 5, 1, 1, true, 0, "columns of its matrix"},
    [ES_POOL_DTYPE] = {"dtype", "dtype", 5, 4, -1, false, AS_TEXT, "how its numbers are stored"},
    [ES_POOL_ROWS] = {"rows", "rows", 7, 3, 1, true, AS_TEXT,
                      "rows of its matrix: all need the same"},
    [ES_POOL_NORM] = {"norm", "norm", 11, 5, 1, true, AS_TEXT,
                      "mean length of its rows, and how much they differ"},
    [ES_POOL_SIZE] = {"size", "size", 5, 6, 1, true, AS_TEXT, "bytes of the file"},
    [ES_POOL_DIGEST] = {"digest", "digest", 8, 7, -1, false, AS_TEXT,
                        "the beginning of a hash of its values: same digits, same contents"},
    [ES_POOL_FAMILY] = {"family", "family", 6, 4, -1, false, AS_TEXT,
                        "embedders of one origin, by families.csv or pool.json; gF names one"},
    [ES_POOL_KIND] = {"kind", "kind", 4, 5, 1, false, 0,
                      "its kind in the ranking: embedders of a kind have one vote"},
    [ES_POOL_STATE] = {"state", "state", 12, 2, -1, false, AS_TEXT,
                       "whether it takes part, and why not"},
};

static const es_column rank_columns[ES_RANK_SCORES] = {
    [ES_RANK_PLACE] = {"rank", "rank", 4, 0, 1, false, 0, "place by the score"},
    [ES_RANK_APART] = {"apart", "vs", 4, 2, -1, true, AS_TEXT,
                       "against the cursor's row: ≠ one is shown ahead, = no difference shown"},
    [ES_RANK_NAME] = {"name", "name", 24, 0, -1, false, AS_TEXT, "the embedder"},
    [ES_RANK_DIM] = {"dim", "dim", 5, 6, 1, true, 0, "columns of its matrix"},
    [ES_RANK_SCORE] = {"score", "score", 7, 0, 1, true, 3,
                       "what the ranking is by, m chooses: the lead, or the published score"},
    [ES_RANK_INTERVAL] = {"interval", "95%", 15, 5, -1, true, AS_TEXT,
                          "95 % interval of the score, over "},
    [ES_RANK_RANKS] = {"ranks", "ranks", 7, 8, -1, true, AS_TEXT,
                       "95 % interval of its rank; candidates for the best begin at 1"},
    [ES_RANK_STRIP] = {"strip", "", 18, 1, -1, true, AS_TEXT,
                       "the score and its interval, on one axis for all"},
    [ES_RANK_INFORMATION] = {"information", "info", 6, 4, 1, true, 3,
                             "its lead in the information matrix"},
    [ES_RANK_WIDTH] = {"width", "width", 6, 4, 1, true, 1,
                       "how many of its dimensions other kinds of embedders predict"},
    [ES_RANK_KIND] = {"kind", "kind", 4, 7, 1, false, 0,
                      "its kind: embedders of a kind predict each other and have one vote"},
    [ES_RANK_PUBLISHED] = {"published", "publ.", 6, 6, 1, true, 3,
                           "the published score: median information sufficiency to the others"},
    [ES_RANK_SIMULATED] = {"simulated", "IS in", 6, 9, 1, true, 3,
                           "the way back: how much of it the others tell, as a median"},
    [ES_RANK_DELTA] = {"delta", "moved", 5, 5, 1, true, AS_TEXT,
                       "places gained or lost since this run began; = none"},
    [ES_RANK_COMMUNITY] = {"community", "group", 5, 3, -1, false, AS_TEXT,
                           "its community, as in Tree"},
    [ES_RANK_PAIRS] = {"pairs", "pairs", 7, 4, 1, true, AS_TEXT,
                       "pairs known, of those that the score needs"},
    [ES_RANK_ENTROPY] = {"entropy", "H(V)/d", 8, 9, 1, true, 3,
                         "its own entropy, nats per dimension"},
    [ES_RANK_NATS] = {"entropy-nats", "H(V)", 8, 9, 1, true, 1,
                      "its own entropy, nats of all dimensions in use"},
};

size_t es_columns_count(const es_app *app, es_table_id table) {
    if (table == ES_TABLE_POOL)
        return ES_POOL_COLUMNS;
    size_t scores = es_score_count(app);
    return ES_RANK_SCORES + (scores > ES_APP_SCORES ? ES_APP_SCORES : scores);
}

/* True if the column has a value for some embedder. */
static bool says_something(const es_app *app, size_t column) {
    bool says = column != ES_POOL_FAMILY && column != ES_POOL_KIND;
    for (size_t i = 0; i < app->n && !says; i++)
        says =
            column == ES_POOL_FAMILY ? es_app_model(app, i)->family != NULL : app->live[i].kind > 0;
    return says;
}

/* Of the pool; one that says nothing gives way first. */
static es_column pool_column(const es_app *app, size_t column) {
    es_column c = pool_columns[column];
    if (!says_something(app, column))
        c.priority = LEAST_TOLD;
    return c;
}

es_column es_columns_at(const es_app *app, es_table_id table, size_t column) {
    if (table == ES_TABLE_POOL)
        return pool_column(app, column);
    if (column < ES_RANK_SCORES)
        return rank_columns[column];
    size_t score = column - ES_RANK_SCORES;
    const char *name = es_score_title(app, score);
    int width = es_name_width(name) + 2; /* and the arrow of the sort */
    /* A measure was asked for: it gives way after the downstream tasks. */
    bool task = score < app->source->scores.tasks;
    return (es_column){task ? "task:" : "measure:", name, width < 7 ? 7 : width > 12 ? 12 : width,
                       task ? 10 + (int)score : 5,  1,    !es_score_lower(app, score),
                       es_score_digits(app, score), NULL};
}

static int digits_of(size_t count) {
    int digits = 1;
    for (; count >= 10; count /= 10)
        digits++;
    return digits;
}

/* A count is shown whole or it is another number: such columns take what the largest that this pool
 * can come to needs, from the start, so that nothing moves on the way. */
static int natural_width(const es_app *app, es_table_id table, size_t column) {
    int width = es_columns_at(app, table, column).width, count = digits_of(app->n), needed = 0;
    if (table == ES_TABLE_RANK) {
        if (column == ES_RANK_PLACE)
            needed = count;
        else if (column == ES_RANK_DELTA)
            needed = 1 + count;
        else if (column == ES_RANK_PAIRS || column == ES_RANK_RANKS)
            needed = 2 * count + 1;
    } else if (column == ES_POOL_FAMILY) {
        for (size_t i = 0; i < app->n; i++) {
            const char *family = es_app_model(app, i)->family;
            int own = family == NULL ? 0 : es_name_width(family);
            needed = own > needed ? own : needed;
        }
        needed = needed > FAMILY_MOST ? FAMILY_MOST : needed;
    } else if (column == ES_POOL_ROWS || column == ES_POOL_DIM) {
        for (size_t i = 0; i < app->n; i++) {
            const es_model *model = es_app_model(app, i);
            int own = digits_of(column == ES_POOL_ROWS ? model->rows : model->dim);
            needed = own > needed ? own : needed;
        }
    }
    return needed > width ? needed : width;
}

/* Nobody has moved, or every ranked embedder has all of its pairs. */
static bool is_constant(const es_app *app, size_t column) {
    bool constant = column == ES_RANK_DELTA || column == ES_RANK_PAIRS;
    for (size_t i = 0; i < app->n && constant; i++) {
        const es_live_rank *live = &app->live[i];
        constant = column == ES_RANK_DELTA
                       ? live->baseline == 0 || live->place == 0 || live->baseline == live->place
                       : live->pairs == live->of && live->failed == 0;
    }
    return constant;
}

/* What is left out where there is room for it, too: what is the same for all, and the interval in
 * digits beside the one that is drawn. */
static bool is_idle(const es_app *app, es_table_id table, size_t column) {
    const es_table_settings *set = &app->set.table[table];
    bool chosen = column == set->column || column == set->sort;
    return table == ES_TABLE_RANK && !chosen &&
           (column == ES_RANK_INTERVAL ? !set->hidden[ES_RANK_STRIP] : is_constant(app, column));
}

/* The name, the column under the cursor and the one that sorts always stay; the others give way
 * from the highest priority number down. What is left over widens the name until the longest is
 * whole, then the strip. */
size_t es_columns_fit(const es_app *app, es_table_id table, int width, int w[ES_APP_COLUMNS]) {
    const es_table_settings *set = &app->set.table[table];
    size_t count = es_columns_count(app, table), dropped = 0;
    size_t name = table == ES_TABLE_POOL ? (size_t)ES_POOL_NAME : (size_t)ES_RANK_NAME;
    int used = 3, longest = 8; /* cursor, mark, blank */
    memset(w, 0, ES_APP_COLUMNS * sizeof *w);
    for (size_t i = 0; i < app->n; i++) {
        int own = es_name_width(es_app_name(app, i));
        longest = own > longest ? own : longest;
    }
    int whole = longest, room_for_name = table == ES_TABLE_POOL ? 24 : NAME_ROOM;
    longest = longest > NAME_ROOM ? NAME_ROOM : longest;
    for (size_t c = 0; c < count; c++) {
        if (set->hidden[c])
            continue;
        if (is_idle(app, table, c)) {
            dropped++;
            continue;
        }
        w[c] = (c == name ? longest : natural_width(app, table, c)) + set->width[c];
        int titled = es_name_width(es_columns_at(app, table, c).title) + 2; /* and the arrow */
        bool cuts = c == set->sort && set->width[c] == 0 && w[c] < titled;
        w[c] = cuts && titled < TITLE_MOST ? titled : w[c];
        w[c] = w[c] < 3 ? 3 : w[c];
        used += w[c] + 1;
    }
    while (used > width) {
        size_t worst = ES_NONE;
        for (size_t c = 0; c < count; c++)
            if (w[c] > 0 && c != name && c != set->column && c != set->sort &&
                (worst == ES_NONE || es_columns_at(app, table, c).priority >=
                                         es_columns_at(app, table, worst).priority))
                worst = c;
        /* A long name gives a little before a column goes, and more before an essential one does;
         * those that say least go before it gives. */
        bool least = worst != ES_NONE && es_columns_at(app, table, worst).priority >= LEAST_TOLD;
        if ((w[name] > room_for_name && !least) ||
            (w[name] > 14 && (worst == ES_NONE || es_columns_at(app, table, worst).priority < 4))) {
            w[name]--;
            used--;
        } else if (worst == ES_NONE)
            break;
        else {
            used -= w[worst] + 1;
            w[worst] = 0;
            dropped++;
        }
    }
    if (used > width && w[name] > 0) {
        int room = w[name] - (used - width);
        used -= w[name] - (room < 4 ? 4 : room);
        w[name] = room < 4 ? 4 : room;
    }
    if (used < width && w[name] > 0) {
        int spare = width - used, more = (whole < 24 ? 24 : whole) + 2 - longest;
        more = more < spare ? more : spare;
        w[name] += more;
        spare -= more;
        if (table == ES_TABLE_RANK && w[ES_RANK_STRIP] > 0)
            w[ES_RANK_STRIP] += spare;
        else if (table == ES_TABLE_POOL && w[ES_POOL_STATE] > 0)
            w[ES_POOL_STATE] += spare; /* reasons are long */
    }
    return dropped;
}

/* The file's name at the start of a reason says nothing in the row of that file. */
const char *es_model_reason(const es_model *model) {
    size_t length = model->file == NULL ? 0 : strlen(model->file);
    if (model->reason == NULL)
        return "excluded";
    if (length > 0 && strncmp(model->reason, model->file, length) == 0 &&
        strncmp(model->reason + length, ": ", 2) == 0)
        return model->reason + length + 2;
    return model->reason;
}

/* Of all columns in use. */
static double entropy_nats(const es_app *app, size_t item) {
    const es_model *model = es_app_model(app, item);
    return app->live[item].entropy * (double)(model->dim_used > 0 ? model->dim_used : model->dim);
}

static double or_missing(size_t count) {
    return count == 0 ? (double)NAN : (double)count;
}

static double pool_value(const es_app *app, size_t column, size_t item) {
    const es_model *model = es_app_model(app, item);
    switch (column) {
    case ES_POOL_DIM:
        return or_missing(model->dim);
    case ES_POOL_ROWS:
        return or_missing(model->rows);
    case ES_POOL_NORM:
        return model->state == ES_MODEL_READY ? model->norm_mean : (double)NAN;
    case ES_POOL_SIZE:
        return (double)model->file_bytes;
    case ES_POOL_KIND:
        return or_missing(app->live[item].kind);
    case ES_POOL_STATE:
        return (double)model->state;
    default:
        return 0;
    }
}

/* The number of a cell, NAN where there is none: what it shows, and what it sorts by. */
static double rank_value(const es_app *app, size_t column, size_t item) {
    const es_live_rank *live = &app->live[item];
    switch (column) {
    case ES_RANK_PLACE:
        return or_missing(live->place);
    case ES_RANK_DIM:
        return or_missing(es_app_model(app, item)->dim);
    case ES_RANK_SCORE:
    case ES_RANK_STRIP:
        return live->score;
    case ES_RANK_INTERVAL:
        return live->high - live->low;
    case ES_RANK_RANKS:
        return or_missing(live->rank_low + live->rank_high);
    case ES_RANK_DELTA:
        return or_missing(live->baseline) - or_missing(live->place);
    case ES_RANK_APART:
        return (double)es_ranking_apart(app, item, app->cursor);
    case ES_RANK_INFORMATION:
        return live->information;
    case ES_RANK_WIDTH:
        return live->width;
    case ES_RANK_KIND:
        return or_missing(live->kind);
    case ES_RANK_PUBLISHED:
        return live->published;
    case ES_RANK_SIMULATED:
        return live->simulated;
    case ES_RANK_ENTROPY:
        return live->entropy;
    case ES_RANK_NATS:
        return entropy_nats(app, item);
    case ES_RANK_COMMUNITY:
        return es_tree_group(app, item) == ES_NONE ? (double)NAN : (double)app->tree.place[item];
    case ES_RANK_PAIRS:
        return (double)live->pairs;
    default:
        return es_score_value(app, item, column - ES_RANK_SCORES);
    }
}

/* Missing values go last either way. */
static double sort_value(const es_app *app, es_table_id table, size_t column, size_t item) {
    if (table == ES_TABLE_POOL)
        return pool_value(app, column, item);
    double value = rank_value(app, column, item);
    bool score = column == ES_RANK_SCORE || column == ES_RANK_STRIP;
    size_t place = app->live[item].place; /* before the first decision there is no lead */
    return score && isnan(value) && place > 0 ? -(double)place : value;
}

static void put_state(const es_app *app, const es_model *model, char *out, size_t capacity) {
    if (model->state == ES_MODEL_EXCLUDED)
        (void)snprintf(out, capacity, "%s", es_model_reason(model));
    else if (model->state == ES_MODEL_READY && model->duplicate_of < app->n)
        (void)snprintf(out, capacity, "same as %s", es_app_name(app, model->duplicate_of));
    else
        (void)snprintf(out, capacity, "%s", model->state == ES_MODEL_READY ? "ready" : "unchecked");
}

static void pool_text(const es_app *app, size_t column, size_t item, char *out, size_t capacity) {
    const es_model *model = es_app_model(app, item);
    bool ready = model->state == ES_MODEL_READY;
    bool file = ready ? model->rows > 0 : model->dim > 0 || model->rows > 0;
    bool checked = ready && model->rows > 0; /* a matrix has no rows, nor has a broken file */
    (void)snprintf(out, capacity, "-");
    if (pool_columns[column].decimals != AS_TEXT)
        es_format_number(pool_value(app, column, item), pool_columns[column].decimals, out,
                         capacity);
    else if (column == ES_POOL_NAME)
        (void)snprintf(out, capacity, "%s", es_app_name(app, item));
    else if (column == ES_POOL_STATE)
        put_state(app, model, out, capacity);
    else if (column == ES_POOL_FAMILY && model->family != NULL)
        (void)snprintf(out, capacity, "%s", model->family);
    else if (column == ES_POOL_DTYPE && file)
        (void)snprintf(out, capacity, "%s", es_format_dtype(model->dtype));
    else if (column == ES_POOL_ROWS && file)
        (void)snprintf(out, capacity, "%zu", model->rows);
    else if (column == ES_POOL_SIZE && file)
        es_format_bytes(model->file_bytes, out, capacity);
    else if (column == ES_POOL_NORM && checked)
        (void)snprintf(out, capacity, app->ascii ? "%.3g+-%.2g" : "%.3g\xc2\xb1%.2g",
                       model->norm_mean, model->norm_sd);
    else if (column == ES_POOL_DIGEST && checked)
        (void)snprintf(out, capacity, "%08llx", (unsigned long long)(model->digest.hi >> 32));
}

/* Places gained or lost. */
static void put_moved(const es_app *app, const es_live_rank *live, char *out, size_t capacity) {
    if (live->baseline == 0 || live->place == 0)
        (void)snprintf(out, capacity, "%s", app->ascii ? "." : "\xc2\xb7");
    else if (live->place == live->baseline)
        (void)snprintf(out, capacity, "=");
    else {
        bool up = live->place < live->baseline;
        size_t by = up ? live->baseline - live->place : live->place - live->baseline;
        const char *arrow = app->ascii ? (up ? "^" : "v") : (up ? "\xe2\x96\xb2" : "\xe2\x96\xbc");
        (void)snprintf(out, capacity, "%s%zu", arrow, by);
    }
}

static void put_group(const es_app *app, size_t item, char *out, size_t capacity) {
    size_t group = es_tree_group(app, item);
    if (group == ES_NONE || !es_results_touches(app->results, app->position[item]))
        return;
    bool part = app->tree.known < app->tree.pairs; /* no more than a first guess */
    (void)snprintf(out, capacity, "%s", part ? "~" : "");
    es_tree_label(app, group, out + part, capacity - part);
}

static void rank_text(const es_app *app, size_t column, size_t item, char *out, size_t capacity) {
    static const char *const apart[] = {[ES_APART_UNKNOWN] = "",
                                        [ES_APART_SELF] = "",
                                        [ES_APART_NOT] = " =",
                                        [ES_APART_SHOWN] = " \xe2\x89\xa0"};
    const es_live_rank *live = &app->live[item];
    int decimals = es_columns_at(app, ES_TABLE_RANK, column).decimals;
    (void)snprintf(out, capacity, "-");
    if (decimals != AS_TEXT)
        es_format_number(rank_value(app, column, item), decimals, out, capacity);
    else if (column == ES_RANK_INTERVAL && !isnan(live->low))
        (void)snprintf(out, capacity, "[%s,%s]", es_figure_of(live->low, 3).text,
                       es_figure_of(live->high, 3).text);
    else if (column == ES_RANK_APART)
        (void)snprintf(out, capacity, "%s", apart[es_ranking_apart(app, item, app->cursor)]);
    else if (column == ES_RANK_RANKS && live->rank_low > 0)
        (void)snprintf(out, capacity, live->rank_low == live->rank_high ? "%zu" : "%zu-%zu",
                       live->rank_low, live->rank_high);
    else if (column == ES_RANK_DELTA)
        put_moved(app, live, out, capacity);
    else if (column == ES_RANK_COMMUNITY)
        put_group(app, item, out, capacity);
    else if (column == ES_RANK_PAIRS)
        (void)snprintf(out, capacity, "%zu/%zu", live->pairs, live->of);
    else if (column == ES_RANK_STRIP) /* drawn by the view */
        out[0] = '\0';
}

void es_columns_text(const es_app *app, es_table_id table, size_t column, size_t item, char *out,
                     size_t capacity) {
    if (table == ES_TABLE_POOL)
        pool_text(app, column, item, out, capacity);
    else if (column == ES_RANK_NAME)
        pool_text(app, ES_POOL_NAME, item, out, capacity);
    else
        rank_text(app, column, item, out, capacity);
}

int es_columns_compare(const es_app *app, es_table_id table, size_t column, size_t a, size_t b) {
    bool descending = app->set.table[table].descending;
    int order;
    bool name = table == ES_TABLE_POOL ? column == ES_POOL_NAME : column == ES_RANK_NAME;
    bool text = table == ES_TABLE_POOL &&
                (column == ES_POOL_DTYPE || column == ES_POOL_DIGEST || column == ES_POOL_FAMILY);
    if (name)
        order = es_text_natural_cmp(es_app_model(app, a)->name, es_app_model(app, b)->name);
    else if (text) {
        char x[64], y[64];
        es_columns_text(app, table, column, a, x, sizeof x);
        es_columns_text(app, table, column, b, y, sizeof y);
        order = strcmp(x, y);
    } else {
        double x = sort_value(app, table, column, a), y = sort_value(app, table, column, b);
        if (isnan(x) || isnan(y))
            return isnan(x) - isnan(y);
        order = (x > y) - (x < y);
    }
    return descending ? -order : order;
}

/* What an interval of a score is over. */
static const char *resampled(const es_app *app) {
    const es_decision *d = es_ranking_decided(app);
    return d == NULL ? "kinds and rows" : es_decision_sample(d);
}

/* The resolution of the communities, where somebody has chosen one. */
static const char *coarseness(const es_app *app, char *out, size_t capacity) {
    double now = es_tree_resolution(app);
    out[0] = '\0';
    if (now != ES_LOUVAIN_RESOLUTION)
        (void)snprintf(out, capacity, " at γ=%.2f", now);
    return out;
}

void es_columns_meaning(const es_app *app, es_table_id table, size_t column, char *out,
                        size_t capacity) {
    const es_results *r = app->results;
    size_t best = app->source->best;
    char finer[24];
    bool beside =
        app->ranked.beside != NULL && r != NULL && r->estimator != NULL && best < app->source->plan;
    if (table == ES_TABLE_POOL)
        (void)snprintf(out, capacity, "%s", pool_columns[column].meaning);
    else if (column == ES_RANK_SCORE && es_ranked_lower(app))
        (void)snprintf(out, capacity,
                       "what the ranking is by: the error of predicting the others from it");
    else if ((column == ES_RANK_PUBLISHED || column == ES_RANK_SIMULATED) && beside)
        (void)snprintf(out, capacity, "%s: by %s",
                       !app->source->lower_is_better[best] ? rank_columns[column].meaning
                       : column == ES_RANK_PUBLISHED
                           ? "the median error of predicting the others from it"
                           : "the way back: the median error of predicting it from the others",
                       app->source->title[best]);
    else if (column == ES_RANK_COMMUNITY && es_app_lower(app))
        (void)snprintf(out, capacity, "none: communities are of information sufficiency");
    else if (column == ES_RANK_COMMUNITY && r != NULL && r->estimator != NULL)
        (void)snprintf(out, capacity, "%s: by %s%s", rank_columns[column].meaning,
                       es_tree_title(app), coarseness(app, finer, sizeof finer));
    else if (column == ES_RANK_INTERVAL)
        (void)snprintf(out, capacity, "%s%s", rank_columns[column].meaning, resampled(app));
    else if (column < ES_RANK_SCORES)
        (void)snprintf(out, capacity, "%s", rank_columns[column].meaning);
    else if (column - ES_RANK_SCORES < app->source->scores.tasks)
        (void)snprintf(out, capacity, "downstream: a task of %.80s", app->source->score_file);
    else
        (void)snprintf(out, capacity, "a measure that was asked for, gm");
}

size_t es_columns_find(const es_app *app, es_table_id table, const char *name) {
    size_t count = es_columns_count(app, table), found = ES_NONE;
    for (size_t c = 0; c < count; c++) {
        const char *title = es_columns_at(app, table, c).title;
        if (strcmp(title, name) == 0)
            return c;
        if (found == ES_NONE && strncmp(title, name, strlen(name)) == 0)
            found = c;
    }
    return found;
}
