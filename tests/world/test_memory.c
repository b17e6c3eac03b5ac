/* What a world holds: limits, numbers, and giving back. */
#include <kith/kith.h>
#include <stdlib.h>

#include "components.h"
#include "random.h"
#include "share.h"
#include "test.h"

/* What the world says it holds is what its allocator handed out. */
static void check_numbers(const fixture *f)
{
    kith_memory_stats stats = kith_memory(f->world);
    CHECK_UINT(stats.used, f->memory->bytes);
    CHECK_UINT(stats.allocations, f->memory->pieces);
    CHECK(stats.peak >= stats.used);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

TEST(numbers_of_an_empty_world)
{
    fixture f = fixture_new();
    kith_memory_stats stats = kith_memory(f.world);
    check_numbers(&f);
    CHECK(stats.used > 0);
    CHECK(stats.used <= 4096);
    CHECK_UINT(stats.limit, 0);
    CHECK_UINT(stats.entities, 0);
    CHECK_UINT(stats.slots, 0);
    CHECK_UINT(stats.retired, 0);
    CHECK_UINT(stats.tables, 1);
    CHECK_UINT(stats.types, 0);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(numbers_through_a_life, layout)
{
    fixture f = fixture_with_all(layout);
    check_numbers(&f);
    CHECK_UINT(kith_memory(f.world).types, COMPONENT_COUNT);
    uint64_t seed = 5;
    kith_entity e[300] = {{0, 0}};
    size_t peak = 0;
    for (int step = 0; step < 3000; step++) {
        uint32_t who = random_below(&seed, 300);
        const kith_type *type = component_types[random_below(&seed, COMPONENT_COUNT)];
        if (type->size > 1000 && random_below(&seed, 20) != 0) {
            continue;
        }
        if (!kith_alive(f.world, e[who])) {
            e[who] = kith_spawn_empty(f.world);
        } else if (random_below(&seed, 9) == 0) {
            CHECK_RESULT(kith_despawn(f.world, e[who]), KITH_OK);
        } else if (kith_has(f.world, e[who], type)) {
            CHECK_RESULT(kith_remove(f.world, e[who], type), KITH_OK);
        } else {
            CHECK_RESULT(kith_add(f.world, e[who], type), KITH_OK);
        }
        peak = f.memory->bytes > peak ? f.memory->bytes : peak;
        if (step % 100 == 0) {
            CHECK_RESULT(KITH_SEND(f.world, Extra, {1, 2, 3}), KITH_OK);
            CHECK_RESULT(KITH_RESOURCE_SET(f.world, Name, {"resource"}), KITH_OK);
            kith_query_free(KITH_QUERY(f.world, KITH_READ(Position)));
            check_numbers(&f);
        }
        if (step % 500 == 0) {
            kith_world_trim(f.world);
            check_numbers(&f);
            CHECK_WORLD(f.world);
        }
    }
    CHECK_UINT(kith_memory(f.world).entities, kith_entity_count(f.world));
    CHECK(kith_memory(f.world).slots <= 300);
    CHECK(kith_memory(f.world).peak >= peak);
    fixture_free(&f);
}

TEST(the_peak_stays)
{
    fixture f = fixture_with_all(KITH_TABLE);
    kith_entity e[100];
    const kith_values values[] = {{&Big_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(f.world, 100, values, 1, e), KITH_OK);
    const size_t high = kith_memory(f.world).used;
    CHECK(high > 100 * sizeof(Big));
    CHECK_UINT(kith_memory(f.world).peak, high);
    CHECK_RESULT(kith_despawn_many(f.world, e, 100, NULL), KITH_OK);
    kith_world_trim(f.world);
    CHECK(kith_memory(f.world).used < high / 10);
    CHECK_UINT(kith_memory(f.world).peak, high);
    check_numbers(&f);
    fixture_free(&f);
}

/* ---- Limits ---------------------------------------------------------------------------------- */

TEST_EACH_LAYOUT(a_limit_is_kept, layout)
{
    enum { LIMIT = 300000 };
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = LIMIT});
    register_all(f.world, layout);
    CHECK_UINT(kith_memory(f.world).limit, LIMIT);
    uint32_t made = 0;
    kith_entity last = KITH_NONE;
    for (;;) {
        kith_entity e = KITH_SPAWN(f.world, KITH_VALUE(Extra), KITH_VALUE(Health, {(int)made, 1}));
        CHECK(kith_memory(f.world).used <= LIMIT);
        CHECK(f.memory->bytes <= LIMIT);
        if (kith_is_none(e)) {
            break;
        }
        last = e;
        made++;
    }
    CHECK(made > 2000);
    CHECK(made < LIMIT / 20);
    CHECK_UINT(kith_entity_count(f.world), made);
    CHECK_WORLD(f.world);
    CHECK_UINT(kith_memory(f.world).peak <= LIMIT, 1);

    /* It goes on as soon as something goes. */
    CHECK_RESULT(kith_despawn(f.world, last), KITH_OK);
    CHECK(!kith_is_none(KITH_SPAWN(f.world, KITH_VALUE(Extra), KITH_VALUE(Health))));
    CHECK_RESULT(KITH_SET(f.world, ((kith_entity){1, 0}), Health, {7, 7}), KITH_OK);
    fixture_free(&f);
}

/* What a limit is tried on; false if memory ran out. */
static bool fill(kith_world *world, kith_layout layout)
{
    const kith_component_def def = {.layout = layout};
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        if (kith_register(world, component_types[i], &def) != KITH_OK) {
            return false;
        }
    }
    for (uint32_t i = 0; i < 500; i++) {
        if (kith_is_none(KITH_SPAWN(world, KITH_VALUE(Extra), KITH_VALUE(Position)))) {
            return false;
        }
    }
    return true;
}

