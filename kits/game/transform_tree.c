/* Transforms down a hierarchy: a Global for each Local.
 *
 * After each run a Global is what the Locals and the parents say, whatever was written meanwhile. So
 * what this system remembers is not part of the world's state: it only saves work. Live queries tell
 * whose Local or parent is another than at the last run, and blocks of Globals that anything else wrote,
 * a restore too, are looked at again. After a failure all are computed.
 *
 * Few are followed along links. Parents come first there: before an entity is computed, all of its
 * ancestors are settled, and each entity is settled once a run. Nothing is recursive, so hierarchies may
 * be as deep as they like. Many are computed by a sweep over all, level by level, with the workers. */
#include <kith/floats.h>

#include <kith/hierarchy.h>
#include <kith/live.h>
#include <kith/lookup.h>
#include <kith/via.h>
#include <string.h>

#include "game/game_memory.h"
#include "game/systems.h"
#include "game/transforms.h"

/* ---- Both dimensions ------------------------------------------------------------------------- */

enum { TREE_KINDS = 2, TREE_BATCH = 32, TREE_SWEEP_FROM = 16 };

/* Entities to be computed. A loop of nothing else takes half as long as one entity after the other. */
typedef struct tree_rows {
    uint32_t count;
    const void *const *locals;
    void *const *globals;      /* where theirs go */
    const void *const *outers; /* Globals of their parents; NULL: there is none */
    /* Locals of their parents; a parent without one does not count. The same as `outers` where all
     * with a Global are known to have one. */
    const void *const *outer_locals;
} tree_rows;

/* A dimension. */
typedef struct tree_kind {
    const kith_type *local;
    const kith_type *global;
    void *(*global_mut)(kith_world *world, kith_entity entity);
    void (*compute)(const tree_rows *rows);
} tree_kind;

static void *tree_global2_mut(kith_world *world, kith_entity entity)
{
    return KITH_GET_MUT(world, entity, kith_global2);
}

static void *tree_global3_mut(kith_world *world, kith_entity entity)
{
    return KITH_GET_MUT(world, entity, kith_global3);
}

static void tree_compute2(const tree_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const kith_global2 *outer = rows->outer_locals[i] == NULL ? NULL : rows->outers[i];
        const kith_local2 *local = rows->locals[i];
        *(kith_global2 *)rows->globals[i] =
            outer == NULL ? ki_game_from_local2(local) : ki_game_compose2(outer, local);
    }
}

static void tree_compute3(const tree_rows *rows)
{
    for (uint32_t i = 0; i < rows->count; i++) {
        const kith_global3 *outer = rows->outer_locals[i] == NULL ? NULL : rows->outers[i];
        const kith_local3 *local = rows->locals[i];
        *(kith_global3 *)rows->globals[i] =
            outer == NULL ? ki_game_from_local3(local) : ki_game_compose3(outer, local);
    }
}

static const tree_kind tree_kinds[TREE_KINDS] = {
    {&kith_local2_type, &kith_global2_type, tree_global2_mut, tree_compute2},
    {&kith_local3_type, &kith_global3_type, tree_global3_mut, tree_compute3},
};

/* ---- What is kept beside a world ------------------------------------------------------------- */

/* Numbers of terms of `all`. */
enum { TREE_OUTER = 2, TREE_OUTER_LOCAL };

/* Of one dimension. The queries are made in the first run, and freed with the world. */
typedef struct tree_watch {
    kith_live *moved;    /* whose Local or parent changed; NULL: not made yet */
    kith_query *bare;    /* they have a Local, and no Global */
    kith_query *written; /* their Global may have been written */
    kith_query *left;    /* they have a Global, and no Local */
    kith_query *all;     /* they have both; parents come first */
    bool distrusted;     /* all are to be computed: it is the first run, or the last one failed */
} tree_watch;

typedef struct tree_watches {
    kith_allocator allocator;
    tree_watch of[TREE_KINDS];
} tree_watches;

static char tree_key;

static void watches_end(void *thing)
{
    tree_watches *watches = thing;
    const kith_allocator allocator = watches->allocator;
    ki_game_free(&allocator, watches, 1, sizeof *watches);
}

