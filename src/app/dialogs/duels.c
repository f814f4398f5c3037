/* The questions of the dialog, in the order in which they are asked. */
#include "app_dialogs.h"

#include <stdio.h>
#include <string.h>

#include "app_state.h"

enum { AHEAD = 2 };

static void asked_deinit(es_duels_asked *asked) {
    for (int i = 0; i < 3; i++)
        es_free(asked->text[i]);
    *asked = (es_duels_asked){0};
}

static void deinit(es_duels *d) {
    for (size_t i = 0; i < d->count; i++)
        asked_deinit(&d->next[i]);
    for (size_t i = 0; i < d->answered; i++)
        asked_deinit(&d->said[i]);
    es_free(d->next);
    es_free(d->said);
    es_free(d->skipped);
    es_free(d->item);
    *d = (es_duels){0};
}

void es_duels_forget(es_app *app) {
    if (app->duels == NULL)
        return;
    deinit(app->duels);
    es_free(app->duels);
    app->duels = NULL;
}

/* Room for one more at `list`; false: out of memory. */
static bool grow(void **list, size_t count, size_t size) {
    void *more = es_realloc(*list, count + 1, size);
    if (more != NULL)
        *list = more;
    return more != NULL;
}

static void count_answers(es_app *app, es_effects *effects) {
    es_effect_add(app, effects, ES_FX_DUEL_COUNT, 0, false, NULL);
}

bool es_duels_open(es_app *app, const size_t *item, size_t k, es_effects *effects) {
    es_duels *d = app->duels;
    bool same = d != NULL && d->k == k && memcmp(d->item, item, k * sizeof *item) == 0;
    if (d == NULL)
        d = app->duels = es_alloc_zero(1, sizeof *d);
    if (d == NULL)
        return false;
    if (!same) {
        uint64_t tag = d->tag;
        deinit(d);
        d->tag = tag; /* what is still being found is not taken */
        d->item = es_alloc(k, sizeof *d->item);
        if (d->item == NULL)
            return false;
        memcpy(d->item, item, k * sizeof *item);
        d->k = k;
    }
    d->why.code = ES_OK;
    d->scroll = 0;
    app->mode = ES_MODE_DUEL;
    count_answers(app, effects);
    return true;
}

es_duel_question *es_duels_held(const es_app *app, size_t *count) {
    const es_duels *d = app->duels;
    es_duel_question *held = es_alloc(d->count + d->skips + 1, sizeof *held);
    *count = 0;
    for (size_t i = 0; held != NULL && i < d->count; i++)
        held[(*count)++] = d->next[i].question;
    for (size_t i = 0; held != NULL && i < d->skips; i++)
        held[(*count)++] = d->skipped[i];
    return held;
}

/* ---- finding ---- */

static void take_question(es_app *app, const es_duel_question *question) {
    es_duels *d = app->duels;
    const es_source *source = app->source;
    const uint32_t row[] = {question->row, question->left, question->right};
    if (!grow((void **)&d->next, d->count, sizeof *d->next))
        return;
    es_duels_asked *asked = &d->next[d->count++];
    *asked = (es_duels_asked){.question = *question};
    for (int i = 0; i < 3 && source->row_text != NULL; i++)
        asked->text[i] = source->row_text(source->context, row[i]);
    d->at = question->at + 1;
}

void es_duels_follow(es_app *app, es_effects *effects) {
    es_duels *d = app->duels;
    const es_source *source = app->source;
    if (d == NULL)
        return;
    if (d->asking && source->duel.why != NULL && source->duel.tag == d->tag) {
        d->asking = false;
        d->why = *source->duel.why;
        if (d->why.code == ES_OK)
            take_question(app, source->duel.found);
    }
    if (app->mode == ES_MODE_DUEL && !d->asking && d->count < AHEAD && d->why.code == ES_OK) {
        d->asking = true;
        es_effect_add(app, effects, ES_FX_DUEL_ASK, (size_t)++d->tag, false, NULL);
    }
}

void es_duels_failed(es_app *app, const es_error *why) {
    if (app->duels == NULL)
        return;
    app->duels->asking = false;
    app->duels->why = *why;
}

/* ---- answers ---- */

static void drop_first(es_duels *d) {
    d->count--;
    memmove(d->next, d->next + 1, d->count * sizeof *d->next);
    d->scroll = 0;
}

/* Writes an answer, or takes it back. */
static void say(es_app *app, const es_duels_asked *asked, bool remove, es_effects *effects) {
    const es_duel_question *q = &asked->question;
    char line[80];
    (void)snprintf(line, sizeof line, "%u,%u,%u,%s", q->row, q->left, q->right,
                   es_duel_choice_name(asked->answer));
    es_effect_add(app, effects, ES_FX_DUEL_SAY, 0, remove, line);
    count_answers(app, effects);
}

void es_duels_answer(es_app *app, es_duel_choice answer, es_effects *effects) {
    es_duels *d = app->duels;
    if (d->count == 0 || !grow((void **)&d->said, d->answered, sizeof *d->said))
        return;
    es_duels_asked *asked = &d->said[d->answered++];
    *asked = d->next[0];
    asked->answer = answer;
    drop_first(d);
    say(app, asked, false, effects);
}

void es_duels_skip(es_app *app) {
    es_duels *d = app->duels;
    if (d->count == 0 || !grow((void **)&d->skipped, d->skips, sizeof *d->skipped))
        return;
    d->skipped[d->skips++] = d->next[0].question;
    asked_deinit(&d->next[0]);
    drop_first(d);
}

void es_duels_undo(es_app *app, es_effects *effects) {
    es_duels *d = app->duels;
    if (d->answered == 0) {
        es_app_notice(app, ES_OK, "Nothing was answered in this session");
        return;
    }
    if (!grow((void **)&d->next, d->count, sizeof *d->next))
        return;
    es_duels_asked *last = &d->said[--d->answered];
    memmove(d->next + 1, d->next, d->count * sizeof *d->next);
    d->next[0] = *last;
    d->count++;
    d->scroll = 0;
    say(app, &d->next[0], true, effects);
}

const char *es_duels_sentence(const es_app *app) {
    const es_duel_report *report = app->source->duel.report;
    return report != NULL ? report->sentence : NULL;
}
