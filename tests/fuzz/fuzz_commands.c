/* Any bytes as calls on command buffers: three of them, one with a limit, filled side by side with
 * values plain and with hooks, with handles of their own, of the world, of each other; applied, joined
 * and applied, cleared, freed; with allocations that fail in between. A list of entities carries the
 * same out, command by command.
 *
 * The first byte says which layouts the types have, and whether Owned can be copied. */
#include <string.h>

#include "../support/components.h"
#include "../support/owners.h"
#include "command/buffer.h"
#include "input.h"

#define BUFFERS 3u
#define TYPES 5u
#define ENTITIES_MAX 160u
#define COMMANDS_MAX 192u
#define STEPS_MAX 600u
#define EMPTIED_MAX 200u /* before the provisional handles' tags come round again */
#define NOBODY UINT32_MAX

static const kith_type *const types[TYPES] = {&Owned_type, &Bond_type, &Position_type, &Target_type,
                                              &Frozen_type};
enum { OWNED, BOND, POSITION, TARGET, FROZEN };

/* What is known of an entity that was made, or is to be. */
typedef struct fact {
    kith_entity handle; /* provisional until its buffer was applied */
    bool alive;
    bool has[TYPES];
    uint32_t value[TYPES]; /* a number; of BOND and TARGET that of a fact, or NOBODY */
} fact;

typedef enum order_kind { SPAWN, CLONE, DESPAWN, CLEAR, SET, ADD, REMOVE, KINDS } order_kind;

typedef struct order {
    order_kind kind;
    uint32_t who; /* NOBODY: an entity that never was */
    uint32_t source;
    uint32_t type;
    uint32_t value;
} order;

typedef struct filling {
    kith_commands *commands;
    order orders[COMMANDS_MAX];
    uint32_t count;
    uint32_t made[COMMANDS_MAX]; /* facts of what it makes */
    uint32_t made_count;
} filling;

typedef struct fuzz {
    input in;
    fixture f;
    kith_world *world;
    owned_record records[2]; /* of Owned and Bond */
    bool copies;             /* whether Owned can be copied */
    fact facts[ENTITIES_MAX];
    uint32_t fact_count;
    uint32_t emptied;
    filling fillings[BUFFERS];
} fuzz;

/* ---- The world ------------------------------------------------------------------------------- */

static void register_hooked(fuzz *z, uint32_t type, kith_layout layout, bool copies)
{
    owned_record *record = &z->records[type];
    kith_hooks hooks = copies ? owned_hooks(record) : owned_hooks_without_copy(record);
    const kith_component_def def = {.layout = layout, .hooks = &hooks};
    CHECK_RESULT(kith_register(z->world, types[type], &def), KITH_OK);
}

static void fill_new(fuzz *z, uint32_t number)
{
    const kith_commands_def def = {.memory_limit = number == 2 ? 6000 : 0};
    z->fillings[number].commands = kith_commands_new(z->world, &def);
    CHECK_PTR_NOT_NULL(z->fillings[number].commands);
}

static void fuzz_new(fuzz *z)
{
    uint32_t first = input_byte(&z->in);
    z->f = fixture_new();
    z->world = z->f.world;
    z->copies = first < 192;
    for (uint32_t i = 0; i < TYPES; i++) {
        kith_layout layout = (kith_layout)((first / (i + 1) + i) % 3);
        const kith_component_def def = {.layout = layout};
        if (i <= BOND) {
            register_hooked(z, i, layout, i == BOND || z->copies);
        } else {
            CHECK_RESULT(kith_register(z->world, types[i], &def), KITH_OK);
        }
    }
    /* Values that are taken over are made here, where allocations must not fail. */
    z->records[BOND].allocator = test_memory_allocator(z->f.memory);
    if (z->copies) {
        z->records[OWNED].allocator = z->records[BOND].allocator;
    }
    for (uint32_t i = 0; i < BUFFERS; i++) {
        fill_new(z, i);
    }
}

