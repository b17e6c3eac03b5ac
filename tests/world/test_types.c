/* Which types a world knows: their order, their names, and who else means something else by them. */
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "test.h"

/* Three descriptors named Position, each as another file or library would bring it along: the same
 * struct once more, other fields in the same bytes, and one with a field more. */
static const kith_field same_fields[] = {{"x", 0, 4, KITH_F32}, {"y", 4, 4, KITH_F32}};
static uint32_t same_number;
static const kith_type same_position = {"Position",   8,          4,     0,    2, same_fields,
                                        &same_number, KITH_TABLE, false, false, 0};

static const kith_field integer_fields[] = {{"x", 0, 4, KITH_I32}, {"y", 4, 4, KITH_I32}};
static uint32_t integer_number;
static const kith_type integer_position = {
    "Position", 8, 4, 0, 2, integer_fields, &integer_number, KITH_TABLE, false, false, 0};

static const kith_field solid_fields[] = {
    {"x", 0, 4, KITH_F32}, {"y", 4, 4, KITH_F32}, {"z", 8, 4, KITH_F32}};
static uint32_t solid_number;
static const kith_type solid_position = {"Position",    12,         4,     0,    3, solid_fields,
                                         &solid_number, KITH_TABLE, false, false, 0};

/* ---- Registering again ---------------------------------------------------------------------- */

TEST_EACH_LAYOUT(registering_again_does_nothing, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    const size_t used = kith_memory(f.world).used;
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &same_position, &def), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 1);
    CHECK_UINT(kith_world_hash(f.world), before);
    CHECK_UINT(kith_memory(f.world).used, used);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(registering_with_another_layout_is_a_conflict, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    for (int other = 0; other < LAYOUT_COUNT; other++) {
        if (other != (int)layout) {
            const kith_component_def other_def = {.layout = (kith_layout)other};
            CHECK_RESULT(kith_register(f.world, &Position_type, &other_def), KITH_ERR_CONFLICT);
            CHECK_CONTAINS(kith_error(f.world), "Position");
        }
    }
    kith_layout seen = (kith_layout)99;
    CHECK_RESULT(kith_layout_of(f.world, &Position_type, &seen), KITH_OK);
    CHECK_INT(seen, layout);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* A header that two files include makes two descriptors: they are the same type. */
TEST_EACH_LAYOUT(a_header_included_twice_makes_one_type, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));

    /* Never registered by that descriptor, and understood all the same. */
    CHECK_RESULT(kith_layout_of(f.world, &same_position, NULL), KITH_OK);
    CHECK(kith_has(f.world, e, &same_position));
    CHECK_PTR_NOT_NULL(kith_get(f.world, e, &same_position));
    CHECK(kith_get(f.world, e, &same_position) == kith_get(f.world, e, &Position_type));
    const Position p = {3, 4};
    CHECK_RESULT(kith_set(f.world, e, &same_position, &p), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 4);
    CHECK_UINT(kith_type_count(f.world), 1);

    /* component_types is of another file, which has its own Position_type. */
    CHECK(component_types[0] != &Position_type);
    CHECK(kith_has(f.world, e, component_types[0]));
    CHECK(kith_get(f.world, e, component_types[0]) == kith_get(f.world, e, &Position_type));
    CHECK_RESULT(kith_register(f.world, component_types[0], &def), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 1);

    /* And once more under another descriptor in the same call: twice is twice. */
    const kith_value twice[] = {{&Position_type, &p}, {&same_position, &p}};
    CHECK_RESULT(kith_set_values(f.world, e, twice, 2), KITH_ERR_CONFLICT);
    const kith_term terms[] = {{&Position_type, KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                               {&same_position, KITH_ACCESS_READ, KITH_MUST, 0, NULL},
                               {0}};
    kith_query *query = NULL;
    const kith_query_def query_def = {.terms = terms};
    CHECK_RESULT(kith_query_new(f.world, &query_def, &query), KITH_ERR_CONFLICT);
    fixture_free(&f);
}

