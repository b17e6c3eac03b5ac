/* The types that are played with: those of components.h, and a crowd of generated ones, so that there
 * are more than fit a word of bits. */
#include <stdio.h>
#include <string.h>

#include "components.h"
#include "links.h"
#include "play.h"

KITH_RELATION(Leans, KITH_REFUSE | KITH_ACYCLIC, (uint16_t, weight));
KITH_LINKS(Bonds, KITH_CASCADE);
KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
KITH_LINKS(Wards, KITH_REFUSE);

/* With a unique key: its first field. */
typedef struct Badge {
    uint32_t number;
    uint32_t color;
} Badge;
KITH_TYPE(Badge, KITH_FIELD(Badge, number), KITH_FIELD(Badge, color));

/* Relations of all rules, names, and what may have a unique key. */
static const kith_type *const guarded[PLAY_GUARDED_COUNT] = {
    &Before_type, &Bonds_type,         &Follows_type, &Guards_type, &Leans_type,    &Likes_type,
    &Owns_type,   &PartOf_type,        &Wards_type,   &kith_child_of_type, &kith_name_type,
    &Badge_type};

static kith_type types[PLAY_TYPES];
static kith_field fields[PLAY_TYPES][2];
static char names[PLAY_TYPES][16];
static uint32_t numbers[PLAY_TYPES];

/* A type of `size` bytes; every third one has some that mean nothing, whose number is told or is
 * "the rest"; every fifth has no number of its own. */
static void make_type(uint32_t i, uint32_t size, uint32_t align)
{
    snprintf(names[i], sizeof(names[i]), "Played_%u", (unsigned)i);
    bool padded = i % 3 == 0 && size >= 8;
    fields[i][0] = (kith_field){"bytes", 0, padded ? size - 3 : size, KITH_BYTES};
    fields[i][1] = (kith_field){"rest", size - 3, i % 2 == 0 ? 3 : 0, KITH_PADDING};
    types[i] = (kith_type){.name = names[i],
                           .size = size,
                           .align = align,
                           .version = i,
                           .field_count = size == 0 ? 0
                                          : padded  ? 2
                                                    : 1,
                           .fields = fields[i],
                           .number = i % 5 == 0 ? NULL : &numbers[i]};
}

static void make_types(void)
{
    static const uint32_t sizes[] = {4, 0,  8,  1, 16,  0,   2,   12, 1000, 3,
                                     0, 40, 64, 5, 100, 256, 600, 0,  2000, 32};
    for (uint32_t i = 0; i < COMPONENT_COUNT; i++) {
        types[i] = *component_types[i];
    }
    for (uint32_t i = COMPONENT_COUNT; i < PLAY_TYPES; i++) {
        uint32_t size = sizes[i % (sizeof(sizes) / sizeof(sizes[0]))];
        make_type(i, size, size % 8 == 0 && size > 0 ? 8 : size % 4 == 0 && size > 0 ? 4 : 1);
    }
    for (uint32_t i = 0; i < PLAY_GUARDED_COUNT; i++) {
        types[PLAY_GUARDED_FIRST + i] = *guarded[i];
        types[PLAY_GUARDED_FIRST + i].layout = KITH_TABLE; /* as of others: what is told counts */
    }
    types[PLAY_DISABLED] = kith_disabled_type;
    make_type(PLAY_TYPES - 1, 4096, 4096);
    make_type(PLAY_TYPES - 2, 128, 128);
    make_type(PLAY_TYPES - 3, 70000, 4);
}

const kith_type *play_type(uint32_t number)
{
    CHECK(number < PLAY_TYPES);
    if (types[0].name == NULL) {
        make_types();
    }
    return &types[number];
}

uint32_t play_number(const kith_type *type)
{
    CHECK(type >= types && type < types + PLAY_TYPES);
    return (uint32_t)(type - types);
}

const kith_type *play_same_type(const kith_type *type)
{
    for (uint32_t i = 0; type != NULL && i < PLAY_TYPES; i++) {
        if (strcmp(type->name, play_type(i)->name) == 0) {
            return &types[i];
        }
    }
    return NULL;
}

kith_layout play_layout(const played *w, const kith_type *type)
{
    return w->layouts[play_number(type)];
}

uint32_t play_handles_in(const kith_type *type)
{
    if (type->relation != 0) {
        return (type->relation & KITH_MANY) != 0 ? 2 : 1;
    }
    return strcmp(type->name, "Target") == 0;
}
