/* Which columns of a table are tasks: by their names, and by what their numbers are of the others.
 */
#include "io_scores.h"

#include <math.h>
#include <string.h>

typedef enum kind { TASK, FACT, SUM, SPREAD } kind;

/* ---- names ---- */

enum { NAME = 96 };

static const char *const fact_names[] = {"model size",
                                         "size",
                                         "params",
                                         "parameters",
                                         "number of parameters",
                                         "num parameters",
                                         "num params",
                                         "n parameters",
                                         "n params",
                                         "active parameters",
                                         "total parameters",
                                         "parameter count",
                                         "million parameters",
                                         "memory",
                                         "memory usage",
                                         "memory footprint",
                                         "gpu memory",
                                         "disk size",
                                         "embedding dimensions",
                                         "embedding dimension",
                                         "embedding dim",
                                         "embedding size",
                                         "dimensions",
                                         "dimension",
                                         "dims",
                                         "dim",
                                         "hidden size",
                                         "max tokens",
                                         "max input tokens",
                                         "max sequence length",
                                         "max seq length",
                                         "max length",
                                         "sequence length",
                                         "context length",
                                         "context window",
                                         "tokens",
                                         "vocabulary size",
                                         "vocab size",
                                         "layers",
                                         "number of layers",
                                         "year",
                                         "release date",
                                         "release year",
                                         "released",
                                         "date",
                                         "speed",
                                         "encoding speed",
                                         "inference speed",
                                         "inference time",
                                         "training time",
                                         "runtime",
                                         "throughput",
                                         "latency",
                                         "sentences per second",
                                         "tokens per second",
                                         "docs per second",
                                         "price",
                                         "time",
                                         "seconds",
                                         "flops",
                                         "gflops",
                                         "macs",
                                         "file size",
                                         "batch size",
                                         "epoch",
                                         "epochs",
                                         "steps",
                                         "seed",
                                         "seeds",
                                         "n",
                                         "zero shot",
                                         "license",
                                         "licence",
                                         "organization",
                                         "organisation",
                                         "publisher",
                                         "url",
                                         "link",
                                         "downloads",
                                         "open source",
                                         "open weights",
                                         "model type",
                                         "architecture"};

static const char *const sum_names[] = {"mean",
                                        "average",
                                        "avg",
                                        "avg.",
                                        "overall",
                                        "overall mean",
                                        "overall average",
                                        "overall score",
                                        "mean score",
                                        "average score",
                                        "avg score",
                                        "macro average",
                                        "macro avg",
                                        "micro average",
                                        "micro avg",
                                        "macro mean",
                                        "micro mean",
                                        "mean rank",
                                        "average rank",
                                        "avg rank",
                                        "mean task",
                                        "mean task type",
                                        "mean tasktype",
                                        "total",
                                        "sum",
                                        "total score",
                                        "rank",
                                        "ranking",
                                        "borda rank",
                                        "rank borda"};

static const char *const sum_words[] = {"mean", "average", "avg", "overall", "total", "sum"};

/* In lower case, "_" and "-" as blanks, without what is in brackets; *brackets: there is any. */
static void bare_name(const char *name, char out[NAME], bool *brackets) {
    size_t n = 0, depth = 0;
    *brackets = false;
    for (; *name && n + 1 < NAME; name++) {
        char c = *name == '_' || *name == '-' ? ' ' : es_ascii_lower(*name);
        if (c == '(' || c == '[') {
            depth++;
            *brackets = true;
        } else if (c == ')' || c == ']') {
            depth -= depth > 0;
        } else if (depth == 0 && !(c == ' ' && (n == 0 || out[n - 1] == ' '))) {
            out[n++] = c;
        }
    }
    while (n > 0 && out[n - 1] == ' ')
        n--;
    out[n] = '\0';
}

/* "train seconds", "on disk gb", but no task in British English, "massive en gb". */
static bool ends_in_unit(const char *bare) {
    static const char *const units[] = {"seconds", "hours", "mb", "gb"};
    const char *blank = strrchr(bare, ' ');
    return blank && es_text_index(units, sizeof units / sizeof *units, blank + 1) != SIZE_MAX &&
           !es_path_ends(bare, "en gb");
}