/* ---- The same name for something else -------------------------------------------------------- */

static void check_conflict(fixture *f, const kith_type *other)
{
    const uint64_t before = kith_world_hash(f->world);
    CHECK_RESULT(kith_layout_of(f->world, other, NULL), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_register(f->world, other, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f->world), "Position");
    CHECK_UINT(kith_type_count(f->world), 1);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_WORLD(f->world);
}

TEST_EACH_LAYOUT(two_structs_of_one_name_are_a_conflict, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);

    /* The message tells both. */
    check_conflict(&f, &integer_position);
    CHECK_CONTAINS(kith_error(f.world), "f32");
    CHECK_CONTAINS(kith_error(f.world), "i32");
    check_conflict(&f, &solid_position);
    CHECK_CONTAINS(kith_error(f.world), "8");
    CHECK_CONTAINS(kith_error(f.world), "12");

    kith_type other = same_position;
    other.number = NULL;
    other.version = 2;
    check_conflict(&f, &other);
    CHECK_CONTAINS(kith_error(f.world), "version");
    CHECK_CONTAINS(kith_error(f.world), "2");

    const kith_field renamed[] = {{"x", 0, 4, KITH_F32}, {"why", 4, 4, KITH_F32}};
    other = same_position;
    other.number = NULL;
    other.fields = renamed;
    check_conflict(&f, &other);
    CHECK_CONTAINS(kith_error(f.world), "why");

    const kith_field swapped[] = {{"y", 4, 4, KITH_F32}, {"x", 0, 4, KITH_F32}};
    other.fields = swapped;
    check_conflict(&f, &other);
    const kith_field moved[] = {{"x", 4, 4, KITH_F32}, {"y", 0, 4, KITH_F32}};
    other.fields = moved;
    check_conflict(&f, &other);
    CHECK_CONTAINS(kith_error(f.world), "x");
    const kith_field joined[] = {{"x", 0, 8, KITH_F32}};
    other.fields = joined;
    other.field_count = 1;
    check_conflict(&f, &other);
    other = same_position;
    other.number = NULL;
    other.align = 8;
    check_conflict(&f, &other);
    CHECK_CONTAINS(kith_error(f.world), "align");

    const kith_type tag = {.name = "Position", .align = 1};
    check_conflict(&f, &tag);

    const kith_field doubles[] = {{"x", 0, 8, KITH_F64}, {"y", 8, 8, KITH_F64}};
    const kith_type wide = {"Position", 16, 8, 0, 2, doubles, NULL, KITH_TABLE, false, false, 0};
    check_conflict(&f, &wide);
    fixture_free(&f);
}

/* Each call that takes a type, with the one that lost: nothing is read or written as what it is not.
 * To add it is an error, as the type that came first was; to read it is a mistake. */
