#include "system/phase.h"

#include <kith/system.h>

#include "system/name.h"

const char *ki_phase_built_in(uint32_t index)
{
    static const char *const names[] = {KITH_PHASE_BEGIN, KITH_PHASE_EARLY, KITH_PHASE_UPDATE,
                                        KITH_PHASE_LATE, KITH_PHASE_END};
    return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}

static void phase_free(ki_heap *heap, ki_phase *phase)
{
    if (phase != NULL) {
        ki_heap_free_text(heap, phase->name);
        ki_heap_free(heap, phase, sizeof *phase, _Alignof(ki_phase));
    }
}

kith_result ki_phases_init(ki_heap *heap, ki_phases *phases)
{
    for (uint32_t i = 0; ki_phase_built_in(i) != NULL; i++) {
        KI_TRY(ki_phases_insert(heap, phases, ki_phase_built_in(i), i));
    }
    return KITH_OK;
}

kith_result ki_phases_insert(ki_heap *heap, ki_phases *phases, const char *name, uint32_t index)
{
    KI_TRY(ki_heap_grow(heap, &phases->list, &phases->capacity, phases->count + 1,
                        sizeof *phases->list, 8));
    KI_TRY(ki_map_reserve(heap, &phases->by_name));
    ki_phase *phase = ki_heap_alloc_zeroed(heap, sizeof *phase, _Alignof(ki_phase));
    if (phase != NULL) {
        phase->name = ki_heap_copy_text(heap, name);
    }
    if (phase == NULL || phase->name == NULL) {
        phase_free(heap, phase);
        return KITH_ERR_MEMORY;
    }
    memmove(phases->list + index + 1, phases->list + index,
            (phases->count - index) * sizeof *phases->list);
    phases->list[index] = phase;
    phases->count++;
    for (uint32_t i = index; i < phases->count; i++) {
        phases->list[i]->number = i;
    }
    ki_map_insert(&phases->by_name, ki_name_key(name), phase);
    return KITH_OK;
}

ki_phase *ki_phase_find(const ki_phases *phases, const char *name)
{
    uint32_t at;
    uint64_t key = ki_name_key(name);
    ki_phase *phase = ki_map_first(&phases->by_name, key, &at);
    while (phase != NULL && strcmp(phase->name, name) != 0) {
        phase = ki_map_next(&phases->by_name, key, &at);
    }
    return phase;
}

kith_hint_line ki_phase_hint(const ki_phases *phases, const char *name)
{
    kith_hint hint = {.word = name, .length = strlen(name)};
    for (uint32_t i = 0; i < phases->count; i++) {
        kith_hint_offer(&hint, phases->list[i]->name);
    }
    return kith_hint_text(&hint);
}

void ki_phases_free(ki_heap *heap, ki_phases *phases)
{
    for (uint32_t i = 0; i < phases->count; i++) {
        phase_free(heap, phases->list[i]);
    }
    ki_map_free(heap, &phases->by_name);
    ki_heap_free(heap, phases->list, phases->capacity * sizeof *phases->list,
                 _Alignof(max_align_t));
}
