/* In which order entities come, and in which runs. */
#include <kith/kith.h>
#include <stdint.h>
#include <stdio.h>

#include "components.h"
#include "random.h"
#include "test.h"

/* The handles of a query, in order; returns how many. */
static uint32_t visit(kith_query *query, kith_entity *order, uint32_t capacity)
{
    uint32_t count = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        for (uint32_t i = 0; i < it.count; i++) {
            CHECK(count < capacity);
            order[count++] = kith_entities(&it)[i];
        }
    }
    return count;
}

static void check_order(kith_query *query, const kith_entity *expected, uint32_t count)
{
    kith_entity order[64];
    CHECK_UINT(visit(query, order, 64), count);
    for (uint32_t i = 0; i < count; i++) {
        CHECK_SAME(order[i], expected[i]);
    }
}

/* Adds `type` to count entities, in the order of these numbers. */
static void add_in_order(kith_world *world, const kith_type *type, const kith_entity *e,
                         const uint8_t *order, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        CHECK_RESULT(kith_add(world, e[order[i]], type), KITH_OK);
    }
}

/* ---- Tables ---------------------------------------------------------------------------------- */

/* Tables by the names of their types, not by when they or their types came to be. */
TEST(tables_come_in_lexicographic_order)
{
    fixture f = fixture_with_all(KITH_TABLE); /* Extra < Health < Position < Velocity */
    kith_entity pe = KITH_SPAWN(f.world, KITH_VALUE(Extra), KITH_VALUE(Position));
    kith_entity phe =
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Health), KITH_VALUE(Extra));
    kith_entity p = KITH_SPAWN(f.world, KITH_VALUE(Position));
    kith_entity pve =
        KITH_SPAWN(f.world, KITH_VALUE(Extra), KITH_VALUE(Position), KITH_VALUE(Velocity));
    kith_entity h = KITH_SPAWN(f.world, KITH_VALUE(Health));
    kith_entity pv = KITH_SPAWN(f.world, KITH_VALUE(Velocity), KITH_VALUE(Position));
    kith_entity none = kith_spawn_empty(f.world);
    kith_entity ph = KITH_SPAWN(f.world, KITH_VALUE(Health), KITH_VALUE(Position));
    kith_entity ve = KITH_SPAWN(f.world, KITH_VALUE(Velocity), KITH_VALUE(Extra));
    kith_entity pvh =
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity), KITH_VALUE(Health));

    const kith_entity all[] = {none, phe, pe, pve, ve, h, ph, pvh, p, pv};
    kith_query *every = kith_query_new_or_null(f.world, &(const kith_query_def){0});
    check_order(every, all, 10);
    const kith_entity with[] = {phe, pe, pve, ph, pvh, p, pv};
    kith_query *positions = KITH_QUERY(f.world, KITH_READ(Position));
    check_order(positions, with, 7);
    const kith_entity without[] = {phe, pe, ph, p};
    kith_query *still = KITH_QUERY(f.world, KITH_READ(Position), KITH_WITHOUT(Velocity));
    check_order(still, without, 4);
    CHECK_WORLD(f.world);

    /* kith_table_memory goes by the same order. */
    kith_table_stats stats;
    const kith_type *types[4];
    CHECK_RESULT(kith_table_memory(f.world, 0, &stats, types, 4), KITH_OK);
    CHECK_UINT(stats.component_count, 0);
    CHECK_RESULT(kith_table_memory(f.world, 3, &stats, types, 4), KITH_OK);
    CHECK_UINT(stats.component_count, 3);
    CHECK_STR(types[0]->name, "Extra");
    CHECK_STR(types[1]->name, "Position");
    CHECK_STR(types[2]->name, "Velocity");
    fixture_free(&f);
}

/* Lexicographic by sets of bits: the set with the lower type first, a beginning before what goes
 * on. */
static int compare_sets(uint32_t a, uint32_t b)
{
    for (uint32_t type = 0; type < 32; type++) {
        bool in_a = (a >> type & 1) != 0;
        bool in_b = (b >> type & 1) != 0;
        if (in_a != in_b) {
            /* The one without it goes on with a higher type, or has ended. */
            uint32_t rest = (in_a ? b : a) >> type;
            bool ended = rest == 0;
            return in_a == ended ? 1 : -1;
        }
    }
    return 0;
}

