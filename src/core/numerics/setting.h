/* Settings with a name, a default and a range, as estimators and measures have them. */
#ifndef EMBEDSCOPE_SETTING_H
#define EMBEDSCOPE_SETTING_H

#include <stddef.h>

#include "embedscope/estimator.h"
#include "embedscope/status.h"

/** Index of a setting, or `count` when there is none of that key. */
size_t es_setting_find(const es_setting *settings, size_t count, const char *key);

/** The value that `text` means. ES_EINVAL says the range or the choices. */
es_status es_setting_read(const es_setting *setting, const char *text, double *value,
                          es_error *err);

/** Apply one "key=value" to values (count). ES_EINVAL as above; ES_ENOTFOUND: `owner` has no such
 *  key, and which it has. */
es_status es_setting_assign(const es_setting *settings, size_t count, const char *owner,
                            const char *assignment, double *values, es_error *err);

/** Canonical text "clip=3 folds=1 lambda=auto", keys in their order, without those that came later
 *  and are at what was before. Writes at most capacity bytes
 *  with the NUL; returns the full length. */
size_t es_setting_text(const es_setting *settings, size_t count, const double *values, char *out,
                       size_t capacity);

#endif
