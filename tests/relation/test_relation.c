/* Relations of single entities: what links, what unlinks, and what is refused. */
#include "links.h"

TEST_EACH_LAYOUT(a_source_has_a_target_which_knows_its_sources, layout)
{
    fixture f = links_world(layout);
    kith_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = kith_spawn_empty(f.world);
    }
    CHECK_SAME(kith_target(f.world, e[0], &Follows_type), KITH_NONE);
    CHECK_RESULT(KITH_SET(f.world, e[1], Follows, {e[0], 2}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[3], Follows, {e[0], 3}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[2], Follows, {e[0], 4}), KITH_OK);
    CHECK_SOURCES(f.world, e[0], Follows, e[1], e[3], e[2]);
    CHECK_FLOAT(KITH_GET(f.world, e[3], Follows)->distance, 3);
    CHECK_WORLD(f.world);

    CHECK_RESULT(KITH_SET(f.world, e[3], Follows, {e[0], 9}), KITH_OK); /* keeps its place */
    CHECK_SOURCES(f.world, e[0], Follows, e[1], e[3], e[2]);
    CHECK_FLOAT(KITH_GET(f.world, e[3], Follows)->distance, 9);

    CHECK_RESULT(KITH_SET(f.world, e[1], Follows, {e[3], 0}), KITH_OK);
    CHECK_SOURCES(f.world, e[0], Follows, e[3], e[2]);
    CHECK_SOURCES(f.world, e[3], Follows, e[1]);
    CHECK_RESULT(KITH_SET(f.world, e[1], Follows, {e[0], 0}), KITH_OK);
    CHECK_SOURCES(f.world, e[0], Follows, e[3], e[2], e[1]);
    CHECK_RESULT(KITH_REMOVE(f.world, e[2], Follows), KITH_OK);
    CHECK_SOURCES(f.world, e[0], Follows, e[3], e[1]);
    CHECK_RESULT(KITH_REMOVE(f.world, e[2], Follows), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_remove_all(f.world, e[3]), KITH_OK);
    CHECK_SOURCES(f.world, e[0], Follows, e[1]);
    CHECK_RESULT(kith_despawn(f.world, e[1]), KITH_OK);
    CHECK_SOURCES(f.world, e[0], Follows, KITH_NONE);
    fixture_free(&f);
}

/* Entities that may be their own target, and a target that is a source of another relation too. */
TEST_EACH_LAYOUT(relations_do_not_mix, layout)
{
    fixture f = links_world(layout);
    kith_entity a = kith_spawn_empty(f.world);
    kith_entity b = kith_spawn_empty(f.world);
    CHECK_RESULT(KITH_SET(f.world, a, Follows, {a, 0}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, b, Follows, {a, 0}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, a, Owns, {b}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, b, Owns, {a}), KITH_OK);
    CHECK_SOURCES(f.world, a, Follows, a, b);
    CHECK_SOURCES(f.world, a, Owns, b);
    CHECK_SOURCES(f.world, b, Owns, a);
    CHECK_WORLD(f.world);
    CHECK_RESULT(kith_despawn(f.world, b), KITH_OK); /* each owns the other */
    CHECK_UINT(kith_entity_count(f.world), 0);
    fixture_free(&f);
}