/* All subsets of nine types, made in an order of their own. */
TEST(tables_of_many_types_come_in_lexicographic_order)
{
    enum { TYPES = 9, SETS = 1 << TYPES };
    static const kith_type *const by_name[TYPES] = {&Aligned_type,  &Byte_type,   &Extra_type,
                                                    &Health_type,   &Name_type,   &Padded_type,
                                                    &Position_type, &Target_type, &Velocity_type};
    fixture f = fixture_with_all(KITH_TABLE);
    static kith_entity order[SETS];
    static uint32_t set_of[SETS];
    for (uint32_t i = 0; i < SETS; i++) {
        uint32_t set = i * 293 % SETS;
        set_of[i] = set;
        kith_value values[TYPES];
        uint32_t count = 0;
        for (uint32_t type = TYPES; type-- > 0;) {
            if ((set >> type & 1) != 0) {
                values[count++] = (kith_value){by_name[type], NULL};
            }
        }
        CHECK_UINT(kith_spawn_or_none(f.world, values, count).index1, i + 1);
    }
    kith_query *every = kith_query_new_or_null(f.world, &(const kith_query_def){0});
    CHECK_UINT(visit(every, order, SETS), SETS);
    for (uint32_t i = 1; i < SETS; i++) {
        CHECK(compare_sets(set_of[order[i - 1].index1 - 1], set_of[order[i].index1 - 1]) < 0);
    }
    fixture_free(&f);
}

/* A table that goes and comes again is where it was; so is one that came while others went. */
TEST(tables_keep_their_order_over_reclaim)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_entity pe = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Extra));
    kith_entity pv = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    kith_entity ph = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Health));
    check_order(query, (kith_entity[]){pe, ph, pv}, 3);

    CHECK_RESULT(kith_despawn(f.world, pv), KITH_OK);
    kith_world_trim(f.world);
    CHECK_WORLD(f.world);
    check_order(query, (kith_entity[]){pe, ph}, 2);
    kith_entity pb = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Byte));
    pv = KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    check_order(query, (kith_entity[]){pb, pe, ph, pv}, 4);
    fixture_free(&f);
}

/* Within a table, rows; the last fills the hole. */
TEST(rows_come_in_their_order)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
    }
    check_order(query, e, 6);
    CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
    check_order(query, (kith_entity[]){e[0], e[5], e[2], e[3], e[4]}, 5);
    CHECK_RESULT(KITH_ADD(f.world, e[5], Byte), KITH_OK);
    check_order(query, (kith_entity[]){e[5], e[0], e[4], e[2], e[3]}, 5);
    CHECK_RESULT(KITH_REMOVE(f.world, e[5], Byte), KITH_OK);
    check_order(query, (kith_entity[]){e[0], e[4], e[2], e[3], e[5]}, 5);
    fixture_free(&f);
}

/* ---- Sparse sets and slots ------------------------------------------------------------------- */

TEST(sparse_sets_come_in_the_order_of_their_values)
{
    fixture f = fixture_with_all(KITH_SPARSE);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_entity e[5];
    CHECK_RESULT(kith_spawn_many(f.world, 5, NULL, 0, e), KITH_OK);
    static const int order[] = {3, 0, 4, 2, 1};
    for (int i = 0; i < 5; i++) {
        CHECK_RESULT(KITH_SET(f.world, e[order[i]], Position, {(float)i, 0}), KITH_OK);
    }
    check_order(query, (kith_entity[]){e[3], e[0], e[4], e[2], e[1]}, 5);
    CHECK_RESULT(KITH_REMOVE(f.world, e[0], Position), KITH_OK);
    check_order(query, (kith_entity[]){e[3], e[1], e[4], e[2]}, 4);
    CHECK_RESULT(kith_despawn(f.world, e[2]), KITH_OK);
    check_order(query, (kith_entity[]){e[3], e[1], e[4]}, 3);
    fixture_free(&f);
}

