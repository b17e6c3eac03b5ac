/* Random calls on a world with relations, and on a model that looks at everything. After each step all
 * lists are compared; calls that fail, also for want of memory, change nothing. */
#include <stdio.h>
#include <string.h>

#include "links.h"
#include "random.h"

#define ENTITIES 14u
#define RELATIONS 5u
#define NOBODY UINT32_MAX

/* In order of names, which is that of checks and cascades. */
static const kith_type *const relations[RELATIONS] = {&Before_type, &Follows_type, &Guards_type,
                                                      &Owns_type, &PartOf_type};

/* Entities are numbered; a number is used again once its entity has ended. */
typedef struct graph {
    bool alive[ENTITIES];
    uint32_t target[RELATIONS][ENTITIES];            /* NOBODY: none */
    uint32_t sources[RELATIONS][ENTITIES][ENTITIES]; /* of each target, in order */
    uint32_t count[RELATIONS][ENTITIES];
} graph;

typedef struct model {
    fixture f;
    kith_commands *commands;
    uint64_t random;
    kith_entity entities[ENTITIES];
    graph g;
    bool failed;             /* the last call did */
    kith_snapshot *snapshot; /* or NULL */
    graph kept;              /* as of it, */
    kith_entity kept_entities[ENTITIES];
} model;

static uint32_t rules_of(uint32_t relation)
{
    return relations[relation]->relation;
}

/* ---- The model --------------------------------------------------------------------------------- */

static void graph_unlink(graph *g, uint32_t r, uint32_t source)
{
    uint32_t target = g->target[r][source];
    if (target == NOBODY) {
        return;
    }
    uint32_t *list = g->sources[r][target];
    uint32_t at = 0;
    while (list[at] != source) {
        at++;
    }
    g->count[r][target]--;
    memmove(&list[at], &list[at + 1], (g->count[r][target] - at) * sizeof(*list));
    g->target[r][source] = NOBODY;
}

static void graph_insert(graph *g, uint32_t r, uint32_t source, uint32_t target, uint32_t at)
{
    uint32_t *list = g->sources[r][target];
    memmove(&list[at + 1], &list[at], (g->count[r][target] - at) * sizeof(*list));
    list[at] = source;
    g->count[r][target]++;
    g->target[r][source] = target;
}

static void graph_link(graph *g, uint32_t r, uint32_t source, uint32_t target)
{
    if (g->target[r][source] != target) {
        graph_unlink(g, r, source);
        graph_insert(g, r, source, target, g->count[r][target]);
    }
}

static void graph_unlink_all(graph *g, uint32_t source)
{
    for (uint32_t r = 0; r < RELATIONS; r++) {
        graph_unlink(g, r, source);
    }
}

static bool graph_has_circle(const graph *g)
{
    for (uint32_t r = 0; r < RELATIONS; r++) {
        for (uint32_t i = 0; (rules_of(r) & KITH_ACYCLIC) != 0 && i < ENTITIES; i++) {
            uint32_t steps = 0;
            for (uint32_t at = i; at != NOBODY; at = g->target[r][at]) {
                if (++steps > ENTITIES) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* Ends entities with all that follows. False: one is refused. */
static bool graph_end(graph *g, const bool *ends)
{
    bool gone[ENTITIES];
    memcpy(gone, ends, sizeof(gone));
    for (bool more = true; more;) {
        more = false;
        for (uint32_t r = 0; r < RELATIONS; r++) {
            for (uint32_t i = 0; (rules_of(r) & KITH_CASCADE) != 0 && i < ENTITIES; i++) {
                uint32_t target = g->target[r][i];
                if (target != NOBODY && gone[target] && !gone[i]) {
                    gone[i] = true;
                    more = true;
                }
            }
        }
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        uint32_t target = g->target[2][i]; /* Guards */
        if (target != NOBODY && gone[target] && !gone[i]) {
            return false;
        }
    }
    for (uint32_t i = 0; i < ENTITIES; i++) {
        for (uint32_t r = 0; r < RELATIONS; r++) {
            uint32_t target = g->target[r][i];
            if (gone[i] || (target != NOBODY && gone[target])) {
                graph_unlink(g, r, i);
            }
        }
        g->alive[i] = g->alive[i] && !gone[i];
    }
    return true;
}

/* ---- Comparing --------------------------------------------------------------------------------- */

static uint32_t number_of(const model *m, kith_entity entity)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        if (m->g.alive[i] && kith_entity_equal(m->entities[i], entity)) {
            return i;
        }
    }
    return NOBODY;
}

static void compare(model *m)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        CHECK_INT(kith_alive(m->f.world, m->entities[i]), m->g.alive[i]);
        for (uint32_t r = 0; r < RELATIONS && m->g.alive[i]; r++) {
            kith_entity target = kith_target(m->f.world, m->entities[i], relations[r]);
            CHECK_UINT(number_of(m, target), m->g.target[r][i]);
            CHECK_INT(kith_has(m->f.world, m->entities[i], relations[r]),
                      m->g.target[r][i] != NOBODY);
            uint32_t found = 0;
            kith_entity at = kith_source_first(m->f.world, m->entities[i], relations[r]);
            for (; !kith_is_none(at); at = kith_source_next(m->f.world, at, relations[r])) {
                CHECK(found < m->g.count[r][i]);
                CHECK_UINT(number_of(m, at), m->g.sources[r][i][found]);
                found++;
            }
            CHECK_UINT(found, m->g.count[r][i]);
        }
    }
    CHECK_WORLD(m->f.world);
}

