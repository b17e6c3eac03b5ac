// kith/static.h in C++17: the same calls, braces instead of compound literals.
#include <kith/static.h>

#include <cstdio>
#include <memory>

namespace {

struct Position {
    float x, y;
};

enum class Team : unsigned char { red, blue };

#define ARENA_COMPONENTS(X, W)                                                                     \
    X(W, Position, position)                                                                       \
    X(W, Team, team)                                                                               \
    X(W, int *, score)
KITH_STATIC_WORLD(arena, ARENA_COMPONENTS, 100);

int failures = 0;

void check(bool holds, const char *what)
{
    if (!holds) {
        std::printf("%s does not hold\n", what);
        failures++;
    }
}
#define CHECK(condition) check((condition), #condition)

} // namespace

int main()
{
    const auto world = std::make_unique<arena>();
    CHECK(arena_capacity == 100);
    int score = 3;
    for (int i = 0; i < arena_capacity; i++) {
        kith_entity e = KITH_NONE;
        CHECK(arena_spawn(world.get(), &e) == KITH_OK);
        CHECK(arena_set_position(world.get(), e, {static_cast<float>(i), 1}) == KITH_OK);
        if (i % 4 == 0) {
            CHECK(arena_set_team(world.get(), e, Team::blue) == KITH_OK);
            CHECK(arena_set_score(world.get(), e, &score) == KITH_OK);
        }
    }
    kith_entity one_more = KITH_NONE;
    CHECK(arena_spawn(world.get(), &one_more) == KITH_ERR_LIMIT);
    CHECK(arena_despawn(world.get(), arena_entity_at(world.get(), 8)) == KITH_OK);

    arena_query blue = {};
    blue.with.position = true;
    blue.with.team = true;
    int seen = 0;
    for (arena_iter it = arena_query_iter(world.get(), blue); arena_next(&it);) {
        CHECK(it.slot % 4 == 0 && it.slot != 8);
        CHECK(*arena_get_team_unchecked(world.get(), it.slot) == Team::blue);
        arena_values_position(world.get())[it.slot].y += 1;
        ++**arena_get_mut_score_unchecked(world.get(), it.slot);
        seen++;
    }
    CHECK(seen == 24);
    CHECK(score == 27);
    CHECK(arena_query_count(world.get(), blue) == 24);
    const kith_entity fifth = arena_entity_at(world.get(), 4);
    CHECK(arena_get_position(world.get(), fifth)->y == 2);
    CHECK(arena_remove_team(world.get(), fifth) == KITH_OK);
    CHECK(arena_add_team(world.get(), fifth) == KITH_OK);
    CHECK(*arena_get_team(world.get(), fifth) == Team::red);
    CHECK(arena_check(world.get()) == nullptr);
    return failures == 0 ? 0 : 1;
}
