/* print_scene: loads a scene file and prints every value in it */

#include <ctype.h>
#include <inttypes.h>
#include <kith/kith.h>
#include <stdio.h>
#include <string.h>

#include "support/arguments.h"
#include "support/load.h"
#include "support/must.h"

#ifndef EXAMPLES_DIR
#define EXAMPLES_DIR "examples"
#endif

typedef struct Label {
    char text[16];
} Label;
KITH_TYPE(Label, KITH_FIELD(Label, text));

typedef struct Place {
    int16_t x, y;
    int8_t floor;
} Place;
KITH_TYPE(Place, KITH_FIELD(Place, x), KITH_FIELD(Place, y), KITH_FIELD(Place, floor), KITH_GAP);

typedef struct Door {
    kith_entity leads_to;
    bool locked;
    char sign;
} Door;
KITH_TYPE(Door, KITH_FIELD(Door, leads_to), KITH_FIELD(Door, locked), KITH_FIELD(Door, sign),
          KITH_GAP);

typedef struct Lamp {
    double lumen;
    float color[3];
    uint32_t hours;
} Lamp;
KITH_TYPE(Lamp, KITH_FIELD(Lamp, lumen), KITH_FIELD(Lamp, color), KITH_FIELD(Lamp, hours));

KITH_TAG(Secret);

static const char help[] =
    "usage: print_scene [FILE] [--layout table|sparse|slot]\n"
    "\n"
    "Loads a scene file (examples/print_scene.kith, if none is given) of the\n"
    "components Label, Place, Door, Lamp and Secret, and prints every entity with\n"
    "all its components and fields.\n";

static kith_world *new_world(kith_layout layout)
{
    const kith_type *const types[] = {
        &Label_type, &Place_type, &Door_type, &Lamp_type, &Secret_type,
    };
    kith_world *world = must_make(kith_world_new(NULL));
    for (uint32_t i = 0; i < sizeof types / sizeof *types; i++) {
        must(world, kith_register(world, types[i], &(kith_component_def){.layout = layout}));
    }
    return world;
}

static void print_byte(char byte, char quote)
{
    if (byte == quote || byte == '\\') {
        printf("\\%c", byte);
    } else if (isprint((unsigned char)byte)) {
        putchar(byte);
    } else {
        printf("\\x%02x", (unsigned char)byte);
    }
}

static void print_text(const char *bytes, size_t size)
{
    const char *zero = memchr(bytes, '\0', size);
    size_t length = zero != NULL ? (size_t)(zero - bytes) : size;
    putchar('"');
    for (size_t i = 0; i < length; i++) {
        print_byte(bytes[i], '"');
    }
    putchar('"');
}

/* Fields lie where their offset says, and may be read as what their kind says. */
static void print_one(kith_kind kind, const void *bytes)
{
    switch (kind) {
    case KITH_BOOL: printf("%s", *(const bool *)bytes ? "true" : "false"); break;
    case KITH_CHAR:
        putchar('\'');
        print_byte(*(const char *)bytes, '\'');
        putchar('\'');
        break;
    case KITH_I8: printf("%" PRId8, *(const int8_t *)bytes); break;
    case KITH_U8: printf("%" PRIu8, *(const uint8_t *)bytes); break;
    case KITH_I16: printf("%" PRId16, *(const int16_t *)bytes); break;
    case KITH_U16: printf("%" PRIu16, *(const uint16_t *)bytes); break;
    case KITH_I32: printf("%" PRId32, *(const int32_t *)bytes); break;
    case KITH_U32: printf("%" PRIu32, *(const uint32_t *)bytes); break;
    case KITH_I64: printf("%" PRId64, *(const int64_t *)bytes); break;
    case KITH_U64: printf("%" PRIu64, *(const uint64_t *)bytes); break;
    case KITH_F32: printf("%.9g", (double)*(const float *)bytes); break;
    case KITH_F64: printf("%.17g", *(const double *)bytes); break;
    case KITH_ENTITY: printf("%s", kith_entity_to_text(*(const kith_entity *)bytes).text); break;
    default: printf("0x%02x", *(const unsigned char *)bytes); break;
    }
}

static void print_field(const kith_field *field, const char *value)
{
    const char *bytes = value + field->offset;
    uint32_t size = kith_kind_size(field->kind);
    printf("%s = ", field->name);
    if (field->kind == KITH_CHAR && field->size > size) {
        print_text(bytes, field->size);
    } else if (field->size == size) {
        print_one(field->kind, bytes);
    } else {
        for (uint32_t i = 0; i < field->size / size; i++) {
            printf("%s", i == 0 ? "[" : ", ");
            print_one(field->kind, bytes + (size_t)i * size);
        }
        printf("]");
    }
}

static void print_component(const kith_world *world, kith_entity entity, const kith_type *type)
{
    const char *value = kith_get(world, entity, type);
    const char *before = " { ";
    printf("    %s", type->name);
    for (uint32_t i = 0; value != NULL && i < type->field_count; i++) {
        if (type->fields[i].kind != KITH_PADDING) {
            printf("%s", before);
            print_field(&type->fields[i], value);
            before = ", ";
        }
    }
    printf("%s\n", *before == ',' ? " }" : "");
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *path = NULL;
    kith_layout layout = KITH_TABLE;
    arguments args = arguments_of(argv, "print_scene", help);
    for (const char *arg; (arg = arguments_next(&args)) != NULL;) {
        if (strcmp(arg, "--layout") == 0) {
            layout = arguments_layout(&args);
        } else if (arg[0] == '-' || path != NULL) {
            arguments_unknown(&args);
        } else {
            path = arg;
        }
    }
    kith_world *world = new_world(layout);
    load_scene(world, path != NULL ? path : EXAMPLES_DIR "/print_scene.kith");
    for (kith_entity e = kith_entity_next(world, KITH_NONE); !kith_is_none(e);
         e = kith_entity_next(world, e)) {
        printf("%s\n", kith_entity_to_text(e).text);
        for (const kith_type *type = NULL; (type = kith_component_next(world, e, type)) != NULL;) {
            print_component(world, e, type);
        }
    }
    must_print();
    kith_world_free(world);
    return 0;
}
