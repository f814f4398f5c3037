/* Communities as a graph laid out by forces, and a dendrogram of the matrix's rows or columns. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli_reports.h"

/* Communities are drawn where they hold: colours say "these belong together" louder than any
 * caption can take back. */

/* How surely the members of a community (from 0) are in it, over the runs; NaN without runs. */
static double holds(const es_communities *found, uint32_t community, size_t *size) {
    double sum = 0;
    *size = 0;
    for (size_t i = 0; i < found->m; i++)
        if (found->group[i] == community) {
            sum += 1 - found->elsewhere[i];
            ++*size;
        }
    return *size > 0 ? sum / (double)*size : (double)NAN;
}

/* by: an estimator that is not the picture's own, NULL: it is */
static void take_communities(const es_communities *found, double resolution, const es_results *by,
                             es_picture_groups *out, es_buf *note) {
    size_t loose = 0, drawn = 0, size = 0, members = 0;
    double sum = 0;
    if (found->groups == 1) { /* one colour for all would say nothing */
        es_buf_printf(note, "All are one community (Louvain, resolution %g). ", resolution);
        return;
    }
    for (uint32_t g = 0; g < found->groups; g++) {
        double sure = holds(found, g, &size);
        bool kept = !(sure < ES_PICTURE_HOLDS);
        loose += !kept;
        drawn += kept;
        for (size_t i = 0; i < found->m; i++)
            if (found->group[i] == g)
                out->group[i] = kept ? g + 1 : 0;
        if (kept && isfinite(sure)) {
            sum += sure * (double)size;
            members += size;
        }
    }
    out->drawn = drawn > 0;
    out->title = drawn > 0 ? "communities" : NULL;
    if (drawn > 0)
        es_buf_printf(note, "Colours: communities (Louvain, resolution %g%s%s%s%s)", resolution,
                      by ? ", by " : "", by ? by->estimator->name : "", by ? " " : "",
                      by ? es_results_preset(by) : "");
    if (members > 0)
        es_buf_printf(note, "; a member is in its own in %.0f %% of %d runs",
                      100 * sum / (double)members, ES_LOUVAIN_RUNS);
    if (loose > 0)
        es_buf_printf(note, "%s%zu of %zu communities %s below %.0f %% and %s not drawn",
                      drawn > 0 ? "; " : "Communities: ", loose, found->groups,
                      loose == 1 ? "is" : "are", 100 * ES_PICTURE_HOLDS, loose == 1 ? "is" : "are");
    es_buf_puts(note, ". ");
}

static es_status by_community(es_cli *cli, const es_results *results, const es_communities *found,
                              es_picture_groups *out, es_buf *note, es_error *err) {
    es_communities *own = NULL;
    const es_options *o = cli->options;
    if (es_rank_lower_is_better(results)) /* an error is no weight of an edge */
        return ES_OK;
    const es_family_choices how = {.resolution = o->resolution, .seed = o->seed};
    es_status st = found ? ES_OK : es_families_new(results, &how, &own, err);
    const es_results *drawn = cli->export ? es_export_results(cli->export) : NULL;
    bool other =
        drawn && drawn->estimator && results->estimator && !es_results_alike(drawn, results);
    if (st == ES_OK)
        take_communities(found ? found : own, o->resolution, other ? results : NULL, out, note);
    es_communities_free(own);
    return st;
}

/* Families are numbered as they first come; one of a single member is none to be seen. */
static es_status by_family(es_cli *cli, const es_results *results, es_picture_groups *out,
                           es_buf *note, es_error *err) {
    unsigned count = 0;
    for (size_t i = 0; i < results->m; i++) {
        const char *family = results->family ? results->family[i] : NULL;
        unsigned members = 0;
        size_t first = SIZE_MAX;
        for (size_t j = 0; family && j < results->m; j++)
            if (results->family[j] && strcmp(results->family[j], family) == 0) {
                first = first == SIZE_MAX ? j : first;
                members++;
            }
        if (members < 2)
            continue;
        if (first == i) {
            out->group[i] = ++count;
            es_buf_printf(note, "%s%u %s", count > 1 ? ", " : "Colours: families ", count, family);
        }
        out->group[i] = out->group[first];
    }
    if (count == 0)
        return es_usage(
            cli, err,
            "--colour-by family: no two embedders are of one family; name them in families.csv, "
            "pool.json, or by --families beside --matrix");
    es_buf_puts(note, ". ");
    out->drawn = true;
    out->title = "families";
    return ES_OK;
}

es_status es_picture_groups_of(es_sketch *sketch, const es_results *results,
                               const es_communities *found, es_picture_groups *out, es_error *err) {
    es_cli *cli = sketch->cli;
    const char *by = cli->options->groups_by ? cli->options->groups_by : "community";
    es_status st = ES_OK;
    *out = (es_picture_groups){.group = es_sketch_room(sketch, results->m, sizeof *out->group)};
    if (out->group == NULL)
        return es_no_memory(err);
    if (strcmp(by, "community") == 0)
        st = by_community(cli, results, found, out, &sketch->note, err);
    else if (strcmp(by, "family") == 0)
        st = by_family(cli, results, out, &sketch->note, err);
    else if (strcmp(by, "none") != 0)
        st = es_usage(cli, err, "--colour-by takes family, community or none, not '%s'", by);
    return st;
}