/* ---- What has come of it --------------------------------------------------------------------- */

static kith_entity handle_of(const fuzz *z, uint32_t number)
{
    return number == NOBODY ? KITH_NONE : z->facts[number].handle;
}

static void check_value(const fuzz *z, const fact *known, uint32_t type)
{
    const void *value = kith_get(z->world, known->handle, types[type]);
    CHECK_INT(kith_has(z->world, known->handle, types[type]), known->has[type]);
    if (!known->has[type] || type == FROZEN) {
        return;
    }
    if (type == OWNED) {
        CHECK_UINT(*((const Owned *)value)->number, known->value[type]);
    } else if (type == POSITION) {
        CHECK_FLOAT(((const Position *)value)->x, known->value[type]);
    } else {
        kith_entity to = type == BOND ? ((const Bond *)value)->to : ((const Target *)value)->entity;
        /* What `init` makes of a Bond names no one that is there. */
        kith_entity expected = type == BOND && known->value[type] == NOBODY - 1
                                   ? (kith_entity){OWNED_INITIAL, 0}
                                   : handle_of(z, known->value[type]);
        CHECK_SAME(to, expected);
    }
}

static void check_all(fuzz *z)
{
    CHECK_WORLD(z->world);
    uint64_t owned[2] = {0, 0};
    uint32_t alive = 0;
    bool empty = true;
    for (uint32_t i = 0; i < BUFFERS; i++) {
        empty = empty && kith_commands_memory(z->fillings[i].commands).commands == 0;
    }
    for (uint32_t i = 0; i < z->fact_count; i++) {
        const fact *known = &z->facts[i];
        if (known->handle.index1 == 0) {
            continue; /* not made yet, or never */
        }
        CHECK_INT(kith_alive(z->world, known->handle), known->alive);
        alive += known->alive;
        for (uint32_t type = 0; known->alive && type < TYPES; type++) {
            check_value(z, known, type);
            owned[type == BOND] += type <= BOND && known->has[type];
        }
    }
    CHECK_UINT(kith_entity_count(z->world), alive);
    for (uint32_t type = OWNED; type <= BOND; type++) {
        uint64_t live = z->records[type].live;
        CHECK(empty ? live == owned[type] : live >= owned[type]);
    }
}

/* ---- Carrying out ---------------------------------------------------------------------------- */

static bool is_dead(const fuzz *z, uint32_t number)
{
    return number == NOBODY || !z->facts[number].alive;
}

static void end_fact(fact *ended)
{
    ended->alive = false;
    memset(ended->has, 0, sizeof(ended->has));
}

/* Returns how many commands were for the dead. */
static uint32_t carry_out(fuzz *z, const order *o)
{
    fact *who = o->who == NOBODY ? NULL : &z->facts[o->who];
    if (o->kind == SPAWN || o->kind == CLONE) {
        if (o->kind == CLONE && is_dead(z, o->source)) {
            who->alive = false;
            return 1;
        }
        who->alive = true;
        if (o->kind == CLONE) {
            memcpy(who->has, z->facts[o->source].has, sizeof(who->has));
            memcpy(who->value, z->facts[o->source].value, sizeof(who->value));
        }
        return 0;
    }
    if (is_dead(z, o->who)) {
        return 1;
    }
    switch (o->kind) {
    case DESPAWN: end_fact(who); break;
    case CLEAR: memset(who->has, 0, sizeof(who->has)); break;
    case REMOVE: who->has[o->type] = false; break;
    default:
        if (o->kind == SET || !who->has[o->type]) {
            who->has[o->type] = true;
            who->value[o->type] = o->value;
        }
        break;
    }
    return 0;
}

/* Forgets what a buffer was to do; `applied` tells if it did. */
static void forget(fuzz *z, filling *of, kith_commands *asked)
{
    for (uint32_t i = 0; i < of->made_count; i++) {
        fact *made = &z->facts[of->made[i]];
        made->handle = asked == NULL ? KITH_NONE : kith_commands_real(asked, made->handle);
        if (asked == NULL) {
            end_fact(made);
        }
        CHECK_INT(kith_is_none(made->handle), !made->alive && made->handle.index1 == 0);
    }
    of->count = 0;
    of->made_count = 0;
    z->emptied++;
}

