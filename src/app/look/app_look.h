/* Roles of what is drawn, and the themes that give them colours. */
#ifndef ES_APP_LOOK_H
#define ES_APP_LOOK_H

#include "base.h"

/* Roles: what a cell means. Themes map roles to colours; views never name a colour. One table makes
 * the enum, the names in theme files and the template of a complete theme. */

/* X(ENUM, "name in a theme") */
#define ES_ROLES(X)                                                                                \
    X(BACKGROUND, "background")                                                                    \
    X(TEXT, "text")                                                                                \
    X(TEXT_DIM, "text.dim")                                                                        \
    X(TEXT_STRONG, "text.strong")                                                                  \
    X(LINK, "link")                                                                                \
    X(ERROR, "error")                                                                              \
    X(WARNING, "warning")                                                                          \
    X(SUCCESS, "success")                                                                          \
    X(INFO, "info")                                                                                \
    X(HEADER, "header")                                                                            \
    X(HEADER_TAB, "header.tab")                                                                    \
    X(HEADER_TAB_ACTIVE, "header.tab.active")                                                      \
    X(FOOTER, "footer")                                                                            \
    X(KEY, "key")                                                                                  \
    X(KEY_LABEL, "key.label")                                                                      \
    X(BORDER, "border")                                                                            \
    X(BORDER_FOCUS, "border.focus")                                                                \
    X(TITLE, "title")                                                                              \
    X(TITLE_FOCUS, "title.focus")                                                                  \
    X(SCROLLBAR, "scrollbar")                                                                      \
    X(OVERLAY, "overlay")                                                                          \
    X(OVERLAY_SHADOW, "overlay.shadow")                                                            \
    X(SELECTION, "selection")                                                                      \
    X(SELECTION_BLUR, "selection.blur")                                                            \
    X(CURSOR, "cursor")                                                                            \
    X(MARK, "mark")                                                                                \
    X(MATCH, "match")                                                                              \
    X(MATCH_CURRENT, "match.current")                                                              \
    X(COLUMN_HEADER, "column.header")                                                              \
    X(COLUMN_SORTED, "column.sorted")                                                              \
    X(ROW_ALT, "row.alt")                                                                          \
    X(ROW_HELD, "row.held")                                                                        \
    X(PROGRESS_FULL, "progress.full")                                                              \
    X(PROGRESS_EMPTY, "progress.empty")                                                            \
    X(SPARK, "spark")                                                                              \
    X(STATE_READY, "state.ready")                                                                  \
    X(STATE_RUNNING, "state.running")                                                              \
    X(STATE_QUEUED, "state.queued")                                                                \
    X(STATE_DONE, "state.done")                                                                    \
    X(STATE_FAILED, "state.failed")                                                                \
    X(STATE_STALE, "state.stale")                                                                  \
    X(STATE_PAUSED, "state.paused")                                                                \
    X(CELL_PENDING, "cell.pending")                                                                \
    X(CELL_FAILED, "cell.failed")                                                                  \
    X(CELL_SELF, "cell.self")                                                                      \
    X(CELL_FLASH, "cell.flash")                                                                    \
    X(CROSSHAIR, "crosshair")                                                                      \
    X(GRID, "grid")                                                                                \
    X(AXIS, "axis")                                                                                \
    X(TICK, "tick")                                                                                \
    X(POINT, "point")                                                                              \
    X(POINT_CURSOR, "point.cursor")                                                                \
    X(POINT_MARK, "point.mark")                                                                    \
    X(FIT, "fit")                                                                                  \
    X(BAND, "band")                                                                                \
    X(INTERVAL, "interval")                                                                        \
    X(DELTA_UP, "delta.up")                                                                        \
    X(DELTA_DOWN, "delta.down")                                                                    \
    X(TIE, "tie")                                                                                  \
    X(COMMUNITY_1, "community.1")                                                                  \
    X(COMMUNITY_2, "community.2")                                                                  \
    X(COMMUNITY_3, "community.3")                                                                  \
    X(COMMUNITY_4, "community.4")                                                                  \
    X(COMMUNITY_5, "community.5")                                                                  \
    X(COMMUNITY_6, "community.6")                                                                  \
    X(COMMUNITY_7, "community.7")                                                                  \
    X(COMMUNITY_8, "community.8")                                                                  \
    X(PROMPT, "prompt")                                                                            \
    X(PROMPT_HINT, "prompt.hint")                                                                  \
    X(TOAST, "toast")                                                                              \
    X(BEST, "best")

typedef enum es_role {
#define X(id, name) ES_ROLE_##id,
    ES_ROLES(X)
#undef X
        ES_ROLE_COUNT
} es_role;

const char *es_role_name(es_role role);
/** ES_ROLE_COUNT when there is no role of that name. */
es_role es_role_find(const char *name);