TEST(slots_come_in_the_order_of_the_entities_slots)
{
    fixture f = fixture_with_all(KITH_SLOT);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    kith_query *frozen = KITH_QUERY(f.world, KITH_WITH(Frozen));
    kith_entity e[200];
    CHECK_RESULT(kith_spawn_many(f.world, 200, NULL, 0, e), KITH_OK);
    static const int order[] = {130, 0, 199, 64, 63, 1, 128};
    for (int i = 0; i < 7; i++) {
        CHECK_RESULT(KITH_SET(f.world, e[order[i]], Position, {(float)i, 0}), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e[order[i]], Frozen), KITH_OK);
    }
    const kith_entity expected[] = {e[0], e[1], e[63], e[64], e[128], e[130], e[199]};
    check_order(query, expected, 7);
    check_order(frozen, expected, 7);
    fixture_free(&f);
}

/* The same calls give the same order, with tables made and dropped in between or not. */
TEST(the_same_state_gives_the_same_order)
{
    enum { COUNT = 60 };
    for (uint64_t seed = 0; seed < 20; seed++) {
        fixture f = fixture_new();
        fixture g = fixture_new();
        register_mixed(f.world, seed);
        register_mixed(g.world, seed);
        for (int side = 0; side < 2; side++) {
            kith_world *w = side == 0 ? f.world : g.world;
            uint64_t random = seed + 100;
            kith_entity e[COUNT];
            CHECK_RESULT(kith_spawn_many(w, COUNT, NULL, 0, e), KITH_OK);
            for (int step = 0; step < 500; step++) {
                kith_entity who = e[random_below(&random, COUNT)];
                const kith_type *type = component_types[random_below(&random, 4)];
                if (kith_has(w, who, type)) {
                    CHECK_RESULT(kith_remove(w, who, type), KITH_OK);
                } else {
                    CHECK_RESULT(kith_add(w, who, type), KITH_OK);
                }
                if (side == 0 && step % 50 == 0) {
                    kith_entity passing = KITH_SPAWN(w, KITH_VALUE(Position), KITH_VALUE(Padded));
                    CHECK_RESULT(kith_despawn(w, passing), KITH_OK);
                    kith_world_trim(w);
                    CHECK_WORLD(w);
                } else if (side == 1 && step % 50 == 0) {
                    CHECK_RESULT(kith_despawn(w, kith_spawn_empty(w)), KITH_OK);
                }
            }
        }
        kith_query *a = KITH_QUERY(f.world, KITH_WITH(Position), KITH_OPTIONAL(Extra));
        kith_query *b = KITH_QUERY(g.world, KITH_WITH(Position), KITH_OPTIONAL(Extra));
        kith_entity one[COUNT];
        kith_entity other[COUNT];
        uint32_t count = visit(a, one, COUNT);
        CHECK_UINT(visit(b, other, COUNT), count);
        for (uint32_t i = 0; i < count; i++) {
            CHECK_SAME(one[i], other[i]);
        }
        CHECK_UINT(kith_world_hash(f.world), kith_world_hash(g.world));
        fixture_free(&g);
        fixture_free(&f);
    }
}

/* Registers the types from the first to the last, or back, with layouts that begin with `layout` and
 * stay the same or change from type to type. */
static void register_in_turn(kith_world *world, kith_layout layout, bool mixed, bool back)
{
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        uint32_t number = back ? COMPONENT_COUNT - 1 - i : i;
        uint32_t turn = mixed ? number : 0;
        const kith_component_def def = {
            .layout = (kith_layout)(((uint32_t)layout + turn) % LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(world, component_types[number], &def), KITH_OK);
    }
}

/* Makes entities with any components, changes and ends some of them. */
static void play_a_game(kith_world *world, uint64_t seed)
{
    enum { COUNT = 80 };
    kith_entity e[COUNT];
    CHECK_RESULT(kith_spawn_many(world, COUNT, NULL, 0, e), KITH_OK);
    for (uint32_t step = 0; step < 600; step++) {
        kith_entity chosen = e[random_below(&seed, COUNT)];
        const kith_type *type = component_types[random_below(&seed, COMPONENT_COUNT)];
        if (!kith_alive(world, chosen)) {
            continue;
        }
        if (random_below(&seed, 60) == 0) {
            CHECK_RESULT(kith_despawn(world, chosen), KITH_OK);
        } else if (kith_has(world, chosen, type)) {
            CHECK_RESULT(kith_remove(world, chosen, type), KITH_OK);
        } else {
            CHECK_RESULT(kith_add(world, chosen, type), KITH_OK);
        }
    }
}

