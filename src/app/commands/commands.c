#include "commands.h"

#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "corr.h"
#include "text.h"

/* Handlers are in do_*.c. Several commands may share one; declaring it again does no harm. */
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run)                  \
    void run(es_call *call);
#include "commands.def"
#undef C

const es_command_info es_commands[ES_COMMAND_COUNT] = {
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run)                  \
    [ES_COMMAND_##                                                                                 \
        id] = {name, keys, views, ES_GROUP_##group, footer_keys, footer, help, argument, run},
#include "commands.def"
#undef C
};

const char *es_command_group_name(es_command_group group) {
    static const char *const name[ES_GROUP_COUNT] = {
        [ES_GROUP_VIEW] = "This view",
        [ES_GROUP_RUN] = "The run",
        [ES_GROUP_MARK] = "Marks",
        [ES_GROUP_FIND] = "Find",
        [ES_GROUP_MOVE] = "Move",
        [ES_GROUP_GO] = "Go to",
        [ES_GROUP_COPY] = "Copy and export",
        [ES_GROUP_MORE] = "More",
    };
    return name[group];
}

bool es_command_is_own(es_command command) {
    return es_commands[command].views[0] != '*';
}

bool es_command_in_view(es_command command, es_view_id view) {
    static const char letter[ES_VIEW_COUNT] = {
        [ES_VIEW_POOL] = 'P', [ES_VIEW_HEATMAP] = 'H', [ES_VIEW_TREE] = 'T', [ES_VIEW_RANK] = 'R',
        [ES_VIEW_CORR] = 'C', [ES_VIEW_COMPARE] = 'D', [ES_VIEW_JOBS] = 'J',
    };
    return !es_command_is_own(command) || strchr(es_commands[command].views, letter[view]) != NULL;
}

void es_command_say_where(es_app *app, es_command command) {
    char where[128];
    size_t used = 0;
    where[0] = '\0';
    for (int v = 0; v < ES_VIEW_COUNT; v++)
        if (es_command_in_view(command, (es_view_id)v) && used < sizeof where)
            used += (size_t)snprintf(where + used, sizeof where - used, "%s%s (%d)",
                                     used > 0 ? ", " : "", es_view_name((es_view_id)v), v + 1);
    es_app_notice(app, ES_EINVAL, "%s: works in %s", es_commands[command].name, where);
}

bool es_command_spelling(es_command command, size_t number, char *out, size_t capacity) {
    const char *at = es_commands[command].keys;
    for (;; number--) {
        size_t length = strcspn(at, " ");
        if (length == 0)
            return false;
        if (number == 0) {
            (void)snprintf(out, capacity, "%.*s", (int)length, at);
            return true;
        }
        at += length + (at[length] == ' ');
    }
}

size_t es_command_parse(const char *spelling, uint32_t keys[ES_COMMAND_KEYS]) {
    static const struct {
        const char *name;
        uint32_t key;
    } named[] = {
        {"Up", ES_KEY_UP},        {"Down", ES_KEY_DOWN},      {"Left", ES_KEY_LEFT},
        {"Right", ES_KEY_RIGHT},  {"Home", ES_KEY_HOME},      {"End", ES_KEY_END},
        {"PgUp", ES_KEY_PAGE_UP}, {"PgDn", ES_KEY_PAGE_DOWN}, {"Enter", ES_KEY_ENTER},
        {"Esc", ES_KEY_ESC},      {"Tab", ES_KEY_TAB},        {"S-Tab", ES_KEY_BACKTAB},
        {"Space", ' '},           {"F1", ES_KEY_F1},
    };
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        if (strcmp(spelling, named[i].name) == 0) {
            keys[0] = named[i].key;
            return 1;
        }
    if (spelling[0] == '^' && spelling[1] >= 'a' && spelling[1] <= 'z' && spelling[2] == '\0') {
        keys[0] = (uint32_t)(spelling[1] - ES_KEY_CTRL);
        return 1;
    }
    size_t count = 0, length = strlen(spelling);
    for (size_t at = 0; at < length; count++) {
        if (count == ES_COMMAND_KEYS)
            return 0;
        at += es_utf8_decode(spelling + at, length - at, &keys[count]);
    }
    return count;
}