/* "params m" are parameters. */
static void drop_unit(char *bare) {
    static const char *const units[] = {"ms", "s", "sec", "kb", "million", "m", "billion", "b"};
    char *blank = strrchr(bare, ' ');
    if (blank && es_text_index(units, sizeof units / sizeof *units, blank + 1) != SIZE_MAX)
        *blank = '\0';
}

static kind kind_by_name(const char *name) {
    char bare[NAME];
    bool brackets;
    bare_name(name, bare, &brackets);
    const char *text = bare + strspn(bare, "# ");
    if (es_score_name_says_direction(name))
        return TASK;
    if (ends_in_unit(text))
        return FACT;
    drop_unit(bare);
    if (es_text_index(fact_names, sizeof fact_names / sizeof *fact_names, text) != SIZE_MAX)
        return FACT;
    return es_text_index(sum_names, sizeof sum_names / sizeof *sum_names, text) != SIZE_MAX ? SUM
                                                                                            : TASK;
}

/* The next word of letters and digits from *at on, in lower case; its length, 0 at the end. */
static size_t next_word(const char **at, char word[NAME]) {
    size_t n = 0;
    for (; **at && n + 1 < NAME; ++*at) {
        char c = es_ascii_lower(**at);
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
            word[n++] = c;
        else if (n > 0)
            break;
    }
    word[n] = '\0';
    return n;
}

/* Is one of these the whole of a word of the name? */
static bool has_word(const char *name, const char *const *words, size_t count) {
    char word[NAME];
    while (next_word(&name, word) > 0)
        if (es_text_index(words, count, word) != SIZE_MAX)
            return true;
    return false;
}

es_status es_scores_cell(const es_table *t, size_t row, size_t column, const char *name,
                         double *out, bool *percent, es_score_cells *seen, es_score_text *text,
                         es_error *err) {
    es_error why = {0};
    es_status st = es_score_cells_number(t, row, column, out, percent, seen, &why);
    if (st == ES_OK)
        return ES_OK;
    if (text->facts || kind_by_name(name) == FACT) {
        if (text->count++ == 0)
            text->why = why;
        *out = (double)NAN;
        return ES_OK;
    }
    return es_fail(err, st, "%s", why.message);
}

/* ---- numbers ---- */

enum { MODELS_LEAST = 4 };

/* Columns from (included) to (excluded) of those that are tasks so far, beside one. */
typedef struct terms {
    const es_scores *scores;
    const kind *kind; /* (tasks) */
    size_t column, from, to;
} terms;

static double value_at(const es_scores *s, size_t model, size_t task) {
    return s->value[model * s->tasks + task];
}

static bool is_term(const terms *x, size_t j) {
    return j != x->column && x->kind[j] == TASK;
}

/* Sum and number of the terms of a model; NaN: one is missing. */
static double sum_of(const terms *x, size_t model, size_t *count) {
    double sum = 0;
    *count = 0;
    for (size_t j = x->from; j < x->to; j++)
        if (is_term(x, j)) {
            sum += value_at(x->scores, model, j);
            ++*count;
        }
    return sum;
}

/* The unit of the last place in which a column is written, at least 1e-6. */
static double unit_of(const es_scores *s, size_t column) {
    double unit = 1;
    for (int places = 0; places < 6; places++, unit /= 10) {
        bool whole = true;
        for (size_t i = 0; i < s->models && whole; i++) {
            double scaled = value_at(s, i, column) / unit;
            whole = isnan(scaled) || fabs(scaled - round(scaled)) < 1e-6 * fmax(1, fabs(scaled));
        }
        if (whole)
            return unit;
    }
    return unit;
}

static double range_of(const es_scores *s, size_t column) {
    double least = (double)INFINITY, most = -(double)INFINITY;
    for (size_t i = 0; i < s->models; i++) {
        least = fmin(least, value_at(s, i, column));
        most = fmax(most, value_at(s, i, column));
    }
    return most - least;
}

