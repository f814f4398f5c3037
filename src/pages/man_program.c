/* embedscope(1). */
#include <math.h>

#include "command_table.h"
#include "pages.h"
#include "roff.h"

#include "cmim_recipe.h"
#include "estimator.h"

static void put_choices(const char *const *choices, es_buf *text) {
    const char *before = ": ";
    for (size_t i = 0; choices && choices[i]; i++) {
        if (choices[i][0] == '\0')
            continue;
        es_buf_printf(text, "%s%s", before, choices[i]);
        before = ", ";
    }
}

static void put_text(es_buf *text, es_buf *out) {
    es_roff_text(text->data ? text->data : "", out);
    out->failed |= text->failed;
    es_buf_free(text);
}

static void put_option(const es_option *option, es_buf *out) {
    es_buf text = {0};
    es_buf_puts(out, ".It");
    if (option->brief)
        es_buf_printf(out, " Fl %c ,", option->brief);
    es_buf_printf(out, " Fl \\-%s", option->name);
    if (option->argument) {
        es_buf_puts(out, " Ar ");
        es_roff_word(option->argument, out);
    }
    es_buf_putc(out, '\n');
    es_buf_puts(&text, option->help);
    put_choices(option->choices, &text);
    put_text(&text, out);
}

static void put_options(es_buf *out) {
    es_roff_line(out, ".Sh OPTIONS");
    es_roff_text("A command takes the groups that its --help shows. Options that are "
                 "not of one call may stand in the configuration file, as \"option = value\"; "
                 "others are refused there by name.",
                 out);
    for (size_t i = 0; i < es_option_count; i++) {
        const es_option *option = &es_option_table[i];
        bool first = i == 0 || option[-1].group != option->group;
        bool last = i + 1 == es_option_count || option[1].group != option->group;
        if (first)
            es_roff_line(out, ".Ss %s\n.Bl -tag -width 6n", es_option_group_title(option->group));
        put_option(option, out);
        if (last)
            es_roff_line(out, ".El");
    }
}

static void put_commands(es_buf *out) {
    es_roff_line(out, ".Sh COMMANDS\n.Bl -tag -width 6n");
    for (size_t i = 0; i < es_cli_commands.count; i++) {
        const es_subcommand *command = &es_cli_commands.item[i];
        if (command->name[0] == '\0')
            continue;
        es_buf_printf(out, ".It Ic %s", command->name);
        if (command->arguments[0]) {
            es_buf_puts(out, " Ar ");
            es_roff_word(command->arguments, out);
        }
        es_buf_putc(out, '\n');
        es_roff_text(command->details, out);
    }
    es_roff_line(out, ".El");
}

static void put_setting(const es_setting *setting, es_buf *out) {
    es_buf text = {0};
    es_roff_line(out, ".It Fl \\-set Ar %s Ns = Ns Ar %s", setting->key,
                 setting->choices ? "CHOICE" : "N");
    es_buf_printf(&text, "%s (", setting->help);
    if (isnan(setting->value))
        es_buf_puts(&text, "auto");
    else if (setting->choices)
        es_buf_puts(&text, setting->choices[(size_t)setting->value]);
    else
        es_buf_put_double(&text, setting->value);
    es_buf_puts(&text, ")");
    put_choices(setting->choices, &text);
    put_text(&text, out);
}

static void put_estimators(es_buf *out) {
    es_roff_line(out, ".Sh ESTIMATORS");
    es_roff_text("Presets are named sets of settings; every setting in force is part of a result's "
                 "key and of every document.",
                 out);
    for (size_t e = 0; es_estimators[e]; e++) {
        const es_estimator *estimator = es_estimators[e];
        es_roff_line(out, ".Ss %s: %s\n.Bl -tag -width 6n", estimator->name, estimator->title);
        for (const es_preset *p = estimator->presets; p && p->name; p++) {
            es_roff_line(out, ".It Fl \\-preset Ar %s", p->name);
            es_roff_text(p->help, out);
        }
        for (size_t i = 0; i < estimator->n_settings; i++)
            put_setting(&estimator->settings[i], out);
        es_roff_line(out, ".El");
    }
}

static void put_training(es_buf *out) {
    es_roff_line(out, ".Sh TRAINING");
    es_roff_text("Settings of derive --cmim.", out);
    es_roff_line(out, ".Bl -tag -width 6n");
    for (size_t i = 0; i < es_cmim_setting_count; i++)
        put_setting(&es_cmim_settings[i], out);
    es_roff_line(out, ".El");
}

