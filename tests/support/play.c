#include "play.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Choosing ------------------------------------------------------------------------------ */

void *play_scratch(play *p, size_t size)
{
    p->scratch = realloc(p->scratch, (p->scratch_count + 1) * sizeof(*p->scratch));
    CHECK_PTR_NOT_NULL(p->scratch);
    void *memory = calloc(1, size > 0 ? size : 1);
    CHECK_PTR_NOT_NULL(memory);
    p->scratch[p->scratch_count++] = memory;
    return memory;
}

static void free_scratch(play *p)
{
    for (uint32_t i = 0; i < p->scratch_count; i++) {
        free(p->scratch[i]);
    }
    p->scratch_count = 0;
}

const void *play_bytes(play *p, const kith_type *type, uint32_t count)
{
    bool zeros = type->size == 0 || input_chance(&p->in, 6);
    if (play_is_guarded(type) && (!zeros || !input_chance(&p->in, 10))) {
        return play_guarded_bytes(p, type, count);
    }
    if (zeros) {
        return NULL;
    }
    if (play_handles_in(type) != 0 && input_chance(&p->in, 70)) {
        kith_entity *handles = play_scratch(p, (size_t)type->size * count);
        for (uint32_t i = 0; i < count; i++) { /* it is a handle and nothing else */
            handles[i] = play_living(p);
        }
        return handles;
    }
    p->salt += input_byte(&p->in) + 1;
    uint64_t random = p->salt;
    size_t size = (size_t)type->size * count;
    unsigned char *bytes = play_scratch(p, size);
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = random_next(&random);
        memcpy(bytes + i, &word, size - i < 8 ? size - i : 8);
    }
    return bytes;
}

/* The type, unless it is kith_disabled, and kith_child_of is not registered: queries would do that. */
static const kith_type *usable(const play *p, const kith_type *type)
{
    return type == play_type(PLAY_DISABLED) &&
                   model_rank(&p->m, play_same_type(&kith_child_of_type)) == UINT32_MAX
               ? play_type(0)
               : type;
}

const kith_type *play_registered(play *p)
{
    if (p->hot[0] != NULL && input_chance(&p->in, 75)) {
        return p->hot[input_below(&p->in, PLAY_HOT)];
    }
    return usable(p, p->m.types[input_below(&p->in, p->m.type_count)]);
}

const kith_type *play_any_type(play *p)
{
    return usable(p, play_type(input_below(&p->in, PLAY_TYPES)));
}

const kith_type *play_disabled_type(const play *p)
{
    const kith_type *type = p->m.disabled_type;
    return type != NULL && usable(p, type) == type ? type : NULL;
}

const kith_type *play_small(play *p, uint32_t size)
{
    for (uint32_t tries = 0; tries < 8; tries++) {
        const kith_type *type = play_registered(p);
        if (type->size <= size) {
            return type;
        }
    }
    return play_type(0); /* Position, which is always registered */
}

kith_entity play_living(play *p)
{
    if (p->m.entity_count == 0) {
        return KITH_NONE;
    }
    return p->m.entities[input_below(&p->in, p->m.entity_count)].handle;
}

kith_entity play_entity(play *p)
{
    uint32_t choice = input_below(&p->in, 100);
    if (choice >= 8) {
        return play_living(p);
    }
    if (choice >= 5 && p->m.ended_count > 0) {
        /* The handle that was the last to have this slot. */
        kith_entity handle = p->m.ended[input_below(&p->in, p->m.ended_count)];
        return (kith_entity){handle.index1, handle.generation - 1};
    }
    if (choice >= 3 && p->m.entity_count > 0) {
        kith_entity handle = play_living(p);
        return (kith_entity){handle.index1, handle.generation + 1 + input_below(&p->in, 3)};
    }
    if (choice >= 2) {
        return (kith_entity){p->m.slots + 1 + input_below(&p->in, 4096), 0};
    }
    return (kith_entity){0, input_below(&p->in, 3)};
}

bool play_named_twice(const operation *op)
{
    for (uint32_t i = 0; i < op->value_count; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (op->values[i].type == op->values[k].type) {
                return true;
            }
        }
    }
    return false;
}