es_command es_command_of_keys(es_view_id view, const uint32_t *keys, size_t count, bool *longer) {
    es_command found = ES_COMMAND_COUNT;
    *longer = false;
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        char spelling[16];
        if (!es_command_in_view((es_command)c, view))
            continue;
        for (size_t s = 0; es_command_spelling((es_command)c, s, spelling, sizeof spelling); s++) {
            uint32_t own[ES_COMMAND_KEYS];
            size_t length = es_command_parse(spelling, own);
            if (length < count || memcmp(own, keys, count * sizeof *keys) != 0)
                continue;
            if (length > count)
                *longer = true;
            else if (found == ES_COMMAND_COUNT)
                found = (es_command)c;
        }
    }
    return found;
}

bool es_command_is_shadowed(es_command command, es_view_id view) {
    char spelling[16];
    uint32_t keys[ES_COMMAND_KEYS];
    bool longer;
    if (es_command_is_own(command) || !es_command_spelling(command, 0, spelling, sizeof spelling))
        return false;
    size_t count = es_command_parse(spelling, keys);
    return es_command_of_keys(view, keys, count, &longer) != command;
}

es_command es_command_of_name(const char *name, size_t length) {
    es_command found = ES_COMMAND_COUNT;
    size_t matches = 0;
    if (length == 0)
        return ES_COMMAND_COUNT;
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        const char *own = es_commands[c].name;
        if (strncmp(own, name, length) != 0)
            continue;
        if (own[length] == '\0')
            return (es_command)c;
        /* "q" means quit although "quit!" begins like it, too. */
        if (matches == 0 ||
            strncmp(own, es_commands[found].name, strlen(es_commands[found].name)) != 0) {
            found = (es_command)c;
            matches++;
        }
    }
    return matches == 1 ? found : ES_COMMAND_COUNT;
}

bool es_command_moves(es_command command) {
    return es_commands[command].run == es_do_move;
}

/* Refusals by what a command needs. */
static const char *refuse_run(const es_app *app, es_command command) {
    bool running = es_app_running(app);
    if (app->source->read_only(app->source->context))
        return "results only, nothing to run";
    switch (command) {
    case ES_COMMAND_START:
        if (app->source->problem(app->source->context, NULL) != ES_OK)
            return "this pool cannot be used";
        if (app->unchecked == 0 && app->usable < 2)
            return "two embedders are needed";
        if (running)
            return "already running";
        return app->phase == ES_PHASE_DONE ? "every pair is done" : NULL;
    case ES_COMMAND_RETRY:
        return app->progress.failed == 0 ? "no pair has failed" : NULL;
    case ES_COMMAND_FEWER:
        return app->source->threads(app->source->context) <= 1 ? "one thread is the least" : NULL;
    case ES_COMMAND_MORE:
    case ES_COMMAND_THREADS:
        return NULL;
    default:
        return running ? NULL : "nothing is running";
    }
}