/* All that shows an order is the same in two worlds. */
static void check_same_order(kith_world *one, kith_world *other)
{
    const kith_term terms[][4] = {{KITH_WITH(Position), KITH_OPTIONAL(Extra), KITH_OPTIONAL(Big)},
                                  {KITH_READ(Velocity), KITH_READ(Byte), KITH_WITHOUT(Frozen)},
                                  {KITH_ANY_OF(Name, 1), KITH_ANY_OF(Health, 1), KITH_WITHOUT(Big)},
                                  {KITH_OPTIONAL(Name), KITH_OPTIONAL(Big), KITH_WITHOUT(Burning)}};
    for (uint32_t i = 0; i < 4; i++) {
        const kith_query_def def = {.terms = terms[i]};
        kith_query *queries[2] = {kith_query_new_or_null(one, &def),
                                  kith_query_new_or_null(other, &def)};
        kith_entity orders[2][100];
        uint32_t count = visit(queries[0], orders[0], 100);
        CHECK(count > 0);
        CHECK_UINT(visit(queries[1], orders[1], 100), count);
        for (uint32_t k = 0; k < count; k++) {
            CHECK_SAME(orders[1][k], orders[0][k]);
        }
        CHECK_SAME(kith_query_first(queries[0]), orders[0][0]);
        CHECK_SAME(kith_query_first(queries[1]), orders[0][0]);
    }
    kith_table_stats stats[2];
    const kith_type *types[2][COMPONENT_COUNT];
    uint32_t index = 0;
    while (kith_table_memory(one, index, &stats[0], types[0], COMPONENT_COUNT) == KITH_OK) {
        CHECK_RESULT(kith_table_memory(other, index, &stats[1], types[1], COMPONENT_COUNT),
                     KITH_OK);
        CHECK_UINT(stats[1].component_count, stats[0].component_count);
        for (uint32_t i = 0; i < stats[0].component_count; i++) {
            CHECK_STR(types[1][i]->name, types[0][i]->name);
        }
        index++;
    }
    CHECK_RESULT(kith_table_memory(other, index, &stats[1], NULL, 0), KITH_ERR_UNKNOWN);
    CHECK_UINT(kith_world_hash(other), kith_world_hash(one));
    CHECK_UINT(kith_content_hash(other), kith_content_hash(one));
}

/* It does not matter in which order types were registered, nor whether some were that nothing has. */
TEST_EACH_LAYOUT(the_order_of_registration_does_not_matter, layout)
{
    static uint32_t number;
    static const kith_type unused = {"A", 0, 1, 0, 0, NULL, &number, KITH_TABLE, false, false, 0};
    for (uint64_t seed = 0; seed < 10; seed++) {
        fixture f = fixture_new();
        fixture g = fixture_new();
        register_in_turn(f.world, layout, seed % 2 != 0, false);
        CHECK_RESULT(kith_register(g.world, &unused, &(kith_component_def){.layout = layout}),
                     KITH_OK);
        CHECK_RESULT(kith_event_register(g.world, &unused, NULL), KITH_OK);
        register_in_turn(g.world, layout, seed % 2 != 0, true);
        play_a_game(f.world, seed);
        play_a_game(g.world, seed);
        check_same_order(f.world, g.world);
        fixture_free(&g);
        fixture_free(&f);
    }
}

/* ---- Drivers --------------------------------------------------------------------------------- */

/* Four entities with Positions in their order and Velocities in the reverse one. */
static fixture up_and_down(kith_entity e[4])
{
    fixture f = fixture_with_all(KITH_SPARSE);
    CHECK_RESULT(kith_spawn_many(f.world, 4, NULL, 0, e), KITH_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_RESULT(KITH_ADD(f.world, e[i], Position), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e[3 - i], Velocity), KITH_OK);
    }
    return f;
}

/* The smallest required storage drives; of equals, the term that is named first. */
TEST(the_smallest_drives)
{
    kith_entity e[4];
    fixture f = up_and_down(e);
    kith_query *pv = KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity));
    kith_query *vp = KITH_QUERY(f.world, KITH_READ(Velocity), KITH_READ(Position));
    const kith_entity up[] = {e[0], e[1], e[2], e[3]};
    const kith_entity down[] = {e[3], e[2], e[1], e[0]};
    check_order(pv, up, 4);
    check_order(vp, down, 4);

    /* One more Position that has no Velocity: now Velocity is the smaller. */
    kith_entity more = KITH_SPAWN(f.world, KITH_VALUE(Position));
    check_order(pv, down, 4);
    check_order(vp, down, 4);
    CHECK_RESULT(kith_despawn(f.world, more), KITH_OK);
    check_order(pv, up, 4);
    fixture_free(&f);
}