/* A limit that is just what is needed is enough, and one byte less is not. */
TEST_EACH_LAYOUT(a_limit_can_be_filled_to_the_last_byte, layout)
{
    fixture f = fixture_new();
    CHECK(fill(f.world, layout));
    const size_t needed = kith_memory(f.world).peak;
    fixture_free(&f);
    for (int less = 0; less < 2; less++) {
        f = fixture_new_with(&(kith_world_def){.memory_limit = needed - (size_t)less});
        CHECK_INT(fill(f.world, layout), less == 0);
        CHECK(kith_memory(f.world).peak <= needed - (size_t)less);
        CHECK(less == 1 || kith_memory(f.world).peak == needed);
        check_numbers(&f);
        fixture_free(&f);
    }
}

/* At every limit from nothing upwards, a world is made or not, and works as far as it reaches. */
TEST(every_small_limit)
{
    for (size_t limit = 1; limit < 12000; limit += 97) {
        test_memory *memory = test_memory_new();
        kith_world_def def = {.allocator = test_memory_allocator(memory), .memory_limit = limit};
        kith_world *world = kith_world_new(&def);
        if (world != NULL) {
            CHECK(memory->bytes <= limit);
            for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
                kith_result result = kith_register(world, component_types[i], NULL);
                CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
            }
            kith_entity e = kith_spawn_empty(world);
            if (!kith_is_none(e) && kith_type_count(world) > 0) {
                kith_result result = kith_set(world, e, kith_type_at(world, 0), NULL);
                CHECK(result == KITH_OK || result == KITH_ERR_MEMORY);
            }
            CHECK(memory->bytes <= limit);
            CHECK_UINT(kith_memory(world).used, memory->bytes);
            CHECK_WORLD(world);
            kith_world_free(world);
        } else {
            CHECK(limit < 8192);
        }
        test_memory_free(memory);
    }
}

/* ---- Making a world -------------------------------------------------------------------------- */

static void *allocate_nothing(void *context, size_t size, size_t align)
{
    (void)size;
    (void)align;
    ++*(int *)context;
    return NULL;
}

static void release_nothing(void *context, void *memory, size_t size, size_t align)
{
    (void)context;
    (void)memory;
    (void)size;
    (void)align;
}

