/* Labels of a pool's rows, whichever file they are in. */
#ifndef ES_ENGINE_ROW_LABELS_H
#define ES_ENGINE_ROW_LABELS_H

#include "labels.h"
#include "pool.h"
#include "embedscope/status.h"

/** Reads the labels of the pool's rows: labels.csv, or columns of a file of embedders; no tasks if
 *  there are neither. *from: the file, borrowed from the pool. Errors as es_labels_read. */
es_status es_pool_labels(es_pool *pool, es_label_kind kind, es_labels *out, const char **from,
                         es_error *err);

#endif
