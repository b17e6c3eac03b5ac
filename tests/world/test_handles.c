/* Handles of any bit pattern are safe, everywhere a handle goes. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "random.h"
#include "test.h"

/* Every call that takes a handle, with one that is dead. */
static void check_dead(fixture *f, kith_query *query, kith_entity e)
{
    kith_world *w = f->world;
    void *value = NULL;
    Position p = {1, 2};
    kith_entity out = KITH_NONE;
    CHECK(!kith_alive(w, e));
    CHECK(!KITH_HAS(w, e, Position));
    CHECK_PTR_NULL(KITH_GET(w, e, Position));
    CHECK_PTR_NULL(KITH_GET_MUT(w, e, Position));
    CHECK_RESULT(kith_get_mut(w, e, &Position_type, &value), KITH_ERR_DEAD);
    CHECK_RESULT(kith_get_bytes(w, e, &Position_type, &p, sizeof(p)), KITH_ERR_DEAD);
    CHECK_RESULT(kith_set_bytes(w, e, &Position_type, &p, sizeof(p)), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_SET(w, e, Position, {3, 4}), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_SET_VALUES(w, e, KITH_VALUE(Position), KITH_VALUE(Byte)), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_ADD(w, e, Frozen), KITH_ERR_DEAD);
    CHECK_RESULT(KITH_REMOVE(w, e, Position), KITH_ERR_DEAD);
    CHECK_RESULT(kith_remove_all(w, e), KITH_ERR_DEAD);
    CHECK_RESULT(kith_clone(w, e, &out), KITH_ERR_DEAD);
    CHECK_RESULT(kith_despawn(w, e), KITH_ERR_DEAD);
    CHECK_PTR_NULL(kith_component_next(w, e, NULL));
    CHECK(!kith_query_contains(query, e));
    kith_iter it = kith_query_iter_one(query, e);
    CHECK(!kith_next(&it));
    CHECK_RESULT(it.result, KITH_OK);
}

TEST_EACH_LAYOUT(any_bit_pattern_is_safe, layout)
{
    static const uint32_t odd[] = {0,
                                   1,
                                   2,
                                   3,
                                   100,
                                   101,
                                   102,
                                   1023,
                                   1024,
                                   1025,
                                   65535,
                                   65536,
                                   UINT32_C(1) << 24,
                                   UINT32_C(1) << 31,
                                   UINT32_MAX - 1,
                                   UINT32_MAX};
    enum { ODD = sizeof(odd) / sizeof(odd[0]) };
    fixture f = fixture_with_all(layout);
    kith_entity e[100];
    for (int i = 0; i < 100; i++) {
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Frozen));
        if (i % 3 == 0) {
            CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
            e[i] = kith_spawn_empty(f.world);
        }
    }
    for (int i = 0; i < 100; i += 5) {
        CHECK_RESULT(kith_despawn(f.world, e[i]), KITH_OK);
    }
    kith_query *query = KITH_QUERY(f.world, KITH_READ(Position));
    check_dead(&f, query, KITH_NONE);
    const uint64_t before = kith_world_hash(f.world);
    const size_t allocations = f.memory->allocations;

    uint64_t seed = 1;
    for (uint32_t step = 0; step < 20000; step++) {
        kith_entity any;
        if (step < ODD * ODD) {
            any = (kith_entity){odd[step / ODD], odd[step % ODD]};
        } else if (step % 2 == 0) {
            any = (kith_entity){random_below(&seed, 110), random_below(&seed, 4)};
        } else {
            const uint64_t bits = random_next(&seed);
            memcpy(&any, &bits, sizeof(any));
        }
        bool one_of_ours = false;
        for (int i = 0; i < 100; i++) {
            one_of_ours |= kith_entity_equal(e[i], any) && i % 5 != 0;
        }
        CHECK(kith_alive(f.world, any) == one_of_ours);
        if (!one_of_ours) {
            check_dead(&f, query, any);
        }
    }
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_UINT(f.memory->allocations, allocations);
    fixture_free(&f);
}

/* The same patterns as values: what a component holds is nobody's business but yours. */
TEST_EACH_LAYOUT(any_bit_pattern_may_be_stored, layout)
{
    fixture f = fixture_with_all(layout);
    uint64_t seed = 2;
    for (int i = 0; i < 1000; i++) {
        const uint64_t bits = random_next(&seed);
        kith_entity any;
        memcpy(&any, &bits, sizeof(any));
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Target, {any}));
        CHECK_SAME(KITH_GET(f.world, e, Target)->entity, any);
    }
    fixture_free(&f);
}

/* The handle of one world in another: alive there only if it could be one of its own. */
TEST(handles_of_another_world)
{
    fixture f = fixture_with_all(KITH_TABLE);
    fixture g = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(g.world, KITH_VALUE(Position, {1, 2}));
    kith_query *query = KITH_QUERY(g.world, KITH_READ(Position));
    for (int i = 0; i < 10; i++) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {(float)i, 0}));
        if (i > 0) {
            check_dead(&g, query, e);
        }
    }
    fixture_free(&g);
    fixture_free(&f);
}

/* ---- As text --------------------------------------------------------------------------------- */

