/* Worlds for scenes with relations and children. */
#ifndef TREES_H
#define TREES_H

#include "links.h"
#include "scenes.h"

static inline fixture tree_fixture(kith_layout layout)
{
    static const kith_type *const types[] = {&Follows_type, &Guards_type, &PartOf_type, &Owns_type,
                                             &Before_type};
    fixture f = scene_fixture(layout);
    for (size_t i = 0; i < ROWS_OF(types); i++) {
        CHECK_RESULT(kith_register(f.world, types[i], &(kith_component_def){.layout = layout}),
                     KITH_OK);
    }
    return f;
}

/* Fails unless the children of an entity are these. */
#define CHECK_CHILDREN(world, parent, ...)                                                         \
    check_sources(__FILE__, __LINE__, (world), (parent), &kith_child_of_type,                      \
                  (const kith_entity[]){__VA_ARGS__, {0, 0}})

#endif