/* Is a column a line of one of its terms? Copies and multiples of one task are no sums or ranks. */
static bool follows_one(const terms *x) {
    const es_scores *s = x->scores;
    for (size_t j = x->from; j < x->to; j++) {
        double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
        for (size_t i = 0; i < s->models && is_term(x, j); i++) {
            double u = value_at(s, i, x->column), v = value_at(s, i, j);
            if (isnan(u) || isnan(v))
                continue;
            n += 1;
            a += u;
            b += v;
            aa += u * u;
            bb += v * v;
            ab += u * v;
        }
        double cu = n * aa - a * a, cv = n * bb - b * b, c = n * ab - a * b;
        if (cu > 0 && cv > 0 && c * c > (1 - 1e-9) * cu * cv)
            return true;
    }
    return false;
}

static bool is_called_rank(const char *name) {
    static const char *const ranks[] = {"rank", "ranking"};
    return has_word(name, ranks, sizeof ranks / sizeof *ranks);
}

static bool is_called_sum(const char *name) {
    return has_word(name, sum_words, sizeof sum_words / sizeof *sum_words);
}

/* Mean over the models of the range of their terms: terms that are nearly alike have many means. */
static double spread_of(const terms *x) {
    const es_scores *s = x->scores;
    double spread = 0;
    for (size_t i = 0; i < s->models; i++) {
        double least = (double)INFINITY, most = -(double)INFINITY;
        for (size_t j = x->from; j < x->to; j++)
            if (is_term(x, j)) {
                least = fmin(least, value_at(s, i, j));
                most = fmax(most, value_at(s, i, j));
            }
        spread += fmax(0, most - least) / (double)s->models;
    }
    return spread;
}

/* Is a column the mean, or the sum, of at least two terms? */
static bool is_sum(const terms *x) {
    const es_scores *s = x->scores;
    double unit = unit_of(s, x->column), within = unit * (1 + 1e-6);
    size_t models = 0, count = 0;
    bool mean = true, sum = true;
    bool called = is_called_sum(s->task[x->column]);
    if (!(range_of(s, x->column) >= 20 * unit))
        return false;
    for (size_t i = 0; i < s->models && (mean || sum); i++) {
        double own = value_at(s, i, x->column), total = sum_of(x, i, &count);
        if (count < 2)
            return false;
        if (isnan(own) || isnan(total))
            continue;
        models++;
        mean = mean && fabs(own - total / (double)count) <= within;
        sum = sum && fabs(own - total) <= within;
    }
    return (mean || sum) && models >= MODELS_LEAST && (called || spread_of(x) >= 20 * unit) &&
           !follows_one(x);
}

/* Sums of all other tasks, of those before and of those after. */
static bool is_sum_of_sides(terms x) {
    size_t tasks = x.scores->tasks;
    x.from = 0;
    x.to = tasks;
    if (is_sum(&x))
        return true;
    x.to = x.column;
    if (x.column > 1 && is_sum(&x))
        return true;
    x.from = x.column + 1;
    x.to = tasks;
    return x.from < tasks && is_sum(&x);
}

/* Columns that are called a mean are compared with every run beside them, too. */
static bool is_sum_of_run(terms x) {
    enum { LONGEST = 128 };
    for (size_t k = 2; k <= LONGEST; k++) {
        x.from = x.column + 1;
        x.to = x.column + 1 + k;
        if (x.to <= x.scores->tasks && is_sum(&x))
            return true;
        x.from = x.column - k;
        x.to = x.column;
        if (k <= x.column && is_sum(&x))
            return true;
    }
    return false;
}

/* Are the values 1, 2, 3, ..., the rank of what `other` (models) holds, the largest first? */
static bool is_rank_of(const es_scores *s, size_t column, const double *other) {
    size_t models = 0;
    for (size_t i = 0; i < s->models; i++) {
        double own = value_at(s, i, column), ahead = 1, alike = 0;
        if (isnan(own) || isnan(other[i]))
            return false;
        models++;
        for (size_t k = 0; k < s->models; k++) {
            ahead += other[k] > other[i];
            alike += k != i && other[k] <= other[i] && other[k] >= other[i];
        }
        if (own < ahead || own > ahead + alike)
            return false;
    }
    return models >= MODELS_LEAST;
}