/* The components of a kind, as far as they are no larger. */
static void choose_kind_of_values(play *p, operation *op, uint32_t size)
{
    const play_kind *kind = &p->kinds[input_below(&p->in, PLAY_KINDS)];
    for (uint32_t i = 0; i < kind->count; i++) {
        if (kind->types[i]->size <= size) {
            op->values[op->value_count++] =
                (kith_value){kind->types[i], play_bytes(p, kind->types[i], 1)};
        }
    }
}

void play_choose_values(play *p, operation *op, uint32_t size)
{
    if (input_chance(&p->in, 60)) {
        choose_kind_of_values(p, op, size);
        return;
    }
    uint32_t wanted = input_below(&p->in, PLAY_VALUES);
    for (uint32_t i = 0; i < wanted; i++) {
        const kith_type *type = play_small(p, size);
        op->values[op->value_count].type = type;
        op->value_count++;
        if (play_named_twice(op) && !input_chance(&p->in, 1)) {
            op->value_count--;
            continue;
        }
        op->values[op->value_count - 1].data = play_bytes(p, type, 1);
    }
}

uint32_t play_size_limit(play *p)
{
    return p->m.entity_count < 60 || input_chance(&p->in, 2) ? UINT32_MAX
           : p->m.entity_count < 400                         ? 2000
                                                             : 256;
}

bool play_has(const play *p, kith_entity handle, const kith_type *type)
{
    model_entity *entity = model_find(&p->m, handle);
    return entity != NULL && model_get(&entity->values, type) != NULL;
}

static play_kind choose_kind(play *p)
{
    play_kind kind = {.count = 0};
    uint32_t wanted = 1 + input_below(&p->in, 5);
    for (uint32_t i = 0; i < wanted; i++) {
        const kith_type *type = p->hot[input_below(&p->in, PLAY_HOT)];
        bool known = false;
        for (uint32_t k = 0; k < kind.count; k++) {
            known = known || kind.types[k] == type;
        }
        if (!known) {
            kind.types[kind.count++] = type;
        }
    }
    return kind;
}

/* A new phase: another crowd, and other types in fashion. */
static void begin_phase(play *p)
{
    static const uint32_t caps[] = {6, 30, 30, 100, 100, 300, 300, 40, 3500};
    p->phase_end = p->step + 60 + input_below(&p->in, 256) * 2;
    p->cap = caps[input_below(&p->in, sizeof(caps) / sizeof(caps[0]))];
    if (p->cap > 1000) {
        p->phase_end = p->step + 60;
    }
    memset(p->hot, 0, sizeof(p->hot));
    const kith_type *hot[PLAY_HOT];
    for (uint32_t i = 0; i < PLAY_HOT; i++) {
        uint32_t rank = input_below(&p->in, p->m.type_count);
        if (i > 0 && input_chance(&p->in, 30)) {
            /* As far from the one before as there are bits in a word. */
            rank = (model_rank(&p->m, hot[i - 1]) + 64) % p->m.type_count;
        }
        hot[i] = usable(p, p->m.types[rank]);
        if (play_disabled_type(p) != NULL && input_chance(&p->in, 12)) {
            hot[i] = p->m.disabled_type;
        }
        if (p->links && input_chance(&p->in, p->commands ? 80 : 35)) {
            hot[i] = play_type(PLAY_GUARDED_FIRST + input_below(&p->in, PLAY_GUARDED_COUNT));
        }
    }
    memcpy(p->hot, hot, sizeof(hot));
    for (uint32_t i = 0; i < PLAY_KINDS; i++) {
        p->kinds[i] = choose_kind(p);
    }
}

/* ---- Attempts ------------------------------------------------------------------------------ */

bool play_wants_failure(play *p)
{
    return p->failures && input_chance(&p->in, 30);
}

void play_fail_some(play *p)
{
    uint32_t nth = 1 + input_below(&p->in, 6);
    if (input_chance(&p->in, 50)) {
        fail_allocation(&p->worlds[SUBJECT].f, nth);
    } else {
        fail_from(&p->worlds[SUBJECT].f, nth);
    }
}