TEST(handles_as_text)
{
    CHECK_STR(kith_entity_to_text(KITH_NONE).text, "Entity(null)");
    CHECK_STR(kith_entity_to_text((kith_entity){1, 0}).text, "Entity(0v0)");
    CHECK_STR(kith_entity_to_text((kith_entity){3, 1}).text, "Entity(2v1)");
    CHECK_STR(kith_entity_to_text((kith_entity){0, 7}).text, "Entity(~7)");
    CHECK_STR(kith_entity_to_text((kith_entity){UINT32_MAX, UINT32_MAX}).text,
              "Entity(4294967294v4294967295)");
    CHECK_STR(kith_entity_to_text((kith_entity){0, UINT32_MAX}).text, "Entity(~4294967295)");
}

TEST(handles_from_text)
{
    uint64_t seed = 3;
    for (int i = 0; i < 20000; i++) {
        kith_entity in = {(uint32_t)random_next(&seed) >> random_below(&seed, 32),
                          (uint32_t)random_next(&seed) >> random_below(&seed, 32)};
        if (i % 7 == 0) {
            in.index1 = 0;
        }
        kith_entity out = {9, 9};
        CHECK_RESULT(kith_entity_from_text(kith_entity_to_text(in).text, &out), KITH_OK);
        CHECK_SAME(out, in);
    }
}

TEST(what_is_no_handle)
{
    static const char *const bad[] = {
        "",
        "Entity",
        "Entity(",
        "Entity()",
        "Entity(1)",
        "Entity(1v)",
        "Entity(v1)",
        "Entity(1v1",
        "Entity(1v1))",
        "Entity(1v1) ",
        " Entity(1v1)",
        "Entity( 1v1)",
        "Entity(1 v1)",
        "Entity(+1v1)",
        "Entity(1v-1)",
        "Entity(-0v0)",
        "Entity(01v1)",
        "Entity(1v01)",
        "Entity(00v0)",
        "Entity(1V1)",
        "entity(1v1)",
        "ENTITY(1v1)",
        "Entity(nul)",
        "Entity(null",
        "Entity(nulll)",
        "Entity(NULL)",
        "Entity(~)",
        "Entity(~0)",
        "Entity(~07)",
        "Entity(~-7)",
        "Entity(~7v1)",
        "Entity(1v~7)",
        "Entity(4294967295v0)",
        "Entity(4294967296v0)",
        "Entity(1v4294967296)",
        "Entity(~4294967296)",
        "Entity(99999999999999999999v1)",
        "Entity(18446744073709551616v0)",
        "Entity(18446744073709551617v1)",
        "Entity(1v1)\n",
        "Entity(1v1v1)",
        "Entity(0x1v1)",
        "Entity(1.0v1)",
        "Entity(1e1v1)",
        "1v1",
        "(1v1)",
    };
    for (size_t i = 0; test_row(i, ROWS_OF(bad)); i++) {
        kith_entity out = {123, 456};
        test_note(bad[i]);
        CHECK_RESULT(kith_entity_from_text(bad[i], &out), KITH_ERR_INPUT);
        CHECK_UINT(out.index1, 123);
        CHECK_UINT(out.generation, 456);
    }
    kith_entity out = {123, 456};
    CHECK_RESULT(kith_entity_from_text(NULL, &out), KITH_ERR_INPUT);
    CHECK_RESULT(kith_entity_from_text(NULL, NULL), KITH_ERR_INPUT);
    CHECK_RESULT(kith_entity_from_text("Entity(2v1)", NULL), KITH_OK); /* only looks */
    CHECK_RESULT(kith_entity_from_text("Entity(null)", NULL), KITH_OK);
    CHECK_RESULT(kith_entity_from_text("Entity(2v)", NULL), KITH_ERR_INPUT);
    CHECK_UINT(out.index1, 123);
}

/* One more would be the handle of no entity. */
TEST(slot_4294967294_is_the_last_that_a_handle_names)
{
    kith_entity out = KITH_NONE;
    CHECK_RESULT(kith_entity_from_text("Entity(4294967294v1)", &out), KITH_OK);
    CHECK_SAME(out, ((kith_entity){UINT32_MAX, 1}));
    static const char *const beyond[] = {"Entity(4294967295v0)", "Entity(4294967295v1)",
                                         "Entity(4294967295v4294967295)", "Entity(4294967296v1)"};
    for (size_t i = 0; test_row(i, ROWS_OF(beyond)); i++) {
        CHECK_RESULT(kith_entity_from_text(beyond[i], &out), KITH_ERR_INPUT);
        CHECK_UINT(out.index1, UINT32_MAX);
    }
}

/* No prefix of what is right is right, and no right text with one byte changed to a letter. */
TEST(what_is_nearly_a_handle)
{
    static const char right[] = "Entity(1234v567)";
    char text[sizeof(right)];
    for (size_t length = 0; length + 1 < sizeof(right); length++) {
        memcpy(text, right, sizeof(right));
        text[length] = '\0';
        kith_entity out;
        CHECK_RESULT(kith_entity_from_text(text, &out), KITH_ERR_INPUT);
        memcpy(text, right, sizeof(right));
        text[length] = 'q';
        CHECK_RESULT(kith_entity_from_text(text, &out), KITH_ERR_INPUT);
    }
}
