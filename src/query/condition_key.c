/* Conditions about what a function computes from values. */
#include "query/condition_key.h"

#include "query/condition.h"
#include "query/query.h"

const char *ki_key_of_wrong(const ki_component *component, const ki_component *computed)
{
    const kith_type *type = computed->type;
    return component->type->size == 0 ? "has no value from which anything could be computed"
           : computed->hooks != NULL  ? "computes what has hooks; keys are plain values"
           : type->size > KITH_KEY_BYTES || type->align > _Alignof(max_align_t)
               ? "computes a type of more than 256 bytes, or aligned more than malloc aligns"
               : NULL;
}

/* Whether what was computed satisfies a node. */
static bool key_satisfies(const ki_conditions *conditions, uint32_t number, const uint8_t *key)
{
    const ki_condition_node *nodes = conditions->nodes;
    const ki_condition_node *node = &nodes[number];
    const ki_texts *texts = *conditions->texts;
    uint64_t mask = 0;
    if (node->form == KI_CONDITION_FIELDS) {
        ki_condition_match_fields(node, texts, key + node->field.offset, 0,
                                  key + node->other.offset, 0, 1, &mask);
        return mask != 0;
    }
    if (node->form != KI_CONDITION_GROUP) {
        ki_condition_match(node, texts, key + node->field.offset, 0, 1, &mask);
        return mask != 0;
    }
    const bool all = node->op == KITH_OP_ALL;
    for (uint32_t i = number + 1; i < node->end; i = nodes[i].end) {
        if (key_satisfies(conditions, i, key) != all) {
            return node->op == KITH_OP_ANY;
        }
    }
    return node->op != KITH_OP_ANY;
}

void ki_condition_match_keys(const kith_query *query, const ki_condition_node *node,
                             const uint8_t *values, size_t stride, uint32_t count, uint64_t *masks)
{
    ki_context *context = &query->store->context;
    const ki_key_of *key = &node->key;
    const uint32_t first = (uint32_t)(node - query->conditions->nodes) + 1;
    _Alignas(max_align_t) uint8_t computed[KITH_KEY_BYTES];
    ki_guard guard = {.inside = {.context = context,
                                 .before = "the key function of a condition about '",
                                 .name = key->component->type->name,
                                 .after = "' is running; it must not call into the world"}};
    memset(masks, 0, (size_t)((count + 63) / 64) * sizeof *masks);
    ki_guard_enter(context, &guard);
    for (uint32_t i = 0; i < count; i++) {
        memset(computed, 0, key->type->size);
        if (key->call(values + i * stride, computed, key->user) &&
            key_satisfies(query->conditions, first, computed)) {
            masks[i / 64] |= UINT64_C(1) << i % 64;
        }
    }
    ki_guard_leave(context, &guard);
}
