/* Constraints: the names that a system lists in `before` and `after`. */
#ifndef KI_SYSTEM_CONSTRAINT_H
#define KI_SYSTEM_CONSTRAINT_H

#include <kith/system.h>

#include "base/context.h"
#include "base/heap.h"

struct ki_system;

typedef struct ki_constraint {
    const char *name;
    struct ki_system *owner;
    struct ki_system *target;   /* the system of that name; NULL: there is none */
    struct ki_constraint *next; /* the next one of the same target and direction */
} ki_constraint;

typedef struct ki_constraints {
    ki_constraint *list; /* those of `before`, then those of `after`, then their texts */
    size_t bytes;
    uint32_t before_count;
    uint32_t after_count;
    ki_constraint *in_before; /* of other systems whose target this system is */
    ki_constraint *in_after;
} ki_constraints;

/* KITH_ERR_INPUT: a list of names of a def makes no sense. */
kith_result ki_constraints_check(ki_context *context, const char *call, const kith_system_def *def);

/* Copies the names of a def, which were checked. KITH_ERR_MEMORY. */
kith_result ki_constraints_init(ki_heap *heap, const kith_system_def *def,
                                struct ki_system *system);
void ki_constraints_free(ki_heap *heap, ki_constraints *constraints);

/* Whether a constraint of the system's own is of its `after` list. */
bool ki_constraint_is_after(const struct ki_system *system, const ki_constraint *constraint);

/* Whether one of two systems names the other so that `a` has to run before `b`. */
bool ki_constraint_orders(const struct ki_system *a, const struct ki_system *b);

/* Visits the constraints that put other systems before a system (KI_BEFORE), or after it. Returns the
 * one after `constraint`, the first one for NULL, and NULL after the last. Skips those without a
 * target. */
ki_constraint *ki_constraint_next(const struct ki_system *system, int side,
                                  ki_constraint *constraint);

/* The other system of a constraint that ki_constraint_next returned for `system`. */
static inline struct ki_system *ki_constraint_other(const ki_constraint *constraint,
                                                    const struct ki_system *system)
{
    return constraint->owner == system ? constraint->target : constraint->owner;
}

#endif
