/* The answer: scores of the embedders, how sure they are, who cannot be distinguished, and whose
 * family outvotes the others. Everything that is listed beside a score is computed here, once, for
 * tables, documents and pictures alike. */
#include "report_answer.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const es_score_kind_names[] = {"auto", "predictive", "published", NULL};

const char *const es_unit_names[] = {"dimension", "nats", "entropy", NULL};

const char *es_score_kind_explained(es_score_kind score, bool from_file) {
    if (score == ES_SCORE_PREDICTIVE && from_file)
        return "The score is the lead in the file's values: how much more of the reference "
               "embedders an embedder predicts than the others do, one vote a kind.";
    return score == ES_SCORE_PREDICTIVE
               ? "The score is the lead: how much more of the reference embedders an embedder "
                 "predicts than the others do, one vote a kind, nats per dimension. It is a "
                 "ranking "
                 "aid. It rewards information and width, and knows nothing of your tasks."
               : "The published score is the median information sufficiency over the other "
                 "embedders, in nats per dimension.";
}

const char *es_rank_report_score(const es_rank_report *report) {
    bool of_file = report->results->estimator == NULL && report->score == ES_SCORE_PREDICTIVE;
    return of_file ? "of the file" : es_score_kind_names[report->score];
}

const char *es_rank_report_score_name(const es_rank_report *report) {
    if (report->score == ES_SCORE_PREDICTIVE)
        return report->results->estimator == NULL ? "lead in the file's values" : "lead";
    return es_rank_lower_is_better(report->results) ? "reconstruction error"
           : report->rule.aggregate == ES_AGGREGATE_MEDIAN && report->unit == ES_UNIT_DIMENSION
               ? "published score"
               : "score";
}

const char *es_rank_report_unit(const es_rank_report *report) {
    static const char *const words[ES_UNITS] = {"nats per dimension", "nats",
                                                "of the target's entropy"};
    return es_rank_lower_is_better(report->results) ? "an error: lower is better"
                                                    : words[report->unit];
}

void es_rank_report_put_score(const es_rank_report *report, es_buf *out) {
    es_buf_puts(out, es_rank_report_score_name(report));
}

const char *es_rank_report_aggregate(const es_rank_report *report) {
    static const char *const names[] = {"median",  "mean",     "q75",
                                        "trimmed", "balanced", "family-mean"};
    if (report->score == ES_SCORE_PREDICTIVE)
        return "lead";
    return names[report->rule.aggregate];
}

const char *es_rank_report_voting(const es_rank_report *report) {
    return report->score == ES_SCORE_PREDICTIVE ? "kinds of reference embedders"
           : report->rule.leave_family_out      ? "targets of other families"
           : report->rule.include_self          ? "targets, itself among them"
                                                : "targets";
}

void es_score_explained(const es_rank_report *report, es_buf *out) {
    static const char *const names[] = {"median",
                                        "mean",
                                        "upper quartile",
                                        "trimmed mean",
                                        "median, one vote a family,",
                                        "mean, one vote a family,"};
    const es_score_rule *rule = &report->rule;
    bool error = es_rank_lower_is_better(report->results);
    bool as_published = rule->aggregate == ES_AGGREGATE_MEDIAN && !rule->include_self &&
                        !rule->leave_family_out && !error && report->unit == ES_UNIT_DIMENSION;
    if (report->score == ES_SCORE_PREDICTIVE || as_published) {
        es_buf_puts(out,
                    es_score_kind_explained(report->score, report->results->estimator == NULL));
        return;
    }
    es_buf_printf(out, "The score is the %s %s over %s%s, %s.", names[rule->aggregate],
                  error                                 ? "of the error"
                  : strchr(names[rule->aggregate], ',') ? "of information sufficiency"
                                                        : "information sufficiency",
                  rule->include_self ? "all embedders, itself among them" : "the other embedders",
                  rule->leave_family_out ? " of other families" : "",
                  error                               ? "lower is better"
                  : report->unit == ES_UNIT_DIMENSION ? "in nats per dimension"
                  : report->unit == ES_UNIT_NATS      ? "in nats of the whole target"
                                                      : "as a share of the target's entropy");
    if (!error && report->unit == ES_UNIT_NATS)
        es_buf_puts(out, " Wide targets weigh more.");
    if (!error && report->unit == ES_UNIT_ENTROPY)
        es_buf_puts(out, " Targets whose entropy is not positive do not vote.");
    if (!error)
        es_buf_puts(out, " The published score is the median over the other embedders.");
}

