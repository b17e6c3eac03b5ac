/* Finds what a selection reads and gives out, in a text that is compiled. */
#include <kith/floats.h>

#include "reflect/select_columns.h"

#include "query/term_list.h"

static const ki_syntax_node *plan_node(const kith_select *select, uint32_t number)
{
    return ki_syntax_at(&select->compiler.syntax, number);
}

/* ---- Fields */

/* The name at the end of the way that a node tells. */
static kith_token plan_leaf(const kith_select *select, uint32_t number)
{
    while (plan_node(select, number)->kind == KI_SYNTAX_VIA ||
           plan_node(select, number)->kind == KI_SYNTAX_UP) {
        number = plan_node(select, number)->first;
    }
    return plan_node(select, number)->name;
}

/* The field of a node, and the way there. */
static kith_result plan_find_field(kith_select *select, uint32_t node, ki_select_field *found)
{
    uint32_t leaf;
    ki_named_field field;
    KI_TRY(ki_select_find_way(&select->compiler, node, &found->way, &leaf));
    KI_TRY(ki_compile_field(&select->compiler, plan_node(select, leaf)->name, &field));
    found->way.type = field.type;
    found->field = field.field;
    return KITH_OK;
}

/* The same, where it has one value, with an order. */
static kith_result plan_find_ordered(kith_select *select, uint32_t node, ki_select_field *found)
{
    KI_TRY(plan_find_field(select, node, found));
    const kith_field *field = &found->field;
    bool one = field->size == kith_kind_size(field->kind) || field->kind == KITH_CHAR;
    return one && field->kind != KITH_BYTES
               ? KITH_OK
               : ki_syntax_fail_at(&select->compiler.syntax, plan_leaf(select, node),
                                   "a field with one value (%s.%s is %u bytes of %s)",
                                   found->way.type->name, field->name, field->size,
                                   kith_kind_name(field->kind));
}

/* The kind of a sum over values of a kind; KITH_BYTES: they are not added. */
static kith_kind plan_sum_kind(kith_kind kind)
{
    switch (kind) {
    case KITH_BOOL:
    case KITH_U8:
    case KITH_U16:
    case KITH_U32:
    case KITH_U64: return KITH_U64;
    case KITH_I8:
    case KITH_I16:
    case KITH_I32:
    case KITH_I64: return KITH_I64;
    case KITH_F32:
    case KITH_F64: return KITH_F64;
    case KITH_BYTES:
    case KITH_PADDING:
    case KITH_CHAR:
    case KITH_ENTITY:
    case KITH_TEXT:
    case KITH_OPAQUE: break;
    }
    return KITH_BYTES;
}

static bool plan_is_field(ki_syntax_kind kind)
{
    return kind == KI_SYNTAX_FIELD || kind == KI_SYNTAX_VIA || kind == KI_SYNTAX_UP;
}

static bool plan_is_sum(ki_syntax_kind kind)
{
    return kind >= KI_SYNTAX_COUNT;
}

/* ---- Groups */

/* The column of `read` that a sum adds up; it is added if it is not there yet. */
static kith_result plan_find_input(kith_select *select, uint32_t node, uint32_t *input,
                                   kith_field *field)
{
    ki_select_field found;
    ki_select_column column = {0};
    KI_TRY(plan_find_ordered(select, node, &found));
    KI_TRY(ki_select_field_column(select, &found, &column));
    *input = ki_select_find_column(&select->read, &column);
    *field = found.field;
    return *input < select->read.column_count
               ? KITH_OK
               : ki_select_add_column(select, &select->read, column, "");
}

/* The column that a sum gives. */
static kith_result plan_sum(kith_select *select, uint32_t number, ki_select_column *column)
{
    const ki_syntax_node *node = plan_node(select, number);
    *column = (ki_select_column){.source = node->kind,
                                 .way = KI_NO_INDEX,
                                 .input = KI_NO_INDEX,
                                 .shown = {NULL, 0, sizeof(uint64_t), KITH_U64}};
    if (node->kind == KI_SYNTAX_COUNT) {
        return KITH_OK;
    }
    kith_field field;
    KI_TRY(plan_find_input(select, node->first, &column->input, &field));
    if (node->kind == KI_SYNTAX_MIN || node->kind == KI_SYNTAX_MAX) {
        column->shown = (kith_field){NULL, 0, field.size, field.kind};
        return KITH_OK;
    }
    kith_kind kind = plan_sum_kind(field.kind);
    column->shown.kind = node->kind == KI_SYNTAX_AVG ? KITH_F64 : kind;
    return kind != KITH_BYTES
               ? KITH_OK
               : ki_syntax_fail_at(&select->compiler.syntax, plan_leaf(select, node->first),
                                   "a field with a number, to be added");
}

