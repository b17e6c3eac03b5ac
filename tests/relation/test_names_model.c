/* Names against a list of parents and names that is looked through, and without memory. */
#include <kith/fork.h>
#include <kith/view.h>

#include <stdio.h>
#include <string.h>

#include "names.h"
#include "random.h"

/* ---- Against a model that looks at all --------------------------------------------------------- */

#define MODEL_ENTITIES 20u
#define MODEL_NAMES 5u
#define MODEL_NONE UINT32_MAX

/* What each entity has: a name by number, and a parent by its place. */
typedef struct model_tree {
    bool lives[MODEL_ENTITIES];
    uint32_t name[MODEL_ENTITIES];   /* MODEL_NONE: none */
    uint32_t parent[MODEL_ENTITIES]; /* MODEL_NONE: none */
} model_tree;

typedef struct name_model {
    kith_world *world;
    kith_commands *commands;
    uint64_t random;
    kith_name names[MODEL_NAMES];
    kith_entity entities[MODEL_ENTITIES];
    model_tree tree;
} name_model;

static const char *const model_texts[MODEL_NAMES] = {"a", "b", "turret", "barrel", "a rather long"};

static bool tree_is_below(const model_tree *tree, uint32_t i, uint32_t ancestor)
{
    uint32_t steps = 0;
    while (i != MODEL_NONE && i != ancestor && steps++ <= MODEL_ENTITIES) {
        i = tree->parent[i];
    }
    return i != MODEL_NONE;
}

/* Ends one with all below it. */
static void tree_end(model_tree *tree, uint32_t ended)
{
    bool ends[MODEL_ENTITIES];
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        ends[i] = tree->lives[i] && tree_is_below(tree, i, ended);
    }
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        if (ends[i]) {
            tree->lives[i] = false;
            tree->name[i] = MODEL_NONE;
            tree->parent[i] = MODEL_NONE;
        }
    }
}

/* What a call that leads to such a tree returns. */
static kith_result tree_result(const model_tree *tree)
{
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        uint32_t parent = tree->parent[i];
        if (parent != MODEL_NONE && tree_is_below(tree, parent, i)) {
            return KITH_ERR_CYCLE;
        }
    }
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (tree->name[i] != MODEL_NONE && tree->name[i] == tree->name[k] &&
                tree->parent[i] == tree->parent[k]) {
                return KITH_ERR_CONFLICT;
            }
        }
    }
    return KITH_OK;
}

/* The entity that a name leads to, by looking at all. */
static kith_entity tree_find(const name_model *m, uint32_t parent, uint32_t name)
{
    kith_entity found = KITH_NONE;
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        if (m->tree.lives[i] && m->tree.name[i] == name && m->tree.parent[i] == parent) {
            found = m->entities[i];
        }
    }
    return found;
}

static kith_entity model_entity(const name_model *m, uint32_t i)
{
    return i == MODEL_NONE ? KITH_NONE : m->entities[i];
}

/* Compares a world, which may be a view, with the model. */
static void compare_world(const name_model *m, kith_world *world)
{
    for (uint32_t parent = 0; parent <= MODEL_ENTITIES; parent++) {
        const bool root = parent == MODEL_ENTITIES;
        for (uint32_t name = 0; name < MODEL_NAMES && (root || m->tree.lives[parent]); name++) {
            const kith_entity below = root ? KITH_NONE : m->entities[parent];
            CHECK_SAME(kith_find_child(world, below, model_texts[name]),
                       tree_find(m, root ? MODEL_NONE : parent, name));
        }
    }
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        if (!m->tree.lives[i]) {
            continue;
        }
        const uint32_t name = m->tree.name[i];
        const char *has = kith_name_of(world, m->entities[i]);
        CHECK_INT(has != NULL, name != MODEL_NONE);
        if (has != NULL) {
            CHECK_STR(has, model_texts[name]);
        }
        char path[400];
        if (kith_path(world, m->entities[i], path, sizeof path) != 0) {
            CHECK_SAME(kith_find(world, path), m->entities[i]);
        }
    }
    CHECK_WORLD(world);
}

static void model_compare(const name_model *m)
{
    compare_world(m, m->world);
}

