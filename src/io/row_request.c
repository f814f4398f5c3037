/* Which rows are asked for, as the command line, the configuration file and documents say it. */
#include "io.h"

#include <stdlib.h>
#include <string.h>

static bool parse_rows(const char *text, size_t *out) {
    char *end = NULL;
    unsigned long long value = strtoull(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value > UINT32_MAX)
        return false;
    *out = (size_t)value;
    return true;
}

es_status es_row_request_parse(const char *text, es_row_request *out, es_error *err) {
    static const char first[] = "first:";
    es_row_request request = {0};
    size_t skip = strncmp(text, first, sizeof first - 1) == 0 ? sizeof first - 1 : 0;
    if (strcmp(text, "auto") == 0)
        request = (es_row_request){ES_ROWS_AUTO, ES_ROWS_USUAL_SAMPLE};
    else if (strcmp(text, "all") != 0) {
        request.choice = skip ? ES_ROWS_FIRST : ES_ROWS_SAMPLE;
        if (!parse_rows(text + skip, &request.count))
            return es_fail(err, ES_EINVAL,
                           "--rows takes auto, all, first:N or a whole number N (a random sample), "
                           "not '%s'",
                           text);
    }
    *out = request;
    return ES_OK;
}

es_status es_row_request_check(const es_row_request *request, es_error *err) {
    if (request->choice != ES_ROWS_ALL && request->count < ES_SPLIT_MIN_ROWS)
        return es_fail(err, ES_EINVAL, "%zu rows: at least %d are needed", request->count,
                       (int)ES_SPLIT_MIN_ROWS);
    return ES_OK;
}

void es_row_request_put(const es_row_request *request, es_buf *out) {
    switch (request->choice) {
    case ES_ROWS_ALL:
        es_buf_puts(out, "all");
        return;
    case ES_ROWS_FIRST:
        es_buf_printf(out, "first:%zu", request->count);
        return;
    case ES_ROWS_SAMPLE:
        es_buf_printf(out, "%zu", request->count);
        return;
    case ES_ROWS_AUTO:
    case ES_ROWS_GROWN:
    case ES_ROWS_AUTO_LARGE:
        es_buf_puts(out, "auto");
    }
}
