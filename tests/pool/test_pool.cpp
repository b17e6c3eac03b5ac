/* kith/pool.h as C++17: the same pools, in a namespace, with initialisers of C++. */
#include <kith/pool.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            std::fprintf(stderr, "%s:%d: %s does not hold\n", __FILE__, __LINE__, #condition);     \
            std::exit(1);                                                                          \
        }                                                                                          \
    } while (false)

namespace game {

struct alignas(32) Missile {
    float x, y;
    int fuel = 3;
};
KITH_POOL(missiles, Missile);
KITH_POOL(sparks, Missile, plain);

}   // namespace game

static void test_ids_with_generations()
{
    game::missiles *pool = game::missiles_new(nullptr);
    const game::Missile first{1, 2};
    game::missiles_id a = missiles_create(pool, &first);
    CHECK(!game::missiles_is_none(a) && missiles_alive(pool, a));
    CHECK(missiles_get(pool, a)->fuel == 3);
    missiles_get_mut(pool, a)->fuel = 7;
    CHECK(reinterpret_cast<std::uintptr_t>(missiles_get(pool, a)) % 32 == 0);
    CHECK(missiles_kill(pool, a) == KITH_OK);
    CHECK(missiles_get(pool, a) == nullptr && missiles_kill(pool, a) == KITH_ERR_DEAD);
    game::missiles_id b = {};
    CHECK(missiles_try_create(pool, nullptr, &b) == KITH_OK);
    CHECK(b.raw.index1 == a.raw.index1 && !game::missiles_same(a, b));
    CHECK(missiles_get(pool, b)->fuel == 0);
    int visited = 0;
    for (game::missiles_id e = {}; missiles_next_mut(pool, &e) != nullptr;) {
        visited++;
    }
    CHECK(visited == 1 && missiles_count(pool) == 1);
    CHECK(missiles_reserve(pool, 100) == KITH_OK && missiles_check(pool, nullptr) == KITH_OK);
    missiles_clear(pool);
    CHECK(missiles_memory(pool).alive == 0);
    missiles_free(pool);
}

static void test_plain_ids()
{
    game::sparks *pool = game::sparks_new(nullptr);
    game::sparks_id a = sparks_create(pool, nullptr);
    CHECK(a.index1 == 1 && sparks_get(pool, a) != nullptr);
    game::sparks_id e = {};
    CHECK(sparks_next(pool, &e) == sparks_get(pool, a) && game::sparks_same(a, e));
    CHECK(sparks_kill(pool, a) == KITH_OK && sparks_get(pool, a) == nullptr);
    sparks_free(pool);
}

int main()
{
    test_ids_with_generations();
    test_plain_ids();
    return 0;
}
