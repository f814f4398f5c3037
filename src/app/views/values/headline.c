/* What the ranking comes to, above Pool and Rank and in the overview: the bottom line of the last
 * decision and how it agrees downstream, or, before anything is decided, how far the ranking is.
 * If there is little room whole statements are left out, by their kinds (es_statement): advice and
 * warnings stay longest. */
#include "app_values.h"

#include <math.h>
#include <string.h>

#include "app_state.h"

static size_t first_of(const es_app *app) {
    for (size_t i = 0; i < app->n; i++)
        if (app->live[i].place == 1)
            return i;
    return ES_NONE;
}

/* How many others have exactly its score. */
static size_t equal_to(const es_app *app, size_t first) {
    size_t count = 0;
    for (size_t i = 0; i < app->n; i++)
        count += i != first && app->live[i].place > 0 &&
                 !(app->live[i].score < app->live[first].score) &&
                 !(app->live[i].score > app->live[first].score);
    return count;
}

/* Before the first decision, or the next one of many more. */
static void say_progress(const es_app *app, es_buf *out) {
    const es_results *r = app->ranked.results;
    size_t first = first_of(app), pairs = r == NULL ? es_app_pairs(app) : r->m * r->m;
    if (es_app_too_few(app)) {
        es_buf_puts(out, "There is nothing to rank: two embedders are needed.");
        return;
    }
    if (es_ranked_complete(app) && first != ES_NONE) {
        bool soon = app->intervals.asking || isfinite(es_ranking_intervals_due(app));
        size_t equal = equal_to(app, first);
        if (soon && isnan(app->live[first].score)) {
            es_buf_puts(out, "All pairs of the ranking are known; the answer comes in a moment.");
            return;
        }
        es_buf_printf(out, "First here: %s", es_app_name(app, first));
        if (equal > 0)
            es_buf_printf(out, " and %zu more with the same score", equal);
        es_buf_puts(out, soon ? ". How sure that is, is being computed." : ".");
        return;
    }
    es_buf_printf(out, "Ranking after %zu of %zu pairs", r == NULL ? 0 : r->done, pairs);
    if (r != NULL && r->failed > 0)
        es_buf_printf(out, " (%zu failed)", r->failed);
    es_buf_puts(out, ": ");
    if (app->ranked.compared < 2 || first == ES_NONE)
        es_buf_puts(out, "no two embedders have all their pairs yet.");
    else
        es_buf_printf(out, "%s is first so far, of %zu with all their pairs.",
                      es_app_name(app, first), app->ranked.compared);
}

static void say_downstream(const es_app *app, es_buf *out) {
    const es_downstream *x = app->ranked.downstream;
    const es_results *r = app->ranked.results;
    const es_decision *d = es_ranking_decided(app);
    if (x == NULL || r == NULL || d == NULL || x->best >= d->m)
        return;
    es_buf_puts(out, " ");
    es_downstream_put(x, es_app_name(app, r->model[x->best]), d, out);
}

static void end_part(const es_buf *out, size_t from, es_statement kind, es_headline_parts *parts) {
    if (parts->count == ES_HEADLINE_STATEMENTS)
        return;
    parts->end[parts->count] = out->length - from;
    parts->kind[parts->count++] = kind;
}

/* Could somebody's own answers say more? */
static bool is_open(const es_bottom_line *line, const es_decision *decision) {
    return line->best_count > 1 || (decision->by_lead && !decision->said && decision->scored > 1);
}

bool es_headline_say(const es_app *app, es_buf *out, es_headline_parts *parts) {
    const es_bottom_line *line = app->ranked.line;
    const es_results *r = app->ranked.results;
    size_t from = out->length;
    *parts = (es_headline_parts){0};
    if ((r == NULL || r->done == 0) && !es_app_running(app))
        return false;
    if (line == NULL || es_ranking_decided(app) == NULL) {
        say_progress(app, out);
        end_part(out, from, ES_STATEMENT_FIRST, parts);
    } else {
        es_buf_puts(out, line->sentence);
        memcpy(parts->end, line->end, line->statements * sizeof *line->end);
        memcpy(parts->kind, line->kind, line->statements * sizeof *line->kind);
        parts->count = line->statements;
        if (is_open(line, es_ranking_decided(app)) && app->source->row_text != NULL) {
            es_buf_puts(out, " D asks you ten questions that narrow it.");
            end_part(out, from, ES_STATEMENT_NARROW, parts);
        }
    }
    say_downstream(app, out);
    if (out->length - from > parts->end[parts->count - 1])
        end_part(out, from, ES_STATEMENT_NARROW, parts);
    return !out->failed;
}

