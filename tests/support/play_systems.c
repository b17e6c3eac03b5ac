/* The part of the play that is about systems and ticks. */
#include <stdlib.h>
#include <string.h>

#include "components.h"
#include "links.h"
#include "play.h"

static const char *const system_names[PLAY_SYSTEMS] = {"drift",    "sparks",  "fold one",
                                                       "fold two", "stumble", "tether"};

/* What the systems do to values: plain arithmetic on words, the same here and in the model. `before` is
 * what the position was. */
static void drift_value(Position *position, const Velocity *velocity, const Position *before)
{
    uint32_t words[2];
    uint32_t steps[2];
    uint32_t old[2];
    memcpy(words, position, sizeof(words));
    memcpy(steps, velocity, sizeof(steps));
    memcpy(old, before, sizeof(old));
    words[0] += steps[0] ^ old[1];
    words[1] ^= steps[1] + old[0];
    memcpy(position, words, sizeof(words));
}

static uint32_t folded(uint32_t value, uint32_t number)
{
    return value * 31 + number;
}

static void drift(kith_iter *it)
{
    while (kith_next(it)) {
        for (uint32_t i = 0; i < it->count; i++) {
            Position *position = KITH_AT_MUT(it, i, Position);
            position->x = 0; /* which nobody sees who reads what was before */
            const Position *before = KITH_GET(it, kith_entities(it)[i], Position);
            *position = *before;
            drift_value(position, KITH_AT(it, i, Velocity), before);
        }
    }
}

static kith_result sparks(kith_world *world, kith_iter *it)
{
    (void)it;
    return KITH_SEND(world, Byte, {(uint8_t)kith_tick_count(world)});
}

static kith_result fold(kith_world *world, kith_iter *it)
{
    uint32_t value = 0;
    const Health *health = KITH_RESOURCE(world, Health);
    if (health != NULL) {
        memcpy(&value, &health->current, sizeof(value));
    }
    value = folded(value, *(const uint32_t *)it->user);
    Health next = {0, 1};
    memcpy(&next.current, &value, sizeof(value));
    return kith_resource_set(world, &Health_type, &next);
}

static kith_result stumble(kith_world *world, kith_iter *it)
{
    (void)it;
    return kith_tick_count(world) % 5 == 0 ? KITH_ERR_SYSTEM : KITH_OK;
}

/* Whether the tick is one in which an entity begins to follow the one before it, or stops, or ends. */
static bool is_tethered(kith_entity entity, uint64_t tick)
{
    return (entity.index1 + tick) % 3 == 0;
}

static bool is_freed(kith_entity entity, uint64_t tick)
{
    return (entity.index1 + tick) % 5 == 0;
}

static bool is_ended(kith_entity entity, uint64_t tick)
{
    return (entity.index1 + tick) % 23 == 0;
}

/* Some links are queued; then one entity ends, if it may. */
static kith_result tether(kith_world *world, kith_iter *it)
{
    const uint64_t tick = kith_tick_count(world);
    kith_entity last = KITH_NONE;
    kith_entity ends = KITH_NONE;
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        if (is_freed(e, tick)) {
            KITH_REMOVE(it->commands, e, Follows);
        } else if (is_tethered(e, tick)) {
            KITH_SET(it->commands, e, Follows, {last, 1});
        }
        ends = kith_is_none(ends) && is_ended(e, tick) ? e : ends;
        last = e;
    }
    kith_result result = kith_is_none(ends) ? KITH_OK : kith_despawn(world, ends);
    return result == KITH_ERR_CONFLICT ? KITH_OK : result;
}

