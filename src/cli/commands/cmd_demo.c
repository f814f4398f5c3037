/* `embedscope demo`: the explorer on the sample pool, wherever that was installed. */
#include <unistd.h>

#include "cmd.h"

es_status es_cmd_demo(es_cli *cli, es_error *err) {
    const es_options *given = cli->options;
    es_options options = *given;
    char *pool = NULL;
    ES_PASS(es_path_shared("sample_data/molecules", &pool, err));
    options.start = true;
    options.plain = given->plain && isatty(STDIN_FILENO) == 1; /* nobody types: print the ranking */
    cli->options = &options;
    cli->arguments[0] = pool; /* there is room for one more than was given */
    cli->n_arguments = 1;
    es_status st = es_cmd_explore(cli, err);
    cli->n_arguments = 0;
    cli->options = given;
    es_free(pool);
    return st;
}
