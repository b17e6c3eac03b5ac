/* Types of many fields: what is told of mistakes in them is what comes of looking at each pair; and
 * their values are read from text in any order. */
#include <kith/reflect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "test.h"

enum { FIELDS = 90, TEXT = 400 };

typedef struct sample {
    char names[FIELDS][12];
    kith_field fields[FIELDS];
    uint32_t number;
    kith_type type;
} sample;

/* ---- The model: pairs
 * ---------------------------------------------------------------------------- */

static const char *name_of(const kith_field *field)
{
    return field->name == NULL ? "(unnamed)" : field->name;
}

static bool reaches_on(const kith_field *field)
{
    return field->kind == KITH_PADDING && field->size == 0;
}

static uint64_t end_of(const kith_type *type, const kith_field *field)
{
    if (!reaches_on(field)) {
        return (uint64_t)field->offset + field->size;
    }
    uint32_t end = type->size;
    for (uint32_t i = 0; i < type->field_count; i++) {
        const kith_field *other = &type->fields[i];
        if (!reaches_on(other) && other->offset >= field->offset && other->offset < end) {
            end = other->offset;
        }
    }
    return end;
}

static bool model_field(const kith_type *type, const kith_field *field, char *text)
{
    uint64_t end = end_of(type, field);
    if (field->kind == KITH_PADDING && field->offset > type->size) {
        snprintf(text, TEXT, "%s: starts after the struct's end", name_of(field));
    } else if (end > type->size) {
        snprintf(text, TEXT, "%s: ends at byte %llu of a struct of %u bytes", name_of(field),
                 (unsigned long long)end, type->size);
    }
    return text[0] == '\0';
}

static bool model_pair(const kith_type *type, const kith_field *a, const kith_field *b, char *text)
{
    if (a->kind != KITH_PADDING && b->kind != KITH_PADDING && strcmp(a->name, b->name) == 0) {
        snprintf(text, TEXT, "two fields are named '%s'", a->name);
    } else if (a->offset < end_of(type, b) && b->offset < end_of(type, a)) {
        snprintf(text, TEXT, "fields %s and %s overlap", name_of(a), name_of(b));
    }
    return text[0] == '\0';
}

static bool model_coverage(const kith_type *type, char *text)
{
    const kith_field *before = NULL;
    uint64_t at = 0;
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t i = 0; i < type->field_count; i++) {
            const kith_field *field = &type->fields[i];
            if (field->offset == at && end_of(type, field) > at) {
                at = end_of(type, field);
                before = field;
                moved = true;
            }
        }
    }
    if (at != type->size && before == NULL) {
        snprintf(text, TEXT, "no field covers byte 0 of %u", type->size);
    } else if (at != type->size) {
        snprintf(text, TEXT, "no field covers byte %llu of %u, after %s", (unsigned long long)at,
                 type->size, before->name);
    }
    return text[0] == '\0';
}

/* What is wrong, or "". */
static void model_of(const kith_type *type, char *text)
{
    text[0] = '\0';
    for (uint32_t i = 0; i < type->field_count; i++) {
        if (!model_field(type, &type->fields[i], text)) {
            return;
        }
    }
    for (uint32_t a = 0; a < type->field_count; a++) {
        for (uint32_t b = a + 1; b < type->field_count; b++) {
            if (!model_pair(type, &type->fields[a], &type->fields[b], text)) {
                return;
            }
        }
    }
    model_coverage(type, text);
}

/* ---- Samples
 * ------------------------------------------------------------------------------------- */

static void swap(kith_field *a, kith_field *b)
{
    kith_field kept = *a;
    *a = *b;
    *b = kept;
}

/* Fields of one to three words that fill a struct, in any order, some of them padding. */
static void sample_make(sample *s, uint64_t *seed, uint32_t count)
{
    uint32_t offset = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t size = 4 * (1 + random_below(seed, 3));
        bool padding = random_below(seed, 8) == 0;
        snprintf(s->names[i], sizeof s->names[i], "f%u", i);
        s->fields[i] = (kith_field){s->names[i], offset, size, padding ? KITH_PADDING : KITH_U32};
        if (padding && random_below(seed, 2) == 0) {
            s->fields[i].size = 0; /* up to the next */
        }
        offset += size;
    }
    for (uint32_t i = count - 1; i > 0 && random_below(seed, 4) != 0; i--) {
        swap(&s->fields[i], &s->fields[random_below(seed, i + 1)]);
    }
    s->type = (kith_type){.name = "Sample",
                          .size = offset,
                          .align = 4,
                          .fields = s->fields,
                          .field_count = count,
                          .number = &s->number};
}

