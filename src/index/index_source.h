/* Indexes as sources: queries find them by themselves. */
#ifndef KI_INDEX_INDEX_SOURCE_H
#define KI_INDEX_INDEX_SOURCE_H

#include "index/frame.h"

/* Lets queries find an index, as soon as it is made; of kinds that serve conditions. */
void ki_index_offer(kith_index *index);

/* The opposite. */
void ki_index_withdraw(kith_index *index);

#endif
