/* Roles: what a cell means. Themes map roles to colours; views never name a colour. One table makes
 * the enum, the names in theme files and the template of a complete theme. */
#ifndef ES_APP_ROLE_H
#define ES_APP_ROLE_H

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

#endif