TEST(worlds_that_cannot_be_made)
{
    int calls = 0;
    kith_world_def def = {.allocator = {allocate_nothing, release_nothing, &calls}};
    CHECK_PTR_NULL(kith_world_new(&def));
    CHECK_INT(calls, 1);
    def.allocator = (kith_allocator){allocate_nothing, NULL, &calls};
    CHECK_PTR_NULL(kith_world_new(&def));
    def.allocator = (kith_allocator){NULL, release_nothing, &calls};
    CHECK_PTR_NULL(kith_world_new(&def));
    CHECK_INT(calls, 1);
    CHECK_PTR_NULL(kith_world_new(&(kith_world_def){.memory_limit = 1}));
    kith_world_free(NULL);

    /* Whichever allocation fails, none is left. */
    for (size_t nth = 1;; nth++) {
        test_memory *memory = test_memory_new();
        def =
            (kith_world_def){.allocator = test_memory_allocator(memory), .expected_entities = 5000};
        test_memory_fail(memory, nth, false);
        kith_world *world = kith_world_new(&def);
        bool reached = test_memory_fail_nothing(memory);
        CHECK((world == NULL) == reached);
        kith_world_free(world);
        test_memory_free(memory);
        if (!reached) {
            break;
        }
    }
}

/* The default: the C library, no limit, no expectations. */
TEST(a_world_of_defaults)
{
    kith_world *world = kith_world_new(NULL);
    CHECK_PTR_NOT_NULL(world);
    register_all(world, KITH_TABLE);
    kith_entity e = KITH_SPAWN(world, KITH_VALUE(Aligned, {.words = {1}}), KITH_VALUE(Big));
    CHECK_UINT(KITH_GET(world, e, Aligned)->words[0], 1);
    CHECK_UINT(kith_memory(world).limit, 0);
    CHECK_STR(kith_error(world), "");
    CHECK_WORLD(world);
    kith_world_free(world);
}

/* Room for what is expected is made at once: spawning so many asks for no more records. */
TEST(expected_entities)
{
    fixture f = fixture_new_with(&(kith_world_def){.expected_entities = 100000});
    fixture g = fixture_new();
    CHECK(kith_memory(f.world).used >= kith_memory(g.world).used + 1200000);
    CHECK_UINT(kith_memory(f.world).slots, 0);
    check_numbers(&f);
    CHECK_RESULT(kith_spawn_many(f.world, 150000, NULL, 0, NULL), KITH_OK);
    CHECK_UINT(kith_entity_count(f.world), 150000);
    fixture_free(&g);
    fixture_free(&f);
}

/* ---- Components and tables ------------------------------------------------------------------- */

