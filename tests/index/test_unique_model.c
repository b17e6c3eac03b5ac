/* Unique keys against a model that looks at all, and without memory. */
#include <kith/fork.h>

#include <stdio.h>
#include <string.h>

#include "random.h"
#include "unique_keys.h"

/* ---- Against a model that looks at all ------------------------------------------------------- */

#define MODEL_ENTITIES 24u
#define MODEL_KEYS 16u
#define MODEL_TYPES                                                                                \
    2u /* Badge, whose key is a number, and Account, whose key is a name and a number */
#define MODEL_NONE UINT32_MAX

/* The keys of some entities. */
typedef struct model_keys {
    uint32_t of[MODEL_TYPES][MODEL_ENTITIES]; /* MODEL_NONE: it has none */
} model_keys;

typedef struct unique_model {
    kith_world *world;
    kith_commands *commands;
    uint64_t random;
    kith_entity entities[MODEL_ENTITIES]; /* KITH_NONE: not there */
    model_keys keys;
} unique_model;

static const kith_type *const key_types[MODEL_TYPES] = {&Badge_type, &Account_type};

/* Values with a key. The key 0 is zero bytes; the fields that are not in the key may have others. */
typedef struct keyed {
    Badge badge;
    Account account;
} keyed;

static keyed keyed_value(unique_model *m, uint32_t badge, uint32_t account)
{
    keyed value = {
        .badge = {badge},
        .account = {.id = (int32_t)random_below(&m->random, 5), .server = (int32_t)(account % 3)}};
    if (account >= 3) {
        snprintf(value.account.name, sizeof(value.account.name), "n%u", account / 3 % 100);
    }
    return value;
}

static const void *part_of(const keyed *value, uint32_t type)
{
    return type == 0 ? (const void *)&value->badge : (const void *)&value->account;
}

static keyed value_of(unique_model *m, uint32_t key)
{
    return keyed_value(m, key, key);
}

static bool model_is_unique(const model_keys *keys)
{
    for (uint32_t type = 0; type < MODEL_TYPES; type++) {
        for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
            for (uint32_t k = 0; k < i; k++) {
                if (keys->of[type][i] != MODEL_NONE && keys->of[type][i] == keys->of[type][k]) {
                    return false;
                }
            }
        }
    }
    return true;
}

static void forget_keys(model_keys *keys, uint32_t i)
{
    keys->of[0][i] = MODEL_NONE;
    keys->of[1][i] = MODEL_NONE;
}

static void model_compare(unique_model *m)
{
    for (uint32_t type = 0; type < MODEL_TYPES; type++) {
        for (uint32_t key = 0; key < MODEL_KEYS; key++) {
            kith_entity expected = KITH_NONE;
            for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
                expected = m->keys.of[type][i] == key ? m->entities[i] : expected;
            }
            const keyed value = value_of(m, key);
            kith_entity found = kith_unique_find(m->world, key_types[type], part_of(&value, type));
            CHECK_UINT(found.index1, expected.index1);
            CHECK_UINT(found.generation, expected.generation);
        }
    }
    CHECK_WORLD(m->world);
}

/* Whether a call did what is due if the keys are unique, and failed if not; the keys are taken over. */
static bool model_take(unique_model *m, kith_result result, const model_keys *keys)
{
    const bool unique = model_is_unique(keys);
    CHECK_RESULT(result, unique ? KITH_OK : KITH_ERR_CONFLICT);
    if (unique) {
        m->keys = *keys;
    }
    return unique;
}

static uint32_t some_key(unique_model *m)
{
    return random_below(&m->random, MODEL_KEYS);
}

/* Spawns one with some components, or clones another. */
static void model_spawn(unique_model *m, uint32_t i)
{
    model_keys keys = m->keys;
    uint32_t shape = random_below(&m->random, 10);
    kith_entity made = KITH_NONE;
    kith_result result;
    if (shape >= 8) {
        uint32_t from = random_below(&m->random, MODEL_ENTITIES);
        if (kith_is_none(m->entities[from])) {
            return;
        }
        keys.of[0][i] = keys.of[0][from];
        keys.of[1][i] = keys.of[1][from];
        result = kith_clone(m->world, m->entities[from], &made);
    } else {
        kith_value values[3];
        uint32_t count = 0;
        const uint32_t key[MODEL_TYPES] = {some_key(m), some_key(m)};
        const keyed value = keyed_value(m, key[0], key[1]);
        for (uint32_t type = 0; type < MODEL_TYPES; type++) {
            if ((shape >> type & 1) != 0) {
                keys.of[type][i] = key[type];
                values[count++] = (kith_value){key_types[type], part_of(&value, type)};
            }
        }
        if (shape >= 4) {
            values[count++] = (kith_value){&Position_type, NULL};
        }
        result = kith_spawn(m->world, values, count, &made);
    }
    if (model_take(m, result, &keys)) {
        m->entities[i] = made;
    }
}

