/* Prefabs that extend prefabs, in any order. */
#include <stdio.h>
#include <string.h>

#include "scene/draft_block.h"
#include "scene/source.h"

static kith_result unknown_base(ki_scene_draft *draft, const ki_scene_plan *plan)
{
    const ki_scene_names *names = &draft->scene->prefab_names;
    kith_hint hint = {.word = plan->base, .length = plan->base_length};
    for (uint32_t i = 0; i < names->names.count; i++) {
        kith_hint_offer(&hint, ki_scene_names_at(names, i)->text);
    }
    ki_scene_point_at(draft, plan->base, plan->base_length);
    return kith_read_expected(&draft->reader, "a prefab of this scene%s",
                              kith_hint_text(&hint).text);
}

/* "a : b : a", from the block that is met again. Each on the way knows what it extends, or a child of it
 * does. */
static kith_result circle(ki_scene_draft *draft, const ki_scene_plan *closing, uint32_t block)
{
    char chain[300];
    size_t length = 0;
    uint32_t at = block;
    do {
        length += (size_t)snprintf(chain + length, sizeof chain - length,
                                   "%s : ", ki_scene_block_at(draft->scene, at)->name);
        at = ki_scene_base_of(draft, at + ki_scene_plan_at(draft, at)->next - 1);
    } while (at != block && length < sizeof chain);
    const char *last = length < sizeof chain ? ki_scene_block_at(draft->scene, block)->name : "...";
    ki_scene_point_at(draft, closing->base, closing->base_length);
    return kith_read_fail(&draft->reader, closing->base,
                          "expected a prefab that does not extend itself, found %s%s", chain, last);
}

/* The next of what a block and its children extend that is not ready; KI_SCENE_NOTHING: all is. */
static kith_result next_base(ki_scene_draft *draft, uint32_t block, uint32_t *base)
{
    ki_scene_plan *plan = ki_scene_plan_at(draft, block);
    *base = KI_SCENE_NOTHING;
    while (plan->next < plan->extent) {
        uint32_t at = block + plan->next++;
        const ki_scene_plan *of = ki_scene_plan_at(draft, at);
        if (of->base == NULL) {
            continue;
        }
        uint32_t found = ki_scene_base_of(draft, at);
        if (found == KI_SCENE_NOTHING) {
            return unknown_base(draft, of);
        }
        if (ki_scene_plan_at(draft, found)->state == KI_SCENE_ON_THE_WAY) {
            return circle(draft, of, found);
        }
        if (ki_scene_plan_at(draft, found)->state != KI_SCENE_READY) {
            *base = found;
            return KITH_OK;
        }
    }
    return KITH_OK;
}

/* Finds what a block extends, and so on, up to what is ready; then makes the trees on the way back. */
static kith_result resolve(ki_scene_draft *draft, uint32_t block)
{
    uint32_t at = block;
    ki_scene_plan_at(draft, at)->extender = KI_SCENE_NOTHING;
    while (at != KI_SCENE_NOTHING) {
        uint32_t base;
        ki_scene_plan_at(draft, at)->state = KI_SCENE_ON_THE_WAY;
        kith_result result = next_base(draft, at, &base);
        if (result == KITH_OK && base == KI_SCENE_NOTHING) {
            result = ki_scene_make_tree(draft, at);
            base = ki_scene_plan_at(draft, at)->extender;
        } else if (result == KITH_OK) {
            ki_scene_plan_at(draft, base)->extender = at;
        }
        if (result != KITH_OK) {
            return result;
        }
        at = base;
    }
    return KITH_OK;
}

kith_result ki_scene_inherit(ki_scene_draft *draft)
{
    kith_result result = KITH_OK;
    const uint32_t count = draft->plans.count; /* of the texts: more are inherited */
    for (uint32_t i = 0; result == KITH_OK && i < count; i++) {
        if (ki_scene_draft_block(draft, i)->root == i &&
            ki_scene_plan_at(draft, i)->state != KI_SCENE_READY) {
            result = resolve(draft, i);
        }
    }
    return result;
}
