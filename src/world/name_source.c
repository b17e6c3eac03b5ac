#include "world/name_source.h"

#include <stdio.h>

#include "query/name_path.h"
#include "query/query_source.h"
#include "world/entity_name.h"

#define WALK_DEPTH 16u /* parts with wildcards; below so many, all entities are named */

typedef struct name_source {
    ki_source source;
    kith_world *world;
} name_source;

/* ---- Walking down */

/* What is found on the way. */
typedef struct name_walk {
    const kith_world *world;
    ki_slot_list *list; /* NULL: they are only counted */
    uint32_t count;
    uint32_t enough; /* so many are not exceeded by more than one */
    kith_result result;
} name_walk;

static bool walk_goes_on(const name_walk *walk)
{
    return walk->result == KITH_OK && walk->count <= walk->enough;
}

static void walk_add(name_walk *walk, uint32_t at1)
{
    walk->count++;
    if (walk->list != NULL) {
        ki_heap *heap = (ki_heap *)(uintptr_t)&walk->world->store.context.heap;
        walk->result = ki_slot_list_reserve(heap, walk->list, 1);
    }
    if (walk->list != NULL && walk->result == KITH_OK) {
        walk->list->slots[walk->list->count++] = at1 - 1;
    }
}

static void walk_add_all(name_walk *walk, uint32_t root1)
{
    const ki_relation *relation = walk->world->store.child_of;
    walk_add(walk, root1);
    for (uint32_t at1 = root1; relation != NULL && walk_goes_on(walk);) {
        at1 = ki_relation_next_below(relation, root1, at1);
        if (at1 == 0) {
            break;
        }
        walk_add(walk, at1);
    }
}

static bool walk_has_star(ki_path_part part)
{
    return memchr(part.bytes, '*', part.length) != NULL;
}

/* Takes the first part of a path away. */
static ki_path_part walk_first(const char **path, size_t *length)
{
    const char *slash = memchr(*path, '/', *length);
    const ki_path_part part = {*path, slash == NULL ? *length : (size_t)(slash - *path)};
    const size_t taken = part.length + (slash != NULL);
    *path = slash == NULL ? NULL : *path + taken;
    *length -= taken;
    return part;
}

/* Goes down from `at1`, or with 0 from the top, by a path that may have wildcards; NULL: the entity
 * itself is found. False: among all at the top, whose number is not known. */
static bool walk_down(name_walk *walk, uint32_t at1, const char *path, size_t length, bool like,
                      uint32_t depth)
{
    while (path != NULL) {
        const ki_path_part part = walk_first(&path, &length);
        if (!like || !walk_has_star(part)) {
            at1 = ki_entity_find_child(walk->world, at1, part.bytes, part.length);
            if (at1 == 0) {
                return true;
            }
            continue;
        }
        if (at1 == 0) {
            return false;
        }
        if (ki_path_is_any(part) || depth == WALK_DEPTH) {
            walk_add_all(walk, at1);
            return true;
        }
        const ki_relation *relation = walk->world->store.child_of;
        ki_link link = relation == NULL ? (ki_link){0} : ki_relation_link(relation, at1 - 1);
        for (uint32_t child1 = link.first1; child1 != 0 && walk_goes_on(walk);
             child1 = ki_relation_link(relation, child1 - 1).next1) {
            uint32_t number;
            const char *name = ki_entity_name_in(walk->world, child1 - 1, &number);
            if (name != NULL && ki_is_like(name, ki_texts_at(walk->world->texts, number)->length,
                                           part.bytes, part.length)) {
                walk_down(walk, child1, path, length, like, depth + 1);
            }
        }
        return true;
    }
    walk_add(walk, at1);
    return true;
}

/* ---- The source */

/* Finds what the first path among the wants leads to; false: there is none, or it does not tell. */
static bool names_find(const ki_source *source, const ki_wants *wants, name_walk *walk)
{
    const name_source *names = (const name_source *)(const void *)source;
    walk->world = names->world;
    for (uint32_t i = 0; i < wants->count; i++) {
        const ki_condition_node *want = wants->nodes[i];
        if (want->form == KI_CONDITION_PATH) {
            const ki_path_rest rest = ki_path_begin(want->text, want->length);
            return walk_down(walk, 0, rest.path, rest.left, want->op == KITH_OP_PATH_LIKE, 0);
        }
    }
    return false;
}

static bool names_offer(ki_source *source, const ki_wants *wants, uint32_t enough, ki_offer *offer)
{
    name_walk walk = {.enough = enough};
    bool tells = names_find(source, wants, &walk);
    *offer = (ki_offer){.rows = walk.count};
    return tells;
}

/* The names are always up to date. */
static kith_result names_refresh(ki_source *source)
{
    (void)source;
    return KITH_OK;
}

static kith_result names_list(ki_source *source, const ki_wants *wants, uint32_t limit,
                              ki_slot_list *list)
{
    name_walk walk = {.list = list, .enough = limit};
    names_find(source, wants, &walk);
    return walk.result == KITH_OK && walk.count > limit ? KITH_ERR_LIMIT : walk.result;
}

static size_t names_print(const ki_source *source, char *text, size_t size)
{
    (void)source;
    return (size_t)snprintf(text, size, "names of entities");
}

static const ki_source_calls names_source = {.kind = KI_SOURCE_SLOTS,
                                             .offer = names_offer,
                                             .refresh = names_refresh,
                                             .list = names_list,
                                             .print = names_print};

/* ---- The part of the world */

static void names_free(kith_world *world, void *data)
{
    ki_heap_free(&world->store.context.heap, data, sizeof(name_source), _Alignof(name_source));
}

static const char *names_check(const kith_world *world, const void *data)
{
    const name_source *names = data;
    return names->world == world && names->source.component == world->store.entity_names
               ? NULL
               : "the source of names is of another component";
}

static const ki_attachment_calls names_part = {.free = names_free, .check = names_check};

kith_result ki_name_source_offer(kith_world *world)
{
    ki_attachment *part = &world->parts[KI_PART_NAMES];
    if (part->data != NULL || world->store.entity_names == NULL) {
        return KITH_OK;
    }
    ki_heap *heap = &world->store.context.heap;
    name_source *names = ki_heap_alloc_zeroed(heap, sizeof *names, _Alignof(name_source));
    if (names == NULL) {
        return KITH_ERR_MEMORY;
    }
    names->source.calls = &names_source;
    names->source.component = world->store.entity_names;
    names->world = world;
    ki_source_add(&names->source);
    *part = (ki_attachment){&names_part, names};
    return KITH_OK;
}
