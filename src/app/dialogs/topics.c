/* `:help TOPIC`: a page about a view or a subject, then the keys that belong to it, which come from
 * the table of commands. */
#include <stdio.h>
#include <string.h>

#include "app_dialogs.h"
#include "app_lists.h"
#include "app_state.h"

enum { NO_GROUP = -1, KEY_WIDTH = 10 };

typedef struct topic {
    const char *name, *text;
    int group; /* whose commands follow; NO_GROUP: those of the view of that name */
} topic;

static const topic topics[] = {
    {"overview",
     "The answer on one screen: the bottom line; the first of the ranking, with a band at the left "
     "that marks the candidates; the matrix; communities; agreement with downstream scores, beside "
     "that of the dimension alone; and the run, with the key to press next. Each tile opens its "
     "view: press its number, click it, or use Tab and Enter. On a small screen Tab shows the "
     "tiles that have no room.\n"
     "\n"
     "A pool that takes under a minute is estimated at once: p pauses, X stops. :set autostart no "
     "--save waits for r, for good.",
     NO_GROUP},
    {"pool",
     "The embedders that were found, their checks, and the plan of the run. An embedder that "
     "cannot be used stays in the list with its reason; Enter shows all about it. A run of more "
     "than a minute starts with r. Once there is a ranking, the answer stands above.\n"
     "\n"
     "d derives an embedder: whitened, centred, reduced. Its name begins with ~ in every view. It "
     "is estimated and measured like others, but it neither votes nor ranks until d in Rank, or "
     ":set derived on, includes it. D removes one; u undoes both while the session is open.\n"
     "\n"
     "gF and :family NAME name the marked embedders as one family; :family - removes the name. "
     "Both ask before they write families.csv in the pool. The family control marks noise and "
     "shuffled rows: controls are not ranked and do not vote. The column kind is known after the "
     "ranking: embedders of one kind share one vote, whether their family is named or not.",
     NO_GROUP},
    {"heatmap",
     "Row r, column c: how much of c can be predicted from r, in nats per dimension of c; bright "
     "is much. A dark row predicts nothing; a dark column is predicted by no embedder. Bars at the "
     "right and below are means. Colours span the 5th to the 95th percentile and stay while "
     "results arrive; R takes the full range or fits them again.\n"
     "\n"
     "Previews that knife has not refined yet are dimmed and marked ~; if two rows share a line, "
     "they are cut to a quarter. Values with a caveat look the same and are marked ?, or ^ if they "
     "are as large as log N allows. Pending, running and failed pairs have signs of their own, "
     "counted below the matrix; the end of ? explains all of them.\n"
     "\n"
     "A matrix larger than the screen scrolls; . shows all of it as means of blocks.",
     NO_GROUP},
    {"tree",
     "Embedders that predict each other: Louvain communities, with their sub-communities inside. "
     "stable is the share of 200 reseeded runs that find the same group; do not report one below "
     "80% without saying so. The centre is the embedder that predicts most of the others. The "
     "graph (g) draws the strongest edges only and reports how many.",
     NO_GROUP},
    {"rank",
     "The lines at the top are the answer: what to try, which is first, the candidates for the "
     "best, and what would narrow them. The table holds the numbers behind it.\n"
     "\n"
     "The score is the lead: how much more of the reference embedders an embedder predicts than "
     "the others do, by linear shrunk, one vote a kind. Leads sum to about 0. Kinds are found in "
     "the values, also if pool.json names families; no embedder is a reference for its own kind or "
     "family. Controls, and embedders that share nothing with the others, have no rank. The lead "
     "is a ranking aid: it rewards information and width, and your tasks were not tested. The "
     "published score, the median of the best estimator, is the column publ.; m ranks by it, and "
     "names no best.\n"
     "\n"
     "A band at the left marks the candidates: with other kinds of embedders as reference the best "
     "would be among them, with 95% confidence. It needs five kinds or more; with fewer the order "
     "holds for these embedders alone. Column vs compares a row with the row under the cursor: "
     "\xe2\x89\xa0 one is shown ahead of the other, = no difference is shown. For each embedder "
     "outside the band another one is shown ahead of it. The line through the dot is the 95% "
     "interval of the score, ranks that of the rank. info is the lead in information alone; width "
     "counts the dimensions that are shared with other kinds. IS in is the median of the column: "
     "how easily others predict it. If there is room, or with :sort: H(V)/d and H(V), its own "
     "entropy per dimension and in nats of all dimensions.\n"
     "\n"
     "During a run, only embedders whose pairs are all known are ranked; the others follow with a "
     "dash. Enter explains the rank of a row.",
     NO_GROUP},
    {"corr",
     "Does the label-free score agree with downstream results? Each task of scores.csv has its "
     "coefficient with a 95% interval; the plot shows one task, one point an embedder. The partial "
     "coefficient given log dimension separates size from quality. Points left out with x are "
     "counted in the title. j and k choose a task, Enter ranks by it; Tab goes to the plot, where "
     "hjkl go from point to point.\n"
     "\n"
     "Over several tasks there are two sums: the mean rank, of the ranks within each task, and the "
     "mean of the scores. Both cover the embedders that have every task. gw shows the score at "
     "every value of an estimator's settings; Esc goes back. Sheets (9) have the rest: agreement, "
     "scores without labels, scores by task and category.",
     NO_GROUP},
    {"compare",
     "Two or three embedders side by side. A contains B if A predicts at least half of what can be "
     "known of B, and clearly more than B of A. They hold each other, or neither holds the other; "
     "? is not settled, with what would settle it.\n"
     "\n"
     "Below are the targets that they predict differently (beyond the 95 % interval with the noise "
     "of fitting; of three, the two that "
     "differ most), downstream scores, and the rows that only one of them captures.\n"
     "\n"
     "gp opens a sheet with the rows on the plane of the first two principal components, once for "
     "each embedder; the row under the cursor is marked in both. Coloured rows are captured by one "
     "embedder and not by the other: the tenth of the evaluated rows at either end of their "
     "difference. C colours by the columns of labels.csv and rows.csv in turn. Without values per "
     "row, the first label column or the sets of rows are shown. A large pool is sampled. In other "
     "views gp maps the embedder under the cursor.",
     NO_GROUP},
    {"sets",
     "Several data sets: pools named together, the pools of a folder, or the sets of rows of one "
     "pool (--set-rows all). Embedders are matched by name. The share is that of the others that "
     "an embedder beats; a pair without a shown difference counts half. The interval resamples "
     "data sets. An embedder is first in a data set if that one shows a difference, and no other "
     "is shown ahead of it there. Each data set shows share, score or rank (C); t shows how far "
     "the data sets agree, and lists them. Enter opens the data set of the column or row, and 8 "
     "comes back; r estimates the open one, `embedscope estimate` all of them.",
     ES_GROUP_GO},
    {"measures",
     "gm computes a measure. Measures of embedders become a column of Rank and a score of Corr "
     "(m); measures of pairs become a metric of the Heatmap (m), and their median over the others "
     "a score of Corr. :set metric and :axis take any of its fields, such as infonce.match. "
     "Settings follow the name: :measure retmmd power=2,3,4 measures at three values; :sweep knife "
     "modes=1,2,4 does the same for an estimator (gw). W lists the pairs or rows behind a number.\n"
     "\n"
     "infonce trains a critic to match rows of one embedder with rows of the other, and measures "
     "it on rows that it has not seen. It finds no more than log N nats, so related embedders look "
     "alike (^); match has no such limit. It is symmetric and cannot show which of two predicts "
     "the other; maps=source gives it a direction, that of the critic, not of the information. The "
     "margin, which leaves the pair out of its own denominator, is no lower bound of the "
     "information on a finite sample.",
     ES_GROUP_RUN},
    {"jobs",
     "The run: the pair of each thread with its loss, the next pairs, failed pairs with their "
     "reasons, and the log. Each pair is stored when it is finished, so quitting loses only those "
     "in work. P in any list puts a row first. Tasks of a cluster (embedscope slurm --array) are "
     "listed with their state, their pairs and the time of their last heartbeat; their results are "
     "shown, and stored once embedscope merge has run.",
     NO_GROUP},
    {"sheets",
     "Every analysis as a table: Enter opens one, Esc goes back. A sheet is made in the background "
     "from stored results, with the numbers of the command line, and made again when results "
     "change. h and l choose a column, s sorts by it, Enter shows all of a row, m draws the next "
     "column beside the table, y copies, e exports. In the sheet Columns, Enter lists the values "
     "of "
     "a column, and Enter on a value maps the rows that have it. Sheets about rows then show only "
     "these; Esc shows all again.",
     NO_GROUP},
    {"series",
     "Training runs over their steps: checkpoints named RUN@STEP, or with series and step in "
     "pool.json (:sheet series). Each step has its score, how much it keeps of the step before and "
     "of the first, and how much of it was known one step before (information sufficiency). All "
     "steps of a series are one kind in the ranking and share one vote.",
     ES_GROUP_GO},
    {"filter",
     "A filter shows only the embedders that match all its words.\n"
     "\n"
     "  e5 small   both are in the name or the family; an upper-case letter counts\n"
     "  dim>512    also rows, size, score, rank, pairs, failed; < <= > >= =\n"
     "  /regex/    a regular expression (PCRE) on the name; case does not count\n"
     "  c:C1       in this community, or in one inside it\n"
     "  marked     also failed, excluded, ready\n"
     "  !word      not\n"
     "\n"
     "The border of the list shows the filter; Esc clears it. Searching (/) only moves the cursor.",
     ES_GROUP_FIND},
    {"run",
     "r estimates every missing pair: first linear, which fills the matrix in seconds, then knife, "
     "which refines it pair by pair. Rows on the screen, marked rows, and the row chosen with P "
     "come first. Values that are still linear's are marked ~.\n"
     "\n"
     "^e plans another run: estimator, preset, rows, seed, threads; :run linear seed=1 is the "
     "short form. The pool is opened again with it; the view stays, and stored results are used.",
     ES_GROUP_RUN},
    {"marks",
     "Marks and the cursor are the same in all views. Comparing, copying and exporting use the "
     "marked embedders, if any are marked.",
     ES_GROUP_MARK},
    {"copy",
     "A copy goes to tmux inside tmux, to the terminal's clipboard (OSC 52) elsewhere, or into a "
     "file if neither is possible; the message names it. e writes the view to a file and shows the "
     "command line that makes the same bytes.",
     ES_GROUP_COPY},
    {"views",
     "0 is the Overview, 1 to 7 are seven views, 8 shows several data sets, and 9 lists the "
     "sheets. They share one cursor and one set of marks. Esc goes one step back and never quits.",
     ES_GROUP_GO},
    {"move",
     "Arrows or hjkl; # and a number before a motion repeat it: #5j. Digits alone open views. With "
     ":mouse, clicks and the wheel.",
     ES_GROUP_MOVE},
    {"settings",
     "set lists the settings, set NAME VALUE changes one, and --save at the end keeps it in the "
     "configuration file. map gives a command your own key, in one view or all; footer and help "
     "show it.",
     ES_GROUP_MORE},
};
enum { TOPICS = sizeof topics / sizeof *topics };

