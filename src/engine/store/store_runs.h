/* What a store holds, in a few words, for those who asked for something else. */
#ifndef ES_ENGINE_STORE_RUNS_H
#define ES_ENGINE_STORE_RUNS_H

#include "buf.h"
#include "store.h"

/** Appends "linear default, knife with other settings over other rows": estimators and presets that
 *  the store has pairs of, with their seeds where one of them or `asked` is not 0, and whether they
 *  are over other rows than `rowset`. Nothing where there are none. Errors as es_store_runs, and
 *  ES_ENOMEM. */
es_status es_store_runs_put(es_store *store, uint64_t asked, es_digest rowset, es_buf *out,
                            es_error *err);

#endif