/* Whether a call did what is due, and failed where it must; the tree is taken over. */
static bool model_take(name_model *m, kith_result result, const model_tree *tree)
{
    const kith_result expected = tree_result(tree);
    CHECK_RESULT(result, expected);
    if (expected == KITH_OK) {
        m->tree = *tree;
    }
    return expected == KITH_OK;
}

static uint32_t some_name(name_model *m)
{
    return random_below(&m->random, MODEL_NAMES);
}

/* One that lives, or MODEL_NONE. */
static uint32_t some_living(name_model *m)
{
    uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    return m->tree.lives[i] ? i : MODEL_NONE;
}

/* Spawns one, or clones another, which gets no name. */
static void model_spawn(name_model *m, uint32_t i)
{
    model_tree tree = m->tree;
    const uint32_t shape = random_below(&m->random, 10);
    kith_entity made = KITH_NONE;
    kith_result result;
    if (shape >= 8) {
        const uint32_t from = some_living(m);
        if (from == MODEL_NONE) {
            return;
        }
        tree.parent[i] = tree.parent[from];
        result = kith_clone(m->world, m->entities[from], &made);
    } else {
        kith_value values[3];
        uint32_t count = 0;
        const uint32_t name = some_name(m);
        const uint32_t parent = some_living(m);
        const kith_child_of below = {model_entity(m, parent)};
        if (shape >= 4) {
            values[count++] = (kith_value){&Position_type, NULL};
        }
        if (parent != MODEL_NONE && shape % 2 == 0) {
            values[count++] = (kith_value){&kith_child_of_type, &below};
            tree.parent[i] = parent;
        }
        if (shape != 7) {
            values[count++] = (kith_value){&kith_name_type, &m->names[name]};
            tree.name[i] = name;
        }
        if (parent != MODEL_NONE && shape % 4 == 1) {
            values[count++] = (kith_value){&kith_child_of_type, &below};
            tree.parent[i] = parent;
        }
        result = kith_spawn(m->world, values, count, &made);
    }
    tree.lives[i] = true;
    if (model_take(m, result, &tree)) {
        m->entities[i] = made;
    }
}

/* Spawns up to three at once. */
static void model_spawn_many(name_model *m)
{
    model_tree tree = m->tree;
    uint32_t places[3];
    uint32_t count = 0;
    kith_name names[3];
    kith_child_of parents[3];
    for (uint32_t i = 0; i < MODEL_ENTITIES && count < 3; i++) {
        const uint32_t parent = some_living(m);
        if (m->tree.lives[i] || parent == MODEL_NONE) {
            continue;
        }
        const uint32_t name = some_name(m);
        tree.lives[i] = true;
        tree.name[i] = name;
        tree.parent[i] = parent;
        names[count] = m->names[name];
        parents[count] = (kith_child_of){m->entities[parent]};
        places[count++] = i;
    }
    const kith_values values[] = {{&kith_child_of_type, parents, true},
                                  {&kith_name_type, names, true}};
    kith_entity made[3];
    if (model_take(m, kith_spawn_many(m->world, count, values, 2, made), &tree)) {
        for (uint32_t i = 0; i < count; i++) {
            m->entities[places[i]] = made[i];
        }
    }
}

/* Sets a name, by one of the calls that do. */
static void model_name(name_model *m, uint32_t i)
{
    model_tree tree = m->tree;
    const uint32_t name = some_name(m);
    const kith_value both[] = {{&Position_type, NULL}, {&kith_name_type, &m->names[name]}};
    kith_result result;
    tree.name[i] = name;
    switch (random_below(&m->random, 5)) {
    case 0: result = kith_set(m->world, m->entities[i], &kith_name_type, &m->names[name]); break;
    case 1: result = kith_set_values(m->world, m->entities[i], both, 2); break;
    case 2:
        if (m->tree.name[i] == MODEL_NONE) {
            return;
        }
        result = kith_set_field(m->world, m->entities[i], &kith_name_type, "text", KITH_TEXT,
                                &m->names[name].text, sizeof(kith_text));
        break;
    default: result = kith_set_name(m->world, m->entities[i], model_texts[name]); break;
    }
    model_take(m, result, &tree);
}

