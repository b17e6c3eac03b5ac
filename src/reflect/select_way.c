#include "reflect/select_way.h"

#include <kith/hierarchy.h>

#include <string.h>

#include "base/text_out.h"
#include "store/field_names.h"

/* ---- Finding */

kith_result ki_select_find_way(ki_compiler *c, uint32_t number, ki_select_way *way, uint32_t *leaf)
{
    const ki_syntax_node *node = ki_syntax_at(&c->syntax, number);
    *way = (ki_select_way){.type = NULL};
    const uint32_t entity =
        node->kind == KI_SYNTAX_VIA ? ki_compile_entity(c, node->name) : KI_NO_ENTITY;
    if (entity != KI_NO_ENTITY) {
        way->entity = entity;
        number = node->first;
        node = ki_syntax_at(&c->syntax, number);
    }
    while (node->kind == KI_SYNTAX_VIA || node->kind == KI_SYNTAX_UP) {
        const ki_syntax_node *next = ki_syntax_at(&c->syntax, node->first);
        if (node->kind == KI_SYNTAX_UP && next->kind != KI_SYNTAX_FIELD) {
            return ki_syntax_fail_at(&c->syntax, next->name, "a field or a component, in up");
        }
        if (way->step_count + way->nearest == KI_VIA_STEPS_MAX) {
            return ki_syntax_fail_at(&c->syntax, node->name, "at most %u relations on a way",
                                     KI_VIA_STEPS_MAX);
        }
        way->nearest = node->kind == KI_SYNTAX_UP;
        if (node->kind == KI_SYNTAX_VIA) {
            KI_TRY(ki_compile_step(c, node->name, &way->steps[way->step_count++]));
        }
        number = node->first;
        node = next;
    }
    *leaf = number;
    return KITH_OK;
}

kith_result ki_select_term_way(ki_compiler *c, const kith_term *term, ki_select_way *way)
{
    *way = (ki_select_way){.type = NULL};
    for (; term->condition != NULL; term = term->condition->terms) {
        if (term->condition->op == KITH_OP_OTHER) {
            way->entity = term->condition->offset;
            continue;
        }
        way->nearest = term->condition->op == KITH_OP_NEAREST;
        if (!way->nearest) {
            ki_named_field *step = &way->steps[way->step_count++];
            step->type = term->type;
            KI_TRY(ki_field_locate(&c->world->store.context, "kith_select_new", KITH_ERR_INPUT,
                                   term->type, term->condition->field, &step->field));
        }
    }
    way->type = term->type;
    return KITH_OK;
}

bool ki_select_is_same_way(const ki_select_way *a, const ki_select_way *b)
{
    bool same = a->type == b->type && a->entity == b->entity && a->step_count == b->step_count &&
                a->nearest == b->nearest;
    for (uint32_t i = 0; same && i < a->step_count; i++) {
        same = a->steps[i].type == b->steps[i].type &&
               a->steps[i].field.offset == b->steps[i].field.offset;
    }
    return same;
}

/* ---- Printing */

size_t ki_select_print_way(const ki_compiler *c, const ki_select_way *way, const char *field,
                           char *text, size_t size)
{
    ki_text_out out = ki_text_start(text, size);
    if (way->entity != 0) {
        ki_text_add_bytes(&out, c->entities[way->entity].start, c->entities[way->entity].length);
        ki_text_add_string(&out, " -> ");
    }
    for (uint32_t i = 0; i < way->step_count; i++) {
        const ki_named_field *step = &way->steps[i];
        bool usual = step->type->relation != 0 && strcmp(step->field.name, "target") == 0;
        ki_text_add_string(&out, step->type->name);
        ki_text_add_string(&out, usual ? "" : ".");
        ki_text_add_string(&out, usual ? "" : step->field.name);
        ki_text_add_string(&out, " -> ");
    }
    ki_text_add_string(&out, way->nearest ? "up(" : "");
    ki_text_add_string(&out, way->type->name);
    ki_text_add_string(&out, ".");
    ki_text_add_string(&out, field);
    ki_text_add_string(&out, way->nearest ? ")" : "");
    return out.length;
}

/* ---- Following */

void ki_select_follow(const kith_world *world, const ki_select_way *way,
                      const kith_entity *entities, uint32_t count, kith_entity *others,
                      const void **values)
{
    for (uint32_t step = 0; step < way->step_count; step++) {
        const ki_named_field *by = &way->steps[step];
        kith_get_many(world, by->type, entities, count, values);
        for (uint32_t i = 0; i < count; i++) {
            others[i] = KITH_NONE;
            if (values[i] != NULL) {
                memcpy(&others[i], (const uint8_t *)values[i] + by->field.offset, sizeof others[i]);
            }
        }
        entities = others;
    }
    for (uint32_t i = 0; way->nearest && i < count; i++) {
        kith_entity above = kith_parent(world, entities[i]);
        while (!kith_is_none(above) && !kith_has(world, above, way->type)) {
            above = kith_parent(world, above);
        }
        others[i] = above;
    }
    kith_get_many(world, way->type, way->nearest ? others : entities, count, values);
}
