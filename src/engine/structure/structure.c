/* Communities and dendrograms of the matrix that is shown (structure.h). Of thousands of embedders
 * either takes a worker seconds; whoever shows them goes on meanwhile. */
#include "structure.h"

#include <string.h>

#include "alloc.h"
#include "community_means.h"
#include "workers.h"

typedef struct structure_work {
    es_louvain problem; /* is, m */
    double *copy;       /* of is; NULL: it is the session's, and nothing changes it */
    atomic_uint *runs;
    es_communities *found;
    double *means;
    es_linkage *linkage;
} structure_work;

static void work_deinit(void *data) {
    structure_work *work = data;
    es_free(work->copy);
    es_free(work->means);
    es_communities_free(work->found);
    es_linkage_free(work->linkage);
    *work = (structure_work){0};
}

/* Run by run, so that it shows how far it is. */
static es_status search(const structure_work *work, const es_run *run, es_communities **found,
                        es_error *err) {
    es_communities_search *search = NULL;
    unsigned left = 1, done = 0;
    es_status st = es_communities_begin(&work->problem, &search, err);
    while (st == ES_OK && left > 0) {
        st = es_communities_step(search, 1, run, &left, err);
        atomic_store(work->runs, ++done);
    }
    if (st == ES_OK)
        st = es_communities_finish(search, found, err);
    es_communities_search_free(search);
    return st;
}

static es_status find_families(void *data, const es_run *run, es_error *err) {
    structure_work *work = data;
    es_status st = ES_OK;
    ES_TRY(search(work, run, &work->found, err));
    size_t groups = work->found->groups, listed = work->found->listed;
    work->means = es_alloc(listed + groups * groups + 1, sizeof *work->means);
    ES_FAIL_IF(!work->means, es_no_memory(err));
    ES_TRY(es_communities_means(work->problem.is, work->found, work->means, work->means + listed,
                                err));
    es_free(work->copy);
    work->copy = NULL;
done:
    return st;
}

static es_status find_dendrogram(void *data, const es_run *run, es_error *err) {
    structure_work *work = data;
    es_status st =
        es_linkage_new(work->problem.is, work->problem.m, ES_LINKAGE_WARD, ES_LINKAGE_SOURCES,
                       ES_DIAGONAL_MISSING, run, &work->linkage, err);
    es_free(work->copy);
    work->copy = NULL;
    return st;
}

/* As the ranking's decision: above the work on pairs, since somebody waits for them. */
static const es_errand_kind families = {find_families, work_deinit, 1.0, "communities"},
                            dendrogram = {find_dendrogram, work_deinit, 1.0, "dendrogram"};

/* The stability of thousands takes a minute: nothing else waits for it. Where pairs are estimated
 * the user has said how many threads there are. */
enum { THREADS = 3 };

static es_status start(es_structure *s, es_errand *errand, const es_errand_kind *kind,
                       const es_louvain *problem, uint64_t tag, es_error *err) {
    size_t pairs = problem->m * problem->m;
    structure_work *work = es_alloc_zero(1, sizeof *work);
    if (!work)
        return es_no_memory(err);
    work->problem = *problem;
    work->runs = &s->runs;
    if (problem->is != s->kept) {
        work->copy = es_alloc(pairs + 1, sizeof *work->copy);
        if (!work->copy) {
            es_free(work);
            return es_no_memory(err);
        }
        memcpy(work->copy, problem->is, pairs * sizeof *work->copy);
        work->problem.is = work->copy;
    }
    if (s->alone && es_workers_threads(s->workers) < THREADS)
        (void)es_workers_resize(s->workers, THREADS, NULL); /* else what there are must do */
    return es_errand_start(errand, s->workers, s->log, kind, work, tag, err);
}

es_status es_structure_families_start(es_structure *s, const es_louvain *problem, uint64_t tag,
                                      es_error *err) {
    atomic_store(&s->runs, 0);
    return start(s, &s->families, &families, problem, tag, err);
}

es_status es_structure_dendrogram_start(es_structure *s, const double *is, size_t m, uint64_t tag,
                                        es_error *err) {
    const es_louvain problem = {.is = is, .m = m};
    return start(s, &s->dendrogram, &dendrogram, &problem, tag, err);
}

static es_structure_look look_at(const es_errand *errand, unsigned runs) {
    return (es_structure_look){errand->newest ? errand->tag : 0, errand->job != NULL, runs};
}

es_structure_look es_structure_families(const es_structure *s) {
    return look_at(&s->families, atomic_load(&s->runs));
}

es_structure_look es_structure_dendrogram(const es_structure *s) {
    return look_at(&s->dendrogram, 0);
}

es_communities *es_structure_families_take(es_structure *s, double **means) {
    structure_work *work = s->families.newest;
    es_communities *found = work ? work->found : NULL;
    if (!found)
        return NULL;
    *means = work->means;
    work->found = NULL;
    work->means = NULL;
    return found;
}

es_linkage *es_structure_dendrogram_take(es_structure *s) {
    structure_work *work = s->dendrogram.newest;
    es_linkage *linkage = work ? work->linkage : NULL;
    if (linkage)
        work->linkage = NULL;
    return linkage;
}

void es_structure_deinit(es_structure *s) {
    es_errand *const errands[] = {&s->families, &s->dendrogram};
    for (size_t i = 0; i < 2; i++) {
        errands[i]->job = NULL; /* its end was dropped with the workers */
        es_errand_stop(errands[i], NULL);
    }
}
