/* pages NAME DATE: prints one page. */
#include <stdio.h>
#include <string.h>

#include "pages.h"

static const struct {
    const char *name;
    void (*put)(const char *date, es_buf *out);
} pages[] = {{"embedscope.1", es_page_program},
             {"embedscope-pool.5", es_page_pool},
             {"embedscope-theme.5", es_page_theme}};

int main(int argc, char **argv) {
    es_buf out = {0};
    for (size_t i = 0; argc == 3 && i < sizeof pages / sizeof *pages; i++)
        if (strcmp(pages[i].name, argv[1]) == 0)
            pages[i].put(argv[2], &out);
    int bad = out.length == 0 || es_buf_check(&out, NULL) != ES_OK ||
              fwrite(out.data, 1, out.length, stdout) != out.length || fflush(stdout) != 0;
    es_buf_free(&out);
    return bad;
}
