/* Worlds whose systems, queries, observers and layouts are drawn at random: from any snapshot, with
 * any number of workers, they play on tick by tick as they did the first time. All that systems and
 * observers see goes into a resource, and so into the world's hash. */
#include <kith/kith.h>
#include <stdio.h>

#include "components.h"
#include "owned.h"
#include "random.h"
#include "test.h"

typedef struct Journal {
    uint64_t hash;
    uint64_t count;
} Journal;
KITH_TYPE(Journal, KITH_FIELD(Journal, hash), KITH_FIELD(Journal, count));

typedef struct Shout {
    kith_entity entity;
    uint32_t loudness;
} Shout;
KITH_TYPE(Shout, KITH_FIELD(Shout, entity), KITH_FIELD(Shout, loudness));

KITH_TAG(Whisper);

enum { SYSTEMS = 10, TICKS = 130, AFTER = 100, POINTS = 8 };

static const kith_type *const valued[] = {&Position_type, &Velocity_type, &Health_type,
                                          &Extra_type,    &Byte_type,     &Target_type};
static const kith_type *const tags[] = {&Frozen_type, &Burning_type};

/* A system as it was drawn. */
typedef struct drawn_system {
    uint64_t seed; /* of what it does */
    char name[16];
    kith_term terms[5];
    const kith_type *written; /* or NULL */
    kith_term further[2];     /* of a further query */
    kith_term events[4];
    kith_term resources[2];
    bool hears;
} drawn_system;

typedef struct drawn {
    fixture f;
    kith_world *world;
    owned_record owned;
    uint64_t seed;
    drawn_system systems[SYSTEMS];
} drawn;

static const kith_type *any_valued(uint64_t *state)
{
    return valued[random_below(state, ROWS_OF(valued))];
}

static const kith_type *any_type(uint64_t *state)
{
    return random_below(state, 4) == 0 ? tags[random_below(state, ROWS_OF(tags))]
                                       : any_valued(state);
}

/* ---- What is seen ---------------------------------------------------------------------------- */

static void note(Journal *journal, uint64_t what)
{
    journal->hash = (journal->hash ^ what) * UINT64_C(0x9E3779B97F4A7C15);
    journal->hash ^= journal->hash >> 29;
    journal->count++;
}

static void note_entities(Journal *journal, const kith_entity *entities, uint32_t count)
{
    note(journal, count);
    for (uint32_t i = 0; i < count; i++) {
        note(journal, (uint64_t)entities[i].index1 << 32 | entities[i].generation);
    }
}

static void note_bytes(Journal *journal, const void *bytes, size_t size)
{
    for (size_t i = 0; bytes != NULL && i < size; i++) {
        note(journal, ((const unsigned char *)bytes)[i]);
    }
}

static Journal *journal_of(kith_world *world)
{
    void *journal;
    CHECK_RESULT(kith_resource_get_mut(world, &Journal_type, &journal), KITH_OK);
    return journal;
}

/* ---- What systems do ------------------------------------------------------------------------- */

/* Queues something about an entity, or sends an event; mostly nothing. */
static void act_at_random(kith_iter *it, const drawn_system *system, kith_entity entity)
{
    static const unsigned char bytes[32] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t state = kith_system_random(it);
    const kith_type *type = any_type(&state);
    switch (random_below(&state, 40)) {
    case 0: kith_commands_add(it->commands, entity, type); break;
    case 1: kith_commands_remove(it->commands, entity, type); break;
    case 2: type = any_valued(&state); kith_commands_set(it->commands, entity, type, bytes); break;
    case 3: kith_commands_clone(it->commands, entity); break;
    case 4: kith_commands_despawn(it->commands, entity); break;
    case 5:
        if (system->events[0].type != NULL && !system->hears) {
            CHECK_RESULT(KITH_SEND(it, Shout, {entity, (uint32_t)system->seed % 100}), KITH_OK);
        }
        break;
    default: break;
    }
}

