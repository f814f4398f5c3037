/* The table of options with its words, and the names that its choices offer. */
#include "option_table.h"
#include "embedscope/session.h"

/* in the order of es_order_kind */
const char *const es_order_names[] = {"name", "rank", "dim", "community", "cluster", NULL};
const char *const es_value_names[] = {"is",      "se",    "h_cond", "asymmetry",
                                      "seconds", "total", "h",      NULL};
const char *const es_aggregate_names[] = {"median", "mean", "q75", "trimmed", "balanced", NULL};
const char *const es_color_names[] = {"auto", "never", "16", "256", "rgb", NULL};
const char *const es_tree_method_names[] = {"louvain", "ward",   "average", "complete",
                                            "single",  "median", NULL};
const char *const es_weight_names[] = {"raw", "minmax", NULL};
const char *const es_by_names[] = {"is", "pmi", NULL};
const char *const es_kind_names[] = {"spearman", "kendall", "pearson", "weighted", NULL};
/* in the order of es_within */
const char *const es_set_value_names[] = {"share", "score", "rank", NULL};
const char *const es_of_names[] = {"sources", "targets", NULL};
const char *const es_diagonal_names[] = {"keep", "max", "missing", NULL};
const char *const es_figure_colour_names[] = {"standard", "viridis", "cividis",
                                              "magma",    "grey",    NULL};

/* Group, kind and field; then name, argument (NULL for flags), help, and what else a row has. */
#define OPTION(group_, kind_, field_, ...)                                                         \
    {                                                                                              \
        .group = ES_OPTIONS_##group_, .kind = ES_OPTION_##kind_,                                   \
        .field = offsetof(es_options, field_), .name = __VA_ARGS__                                 \
    }

