/* Indexes by a function of all kinds, beside each other: of what values own, of texts and several
 * fields, in order and by place. */
#include "base/hash.h"
#include "computed.h"
#include "owned.h"
#include "random.h"

/* ---- Values with hooks: what they own changes while their bytes do not */

typedef struct Number {
    uint32_t number;
} Number;
KITH_TYPE(Number, KITH_FIELD(Number, number));

static bool number_of(const void *value, void *key, void *user)
{
    const Owned *owned = value;
    uint32_t *calls = user;
    ++*calls;
    ((Number *)key)->number = *owned->number;
    return *owned->number != 13;
}

static uint32_t count_of_number(kith_index *index, uint32_t number)
{
    kith_index_found found;
    CHECK_RESULT(kith_index_find(index, &(Number){number}, &found), KITH_OK);
    return found.count;
}

TEST_EACH_LAYOUT(what_values_own_is_looked_at, layout)
{
    fixture f = fixture_new();
    owned_record record = {0};
    const kith_hooks hooks = owned_hooks(&record);
    const kith_component_def component = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(f.world, &Owned_type, &component), KITH_OK);
    uint32_t calls = 0;
    const kith_index_def def = {.kind = KITH_INDEX_HASH,
                                KITH_FIELDS(Number, number),
                                .of = &Owned_type,
                                .key = number_of,
                                .user = &calls};
    kith_index *index;
    kith_entity entities[9];
    for (uint32_t i = 0; i < 9; i++) {
        entities[i] = kith_spawn_empty(f.world);
        CHECK_RESULT(KITH_ADD(f.world, entities[i], Owned), KITH_OK);
    }
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    CHECK_UINT(count_of_number(index, OWNED_INITIAL), 9);
    *KITH_GET_MUT(f.world, entities[3], Owned)->number = 5; /* the same bytes */
    *KITH_GET_MUT(f.world, entities[4], Owned)->number = 13;
    CHECK_UINT(count_of_number(index, OWNED_INITIAL), 7);
    CHECK_UINT(count_of_number(index, 5), 1);
    CHECK_UINT(count_of_number(index, 13), 0);
    CHECK_RESULT(KITH_REMOVE(f.world, entities[5], Owned), KITH_OK);
    CHECK_RESULT(kith_despawn(f.world, entities[3]), KITH_OK);
    calls = 0;
    CHECK_UINT(count_of_number(index, OWNED_INITIAL), 6);
    CHECK(calls <= 9);
    calls = 0;
    CHECK_UINT(count_of_number(index, 5), 0);
    CHECK_UINT(calls, 0);
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- Several indexes, and memory that runs out */

/* Random changes, with an index of each kind by functions. */
typedef struct crowd {
    computed t;
    kith_index *labels;
    kith_index *spots;
    kith_index *ordered_labels;
} crowd;

static kith_index *index_of(kith_world *world, kith_index_def def, uint32_t *calls)
{
    kith_index *index = NULL;
    def.of = &Health_type;
    def.user = calls;
    CHECK_RESULT(kith_index_new(world, &def, &index), KITH_OK);
    return index;
}

static void crowd_new(crowd *c, kith_layout layout)
{
    const kith_index_def labels = {
        .kind = KITH_INDEX_HASH, KITH_FIELDS(Label, text, max), .key = label_of};
    const kith_index_def ordered = {
        .kind = KITH_INDEX_ORDERED, KITH_FIELDS(Label, max, text), .key = label_of};
    const kith_index_def spots = {
        .kind = KITH_INDEX_SPATIAL, KITH_FIELDS(Spot, x, y), .key = spot_of};
    computed_new(&c->t, layout, KITH_INDEX_ORDERED);
    c->labels = index_of(c->t.world, labels, &c->t.calls);
    c->ordered_labels = index_of(c->t.world, ordered, &c->t.calls);
    c->spots = index_of(c->t.world, spots, &c->t.calls);
}

static void sort_by_slot(kith_entity *entities, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        for (uint32_t k = i; k > 0 && entities[k].index1 < entities[k - 1].index1; k--) {
            kith_entity other = entities[k];
            entities[k] = entities[k - 1];
            entities[k - 1] = other;
        }
    }
}

