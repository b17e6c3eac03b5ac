/* A struct that cannot be copied as plain bytes. */
#include <kith/pool.h>

struct Counted {
    int count;
#ifdef WRONG
    Counted(const Counted &other) : count(other.count + 1) {}
#else
    Counted(const Counted &other) = default;
#endif
};
KITH_POOL(counted_pool, Counted);
