/* embedscope-pool(5) and embedscope-theme(5). */

#include "pages.h"
#include "roff.h"
#include "role.h"

#include "array.h"

static void put_types(es_buf *out) {
    es_buf text = {0};
    es_buf_puts(&text, "Types of numbers: ");
    for (int i = 0; i < ES_DTYPE_COUNT; i++)
        es_buf_printf(&text, "%s%s", i ? ", " : "", es_dtype_name((es_dtype)i));
    es_buf_puts(&text, ". Columns are standardised before anything is estimated; constant ones are "
                       "dropped and counted.");
    es_roff_text(text.data ? text.data : "", out);
    out->failed |= text.failed;
    es_buf_free(&text);
}

void es_page_pool(const char *date, es_buf *out) {
    static const es_page_entry files[] = {
        {"NAME.npy", "A NumPy array of two dimensions, format 1.0 to 3.0, in either byte order, in "
                     "C or Fortran "
                     "order."},
        {"NAME.safetensors", "Every tensor of two dimensions is an embedder, NAME/TENSOR."},
        {"NAME.npz", "Every array of two dimensions is an embedder: NAME where it is the only one, "
                     "else NAME/ARRAY. Stored ones are used where they lie. An array ids of "
                     "texts or numbers, 1-D or one column, says who the rows are."},
        {"NAME.csv, NAME.tsv",
         "Numbers, with or without a header. The first column may hold ids: texts, or under a "
         "header such as id; under none, or one like index, it is the index that pandas writes. A "
         "first column that counts the rows under any other name is left out, and that is told, as "
         "it is where the numbers stand in another order, which makes them ids. A later column id "
         "(doc_id, ...) of texts, or of numbers that tell all rows apart, is the ids, too; further "
         "columns of ids and indices are left out and told. "
         "Taken where its first rows look like a matrix (at least 3 columns of "
         "numbers, 8 under names that do not count), or where pool.json names the file. Columns "
         "label, target, class, y, split and the like are labels, as in labels.csv. A table with a "
         "column of lists (\"[0.1, ...]\") is read by that column."},
        {"NAME.jsonl, NAME.ndjson", "{\"id\": \"doc-17\", \"embedding\": [0.1, ...]} a line, or an "
                                    "array a line. The id may be "
                                    "called otherwise (Id, uuid, custom_id, index, ...) where it "
                                    "tells all rows apart; that one "
                                    "under another name does is told."},
        {"NAME.vec, NAME.txt",
         "A vector a line: word2vec's and fastText's text, GloVe's, numbers alone as np.savetxt "
         "writes them, with its comments, or what R's write.table writes. The token or the row "
         "name "
         "is the row's id."},
        {"NAME.emb, NAME.emd, NAME.w2v", "The same, or word2vec's binary format."},
        {"NAME.h5, NAME.hdf5, NAME.h5ad",
         "HDF5, where the program was built with its library: every dataset of two dimensions, "
         "NAME/DATASET where there are several; a dataset ids of one dimension says who the rows "
         "are. Where all datasets are vectors of one length they are rows, with their names as "
         "ids. "
         "What MATLAB wrote (NAME.mat from 7.3 on, too) is read in MATLAB's order. Of AnnData X "
         "and "
         "obsm, with the names of the observations."},
        {"NAME.bin", "word2vec's binary format, with tokens as ids."},
        {"NAME.ids.txt, NAME.ids.csv",
         "Optional: who the rows of an embedder are, an id a line, or the column id (else one that "
         "is named like doc_id, else the first); also \"ids\" in the metadata of safetensors, a "
         "JSON array, or a tensor ids of numbers. A first column of whole numbers, an array or a "
         "member under any other name is the ids, too, where other files have the same. See ROWS "
         "WITH IDS."},
        {"pool.json", "Optional description; see below."},
        {"rows.csv",
         "Optional: the rows' ids, then their text; one line a row after the header, which "
         "may call another column the id. A column set makes several data sets of the pool: "
         "--set-rows NAME takes the "
         "rows of one, --set-rows all puts them together."},
        {"scores.csv",
         "Optional downstream scores: a column model, then one column a task. An empty field is a "
         "missing score, as are NA, - and the like. A task whose name ends in (lower), :lower, or "
         "in an arrow down, is an "
         "error "
         "or a cost: lower is better. Fields may be parted by semicolons or tabs, and then have "
         "decimal commas. The column of models may stand anywhere, a table may have a task a "
         "line, or a score a line (columns model, task and score, or any three of which one names "
         "embedders of the pool). Of 0.83 (0.02) or 83 % the number is read. Ranks, means of other "
         "columns, sizes, memory, dimensions, tokens, years and speeds are no tasks, and a note "
         "names them. A table "
         "that cannot be read is left out, with line and column."},
        {"results/MODEL/REVISION/TASK.json",
         "In place of scores.csv: results of MTEB as its versions 1 and 2 write them; --scores "
         "takes such a folder, too. A model is called as its model_meta.json says, else as its "
         "folder, with / for __. The score is the main one of the split test (else dev, "
         "validation), the mean over the subsets and languages that the embedders of the pool "
         "share. Of several revisions the one with "
         "the most tasks counts. Names of the pool that are not the same are proposed by "
         "rank, correlate and the explorer (gn), and joined by --accept-names, --match, or y "
         "there."},
        {"tasks.csv",
         "Optional, beside scores.csv: task, and any of category, size, better (higher or "
         "lower), weight."},
        {"labels.csv", "Optional: row,label; more columns are more tasks. Rows count from 0. Whole "
                       "numbers and words are classes (1 and 1.0 the same), other numbers a "
                       "target. For smoothness, "
                       "probe, logme, gbc, and as queries of retmmd. Fields of this and of the "
                       "files below may be parted by semicolons or tabs, too."},
        {"pairs.csv", "Optional: row,row of what belongs together, and in a third column how alike "
                      "people find it; a column \"set\" parts several sets, which are measured all "
                      "together and one by one. For evalrank, similarity, alignment."},
        {"background.csv", "Optional: row, those that compete in evalrank with --set "
                           "background=list."},
        {"pairs_graded.csv", "Optional: row,row,score, where pairs.csv has no scores."},
        {"qrels.csv", "Optional: query,doc,rel and, in a fourth column, how frequent the query is. "
                      "Above 0 the document answers the query, 0 says that it does not. Queries "
                      "are rows, or have numbers or ids of their own."},
        {"NAME.queries.npy", "Optional: vectors of the queries of qrels.csv where these are no "
                             "rows, a file an embedder; for retrieval."},
        {"NAME.queries.ids.txt", "Optional: an id a line (or .csv with a column \"id\") for these "
                                 "vectors, where qrels.csv names its queries by ids."},
        {"models.csv",
         "Optional: model,params and other numbers of the embedders, which agree puts "
         "beside scores."},
        {".embedscope/results.db", "What was estimated."},
        {".embedscope/derived", "Embedders that derive made."},
        {NULL, NULL}};
    static const es_page_entry keys[] = {
        {"name, modality", "Shown above the views."},
        {"same_rows", "true: row i is the same item in all folders of the pool, also where they "
                      "hold embedders of the same names; nobody is asked."},
        {"lower_is_better", "Tasks of the scores that are errors or costs: [\"rmse\"]."},
        {"models", "A list of embedders; where it is given, no others are used. Each has:"},
        {"name", "What to call it; by default the file without its ending."},
        {"file", "The file, below the pool."},
        {"rows", "In place of file: .npy files of one vector each, \"esm/*.npy\", as rows. Their "
                 "names are the ids. All are read into memory."},
        {"dim", "Columns that the file must have."},
        {"family", "A family, for --aggregate balanced and --leave-family-out."},
        {"series, step",
         "What it is a step of, and its number: checkpoints of a run, a model (0) and "
         "what was tuned from it (1). Names like run@1000 need neither."},
        {"kind",
         "continuous, or binary for targets of 0 and 1, which knife knows; other estimators "
         "take all as continuous and say so. bits: a file of bytes (uint8, int8) holds eight "
         "columns of 0 and 1 in each byte, as np.packbits makes them."},
        {"notes", "Shown in the Pool view."},
        {NULL, NULL}};
    es_roff_begin("embedscope-pool", 5, date, "a folder of embeddings", out);
    es_roff_line(out, ".Sh DESCRIPTION");
    es_roff_text("A pool is a folder that holds one matrix per embedder, up to three folders deep. "
                 "Row i is the same item in all of them. An embedder's name is its path below the "
                 "pool without the ending.",
                 out);
    es_roff_line(out, ".Pp");
    put_types(out);
    es_roff_line(out, ".Sh FILES");
    es_roff_list("Pa", files, out);
    es_roff_line(out, ".Sh POOL.JSON");
    es_roff_list("Cm", keys, out);
    es_roff_line(out, ".Sh ROWS WITH IDS");
    es_roff_text(
        "Where embedders have ids their rows may stand in any order, and are read in one: "
        "that of rows.csv where it names at least half of them, else that which most "
        "embedders have. Rows that all have are used; an id that stands twice is left "
        "out, since which row is meant cannot be known, and who shares fewer than half "
        "of the rows that another one shares is left out whole. embedscope info names "
        "what does not match. An embedder without ids is taken to be in that order, if "
        "it has as many rows. The index of a table, a first column that is called index or not at "
        "all, says which row is which unless it only counts them, as it then does where "
        "another's is in another order. No file is copied. A pair of rows that stood elsewhere is "
        "stored as another pair; where ids change nothing, what is stored stays. Without "
        "ids, two matrices with the same rows in another order are told, unless one is "
        "of the family control; and where the row and the column of an embedder are 0 "
        "within three standard errors, the bottom line says that its rows may be in "
        "another order.",
        out);
    es_roff_line(out, ".Sh SEVERAL DATA SETS");
    es_roff_text("A folder of pools is a folder without embeddings, rows.csv and pool.json of its "
                 "own, of whose subfolders two have rows.csv, pool.json or results, or hold "
                 "embedders of one name over different numbers of rows. estimate, rank, "
                 "correlate, export and the explorer take all of its pools, as they take "
                 "several that are named; scores.csv in the folder itself is that of "
                 "correlate. Folders with embedders of one name over equal numbers of rows are "
                 "one pool, and a note asks whether that is meant.",
                 out);
    es_roff_line(out, ".Sh WHAT IS LEFT OUT");
    es_roff_text(
        "The number of rows that most files have is used; a file has one vote, however many "
        "arrays it holds. Others, and those with a NaN or an infinity, are left out, as are "
        "weights of a network and parts of one matrix (NAME_part1, NAME-00001-of-00003, "
        "NAME_0 where the rows add up to those of others) that pool.json does not name. The "
        "Pool view and embedscope info say which and why, with the line that helps. With --strict "
        "that is an error; --drop-rows drops the "
        "rows with such values instead.",
        out);
    es_roff_line(out, ".Sh EXAMPLES");
    es_roff_literal("import numpy as np\n"
                    "from sentence_transformers import SentenceTransformer\n"
                    "model = SentenceTransformer(\"all-MiniLM-L6-v2\")\n"
                    "np.save(\"pool/all-MiniLM-L6-v2.npy\", model.encode(texts))\n",
                    out);
    es_roff_literal("{\"name\": \"tickets\", \"modality\": \"text\", \"models\": [\n"
                    "  {\"name\": \"e5-small\", \"file\": \"e5-small.npy\", \"family\": \"e5\"},\n"
                    "  {\"name\": \"keywords\", \"file\": \"kw.csv\", \"kind\": \"binary\"}]}\n",
                    out);
    es_roff_line(out, ".Sh SEE ALSO\n.Xr embedscope 1");
}

