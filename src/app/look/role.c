/* Names of the roles, as theme files have them. */
#include "app_look.h"

#include <string.h>

static const char *const NAMES[ES_ROLE_COUNT] = {
#define X(id, name) name,
    ES_ROLES(X)
#undef X
};

const char *es_role_name(es_role role) {
    return (unsigned)role < ES_ROLE_COUNT ? NAMES[role] : "";
}

es_role es_role_find(const char *name) {
    int role = 0;
    while (role < ES_ROLE_COUNT && strcmp(NAMES[role], name) != 0)
        role++;
    return (es_role)role;
}