const char *es_topic_text(es_view_id view) {
    for (size_t i = 0; i < TOPICS; i++)
        if (topics[i].group == NO_GROUP && es_view_find(topics[i].name) == view)
            return topics[i].text;
    return "";
}

const char *es_topic_name(size_t index) {
    return index < TOPICS ? topics[index].name : NULL;
}

/* By name, or by a beginning that no other one has; NULL: none. */
static const topic *find(const char *name) {
    const topic *found = NULL;
    size_t length = strlen(name), matches = 0;
    for (size_t i = 0; i < TOPICS; i++) {
        if (strcmp(topics[i].name, name) == 0)
            return &topics[i];
        if (strncmp(topics[i].name, name, length) == 0) {
            found = &topics[i];
            matches++;
        }
    }
    return length > 0 && matches == 1 ? found : NULL;
}

static bool belongs_to_topic(const topic *t, es_command command) {
    if (t->group != NO_GROUP)
        return (int)es_commands[command].group == t->group;
    return es_command_is_own(command) && es_command_in_view(command, es_view_find(t->name));
}

static void list_keys(const es_app *app, const topic *t, es_buf *out) {
    es_view_id view = t->group == NO_GROUP ? es_view_find(t->name) : app->view;
    es_buf_puts(out, "\n\n");
    for (int c = 0; c < ES_COMMAND_COUNT; c++) {
        es_command command = (es_command)c;
        char keys[48];
        if (!belongs_to_topic(t, command))
            continue;
        es_help_keys(app, view, command, keys, sizeof keys);
        int width = es_name_width(keys);
        es_buf_printf(out, "  %s%*s  %s\n", keys, width < KEY_WIDTH ? KEY_WIDTH - width : 0, "",
                      es_commands[command].help);
    }
}

