#include "rewound.h"

#include <string.h>

#include "components.h"
#include "random.h"

typedef struct Seen {
    uint64_t hash;
    uint64_t count;
} Seen;
KITH_TYPE(Seen, KITH_FIELD(Seen, hash), KITH_FIELD(Seen, count));

typedef struct Score {
    int32_t points;
} Score;
KITH_TYPE(Score, KITH_FIELD(Score, points));

typedef struct Hit {
    kith_entity entity;
    uint32_t strength;
} Hit;
KITH_TYPE(Hit, KITH_FIELD(Hit, entity), KITH_FIELD(Hit, strength));

typedef struct Luck {
    uint32_t number;
} Luck;
KITH_TYPE(Luck, KITH_FIELD(Luck, number));

KITH_TAG(Rare);

/* ---- What was seen --------------------------------------------------------------------------- */

static void see(Seen *seen, uint64_t what)
{
    seen->hash = (seen->hash ^ what) * UINT64_C(0x9E3779B97F4A7C15);
    seen->hash ^= seen->hash >> 29;
    seen->count++;
}

static void see_entities(Seen *seen, const kith_entity *entities, uint32_t count)
{
    see(seen, count);
    for (uint32_t i = 0; i < count; i++) {
        see(seen, (uint64_t)entities[i].index1 << 32 | entities[i].generation);
    }
}

static Seen *seen_of(kith_world *world)
{
    void *seen;
    CHECK_RESULT(kith_resource_get_mut(world, &Seen_type, &seen), KITH_OK);
    return seen;
}

static Seen *seen_by(kith_iter *it)
{
    void *seen;
    CHECK_RESULT(kith_system_resource_mut(it, &Seen_type, &seen), KITH_OK);
    return seen;
}

/* Sees all that a query has. */
static void see_query(Seen *seen, kith_iter *it)
{
    while (kith_next(it)) {
        see_entities(seen, kith_entities(it), it->count);
    }
}

/* ---- Systems --------------------------------------------------------------------------------- */

/* Moves some, in parallel. */
static void drift(kith_iter *it)
{
    while (kith_next(it)) {
        Position *positions = KITH_COLUMN_MUT(it, Position);
        const Velocity *velocities = KITH_COLUMN(it, Velocity);
        for (uint32_t i = 0; i < it->count; i++) {
            positions[i].x += velocities[i].dx * it->dt;
            positions[i].y += (float)(kith_system_random(it) % 64);
        }
    }
}

/* Sets fire and puts it out, by commands, and sends events. */
static void kindle(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            kith_entity entity = kith_entities(it)[i];
            uint32_t drawn = (uint32_t)kith_system_random(it) % 24;
            if (drawn == 0) {
                KITH_ADD(it->commands, entity, Burning);
            } else if (drawn == 1) {
                KITH_REMOVE(it->commands, entity, Burning);
            } else if (drawn == 2) {
                KITH_SET(it->commands, entity, Extra, {1, 2, 3});
            } else if (drawn == 3) {
                KITH_REMOVE(it->commands, entity, Extra);
            } else if (drawn == 4) {
                CHECK_RESULT(KITH_SEND(it, Hit, {entity, drawn}), KITH_OK);
            } else if (drawn == 5) {
                kith_commands_despawn(it->commands, entity);
            }
        }
    }
}

/* Writes all scores, most of them as they are. */
static void score(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            KITH_AT_MUT(it, i, Score)->points += kith_system_random(it) % 8 == 0;
        }
    }
}

/* Sees what changed for its only query. */
static void watch(kith_iter *it)
{
    Seen *seen = seen_by(it);
    see(seen, (uint64_t)(it->dt * 1000));
    see_query(seen, it);
}

/* Sees what changed for its further query. */
static void watch_further(kith_iter *it)
{
    Seen *seen = seen_by(it);
    kith_iter further = kith_system_query(it, 1);
    see_query(seen, &further);
    see_query(seen, it);
}

