/* Types that a program defines at run time. */
#include <kith/floats.h>

#include <string.h>

#include <kith/reflect.h>

#include "store/field_names.h"
#include "world/world.h"

/* A definition that is being made. Its fields are in scratch memory: registering a type copies them. */
typedef struct define_draft {
    kith_type type;
    kith_field *fields;
    bool placed; /* Kith computes the offsets, and what is between fields is padding */
} define_draft;

/* The alignment of T in a struct: on 32-bit x86, numbers of 8 bytes are aligned to 4. */
#define DEFINE_ALIGN(T) ((uint32_t) _Alignof(struct { T value; }))

static uint32_t define_field_align(const kith_field *field)
{
    switch (field->kind) {
    case KITH_I16:
    case KITH_U16: return DEFINE_ALIGN(uint16_t);
    case KITH_I32:
    case KITH_U32: return DEFINE_ALIGN(uint32_t);
    case KITH_F32: return DEFINE_ALIGN(float);
    case KITH_I64:
    case KITH_U64: return DEFINE_ALIGN(uint64_t);
    case KITH_F64: return DEFINE_ALIGN(double);
    case KITH_ENTITY: return DEFINE_ALIGN(kith_entity);
    case KITH_TEXT: return DEFINE_ALIGN(kith_text);
    default: return 1;
    }
}

/* The largest alignment of a field. */
static uint32_t define_natural_align(const kith_type_def *def)
{
    uint32_t most = 1;
    for (uint32_t i = 0; i < def->field_count; i++) {
        uint32_t align = define_field_align(&def->fields[i]);
        most = align > most ? align : most;
    }
    return most;
}

/* Numbers that are too large stay too large in the descriptor, so that the check of the type
 * rejects them. */
static uint32_t define_clamp(uint64_t number)
{
    return number > UINT32_MAX ? UINT32_MAX : (uint32_t)number;
}

/* Adds a field, as KITH_TYPE describes it. */
static void define_add(define_draft *draft, const char *name, uint64_t offset, uint32_t size,
                       kith_kind kind)
{
    draft->fields[draft->type.field_count++] = (kith_field){name, define_clamp(offset), size, kind};
}

static uint64_t define_align_up(uint64_t offset, uint32_t align)
{
    return (offset + align - 1) / align * align;
}

/* Places the fields one after another. */
static void define_place(define_draft *draft, const kith_type_def *def)
{
    uint64_t end = 0;
    for (uint32_t i = 0; i < def->field_count; i++) {
        const kith_field *field = &def->fields[i];
        if (field->kind == KITH_PADDING && field->size == 0) {
            continue; /* what is up to the next field is padding anyway */
        }
        uint64_t offset = define_align_up(end, define_field_align(field));
        uint32_t size = field->size == 0 ? kith_kind_size(field->kind) : field->size;
        define_add(draft, field->name, offset, size, field->kind);
        end = offset + size;
    }
    draft->type.size = define_clamp(define_align_up(end, draft->type.align));
    draft->type.padded = true;
}

static void define_copy(define_draft *draft, const kith_type_def *def)
{
    for (uint32_t i = 0; i < def->field_count; i++) {
        const kith_field *field = &def->fields[i];
        bool one = field->size == 0 && field->kind != KITH_PADDING;
        define_add(draft, field->name, field->offset,
                   one ? kith_kind_size(field->kind) : field->size, field->kind);
    }
}

/* Without a size, Kith computes the offsets: given ones would be ignored, so they are an error. */
static kith_result define_check_offsets(ki_context *context, const kith_type_def *def)
{
    for (uint32_t i = 0; i < def->field_count; i++) {
        const kith_field *field = &def->fields[i];
        bool gap = field->kind == KITH_PADDING && field->offset == UINT32_MAX; /* KITH_GAP */
        if (field->offset != 0 && !gap) {
            return ki_fail(context, KITH_ERR_INPUT,
                           "kith_define: %.127s.%.127s is at byte %u of a struct without a size:"
                           " give the size too, or leave the offsets to Kith",
                           def->name == NULL ? "(null)" : def->name,
                           field->name == NULL ? "(unnamed)" : field->name, field->offset);
        }
    }
    return KITH_OK;
}

static kith_result define_type(kith_world *world, const kith_type_def *def, define_draft *draft,
                               const kith_type **kept)
{
    uint32_t natural = define_natural_align(def);
    bool raise = draft->placed && def->align < natural;
    draft->type.align = def->align == 0 || raise ? natural : def->align;
    draft->type.fields = draft->fields;
    if (draft->placed) {
        KI_TRY(define_check_offsets(&world->store.context, def));
        define_place(draft, def);
    } else {
        define_copy(draft, def);
    }
    return ki_world_add_type(world, "kith_define", &draft->type, def->layout, def->hooks, kept);
}

kith_result kith_define(kith_world *world, const kith_type_def *def, const kith_type **type)
{
    KI_TRY(ki_world_begin_change(world, "kith_define"));
    ki_context *context = &world->store.context;
    if (KI_CHECKED && def == NULL) {
        return ki_misuse(context, "kith_define: the definition is NULL");
    }
    const kith_type *kept;
    define_draft draft = {.type = {.name = def->name,
                                   .size = def->size,
                                   .align = 1,
                                   .version = def->version,
                                   .layout = def->layout,
                                   .padded = def->padded,
                                   .relation = def->relation},
                          .placed = def->size == 0};
    if (def->field_count > KI_TYPE_FIELDS_MAX || (def->field_count != 0 && def->fields == NULL)) {
        draft.type.field_count = def->field_count;
        draft.type.fields = def->fields;
        size_t texts;
        return ki_type_validate(context, "kith_define", &draft.type, &texts);
    }
    size_t size = (size_t)def->field_count * sizeof(kith_field);
    draft.fields = ki_heap_alloc(&context->heap, size, _Alignof(kith_field));
    if (draft.fields == NULL) {
        return KITH_ERR_MEMORY;
    }
    kith_result result = define_type(world, def, &draft, &kept);
    ki_heap_free(&context->heap, draft.fields, size, _Alignof(kith_field));
    if (result == KITH_OK && type != NULL) {
        *type = kept;
    }
    return result;
}

const kith_field *kith_field_find(const kith_type *type, const char *name)
{
    return type == NULL || name == NULL ? NULL : ki_field_find(type, name, strlen(name));
}
