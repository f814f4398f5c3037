/* Checks shared by the analyses. */
#ifndef ES_CORE_ORDER_CHECK_H
#define ES_CORE_ORDER_CHECK_H

#include <stddef.h>
#include <stdint.h>

#include "embedscope/status.h"

/** ES_EINVAL unless order (m) is NULL or a permutation of 0..m-1. */
es_status es_order_check(const uint32_t *order, size_t m, es_error *err);

#endif