/* Sees the events that are there. */
static void hear(kith_iter *it)
{
    Seen *seen = seen_by(it);
    for (uint32_t i = 0; i < kith_system_event_count(it, &Hit_type); i++) {
        const Hit *hit = kith_system_event(it, &Hit_type, i);
        see(seen, hit->entity.index1 ^ (uint64_t)hit->strength << 40);
    }
    see_query(seen, it);
}

/* A plain system: spawns, sends values with hooks, and switches other systems. */
static kith_result tend(kith_world *world, kith_iter *it)
{
    rewound *r = it->user;
    kith_random *random = kith_world_random(world);
    uint32_t count = kith_random_index(random, 6);
    for (uint32_t i = 0; i < count; i++) {
        kith_entity entity = KITH_SPAWN(
            world, KITH_VALUE(Position, {(float)i, 0}),
            KITH_VALUE(Velocity, {(float)kith_random_index(random, 9), 1}),
            KITH_VALUE(Health, {(int32_t)kith_random_index(random, 99), 99}), KITH_VALUE(Score));
        CHECK(entity.index1 != 0);
        CHECK_RESULT(kith_random_chance(random, 0.3) ? kith_add(world, entity, &Owned_type)
                                                     : KITH_OK,
                     KITH_OK);
    }
    if (kith_random_chance(random, 0.3)) {
        CHECK_RESULT(kith_event_send(world, &Owned_type, NULL), KITH_OK);
    }
    if (kith_random_chance(random, 0.2)) {
        CHECK_RESULT(kith_event_send(world, &Rare_type, NULL), KITH_OK);
    }
    see(seen_of(world), kith_event_count(world, &Rare_type));
    see(seen_of(world), kith_event_count(world, &Owned_type));
    if (kith_random_chance(random, 0.2)) {
        static const char *const names[] = {"drift", "kindle", "watch", "hear"};
        CHECK_RESULT(kith_system_enable(world, names[kith_random_index(random, 4)],
                                        kith_random_chance(random, 0.7)),
                     KITH_OK);
    }
    if (r->seed % 2 == 0 && kith_random_chance(random, 0.1)) {
        CHECK_RESULT(kith_system_group_enable(world, "watchers", kith_random_chance(random, 0.7)),
                     KITH_OK);
    }
    return KITH_OK;
}

/* When a system runs: in every tick, or not. */
static void set_time(kith_system_def *def, uint64_t *state)
{
    switch (random_below(state, 3)) {
    case 0: def->interval = (float)(random_below(state, 5) + 1) * 0.07f; break;
    case 1: def->every_ticks = random_below(state, 4) + 1; break;
    default: break;
    }
    def->priority = (int32_t)random_below(state, 3);
}

static void add_systems(rewound *r, uint64_t *state)
{
    kith_system_def defs[] = {
        {.name = "drift",
         .run = drift,
         .parallel = true,
         .query.terms = KITH_TERMS(KITH_WRITE(Position), KITH_READ(Velocity))},
        {.name = "kindle",
         .run = kindle,
         .parallel = true,
         .events = KITH_TERMS(KITH_WRITE(Hit)),
         .query.terms = KITH_TERMS(KITH_READ(Health))},
        {.name = "score", .run = score, .query.terms = KITH_TERMS(KITH_WRITE(Score))},
        {.name = "watch",
         .run = watch,
         .group = "watchers",
         .resources = KITH_TERMS(KITH_WRITE(Seen)),
         .query.terms = KITH_TERMS(KITH_CHANGED(Position))},
        {.name = "watch_scores",
         .run = watch,
         .group = "watchers",
         .resources = KITH_TERMS(KITH_WRITE(Seen)),
         .query.terms = KITH_TERMS(KITH_CHANGED(Score))},
        {.name = "watch_further",
         .run = watch_further,
         .resources = KITH_TERMS(KITH_WRITE(Seen)),
         .queries = {{.terms = KITH_TERMS(KITH_CHANGED(Extra))}},
         .query.terms = KITH_TERMS(KITH_READ(Extra))},
        {.name = "hear",
         .run = hear,
         .resources = KITH_TERMS(KITH_WRITE(Seen)),
         .events = KITH_TERMS(KITH_READ(Hit)),
         .query.terms = KITH_TERMS(KITH_READ(Burning))},
        {.name = "tend", .update = tend},
    };
    for (size_t i = 0; i < ROWS_OF(defs); i++) {
        defs[i].user = r;
        set_time(&defs[i], state);
        CHECK_RESULT(kith_system_add(r->world, &defs[i]), KITH_OK);
    }
}

