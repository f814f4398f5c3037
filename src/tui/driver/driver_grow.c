/* A larger sample is a session of its own, opened beside the one that is shown: its run is what the
 * screen tells of, its results come when all pairs are known. The plan's first entry alone is
 * estimated until the ranking has settled; then the others follow on the last sample. */
#include "tui_driver.h"

#include <stdio.h>

#include "app_values.h"

enum { SIZES_MOST = 64 }; /* they double */

static bool is_growing(const es_driver *driver) {
    const es_pool *pool = es_session_pool(driver->session);
    return driver->options->turn != NULL && driver->options->next != NULL && pool != NULL &&
           !es_session_read_only(driver->session) && es_pool_grows(pool) && !driver->growth.over;
}

static bool goes_on(const es_driver *driver) {
    const es_driver_growth *g = &driver->growth;
    return is_growing(driver) && es_session_wanted(driver->session) && !g->stopped && !g->paused;
}

/* It would go on if it were started. */
static bool waits(const es_driver *driver) {
    return is_growing(driver) && !goes_on(driver) && !driver->growth.paused;
}

/* What the app shows of it. */
static void tell(es_driver *driver) {
    es_source *source = driver->source;
    source->grows = goes_on(driver);
    source->waits = waits(driver);
    source->growth = driver->growth.record;
    source->growths = driver->growth.records;
    source->growing_to = driver->growth.opening || driver->growth.coming ? driver->growth.rows : 0;
    es_source_follow(source, driver->growth.coming ? driver->coming : NULL);
    driver->news = true;
}

void es_driver_grow_begin(es_driver *driver) {
    if (is_growing(driver))
        es_session_first_only(driver->session, true);
}

static void add_record(es_driver *driver, const es_growth_record *record) {
    es_driver_growth *g = &driver->growth;
    if (g->record == NULL)
        g->record = es_alloc(SIZES_MOST, sizeof *g->record);
    if (g->record == NULL || g->records == SIZES_MOST)
        return; /* it is not shown */
    while (g->records > 0 && g->record[g->records - 1].rows >= record->rows)
        g->records--;
    g->record[g->records++] = *record;
}

/* What an earlier run has found, once the pool is checked. */
static void read_records(es_driver *driver) {
    es_growth_record *list = NULL;
    size_t count = 0;
    driver->growth.read = true;
    (void)es_session_growth_list(driver->session, &list, &count, NULL);
    for (size_t i = 0; i < count; i++)
        add_record(driver, &list[i]);
    es_free(list);
}

/* The rest of the plan, on the sample that is shown. */
static void end_growth(es_driver *driver) {
    driver->growth.over = true;
    driver->source->grows = driver->source->waits = false;
    es_session_first_only(driver->session, false);
    if (es_session_wanted(driver->session))
        (void)es_session_start(driver->session, NULL);
}

/* The newest decision of all pairs that the ranking stands on; NULL: it is still being made. */
static const es_decision *decided(const es_driver *driver) {
    const es_app *app = driver->app;
    bool complete = app->ranked.entry == 0 && !app->ranked.derived && es_ranked_complete(app) &&
                    app->intervals.asked_complete && !app->intervals.asking &&
                    !driver->source->decision.busy;
    return complete && app->intervals.known && app->intervals.known->ranking ? app->intervals.known
                                                                             : NULL;
}

/* True if the shown ranking is one that the growth of the sample does not judge. */
static bool looks_elsewhere(const es_driver *driver) {
    return driver->app->ranked.entry != 0 || driver->app->ranked.derived;
}

/* Takes in the sample that is shown; false: not yet. */
static bool look(es_driver *driver) {
    const es_pool *pool = es_session_pool(driver->session);
    const es_results *r = es_session_results(driver->session, 0);
    const es_decision *d = decided(driver);
    es_growth_record record = {0};
    es_error why = {0};
    es_status st = ES_OK;
    if (looks_elsewhere(driver))
        st = es_sampling_look(&driver->growth.sampling, driver->session, &record, &why);
    else if (d != NULL && d->m == r->m) {
        const es_sampling_of of = {d, (const char *const *)r->name, es_pool_rows(pool),
                                   es_pool_rows_available(pool), r->seed};
        st = es_sampling_take(&driver->growth.sampling, &of, &record, &why);
        if (st == ES_OK)
            st = es_session_growth_put(driver->session, &record, &why);
    } else
        return false;
    if (st != ES_OK) {
        es_driver_say_then(driver, &why, "no more rows are taken");
        end_growth(driver);
        return true;
    }
    add_record(driver, &record);
    driver->growth.looked = true;
    driver->growth.end = record.end;
    return true;
}

/* Notices why the sample does not grow any more. */
static void say_end(es_driver *driver) {
    es_buf text = {0};
    es_growth_put(&driver->growth.record[driver->growth.records - 1], &text);
    if (text.length > 0)
        es_driver_say(driver, ES_OK, text.data);
    es_buf_free(&text);
}

