#include "naive.h"

#include <string.h>

#include "test.h"

/* ---- Values ------------------------------------------------------------------------------------ */

static bool is_end(const kith_term *term)
{
    return term->type == NULL && term->condition == NULL;
}

/* A field by its name; NULL is the target of a relation. */
static const kith_field *find_field(const kith_type *type, const char *name)
{
    const kith_field *found = NULL;
    for (uint32_t i = 0; i < type->field_count && found == NULL; i++) {
        const bool named = strcmp(type->fields[i].name, name == NULL ? "target" : name) == 0;
        found = named ? &type->fields[i] : NULL;
    }
    CHECK_PTR_NOT_NULL(found);
    return found;
}

/* A field of an entity's value; NULL: it lacks the component. */
static const void *field_of(const naive_world *w, kith_entity e, const kith_type *type,
                            const char *name)
{
    const unsigned char *value = w->get(w->context, e, type);
    return value == NULL ? NULL : value + find_field(type, name)->offset;
}

/* The living entity that a field leads to. */
static kith_entity target_of(const naive_world *w, kith_entity e, const kith_type *type,
                             const char *name)
{
    kith_entity target = KITH_NONE;
    const void *field = kith_is_none(e) ? NULL : field_of(w, e, type, name);
    if (field != NULL) {
        memcpy(&target, field, sizeof(target));
    }
    return w->alive(w->context, target) ? target : KITH_NONE;
}

/* The nearest along a relation that has a component, from the target on. */
static kith_entity nearest_of(const naive_world *w, kith_entity e, const kith_type *relation,
                              const kith_type *type)
{
    do {
        e = target_of(w, e, relation, NULL);
    } while (!kith_is_none(e) && w->get(w->context, e, type) == NULL);
    return e;
}

static double number_in(kith_kind kind, const void *value)
{
    int32_t i32;
    uint32_t u32;
    float f32;
    switch (kind) {
    case KITH_I32: memcpy(&i32, value, sizeof(i32)); return i32;
    case KITH_U32: memcpy(&u32, value, sizeof(u32)); return u32;
    case KITH_F32: memcpy(&f32, value, sizeof(f32)); return (double)f32;
    default: CHECK_INT(kind, KITH_U8); return *(const uint8_t *)value;
    }
}

/* ---- Terms ------------------------------------------------------------------------------------- */

bool naive_leads(const kith_term *term)
{
    return term->condition != NULL &&
           (term->condition->op == KITH_OP_TARGET || term->condition->op == KITH_OP_NEAREST ||
            term->condition->op == KITH_OP_OTHER);
}

kith_entity naive_reach(const naive_world *w, const kith_entity *row, kith_entity e,
                        const kith_term *term, const kith_term **asked, bool *lacks)
{
    *lacks = false;
    for (; naive_leads(term); term = term->condition->terms) {
        const kith_condition *step = term->condition;
        const bool there = !kith_is_none(e);
        *lacks = false;
        if (step->op == KITH_OP_OTHER) {
            e = row[step->offset];
        } else if (step->op == KITH_OP_TARGET) {
            e = target_of(w, e, term->type, step->field);
        } else {
            e = nearest_of(w, e, term->type, step->terms->type);
            *lacks = there && kith_is_none(e);
        }
    }
    *asked = term;
    return e;
}

static bool is_linked(const naive_world *w, const kith_entity *row, const kith_term *term)
{
    const uint32_t source = term->condition->values[0].length;
    const uint32_t target = term->condition->values[1].length;
    if (term->type == NULL) {
        return kith_entity_equal(row[source], row[target]);
    }
    const naive_links links = w->links(w->context, term->type, true);
    bool linked = false;
    for (uint32_t i = 0; i < links.count && !linked; i++) {
        const naive_link *link = &links.list[i];
        linked = (source == KITH_ANY || kith_entity_equal(link->source, row[source])) &&
                 (target == KITH_ANY || kith_entity_equal(link->target, row[target]));
    }
    return linked;
}