const es_option es_option_table[] = {
    OPTION(MATRIX, CHOICE, order, "order", "ORDER",
           "order of rows and columns; rank: as rank shows them", .choices = es_order_names),
    OPTION(MATRIX, CHOICE, value, "value", "VALUE", "what the cells of table, csv, md and tex hold",
           .choices = es_value_names),
    OPTION(MATRIX, FLAG, long_form, "long", NULL,
           "a pair a line, as csv or jsonl: source, target, is, se, n (rows that is is the mean "
           "over), estimator",
           .command_line_only = true),

    OPTION(MATRIX, TEXT, measure, "measure", "NAME",
           "a measure of two embedders (NAME or NAME.FIELD of `measure --list`) in place of "
           "information sufficiency",
           .command_line_only = true),

    OPTION(RANK, CHOICE, aggregate, "aggregate", "HOW",
           "how a row of the published score's matrix becomes a score: its median, mean, upper "
           "quartile (q75), mean without the lowest and highest tenth (trimmed), or its median "
           "with one vote a family (balanced)",
           .choices = es_aggregate_names),
    OPTION(RANK, FLAG, include_self, "include-self", NULL, "count the diagonal among the targets"),
    OPTION(RANK, FLAG, leave_family_out, "leave-family-out", NULL,
           "judge no embedder by its own family (of pool.json, else its community)"),
    OPTION(RANK, CHOICE, within, "within", "WHAT",
           "several data sets: what stands under each: the share of others that an embedder is "
           "before, its score or its rank",
           .choices = es_set_value_names),
    OPTION(DERIVED, FLAG, with_derived, "with-derived", NULL,
           "let derived embedders vote and rank like others"),

    OPTION(ENOUGH, FLAG, curve, "curve", NULL, "how stable the ranking is when fewer targets vote"),
    OPTION(ENOUGH, NUMBER, coverage, "coverage", "SHARE",
           "a small set of embedders that together cover this share of every target (0.9, say)",
           .low = 0.01, .high = 1),

    OPTION(ENOUGH, TEXT, explain, "explain", "A [B]",
           "why A stands before B, or before the next, and what would settle it",
           .command_line_only = true),

    OPTION(AGREE, TEXT, against, "against", "TASK",
           "compare with this downstream task, \"mean\" or \"mean rank\" (with --curve: instead "
           "of the full ranking)"),

    OPTION(BY_TASK, FLAG, by_task, "by-task", NULL,
           "every score against every task, the mean rank and the mean", .command_line_only = true),
    OPTION(BY_TASK, COUNT, runs, "runs", "N",
           "--by-task: measures by N seeds, with the s.d. of the correlation over them (1)",
           .command_line_only = true),
    OPTION(BY_TASK, CHOICE, kind, "kind", "KIND", "--by-task: the coefficient that is shown",
           .choices = es_kind_names, .command_line_only = true),

    OPTION(SWEEP, LIST, sweep, "sweep", "KEY=V,V",
           "once for every value of a setting of the estimator, or of measures; may be repeated "
           "for every combination",
           .command_line_only = true),

    OPTION(TREE, CHOICE, tree_method, "method", "METHOD",
           "communities, or the linkage of a dendrogram", .choices = es_tree_method_names),
    OPTION(TREE, NUMBER, resolution, "resolution", "G",
           "louvain: above 1 more and smaller communities (1)", .low = 0.01, .high = 100),
    OPTION(TREE, CHOICE, weights, "weights", "HOW", "louvain: weights of the edges",
           .choices = es_weight_names),
    OPTION(TREE, NUMBER, threshold, "threshold", "NATS",
           "louvain: leave out edges weaker than this (0: none)", .low = 0, .high = 1e6),
    OPTION(TREE, CHOICE, of, "of", "WHAT", "dendrogram: of the matrix's rows or columns",
           .choices = es_of_names),
    OPTION(TREE, CHOICE, diagonal, "diagonal", "HOW",
           "dendrogram: the diagonal as it is, as the largest entry, or left out",
           .choices = es_diagonal_names),

    OPTION(SCORE, TEXT, score, "score", "SCORE",
           "rank by predictive (the lead, the default), by published (median of "
           "information sufficiency), or by a measure (NAME or NAME.FIELD of `measure --list`); "
           "several where a view is of several",
           .command_line_only = true),
    OPTION(SCORE, LIST, targets, "targets", "GLOB[,GLOB]",
           "only these embedders are the reference; all are ranked", .command_line_only = true),
    OPTION(
        LABEL, TEXT, task, "task", "TASK",
        "correlate: this task of the scores alone; with --score MEASURE: this column of labels.csv",
        .command_line_only = true),

    OPTION(LABEL, LIST, with_tasks, "tasks", "GLOB[,GLOB]",
           "rank: combine the ranking, which counts as two tasks, with these tasks of the scores; "
           "correlate: these tasks alone",
           .command_line_only = true),

    OPTION(NAMES, TEXT, ranking, "ranking", "FILE",
           "a finished ranking in place of a pool: a CSV with the columns model and score, or what "
           "rank --json wrote",
           .command_line_only = true),
    OPTION(NAMES, LIST, matches, "match", "A=B",
           "A of the ranking is B of the scores; may be repeated", .command_line_only = true),
    OPTION(NAMES, FLAG, accept_names, "accept-names", NULL,
           "join names that differ in case, separators or owner/ only", .command_line_only = true),

    OPTION(ROWS, COUNT, top, "top", "N",
           "how many rows to show each way (10; compare: 5); rows: 0 is all, worst first"),

    OPTION(MAP, TEXT, groups_by, "colour-by", "WHAT",
           "map: captured (what one of two embedders captures and the other does not), a column of "
           "labels.csv or rows.csv, or none; pictures of matrix, tree and correlation: family, "
           "community (the default) or none",
           .command_line_only = true),
    OPTION(MAP, COUNT, sample, "sample", "N", "so many rows, a seeded sample (2000); 0: all",
           .command_line_only = true),
    OPTION(BY, CHOICE, by, "by", "WHAT",
           "is: what A says of B, by the stored estimator; pmi: on which rows the two agree, by a "
           "critic trained now (--set as for `measure POOL infonce`)",
           .choices = es_by_names, .command_line_only = true),

    OPTION(MEASURE, FLAG, list, "list", NULL,
           "print the measures there are; with a pool: and which it has the data for",
           .command_line_only = true),
    OPTION(MEASURE, FLAG, fields, "fields", NULL,
           "show every number that a measure gives, counts and facts too"),
    OPTION(MEASURE, TEXT, task, "task", "COLUMN", "only this column of labels.csv"),
    OPTION(MEASURE, TEXT, worst_of, "worst-of", "MODEL",
           "the pairs, queries or rows that this embedder does worst on (--top N of them)",
           .command_line_only = true),
    OPTION(MEASURE, TEXT, other, "other", "NAME",
           "dataset-distance: the pool of the same embedders to compare with; knn-overlap "
           "--worst-of: the other embedder",
           .command_line_only = true),

    OPTION(MEASURE, LIST, sweep, "sweep", "KEY=V,V",
           "once for every value of a setting, side by side (may be repeated for every "
           "combination); probe --sweep NAME: what the sweep of trained embedders NAME comes to",
           .command_line_only = true),

    OPTION(DERIVE, COUNT, abtt, "abtt", "D",
           "centred, without its D directions of most variance (all but the top)"),
    OPTION(DERIVE, COUNT, pcr, "pcr", "D", "as --abtt, not centred"),
    OPTION(DERIVE, AXES, whiten, "whiten", "[K]",
           "all directions, or the K of most variance, at the same variance"),
    OPTION(DERIVE, COUNT, pca, "pca", "K", "the K directions of most variance"),
    OPTION(DERIVE, FLAG, center, "center", NULL, "without the mean"),
    OPTION(DERIVE, FLAG, normalize, "normalize", NULL, "every row at length 1"),
    OPTION(DERIVE, COUNT, random, "random-projection", "K", "K random directions (--seed)"),
    OPTION(DERIVE, TEXT, concat, "concat", "OTHER", "the columns of another embedder beside it"),
    OPTION(DERIVE, TEXT, name, "name", "NAME", "what to call it (SOURCE+whiten, ...)",
           .command_line_only = true),

    OPTION(DERIVE, TEXT, remove, "remove", "NAME", "in place of all that: remove this derived one",
           .command_line_only = true),
    OPTION(DERIVE, AXES, cmim, "cmim", "[K]",
           "trained without labels (contrastive Mutual Information Machine): a code of K columns"),
    OPTION(DERIVE, TEXT, mode, "mode", "MODE",
           "--cmim: short for --set mode=cmim, mim, vae, ae or infonce", .command_line_only = true),
    OPTION(DERIVE, LIST, sweep, "sweep", "KEY=V,V",
           "--cmim: one for every value of a setting; may be repeated for every combination",
           .command_line_only = true),

    OPTION(APPLY, FLAG, info, "info", NULL, "the hidden layer (NAME.info) in place of the code"),

    OPTION(DOCTOR, FLAG, to_report, "report", NULL,
           "as a text to send with a report of what went wrong: with versions, the environment and "
           "the end of the log",
           .command_line_only = true),

    OPTION(CHECK, FLAG, repair, "repair", NULL,
           "take out of the store what is wrong, and only that", .command_line_only = true),
    OPTION(CHECK, COUNT, pairs, "pairs", "N",
           "stored pairs to estimate again, drawn by --seed (20; 0: all), and more until every "
           "embedder is among them both ways"),

    OPTION(
        SHARE, TEXT, shard, "shard", "K/N",
        "only share K of 1 to N: as costly as the others, the same on every machine, of all rows "
        "unless --rows says otherwise (with --store; embedscope merge puts them together)",
        .command_line_only = true),
    OPTION(SHARE, TEXT, store, "store", "FILE",
           "keep results in this file, not with the pool, to which nothing is written",
           .command_line_only = true),

    OPTION(CLUSTER, COUNT, array, "array", "N",
           "so many tasks, each with a share of the pairs (8)"),
    OPTION(CLUSTER, COUNT, nodes, "nodes", "N",
           "one job on so many machines in place of tasks, joined by MPI (embedscope-mpi)"),
    OPTION(CLUSTER, LIST, sbatch, "sbatch", "OPTION",
           "what else to ask the cluster for, such as --sbatch=--time=4:00:00; may be repeated"),
    OPTION(CLUSTER, FLAG, submit, "submit", NULL, "send it by sbatch in place of printing it",
           .command_line_only = true),

    OPTION(EXPLORER, FLAG, start, "start", NULL,
           "begin to estimate at once (without a terminal: estimate, then print the ranking)"),
    OPTION(EXPLORER, TEXT, theme, "theme", "NAME", "colours"),
    OPTION(EXPLORER, TEXT, theme_dir, "theme-dir", "DIR", "look for themes here first"),
    OPTION(EXPLORER, TEXT, check_theme, "check-theme", "FILE",
           "print a theme's contrasts, and what is wrong with it; exit code 3 if anything is",
           .command_line_only = true),
    OPTION(EXPLORER, CHOICE, color, "color", "WHEN", "how many colours the terminal gets",
           .choices = es_color_names),
    OPTION(EXPLORER, FLAG, ascii, "ascii", NULL, "draw with ASCII only"),
    OPTION(EXPLORER, FLAG, mouse, "mouse", NULL, "use the mouse"),
    OPTION(EXPLORER, FLAG, resume, "resume", NULL,
           "go on where the last session ended, and keep this one (a script does not unless told)",
           .command_line_only = true),
    OPTION(EXPLORER, FLAG, fresh, "fresh", NULL,
           "begin with the defaults, not where the last session ended"),
    OPTION(EXPLORER, FLAG, plain, "plain", NULL,
           "lines instead of a screen: for screen readers, dumb terminals and pipes"),
    OPTION(EXPLORER, TEXT, keys, "keys", "FILE",
           "keys of your own (default: keys in the configuration folder; none for a script)"),
    OPTION(EXPLORER, TEXT, script, "script", "FILE",
           "take keys and :commands from a file instead of a terminal"),
    OPTION(EXPLORER, SIZE, width, "size", "WxH",
           "columns and lines of the scripted screen (120x40)"),
    OPTION(EXPLORER, TEXT, trace, "trace", "FILE", "write the times from key to frame to a file"),

    OPTION(EXPORT, LIST, show, "show", "GLOB[,GLOB]",
           "write these embedders only; all others still count as targets",
           .command_line_only = true),
    OPTION(EXPORT, LIST, hide, "hide", "GLOB[,GLOB]", "write all but these embedders",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, task, "task", "TASK",
           "picture of a correlation: against this task (the mean rank over all); sweep, panels, "
           "agreement: this column of labels.csv",
           .command_line_only = true),
    OPTION(EXPORT, FLAG, tasks, "tasks", NULL,
           "picture of a correlation: heat map of all tasks and embedders",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, title, "title", "TEXT", "above a picture (none)",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, figure_width, "width", "WIDTH",
           "of a picture: single (3.35 inches), double (7), or such as 5in, 12cm, 120mm"),
    OPTION(EXPORT, TEXT, figure_theme, "theme", "THEME",
           "of a picture: light, dark, or a theme of the explorer, by name or file (light)",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, figure_theme_dir, "theme-dir", "DIR", "look for the theme here first",
           .command_line_only = true),
    OPTION(EXPORT, CHOICE, figure_colours, "colours", "MAP", "of the cells of a matrix",
           .choices = es_figure_colour_names, .command_line_only = true),
    OPTION(EXPORT, TEXT, limits, "limits", "LOW,HIGH",
           "picture of a matrix: values of the first and the last colour (the least and the most)",
           .command_line_only = true),

    OPTION(ESTIMATOR, TEXT, estimator, "estimator", "NAME", "which estimator"),
    OPTION(ESTIMATOR, TEXT, preset, "preset", "NAME", "a named set of its settings"),
    OPTION(ESTIMATOR, LIST, settings, "set", "KEY=VALUE",
           "a setting; may be repeated, or hold several in quotes"),
    OPTION(ESTIMATOR, COUNT, folds, "folds", "K",
           "short for --set folds=K: cross-fit, so that every row is held out once"),
    OPTION(ESTIMATOR, U64, seed, "seed", "N", "seed of splits, training and intervals (0)"),

    OPTION(POOL, LIST, models, "models", "GLOB[,GLOB]", "only these embedders"),
    OPTION(POOL, LIST, exclude, "exclude", "GLOB[,GLOB]", "all but these embedders"),
    OPTION(POOL, ROWS, rows, "rows", "ROWS",
           "all, N (a random sample), first:N, or auto: a sample that grows until the ranking has "
           "settled, the default for more than 20,000 rows"),
    OPTION(POOL, TEXT, set_rows, "set-rows", "NAME",
           "only the rows whose column `set` of rows.csv is NAME; all: each set by itself, put "
           "together by rank, correlate, estimate and the explorer"),
    OPTION(POOL, TEXT, families, "families", "FILE.csv",
           "model, family: in place of the pool's families.csv, or beside --matrix",
           .command_line_only = true),
    OPTION(POOL, FLAG, drop_rows, "drop-rows", NULL,
           "drop rows with non-finite values instead of their embedder"),
    OPTION(POOL, FLAG, strict, "strict", NULL, "an excluded embedder is an error"),
    OPTION(FILES, TEXT, matrix, "matrix", "FILE.csv",
           "a finished matrix in place of a pool (header = targets, first column = sources; commas "
           "or semicolons)",
           .command_line_only = true),
    OPTION(FILES, TEXT, hands, "hands", "FILE.npy",
           "beside --matrix: its values by parts of the rows (hands, sources, targets)",
           .command_line_only = true),
    OPTION(FILES, TEXT, scores, "scores", "FILE.csv",
           "downstream scores: model, then one column a task", .command_line_only = true),

    OPTION(BUDGET, SPAN, budget, "budget", "TIME",
           "end after 90s, 10m or 2h with what is finished then", .command_line_only = true),

    OPTION(RUN, COUNT, threads, "threads", "N", "worker threads (all cores)",
           .high = ES_THREADS_MOST),
    OPTION(
        RUN, BYTES, memory, "memory", "SIZE",
        "use no more memory than 2G, 1500M or so (half of what the machine, a container or ulimit "
        "-v leaves); what does not fit is refused before it starts"),
    OPTION(RUN, FLAG, null, "null", NULL,
           "also measure the zero line: each target from its own rows, shuffled"),
    OPTION(RUN, FLAG, refresh, "refresh", NULL, "estimate again what is stored"),
    OPTION(RUN, FLAG, no_store, "no-store", NULL, "neither read nor keep results on disk"),

    OPTION(DRY, FLAG, dry_run, "dry-run", NULL,
           "say what is to be done and what it takes, and do nothing", .command_line_only = true),
    OPTION(DRY, COUNT, nodes, "nodes", "N",
           "--dry-run: also what N machines like this one would make of it (--shard)",
           .command_line_only = true),

    OPTION(OUTPUT, CHOICE, format, "format", "FORMAT", "form of the output",
           .choices = es_format_names),
    OPTION(OUTPUT, SET, format, "json", NULL, "short for --format json",
           .constant = ES_FORMAT_JSON),
    OPTION(OUTPUT, SET, format, "csv", NULL, "short for --format csv", .constant = ES_FORMAT_CSV),
    OPTION(OUTPUT, FLAG, csv_safe, "csv-safe", NULL,
           "csv for a spreadsheet: texts that begin with = + - @, a tab or a line end, which it "
           "would run, get a ' in front"),
    OPTION(OUTPUT, TEXT, output, "output", "FILE",
           "write there; its ending picks the format where none is given", .brief = 'o',
           .command_line_only = true),

    OPTION(GENERAL, FLAG, quiet, "quiet", NULL, "no progress and no notes on stderr", .brief = 'q'),
    OPTION(GENERAL, TEXT, config, "config", "FILE",
           "defaults from lines \"option = value\" (~/.config/embedscope/config)",
           .command_line_only = true),
    OPTION(GENERAL, FLAG, version, "version", NULL, "print the version", .brief = 'V',
           .command_line_only = true),
    OPTION(GENERAL, FLAG, help, "help", NULL, "print this help", .brief = 'h',
           .command_line_only = true),
};
const size_t es_option_count = sizeof es_option_table / sizeof *es_option_table;
_Static_assert(sizeof es_option_table / sizeof *es_option_table <= ES_OPTIONS_MOST, "too many");