static void run_drawn(kith_iter *it)
{
    const drawn_system *system = it->user;
    void *journal = NULL;
    if (system->resources[0].type != NULL) {
        CHECK_RESULT(kith_system_resource_mut(it, &Journal_type, &journal), KITH_OK);
        note(journal, (uint64_t)(it->dt * 1000));
    }
    for (uint32_t i = 0; journal != NULL && system->hears &&
                         i < kith_system_event_count(it, &Shout_type);
         i++) {
        const Shout *shout = kith_system_event(it, &Shout_type, i);
        note(journal, shout->entity.index1 ^ (uint64_t)shout->loudness << 40);
    }
    if (journal != NULL && system->further[0].type != NULL) {
        for (kith_iter further = kith_system_query(it, 1); kith_next(&further);) {
            note_entities(journal, kith_entities(&further), further.count);
        }
    }
    while (kith_next(it)) {
        if (journal != NULL) {
            note_entities(journal, kith_entities(it), it->count);
        }
        for (uint32_t i = 0; i < it->count; i++) {
            if (system->written != NULL && kith_system_random(it) % 4 != 0) {
                unsigned char *value = kith_at(it, i, system->written, system->written->size,
                                               KITH_ACCESS_WRITE);
                value[system->seed % system->written->size] ^= kith_system_random(it) % 8 == 0;
            }
            act_at_random(it, system, kith_entities(it)[i]);
        }
    }
}

static void act_on_one(kith_world *world, kith_entity entity, kith_random *random)
{
    uint64_t state = kith_random_next(random);
    switch (random_below(&state, 5)) {
    case 0: CHECK_RESULT(kith_add(world, entity, any_type(&state)), KITH_OK); break;
    case 1: (void)kith_remove(world, entity, any_type(&state)); break;
    case 2: CHECK_RESULT(kith_add(world, entity, &Owned_type), KITH_OK); break;
    case 3: (void)kith_despawn(world, entity); break;
    default: break;
    }
}

/* The only plain system keeps the crowd at its size, and does what only a plain one may do. */
static kith_result tend_drawn(kith_world *world, kith_iter *it)
{
    const drawn *d = it->user;
    kith_random *random = kith_world_random(world);
    while (kith_entity_count(world) < 200) {
        KITH_SPAWN(world, KITH_VALUE(Position, {(float)kith_random_index(random, 9), 0}),
                   KITH_VALUE(Health, {(int32_t)kith_random_index(random, 9), 9}));
    }
    kith_entity e = kith_entity_next(world, KITH_NONE);
    while (!kith_is_none(e)) {
        kith_entity next = kith_entity_next(world, e);
        if (kith_random_index(random, 20) == 0 || kith_entity_count(world) > 600) {
            act_on_one(world, e, random);
        }
        e = next;
    }
    const char *name = d->systems[kith_random_index(random, SYSTEMS)].name;
    (void)kith_system_enable(world, name, kith_random_chance(random, 0.8));
    if (kith_random_chance(random, 0.3)) {
        CHECK_RESULT(kith_event_send(world, &Whisper_type, NULL), KITH_OK);
        CHECK_RESULT(kith_event_send(world, &Owned_type, NULL), KITH_OK);
        CHECK_RESULT(kith_resource_set(world, &Owned_type, NULL), KITH_OK);
    }
    note(journal_of(world), kith_event_count(world, &Whisper_type));
    return KITH_OK;
}