/* Spawns three at once, if there is room for them. */
static void model_spawn_many(unique_model *m)
{
    model_keys keys = m->keys;
    uint32_t places[3];
    uint32_t count = 0;
    Badge badges[3];
    Account accounts[3];
    for (uint32_t i = 0; i < MODEL_ENTITIES && count < 3; i++) {
        if (kith_is_none(m->entities[i])) {
            keys.of[0][i] = some_key(m);
            keys.of[1][i] = some_key(m);
            const keyed value = keyed_value(m, keys.of[0][i], keys.of[1][i]);
            badges[count] = value.badge;
            accounts[count] = value.account;
            places[count++] = i;
        }
    }
    const kith_values values[] = {{&Badge_type, badges, true}, {&Account_type, accounts, true}};
    kith_entity made[3];
    if (model_take(m, kith_spawn_many(m->world, count, values, 2, made), &keys)) {
        for (uint32_t i = 0; i < count; i++) {
            m->entities[places[i]] = made[i];
        }
    }
}

/* Writes a value by one of the calls that do. */
static void model_write(unique_model *m, uint32_t i, uint32_t type, uint32_t way)
{
    model_keys keys = m->keys;
    const uint32_t key[MODEL_TYPES] = {some_key(m), some_key(m)};
    const keyed value = keyed_value(m, key[0], key[1]);
    const kith_entity entity = m->entities[i];
    const kith_value both[] = {{&Badge_type, &value.badge}, {&Account_type, &value.account}};
    const bool has = keys.of[type][i] != MODEL_NONE;
    keys.of[type][i] = key[type];
    kith_result result;
    switch (way) {
    case 0:
        keys.of[type][i] = has ? m->keys.of[type][i] : 0;
        result = kith_add(m->world, entity, key_types[type]);
        break;
    case 1:
        keys.of[1 - type][i] = key[1 - type];
        result = kith_set_values(m->world, entity, both, 2);
        break;
    case 2:
        result = kith_set_bytes(m->world, entity, key_types[type], part_of(&value, type),
                                key_types[type]->size);
        break;
    case 3:
        if (m->keys.of[0][i] == MODEL_NONE) {
            return;
        }
        keys = m->keys;
        keys.of[0][i] = key[0];
        result = kith_set_field(m->world, entity, &Badge_type, "number", KITH_U32, &key[0],
                                sizeof(key[0]));
        break;
    default: result = kith_set(m->world, entity, key_types[type], part_of(&value, type)); break;
    }
    model_take(m, result, &keys);
}

/* Does one thing at once. */
static void model_step(unique_model *m)
{
    uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    uint32_t type = random_below(&m->random, MODEL_TYPES);
    if (random_below(&m->random, 12) == 0) {
        model_spawn_many(m);
        return;
    }
    if (kith_is_none(m->entities[i])) {
        model_spawn(m, i);
        return;
    }
    switch (random_below(&m->random, 12)) {
    case 0:
        CHECK_RESULT(kith_despawn(m->world, m->entities[i]), KITH_OK);
        m->entities[i] = KITH_NONE;
        forget_keys(&m->keys, i);
        break;
    case 1:
        kith_remove(m->world, m->entities[i], key_types[type]);
        m->keys.of[type][i] = MODEL_NONE;
        break;
    case 2: kith_remove(m->world, m->entities[i], &Position_type); break;
    case 3: CHECK_RESULT(KITH_ADD(m->world, m->entities[i], Position), KITH_OK); break;
    case 4:
        CHECK_RESULT(kith_remove_all(m->world, m->entities[i]), KITH_OK);
        forget_keys(&m->keys, i);
        break;
    default: model_write(m, i, type, random_below(&m->random, 7));
    }
}