TEST_EACH_LAYOUT(numbers_of_a_component, layout)
{
    fixture f = fixture_with_all(layout);
    kith_component_stats stats;
    CHECK_RESULT(kith_component_memory(f.world, &Extra_type, &stats), KITH_OK);
    CHECK_INT(stats.layout, layout);
    CHECK_UINT(stats.entities, 0);
    CHECK_UINT(stats.used, 0);
    kith_entity e[2000];
    const kith_values values[] = {{&Extra_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(f.world, 2000, values, 1, e), KITH_OK);
    for (int i = 0; i < 2000; i += 4) {
        CHECK_RESULT(KITH_REMOVE(f.world, e[i], Extra), KITH_OK);
        CHECK_RESULT(KITH_ADD(f.world, e[i + 1], Frozen), KITH_OK);
    }
    CHECK_RESULT(kith_component_memory(f.world, &Extra_type, &stats), KITH_OK);
    CHECK_UINT(stats.entities, 1500);
    CHECK_UINT(stats.used, 1500 * sizeof(Extra));
    CHECK(stats.reserved >= stats.used);
    CHECK(stats.reserved <= kith_memory(f.world).used);
    CHECK_RESULT(kith_component_memory(f.world, &Frozen_type, &stats), KITH_OK);
    CHECK_UINT(stats.entities, 500);
    CHECK_UINT(stats.used, 0);
    stats.entities = 77;
    static const kith_type unknown = {.name = "Unknown", .align = 1};
    CHECK_RESULT(kith_component_memory(f.world, &unknown, &stats), KITH_ERR_UNKNOWN);
    CHECK_UINT(stats.entities, 77);
    fixture_free(&f);
}

TEST(numbers_of_tables)
{
    fixture f = fixture_with_all(KITH_TABLE);
    for (int i = 0; i < 100; i++) {
        kith_spawn_empty(f.world);
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Extra));
        KITH_SPAWN(f.world, KITH_VALUE(Position), KITH_VALUE(Frozen));
    }
    kith_table_stats stats;
    const kith_type *types[3] = {NULL, NULL, &Byte_type};
    CHECK_RESULT(kith_table_memory(f.world, 0, &stats, NULL, 0), KITH_OK);
    CHECK_UINT(stats.rows, 100);
    CHECK_UINT(stats.component_count, 0);
    CHECK_UINT(stats.used, 100 * sizeof(kith_entity));
    CHECK_RESULT(kith_table_memory(f.world, 1, &stats, types, 2), KITH_OK);
    CHECK_UINT(stats.rows, 100);
    CHECK_UINT(stats.component_count, 2);
    CHECK_STR(types[0]->name, "Extra");
    CHECK_STR(types[1]->name, "Position");
    CHECK(types[2] == &Byte_type);
    CHECK_UINT(stats.used, 100 * (sizeof(kith_entity) + sizeof(Position) + sizeof(Extra)));
    CHECK(stats.reserved >= stats.used);
    types[1] = NULL;
    CHECK_RESULT(kith_table_memory(f.world, 2, &stats, types, 1), KITH_OK);
    CHECK_UINT(stats.component_count, 2);
    CHECK_PTR_NULL(types[1]);
    CHECK_UINT(stats.used, 100 * (sizeof(kith_entity) + sizeof(Position)));
    stats.rows = 77;
    CHECK_RESULT(kith_table_memory(f.world, 3, &stats, types, 2), KITH_ERR_UNKNOWN);
    CHECK_RESULT(kith_table_memory(f.world, UINT32_MAX, &stats, types, 2), KITH_ERR_UNKNOWN);
    CHECK_UINT(stats.rows, 77);
    CHECK_UINT(kith_memory(f.world).tables, 3);
    check_numbers(&f);
    fixture_free(&f);
}

/* The list is up to date though there are as many tables as when it was made: one goes and another
 * comes, before or after the one that stays. */
TEST(numbers_of_a_table_in_the_place_of_another)
{
    static const kith_type *const types[] = {&Extra_type, &Position_type};
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Health));
    for (uint32_t i = 0; i < 10; i++) {
        const kith_values values = {types[i % 2], NULL, true};
        const uint32_t place = i % 2 == 0 ? 1 : 2;
        kith_entity e[5];
        kith_table_stats stats;
        const kith_type *found = NULL;
        CHECK_RESULT(kith_spawn_many(f.world, 5, &values, 1, e), KITH_OK);
        CHECK_RESULT(kith_table_memory(f.world, place, &stats, &found, 1), KITH_OK);
        CHECK_STR(found->name, types[i % 2]->name);
        CHECK_UINT(stats.rows, 5);
        CHECK_RESULT(kith_table_memory(f.world, 3 - place, &stats, &found, 1), KITH_OK);
        CHECK_STR(found->name, "Health");
        CHECK_UINT(stats.rows, 1);
        CHECK_RESULT(kith_table_memory(f.world, 3, &stats, &found, 1), KITH_ERR_UNKNOWN);
        CHECK_RESULT(kith_despawn_many(f.world, e, 5, NULL), KITH_OK);
        kith_world_trim(f.world);
        CHECK_UINT(kith_memory(f.world).tables, 2);
        CHECK_WORLD(f.world);
    }
    fixture_free(&f);
}

