/* Looks up what figures are drawn with. */
#define ES_DRAWING_NAMES
#include "drawing.h"

#include <dlfcn.h>
#include <pthread.h>

es_drawing_calls es_draw;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static es_status loaded;
static es_error why;

es_status es_drawing_load_from(const char *name, es_error *err) {
    es_drawing_calls found;
    void *library = name ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL; /* and what it needs */
    if (name && !library)
        return es_fail(err, ES_EUNSUPPORTED, "figures need Pango and Cairo: %s", dlerror());
#define LOOK_UP(function)                                                                          \
    *(void **)(void *)&found.function##_ = dlsym(library, #function);                              \
    if (!found.function##_)                                                                        \
        return es_fail(err, ES_EUNSUPPORTED, "figures need Pango and Cairo: %s", dlerror());
    ES_DRAWING(LOOK_UP)
    es_draw = found;
    return ES_OK;
}

static void load(void) {
    loaded = es_drawing_load_from(ES_PANGOCAIRO_LIBRARY, &why);
}

es_status es_drawing_load(es_error *err) {
    (void)pthread_once(&once, load);
    return loaded == ES_OK ? ES_OK : es_fail(err, loaded, "%s", why.message);
}