void es_page_theme(const char *date, es_buf *out) {
    static const es_page_entry keys[] = {
        {"name", "Shown in the list of themes."},
        {"variant", "dark, light or any."},
        {"inherits", "Another theme, whose values hold where this one says nothing."},
        {"borders", "rounded, square, heavy or ascii."},
        {"glyphs", "What plots are drawn with: braille, block or ascii."},
        {"colours", "all, 16 (those that the terminal defines) or none."},
        {NULL, NULL}};
    static const es_page_entry sections[] = {
        {"[palette]", "Names for colours. A child's names win in its parents too."},
        {"[roles]", "role = foreground [on background] [bold] [underline] [reverse]"},
        {"[roles.16]", "The same for terminals of 16 or 8 colours."},
        {"[roles.mono]", "Attributes where there is no colour."},
        {"[colormap heat]", "A sequential map; [colormap asym] is the diverging one."},
        {"stops", "In a map: colours from low to high, at even distances."},
        {"c256", "In a map: numbers of the 256 colours, tuned by hand; otherwise computed."},
        {"ramp", "In a map: characters from low to high, in quotes, where colours are too few."},
        {NULL, NULL}};
    static const char *const roles[] = {
#define X(id, name) name,
        ES_ROLES(X)
#undef X
    };
    es_roff_begin("embedscope-theme", 5, date, "colours of the explorer", out);
    es_roff_line(out, ".Sh DESCRIPTION");
    es_roff_text(
        "A theme is a text file NAME.theme of lines \"key = value\". A # begins a comment "
        "at the start of a line, or after two blanks and before one. Themes are looked "
        "for in the folder of --theme-dir, in ~/.config/embedscope/themes, then among those "
        "of the program, where default-dark.theme is complete: every role and every map. "
        "A wrong line refuses the theme, names the line, and keeps the one before.",
        out);
    es_roff_line(out, ".Pp");
    es_roff_text(
        "A colour is #rrggbb, #rgb, default (the terminal's own), black, red, green, "
        "yellow, blue, magenta, cyan, white, one of these with bright- before it, a number "
        "from 0 to 255, or a name of the palette. What a role does not say comes from the "
        "roles text and background.",
        out);
    es_roff_line(out, ".Sh KEYS BEFORE THE FIRST SECTION");
    es_roff_list("Cm", keys, out);
    es_roff_line(out, ".Sh SECTIONS");
    es_roff_list("Cm", sections, out);
    es_roff_line(out, ".Sh ROLES\n.Bl -column \"header.tab.active__\" \"header.tab.active__\" "
                      "\"header.tab.active__\"");
    const size_t count = sizeof roles / sizeof *roles;
    for (size_t i = 0; i < count; i += 3)
        es_roff_line(out, ".It %s Ta %s Ta %s", roles[i], i + 1 < count ? roles[i + 1] : "\\&",
                     i + 2 < count ? roles[i + 2] : "\\&");
    es_roff_line(out, ".El\n.Sh EXAMPLES");
    es_roff_literal("name     = Mine\n"
                    "inherits = default-dark\n"
                    "[palette]\n"
                    "accent = #ffb454\n"
                    "[roles]\n"
                    "border.focus = accent bold\n",
                    out);
    es_roff_line(out, ".Sh SEE ALSO\n.Xr embedscope 1");
}