/* Queues something. Entities that it makes are noted in `made`. */
static void model_queue(unique_model *m, kith_entity *entities, model_keys *keys, bool *made)
{
    uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    uint32_t type = random_below(&m->random, MODEL_TYPES);
    uint32_t key = some_key(m);
    uint32_t what = random_below(&m->random, 8);
    const keyed value = value_of(m, key);
    const kith_value one = {key_types[type], part_of(&value, type)};
    if (kith_is_none(entities[i])) {
        entities[i] = kith_commands_spawn_values(m->commands, &one, 1);
        keys->of[type][i] = key;
        made[i] = true;
    } else if (what == 0) {
        KITH_DESPAWN(m->commands, entities[i]);
        entities[i] = KITH_NONE;
        forget_keys(keys, i);
        made[i] = false;
    } else if (what == 1) {
        kith_commands_remove(m->commands, entities[i], key_types[type]);
        keys->of[type][i] = MODEL_NONE;
    } else if (what == 2) {
        kith_commands_add(m->commands, entities[i], key_types[type]);
        keys->of[type][i] = keys->of[type][i] == MODEL_NONE ? 0 : keys->of[type][i];
    } else if (what == 3) {
        KITH_REMOVE_ALL(m->commands, entities[i]);
        forget_keys(keys, i);
    } else {
        kith_commands_set(m->commands, entities[i], key_types[type], part_of(&value, type));
        keys->of[type][i] = key;
    }
}

/* Queues some things, and applies them all or none. */
static void model_apply(unique_model *m)
{
    kith_entity entities[MODEL_ENTITIES];
    bool made[MODEL_ENTITIES] = {false};
    model_keys keys = m->keys;
    memcpy(entities, m->entities, sizeof(entities));
    for (uint32_t n = 2 + random_below(&m->random, 7); n > 0; n--) {
        model_queue(m, entities, &keys, made);
    }
    uint64_t hash = kith_content_hash(m->world);
    if (!model_take(m, kith_commands_apply(m->commands, NULL), &keys)) {
        CHECK(kith_content_hash(m->world) == hash);
        kith_commands_discard(m->commands);
        return;
    }
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        m->entities[i] = made[i] ? kith_commands_real(m->commands, entities[i]) : entities[i];
    }
}

/* Goes on in a fork for a while, from what was there when its snapshot was taken. */
static void model_fork(const unique_model *kept, const kith_snapshot *snapshot)
{
    unique_model fork = *kept;
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork.world), KITH_OK);
    model_compare(&fork);
    for (uint32_t step = 0; step < 20; step++) {
        model_step(&fork);
        model_compare(&fork);
    }
    kith_world_free(fork.world);
}

/* Without a key for a moment; the values stay different. */
static void model_make_anew(unique_model *m)
{
    kith_unique_free(m->world, &Badge_type);
    kith_unique_free(m->world, &Account_type);
    CHECK_RESULT(KITH_UNIQUE(m->world, Account, name, server), KITH_OK);
    CHECK_RESULT(KITH_UNIQUE(m->world, Badge, number), KITH_OK);
}

TEST_EACH_LAYOUT_WITHIN(20, random_changes_agree_with_a_model, layout)
{
    for (uint64_t seed = 1; seed <= (test_long() ? 300 : 12); seed++) {
        fixture f = unique_world(layout);
        unique_model m = {.world = f.world, .random = seed};
        unique_model kept = m;
        kith_snapshot *snapshot = NULL;
        m.commands = kith_commands_new(f.world, NULL);
        memset(&m.keys, 0xFF, sizeof(m.keys));
        CHECK_RESULT(KITH_UNIQUE(f.world, Account, name, server), KITH_OK);
        for (uint32_t step = 0; step < 400; step++) {
            uint32_t what = random_below(&m.random, 40);
            if (what == 0) {
                kith_snapshot_free(snapshot);
                CHECK_RESULT(kith_snapshot_take(m.world, &snapshot), KITH_OK);
                kept = m;
            } else if (what == 1 && snapshot != NULL) {
                CHECK_RESULT(kith_snapshot_restore(m.world, snapshot), KITH_OK);
                m.keys = kept.keys;
                memcpy(m.entities, kept.entities, sizeof(m.entities));
            } else if (what == 2 && snapshot != NULL) {
                model_fork(&kept, snapshot);
            } else if (what == 2) {
                model_make_anew(&m);
            } else if (what == 3) {
                kith_snapshot_free(snapshot);
                snapshot = NULL;
            } else if (what == 4) {
                CHECK_RESULT(KITH_SORT(m.world, Account, server),
                             layout == KITH_SLOT ? KITH_ERR_INPUT : KITH_OK);
            } else if (what == 5) {
                kith_world_trim(m.world);
            } else if (what < 16) {
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