/* ---- Families ---- */

/* Those that are left out together, or have one vote, by an aggregate of the published score: a
 * family, else a series, else communities. */
static void families_of(const es_results *results, es_rank_report *report) {
    bool named = false;
    for (size_t i = 0; i < results->m; i++) {
        const char *family = results->family ? results->family[i] : NULL;
        const char *own = family || !results->series ? family : results->series[i];
        report->family[i] = (uint32_t)i;
        named = named || own;
        for (size_t j = 0; j < i && own; j++) {
            const char *other = results->family ? results->family[j] : NULL;
            other = other || !results->series ? other : results->series[j];
            if (other && strcmp(own, other) == 0) {
                report->family[i] = report->family[j];
                break;
            }
        }
    }
    if (!named && report->has_community)
        memcpy(report->family, report->community, results->m * sizeof *report->family);
}

/* ---- What may be compared ---- */

static bool ended(const es_results *r, size_t cell) {
    return r->state[cell] == ES_PAIR_DONE || r->state[cell] == ES_PAIR_FAILED;
}

bool es_rank_is_through(const es_results *r, size_t source) {
    size_t open = 0;
    for (size_t j = 0; j < r->m; j++)
        open += source != j && !ended(r, source * r->m + j);
    return open == 0;
}

size_t es_rank_mask(const es_results *r, double *is) {
    size_t m = r->m, over = 0;
    memcpy(is, r->is, m * m * sizeof *is);
    for (size_t i = 0; i < m; i++) {
        bool through = es_rank_is_through(r, i);
        over += through;
        for (size_t j = 0; j < m && !through; j++)
            is[i * m + j] = (double)NAN;
    }
    return over;
}

es_rank_pairs es_rank_report_pairs(const es_rank_report *report, const es_results *of) {
    es_rank_pairs pairs = {0};
    for (size_t cell = 0; cell < of->m * of->m; cell++) {
        size_t a = cell / of->m, b = cell % of->m;
        if (report->originals && (es_results_is_derived(of, a) || es_results_is_derived(of, b)))
            continue;
        pairs.of++;
        pairs.known += of->state[cell] == ES_PAIR_DONE;
        pairs.open += !ended(of, cell);
    }
    return pairs;
}

uint32_t es_rank_known(const es_results *r, const es_score_rule *rule, size_t source) {
    uint32_t known = 0;
    for (size_t j = 0; j < r->m; j++)
        known += isfinite(r->is[source * r->m + j]) && es_votes_admit(rule, source, j);
    return known;
}

/* ---- Targets that vote ---- */

