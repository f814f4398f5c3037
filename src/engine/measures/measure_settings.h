/* Settings of a measure and of the data it is given. */
#ifndef ES_MEASURE_SETTINGS_H
#define ES_MEASURE_SETTINGS_H

#include <stdbool.h>

#include "digest.h"
#include "embedscope/status.h"
#include "measure.h"

/** The measure's own settings (m->n_settings) and those of its data (ES_ANNOTATIONS_SETTINGS), each
 *  "key=value" of a NULL-terminated list applied where it is known. ES_EINVAL: it is not, unless
 *  `lenient`. */
es_status es_measure_settings(const es_measure *m, const char *const *settings, bool lenient,
                              double *own, double *data, es_error *err);
/** "quantile=0.25 ... preprocess=centre ... data=HEX": all that the values depend on; owned.
 *  digest: of what people said, where the measure needs it; pool: of all embedders, where it is of
 * one among them. */
es_status es_measure_settings_text(const es_measure *m, const double *own, const double *data,
                                   es_digest digest, es_digest pool, char **out, es_error *err);

/** Is "key=value" about a setting of this measure or of its data? */
bool es_measure_knows(const es_measure *measure, const char *assignment);

#endif
