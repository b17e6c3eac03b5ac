/* What relations lead to, and from where. */
#include "world/links.h"

#include <kith/relation.h>

#include "world/first_use.h"
#include "world/guard.h"

/* Reports that a type is not a relation of the kind that a call is about. */
static kith_result links_reject(const kith_world *world, const char *call, const kith_type *type,
                                bool many)
{
    const char *name = type == NULL || type->name == NULL ? "(null)" : type->name;
    bool is_many = type != NULL && (type->relation & KITH_MANY) != 0;
    const ki_context *context = ki_world_error_context(world);
    if (many) {
        return ki_misuse(context, "%s: %s does not have links; see KITH_LINKS", call, name);
    }
    return is_many ? ki_misuse(context,
                               "%s: %s has many targets; ask kith_links_from and kith_links_to",
                               call, name)
                   : ki_misuse(context, "%s: %s is not a relation; see KITH_RELATION", call, name);
}

/* Whether a type is a relation; `many`: one of KITH_LINKS, else any other. */
static bool links_fits(const kith_type *type, bool many)
{
    return type != NULL && type->relation != 0 && ((type->relation & KITH_MANY) != 0) == many;
}

/* The relation of a type, which is one of KITH_LINKS if `many`, and then the first end. NULL: the world
 * does not know the type, or misuse was reported. */
static const ki_relation *links_find(const kith_world *world, const char *call,
                                     const kith_type *type, bool many)
{
    if (ki_world_require_reader(world, call) != KITH_OK) {
        return NULL;
    }
    if (KI_CHECKED && !links_fits(type, many)) {
        links_reject(world, call, type, many);
        return NULL;
    }
    const ki_component *component = ki_world_component(world, type);
    return component == NULL ? NULL : component->relation;
}

kith_entity ki_links_last(const kith_world *world, const ki_relation *relation, kith_entity target)
{
    const ki_link link = ki_links_of(world, relation, target);
    return ki_links_entity(world, ki_relation_last(relation, link));
}

kith_entity ki_links_previous(const kith_world *world, const ki_relation *relation,
                              kith_entity source)
{
    const ki_link link = ki_links_of(world, relation, source);
    if (link.target1 == 0 || ki_relation_link(relation, link.target1 - 1).first1 == source.index1) {
        return KITH_NONE;
    }
    return ki_links_entity(world, link.previous1);
}

uint32_t ki_links_count(const kith_world *world, const ki_relation *relation, kith_entity target)
{
    uint32_t count = 0;
    uint32_t at1 = ki_links_of(world, relation, target).first1;
    for (; at1 != 0; at1 = ki_relation_link(relation, at1 - 1).next1) {
        count++;
    }
    return count;
}

kith_entity kith_target(const kith_world *world, kith_entity source, const kith_type *relation)
{
    return ki_links_target(world, links_find(world, "kith_target", relation, false), source);
}

kith_entity kith_source_first(const kith_world *world, kith_entity target,
                              const kith_type *relation)
{
    return ki_links_first(world, links_find(world, "kith_source_first", relation, false), target);
}

kith_entity kith_source_last(const kith_world *world, kith_entity target, const kith_type *relation)
{
    return ki_links_last(world, links_find(world, "kith_source_last", relation, false), target);
}

kith_entity kith_source_next(const kith_world *world, kith_entity source, const kith_type *relation)
{
    return ki_links_next(world, links_find(world, "kith_source_next", relation, false), source);
}

kith_entity kith_source_previous(const kith_world *world, kith_entity source,
                                 const kith_type *relation)
{
    return ki_links_previous(world, links_find(world, "kith_source_previous", relation, false),
                             source);
}

_Static_assert(offsetof(ki_column, blocks) == 0 &&
                   offsetof(ki_column, capacity) == sizeof(ki_block *),
               "scans find links and records by this");

