/* The table of analyses. */
#include "analysis_rows.h"

#include <stdbool.h>
#include <string.h>

/* The document of a command that has more to do than to make a sheet. */
#define BY_COMMAND(...)                                                                            \
    &(const es_analysis) {                                                                         \
        __VA_ARGS__, .make = NULL                                                                  \
    }
#define OWN(name) &es_analysis_##name,

const es_analysis *const es_analyses[] = {
    BY_COMMAND("ranking", "Ranking", "the ranking with all of its columns", "rank", NULL,
               ES_ANALYSIS_NEEDS_PAIRS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("communities", "Communities", "which embedders predict each other", "tree", NULL,
               ES_ANALYSIS_NEEDS_PAIRS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("correlation", "Correlation by task", "how well the ranking predicts each task",
               "correlate", NULL, ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_SCORES,
               ES_ANALYSIS_OF_POOL),
    BY_COMMAND("categories", "Correlation by category",
               "how well the ranking predicts each kind of task", "correlate", "--by-category",
               ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_SCORES, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("agreement", "Agreement of scores",
               "whether scores agree with each other and with your tasks", "agree", NULL,
               ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("by-task", "Scores by task", "every score against every task", "agree", "--by-task",
               ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("rivals", "Scores without labels",
               "which score without labels agrees best with your tasks", "rivals", NULL,
               ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("duels", "Duels", "what your answers say of the candidates; D asks", "duel", NULL,
               ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("coverage", "Coverage", "which few embedders cover the others", "rank",
               "--coverage=0.95", ES_ANALYSIS_NEEDS_PAIRS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("enough", "Number of targets", "how many embedders the ranking needs", "rank",
               "--curve", ES_ANALYSIS_NEEDS_PAIRS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("frontier", "Frontier",
               "how small an embedder may be, and what each compression keeps", "frontier", NULL,
               ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("map", "Map of rows", "the rows of one or two embedders on a plane", "map", NULL,
               ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_EMBEDDERS),
    BY_COMMAND("worst", "Worst rows", "where a measure does worst: pairs, queries, neighbours",
               "measure", NULL, ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_MEASURE),
    BY_COMMAND("columns", "Columns", "what rows.csv and labels.csv say of the rows", "info",
               "columns", ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("pool", "Files of the pool", "which files are used, and what was found in them",
               "info", NULL, ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("leaderboard", "Leaderboard", "which ranks of your scores are real", "leaderboard",
               NULL, ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_TABLE, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("versus", "Two models", "two models of your scores, task by task", "leaderboard",
               NULL, ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_TABLE, ES_ANALYSIS_OF_MODELS),
    BY_COMMAND("task-correlation", "Correlation of tasks",
               "how far each task agrees with the others", "leaderboard", "--by-task",
               ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_TABLE, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("task-tree", "Tree of tasks", "which tasks rank the models alike", "leaderboard",
               "--method=average", ES_ANALYSIS_NEEDS_SCORES | ES_ANALYSIS_NEEDS_TABLE,
               ES_ANALYSIS_OF_POOL),
    BY_COMMAND("sweep", "Values of a setting",
               "whether a setting of an estimator changes the ranking", "rank", NULL,
               ES_ANALYSIS_NEEDS_VECTORS, ES_ANALYSIS_OF_SETTING),
    BY_COMMAND("series", "Training runs", "how scores change over the steps of a run", "series",
               NULL, ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_SERIES, ES_ANALYSIS_OF_POOL),
    BY_COMMAND("tuned", "Base and tuned", "whether tuning raises the score, over several models",
               "tuned", NULL, ES_ANALYSIS_NEEDS_PAIRS | ES_ANALYSIS_NEEDS_VECTORS,
               ES_ANALYSIS_OF_POOL),
    BY_COMMAND("sets", "Data sets", "the ranking over several data sets, and how far they agree",
               "rank", NULL, ES_ANALYSIS_NEEDS_SETS, ES_ANALYSIS_OF_SETS),
    BY_COMMAND("distance", "Distance of data sets", "how far every two data sets are apart",
               "measure", "dataset-distance", ES_ANALYSIS_NEEDS_SETS, ES_ANALYSIS_OF_SETS),
    ES_ANALYSES(OWN)};
const size_t es_analysis_count = sizeof es_analyses / sizeof(const es_analysis *); /* NOLINT */

const es_analysis *es_analysis_find(const char *id) {
    for (size_t i = 0; i < es_analysis_count; i++)
        if (strcmp(es_analyses[i]->id, id) == 0)
            return es_analyses[i];
    return NULL;
}

const char *es_analysis_lacks(const es_analysis *analysis, unsigned there) {
    const unsigned pool = ES_ANALYSIS_NEEDS_VECTORS | ES_ANALYSIS_NEEDS_TABLE;
    unsigned lacks = analysis->needs & ~there;
    bool table = (there & pool) == ES_ANALYSIS_NEEDS_TABLE;
    return lacks == 0 ? NULL
           : table    ? "needs a pool; this is a table of scores"
           : (lacks & ES_ANALYSIS_NEEDS_SETS) != 0
               ? "needs several data sets: embedscope POOL1 POOL2"
           : (lacks & pool) != 0                     ? "needs a pool; this is a finished matrix"
           : (lacks & ES_ANALYSIS_NEEDS_SERIES) != 0 ? "needs checkpoints: name them RUN@STEP"
           : (lacks & ES_ANALYSIS_NEEDS_SCORES) != 0 ? "needs downstream scores: :scores FILE.csv"
                                                     : "needs results: r estimates them";
}
