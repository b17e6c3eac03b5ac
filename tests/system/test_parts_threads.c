/* The calls of a parallel system, each for a part of what matches. Together they visit what a
 * query would, count as one look for changes, and queue in the order of one call. */
#include <kith/kith.h>
#include <string.h>

#include "components.h"
#include "test.h"

enum { BLOCK = 1024, PARTS = 3, ROWS = PARTS * BLOCK };

static const uint32_t worker_counts[] = {0, 2};

static fixture world_with(kith_layout rows, kith_layout others, uint32_t workers)
{
    fixture f = fixture_new();
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        bool is_position = strcmp(component_types[i]->name, "Position") == 0;
        const kith_component_def def = {.layout = is_position ? rows : others};
        CHECK_RESULT(kith_register(f.world, component_types[i], &def), KITH_OK);
    }
    CHECK_RESULT(kith_workers_set(f.world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    return f;
}

static void spawn_rows(kith_world *world, kith_entity *e)
{
    const kith_values values = {&Position_type, NULL, true};
    CHECK_RESULT(kith_spawn_many(world, ROWS, &values, 1, e), KITH_OK);
}

/* ---- What is visited ------------------------------------------------------------------------- */

/* How often each slot was visited. Each call has its own rows, so no two count in one place. */
static void count_visits(kith_iter *it)
{
    uint8_t *visits = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            visits[kith_entities(it)[i].index1 - 1]++;
        }
    }
}

/* Frozen comes in runs, Burning now and then. So each part has entities with and without each of
 * them. */
static bool is_frozen(uint32_t i)
{
    return i / 5 % 3 == 0;
}

static bool is_burning(uint32_t i)
{
    return i % 7 == 3;
}

typedef struct filter {
    kith_query_def query;
    bool frozen[2]; /* whether entities without Frozen match, and those with it */
    bool burning[2];
    bool either; /* one of the two is enough */
} filter;

static void check_visits(kith_layout rows, kith_layout others, uint32_t workers, const filter *by)
{
    static kith_entity e[ROWS];
    static uint8_t visits[ROWS];
    memset(visits, 0, sizeof(visits));
    fixture f = world_with(rows, others, workers);
    spawn_rows(f.world, e);
    for (uint32_t i = 0; i < ROWS; i++) {
        CHECK_RESULT(is_frozen(i) ? KITH_ADD(f.world, e[i], Frozen) : KITH_OK, KITH_OK);
        CHECK_RESULT(is_burning(i) ? KITH_ADD(f.world, e[i], Burning) : KITH_OK, KITH_OK);
    }
    const kith_system_def def = {
        .name = "visit", .run = count_visits, .user = visits, .parallel = true, .query = by->query};
    CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
    CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
    for (uint32_t i = 0; i < ROWS; i++) {
        bool frozen = by->frozen[is_frozen(i)];
        bool burning = by->burning[is_burning(i)];
        CHECK_UINT(visits[e[i].index1 - 1], by->either ? frozen || burning : frozen && burning);
    }
    fixture_free(&f);
}

/* Also if a part begins in the middle of a table, and other storages decide what matches. */
TEST_EACH_LAYOUT_WITHIN(20, each_part_visits_just_what_matches, layout)
{
    const filter filters[] = {
        {{.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen))},
         {true, false},
         {true, true},
         false},
        {{.terms = KITH_TERMS(KITH_READ(Position), KITH_WITH(Frozen)), .driver = &Position_type},
         {false, true},
         {true, true},
         false},
        {{.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Frozen), KITH_WITH(Burning)),
          .driver = &Position_type},
         {true, false},
         {false, true},
         false},
        {{.terms = KITH_TERMS(KITH_READ(Position),
                              {&Frozen_type, KITH_ACCESS_NONE, KITH_ONE_OF, 0, NULL},
                              {&Burning_type, KITH_ACCESS_NONE, KITH_ONE_OF, 0, NULL})},
         {false, true},
         {false, true},
         true},
        {{.terms = KITH_TERMS(KITH_READ(Position))}, {true, true}, {true, true}, false},
    };
    for (size_t i = 0; i < sizeof(filters) / sizeof(filters[0]); i++) {
        for (int rows = 0; rows < LAYOUT_COUNT; rows++) {
            for (int k = 0; k < 2; k++) {
                check_visits((kith_layout)rows, layout, worker_counts[k], &filters[i]);
            }
        }
    }
}

/* ---- What is looked at ----------------------------------------------------------------------- */

typedef struct looking {
    uint32_t calls;
    uint32_t seen;
    uint32_t leave; /* the number of the part whose call returns after its first batch */
} looking;

static void look(kith_iter *it)
{
    looking *l = it->user;
    __atomic_add_fetch(&l->calls, 1, __ATOMIC_RELAXED);
    while (kith_next(it)) {
        __atomic_add_fetch(&l->seen, it->count, __ATOMIC_RELAXED);
        if ((kith_entities(it)[0].index1 - 1) / BLOCK == l->leave) {
            return;
        }
    }
}