/* ---- Calls ------------------------------------------------------------------------------------- */

static uint32_t below(model *m, uint32_t limit)
{
    return random_below(&m->random, limit);
}

/* The number of a living entity, or of a dead one if `alive` is false; NOBODY: there is none. */
static uint32_t some(model *m, bool alive)
{
    uint32_t i = below(m, ENTITIES);
    for (uint32_t tries = 0; tries < ENTITIES; tries++, i = (i + 1) % ENTITIES) {
        if (m->g.alive[i] == alive) {
            return i;
        }
    }
    return NOBODY;
}

/* A value of any of the relations: they all begin with the target. */
static Follows value_to(kith_entity target)
{
    return (Follows){target, 0};
}

/* What a call on the world did is right: `expected`, after which the model is `after`; or there was no
 * memory. */
static bool took(model *m, kith_result result, kith_result expected, const graph *after)
{
    if (result != KITH_ERR_MEMORY) {
        CHECK_RESULT(result, expected);
    }
    if (result == KITH_OK) {
        m->g = *after;
    }
    m->failed = result != KITH_OK;
    return result == KITH_OK;
}

static void call_set(model *m)
{
    graph after = m->g;
    uint32_t r = below(m, RELATIONS);
    uint32_t i = some(m, true);
    uint32_t target = below(m, ENTITIES);
    if (i == NOBODY) {
        return;
    }
    kith_result expected = KITH_ERR_DEAD;
    if (m->g.alive[target]) {
        graph_link(&after, r, i, target);
        expected = graph_has_circle(&after) ? KITH_ERR_CYCLE : KITH_OK;
    }
    Follows value = value_to(m->entities[target]);
    kith_value both[2] = {{.type = relations[r], .data = &value}, {.type = &Health_type}};
    took(m,
         below(m, 2) == 0 ? kith_set(m->f.world, m->entities[i], relations[r], &value)
                          : kith_set_values(m->f.world, m->entities[i], both, 2),
         expected, &after);
}

static void call_remove(model *m)
{
    graph after = m->g;
    uint32_t r = below(m, RELATIONS);
    uint32_t i = some(m, true);
    if (i == NOBODY) {
        return;
    }
    if (below(m, 4) == 0) {
        graph_unlink_all(&after, i);
        took(m, kith_remove_all(m->f.world, m->entities[i]), KITH_OK, &after);
        return;
    }
    graph_unlink(&after, r, i);
    took(m, kith_remove(m->f.world, m->entities[i], relations[r]),
         m->g.target[r][i] == NOBODY ? KITH_ERR_ABSENT : KITH_OK, &after);
}

static void call_place(model *m)
{
    graph after = m->g;
    uint32_t r = below(m, RELATIONS);
    uint32_t i = some(m, true);
    if (i == NOBODY || m->g.target[r][i] == NOBODY) {
        return;
    }
    uint32_t target = m->g.target[r][i];
    uint32_t place = below(m, m->g.count[r][target] + 1);
    uint32_t before = place == m->g.count[r][target] ? NOBODY : m->g.sources[r][target][place];
    kith_entity to = before == NOBODY ? KITH_NONE : m->entities[before];
    if (before != i) {
        graph_unlink(&after, r, i);
        uint32_t at = 0;
        while (at < after.count[r][target] && after.sources[r][target][at] != before) {
            at++;
        }
        graph_insert(&after, r, i, target, at);
    }
    took(m, kith_source_place(m->f.world, m->entities[i], relations[r], to),
         before == i ? KITH_ERR_INPUT : KITH_OK, &after);
}

