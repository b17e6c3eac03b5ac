/* Selections: the calls. */
#include "reflect/select_columns.h"

#include <stddef.h>
#include <string.h>

#include "world/queries.h"

/* ---- What it holds */

static void select_free_table(ki_heap *heap, ki_select_table *table)
{
    ki_select_drop_columns(heap, table);
    ki_select_clear(heap, table);
    ki_heap_free(heap, table->columns, table->column_capacity * sizeof *table->columns,
                 _Alignof(max_align_t));
}

/* Takes away the rows. */
static void select_clear(kith_select *select)
{
    ki_heap *heap = &select->world->store.context.heap;
    ki_heap_free(heap, select->order, select->order_size, _Alignof(uint32_t));
    select->order = NULL;
    select->order_size = 0;
    select->row_count = 0;
    ki_select_clear(heap, &select->read);
    ki_select_clear(heap, &select->groups);
}

static void select_drop(kith_select *select)
{
    ki_heap *heap = &select->world->store.context.heap;
    select_clear(select);
    kith_query_free(select->query);
    select_free_table(heap, &select->read);
    select_free_table(heap, &select->groups);
    ki_heap_free(heap, select->ways, select->way_capacity * sizeof *select->ways,
                 _Alignof(max_align_t));
    ki_heap_free(heap, select->orders, select->order_capacity * sizeof *select->orders,
                 _Alignof(max_align_t));
    ki_compiler_free(&select->compiler);
    ki_heap_free(heap, select, sizeof *select, _Alignof(kith_select));
}

/* ---- The selections of a world */

/* The data of KI_PART_SELECTS is the first one. They are freed when no value is left whose hooks could
 * ask them. */
static void selects_free(kith_world *world, void *data)
{
    (void)world;
    for (kith_select *select = data, *next; select != NULL; select = next) {
        next = select->next;
        select_drop(select);
    }
}

/* Selections are not part of the world's state. */
static uint64_t selects_hash(uint64_t hash, const void *data)
{
    (void)data;
    return hash;
}

static const char *selects_check(const kith_world *world, const void *data)
{
    const kith_select *previous = NULL;
    for (const kith_select *select = data; select != NULL; select = select->next) {
        if (select->world != world || select->previous != previous) {
            return "the list of selections is broken";
        }
        previous = select;
    }
    return NULL;
}

static const ki_attachment_calls selects_calls = {
    .free = selects_free, .hash = selects_hash, .check = selects_check};

static void select_link(kith_select *select)
{
    ki_attachment *part = &select->world->parts[KI_PART_SELECTS];
    part->calls = &selects_calls;
    select->next = part->data;
    if (select->next != NULL) {
        select->next->previous = select;
    }
    part->data = select;
}

static void select_unlink(kith_select *select)
{
    if (select->previous != NULL) {
        select->previous->next = select->next;
    } else {
        select->world->parts[KI_PART_SELECTS].data = select->next;
    }
    if (select->next != NULL) {
        select->next->previous = select->previous;
    }
}

/* ---- Making and freeing */

static kith_result select_make(kith_select *select, const char *text, kith_text_error *error)
{
    KI_TRY(ki_compile(&select->compiler, text, error));
    KI_TRY(ki_select_plan(select));
    const kith_query_def def = {.terms = select->compiler.terms,
                                .order = select->compiler.syntax.order};
    return ki_query_new(select->world, "kith_select_new", &def, &select->query);
}