static void expect_labels(crowd *c, int level, int32_t max)
{
    static kith_entity entities[SCANNED_MAX];
    kith_index_found found;
    Label label = {.max = max};
    snprintf(label.text, sizeof(label.text), "n%d", level);
    uint32_t count = scan_levels(&c->t, level, max, entities);
    CHECK_RESULT(kith_index_find(c->labels, &label, &found), KITH_OK);
    check_same_entities(__LINE__, &found, entities, count);
    CHECK_RESULT(kith_index_find(c->ordered_labels, &label, &found), KITH_OK);
    check_same_entities(__LINE__, &found, entities, count);
    const kith_range range = {.from = &label, .to = &label};
    CHECK_RESULT(kith_index_range(c->ordered_labels, &range, &found), KITH_OK);
    sort_by_slot(entities, count);
    check_same_entities(__LINE__, &found, entities, count);
    const kith_point at = {(double)level, (double)max, 0};
    CHECK_RESULT(kith_within_box(c->spots, at, at, NULL, &found), KITH_OK);
    check_same_entities(__LINE__, &found, entities, count);
}

static void expect_all(crowd *c)
{
    for (int level = 0; level < LEVELS; level++) {
        for (int32_t max = 0; max < 3; max++) {
            expect_labels(c, level, max);
        }
    }
    expect_levels(&c->t);
}

static void change_one(crowd *c, kith_entity *entity, uint64_t *random)
{
    kith_world *world = c->t.world;
    Health health = {(int32_t)random_below(random, 25), (int32_t)random_below(random, 4) - 1};
    switch (random_below(random, 8)) {
    case 0: kith_despawn(world, *entity); break;
    case 1: kith_add(world, *entity, &Position_type); break;
    case 2: kith_remove(world, *entity, &Position_type); break;
    case 3: kith_remove(world, *entity, &Health_type); break;
    case 4:
        if (KITH_HAS(world, *entity, Health)) {
            KITH_GET_MUT(world, *entity, Health)->max = health.max;
        }
        break;
    case 5:
        if (KITH_HAS(world, *entity, Health)) {
            CHECK_RESULT(kith_set(world, *entity, &Health_type, &health), KITH_OK);
        }
        break;
    default: break;
    }
    if (!KITH_ALIVE(world, *entity)) {
        *entity = KITH_SPAWN(world, KITH_VALUE(Health, {health.current, health.max}));
    }
}

TEST_EACH_LAYOUT(random_changes_are_followed, layout)
{
    static kith_entity entities[1300];
    crowd c;
    crowd_new(&c, layout);
    uint64_t random = 5;
    memset(entities, 0, sizeof(entities));
    const uint32_t steps = test_short() ? 600 : 3000;
    for (uint32_t step = 0; step < steps; step++) {
        change_one(&c, &entities[random_below(&random, 1300)], &random);
        if (random_below(&random, 5) == 0) {
            expect_labels(&c, (int)random_below(&random, LEVELS),
                          (int32_t)random_below(&random, 3));
        }
        if (layout != KITH_SLOT && step % 250 == 0) {
            CHECK_RESULT(KITH_SORT(c.t.world, Health, current), KITH_OK);
        }
        if (step % 200 == 0) {
            expect_all(&c);
        }
    }
    expect_all(&c);
    fixture_free(&c.t.f);
}

/* Whichever allocation fails, the answer is an error, and then it is right. */
TEST_EACH_LAYOUT(a_refresh_survives_every_allocation_failure, layout)
{
    crowd c;
    crowd_new(&c, layout);
    kith_index *const all[] = {c.labels, c.ordered_labels, c.t.index};
    const Label label = {"n3", 1};
    const Danger danger = {0, 3};
    for (uint32_t which = 0; which < 3; which++) {
        bool reached = true;
        for (size_t nth = 1; reached; nth++) {
            kith_entity last = KITH_NONE;
            for (int i = 0; i < 60; i++) {
                last = KITH_SPAWN(c.t.world, KITH_VALUE(Health, {i, i % 4 - 1}));
            }
            kith_index_found found;
            fail_allocation(&c.t.f, nth);
            kith_result result = kith_index_find(
                all[which], which == 2 ? (const void *)&danger : (const void *)&label, &found);
            reached = fail_nothing(&c.t.f);
            CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
            CHECK_RESULT(KITH_SET(c.t.world, last, Health, {3, 1}), KITH_OK);
            expect_labels(&c, 3, 1);
            expect_levels(&c.t);
        }
    }
    fixture_free(&c.t.f);
}