static void check_look(kith_world *world, looking *l, uint32_t leave, uint32_t seen)
{
    *l = (looking){.leave = leave};
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    CHECK_UINT(l->calls, PARTS);
    CHECK_UINT(l->seen, seen);
    CHECK_WORLD(world);
}

/* If any call leaves early, all changes are seen again. Changes that all calls have seen are
 * not. */
TEST_EACH_LAYOUT(a_look_counts_if_every_part_was_walked_to_its_end, layout)
{
    static kith_entity e[ROWS];
    for (uint32_t leave = 0; leave < PARTS; leave++) {
        for (int k = 0; k < 2; k++) {
            fixture f = world_with(layout, layout, worker_counts[k]);
            spawn_rows(f.world, e);
            looking l;
            const kith_system_def def = {.name = "look",
                                         .run = look,
                                         .user = &l,
                                         .parallel = true,
                                         .query.terms = KITH_TERMS(KITH_CHANGED(Position))};
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            check_look(f.world, &l, leave, ROWS);
            check_look(f.world, &l, PARTS, ROWS);
            check_look(f.world, &l, PARTS, 0);
            CHECK_RESULT(KITH_SET(f.world, e[leave * BLOCK], Position, {1, 1}), KITH_OK);
            check_look(f.world, &l, PARTS, BLOCK);
            check_look(f.world, &l, PARTS, 0);
            fixture_free(&f);
        }
    }
}

/* ---- What is queued -------------------------------------------------------------------------- */

enum { APART = 100 };

/* For some entities of some parts (a bit for each part): queues a child that points to another
 * one, which points back. */
static void queue_children(kith_iter *it)
{
    const uint32_t *parts = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity self = kith_entities(it)[i];
            uint32_t index = self.index1 - 1;
            if (index % BLOCK % APART != 0 || (*parts >> index / BLOCK & 1) == 0) {
                continue;
            }
            kith_entity child = kith_commands_spawn(it->commands);
            kith_entity other = KITH_SPAWN(it->commands, KITH_VALUE(Extra, {(float)index, 2, 0}),
                                           KITH_VALUE(Target, {child}));
            KITH_SET_VALUES(it->commands, child, KITH_VALUE(Extra, {(float)index, 1, 0}),
                            KITH_VALUE(Target, {other}));
            KITH_SET(it->commands, self, Target, {child});
        }
    }
}

static void check_child(kith_world *world, kith_entity of, uint32_t index, float generation)
{
    const Extra *extra = KITH_GET(world, of, Extra);
    CHECK_PTR_NOT_NULL(extra);
    CHECK_FLOAT(extra->a, index);
    CHECK_FLOAT(extra->b, generation);
}

/* Whichever of the calls queue anything, each reference leads to the right entity. */
TEST_EACH_LAYOUT_WITHIN(20, what_each_part_queues_refers_to_what_it_makes, layout)
{
    static kith_entity e[ROWS];
    for (uint32_t parts = 0; parts < 1 << PARTS; parts++) {
        for (int k = 0; k < 2; k++) {
            fixture f = world_with(layout, layout, worker_counts[k]);
            spawn_rows(f.world, e);
            const kith_system_def def = {.name = "children",
                                         .run = queue_children,
                                         .user = &parts,
                                         .parallel = true,
                                         .query.terms = KITH_TERMS(KITH_READ(Position))};
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            for (int tick = 0; tick < 2; tick++) {
                CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
                CHECK_WORLD(f.world);
            }
            uint32_t parents = 0;
            for (uint32_t i = 0; i < ROWS; i++) {
                const Target *target = KITH_GET(f.world, e[i], Target);
                bool queued = (parts >> i / BLOCK & 1) != 0 && i % BLOCK % APART == 0;
                CHECK_INT(target != NULL, queued);
                if (queued) {
                    parents++;
                    check_child(f.world, target->entity, i, 1);
                    kith_entity other = KITH_GET(f.world, target->entity, Target)->entity;
                    check_child(f.world, other, i, 2);
                    CHECK_SAME(KITH_GET(f.world, other, Target)->entity, target->entity);
                }
            }
            CHECK_UINT(kith_entity_count(f.world), ROWS + 2 * 2 * parents);
            fixture_free(&f);
        }
    }
}

/* Each part makes an entity, to which the first of its rows refers in one of the parts alone. */
static void queue_one_reference(kith_iter *it)
{
    const uint32_t *refers = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity self = kith_entities(it)[i];
            uint32_t index = self.index1 - 1;
            if (index % BLOCK != 0) {
                continue;
            }
            kith_entity made = KITH_SPAWN(it->commands, KITH_VALUE(Extra, {(float)index, 1, 0}));
            if (index / BLOCK == *refers) {
                KITH_SET(it->commands, self, Target, {made});
            }
        }
    }
}