/* Also between storages of different layouts, each of which has an order of its own. */
TEST(of_equal_storages_the_earlier_term_drives)
{
    static const uint8_t orders[LAYOUT_COUNT][4] = {
        [KITH_TABLE] = {2, 0, 3, 1}, [KITH_SPARSE] = {3, 1, 0, 2}, [KITH_SLOT] = {0, 1, 2, 3}};
    for (int pair = 0; pair < LAYOUT_COUNT * LAYOUT_COUNT; pair++) {
        const int layouts[2] = {pair / LAYOUT_COUNT, pair % LAYOUT_COUNT};
        char note[32];
        snprintf(note, sizeof(note), "%s, %s", layout_name((kith_layout)layouts[0]),
                 layout_name((kith_layout)layouts[1]));
        test_note(note);
        fixture f = fixture_new();
        const kith_component_def first = {.layout = (kith_layout)layouts[0]};
        const kith_component_def second = {.layout = (kith_layout)layouts[1]};
        CHECK_RESULT(kith_register(f.world, &Position_type, &first), KITH_OK);
        CHECK_RESULT(kith_register(f.world, &Velocity_type, &second), KITH_OK);
        kith_entity e[4];
        CHECK_RESULT(kith_spawn_many(f.world, 4, NULL, 0, e), KITH_OK);
        add_in_order(f.world, &Position_type, e, orders[layouts[0]], 4);
        add_in_order(f.world, &Velocity_type, e, orders[layouts[1]], 4);
        kith_query *queries[2] = {KITH_QUERY(f.world, KITH_READ(Position), KITH_READ(Velocity)),
                                  KITH_QUERY(f.world, KITH_READ(Velocity), KITH_READ(Position))};
        for (int k = 0; k < 2; k++) {
            kith_entity expected[4];
            for (int i = 0; i < 4; i++) {
                expected[i] = e[orders[layouts[k]][i]];
            }
            check_order(queries[k], expected, 4);
        }
        fixture_free(&f);
    }
    test_note(NULL);
}

/* A storage that is not required never drives, however small. */
TEST(only_required_terms_drive)
{
    fixture f = fixture_with_all(KITH_SPARSE);
    kith_entity e[4];
    CHECK_RESULT(kith_spawn_many(f.world, 4, NULL, 0, e), KITH_OK);
    for (int i = 0; i < 4; i++) {
        CHECK_RESULT(KITH_ADD(f.world, e[i], Position), KITH_OK);
    }
    CHECK_RESULT(KITH_ADD(f.world, e[2], Velocity), KITH_OK);
    CHECK_RESULT(KITH_ADD(f.world, e[1], Frozen), KITH_OK);
    kith_query *query =
        KITH_QUERY(f.world, KITH_OPTIONAL(Velocity), KITH_READ(Position), KITH_WITHOUT(Frozen));
    check_order(query, (kith_entity[]){e[0], e[2], e[3]}, 3);
    kith_query *either = KITH_QUERY(f.world, KITH_ANY_OF(Velocity, 0), KITH_ANY_OF(Frozen, 0));
    CHECK_UINT(kith_query_count(either), 2);
    fixture_free(&f);
}

