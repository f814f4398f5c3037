/* Communities, dendrograms and drawings of the matrix that is shown (structure.h). Of thousands of
 * embedders either takes a worker seconds; whoever shows them goes on meanwhile. */
#include "structure.h"

#include <string.h>

typedef struct structure_work {
    es_louvain problem; /* is, se, m */
    double *copy;       /* of is and se; NULL: it is the session's, and nothing changes it */
    double *before;     /* (2, m) places to go on from; NULL: none */
    atomic_uint *runs, *steps;
    es_communities *found;
    double *means;
    es_linkage *linkage;
    es_force *force;
} structure_work;

static void work_deinit(void *data) {
    structure_work *work = data;
    es_free(work->copy);
    es_free(work->before);
    es_free(work->means);
    es_communities_free(work->found);
    es_linkage_free(work->linkage);
    es_force_free(work->force);
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

/* In a worker: finds communities and their means. */
static es_status find_families(void *data, es_run *run, es_error *err) {
    structure_work *work = data;
    ES_PASS(search(work, run, &work->found, err));
    size_t groups = work->found->groups, listed = work->found->listed;
    work->means = es_alloc(listed + groups * groups + 1, sizeof *work->means);
    if (!work->means)
        return es_no_memory(err);
    ES_PASS(es_communities_means(work->problem.is, work->found, work->means, work->means + listed,
                                 err));
    es_free(work->copy);
    work->copy = NULL;
    return ES_OK;
}

/* In a worker: finds the dendrogram. */
static es_status find_dendrogram(void *data, es_run *run, es_error *err) {
    structure_work *work = data;
    es_status st = es_linkage_cluster(work->problem.is, work->problem.m, run, &work->linkage, err);
    es_free(work->copy);
    work->copy = NULL;
    return st;
}

/* In a worker: places the nodes of the graph. */
static es_status find_places(void *data, es_run *run, es_error *err) {
    structure_work *work = data;
    size_t m = work->problem.m;
    ES_PASS(es_force_of(work->problem.is, m, 0, run, &work->force, err));
    es_free(work->copy);
    work->copy = NULL;
    if (work->before)
        es_force_go_on(work->force, work->before, work->before + m);
    while (es_force_move(work->force, 1) > 0) {
        atomic_store(work->steps, work->force->step);
        ES_PASS(es_run_check(run, err));
    }
    return ES_OK;
}

/* As the ranking's decision: above the work on pairs, since somebody waits for them. */
static const es_latest_task_kind families = {find_families, work_deinit, 1.0, "communities"},
                                 dendrogram = {find_dendrogram, work_deinit, 1.0, "dendrogram"},
                                 places = {find_places, work_deinit, 1.0, "graph"};

/* The stability of thousands takes a minute: nothing else waits for it. Where pairs are estimated
 * the user has said how many threads there are. */
enum { THREADS = 3 };

/* With the matrix and its errors, or copies. */
static structure_work *new_work(es_structure *s, const es_louvain *problem, es_error *err) {
    size_t pairs = problem->m * problem->m;
    structure_work *work = es_alloc_zero(1, sizeof *work);
    if (!work) {
        (void)es_no_memory(err);
        return NULL;
    }
    work->problem = *problem;
    work->runs = &s->runs;
    work->steps = &s->steps;
    if (problem->is == s->kept)
        return work;
    size_t copied = problem->se ? 2 * pairs : pairs;
    work->problem.is = work->copy = es_alloc(copied + 1, sizeof *work->copy);
    if (!work->copy) {
        es_free(work);
        (void)es_no_memory(err);
        return NULL;
    }
    memcpy(work->copy, problem->is, pairs * sizeof *work->copy);
    if (problem->se) {
        memcpy(work->copy + pairs, problem->se, pairs * sizeof *work->copy);
        work->problem.se = work->copy + pairs;
    }
    return work;
}

/* work: owned by the latest-only task; NULL: there was no memory for it. */
static es_status start(es_structure *s, es_latest_task *latest, const es_latest_task_kind *kind,
                       structure_work *work, uint64_t tag, es_error *err) {
    if (!work)
        return ES_ENOMEM;
    if (s->alone && es_workers_threads(s->workers) < THREADS)
        (void)es_workers_resize(s->workers, THREADS, NULL); /* else what there are must do */
    return es_latest_task_start(latest, s->workers, s->log, kind, work, tag, err);
}

es_status es_structure_families_start(es_structure *s, const es_louvain *problem, uint64_t tag,
                                      es_error *err) {
    atomic_store(&s->runs, 0);
    return start(s, &s->families, &families, new_work(s, problem, err), tag, err);
}

es_status es_structure_dendrogram_start(es_structure *s, const double *is, size_t m, uint64_t tag,
                                        es_error *err) {
    const es_louvain problem = {.is = is, .m = m};
    return start(s, &s->dendrogram, &dendrogram, new_work(s, &problem, err), tag, err);
}

es_status es_structure_places_start(es_structure *s, const double *is, size_t m,
                                    const es_force *before, uint64_t tag, es_error *err) {
    const es_louvain problem = {.is = is, .m = m};
    structure_work *work = new_work(s, &problem, err);
    if (work && before && before->m == m) {
        work->before = es_alloc(m, 2 * sizeof *work->before);
        if (work->before) { /* else from the beginning */
            memcpy(work->before, before->x, m * sizeof *work->before);
            memcpy(work->before + m, before->y, m * sizeof *work->before);
        }
    }
    atomic_store(&s->steps, 0);
    return start(s, &s->places, &places, work, tag, err);
}

static es_structure_look look_at(const es_latest_task *latest, unsigned runs) {
    return (es_structure_look){latest->newest ? latest->tag : 0, latest->job != NULL, runs};
}

es_structure_look es_structure_families(const es_structure *s) {
    return look_at(&s->families, atomic_load(&s->runs));
}

es_structure_look es_structure_dendrogram(const es_structure *s) {
    return look_at(&s->dendrogram, 0);
}

es_structure_look es_structure_places(const es_structure *s) {
    return look_at(&s->places, atomic_load(&s->steps));
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

es_force *es_structure_places_take(es_structure *s) {
    structure_work *work = s->places.newest;
    es_force *force = work ? work->force : NULL;
    if (force)
        work->force = NULL;
    return force;
}

void es_structure_deinit(es_structure *s) {
    es_latest_task *const latests[3] = {&s->families, &s->dendrogram, &s->places};
    for (size_t i = 0; i < 3; i++) {
        latests[i]->job = NULL; /* its end was dropped with the workers */
        es_latest_task_stop(latests[i], NULL);
    }
}
