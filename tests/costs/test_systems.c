/* What systems take, each, does not depend on how many they are: to be added and to go, to be
 * ordered, to be shown. */
#include <kith/schedule.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "nothing.h"
#include "test.h"
#include "work.h"

/* Room for what a definition points to. */
typedef struct system_room {
    char own[24];
    char other[24];
    kith_term terms[3];
    uint32_t term_count;
    kith_term events[2];
} system_room;

/* Which system number `i` of `n` is; its name is there already. */
typedef void (*describe)(kith_system_def *def, system_room *room, uint32_t i, uint32_t n);

static const char *name_of(system_room *room, uint32_t i)
{
    snprintf(room->other, sizeof room->other, "system %u", i);
    return room->other;
}

static void use(kith_system_def *def, system_room *room, const kith_type *type, bool writes)
{
    room->terms[room->term_count++] =
        (kith_term){.type = type, .access = writes ? KITH_ACCESS_WRITE : KITH_ACCESS_READ};
    def->query.terms = room->terms;
}

static const kith_type *types; /* one for each system */

/* ---- Sets of systems --------------------------------------------------------------------------- */

static void alone(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)i;
    (void)n;
    use(def, room, &Position_type, false);
}

static void plain(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)room;
    (void)i;
    (void)n;
    def->update = update_nothing;
}

static void after_the_next(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    def->after = i + 1 < n ? name_of(room, i + 1) : NULL;
}

static void plain_after_the_next(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    plain(def, room, i, n);
    after_the_next(def, room, i, n);
}

static void before_the_last(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    def->before = i > 0 ? name_of(room, i - 1) : NULL;
}

static void after_the_first(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    def->after = i > 0 ? name_of(room, 0) : NULL;
}

static void in_a_tree(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    def->after = i > 0 ? name_of(room, i / 2) : NULL;
    def->after = i == 1 ? name_of(room, 0) : def->after;
}

static void all_write(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)i;
    (void)n;
    use(def, room, &Position_type, true);
}

static void all_write_by_name(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    all_write(def, room, i, n);
    after_the_next(def, room, i, n);
}

static void few_write(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    use(def, room, &Position_type, i % 20 == 0);
}

static void first_writes(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    use(def, room, &Position_type, i == 0);
}

static void last_writes(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    use(def, room, &Position_type, i + 1 == n);
}

/* One half writes a component each, which one of the other half reads; all of the latter write
 * another. */
static void pairs(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    use(def, room, &types[i % (n / 2)], i < n / 2);
    if (i >= n / 2) {
        use(def, room, &Position_type, true);
    }
}

static void own_types(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    use(def, room, &types[i], true);
}

static void priorities(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    own_types(def, room, i, n);
    def->priority = (int32_t)(n - i);
}

static void quiet_priorities(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    priorities(def, room, i, n);
    def->no_commands = i % 10 != 0;
}

static void all_quiet(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    priorities(def, room, i, n);
    def->no_commands = true;
}

/* As many of each as there are neighbours to be shown. */
static void eight_of_a_priority(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    own_types(def, room, i, n);
    def->priority = (int32_t)(i / 8);
}

static void chains_of_priorities(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    all_write(def, room, i, n);
    def->priority = (int32_t)(i % 8);
}

static void in_phases(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    static const char *const phases[] = {KITH_PHASE_LATE, KITH_PHASE_EARLY, KITH_PHASE_UPDATE};
    all_write(def, room, i, n);
    def->phase = phases[i % 3];
}

static void events(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    (void)n;
    room->events[0] = (kith_term){.type = &Health_type,
                                  .access = i % 2 == 0 ? KITH_ACCESS_WRITE : KITH_ACCESS_READ};
    def->events = i < 20 ? room->events : NULL;
    all_write(def, room, i, n);
}

static void in_one_group(kith_system_def *def, system_room *room, uint32_t i, uint32_t n)
{
    own_types(def, room, i, n);
    def->group = "all";
}

typedef struct family {
    const char *name;
    describe what;
    kith_conflicts conflicts;
} family;

static const family families[] = {
    {"alone", alone, KITH_CONFLICTS_ERROR},
    {"plain", plain, KITH_CONFLICTS_OFF},
    {"plain, each after the next", plain_after_the_next, KITH_CONFLICTS_ERROR},
    {"each after the next", after_the_next, KITH_CONFLICTS_ERROR},
    {"each before the last", before_the_last, KITH_CONFLICTS_OFF},
    {"all after the first", after_the_first, KITH_CONFLICTS_OFF},
    {"in a tree", in_a_tree, KITH_CONFLICTS_ERROR},
    {"all write one component", all_write, KITH_CONFLICTS_OFF},
    {"the same, each after the next", all_write_by_name, KITH_CONFLICTS_ERROR},
    {"some write, others read", few_write, KITH_CONFLICTS_OFF},
    {"the first writes", first_writes, KITH_CONFLICTS_OFF},
    {"the last writes", last_writes, KITH_CONFLICTS_OFF},
    {"pairs", pairs, KITH_CONFLICTS_OFF},
    {"a type each", own_types, KITH_CONFLICTS_ERROR},
    {"a priority each", priorities, KITH_CONFLICTS_ERROR},
    {"a priority each, most are quiet", quiet_priorities, KITH_CONFLICTS_OFF},
    {"a priority each, all are quiet", all_quiet, KITH_CONFLICTS_OFF},
    {"eight of a priority", eight_of_a_priority, KITH_CONFLICTS_ERROR},
    {"eight priorities", chains_of_priorities, KITH_CONFLICTS_OFF},
    {"phases", in_phases, KITH_CONFLICTS_OFF},
    {"events", events, KITH_CONFLICTS_OFF},
    {"one group", in_one_group, KITH_CONFLICTS_OFF},
};
enum { FAMILIES = sizeof families / sizeof families[0], MOST = 250 * 8 };