static kith_result watch_begin(kith_world *world, const tree_kind *kind, tree_watch *watch)
{
    const kith_term local = {kind->local, KITH_ACCESS_READ, KITH_MUST, 0, NULL};
    const kith_term parent = KITH_OPTIONAL(kith_child_of);
    const kith_term lacks_global = {kind->global, KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL};
    const kith_term global = {kind->global, KITH_ACCESS_NONE, KITH_MUST, 0, NULL};
    const kith_term lacks_local = {kind->local, KITH_ACCESS_NONE, KITH_MUST_NOT, 0, NULL};
    const kith_term written_global = {kind->global, KITH_ACCESS_WRITE, KITH_MUST, 0, NULL};
    const kith_term outer_global = {kind->global, KITH_ACCESS_READ, KITH_MAY, 0, NULL};
    const kith_term outer_local = {kind->local, KITH_ACCESS_READ, KITH_MAY, 0, NULL};
    const kith_term global_changed = {kind->global, KITH_ACCESS_READ, KITH_MUST_CHANGED, 0, NULL};
    const kith_query_def moved = {.terms = KITH_TERMS(local, parent), .name = "moved"};
    const kith_query_def bare = {.terms = KITH_TERMS(local, lacks_global), .name = "bare"};
    const kith_query_def written = {.terms = KITH_TERMS(local, global_changed), .name = "written"};
    const kith_query_def left = {.terms = KITH_TERMS(global, lacks_local), .name = "left"};
    const kith_query_def all = {.terms = KITH_TERMS(local, written_global,
                                                    KITH_VIA(kith_child_of, outer_global),
                                                    KITH_VIA(kith_child_of, outer_local)),
                                .name = "all",
                                .order = KITH_PARENTS_FIRST};
    kith_query *followed = NULL;
    watch->distrusted = true;
    kith_result result = kith_query_new(world, &bare, &watch->bare);
    result = result == KITH_OK ? kith_query_new(world, &written, &watch->written) : result;
    result = result == KITH_OK ? kith_query_new(world, &left, &watch->left) : result;
    result = result == KITH_OK ? kith_query_new(world, &all, &watch->all) : result;
    result = result == KITH_OK ? kith_query_new(world, &moved, &followed) : result;
    result = result == KITH_OK ? kith_live_new(world, followed, &watch->moved) : result;
    if (result != KITH_OK) {
        kith_query_free(followed);
        kith_query_free(watch->all);
        kith_query_free(watch->left);
        kith_query_free(watch->written);
        kith_query_free(watch->bare);
        *watch = (tree_watch){.moved = NULL};
    }
    return result;
}

static kith_result watches_new(kith_world *world, tree_watches **made)
{
    const kith_allocator allocator = kith_world_allocator(world);
    tree_watches *watches = ki_game_alloc(&allocator, 1, sizeof *watches);
    if (watches == NULL) {
        return KITH_ERR_MEMORY;
    }
    *watches = (tree_watches){.allocator = allocator};
    kith_result result = kith_attach(world, &tree_key, watches, watches_end);
    if (result != KITH_OK) {
        watches_end(watches);
        return result;
    }
    *made = watches;
    return KITH_OK;
}

/* ---- A run ----------------------------------------------------------------------------------- */

enum {
    TREE_LISTED = 1,  /* it is in the list */
    TREE_MOVED = 2,   /* it is to be computed, and so are its children */
    TREE_WRITTEN = 4, /* it is to be computed; the children had the right value to go by */
    TREE_SETTLED = 8  /* its Global is right, and so are those of its ancestors */
};

/* Those to be computed together, which have the same parent. */
typedef struct tree_batch {
    uint32_t count;
    kith_entity entities[TREE_BATCH];
    const void *locals[TREE_BATCH];
    const void *outers[TREE_BATCH];
    void *globals[TREE_BATCH];
    kith_global3 values[TREE_BATCH]; /* as all Globals here, room for either dimension */
} tree_batch;

typedef struct tree_run {
    kith_world *world;
    const tree_kind *kind;
    kith_allocator allocator;
    kith_lookup locals, globals, parents;
    uint8_t *marks; /* by slot */
    size_t mark_capacity;
    ki_game_keys list;  /* the entities to settle */
    ki_game_keys path;  /* ancestors that are to be settled first */
    ki_game_keys below; /* settled, and their children are not */
    size_t walked;      /* entities that were settled as children; */
    size_t walk_most;   /* after so many it is quicker to sweep */
    bool sweeps;        /* all are to be computed */
    kith_global3 outer; /* of the batch */
    tree_batch batch;
} tree_run;

static uint64_t key_of(kith_entity entity)
{
    return (uint64_t)entity.generation << 32 | entity.index1;
}

static kith_entity entity_of(uint64_t key)
{
    return (kith_entity){(uint32_t)key, (uint32_t)(key >> 32)};
}

