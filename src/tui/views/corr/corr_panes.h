/* Parts of the Corr view. */
#ifndef ES_TUI_CORR_PANES_H
#define ES_TUI_CORR_PANES_H

#include "app_corr.h"
#include "tui_draw.h"

/* corr_tasks.c: texts are written to `out` or static. */
const char *es_corr_name(const es_app *app, size_t item);
/** Returns what is known of the selected task; NULL: nothing yet. */
const es_correlation_report *es_corr_selected(const es_app *app);
/** "0.82", or why there is none. */
const char *es_corr_stat_text(es_stat stat, char out[32]);
/** "[.82, .95]", or what stands in its place. */
void es_corr_interval_text(const es_app *app, size_t task, es_correlation kind, char *out,
                           size_t capacity);
const char *es_corr_number(double value, int digits, char out[32]);
const char *es_corr_signed(double value, int digits, char out[32]);
int es_corr_digits(const es_app *app, size_t task); /* decimals of its values */

/* corr_borders.c */
/** "ρ=0.90 [.82, .95]  n=41 (1 excluded)", shorter where there is less room. */
void es_corr_title(const es_app *app, int room, char *out, size_t capacity);
/** Under the plot: how complete the scores are, or the `point` where no pane shows it. */
void es_corr_bottom(const es_app *app, bool point, int room, char *out, size_t capacity);
/** Why there is no coefficient, and what to do; false: there is one. */
bool es_corr_explain(const es_app *app, es_grid *grid, es_rect in);

/* corr_tasks.c */
void es_corr_draw_tasks(const es_app *app, es_grid *grid, es_rect pane);

/* corr_scatter.c */
void es_corr_draw_scatter(const es_app *app, es_grid *grid, es_rect in);
size_t es_corr_out_of_sight(const es_app *app); /* points that the zoom leaves out */

#endif
