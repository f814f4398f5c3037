/* All of libembedscope: comparing embedding models without labels.
 *
 *   version.h      which version this is
 *   status.h       status codes, errors, stopping a long computation
 *   session.h      estimating information sufficiency over a pool
 *   pool.h         embedders, in a folder or in memory
 *   results.h      the matrix of what is known
 *   estimator.h    which estimators there are
 *   measure.h      which other measures there are
 *   ranking.h      a score for every embedder, and how sure their order is
 *   score_rule.h   how the values of a source are summed up into it
 *   compare.h      two or three embedders side by side
 *   correlate.h    a score against downstream results
 *   communities.h  families of embedders
 *   study.h        all of it by words, documents as texts: for other languages
 *   stat.h         numbers that may be undefined; correlation
 *
 * Matrices are row-major; counts are size_t; what is not known is NaN in memory, never 0. Functions
 * that can fail return es_status and say why in an es_error, which may be NULL; outputs are
 * unchanged then. Other pointers are not NULL unless a function says so. `_free`, `_close` and
 * `_cancel` accept NULL. */
#ifndef EMBEDSCOPE_EMBEDSCOPE_H
#define EMBEDSCOPE_EMBEDSCOPE_H

#include "embedscope/communities.h"
#include "embedscope/compare.h"
#include "embedscope/correlate.h"
#include "embedscope/estimator.h"
#include "embedscope/measure.h"
#include "embedscope/pool.h"
#include "embedscope/ranking.h"
#include "embedscope/results.h"
#include "embedscope/score_rule.h"
#include "embedscope/session.h"
#include "embedscope/stat.h"
#include "embedscope/status.h"
#include "embedscope/study.h"
#include "embedscope/version.h"

#endif
