/* Writes the order of sources. Only sources are named that get another target, or another place among
 * those that stay with their target; the others are in the same order in both snapshots. */
#include <string.h>

#include "persist/diff_format.h"
#include "persist/diff_write.h"
#include "store/view_pair.h"

typedef struct links_writer {
    ki_diff_writer *to;
    const ki_relation *relation;
    ki_bitset moved;     /* slots of sources that are to be named, until they are */
    ki_bitset reordered; /* slots of targets whose sources that stay are in another order */
} links_writer;

static ki_link links_was(const links_writer *links, uint32_t index)
{
    return ki_store_view_link(links->to->diff->a, links->relation, index);
}

static ki_link links_is(const links_writer *links, uint32_t index)
{
    return ki_store_view_link(links->to->diff->b, links->relation, index);
}

static void links_add(links_writer *links, ki_bitset *set, uint32_t index)
{
    ki_pack *body = &links->to->body;
    kith_result result = ki_bitset_reserve(set, body->heap, index);
    if (result == KITH_OK) {
        ki_bitset_insert(set, index);
    } else {
        body->result = result;
    }
}

/* ---- What changed ------------------------------------------------------------------------------ */

/* The next slot from `*next` on whose links differ. */
static bool links_next(const links_writer *links, ki_view_run *run, uint32_t *next)
{
    const ki_column_view *a = ki_store_view_links(links->to->diff->a, links->relation);
    const ki_column_view *b = ki_store_view_links(links->to->diff->b, links->relation);
    for (;;) {
        uint32_t index = *next > run->first ? *next : run->first;
        for (; index < run->first + run->count; index++) {
            const ki_link was = links_was(links, index);
            const ki_link is = links_is(links, index);
            if (memcmp(&was, &is, sizeof was) != 0) {
                *next = index + 1;
                return true;
            }
        }
        if (!ki_view_pair_next(a, b, run)) {
            return false;
        }
    }
}

/* The source at `at1` or the first one after it that is one of the same target in both snapshots. */
static uint32_t links_stays(const links_writer *links, bool after, uint32_t target1, uint32_t at1)
{
    while (at1 != 0) {
        const ki_link was = links_was(links, at1 - 1);
        const ki_link is = links_is(links, at1 - 1);
        if (was.target1 == target1 && is.target1 == target1) {
            break;
        }
        at1 = after ? is.next1 : was.next1;
    }
    return at1;
}

/* Notes the target of a source that stays if another one that stays comes next. Which one is the first
 * follows from that. */
static void links_compare(links_writer *links, ki_link was, ki_link is)
{
    if (was.next1 != is.next1 && links_stays(links, false, is.target1, was.next1) !=
                                     links_stays(links, true, is.target1, is.next1)) {
        links_add(links, &links->reordered, is.target1 - 1);
    }
}

/* Names the sources that lead nowhere any more, and notes what else changed. */
static void links_find_changes(links_writer *links)
{
    ki_diff_writer *to = links->to;
    ki_view_run run = {0};
    uint32_t place = 0;
    for (uint32_t next = 0; links_next(links, &run, &next);) {
        const ki_link was = links_was(links, next - 1);
        const ki_link is = links_is(links, next - 1);
        if (is.target1 == 0 && was.target1 != 0) {
            ki_pack_next(&to->body, &place, next - 1);
            to->values.before = ki_diff_hash_link(to->values.before, was);
        } else if (is.target1 != was.target1) {
            links_add(links, &links->moved, next - 1);
        } else if (is.target1 != 0) {
            links_compare(links, was, is);
        }
    }
    ki_pack_number(&to->body, 0);
}

/* ---- Sources in another order ------------------------------------------------------------------ */

/* The source at `at1` or the first one after it that stays where it is, as far as is known. */
static uint32_t links_kept(const links_writer *links, bool after, uint32_t target1, uint32_t at1)
{
    at1 = links_stays(links, after, target1, at1);
    while (at1 != 0 && ki_bitset_has(&links->moved, at1 - 1)) {
        const ki_link link = after ? links_is(links, at1 - 1) : links_was(links, at1 - 1);
        at1 = links_stays(links, after, target1, link.next1);
    }
    return at1;
}

/* Goes through both lists of a target at once, which have the same sources to go. Where they differ, one
 * was taken away there, if the next one is as in the other list, or else one came. */
