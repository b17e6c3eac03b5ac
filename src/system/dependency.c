#include "system/dependency.h"

/* Whether one use writes what the other reads. */
static bool dependency_conflicts(const ki_use *a, const ki_use *b)
{
    return a->thing == b->thing &&
           ((ki_use_writes(a) && ki_use_reads(b)) || (ki_use_reads(a) && ki_use_writes(b)));
}

ki_dependency ki_dependency_of(const ki_system *a, const ki_system *b)
{
    ki_dependency why = {.kind = KI_DEPENDS_NOT};
    if (a->phase != b->phase) {
        why.kind = KI_DEPENDS_PHASE;
    } else if (ki_constraint_orders(a, b)) {
        why.kind = KI_DEPENDS_NAME;
    } else if (dependency_conflicts(&a->whole, &b->whole)) {
        why.kind = KI_DEPENDS_PLAIN;
    }
    for (uint32_t i = 0; i < a->use_count && why.kind == KI_DEPENDS_NOT; i++) {
        for (uint32_t k = 0; k < b->use_count && why.kind == KI_DEPENDS_NOT; k++) {
            if (dependency_conflicts(&a->uses[i], &b->uses[k])) {
                why = (ki_dependency){KI_DEPENDS_USE, &a->uses[i]};
            }
        }
    }
    if (why.kind == KI_DEPENDS_NOT && a->priority != b->priority &&
        !(a->no_commands && b->no_commands)) {
        why.kind = KI_DEPENDS_PRIORITY;
    }
    return why;
}
