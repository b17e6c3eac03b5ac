/* Queries that calls make for the program. */
#ifndef KI_WORLD_QUERIES_H
#define KI_WORLD_QUERIES_H

#include <kith/query.h>

/* kith_query_new in the name of another call, which messages have. */
kith_result ki_query_new(kith_world *world, const char *call, const kith_query_def *def,
                         kith_query **query);

#endif