static void links_reorder(links_writer *links, uint32_t index)
{
    const uint32_t target1 = index + 1;
    uint32_t was1 = links_was(links, index).first1;
    uint32_t is1 = links_is(links, index).first1;
    uint32_t known1 = 0; /* `after1` comes after this one */
    uint32_t after1 = 0;
    while (links->to->body.result == KITH_OK) {
        was1 = links_kept(links, false, target1, was1);
        is1 = links_kept(links, true, target1, is1);
        if (was1 == is1 && was1 == 0) {
            break;
        }
        if (was1 == is1) {
            was1 = links_was(links, was1 - 1).next1;
            is1 = links_is(links, is1 - 1).next1;
            continue;
        }
        if (was1 != known1) {
            known1 = was1;
            after1 = links_kept(links, false, target1, links_was(links, was1 - 1).next1);
        }
        links_add(links, &links->moved, (after1 == is1 ? was1 : is1) - 1);
    }
}

/* ---- Writing ----------------------------------------------------------------------------------- */

/* Writes one source, and that it comes before the last one that was written, or where it is. */
static void links_write_one(links_writer *links, uint32_t index, bool before_last)
{
    ki_diff_writer *to = links->to;
    const uint32_t next1 = links_is(links, index).next1;
    ki_pack_number(&to->body, (uint64_t)index + 1);
    ki_pack_number(&to->body, before_last ? 1 : next1 == 0 ? 0 : (uint64_t)next1 + 1);
    to->values.before = ki_diff_hash_link(to->values.before, links_was(links, index));
    ki_bitset_remove(&links->moved, index);
}

/* Writes the run of sources that `index` is in, from the last to the first: so each is placed before
 * one that is there already. */
static void links_write_run(links_writer *links, uint32_t index)
{
    uint32_t next1 = links_is(links, index).next1;
    while (next1 != 0 && ki_bitset_has(&links->moved, next1 - 1)) {
        index = next1 - 1;
        next1 = links_is(links, index).next1;
    }
    for (bool before_last = false;; before_last = true) {
        const ki_link link = links_is(links, index);
        links_write_one(links, index, before_last);
        if (links_is(links, link.target1 - 1).first1 == index + 1 ||
            !ki_bitset_has(&links->moved, link.previous1 - 1)) {
            break;
        }
        index = link.previous1 - 1;
    }
}

/* Writes what differs of one relation. Returns whether anything does. */
static bool links_write(links_writer *links)
{
    ki_diff_writer *to = links->to;
    const uint32_t nothing = to->body.size + 1;
    links_find_changes(links);
    uint32_t index = ki_bitset_next(&links->reordered, 0);
    for (; index != UINT32_MAX; index = ki_bitset_next(&links->reordered, index + 1)) {
        links_reorder(links, index);
    }
    bool differs =
        to->body.size != nothing || ki_bitset_next(&links->moved, 0) != UINT32_MAX;
    while ((index = ki_bitset_next(&links->moved, 0)) != UINT32_MAX) {
        links_write_run(links, index);
    }
    ki_pack_number(&to->body, 0);
    return differs;
}

/* Writes what differs of a component's relations: of KITH_LINKS both ends, if one differs. */
static void links_write_component(ki_diff_writer *to, const ki_component *component)
{
    const ki_diff_mark mark = ki_diff_writer_mark(to);
    bool differs = false;
    ki_pack_number(&to->body, ki_diff_writer_type(to, component->type) + 1);
    const ki_relation *relation = component->relation;
    for (; relation != NULL; relation = relation->other) {
        links_writer links = {.to = to, .relation = relation};
        differs = links_write(&links) || differs;
        ki_bitset_free(&links.moved, to->body.heap);
        ki_bitset_free(&links.reordered, to->body.heap);
    }
    if (!differs) {
        ki_diff_writer_return(to, mark);
    }
}

void ki_diff_write_links(ki_diff_writer *to)
{
    const bool differ = to->diff->a->entities != to->diff->b->entities;
    for (uint32_t i = 0; i < to->diff->component_count && differ; i++) {
        const ki_component *component = to->diff->components[i];
        if (component->relation != NULL && !component->transient) {
            links_write_component(to, component);
        }
    }
    ki_pack_number(&to->body, 0);
}