const char *es_command_refusal(const es_app *app, es_command command) {
    static const char in_agreement[] = "of the scatter; ga goes back to it";
    switch (command) {
    case ES_COMMAND_PLAN:
        return es_planner_refusal(app);
    case ES_COMMAND_START:
    case ES_COMMAND_PAUSE:
    case ES_COMMAND_PRIORITISE:
    case ES_COMMAND_CANCEL:
    case ES_COMMAND_RETRY:
    case ES_COMMAND_FEWER:
    case ES_COMMAND_MORE:
    case ES_COMMAND_THREADS:
        return refuse_run(app, command);
    case ES_COMMAND_FOLD:
    case ES_COMMAND_UNFOLD:
    case ES_COMMAND_FOLD_ALL:
        return app->set.graph ? "of the tree; g goes back to it" : NULL;
    case ES_COMMAND_OPEN:
        return es_app_running(app) ? "a run is on; X cancels it, finished pairs are kept"
                                   : es_app_unkept(app);
    case ES_COMMAND_EXPORT:
    case ES_COMMAND_EXPORT_AGAIN:
        return es_export_refusal(app);
    case ES_COMMAND_WORST:
        if (app->view == ES_VIEW_CORR && app->set.corr_agree)
            return in_agreement;
        return es_worst_refusal(app);
    case ES_COMMAND_UNDO:
        return app->undo_count == 0 ? "nothing to take back" : NULL;
    case ES_COMMAND_REDO:
        return app->redo_count == 0 ? "nothing to do again" : NULL;
    case ES_COMMAND_THEME:
        return app->theme_count == 0 ? "no themes are installed" : NULL;
    case ES_COMMAND_HIDDEN:
    case ES_COMMAND_SHOW:
        return es_select_hidden(app) == 0 ? "nothing is hidden" : NULL;
    case ES_COMMAND_NEXT:
    case ES_COMMAND_PREVIOUS:
        return app->search[0] == '\0' ? "nothing was searched yet" : NULL;
    case ES_COMMAND_SWAP:
    case ES_COMMAND_COMPARE_OPEN:
    case ES_COMMAND_DIFFERENCES:
    case ES_COMMAND_SORT_TARGETS:
    case ES_COMMAND_GO_CELL:
        return app->set.compare.count == 0 ? "nothing is compared yet; c or a choose" : NULL;
    case ES_COMMAND_DROP:
        return app->set.compare.count < 3 ? "two are the least" : NULL;
    case ES_COMMAND_EXCLUDE:
        if (app->set.corr_agree)
            return in_agreement;
        if (app->corr->tasks == 0)
            return "there are no scores";
        return app->cursor == ES_NONE ? "no point is selected" : NULL;
    case ES_COMMAND_ACCEPT:
    case ES_COMMAND_ACCEPT_ALL:
        if (app->set.corr_agree)
            return in_agreement;
        return es_corr_proposal(app, 0) == ES_NONE ? "no name is proposed" : NULL;
    case ES_COMMAND_SCORES:
        return app->set.corr_agree ? in_agreement : es_app_unkept(app);
    case ES_COMMAND_TASK_DETAILS:
        return app->corr->tasks == 0 && !app->set.corr_agree ? "there are no scores" : NULL;
    case ES_COMMAND_KIND:
    case ES_COMMAND_BAND:
    case ES_COMMAND_RESIDUALS:
    case ES_COMMAND_LABELS:
    case ES_COMMAND_SORT_TASKS:
    case ES_COMMAND_TASK:
        if (app->view == ES_VIEW_CORR && app->set.corr_agree)
            return in_agreement;
        return app->corr->tasks == 0 ? "there are no scores" : NULL;
    case ES_COMMAND_ZOOM_IN:
    case ES_COMMAND_ZOOM_OUT:
    case ES_COMMAND_ZOOM_FIT:
        return app->view == ES_VIEW_CORR && app->set.corr_agree ? in_agreement : NULL;
    case ES_COMMAND_MARK:
        return app->view == ES_VIEW_JOBS ? "not in Jobs" : NULL;
    case ES_COMMAND_MARK_RANGE:
    case ES_COMMAND_HIDE:
    case ES_COMMAND_FREEZE:
        return app->view == ES_VIEW_JOBS      ? "not in Jobs"
               : app->view == ES_VIEW_COMPARE ? "not in Compare"
                                              : NULL;
    case ES_COMMAND_COLOURS:
        return app->coarse ? "this terminal or theme has too few of them for a map" : NULL;
    case ES_COMMAND_ESTIMATOR:
        return app->source->plan(app->source->context) < 2 ? "the plan has one estimator" : NULL;
    default:
        return NULL;
    }
}

void es_command_run(es_app *app, es_command command, size_t count, const char *argument,
                    es_effects *effects) {
    if (command == ES_COMMAND_START && argument != NULL)
        command = ES_COMMAND_PLAN; /* of another run */
    const char *refusal = es_command_refusal(app, command);
    if (refusal != NULL) {
        es_app_notice(app, ES_EINVAL, "%s: %s", es_commands[command].name, refusal);
        return;
    }
    es_call call = {app, effects, command, count, argument};
    es_commands[command].run(&call);
}
