/* Kith: bytes that calls write: differences of snapshots, and saved worlds. */
#ifndef KITH_BYTES_H
#define KITH_BYTES_H

#include <kith/world.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes in memory of a world's allocator. All zero: none. */
typedef struct kith_bytes {
    uint8_t *data;
    uint32_t size;
    uint32_t capacity; /* what `data` has room for */
} kith_bytes;

/* Frees the memory, which is of that world, and makes it all zero. NULL is fine. */
KITH_API void kith_bytes_free(kith_world *world, kith_bytes *bytes);

#ifdef __cplusplus
}
#endif
#endif