static void check_calls_with_loser(fixture *f, kith_entity e, const kith_type *loser)
{
    static const unsigned char zeros[16];
    const uint64_t before = kith_world_hash(f->world);
    CHECK_RESULT(kith_set(f->world, e, loser, zeros), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f->world), "kith_set: 'Position' ");
    CHECK_CONTAINS(kith_error(f->world), "is registered as another type");
    CHECK_RESULT(kith_add(f->world, e, loser), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f->world), "kith_add: 'Position' ");
    CHECK_CONTAINS(kith_error(f->world), "is registered as another type");
    CHECK_RESULT(kith_remove(f->world, e, loser), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_remove");
    CHECK(!kith_has(f->world, e, loser));
    expect_misuse(f, "kith_has");
    CHECK_PTR_NULL(kith_get(f->world, e, loser));
    expect_misuse(f, "kith_get");
    void *value = NULL;
    CHECK_RESULT(kith_get_mut(f->world, e, loser, &value), KITH_ERR_MISUSE);
    expect_misuse(f, "kith_get_mut");
    CHECK_PTR_NULL(value);
    CHECK_PTR_NULL(kith_get_mut_or_null(f->world, e, loser));
    expect_misuse(f, "kith_get_mut");
    const void *values[1] = {NULL};
    CHECK_UINT(kith_get_many(f->world, loser, &e, 1, values), 0);
    expect_misuse(f, "kith_get_many");
    const kith_value one = {loser, zeros};
    CHECK(kith_is_none(kith_spawn_or_none(f->world, &one, 1)));
    CHECK_CONTAINS(kith_error(f->world), "kith_spawn: 'Position'");
    CHECK_RESULT(kith_set_values(f->world, e, &one, 1), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f->world), "kith_set_values: 'Position' ");
    CHECK_CONTAINS(kith_error(f->world), "is registered as another type");
    const kith_values many = {loser, zeros, false};
    CHECK_RESULT(kith_spawn_many(f->world, 2, &many, 1, NULL), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f->world), "kith_spawn_many: 'Position' ");
    CHECK_CONTAINS(kith_error(f->world), "is registered as another type");
    const kith_term term = {loser, KITH_ACCESS_READ, KITH_MUST, 0, NULL};
    const kith_query_def def = {.terms = KITH_TERMS(term)};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(f->world, &def, &query), KITH_ERR_CONFLICT);
    CHECK_CONTAINS(kith_error(f->world), "kith_query_new: 'Position' ");
    CHECK_CONTAINS(kith_error(f->world), "is registered as another type");
    CHECK_PTR_NULL(query);
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(f->world, loser, &stats), KITH_ERR_UNKNOWN);
    CHECK_UINT(kith_world_hash(f->world), before);
    CHECK_WORLD(f->world);
}

TEST_EACH_LAYOUT(a_call_with_the_other_definition_fails, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Byte, {3}));

    /* Before anyone tried to register them, and after that was refused. */
    check_calls_with_loser(&f, e, &integer_position);
    check_calls_with_loser(&f, e, &solid_position);
    CHECK_RESULT(kith_register(f.world, &integer_position, NULL), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_register(f.world, &solid_position, NULL), KITH_ERR_CONFLICT);
    check_calls_with_loser(&f, e, &integer_position);
    check_calls_with_loser(&f, e, &solid_position);

    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 1);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    fixture_free(&f);
}

/* What one world means by a name does not bind another. */
TEST_EACH_LAYOUT(another_world_may_mean_something_else, layout)
{
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    fixture g = fixture_new();
    CHECK_RESULT(kith_register(f.world, &Position_type, &def), KITH_OK);
    CHECK_RESULT(kith_register(g.world, &solid_position, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &solid_position, &def), KITH_ERR_CONFLICT);
    CHECK_RESULT(kith_register(g.world, &Position_type, &def), KITH_ERR_CONFLICT);

    const float solid[3] = {5, 6, 7};
    kith_entity a = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}));
    kith_entity b = kith_spawn_empty(g.world);
    CHECK_RESULT(kith_set(g.world, b, &solid_position, solid), KITH_OK);
    CHECK_FLOAT(KITH_GET(f.world, a, Position)->y, 2);
    CHECK_FLOAT(((const float *)kith_get(g.world, b, &solid_position))[2], 7);
    CHECK_PTR_NULL(KITH_GET(g.world, b, Position));
    expect_misuse(&g, "Position");
    fixture_free(&g);
    fixture_free(&f);
}

/* Two descriptors that share one number would each be taken for the other. */
TEST(a_number_belongs_to_one_type)
{
    fixture f = fixture_new();
    static uint32_t number;
    kith_type one = same_position;
    one.name = "One";
    one.number = &number;
    kith_type two = integer_position;
    two.name = "Two";
    two.number = &number;
    CHECK_RESULT(kith_register(f.world, &one, NULL), KITH_OK);
    const uint64_t before = kith_world_hash(f.world);
    CHECK_RESULT(kith_register(f.world, &two, NULL), KITH_ERR_INPUT);
    CHECK_CONTAINS(kith_error(f.world), "Two");
    CHECK_CONTAINS(kith_error(f.world), "number");
    CHECK_UINT(kith_type_count(f.world), 1);
    CHECK_UINT(kith_world_hash(f.world), before);
    fixture_free(&f);
}