/* The value that an operand is for an entity, whose kind is `*kind`; NULL: there is none. `*e` becomes
 * the entity that has it. */
static const void *operand_for(const naive_world *w, const kith_entity *row, kith_entity *e,
                               const kith_operand *operand, kith_kind *kind)
{
    if (operand->kind == KITH_OPERAND_THIS || operand->kind == KITH_OPERAND_OTHER) {
        *e = row[operand->kind == KITH_OPERAND_THIS ? 0 : operand->length];
        operand = operand->of;
    }
    for (; operand != NULL && operand->kind != KITH_OPERAND_FIELD; operand = operand->of) {
        *e = operand->kind == KITH_OPERAND_NEAREST
                 ? nearest_of(w, *e, operand->type, operand->of->type)
                 : target_of(w, *e, operand->type, operand->as.string);
    }
    *kind = operand == NULL ? KITH_ENTITY : find_field(operand->type, operand->as.string)->kind;
    return operand == NULL ? e : field_of(w, *e, operand->type, operand->as.string);
}

static bool compares(const naive_world *w, const kith_entity *row, kith_entity e,
                     const kith_term *term)
{
    const kith_condition *condition = term->condition;
    const bool constant = condition->value.kind == KITH_OPERAND_I64;
    const kith_kind kind = find_field(term->type, condition->field)->kind;
    const void *value = field_of(w, e, term->type, condition->field);
    kith_kind other_kind = KITH_I32;
    const int32_t number = constant ? (int32_t)condition->value.as.i64 : 0;
    const void *other =
        constant ? &number : operand_for(w, row, &e, &condition->value, &other_kind);
    if (value == NULL || other == NULL) {
        return false;
    }
    if (kind == KITH_ENTITY) {
        return (memcmp(value, other, sizeof(e)) == 0) == (condition->op == KITH_OP_EQUAL);
    }
    const double left = number_in(kind, value);
    const double right = number_in(other_kind, other);
    const uint32_t outcome = left < right ? 1 : left == right ? 2 : left > right ? 4 : 0;
    return ((uint32_t)condition->op & outcome) != 0;
}

static bool group_holds(const naive_world *w, const kith_entity *row, kith_entity e,
                        const kith_condition *group)
{
    uint32_t count = 0;
    uint32_t all = 0;
    for (; !is_end(&group->terms[all]); all++) {
        count += naive_holds(w, row, e, &group->terms[all]);
    }
    return group->op == KITH_OP_ANY   ? count != 0
           : group->op == KITH_OP_ALL ? count == all
                                      : count == 0;
}

bool naive_holds(const naive_world *w, const kith_entity *row, kith_entity e,
                 const kith_term *term)
{
    const kith_condition *condition = term->condition;
    if (condition == NULL) {
        return term->role == KITH_MAY ||
               (w->get(w->context, e, term->type) != NULL) == (term->role != KITH_MUST_NOT);
    }
    if (naive_leads(term)) {
        const kith_term *asked;
        bool lacks;
        const kith_entity other = naive_reach(w, row, e, term, &asked, &lacks);
        const bool plain = asked->condition == NULL;
        return (plain && asked->role == KITH_MAY) ||
               (kith_is_none(other) ? plain && asked->role == KITH_MUST_NOT && lacks
                                    : naive_holds(w, row, other, asked));
    }
    switch (condition->op) {
    case KITH_OP_PAIR: return is_linked(w, row, term);
    case KITH_OP_ANY:
    case KITH_OP_ALL:
    case KITH_OP_NOT: return group_holds(w, row, e, condition);
    default: return compares(w, row, e, term);
    }
}

