/* In which order the entities of a query come, as far as that is promised. */
#include <string.h>

#include "play.h"

/* Compares the sets of KITH_TABLE components of two entities, as the order of tables is defined. */
static int compare_tables(const play *p, const played *w, const model_entity *a,
                          const model_entity *b)
{
    const kith_type *first = NULL; /* by name, of the types that only one of them has */
    for (uint32_t i = 0; i < p->m.type_count; i++) {
        const kith_type *type = p->m.types[i];
        if (play_layout(w, type) == KITH_TABLE &&
            (first == NULL || strcmp(type->name, first->name) < 0) &&
            (model_get(&a->values, type) == NULL) != (model_get(&b->values, type) == NULL)) {
            first = type;
        }
    }
    if (first == NULL) {
        return 0;
    }
    /* The entity that has it comes first, unless the other one's list has ended. */
    bool a_has = model_get(&a->values, first) != NULL;
    const model_entity *without = a_has ? b : a;
    bool ended = true;
    for (uint32_t i = 0; i < p->m.type_count; i++) {
        const kith_type *type = p->m.types[i];
        ended =
            ended && (play_layout(w, type) != KITH_TABLE || strcmp(type->name, first->name) <= 0 ||
                      model_get(&without->values, type) == NULL);
    }
    return a_has != ended ? -1 : 1;
}

int play_sure_order(const played *w, const play_query *query)
{
    if (query->driver != NULL) {
        return (int)play_layout(w, query->driver);
    }
    uint32_t required[LAYOUT_COUNT] = {0};
    for (uint32_t i = 0; i < query->term_count; i++) {
        if (query->terms[i].role == KITH_MUST) {
            required[play_layout(w, query->terms[i].type)]++;
        }
    }
    uint32_t tables = required[KITH_TABLE];
    uint32_t sets = required[KITH_SPARSE];
    uint32_t slots = required[KITH_SLOT];
    if (sets > 0) {
        return sets == 1 && tables + slots == 0 ? KITH_SPARSE : -1;
    }
    return tables > 0 && slots == 0 ? KITH_TABLE : slots > 0 && tables == 0 ? KITH_SLOT : -1;
}

void play_check_order(const play *p, const played *w, int order, const model_entity *previous,
                      const model_entity *entity)
{
    if (previous == NULL) {
        return;
    }
    if (order == KITH_SLOT) {
        CHECK(previous->handle.index1 < entity->handle.index1);
    } else if (order == KITH_TABLE) {
        CHECK(compare_tables(p, w, previous, entity) <= 0);
    }
}
