/* Every command with what its --help says and the groups of options that it takes. Help, manual
 * page, completions and dispatch are made from it. */
#include "command_table.h"

#include "cmd.h"

/* Pools that are looked at together. */
enum { MANY = 64 };

#define POOL_MISSING "which pool? Name a folder of embeddings"
#define POOL_OR_MATRIX_MISSING                                                                     \
    "which pool? Name a folder of embeddings, or a matrix with --matrix FILE.csv"

static const es_subcommand table[] = {
    {.name = "",
     .arguments = "[PATH...]",
     .summary = "Choose between embedding models without labels.",
     .details =
         "Opens the explorer on the pool of embeddings in PATH (default: the current folder). "
         "Several pools, a folder of pools, or with --set-rows all the sets of rows of one, are "
         "data sets that are looked at together. "
         "Without a terminal, prints the ranking of what is stored instead: --aggregate, "
         "--include-self, --leave-family-out and --within are of that one.",
     .examples = "embedscope sample_data/molecules\n"
                 "embedscope --start sample_data/molecules\n"
                 "embedscope mypool mypool2\n",
     .most_arguments = MANY,
     .scores_of_pool = true,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_EXPLORER,
     .run = es_cmd_explore},
    {.name = "estimate",
     .arguments = "POOL...",
     .summary = "estimate all missing pairs",
     .details =
         "Estimates how much of every embedder can be simulated from every other one, and keeps "
         "each "
         "pair as soon as it is finished: an interrupted run continues where it was. Without "
         "--estimator: first linear, then knife. Progress goes to stderr. With a format, the "
         "matrix is "
         "printed at the end. Of a pool of more than 20,000 rows a random sample is taken, which "
         "doubles until the ranking is expected to agree with that by all rows (--rows, "
         "--budget). Several pools, the pools in a folder, or with --set-rows all the "
         "sets of rows of one pool are estimated one after the other. --sweep estimates once for "
         "every value of a setting, and says how far the rankings agree. Any number of processes "
         "of "
         "one machine share the work of a pool; several machines by --shard and --store, and then "
         "`embedscope merge`, or by MPI: started by `mpirun -n N`, rank 0 hands out pairs and "
         "alone opens "
         "the store, the other ranks compute (with the package embedscope-mpi; --threads is then "
         "of each rank, by default its share of its machine's cores). "
         "--dry-run says what is to be done, how long it takes here by a "
         "measured rate, what it takes of memory, and what N machines would make of it (--nodes).",
     .examples =
         "embedscope estimate sample_data/molecules\n"
         "embedscope estimate sample_data/molecules --estimator linear --json -o matrix.json\n"
         "embedscope estimate mypool mypool2 --estimator linear\n"
         "embedscope estimate mypool --estimator knife --set epochs=2 --sweep modes=1,2,4\n"
         "embedscope estimate mypool --estimator linear --shard 1/2 --store share1.db\n"
         "embedscope estimate mypool --rows all --memory 8G --dry-run --nodes 16\n",
     .most_arguments = MANY,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_DERIVED | ES_OPTIONS_SWEEP | ES_OPTIONS_BUDGET |
               ES_OPTIONS_SHARE | ES_OPTIONS_DRY,
     .run = es_cmd_estimate},
    {.name = "matrix",
     .arguments = "POOL",
     .summary = "print the stored matrix",
     .details =
         "Rows are sources, columns targets: how many nats per dimension of the target can be "
         "simulated from the source. A pair that is not known is empty, null in JSON. CSV reads "
         "straight into pandas.read_csv(FILE, index_col=0). --long writes a pair a line, --format "
         "npz "
         "the arrays is, se and names for numpy.load. A spreadsheet runs names that begin with = + "
         "- "
         "@: --csv-safe puts a ' in front of them, which is then part of the name.",
     .examples = "embedscope matrix sample_data/molecules --order rank\n"
                 "embedscope matrix sample_data/molecules --csv -o matrix.csv\n"
                 "embedscope matrix sample_data/molecules --value asymmetry --format md\n"
                 "embedscope matrix sample_data/molecules --long -o pairs.jsonl\n"
                 "embedscope matrix sample_data/molecules -o matrix.npz\n",
     .most_arguments = 1,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_MATRIX | ES_OPTIONS_SWEEP,
     .run = es_cmd_matrix},
    {.name = "rank",
     .arguments = "POOL...",
     .summary = "print the ranking and what it comes to",
     .details =
         "The score is the lead: how much more of the reference embedders an embedder "
         "predicts than the others do, by `linear` `shrunk`, one vote a kind of embedders. "
         "Below the table: which is first, the candidates for the best with other kinds as "
         "reference, what to try, and what would narrow it. --explain A [B] shows where A's "
         "lead over B comes from. --score published ranks by the median of information "
         "sufficiency and names no best. A missing pair is left out and shows in the column "
         "of pairs; it never counts as 0. "
         "--curve and --coverage ask how many embedders are enough: to trust the ranking, "
         "and to cover the pool. Several pools, the pools in a folder, or with --set-rows all the "
         "sets of rows of one pool are ranked together: embedders are matched by name, and the "
         "interval resamples data sets; --within says what stands under each. --tasks A,B ranks by "
         "tasks of scores.csv that you have and by the ranking, which counts as two tasks. --sweep "
         "sets the "
         "published score by one estimator, or a measure (--score), at every value of a setting "
         "side by side: the scores, the ranks, how far they agree, and with downstream.",
     .examples = "embedscope rank sample_data/molecules\n"
                 "embedscope rank sample_data/molecules --score published --json\n"
                 "embedscope rank sample_data/molecules --explain mol2vec_128 maccs_167\n"
                 "embedscope rank sample_data/molecules --aggregate balanced --json\n"
                 "embedscope rank sample_data/molecules --leave-family-out\n"
                 "embedscope rank --matrix sample_data/paper-nlp/matrix.csv --curve\n"
                 "embedscope rank --matrix sample_data/paper-nlp/matrix.csv --families "
                 "sample_data/paper-nlp/families.csv\n"
                 "embedscope rank sample_data/molecules --coverage 0.5\n"
                 "embedscope rank sample_data/molecules --tasks esol,hiv\n"
                 "embedscope rank sample_data/molecules --score effective-rank\n"
                 "embedscope rank mypool mypool2 --within rank\n"
                 "embedscope rank mypool --score consensus --sweep components=8,32\n",
     .most_arguments = MANY,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_ENOUGH | ES_OPTIONS_AGREE | ES_OPTIONS_SCORE | ES_OPTIONS_LABEL |
               ES_OPTIONS_SWEEP | ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .run = es_cmd_rank},
    {.name = "tree",
     .arguments = "POOL",
     .summary = "families of embedders: communities, or a dendrogram",
     .details =
         "Communities of the graph whose edges are what can be simulated (Louvain, the best of 20 "
         "seeded starts), with how often 200 further runs find them again; or a dendrogram of the "
         "matrix's rows or columns, numbered as SciPy does. The graph is complete with nearly "
         "equal weights, so families are weak: look at stability and doubt.",
     .examples = "embedscope tree sample_data/molecules\n"
                 "embedscope tree sample_data/molecules --resolution 1.1 --weights minmax --json\n"
                 "embedscope tree sample_data/molecules --method ward --of targets\n"
                 "embedscope tree --matrix sample_data/paper-nlp/matrix.csv --method average\n",
     .most_arguments = 1,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_TREE,
     .run = es_cmd_tree},
    {.name = "correlate",
     .arguments = "POOL...",
     .summary = "the ranking against downstream scores",
     .details =
         "How well the score predicts each task of scores.csv: Pearson, Spearman and Kendall's "
         "tau-b with intervals; weighted tau, the top half "
         "alone, given the dimension, and beside what the dimension (and l2, where it is stored) "
         "says alone. Only equal names are joined; near ones are proposed, for you to accept. A "
         "missing score leaves that embedder out of that task only, controls are out of all. "
         "Related "
         "embedders (families of pool.json) rank alike: n_eff is the number of independent ones "
         "that they count as, and Spearman's interval and p go by it. --score asks the same of any "
         "measure. Tasks of a category (tasks.csv beside the scores, else MTEB's by name) are put "
         "together, and communities are compared. Of several pools, a folder of pools or "
         "--set-rows all: which data set's ranking goes with which task of --scores.",
     .examples = "embedscope correlate sample_data/molecules\n"
                 "embedscope correlate sample_data/molecules --score uniformity\n"
                 "embedscope correlate --ranking sample_data/paper-nlp/ranking.csv --scores "
                 "sample_data/paper-nlp/scores.csv --json\n"
                 "embedscope correlate --matrix sample_data/paper-nlp/matrix.csv --scores "
                 "sample_data/paper-nlp/scores.csv --include-self\n",
     .most_arguments = MANY,
     .missing = "which ranking? Name a folder of embeddings, --matrix FILE.csv or --ranking "
                "FILE.csv",
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_NAMES | ES_OPTIONS_SCORE | ES_OPTIONS_LABEL,
     .of_originals = true,
     .scores_of_pool = true,
     .of_rankings = true,
     .run = es_cmd_correlate},
    {.name = "compare",
     .arguments = "POOL A B [C]",
     .summary = "two or three embedders side by side, with a verdict",
     .details =
         "Does one contain the other? A contains B when it simulates at least half of what can be "
         "known of B, and clearly more than B simulates of it. Beside the verdict: scores, the "
         "targets where they differ most, downstream scores, and the rows that one captures and "
         "the other does not. CSV, md and tex hold the targets.",
     .examples =
         "embedscope compare sample_data/molecules mol2vec_128 desc_all\n"
         "embedscope compare sample_data/molecules mol2vec_128 desc_all maccs_167 --json\n"
         "embedscope compare --matrix sample_data/paper-nlp/matrix.csv gte-base gte-large\n",
     .most_arguments = 4,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_ROWS | ES_OPTIONS_NAMES,
     .scores_of_pool = true,
     .run = es_cmd_compare},
    {.name = "rows",
     .arguments = "POOL A B",
     .summary = "the rows of B that A simulates worst and best",
     .details =
         "Ranks the rows on which the pair A -> B was evaluated by their pointwise information "
         "(PMI), with their ids and texts from rows.csv. Row numbers count from 0, as in NumPy. "
         "--by pmi asks where two embedders agree least and most instead: a critic (`measure "
         "infonce`) learns on 60 % of the rows which row of A belongs to which of B, and its score "
         "of a row that it has not seen estimates the pointwise mutual information.",
     .examples = "embedscope rows sample_data/molecules mol2vec_128 desc_all\n"
                 "embedscope rows sample_data/molecules mol2vec_128 desc_all --by pmi --top 5\n"
                 "embedscope rows sample_data/molecules mol2vec_128 desc_all --top 3 --json\n"
                 "embedscope rows sample_data/molecules desc_all mol2vec_128 --top 0 --csv\n",
     .most_arguments = 3,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_ROWS | ES_OPTIONS_BY,
     .run = es_cmd_rows},
    {.name = "map",
     .arguments = "POOL A [B]",
     .summary = "the rows of one or two embedders on a plane",
     .details =
         "The first two principal components of an embedder's rows, centred, with their ids, texts "
         "and groups. Of two embedders the same rows are drawn, by default in the groups that one "
         "captures and the other does not: the tenth of the evaluated rows with the largest, and "
         "with the least, difference of their values per row, mean over targets. --colour-by takes "
         "a column of labels.csv or rows.csv instead, or by nothing (none). A picture: export POOL "
         "map --models A,B.",
     .examples = "embedscope map sample_data/molecules mol2vec_128 desc_all\n"
                 "embedscope map sample_data/molecules desc_all --sample 500 --csv -o map.csv\n"
                 "embedscope map mypool e5 --colour-by label --json\n",
     .most_arguments = 3,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_MAP,
     .run = es_cmd_map},
    {.name = "measure",
     .arguments = "POOL... NAME",
     .summary = "other measures, with a few labels or none",
     .details =
         "Computes measures of embedders (a column each: EvalRank, RetMMD, smoothness, a probe) "
         "and "
         "of pairs of embedders (a matrix: CKA, RSA, shared neighbours), and keeps them in the "
         "store. What they need stands beside the matrices: labels.csv (row,label), pairs.csv "
         "(row,row[,score]), pairs_graded.csv, qrels.csv (query,doc,rel[,freq]); rows count from "
         "0. "
         "NAME.FIELD picks one number of a measure. --set key=value changes its settings, "
         "\"NAME[key=value key=value]\" those of one among several; "
         "--list NAME says which there are. "
         "dataset-distance with --other POOL2 says how far two data sets are apart to the "
         "embedders that both pools hold; of several pools, a folder of pools or --set-rows all, "
         "every two are compared, answers and plain rows, beside how alike they rank. probe with "
         "--sweep NAME sums up what `derive --cmim "
         "--sweep` made: mean z-score and rank over label columns and three classifiers, and the "
         "slope on the size of a batch.",
     .examples = "embedscope measure --list\n"
                 "embedscope measure sample_data/molecules cka,knn-overlap\n"
                 "embedscope measure mypool evalrank --set preprocess=whiten\n"
                 "embedscope measure mypool smoothness,probe,retmmd --csv\n"
                 "embedscope measure mypool evalrank --worst-of e5 --top 5\n"
                 "embedscope measure mypool dataset-distance --other mypool2\n"
                 "embedscope measure mypool mypool2 dataset-distance\n",
     .most_arguments = MANY + 1,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_MEASURE | ES_OPTIONS_DERIVED | ES_OPTIONS_ROWS,
     .run = es_cmd_measure},
    {.name = "agree",
     .arguments = "POOL [NAME]",
     .summary = "do measures agree, and with downstream scores",
     .details =
         "Puts information sufficiency, where it is stored, beside every measure that the pool has "
         "data for (or those named, separated by commas), the dimension, and the columns of "
         "models.csv (model,params): who ranks whom where, Kendall's tau-b of every two, and "
         "the correlation of each with the mean rank over the tasks of scores.csv (or --against "
         "TASK), without controls; differences are over resampled families. --by-task is one table "
         "of all of them against "
         "every task, the mean rank and the mean. Pictures: export POOL agreement, panels, "
         "by-task.",
     .examples = "embedscope agree mypool\n"
                 "embedscope agree mypool evalrank,retmmd,probe --json\n"
                 "embedscope agree mypool evalrank --against mteb_average\n"
                 "embedscope agree mypool evalrank,retmmd.m,probe --by-task --runs 5\n",
     .most_arguments = 2,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_BY_TASK | ES_OPTIONS_SWEEP | ES_OPTIONS_COMMON | ES_OPTIONS_RANK |
               ES_OPTIONS_DERIVED | ES_OPTIONS_AGREE | ES_OPTIONS_FILES | ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .of_vectors = true,
     .run = es_cmd_agree},
    {.name = "rivals",
     .arguments = "POOL [NAME]",
     .summary = "every score without labels against downstream",
     .details =
         "One table of the predictive score, the published one by each stored estimator, every "
         "measure that needs nothing but the vectors (or those named, separated by commas), and "
         "the "
         "columns of models.csv: Spearman and Kendall with the mean rank over the tasks of "
         "scores.csv, without controls, what following each would have cost, and what it took. "
         "Sorted; the dimension, which costs nothing, is the line to beat. Last come labelled "
         "tasks: all the others (leaderboard), one, two and four of them predict a task that is "
         "left out, alone and combined with the ranking. A new measure stands here by itself: one "
         "file and a row (ARCHITECTURE.md).",
     .examples = "embedscope rivals sample_data/molecules\n"
                 "embedscope rivals mypool consensus,persistence --json\n"
                 "embedscope export mypool rivals -o rivals.pdf\n",
     .most_arguments = 2,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED | ES_OPTIONS_FILES |
               ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .of_vectors = true,
     .run = es_cmd_rivals},
    {.name = "series",
     .arguments = "POOL [NAME]",
     .summary = "checkpoints of a training run over their steps",
     .details =
         "Embedders called RUN@STEP (run@1000, run@step-2000, run@5k), or with \"series\" and "
         "\"step\" in pool.json (a model and what was tuned from it are steps 0 and 1), in the "
         "order of their steps: score with interval, what each holds of the step before, of the "
         "first and of the last (information sufficiency), the other way round, downstream where "
         "there are scores, and the measures that are named, separated by commas: a measure of "
         "pairs is taken between neighbours in time. Reports which step has the best score, "
         "whether "
         "the last may be the best, and from which step on no two differ by more than sampling of "
         "rows explains. All steps of a series are one kind in the ranking, so they share one "
         "vote. The explorer watches the folder and takes in checkpoints as they come.",
     .examples = "embedscope series checkpoints\n"
                 "embedscope series checkpoints effective-rank,cka --json\n"
                 "embedscope export checkpoints series -o training.pdf\n",
     .most_arguments = 2,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_RANK | ES_OPTIONS_FILES | ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .of_vectors = true,
     .run = es_cmd_series},
    {.name = "derive",
     .arguments = "POOL SOURCE[,SOURCE]",
     .summary = "a new member of the pool, made from others",
     .details =
         "Whitens, centres, reduces or joins embedders of a pool, or trains one on them. The "
         "result is estimated and measured like others and marked by a ~ before its name; it "
         "neither votes nor ranks unless rank, correlate and the others are asked --with-derived. "
         "It is kept in POOL/.embedscope/derived, left out when its source has changed since, and "
         "removed by --remove NAME; results about it stay in the store, where the same values "
         "made again find them. --cmim trains "
         "on one embedder or on several side by side (\"all\": those that are not derived) and "
         "makes "
         "NAME.mu, the code, NAME.info, the decoder's hidden layer (of infonce, which has no "
         "decoder, the encoder's), and NAME.safetensors, which "
         "`apply` uses on new rows; what was interrupted goes on with the same command. Its "
         "settings (--set KEY=VALUE) stand below.",
     .examples = "embedscope derive mypool e5 --whiten\n"
                 "embedscope derive mypool e5 --abtt 2\n"
                 "embedscope derive mypool e5 --concat gte --name both\n"
                 "embedscope derive mypool e5,gte --cmim 8 --set steps=500 --name fused\n"
                 "embedscope derive mypool e5 --cmim 4 --set steps=500 --name small\n"
                 "embedscope derive mypool --remove both\n",
     .most_arguments = 2,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_DERIVE,
     .unread = (const char *const[]){"estimator", "preset", "folds", "null", "refresh", "csv",
                                     "csv-safe", NULL},
     .run = es_cmd_derive},
    {.name = "apply",
     .arguments = "MODEL.safetensors ROWS.npy",
     .summary = "embed new rows by a trained embedder",
     .details =
         "Rows of what NAME.safetensors of `derive --cmim` was trained on, several embedders "
         "side by side in their order, become rows of NAME.mu, or with --info of NAME.info, in an "
         ".npy file of float32. Of a model with sample=yes, --info draws the code of each row by "
         "the "
         "model's seed and the row's number in the file: the same row elsewhere gets another one.",
     .examples = "embedscope apply mypool/.embedscope/derived/small.safetensors new_rows.npy -o "
                 "codes.npy\n",
     .ending = "",
     .most_arguments = 2,
     .missing = "name a model and rows",
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_APPLY,
     .unread = (const char *const[]){"format", "json", "csv", "csv-safe", NULL},
     .also = ES_OPTIONS_RUN,
     .run = es_cmd_apply},
    {.name = "export",
     .arguments = "POOL ... VIEW",
     .summary = "write a table or a picture for a paper",
     .details =
         "VIEW is ranking, matrix, tree, correlation, compare, rivals, sets, map, by-task, "
         "series, agreement, panels, matrices or sweep: what the commands rank, matrix, tree, "
         "correlate, "
         "compare, rivals, map, series, agree --by-task, agree and rank --sweep print, with their "
         "options, as csv, "
         "json, md, tex (booktabs) or as a picture: svg, pdf, png. Pictures: a ranking with "
         "intervals (--curve: how many "
         "targets it takes), the matrix with dendrograms, the graph of communities (--method ward "
         "and others: a dendrogram), the score against a task (--tasks: heat map of all), two or "
         "three embedders (--models A,B) over all targets, the map of their rows; matrix --measure "
         "cka and correlation --score evalrank are of a measure; agreement (ranks by each score as "
         "lines), panels (each against downstream) and by-task take several: --score "
         "evalrank,retmmd, with --sweep each at every value; matrices --measure cka,knn-overlap "
         "sets "
         "measures of pairs side by side. Of several "
         "pools, a folder of pools or "
         "--set-rows all: sets (data sets and embedders), ranking and correlation (data sets and "
         "tasks). Beside FILE it writes FILE.meta.json: "
         "version, settings, digests, what is hidden or excluded, and the command that makes it "
         "again.",
     .examples =
         "embedscope export sample_data/molecules ranking -o ranking.tex\n"
         "embedscope export sample_data/molecules ranking -o ranking.pdf\n"
         "embedscope export sample_data/molecules matrix -o matrix.svg --width single\n"
         "embedscope export sample_data/molecules tree -o families.pdf --hide 'noise*'\n"
         "embedscope export sample_data/molecules correlation -o scatter.pdf --task bbbp\n"
         "embedscope export sample_data/molecules compare --models mol2vec_128,desc_all -o "
         "two.png\n"
         "embedscope export --matrix sample_data/paper-nlp/matrix.csv matrix -o nlp.pdf --theme "
         "dark\n"
         "embedscope export --matrix sample_data/paper-nlp/matrix.csv matrix -o nlp.png --theme "
         "nord\n"
         "embedscope export mypool mypool2 sets -o sets.pdf\n"
         "embedscope export sample_data/molecules panels --score effective-rank,consensus -o "
         "panels.svg\n"
         "embedscope export sample_data/molecules matrices --measure cka,knn-overlap -o pairs.pdf\n"
         "embedscope export sample_data/molecules map --models mol2vec_128,desc_all -o map.png\n",
     .ending = "",
     .most_arguments = MANY + 1,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_MATRIX | ES_OPTIONS_RANK |
               ES_OPTIONS_DERIVED | ES_OPTIONS_ENOUGH | ES_OPTIONS_TREE | ES_OPTIONS_NAMES |
               ES_OPTIONS_ROWS | ES_OPTIONS_MAP | ES_OPTIONS_SCORE | ES_OPTIONS_BY_TASK |
               ES_OPTIONS_SWEEP | ES_OPTIONS_AGREE | ES_OPTIONS_EXPORT,
     .scores_of_pool = true,
     .of_rankings = true,
     .pictures = true,
     .run = es_cmd_export},
    {.name = "report",
     .arguments = "POOL",
     .summary = "all of it on one page, to be sent",
     .details =
         "Writes one HTML page with what the ranking comes to, the ranking, the matrix, families, "
         "the "
         "agreement with downstream scores where there are any, the first three side by side, what "
         "was left out, the method with its citation, and the commands that make it again. The "
         "page "
         "needs nothing but itself: no scripts, no network; it follows the reader's light or dark "
         "theme and prints. Its numbers are those of the commands, each with all digits in "
         "data-value.",
     .examples = "embedscope report sample_data/molecules -o report.html\n",
     .ending = "html",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .run = es_cmd_report},
    {.name = "info",
     .arguments = "POOL",
     .summary = "print what is in a pool, what is excluded and why",
     .details = "Reads every embedder: shapes, types, constant columns, zero rows, equal contents, "
                "non-finite values; how rows.csv and scores.csv fit; and which results are stored.",
     .examples = "embedscope info sample_data/molecules\n"
                 "embedscope info sample_data/molecules --json\n",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON,
     .run = es_cmd_info},
    {.name = "merge",
     .arguments = "POOL STORE...",
     .summary = "results of other stores into the pool's",
     .details =
         "Takes what `estimate --store FILE` kept, on other machines say, into the pool's store: "
         "pairs, values of measures, values of rows, and where they came from. Any number of "
         "stores, in any order, again and again: what is known already stays. Taken is what "
         "belongs to the pool's files as they are, of this program's versions of estimators; what "
         "does not, what is damaged and values that are others here are told and not taken. A "
         "store that cannot be read is refused whole. Exit code 3: a store was refused, or a value "
         "is another here.",
     .examples = "embedscope merge mypool share1.db\n",
     .most_arguments = 65536,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT,
     .also = ES_OPTIONS_RUN,
     .run = es_cmd_merge},
    {.name = "slurm",
     .arguments = "POOL",
     .summary = "a batch file that estimates a pool on a cluster",
     .details =
         "Prints a file for Slurm's sbatch: an array of tasks, each of which estimates a share of "
         "the "
         "pairs into a store of its own, and a job that merges them; or, with --nodes, one job on "
         "several machines that are joined by MPI. Options of estimate are carried "
         "over; --threads is what a task or a machine gives of processors (4). The pool and this "
         "program must be at the same place on all machines.",
     .examples = "embedscope slurm mypool --array 16 --threads 8 --sbatch=--time=4:00:00\n"
                 "embedscope slurm mypool --nodes 4 --threads 32 -o mypool.sh\n"
                 "embedscope slurm mypool --estimator linear -o mypool.sh\n",
     .ending = "",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_POOL | ES_OPTIONS_ESTIMATOR |
               ES_OPTIONS_RUN | ES_OPTIONS_CLUSTER,
     .run = es_cmd_slurm},
    {.name = "check",
     .arguments = "POOL",
     .summary = "is what is stored right",
     .details =
         "Reads every file again, looks for damage in the store, and estimates stored pairs again: "
         "those of the same program, compiler, linear algebra and processor must come out the same "
         "to the last bit, others within their standard error. Where one does not, all pairs of "
         "its "
         "two embedders are estimated again. Finds what earlier versions stored of files that were "
         "replaced or rewritten unseen. --estimator, --preset and --set choose whose pairs; values "
         "of measures are looked at, not computed again. --repair takes out what is wrong, which "
         "`embedscope estimate` then estimates anew. Exit code 0: all is well, or has been "
         "repaired; 1: something is wrong.",
     .examples = "embedscope check sample_data/molecules\n"
                 "embedscope check sample_data/molecules --pairs 50 --repair\n",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_CHECK,
     .run = es_cmd_check},
    {.name = "demo",
     .arguments = "",
     .summary = "explore the sample pool that came with the program",
     .details =
         "Opens the explorer on 14 embedders of 1,500 molecules and begins to estimate. With "
         "--plain, or without a terminal: estimates, then prints the ranking. Results are kept in "
         "the user's folder; the sample itself is not touched.",
     .examples = "embedscope demo\n"
                 "embedscope demo --plain --estimator linear\n",
     .most_arguments = 0,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED | ES_OPTIONS_EXPLORER,
     .run = es_cmd_demo},
    {.name = "doctor",
     .arguments = "",
     .summary = "print what embedscope finds on this machine",
     .details =
         "Processor, linear algebra and its measured speed, threads, terminal, locale, paths. With "
         "--report as Markdown, with what else somebody needs who is to find out what went wrong. "
         "It holds no number of yours, but the log's last lines name pools and embedders: read it "
         "before you send it.",
     .examples = "embedscope doctor\n"
                 "embedscope doctor --json\n"
                 "embedscope doctor --report -o report.md\n",
     .most_arguments = 0,
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_DOCTOR,
     .also = ES_OPTIONS_COMMON,
     .run = es_cmd_doctor},
    {.name = "names",
     .arguments = "LIST [POOL]",
     .summary = "names of embedders, tasks and the like",
     .details =
         "A name a line, for scripts and the completions of shells: LIST is embedders or tasks "
         "(of the pool), measures, views (of export), themes or looks (of pictures: light, dark, "
         "themes). With `line --` and the words of a command line: what its last word may become, "
         "behind a line that says folders, files or many.",
     .examples = "embedscope names embedders sample_data/molecules\n"
                 "embedscope names tasks sample_data/molecules\n"
                 "embedscope names views\n",
     .most_arguments = SIZE_MAX,
     .groups = ES_OPTIONS_GENERAL,
     .run = es_cmd_names},
    {.name = "help",
     .arguments = "[COMMAND]",
     .summary = "what a command does, and its options",
     .details = "The same as `embedscope COMMAND --help`; without a command, as `embedscope "
                "--help`.",
     .examples = "embedscope help\n"
                 "embedscope help rank\n",
     .most_arguments = 1,
     .groups = ES_OPTIONS_GENERAL,
     .run = es_cmd_help},
    {.name = "version",
     .arguments = "",
     .summary = "print the version",
     .details = "The same as `embedscope --version`.",
     .examples = "embedscope version\n",
     .most_arguments = 0,
     .groups = ES_OPTIONS_GENERAL,
     .run = es_cmd_version},
};

const es_subcommands es_cli_commands = {table, sizeof table / sizeof *table};

void es_command_put_owners(es_option_group group, es_buf *out) {
    for (size_t i = 0; i < es_cli_commands.count; i++) {
        const char *name = es_cli_commands.item[i].name;
        if ((es_cli_commands.item[i].groups & group) != 0)
            es_buf_printf(out, "%s'%s'", out->length ? ", " : "", name[0] ? name : "the explorer");
    }
}
