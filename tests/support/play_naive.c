/* What the naive evaluation of terms knows in the play: the values and the links of the model. */
#include <stdlib.h>
#include <string.h>

#include "model_trees.h"
#include "naive.h"
#include "play.h"

/* The links of each of the model's relations, by its place there. */
struct play_links {
    const play *p;
    naive_links of[2 * PLAY_GUARDED_COUNT];
};

static bool is_alive(const void *context, kith_entity e)
{
    return model_find(&((const struct play_links *)context)->p->m, e) != NULL;
}

/* Of kith_disabled, what is inherited counts. */
static const void *get_value(const void *context, kith_entity e, const kith_type *type)
{
    const model *m = &((const struct play_links *)context)->p->m;
    const model_entity *entity = model_find(m, e);
    if (entity == NULL) {
        return NULL;
    }
    if (type == m->disabled_type) {
        return model_has(m, entity, type) ? type : NULL;
    }
    const model_value *value = model_get(&entity->values, type);
    return value == NULL ? NULL : value->bytes;
}

/* A type that KITH_LINKS declares is two relations of the model: the first one has the lists of links
 * from sources, the second one those of links to targets. */
static naive_links get_links(const void *context, const kith_type *relation, bool from)
{
    const struct play_links *links = context;
    const model *m = &links->p->m;
    const bool many = (relation->relation & KITH_MANY) != 0;
    const model_relation *found = model_relation_of(m, relation, many && !from);
    CHECK_PTR_NOT_NULL(found);
    return links->of[found - m->relations];
}

static naive_links find_links(play *p, const model_relation *relation)
{
    const bool many = (relation->type->relation & KITH_MANY) != 0;
    const model_relation *from = model_relation_of(&p->m, relation->type, false);
    const model_relation *to = many ? model_relation_of(&p->m, relation->type, true) : from;
    naive_link *list = play_scratch(p, (relation->count + 1) * sizeof(*list));
    for (uint32_t i = 0; i < relation->count; i++) {
        const kith_entity link = relation->list[i].source;
        const model_entity *entity = model_find(&p->m, link);
        list[i] = (naive_link){link, many ? model_target(from, entity) : link,
                               model_target(to, entity)};
    }
    return (naive_links){list, relation->count};
}

const struct play_links *play_find_links(play *p)
{
    struct play_links *links = play_scratch(p, sizeof(*links));
    CHECK(p->m.relation_count <= 2 * PLAY_GUARDED_COUNT);
    links->p = p;
    for (uint32_t i = 0; i < p->m.relation_count; i++) {
        links->of[i] = find_links(p, &p->m.relations[i]);
    }
    return links;
}

naive_world play_naive_world(const struct play_links *links)
{
    return (naive_world){links, is_alive, get_value, get_links};
}
