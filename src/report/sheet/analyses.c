/* The table of analyses. */
#include "analyses.h"

#include <string.h>

const es_analysis es_analyses[] = {
    {"series", "Training runs", "how scores change over the steps of a run", "series", NULL,
     ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_SERIES},
    {"ranking", "Ranking", "the ranking with all of its columns", "rank", NULL,
     ES_ANALYSIS_NEEDS_PAIRS},
    {"rivals", "Scores without labels", "which score without labels agrees best with your tasks",
     "rivals", NULL, ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_VECTORS},
    {"agreement", "Agreement of scores", "whether scores agree with each other and with your tasks",
     "agree", NULL, ES_ANALYSIS_NEEDS_VECTORS},
    {"by-task", "Scores by task", "every score against every task", "agree", "--by-task",
     ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_VECTORS},
    {"correlation", "Correlation by task", "how well the ranking predicts each task", "correlate",
     NULL, ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_SCORES},
    {"communities", "Communities", "which embedders simulate each other", "tree", NULL,
     ES_ANALYSIS_NEEDS_PAIRS},
    {"enough", "Number of targets", "how many embedders the ranking needs", "rank", "--curve",
     ES_ANALYSIS_NEEDS_PAIRS},
    {"coverage", "Coverage", "which few embedders cover the others", "rank", "--coverage=0.95",
     ES_ANALYSIS_NEEDS_PAIRS},
    {"pool", "Files of the pool", "which files are used, and what was found in them", "info", NULL,
     ES_ANALYSIS_NEEDS_VECTORS},
};
const size_t es_analysis_count = sizeof es_analyses / sizeof *es_analyses;

const es_analysis *es_analysis_find(const char *id) {
    for (size_t i = 0; i < es_analysis_count; i++)
        if (strcmp(es_analyses[i].id, id) == 0)
            return &es_analyses[i];
    return NULL;
}

const char *es_analysis_lacks(const es_analysis *analysis, unsigned there) {
    unsigned lacks = analysis->needs & ~there;
    return (lacks & ES_ANALYSIS_NEEDS_VECTORS) != 0  ? "needs a pool; this is a finished matrix"
           : (lacks & ES_ANALYSIS_NEEDS_SERIES) != 0 ? "needs checkpoints: name them RUN@STEP"
           : (lacks & ES_ANALYSIS_NEEDS_SCORES) != 0 ? "needs downstream scores: :scores FILE.csv"
           : (lacks & ES_ANALYSIS_NEEDS_PAIRS) != 0  ? "needs results: r estimates them"
                                                     : NULL;
}
