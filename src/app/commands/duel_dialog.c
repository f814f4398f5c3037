/* Asks a person which of two rows is nearer: the command, and the dialog's keys. */
#include "app_commands.h"

#include <string.h>

#include "app_values.h"

static size_t count_marked(const es_app *app) {
    size_t marked = 0;
    for (size_t i = 0; i < app->n; i++)
        marked += app->marked[i] && es_app_model(app, i)->state == ES_MODEL_READY;
    return marked;
}

const char *es_refuse_duel(const es_app *app) {
    const es_bottom_line *line = app->ranked.line;
    if (app->source->row_text == NULL)
        return es_app_without_rows(app);
    if (count_marked(app) >= 2)
        return NULL;
    if (line == NULL || es_ranking_decided(app) == NULL)
        return "no ranking yet: r estimates, or mark two embedders (Space)";
    return line->best_count == 1 ? "one candidate is left: mark two embedders or more (Space)"
                                 : NULL;
}

/* The marked embedders, else those that the ranking leaves open, best first. item: (n + 5). */
static es_status choose(const es_app *app, size_t *item, size_t *k) {
    *k = 0;
    for (size_t i = 0; i < app->n && count_marked(app) >= 2; i++)
        if (app->marked[i] && es_app_model(app, i)->state == ES_MODEL_READY)
            item[(*k)++] = i;
    if (*k > 0 || app->ranked.line == NULL)
        return ES_OK;
    uint32_t *chosen = es_alloc(app->n + 5, sizeof *chosen);
    if (chosen == NULL)
        return ES_ENOMEM;
    *k = es_duel_choose(app->ranked.line, es_ranking_decided(app), chosen);
    for (size_t i = 0; i < *k; i++)
        item[i] = app->ranked.results->model[chosen[i]];
    es_free(chosen);
    return ES_OK;
}

void es_command_duel(es_call *call) {
    es_app *app = call->app;
    size_t *item = es_alloc(app->n + 5, sizeof *item), k = 0;
    if (item == NULL || choose(app, item, &k) != ES_OK ||
        !es_duels_open(app, item, k, call->effects))
        es_app_notice(app, ES_ENOMEM, "out of memory");
    es_free(item);
}

/* The files of a question, one after the other. */
static void show_files(es_app *app, es_effects *effects) {
    const es_duels *d = app->duels;
    if (app->viewer[0] == '\0')
        es_app_notice(app, ES_EINVAL, "no viewer is set; type :set viewer \"feh %%s\"");
    else if (d->count > 0)
        for (int i = 0; i < 3; i++)
            es_effect_add(app, effects, ES_FX_SHOW_ROW,
                          i == 0   ? d->next[0].question.row
                          : i == 1 ? d->next[0].question.left
                                   : d->next[0].question.right,
                          false, app->viewer);
}

static int first_sentence(const char *text) {
    const char *end = strstr(text, ". ");
    return (int)(end != NULL ? (size_t)(end + 1 - text) : strlen(text));
}

static void leave(es_app *app) {
    const char *sentence = es_duels_sentence(app);
    app->mode = ES_MODE_NORMAL;
    if (sentence != NULL && app->duels->answered > 0)
        es_app_notice(app, ES_OK, "%.*s", first_sentence(sentence), sentence);
}

void es_duel_key(es_app *app, uint32_t key, es_effects *effects) {
    switch (key) {
    case 'h':
    case '1':
    case ES_KEY_LEFT:
        es_duels_answer(app, ES_DUEL_LEFT, effects);
        break;
    case 'l':
    case '2':
    case ES_KEY_RIGHT:
        es_duels_answer(app, ES_DUEL_RIGHT, effects);
        break;
    case '=':
        es_duels_answer(app, ES_DUEL_EQUAL, effects);
        break;
    case 's':
        es_duels_skip(app);
        break;
    case 'u':
        es_duels_undo(app, effects);
        break;
    case 'o':
        show_files(app, effects);
        break;
    case 'j':
    case ES_KEY_DOWN:
        app->duels->scroll++;
        break;
    case 'k':
    case ES_KEY_UP:
        app->duels->scroll -= app->duels->scroll > 0;
        break;
    case 'q':
    case ES_KEY_ESC:
        leave(app);
        break;
    default:
        break;
    }
}