static bool on_some_ticks(const kith_world *world, void *user)
{
    const drawn_system *system = user;
    return kith_tick_count(world) % 5 != system->seed % 5;
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static bool has_term(const kith_term *terms, const kith_type *type)
{
    for (; terms->type != NULL; terms++) {
        if (terms->type == type) {
            return true;
        }
    }
    return false;
}

/* One to four terms, of types that differ; with at least one that an entity must have. */
static void draw_terms(drawn_system *system, uint64_t *state)
{
    uint32_t count = 0;
    for (uint32_t wanted = 1 + random_below(state, 4); count < wanted;) {
        const kith_type *type = count == 0 ? any_valued(state) : any_type(state);
        bool tag = type->size == 0;
        kith_term term = {.type = type, .access = KITH_ACCESS_NONE, .role = KITH_MUST};
        switch (random_below(state, 5)) {
        case 0: term.access = tag ? KITH_ACCESS_NONE : KITH_ACCESS_READ; break;
        case 1:
            term.access = system->written == NULL && !tag ? KITH_ACCESS_WRITE : KITH_ACCESS_NONE;
            break;
        case 2:
            term.access = tag ? KITH_ACCESS_NONE : KITH_ACCESS_READ;
            term.role = tag ? KITH_MUST : KITH_MUST_CHANGED;
            break;
        case 3: term.role = count == 0 ? KITH_MUST : KITH_MUST_NOT; break;
        default: break;
        }
        if (!has_term(system->terms, type)) {
            system->terms[count++] = term;
            system->written = term.access == KITH_ACCESS_WRITE ? type : system->written;
        }
    }
}

static void draw_system(drawn *d, uint32_t number, uint64_t *state)
{
    drawn_system *system = &d->systems[number];
    *system = (drawn_system){.seed = random_next(state)};
    snprintf(system->name, sizeof system->name, "system%u", number);
    draw_terms(system, state);
    kith_system_def def = {.name = system->name,
                           .run = run_drawn,
                           .user = system,
                           .query.terms = system->terms,
                           .parallel = random_below(state, 2) == 0,
                           .priority = (int32_t)random_below(state, 4)};
    uint32_t role = random_below(state, 3);
    if (role < 2) {
        system->hears = role == 1;
        system->events[0] = (kith_term)KITH_WRITE(Shout);
        system->events[0].access = system->hears ? KITH_ACCESS_READ : KITH_ACCESS_WRITE;
        def.events = system->events;
    }
    if (!def.parallel) {
        system->resources[0] = (kith_term)KITH_WRITE(Journal);
        def.resources = system->resources;
    }
    const kith_type *seen = any_valued(state);
    if (!def.parallel && seen != system->written && random_below(state, 2) == 0) {
        system->further[0] = (kith_term){
            .type = seen, .access = KITH_ACCESS_READ, .role = KITH_MUST_CHANGED};
        def.queries[0].terms = system->further;
    }
    switch (random_below(state, 5)) {
    case 0: def.interval = 0.03f + 0.02f * (float)random_below(state, 8); break;
    case 1: def.every_ticks = 1 + random_below(state, 5); break;
    case 2: def.run_if = on_some_ticks; break;
    default: break;
    }
    CHECK_RESULT(kith_system_add(d->world, &def), KITH_OK);
}

static void tell_drawn(const kith_observed *observed)
{
    Journal *journal = journal_of(observed->world);
    const kith_type *type = observed->user;
    note(journal, observed->kind);
    note_entities(journal, observed->entities, observed->count);
    if (observed->values != NULL) {
        note_bytes(journal, kith_observed_values(observed, type),
                   (size_t)observed->count * type->size);
    }
    if (observed->entities[0].index1 % 8 == 0) {
        KITH_SET(observed->commands, observed->entities[0], Velocity, {1, 2});
    }
}

static void draw_observer(drawn *d, uint64_t *state)
{
    static const kith_observer_kind kinds[] = {KITH_ON_ADD,    KITH_ON_REMOVE, KITH_ON_DESPAWN,
                                               KITH_ON_CHANGE, KITH_ON_ENTER,  KITH_ON_LEAVE};
    const kith_type *type = any_valued(state);
    kith_term terms[3] = {{.type = type, .access = KITH_ACCESS_READ},
                          {.type = tags[random_below(state, 2)], .role = KITH_MUST_NOT}};
    kith_observer_def def = {.kind = kinds[random_below(state, ROWS_OF(kinds))],
                             .run = tell_drawn,
                             .user = (void *)(uintptr_t)type};
    if (def.kind == KITH_ON_ENTER || def.kind == KITH_ON_LEAVE) {
        def.query.terms = terms;
    } else {
        def.type = type;
        def.values = (def.kind == KITH_ON_REMOVE || def.kind == KITH_ON_DESPAWN) &&
                     random_below(state, 2) == 0;
    }
    CHECK_RESULT(kith_observer_new(d->world, &def, NULL), KITH_OK);
}

static void draw_components(drawn *d, uint64_t *state)
{
    const kith_hooks hooks = owned_hooks(&d->owned);
    kith_component_def def = {.layout = (kith_layout)random_below(state, LAYOUT_COUNT),
                              .hooks = &hooks};
    CHECK_RESULT(kith_register(d->world, &Owned_type, &def), KITH_OK);
    def.hooks = NULL;
    for (uint32_t i = 0; i < ROWS_OF(valued); i++) {
        def.layout = (kith_layout)random_below(state, LAYOUT_COUNT);
        def.exact_changes = random_below(state, 3) == 0;
        CHECK_RESULT(kith_register(d->world, valued[i], &def), KITH_OK);
    }
    def.exact_changes = false;
    for (uint32_t i = 0; i < ROWS_OF(tags); i++) {
        def.layout = (kith_layout)random_below(state, LAYOUT_COUNT);
        CHECK_RESULT(kith_register(d->world, tags[i], &def), KITH_OK);
    }
}

static void draw_world(drawn *d, uint64_t seed)
{
    uint64_t state = seed;
    *d = (drawn){.seed = seed};
    d->f = fixture_new_with(&(kith_world_def){.seed = seed});
    d->world = d->f.world;
    draw_components(d, &state);
    const kith_event_def keep = {.keep = random_below(&state, 4)};
    CHECK_RESULT(kith_event_register(d->world, &Shout_type, &keep), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(d->world, Journal, {0, 0}), KITH_OK);
    const kith_system_def tend = {.name = "tend", .update = tend_drawn, .user = d};
    CHECK_RESULT(kith_system_add(d->world, &tend), KITH_OK);
    for (uint32_t i = 0; i < SYSTEMS; i++) {
        draw_system(d, i, &state);
    }
    for (uint32_t i = 1 + random_below(&state, 6); i > 0; i--) {
        draw_observer(d, &state);
    }
}

/* ---- Playing --------------------------------------------------------------------------------- */

static uint64_t play_tick(drawn *d)
{
    CHECK_RESULT(kith_run(d->world, 0.05f), KITH_OK);
    CHECK_WORLD(d->world);
    return kith_world_hash(d->world);
}

static char where[128];

/* Goes back to the snapshot that was taken before a tick, and plays the next ones again. */
static void play_from(drawn *d, const kith_snapshot *snapshot, uint32_t tick,
                      const uint64_t *hashes, uint32_t workers)
{
    CHECK_RESULT(kith_workers_set(d->world, &(kith_workers_def){.threads = workers + 1}), KITH_OK);
    CHECK_RESULT(kith_snapshot_restore(d->world, snapshot), KITH_OK);
    CHECK_WORLD(d->world);
    for (uint32_t i = tick; i < TICKS && i < tick + AFTER; i++) {
        snprintf(where, sizeof where, "seed %llu, from tick %u with %u workers, tick %u",
                 (unsigned long long)d->seed, tick, workers, i);
        CHECK_UINT(play_tick(d), hashes[i]);
    }
}

static void play_drawn(uint64_t seed)
{
    static const uint32_t workers[] = {0, 1, 3};
    drawn d;
    uint64_t state = ~seed;
    uint64_t hashes[TICKS];
    kith_snapshot *snapshots[POINTS];
    uint32_t ticks[POINTS];
    uint32_t taken = 0;
    snprintf(where, sizeof where, "seed %llu, the first time", (unsigned long long)seed);
    draw_world(&d, seed);
    for (uint32_t i = 0; i < TICKS; i++) {
        while (taken < POINTS && random_below(&state, TICKS) < POINTS + taken) {
            ticks[taken] = i;
            CHECK_RESULT(kith_snapshot_take(d.world, &snapshots[taken++]), KITH_OK);
        }
        hashes[i] = play_tick(&d);
    }
    CHECK(journal_of(d.world)->count > 1000);
    for (uint32_t i = 0; taken != 0 && i < POINTS; i++) {
        uint32_t point = random_below(&state, taken);
        play_from(&d, snapshots[point], ticks[point], hashes, workers[random_below(&state, 3)]);
    }
    fixture_free(&d.f);
    CHECK_UINT(d.owned.live, 0);
}

TEST_WITHIN(30, random_schedules_play_again_as_they_did)
{
    test_note(where);
    uint64_t first = test_number("KITH_TEST_SEED", 1);
    uint64_t count = test_number("KITH_TEST_ROUNDS", test_long() ? 1000 : test_short() ? 2 : 10);
    for (uint64_t i = 0; i < count; i++) {
        play_drawn(first + i);
    }
}