void play_name(play *p, const char *name)
{
    snprintf(p->note, sizeof(p->note), "seed %" PRIu64 ", step %" PRIu64 ", %s", p->seed, p->step,
             name);
}

static outcome new_outcome(play *p, const operation *op)
{
    outcome out;
    memset(&out, 0xEE, sizeof(out));
    out.entities = NULL;
    if (op->wants_entities) {
        size_t size = (op->count + 1) * sizeof(*out.entities);
        out.entities = play_scratch(p, size);
        memset(out.entities, 0xEE, size);
    }
    return out;
}

static bool outcomes_equal(const outcome *a, const outcome *b, const operation *op)
{
    return kith_entity_equal(a->entity, b->entity) && a->count == b->count &&
           (a->entities == NULL ||
            memcmp(a->entities, b->entities, (op->count + 1) * sizeof(*a->entities)) == 0);
}

/* The call on SUBJECT, some of whose allocations may fail: then nothing may have changed, and it is
 * tried again until it goes well. */
static kith_result act_on_subject(play *p, const operation *op, outcome *got)
{
    played *w = &p->worlds[SUBJECT];
    uint64_t hash = 0;
    uint64_t content = 0;
    bool hashed = false;
    for (uint32_t tries = 0; tries < 4 && play_wants_failure(p); tries++) {
        if (!hashed) {
            hash = kith_world_hash(w->world);
            content = kith_content_hash(w->world);
            hashed = true;
        }
        play_fail_some(p);
        *got = new_outcome(p, op);
        kith_result result = op->act(w, op, got);
        bool reached = fail_nothing(&w->f);
        if (result != KITH_ERR_MEMORY) {
            return result;
        }
        CHECK(reached);
        CHECK(!op->never_fails || p->share_count > 0 || p->snapshot_count > 0 || p->tracking);
        outcome untouched = new_outcome(p, op);
        CHECK(outcomes_equal(got, &untouched, op));
        CHECK_WORLD(w->world);
        CHECK(kith_world_hash(w->world) == hash);
        CHECK(kith_content_hash(w->world) == content);
    }
    *got = new_outcome(p, op);
    return op->act(w, op, got);
}

void play_attempt(play *p, const operation *op)
{
    play_name(p, op->name);
    p->asked.attempts++;
    outcome got;
    kith_result result = act_on_subject(p, op, &got);
    outcome want = new_outcome(p, op);
    const bool linked = play_concerns_links(p, op);
    model before = linked ? model_copy(&p->m) : (model){0};
    kith_result expected = op->expect(p, op, &want);
    if (linked) {
        expected = play_judge(p, op, expected, result, &before);
        want = expected == KITH_OK ? want : new_outcome(p, op);
    }
    CHECK_RESULT(result, expected);
    CHECK(outcomes_equal(&got, &want, op));
    for (int world = TWIN; world < WORLD_COUNT; world++) {
        played *w = &p->worlds[world];
        got = new_outcome(p, op);
        bool apart = world == OTHER && op->act_other != NULL && !linked;
        result = (apart ? op->act_other : op->act)(w, op, &got);
        CHECK_RESULT(result, expected);
        CHECK(outcomes_equal(&got, &want, op));
    }
}

/* ---- Steps --------------------------------------------------------------------------------- */

/* Command buffers; and what makes room in the world, and changes it by other calls. */
static void step_of_commands(play *p)
{
    const uint32_t kind = input_below(&p->in, 20);
    if (kind == 0) {
        input_chance(&p->in, 50) ? play_relations(p) : play_disabled(p);
    } else if (kind == 1) {
        play_names(p);
    } else if (kind == 2) {
        play_snapshots(p);
    } else if (kind == 3) {
        play_observers(p);
    } else if (kind == 4 || p->m.entity_count > p->cap * 2) {
        play_entities(p, input_below(&p->in, PLAY_ENTITIES_CHOICES));
    } else {
        play_commands(p, 2 + input_below(&p->in, PLAY_COMMANDS_CHOICES - 2));
    }
}

