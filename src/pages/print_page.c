/* pages NAME DATE: prints one page or completion. */
#include <stdio.h>
#include <string.h>

#include "pages.h"

typedef struct page {
    const char *name;
    void (*with_date)(const char *date, es_buf *out);
    void (*plain)(es_buf *out);
} page;

static const page pages[] = {
    {"embedscope.1", es_page_program, NULL},     {"embedscope-pool.5", es_page_pool, NULL},
    {"embedscope-theme.5", es_page_theme, NULL}, {"embedscope.bash", NULL, es_complete_bash},
    {"_embedscope", NULL, es_complete_zsh},      {"embedscope.fish", NULL, es_complete_fish},
};

int main(int argc, char **argv) {
    es_buf out = {0};
    for (size_t i = 0; argc == 3 && i < sizeof pages / sizeof *pages; i++) {
        if (strcmp(pages[i].name, argv[1]) != 0)
            continue;
        if (pages[i].with_date)
            pages[i].with_date(argv[2], &out);
        else
            pages[i].plain(&out);
    }
    int bad = out.length == 0 || es_buf_check(&out, NULL) != ES_OK ||
              fwrite(out.data, 1, out.length, stdout) != out.length || fflush(stdout) != 0;
    es_buf_free(&out);
    return bad;
}
