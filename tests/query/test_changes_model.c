/* Queries that look for what may have changed, over random changes: beside what each of them has seen of
 * each entity, none misses one; and what counts exactly is told only if it did change. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

enum { SLOTS = 400, WATCHERS = 4 };

/* What a query has seen of each entity. */
typedef struct watcher {
    kith_query *query;
    const kith_type *type;
    bool has[SLOTS];
    kith_entity entity[SLOTS];
    uint32_t losses[SLOTS];
    float x[SLOTS];
} watcher;

typedef struct watched {
    fixture f;
    kith_world *world;
    uint64_t random;
    bool exact; /* for Position, whose changes are values, and losses */
    kith_entity e[SLOTS];
    uint32_t losses[SLOTS]; /* how often Position was taken away */
    watcher watchers[WATCHERS];
} watched;

static float first_float(const watched *w, kith_entity entity, const kith_type *type)
{
    const float *value = kith_get(w->world, entity, type);
    return *value;
}

static bool matches(const watched *w, const watcher *by, kith_entity entity)
{
    return kith_has(w->world, entity, by->type) && !KITH_HAS(w->world, entity, Burning);
}

static void check_watcher(watched *w, watcher *by)
{
    static kith_entity visited[2 * SLOTS]; /* by index1 */
    memset(visited, 0, sizeof(visited));
    bool rows = random_next(&w->random) % 2 == 0;
    for (kith_iter it = kith_query_iter(by->query); rows ? kith_next_rows(&it) : kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            kith_entity entity = kith_entities(&it)[i];
            CHECK(matches(w, by, entity));
            CHECK(entity.index1 < 2 * SLOTS);
            visited[entity.index1] = entity;
        }
    }
    for (uint32_t k = 0; k < SLOTS; k++) {
        bool has = matches(w, by, w->e[k]);
        bool was_visited = has && kith_entity_equal(visited[w->e[k].index1], w->e[k]);
        if (has && !was_visited) {
            /* It was so before; a filter that lets it through now is no change. */
            CHECK(!by->has[k] || kith_entity_equal(by->entity[k], w->e[k]));
            CHECK(!by->has[k] || by->x[k] == first_float(w, w->e[k], by->type));
        }
        if (has && w->exact && by->type == &Position_type) {
            bool changed = !by->has[k] || !kith_entity_equal(by->entity[k], w->e[k]) ||
                           by->losses[k] != w->losses[k] ||
                           by->x[k] != first_float(w, w->e[k], by->type);
            CHECK_INT(was_visited, changed);
        }
        by->has[k] = has;
        by->entity[k] = w->e[k];
        by->losses[k] = w->losses[k];
        by->x[k] = has ? first_float(w, w->e[k], by->type) : 0;
    }
}

static void change_something(watched *w)
{
    uint32_t k = random_below(&w->random, SLOTS);
    float x = (float)random_below(&w->random, 1000);
    switch (random_below(&w->random, 11)) {
    case 0: kith_despawn(w->world, w->e[k]); break;
    case 1:
        kith_despawn(w->world, w->e[k]);
        w->e[k] = KITH_SPAWN(w->world, KITH_VALUE(Position, {x, 0}));
        break;
    case 2: KITH_SET(w->world, w->e[k], Velocity, {x, 0}); break;
    case 3: KITH_SET(w->world, w->e[k], Extra, {x, 0, 0}); break;
    case 4: KITH_REMOVE(w->world, w->e[k], Velocity); break;
    case 5: KITH_ADD(w->world, w->e[k], Frozen); break;
    case 6: KITH_REMOVE(w->world, w->e[k], Frozen); break;
    case 7: kith_world_trim(w->world); break;
    case 8: w->losses[k] += KITH_REMOVE(w->world, w->e[k], Position) == KITH_OK; break;
    case 9: KITH_SET(w->world, w->e[k], Position, {(float)(k % 3), 0}); break;
    default: {
        Position *position = KITH_GET_MUT(w->world, w->e[k], Position);
        if (position != NULL) {
            position->x = x;
        }
    }
    }
}

static void watch(uint64_t seed)
{
    static const kith_type *const types[] = {&Position_type, &Velocity_type, &Extra_type};
    static watched w;
    memset(&w, 0, sizeof(w));
    w.f = fixture_new();
    w.world = w.f.world;
    w.random = seed;
    register_mixed(w.world, seed);
    kith_layout layout;
    CHECK_RESULT(kith_layout_of(w.world, &Position_type, &layout), KITH_OK);
    w.exact = seed % 2 == 1;
    if (w.exact) {
        CHECK_RESULT(kith_register(w.world, &Position_type,
                                   &(kith_component_def){.layout = layout, .exact_changes = true}),
                     KITH_OK);
    }
    for (uint32_t k = 0; k < SLOTS; k++) {
        w.e[k] = KITH_SPAWN(w.world, KITH_VALUE(Position, {(float)k, 0}));
    }
    for (uint32_t i = 0; i < WATCHERS; i++) {
        w.watchers[i].type = types[i % 3];
        const kith_term terms[] = {
            {w.watchers[i].type, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL},
            KITH_WITHOUT(Burning),
            {types[(i + 1) % 3], KITH_ACCESS_READ, KITH_MAY, 0, NULL},
            {0}};
        const kith_term two[] = {terms[0], terms[1], {0}};
        CHECK_RESULT(kith_query_new(w.world, &(kith_query_def){.terms = i == 3 ? two : terms},
                                    &w.watchers[i].query),
                     KITH_OK);
    }
    for (uint32_t step = 0; step < 400; step++) {
        for (uint32_t i = random_below(&w.random, 6); i > 0; i--) {
            change_something(&w);
        }
        check_watcher(&w, &w.watchers[random_below(&w.random, WATCHERS)]);
        CHECK_WORLD(w.world);
    }
    fixture_free(&w.f);
}

TEST_WITHIN(20, no_change_is_missed)
{
    static char note[32];
    test_note(note);
    for (uint64_t seed = 1; seed <= (test_long() ? 500 : 20); seed++) {
        snprintf(note, sizeof(note), "seed %u", (unsigned)seed);
        watch(seed);
    }
    test_note(NULL);
}