/* ---- Order and several worlds ---------------------------------------------------------------- */

TEST(types_come_in_the_order_of_their_names)
{
    fixture f = fixture_new();
    fixture g = fixture_new();
    register_all(f.world, KITH_TABLE);
    for (uint32_t i = COMPONENT_COUNT; i-- > 0;) {
        const kith_component_def def = {.layout = (kith_layout)(i % LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(g.world, component_types[i], &def), KITH_OK);
    }
    CHECK_UINT(kith_type_count(f.world), COMPONENT_COUNT);
    CHECK_UINT(kith_type_count(g.world), COMPONENT_COUNT);
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        CHECK(kith_type_at(f.world, i) == kith_type_at(g.world, i));
        CHECK(i == 0 ||
              strcmp(kith_type_at(f.world, i - 1)->name, kith_type_at(f.world, i)->name) < 0);
        kith_layout layout;
        CHECK_RESULT(kith_layout_of(g.world, component_types[i], &layout), KITH_OK);
        CHECK_INT(layout, i % LAYOUT_COUNT);
        CHECK_STR(kith_type_find(g.world, component_types[i]->name)->name,
                  component_types[i]->name);
    }
    CHECK_PTR_NULL(kith_type_at(f.world, COMPONENT_COUNT));
    CHECK_PTR_NULL(kith_type_at(f.world, UINT32_MAX));
    CHECK_PTR_NULL(kith_type_find(f.world, "Nothing"));
    CHECK_PTR_NULL(kith_type_find(f.world, ""));

    /* The same entity in both, of one content. */
    for (int world = 0; world < 2; world++) {
        kith_world *w = world == 0 ? f.world : g.world;
        kith_entity e =
            KITH_SPAWN(w, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Burning), KITH_VALUE(Byte, {3}));
        CHECK_FLOAT(KITH_GET(w, e, Position)->y, 2);
        CHECK_UINT(KITH_GET(w, e, Byte)->value, 3);
        CHECK(KITH_HAS(w, e, Burning));
        CHECK(!KITH_HAS(w, e, Frozen));
        CHECK_WORLD(w);
    }
    CHECK_UINT(kith_content_hash(f.world), kith_content_hash(g.world));
    CHECK(kith_world_hash(f.world) != kith_world_hash(g.world));

    /* What is visited does not depend on the order of registration. */
    const kith_entity first = {1, 0};
    const kith_type *at = NULL;
    const char *const names[] = {"Burning", "Byte", "Position"};
    for (uint32_t i = 0; i < 3; i++) {
        CHECK(kith_component_next(f.world, first, at) == kith_component_next(g.world, first, at));
        at = kith_component_next(f.world, first, at);
        CHECK_STR(at->name, names[i]);
    }
    CHECK_PTR_NULL(kith_component_next(f.world, first, at));
    CHECK_PTR_NULL(kith_component_next(g.world, first, at));
    fixture_free(&g);
    fixture_free(&f);
}

