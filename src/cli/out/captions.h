/* Lines below a table that several documents say in the same words. */
#ifndef ES_CLI_CAPTIONS_H
#define ES_CLI_CAPTIONS_H

#include "buf.h"
#include "rank_report.h"
#include "results.h"

/** A line on the zero line of the results; nothing where there is none. */
void es_caption_null(const es_results *results, es_buf *out);
/** Writes a line on how many embedders and controls the results are of; nothing without controls.
 */
void es_caption_count(const es_results *results, es_buf *out);
/** A line on how many pairs are known; nothing where all are. */
void es_caption_known(const es_results *results, es_buf *out);
/** "by linear default", and from how many pairs where some are to come. by: with an estimator. */
void es_caption_by(const es_rank_report *report, const es_results *by, es_buf *out);
/** Lines on the listed targets (count) that have columns which are active too rarely to count
 * fully: the first `most` by name, and how many more. */
void es_caption_rare(const es_results *results, const uint32_t *target, size_t count, size_t most,
                     es_buf *out);
/** Lines on the pairs among the listed embedders (count) whose value is exactly 0 for want of
 *  evidence: the first `most` by name, and how many more. */
void es_caption_silent(const es_results *results, const uint32_t *model, size_t count, size_t most,
                       es_buf *out);
/** By a published recipe: lines on the listed targets that have values which may decide theirs. */
void es_caption_wild(const es_results *results, const uint32_t *target, size_t count, size_t most,
                     es_buf *out);
/** The estimator's remark on these results; nothing where there is none. */
void es_caption_remark(const es_results *results, es_buf *out);
/** A paragraph in lines of at most `width` columns, broken between words; its indentation is that
 * of all of them. */
void es_caption_fill(es_buf *out, const char *text, size_t width);
/** Takes `lines` and frees them: those wider than `width` (0: none is) are filled. */
void es_caption_wrap(es_buf *out, es_buf *lines, size_t width);

#endif