/* Themes: what the roles look like. A theme is a small text file (themes/default-dark.theme is a
 * complete one):
 *
 *     name = Nord                  # before the first section: name, variant, inherits,
 *     inherits = default-dark      # borders, glyphs, colours (all, 16, none)
 *     [palette]                    # names for colours; a child's names win in its parents too
 *     frost = #88c0d0
 *     [roles]                      # role = fg [on bg] [bold|underline|reverse]
 *     key = frost bold
 *     [roles.16]                   # the same for 16 and 8 colours
 *     [roles.mono]                 # attributes, where there is no colour
 *     [colormap heat]              # sequential; [colormap asym] diverging
 *     stops = #440154 #21918c #fde725
 *     c256 = 53 54 25 60           # optional: tuned steps of the 256 colours
 *     ramp = " .:-=+*#%@"          # characters where colours are too few
 *
 * A colour is #rrggbb, #rgb, default (the terminal's own), black, red, green, yellow, blue,
 * magenta, cyan, white (bright-black and so on), a number 0 to 255, or a palette name. What is not
 * said comes from the role text (foreground) and from the role background (background). '#' starts
 * a comment at the start of a line, or after two blanks and before one. */

/** 0xRRGGBB, ES_COLOUR_INDEX + 0..255, or ES_COLOUR_DEFAULT. */
typedef int32_t es_colour;
enum { ES_COLOUR_DEFAULT = -1, ES_COLOUR_INDEX = 0x1000000 };

enum { ES_ATTR_BOLD = 1, ES_ATTR_UNDERLINE = 2, ES_ATTR_REVERSE = 4 };

typedef struct es_style {
    es_colour fg, bg;
    uint8_t attrs;
} es_style;

/** A theme has its styles three times: for 256 colours and more, for 16 and 8, and for none. */
typedef enum es_style_set {
    ES_STYLES_FULL,
    ES_STYLES_16,
    ES_STYLES_MONO,
    ES_STYLES_COUNT
} es_style_set;

typedef enum es_theme_map { ES_MAP_HEAT, ES_MAP_ASYM, ES_MAP_COUNT } es_theme_map;

enum { ES_MAP_STOPS = 16, ES_MAP_STEPS = 32, ES_MAP_RAMP = 16, ES_THEME_PATH = 512 };

typedef struct es_colormap {
    uint32_t stops[ES_MAP_STOPS]; /* 0xRRGGBB, low to high; evenly spaced */
    size_t n_stops;
    uint8_t c256[ES_MAP_STEPS]; /* indices 16..255; none: computed from the stops */
    size_t n_c256;
    uint32_t ramp[ES_MAP_RAMP]; /* code points, low to high */
    size_t n_ramp;
} es_colormap;

typedef enum es_variant { ES_VARIANT_ANY, ES_VARIANT_DARK, ES_VARIANT_LIGHT } es_variant;
typedef enum es_borders {
    ES_BORDERS_ROUNDED,
    ES_BORDERS_SQUARE,
    ES_BORDERS_HEAVY,
    ES_BORDERS_ASCII
} es_borders;
typedef enum es_glyphs { ES_GLYPHS_BRAILLE, ES_GLYPHS_BLOCK, ES_GLYPHS_ASCII } es_glyphs;

typedef enum es_palette { ES_PALETTE_ALL, ES_PALETTE_16, ES_PALETTE_NONE } es_palette;

/** A plain value: copy it freely, nothing to free. */
typedef struct es_theme {
    char id[64];              /* "nord": the file's name without .theme */
    char name[64];            /* "Nord" */
    char path[ES_THEME_PATH]; /* where it was read; "" for the built-in one */
    es_variant variant;
    es_borders borders;
    es_glyphs glyphs;
    es_palette colours; /* more than this the theme does not want */
    es_style styles[ES_STYLES_COUNT][ES_ROLE_COUNT];
    es_colormap maps[ES_MAP_COUNT];
} es_theme;

/* Maps of colours to choose from in place of the theme's. */

/** Maps to choose from in place of the theme's for values from low to high. Number 0 is "theme",
 * its own; names end with NULL. */
enum { ES_COLORMAPS = 5 };
extern const char *const es_colormap_names[ES_COLORMAPS + 1];
void es_colormap_choose(es_theme *theme, size_t number);

/* Finding themes and reading them. */

/** The theme inside the program: the terminal's own 16 colours. Every other theme starts from it,
 * so a theme need not be complete. */
es_status es_theme_builtin(es_theme *out, es_error *err);

/** Read a theme by name ("nord") or by path (anything with a '/'). A name is looked for in
 *  `theme_dir` (may be NULL), $XDG_CONFIG_HOME/embedscope/themes, the installed themes and those of
 *  the source tree, in this order. Errors are "file:line: message" and leave *out as it was;
 *  ES_ENOTFOUND lists where was looked. `warning` (may be NULL) receives the first role that this
 *  program does not know, else code ES_OK. */
es_status es_theme_load(const char *name, const char *theme_dir, es_theme *out, es_error *warning,
                        es_error *err);

/** The same for a text in memory; `label` stands for the file's name. */
es_status es_theme_parse(const char *text, size_t length, const char *label, const char *theme_dir,
                         es_theme *out, es_error *warning, es_error *err);

/** True if both themes look the same. Where they were read does not count. */
bool es_theme_equal(const es_theme *a, const es_theme *b);

/** Names of all themes found, sorted, each once. */
es_status es_theme_list(const char *theme_dir, es_words *out, es_error *err);

/* A theme while its files are read: what was said and where, before names become colours. Resolving
 * comes last, so that a child's palette also changes what its parents said. */

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
