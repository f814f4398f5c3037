/* What the dialog of questions asks for. */
#include "tui_driver.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app_dialogs.h"

/* ---- finding and counting ---- */

static bool is_of(const es_driver *driver, const es_duel_candidates *c) {
    bool same = driver->duel != NULL && driver->duel_of == driver->session &&
                es_duel_finder_count(driver->duel) == c->k;
    for (size_t i = 0; same && i < c->k; i++)
        same = es_duel_finder_item(driver->duel, i) == c->item[i];
    return same;
}

/* Has driver->duel find for the candidates of the dialog, and lists these. */
static es_status prepare(es_driver *driver, es_duel_candidates *out, es_error *err) {
    const es_duels *d = driver->app->duels;
    if (d == NULL)
        return es_fail(err, ES_EEMPTY, "nothing is asked");
    ES_PASS(es_duel_candidates_new(d->item, d->k, out, err));
    if (!is_of(driver, out)) {
        es_driver_duel_close(driver);
        ES_PASS(es_duel_finder_new(es_session_pool(driver->session), out->item, out->k,
                                   &driver->duel, err));
        driver->duel_of = driver->session;
    }
    return ES_OK;
}

void es_driver_duel_close(es_driver *driver) {
    es_duel_finder_free(driver->duel);
    driver->duel = NULL;
    driver->duel_of = NULL;
}

es_status es_driver_duel_ask(es_driver *driver, const es_effect *effect, es_error *err) {
    es_duel_candidates c = {0};
    es_duel_question *held = NULL;
    size_t count = 0;
    es_status st = ES_OK;
    ES_TRY(prepare(driver, &c, err));
    held = es_duels_held(driver->app, &count);
    ES_FAIL_IF(held == NULL, es_no_memory(err));
    ES_TRY(es_duel_ask_start(driver->session, driver->duel, held, count, driver->app->duels->at,
                             effect->number, err));
done:
    es_free(held);
    es_duel_candidates_deinit(&c);
    if (st != ES_OK)
        es_duels_failed(driver->app, err);
    return ES_OK;
}

es_status es_driver_duel_count(es_driver *driver, const es_effect *effect, es_error *err) {
    (void)effect;
    es_duel_candidates c = {0};
    es_status st = prepare(driver, &c, err);
    if (st == ES_OK)
        st = es_duel_count_start(driver->session, driver->duel, c.place, 0, err);
    es_duel_candidates_deinit(&c);
    return st;
}

/* ---- answers ---- */

es_status es_driver_duel_say(es_driver *driver, const es_effect *effect, es_error *err) {
    char answer[16] = "", when[32] = "";
    time_t now = time(NULL);
    struct tm utc;
    es_duel_line line = {.time = when};
    if (sscanf(effect->text, "%u,%u,%u,%15s", &line.row, &line.left, &line.right, answer) != 4 ||
        !es_duel_choice_parse(answer, &line.answer))
        return es_fail(err, ES_EINVAL, "no answer: %s", effect->text);
    if (gmtime_r(&now, &utc) != NULL)
        (void)strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return es_duel_answers_edit(es_session_pool(driver->session), &line, effect->flag, err);
}

/* ---- files of rows ---- */

/* The column of a path, by its heading, else the first text. */
static const char *file_of(const es_row_texts *texts, size_t row) {
    static const char *const headings[] = {"path", "file", "filename", "image"};
    for (size_t h = 0; h < sizeof headings / sizeof *headings; h++)
        for (size_t c = 0; c < texts->columns; c++) {
            const char *name = es_row_texts_name(texts, c);
            if (name != NULL && strcmp(name, headings[h]) == 0)
                return es_row_texts_cell(texts, row, c);
        }
    return es_row_texts_text(texts, row);
}

/* Below the pool where it is no path from the root, so that none begins as an option does. */
static char *whole_file(const es_pool *pool, const char *file) {
    return file[0] == '/' ? es_strdup(file) : es_path_join(es_pool_path(pool), file);
}

/* Words of `viewer`, parted by blanks, with `file` for %s; without %s it comes last. */
static es_status make_words(const char *viewer, const char *file, es_words *out, es_error *err) {
    es_status st = ES_OK;
    bool placed = false;
    for (const char *at = viewer + strspn(viewer, " "); *at != '\0'; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        const char *mark = strstr(at, "%s");
        es_buf word = {0};
        bool here = mark != NULL && mark + 2 <= at + length;
        es_buf_add(&word, at, here ? (size_t)(mark - at) : length);
        if (here) {
            es_buf_puts(&word, file);
            es_buf_add(&word, mark + 2, (size_t)(at + length - mark - 2));
        }
        placed = placed || here;
        at += length;
        st = es_buf_check(&word, err);
        if (st == ES_OK)
            st = es_words_take(out, es_buf_take(&word), err);
        es_buf_free(&word);
        ES_TRY(st);
    }
    if (!placed)
        ES_TRY(es_words_add(out, file, err));
done:
    return st;
}

static void unquote(char *viewer) {
    size_t length = strlen(viewer);
    if (length >= 2 && (viewer[0] == '"' || viewer[0] == '\'') && viewer[length - 1] == viewer[0]) {
        memmove(viewer, viewer + 1, length - 2);
        viewer[length - 2] = '\0';
    }
}

es_status es_driver_show_row(es_driver *driver, const es_effect *effect, es_error *err) {
    es_pool *pool = es_session_pool(driver->session);
    const es_row_texts *texts = NULL;
    es_words words = {0};
    char *file = NULL, command[ES_APP_LINE];
    es_status st = ES_OK;
    (void)snprintf(command, sizeof command, "%s", effect->text);
    unquote(command);
    ES_TRY(es_pool_texts(pool, &texts, err));
    ES_FAIL_IF(texts == NULL || effect->number >= texts->count || es_pool_path(pool) == NULL,
               es_fail(err, ES_ENOTFOUND, "no rows.csv that names the files of rows"));
    file = whole_file(pool, file_of(texts, effect->number));
    ES_FAIL_IF(file == NULL, es_no_memory(err));
    ES_TRY(make_words(command, file, &words, err));
    ES_FAIL_IF(words.count < 2 || !es_spawn_away((const char *const *)words.word),
               es_fail(err, ES_EIO, "viewer: %s cannot be run; set it with :set viewer \"feh %%s\"",
                       words.count > 0 ? words.word[0] : "nothing"));
done:
    es_words_deinit(&words);
    es_free(file);
    return st;
}