/* The column of `groups` for a field that the text groups by. */
static kith_result plan_key(kith_select *select, uint32_t number, ki_select_column *column)
{
    kith_token name = plan_node(select, number)->name;
    ki_select_field found;
    if (plan_is_field(plan_node(select, number)->kind)) {
        KI_TRY(plan_find_field(select, number, &found));
        KI_TRY(ki_select_field_column(select, &found, column));
        uint32_t key = ki_select_find_column(&select->read, column);
        if (key < select->key_count) {
            column->input = key;
            return KITH_OK;
        }
    }
    return ki_syntax_fail_at(&select->compiler.syntax, name,
                             "a sum, or a field that the query groups by");
}

static kith_result plan_add_keys(kith_select *select)
{
    for (uint32_t i = select->compiler.syntax.groups; i != 0; i = plan_node(select, i)->next) {
        ki_select_field found;
        ki_select_column column = {0};
        KI_TRY(plan_find_ordered(select, i, &found));
        KI_TRY(ki_select_field_column(select, &found, &column));
        KI_TRY(ki_select_add_output(select, &select->read, column, i));
        select->key_count++;
    }
    return KITH_OK;
}

/* Without `select`: what the query groups by, and the count. */
static kith_result plan_add_usual_groups(kith_select *select)
{
    for (uint32_t i = 0; i < select->key_count; i++) {
        ki_select_column column = select->read.columns[i];
        column.input = i;
        KI_TRY(ki_select_add_column(select, &select->groups, column, column.shown.name));
    }
    const ki_select_column count = {.source = KI_SYNTAX_COUNT,
                                    .way = KI_NO_INDEX,
                                    .input = KI_NO_INDEX,
                                    .shown = {NULL, 0, sizeof(uint64_t), KITH_U64}};
    return ki_select_add_column(select, &select->groups, count, "count");
}

/* ---- Outputs */

/* The number of the entity that an output is; KI_NO_ENTITY: it is none. */
static uint32_t plan_entity_of(const kith_select *select, const ki_syntax_node *node)
{
    return node->kind == KI_SYNTAX_ENTITY  ? 0
           : node->kind == KI_SYNTAX_FIELD ? ki_compile_entity(&select->compiler, node->name)
                                           : KI_NO_ENTITY;
}

/* The column of an output that is one value. */
static kith_result plan_output(kith_select *select, uint32_t number, ki_select_column *column)
{
    const ki_syntax_node *node = plan_node(select, number);
    if (select->grouped) {
        return plan_is_sum(node->kind) ? plan_sum(select, number, column)
                                       : plan_key(select, number, column);
    }
    const uint32_t entity = plan_entity_of(select, node);
    if (entity != KI_NO_ENTITY) {
        *column = ki_select_entity_column(entity);
        return KITH_OK;
    }
    ki_select_field found;
    KI_TRY(plan_find_field(select, number, &found));
    return ki_select_field_column(select, &found, column);
}

/* Finds the component that an output names, and the way there; `way->type` is NULL if it names none. */
static kith_result plan_find_component(kith_select *select, uint32_t number, ki_select_way *way)
{
    char name[128];
    uint32_t leaf = number;
    *way = (ki_select_way){.type = NULL};
    if (!plan_is_field(plan_node(select, number)->kind) || select->grouped ||
        plan_entity_of(select, plan_node(select, number)) != KI_NO_ENTITY) {
        return KITH_OK;
    }
    KI_TRY(ki_select_find_way(&select->compiler, number, way, &leaf));
    kith_reader reader = {.text = "", .token = plan_node(select, leaf)->name};
    if (kith_read_name(&reader, "", name, sizeof name) == KITH_OK) {
        way->type = kith_type_find(select->world, name);
    }
    return way->type == NULL || way->type->size != 0
               ? KITH_OK
               : ki_syntax_fail_at(&select->compiler.syntax, plan_node(select, leaf)->name,
                                   "a field, or a component that has fields");
}

