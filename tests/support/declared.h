/* Components that KITH_COMPONENT declares, for C and C++: the descriptors are to be the same in both. */
#ifndef KITH_TEST_DECLARED_H
#define KITH_TEST_DECLARED_H

#include <kith/type.h>

typedef enum Team { TEAM_RED, TEAM_BLUE } Team;
typedef float Triple[3];

/* Every kind, with padding in the middle and at the end. */
KITH_COMPONENT(DeclaredKinds, (bool, flag), (double, f64), (char, letter), (int64_t, i64),
               (int8_t, i8), (uint64_t, u64), (uint8_t, u8), (kith_entity, owner), (int16_t, i16),
               (uint16_t, u16), (int32_t, i32), (uint32_t, u32), (float, f32), (kith_text, label),
               (Team, team), (unsigned char, end));

/* Arrays, arrays of them, and one that a typedef hides. */
KITH_COMPONENT(DeclaredArrays, KITH_SPARSE, (char, name, 13), (float, matrix, 4, 3),
               (kith_entity, friends, 2), (Triple, place), (Triple, path, 5), (bool, flags, 3),
               (kith_text, labels, 2), (Team, teams, 2), (uint8_t, last, 1));

KITH_COMPONENT(DeclaredGun, KITH_SLOT, (float, every), (float, wait), (kith_entity, owner),
               (char, name, 16));
KITH_COMPONENT(DeclaredByte, KITH_TABLE, (uint8_t, value));

KITH_TAG(DeclaredTag);
KITH_TAG(DeclaredSlotTag, KITH_SLOT);

/* 1 to 32 fields, of which every second one leaves a gap before the next. */
#define DECLARED_2(n) (uint8_t, small##n), (uint32_t, large##n)
#define DECLARED_4(n) DECLARED_2(n##0), DECLARED_2(n##1)
#define DECLARED_8(n) DECLARED_4(n##0), DECLARED_4(n##1)
#define DECLARED_16(n) DECLARED_8(n##0), DECLARED_8(n##1)
KITH_COMPONENT(Declared1, (uint16_t, a));
KITH_COMPONENT(Declared2, DECLARED_2(a));
KITH_COMPONENT(Declared3, DECLARED_2(a), (uint8_t, z));
KITH_COMPONENT(Declared4, DECLARED_4(a));
KITH_COMPONENT(Declared5, DECLARED_4(a), (uint8_t, z));
KITH_COMPONENT(Declared6, DECLARED_4(a), DECLARED_2(b));
KITH_COMPONENT(Declared7, DECLARED_4(a), DECLARED_2(b), (uint8_t, z));
KITH_COMPONENT(Declared8, DECLARED_8(a));
KITH_COMPONENT(Declared9, DECLARED_8(a), (uint8_t, z));
KITH_COMPONENT(Declared10, DECLARED_8(a), DECLARED_2(b));
KITH_COMPONENT(Declared11, DECLARED_8(a), DECLARED_2(b), (uint8_t, z));
KITH_COMPONENT(Declared12, DECLARED_8(a), DECLARED_4(b));
KITH_COMPONENT(Declared13, DECLARED_8(a), DECLARED_4(b), (uint8_t, z));
KITH_COMPONENT(Declared14, DECLARED_8(a), DECLARED_4(b), DECLARED_2(c));
KITH_COMPONENT(Declared15, DECLARED_8(a), DECLARED_4(b), DECLARED_2(c), (uint8_t, z));
KITH_COMPONENT(Declared16, DECLARED_16(a));
KITH_COMPONENT(Declared17, DECLARED_16(a), (uint8_t, z));
KITH_COMPONENT(Declared18, DECLARED_16(a), DECLARED_2(b));
KITH_COMPONENT(Declared19, DECLARED_16(a), DECLARED_2(b), (uint8_t, z));
KITH_COMPONENT(Declared20, DECLARED_16(a), DECLARED_4(b));
KITH_COMPONENT(Declared21, DECLARED_16(a), DECLARED_4(b), (uint8_t, z));
KITH_COMPONENT(Declared22, DECLARED_16(a), DECLARED_4(b), DECLARED_2(c));
KITH_COMPONENT(Declared23, DECLARED_16(a), DECLARED_4(b), DECLARED_2(c), (uint8_t, z));
KITH_COMPONENT(Declared24, DECLARED_16(a), DECLARED_8(b));
KITH_COMPONENT(Declared25, DECLARED_16(a), DECLARED_8(b), (uint8_t, z));
KITH_COMPONENT(Declared26, DECLARED_16(a), DECLARED_8(b), DECLARED_2(c));
KITH_COMPONENT(Declared27, DECLARED_16(a), DECLARED_8(b), DECLARED_2(c), (uint8_t, z));
KITH_COMPONENT(Declared28, DECLARED_16(a), DECLARED_8(b), DECLARED_4(c));
KITH_COMPONENT(Declared29, DECLARED_16(a), DECLARED_8(b), DECLARED_4(c), (uint8_t, z));
KITH_COMPONENT(Declared30, DECLARED_16(a), DECLARED_8(b), DECLARED_4(c), DECLARED_2(d));
KITH_COMPONENT(Declared31, DECLARED_16(a), DECLARED_8(b), DECLARED_4(c), DECLARED_2(d),
               (uint8_t, z));
KITH_COMPONENT(Declared32, KITH_SPARSE, DECLARED_16(a), DECLARED_16(b));

/* All of these in one array: those of 1 to 32 fields first. */
#define DECLARED_TYPES                                                                             \
    {                                                                                              \
        &Declared1_type, &Declared2_type, &Declared3_type, &Declared4_type, &Declared5_type,       \
            &Declared6_type, &Declared7_type, &Declared8_type, &Declared9_type, &Declared10_type,  \
            &Declared11_type, &Declared12_type, &Declared13_type, &Declared14_type,                \
            &Declared15_type, &Declared16_type, &Declared17_type, &Declared18_type,                \
            &Declared19_type, &Declared20_type, &Declared21_type, &Declared22_type,                \
            &Declared23_type, &Declared24_type, &Declared25_type, &Declared26_type,                \
            &Declared27_type, &Declared28_type, &Declared29_type, &Declared30_type,                \
            &Declared31_type, &Declared32_type, &DeclaredKinds_type, &DeclaredArrays_type,         \
            &DeclaredGun_type, &DeclaredByte_type, &DeclaredTag_type, &DeclaredSlotTag_type        \
    }
#define DECLARED_COUNT 38

#ifdef __cplusplus
extern "C" {
#endif

/* The descriptors as C makes them. */
extern const kith_type *const declared_in_c[DECLARED_COUNT];

#ifdef __cplusplus
}
#endif

#endif