bool es_topic_show(es_app *app, const char *name) {
    const topic *t = find(name);
    char title[64];
    es_buf out = {0};
    if (t == NULL)
        return false;
    es_buf_puts(&out, t->text);
    list_keys(app, t, &out);
    (void)snprintf(title, sizeof title, "Help: %s",
                   t->group == NO_GROUP ? es_view_table[es_view_find(t->name)].name : t->name);
    es_app_show_note(app, title, es_buf_take(&out));
    return true;
}

/* The help overlay: the table of commands, filtered as you type. */

static bool runs_on(const es_app *app, es_command command, const char *word) {
    char key[16];
    for (size_t i = 0; es_keymap_spelling(&app->keymap, app->view, command, i, key, sizeof key);
         i++)
        if (es_text_contains(key, word, false))
            return true;
    return false;
}

/* True: every word of the filter is in the command's name, help or keys. */
static bool matches_filter(const es_app *app, es_command command) {
    const es_help *help = &app->help;
    char words[ES_APP_LINE], *rest = NULL;
    const es_command_info *info = &es_commands[command];
    (void)snprintf(words, sizeof words, "%s", help->filter.text);
    for (char *word = strtok_r(words, " ", &rest); word != NULL; word = strtok_r(NULL, " ", &rest))
        if (!es_text_contains(info->name, word + (word[0] == ':' && word[1] != '\0'), false) &&
            !es_text_contains(info->help, word, false) && !runs_on(app, command, word))
            return false;
    return true;
}