/* Some mistake, or none. */
static void sample_spoil(sample *s, uint64_t *seed)
{
    uint32_t count = s->type.field_count;
    kith_field *field = &s->fields[random_below(seed, count)];
    const kith_field *other = &s->fields[random_below(seed, count)];
    switch (random_below(seed, 8)) {
    case 0: field->offset += 4; break;
    case 1: field->offset = other->offset; break;
    case 2: field->size += 4; break;
    case 3: field->name = other->name; break;
    case 4: s->type.size -= 4; break;
    case 5: s->type.size += 4; break;
    case 6: *field = s->fields[--s->type.field_count]; break;
    default: break;
    }
}

TEST_WITHIN(20, mistakes_are_told_as_pairs_tell_them)
{
    uint32_t fine = 0;
    uint64_t seed = 7;
    static sample s;
    for (uint32_t i = 0; i < 4000; i++) {
        sample_make(&s, &seed,
                    random_below(&seed, 4) == 0 ? 2 + random_below(&seed, 30)
                                                : 33 + random_below(&seed, FIELDS - 33));
        for (uint32_t k = random_below(&seed, 3); k > 0; k--) {
            sample_spoil(&s, &seed);
        }
        char text[TEXT];
        model_of(&s.type, text);
        kith_world *world = kith_world_new(NULL);
        s.number = 0;
        kith_result result = kith_register(world, &s.type, NULL);
        CHECK_RESULT(result, text[0] == '\0' ? KITH_OK : KITH_ERR_INPUT);
        if (result != KITH_OK && strstr(kith_error(world), text) == NULL) {
            test_fail(__FILE__, __LINE__, "sample %u: \"%s\", not \"%s\"", i, kith_error(world),
                      text);
        }
        fine += result == KITH_OK;
        kith_world_free(world);
    }
    CHECK(fine > 1000 && fine < 3000);
}

/* ---- Text
 * ------------------------------------------------------------------------------------------ */

static size_t write_field(char *text, const char *name, uint32_t value, bool last)
{
    return (size_t)sprintf(text, "%s = %u%s", name, value, last ? " }" : ", ");
}

TEST(values_are_read_in_any_order)
{
    uint64_t seed = 3;
    static sample s;
    kith_world *world = kith_world_new(NULL);
    for (uint32_t i = 0; i < FIELDS; i++) {
        snprintf(s.names[i], sizeof s.names[i], "f%u", i);
        s.fields[i] = (kith_field){s.names[i], 4 * i, 4, i % 9 == 4 ? KITH_PADDING : KITH_U32};
    }
    s.type = (kith_type){.name = "Long",
                         .size = 4 * FIELDS,
                         .align = 4,
                         .fields = s.fields,
                         .field_count = FIELDS,
                         .number = &s.number};
    for (uint32_t round = 0; round < 200; round++) {
        uint32_t numbers[FIELDS];
        uint32_t count = 0;
        for (uint32_t i = 0; i < FIELDS; i++) {
            if (s.fields[i].kind != KITH_PADDING && random_below(&seed, 8) != 0) {
                numbers[count++] = i;
            }
        }
        for (uint32_t i = count - 1; i > 0 && round % 3 != 0; i--) {
            uint32_t other = random_below(&seed, i + 1);
            uint32_t kept = numbers[i];
            numbers[i] = numbers[other];
            numbers[other] = kept;
        }
        char text[FIELDS * 24] = "{ ";
        uint32_t wanted[FIELDS] = {0};
        size_t length = 2;
        for (uint32_t i = 0; i < count; i++) {
            wanted[numbers[i]] = 1 + random_below(&seed, 1000);
            length +=
                write_field(text + length, s.names[numbers[i]], wanted[numbers[i]], i + 1 == count);
        }
        uint32_t read[FIELDS] = {0};
        CHECK_RESULT(kith_parse_value(world, &s.type, text, read), KITH_OK);
        CHECK(memcmp(read, wanted, sizeof read) == 0);
        /* One of them again, or one that is not there. */
        const char *name = round % 2 == 0 ? s.names[numbers[random_below(&seed, count)]] : "f4";
        text[length - 2] = ',';
        write_field(text + length - 1, name, 1, true);
        CHECK_RESULT(kith_parse_value(world, &s.type, text, read), KITH_ERR_INPUT);
        CHECK(strstr(kith_error(world), round % 2 == 0 ? "expected a field once, found "
                                                       : "expected a field of Long") != NULL);
    }
    kith_world_free(world);
}