static bool is_whole(const es_scores *s, size_t column) {
    double most = 0;
    for (size_t i = 0; i < s->models; i++) {
        double own = value_at(s, i, column);
        if (!(own >= 1) || own > (double)s->models || own - floor(own) > 0)
            return false;
        most = fmax(most, own);
    }
    return most > 1;
}

/* Of the mean over the other tasks, or of a column on either side. other (models) is scratch. */
static bool is_rank(terms x, double *other) {
    const es_scores *s = x.scores;
    size_t count = 0, tasks = 0;
    enum { MODELS_MOST = 4096 };
    if (s->models > MODELS_MOST || !is_whole(s, x.column) || follows_one(&x))
        return false;
    for (size_t i = 0; i < s->models; i++)
        other[i] = sum_of(&x, i, &count);
    for (size_t j = 0; j < s->tasks; j++)
        tasks += is_term(&x, j);
    if ((tasks >= 2 || (tasks == 1 && s->models >= 6)) && is_rank_of(s, x.column, other))
        return true;
    for (size_t j = 0; j < s->tasks; j++) {
        if (x.kind[j] != SUM || is_called_rank(s->task[j]))
            continue;
        for (size_t i = 0; i < s->models; i++)
            other[i] = value_at(s, i, j);
        if (is_rank_of(s, x.column, other))
            return true;
    }
    return false;
}

/* ---- spreads ---- */

static const char *const spread_words[] = {"std",    "stdev", "stddev", "sd",     "sem",     "se",
                                           "stderr", "ci",    "var",    "spread", "variance"};

/* The words of a name in lower case without those of a spread or a mean, with a blank after each;
 * true if it is called a spread. */
static bool base_name(const char *name, char out[NAME]) {
    static const char *const beside[] = {"mean",  "avg",   "score", "err", "error", "dev",
                                         "lower", "upper", "low",   "hi",  "high",  "95"};
    bool spread = strstr(name, "\xc2\xb1") != NULL; /* ± */
    char word[NAME];
    size_t n = 0, length;
    while ((length = next_word(&name, word)) > 0) {
        bool says = es_text_index(spread_words, sizeof spread_words / sizeof *spread_words, word) !=
                    SIZE_MAX;
        spread = spread || says;
        if (says || n + length + 2 >= NAME ||
            es_text_index(beside, sizeof beside / sizeof *beside, word) != SIZE_MAX)
            continue;
        memcpy(out + n, word, length);
        n += length;
        out[n++] = ' ';
    }
    out[n] = '\0';
    return spread;
}

/* Is a column no larger than half of another, and never below 0? */
static bool is_smaller(const es_scores *s, size_t column, size_t base) {
    double own = 0, other = 0;
    for (size_t i = 0; i < s->models; i++) {
        double u = value_at(s, i, column), v = value_at(s, i, base);
        if (u < 0)
            return false;
        own += isnan(u) || isnan(v) ? 0 : u;
        other += isnan(u) || isnan(v) ? 0 : fabs(v);
    }
    return 2 * own <= other;
}

/* "sts_std" beside "sts", or beside "sts_mean". */
static void judge_spreads(const es_scores *s, kind *of) {
    char own[NAME], other[NAME];
    for (size_t j = 0; j < s->tasks; j++) {
        if (of[j] != TASK || !base_name(s->task[j], own) || !own[0])
            continue;
        for (size_t k = 0; k < s->tasks && of[j] == TASK; k++)
            if (k != j && !base_name(s->task[k], other) && strcmp(own, other) == 0 &&
                is_smaller(s, j, k))
                of[j] = SPREAD;
    }
}

/* ---- which are which ---- */

static size_t count_kind(const es_scores *s, const kind *of, kind which) {
    size_t count = 0;
    for (size_t j = 0; j < s->tasks; j++)
        count += of[j] == which;
    return count;
}