/* A pinned driver drives though it is the larger, and its order holds. */
TEST(a_pinned_driver_drives)
{
    fixture f = fixture_new();
    const kith_component_def sparse = {.layout = KITH_SPARSE};
    const kith_component_def slot = {.layout = KITH_SLOT};
    CHECK_RESULT(kith_register(f.world, &Position_type, &sparse), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Velocity_type, &slot), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Health_type, NULL), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &Byte_type, NULL), KITH_OK);
    kith_entity e[6];
    for (int i = 0; i < 6; i++) {
        e[i] = i % 2 == 0 ? KITH_SPAWN(f.world, KITH_VALUE(Health), KITH_VALUE(Byte))
                          : KITH_SPAWN(f.world, KITH_VALUE(Health));
    }
    static const uint8_t order[] = {5, 2, 0, 3, 1, 4};
    add_in_order(f.world, &Position_type, e, order, 6);
    add_in_order(f.world, &Velocity_type, e, order, 6);
    /* The others are larger. */
    for (int i = 0; i < 3; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    }
    const kith_term terms[] = {KITH_READ(Position), KITH_READ(Velocity), KITH_READ(Health), {0}};
    kith_query_def def = {.terms = terms};
    const kith_entity by_table[] = {e[0], e[2], e[4], e[1], e[3], e[5]};
    const kith_entity by_set[] = {e[5], e[2], e[0], e[3], e[1], e[4]};
    const struct {
        const char *name;
        const kith_type *driver;
        const kith_entity *order;
    } cases[] = {{"none", NULL, by_table},
                 {"a sparse set", &Position_type, by_set},
                 {"slots", &Velocity_type, e},
                 {"tables", &Health_type, by_table}};
    for (size_t i = 0; test_row(i, ROWS_OF(cases)); i++) {
        test_note(cases[i].name);
        def.driver = cases[i].driver;
        check_order(kith_query_new_or_null(f.world, &def), cases[i].order, 6);
    }
    fixture_free(&f);
}

/* What must have changed must be there, so it may drive. */
TEST(a_term_that_must_have_changed_may_drive)
{
    kith_entity e[4];
    fixture f = up_and_down(e);
    const kith_type *const types[] = {&Position_type, &Velocity_type};
    const kith_entity orders[2][4] = {{e[0], e[1], e[2], e[3]}, {e[3], e[2], e[1], e[0]}};
    for (int changed = 0; changed < 2; changed++) {
        for (int driver = 0; driver < 2; driver++) {
            const kith_term terms[] = {
                {types[changed], KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL},
                {types[1 - changed], KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                {0}};
            const kith_query_def def = {.terms = terms, .driver = types[driver]};
            char note[64];
            snprintf(note, sizeof(note), "%s changed, %s drives", types[changed]->name,
                     types[driver]->name);
            test_note(note);
            kith_query *query;
            CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_OK);
            check_order(query, orders[driver], 4);
            check_order(query, orders[driver], 0);
        }
    }
    test_note(NULL);
    const kith_term may[] = {KITH_OPTIONAL(Position), KITH_READ(Velocity), {0}};
    kith_query *query;
    const kith_query_def def = {.terms = may, .driver = &Position_type};
    CHECK_RESULT(kith_query_new(f.world, &def, &query), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "the driver 'Position' is not the type of a term");
    fixture_free(&f);
}

/* ---- New tables ------------------------------------------------------------------------------ */

TEST_EACH_LAYOUT(tables_that_come_later_are_seen, layout)
{
    fixture f = fixture_with_all(layout);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position), KITH_WITHOUT(Frozen));
    CHECK_UINT(kith_query_count(query), 0);
    uint32_t expected = 0;
    for (uint32_t mask = 0; mask < 64; mask++) {
        kith_entity e = kith_spawn_empty(f.world);
        static const kith_type *const some[] = {&Position_type, &Velocity_type, &Frozen_type,
                                                &Byte_type,     &Burning_type,  &Extra_type};
        for (int i = 0; i < 6; i++) {
            if ((mask >> i & 1) != 0) {
                CHECK_RESULT(kith_add(f.world, e, some[i]), KITH_OK);
            }
        }
        bool matches = (mask & 1) != 0 && (mask >> 2 & 1) == 0;
        expected += matches;
        CHECK(kith_query_contains(query, e) == matches);
        CHECK_UINT(kith_query_count(query), expected);
        uint32_t seen = 0;
        for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
            seen += it.count;
        }
        CHECK_UINT(seen, expected);
        if (mask % 16 == 7) {
            kith_world_trim(f.world);
            CHECK_WORLD(f.world);
        }
    }
    fixture_free(&f);
}

/* A type that is registered after the query was made changes nothing for it. */
TEST_EACH_LAYOUT(types_that_come_later, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    CHECK_RESULT(kith_register(f.world, &Velocity_type, &def), KITH_OK);
    KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Velocity));
    CHECK_UINT(kith_query_count(query), 2);
    fixture_free(&f);
}
