/* How every pane of Compare tells the sides apart, by colour and letter, and writes their values.
 */
#include <string.h>

#include "compare_panes.h"
#include "app_values.h"

es_role es_side_role(size_t side) {
    static const es_role roles[] = {ES_ROLE_COMMUNITY_1, ES_ROLE_COMMUNITY_2, ES_ROLE_COMMUNITY_3};
    return roles[side % 3];
}

char es_side_letter(size_t side) {
    return (char)('A' + side);
}

void es_short_value(double value, int digits, char *out, size_t capacity) {
    es_metric_format(ES_METRIC_IS, value, digits, out, capacity);
    char *zero = out[0] == '-' ? out + 1 : out;
    if (zero[0] == '0' && zero[1] == '.')
        memmove(zero, zero + 1, strlen(zero));
}