/* ---- Observers ------------------------------------------------------------------------------- */

static void told(const kith_observed *observed)
{
    Seen *seen = seen_of(observed->world);
    see(seen, observed->kind);
    see_entities(seen, observed->entities, observed->count);
    for (uint32_t i = 0; observed->values != NULL && i < observed->count; i++) {
        see(seen, (uint64_t)KITH_AT(observed, i, Health)->current);
    }
}

static void told_despawns(const kith_observed *observed)
{
    Seen *seen = seen_of(observed->world);
    see_entities(seen, observed->entities, observed->count);
    for (uint32_t i = 0; i < observed->count; i++) {
        const Owned *owned = KITH_AT(observed, i, Owned);
        const Extra *extra = KITH_AT(observed, i, Extra);
        see(seen, owned == NULL ? 1 : *owned->number);
        see(seen, extra == NULL ? 2 : (uint64_t)extra->c);
    }
}

/* Changes what others are told at the next delivery. */
static void told_of_fire(const kith_observed *observed)
{
    told(observed);
    for (uint32_t i = 0; i < observed->count; i += 3) {
        KITH_SET(observed->commands, observed->entities[i], Score, {(int32_t)i});
    }
}

static void add_observers(rewound *r)
{
    const kith_observer_def defs[] = {
        {.kind = KITH_ON_ADD, .type = &Burning_type, .run = told_of_fire},
        {.kind = KITH_ON_REMOVE, .type = &Health_type, .values = true, .run = told},
        {.kind = KITH_ON_REMOVE, .type = &Extra_type, .run = told},
        {.kind = KITH_ON_DESPAWN,
         .type = &Position_type,
         .also = KITH_TERMS(KITH_READ(Owned), KITH_READ(Extra)),
         .run = told_despawns},
        {.kind = KITH_ON_CHANGE, .type = &Score_type, .run = told},
        {.kind = KITH_ON_CHANGE, .type = &Position_type, .run = told},
        {.kind = KITH_ON_ENTER,
         .query.terms = KITH_TERMS(KITH_READ(Burning), KITH_READ(Health)),
         .run = told},
        {.kind = KITH_ON_LEAVE,
         .query.terms = KITH_TERMS(KITH_READ(Position), KITH_WITHOUT(Burning)),
         .run = told},
    };
    for (size_t i = 0; i < ROWS_OF(defs); i++) {
        CHECK_RESULT(kith_observer_new(r->world, &defs[i], NULL), KITH_OK);
    }
}

/* ---- The world ------------------------------------------------------------------------------- */

static void add_all_query(rewound *r)
{
    const kith_query_def all = {.terms = KITH_TERMS(KITH_READ(Position))};
    CHECK_RESULT(kith_query_new(r->world, &all, &r->all), KITH_OK);
}

void rewound_begin(rewound *r, uint64_t seed)
{
    *r = (rewound){.seed = seed};
    uint64_t state = seed;
    r->f = fixture_new_with(&(kith_world_def){.seed = seed});
    r->world = r->f.world;
    const kith_hooks hooks = owned_hooks(&r->owned);
    register_mixed(r->world, seed);
    const kith_component_def owned = {.layout = (kith_layout)random_below(&state, 3),
                                      .hooks = &hooks};
    const kith_component_def exact = {.layout = (kith_layout)random_below(&state, 3),
                                      .exact_changes = true};
    CHECK_RESULT(kith_register(r->world, &Owned_type, &owned), KITH_OK);
    CHECK_RESULT(kith_register(r->world, &Score_type, &exact), KITH_OK);
    const kith_event_def keep = {.keep = random_below(&state, 4)};
    CHECK_RESULT(kith_event_register(r->world, &Hit_type, &keep), KITH_OK);
    CHECK_RESULT(KITH_RESOURCE_SET(r->world, Seen, {0, 0}), KITH_OK);
    add_systems(r, &state);
    add_observers(r);
    add_all_query(r);
    for (uint32_t i = 0; i < 400; i++) {
        KITH_SPAWN(r->world, KITH_VALUE(Position, {(float)i, 0}), KITH_VALUE(Velocity, {1, 1}),
                   KITH_VALUE(Health, {(int32_t)i, 99}), KITH_VALUE(Score));
    }
}