/* Gives one another parent, or another place among its siblings. */
static void model_move(name_model *m, uint32_t i)
{
    model_tree tree = m->tree;
    const uint32_t parent = some_living(m);
    const uint32_t name = some_name(m);
    const kith_child_of below = {model_entity(m, parent)};
    const kith_value both[] = {{&kith_name_type, &m->names[name]}, {&kith_child_of_type, &below}};
    const kith_entity first = kith_child_first(m->world, below.target);
    const uint32_t way = parent == MODEL_NONE ? 0 : random_below(&m->random, 4);
    kith_result result;
    tree.parent[i] = parent;
    if (way == 1) {
        tree.name[i] = name;
        result = kith_set_values(m->world, m->entities[i], both, 2);
    } else if (way == 2 && !kith_is_none(first) && !kith_entity_equal(first, m->entities[i])) {
        result = kith_insert_child(m->world, m->entities[i], first);
    } else {
        result = kith_set_parent(m->world, m->entities[i], below.target);
    }
    model_take(m, result, &tree);
}

static void model_step(name_model *m)
{
    const uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    if (random_below(&m->random, 12) == 0) {
        model_spawn_many(m);
        return;
    }
    if (!m->tree.lives[i]) {
        model_spawn(m, i);
        return;
    }
    switch (random_below(&m->random, 14)) {
    case 0:
        CHECK_RESULT(kith_despawn(m->world, m->entities[i]), KITH_OK);
        tree_end(&m->tree, i);
        break;
    case 1:
        CHECK_RESULT(kith_set_name(m->world, m->entities[i], NULL), KITH_OK);
        m->tree.name[i] = MODEL_NONE;
        break;
    case 2: {
        model_tree tree = m->tree;
        tree.parent[i] = MODEL_NONE;
        tree.name[i] = MODEL_NONE;
        model_take(m, kith_remove_all(m->world, m->entities[i]), &tree);
        break;
    }
    case 3:
    case 4:
    case 5:
    case 6: model_move(m, i); break;
    default: model_name(m, i);
    }
}

/* ---- Commands, snapshots ----------------------------------------------------------------------- */

/* Queues something. Despawns come to pass after all links: so they are queued last. */
static void model_queue(name_model *m, kith_entity *entities, model_tree *tree, bool *made)
{
    const uint32_t i = random_below(&m->random, MODEL_ENTITIES);
    const uint32_t k = random_below(&m->random, MODEL_ENTITIES);
    const uint32_t name = some_name(m);
    const uint32_t what = random_below(&m->random, 10);
    if (!tree->lives[i]) {
        entities[i] = kith_commands_spawn(m->commands);
        tree->lives[i] = true;
        made[i] = true;
    }
    if (what < 4) {
        kith_commands_set(m->commands, entities[i], &kith_name_type, &m->names[name]);
        tree->name[i] = name;
    } else if (what == 4) {
        kith_commands_remove(m->commands, entities[i], &kith_name_type);
        tree->name[i] = MODEL_NONE;
    } else if (what == 5) {
        KITH_REMOVE(m->commands, entities[i], kith_child_of);
        tree->parent[i] = MODEL_NONE;
    } else if (what == 6) {
        KITH_REMOVE_ALL(m->commands, entities[i]);
        tree->parent[i] = MODEL_NONE;
        tree->name[i] = MODEL_NONE;
    } else if (tree->lives[k]) {
        KITH_SET(m->commands, entities[i], kith_child_of, {entities[k]});
        tree->parent[i] = k;
    }
}

static void model_apply(name_model *m)
{
    kith_entity entities[MODEL_ENTITIES];
    bool made[MODEL_ENTITIES] = {false};
    model_tree tree = m->tree;
    memcpy(entities, m->entities, sizeof entities);
    for (uint32_t n = 2 + random_below(&m->random, 7); n > 0; n--) {
        model_queue(m, entities, &tree, made);
    }
    const uint32_t ended = random_below(&m->random, 2 * MODEL_ENTITIES);
    if (tree_result(&tree) != KITH_ERR_CYCLE && ended < MODEL_ENTITIES && tree.lives[ended]) {
        KITH_DESPAWN(m->commands, entities[ended]);
        tree_end(&tree, ended);
    }
    const uint64_t hash = kith_world_hash(m->world);
    if (!model_take(m, kith_commands_apply(m->commands, NULL), &tree)) {
        CHECK(kith_world_hash(m->world) == hash);
        kith_commands_discard(m->commands);
        return;
    }
    for (uint32_t i = 0; i < MODEL_ENTITIES; i++) {
        m->entities[i] = made[i] && tree.lives[i] ? kith_commands_real(m->commands, entities[i])
                                                  : m->entities[i];
    }
}