/* A rank, "Average (56 datasets)" and what stands beside facts or a rank are sums by their names; a
 * column "average" alone has to be the mean of others: it may be of tasks that are not here. */
static void judge_names(const es_scores *s, kind *of) {
    bool leaderboard = false, brackets;
    char bare[NAME];
    for (size_t j = 0; j < s->tasks; j++) {
        of[j] = kind_by_name(s->task[j]);
        leaderboard = leaderboard || of[j] == FACT || (of[j] == SUM && is_called_rank(s->task[j]));
    }
    for (size_t j = 0; j < s->tasks && !leaderboard; j++) {
        const terms x = {s, of, j, 0, s->tasks};
        bare_name(s->task[j], bare, &brackets);
        if (of[j] == SUM && !brackets && !is_sum_of_sides(x))
            of[j] = TASK;
    }
}

static void judge_numbers(const es_scores *s, kind *of, double *scratch) {
    enum { TASKS_MOST = 4096 };
    for (bool more = s->tasks <= TASKS_MOST; more;) {
        more = false;
        for (size_t j = 0; j < s->tasks; j++) {
            terms x = {s, of, j, 0, s->tasks};
            if (of[j] != TASK || count_kind(s, of, TASK) == 1 ||
                es_score_name_says_direction(s->task[j]))
                continue;
            if (!is_sum_of_sides(x) && !(is_called_sum(s->task[j]) && is_sum_of_run(x)) &&
                !is_rank(x, scratch))
                continue;
            of[j] = SUM;
            more = true;
        }
    }
}

/* Without any task, sums are tasks, and without sums all are. */
static es_status keep_some(const es_scores *s, kind *of, const es_score_text *text, es_error *err) {
    if (count_kind(s, of, TASK) > 0)
        return ES_OK;
    kind next = count_kind(s, of, SUM) > 0 ? SUM : FACT;
    for (size_t j = 0; j < s->tasks; j++)
        of[j] = of[j] == next ? TASK : of[j];
    return next == FACT && text->count > 0 ? es_fail(err, text->why.code, "%s", text->why.message)
                                           : ES_OK;
}

/* "'Rank' and 'Average'", "'Year', 'Size' and 3 more". */
static void put_names(const es_scores *s, const kind *of, kind which, es_buf *out) {
    enum { NAMED = 3 };
    size_t total = count_kind(s, of, which), shown = total > NAMED + 1 ? NAMED : total, k = 0;
    for (size_t j = 0; j < s->tasks && k < shown; j++)
        if (of[j] == which) {
            const char *before = k == 0 ? "" : k + 1 == total ? " and " : ", ";
            es_buf_printf(out, "%s'%.80s'", before, s->task[j]);
            k++;
        }
    if (total > shown)
        es_buf_printf(out, " and %zu more", total - shown);
}

static es_status report(es_scores *s, const kind *of, es_error *err) {
    es_buf text = {0};
    size_t facts = count_kind(s, of, FACT), sums = count_kind(s, of, SUM);
    size_t spreads = count_kind(s, of, SPREAD);
    if (facts + sums + spreads == 0)
        return ES_OK;
    if (facts > 0) {
        put_names(s, of, FACT, &text);
        es_buf_printf(&text, " %s about the models, not %s", facts == 1 ? "is a fact" : "are facts",
                      facts == 1 ? "a task" : "tasks");
    }
    if (sums > 0) {
        es_buf_puts(&text, facts > 0 ? "; " : "");
        put_names(s, of, SUM, &text);
        es_buf_printf(&text, " %s of other columns, not %s",
                      sums == 1 ? "is a mean, a sum or a rank" : "are means, sums or ranks",
                      sums == 1 ? "a task" : "tasks");
    }
    if (spreads > 0) {
        es_buf_puts(&text, facts + sums > 0 ? "; " : "");
        put_names(s, of, SPREAD, &text);
        es_buf_printf(&text, " %s of another column, not %s",
                      spreads == 1 ? "is the error" : "are errors",
                      spreads == 1 ? "a task" : "tasks");
    }
    es_buf_puts(&text, "; to keep a column as a task, add ↑ or ↓ to its name");
    return es_scores_take_remark(s, &text, err);
}

