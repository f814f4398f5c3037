/* One process at a time: `rank --sweep` for the document on all values, or `estimate --sweep` for
 * one of them, whose last line of progress is shown. */
#include "driver_sweep.h"

#include "setting_sweep.h"

/* The command line of the document, or of an estimation. */
static es_status put_words(const es_driver *driver, size_t value, es_words *out, es_error *err) {
    bool reads = value == ES_NONE;
    const char *const *base = driver->options->sweep[reads ? 0 : 1];
    es_status st = ES_OK;
    if (base == NULL || driver->options->program == NULL)
        return es_fail(err, ES_EUNSUPPORTED, "results from a file have no rows");
    for (size_t i = 0; base[i] != NULL; i++)
        ES_TRY(es_words_add(out, base[i], err));
    ES_TRY(es_sweep_words(driver->app, value, out, err));
    if (reads) {
        ES_TRY(es_words_add(out, "--json", err));
        ES_TRY(es_words_add(out, "--quiet", err));
    }
done:
    return st;
}

void es_driver_ask_sweep(es_driver *driver, size_t value) {
    const char *program = driver->options->program;
    es_words words = {0};
    es_error err = {0};
    es_status st = put_words(driver, value, &words, &err);
    const char *const *line = (const char *const *)words.word;
    if (st == ES_OK && value == ES_NONE)
        st = es_inquiry_start(&driver->sweep_reader, program, line, &err);
    else if (st == ES_OK)
        st = es_writer_start(&driver->sweeper, "estimate", program, line, &err);
    if (st != ES_OK)
        es_app_sweep_failed(driver->app, err.message);
    es_words_deinit(&words);
}

bool es_driver_sweeps(const es_driver *driver) {
    return es_inquiry_busy(&driver->sweep_reader) || es_writer_busy(&driver->sweeper);
}

int es_driver_sweep_fd(const es_driver *driver) {
    return es_writer_busy(&driver->sweeper) ? driver->sweeper.fd : driver->sweep_reader.fd;
}

static bool read_document(es_driver *driver) {
    es_inquiry *inquiry = &driver->sweep_reader;
    es_error err = {0};
    es_status st = ES_OK;
    if (!es_inquiry_step(inquiry, &st, &err))
        return false;
    if (st == ES_OK && inquiry->out.data)
        es_app_sweep_known(driver->app, inquiry->out.data, inquiry->out.length);
    else if (st == ES_EEMPTY) /* nothing is stored so far */
        es_app_sweep_known(driver->app, NULL, 0);
    else
        es_app_sweep_failed(driver->app, st != ES_OK ? err.message : "nothing was said");
    return true;
}

bool es_driver_read_sweep(es_driver *driver) {
    es_error err = {0};
    es_status st = ES_OK;
    bool ended = read_document(driver);
    if (!es_writer_busy(&driver->sweeper))
        return ended;
    if (es_writer_step(&driver->sweeper, &st, &err)) {
        es_app_sweep_over(driver->app, st, err.message);
        return true;
    }
    es_app_sweep_progress(driver->app, driver->sweeper.text);
    return ended;
}