/* Goes on in a fork for a while, and reads a view. */
static void model_share(const name_model *kept, const kith_snapshot *snapshot)
{
    kith_world *view = NULL;
    CHECK_RESULT(kith_view_new(snapshot, NULL, &view), KITH_OK);
    compare_world(kept, view);
    kith_world_free(view);
    name_model fork = *kept;
    CHECK_RESULT(kith_fork_new(snapshot, NULL, &fork.world), KITH_OK);
    model_compare(&fork);
    for (uint32_t step = 0; step < 20; step++) {
        model_step(&fork);
        model_compare(&fork);
    }
    kith_world_free(fork.world);
}

TEST_EACH_LAYOUT_WITHIN(20, random_changes_agree_with_a_model, layout)
{
    for (uint64_t seed = 1; seed <= (test_long() ? 300 : 12); seed++) {
        fixture f = fixture_with_all(layout);
        name_model m = {.world = f.world, .random = seed};
        name_model kept = m;
        kith_snapshot *snapshot = NULL;
        const kith_component_def def = {.layout = layout};
        CHECK_RESULT(kith_register(f.world, &kith_name_type, &def), KITH_OK);
        for (uint32_t i = 0; i < MODEL_NAMES; i++) {
            m.names[i] = name_value(f.world, model_texts[i]);
        }
        memset(m.tree.name, 0xFF, sizeof m.tree.name);
        memset(m.tree.parent, 0xFF, sizeof m.tree.parent);
        m.commands = kith_commands_new(f.world, NULL);
        for (uint32_t step = 0; step < 400; step++) {
            const uint32_t what = random_below(&m.random, 40);
            if (what == 0) {
                kith_snapshot_free(snapshot);
                CHECK_RESULT(kith_snapshot_take(m.world, &snapshot), KITH_OK);
                kept = m;
            } else if (what == 1 && snapshot != NULL) {
                CHECK_RESULT(kith_snapshot_restore(m.world, snapshot), KITH_OK);
                m.tree = kept.tree;
                memcpy(m.entities, kept.entities, sizeof m.entities);
            } else if (what == 2 && snapshot != NULL) {
                model_share(&kept, snapshot);
            } else if (what == 3) {
                kith_snapshot_free(snapshot);
                snapshot = NULL;
            } else if (what == 4) {
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

/* ---- Without memory ---------------------------------------------------------------------------- */

typedef struct swept {
    fixture f;
    kith_world *world;
    kith_snapshot *snapshot; /* or NULL */
    kith_entity ship;        /* the parent of */
    kith_entity gun;
    kith_entity root;
    kith_entity bare;        /* without a name */
    kith_commands *commands; /* in which something is queued */
    kith_name name;          /* "new" */
} swept;

typedef kith_result (*swept_act)(swept *s);

static kith_result act_first_name(swept *s)
{
    return kith_set_name(s->world, s->bare, "a text that is interned now");
}

static kith_result act_rename(swept *s)
{
    return kith_set(s->world, s->gun, &kith_name_type, &s->name);
}

static kith_result act_remove_name(swept *s)
{
    return kith_set_name(s->world, s->gun, NULL);
}

static kith_result act_set_parent(swept *s)
{
    return kith_set_parent(s->world, s->root, s->ship);
}

static kith_result act_remove_parent(swept *s)
{
    return kith_set_parent(s->world, s->gun, KITH_NONE);
}

static kith_result act_insert(swept *s)
{
    return kith_insert_child(s->world, s->root, s->gun);
}

static kith_result act_set_both(swept *s)
{
    const kith_child_of below = {s->ship};
    const kith_value values[] = {{&kith_name_type, &s->name}, {&kith_child_of_type, &below}};
    return kith_set_values(s->world, s->bare, values, 2);
}

static kith_result act_set_field(swept *s)
{
    return kith_set_field(s->world, s->gun, &kith_name_type, "text", KITH_TEXT, &s->name,
                          sizeof s->name);
}

static kith_result act_spawn(swept *s)
{
    const kith_child_of below = {s->ship};
    const kith_value values[] = {{&kith_name_type, &s->name}, {&kith_child_of_type, &below}};
    kith_entity made;
    return kith_spawn(s->world, values, 2, &made);
}

static kith_result act_spawn_many(swept *s)
{
    const kith_name names[] = {s->name, name_value(s->world, "ship")};
    const kith_child_of below = {s->ship};
    const kith_values values[] = {{&kith_name_type, names, true},
                                  {&kith_child_of_type, &below, false}};
    return kith_spawn_many(s->world, 2, values, 2, NULL);
}

static kith_result act_clone(swept *s)
{
    kith_entity clone;
    return kith_clone(s->world, s->gun, &clone);
}

static kith_result act_apply(swept *s)
{
    return kith_commands_apply(s->commands, NULL);
}

static swept swept_new(kith_layout layout, uint32_t count, bool shared)
{
    swept s = {.f = fixture_with_all(layout)};
    const kith_component_def def = {.layout = layout};
    s.world = s.f.world;
    CHECK_RESULT(kith_register(s.world, &kith_name_type, &def), KITH_OK);
    s.name = name_value(s.world, "new");
    s.ship = named(s.world, "ship", KITH_NONE);
    s.gun = named(s.world, "gun", s.ship);
    s.root = named(s.world, "root", KITH_NONE);
    s.bare = kith_spawn_empty(s.world);
    kith_entity other = named(s.world, "other", s.ship);
    for (uint32_t i = 4; i < count; i++) {
        char text[16];
        snprintf(text, sizeof text, "n%u", i);
        named(s.world, text, KITH_NONE);
    }
    const kith_name gun = name_value(s.world, "gun");
    const kith_name root = name_value(s.world, "root");
    s.commands = kith_commands_new(s.world, NULL);
    KITH_SET(s.commands, s.gun, kith_child_of, {s.root});
    KITH_REMOVE(s.commands, other, kith_child_of);
    kith_commands_set(s.commands, s.root, &kith_name_type, &gun);
    kith_entity made = kith_commands_spawn(s.commands);
    kith_commands_set(s.commands, made, &kith_name_type, &root);
    kith_entity below = kith_commands_spawn(s.commands);
    KITH_SET(s.commands, below, kith_child_of, {made});
    kith_commands_set(s.commands, below, &kith_name_type, &root);
    if (shared) {
        CHECK_RESULT(kith_snapshot_take(s.world, &s.snapshot), KITH_OK);
    }
    return s;
}

/* Whichever allocation of a call fails, nothing has changed, and the next call does it. */
static void sweep_names(kith_layout layout, uint32_t count, bool shared, swept_act act)
{
    for (size_t nth = 1;; nth++) {
        swept s = swept_new(layout, count, shared);
        uint64_t hash = kith_world_hash(s.world);
        fail_allocation(&s.f, nth);
        kith_result result = act(&s);
        bool reached = fail_nothing(&s.f);
        CHECK_RESULT(result, reached ? KITH_ERR_MEMORY : KITH_OK);
        CHECK(!reached || kith_world_hash(s.world) == hash);
        if (reached) {
            CHECK_SAME(kith_find(s.world, "ship/gun"), s.gun);
            CHECK_SAME(kith_find(s.world, "root"), s.root);
            CHECK_WORLD(s.world);
            CHECK_RESULT(act(&s), KITH_OK);
        }
        CHECK_WORLD(s.world);
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
    static const swept_act acts[] = {act_first_name, act_rename,        act_remove_name,
                                     act_set_parent, act_remove_parent, act_insert,
                                     act_set_both,   act_set_field,     act_spawn,
                                     act_spawn_many, act_clone,         act_apply};
    static const uint32_t counts[] = {4, 5, 6, 7, 8, 9}; /* where maps are just full */
    for (uint32_t i = 0; i < ROWS_OF(acts); i++) {
        for (uint32_t k = 0; k < ROWS_OF(counts); k++) {
            sweep_names(layout, counts[k], false, acts[i]);
            sweep_names(layout, counts[k], true, acts[i]);
        }
    }
}