static void put_surroundings(es_buf *out) {
    static const es_page_entry codes[] = {{"0", "Done."},
                                          {"1", "Some pairs failed."},
                                          {"2", "Usage."},
                                          {"3", "Bad input."},
                                          {"4", "Nothing usable or stored."},
                                          {"130", "Interrupted; what was finished is kept."},
                                          {NULL, NULL}};
    static const es_page_entry variables[] = {
        {"XDG_CONFIG_HOME, XDG_DATA_HOME, XDG_STATE_HOME",
         "Where the user's files are looked for; by default below the home directory."},
        {"OPENBLAS_CORETYPE",
         "Which kernels OpenBLAS uses. Set for a restart of the program where the library has "
         "chosen "
         "worse ones than the processor offers."},
        {"ES_CPU", "The program's own kernels: ref, avx2 or avx512, instead of the best."},
        {"COLORTERM, NO_COLOR, TERM", "How many colours the explorer uses."},
        {NULL, NULL}};
    static const es_page_entry files[] = {
        {"POOL/.embedscope/results.db", "Results, where the pool can be written."},
        {"~/.local/share/embedscope", "Results of pools that cannot."},
        {"~/.config/embedscope/config", "Defaults of options."},
        {"~/.config/embedscope/themes", "Your own themes, NAME.theme."},
        {"~/.local/state/embedscope", "History and log of the explorer."},
        {"/usr/share/embedscope/schemas",
         "NAME.schema.json, which JSON documents and FILE.meta.json name: "
         "urn:embedscope:schema:NAME:1. The number rises when a field goes or changes its "
         "meaning."},
        {NULL, NULL}};
    es_roff_line(out, ".Sh ENVIRONMENT");
    es_roff_list("Ev", variables, out);
    es_roff_line(out, ".Sh FILES");
    es_roff_list("Pa", files, out);
    es_roff_line(out, ".Sh EXIT STATUS");
    es_roff_list("Er", codes, out);
}

static void put_examples(es_buf *out) {
    es_roff_line(out, ".Sh EXAMPLES");
    for (size_t i = 0; i < es_cli_commands.count; i++)
        es_roff_literal(es_cli_commands.item[i].examples, out);
}

void es_page_program(const char *date, es_buf *out) {
    const es_subcommand *explorer = es_command_find(&es_cli_commands, "");
    es_roff_begin("embedscope", 1, date, "choose between embedding models without labels", out);
    es_roff_line(out, ".Sh SYNOPSIS\n.Nm\n.Op Ar options\n.Op Ar path");
    for (size_t i = 0; i < es_cli_commands.count; i++) {
        const es_subcommand *command = &es_cli_commands.item[i];
        if (command->name[0] == '\0')
            continue;
        es_buf_printf(out, ".Nm\n.Ic %s\n.Op Ar options\n", command->name);
        if (command->arguments[0]) {
            es_buf_puts(out, ".Ar ");
            es_roff_word(command->arguments, out);
            es_buf_putc(out, '\n');
        }
    }
    es_roff_line(out, ".Sh DESCRIPTION");
    es_roff_text(
        "embedscope compares embedding models over one set of rows, a pool. For every ordered "
        "pair it estimates the information sufficiency: how many nats per dimension of the one can "
        "be simulated from the other. The lead over the others, one vote a kind, ranks the models, "
        "the matrix shows their families, and downstream scores, where there are some, are set "
        "beside.",
        out);
    es_roff_line(out, ".Pp");
    es_roff_text(explorer->details, out);
    put_commands(out);
    put_options(out);
    put_estimators(out);
    put_training(out);
    es_page_keys(out);
    put_surroundings(out);
    put_examples(out);
    es_roff_line(out, ".Sh SEE ALSO\n.Xr embedscope-pool 5 ,\n.Xr embedscope-theme 5");
    es_roff_line(out, ".Rs\n.%%A M. Darrin\n.%%A P. Formont\n.%%A I. Ben Ayed\n.%%A J. C. K. "
                      "Cheung\n.%%A P. Piantanida\n.%%D 2024\n.%%T When is an Embedding Model More "
                      "Promising than Another?\n.%%J NeurIPS\n.Re");
}
