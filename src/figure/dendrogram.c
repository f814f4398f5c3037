/* A tree of embedders with their names, one line a leaf. */
#include <math.h>

#include "canvas.h"

#define PITCH 10.0

es_status es_figure_dendrogram(const es_dendrogram *d, const es_figure_style *style,
                               es_picture format, es_buf *out, es_error *err) {
    es_status st = ES_OK;
    es_canvas c;
    es_fitted_names shown = {0};
    unsigned *group = NULL; /* (m) as the lines stand */
    size_t m = d->tree->m;
    double names = 0, bottom = PITCH * (double)m + 4;
    ES_TRY(es_canvas_init(&c, style, ES_FIGURE_SINGLE, err));
    for (size_t i = 0; i < m; i++)
        names = fmax(names, es_text_room(&c, ES_FONT_NORMAL, d->name[i]));
    if (d->group)
        ES_FAIL_IF(!(group = es_alloc(m, sizeof *group)), es_no_memory(err));
    ES_TRY(es_fitted_names_make(&c, ES_FONT_NORMAL, d->name, m, fmin(names, 0.5 * c.width), &shown,
                                err));
    names = shown.widest;
    double highest = es_branch_height(d->tree);
    es_scale scale = es_scale_make(0, highest > 0 ? highest : 1, 5); /* heights begin at 0 */
    scale.from = names + ES_GROUP_BAR + 8;
    scale.to = c.width - 8;
    ES_TRY(es_canvas_page(&c, bottom + es_scale_below_height(&c, d->axis), format, out, err));
    es_put_scale_below(&c, &scale, bottom, 0, d->axis);
    for (size_t i = 0; i < m; i++) {
        size_t leaf = d->tree->order[i];
        double y = PITCH * ((double)i + 0.5);
        es_ink_set(&c, c.ink.text);
        es_put_text(&c, names, y, ES_FONT_NORMAL, ES_ALIGN_RIGHT, shown.text[leaf]);
        if (group)
            group[i] = d->group[leaf];
    }
    if (group) /* the numbers say what the colours do */
        es_put_group_bar(&c, group, m, PITCH, names + 4, 0, true);
    es_ink_set(&c, c.ink.text);
    ES_TRY(es_put_branches(&c, d->tree, PITCH, es_scale_at(&scale, highest) - scale.from,
                           ES_BRANCH_RIGHT, scale.from, 0, err));
    st = es_canvas_finish(&c, err);
done:
    es_free(group);
    es_fitted_names_deinit(&shown);
    es_canvas_deinit(&c);
    return st;
}