static void model_tether(model *m, uint64_t tick)
{
    const kith_type *type = play_same_type(&Follows_type);
    kith_entity ends = KITH_NONE;
    kith_entity *before = calloc(m->entity_count + 1, sizeof(*before));
    kith_entity *queued = calloc(m->entity_count + 1, sizeof(*queued));
    CHECK(before != NULL && queued != NULL);
    const uint32_t count = m->entity_count;
    for (uint32_t i = 0; i < count; i++) {
        queued[i] = m->entities[i].handle;
        before[i] = i == 0 ? KITH_NONE : queued[i - 1];
        ends = kith_is_none(ends) && is_ended(queued[i], tick) ? queued[i] : ends;
    }
    uint32_t ended;
    model_despawn_all(m, &ends, 1, &ended);
    for (uint32_t i = 0; i < count; i++) {
        model_entity *entity = model_find(m, queued[i]);
        if (entity == NULL || (!is_freed(queued[i], tick) && !is_tethered(queued[i], tick))) {
            continue;
        }
        if (is_freed(queued[i], tick) || model_find(m, before[i]) == NULL) {
            model_remove(&entity->values, type);
        } else {
            const Follows follows = {before[i], 1};
            model_set(&entity->values, type, &follows);
            model_get(&entity->values, type)->order = i + 1;
        }
    }
    free(before);
    free(queued);
    CHECK_UINT(model_settle(m), 0);
}

static kith_result act_system_add(played *w, const operation *op, outcome *out)
{
    (void)out;
    static uint32_t users[PLAY_SYSTEMS] = {0, 1, 2, 3, 4, 5};
    static const kith_term terms[] = {KITH_WRITE(Position), KITH_READ(Velocity), {0}};
    static const kith_term lookups[] = {KITH_BEFORE(Position), {0}};
    kith_system_def def = {.name = system_names[op->number],
                           .priority = (int32_t)op->count - 2,
                           .disabled = op->size != 0,
                           .user = &users[op->number]};
    if (op->number == 0) {
        def.run = drift;
        def.query = (kith_query_def){.terms = terms};
        def.lookups = lookups;
    } else {
        static kith_result (*const updates[])(kith_world *, kith_iter *) = {NULL, sparks,  fold,
                                                                            fold, stumble, tether};
        def.update = updates[op->number];
    }
    return kith_system_add(w->world, &def);
}

static kith_result expect_system_add(play *p, const operation *op, outcome *out)
{
    (void)out;
    play_system *system = &p->systems[op->number];
    if (system->there) {
        return KITH_ERR_CONFLICT;
    }
    *system = (play_system){.there = true,
                            .enabled = op->size == 0,
                            .priority = (int32_t)op->count - 2,
                            .age = p->system_age++};
    return KITH_OK;
}

static kith_result act_system_remove(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_system_remove(w->world, system_names[op->number]);
}

static kith_result expect_system_remove(play *p, const operation *op, outcome *out)
{
    (void)out;
    bool was_there = p->systems[op->number].there;
    p->systems[op->number].there = false;
    return was_there ? KITH_OK : KITH_ERR_UNKNOWN;
}

static kith_result act_system_enable(played *w, const operation *op, outcome *out)
{
    (void)out;
    return kith_system_enable(w->world, system_names[op->number], op->size != 0);
}

static kith_result expect_system_enable(play *p, const operation *op, outcome *out)
{
    (void)out;
    if (!p->systems[op->number].there) {
        return KITH_ERR_UNKNOWN;
    }
    p->systems[op->number].enabled = op->size != 0;
    return KITH_OK;
}

void play_change_systems(play *p)
{
    operation op = {.number = input_below(&p->in, PLAY_SYSTEMS - !p->links),
                    .count = input_below(&p->in, 5)};
    uint32_t choice = input_below(&p->in, 4);
    op.size = input_chance(&p->in, 50);
    if (choice < 2) {
        op.name = "kith_system_add";
        op.act = act_system_add;
        op.expect = expect_system_add;
    } else if (choice == 2) {
        op.name = "kith_system_remove";
        op.act = act_system_remove;
        op.expect = expect_system_remove;
        op.never_fails = true;
    } else {
        op.name = "kith_system_enable";
        op.act = act_system_enable;
        op.expect = expect_system_enable;
        op.never_fails = true;
    }
    play_attempt(p, &op);
}