/* What kith_type_at and kith_type_find give is a descriptor like any other. */
TEST_EACH_LAYOUT(run_time_ids, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_type *position = kith_type_find(f.world, "Position");
    const kith_type *frozen = kith_type_find(f.world, "Frozen");
    CHECK_UINT(position->size, sizeof(Position));
    CHECK_UINT(position->align, _Alignof(Position));
    CHECK_UINT(position->field_count, 2);
    CHECK_UINT(frozen->size, 0);
    CHECK(position == kith_type_at(f.world, 9)); /* two of the names come after it */

    const Position p = {1, 2};
    const kith_value values[] = {{position, &p}, {frozen, NULL}};
    kith_entity e = kith_spawn_or_none(f.world, values, 2);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 2);
    CHECK(KITH_HAS(f.world, e, Frozen));
    CHECK(kith_get(f.world, e, position) == kith_get(f.world, e, &Position_type));
    CHECK_RESULT(kith_remove(f.world, e, frozen), KITH_OK);
    CHECK(!KITH_HAS(f.world, e, Frozen));

    const kith_term term = {position, KITH_ACCESS_WRITE, KITH_MUST, 0, NULL};
    kith_query *query =
        kith_query_new_or_null(f.world, &(const kith_query_def){.terms = KITH_TERMS(term)});
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        KITH_AT_MUT(&it, 0, Position)->x = 9;
        KITH_COLUMN_MUT(&it, Position)[0].y = 8;
        CHECK_PTR_NOT_NULL(kith_column(&it, position));
    }
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->x, 9);
    CHECK_FLOAT(KITH_GET(f.world, e, Position)->y, 8);
    fixture_free(&f);
}

/* A descriptor without a number works everywhere, at the cost of a search. */
TEST_EACH_LAYOUT(a_descriptor_without_a_number, layout)
{
    const kith_component_def def = {.layout = layout};
    kith_type position = same_position;
    position.number = NULL;
    kith_type frozen = Frozen_type;
    frozen.number = NULL;
    fixture f = fixture_new();
    CHECK_RESULT(kith_register(f.world, &position, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &frozen, &def), KITH_OK);
    CHECK_RESULT(kith_register(f.world, &position, &def), KITH_OK);
    CHECK_UINT(kith_type_count(f.world), 2);

    const Position p = {1, 2};
    const kith_value values[] = {{&position, &p}, {&frozen, NULL}};
    kith_entity e = kith_spawn_or_none(f.world, values, 2);
    CHECK_FLOAT(((const Position *)kith_get(f.world, e, &position))->y, 2);
    CHECK(kith_get(f.world, e, &position) == KITH_GET(f.world, e, Position));
    CHECK(kith_has(f.world, e, &frozen));
    CHECK_RESULT(kith_set(f.world, e, &position, &(Position){3, 4}), KITH_OK);
    CHECK_RESULT(kith_set_bytes(f.world, e, &position, &(Position){5, 6}, 8), KITH_OK);
    CHECK_RESULT(kith_layout_of(f.world, &position, NULL), KITH_OK);

    const kith_term terms[] = {{&position, KITH_ACCESS_WRITE, KITH_MUST, 0, NULL},
                               {&frozen, KITH_ACCESS_NONE, KITH_MUST, 0, NULL},
                               {0}};
    const kith_query_def query_def = {.terms = terms, .driver = &position};
    kith_query *query = NULL;
    CHECK_RESULT(kith_query_new(f.world, &query_def, &query), KITH_OK);
    uint32_t seen = 0;
    for (kith_iter it = kith_query_iter(query); kith_next(&it);) {
        Position *at = kith_at(&it, 0, &position, sizeof(Position), KITH_ACCESS_WRITE);
        CHECK_FLOAT(at->x, 5);
        CHECK(kith_column(&it, &position) == at);
        seen += it.count;
    }
    CHECK_UINT(seen, 1);
    CHECK_STR(kith_component_next(f.world, e, NULL)->name, "Frozen");
    CHECK_STR(kith_component_next(f.world, e, &frozen)->name, "Position");
    CHECK_RESULT(kith_remove(f.world, e, &frozen), KITH_OK);
    CHECK_RESULT(kith_remove(f.world, e, &position), KITH_OK);
    fixture_free(&f);
}

/* ---- Many types ------------------------------------------------------------------------------ */

enum { MANY = 4096, LIMIT = 65535 };

static kith_type many_type(uint32_t index)
{
    static char names[LIMIT + 1][12];
    static uint32_t numbers[LIMIT + 1];
    static const kith_field field = {"value", 0, 4, KITH_U32};
    snprintf(names[index], sizeof(names[index]), "Type%05u", (unsigned)index);
    return (kith_type){names[index],    4,          4,     0,     1, &field,
                       &numbers[index], KITH_TABLE, false, false, 0};
}