static bool marks_grow(tree_run *run, uint32_t slot)
{
    size_t capacity = (size_t)kith_entity_count(run->world) + 1; /* mostly enough at once */
    capacity = capacity > run->mark_capacity * 2 ? capacity : run->mark_capacity * 2;
    capacity = capacity > slot ? capacity : (size_t)slot + 1;
    uint8_t *marks = ki_game_alloc(&run->allocator, capacity, 1);
    if (marks == NULL) {
        return false;
    }
    memset(marks, 0, capacity);
    if (run->marks != NULL) {
        memcpy(marks, run->marks, run->mark_capacity);
    }
    ki_game_free(&run->allocator, run->marks, run->mark_capacity, 1);
    run->marks = marks;
    run->mark_capacity = capacity;
    return true;
}

/* The marks of an entity; NULL: memory ran out. */
static inline uint8_t *marks_of(tree_run *run, kith_entity entity)
{
    const uint32_t slot = kith_entity_slot(entity);
    return slot < run->mark_capacity || marks_grow(run, slot) ? &run->marks[slot] : NULL;
}

/* Marks an entity, and puts it on the list. False: memory ran out. */
static inline bool tree_note(tree_run *run, kith_entity entity, uint8_t mark)
{
    uint8_t *marks = marks_of(run, entity);
    if (marks == NULL || ((*marks & TREE_LISTED) == 0 &&
                          !ki_game_keys_add(&run->allocator, &run->list, key_of(entity)))) {
        return false;
    }
    *marks |= (uint8_t)(mark | TREE_LISTED);
    return true;
}

static bool tree_note_many(tree_run *run, const kith_entity *entities, uint32_t count, uint8_t mark)
{
    bool noted = true;
    for (uint32_t i = 0; i < count && noted; i++) {
        noted = tree_note(run, entities[i], mark);
    }
    return noted;
}

static bool tree_note_children(tree_run *run, kith_entity parent)
{
    bool noted = true;
    for (kith_sources c = kith_children(run->world, parent); noted && kith_sources_next(&c);) {
        noted = tree_note(run, c.entity, TREE_MOVED);
    }
    return noted;
}

/* Notes all that a query finds. */
static kith_result tree_note_found(tree_run *run, kith_query *query, uint8_t mark)
{
    kith_iter it = kith_query_iter(query);
    while (kith_next(&it)) {
        if (!tree_note_many(run, kith_entities(&it), it.count, mark)) {
            kith_iter_close(&it);
            return KITH_ERR_MEMORY;
        }
    }
    return it.result;
}

/* ---- Whom to compute ------------------------------------------------------------------------- */

/* A Global for each Local. */
static kith_result add_globals(tree_run *run, tree_watch *watch)
{
    kith_result result = tree_note_found(run, watch->bare, TREE_MOVED);
    for (size_t i = 0; i < run->list.count && result == KITH_OK; i++) {
        result = kith_add(run->world, entity_of(run->list.keys[i]), run->kind->global);
    }
    return result;
}

static kith_result tree_note_moved(tree_run *run, tree_watch *watch, bool all)
{
    kith_live_changes changes;
    kith_result result = kith_live_next(watch->moved, &changes);
    if (result != KITH_OK) {
        return result;
    }
    run->walk_most = kith_live_count(watch->moved) / TREE_SWEEP_FROM + 1;
    run->sweeps = all || (size_t)changes.entered_count + changes.changed_count > run->walk_most;
    if (run->sweeps) {
        return KITH_OK;
    }
    bool noted = tree_note_many(run, changes.entered, changes.entered_count, TREE_MOVED) &&
                 tree_note_many(run, changes.changed, changes.changed_count, TREE_MOVED);
    for (uint32_t i = 0; i < changes.left_count && noted; i++) {
        noted = tree_note_children(run, changes.left[i]);
    }
    return noted ? tree_note_found(run, watch->written, TREE_WRITTEN) : KITH_ERR_MEMORY;
}

/* ---- Computing them -------------------------------------------------------------------------- */

static kith_entity parent_of(const tree_run *run, kith_entity entity)
{
    const kith_child_of *link = kith_lookup_get(&run->parents, entity, &kith_child_of_type);
    return link == NULL ? KITH_NONE : link->target;
}

/* A copy of the Global that children of an entity go by, since a write may move what is next to it;
 * NULL: they are roots. */
static const void *tree_outer(tree_run *run, kith_entity parent)
{
    return kith_lookup_has(&run->locals, parent)
               ? memcpy(&run->outer, kith_lookup_get(&run->globals, parent, run->kind->global),
                        run->kind->global->size)
               : NULL;
}

