/* The table of options with its words, and the names that its choices offer. */
#include "options.h"
#include "embedscope/session.h"

/* in the order of es_order_kind */
const char *const es_order_names[] = {"name", "rank", "dim", "community", "cluster", NULL};
const char *const es_value_names[] = {"is",      "se",    "h_cond", "asymmetry",
                                      "seconds", "total", "h",      NULL};
const char *const es_aggregate_names[] = {"median", "mean", "q75", "trimmed", "balanced", NULL};
/* in the order of es_unit */
const char *const es_unit_choices[] = {"dimension", "nats", "entropy", NULL};
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
           "order of rows and columns; rank: as in the ranking", .choices = es_order_names),
    OPTION(MATRIX, CHOICE, value, "value", "VALUE",
           "the value in the cells of table, csv, md and tex", .choices = es_value_names),
    OPTION(MATRIX, FLAG, long_form, "long", NULL,
           "one pair a line, as csv or jsonl: source, target, is, se, n (rows that is is the mean "
           "over), estimator",
           .command_line_only = true),

    OPTION(MATRIX, TEXT, measure, "measure", "NAME",
           "a measure of two embedders (NAME or NAME.FIELD of `measure --list`) in place of "
           "information sufficiency",
           .command_line_only = true),

    OPTION(RANK, CHOICE, aggregate, "aggregate", "HOW",
           "published score: how a row of the matrix becomes a score: its median, mean, upper "
           "quartile (q75), mean without the lowest and highest tenth (trimmed), or its median "
           "with one vote a family (balanced)",
           .choices = es_aggregate_names),
    OPTION(RANK, FLAG, include_self, "include-self", NULL, "count the diagonal among the targets"),
    OPTION(RANK, FLAG, leave_family_out, "leave-family-out", NULL,
           "leave the embedder's own family out of its targets (of pool.json, else its community)"),
    OPTION(RANK, CHOICE, within, "within", "WHAT",
           "several data sets: the value shown for each: the share of others that an embedder "
           "beats, its score or its rank",
           .choices = es_set_value_names),
    OPTION(DERIVED, FLAG, with_derived, "with-derived", NULL,
           "let derived embedders vote and rank like others"),

    OPTION(ENOUGH, FLAG, curve, "curve", NULL, "how stable the ranking is with fewer targets"),
    OPTION(ENOUGH, NUMBER, coverage, "coverage", "SHARE",
           "find a small set of embedders that together cover this share of every target (0.9 for "
           "example)",
           .low = 0.01, .high = 1),

    OPTION(ENOUGH, TEXT, explain, "explain", "A [B]",
           "why A ranks before B, or before the next, and what would settle it",
           .command_line_only = true),

    OPTION(AGREE, TEXT, against, "against", "TASK",
           "compare with this downstream task, \"mean\" or \"mean rank\" (with --curve: instead of "
           "the full ranking; leaderboard --by-task: a task)"),

    OPTION(FRONTIER, COUNT, bytes, "bytes", "N", "the best of at most N bytes a row",
           .command_line_only = true),
    OPTION(FRONTIER, TEXT, against, "against", "COLUMN",
           "a column of models.csv (price, latency, ...; lower is better) in place of bytes",
           .command_line_only = true),

    OPTION(BY_TASK, FLAG, by_task, "by-task", NULL,
           "every score against every task, the mean rank and the mean; leaderboard: every task "
           "against the others",
           .command_line_only = true),
    OPTION(BY_TASK, COUNT, runs, "runs", "N",
           "--by-task: compute measures with N seeds and report the s.d. of the correlation (1)",
           .command_line_only = true),
    OPTION(BY_TASK, CHOICE, kind, "kind", "KIND", "--by-task: the coefficient that is shown",
           .choices = es_kind_names, .command_line_only = true),

    OPTION(SWEEP, LIST, sweep, "sweep", "KEY=V,V",
           "run once for every value of a setting of the estimator, or of measures; repeat it for "
           "every combination",
           .command_line_only = true),

    OPTION(TREE, CHOICE, tree_method, "method", "METHOD",
           "communities, or the linkage of a dendrogram", .choices = es_tree_method_names),
    OPTION(TREE, NUMBER, resolution, "resolution", "G",
           "louvain: above 1, more and smaller communities (1)", .low = 0.01, .high = 100),
    OPTION(TREE, CHOICE, weights, "weights", "HOW", "louvain: weights of the edges",
           .choices = es_weight_names),
    OPTION(TREE, NUMBER, threshold, "threshold", "NATS",
           "louvain: leave out edges weaker than this (0: none)", .low = 0, .high = 1e6),
    OPTION(TREE, CHOICE, of, "of", "WHAT", "dendrogram: of the matrix's rows or columns",
           .choices = es_of_names),
    OPTION(TREE, CHOICE, diagonal, "diagonal", "HOW",
           "dendrogram: keep the diagonal, replace it by the largest entry, or leave it out",
           .choices = es_diagonal_names),

    OPTION(SCORE, TEXT, score, "score", "SCORE",
           "rank by predictive (the default), published (median of information sufficiency), or a "
           "measure (NAME or NAME.FIELD of `measure --list`); some views take several",
           .command_line_only = true),
    OPTION(SCORE, LIST, targets, "targets", "GLOB[,GLOB]",
           "use only these embedders as reference; all are ranked", .command_line_only = true),
    OPTION(SCORE, CHOICE, unit, "unit", "UNIT",
           "published score: in nats per dimension of the target, in nats of the whole target, or "
           "as a share of the target's entropy",
           .choices = es_unit_choices, .command_line_only = true),
    OPTION(
        LABEL, TEXT, task, "task", "TASK",
        "correlate: this task of the scores alone; with --score MEASURE: this column of labels.csv",
        .command_line_only = true),

    OPTION(LABEL, LIST, with_tasks, "tasks", "GLOB[,GLOB]",
           "rank: combine the ranking, which counts as two tasks, with these tasks of the scores; "
           "correlate: these tasks alone",
           .command_line_only = true),

    OPTION(LABEL, FLAG, by_category, "by-category", NULL,
           "correlate: the score against each category of tasks, as tasks.csv names them",
           .command_line_only = true),

    OPTION(NAMES, TEXT, ranking, "ranking", "FILE",
           "a finished ranking in place of a pool: a CSV with the columns model and score, or the "
           "output of rank --json",
           .command_line_only = true),
    OPTION(NAMES, LIST, matches, "match", "A=B",
           "A of the ranking is B of the scores; may be repeated", .command_line_only = true),
    OPTION(NAMES, FLAG, accept_names, "accept-names", NULL,
           "join names that differ only in case, separators or owner/", .command_line_only = true),

    OPTION(ROWS, COUNT, top, "top", "N",
           "how many rows to show each way (10; compare: 5); rows: 0 is all, worst first"),

    OPTION(MAP, TEXT, groups_by, "colour-by", "WHAT",
           "map: captured (rows that only one of two embedders captures), a column of labels.csv "
           "or rows.csv, or none; figures of matrix, tree and correlation: family, community (the "
           "default) or none",
           .command_line_only = true),
    OPTION(MAP, TEXT, where, "where", "COLUMN=VALUE",
           "only rows with this value in a column of labels.csv or rows.csv",
           .command_line_only = true),
    OPTION(MAP, COUNT, sample, "sample", "N", "draw a seeded sample of N rows (2000); 0: all",
           .command_line_only = true),
    OPTION(BY, CHOICE, by, "by", "WHAT",
           "is: by the stored estimator, how well A predicts B; pmi: rows on which the two agree, "
           "by a critic trained now (--set as for `measure POOL infonce`)",
           .choices = es_by_names, .command_line_only = true),

    OPTION(MEASURE, FLAG, list, "list", NULL, "list the measures; with a pool: and which have data",
           .command_line_only = true),
    OPTION(MEASURE, FLAG, fields, "fields", NULL,
           "show every number of a measure, with counts and facts"),
    OPTION(MEASURE, TEXT, task, "task", "COLUMN", "only this column of labels.csv"),
    OPTION(MEASURE, TEXT, worst_of, "worst-of", "MODEL",
           "the pairs, queries or rows on which this embedder does worst (--top N)",
           .command_line_only = true),
    OPTION(MEASURE, TEXT, other, "other", "NAME",
           "dataset-distance: the pool of the same embedders to compare with; knn-overlap "
           "--worst-of: the other embedder",
           .command_line_only = true),
    OPTION(MEASURE, TEXT, where, "where", "COLUMN=VALUE",
           "--worst-of: only rows with this value in a column of labels.csv or rows.csv",
           .command_line_only = true),

    OPTION(MEASURE, LIST, sweep, "sweep", "KEY=V,V",
           "run once for every value of a setting; repeat it for every combination; probe --sweep "
           "NAME: sum up the sweep of trained embedders NAME",
           .command_line_only = true),

    OPTION(DERIVE, COUNT, abtt, "abtt", "D",
           "centre, and remove the D directions of most variance (all but the top)"),
    OPTION(DERIVE, COUNT, pcr, "pcr", "D", "as --abtt, without centring"),
    OPTION(DERIVE, AXES, whiten, "whiten", "[K]",
           "scale all directions, or the K of most variance, to the same variance"),
    OPTION(DERIVE, COUNT, pca, "pca", "K", "keep the K directions of most variance"),
    OPTION(DERIVE, COUNT, first, "first", "K", "keep the first K columns (Matryoshka)"),
    OPTION(DERIVE, FLAG, center, "center", NULL, "subtract the mean"),
    OPTION(DERIVE, FLAG, normalize, "normalize", NULL, "scale every row to length 1"),
    OPTION(DERIVE, FLAG, flow, "flow", NULL,
           "to a standard normal by an invertible network (BERT-flow; --seed)"),
    OPTION(DERIVE, COUNT, random, "random-projection", "K",
           "project on K random directions (--seed)"),
    OPTION(DERIVE, FLAG, float16, "float16", NULL,
           "store in half precision; this and the next three alone, or after one of the above"),
    OPTION(DERIVE, FLAG, int8, "int8", NULL, "store in 256 levels a column"),
    OPTION(DERIVE, FLAG, int4, "int4", NULL, "store in 16 levels a column"),
    OPTION(DERIVE, FLAG, binary, "binary", NULL,
           "store the signs of the centred columns, 1 and -1"),
    OPTION(DERIVE, TEXT, concat, "concat", "OTHER", "append the columns of another embedder"),
    OPTION(DERIVE, TEXT, name, "name", "NAME", "name of the new embedder (SOURCE+whiten, ...)",
           .command_line_only = true),

    OPTION(DERIVE, TEXT, remove, "remove", "NAME", "remove this derived embedder instead",
           .command_line_only = true),
    OPTION(DERIVE, AXES, cmim, "cmim", "[K]",
           "train without labels (contrastive Mutual Information Machine): a code of K columns"),
    OPTION(DERIVE, TEXT, mode, "mode", "MODE",
           "--cmim: short for --set mode=cmim, mim, vae, ae or infonce", .command_line_only = true),
    OPTION(DERIVE, LIST, sweep, "sweep", "KEY=V,V",
           "--cmim: train once for every value of a setting; repeat it for every combination",
           .command_line_only = true),

    OPTION(APPLY, FLAG, info, "info", NULL, "compute the hidden layer (NAME.info), not the code"),

    OPTION(DOCTOR, FLAG, to_report, "report", NULL,
           "write a text for a bug report, with versions, the environment and the end of the log",
           .command_line_only = true),

    OPTION(CHECK, FLAG, repair, "repair", NULL,
           "remove wrong results from the store, and nothing else", .command_line_only = true),
    OPTION(CHECK, COUNT, pairs, "pairs", "N",
           "stored pairs to estimate again, drawn by --seed (20; 0: all), and more until every "
           "embedder is covered as source and target"),

    OPTION(CLUSTER, COUNT, array, "array", "N",
           "number of tasks, each with a share of the pairs (8)"),
    OPTION(CLUSTER, COUNT, nodes, "nodes", "N",
           "one job on N machines joined by MPI (embedscope-mpi), in place of an array of tasks"),
    OPTION(CLUSTER, LIST, sbatch, "sbatch", "OPTION",
           "an option for sbatch, such as --sbatch=--time=4:00:00; may be repeated"),
    OPTION(CLUSTER, FLAG, submit, "submit", NULL,
           "submit the file with sbatch instead of printing it", .command_line_only = true),

    OPTION(EXPLORER, FLAG, start, "start", NULL,
           "start to estimate at once (without a terminal: estimate, then print the ranking)"),
    OPTION(EXPLORER, TEXT, theme, "theme", "NAME", "colour theme"),
    OPTION(EXPLORER, TEXT, theme_dir, "theme-dir", "DIR", "look for themes here first"),
    OPTION(EXPLORER, CHOICE, color, "color", "WHEN", "number of colours",
           .choices = es_color_names),
    OPTION(EXPLORER, FLAG, ascii, "ascii", NULL, "draw with ASCII only"),
    OPTION(EXPLORER, FLAG, mouse, "mouse", NULL,
           "click and scroll (default; Shift selects text; --no-mouse disables it)"),
    OPTION(EXPLORER, FLAG, resume, "resume", NULL, "continue where the last session ended",
           .command_line_only = true),
    OPTION(EXPLORER, FLAG, fresh, "fresh", NULL,
           "start with the defaults, not where the last session ended"),
    OPTION(EXPLORER, FLAG, plain, "plain", NULL,
           "lines instead of a screen: for screen readers, dumb terminals and pipes"),
    OPTION(EXPLORER, TEXT, keys, "keys", "FILE",
           "your own keys (default: keys in the configuration folder)"),

    OPTION(EXPORT, LIST, show, "show", "GLOB[,GLOB]",
           "write these embedders only; all others still count as targets",
           .command_line_only = true),
    OPTION(EXPORT, LIST, hide, "hide", "GLOB[,GLOB]", "write all embedders except these",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, task, "task", "TASK",
           "figure of a correlation: against this task (default: the mean rank over all); sweep, "
           "panels, agreement: this column of labels.csv",
           .command_line_only = true),
    OPTION(EXPORT, FLAG, tasks, "tasks", NULL,
           "figure of a correlation: heat map of all tasks and embedders",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, title, "title", "TEXT", "title of a figure (none)",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, figure_width, "width", "WIDTH",
           "width of a figure: single (3.35 inches), double (7), or for example 5in, 12cm, 120mm"),
    OPTION(EXPORT, TEXT, figure_theme, "theme", "THEME",
           "theme of a figure: light, dark, or a theme of the explorer, by name or file (light)",
           .command_line_only = true),
    OPTION(EXPORT, TEXT, figure_theme_dir, "theme-dir", "DIR", "look for the theme here first",
           .command_line_only = true),
    OPTION(EXPORT, CHOICE, figure_colours, "colours", "MAP", "colour map of a matrix",
           .choices = es_figure_colour_names, .command_line_only = true),
    OPTION(EXPORT, TEXT, limits, "limits", "LOW,HIGH",
           "figure of a matrix: values of the first and last colour (default: least and greatest)",
           .command_line_only = true),

    OPTION(ESTIMATOR, TEXT, estimator, "estimator", "NAME",
           "estimator of the results: linear, knife, flow or l2"),
    OPTION(ESTIMATOR, TEXT, preset, "preset", "NAME", "a named set of its settings"),
    OPTION(ESTIMATOR, LIST, settings, "set", "KEY=VALUE",
           "a setting; may be repeated, or hold several in quotes"),
    OPTION(ESTIMATOR, COUNT, folds, "folds", "K",
           "short for --set folds=K: cross-fit, so that every row is held out once"),
    OPTION(ESTIMATOR, U64, seed, "seed", "N", "seed of splits, training and intervals (0)"),

    OPTION(POOL, LIST, models, "models", "GLOB[,GLOB]", "only these embedders"),
    OPTION(POOL, LIST, exclude, "exclude", "GLOB[,GLOB]", "all embedders except these"),
    OPTION(POOL, ROWS, rows, "rows", "ROWS",
           "all, N (a random sample), first:N, or auto: a sample that grows until the ranking has "
           "settled (default for more than 20,000 rows)"),
    OPTION(POOL, TEXT, set_rows, "set-rows", "NAME",
           "only rows whose column `set` of rows.csv is NAME; all: each set by itself, for rank, "
           "correlate, estimate and the explorer"),
    OPTION(POOL, TEXT, families, "families", "FILE.csv",
           "a table model,family in place of the pool's families.csv, or with --matrix",
           .command_line_only = true),
    OPTION(POOL, FLAG, drop_rows, "drop-rows", NULL,
           "drop rows with non-finite values instead of their embedder"),
    OPTION(POOL, FLAG, strict, "strict", NULL, "treat an excluded embedder as an error"),
    OPTION(FILES, TEXT, matrix, "matrix", "FILE.csv",
           "a finished matrix in place of a pool (header = targets, first column = sources; commas "
           "or semicolons)",
           .command_line_only = true),
    OPTION(FILES, TEXT, blocks, "blocks", "FILE.npy",
           "with --matrix: its values by blocks of rows (blocks, sources, targets)",
           .command_line_only = true),
    OPTION(FILES, TEXT, scores, "scores", "FILE.csv",
           "downstream scores: model, then one column a task", .command_line_only = true),

    OPTION(BUDGET, SPAN, budget, "budget", "TIME",
           "stop after 90s, 10m or 2h with the finished results", .command_line_only = true),
    OPTION(BUDGET, TEXT, shard, "shard", "K/N",
           "only share K of 1 to N; shares cost the same and are the same on every machine, of all "
           "rows unless --rows is given (with --store; then embedscope merge)",
           .command_line_only = true),
    OPTION(BUDGET, TEXT, store, "store", "FILE",
           "keep results in this file; nothing is written to the pool", .command_line_only = true),
    OPTION(BUDGET, FLAG, dry_run, "dry-run", NULL, "report work, time and memory, and do nothing",
           .command_line_only = true),
    OPTION(BUDGET, COUNT, nodes, "nodes", "N",
           "--dry-run: also predict the time on N machines like this one (--shard)",
           .command_line_only = true),

    OPTION(DUEL, COUNT, questions, "questions", "N",
           "write the next N questions: row, left, right, and an empty answer", .low = 1,
           .command_line_only = true),
    OPTION(DUEL, LIST, answers, "answers", "FILE.csv",
           "read the answers of this file instead of the pool's duels.csv; repeat it for several "
           "people",
           .command_line_only = true),

    OPTION(RUN, COUNT, threads, "threads", "N", "worker threads (all cores)",
           .high = ES_THREADS_MOST),
    OPTION(RUN, BYTES, memory, "memory", "SIZE",
           "memory limit, such as 2G or 1500M (half of what the machine, container or ulimit -v "
           "offers); larger work is refused before it starts"),
    OPTION(
        RUN, FLAG, null, "null", NULL,
        "also measure the zero line: each target from its own rows, shuffled; measure: the value "
        "beyond what shuffled rows give"),
    OPTION(RUN, FLAG, refresh, "refresh", NULL, "estimate stored pairs again"),
    OPTION(RUN, FLAG, no_store, "no-store", NULL, "neither read nor write stored results"),

    OPTION(OUTPUT, CHOICE, format, "format", "FORMAT", "output format", .choices = es_format_names),
    OPTION(OUTPUT, SET, format, "json", NULL, "short for --format json",
           .constant = ES_FORMAT_JSON),
    OPTION(OUTPUT, SET, format, "csv", NULL, "short for --format csv", .constant = ES_FORMAT_CSV),
    OPTION(OUTPUT, FLAG, csv_safe, "csv-safe", NULL,
           "csv for a spreadsheet: cells that it would run (they begin with = + - @, a tab or a "
           "line end) get a ' in front"),
    OPTION(OUTPUT, TEXT, output, "output", "FILE", "write to FILE; its ending picks the format",
           .brief = 'o', .command_line_only = true),

    OPTION(GENERAL, FLAG, quiet, "quiet", NULL, "no progress and no notes on stderr", .brief = 'q'),
    OPTION(GENERAL, TEXT, config, "config", "FILE",
           "defaults from lines \"option = value\" (~/.config/embedscope/config)",
           .command_line_only = true),
    OPTION(GENERAL, FLAG, version, "version", NULL, "print the version", .brief = 'V',
           .command_line_only = true),
    OPTION(GENERAL, WORD, help, "help", NULL,
           "print this help; --help=all: all options; --help=TOPIC: as `embedscope help TOPIC`",
           .brief = 'h', .command_line_only = true),
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
        {ES_OPTIONS_BUDGET, "Time and machines"},
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
        {ES_OPTIONS_FRONTIER, "Frontier"},
        {ES_OPTIONS_CLUSTER, "Cluster"},
        {ES_OPTIONS_DUEL, "Duels"},
        {ES_OPTIONS_DOCTOR, "Report"},
    };
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (titles[i].group == group)
            return titles[i].title;
    return "";
}