/* Before the first pair: what is there, and what comes next. */
static void say_start(const es_app *app, es_buf *out) {
    const es_progress *p = &app->progress;
    const char *others = app->source->other_runs;
    char cost[64], count[ES_COUNT_TEXT];
    if (app->source->problem.code != ES_OK) {
        es_buf_puts(out, app->source->problem.message);
        return;
    }
    if (app->phase == ES_PHASE_CHECKING) {
        es_buf_printf(out, "Reading the embedders: %zu of %zu", p->checked, p->to_check);
        if (app->source->reads) {
            es_buf_puts(out, "; ");
            es_run_view_put(&app->source->reading, out);
        }
        es_buf_puts(out, ".");
        return;
    }
    es_buf_printf(out, "%s of %zu rows",
                  es_count_text(app->usable, es_app_controls(app, false),
                                es_app_derived(app, false), count, sizeof count),
                  app->source->rows);
    if (app->source->rows < app->source->rows_of)
        es_buf_printf(out, ", a sample of %zu", app->source->rows_of);
    es_buf_printf(out, "%s.", app->usable < 2 ? "; two are needed" : "");
    if (app->n > app->usable)
        es_buf_printf(out, " %zu excluded: 1 shows why.", app->n - app->usable);
    es_run_seconds_text(app, cost, sizeof cost);
    if (app->usable >= 2 && app->source->no_room.code != ES_OK)
        es_buf_printf(out, " No ranking: %s.", app->source->no_room.message);
    else if (app->usable >= 2)
        es_buf_printf(out, " No ranking yet%s%s: press r%s%s%s.",
                      others != NULL ? " with these options, but the store has results of " : "",
                      others != NULL ? others : "", cost[0] == '\0' ? "" : " (", cost,
                      cost[0] == '\0' ? "" : ")");
}

/* In the overview agreement has a tile of its own, and there is always something to be said. */
static bool say_overview(const es_app *app, es_buf *out, es_headline_parts *parts) {
    bool known = es_headline_say(app, out, parts);
    if (parts->count > 1 && app->ranked.downstream != NULL && es_ranking_decided(app) != NULL)
        parts->count--;
    if (known)
        return true;
    say_start(app, out);
    end_part(out, 0, ES_STATEMENT_FIRST, parts);
    return !out->failed;
}

/* Lines of text[0..length), broken at blanks as a view draws it. */
static int lines_of(const char *text, size_t length, int w) {
    int lines = 0;
    for (size_t at = 0; at < length; lines++) {
        size_t blank = 0, end = at;
        int width = 0;
        while (end < length) {
            uint32_t code;
            char one[5] = "";
            size_t used = es_utf8_decode(text + end, length - end, &code);
            memcpy(one, text + end, used < sizeof one ? used : 0);
            width += es_name_width(one);
            if (code == '\n' || (width > w && end > at))
                break;
            blank = code == ' ' ? end : blank;
            end += used;
        }
        at = end == length ? end : text[end] == '\n' ? end + 1 : blank > at ? blank + 1 : end;
    }
    return lines;
}

/* ---- What there is room for ---- */

/* The statements that are still said. */
typedef struct choice {
    const char *text; /* all of them */
    const es_headline_parts *parts;
    bool said[ES_HEADLINE_STATEMENTS];
    bool brief; /* of those that may be the best, only how many they are */
} choice;

/* Where there is no room for the names of those that may be the best, how many they are is what
 * matters of them. */
static void put_brief_set(const es_app *app, es_buf *out) {
    const es_bottom_line *line = app->ranked.line;
    es_buf_printf(out, "%zu of %zu could be the best.", line->best_count,
                  es_ranking_decided(app)->counted);
}