const void *naive_value(const naive_world *w, const kith_entity *row, const kith_term *term,
                        const kith_type **type, bool *reads)
{
    const kith_term *asked;
    bool lacks;
    const kith_entity e = naive_reach(w, row, row[0], term, &asked, &lacks);
    *reads = asked->condition == NULL && asked->access == KITH_ACCESS_READ &&
             asked->type->size != 0;
    *type = asked->type;
    return *reads && !kith_is_none(e) ? w->get(w->context, e, asked->type) : NULL;
}

/* ---- Rows -------------------------------------------------------------------------------------- */

/* Whether a term of a query's list finds entities. */
static bool finds(const kith_term *term)
{
    return term->condition != NULL && term->condition->op == KITH_OP_PAIR && term->type != NULL &&
           term->condition->values[0].length != KITH_ANY &&
           term->condition->values[1].length != KITH_ANY;
}

/* Whether a number of a row is this entity, which it becomes if it is none yet. NULL: there is no such
 * number, and it may be any. */
static bool takes(kith_entity *of, kith_entity e)
{
    if (of != NULL && kith_is_none(*of)) {
        *of = e;
    }
    return of == NULL || kith_entity_equal(*of, e);
}

static void add_row(const naive_world *w, const kith_term *terms, const naive_row *row,
                    naive_rows *rows)
{
    bool match = true;
    for (uint32_t i = 0; match && !is_end(&terms[i]); i++) {
        match = finds(&terms[i]) || naive_holds(w, row->e, row->e[0], &terms[i]);
    }
    if (match && rows->count == rows->room) {
        rows->more = true;
    } else if (match) {
        rows->list[rows->count++] = *row;
    }
}

/* Goes on from a part of a row by the pairs from term `k` on, each in the order of the list that it is
 * followed along: that from its source, if that or the link is known. */
static void expand(const naive_world *w, const kith_term *terms, const naive_row *row, uint32_t k,
                   naive_rows *rows)
{
    while (!is_end(&terms[k]) && !finds(&terms[k])) {
        k++;
    }
    if (is_end(&terms[k])) {
        add_row(w, terms, row, rows);
        return;
    }
    const kith_operand *numbers = terms[k].condition->values;
    const bool numbered = numbers[2].kind != KITH_OPERAND_NONE;
    const bool from = !kith_is_none(row->e[numbers[0].length]) ||
                      (numbered && !kith_is_none(row->e[numbers[2].length]));
    const naive_links links = w->links(w->context, terms[k].type, from);
    for (uint32_t i = 0; i < links.count && !rows->more; i++) {
        naive_row next = *row;
        if (takes(&next.e[numbers[0].length], links.list[i].source) &&
            takes(&next.e[numbers[1].length], links.list[i].target) &&
            takes(numbered ? &next.e[numbers[2].length] : NULL, links.list[i].link)) {
            expand(w, terms, &next, k + 1, rows);
        }
    }
}

void naive_expand(const naive_world *w, const kith_term *terms, kith_entity first,
                  naive_rows *rows)
{
    const naive_row row = {{first}};
    expand(w, terms, &row, 0, rows);
}

void naive_check_batch(const naive_world *w, const kith_iter *it, const kith_term *terms,
                       uint32_t numbers, const naive_row *rows, bool copied)
{
    for (uint32_t i = 0; i < it->count; i++) {
        for (uint32_t k = 0; k < numbers; k++) {
            CHECK_SAME(kith_others(it, k)[i], rows[i].e[k]);
        }
        uint32_t number = 0;
        for (const kith_term *term = terms; !is_end(term); term++) {
            const kith_type *type;
            bool reads;
            const void *expected = naive_value(w, rows[i].e, term, &type, &reads);
            if (reads) {
                const void *got = kith_term_at(it, number, i, type, type->size, KITH_ACCESS_READ);
                CHECK_INT(got != NULL, expected != NULL);
                CHECK(copied ? got == NULL || memcmp(got, expected, type->size) == 0
                             : got == expected);
            }
            const kith_term *asked = term;
            while (naive_leads(asked)) {
                asked = asked->condition->terms;
            }
            number += asked->condition == NULL;
        }
    }
}
