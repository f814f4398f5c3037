/* A theme while its files are read: what was said and where, before names become colours. Resolving
 * comes last, so that a child's palette also changes what its parents said. */
#ifndef ES_APP_THEME_PARSE_H
#define ES_APP_THEME_PARSE_H

#include "embedscope/status.h"
#include "theme.h"

enum { ES_DRAFT_FILES = 6, ES_DRAFT_PALETTE = 96, ES_DRAFT_VALUE = 96 };

typedef struct es_draft_value {
    char text[ES_DRAFT_VALUE]; /* "" when nothing was said */
    uint8_t file;              /* index into labels */
    int line;
} es_draft_value;

typedef struct es_theme_draft {
    es_theme theme; /* all but styles */
    es_draft_value roles[ES_STYLES_COUNT][ES_ROLE_COUNT];
    struct {
        char name[32];
        es_draft_value value;
    } palette[ES_DRAFT_PALETTE];
    size_t n_palette;
    char labels[ES_DRAFT_FILES][ES_THEME_PATH]; /* the files, parents first */
    size_t n_files;
    es_error warning;
} es_theme_draft;

/** Only looks for the line `inherits = name`; "" when there is none. */
es_status es_draft_inherits(const char *text, size_t length, const char *label, char name[64],
                            int *line, es_error *err);
/** Add a whole file (all but inherits) as the last one of draft->labels. */
es_status es_draft_read(es_theme_draft *draft, const char *text, size_t length, es_error *err);
/** Turn everything into styles. */
es_status es_draft_resolve(es_theme_draft *draft, es_error *err);

#endif
