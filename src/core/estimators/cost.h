/* What the parts that estimators are made of take: rows, a ridge, a network. Every estimator puts
 * its own together (es_estimator.cost); es_estimator_cost asks it. This one model of a pair's cost
 * is what the queue orders by, what shares of a pool are cut by, what the time that is left is told
 * by, what a plan says before it starts and what memory is reserved by. */
#ifndef ES_CORE_COST_H
#define ES_CORE_COST_H

#include "estimator.h"

/** Epochs until a network stops that may stop by itself: about the mean over three real pools. */
enum { ES_COST_EPOCHS = 12 };

/** The cost of a pair by any estimator. */
es_cost es_estimator_cost(const es_estimator *estimator, const es_problem *problem,
                          es_pair_shape shape);

/** How an estimator uses ridge regression. */
typedef struct es_cost_ridge {
    bool source_rows;                      /* a source's standardised rows are kept beside it */
    bool residuals;                        /* of all training rows, and all predictions */
    bool source_streamed, target_streamed; /* rows are read again for each pair */
} es_cost_ridge;

/** Sources with their factor, targets with their rows, and the fit of a pair. */
es_cost es_cost_of_ridge(const es_problem *problem, es_pair_shape shape, es_cost_ridge how);

/** Both sides as standardised rows alone. */
es_cost es_cost_of_rows(const es_problem *problem, es_pair_shape shape, bool source_streamed,
                        bool target_streamed);

/** A network of `layers` hidden layers and its training on every fold's training rows. */
typedef struct es_cost_network {
    double in, hidden, layers, out, batch, epochs;
    bool all_rows; /* trains on all rows, and evaluates them, once */
} es_cost_network;

/** Adds it to the pair. */
void es_cost_add_network(const es_problem *problem, const es_cost_network *network, es_cost *cost);

/** Does an embedder of so many columns take more than the problem lets one keep? */
bool es_is_too_large(const es_problem *problem, size_t columns);

#endif