/* Globs with commas between. */
static bool is_named(const char *globs, const char *name) {
    char one[256];
    for (const char *at = globs; *at;) {
        size_t length = strcspn(at, ",");
        (void)snprintf(one, sizeof one, "%.*s", (int)(length < 255 ? length : 255), at);
        if (es_text_glob(one, name))
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static es_status choose_voting(const es_results *results, const es_rank_choices *how,
                               es_rank_report *report, es_error *err) {
    if (how->n_targets == 0)
        return ES_OK;
    report->voting = es_alloc_zero(results->m, sizeof *report->voting);
    if (report->voting == NULL)
        return es_no_memory(err);
    for (size_t k = 0; k < how->n_targets; k++) {
        size_t found = 0;
        for (size_t i = 0; i < results->m; i++) {
            bool named = is_named(how->targets[k], results->name[i]);
            report->voting[i] = report->voting[i] || named;
            found += named;
        }
        if (found == 0)
            return es_fail(err, ES_EINVAL, "--targets: no embedder is called '%s'",
                           how->targets[k]);
    }
    return ES_OK;
}

/* ---- The report ---- */

static es_status find_dominant(const es_results *results, const double *is,
                               const es_score_rule *rule, es_rank_report *report, es_error *err) {
    es_dominance dominance = {0};
    es_status st = es_ranking_dominance(is, results->m, rule, &dominance, err);
    for (size_t i = 0; st == ES_OK && dominance.dominates && i < results->m; i++)
        if (rule->family[i] == dominance.family && report->dominant == NULL)
            report->dominant = results->name[i];
    return st;
}

static es_rank_report *report_alloc(size_t m) {
    es_rank_report *report = es_alloc_zero(1, sizeof *report);
    if (report == NULL)
        return NULL;
    report->entry = SIZE_MAX;
    report->order = es_alloc(m, 3 * sizeof *report->order);
    report->published = es_alloc(m, 3 * sizeof *report->published);
    if (report->order == NULL || report->published == NULL) {
        es_rank_report_free(report);
        return NULL;
    }
    report->family = report->order + m;
    report->community = report->family + m;
    report->in = report->published + m;
    report->width = report->in + m;
    for (size_t i = 0; i < 3 * m; i++)
        report->published[i] = (double)NAN;
    return report;
}

static es_score_kind kind_of(const es_results *results, es_score_kind wanted) {
    if (wanted != ES_SCORE_AUTO)
        return wanted;
    if (results->estimator && !es_results_predictive(results))
        return ES_SCORE_PUBLISHED;
    return ES_SCORE_PREDICTIVE; /* of a file, too */
}

static es_score_rule rule_of(const es_rank_choices *how, const es_rank_report *report) {
    es_score_rule rule = {.aggregate = how->aggregate, .family = report->family};
    if (report->score == ES_SCORE_PREDICTIVE)
        rule = (es_score_rule){.aggregate = ES_AGGREGATE_MEAN, .family = report->family};
    else {
        rule.include_self = how->include_self && !how->leave_family_out; /* it is of its own */
        rule.leave_family_out = how->leave_family_out;
    }
    rule.voting = report->voting;
    return rule;
}

/* What one nat per dimension of a target comes to; NaN: it has no such value. */
static double unit_of(const es_results *r, es_unit unit, size_t target) {
    if (unit == ES_UNIT_NATS)
        return r->dim_used[target] > 0 ? (double)r->dim_used[target] : (double)NAN;
    return r->h[target] > 0 ? 1 / r->h[target] : (double)NAN;
}

/* Counts is (m, m) in the unit, and puts what each target's values were multiplied by in `by` (m).
 */
static es_status take_unit(const es_results *r, es_rank_report *report, double *is, double *by,
                           es_error *err) {
    size_t known = 0;
    if (es_rank_lower_is_better(r))
        return es_fail(err, ES_EINVAL, "--unit %s: values of %s are errors, which have no nats",
                       es_unit_names[report->unit], r->estimator->name);
    for (size_t j = 0; j < r->m; j++) {
        by[j] = unit_of(r, report->unit, j);
        known += isfinite(by[j]) ? 1 : 0;
        for (size_t i = 0; i < r->m; i++)
            is[i * r->m + j] *= by[j];
    }
    if (known > 0)
        return ES_OK;
    return es_fail(err, ES_EEMPTY, "--unit %s: no target has %s here", es_unit_names[report->unit],
                   report->unit == ES_UNIT_NATS ? "a known number of dimensions"
                                                : "a positive entropy");
}

/* Ranking, and with it what it decides. is (m, m): what may be compared; by (m): see take_unit, or
 * NULL. */
static es_status decide(const es_results *all, const double *is, const double *by,
                        const es_rank_choices *how, es_rank_report *report, es_error *err) {
    const es_results *results = report->results;
    es_rank_problem problem = {0};
    const es_rank_source source = {.results = results,
                                   .is = is,
                                   .unit = by,
                                   .relations = report->relations != all ? report->relations : NULL,
                                   .by_lead = report->score == ES_SCORE_PREDICTIVE,
                                   .rule = report->rule,
                                   .order_only = !how->with_intervals,
                                   .seed = how->seed};
    es_status st = es_rank_problem_init(&source, &problem, err);
    if (st == ES_OK)
        st = es_decision_new(&problem.problem, NULL, &report->decision, err);
    es_rank_problem_deinit(&problem);
    if (st != ES_OK)
        return st;
    report->ranking = report->decision->ranking;
    memcpy(report->order, report->decision->order, results->m * sizeof *report->order);
    return ES_OK;
}

size_t es_rank_report_find(const es_rank_report *report, const char *name) {
    return es_results_find(report->results, name);
}

/* relations: results by the default score of all embedders, or NULL. */
static es_status report_new(const es_results *all, const es_results *relations,
                            const es_rank_choices *how, es_rank_report **out, es_error *err) {
    es_results *originals = NULL;
    es_status st = how->with_derived ? ES_OK : es_results_originals(all, &originals, err);
    if (st != ES_OK)
        return st;
    const es_results *results = originals ? originals : all;
    es_rank_report *report = report_alloc(results->m);
    double *is = es_alloc(results->m + 1, (results->m + 1) * sizeof *is);
    if (report == NULL || is == NULL) {
        es_results_free(originals);
        st = es_no_memory(err);
        goto done;
    }
    report->originals = originals;
    report->relations = relations;
    report->results = report->grouped = results;
    report->score = kind_of(results, how->score);
    ES_TRY(
        es_families_group(results, 0, how->seed, report->community, &report->has_community, err));
    families_of(results, report);
    ES_TRY(choose_voting(results, how, report, err));
    report->rule = rule_of(how, report);
    report->compared = results->m;
    if (results->estimator) /* a file's gaps stay */
        report->compared = es_rank_mask(results, is);
    else
        memcpy(is, results->is, results->m * results->m * sizeof *is);
    report->unit = report->score == ES_SCORE_PUBLISHED ? how->unit : ES_UNIT_DIMENSION;
    double *by = report->unit == ES_UNIT_DIMENSION ? NULL : is + results->m * results->m;
    if (by)
        ES_TRY(take_unit(results, report, is, by, err));
    ES_TRY(decide(all, is, by, how, report, err));
    for (size_t i = 0; i < results->m && report->compared < results->m; i++)
        report->ranking->pairs[i] = es_rank_known(results, &report->rule, i);
    if (!es_rank_lower_is_better(results) && report->score == ES_SCORE_PUBLISHED)
        ES_TRY(find_dominant(results, by ? is : results->is, &report->rule, report, err));
    *out = report;
    report = NULL;
done:
    es_free(is);
    es_rank_report_free(report);
    return st;
}

es_status es_rank_report_new(const es_results *results, const es_rank_choices *how,
                             es_rank_report **out, es_error *err) {
    return report_new(results, NULL, how, out, err);
}

void es_rank_report_free(es_rank_report *report) {
    if (report == NULL)
        return;
    es_decision_free(report->decision);
    es_results_free(report->originals);
    es_free(report->order);
    es_free(report->voting);
    es_free(report->published);
    es_free(report);
}

/* ---- Of a session ---- */

/* The predictive score is complete or all there is; a matrix from a file is what it is. */
static size_t choose_entry(const es_session *session, es_score_kind wanted, bool with_derived) {
    bool (*const known)(const es_session *, size_t) =
        with_derived ? es_session_entry_known : es_session_originals_known;
    size_t predictive = es_session_predictive(session), best = es_session_best(session);
    if (es_session_pool((es_session *)(uintptr_t)session) == NULL)
        return best;
    const es_results *r = es_session_results(session, predictive);
    bool some = r && r->done > 0, all = some && known(session, predictive);
    if (wanted == ES_SCORE_PREDICTIVE)
        return some ? predictive : SIZE_MAX;
    if (wanted == ES_SCORE_PUBLISHED)
        return best == predictive && es_session_plan(session) > 1 ? SIZE_MAX : best;
    return all || (some && !known(session, best)) ? predictive : best;
}

static es_status not_known(const es_session *session, es_score_kind wanted, es_error *err) {
    if (wanted == ES_SCORE_PREDICTIVE && es_session_predictive(session) == SIZE_MAX)
        return es_fail(err, ES_EEMPTY,
                       "the predictive score is by " ES_PREDICTIVE_ESTIMATOR
                       " " ES_PREDICTIVE_PRESET
                       " as it is: leave out other settings and estimators");
    return es_fail(err, ES_EEMPTY, "the %s score is not stored; `embedscope estimate` adds it%s",
                   es_score_kind_names[wanted],
                   wanted == ES_SCORE_PREDICTIVE ? " within seconds" : "");
}

static es_status put_published(es_session *session, es_rank_report *report, es_error *err) {
    size_t entry = es_session_best(session);
    const es_results *best = es_session_results(session, entry);
    es_results *originals = NULL;
    es_ranking *ranking = NULL;
    if (best == NULL || entry == es_session_predictive(session))
        return ES_OK; /* what the predictive score stands on is no information sufficiency */
    const es_score_rule rule = {.aggregate = ES_AGGREGATE_MEDIAN, .voting = report->voting};
    es_status st = report->originals ? es_results_originals(best, &originals, err) : ES_OK;
    best = originals ? originals : best;
    if (st == ES_OK)
        st = es_ranking_new(best->is, best->m, &rule, &ranking, err);
    if (st == ES_OK && best->m == report->results->m) {
        for (size_t i = 0; i < best->m; i++) /* of some of the targets it would be another score */
            report->published[i] =
                !best->estimator || es_rank_is_through(best, i) ? ranking->score[i] : (double)NAN;
        memcpy(report->in, ranking->in, best->m * sizeof *ranking->in);
        report->published_by = es_session_results(session, entry);
    }
    es_ranking_free(ranking);
    es_results_free(originals);
    return st;
}

/* One set of communities is shown, whatever the score stands on: that of the tree, by its
 * resolution. What is decided keeps its clusters. */
static es_status put_communities(const es_session *session, const es_rank_choices *how,
                                 es_rank_report *report, es_error *err) {
    size_t entry = es_session_best(session);
    const es_results *best = es_session_results(session, entry);
    es_results *originals = NULL;
    bool usual = how->resolution == 0 || how->resolution == ES_LOUVAIN_RESOLUTION;
    if (best == NULL || (entry == report->entry && usual))
        return ES_OK;
    es_status st = report->originals ? es_results_originals(best, &originals, err) : ES_OK;
    const es_results *of = originals ? originals : best;
    if (st == ES_OK && of->m == report->results->m) {
        st = es_families_group(of, how->resolution, how->seed, report->community,
                               &report->has_community, err);
        report->grouped = entry == report->entry ? report->grouped : best;
    }
    es_results_free(originals);
    return st;
}

es_status es_rank_report_of(es_session *session, const es_rank_choices *how, es_rank_report **out,
                            es_error *err) {
    es_rank_report *report = NULL;
    es_rank_choices resolved = *how;
    size_t entry = choose_entry(session, how->score, how->with_derived);
    const es_results *results = es_session_results(session, entry);
    if (results == NULL)
        return not_known(session, how->score, err);
    if (how->score == ES_SCORE_AUTO)
        resolved.score = kind_of(results, ES_SCORE_AUTO);
    size_t predictive = es_session_predictive(session);
    const es_results *relations =
        predictive != SIZE_MAX && es_session_entry_known(session, predictive)
            ? es_session_results(session, predictive)
            : NULL;
    es_status st = report_new(results, relations, &resolved, &report, err);
    if (st == ES_OK)
        report->entry = entry;
    if (st == ES_OK)
        st = put_published(session, report, err);
    if (st == ES_OK)
        st = put_communities(session, &resolved, report, err);
    if (st == ES_OK)
        *out = report;
    else
        es_rank_report_free(report);
    return st;
}

es_status es_rank_places(es_session *session, const es_results *results, uint64_t seed,
                         uint32_t *place, es_error *err) {
    es_rank_report *report = NULL;
    const es_rank_choices by_itself = {.seed = seed};
    ES_PASS(es_rank_report_of(session, &by_itself, &report, err));
    const es_results *ranked = report->results;
    bool apart = ranked->m < results->m; /* derived embedders are not ranked */
    for (size_t i = 0, k = 0; i < results->m; i++)
        place[i] = apart && es_results_is_derived(results, i) ? 0 : report->ranking->rank[k++];
    es_rank_report_free(report);
    return ES_OK;
}

/* From a decision to the question that a session answers, and back. */

void es_rank_width_deinit(es_rank_width *x) {
    es_free(x->number);
    es_free(x->votes);
    *x = (es_rank_width){0};
}

es_status es_rank_width_init(const es_decision *d, const es_results *ranked, const es_results *all,
                             es_rank_width *out, es_error *err) {
    if (!d->by_lead || d->scored == 0)
        return es_fail(err, ES_EEMPTY, "no embedder is ranked");
    es_rank_width x = {.number = es_alloc(d->m + 1, 3 * sizeof *x.number),
                       .votes = es_alloc(d->m + 1, sizeof *x.votes)};
    uint32_t *position = x.number, *kind = x.number + d->m, *family = x.number + 2 * d->m;
    if (!x.number || !x.votes) {
        es_rank_width_deinit(&x);
        return es_no_memory_for(err, "%zu embedders", d->m);
    }
    for (size_t i = 0; i < d->m; i++) {
        size_t at = es_results_find(all, ranked->name[i]);
        if (d->standing[i] != ES_STANDING_RANKED || at == SIZE_MAX)
            continue;
        position[x.ask.m] = (uint32_t)at;
        kind[x.ask.m] = d->kind[i];
        family[x.ask.m] = d->family[i];
        x.votes[x.ask.m++] = d->votes[i];
    }
    x.ask = (es_width_ask){x.ask.m, position, kind, family, x.votes};
    *out = x;
    return ES_OK;
}

void es_rank_width_spread(const es_decision *d, const double *values, double *width) {
    for (size_t i = 0, k = 0; i < d->m; i++)
        width[i] = d->standing[i] == ES_STANDING_RANKED ? values[k++] : (double)NAN;
}

es_status es_rank_width_of(es_session *session, es_rank_report *report, es_error *err) {
    es_rank_width x = {0};
    double *values = es_alloc(report->results->m + 1, sizeof *values);
    const es_results *all = es_session_results(session, report->entry);
    es_error why = {0};
    es_status st = values && all
                       ? es_rank_width_init(report->decision, report->results, all, &x, &why)
                       : ES_EEMPTY;
    if (st == ES_OK)
        st = es_session_width(session, &x.ask, NULL, values, &why);
    if (st == ES_OK)
        es_rank_width_spread(report->decision, values, report->width);
    es_rank_width_deinit(&x);
    es_free(values);
    if (st == ES_ENOMEM || st == ES_ECANCELED)
        return es_fail(err, st, "%s", why.message);
    return ES_OK;
}

/* Names of families, series and controls become numbers of a problem. */

void es_rank_problem_deinit(es_rank_problem *x) {
    es_free(x->number);
    es_free(x->control);
    es_results_free(x->relations);
    *x = (es_rank_problem){0};
}

/* Equal names get the number of the first that has it; those without a name are alone. True: some
 * two have the same. */
static bool number_names(char *const *name, size_t m, uint32_t *number) {
    bool shared = false;
    for (size_t i = 0; i < m; i++) {
        number[i] = (uint32_t)i;
        for (size_t j = 0; name && name[i] && j < i; j++)
            if (name[j] && strcmp(name[i], name[j]) == 0) {
                number[i] = number[j];
                shared = true;
                break;
            }
    }
    return shared;
}

/* Of a run that goes on, the matrix of others than the results themselves does not yet say who is
 * related. */
static bool fits(const es_results *relations, const es_results *results) {
    return relations && relations->information && es_results_predictive(relations) &&
           relations->m >= results->m &&
           (relations == results ||
            relations->done + relations->failed == relations->m * relations->m);
}

es_status es_rank_problem_init(const es_rank_source *of, es_rank_problem *out, es_error *err) {
    const es_results *r = of->results;
    size_t m = r->m;
    es_rank_problem x = {.number = es_alloc(m + 1, 3 * sizeof *x.number),
                         .control = es_alloc(m + 1, sizeof *x.control)};
    if (!x.number || !x.control) {
        es_rank_problem_deinit(&x);
        return es_no_memory_for(err, "ranking %zu embedders", m);
    }
    uint32_t *family = x.number + m, *series = x.number + 2 * m;
    bool families = number_names(r->family, m, family);
    bool runs = number_names(r->series, m, series);
    for (size_t i = 0; i < m; i++)
        x.control[i] = r->family && es_is_control(r->family[i]);
    const es_results *info = fits(of->relations, r) ? of->relations : fits(r, r) ? r : NULL;
    es_status st = ES_OK;
    if (info && info->m > m)
        st = es_results_originals(info, &x.relations, err);
    info = x.relations ? x.relations : info;
    info = info && info->m == m ? info : NULL;
    x.problem = (es_decision_problem){.is = of->is ? of->is : r->is,
                                      .se = r->se,
                                      /* relations are found in nats per dimension */
                                      .information = info       ? info->information
                                                     : of->unit ? r->is
                                                                : NULL,
                                      .information_se = info       ? info->information_se
                                                        : of->unit ? r->se
                                                                   : NULL,
                                      .pmi = r->n_eval > 0 ? r->pmi : NULL,
                                      .unit = of->unit,
                                      .m = m,
                                      .n_eval = r->n_eval,
                                      .order = x.number,
                                      .by_lead = of->by_lead,
                                      .order_only = of->order_only,
                                      .rule = of->rule,
                                      .family = families ? family : NULL,
                                      .series = runs ? series : NULL,
                                      .control = x.control,
                                      .lower_is_better = es_rank_lower_is_better(r),
                                      .seed = of->seed};
    if (st == ES_OK)
        st = es_rank_by_name(r, x.number, err);
    if (st == ES_OK)
        *out = x;
    else
        es_rank_problem_deinit(&x);
    return st;
}

/* Results as core's ranking takes them: which way round they are, their order by name, and their
 * scores under a rule. An order by name makes what is seeded independent of the order of a file. */

bool es_rank_lower_is_better(const es_results *results) {
    return results->estimator && results->estimator->lower_is_better;
}

static const es_score_rule published = {.aggregate = ES_AGGREGATE_MEDIAN};

/* The published score of a matrix (m, m) in which the rows, or the columns, of derived embedders
 * are not known. */
static es_status rank_masked(const es_results *r, bool rows, es_ranking **out, es_error *err) {
    size_t m = r->m;
    double *is = es_alloc(m, m * sizeof *is);
    if (!is)
        return es_no_memory_for(err, "ranking %zu embedders", m);
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j < m; j++)
            is[i * m + j] = es_results_is_derived(r, rows ? i : j) ? (double)NAN : r->is[i * m + j];
    es_status st = es_ranking_new(is, m, &published, out, err);
    es_free(is);
    return st;
}

/* Derived embedders are judged by the others and judge nobody. */
static es_status judge_derived(const es_results *r, bool lower_is_better, es_ranking **out,
                               es_error *err) {
    es_ranking *by = NULL, *of = NULL;
    size_t m = r->m;
    double *score = es_alloc(m, sizeof *score);
    es_status st = ES_OK;
    ES_FAIL_IF(!score, es_no_memory_for(err, "ranking %zu embedders", m));
    ES_TRY(rank_masked(r, false, &by, err));
    ES_TRY(rank_masked(r, true, &of, err));
    for (size_t i = 0; i < m; i++) {
        bool derived = es_results_is_derived(r, i);
        score[i] = derived ? (double)NAN : by->score[i];
        by->in[i] = of->in[i];
        by->of[i] -= (uint32_t)(es_results_derived(r) - derived);
    }
    ES_TRY(es_rank_competition(score, m, lower_is_better, by->rank, err));
    *out = by;
    by = NULL;
done:
    es_ranking_free(by);
    es_ranking_free(of);
    es_free(score);
    return st;
}

es_status es_rank_results(const es_results *results, bool lower_is_better, es_ranking **out,
                          es_error *err) {
    es_ranking *ranking = NULL;
    es_status st = ES_OK;
    if (es_results_derived(results) > 0)
        return judge_derived(results, lower_is_better, out, err);
    ES_TRY(es_ranking_new(results->is, results->m, &published, &ranking, err));
    if (lower_is_better)
        ES_TRY(es_rank_competition(ranking->score, ranking->m, true, ranking->rank, err));
    *out = ranking;
    ranking = NULL;
done:
    es_ranking_free(ranking);
    return st;
}

es_status es_rank_by_name(const es_results *results, uint32_t *order, es_error *err) {
    const es_order_keys keys = {.m = results->m, .name = (const char *const *)results->name};
    return es_order_make(ES_ORDER_NAME, &keys, order, err);
}

/* Works on copies of the matrix, of the table of per-row values and of families. The values
 * themselves are borrowed from the results, as is a matrix from a file: those of a finished pair
 * stay until the session closes, and closing ends the workers first. */

typedef struct decision_work {
    es_decision_problem problem;
    double *is;      // (4, m, m) with their errors and the information matrix; NULL: borrowed
    uint32_t *order; // (3, m) by name, as documents draw too; families; series
    bool *voting;    // (2, m) with controls
    float **pmi;     // (m, m) of the results; NULL: not known
    es_decision *out;
} decision_work;

static void work_deinit(void *data) {
    decision_work *work = data;
    es_free(work->is);
    es_free(work->order);
    es_free(work->voting);
    es_free(work->pmi);
    es_decision_free(work->out);
    *work = (decision_work){0};
}

/* What it was computed from is let go at once: only the newest decision stays. */
static es_status compute(void *data, es_run *run, es_error *err) {
    decision_work *work = data;
    es_decision *out = NULL;
    es_status st = es_decision_new(&work->problem, run, &out, err);
    work_deinit(work);
    work->out = out;
    return st;
}

/* Above the work on pairs, whose jobs give way between two pairs (es_workers_wanted): it is short,
 * and a ranking that does not say how sure it is is no ranking. Also computed while the run is
 * paused. */
static const es_latest_task_kind kind = {compute, work_deinit, 1.0, "ranking"};

/* `size` bytes of `from` into `to`; NULL stays NULL. */
static const void *copy(void *to, const void *from, size_t size) {
    return from ? memcpy(to, from, size) : NULL;
}

static void copy_matrices(const es_decision_problem *from, decision_work *work) {
    size_t cells = from->m * from->m, size = cells * sizeof *work->is;
    work->problem.is = copy(work->is, from->is, size);
    work->problem.se = copy(work->is + cells, from->se, size);
    work->problem.information = copy(work->is + 2 * cells, from->information, size);
    work->problem.information_se = copy(work->is + 3 * cells, from->information_se, size);
}

static es_status copy_problem(const es_session *s, const es_decision_problem *problem,
                              decision_work *work, es_error *err) {
    size_t m = problem->m, pairs = m * m;
    const es_results *r = es_session_results(s, 0);
    bool borrowed = !r->estimator && problem->is == r->is;
    work->is = borrowed ? NULL : es_alloc(pairs, 4 * sizeof *work->is);
    work->order = es_alloc(m + 1, 3 * sizeof *work->order);
    work->pmi = problem->pmi ? es_alloc(pairs, sizeof *work->pmi) : NULL;
    work->voting = es_alloc(m + 1, 2 * sizeof *work->voting);
    if ((!borrowed && !work->is) || !work->order || (problem->pmi && !work->pmi) || !work->voting)
        return es_no_memory(err);
    work->problem = *problem;
    if (!borrowed)
        copy_matrices(problem, work);
    work->problem.order = copy(work->order, problem->order, m * sizeof *work->order);
    work->problem.family = copy(work->order + m, problem->family, m * sizeof *work->order);
    work->problem.series = copy(work->order + 2 * m, problem->series, m * sizeof *work->order);
    work->problem.rule.voting = copy(work->voting, problem->rule.voting, m);
    work->problem.control = copy(work->voting + m, problem->control, m);
    work->problem.pmi = copy(work->pmi, problem->pmi, pairs * sizeof *work->pmi);
    work->problem.rule.family = NULL;
    return ES_OK;
}

es_status es_rank_task_start(es_session *s, const es_decision_problem *problem, uint64_t tag,
                             es_error *err) {
    const es_results *results = es_session_results(s, 0);
    if (!results || problem->m == 0 || !problem->order)
        return es_fail(err, ES_EEMPTY, "nothing to rank");
    decision_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    es_status st = copy_problem(s, problem, work, err);
    if (st == ES_OK)
        return es_session_task_start(s, ES_TASK_RANKING, &kind, work, tag, err);
    work_deinit(work);
    es_free(work);
    return st;
}

const es_decision *es_rank_task_newest(const es_session *s) {
    const decision_work *newest = es_session_task(s, ES_TASK_RANKING)->newest;
    return newest ? newest->out : NULL;
}
