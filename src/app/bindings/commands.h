/* The table of commands, built from commands.def. */
#ifndef ES_APP_COMMANDS_H
#define ES_APP_COMMANDS_H

#include "messages.h"
#include "view_table.h"

typedef enum es_command {
#define C(id, ...) ES_COMMAND_##id,
#include "commands.def"
#undef C
    ES_COMMAND_COUNT
} es_command;

typedef enum es_command_group {
    ES_GROUP_VIEW,
    ES_GROUP_RUN,
    ES_GROUP_MARK,
    ES_GROUP_FIND,
    ES_GROUP_MOVE,
    ES_GROUP_GO,
    ES_GROUP_COPY,
    ES_GROUP_MORE,
    ES_GROUP_COUNT
} es_command_group;

/** One run of a command. */
typedef struct es_call {
    es_app *app;
    es_effects *effects;
    es_command command;
    size_t count;         /* typed before it; 0 = none */
    const char *argument; /* after the name on a command line; NULL = none */
} es_call;

typedef struct es_command_info {
    const char *name, *keys, *views;
    es_command_group group;
    const char *footer_keys, *footer; /* footer NULL: not in the footer */
    const char *help;
    const char *argument; /* NULL: takes none */
} es_command_info;

enum { ES_COMMAND_KEYS = 2 }; /* longest sequence */

extern const es_command_info es_commands[ES_COMMAND_COUNT];
const char *es_command_group_name(es_command_group group);

/** True if the command belongs to this view (`own`: to it and not to all). */
bool es_command_in_view(es_command command, es_view_id view);
bool es_command_is_own(es_command command);
/** True if the view uses a key of this command for one of its own. */
bool es_command_is_shadowed(es_command command, es_view_id view);
/** The command behind a key or sequence in a view; ES_COMMAND_COUNT when there is none. *longer: a
 *  longer sequence begins like this. */
es_command es_command_of_keys(es_view_id view, const uint32_t *keys, size_t count, bool *longer);
/** Returns the command of this name or unambiguous beginning; ES_COMMAND_COUNT: none. */
es_command es_command_of_name(const char *name, size_t length);
/** One spelling of a command's keys, e.g. number 1 of "gg Home" is "Home"; false when there is
 * none. */
bool es_command_spelling(es_command command, size_t number, char *out, size_t capacity);
/** Key codes of one spelling; returns how many, 0 when it cannot be read. */
size_t es_command_parse(const char *spelling, uint32_t keys[ES_COMMAND_KEYS]);
/** True for commands that move the cursor and take a count. */
bool es_command_moves(es_command command);

/* What runs each command, and what says why it cannot: "nothing is running". Several rows may share
 * one; declaring it again does no harm. Each is defined beside its subject. */
#define C(id, name, keys, views, group, footer_keys, footer, help, argument, run, refuse)          \
    void run(es_call *call);                                                                       \
    const char *refuse(const es_app *app);
#include "commands.def"
#undef C

#endif
