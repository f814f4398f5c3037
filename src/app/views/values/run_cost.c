/* What the rest of a run costs. An estimator's time grows with rows and with the product of the two
 * dimensions, as of a regression, or with their sum, as of a small network; the two factors were
 * measured on one core of a laptop (pools of 14 x 1,500 and 3 x 4,000 rows), so they say whether it
 * is seconds, minutes or hours. Pairs that are known say it better. */
#include "run_cost.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "results.h"

static const struct {
    const char *estimator;
    double product, sum; /* seconds a row and d_s d_t, and a row and d_s + d_t + 16 */
} factors[] = {{"linear", 1e-10, 1e-9}, {"l2", 1e-10, 1e-9}, {"knife", 0, 1.8e-7}};

static double by_size(const es_app *app, const es_results *r, size_t source, size_t target) {
    double rows = (double)app->source->rows, a = (double)r->dim[source], b = (double)r->dim[target];
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++)
        if (r->estimator != NULL && strcmp(r->estimator->name, factors[f].estimator) == 0)
            return rows * (factors[f].product * a * b + factors[f].sum * (a + b + 16));
    return (double)NAN;
}

/* Of one entry, one thread. The known pairs say by how much the model is off. */
static double of_entry(const es_app *app, const es_results *r) {
    double took = 0, would = 0, left = 0;
    for (size_t s = 0; s < r->m; s++)
        for (size_t t = 0; t < r->m; t++) {
            size_t cell = s * r->m + t;
            double cost = by_size(app, r, s, t);
            if (r->state[cell] == ES_PAIR_DONE && isfinite(r->seconds[cell])) {
                took += r->seconds[cell];
                would += cost;
            } else if (r->state[cell] == ES_PAIR_PENDING || r->state[cell] == ES_PAIR_RUNNING)
                left += cost;
        }
    return took > 0 && would > 0 ? left * took / would : left;
}

double es_run_seconds(const es_app *app) {
    const es_source *source = app->source;
    double seconds = 0;
    for (size_t e = 0; e < source->plan; e++) {
        const es_results *r = source->results[e];
        if (r == NULL)
            return (double)NAN;
        if (r->done + r->failed < r->m * r->m)
            seconds += of_entry(app, r);
    }
    return source->plan == 0 ? (double)NAN : seconds / (source->threads > 1 ? source->threads : 1);
}

void es_run_seconds_text(const es_app *app, char *out, size_t capacity) {
    double seconds = es_run_seconds(app);
    out[0] = '\0';
    if (!isfinite(seconds))
        return;
    if (seconds < 90)
        (void)snprintf(out, capacity, "about %.0f s", seconds < 1 ? 1 : ceil(seconds));
    else if (seconds < 5400)
        (void)snprintf(out, capacity, "about %.0f min", seconds / 60);
    else
        (void)snprintf(out, capacity, "about %.0f h", ceil(seconds / 3600));
}
