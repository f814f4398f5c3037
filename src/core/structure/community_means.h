/* How much the members of communities simulate of each other, on average. */
#ifndef ES_CORE_COMMUNITY_MEANS_H
#define ES_CORE_COMMUNITY_MEANS_H

#include "embedscope/communities.h"

/** Means over the known is(i, j), i a member of one and j of the other, without self; NaN where
 *  nothing is known. is (m, m); inside (listed) of each with itself, between (groups, groups) from
 *  row to column at level 0. O(levels m^2). ES_ENOMEM. */
es_status es_communities_means(const double *is, const es_communities *found, double *inside,
                               double *between, es_error *err);
/** From the members of `group` to those of every listed one, and back: to, from (listed). Only what
 *  shares no member with it makes sense. O(m size). ES_ENOMEM. */
es_status es_community_means_of(const double *is, const es_communities *found, size_t group,
                                double *to, double *from, es_error *err);

#endif