/* by: what stands between two statements. The end says that some are left out. */
static void put_said(const es_app *app, const choice *c, char by, bool mark, es_buf *out) {
    const es_headline_parts *parts = c->parts;
    bool all = true;
    out->length = 0;
    for (size_t k = 0; k < parts->count; k++) {
        size_t from = k == 0 ? 0 : parts->end[k - 1] + (c->text[parts->end[k - 1]] == ' ');
        bool brief = c->brief && parts->kind[k] == ES_STATEMENT_SET;
        all = all && c->said[k] && !brief;
        if (!c->said[k])
            continue;
        if (out->length > 0)
            es_buf_putc(out, by);
        if (brief)
            put_brief_set(app, out);
        else
            es_buf_add(out, c->text + from, parts->end[k] - from);
    }
    if (!all && mark)
        es_buf_puts(out, app->ascii ? " .." : " …");
}

/* How much it matters that there is room: the advice stays longest. */
static int weight_of(es_statement kind) {
    return kind == ES_STATEMENT_ADVICE ? ES_STATEMENT_WARNING + 1 : (int)kind;
}

/* Leaves out what matters least, of such the last; names of a set are counted first. False: nothing
 * is left but who is first. */
static bool leave_out(const es_app *app, choice *c) {
    const es_headline_parts *parts = c->parts;
    size_t least = 0;
    for (size_t k = 1; k < parts->count; k++)
        if (c->said[k] &&
            (least == 0 || weight_of(parts->kind[k]) <= weight_of(parts->kind[least])))
            least = k;
    if (least == 0)
        return false;
    const es_bottom_line *line = app->ranked.line;
    bool names = parts->kind[least] == ES_STATEMENT_SET && !c->brief && line != NULL &&
                 line->best_count > 1 && es_ranking_decided(app) != NULL;
    if (names)
        c->brief = true;
    else
        c->said[least] = false;
    return true;
}

/* As much as `most` lines of w columns hold. */
static void fit(const es_app *app, const char *text, const es_headline_parts *parts, int most,
                int w, es_buf *out) {
    choice c = {.text = text, .parts = parts};
    for (size_t k = 0; k < parts->count; k++)
        c.said[k] = true;
    char by = app->view == ES_VIEW_OVERVIEW ? '\n' : ' ';
    bool mark = true;
    put_said(app, &c, by, mark, out);
    while (!out->failed && lines_of(out->data, out->length, w) > most && mark) {
        if (by == '\n')
            by = ' ';
        else
            mark = leave_out(app, &c);
        put_said(app, &c, by, mark, out);
    }
    for (int kind = ES_STATEMENT_WARNING + 1; mark && kind >= 0; kind--) /* a long one made way */
        for (size_t k = 1; k < parts->count && !out->failed; k++)
            if (!c.said[k] && weight_of(parts->kind[k]) == kind) {
                c.said[k] = true;
                put_said(app, &c, by, mark, out);
                c.said[k] = lines_of(out->data, out->length, w) <= most;
            }
    put_said(app, &c, by, mark, out);
}

void es_headline_update(es_app *app) {
    int most = es_layout_answer(app->view, app->w, app->h);
    int w = es_layout_answer_width(app->view, app->w);
    es_headline_parts parts = {0};
    es_buf all = {0}, text = {0};
    es_headline_free(app);
    bool said = most > 0 && (app->view == ES_VIEW_OVERVIEW ? say_overview(app, &all, &parts)
                                                           : es_headline_say(app, &all, &parts));
    if (said)
        fit(app, all.data, &parts, most, w, &text);
    es_buf_free(&all);
    if (!said || text.failed || text.data == NULL) {
        es_buf_free(&text);
        return;
    }
    int lines = lines_of(text.data, text.length, w);
    app->headline = (es_headline){text.data, parts.end[0], lines < most ? lines : most};
}

void es_headline_free(es_app *app) {
    es_free(app->headline.text);
    app->headline = (es_headline){0};
}

/* The matrix on the whole: its extremes, and the sums that its profiles are means of. All cells are
 * looked at when values or the embedders shown have changed, and not for every frame. */

bool es_summary_new(es_app *app) {
    static const es_extreme none = {ES_NONE, ES_NONE, (double)NAN};
    app->summary = (es_summary){.most = none, .least = none, .skew = none};
    app->summary.item = es_app_keep(app, app->n, sizeof *app->summary.item);
    return !app->starved;
}