kith_sources ki_links_scan(const kith_world *world, const ki_relation *relation,
                               kith_entity target)
{
    kith_sources sources = {.target1_ = target.index1,
                            .next1_ = ki_links_of(world, relation, target).first1};
    if (sources.next1_ != 0) {
        sources.links_ = &relation->links.blocks;
        sources.records_ = &world->store.entities.records.blocks;
    }
    return sources;
}

kith_sources kith_sources_of(const kith_world *world, kith_entity target, const kith_type *relation)
{
    return ki_links_scan(world, links_find(world, "kith_sources_of", relation, false), target);
}

kith_sources kith_links_from(const kith_world *world, kith_entity source, const kith_type *relation)
{
    return ki_links_scan(world, links_find(world, "kith_links_from", relation, true), source);
}

kith_sources kith_links_to(const kith_world *world, kith_entity target, const kith_type *relation)
{
    const ki_relation *first = links_find(world, "kith_links_to", relation, true);
    return ki_links_scan(world, first == NULL ? NULL : first->other, target);
}

/* Goes through both lists, a step each, so that the shorter one tells. */
kith_entity kith_link_find(const kith_world *world, kith_entity source, kith_entity target,
                           const kith_type *relation)
{
    const ki_relation *from = links_find(world, "kith_link_find", relation, true);
    const ki_relation *to = from == NULL ? NULL : from->other;
    uint32_t out1 = ki_links_of(world, from, source).first1;
    uint32_t in1 = ki_links_of(world, to, target).first1;
    while (out1 != 0 && in1 != 0) {
        const ki_link out = ki_relation_link(from, out1 - 1);
        const ki_link in = ki_relation_link(to, in1 - 1);
        if (ki_relation_link(to, out1 - 1).target1 == target.index1) {
            return ki_links_entity(world, out1);
        }
        if (ki_relation_link(from, in1 - 1).target1 == source.index1) {
            return ki_links_entity(world, in1);
        }
        out1 = out.next1;
        in1 = in.next1;
    }
    return KITH_NONE;
}

uint32_t kith_source_count(const kith_world *world, kith_entity target, const kith_type *relation)
{
    return ki_links_count(world, links_find(world, "kith_source_count", relation, false), target);
}

/* Puts a source elsewhere in its list. */
static kith_result links_place(kith_world *world, ki_relation *relation, kith_entity source,
                               kith_entity before)
{
    ki_store *store = &world->store;
    const ki_link link = ki_relation_link(relation, source.index1 - 1);
    if (link.target1 == 0) {
        return ki_without_message(&store->context.heap, KITH_ERR_ABSENT);
    }
    if (!kith_is_none(before) &&
        (before.index1 == source.index1 ||
         ki_relation_link(relation, before.index1 - 1).target1 != link.target1)) {
        return ki_fail(&store->context, KITH_ERR_INPUT,
                       "kith_source_place: the source is to go before one that has another target"
                       " of %s, or before itself",
                       relation->component->type->name);
    }
    if (link.next1 == before.index1) {
        return KITH_OK;
    }
    const uint32_t begin = ki_link_changes_begin(store);
    return ki_link_changes_end(store, begin,
                               ki_link_changes_add(store, relation, source.index1 - 1,
                                                   link.target1, before.index1));
}

kith_result kith_source_place(kith_world *world, kith_entity source, const kith_type *relation,
                              kith_entity before)
{
    KI_TRY(ki_world_begin_change(world, "kith_source_place"));
    if (KI_CHECKED && !links_fits(relation, false)) {
        return links_reject(world, "kith_source_place", relation, false);
    }
    if (ki_record_of(&world->store.entities, source) == NULL) {
        return ki_world_dead(world, "kith_source_place", source);
    }
    if (!kith_is_none(before) && ki_record_of(&world->store.entities, before) == NULL) {
        return ki_world_dead(world, "kith_source_place", before);
    }
    const ki_component *component = ki_world_component(world, relation);
    return component == NULL ? ki_without_message(&world->store.context.heap, KITH_ERR_ABSENT)
                             : links_place(world, component->relation, source, before);
}
