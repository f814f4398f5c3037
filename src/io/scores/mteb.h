/* Results of MTEB (Muennighoff et al., EACL 2023) as its runs leave them: a folder of
 * MODEL/REVISION/TASK.json, or MODEL/TASK.json, in the layouts of its versions 1 and 2. */
#ifndef ES_IO_MTEB_H
#define ES_IO_MTEB_H

#include "run.h"
#include "scores.h"

/** Read a folder of results, or one that has it as `results`. A model is named by "name" in its
 * model_meta.json, else by its folder with "__" for "/"; a task by its file. Of several revisions
 * the one with the most tasks is read, of equal ones the last by name. Scores are as MTEB's own
 * mean: over the languages and subsets of the split test, else dev or validation, else of all; of
 * those that all models with the task have (es_scores_settle compares by fewer models).
 * out->remark says what was left out:
 * subsets and splits, models, revisions, files without a main score. ES_EEMPTY: no results;
 * ES_EFORMAT: a file is no JSON (named, with line and column); ES_EIO. run (or NULL) is told how
 * many models of all are read, and asked at every file: ES_ECANCELED. O(bytes). */
es_status es_mteb_read(const char *path, es_run *run, es_scores *out, es_error *err);

/** The main score of one file of results. *out NaN: it has none. ES_EFORMAT as es_json_parse. */
es_status es_mteb_score(const char *text, size_t length, const char *path, double *out,
                        es_error *err);

#endif
