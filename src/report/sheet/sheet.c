/* Sheets: statements and tables, filled once. */
#include "report_sheet.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

es_sheet *es_sheet_new(const char *title) {
    es_sheet *sheet = es_alloc_zero(1, sizeof *sheet);
    if (sheet == NULL)
        return NULL;
    sheet->plot.line = (double)NAN;
    sheet->title = es_strdup(title);
    sheet->failed = sheet->title == NULL;
    return sheet;
}

void es_sheet_free(es_sheet *sheet) {
    if (sheet == NULL)
        return;
    for (size_t i = 0; i < sheet->statements; i++)
        es_free(sheet->statement[i].text);
    for (size_t i = 0; i < sheet->tables; i++)
        es_table_out_free(sheet->table[i]);
    es_free(sheet->statement);
    es_free((void *)sheet->table);
    es_words_deinit(&sheet->choice);
    es_free(sheet->option);
    es_free(sheet->title);
    es_free(sheet);
}

void es_sheet_name(es_sheet *sheet, const char *title) {
    if (sheet == NULL || sheet->failed || sheet->title[0] != '\0')
        return;
    es_free(sheet->title);
    sheet->title = es_strdup(title);
    sheet->failed = sheet->title == NULL;
}

/* Keeps `text`, whose memory becomes the sheet's; NULL: memory ran out. */
static void take_statement(es_sheet *sheet, es_says kind, char *text) {
    es_said *grown = text == NULL ? NULL
                                  : es_grow(sheet->statement, sheet->statements,
                                            &sheet->statement_room, sizeof *grown);
    if (grown == NULL) {
        es_free(text);
        sheet->failed = true;
        return;
    }
    sheet->statement = grown;
    grown[sheet->statements++] = (es_said){kind, text};
}

void es_sheet_say(es_sheet *sheet, es_says kind, const char *format, ...) {
    char text[2048];
    va_list list;
    if (sheet == NULL || sheet->failed)
        return;
    va_start(list, format);
    int length = vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (length > 0)
        take_statement(sheet, kind, es_strdup(text));
}

void es_sheet_say_lines(es_sheet *sheet, es_says kind, const char *text) {
    while (sheet && !sheet->failed && text && *text) {
        size_t length = strcspn(text, "\n");
        if (length > 0)
            take_statement(sheet, kind, es_strndup(text, length));
        text += length + (text[length] == '\n');
    }
}

void es_sheet_take_table(es_sheet *sheet, es_table_out *table) {
    es_table_out **grown = NULL;
    if (sheet &&
        es_table_out_keep(table)) /* NOLINTNEXTLINE(bugprone-sizeof-expression): pointers */
        grown = es_grow((void *)sheet->table, sheet->tables, &sheet->table_room, sizeof *grown);
    if (grown == NULL) {
        es_table_out_free(table);
        if (sheet)
            sheet->failed = true;
        return;
    }
    sheet->table = grown;
    grown[sheet->tables++] = table;
}

void es_sheet_offer(es_sheet *sheet, const char *option, const char *const *values,
                    const char *chosen) {
    if (sheet == NULL || sheet->failed || sheet->option != NULL)
        return;
    sheet->option = es_strdup(option);
    sheet->failed =
        sheet->option == NULL || es_words_add_all(&sheet->choice, values, NULL) != ES_OK;
    while (sheet->chosen < sheet->choice.count &&
           (chosen == NULL || strcmp(sheet->choice.word[sheet->chosen], chosen) != 0))
        sheet->chosen++;
}

es_status es_sheet_check(const es_sheet *sheet, es_error *err) {
    return sheet == NULL || sheet->failed ? es_no_memory(err) : ES_OK;
}

/* Names of formats. */

const char *const es_format_names[] = {"",    "table", "csv", "json", "md",  "tex", "jsonl",
                                       "npz", "html",  "svg", "pdf",  "png", NULL};

bool es_format_is_picture(es_output_format format) {
    return format >= ES_FORMAT_SVG;
}
