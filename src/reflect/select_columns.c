#include "reflect/select_columns.h"

#include <string.h>

static ki_heap *columns_heap(const kith_select *select)
{
    return &select->world->store.context.heap;
}

/* ---- What they read */

kith_result ki_select_add_way(kith_select *select, const ki_select_way *way, uint32_t *number)
{
    for (uint32_t i = 0; i < select->way_count; i++) {
        if (ki_select_is_same_way(&select->ways[i], way)) {
            *number = i;
            return KITH_OK;
        }
    }
    KI_TRY(ki_heap_grow(columns_heap(select), &select->ways, &select->way_capacity,
                        select->way_count + 1, sizeof *way, 4));
    *number = select->way_count;
    select->ways[select->way_count++] = *way;
    return KITH_OK;
}

kith_result ki_select_field_column(kith_select *select, const ki_select_field *field,
                                   ki_select_column *column)
{
    *column = (ki_select_column){.source = KI_SYNTAX_FIELD,
                                 .offset = field->field.offset,
                                 .input = KI_NO_INDEX,
                                 .shown = {NULL, 0, field->field.size, field->field.kind}};
    return ki_select_add_way(select, &field->way, &column->way);
}

ki_select_column ki_select_entity_column(uint32_t number)
{
    return (ki_select_column){.source = KI_SYNTAX_ENTITY,
                              .way = KI_NO_INDEX,
                              .offset = number,
                              .input = KI_NO_INDEX,
                              .shown = {NULL, 0, sizeof(kith_entity), KITH_ENTITY}};
}

static bool columns_are_same(const ki_select_column *a, const ki_select_column *b)
{
    return a->source == b->source && a->way == b->way && a->offset == b->offset &&
           a->input == b->input && a->shown.size == b->shown.size && a->shown.kind == b->shown.kind;
}

uint32_t ki_select_find_column(const ki_select_table *table, const ki_select_column *column)
{
    uint32_t i = 0;
    while (i < table->column_count && !columns_are_same(&table->columns[i], column)) {
        i++;
    }
    return i;
}

/* ---- Adding them, with their names */

/* Adds a column whose name is a text of the heap, which is the column's from now on; it is freed if that
 * fails. NULL: there was no memory for it. */
static kith_result columns_append(kith_select *select, ki_select_table *table,
                                  ki_select_column column, char *name)
{
    ki_heap *heap = columns_heap(select);
    const kith_result result =
        name == NULL ? KITH_ERR_MEMORY
                     : ki_heap_grow(heap, &table->columns, &table->column_capacity,
                                    table->column_count + 1, sizeof column, 8);
    if (result != KITH_OK) {
        ki_heap_free_text(heap, name);
        return result;
    }
    column.shown.name = name;
    table->columns[table->column_count++] = column;
    return KITH_OK;
}

kith_result ki_select_add_column(kith_select *select, ki_select_table *table,
                                 ki_select_column column, const char *name)
{
    return columns_append(select, table, column, ki_heap_copy_text(columns_heap(select), name));
}

kith_result ki_select_add_output(kith_select *select, ki_select_table *table,
                                 ki_select_column column, uint32_t output)
{
    const ki_syntax *syntax = &select->compiler.syntax;
    const size_t size = ki_syntax_print_output(syntax, output, NULL, 0) + 1;
    char *name = ki_heap_alloc(columns_heap(select), size, 1);
    if (name != NULL) {
        ki_syntax_print_output(syntax, output, name, size);
    }
    return columns_append(select, table, column, name);
}

/* Adds one entity of a row, with the name that a token is. */
static kith_result columns_add_entity(kith_select *select, uint32_t number, kith_token token)
{
    char *name = ki_heap_alloc(columns_heap(select), token.length + 1, 1);
    if (name != NULL) {
        memcpy(name, token.start, token.length);
        name[token.length] = '\0';
    }
    return columns_append(select, &select->read, ki_select_entity_column(number), name);
}

kith_result ki_select_add_entities(kith_select *select)
{
    const ki_compiler *compiler = &select->compiler;
    KI_TRY(ki_select_add_column(select, &select->read, ki_select_entity_column(0), "entity"));
    for (uint32_t i = 1; i < compiler->entity_count; i++) {
        KI_TRY(columns_add_entity(select, i, compiler->entities[i]));
    }
    return KITH_OK;
}

static kith_result columns_add_field(kith_select *select, const ki_select_way *way,
                                     const kith_field *field)
{
    const ki_compiler *compiler = &select->compiler;
    const size_t size = ki_select_print_way(compiler, way, field->name, NULL, 0) + 1;
    ki_select_column column;
    KI_TRY(ki_select_field_column(select, &(ki_select_field){*way, *field}, &column));
    char *name = ki_heap_alloc(columns_heap(select), size, 1);
    if (name != NULL) {
        ki_select_print_way(compiler, way, field->name, name, size);
    }
    return columns_append(select, &select->read, column, name);
}

kith_result ki_select_add_fields(kith_select *select, const ki_select_way *way)
{
    for (uint32_t i = 0; i < way->type->field_count; i++) {
        const kith_field *field = &way->type->fields[i];
        if (field->kind != KITH_PADDING && field->kind != KITH_OPAQUE) {
            KI_TRY(columns_add_field(select, way, field));
        }
    }
    return KITH_OK;
}

void ki_select_drop_columns(ki_heap *heap, ki_select_table *table)
{
    for (; table->column_count != 0; table->column_count--) {
        const char *name = table->columns[table->column_count - 1].shown.name;
        ki_heap_free_text(heap, (char *)(uintptr_t)name);
    }
}

/* ---- Their places: at multiples of 8, so that values may be read in place */

void ki_select_place_columns(ki_select_table *table)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        table->columns[i].at = at;
        at += (table->columns[i].shown.size + 7) / 8 * 8;
    }
    table->present = at;
    table->row_size = (at + table->column_count + 7) / 8 * 8;
}