/* The draws that rewound_begin makes before those for systems. */
static void skip_draws(uint64_t *state)
{
    random_below(state, 3);
    random_below(state, 3);
    random_below(state, 4);
}

static kith_result set_up(kith_world *world, void *context)
{
    rewound *fork = context;
    uint64_t state = fork->seed;
    fork->world = world;
    skip_draws(&state);
    add_systems(fork, &state);
    add_observers(fork);
    add_all_query(fork);
    return KITH_OK;
}

kith_result rewound_fork(rewound *fork, const rewound *of, const kith_snapshot *snapshot)
{
    const kith_fork_def def = {
        .set_up = set_up,
        .context = fork,
        .world = {.allocator = test_memory_allocator(of->f.memory)},
    };
    *fork = (rewound){.f.memory = of->f.memory, .seed = of->seed};
    return kith_fork_new(snapshot, &def, &fork->world);
}

void rewound_end_fork(rewound *fork)
{
    kith_world_free(fork->world);
}

void rewound_end(rewound *r)
{
    fixture_free(&r->f);
    CHECK_UINT(r->owned.live, 0);
}

void rewound_set_workers(rewound *r, uint32_t threads)
{
    CHECK_RESULT(kith_workers_set(r->world, &(kith_workers_def){.threads = threads}), KITH_OK);
}

/* Entity number `index` of those with a Position; KITH_NONE: there are fewer. */
static kith_entity pick(rewound *r, uint32_t index)
{
    kith_entity found = KITH_NONE;
    kith_iter it = kith_query_iter(r->all);
    while (kith_next(&it)) {
        if (index < it.count) {
            found = kith_entities(&it)[index];
            break;
        }
        index -= it.count;
    }
    kith_iter_close(&it);
    return found;
}

static void act_on(rewound *r, kith_entity entity, uint64_t *state)
{
    kith_world *world = r->world;
    switch (random_below(state, 6)) {
    case 0: CHECK_RESULT(kith_despawn(world, entity), KITH_OK); break;
    case 1: (void)KITH_REMOVE(world, entity, Health); break;
    case 2: CHECK_RESULT(KITH_ADD(world, entity, Burning), KITH_OK); break;
    case 3: CHECK_RESULT(KITH_SET(world, entity, Score, {3}), KITH_OK); break;
    case 4: CHECK_RESULT(KITH_ADD(world, entity, Owned), KITH_OK); break;
    default: CHECK_RESULT(KITH_SET(world, entity, Extra, {0, 0, 7}), KITH_OK); break;
    }
}

void rewound_act(rewound *r)
{
    kith_world *world = r->world;
    uint64_t state = r->seed ^ (kith_tick_count(world) << 20);
    for (uint32_t i = random_below(&state, 12); i > 0; i--) {
        kith_entity entity = pick(r, random_below(&state, 300));
        if (entity.index1 != 0) {
            act_on(r, entity, &state);
        }
    }
    if (random_below(&state, 5) == 0) {
        CHECK_RESULT(KITH_RESOURCE_SET(world, Luck, {random_below(&state, 9)}), KITH_OK);
        CHECK_RESULT(kith_resource_set(world, &Owned_type, NULL), KITH_OK);
    }
    if (random_below(&state, 9) == 0) {
        (void)kith_resource_remove(world, &Luck_type);
        (void)kith_resource_remove(world, &Owned_type);
    }
    if (random_below(&state, 9) == 0) {
        kith_event_clear(world, &Hit_type);
    }
}

uint64_t rewound_step(rewound *r)
{
    rewound_act(r);
    CHECK_RESULT(kith_run(r->world, 0.05f), KITH_OK);
    CHECK_WORLD(r->world);
    return kith_world_hash(r->world);
}