static kith_result plan_add_output(kith_select *select, uint32_t number)
{
    ki_select_way way;
    KI_TRY(plan_find_component(select, number, &way));
    if (way.type != NULL) {
        return ki_select_add_fields(select, &way);
    }
    ki_select_column column = {0};
    KI_TRY(plan_output(select, number, &column));
    return ki_select_add_output(select, ki_select_result(select), column, number);
}

/* Without `select`: the entity and all that the terms read. */
static kith_result plan_add_usual(kith_select *select)
{
    KI_TRY(ki_select_add_entities(select));
    for (const kith_term *term = select->compiler.terms; !ki_term_is_end(term); term++) {
        const kith_term *asked = ki_via_innermost(term);
        if (asked->access != KITH_ACCESS_NONE && asked->condition == NULL) {
            ki_select_way way;
            KI_TRY(ki_select_term_way(&select->compiler, term, &way));
            KI_TRY(ki_select_add_fields(select, &way));
        }
    }
    return KITH_OK;
}

static kith_result plan_add_outputs(kith_select *select)
{
    if (select->compiler.syntax.outputs == 0) {
        KI_TRY(select->grouped ? plan_add_usual_groups(select) : plan_add_usual(select));
    }
    for (uint32_t i = select->compiler.syntax.outputs; i != 0; i = plan_node(select, i)->next) {
        KI_TRY(plan_add_output(select, i));
    }
    select->shown_count = ki_select_result(select)->column_count;
    return KITH_OK;
}

/* ---- Numbers of the text */

/* Reads a number, or the name of one that is bound. */
static kith_result plan_number(kith_select *select, uint32_t node, const char *what,
                               ki_select_number *number)
{
    ki_syntax_kind kind = plan_node(select, node)->kind;
    kith_token name = plan_node(select, node)->name;
    if (kind != KI_SYNTAX_NUMBER && kind != KI_SYNTAX_PARAMETER) {
        return ki_syntax_fail_at(&select->compiler.syntax, name, "%s, or $name", what);
    }
    kith_operand operand = {.kind = KITH_OPERAND_NONE};
    KI_TRY(ki_compile_value(&select->compiler, node, &operand));
    *number = kind == KI_SYNTAX_PARAMETER ? (ki_select_number){.parameter = operand.as.string}
                                          : (ki_select_number){.value = operand};
    return KITH_OK;
}

/* The column that an order by a distance reads. */
static kith_result plan_distance(kith_select *select, uint32_t number, ki_select_column *column)
{
    ki_compiler *compiler = &select->compiler;
    if (select->grouped || select->distance.count != 0) {
        return ki_syntax_fail_at(&compiler->syntax, plan_node(select, number)->name, "%s",
                                 select->grouped ? "a sum, or a field that the query groups by"
                                                 : "one distance in the order");
    }
    KI_TRY(ki_select_find_distance(compiler, number, &select->distance));
    uint32_t node = plan_node(select, plan_node(select, number)->first)->next;
    for (uint32_t i = 0; i < select->distance.count; i++, node = plan_node(select, node)->next) {
        KI_TRY(plan_number(select, node, "a number", &select->distance.point[i]));
    }
    *column = (ki_select_column){.source = KI_SYNTAX_DISTANCE,
                                 .input = KI_NO_INDEX,
                                 .shown = {NULL, 0, sizeof(double), KITH_F64}};
    return ki_select_add_way(select, &(ki_select_way){.type = select->distance.type}, &column->way);
}

/* Adds what the result is ordered by next, in a column that is not shown if it has none yet. */
static kith_result plan_add_order(kith_select *select, const ki_select_column *column,
                                  bool descending)
{
    ki_select_table *result = ki_select_result(select);
    const uint32_t number = ki_select_find_column(result, column);
    if (number == result->column_count) {
        KI_TRY(ki_select_add_column(select, result, *column, ""));
    }
    KI_TRY(ki_heap_grow(&select->world->store.context.heap, &select->orders,
                        &select->order_capacity, select->order_count + 1, sizeof *select->orders,
                        4));
    select->orders[select->order_count++] = (ki_select_order){number, descending};
    return KITH_OK;
}

