#ifndef KI_PERSIST_WORLD_SAVE_H
#define KI_PERSIST_WORLD_SAVE_H

#include <kith/bytes.h>

/* kith_world_save, by another name for messages. */
kith_result ki_world_save(kith_world *world, const char *call, kith_bytes *bytes);

#endif
