/* The program itself asked for a document in the background, which is taken in whole. */
#ifndef ES_TUI_INQUIRY_H
#define ES_TUI_INQUIRY_H

#include <stdbool.h>
#include <sys/types.h>

#include "buf.h"
#include "embedscope/status.h"

typedef struct es_inquiry {
    pid_t pid;  /* 0: none runs */
    int fd;     /* what it prints, readable when there is some or it is over; -1: none */
    es_buf out; /* so far: the document, or what went wrong */
} es_inquiry;

void es_inquiry_init(es_inquiry *inquiry);
/** Runs `program` with these words (NULL-terminated; the first is what it is called). One that runs
 *  is ended first. */
es_status es_inquiry_start(es_inquiry *inquiry, const char *program, const char *const *words,
                           es_error *err);
bool es_inquiry_busy(const es_inquiry *inquiry);
/** Take in what there is, without waiting. True when it has just ended: then *status says how, *err
 *  repeats its message, and inquiry->out is the document until the next start. */
bool es_inquiry_step(es_inquiry *inquiry, es_status *status, es_error *err);
/** Ends it: it only reads. */
void es_inquiry_close(es_inquiry *inquiry);

#endif
