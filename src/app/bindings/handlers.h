/* What runs each command of commands.def, and what says why it cannot: "nothing is running".
 * Several rows may share one; declaring it again does no harm. Each is defined beside its subject.
 */
#ifndef ES_APP_HANDLERS_H
#define ES_APP_HANDLERS_H

#include "commands.h"

#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run, refuse)          \
    void run(es_call *call);                                                                       \
    const char *refuse(const es_app *app);
#include "commands.def"
#undef C

#endif
