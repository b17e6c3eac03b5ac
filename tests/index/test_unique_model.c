/* Unique keys against a model that looks at all, and without memory. */
#include <string.h>

#include "random.h"
#include "unique_keys.h"

/* ---- Against a model that looks at all ------------------------------------------------------- */

#define MODEL_ENTITIES 24u
#define MODEL_KEYS 16u
#define MODEL_NONE UINT32_MAX

typedef struct unique_model {
    kith_world *world;
    kith_commands *commands;
    uint64_t random;
    kith_entity entities[MODEL_ENTITIES]; /* KITH_NONE: not there */
    uint32_t keys[MODEL_ENTITIES];        /* MODEL_NONE: it has none */
} unique_model;

static bool model_is_unique(const uint32_t *keys)
{
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (keys[i] != MODEL_NONE && keys[i] == keys[k]) {
                return false;
            }
        }
    }
    return true;
}

static void model_compare(const unique_model *m)
{
    for (uint32_t key = 0; key < MODEL_KEYS; key++) {
        kith_entity expected = KITH_NONE;
        for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
            expected = m->keys[i] == key ? m->entities[i] : expected;
        }
        kith_entity found = KITH_FIND_UNIQUE(m->world, Badge, {key});
        CHECK_UINT(found.index1, expected.index1);
        CHECK_UINT(found.generation, expected.generation);
    }
    CHECK_WORLD(m->world);
}

/* Does one thing at once. */
static void model_step(unique_model *m)
{
    uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    uint32_t key = random_below(&m->random, MODEL_KEYS);
    uint32_t keys[MODEL_ENTITIES];
    memcpy(keys, m->keys, sizeof(keys));
    if (kith_is_none(m->entities[i])) {
        keys[i] = key;
        m->entities[i] = random_below(&m->random, 2) == 0
                             ? KITH_SPAWN(m->world, KITH_VALUE(Badge, {key}))
                             : KITH_SPAWN(m->world, KITH_VALUE(Badge, {key}), KITH_VALUE(Position));
        CHECK_INT(!kith_is_none(m->entities[i]), model_is_unique(keys));
        m->keys[i] = model_is_unique(keys) ? key : MODEL_NONE;
        return;
    }
    switch (random_below(&m->random, 6)) {
    case 0:
        CHECK_RESULT(kith_despawn(m->world, m->entities[i]), KITH_OK);
        m->entities[i] = KITH_NONE;
        m->keys[i] = MODEL_NONE;
        break;
    case 1:
        kith_remove(m->world, m->entities[i], &Badge_type);
        m->keys[i] = MODEL_NONE;
        break;
    case 2: kith_remove(m->world, m->entities[i], &Position_type); break;
    case 3:
        CHECK_RESULT(kith_remove_all(m->world, m->entities[i]), KITH_OK);
        m->keys[i] = MODEL_NONE;
        break;
    default:
        keys[i] = key;
        CHECK_RESULT(KITH_SET(m->world, m->entities[i], Badge, {key}),
                     model_is_unique(keys) ? KITH_OK : KITH_ERR_CONFLICT);
        m->keys[i] = model_is_unique(keys) ? key : m->keys[i];
    }
}

/* Queues some things, and applies them all or none. */
static void model_apply(unique_model *m)
{
    kith_entity entities[MODEL_ENTITIES];
    uint32_t keys[MODEL_ENTITIES];
    bool made[MODEL_ENTITIES] = {false};
    memcpy(entities, m->entities, sizeof(entities));
    memcpy(keys, m->keys, sizeof(keys));
    for (uint32_t n = 2 + random_below(&m->random, 5); n > 0; n--) {
        uint32_t i = random_below(&m->random, MODEL_ENTITIES);
        uint32_t key = random_below(&m->random, MODEL_KEYS);
        uint32_t what = random_below(&m->random, 8);
        if (kith_is_none(entities[i])) {
            entities[i] = KITH_SPAWN(m->commands, KITH_VALUE(Badge, {key}));
            keys[i] = key;
            made[i] = true;
        } else if (what == 0) {
            KITH_DESPAWN(m->commands, entities[i]);
            entities[i] = KITH_NONE;
            keys[i] = MODEL_NONE;
            made[i] = false;
        } else if (what == 1) {
            KITH_REMOVE(m->commands, entities[i], Badge);
            keys[i] = MODEL_NONE;
        } else if (what == 2) {
            KITH_ADD(m->commands, entities[i], Badge);
            keys[i] = keys[i] == MODEL_NONE ? 0 : keys[i];
        } else if (what == 3) {
            KITH_REMOVE_ALL(m->commands, entities[i]);
            keys[i] = MODEL_NONE;
        } else {
            KITH_SET(m->commands, entities[i], Badge, {key});
            keys[i] = key;
        }
    }
    uint64_t hash = kith_content_hash(m->world);
    kith_result result = kith_commands_apply(m->commands, NULL);
    CHECK_RESULT(result, model_is_unique(keys) ? KITH_OK : KITH_ERR_CONFLICT);
    if (result != KITH_OK) {
        CHECK(kith_content_hash(m->world) == hash);
        kith_commands_discard(m->commands);
        return;
    }
    memcpy(m->keys, keys, sizeof(keys));
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        m->entities[i] = made[i] ? kith_commands_real(m->commands, entities[i]) : entities[i];
    }
}