/* ---- What they take ---------------------------------------------------------------------------- */

static kith_world *new_world(const family *of)
{
    kith_world *world = kith_world_new(&(kith_world_def){.conflicts = of->conflicts});
    register_all(world, KITH_TABLE);
    types = types == NULL ? work_types("Use", MOST) : types;
    for (uint32_t i = 0; i < MOST; i++) {
        CHECK_RESULT(kith_register(world, &types[i], NULL), KITH_OK);
    }
    return world;
}

static void add_systems(kith_world *world, const family *of, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        system_room room = {.term_count = 0};
        snprintf(room.own, sizeof room.own, "system %u", i);
        kith_system_def def = {.name = room.own};
        of->what(&def, &room, i, n);
        def.run = def.update == NULL ? run_nothing : NULL;
        CHECK_RESULT(kith_system_add(world, &def), KITH_OK);
    }
}

static uint64_t work_of_order(uint32_t n, const void *context)
{
    kith_world *world = new_world(context);
    add_systems(world, context, n);
    uint64_t before = work_done();
    CHECK_RESULT(kith_schedule_build(world), KITH_OK);
    uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

static uint64_t work_of_printing(uint32_t n, const void *context)
{
    kith_world *world = new_world(context);
    add_systems(world, context, n);
    CHECK_RESULT(kith_schedule_build(world), KITH_OK);
    uint64_t before = work_done();
    size_t length;
    CHECK_RESULT(kith_schedule_print(world, NULL, 0, &length), KITH_OK);
    CHECK(length > n);
    CHECK_RESULT(kith_schedule_dot(world, NULL, 0, &length), KITH_OK);
    CHECK_RESULT(kith_world_check(world), KITH_OK);
    uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

static uint64_t work_of_lives(uint32_t n, const void *context)
{
    kith_world *world = new_world(context);
    uint64_t before = work_done();
    add_systems(world, context, n);
    for (uint32_t i = 0; i < n; i++) {
        char name[24];
        snprintf(name, sizeof name, "system %u", i);
        CHECK_RESULT(kith_system_enable(world, name, false), KITH_OK);
        CHECK_RESULT(kith_system_remove(world, name), KITH_OK);
    }
    uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

static uint64_t work_of_a_tick(uint32_t n, const void *context)
{
    kith_world *world = new_world(context);
    add_systems(world, context, n);
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    uint64_t before = work_done();
    CHECK_RESULT(kith_run(world, 1), KITH_OK);
    uint64_t work = work_done() - before;
    kith_world_free(world);
    return work;
}

static void check_families(uint64_t (*work)(uint32_t n, const void *context), uint32_t limit)
{
    for (uint32_t i = 0; i < FAMILIES; i++) {
        work_check_items(families[i].name, work, &families[i], MOST / 8, limit);
    }
}

TEST_WITHIN(20, to_be_ordered)
{
    check_families(work_of_order, 160);
}

TEST_WITHIN(20, to_be_shown_and_checked)
{
    check_families(work_of_printing, 150);
}

TEST_WITHIN(20, to_be_added_and_to_go)
{
    check_families(work_of_lives, 130);
}

TEST_WITHIN(20, to_run)
{
    check_families(work_of_a_tick, 130);
}

/* ---- Observers --------------------------------------------------------------------------------- */

static void end_at_once(const kith_observed *observed)
{
    CHECK_RESULT(kith_despawn_many(observed->world, observed->entities, observed->count, NULL),
                 KITH_OK);
}

static void find_positions(const kith_observed *observed)
{
    for (uint32_t i = 0; i < observed->count; i++) {
        const void *position = kith_observed_value(observed, i, &Position_type);
        CHECK((position != NULL) == (observed->entities[i].index1 % 2 == 0));
    }
}

/* Entities that lost their Health are despawned by one observer, and another is told what each had. */
static uint64_t work_of_telling(uint32_t n, const void *context)
{
    (void)context;
    kith_world *world = kith_world_new(NULL);
    kith_entity *entities = calloc(n, sizeof *entities);
    CHECK_PTR_NOT_NULL(entities);
    for (uint32_t i = 0; i < n; i++) {
        entities[i] = KITH_SPAWN(world, KITH_VALUE(Health));
        if (entities[i].index1 % 2 == 0) {
            CHECK_RESULT(KITH_ADD(world, entities[i], Position), KITH_OK);
        }
    }
    const kith_observer_def ends = {
        .kind = KITH_ON_REMOVE, .type = &Health_type, .run = end_at_once};
    const kith_observer_def finds = {.kind = KITH_ON_DESPAWN,
                                     .type = &Health_type,
                                     .also = KITH_TERMS(KITH_READ(Position)),
                                     .run = find_positions};
    CHECK_RESULT(kith_observer_new(world, &ends, NULL), KITH_OK);
    CHECK_RESULT(kith_observer_new(world, &finds, NULL), KITH_OK);
    for (uint32_t i = n; i-- > 0;) {
        CHECK_RESULT(KITH_REMOVE(world, entities[i], Health), KITH_OK);
    }
    uint64_t before = work_done();
    CHECK_RESULT(kith_observers_flush(world), KITH_OK);
    uint64_t work = work_done() - before;
    free(entities);
    kith_world_free(world);
    return work;
}

TEST_WITHIN(20, to_be_told)
{
    work_check_items("despawns told with other values", work_of_telling, NULL, 512, 150);
}