/* A definition is made, or nothing is. */
TEST(making_one_survives_every_allocation_failure)
{
    bool reached = true;
    for (size_t nth = 1; reached; nth++) {
        fixture f = fixture_new();
        uint32_t calls = 0;
        const kith_index_def def = {.kind = KITH_INDEX_HASH,
                                    KITH_FIELDS(Label, text),
                                    .of = &Health_type,
                                    .key = label_of,
                                    .user = &calls};
        kith_index *index = NULL;
        fail_allocation(&f, nth);
        kith_result result = kith_index_new(f.world, &def, &index);
        reached = fail_nothing(&f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK_INT(index != NULL, result == KITH_OK);
        CHECK_WORLD(f.world);
        fixture_free(&f);
    }
}

/* ---- Keys with one hash ---------------------------------------------------------------------- */

typedef struct Wide {
    uint64_t first;
    uint64_t second;
} Wide;
KITH_TYPE(Wide, KITH_FIELD(Wide, first), KITH_FIELD(Wide, second));

/* A hash of two numbers mixes the second one into that of the first: so all of these have the same. */
static bool wide_of(const void *value, void *key, void *user)
{
    const uint64_t first = (uint64_t)((const Health *)value)->current;
    (void)user;
    *(Wide *)key = (Wide){first, ki_hash_u64(KI_HASH_SEED, first)};
    return true;
}

TEST_EACH_LAYOUT(keys_with_one_hash_are_different_keys, layout)
{
    fixture f = fixture_with_all(layout);
    const kith_index_def def = {.kind = KITH_INDEX_HASH,
                                KITH_FIELDS(Wide, first, second),
                                .of = &Health_type,
                                .key = wide_of};
    kith_index *index;
    kith_index_found found;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    for (int32_t i = 0; i < 60; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i % 20, i}));
    }
    for (int32_t i = 0; i < 21; i++) {
        Wide wide;
        wide_of(&(Health){.current = i}, &wide, NULL);
        CHECK_RESULT(kith_index_find(index, &wide, &found), KITH_OK);
        CHECK_UINT(found.count, i < 20 ? 3 : 0);
        for (uint32_t k = 0; k < found.count; k++) {
            CHECK_INT(KITH_GET(f.world, found.entities[k], Health)->current, i);
        }
    }
    CHECK_WORLD(f.world);
    fixture_free(&f);
}

/* ---- What it is not for ---------------------------------------------------------------------- */

/* The planner may not take the keys for the component's own fields, of whatever name. */
static bool negate(const void *value, void *key, void *user)
{
    (void)user;
    *(Health *)key = (Health){-((const Health *)value)->current, 0};
    return true;
}

TEST(queries_do_not_ask_it)
{
    fixture f = fixture_with_all(KITH_TABLE);
    const kith_index_def def = {.kind = KITH_INDEX_ORDERED,
                                KITH_FIELDS(Health, current),
                                .of = &Health_type,
                                .key = negate};
    kith_index *index;
    kith_index_found found;
    CHECK_RESULT(kith_index_new(f.world, &def, &index), KITH_OK);
    for (int i = 0; i < 5000; i++) {
        KITH_SPAWN(f.world, KITH_VALUE(Health, {i, 1}));
    }
    CHECK_RESULT(kith_index_find(index, &(Health){.current = -77}, &found), KITH_OK);
    CHECK_UINT(found.count, 1);
    CHECK_UINT(kith_entity_slot(found.entities[0]), 77);
    kith_query *query = KITH_QUERY(f.world, KITH_IF(Health, current, ==, 77));
    char text[700];
    for (int i = 0; i < 20; i++) {
        CHECK_UINT(kith_query_count(query), 1);
    }
    CHECK_RESULT(kith_query_explain(query, false, text, sizeof(text), NULL), KITH_OK);
    CHECK_CONTAINS(text, "plan: scan");
    fixture_free(&f);
}
