/* What the ranking comes to, above Pool and Rank and in the overview: the bottom line of the last
 * decision and how it agrees downstream, or, before anything is decided, how far the ranking is.
 * Where there is little room whole statements are left out, from the end. */
#include "headline.h"

#include <math.h>
#include <string.h>

#include "alloc.h"
#include "bottom_line.h"
#include "decision.h"
#include "downstream.h"
#include "facts.h"
#include "layout.h"
#include "number_text.h"
#include "ranked.h"
#include "ranking_intervals.h"
#include "run_cost.h"
#include "text.h"

static size_t first_of(const es_app *app) {
    for (size_t i = 0; i < app->n; i++)
        if (app->live[i].place == 1)
            return i;
    return ES_NONE;
}

/* Before the first decision, or the next one of many more. */
static void say_progress(const es_app *app, es_buf *out) {
    const es_results *r = app->ranked.results;
    size_t first = first_of(app), pairs = r == NULL ? es_app_pairs(app) : r->m * r->m;
    if (es_ranked_complete(app) && first != ES_NONE) {
        bool soon = app->intervals.asking || isfinite(es_ranking_intervals_due(app));
        es_buf_printf(out, "First here: %s.%s", es_app_name(app, first),
                      soon ? " How sure that is comes in a moment." : "");
        return;
    }
    es_buf_printf(out, "Ranking after %zu of %zu pairs: ", r == NULL ? 0 : r->done + r->failed,
                  pairs);
    if (app->ranked.compared < 2 || first == ES_NONE)
        es_buf_puts(out, "no two embedders are through with their targets yet.");
    else
        es_buf_printf(out, "%s is the first so far, of %zu that are through with their targets.",
                      es_app_name(app, first), app->ranked.compared);
}

static void say_downstream(const es_app *app, es_buf *out) {
    const es_downstream *x = app->ranked.downstream;
    const es_results *r = app->ranked.results;
    const es_decision *d = es_ranking_decided(app);
    if (x == NULL || r == NULL || d == NULL || x->best >= d->m)
        return;
    es_buf_puts(out, " ");
    es_downstream_put(x, es_app_name(app, r->model[x->best]), d->best[x->best], out);
}

size_t es_headline_say(const es_app *app, es_buf *out, size_t ends[ES_HEADLINE_ENDS]) {
    const es_bottom_line *line = app->ranked.line;
    const es_results *r = app->ranked.results;
    size_t count = 0, from = out->length;
    if ((r == NULL || r->done == 0) && !es_app_running(app))
        return 0;
    if (line == NULL || es_ranking_decided(app) == NULL)
        say_progress(app, out);
    else {
        es_buf_puts(out, line->sentence);
        memcpy(ends, line->end, line->statements * sizeof *ends);
        count = line->statements - 1;
    }
    ends[count++] = out->length - from;
    say_downstream(app, out);
    if (out->length - from > ends[count - 1])
        ends[count++] = out->length - from;
    return out->failed ? 0 : count;
}

/* Before the first pair: what is there, and what comes next. */
static void say_start(const es_app *app, es_buf *out) {
    const es_progress *p = &app->progress;
    char cost[32];
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
    es_buf_printf(out, "%zu embedder%s of %zu rows%s.", app->usable, app->usable == 1 ? "" : "s",
                  app->source->rows, app->usable < 2 ? "; two are needed" : "");
    if (app->n > app->usable)
        es_buf_printf(out, " %zu left out: 1 says why.", app->n - app->usable);
    es_run_seconds_text(app, cost, sizeof cost);
    if (app->usable >= 2)
        es_buf_printf(out, " Nothing is estimated yet: %s%s%sr starts.",
                      cost[0] == '\0' ? "" : "it takes ", cost, cost[0] == '\0' ? "" : ", ");
}

/* In the overview agreement has a tile of its own, and there is always something to be said. */
static size_t say_overview(const es_app *app, es_buf *out, size_t ends[ES_HEADLINE_ENDS]) {
    size_t count = es_headline_say(app, out, ends);
    if (count > 1 && app->ranked.downstream != NULL && es_ranking_decided(app) != NULL)
        count--;
    if (count > 0)
        return count;
    say_start(app, out);
    ends[0] = out->length;
    return out->failed ? 0 : 1;
}

/* A line for each statement, where there is room for that. */
static void part_statements(char *text, const size_t *ends, size_t count, char by) {
    for (size_t k = 0; k + 1 < count; k++)
        if (text[ends[k]] == ' ' || text[ends[k]] == '\n')
            text[ends[k]] = by;
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

/* Behind "Best here: A." there is no room for the names of those that may be the best: how many
 * they are is what matters of them. */
static void put_brief_set(const es_app *app, size_t most, int w, es_buf *text, size_t *end) {
    const es_bottom_line *line = app->ranked.line;
    const es_decision *d = es_ranking_decided(app);
    size_t length = *end;
    if (line == NULL || d == NULL || !d->said || line->best_count < 2 ||
        2 * line->best_count > d->scored) /* the first statement has said it */
        return;
    text->length = length;
    es_buf_printf(text, " For %s %zu of %zu may be the best.",
                  d->scope == ES_SCOPE_NEW ? "a new kind of target" : "these targets",
                  line->best_count, d->scored);
    if (!text->failed && lines_of(text->data, text->length, w) <= (int)most)
        *end = text->length;
}

void es_headline_update(es_app *app) {
    bool overview = app->view == ES_VIEW_OVERVIEW;
    size_t ends[ES_HEADLINE_ENDS], count = 0,
                                   most = (size_t)es_layout_answer(app->view, app->w, app->h);
    int w = es_layout_answer_width(app->view, app->w);
    es_buf text = {0};
    es_headline_free(app);
    if (most > 0)
        count = overview ? say_overview(app, &text, ends) : es_headline_say(app, &text, ends);
    size_t all = count;
    if (overview && count > 1)
        part_statements(text.data, ends, count, '\n');
    if (overview && count > 1 && lines_of(text.data, ends[count - 1], w) > (int)most)
        part_statements(text.data, ends, count, ' ');
    while (count > 1 && lines_of(text.data, ends[count - 1], w) > (int)most)
        count--;
    size_t lead = count > 0 ? ends[0] : 0;
    if (count == 1 && all > 1)
        put_brief_set(app, most, w, &text, ends);
    if (count == 0 || text.failed) {
        es_buf_free(&text);
        return;
    }
    text.data[ends[count - 1]] = '\0';
    int lines = lines_of(text.data, ends[count - 1], w);
    app->headline = (es_headline){text.data, lead, lines < (int)most ? lines : (int)most};
}

void es_headline_free(es_app *app) {
    es_free(app->headline.text);
    app->headline = (es_headline){0};
}
