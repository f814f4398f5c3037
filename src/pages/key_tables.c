/* The explorer's keys, from its table of commands. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "pages.h"
#include "roff.h"

/* ".It x , y" and, for a command without a key, its name after ':'. */
static void put_item(const es_command_info *command, es_buf *out) {
    es_buf_puts(out, ".It");
    if (command->keys[0] == '\0') {
        es_buf_puts(out, " Ic ");
        char name[64];
        (void)snprintf(name, sizeof name, ":%s", command->name);
        es_roff_word(name, out);
    }
    for (const char *at = command->keys; *at;) {
        char key[32];
        size_t length = strcspn(at, " ");
        size_t kept = length < sizeof key - 1 ? length : sizeof key - 1;
        memcpy(key, at, kept);
        key[kept] = '\0';
        es_buf_puts(out, at == command->keys ? " Ic " : " , Ic ");
        es_roff_word(key, out);
        at += length + (at[length] == ' ');
    }
    es_buf_putc(out, '\n');
}

static void put_help(const es_command_info *command, es_buf *out) {
    es_buf text = {0};
    es_buf_puts(&text, command->help);
    if (command->views[0] != '*') {
        es_buf_puts(&text, " (");
        for (size_t i = 0, put = 0; i < ES_VIEW_COUNT; i++)
            if (strchr(command->views, es_view_table[i].letter))
                es_buf_printf(&text, "%s%s", put++ ? ", " : "", es_view_table[i].name);
        es_buf_puts(&text, ")");
    }
    es_roff_text(text.data ? text.data : "", out);
    out->failed |= text.failed;
    es_buf_free(&text);
}

void es_page_keys(es_buf *out) {
    es_roff_line(out, ".Sh KEYS");
    es_roff_text(
        "In the explorer ? lists these, and : runs each by its name. A command of one view "
        "names it. ^x is Ctrl-x; two letters are typed one after the other.",
        out);
    for (int group = 0; group < ES_GROUP_COUNT; group++) {
        es_roff_line(out, ".Ss %s", es_command_group_name((es_command_group)group));
        es_roff_line(out, ".Bl -tag -width 12n -compact");
        for (int i = 0; i < ES_COMMAND_COUNT; i++)
            if ((int)es_commands[i].group == group) {
                put_item(&es_commands[i], out);
                put_help(&es_commands[i], out);
            }
        es_roff_line(out, ".El");
    }
}