/* A number for a set of embedders, whatever their order. */
static uint64_t mix(uint64_t item) {
    uint64_t x = (item + 1) * 0x9e3779b97f4a7c15U;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    return x ^ (x >> 27);
}

static es_summary_key key_of(const es_app *app) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary_key key = {.made = true,
                          .results = app->results,
                          .revision = app->revision,
                          .entry = app->entry,
                          .metric = app->set.metric,
                          .matrix = app->set.matrix,
                          .count = list->count};
    size_t done;
    key.revision += es_source_revision(app->source, &done);
    if (key.metric == ES_METRIC_MEASURE) /* values come in without the results */
        key.fitted_at = app->fitted_at;
    for (size_t i = 0; i < list->count; i++)
        key.items += mix(list->item[i]);
    return key;
}

static bool is_same_key(const es_summary_key *a, const es_summary_key *b) {
    return a->made == b->made && a->results == b->results && a->revision == b->revision &&
           a->entry == b->entry && a->metric == b->metric && a->matrix == b->matrix &&
           a->count == b->count && a->items == b->items && !(a->fitted_at < b->fitted_at) &&
           !(a->fitted_at > b->fitted_at);
}

static void take(es_extreme *extreme, bool better, double value, size_t source, size_t target) {
    if (better)
        *extreme = (es_extreme){source, target, value};
}

/* Adds a cell to the extremes and to the means of its row and column. */
static void take_value(es_summary *sum, double v, size_t s, size_t t) {
    if (!isfinite(v))
        return;
    take(&sum->most, v > sum->most.value, v, s, t);
    take(&sum->least, v < sum->least.value, v, s, t);
    sum->item[s].as_source += v;
    sum->item[s].targets++;
    sum->item[t].as_target += v;
    sum->item[t].sources++;
}

static void take_skew(es_summary *sum, double skew, size_t s, size_t t) {
    take(&sum->skew, skew > sum->skew.value, skew, s, t);
    take(&sum->skew, -skew > sum->skew.value, -skew, t, s);
}

/* Values that lie in the results as they are: of hundreds of embedders all of them are looked at
 * several times a second while a run goes on. */
static void sum_plain(es_app *app, const double *value) {
    const es_results *r = app->results;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary *sum = &app->summary;
    for (size_t i = 0; i < list->count; i++)
        for (size_t s = list->item[i], p = app->position[s], j = 0; p != ES_NONE && j < list->count;
             j++) {
            size_t t = list->item[j], q = app->position[t], cell = p * r->m + q;
            if (i == j || q == ES_NONE || r->state[cell] != ES_PAIR_DONE)
                continue;
            take_value(sum, value[cell], s, t);
            size_t back = q * r->m + p;
            if (i < j && r->state[back] == ES_PAIR_DONE && es_metric_alike(app, cell, back))
                take_skew(sum, r->is[cell] - r->is[back], s, t);
        }
}

static void sum_all(es_app *app, es_heat_metric metric) {
    const es_list *list = &app->list[ES_LIST_HEAT];
    for (size_t i = 0; i < list->count; i++)
        for (size_t j = 0; j < list->count; j++) {
            size_t s = list->item[i], t = list->item[j];
            take_value(&app->summary, es_metric_value(app, metric, s, t), s, t);
            if (i < j)
                take_skew(&app->summary, es_metric_value(app, ES_METRIC_ASYMMETRY, s, t), s, t);
        }
}

void es_summary_update(es_app *app) {
    es_summary *sum = &app->summary;
    const es_list *list = &app->list[ES_LIST_HEAT];
    es_summary_key key = key_of(app);
    if (is_same_key(&key, &sum->key))
        return;
    sum->key = key;
    sum->most = (es_extreme){ES_NONE, ES_NONE, -(double)INFINITY};
    sum->least = (es_extreme){ES_NONE, ES_NONE, (double)INFINITY};
    sum->skew = (es_extreme){ES_NONE, ES_NONE, 0};
    for (size_t i = 0; i < list->count; i++)
        sum->item[list->item[i]] = (es_summary_item){0};
    const double *plain = es_metric_plain(app, key.metric);
    if (plain != NULL)
        sum_plain(app, plain);
    else
        sum_all(app, key.metric);
}