const char *es_option_group_title(es_option_group group) {
    static const struct {
        es_option_group group;
        const char *title;
    } titles[] = {
        {ES_OPTIONS_GENERAL, "General"},
        {ES_OPTIONS_OUTPUT, "Output"},
        {ES_OPTIONS_POOL, "Pool"},
        {ES_OPTIONS_ESTIMATOR, "Estimator"},
        {ES_OPTIONS_RUN, "Work"},
        {ES_OPTIONS_BUDGET, "Time"},
        {ES_OPTIONS_DRY, "Before it starts"},
        {ES_OPTIONS_FILES, "Instead of a pool"},
        {ES_OPTIONS_MATRIX, "Matrix"},
        {ES_OPTIONS_RANK, "Ranking"},
        {ES_OPTIONS_EXPLORER, "Explorer"},
        {ES_OPTIONS_TREE, "Tree"},
        {ES_OPTIONS_ENOUGH, "Why, and how many embedders are enough"},
        {ES_OPTIONS_NAMES, "Ranking and scores"},
        {ES_OPTIONS_ROWS, "Rows"},
        {ES_OPTIONS_MEASURE, "Measures"},
        {ES_OPTIONS_DERIVE, "How"},
        {ES_OPTIONS_AGREE, "Downstream"},
        {ES_OPTIONS_EXPORT, "Export"},
        {ES_OPTIONS_SCORE, "Another score"},
        {ES_OPTIONS_CHECK, "Check"},
        {ES_OPTIONS_APPLY, "What"},
        {ES_OPTIONS_DERIVED, "Derived embedders"},
        {ES_OPTIONS_BY, "By what"},
        {ES_OPTIONS_BY_TASK, "Task by task"},
        {ES_OPTIONS_MAP, "Map of rows"},
        {ES_OPTIONS_LABEL, "Tasks and labels"},
        {ES_OPTIONS_SWEEP, "Sweep"},
        {ES_OPTIONS_SHARE, "On several machines"},
        {ES_OPTIONS_CLUSTER, "Cluster"},
        {ES_OPTIONS_DOCTOR, "Report"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (titles[i].group == group)
            return titles[i].title;
    return "";
}