/* Whatever writes the value of a relation. */
TEST_EACH_LAYOUT(all_that_writes_values_links, layout)
{
    fixture f = links_world(layout);
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity b = kith_spawn_empty(f.world);
    kith_entity c = KITH_SPAWN(f.world, KITH_VALUE(Position, {3, 4}), KITH_VALUE(Follows, {a, 1}));
    CHECK_SOURCES(f.world, a, Follows, c);
    kith_entity made[3];
    const Follows each[3] = {{a, 1}, {b, 2}, {a, 3}};
    CHECK_RESULT(
        kith_spawn_many(f.world, 3,
                        (kith_values[]){KITH_VALUES(Follows, each), KITH_VALUE(Position, {5, 6})},
                        2, made),
        KITH_OK);
    CHECK_SOURCES(f.world, a, Follows, c, made[0], made[2]);
    CHECK_SOURCES(f.world, b, Follows, made[1]);
    CHECK_RESULT(kith_despawn(f.world, made[0]), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, made[2]), KITH_OK);
    kith_entity again[4]; /* two of them in slots that were used, in the order of those */
    CHECK_RESULT(
        kith_spawn_many(f.world, 4, (kith_values[]){KITH_VALUE(Follows, {b, 1})}, 1, again),
        KITH_OK);
    CHECK_SOURCES(f.world, b, Follows, made[1], again[0], again[1], again[2], again[3]);
    kith_entity clone = KITH_CLONE(f.world, c);
    CHECK_SOURCES(f.world, a, Follows, c, clone);
    CHECK_FLOAT(KITH_GET(f.world, clone, Follows)->distance, 1);
    CHECK_RESULT(kith_set_field(f.world, c, &Follows_type, "target", KITH_ENTITY, &b, sizeof(b)),
                 KITH_OK);
    CHECK_SOURCES(f.world, a, Follows, clone);
    CHECK_RESULT(KITH_SET_VALUES(f.world, a, KITH_VALUE(Follows, {b, 7}), KITH_VALUE(Owns, {b}),
                                 KITH_VALUE(Health, {1, 2})),
                 KITH_OK);
    CHECK_SAME(kith_source_last(f.world, b, &Follows_type), a);
    CHECK_SOURCES(f.world, b, Owns, a);
    CHECK_RESULT(kith_set_bytes(f.world, b, &Owns_type, &(Owns){c}, sizeof(Owns)), KITH_OK);
    CHECK_SOURCES(f.world, c, Owns, b);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A target that is not alive is refused by each of these, and nothing changes. */
TEST_EACH_LAYOUT(the_dead_are_no_targets, layout)
{
    fixture f = links_world(layout);
    kith_entity dead = kith_spawn_empty(f.world);
    kith_entity a = kith_spawn_empty(f.world);
    kith_entity b = kith_spawn_empty(f.world);
    CHECK_RESULT(kith_despawn(f.world, dead), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, a, Follows, {b, 1}), KITH_OK);
    const uint64_t hash = kith_world_hash(f.world);
    const kith_entity next = {dead.index1, dead.generation + 1}; /* what is spawned next */
    const kith_entity nobodies[] = {KITH_NONE, dead, next, {1000, 0}};
    for (size_t i = 0; test_row(i, ROWS_OF(nobodies)); i++) {
        const kith_entity n = nobodies[i];
        kith_entity made;
        CHECK_RESULT(KITH_SET(f.world, a, Follows, {n, 0}), KITH_ERR_DEAD);
        CHECK_CONTAINS(kith_error(f.world), "cannot have");
        CHECK_CONTAINS(kith_error(f.world), "as the target of Follows: ");
        CHECK_CONTAINS(kith_error(f.world), kith_is_none(n)
                                                ? "give it a living entity, or remove it"
                                                : "it is not alive");
        CHECK_RESULT(KITH_SET(f.world, b, Follows, {n, 0}), KITH_ERR_DEAD);
        CHECK(kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Follows, {n, 0}))));
        CHECK_RESULT(
            kith_spawn_many(f.world, 2, (kith_values[]){KITH_VALUE(Follows, {n, 0})}, 1, &made),
            KITH_ERR_DEAD);
        CHECK_RESULT(
            kith_set_field(f.world, a, &Follows_type, "target", KITH_ENTITY, &n, sizeof(n)),
            KITH_ERR_DEAD);
        CHECK_RESULT(
            KITH_SET_VALUES(f.world, b, KITH_VALUE(Owns, {a}), KITH_VALUE(Follows, {n, 0})),
            KITH_ERR_DEAD);
        CHECK_UINT(kith_world_hash(f.world), hash);
        CHECK_WORLD(f.world);
    }
    CHECK_RESULT(KITH_ADD(f.world, b, Follows), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_ADD(f.world, a, Follows), KITH_OK); /* it is there */
    CHECK_UINT(kith_world_hash(f.world), hash);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(what_would_make_a_circle_is_refused, layout)
{
    fixture f = links_world(layout);
    kith_entity e[5];
    for (uint32_t i = 0; i < 5; i++) {
        e[i] = kith_spawn_empty(f.world);
    }
    for (uint32_t i = 1; i < 5; i++) {
        CHECK_RESULT(KITH_SET(f.world, e[i], PartOf, {e[i - 1]}), KITH_OK);
    }
    const uint64_t hash = kith_world_hash(f.world);
    for (uint32_t i = 0; i < 5; i++) {
        CHECK_RESULT(KITH_SET(f.world, e[0], PartOf, {e[i]}), KITH_ERR_CYCLE);
        CHECK_CONTAINS(kith_error(f.world), "PartOf");
        CHECK_CONTAINS(kith_error(f.world), kith_entity_to_text(e[i]).text);
    }
    CHECK_RESULT(KITH_SET(f.world, e[2], PartOf, {e[4]}), KITH_ERR_CYCLE);
    CHECK_UINT(kith_world_hash(f.world), hash);
    CHECK_RESULT(KITH_SET(f.world, e[2], PartOf, {e[0]}), KITH_OK);
    CHECK_RESULT(KITH_SET(f.world, e[1], PartOf, {e[4]}), KITH_OK);
    CHECK_SOURCES(f.world, e[4], PartOf, e[1]);
    CHECK_RESULT(KITH_SET(f.world, e[0], Owns, {e[0]}), KITH_OK); /* which may have circles */
    fixture_free(&f);
}

