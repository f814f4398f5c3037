/* The sentences about duels. */
#include "report.h"

#include "report_answer.h"

enum { NAMED = 5, HARDLY = 40 /* answers after which those that are left are alike */ };

static const char *place_name(const es_duel_report *r, size_t place) {
    return r->name[r->standing.order[place]];
}

/* "A, B and C" of places from .. to - 1. */
static void put_places(const es_duel_report *r, size_t from, size_t to, es_buf *out) {
    const char *name[NAMED];
    for (size_t i = from; i < to && i < from + NAMED; i++)
        name[i - from] = place_name(r, i);
    es_buf_list(out, name, to - from, NAMED, " and ");
}

/* "(.71 [.52, .86])" */
static void put_share(const es_duel_standing *s, size_t i, es_buf *out) {
    es_buf_puts(out, " (");
    es_share_put(s->share[i], out);
    es_buf_puts(out, " [");
    es_share_put(s->low[i], out);
    es_buf_puts(out, ", ");
    es_share_put(s->high[i], out);
    es_buf_puts(out, "])");
}

static void put_first(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    size_t first = s->order[0], ties = 1;
    while (ties < s->left && s->net[s->order[ties]] == s->net[first])
        ties++;
    if (ties > 1) {
        put_places(r, 0, ties, out);
        es_buf_puts(out, " are level for your rows");
        return;
    }
    bool shown = s->low[first] > 0.5;
    es_buf_printf(out, "%s %s", r->name[first], shown ? "is ahead" : "has won most so far");
    if (s->left > 1 && shown)
        es_buf_printf(out, " of %s", place_name(r, 1));
    if (shown)
        es_buf_puts(out, " for your rows");
    put_share(s, first, out);
}

static void put_out(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    size_t gone = s->k - s->left;
    if (gone == 0)
        return;
    es_buf_puts(out, "; ");
    if (s->left == 1 && gone > 1)
        es_buf_puts(out, "all others");
    else
        put_places(r, s->left, s->k, out);
    es_buf_puts(out, gone == 1 ? " is out" : " are out");
}

static void put_end(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    if (s->left == 1) {
        es_buf_puts(out, " You can stop.");
        return;
    }
    es_buf_printf(out, " %zu candidates are left.", s->left);
    if (r->more != SIZE_MAX)
        es_buf_printf(out, " About %zu more answer%s like these would leave one.", r->more,
                      r->more == 1 ? "" : "s");
    else if (s->counted >= HARDLY)
        es_buf_puts(out, " More answers will hardly separate them: you can stop.");
    else
        es_buf_puts(out, " Go on: it is too early to say how many more answers it takes.");
}

void es_duel_put(const es_duel_report *r, es_buf *out) {
    const es_duel_standing *s = &r->standing;
    if (s->counted == 0) {
        if (r->answers > 0)
            es_buf_printf(out,
                          "None of the %zu answer%s is about rows on which these %zu candidates "
                          "disagree: they were asked about others.",
                          r->answers, r->answers == 1 ? "" : "s", s->k);
        else
            es_buf_printf(out, "No answers yet about these %zu candidates.", s->k);
        return;
    }
    es_buf_printf(out, "After %zu answer%s: ", s->counted, s->counted == 1 ? "" : "s");
    put_first(r, out);
    put_out(r, out);
    es_buf_putc(out, '.');
    put_end(r, out);
}
