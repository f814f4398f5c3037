/* Every command with what its --help says and the groups of options that it takes. Help, manual
 * page, completions and dispatch are made from it. */
#include "cmd.h"

#include <pthread.h>
#include <stdio.h>

#include "analysis_rows.h"

/* Pools that are looked at together. */
enum { MANY = 64 };

#define POOL_MISSING "which pool? Name a folder of embeddings"
#define POOL_OR_MATRIX_MISSING                                                                     \
    "which pool? Name a folder of embeddings, or a matrix with --matrix FILE.csv"

static const es_subcommand table[] = {
    {.name = "",
     .arguments = "[PATH...]",
     .summary = "Choose between embedding models without labels.",
     .details = "Bring a pool: a folder with one matrix per embedder, over the same rows. Without "
                "a command, the explorer opens the pool in PATH (default: the current folder). "
                "Several pools, or a folder of pools, open as data sets side by side. In a script "
                "or a pipe, the stored ranking is printed instead. New here? Try: embedscope demo",
     .examples = "embedscope --start mypool\n"
                 "embedscope rank mypool\n"
                 "embedscope report mypool -o report.html\n",
     .most_arguments = MANY,
     .scores_of_pool = true,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_EXPLORER,
     .run = es_cmd_explore},
    {.name = "estimate",
     .arguments = "POOL...",
     .summary = "estimate the missing pairs of a pool",
     .details =
         "Estimates how much of every embedder can be predicted from every other one. Each pair is "
         "stored as soon as it is finished, so an interrupted run continues. Without --estimator, "
         "runs linear shrunk (the ranking), linear, then knife. A pool of more than 20,000 rows is "
         "sampled: the sample doubles until the ranking has settled (--rows, --budget). Processes "
         "on one machine share the work. Several machines use --shard and `embedscope merge`, or "
         "mpirun with the package embedscope-mpi.",
     .examples =
         "embedscope estimate sample_data/molecules\n"
         "embedscope estimate sample_data/molecules --estimator linear --json -o matrix.json\n"
         "embedscope estimate mypool mypool2 --estimator linear\n"
         "embedscope estimate mypool --estimator knife --set epochs=2 --sweep modes=1,2,4\n"
         "embedscope estimate mypool --estimator linear --shard 1/2 --store share1.db\n"
         "embedscope estimate mypool --rows all --memory 8G --dry-run --nodes 16\n",
     .most_arguments = MANY,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_DERIVED | ES_OPTIONS_SWEEP | ES_OPTIONS_BUDGET,
     .run = es_cmd_estimate},
    {.name = "rank",
     .arguments = "POOL...",
     .aliases = (const char *const[]){"ranking", NULL},
     .summary = "print the ranking, the candidates and what to try",
     .details =
         "Ranks the embedders by the predictive score: how much more of the reference embedders "
         "one predicts than the others do. Below the table: the first, the candidates for the "
         "best, what to try, and what would narrow the choice. --explain A [B] shows where A's "
         "lead over B comes from. --score published ranks by the median of information "
         "sufficiency; --unit nats or entropy counts it otherwise. Missing pairs are left out and "
         "never count as 0. Several pools, or "
         "--set-rows all, are ranked together; embedders are matched by name.",
     .examples = "embedscope rank sample_data/molecules\n"
                 "embedscope rank sample_data/molecules --score published --json\n"
                 "embedscope rank sample_data/molecules --unit nats\n"
                 "embedscope rank sample_data/molecules --explain mol2vec_128 maccs_167\n"
                 "embedscope rank sample_data/molecules --tasks esol,hiv\n"
                 "embedscope rank sample_data/molecules --coverage 0.5\n"
                 "embedscope rank --matrix sample_data/paper-nlp/matrix.csv --curve\n"
                 "embedscope rank mypool mypool2 --within rank\n"
                 "embedscope rank mypool --score consensus --sweep components=8,32\n",
     .most_arguments = MANY,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_ENOUGH | ES_OPTIONS_AGREE | ES_OPTIONS_SCORE | ES_OPTIONS_LABEL |
               ES_OPTIONS_SWEEP | ES_OPTIONS_NAMES,
     .is_kept = true,
     .of_originals = true,
     .scores_of_pool = true,
     .run = es_cmd_rank},
    {.name = "compare",
     .arguments = "POOL A B [C]",
     .summary = "compare two or three embedders and give a verdict",
     .details = "Tells whether one embedder contains the other. A contains B if A predicts at "
                "least half of what can be known of B, and clearly more than B predicts of A. Also "
                "shows scores, the targets where they differ most, downstream scores, and the rows "
                "that only one of them captures. CSV, md and tex hold the targets.",
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
    {.name = "matrix",
     .arguments = "POOL",
     .aliases = (const char *const[]){"heatmap", NULL},
     .summary = "print the matrix of information sufficiency",
     .details = "Rows are sources, columns are targets. A cell is the number of nats per dimension "
                "of the target that the source predicts. Unknown pairs are empty (null in JSON). "
                "pandas reads the CSV with read_csv(FILE, index_col=0). --long writes one pair a "
                "line; --format npz writes the arrays is, se and names. --csv-safe protects "
                "spreadsheets: names that begin with = + - @ get a ' in front.",
     .examples = "embedscope matrix sample_data/molecules --order rank\n"
                 "embedscope matrix sample_data/molecules --csv -o matrix.csv\n"
                 "embedscope matrix sample_data/molecules --value asymmetry --format md\n"
                 "embedscope matrix sample_data/molecules --long -o pairs.jsonl\n"
                 "embedscope matrix sample_data/molecules -o matrix.npz\n",
     .most_arguments = 1,
     .missing = POOL_OR_MATRIX_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_MATRIX | ES_OPTIONS_SWEEP,
     .run = es_cmd_matrix},
    {.name = "tree",
     .arguments = "POOL",
     .summary = "find communities of embedders, or a dendrogram",
     .details = "Finds communities in the graph of pairs (Louvain, best of 20 seeded starts) and "
                "reports how often 200 further runs find them again. With --method ward, average, "
                "single, complete or median: a dendrogram of the rows or columns of the matrix, "
                "numbered as in SciPy. Edges have nearly equal weights, so communities are weak: "
                "read them with their stability.",
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
     .aliases = (const char *const[]){"correlation", "corr", NULL},
     .summary = "compare the ranking with downstream scores",
     .details =
         "Reports how well the score predicts each task of scores.csv: Pearson, Spearman and "
         "Kendall's tau-b with intervals. Embedders are joined by name; near names are proposed. A "
         "missing score removes an embedder from that task only; controls are left out. "
         "--by-category sums tasks up by the categories of tasks.csv. Related "
         "embedders rank alike, so n_eff counts the independent ones. --score takes any measure in "
         "place of the ranking. With several pools: which data set predicts which task.",
     .examples = "embedscope correlate sample_data/molecules\n"
                 "embedscope correlate mypool --by-category\n"
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
    {.name = "leaderboard",
     .arguments = "FILE|POOL [A B]",
     .summary = "report which ranks of a table of scores are real",
     .details =
         "Takes a table of scores (model, then one column a task), a folder of MTEB results, or a "
         "pool with scores. Tasks are the sample: two models are compared on the tasks that both "
         "have. Errors are those of task categories if five are known, else of tasks. Reports the "
         "candidates for the best, an interval for each rank, groups, and how many adjacent ranks "
         "are separated. A pool with stored results shows its ranking beside. With models A and B: "
         "their differences over the tasks that both have. --by-task: how each task ranks the "
         "models, against the mean of the others or --against TASK. --method average: a tree of "
         "the tasks by 1 - Spearman. --format html writes a part for a web page. Without the "
         "command, a table opens in the explorer.",
     .examples = "embedscope leaderboard sample_data/molecules/scores.csv\n"
                 "embedscope leaderboard sample_data/paper-nlp/scores.csv --json\n"
                 "embedscope leaderboard mypool -o board.html\n"
                 "embedscope leaderboard mypool e5 gte\n"
                 "embedscope leaderboard sample_data/molecules/scores.csv --by-task\n"
                 "embedscope leaderboard sample_data/molecules/scores.csv --method average\n"
                 "embedscope export mypool/scores.csv leaderboard -o board.pdf\n",
     .most_arguments = 3,
     .missing = "which table? Name a file of scores, a folder of MTEB's results, or a pool",
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_NAMES | ES_OPTIONS_BY_TASK |
               ES_OPTIONS_AGREE | ES_OPTIONS_TREE,
     .unread = (const char *const[]){"matrix", "blocks", "runs", "kind", "resolution", "weights",
                                     "threshold", "of", "diagonal", NULL},
     .fragments = true,
     .of_originals = true,
     .scores_of_pool = true,
     .run = es_cmd_leaderboard},
    {.name = "frontier",
     .arguments = "POOL [A,B,...]",
     .summary = "report how small an embedder may be",
     .details =
         "Compresses every embedder, or the named ones, and reports what each compression keeps: "
         "float16, int8, int4, binary, the first K columns (Matryoshka) and K principal "
         "components. "
         "kept: how much of the embedder a ridge regression predicts from the compression on "
         "held-out rows, as a share, with a 95 % interval; neighbours: the share of the 10 nearest "
         "rows that stay; probe: accuracy on labels.csv. Compressions on the front are beaten by "
         "none that is as small. `derive` makes an embedder of a compression.",
     .examples = "embedscope frontier sample_data/molecules\n"
                 "embedscope frontier mypool e5,gte --bytes 256\n"
                 "embedscope frontier mypool --against price --json\n"
                 "embedscope export mypool frontier -o frontier.pdf\n",
     .most_arguments = 2,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FRONTIER,
     .of_vectors = true,
     .unread = (const char *const[]){"estimator", "preset", "set", "folds", "null", NULL},
     .run = es_cmd_frontier},
    {.name = "duel",
     .arguments = "POOL",
     .summary = "let your answers decide between candidates",
     .details =
         "A question is a row and two others, each the nearest neighbour of the row by one of two "
         "candidates that disagree. --questions N writes the next N as row, left, right and an "
         "empty answer, numbered from 0. Fill in left, right or = and read the file with "
         "--answers. "
         "Without either, the answers of the pool's duels.csv are counted, where D in the explorer "
         "puts them. Reports the share that each candidate has won, with an interval that is valid "
         "whenever you stop. Several files, or a column annotator, are compared. Candidates are "
         "those of the ranking, or the embedders of --models.",
     .examples = "embedscope duel mypool --models e5,gte --questions 20 --csv -o questions.csv\n"
                 "embedscope duel mypool --models e5,gte --answers questions.csv\n"
                 "embedscope duel mypool --models e5,gte --json\n",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_DUEL,
     .of_originals = true,
     .of_vectors = true,
     .run = es_cmd_duel},
    {.name = "report",
     .arguments = "POOL",
     .summary = "write one HTML page to share",
     .details = "Writes one self-contained page: the answer, the ranking, the matrix, communities, "
                "agreement with downstream scores, the first three embedders side by side, "
                "exclusions, the method with its citation, and the commands that make it again. No "
                "scripts, no network; it follows the reader's light or dark theme and prints. Each "
                "number carries all its digits in data-value.",
     .examples = "embedscope report sample_data/molecules -o report.html\n",
     .ending = "html",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_FILES | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED |
               ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .run = es_cmd_report},
    {.name = "rows",
     .arguments = "POOL A B",
     .heading = ES_COMMANDS_LOOK,
     .summary = "list the rows of B that A predicts worst and best",
     .details =
         "Sorts the evaluated rows of the pair A -> B by their pointwise information, with ids and "
         "texts from rows.csv. Row numbers count from 0. --by pmi lists the rows on which two "
         "embedders agree least and most: a critic (`measure infonce`) learns from 60 % of the "
         "rows which row of A belongs to which row of B, and scores the others.",
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
     .heading = ES_COMMANDS_LOOK,
     .summary = "draw the rows of one or two embedders on a plane",
     .details = "Prints the first two principal components of an embedder's rows, with ids, texts "
                "and groups. With two embedders, rows are grouped by which embedder captures them. "
                "--colour-by takes a column of labels.csv or rows.csv, or none; --where one value "
                "of a column. For a picture: "
                "embedscope export POOL map --models A,B.",
     .examples = "embedscope map sample_data/molecules mol2vec_128 desc_all\n"
                 "embedscope map sample_data/molecules desc_all --sample 500 --csv -o map.csv\n"
                 "embedscope map mypool e5 --colour-by label --json\n",
     .most_arguments = 3,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_MAP,
     .run = es_cmd_map},
    {.name = "measure",
     .arguments = "POOL... NAME",
     .heading = ES_COMMANDS_LOOK,
     .summary = "compute other measures, with labels or without",
     .details =
         "Computes measures of embedders (EvalRank, RetMMD, smoothness, a probe, ...) or of pairs "
         "(CKA, RSA, shared neighbours, ...) and stores them. `measure --list` lists all; "
         "labels.csv, pairs.csv and qrels.csv in the pool hold the labels. NAME.FIELD picks one "
         "number of a measure. --null shows a measure of pairs beyond what shuffled rows give. "
         "--set "
         "key=value changes settings; \"NAME[key=value]\" those of one "
         "among several. dataset-distance compares two pools (--other), or every two of several.",
     .examples = "embedscope measure --list\n"
                 "embedscope measure sample_data/molecules cka,knn-overlap\n"
                 "embedscope measure mypool cka,knn-overlap --null --set draws=39\n"
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
     .heading = ES_COMMANDS_LOOK,
     .summary = "compare measures with each other and with downstream",
     .details =
         "Ranks the embedders by every measure that has data (or those named, separated by "
         "commas), by the dimension and by the columns of models.csv. Reports Kendall's tau-b of "
         "every two rankings, and the correlation of each with the mean rank over the tasks of "
         "scores.csv (or --against TASK). Controls are left out. --by-task sets every score "
         "against every task. Figures: export POOL agreement, panels, by-task.",
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
     .heading = ES_COMMANDS_LOOK,
     .summary = "compare all label-free scores with downstream",
     .details = "One table of every score that needs no labels: Spearman and Kendall with the mean "
                "rank over tasks, what following each would have cost, and its run time. The "
                "dimension costs nothing: it is the line to beat. The last rows show labelled "
                "tasks: how well one, two, four or all others predict a task that is left out.",
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
     .heading = ES_COMMANDS_LOOK,
     .summary = "follow the checkpoints of a training run",
     .details =
         "Takes embedders named RUN@STEP (run@1000, run@5k), or with \"series\" and \"step\" in "
         "pool.json, in the order of their steps. Reports the score of each, how much each keeps "
         "of the step before, of the first and of the last, downstream scores, and the measures "
         "named. Says which step is best, whether the last may be the best, and since when nothing "
         "has changed beyond sampling noise. All steps of a run share one vote.",
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
    {.name = "tuned",
     .arguments = "POOL",
     .heading = ES_COMMANDS_LOOK,
     .summary = "report whether tuning raises the score, over several models",
     .details =
         "Takes pairs of embedders named NAME and NAME-tuned (also -finetuned, -ft), or as the "
         "columns model and base of models.csv say, and reports score, rank and downstream scores "
         "of both. Models are the sample: the exact sign test "
         "counts how many rose. Six models at least are needed for p below .05.",
     .examples = "embedscope tuned checkpoints\n"
                 "embedscope tuned checkpoints --json\n"
                 "embedscope export checkpoints tuned -o slopes.pdf\n",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_RANK | ES_OPTIONS_FILES | ES_OPTIONS_NAMES,
     .of_originals = true,
     .scores_of_pool = true,
     .of_vectors = true,
     .run = es_cmd_tuned},
    {.name = "export",
     .arguments = "POOL ... VIEW",
     .heading = ES_COMMANDS_MAKE,
     .summary = "write a table or a figure for a paper",
     .details = "VIEW is ranking, matrix, tree, correlation, compare, rivals, leaderboard, map, "
                "series, agreement, by-task, panels, matrices, frontier, categories, sizes, tuned, "
                "sweep, or for several "
                "pools sets or "
                "distance. Tables: csv, json, md, tex. Figures: svg, pdf, png. The options are "
                "those of the command of that view. FILE.meta.json, written beside FILE, records "
                "version, settings, digests, exclusions and the command that makes FILE again.",
     .examples = "embedscope export sample_data/molecules ranking -o ranking.tex\n"
                 "embedscope export sample_data/molecules matrix -o matrix.svg --width single\n"
                 "embedscope export sample_data/molecules tree -o families.pdf --hide 'noise*'\n"
                 "embedscope export sample_data/molecules correlation -o scatter.pdf --task bbbp\n"
                 "embedscope export sample_data/molecules compare --models mol2vec_128,desc_all -o "
                 "two.png\n"
                 "embedscope export --matrix sample_data/paper-nlp/matrix.csv matrix -o nlp.pdf "
                 "--theme dark\n"
                 "embedscope export mypool mypool2 sets -o sets.pdf\n"
                 "embedscope export sample_data/molecules panels --score effective-rank,consensus "
                 "-o panels.svg\n",
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
    {.name = "derive",
     .arguments = "POOL SOURCE[,SOURCE]",
     .heading = ES_COMMANDS_MAKE,
     .summary = "make a new embedder from others of the pool",
     .details = "Whitens, centres, reduces or joins embedders of the pool, or trains one on them "
                "(--cmim). The result is estimated and measured like others, marked ~, and "
                "excluded from the ranking unless --with-derived is given. It is kept in "
                "POOL/.embedscope/derived; --remove NAME removes it. --cmim trains without labels "
                "on one or several embedders and makes NAME.mu (the code), NAME.info (the hidden "
                "layer) and NAME.safetensors, which `apply` uses on new rows. The same command "
                "continues an interrupted training. Settings of --cmim: embedscope help training.",
     .examples = "embedscope derive mypool e5 --whiten\n"
                 "embedscope derive mypool e5 --abtt 2\n"
                 "embedscope derive mypool e5 --first 8 --int8 --name small8\n"
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
     .heading = ES_COMMANDS_MAKE,
     .summary = "embed new rows with a trained embedder",
     .details =
         "Computes NAME, NAME.mu, or NAME.info with --info, for new rows, from the file "
         "NAME.safetensors that `derive` made of a compression or by --cmim. ROWS.npy holds the "
         "columns of the embedders that it was "
         "trained on, side by side in their order. OUT.npy is float32. If the model was trained "
         "with sample=yes, --info draws the code of each row by seed and row number.",
     .examples = "embedscope apply mypool/.embedscope/derived/small.safetensors new_rows.npy -o "
                 "codes.npy\n",
     .ending = "",
     .most_arguments = 2,
     .missing = "name a model and rows",
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_APPLY,
     .unread = (const char *const[]){"format", "json", "csv", "csv-safe", NULL},
     .also = ES_OPTIONS_RUN,
     .run = es_cmd_apply},
    {.name = "info",
     .arguments = "POOL [columns [COLUMN]]",
     .heading = ES_COMMANDS_POOL,
     .summary = "describe a pool: files, shapes, exclusions, results",
     .details =
         "Reads every embedder and reports shapes, types, constant columns, zero rows, "
         "equal contents and non-finite values; whether rows.csv and scores.csv match; "
         "which files are not used and why; and which results are stored. columns describes the "
         "columns of rows.csv and labels.csv, COLUMN its values.",
     .examples = "embedscope info sample_data/molecules\n"
                 "embedscope info sample_data/molecules --json\n"
                 "embedscope info sample_data/molecules columns\n",
     .most_arguments = 3,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON,
     .run = es_cmd_info},
    {.name = "check",
     .arguments = "POOL",
     .heading = ES_COMMANDS_POOL,
     .summary = "verify files and stored results",
     .details =
         "Reads every file again, looks for damage in the store, and estimates a sample of stored "
         "pairs again. Pairs of the same program, libraries and processor must match to the last "
         "bit, others within their standard error. If a pair does not match, all pairs of its two "
         "embedders are estimated again. --repair removes wrong results, and `embedscope estimate` "
         "makes them anew. Exit code 1: something is wrong.",
     .examples = "embedscope check sample_data/molecules\n"
                 "embedscope check sample_data/molecules --pairs 50 --repair\n",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_CHECK,
     .run = es_cmd_check},
    {.name = "merge",
     .arguments = "POOL STORE...",
     .heading = ES_COMMANDS_POOL,
     .summary = "merge results of other stores into the pool",
     .details =
         "Adds the results that `estimate --store FILE` kept, on other machines for example. "
         "Stores may be merged in any order and more than once. Results of other file contents or "
         "other estimator versions, damaged ones, and values that differ from known ones are "
         "reported and skipped. Exit code 3: a store was refused, or a value differs.",
     .examples = "embedscope merge mypool share1.db\n",
     .most_arguments = 65536,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT,
     .also = ES_OPTIONS_RUN,
     .run = es_cmd_merge},
    {.name = "slurm",
     .arguments = "POOL",
     .heading = ES_COMMANDS_POOL,
     .summary = "print a batch file that estimates a pool on a cluster",
     .details =
         "Prints a file for sbatch: an array of tasks that estimate a share of the pairs each, and "
         "a job that merges them. With --nodes: one job on several machines, joined by MPI. "
         "Options of estimate are passed on; --threads is the number of processors of a task or "
         "machine (4). The pool and this program must have the same path on all machines.",
     .examples = "embedscope slurm mypool --array 16 --threads 8 --sbatch=--time=4:00:00\n"
                 "embedscope slurm mypool --nodes 4 --threads 32 -o mypool.sh\n"
                 "embedscope slurm mypool --estimator linear -o mypool.sh\n",
     .ending = "",
     .most_arguments = 1,
     .missing = POOL_MISSING,
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_POOL | ES_OPTIONS_ESTIMATOR |
               ES_OPTIONS_RUN | ES_OPTIONS_CLUSTER,
     .run = es_cmd_slurm},
    {.name = "demo",
     .arguments = "",
     .heading = ES_COMMANDS_PROGRAM,
     .summary = "explore the sample pool",
     .details = "Opens the explorer on the sample pool, 14 embedders of 1,500 molecules, and "
                "starts to estimate. With --plain, or without a terminal: estimates, then prints "
                "the ranking. Results are kept in your data folder; the sample is not changed.",
     .examples = "embedscope demo\n"
                 "embedscope demo --plain --estimator linear\n",
     .most_arguments = 0,
     .groups = ES_OPTIONS_COMMON | ES_OPTIONS_RANK | ES_OPTIONS_DERIVED | ES_OPTIONS_EXPLORER,
     .run = es_cmd_demo},
    {.name = "doctor",
     .arguments = "",
     .heading = ES_COMMANDS_PROGRAM,
     .summary = "describe this machine and check the setup",
     .details =
         "Reports the processor, linear algebra and its measured speed, threads, terminal, locale "
         "and paths. --report writes Markdown for a bug report, with versions, the environment and "
         "the end of the log. The log names pools and embedders: read it before you send it.",
     .examples = "embedscope doctor\n"
                 "embedscope doctor --json\n"
                 "embedscope doctor --report -o report.md\n",
     .most_arguments = 0,
     .groups = ES_OPTIONS_GENERAL | ES_OPTIONS_OUTPUT | ES_OPTIONS_DOCTOR,
     .also = ES_OPTIONS_COMMON,
     .run = es_cmd_doctor},
    {.name = "names",
     .arguments = "LIST [POOL]",
     .heading = ES_COMMANDS_PROGRAM,
     .summary = "list names of embedders, tasks and the like",
     .details = "Prints one name a line, for scripts and shell completions. LIST is embedders or "
                "tasks (of the pool), measures, views (of export), themes or looks (of figures). "
                "`line --` and the words of a command line: what the last word may become.",
     .examples = "embedscope names embedders sample_data/molecules\n"
                 "embedscope names tasks sample_data/molecules\n"
                 "embedscope names views\n",
     .most_arguments = SIZE_MAX,
     .groups = ES_OPTIONS_GENERAL,
     .run = es_cmd_names},
    {.name = "help",
     .arguments = "[COMMAND|TOPIC]",
     .heading = ES_COMMANDS_PROGRAM,
     .summary = "describe a command or a topic",
     .details = "`embedscope help COMMAND` is the same as `embedscope COMMAND --help`. Topics: "
                "estimators, explorer, formats, options, training. `embedscope --help=all` prints "
                "everything.",
     .examples = "embedscope help\n"
                 "embedscope help rank\n"
                 "embedscope help estimators\n",
     .most_arguments = 1,
     .groups = ES_OPTIONS_GENERAL,
     .run = es_cmd_help},
    {.name = "version",
     .arguments = "",
     .heading = ES_COMMANDS_PROGRAM,
     .summary = "print the version",
     .details = "The same as `embedscope --version`.",
     .examples = "embedscope version\n",
     .most_arguments = 0,
     .groups = ES_OPTIONS_GENERAL,
     .run = es_cmd_version},
};

/* ---- the commands of analyses that make their own sheet ---- */

#define ONE(name) +1 /* NOLINT(bugprone-macro-parentheses): terms of a sum */
enum { TABLE = sizeof table / sizeof *table, OWN_MOST = 1 ES_ANALYSES(ONE) };

static es_subcommand every[TABLE + OWN_MOST];
static char own_example[OWN_MOST][120];
static es_subcommands commands = {every, 0};
static pthread_once_t made = PTHREAD_ONCE_INIT;

static es_subcommand command_of(const es_analysis *a, char *example, size_t capacity) {
    (void)snprintf(example, capacity, "embedscope %s mypool\nembedscope %s mypool --json\n", a->id,
                   a->id);
    return (es_subcommand){.name = a->id,
                           .arguments = "POOL",
                           .heading = ES_COMMANDS_LOOK,
                           .summary = a->says,
                           .details = a->details,
                           .examples = example,
                           .most_arguments = 1,
                           .missing = POOL_MISSING,
                           .groups = ES_OPTIONS_COMMON | ES_OPTIONS_RANK | ES_OPTIONS_FILES |
                                     ES_OPTIONS_NAMES,
                           .of_originals = true,
                           .scores_of_pool = true,
                           .of_vectors = (a->needs & ES_ANALYSIS_NEEDS_VECTORS) != 0,
                           .run = es_cmd_analysis};
}

/* Behind the other commands that look at a pool, so that a heading's commands are together. */
static void make_commands(void) {
    size_t own = 0, looks = 0;
    while (looks < TABLE && table[looks].heading <= ES_COMMANDS_LOOK)
        every[commands.count++] = table[looks++];
    for (size_t i = 0; i < es_analysis_count && own < OWN_MOST; i++)
        if (es_analyses[i]->make) {
            every[commands.count++] =
                command_of(es_analyses[i], own_example[own], sizeof own_example[own]);
            own++;
        }
    while (looks < TABLE)
        every[commands.count++] = table[looks++];
}

const es_subcommands *es_cli_commands(void) {
    (void)pthread_once(&made, make_commands);
    return &commands;
}

void es_command_put_owners(es_option_group group, es_buf *out) {
    for (size_t i = 0; i < es_cli_commands()->count; i++) {
        const char *name = es_cli_commands()->item[i].name;
        if ((es_cli_commands()->item[i].groups & group) != 0)
            es_buf_printf(out, "%s'%s'", out->length ? ", " : "", name[0] ? name : "the explorer");
    }
}
