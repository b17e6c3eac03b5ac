/* Dependencies: why one system waits for another. */
#ifndef KI_SYSTEM_DEPENDENCY_H
#define KI_SYSTEM_DEPENDENCY_H

#include "system/system.h"

typedef enum ki_dependency_kind {
    KI_DEPENDS_NOT,
    KI_DEPENDS_PHASE,
    KI_DEPENDS_NAME,
    KI_DEPENDS_PLAIN,
    KI_DEPENDS_USE,
    KI_DEPENDS_PRIORITY
} ki_dependency_kind;

typedef struct ki_dependency {
    ki_dependency_kind kind;
    const ki_use *use; /* of KI_DEPENDS_USE: what the earlier system declares */
} ki_dependency;

/* Why system `b` waits for `a`, which comes before it in the order. */
ki_dependency ki_dependency_of(const ki_system *a, const ki_system *b);

#endif