/* What a new table takes is what is told of it. */
TEST(numbers_of_a_new_table)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Position));
    KITH_SPAWN(f.world, KITH_VALUE(Byte), KITH_VALUE(Extra));
    const size_t before = kith_memory(f.world).used;
    KITH_SPAWN(f.world, KITH_VALUE(Extra), KITH_VALUE(Name), KITH_VALUE(Frozen));
    const size_t grown = kith_memory(f.world).used - before;
    kith_table_stats stats;
    const kith_type *types[1];
    CHECK_RESULT(kith_table_memory(f.world, 2, &stats, types, 1), KITH_OK);
    CHECK_STR(types[0]->name, "Extra");
    CHECK_UINT(stats.reserved, grown);
    fixture_free(&f);
}

/* ---- Reclaim --------------------------------------------------------------------------------- */

/* First blocks stand in the memory of their table, which then stays as long as they are shared. */
TEST(what_is_shared_outlives_its_table)
{
    fixture f = fixture_with_all(KITH_TABLE);
    KITH_SPAWN(f.world, KITH_VALUE(Name, {"first"}));
    kith_entity e[100];
    test_share *shared = NULL;
    for (int i = 0; i < 100; i++) {
        if (i == 4) {
            shared = test_share_world(f.world);
            CHECK_PTR_NOT_NULL(shared);
        }
        e[i] = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Extra, {1, 2, 3}));
        CHECK_WORLD(f.world);
    }
    KITH_SPAWN(f.world, KITH_VALUE(Name, {"second"}));
    CHECK_RESULT(kith_despawn_many(f.world, e, 100, NULL), KITH_OK);
    kith_world_trim(f.world);
    CHECK_UINT(kith_memory(f.world).tables, 2);
    CHECK_WORLD(f.world);
    test_share_check(shared);
    check_numbers(&f);
    const size_t used = kith_memory(f.world).used;
    test_share_free(shared);
    CHECK(kith_memory(f.world).used < used);
    check_numbers(&f);
    fixture_free(&f);
}

/* There is nothing to give back, so that nothing is to be taken again. */
TEST(a_small_block_stays_with_its_table)
{
    fixture f = fixture_new();
    CHECK_RESULT(kith_despawn(f.world, kith_spawn_empty(f.world)), KITH_OK);
    const size_t used = kith_memory(f.world).used;
    kith_world_trim(f.world);
    CHECK_UINT(kith_memory(f.world).used, used);
    fail_from(&f, 1);
    CHECK(!kith_is_none(kith_spawn_empty(f.world)));
    fail_nothing(&f);
    fixture_free(&f);
}

TEST_EACH_LAYOUT(reclaim_gives_back_what_is_not_in_use, layout)
{
    fixture f = fixture_with_all(layout);
    kith_entity keep = KITH_SPAWN(f.world, KITH_VALUE(Position, {1, 2}), KITH_VALUE(Frozen));
    const size_t small = kith_memory(f.world).used;
    static kith_entity e[20000];
    const kith_values values[] = {{&Position_type, NULL, false}, {&Aligned_type, NULL, false}};
    CHECK_RESULT(kith_spawn_many(f.world, 20000, values, 2, e), KITH_OK);
    const size_t large = kith_memory(f.world).used;
    CHECK(large > small + 20000 * (sizeof(Position) + sizeof(Aligned)));
    CHECK_RESULT(kith_despawn_many(f.world, e, 20000, NULL), KITH_OK);
    const uint64_t hash = kith_world_hash(f.world);
    kith_world_trim(f.world);
    CHECK_UINT(kith_world_hash(f.world), hash);
    /* Records stay, for the generations in them. */
    CHECK(kith_memory(f.world).used < small + 20000 * 24);
    CHECK_FLOAT(KITH_GET(f.world, keep, Position)->y, 2);
    CHECK(KITH_HAS(f.world, keep, Frozen));
    CHECK_UINT(kith_memory(f.world).tables, layout == KITH_TABLE ? 2 : 1);
    check_numbers(&f);
    CHECK_WORLD(f.world);

    /* All as before, from what was given back. */
    CHECK_RESULT(kith_spawn_many(f.world, 20000, values, 2, e), KITH_OK);
    CHECK_UINT(e[0].generation, 1);
    CHECK_UINT(kith_entity_count(f.world), 20001);
    kith_world_trim(f.world);
    kith_world_trim(f.world);
    fixture_free(&f);
}

