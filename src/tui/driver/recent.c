/* The pools that were opened lately: a list in the user's state folder, for the prompt and for
 * Pool. */
#include "tui_driver.h"

#include <string.h>

enum { MOST = 20 };

/* The lines of `before` but `first`; those that are no folder any more are forgotten. */
static void put_others(es_buf *out, char *before, const char *first) {
    char *rest = NULL;
    int count = 0;
    for (char *line = strtok_r(before, "\n", &rest); line != NULL && count < MOST - 1;
         line = strtok_r(NULL, "\n", &rest)) {
        if (strcmp(line, first) == 0 || !es_path_is_folder(line))
            continue;
        es_buf_printf(out, "%s\n", line);
        count++;
    }
}

void es_recent_note(es_driver *driver) {
    char *path = NULL, *pool = NULL, *before = NULL;
    size_t length = 0;
    es_buf others = {0}, all = {0};
    if (driver->options->subject == NULL || es_state_path("recent", &path, NULL) != ES_OK ||
        es_path_canonical(driver->options->subject, &pool, NULL) != ES_OK)
        goto done;
    es_status st = es_state_read(path, &before, &length, NULL);
    if (st == ES_OK)
        put_others(&others, before, pool);
    else if (st == ES_ENOTFOUND)
        es_app_welcome(driver->app);
    if (es_path_is_folder(pool) && strchr(pool, '\n') == NULL)
        es_buf_printf(&all, "%s\n", pool);
    es_buf_puts(&all, others.data ? others.data : "");
    if (!all.failed && all.length > 0)
        (void)es_state_write(path, all.data, all.length, NULL);
    if (!others.failed && others.data)
        es_app_recent(driver->app, others.data);
done:
    es_buf_free(&others);
    es_buf_free(&all);
    es_free(before);
    es_free(pool);
    es_free(path);
}