static bool is_listed(const es_app *app, es_command command) {
    return app->help.all ||
           (es_command_in_view(command, app->view) && !es_command_is_shadowed(command, app->view));
}

/* In the list of all views, nothing is put last. */
static bool is_ready(const es_app *app, es_command command) {
    return app->help.all || !app->help.refusal || app->help.refusal(app, command) == NULL;
}

void es_help_filter(es_app *app) {
    es_help *help = &app->help;
    help->count = 0;
    for (int ready = 1; ready >= 0; ready--) {
        for (int group = 0; group < ES_GROUP_COUNT; group++)
            for (int c = 0; c < ES_COMMAND_COUNT; c++)
                if ((int)es_commands[c].group == group && matches_filter(app, (es_command)c) &&
                    is_listed(app, (es_command)c) && is_ready(app, (es_command)c) == (ready == 1))
                    help->match[help->count++] = (uint8_t)c;
        if (ready == 1)
            help->ready = help->count;
    }
    help->at = 0;
}

void es_help_keys(const es_app *app, es_view_id view, es_command command, char *out,
                  size_t capacity) {
    char key[16];
    out[0] = '\0';
    for (size_t i = 0; es_keymap_spelling(&app->keymap, view, command, i, key, sizeof key); i++) {
        const char *shown = strcmp(key, "Enter") == 0 && !app->ascii ? "↵" : key;
        es_phrase_add(out, capacity, "%s%s", i == 0 ? "" : " ", shown);
    }
    if (out[0] == '\0')
        (void)snprintf(out, capacity, ":%s", es_commands[command].name);
}

void es_help_open(es_app *app, const char *text,
                  const char *(*refusal)(const es_app *app, es_command command)) {
    app->mode = ES_MODE_HELP;
    app->help.all = false;
    app->help.refusal = refusal;
    es_line_set(&app->help.filter, text == NULL ? "" : text);
    es_help_filter(app);
}