static void step_of_all(play *p)
{
    if (input_chance(&p->in, 1)) {
        play_trackers(p);
    }
    if (input_chance(&p->in, 1)) {
        play_observers(p);
    }
    if (input_chance(&p->in, 2)) {
        play_sort(p);
    }
    if (input_chance(&p->in, 20)) {
        play_indexes(p);
    }
    if (input_chance(&p->in, 20)) {
        play_places(p);
    }
    if (input_chance(&p->in, 10)) {
        play_selects(p);
    }
    if (input_chance(&p->in, 10)) {
        play_lives(p);
    }
    if (input_chance(&p->in, 6)) {
        play_snapshots(p);
    }
    if (input_chance(&p->in, 4)) {
        play_forks(p);
    }
    if (input_chance(&p->in, 2)) {
        input_chance(&p->in, 50) ? play_scenes(p) : play_transfers(p);
    }
    if (p->links && input_chance(&p->in, 20)) {
        play_relations(p);
    }
    if (p->links && input_chance(&p->in, 10)) {
        play_names(p);
    }
    if (p->links && input_chance(&p->in, 4)) {
        play_keys(p);
    }
    if (p->links && input_chance(&p->in, 10)) {
        play_vias(p);
    }
    if (p->links && input_chance(&p->in, 12)) {
        play_levels(p);
    }
    if (p->links && input_chance(&p->in, 12)) {
        play_disabled(p);
    }
    uint32_t kind = input_below(&p->in, 100);
    if (kind < 22) {
        play_entities(p, input_below(&p->in, PLAY_ENTITIES_CHOICES));
    } else if (kind < 51) {
        play_components(p, input_below(&p->in, PLAY_COMPONENTS_CHOICES));
    } else if (kind < 56) {
        play_fields(p, input_below(&p->in, PLAY_FIELDS_CHOICES));
    } else if (kind < 66) {
        play_values(p, input_below(&p->in, PLAY_VALUES_CHOICES));
    } else if (kind < 69) {
        play_systems(p, input_below(&p->in, PLAY_SYSTEMS_CHOICES));
    } else if (kind < 84) {
        play_queries(p, input_below(&p->in, PLAY_QUERIES_CHOICES));
    } else if (kind < 92) {
        play_commands(p, input_below(&p->in, PLAY_COMMANDS_CHOICES));
    } else {
        play_sharing(p, input_below(&p->in, PLAY_SHARING_CHOICES));
    }
}

static void step(play *p)
{
    if (p->step >= p->phase_end) {
        begin_phase(p);
    }
    p->commands ? step_of_commands(p) : step_of_all(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        if (misuse_count(&p->worlds[world].f) != 0) {
            test_fail(__FILE__, __LINE__, "misuse: %s", p->worlds[world].f.misuse);
        }
    }
    if (input_chance(&p->in, 40)) { /* or else several steps are told together */
        play_look_observers(p);
    } else {
        p->asked.mixed = true;
    }
    /* The larger the world, the rarer the looks: they cost in proportion to its size. */
    uint32_t size = p->m.entity_count;
    uint64_t check_every = size < 120 ? 1 : size < 1000 ? 5 : 20;
    if (p->step % check_every == 0) {
        CHECK_WORLD(p->worlds[SUBJECT].world);
        play_look_relations(p);
    }
    if (p->step % (check_every * 4) == 0) {
        play_look_names(p);
        play_look_keys(p);
        play_look_hashes(p);
    }
    if (p->step % (check_every * 24) == 0) {
        play_full_look(p);
    }
    free_scratch(p);
}