TEST_EACH_LAYOUT_WITHIN(20, random_changes_agree_with_a_model, layout)
{
    for (uint64_t seed = 1; seed <= 12; seed++) {
        fixture f = unique_world(layout);
        unique_model m = {.world = f.world, .random = seed};
        unique_model kept = m;
        kith_snapshot *snapshot = NULL;
        m.commands = kith_commands_new(f.world, NULL);
        memset(m.keys, 0xFF, sizeof(m.keys));
        for (uint32_t step = 0; step < 300; step++) {
            uint32_t what = random_below(&m.random, 30);
            if (what == 0) {
                kith_snapshot_free(snapshot);
                CHECK_RESULT(kith_snapshot_take(m.world, &snapshot), KITH_OK);
                kept = m;
            } else if (what == 1 && snapshot != NULL) {
                CHECK_RESULT(kith_snapshot_restore(m.world, snapshot), KITH_OK);
                memcpy(m.keys, kept.keys, sizeof(m.keys));
                memcpy(m.entities, kept.entities, sizeof(m.entities));
            } else if (what < 10) {
                model_apply(&m);
            } else {
                model_step(&m);
            }
            model_compare(&m);
        }
        kith_snapshot_free(snapshot);
        kith_commands_free(m.commands);
        fixture_free(&f);
    }
}

/* ---- Without memory -------------------------------------------------------------------------- */

typedef struct swept {
    fixture f;
    kith_world *world;
    kith_snapshot *snapshot; /* or NULL */
    kith_entity with;        /* Badge 1 */
    kith_entity without;     /* Position */
    kith_commands *commands; /* in which something is queued */
} swept;

typedef kith_result (*swept_act)(swept *s);

static kith_result act_set(swept *s)
{
    return KITH_SET(s->world, s->with, Badge, {500});
}

static kith_result act_add(swept *s)
{
    return KITH_SET(s->world, s->without, Badge, {500});
}

static kith_result act_set_values(swept *s)
{
    const kith_value values[] = {KITH_VALUE(Velocity), KITH_VALUE(Badge, {500})};
    return kith_set_values(s->world, s->without, values, 2);
}

static kith_result act_set_field(swept *s)
{
    const uint32_t number = 500;
    return kith_set_field(s->world, s->with, &Badge_type, "number", KITH_U32, &number,
                          sizeof(number));
}

static kith_result act_spawn(swept *s)
{
    const kith_value value = KITH_VALUE(Badge, {500});
    kith_entity made;
    return kith_spawn(s->world, &value, 1, &made);
}

static kith_result act_spawn_many(swept *s)
{
    Badge badges[40];
    for (uint32_t i = 0; i < 40; i++) {
        badges[i].number = 500 + i;
    }
    const kith_values values = KITH_VALUES(Badge, badges);
    return kith_spawn_many(s->world, 40, &values, 1, NULL);
}

static kith_result act_apply(swept *s)
{
    return kith_commands_apply(s->commands, NULL);
}

static kith_result act_make(swept *s)
{
    return s->snapshot != NULL ? KITH_OK : KITH_UNIQUE(s->world, Account, id);
}

static swept swept_new(kith_layout layout, uint32_t count, bool shared)
{
    swept s = {.f = unique_world(layout)};
    s.world = s.f.world;
    s.with = KITH_SPAWN(s.world, KITH_VALUE(Badge, {1}));
    s.without = KITH_SPAWN(s.world, KITH_VALUE(Position));
    KITH_SPAWN(s.world, KITH_VALUE(Account, {.id = 1}));
    for (uint32_t i = 2; i < count; i++) {
        KITH_SPAWN(s.world, KITH_VALUE(Badge, {i}));
    }
    s.commands = kith_commands_new(s.world, NULL);
    KITH_SET(s.commands, s.with, Badge, {2});
    KITH_SET(s.commands, kith_unique_find(s.world, &Badge_type, &(Badge){2}), Badge, {1});
    for (uint32_t i = 0; i < 20; i++) {
        KITH_SPAWN(s.commands, KITH_VALUE(Badge, {600 + i}));
    }
    if (shared) {
        CHECK_RESULT(kith_snapshot_take(s.world, &s.snapshot), KITH_OK);
    }
    return s;
}

/* Whichever allocation of a call fails, nothing has changed, and the next call does it. */
static void sweep_unique(kith_layout layout, uint32_t count, bool shared, swept_act act)
{
    for (size_t nth = 1;; nth++) {
        swept s = swept_new(layout, count, shared);
        uint64_t hash = kith_content_hash(s.world);
        fail_allocation(&s.f, nth);
        kith_result result = act(&s);
        bool reached = fail_nothing(&s.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(!reached || kith_content_hash(s.world) == hash);
        CHECK_UINT(KITH_FIND_UNIQUE(s.world, Badge, {3}).index1,
                   count > 3 ? s.without.index1 + 3 : 0);
        CHECK_WORLD(s.world);
        if (reached) {
            CHECK_RESULT(act(&s), KITH_OK);
            CHECK_WORLD(s.world);
        }
        kith_commands_free(s.commands);
        kith_snapshot_free(s.snapshot);
        fixture_free(&s.f);
        if (!reached) {
            break;
        }
    }
}

TEST_EACH_LAYOUT_WITHIN(10, nothing_changes_without_memory, layout)
{
    static const swept_act acts[] = {act_set,   act_add,        act_set_values, act_set_field,
                                     act_spawn, act_spawn_many, act_apply,      act_make};
    static const uint32_t counts[] = {3, 6, 7, 8, 9, 17}; /* where maps are just full */
    for (uint32_t i = 0; i < sizeof(acts) / sizeof(acts[0]); i++) {
        for (uint32_t k = 0; k < sizeof(counts) / sizeof(counts[0]); k++) {
            sweep_unique(layout, counts[k], false, acts[i]);
            sweep_unique(layout, counts[k], true, acts[i]);
        }
    }
}