static void call_spawn(model *m)
{
    graph after = m->g;
    uint32_t i = some(m, false);
    uint32_t r = below(m, RELATIONS);
    uint32_t from = some(m, true);
    if (i == NOBODY) {
        return;
    }
    kith_entity made = KITH_NONE;
    kith_result result;
    after.alive[i] = true;
    if (from == NOBODY) {
        result = kith_spawn(m->f.world, NULL, 0, &made);
    } else if (below(m, 3) == 0) {
        for (uint32_t k = 0; k < RELATIONS; k++) {
            if (m->g.target[k][from] != NOBODY) {
                graph_link(&after, k, i, m->g.target[k][from]);
            }
        }
        result = kith_clone(m->f.world, m->entities[from], &made);
    } else {
        Follows value = value_to(m->entities[from]);
        graph_link(&after, r, i, from);
        result =
            below(m, 2) == 0
                ? kith_spawn(m->f.world, &(kith_value){relations[r], &value}, 1, &made)
                : kith_spawn_many(m->f.world, 1,
                                  &(kith_values){.type = relations[r], .data = &value}, 1, &made);
    }
    if (took(m, result, KITH_OK, &after)) {
        m->entities[i] = made;
    }
}

static void call_despawn(model *m)
{
    graph after = m->g;
    bool ends[ENTITIES] = {false};
    kith_entity handles[4];
    uint32_t count = below(m, 4);
    for (uint32_t k = 0; k <= count; k++) {
        uint32_t i = some(m, true);
        if (i == NOBODY) {
            return;
        }
        ends[i] = true;
        handles[k] = m->entities[i];
    }
    bool may = graph_end(&after, ends);
    took(m,
         count == 0 ? kith_despawn(m->f.world, handles[0])
                    : kith_despawn_many(m->f.world, handles, count + 1, NULL),
         may ? KITH_OK : KITH_ERR_CONFLICT, &after);
}

/* ---- Command buffers --------------------------------------------------------------------------- */

/* What a buffer asks for. */
typedef struct asked {
    uint32_t kind[RELATIONS][ENTITIES]; /* 0: nothing, 1: no target, 2: `target` */
    uint32_t target[RELATIONS][ENTITIES];
    uint32_t order[RELATIONS][ENTITIES];
    bool dead[RELATIONS][ENTITIES]; /* the target is an entity that lives no more */
    bool bare[ENTITIES];
    bool gone[ENTITIES];
    bool made[ENTITIES];
} asked;

static kith_entity handle_of(const model *m, const asked *a, const kith_entity *made, uint32_t i)
{
    return a->made[i] ? made[i] : m->entities[i];
}

static void queue_one(model *m, asked *a, kith_entity *made, uint32_t order)
{
    uint32_t shape = below(m, 12);
    uint32_t i = below(m, ENTITIES);
    uint32_t r = below(m, RELATIONS);
    bool lives = m->g.alive[i] || a->made[i];
    if (!lives && shape < 6) {
        made[i] = kith_commands_spawn(m->commands);
        a->made[i] = !kith_is_none(made[i]);
        return;
    }
    if (!lives || a->gone[i]) {
        return;
    }
    kith_entity entity = handle_of(m, a, made, i);
    if (shape == 0) {
        kith_commands_despawn(m->commands, entity);
        a->gone[i] = true;
    } else if (shape == 1) {
        kith_commands_remove_all(m->commands, entity);
        a->bare[i] = true;
        for (uint32_t k = 0; k < RELATIONS; k++) {
            a->kind[k][i] = 0;
        }
    } else if (shape < 4) {
        kith_commands_remove(m->commands, entity, relations[r]);
        a->kind[r][i] = 1;
    } else {
        uint32_t target = below(m, ENTITIES);
        Follows value = value_to(handle_of(m, a, made, target));
        kith_commands_set(m->commands, entity, relations[r], &value);
        a->kind[r][i] = kith_is_none(value.target) ? 1 : 2; /* no target never is one */
        a->target[r][i] = target;
        a->dead[r][i] = !m->g.alive[target] && !a->made[target];
        a->order[r][i] = order;
    }
}