static void choose_layouts(play *p)
{
    uint32_t mix = input_below(&p->in, 12);
    uint32_t other_mix = input_below(&p->in, 12);
    uint64_t seed = input_below(&p->in, 65536);
    for (uint32_t i = 0; i < PLAY_TYPES; i++) {
        kith_layout random = (kith_layout)random_below(&seed, LAYOUT_COUNT);
        kith_layout other = (kith_layout)random_below(&seed, LAYOUT_COUNT);
        p->worlds[SUBJECT].layouts[i] = mix < LAYOUT_COUNT ? (kith_layout)mix : random;
        p->worlds[TWIN].layouts[i] = p->worlds[SUBJECT].layouts[i];
        p->worlds[OTHER].layouts[i] = other_mix < LAYOUT_COUNT ? (kith_layout)other_mix : other;
    }
    for (int world = 0; world < WORLD_COUNT; world++) { /* names are not in tables */
        const kith_type *name = play_same_type(&kith_name_type);
        kith_layout *names = &p->worlds[world].layouts[play_number(name)];
        *names = *names == KITH_TABLE ? KITH_SLOT : *names;
        p->worlds[world].layouts[PLAY_DISABLED] = KITH_SLOT;
    }
}

/* Some types that are registered from the start, in no tables. */
static void choose_transients(play *p, uint32_t count)
{
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < count && chosen < PLAY_TRANSIENTS; i++) {
        const kith_type *type = play_type(i);
        if (type == play_same_type(&kith_child_of_type) || !input_chance(&p->in, 10)) {
            continue;
        }
        p->transients[chosen++] = type;
        for (int world = 0; world < WORLD_COUNT; world++) {
            kith_layout *layout = &p->worlds[world].layouts[i];
            *layout = *layout == KITH_TABLE ? KITH_SPARSE : *layout;
        }
    }
    p->m.transients = p->transients;
}

static void begin(play *p)
{
    choose_layouts(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        kith_world_def def = {0};
        static const uint32_t expected[] = {0, 0, 10, 3000};
        def.expected_entities = expected[input_below(&p->in, 4)];
        played *w = &p->worlds[world];
        w->p = p;
        w->f = fixture_new_with(&def);
        w->world = w->f.world;
        w->commands = kith_commands_new(w->world, NULL);
        CHECK_PTR_NOT_NULL(w->commands);
    }
    play_begin_names(p);
    /* The first ones are used by systems; how many others there are from the start differs. */
    uint32_t count = input_chance(&p->in, 25) ? PLAY_TYPES : 3 + input_below(&p->in, 20);
    p->links = p->commands || input_chance(&p->in, 60);
    if (input_chance(&p->in, 40)) {
        choose_transients(p, count);
    }
    for (uint32_t i = 0; i < PLAY_TYPES; i++) {
        const kith_type *type = play_type(i);
        const bool linked =
            play_is_guarded(type) || (i == PLAY_DISABLED && input_chance(&p->in, 70));
        if (i >= count && (!p->links || !linked)) {
            continue;
        }
        model_register(&p->m, type);
        for (int world = 0; world < WORLD_COUNT; world++) {
            played *w = &p->worlds[world];
            CHECK_RESULT(play_register(w, type, w->layouts[i]), KITH_OK);
        }
    }
    if (p->links && input_chance(&p->in, 40)) {
        play_keys(p);
    }
    for (uint32_t i = input_below(&p->in, 8); i > 0; i--) {
        play_change_systems(p);
    }
}

void play_run(const play_options *options, input in)
{
    play *p = calloc(1, sizeof(*p));
    CHECK_PTR_NOT_NULL(p);
    p->in = in;
    p->seed = in.seed;
    p->failures = !options->no_failures;
    p->sharing = !options->no_sharing;
    p->commands = options->commands;
    play_name(p, "begin");
    test_note(p->note);
    begin(p);
    for (; p->step < options->steps && !input_ended(&p->in); p->step++) {
        step(p);
    }
    play_full_look(p);
    play_end_sharing(p);
    play_end_snapshots(p);
    play_full_look(p);
    free_scratch(p);
    play_end_trackers(p);
    play_end_observers(p);
    play_end_lives(p);
    play_end_vias(p);
    for (int world = 0; world < WORLD_COUNT; world++) {
        fixture_free(&p->worlds[world].f);
    }
    play_end_hooks(p);
    model_free(&p->m);
    free(p->scratch);
    free(p);
    test_note(NULL);
}