/* What is at one distance comes by slot, as in a spatial index. */
static kith_result plan_add_orders(kith_select *select)
{
    for (uint32_t i = select->compiler.syntax.orders; i != 0; i = plan_node(select, i)->next) {
        const ki_syntax_node *node = plan_node(select, i);
        ki_select_field found;
        ki_select_column column = {0};
        if (plan_is_field(node->kind) && plan_entity_of(select, node) == KI_NO_ENTITY) {
            KI_TRY(plan_find_ordered(select, i, &found));
        }
        KI_TRY(node->kind == KI_SYNTAX_DISTANCE ? plan_distance(select, i, &column)
                                                : plan_output(select, i, &column));
        KI_TRY(plan_add_order(select, &column, plan_node(select, i)->descending));
    }
    const ki_select_column entity = ki_select_entity_column(0);
    return select->distance.count != 0 ? plan_add_order(select, &entity, false) : KITH_OK;
}

static kith_result plan_limit(kith_select *select)
{
    uint32_t node = select->compiler.syntax.limit;
    select->limited = node != 0;
    if (node == 0) {
        return KITH_OK;
    }
    static const char what[] = "a whole number that is not negative";
    KI_TRY(plan_number(select, node, what, &select->limit));
    return ki_select_is_limit(&select->limit)
               ? KITH_OK
               : ki_syntax_fail_at(&select->compiler.syntax, plan_node(select, node)->name,
                                   "%s, or $name", what);
}

/* Finds out whether rows come by the value of a field of their own entity, and only the first few are
 * given out: an index may find these. */
static void plan_first(kith_select *select)
{
    if (!select->limited || select->grouped || select->looks || select->order_count == 0) {
        return;
    }
    const ki_select_column *column = &select->read.columns[select->orders[0].column];
    if (column->source == KI_SYNTAX_DISTANCE) {
        select->has_first = select->order_count == 2 && !select->orders[0].descending;
        select->first = (ki_sorted){.type = select->distance.type,
                                    .order = ki_select_order_by(&select->distance)};
        return;
    }
    if (column->source != KI_SYNTAX_FIELD) {
        return;
    }
    const ki_select_way *way = &select->ways[column->way];
    select->has_first = way->step_count == 0 && !way->nearest;
    select->first = (ki_sorted){.type = way->type,
                                .order = {.fields = {{.offset = column->offset,
                                                      .size = column->shown.size,
                                                      .kind = column->shown.kind}},
                                          .field_count = 1,
                                          .descending = select->orders[0].descending}};
}

/* ---- All of it */

/* Instead of what is selected: one column of texts. */
static kith_result plan_explain(kith_select *select)
{
    ki_heap *heap = &select->world->store.context.heap;
    const ki_select_column lines = {.source = KI_SYNTAX_FIELD,
                                    .way = KI_NO_INDEX,
                                    .input = KI_NO_INDEX,
                                    .shown = {NULL, 0, KI_EXPLAIN_LINE, KITH_CHAR}};
    ki_select_drop_columns(heap, &select->read);
    ki_select_drop_columns(heap, &select->groups);
    select->explains = true;
    select->analyzes = select->compiler.syntax.analyzes;
    select->grouped = false;
    select->limited = false;
    select->order_count = 0;
    select->shown_count = 1;
    return ki_select_add_column(select, &select->read, lines, "plan");
}

kith_result ki_select_plan(kith_select *select)
{
    const ki_syntax *syntax = &select->compiler.syntax;
    select->grouped = syntax->groups != 0;
    for (uint32_t i = syntax->outputs; i != 0; i = plan_node(select, i)->next) {
        select->grouped = select->grouped || plan_is_sum(plan_node(select, i)->kind);
    }
    for (uint32_t i = syntax->orders; i != 0; i = plan_node(select, i)->next) {
        select->grouped = select->grouped || plan_is_sum(plan_node(select, i)->kind);
    }
    if (select->grouped && syntax->order != KITH_SCAN_ORDER) {
        return ki_syntax_fail_at(&select->compiler.syntax, syntax->clauses[KI_CLAUSE_ORDER],
                                 "an order by an output: rows that sum up entities have no"
                                 " parents");
    }
    KI_TRY(plan_add_keys(select));
    KI_TRY(plan_add_outputs(select));
    KI_TRY(plan_add_orders(select));
    KI_TRY(plan_limit(select));
    for (const kith_term *term = select->compiler.terms;
         term->type != NULL || term->condition != NULL; term++) {
        select->looks = select->looks || term->role == KITH_MUST_CHANGED;
    }
    plan_first(select);
    if (syntax->explain.start != NULL) {
        KI_TRY(plan_explain(select));
    }
    ki_select_place_columns(&select->read);
    ki_select_place_columns(&select->groups);
    return KITH_OK;
}