/* Links what is asked for to living targets. Returns whether anything ends by a dead one. */
static void graph_ask(graph *g, const asked *a, bool *ends, uint32_t orders)
{
    for (uint32_t i = 0; i < ENTITIES; i++) {
        g->alive[i] = g->alive[i] || a->made[i];
        ends[i] = a->gone[i];
        if (a->gone[i] || a->bare[i]) {
            graph_unlink_all(g, i);
        }
        for (uint32_t r = 0; r < RELATIONS; r++) {
            bool moves =
                a->kind[r][i] == 2 && (a->dead[r][i] || g->target[r][i] != a->target[r][i]);
            if (!a->gone[i] && (a->kind[r][i] == 1 || moves)) {
                graph_unlink(g, r, i);
            }
            if (!a->gone[i] && a->kind[r][i] == 2 && a->dead[r][i]) {
                ends[i] = ends[i] || (rules_of(r) & KITH_CASCADE) != 0;
            }
        }
    }
    for (uint32_t order = 0; order < orders; order++) {
        for (uint32_t r = 0; r < RELATIONS; r++) {
            for (uint32_t i = 0; i < ENTITIES; i++) {
                if (!a->gone[i] && a->kind[r][i] == 2 && a->order[r][i] == order &&
                    !a->dead[r][i]) {
                    graph_link(g, r, i, a->target[r][i]);
                }
            }
        }
    }
}

static void call_commands(model *m)
{
    graph after = m->g;
    asked a;
    kith_entity made[ENTITIES];
    bool ends[ENTITIES];
    memset(&a, 0, sizeof(a));
    uint32_t count = 1 + below(m, 14);
    for (uint32_t k = 0; k < count; k++) {
        queue_one(m, &a, made, k);
    }
    for (uint32_t i = 0; i < ENTITIES; i++) { /* who never comes to be is no target */
        for (uint32_t r = 0; r < RELATIONS; r++) {
            uint32_t target = a.target[r][i];
            a.dead[r][i] = a.dead[r][i] || (a.made[target] && a.gone[target]);
        }
    }
    graph_ask(&after, &a, ends, count);
    bool circle = graph_has_circle(&after);
    bool may = graph_end(&after, ends);
    kith_result result = kith_commands_apply(m->commands, NULL);
    if (took(m, result, circle ? KITH_ERR_CYCLE : may ? KITH_OK : KITH_ERR_CONFLICT, &after)) {
        for (uint32_t i = 0; i < ENTITIES; i++) {
            if (a.made[i]) {
                m->entities[i] = kith_commands_real(m->commands, made[i]);
            }
        }
    }
    kith_commands_discard(m->commands);
}

/* ---- Snapshots --------------------------------------------------------------------------------- */

static void call_snapshot(model *m)
{
    if (m->snapshot == NULL) {
        if (kith_snapshot_take(m->f.world, &m->snapshot) == KITH_OK) {
            m->kept = m->g;
            memcpy(m->kept_entities, m->entities, sizeof(m->kept_entities));
        } else {
            m->snapshot = NULL;
        }
        return;
    }
    uint32_t shape = below(m, 3);
    if (shape == 0 && kith_snapshot_restore(m->f.world, m->snapshot) == KITH_OK) {
        m->g = m->kept;
        memcpy(m->entities, m->kept_entities, sizeof(m->entities));
    } else if (shape == 1) {
        kith_snapshot_free(m->snapshot);
        m->snapshot = NULL;
    }
}

static void play(kith_layout layout, uint64_t seed, uint32_t steps)
{
    static void (*const calls[])(model * m) = {
        call_set,     call_set,      call_remove,   call_place, call_spawn,
        call_despawn, call_commands, call_commands, call_spawn, call_snapshot};
    model m = {.f = links_world(layout), .random = seed};
    char note[64];
    test_note(note);
    m.commands = kith_commands_new(m.f.world, NULL);
    for (uint32_t r = 0; r < RELATIONS; r++) {
        for (uint32_t i = 0; i < ENTITIES; i++) {
            m.g.target[r][i] = NOBODY;
        }
    }
    for (uint32_t step = 0; step < steps; step++) {
        snprintf(note, sizeof(note), "seed %llu, step %u", (unsigned long long)seed, step);
        const uint64_t hash = kith_world_hash(m.f.world);
        m.failed = false;
        bool fails = below(&m, 3) == 0;
        if (fails) {
            fail_allocation(&m.f, 1 + below(&m, 12));
        }
        calls[below(&m, ROWS_OF(calls))](&m);
        if (fails) {
            fail_nothing(&m.f);
        }
        if (m.failed) {
            CHECK_UINT(kith_world_hash(m.f.world), hash);
        }
        compare(&m);
    }
    kith_snapshot_free(m.snapshot);
    test_note(NULL);
    fixture_free(&m.f);
}

TEST_EACH_LAYOUT_WITHIN(30, relations_are_what_a_model_says, layout)
{
    const uint32_t worlds = test_long() ? 2000 : test_short() ? 2 : 24;
    for (uint32_t i = 0; i < worlds; i++) {
        play(layout, test_number("KITH_TEST_SEED", 1) * 1000 + i, 400);
    }
}