static bool is_blank_fact(const es_scores *s, size_t column) {
    for (size_t i = 0; i < s->models; i++)
        if (!isnan(value_at(s, i, column)))
            return false;
    return true;
}

/* Columns of one kind in a new array (models, kept); their names are moved to `name`. */
static void move_columns(es_scores *s, const kind *of, kind which, char **name, double *value,
                         size_t kept) {
    size_t at = 0;
    for (size_t j = 0; j < s->tasks; j++) {
        if (of[j] != which || (which == FACT && is_blank_fact(s, j)))
            continue;
        for (size_t i = 0; i < s->models; i++)
            value[i * kept + at] = value_at(s, i, j);
        name[at++] = s->task[j];
        s->task[j] = NULL;
    }
}

static es_status part(es_scores *s, const kind *of, es_error *err) {
    size_t tasks = count_kind(s, of, TASK), facts = 0;
    for (size_t j = 0; j < s->tasks; j++)
        facts += of[j] == FACT && !is_blank_fact(s, j);
    char **task = es_alloc_zero(tasks, sizeof *task),
         **fact = es_alloc_zero(facts + 1, sizeof *fact);
    double *value = es_alloc(s->models * tasks, sizeof *value),
           *fact_value = es_alloc(s->models * facts + 1, sizeof *fact_value);
    if (!task || !fact || !value || !fact_value) {
        es_free(task);
        es_free(fact);
        es_free(value);
        es_free(fact_value);
        return es_no_memory(err);
    }
    move_columns(s, of, TASK, task, value, tasks);
    move_columns(s, of, FACT, fact, fact_value, facts);
    for (size_t j = 0; j < s->tasks; j++)
        es_free(s->task[j]);
    es_free(s->task);
    es_free(s->value);
    s->task = task;
    s->value = value;
    s->tasks = tasks;
    s->fact = fact;
    s->fact_value = fact_value;
    s->facts = facts;
    return ES_OK;
}

/* ---- lines ---- */

/* Is a line the mean of the other models in every column that it has? */
static bool is_mean_line(const es_scores *s, size_t model) {
    size_t columns = 0;
    for (size_t j = 0; j < s->tasks; j++) {
        double own = value_at(s, model, j), sum = 0, n = 0;
        for (size_t i = 0; i < s->models; i++)
            if (i != model && !isnan(value_at(s, i, j))) {
                sum += value_at(s, i, j);
                n++;
            }
        if (isnan(own))
            continue;
        columns++;
        if (n < 2 || fabs(own - sum / n) > unit_of(s, j) * (1 + 1e-6))
            return false;
    }
    return columns > 0;
}

/* A line "Average" under the models is no model. */
static es_status drop_means(es_scores *s, es_error *err) {
    for (size_t i = 0; i < s->models; i++) {
        es_buf text = {0};
        if (s->models < MODELS_LEAST || !is_called_sum(s->model[i]) || !is_mean_line(s, i))
            continue;
        es_buf_printf(&text, "'%.80s' is the mean of the other models, not a model", s->model[i]);
        es_free(s->model[i]);
        s->models--;
        memmove(s->model + i, s->model + i + 1, (s->models - i) * sizeof *s->model);
        memmove(s->value + i * s->tasks, s->value + (i + 1) * s->tasks,
                (s->models - i) * s->tasks * sizeof *s->value);
        return es_scores_take_remark(s, &text, err);
    }
    return ES_OK;
}

