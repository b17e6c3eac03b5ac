/* A struct that is too large for a block. */
#include <kith/pool.h>

typedef struct Map {
#ifdef WRONG
    uint8_t cells[(1 << 20) + 1];
#else
    uint8_t cells[1 << 20];
#endif
} Map;
KITH_POOL(map_pool, Map);