static void clear(fuzz *z, uint32_t number)
{
    filling *of = &z->fillings[number];
    kith_commands_discard(of->commands);
    forget(z, of, NULL);
}

static uint32_t carry_out_all(fuzz *z, const filling *of)
{
    uint32_t dead = 0;
    for (uint32_t i = 0; i < of->count; i++) {
        dead += carry_out(z, &of->orders[i]);
    }
    return dead;
}

/* Applies, and once more with all the memory there is if it failed. */
static kith_result apply_twice(fuzz *z, kith_commands *commands, uint32_t *dead)
{
    uint64_t hash = kith_world_hash(z->world);
    kith_result result = kith_commands_apply(commands, dead);
    fail_nothing(&z->f);
    if (result != KITH_OK) {
        CHECK(kith_world_hash(z->world) == hash);
        CHECK_WORLD(z->world);
        CHECK(kith_commands_error(commands)[0] != '\0');
        CHECK(result == KITH_ERR_MEMORY || result == KITH_ERR_INPUT ||
              (result == KITH_ERR_TYPE && !z->copies));
        result = kith_commands_apply(commands, dead);
    }
    return result;
}

static void apply(fuzz *z, uint32_t number)
{
    filling *of = &z->fillings[number];
    uint32_t dead = 0;
    kith_result result = apply_twice(z, of->commands, &dead);
    if (result != KITH_OK) {
        clear(z, number);
    } else {
        CHECK_UINT(carry_out_all(z, of), dead);
        forget(z, of, of->commands);
    }
    check_all(z);
}

/* The first buffer does what both shall do, as for the calls of a system. The handles that the second
 * gave out count on from those of the first. */
static void join(fuzz *z)
{
    filling *first = &z->fillings[0];
    filling *second = &z->fillings[1];
    kith_commands *both[] = {first->commands, second->commands};
    uint32_t spawned = kith_commands_memory(both[0]).spawned;
    kith_entity next = {0, both[0]->tag << 24 | (spawned + 1)};
    kith_result result = ki_commands_join(both, 2);
    uint32_t dead = 0;
    result = result == KITH_OK ? apply_twice(z, both[0], &dead) : result;
    fail_nothing(&z->f);
    if (result != KITH_OK) {
        ki_commands_part(both, 2);
        clear(z, 0);
        clear(z, 1);
    } else {
        CHECK_UINT(carry_out_all(z, first) + carry_out_all(z, second), dead);
        for (uint32_t i = 0; i < second->made_count; i++) {
            z->facts[second->made[i]].handle = next;
            next.generation++;
        }
        forget(z, first, both[0]);
        forget(z, second, both[0]);
        ki_commands_part(both, 2);
    }
    check_all(z);
}

/* ---- Queueing -------------------------------------------------------------------------------- */

static uint32_t choose_fact(fuzz *z)
{
    return z->fact_count == 0 || input_byte(&z->in) < 8 ? NOBODY
                                                        : input_below(&z->in, z->fact_count);
}

/* Makes a fact of what a call has made, if it has. */
static uint32_t note_made(fuzz *z, filling *of, kith_entity handle)
{
    if (kith_is_none(handle)) {
        return NOBODY;
    }
    CHECK(handle.index1 == 0 && z->fact_count < ENTITIES_MAX);
    z->facts[z->fact_count] = (fact){.handle = handle};
    of->made[of->made_count++] = z->fact_count;
    return z->fact_count++;
}

/* The bytes of a value. One of Owned may be taken over: then it is made for that. */
typedef union place {
    Owned owned;
    Bond bond;
    Position position;
    Target target;
} place;

