/* A list of another kind, one that is too long, and a type that is misspelt in one. */
#include "types.h"

void run(kith_iter *it);
kith_result add(kith_world *world);
kith_result add(kith_world *world)
{
#if WRONG == 1 /* says: Positon_type */
    const kith_system_def def = {.name = "a"};
    KITH_SYSTEM(world, run, KITH_READ(Positon));
#elif WRONG == 2 /* says: Positon_type */
    const kith_system_def def = {
        .name = "a", .run = run, .lookups = KITH_TERMS(KITH_READ(Positon))};
#elif WRONG == 3 /* says: incompatible */
    const kith_system_def def = {
        .name = "a", .run = run, .lookups = &(const kith_query_def){.name = "all"}};
#elif WRONG == 4 /* says: excess elements in array initializer */
    const kith_query_def q = {.name = "all"};
    const kith_system_def def = {.name = "a",
                                 .run = run,
                                 .queries = {q, q, q, q, q, q, q, q, q, q, q, q, q, q, q, q, q}};
#else
    KITH_SYSTEM(world, run);
    KITH_QUERY(world);
    const kith_system_def def = {
        .name = "a", .run = run, .lookups = KITH_TERMS(KITH_READ(Position))};
#endif
    return kith_system_add(world, &def);
}