/* One model in fractions among others in per cent would be the worst of all. */
static es_status remark_scale(es_scores *s, es_error *err) {
    es_buf names = {0}, text = {0};
    size_t count = 0;
    double *column = es_alloc(s->models, sizeof *column);
    bool *apart = es_alloc_zero(s->models, sizeof *apart);
    size_t *seen = es_alloc_zero(s->models, sizeof *seen);
    es_status st = ES_OK;
    ES_FAIL_IF(!column || !apart || !seen, es_no_memory(err));
    for (size_t i = 0; i < s->models; i++)
        apart[i] = s->models >= MODELS_LEAST;
    for (size_t j = 0; j < s->tasks; j++) {
        size_t n = 0;
        for (size_t i = 0; i < s->models; i++)
            if (!isnan(value_at(s, i, j)))
                column[n++] = value_at(s, i, j);
        double median = n > 0 ? es_stat_median(column, n) : 0;
        for (size_t i = 0; i < s->models; i++) {
            double own = value_at(s, i, j);
            seen[i] += isnan(own) ? 0 : 1;
            apart[i] = apart[i] && (isnan(own) || (own > 0 && own <= 1 && median > 5));
        }
    }
    for (size_t i = 0; i < s->models; i++)
        if (apart[i] && seen[i] > 1)
            es_buf_name(&names, &count, 3, s->model[i]);
    es_buf_names_end(&names, count, 3);
    if (count > 0)
        es_buf_printf(&text,
                      "all scores of %s are within 0 and 1, and those of the other models are "
                      "larger; if they are fractions and the others per cent, write all alike",
                      names.data);
    st = names.failed ? es_no_memory(err)
         : count > 0  ? es_scores_take_remark(s, &text, err)
                      : ES_OK;
done:
    es_buf_free(&names);
    es_free(column);
    es_free(apart);
    es_free(seen);
    return st;
}

es_status es_scores_part_facts(es_scores *s, const es_score_text *text, es_error *err) {
    kind *of = es_alloc_zero(s->tasks, sizeof *of);
    double *scratch = es_alloc(s->models, sizeof *scratch);
    es_status st = ES_OK;
    ES_FAIL_IF(!of || !scratch, es_no_memory(err));
    ES_TRY(drop_means(s, err));
    judge_names(s, of);
    judge_spreads(s, of);
    judge_numbers(s, of, scratch);
    ES_TRY(keep_some(s, of, text, err));
    ES_TRY(report(s, of, err));
    if (count_kind(s, of, TASK) < s->tasks)
        ES_TRY(part(s, of, err));
    ES_TRY(remark_scale(s, err));
done:
    es_free(of);
    es_free(scratch);
    return st;
}

/* ---- errors and costs ---- */

/* 1, 2, 3, ... in some order, as in a table of ranks. */
static bool holds_ranks(const es_scores *s, size_t task) {
    double sum = 0, squares = 0, n = (double)s->models;
    for (size_t i = 0; i < s->models; i++) {
        double own = value_at(s, i, task);
        sum += own;
        squares += own * own;
    }
    return s->models > MODELS_LEAST && is_whole(s, task) && fabs(sum - n * (n + 1) / 2) < 0.5 &&
           fabs(squares - n * (n + 1) * (2 * n + 1) / 6) < 0.5;
}

es_status es_scores_remark_lower(es_scores *s, es_error *err) {
    static const char *const words[] = {
        "rmse", "nrmse", "mse", "mae",   "mape",   "rmsd",  "loss", "nll",     "perplexity", "ppl",
        "wer",  "cer",   "eer", "error", "errors", "brier", "ece",  "latency", "rank"};
    es_buf text = {0};
    size_t first = SIZE_MAX;
    kind *of = es_alloc_zero(s->tasks, sizeof *of); /* SUM: noted */
    if (!of)
        return es_no_memory(err);
    for (size_t j = 0; j < s->tasks; j++) {
        bool said =
            (s->about && s->about[j].lower >= 0) || es_score_name_says_direction(s->task[j]);
        if (said ||
            !(has_word(s->task[j], words, sizeof words / sizeof *words) || holds_ranks(s, j)))
            continue;
        of[j] = SUM;
        first = first == SIZE_MAX ? j : first;
    }
    put_names(s, of, SUM, &text);
    es_free(of);
    if (first == SIZE_MAX)
        return ES_OK;
    es_buf_printf(&text,
                  " may be better when lower; if so, add ↓ to the name, as '%.80s ↓', or write "
                  "'lower' in the column 'better' of tasks.csv",
                  s->task[first]);
    return es_scores_take_remark(s, &text, err);
}
