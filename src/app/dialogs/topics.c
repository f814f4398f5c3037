/* `:help TOPIC`: a page about a view or a subject, then the keys that belong to it, which come from
 * the table of commands. */
#include <stdio.h>
#include <string.h>

#include "app_state.h"
#include "buf.h"
#include "effects.h"
#include "help_list.h"
#include "number_text.h"
#include "topics.h"

enum { NO_GROUP = -1, KEY_WIDTH = 10 };

typedef struct topic {
    const char *name, *text;
    int group; /* whose commands follow; NO_GROUP: those of the view of that name */
} topic;

static const topic topics[] = {
    {"overview",
     "What it comes to, on one screen: the bottom line; the first of the ranking, with a band at "
     "the left of those that may be the best; the matrix, in the order of the view 2; communities "
     "with their best member; agreement with downstream scores, beside that of dimension alone; "
     "the run and the key to press next. Each tile is the way to its view: its number, a click, or "
     "Tab and Enter. A tile for which a small screen has no room is shown alone when Tab comes to "
     "it.\n\n"
     "What takes under a minute is estimated at once and says so; p pauses, X stops, :set "
     "autostart no --save leaves it to r for good.",
     NO_GROUP},
    {"pool",
     "The embedders that were found, what was checked in them, and what will be estimated. One "
     "that "
     "cannot be used is kept in the list with its reason; Enter tells all about it. What takes "
     "over a minute starts with r. Once there is a ranking, what it comes to stands above.\n\n"
     "d derives an embedder: whitened, centred, reduced. Its name begins with ~ in every view. It "
     "is estimated and measured like others, but neither votes nor ranks until d in Rank, or "
     ":set derived on, says so. D removes one; u takes back both for as long as the session is "
     "open.\n\n"
     "gF and :family NAME name the marked embedders as one family; :family - takes the name away. "
     "They ask before they write families.csv in the pool. The family control marks noise and "
     "shuffled rows: controls are not ranked and do not vote. The column kind is known after the "
     "ranking: embedders of one kind have one vote, whether their family is named or not.",
     NO_GROUP},
    {"heatmap",
     "Row r, column c: how much of c can be simulated from r, in nats per dimension of c; bright "
     "is "
     "much. A dark row simulates nothing, a dark column is simulated by nobody. Bars at the right "
     "and below are means. Colours span the 5th to the 95th percentile, and limits stay as they "
     "are while results come in; R takes the full range or fits them anew.\n\n"
     "Previews wait to be refined: they are dimmed and have a ~, where two rows share a line they "
     "are cut to a quarter. So are values of a measure that says little there, with a ?, and those "
     "that are as large as log N lets them be, with a ^. Pending, "
     "running and failed pairs have signs, which are counted below the matrix; the end of ? shows "
     "all of them.\n\n"
     "What has no room is scrolled; . shows all of it at once, as means of blocks, and says of how "
     "many pairs each.",
     NO_GROUP},
    {"tree",
     "Families of embedders that simulate each other: Louvain communities, their sub-communities "
     "inside. stable is the share of 200 reseeded runs that find the same group; do not report one "
     "below 80% without saying so. The spokesman is the member from which most of the others can "
     "be "
     "simulated. The graph (g) draws the strongest edges only and says how many.",
     NO_GROUP},
    {"rank",
     "The lines at the top are the answer: what to try, which is first, the candidates for the "
     "best and what would narrow them. The table holds the numbers behind it.\n\n"
     "The score is the lead: how much more of the reference embedders an embedder predicts than "
     "the others do, by linear shrunk, one vote a kind. Leads sum to about 0. Kinds are found "
     "in the values, also if pool.json names families; no embedder is a reference for its own "
     "kind or family. Controls, and embedders that share nothing with the others, have no rank. "
     "The lead is a ranking aid: it rewards information and width, and knows nothing of your "
     "tasks. The published score, the median of the best estimator, is the column publ.; m "
     "ranks by it, and names no best.\n\n"
     "A band at the left marks the candidates: with other kinds of embedders as reference the "
     "best would be among them, with 95% confidence. It takes five kinds or more; with fewer "
     "the order holds for these embedders alone. Column vs compares a row with the row under "
     "the cursor: \xe2\x89\xa0 one is shown ahead of the other, = no difference is shown. Each "
     "embedder outside the band has another that is shown ahead of it. The line through the dot "
     "is the score's 95% interval, ranks is the interval of the rank. info is the lead in "
     "information alone; width counts the dimensions that are shared with other kinds. IS in is "
     "the median of the column, how easily others simulate it. Where there is room, or :sort "
     "names them: H(V)/d and H(V), its own entropy per dimension and in nats of all dimensions.\n\n"
     "While a run is on, only embedders whose pairs are all known are ranked; the others follow "
     "with a dash. Enter shows why a row has its rank.",
     NO_GROUP},
    {"corr",
     "Does the label-free score go with downstream results? Each task of scores.csv has its "
     "coefficient with a 95% interval; the plot shows one task, an embedder a point. The partial "
     "coefficient given log dimension tells size from quality. What is left out with x is counted "
     "in the title.\n\n"
     "Over several tasks there are two sums: the mean rank, of the ranks within each task, and the "
     "mean of the scores as they stand; both are of the embedders that have every task. gw shows "
     "the score at every value of an estimator's settings, Esc goes back. Sheets (9) have the "
     "rest: "
     "agreement, scores without labels, scores by task and category.",
     NO_GROUP},
    {"compare",
     "Two or three embedders side by side. A contains B where B can be simulated from A and A not "
     "from B, beyond the interval; or they hold each other, or neither does; ? is not settled, and "
     "says what would settle it. Below are the targets that they "
     "simulate differently (beyond the 95 % interval with the noise of fitting; of three, "
     "whichever two differ most), downstream scores, and the rows that one of them captures "
     "alone.\n\n"
     "gp puts the rows on a plane, that of the first two principal components, once for each: the "
     "row under the cursor stands out in both, with its text. Coloured is what one captures and "
     "the other does not: of the evaluated rows the tenth at either end of their difference; "
     "C takes the columns of labels.csv and rows.csv in turn, o shows one embedder alone. "
     "Without values per row the first label column is shown, or the sets of rows. Of large "
     "pools it is a sample. In other views gp shows the rows of the embedder under the cursor "
     "alone; Esc comes back.",
     NO_GROUP},
    {"sets",
     "Several data sets: pools that were named together, the pools of a folder, or the sets of "
     "rows "
     "of one pool (--set-rows all). Embedders are matched by name. The share is that of the others "
     "that an embedder is before, where two that a data set does not tell apart count as half; the "
     "interval resamples data sets. An embedder is first in those that show a difference and in "
     "which no other is shown ahead of it. Under each data set stands the share, score or rank "
     "there: "
     "- "
     "where it is not in it, a dot where nothing is estimated. Enter opens the data set of the "
     "column, 8 comes back; r estimates the one that is open, `embedscope estimate` all.",
     NO_GROUP},
    {"measures",
     "gm computes a measure: of embedders it is a column of Rank and a score of Corr (m), of pairs "
     "a "
     "metric of the Heatmap (m), and by its median over the others a score of Corr, too. :set "
     "metric and :axis take any of its fields, such as infonce.match. Settings stand behind the "
     "name: "
     ":measure retmmd power=2,3,4 measures at each of three values; of an estimator :sweep knife "
     "modes=1,2,4 does (gw). W lists what is behind the "
     "number.\n\n"
     "infonce trains a critic to tell which row of one embedder belongs to which of the other, and "
     "measures what it knows of rows that it has not seen. What it is not: it finds no more than "
     "log N nats, so related embedders look alike (^); match has no such limit. It is symmetric "
     "and "
     "cannot say which of two predicts the other; with maps=source it has a direction, which is "
     "the critic's, not the information's. The margin, which leaves the pair out of its own "
     "denominator, is no lower bound of the information on a finite sample.",
     ES_GROUP_RUN},
    {"jobs",
     "The run: what each thread is at with its loss, what comes next, failed pairs with their "
     "reasons, and the log. Finished pairs are stored one by one, so quitting loses only those at "
     "work. P in any list puts a row first. Tasks of a cluster (embedscope slurm --array) are "
     "listed "
     "with their state, the pairs that they have found and when they were last heard of; what they "
     "find is shown, and kept once embedscope merge has put it to the pool's results.",
     NO_GROUP},
    {"sheets",
     "Every analysis as a table: Enter opens one, Esc goes back. A sheet is made in the background "
     "from stored results, as the command line makes it, and again when results change. h and l "
     "choose a column, s sorts by it, Enter shows all of a row, m draws the next column beside "
     "the table, y copies, e exports.",
     NO_GROUP},
    {"series",
     "Training runs over their steps: checkpoints called RUN@STEP, or with series and step in "
     "pool.json (:sheet series). Each step has its score, how much it keeps of the step before and "
     "of the first, and how much of it was known one step before (information sufficiency). All "
     "steps of a series are one kind in the ranking and share one vote.",
     ES_GROUP_GO},
    {"filter",
     "A filter shows what passes and hides nothing else: words that must all hold.\n\n"
     "  e5 small   both are in the name or the family; an upper-case letter counts\n"
     "  dim>512    also rows, size, score, rank, pairs, failed; < <= > >= =\n"
     "  /regex/    a regular expression (PCRE) on the name; case does not count\n"
     "  c:C1       in this community, or in one inside it\n"
     "  marked     also failed, excluded, ready\n"
     "  !word      not\n\n"
     "It stands in the border of what it filters; Esc clears it. Searching (/) only moves the "
     "cursor.",
     ES_GROUP_FIND},
    {"run",
     "r estimates every missing pair: first linear, which shows the whole matrix in seconds, then "
     "knife, which refines it pair by pair. Rows on the screen, marked ones, and the one chosen "
     "with P come first. Values that are still linear's carry a ~.\n\n"
     "^e asks which run it is to be: estimator, preset, rows, seed, threads; :run linear seed=1 "
     "says it in a line. The pool is opened again with it, the view stays, and what the store has "
     "is taken from there.",
     ES_GROUP_RUN},
    {"marks",
     "Marks and the cursor are the same in all views. Comparing, copying and exporting take what "
     "is "
     "marked, if anything is.",
     ES_GROUP_MARK},
    {"copy",
     "A copy goes to tmux inside tmux, to the terminal's clipboard (OSC 52) elsewhere, or into a "
     "file where neither can be; the message says where. e writes the view to a file and shows the "
     "command line that makes the same bytes.",
     ES_GROUP_COPY},
    {"views",
     "0 is the overview, 1 to 7 are seven views, 8 that of several data sets, 9 of training runs, "
     "with one cursor and one set of marks. Esc goes one step back and never quits.",
     ES_GROUP_GO},
    {"move",
     "Arrows or hjkl; # and a number before a motion repeat it: #5j. Digits alone are views. With "
     ":mouse, clicks and the wheel.",
     ES_GROUP_MOVE},
    {"settings",
     "set lists what can be set, set NAME VALUE changes it, and --save at the end keeps it for "
     "good "
     "in the configuration file. map gives a command a key of your own, in one view or all; footer "
     "and help show it.",
     ES_GROUP_MORE},
};
enum { TOPICS = sizeof topics / sizeof *topics };

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

static bool belongs(const topic *t, es_command command) {
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
        if (!belongs(t, command))
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