TEST_EACH_LAYOUT_WITHIN(20, four_thousand_types, layout)
{
    static kith_type types[MANY];
    static kith_value values[MANY];
    static uint32_t contents[MANY];
    const kith_component_def def = {.layout = layout};
    fixture f = fixture_new();
    for (uint32_t i = 0; i < MANY; i++) {
        types[i] = many_type(i);
        CHECK_RESULT(kith_register(f.world, &types[i], &def), KITH_OK);
        contents[i] = i * 3 + 1;
        values[i] = (kith_value){&types[i], &contents[i]};
    }
    CHECK_UINT(kith_type_count(f.world), MANY);
    CHECK_WORLD(f.world);

    /* One entity has them all; each other has one, and the neighbour of that. */
    kith_entity all = kith_spawn_or_none(f.world, values, MANY);
    for (uint32_t i = 0; i < MANY; i++) {
        kith_entity e = kith_spawn_or_none(f.world, &values[i], 1);
        CHECK_RESULT(kith_set(f.world, e, &types[(i + 1) % MANY], &i), KITH_OK);
    }
    CHECK_WORLD(f.world);
    for (uint32_t i = 0; i < MANY; i++) {
        const kith_entity e = {i + 2, 0};
        CHECK_UINT(*(const uint32_t *)kith_get(f.world, all, &types[i]), i * 3 + 1);
        CHECK_UINT(*(const uint32_t *)kith_get(f.world, e, &types[i]), i * 3 + 1);
        CHECK_UINT(*(const uint32_t *)kith_get(f.world, e, &types[(i + 1) % MANY]), i);
        CHECK(!kith_has(f.world, e, &types[(i + 64) % MANY]));
        CHECK_PTR_NULL(kith_get(f.world, e, &types[(i + 2) % MANY]));
    }
    uint32_t number = 0;
    for (const kith_type *at = NULL; (at = kith_component_next(f.world, all, at)) != NULL;) {
        CHECK_STR(at->name, types[number++].name);
    }
    CHECK_UINT(number, MANY);

    CHECK_RESULT(kith_despawn(f.world, all), KITH_OK);
    CHECK_RESULT(kith_remove_all(f.world, (kith_entity){2, 0}), KITH_OK);
    CHECK_WORLD(f.world);
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(f.world, &types[MANY - 1], &stats), KITH_OK);
    CHECK_UINT(stats.entities, 2);
    fixture_free(&f);
}

TEST_WITHIN(20, the_limit_of_types)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < LIMIT; i++) {
        kith_type type = many_type(i);
        const kith_component_def def = {.layout = (kith_layout)(i % LAYOUT_COUNT)};
        CHECK_RESULT(kith_register(f.world, &type, &def), KITH_OK);
    }
    const uint64_t before = kith_world_hash(f.world);
    kith_type last = many_type(LIMIT);
    CHECK_RESULT(kith_register(f.world, &last, NULL), KITH_ERR_LIMIT);
    CHECK_STR(kith_error(f.world),
              "kith_register: 'Type65535': there are 65535 types, and may be no more");
    CHECK_UINT(kith_type_count(f.world), LIMIT);
    CHECK_UINT(kith_world_hash(f.world), before);

    /* The last that fit works, and the others can be registered again. */
    const uint32_t value = 5;
    last = many_type(LIMIT - 1);
    kith_entity e = kith_spawn_or_none(f.world, &(const kith_value){&last, &value}, 1);
    CHECK_UINT(*(const uint32_t *)kith_get(f.world, e, &last), 5);
    const kith_component_def def = {.layout = (kith_layout)((LIMIT - 1) % LAYOUT_COUNT)};
    CHECK_RESULT(kith_register(f.world, &last, &def), KITH_OK);
    fixture_free(&f);
}
