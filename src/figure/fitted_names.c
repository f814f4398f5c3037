/* The short names of the terminal's columns, measured in points. */
#include "canvas.h"

#include <math.h>
#include <string.h>

typedef struct ruling {
    const es_canvas *canvas;
    double size;
} ruling;

static double room_of(const void *context, const char *utf8) {
    const ruling *r = context;
    return es_text_room(r->canvas, r->size, utf8);
}

es_status es_fitted_names_make(const es_canvas *c, double size, const char *const *name, size_t n,
                               double room, es_fitted_names *out, es_error *err) {
    const ruling r = {c, size};
    const es_ruler ruler = {room_of, &r, "…"};
    es_status st = ES_OK;
    const char **whole = es_alloc(n + 1, sizeof *whole);
    es_fitted_names made = {.text = es_alloc_zero(n + 1, sizeof *made.text), .n = n};
    ES_FAIL_IF(whole == NULL || made.text == NULL, es_no_memory(err));
    for (size_t i = 0; i < n; i++)
        whole[i] = name[i] ? name[i] : "";
    ES_TRY(es_short_names_make(whole, n, room, &ruler, made.text, err));
    for (size_t i = 0; i < n; i++) { /* joined letters are narrower than one by one */
        if (strcmp(made.text[i], whole[i]) == 0 || es_text_room(c, size, whole[i]) > room)
            continue;
        char *kept = es_strdup(whole[i]);
        if (kept == NULL) {
            es_short_names_free(made.text, n);
            st = es_no_memory(err);
            goto done;
        }
        es_free(made.text[i]);
        made.text[i] = kept;
    }
    for (size_t i = 0; i < n; i++)
        made.widest = fmax(made.widest, es_text_room(c, size, made.text[i]));
    *out = made;
    made = (es_fitted_names){0};
done:
    es_free(whole);
    es_free(made.text);
    return st;
}

void es_fitted_names_deinit(es_fitted_names *names) {
    if (names->text)
        es_short_names_free(names->text, names->n);
    es_free(names->text);
    *names = (es_fitted_names){0};
}