TEST_EACH_LAYOUT(what_one_part_alone_refers_to_is_found, layout)
{
    static kith_entity e[ROWS];
    for (uint32_t part = 0; part < PARTS; part++) {
        fixture f = world_with(layout, layout, 2);
        spawn_rows(f.world, e);
        const kith_system_def def = {.name = "one reference",
                                     .run = queue_one_reference,
                                     .user = &part,
                                     .parallel = true,
                                     .query.terms = KITH_TERMS(KITH_READ(Position))};
        CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
        CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
        CHECK_UINT(kith_entity_count(f.world), ROWS + PARTS);
        const Target *target = KITH_GET(f.world, e[part * BLOCK], Target);
        CHECK_PTR_NOT_NULL(target);
        check_child(f.world, target->entity, part * BLOCK, 1);
        fixture_free(&f);
    }
}

/* One of the parts names an entity that its buffer did not give. Besides, each part queues
 * something; for numbers from PARTS on, none does. */
static void queue_for_nobody(kith_iter *it)
{
    const uint32_t *fails = it->user;
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            uint32_t index = kith_entities(it)[i].index1 - 1;
            if (index % BLOCK == 0 && *fails < PARTS) {
                KITH_SPAWN(it->commands, KITH_VALUE(Extra, {1, 2, 3}));
            }
            if (index == *fails % PARTS * BLOCK + 5) {
                KITH_ADD(it->commands, ((kith_entity){0, 77777}), Frozen);
            }
        }
    }
}

/* Whichever part it is, nothing that the system queued is applied, and the error says why. */
TEST_EACH_LAYOUT(a_part_that_fails_to_queue_fails_the_system_and_tells_why, layout)
{
    static kith_entity e[ROWS];
    for (uint32_t fails = 0; fails < 2 * PARTS; fails++) {
        for (int k = 0; k < 2; k++) {
            fixture f = world_with(layout, layout, worker_counts[k]);
            spawn_rows(f.world, e);
            const kith_system_def def = {.name = "queues",
                                         .run = queue_for_nobody,
                                         .user = &fails,
                                         .parallel = true,
                                         .query.terms = KITH_TERMS(KITH_READ(Position))};
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            for (int tick = 0; tick < 2; tick++) {
                CHECK_RESULT(kith_run(f.world, 1), KITH_ERR_INPUT);
                CHECK_CONTAINS(kith_error(f.world), "kith_run: system 'queues' failed: KITH_ERR_");
                CHECK_CONTAINS(kith_error(f.world), "kith_commands_add: ");
                CHECK_UINT(kith_entity_count(f.world), ROWS);
                CHECK_WORLD(f.world);
            }
            fixture_free(&f);
        }
    }
}

/* ---- What is heard --------------------------------------------------------------------------- */

enum { HEARD = 200 };

/* Each part reads all events by number, in the order in which they were sent, several times. */
static void hear(kith_iter *it)
{
    uint32_t *calls = it->user;
    for (int times = 0; times < 2; times++) {
        uint32_t i = 0;
        for (const Health *heard; (heard = KITH_EVENT(it, i, Health)) != NULL; i++) {
            CHECK_INT(heard->current, i);
        }
        CHECK_UINT(i, HEARD);
        CHECK_PTR_NULL(KITH_EVENT(it, i + 1, Health));
        CHECK_PTR_NULL(KITH_EVENT(it, UINT32_MAX, Health));
    }
    __atomic_add_fetch(calls, 1, __ATOMIC_RELAXED);
}

TEST(each_part_hears_all_events_in_order)
{
    static kith_entity e[ROWS];
    for (int parallel = 0; parallel < 2; parallel++) {
        for (int k = 0; k < 2; k++) {
            fixture f = world_with(KITH_TABLE, KITH_TABLE, worker_counts[k]);
            spawn_rows(f.world, e);
            uint32_t calls = 0;
            const kith_system_def def = {.name = "hear",
                                         .run = hear,
                                         .user = &calls,
                                         .parallel = parallel == 1,
                                         .query.terms = KITH_TERMS(KITH_READ(Position)),
                                         .events = KITH_TERMS(KITH_READ(Health))};
            CHECK_RESULT(kith_system_add(f.world, &def), KITH_OK);
            for (int tick = 0; tick < 3; tick++) {
                for (int32_t i = 0; i < HEARD; i++) {
                    CHECK_RESULT(KITH_SEND(f.world, Health, {i, tick}), KITH_OK);
                }
                CHECK_RESULT(kith_run(f.world, 1), KITH_OK);
                CHECK_WORLD(f.world);
            }
            CHECK_UINT(calls, 3 * (parallel == 1 ? PARTS : 1));
            fixture_free(&f);
        }
    }
}