/* Writes a Global. With `compare` only if it is another value: what nobody moved does not count as
 * changed, and is not copied if a snapshot has it. */
static inline kith_result tree_write(tree_run *run, kith_entity entity, const void *value,
                                     bool compare)
{
    const kith_type *type = run->kind->global;
    if (compare) {
        const void *was = kith_lookup_get(&run->globals, entity, type);
        if (was != NULL && memcmp(was, value, type->size) == 0) {
            return KITH_OK;
        }
    }
    void *global = run->kind->global_mut(run->world, entity);
    if (global == NULL) {
        return KITH_ERR_MEMORY;
    }
    memcpy(global, value, type->size);
    return KITH_OK;
}

/* Puts an entity into the batch, if it has a Local. */
static inline void tree_batch_add(tree_run *run, kith_entity entity)
{
    tree_batch *batch = &run->batch;
    const void *local = kith_lookup_get(&run->locals, entity, run->kind->local);
    if (local != NULL) {
        batch->entities[batch->count] = entity;
        batch->locals[batch->count++] = local;
    }
}

/* Computes the entities of the batch. */
static kith_result tree_batch_end(tree_run *run, const void *outer, bool compare)
{
    tree_batch *batch = &run->batch;
    for (uint32_t i = 0; i < batch->count; i++) {
        batch->outers[i] = outer;
        batch->globals[i] = &batch->values[i];
    }
    run->kind->compute(&(tree_rows){.count = batch->count,
                                    .locals = batch->locals,
                                    .globals = batch->globals,
                                    .outers = batch->outers,
                                    .outer_locals = batch->outers});
    kith_result result = KITH_OK;
    for (uint32_t i = 0; i < batch->count && result == KITH_OK; i++) {
        result = tree_write(run, batch->entities[i], &batch->values[i], compare);
    }
    batch->count = 0;
    return result;
}

/* Computes the children of a settled entity that moved. */
static kith_result tree_settle_children(tree_run *run, kith_entity parent)
{
    kith_sources c = kith_children(run->world, parent);
    if (!kith_sources_next(&c)) {
        return KITH_OK;
    }
    const void *outer = tree_outer(run, parent);
    kith_result result = KITH_OK;
    do {
        uint8_t *marks = marks_of(run, c.entity);
        if (marks == NULL || !ki_game_keys_add(&run->allocator, &run->below, key_of(c.entity))) {
            return KITH_ERR_MEMORY;
        }
        *marks |= TREE_SETTLED;
        run->walked++;
        tree_batch_add(run, c.entity);
        result = run->batch.count == TREE_BATCH ? tree_batch_end(run, outer, false) : KITH_OK;
    } while (result == KITH_OK && kith_sources_next(&c));
    return result == KITH_OK ? tree_batch_end(run, outer, false) : result;
}

/* All that is below an entity that moved; of much only a part, and then a sweep does it all. */
static kith_result tree_settle_below(tree_run *run, kith_entity entity)
{
    kith_result result = tree_settle_children(run, entity);
    while (run->below.count > 0 && result == KITH_OK) {
        if (run->walked > run->walk_most) {
            run->sweeps = true;
            break;
        }
        result = tree_settle_children(run, entity_of(run->below.keys[--run->below.count]));
    }
    return result;
}

static bool tree_is_settled(const tree_run *run, kith_entity entity)
{
    const uint32_t slot = kith_entity_slot(entity);
    return slot < run->mark_capacity && (run->marks[slot] & TREE_SETTLED) != 0;
}

/* The ancestors of the entity are settled. */
static kith_result tree_settle(tree_run *run, kith_entity entity)
{
    uint8_t *marks = marks_of(run, entity);
    if (marks == NULL) {
        return KITH_ERR_MEMORY;
    }
    const uint8_t mark = *marks;
    *marks |= TREE_SETTLED;
    kith_result result = KITH_OK;
    if ((mark & (TREE_MOVED | TREE_WRITTEN)) != 0) {
        tree_batch_add(run, entity);
        result =
            tree_batch_end(run, tree_outer(run, parent_of(run, entity)), (mark & TREE_MOVED) == 0);
    }
    return result == KITH_OK && (mark & TREE_MOVED) != 0 ? tree_settle_below(run, entity) : result;
}

