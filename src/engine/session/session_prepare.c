/* What people said about the rows, read by a worker: labels.csv may be large, and whoever draws
 * must not wait for it. While it reads, nobody else touches the annotations. */
#include "engine_session_parts.h"

typedef struct prepare_work {
    const es_measure *measure;
    es_annotations *annotations; /* the session's */
} prepare_work;

/* Files are read and counted when they are first asked for; later askers find it done. */
static es_status compute(void *data, const es_run *run, es_error *err) {
    const prepare_work *work = data;
    size_t times = 0;
    es_measure_data given;
    const char *task;
    es_digest digest;
    es_status st = es_measure_times(work->measure, work->annotations, &times, err);
    for (size_t k = 0; k < times && st == ES_OK; k++) {
        st = es_run_check(run, err);
        if (st == ES_OK)
            st = es_annotations_take(work->annotations, work->measure->needs, k, &given, &task,
                                     &digest, err);
    }
    return st;
}

static void work_deinit(void *data) {
    (void)data; /* all borrowed */
}

/* Above what is computed from it. */
static const es_latest_task_kind kind = {compute, work_deinit, 1.0, NULL};

es_status es_session_measure_prepare(es_session *s, const es_measure *measure,
                                     const char *const *settings, es_error *err) {
    es_annotations *annotations = NULL;
    if (s->prepare.job)
        return es_fail(err, ES_EBUSY, "the pool's files are being read");
    es_status st = es_measure_annotations(s, measure, settings, &annotations, err);
    if (st != ES_OK)
        return st;
    prepare_work *work = es_alloc(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    *work = (prepare_work){measure, annotations};
    return es_latest_task_start(&s->prepare, s->workers, s->log, &kind, work, 0, err);
}

es_status es_session_measure_prepared(es_session *s, es_error *err) {
    return es_latest_task_outcome(&s->prepare, err);
}