static const void *make_value(fuzz *z, uint32_t type, uint32_t *value, uint32_t *number, place *to)
{
    *value = type == BOND || type == TARGET ? choose_fact(z) : input_byte(&z->in);
    *number = *value;
    switch (type) {
    case OWNED:
        to->owned =
            z->copies ? (Owned){number, *number, 0} : owned_new(&z->records[OWNED], *number);
        break;
    case BOND: to->bond = (Bond){number, handle_of(z, *value)}; break;
    case POSITION: to->position = (Position){(float)*number, 1}; break;
    case TARGET: to->target = (Target){handle_of(z, *value)}; break;
    default: return NULL;
    }
    return to;
}

static void end_value(fuzz *z, uint32_t type, kith_result result, place *value)
{
    if (type == OWNED && !z->copies && result != KITH_OK) {
        owned_end(&z->records[OWNED], &value->owned);
    }
}

/* What a component starts as that is added without a value. */
static uint32_t initial(uint32_t type)
{
    return type == OWNED ? OWNED_INITIAL : type == BOND ? NOBODY - 1 : type == TARGET ? NOBODY : 0;
}

static void add_order(filling *of, order o)
{
    of->orders[of->count++] = o;
}

static void queue_values(fuzz *z, filling *of, bool spawn)
{
    enum { MOST = 4 };
    place places[MOST];
    kith_value values[MOST];
    uint32_t told[MOST];
    uint32_t numbers[MOST];
    uint32_t chosen[MOST];
    uint32_t who = spawn ? NOBODY : choose_fact(z);
    uint32_t count = input_below(&z->in, MOST + 1);
    for (uint32_t i = 0; i < count; i++) {
        chosen[i] = input_below(&z->in, TYPES);
        values[i].type = types[chosen[i]];
        values[i].data = make_value(z, chosen[i], &told[i], &numbers[i], &places[i]);
    }
    kith_result result;
    if (spawn) {
        kith_entity made = kith_commands_spawn_values(of->commands, values, count);
        result = kith_is_none(made) ? KITH_ERR_INPUT : KITH_OK;
        who = note_made(z, of, made);
        if (result == KITH_OK) {
            add_order(of, (order){.kind = SPAWN, .who = who});
        }
    } else {
        result = kith_commands_set_values(of->commands, handle_of(z, who), values, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        end_value(z, chosen[i], result, &places[i]);
        if (result == KITH_OK) {
            add_order(of, (order){.kind = SET, .who = who, .type = chosen[i], .value = told[i]});
        }
    }
}

static void queue_set(fuzz *z, filling *of, uint32_t who, uint32_t type)
{
    place to;
    uint32_t number;
    order o = {.kind = SET, .who = who, .type = type};
    const void *value = make_value(z, type, &o.value, &number, &to);
    if (z->copies && input_byte(&z->in) < 16) {
        value = NULL;
        o.value = initial(type);
    }
    kith_result result = kith_commands_set(of->commands, handle_of(z, who), types[type], value);
    end_value(z, type, result, &to);
    if (result == KITH_OK) {
        add_order(of, o);
    }
}

static void queue_made(fuzz *z, filling *of, order_kind kind)
{
    uint32_t source = choose_fact(z);
    kith_entity made = kind == SPAWN ? kith_commands_spawn(of->commands)
                                     : kith_commands_clone(of->commands, handle_of(z, source));
    uint32_t who = note_made(z, of, made);
    if (who != NOBODY) {
        add_order(of, (order){.kind = kind, .who = who, .source = source});
    }
}

static void queue_one(fuzz *z, filling *of, order_kind kind)
{
    uint32_t who = choose_fact(z);
    uint32_t type = input_below(&z->in, TYPES);
    kith_entity entity = handle_of(z, who);
    kith_result result = KITH_OK;
    switch (kind) {
    case SPAWN:
    case CLONE: queue_made(z, of, kind); return;
    case SET: queue_set(z, of, who, type); return;
    case DESPAWN: result = kith_commands_despawn(of->commands, entity); break;
    case CLEAR: result = kith_commands_remove_all(of->commands, entity); break;
    case ADD: result = kith_commands_add(of->commands, entity, types[type]); break;
    default: result = kith_commands_remove(of->commands, entity, types[type]); break;
    }
    if (result == KITH_OK) {
        add_order(of, (order){.kind = kind, .who = who, .type = type, .value = initial(type)});
    }
}

/* The same for all that the world has: long stretches, and groups. */
static void queue_run(fuzz *z, filling *of)
{
    static const order_kind kinds[] = {SET, ADD, REMOVE, SET};
    order_kind kind = kinds[input_below(&z->in, 4)];
    uint32_t type = input_below(&z->in, TYPES);
    uint32_t step = 1 + input_below(&z->in, 3);
    for (uint32_t who = 0; who < z->fact_count && of->count < COMMANDS_MAX / 2; who += step) {
        if (z->facts[who].handle.index1 == 0) {
            continue;
        }
        if (kind == SET) {
            queue_set(z, of, who, type);
        } else {
            kith_entity entity = z->facts[who].handle;
            kith_result result = kind == ADD
                                     ? kith_commands_add(of->commands, entity, types[type])
                                     : kith_commands_remove(of->commands, entity, types[type]);
            if (result == KITH_OK) {
                add_order(of,
                          (order){.kind = kind, .who = who, .type = type, .value = initial(type)});
            }
        }
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

/* Something else than a buffer changes the world. */
static void change_world(fuzz *z)
{
    uint32_t who = choose_fact(z);
    fail_nothing(&z->f);
    if (is_dead(z, who) || z->facts[who].handle.index1 == 0) {
        return;
    }
    fact *changed = &z->facts[who];
    if (input_byte(&z->in) < 128) {
        CHECK_RESULT(kith_despawn(z->world, changed->handle), KITH_OK);
        end_fact(changed);
    } else {
        CHECK_RESULT(kith_set(z->world, changed->handle, &Owned_type, NULL), KITH_OK);
        changed->has[OWNED] = true;
        changed->value[OWNED] = OWNED_INITIAL;
    }
}

static void free_and_make(fuzz *z, uint32_t number)
{
    fail_nothing(&z->f);
    kith_commands_free(z->fillings[number].commands);
    forget(z, &z->fillings[number], NULL);
    fill_new(z, number);
}

static void step(fuzz *z)
{
    uint32_t number = input_below(&z->in, BUFFERS);
    filling *of = &z->fillings[number];
    uint32_t choice = input_below(&z->in, 32);
    bool room = of->count + 8 < COMMANDS_MAX && z->fact_count + 2 < ENTITIES_MAX;
    switch (choice) {
    case 0: join(z); break;
    case 1: clear(z, number); break;
    case 2: free_and_make(z, number); break;
    case 3: change_world(z); break;
    case 4: fail_allocation(&z->f, 1 + input_below(&z->in, 64)); break;
    case 5: fail_from(&z->f, 1 + input_below(&z->in, 64)); break;
    case 6:
    case 7: apply(z, number); break;
    case 8:
        fail_nothing(&z->f);
        check_all(z);
        break;
    default:
        if (!room) {
            apply(z, number);
        } else if (choice < 13) {
            queue_values(z, of, choice < 11);
        } else if (choice == 13) {
            queue_run(z, of);
        } else {
            queue_one(z, of, (order_kind)input_below(&z->in, KINDS));
        }
        break;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz z;
    z = (fuzz){.in = {.data = data, .size = size}};
    fuzz_new(&z);
    for (uint32_t steps = 0; steps < STEPS_MAX && !input_ended(&z.in); steps++) {
        if (z.emptied < EMPTIED_MAX && z.fact_count + 8 < ENTITIES_MAX) {
            step(&z);
        }
    }
    fail_nothing(&z.f);
    check_all(&z);
    fixture_free(&z.f);
    CHECK_UINT(z.records[OWNED].live + z.records[BOND].live, 0);
    return 0;
}