/* Circles of any length, named along their way. */
TEST_EACH_LAYOUT(a_circle_is_named, layout)
{
    enum { LENGTH = 40 };
    fixture f = links_world(layout);
    kith_entity way[LENGTH];
    for (uint32_t i = LENGTH; i-- > 0;) {
        way[i] = kith_spawn_empty(f.world);
        if (i < LENGTH - 1) {
            CHECK_RESULT(KITH_SET(f.world, way[i], PartOf, {way[i + 1]}), KITH_OK);
        }
    }
    CHECK_RESULT(KITH_SET(f.world, kith_spawn_empty(f.world), PartOf, {way[0]}), KITH_OK);
    const uint64_t hash = kith_world_hash(f.world);
    for (uint32_t first = 0; first < LENGTH - 1; first++) {
        kith_entity circle[LENGTH] = {way[LENGTH - 1]};
        memcpy(circle + 1, way + first, (LENGTH - 1 - first) * sizeof *way);
        CHECK_RESULT(KITH_SET(f.world, way[LENGTH - 1], PartOf, {way[first]}), KITH_ERR_CYCLE);
        check_circle(f.world, circle, LENGTH - first, true);
        CHECK_UINT(kith_world_hash(f.world), hash);
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* Where names do not fit, handles do. */
TEST(a_circle_of_long_names_is_one_of_handles)
{
    fixture f = fixture_new();
    kith_entity way[9];
    for (uint32_t i = 9; i-- > 0;) {
        char name[] = "a_name_of_some_length_0";
        name[sizeof name - 2] = (char)('0' + i);
        way[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(kith_set_name(f.world, way[i], name), KITH_OK);
        if (i < 8) {
            CHECK_RESULT(KITH_SET(f.world, way[i], Before, {way[i + 1]}), KITH_OK);
        }
    }
    CHECK_RESULT(KITH_SET(f.world, way[2], Before, {way[0]}), KITH_ERR_CYCLE);
    CHECK_CONTAINS(kith_error(f.world), "\"a_name_of_some_length_2\" (");
    check_circle(f.world, (kith_entity[]){way[2], way[0], way[1]}, 3, true);
    CHECK_RESULT(KITH_SET(f.world, way[8], Before, {way[0]}), KITH_ERR_CYCLE);
    CHECK_CONTAINS(kith_error(f.world), "\"a_name_of_some_length_8\" (");
    check_circle(f.world,
                 (kith_entity[]){way[8], way[0], way[1], way[2], way[3], way[4], way[5], way[6],
                                 way[7]},
                 9, false);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(sources_are_put_elsewhere, layout)
{
    fixture f = links_world(layout);
    kith_entity t = kith_spawn_empty(f.world);
    kith_entity e[4];
    for (uint32_t i = 0; i < 4; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Owns, {t}));
    }
    CHECK_RESULT(kith_source_place(f.world, e[3], &Owns_type, e[0]), KITH_OK);
    CHECK_SOURCES(f.world, t, Owns, e[3], e[0], e[1], e[2]);
    CHECK_RESULT(kith_source_place(f.world, e[3], &Owns_type, e[2]), KITH_OK);
    CHECK_SOURCES(f.world, t, Owns, e[0], e[1], e[3], e[2]);
    CHECK_RESULT(kith_source_place(f.world, e[0], &Owns_type, KITH_NONE), KITH_OK);
    CHECK_SOURCES(f.world, t, Owns, e[1], e[3], e[2], e[0]);
    CHECK_RESULT(kith_source_place(f.world, e[0], &Owns_type, KITH_NONE), KITH_OK);
    CHECK_RESULT(kith_source_place(f.world, e[2], &Owns_type, e[0]), KITH_OK);
    CHECK_SOURCES(f.world, t, Owns, e[1], e[3], e[2], e[0]);
    const uint64_t hash = kith_world_hash(f.world);
    CHECK_RESULT(kith_source_place(f.world, e[0], &Owns_type, e[0]), KITH_ERR_INPUT);
    CHECK_RESULT(kith_source_place(f.world, e[0], &Owns_type, t), KITH_ERR_INPUT);
    CHECK_RESULT(kith_source_place(f.world, t, &Owns_type, e[0]), KITH_ERR_ABSENT);
    CHECK_RESULT(kith_source_place(f.world, KITH_NONE, &Owns_type, e[0]), KITH_ERR_DEAD);
    CHECK_RESULT(kith_source_place(f.world, e[0], &Owns_type, (kith_entity){77, 0}), KITH_ERR_DEAD);
    CHECK_UINT(kith_world_hash(f.world), hash);
    CHECK_RESULT(kith_source_place(f.world, e[1], &Owns_type, e[2]), KITH_OK);
    CHECK(kith_world_hash(f.world) != hash); /* the order of sources counts */
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* A scan goes on after what happens to the source at hand, and ends where it cannot. */
TEST_EACH_LAYOUT(sources_may_change_while_they_are_scanned, layout)
{
    fixture f = links_world(layout);
    kith_entity t = kith_spawn_empty(f.world);
    kith_entity other = kith_spawn_empty(f.world);
    kith_entity e[6];
    for (uint32_t i = 0; i < 6; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Owns, {t}));
    }
    uint32_t visited = 0;
    for (kith_sources s = kith_sources_of(f.world, t, &Owns_type); kith_sources_next(&s);
         visited++) {
        CHECK_SAME(s.entity, e[visited]);
        if (visited == 0) {
            CHECK_RESULT(KITH_SET(f.world, s.entity, Owns, {other}), KITH_OK);
        } else if (visited == 1) {
            CHECK_RESULT(KITH_REMOVE(f.world, s.entity, Owns), KITH_OK);
        } else if (visited == 2) {
            CHECK_RESULT(kith_despawn(f.world, s.entity), KITH_OK);
        } else if (visited == 3) {
            CHECK_RESULT(kith_despawn(f.world, e[4]), KITH_OK); /* the next one */
        }
    }
    CHECK_UINT(visited, 4);
    kith_sources late = kith_sources_of(f.world, t, &Owns_type);
    CHECK(kith_sources_next(&late));
    CHECK_RESULT(kith_despawn(f.world, t), KITH_OK);
    kith_world_trim(f.world);
    CHECK(!kith_sources_next(&late));
    CHECK(!kith_sources_next(&late));
    fixture_free(&f);
}

/* Nothing is written where nobody sees it. */
TEST_EACH_LAYOUT(relations_are_guarded, layout)
{
    fixture f = links_world(layout);
    kith_entity a = kith_spawn_empty(f.world);
    kith_entity b = KITH_SPAWN(f.world, KITH_VALUE(Follows, {a, 1}));
    CHECK_PTR_NULL(KITH_GET_MUT(f.world, b, Follows));
    expect_misuse(&f, "Follows is a relation, and its values are not written in place");
    CHECK_PTR_NULL(KITH_QUERY(f.world, KITH_WRITE(Follows)));
    expect_misuse(&f, "Follows is a relation");
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Follows));
    kith_iter it = kith_query_iter(query);
    CHECK(kith_next(&it));
    CHECK_RESULT(KITH_SET(f.world, b, Follows, {b, 1}), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_set");
    CHECK_RESULT(KITH_SET_VALUES(f.world, b, KITH_VALUE(Follows, {b, 1})), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_set_values");
    CHECK_RESULT(kith_set_field(f.world, b, &Follows_type, "distance", KITH_F32, &(float){2}, 4),
                 KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_set_field");
    CHECK_RESULT(kith_source_place(f.world, b, &Follows_type, KITH_NONE), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_source_place");
    kith_iter_close(&it);
    CHECK_SOURCES(f.world, a, Follows, b);
    CHECK_SAME(kith_target(f.world, b, &Position_type), KITH_NONE);
    expect_misuse(&f, "kith_target: Position is not a relation");
    CHECK_RESULT(kith_source_place(f.world, b, &Position_type, KITH_NONE), KITH_ERR_MISUSE);
    expect_misuse(&f, "kith_source_place: Position is not a relation");
    fixture_free(&f);
}

/* What may be a relation, and what a world says of another type of its name. */
TEST(descriptors_of_relations_are_checked)
{
    static const kith_field target = {"target", 0, sizeof(kith_entity), KITH_ENTITY};
    static const kith_field numbers = {"target", 0, sizeof(kith_entity), KITH_U32};
    static const struct {
        uint32_t rules;
        const kith_field *field;
        const char *says;
    } wrong[] = {{KITH_ACYCLIC, &target, "the rules of a relation are one of"},
                 {KITH_CLEAR | KITH_CASCADE, &target, "the rules of a relation are one of"},
                 {KITH_CLEAR | 64, &target, "the rules of a relation are one of"},
                 {KITH_CLEAR, &numbers, "its first field is one kith_entity"}};
    fixture f = fixture_new();
    for (size_t i = 0; test_row(i, ROWS_OF(wrong)); i++) {
        const kith_type type = {.name = "Wrong",
                                .size = sizeof(kith_entity),
                                .align = _Alignof(kith_entity),
                                .field_count = 1,
                                .fields = wrong[i].field,
                                .relation = wrong[i].rules};
        CHECK_RESULT(kith_register(f.world, &type, NULL), KITH_ERR_INPUT);
        CHECK_CONTAINS(kith_error(f.world), wrong[i].says);
    }
    CHECK_RESULT(kith_register(f.world, &Follows_type, NULL), KITH_OK);
    kith_type other = Follows_type;
    uint32_t number = 0;
    other.number = &number;
    other.relation = KITH_CASCADE;
    CHECK_RESULT(kith_register(f.world, &other, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f.world), "relation with rules 2 there, 1 here");
    const kith_hooks hooks = {0};
    CHECK_RESULT(kith_register(f.world, &Owns_type, &(kith_component_def){.hooks = &hooks}),
                 KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "a relation has no hooks");
    fixture_free(&f);
}