/* The number of the system that comes next behind the one given, -1 for none. */
static int next_system(const play *p, int previous)
{
    int next = -1;
    for (int i = 0; i < (int)PLAY_SYSTEMS; i++) {
        const play_system *a = &p->systems[i];
        const play_system *from = previous < 0 ? NULL : &p->systems[previous];
        bool behind = from == NULL || a->priority > from->priority ||
                      (a->priority == from->priority && a->age > from->age);
        const play_system *best = next < 0 ? NULL : &p->systems[next];
        bool better = best == NULL || a->priority < best->priority ||
                      (a->priority == best->priority && a->age < best->age);
        if (a->there && behind && better) {
            next = i;
        }
    }
    return next;
}

static kith_result model_run_system(play *p, int number)
{
    if (number == 0) {
        for (uint32_t i = 0; i < p->m.entity_count; i++) {
            model_values *values = &p->m.entities[i].values;
            model_value *position = model_get(values, play_type(0));
            const model_value *velocity = model_get(values, play_type(1));
            if (position != NULL && velocity != NULL) {
                const Position before = *(const Position *)(const void *)position->bytes;
                drift_value((Position *)(void *)position->bytes,
                            (const Velocity *)(const void *)velocity->bytes, &before);
            }
        }
    } else if (number == 1) {
        Byte spark = {(uint8_t)p->m.tick};
        model_send(&p->m, play_same_type(&Byte_type), &spark);
    } else if (number == 4) {
        return p->m.tick % 5 == 0 ? KITH_ERR_SYSTEM : KITH_OK;
    } else if (number == 5) {
        model_tether(&p->m, p->m.tick);
    } else {
        const kith_type *type = play_same_type(&Health_type);
        const model_value *value = model_get(&p->m.resources, type);
        uint32_t words[2] = {0, 1};
        if (value != NULL) {
            memcpy(words, value->bytes, sizeof(words[0]));
        }
        words[0] = folded(words[0], (uint32_t)number);
        model_set(&p->m.resources, type, words);
    }
    return KITH_OK;
}

static kith_result expect_run(play *p, const operation *op, outcome *out)
{
    (void)op;
    (void)out;
    model_run(&p->m);
    kith_result result = KITH_OK;
    for (int i = next_system(p, -1); i >= 0 && result == KITH_OK; i = next_system(p, i)) {
        if (p->systems[i].enabled) {
            result = model_run_system(p, i);
        }
    }
    p->m.running = false;
    return result;
}

/* kith_run is the one call that may leave work half done, so no allocation fails here. */
static void run(play *p)
{
    play_name(p, "kith_run");
    p->asked.ran = true;
    kith_result expected = expect_run(p, NULL, NULL);
    for (int world = 0; world < WORLD_COUNT; world++) {
        CHECK_RESULT(kith_run(p->worlds[world].world, 0.5f), expected);
        CHECK_UINT(kith_tick_count(p->worlds[world].world), p->m.tick);
    }
}

static void look_at_systems(const play *p, const played *w)
{
    uint32_t index = 0;
    for (int i = next_system(p, -1); i >= 0; i = next_system(p, i)) {
        int32_t priority;
        bool enabled;
        CHECK_STR(kith_system_at(w->world, index++, &priority, &enabled), system_names[i]);
        CHECK_INT(priority, p->systems[i].priority);
        CHECK_INT(enabled, p->systems[i].enabled);
    }
    CHECK_PTR_NULL(kith_system_at(w->world, index, NULL, NULL));
}

void play_look_systems(play *p)
{
    for (int world = 0; world < WORLD_COUNT; world++) {
        look_at_systems(p, &p->worlds[world]);
    }
}

void play_systems(play *p, uint32_t choice)
{
    choice == 0 ? play_change_systems(p) : run(p);
}