/* ---- What kits take ---------------------------------------------------------------------------- */

/* Code beside a world takes its memory where the world does, within the same limit. */
TEST(what_kits_take_counts_for_the_limit)
{
    fixture f = fixture_new_with(&(kith_world_def){.memory_limit = 100000});
    const size_t used = kith_memory(f.world).used;
    const kith_allocator own = kith_world_allocator(f.world);
    void *some = own.allocate(own.context, 60000, 64);
    CHECK_PTR_NOT_NULL(some);
    CHECK(((uintptr_t)some & 63) == 0);
    check_numbers(&f);
    CHECK_UINT(kith_memory(f.world).used, used + 60000);
    CHECK_PTR_NULL(own.allocate(own.context, 60000, 64));
    check_numbers(&f);

    /* The world itself has no more than what is left. */
    kith_result result = KITH_OK;
    while (result == KITH_OK) {
        result = KITH_SEND(f.world, Position, {1, 2});
        CHECK(f.memory->bytes <= 100000);
    }
    CHECK_RESULT(result, KITH_ERR_MEMORY);
    own.release(own.context, some, 60000, 64);
    CHECK_RESULT(KITH_SEND(f.world, Position, {1, 2}), KITH_OK);
    check_numbers(&f);
    fixture_free(&f);
}

/* A kit's things may outlive the world: the last one given back leaves nothing. */
TEST(what_kits_take_may_be_given_back_after_the_world)
{
    test_memory *memory = test_memory_new();
    kith_world *world =
        kith_world_new(&(kith_world_def){.allocator = test_memory_allocator(memory)});
    const kith_allocator own = kith_world_allocator(world);
    void *pieces[3];
    for (int i = 0; i < 3; i++) {
        pieces[i] = own.allocate(own.context, 100, 16);
        CHECK_PTR_NOT_NULL(pieces[i]);
    }
    own.release(own.context, pieces[1], 100, 16);
    kith_world_free(world);
    CHECK(memory->bytes >= 200);
    own.release(own.context, pieces[2], 100, 16);
    own.release(own.context, pieces[0], 100, 16);
    test_memory_free(memory);
}

/* What the types reserve once all but the first `left` of many entities have gone. */
static void reserved_for(kith_layout layout, uint32_t left, size_t reserved[2])
{
    enum { MANY = 5000 };
    static kith_entity e[MANY];
    const kith_values values[] = {{&Position_type, NULL, false}, {&Aligned_type, NULL, false}};
    fixture f = fixture_with_all(layout);
    CHECK_RESULT(kith_spawn_many(f.world, MANY, values, 2, e), KITH_OK);
    CHECK_RESULT(kith_despawn_many(f.world, e + left, MANY - left, NULL), KITH_OK);
    kith_world_trim(f.world);
    for (int i = 0; i < 2; i++) {
        kith_component_stats stats;
        CHECK_RESULT(kith_component_memory(f.world, values[i].type, &stats), KITH_OK);
        CHECK_UINT(stats.entities, left);
        reserved[i] = stats.reserved;
    }
    CHECK_WORLD(f.world);
    check_numbers(&f);
    fixture_free(&f);
}

/* Blocks of 1,024 rows: one entity less than fills them needs as many, one more another. */
TEST_EACH_LAYOUT(reclaim_leaves_no_block_that_nobody_is_in, layout)
{
    for (uint32_t full = 1024; full <= 4096; full += 1024) {
        size_t less[2];
        size_t just[2];
        size_t more[2];
        reserved_for(layout, full - 1, less);
        reserved_for(layout, full, just);
        reserved_for(layout, full + 1, more);
        for (int i = 0; i < 2; i++) {
            CHECK_UINT(just[i], less[i]);
            CHECK(more[i] > just[i]);
        }
    }
}
