/* `embedscope apply`: a derived embedder on new rows. */
#include <string.h>
#include <strings.h>

#include "cmd.h"
#include "cli_out.h"

#include "apply.h"

es_status es_cmd_apply(es_cli *cli, es_error *err) {
    const es_options *o = cli->options;
    char label[ES_PATH_LABEL];
    char *note = NULL;
    es_matrix made = {0};
    es_status st = ES_OK;
    if (cli->n_arguments < 2 || !o->output)
        return es_usage(cli, err,
                        "apply: name a model, rows and where to write: embedscope apply "
                        "MODEL.safetensors ROWS.npy -o OUT.npy");
    const char *ending = strrchr(o->output, '.');
    if (!ending || strcasecmp(ending, ".npy") != 0)
        return es_usage(cli, err, "-o %s: apply writes .npy alone: name it so",
                        es_path_label(label, o->output));
    ES_TRY(es_apply(cli->arguments[0], cli->arguments[1], o->info, es_memory_allowed(o->memory),
                    &made, &note, err));
    if (note)
        es_output_note(cli, "%s: %s", es_path_label(label, cli->arguments[1]), note);
    ES_TRY(es_npy_write(o->output, made.x, made.n, made.d, 0666, err));
    es_output_note(cli, "%zu rows, %zu columns, in %s", made.n, made.d,
                   es_path_label(label, o->output));
done:
    es_free(note);
    es_matrix_free(&made);
    return st;
}