kith_result kith_select_new(kith_world *world, const char *text, kith_text_error *error,
                            kith_select **select)
{
    KI_TRY(ki_world_require_owner(world, "kith_select_new"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && (text == NULL || select == NULL)) {
        return ki_misuse(context,
                         "kith_select_new: the text, or the place for the selection, is NULL");
    }
    kith_text_error own = {.line = 0};
    kith_select *made = ki_heap_alloc_zeroed(&context->heap, sizeof *made, _Alignof(kith_select));
    kith_result result = KITH_ERR_MEMORY;
    if (made != NULL) {
        made->world = world;
        made->compiler =
            (ki_compiler){.world = world, .syntax = {.heap = &context->heap}, .selects = true};
        result = select_make(made, text, &own);
    }
    ki_text_result(context, "kith_select_new", &own, error, result);
    if (result == KITH_OK) {
        ki_syntax_free(&made->compiler.syntax); /* it refers to the text */
        made->compiler.syntax = (ki_syntax){.heap = &context->heap};
        select_link(made);
        *select = made;
    } else if (made != NULL) {
        select_drop(made);
    }
    return result;
}

/* Whether a call may use a selection. */
static kith_result select_require(const kith_select *select, const char *call)
{
    if (KI_CHECKED && select == NULL) {
        return ki_misuse(NULL, "%s: the selection is NULL", call);
    }
    return ki_world_require_owner(select->world, call);
}

void kith_select_free(kith_select *select)
{
    if (select != NULL && select_require(select, "kith_select_free") == KITH_OK) {
        select_unlink(select);
        select_drop(select);
    }
}

/* ---- Parameters */

/* The numbers that a selection itself asks for: the limit, and those of a place. NULL after the last. */
static ki_select_number *select_number(kith_select *select, uint32_t number)
{
    return number == 0                        ? &select->limit
           : number <= select->distance.count ? &select->distance.point[number - 1]
                                              : NULL;
}

/* Finds out whether numbers of the selection itself are bound by a name, or binds them. KITH_ERR_INPUT:
 * the value does not fit. */
static kith_result select_bind_own(kith_select *select, const char *name,
                                   const kith_operand *operand, bool set, bool *own)
{
    const ki_select_number given = {.value = *operand};
    ki_select_number *number;
    *own = false;
    for (uint32_t i = 0; (number = select_number(select, i)) != NULL; i++) {
        if (number->parameter == NULL || strcmp(number->parameter, name) != 0) {
            continue;
        }
        if (!(i == 0 ? ki_select_is_limit(&given) : ki_select_is_coordinate(&given))) {
            return ki_fail(&select->world->store.context, KITH_ERR_INPUT,
                           "kith_select_bind: $%s is %s", name,
                           i == 0 ? "a whole number that is not negative" : "a number");
        }
        *own = true;
        number->value = set ? *operand : number->value;
    }
    return KITH_OK;
}

/* Reports that no part of the selection has such a name. */
static kith_result select_reject_name(kith_select *select, const char *name)
{
    kith_hint hint = {.word = name, .length = strlen(name)};
    ki_conditions_find_parameter(select->query, name, &hint);
    const ki_select_number *number;
    for (uint32_t i = 0; (number = select_number(select, i)) != NULL; i++) {
        if (number->parameter != NULL) {
            kith_hint_offer(&hint, number->parameter);
        }
    }
    return ki_fail(&select->world->store.context, KITH_ERR_UNKNOWN,
                   "kith_select_bind: the selection has no $%.100s%s", name,
                   kith_hint_text(&hint).text);
}

kith_result kith_select_bind_operand(kith_select *select, const char *name, kith_operand operand)
{
    KI_TRY(select_require(select, "kith_select_bind"));
    ki_context *context = &select->world->store.context;
    if (KI_CHECKED && name == NULL) {
        return ki_misuse(context, "kith_select_bind: the name is NULL");
    }
    bool own;
    KI_TRY(select_bind_own(select, name, &operand, false, &own));
    kith_result result = ki_query_bind(select->query, "kith_select_bind", name, &operand);
    if (result == KITH_ERR_UNKNOWN && !own) {
        return select_reject_name(select, name);
    }
    return result == KITH_OK || result == KITH_ERR_UNKNOWN
               ? select_bind_own(select, name, &operand, true, &own)
               : result;
}

/* ---- Running */

static kith_result select_require_numbers(kith_select *select)
{
    const ki_select_number *number;
    for (uint32_t i = 0; (number = select_number(select, i)) != NULL; i++) {
        if (number->parameter != NULL && number->value.kind == KITH_OPERAND_NONE) {
            return ki_fail(&select->world->store.context, KITH_ERR_INPUT,
                           "%s: $%s has no value; call kith_select_bind", KI_SELECT_RUN,
                           number->parameter);
        }
    }
    return select->query->conditions == NULL
               ? KITH_OK
               : ki_conditions_require_bound(select->query, KI_SELECT_RUN);
}

static kith_result select_run(kith_select *select)
{
    KI_TRY(select_require_numbers(select));
    KI_TRY(select->explains ? ki_select_explain(select) : ki_select_read(select));
    if (select->grouped) {
        KI_TRY(ki_select_sum_up(select));
    }
    const ki_select_table *result = ki_select_result(select);
    KI_TRY(
        ki_select_sort(select->world, result, select->orders, select->order_count, &select->order));
    select->order_size = ki_heap_bytes(result->row_count, sizeof *select->order);
    select->row_count = result->row_count;
    if (select->limited && select->limit.value.as.u64 < select->row_count) {
        select->row_count = (uint32_t)select->limit.value.as.u64;
    }
    return KITH_OK;
}

kith_result kith_select_run(kith_select *select)
{
    KI_TRY(select_require(select, KI_SELECT_RUN));
    select_clear(select);
    kith_result result = select_run(select);
    if (result != KITH_OK) {
        select_clear(select);
    }
    return result;
}

/* ---- The result */

uint32_t kith_select_row_count(const kith_select *select)
{
    return select_require(select, "kith_select_row_count") == KITH_OK ? select->row_count : 0;
}

uint32_t kith_select_column_count(const kith_select *select)
{
    return select_require(select, "kith_select_column_count") == KITH_OK ? select->shown_count : 0;
}

const kith_field *kith_select_column(const kith_select *select, uint32_t column)
{
    if (select_require(select, "kith_select_column") != KITH_OK || column >= select->shown_count) {
        return NULL;
    }
    return &(select->grouped ? &select->groups : &select->read)->columns[column].shown;
}

const void *kith_select_value(const kith_select *select, uint32_t row, uint32_t column)
{
    if (select_require(select, "kith_select_value") != KITH_OK || row >= select->row_count ||
        column >= select->shown_count) {
        return NULL;
    }
    const ki_select_table *table = select->grouped ? &select->groups : &select->read;
    return ki_select_at(table, ki_select_row(table, select->order[row]), column);
}
