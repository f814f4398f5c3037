/* Settings of the views: their defaults from view_settings.def, and the one list of names for each
 * choice among them, which commands, :set, completion and saved sessions share. */
#include "view_settings.h"

#include <string.h>

const char *const es_matrix_order_names[] = {
    [ES_ORDER_RANK] = "rank",           [ES_ORDER_NAME] = "name",       [ES_ORDER_DIM] = "dim",
    [ES_ORDER_COMMUNITY] = "community", [ES_ORDER_CLUSTER] = "cluster", NULL};
const char *const es_score_names[] = {"predictive", "published", NULL};
const char *const es_zoom_names[] = {"overview", "half", "square", "large", "auto", NULL};
const char *const es_compare_order_names[] = {"size", "difference", "name", NULL};
const char *const es_corr_kind_names[] = {"spearman", "kendall", "pearson", NULL};
const char *const es_corr_label_names[] = {"extremes", "all", "cursor", "off", NULL};
const char *const es_corr_band_names[] = {"line", "none", NULL};
const char *const es_yes_no[] = {"yes", "no", NULL};
const char *const es_log_level_names[] = {"debug", "info", "warn", "error", NULL};

size_t es_choice_find(const char *const *names, const char *name) {
    size_t i = 0;
    while (names[i] != NULL && strcmp(names[i], name) != 0)
        i++;
    return names[i] == NULL ? ES_NONE : i;
}

/* Enumerations are ints, or bytes where a snapshot should be small. */
long es_settings_load(const void *base, size_t offset, size_t size) {
    const char *member = (const char *)base + offset;
    int value = 0;
    if (size == 1)
        return *(const uint8_t *)member;
    memcpy(&value, member, sizeof value);
    return value;
}

void es_settings_store(es_settings *set, size_t offset, size_t size, long number) {
    char *member = (char *)set + offset;
    int value = (int)number;
    if (size == 1)
        *(uint8_t *)member = (uint8_t)number;
    else
        memcpy(member, &value, sizeof value);
}

void es_settings_init(es_settings *set) {
#define KEPT(member, value, ...) .member = value,
#define SET KEPT
    *set = (es_settings){
        .table[ES_TABLE_RANK] = {.column = ES_RANK_SCORE,
                                 .sort = ES_RANK_SCORE,
                                 .descending = true},
#include "view_settings.def"
    };
#undef SET
#undef KEPT
}
