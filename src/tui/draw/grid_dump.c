/* Screens as text files, for goldens and for :dump. */
#include "tui_draw.h"

static void put_cell(es_buf *buf, const es_cell *cell) {
    if (cell->code[0] == 0) {
        es_buf_putc(buf, ' ');
        return;
    }
    for (int i = 0; i < ES_CELL_CODES && cell->code[i]; i++) {
        char bytes[4];
        es_buf_add(buf, bytes, es_utf8_encode(cell->code[i], bytes));
    }
}

static bool is_blank(const es_cell *cell) {
    return cell->width == 1 && (cell->code[0] == 0 || cell->code[0] == ' ') && cell->code[1] == 0;
}

/* The text, handed over; "" rather than NULL for an empty grid. */
static char *finish(es_buf *buf) {
    es_buf_puts(buf, "");
    if (!buf->failed)
        return buf->data;
    es_buf_free(buf);
    return NULL;
}

char *es_grid_dump_text(const es_grid *grid) {
    es_buf buf = {0};
    for (int y = 0; y < grid->h; y++) {
        const es_cell *row = grid->cells + (size_t)y * (size_t)grid->w;
        int end = grid->w;
        while (end > 0 && is_blank(&row[end - 1]))
            end--;
        for (int x = 0; x < end; x++)
            if (row[x].width > 0)
                put_cell(&buf, &row[x]);
        es_buf_putc(&buf, '\n');
    }
    return finish(&buf);
}

/* One printable character for each role, in the order of the enum. */
static const char LETTERS[] = ".abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "!#$%&*+,-/:;<=>?@^_|~";
_Static_assert(sizeof LETTERS > ES_ROLE_COUNT, "every role needs a letter");

char *es_grid_dump_roles(const es_grid *grid) {
    es_buf buf = {0};
    bool used[ES_ROLE_COUNT] = {false};
    for (int y = 0; y < grid->h; y++) {
        const es_cell *row = grid->cells + (size_t)y * (size_t)grid->w;
        int end = grid->w;
        while (end > 0 && row[end - 1].role == ES_ROLE_BACKGROUND)
            end--;
        for (int x = 0; x < grid->w; x++)
            used[row[x].role] = true;
        for (int x = 0; x < end; x++)
            es_buf_putc(&buf, LETTERS[row[x].role]);
        es_buf_putc(&buf, '\n');
    }
    for (int role = 0; role < ES_ROLE_COUNT; role++)
        if (used[role])
            es_buf_printf(&buf, "%c %s\n", LETTERS[role], es_role_name((es_role)role));
    for (int y = 0; y < grid->h; y++)
        for (int x = 0; x < grid->w; x++)
            if (grid->cells[(size_t)y * (size_t)grid->w + (size_t)x].reverse)
                es_buf_printf(&buf, "reversed %d,%d\n", x, y);
    return finish(&buf);
}