/* Of the larger sample, which may be on its way. */
static void leave(es_driver *driver) {
    es_driver_growth *g = &driver->growth;
    if (g->opening) {
        es_open_beside_free(driver->opening);
        driver->opening = NULL;
    } else if (g->coming) {
        es_session_leave(driver->coming, 0);
        driver->coming = NULL;
    }
    g->opening = g->coming = false;
    tell(driver);
}

static void give_up(es_driver *driver, const es_error *why) {
    leave(driver);
    es_driver_say_then(driver, why, "no more rows are taken");
    end_growth(driver);
}

/* Opens the pool with twice the rows beside the session. */
static void begin_next(es_driver *driver) {
    es_driver_growth *g = &driver->growth;
    const es_pool *pool = es_session_pool(driver->session);
    size_t rows = 2 * es_pool_rows(pool), all = es_pool_rows_available(pool);
    es_error why = {0};
    const es_explorer_turn *turn = driver->options->turn;
    if (es_open_beside_new(turn->open, turn->context, rows, &driver->opening, &why) != ES_OK) {
        give_up(driver, &why);
        return;
    }
    g->rows = rows < all ? rows : all;
    g->opening = true;
    tell(driver);
}

/* Takes the pool with more rows once it is open. */
static void take_opened(es_driver *driver) {
    es_error why = {0};
    driver->growth.opening = false;
    es_status st = es_open_beside_take(&driver->opening, &driver->coming, &why);
    driver->growth.coming = st == ES_OK;
    if (st == ES_OK) {
        es_session_first_only(driver->coming, true);
        st = es_session_start(driver->coming, &why);
    }
    if (st == ES_OK && driver->growth.paused)
        es_session_pause(driver->coming, true);
    if (st != ES_OK)
        give_up(driver, &why);
    else
        tell(driver);
}

/* A larger sample that is under way. */
static void follow(es_driver *driver) {
    es_error why = {0};
    if (es_session_pump(driver->coming, 0) > 0)
        driver->news = true;
    if (es_session_problem(driver->coming, &why) != ES_OK ||
        es_session_stopped(driver->coming, &why) != ES_OK)
        give_up(driver, &why);
}

void es_driver_step_growth(es_driver *driver) {
    es_driver_growth *g = &driver->growth;
    if (driver->source->grows != goes_on(driver) || driver->source->waits != waits(driver))
        tell(driver);
    if (g->opening && es_open_beside_done(driver->opening, 0))
        take_opened(driver);
    else if (g->coming)
        follow(driver);
    if (g->opening || g->coming)
        return;
    if (!is_growing(driver) || es_session_results(driver->session, 0) == NULL ||
        driver->coming != NULL || driver->opening != NULL)
        return;
    if (!g->read) {
        read_records(driver);
        const es_growth_record *last = g->records > 0 ? &g->record[g->records - 1] : NULL;
        if (last != NULL && last->end != ES_GROWTH_ON &&
            last->rows == es_pool_rows(es_session_pool(driver->session)))
            end_growth(driver);
        tell(driver);
    }
    if (g->over || !es_session_entry_known(driver->session, 0))
        return;
    if (!g->looked && !look(driver))
        return;
    if (g->over)
        return;
    if (g->end != ES_GROWTH_ON) {
        end_growth(driver);
        tell(driver);
        say_end(driver);
    } else if (goes_on(driver))
        begin_next(driver);
}

bool es_driver_growth_due(const es_driver *driver) {
    return goes_on(driver) && es_session_results(driver->session, 0) != NULL &&
           es_session_entry_known(driver->session, 0);
}

bool es_driver_grown_ready(const es_driver *driver) {
    return driver->growth.coming && driver->coming != NULL &&
           es_session_results(driver->coming, 0) != NULL &&
           es_session_entry_known(driver->coming, 0) &&
           es_session_phase(driver->coming) == ES_PHASE_DONE;
}

void es_driver_growth_pass(es_driver *driver, es_driver *next) {
    next->growth = driver->growth;
    driver->growth = (es_driver_growth){0};
    next->growth.opening = next->growth.coming = next->growth.looked = false;
    next->growth.read = true;
    tell(next);
}

void es_driver_growth_run(es_driver *driver, bool on) {
    driver->growth.stopped = !on;
    if (!on && (driver->growth.opening || driver->growth.coming))
        leave(driver);
}

void es_driver_growth_pause(es_driver *driver, bool paused) {
    driver->growth.paused = paused;
    if (driver->growth.coming)
        es_session_pause(driver->coming, paused);
}

void es_driver_growth_close(es_driver *driver) {
    es_sampling_deinit(&driver->growth.sampling);
    es_free(driver->growth.record);
    driver->growth = (es_driver_growth){0};
}