/* Settles an entity, and first all of its ancestors that are not settled. */
static kith_result tree_settle_to(tree_run *run, kith_entity entity)
{
    for (; !kith_is_none(entity) && !tree_is_settled(run, entity);
         entity = parent_of(run, entity)) {
        if (!ki_game_keys_add(&run->allocator, &run->path, key_of(entity))) {
            return KITH_ERR_MEMORY;
        }
    }
    kith_result result = KITH_OK;
    while (run->path.count > 0 && result == KITH_OK) {
        const kith_entity next = entity_of(run->path.keys[--run->path.count]);
        result = tree_is_settled(run, next) ? KITH_OK : tree_settle(run, next);
    }
    return result;
}

/* Settles what is on the list, unless it turns out on the way that a sweep is quicker. */
static kith_result tree_settle_listed(tree_run *run)
{
    run->locals = kith_lookup_new(run->world, run->kind->local);
    run->globals = kith_lookup_new(run->world, run->kind->global);
    run->parents = kith_lookup_new(run->world, &kith_child_of_type);
    kith_result result = KITH_OK;
    for (size_t i = 0; i < run->list.count && !run->sweeps && result == KITH_OK; i++) {
        result = tree_settle_to(run, entity_of(run->list.keys[i]));
    }
    return result;
}

/* ---- Computing all --------------------------------------------------------------------------- */

typedef struct tree_sweep {
    const tree_kind *kind;
    bool asks_locals; /* some have a Global, and no Local: they may be parents */
} tree_sweep;

/* Computes a part of all: entities whose ancestors are done. */
static void tree_sweep_part(kith_iter *it)
{
    const tree_sweep *sweep = it->user;
    const tree_kind *kind = sweep->kind;
    while (kith_next_rows(it)) {
        tree_rows rows = {
            .count = it->count,
            .locals = kith_pointers(it, kind->local, KITH_ACCESS_READ),
            .globals = (void *const *)kith_pointers(it, kind->global, KITH_ACCESS_WRITE),
            .outers = kith_term_pointers(it, TREE_OUTER, kind->global),
        };
        rows.outer_locals = sweep->asks_locals
                                ? kith_term_pointers(it, TREE_OUTER_LOCAL, kind->local)
                                : rows.outers;
        kind->compute(&rows);
    }
}

static kith_result tree_sweep_all(const kith_iter *it, const tree_kind *kind,
                                  const tree_watch *watch)
{
    kith_iter left = kith_query_iter(watch->left);
    tree_sweep sweep = {kind, kith_next(&left)};
    kith_iter_close(&left);
    return left.result == KITH_OK ? kith_system_parallel(it, watch->all, tree_sweep_part, &sweep)
                                  : left.result;
}

static kith_result run_kind(kith_world *world, const kith_iter *it, const tree_kind *kind,
                            tree_watch *watch)
{
    tree_run run = {.world = world, .kind = kind, .allocator = kith_world_allocator(world)};
    kith_result result = watch->moved == NULL ? watch_begin(world, kind, watch) : KITH_OK;
    const bool all = watch->distrusted;
    watch->distrusted = true; /* until all went well */
    if (result == KITH_OK) {
        result = add_globals(&run, watch);
    }
    if (result == KITH_OK) {
        result = tree_note_moved(&run, watch, all);
    }
    if (result == KITH_OK && !run.sweeps) {
        result = tree_settle_listed(&run);
    }
    if (result == KITH_OK && run.sweeps) {
        result = tree_sweep_all(it, kind, watch);
    }
    if (result == KITH_OK) {
        kith_query_skip_changes(watch->written); /* they are this run's own */
        watch->distrusted = false;
    }
    ki_game_free(&run.allocator, run.marks, run.mark_capacity, 1);
    ki_game_keys_free(&run.allocator, &run.list);
    ki_game_keys_free(&run.allocator, &run.path);
    ki_game_keys_free(&run.allocator, &run.below);
    return result;
}

static kith_result transforms(kith_world *world, kith_iter *it)
{
    tree_watches *watches = kith_attached(world, &tree_key);
    kith_result result = watches == NULL ? watches_new(world, &watches) : KITH_OK;
    for (int kind = 0; kind < TREE_KINDS && result == KITH_OK; kind++) {
        result = run_kind(world, it, &tree_kinds[kind], &watches->of[kind]);
    }
    return result;
}

kith_result ki_game_add_transforms(kith_world *world)
{
    return kith_system_add(world, &(kith_system_def){.name = "transforms",
                                                     .phase = KITH_PHASE_LATE,
                                                     .update = transforms,
                                                     .no_commands = true,
                                                     .group = KI_GAME_GROUP});
}
