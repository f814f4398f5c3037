/* Commands by their names. The table itself is above, in the room of the commands, and is handed
 * down: what a command needs of another one it finds here. */
#include "cli_context.h"

#include <string.h>

const es_subcommand *es_command_find(const es_subcommands *commands, const char *name) {
    for (size_t i = 0; i < commands->count; i++) {
        if (strcmp(commands->item[i].name, name) == 0)
            return &commands->item[i];
        for (const char *const *alias = commands->item[i].aliases; alias && *alias; alias++)
            if (strcmp(*alias, name) == 0)
                return &commands->item[i];
    }
    return NULL;
}

bool es_command_reads(const es_subcommand *command, const es_option *option) {
    static const char *const of_matrix[] = {"matrix", "blocks"};
    if (strcmp(option->name, "ranking") == 0 && !command->of_rankings)
        return false;
    for (size_t i = 0; i < sizeof of_matrix / sizeof *of_matrix; i++)
        if (strcmp(option->name, of_matrix[i]) == 0 && command->of_vectors)
            return false;
    for (const char *const *name = command->unread; name && *name; name++)
        if (strcmp(*name, option->name) == 0)
            return false;
    return (option->group & command->groups) != 0;
}
