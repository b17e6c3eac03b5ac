/* Kith: components declared in one line, and tags. Include <kith/type.h>, which includes this header. */
#ifndef KITH_COMPONENT_H
#define KITH_COMPONENT_H

/* Declares `struct T`, and in C the typedef of that name, and describes it as `T_type`:
 *
 *     KITH_COMPONENT(Gun, (float, every), (float, wait), (kith_entity, owner), (char, name, 16));
 *     KITH_COMPONENT(Poison, KITH_SPARSE, (float, strength));
 *
 * A layout may follow the name; without one it is KITH_TABLE. Then come 1 to 32 fields, each a type and
 * a name; an array has its length too, and an array of arrays two lengths. Bytes between fields and
 * after the last are padding. The type is the same as one that KITH_TYPE makes of such a struct; use
 * that for structs of more fields, or of other structs. */
#define KITH_COMPONENT(T, ...)                                                                     \
    KITH_COMPONENT_(T, 0, KITH_LAYOUT_FIRST_(__VA_ARGS__, ~) __VA_ARGS__, KITH_NO_FIELDS_, ~)

/* Declares a relation: a component whose value is a link to another entity, `target`. After the name
 * come its rules, then a layout and fields, as in KITH_COMPONENT; they may be left out.
 *
 *     KITH_RELATION(DockedAt, KITH_REFUSE);
 *     KITH_RELATION(Hunts, KITH_CLEAR, KITH_SPARSE, (float, since));
 *
 * declares struct Hunts {kith_entity target; float since;}. See <kith/relation.h>. */
#define KITH_RELATION(T, ...)                                                                      \
    KITH_COMPONENT_(T, KITH_LINKED_(__VA_ARGS__, (, , , , ), (, , , , )), KITH_NO_FIELDS_, ~)

/* The same for a relation in which an entity may have many targets. Each link is an entity of its own,
 * with a component that leads to both ends, `source` and `target`:
 *
 *     KITH_LINKS(Likes, KITH_CLEAR, (float, strength));
 *
 * declares struct Likes {kith_entity source; kith_entity target; float strength;}. */
#define KITH_LINKS(T, ...) KITH_LINKS_(T, __VA_ARGS__, KITH_NO_FIELDS_, ~)

/* What a relation does, as bits. One of the first three says what becomes of an entity whose target is
 * despawned. */
typedef enum kith_relation_rule {
    KITH_CASCADE = 1, /* it is despawned too */
    KITH_CLEAR = 2,   /* it loses the relation */
    KITH_REFUSE = 4,  /* the target is not despawned: KITH_ERR_CONFLICT, and kith_error names both */
    KITH_ACYCLIC = 8, /* following targets never comes back: what would close a circle is
                         KITH_ERR_CYCLE. Not for KITH_LINKS */
    KITH_MANY = 16    /* what KITH_LINKS declares */
} kith_relation_rule;

/* Describes a tag: a type without data, which an entity has or lacks. Also declares struct T, which
 * stays incomplete, so that it has no values. A layout may follow: KITH_TAG(Frozen, KITH_SLOT). */
#define KITH_TAG(...) KITH_TAG_(__VA_ARGS__, KITH_TABLE, ~)

/* From here on: the parts of the macros. Few are nested, since compilers print a note for each on the
 * way to a mistake. */

/* Once more, now that what stands for several arguments is several. */
#define KITH_COMPONENT_(...) KITH_COMPONENT_AS_(__VA_ARGS__)

/* Puts the field `target` before the others, after a layout if there is one. */
#define KITH_LINKED_(rules, first, ...)                                                            \
    rules, KITH_SELECT_(KITH_IS_BEFORE_ first, KITH_TARGET_AFTER_, ~)(first), __VA_ARGS__
#define KITH_IS_BEFORE_(...) ~, KITH_TARGET_BEFORE_
#define KITH_TARGET_BEFORE_(field) KITH_TABLE, (kith_entity, target), field
#define KITH_TARGET_AFTER_(layout) layout, (kith_entity, target)

#define KITH_LINKS_(...) KITH_LINKS_AS_(__VA_ARGS__)
#define KITH_LINKS_AS_(T, rules, first, ...)                                                       \
    KITH_COMPONENT_(T, (rules) | KITH_MANY,                                                        \
                    KITH_SELECT_(KITH_IS_AFTER_ENDS_ first, KITH_ENDS_AFTER_, ~)(first),          \
                    __VA_ARGS__)
#define KITH_IS_AFTER_ENDS_(...) ~, KITH_ENDS_BEFORE_
#define KITH_ENDS_BEFORE_(field) KITH_TABLE, (kith_entity, source), (kith_entity, target), field
#define KITH_ENDS_AFTER_(layout) layout, (kith_entity, source), (kith_entity, target)

/* `KITH_TABLE,` if a field is first, which is in parentheses; nothing if a layout is. */
#define KITH_LAYOUT_FIRST_(first, ...) KITH_SELECT_(KITH_IS_FIELD_ first, KITH_NOTHING_, ~)()
#define KITH_IS_FIELD_(...) ~, KITH_IN_TABLES_
#define KITH_IN_TABLES_() KITH_TABLE,
#define KITH_SELECT_(...) KITH_SECOND_(__VA_ARGS__)
#define KITH_SECOND_(first, second, ...) second
#define KITH_NOTHING_(...)

/* 32 fields that are not there, to come after those that are. */
#define KITH_NO_FIELDS_ KITH_NO_FIELDS_8_, KITH_NO_FIELDS_8_, KITH_NO_FIELDS_8_, KITH_NO_FIELDS_8_
#define KITH_NO_FIELDS_8_                                                                          \
    (, , , , ), (, , , , ), (, , , , ), (, , , , ), (, , , , ), (, , , , ), (, , , , ), (, , , , )

/* Calls `m` for each of 32 fields, and `more` for the one after them. */
#define KITH_EACH_FIELD_(m, more, T, a, b, c, d, e, f, g, h, i, j, k, l, n, o, p, q, r, s, t, u,   \
                         v, w, x, y, z, A, B, C, D, E, F, G, H, ...)                               \
    m(T, KITH_OPEN_ a) m(T, KITH_OPEN_ b) m(T, KITH_OPEN_ c) m(T, KITH_OPEN_ d) m(T, KITH_OPEN_ e) \
        m(T, KITH_OPEN_ f) m(T, KITH_OPEN_ g) m(T, KITH_OPEN_ h) m(T, KITH_OPEN_ i)                \
            m(T, KITH_OPEN_ j) m(T, KITH_OPEN_ k) m(T, KITH_OPEN_ l) m(T, KITH_OPEN_ n)            \
                m(T, KITH_OPEN_ o) m(T, KITH_OPEN_ p) m(T, KITH_OPEN_ q) m(T, KITH_OPEN_ r)        \
                    m(T, KITH_OPEN_ s) m(T, KITH_OPEN_ t) m(T, KITH_OPEN_ u) m(T, KITH_OPEN_ v)    \
                        m(T, KITH_OPEN_ w) m(T, KITH_OPEN_ x) m(T, KITH_OPEN_ y)                   \
                            m(T, KITH_OPEN_ z) m(T, KITH_OPEN_ A) m(T, KITH_OPEN_ B)               \
                                m(T, KITH_OPEN_ C) m(T, KITH_OPEN_ D) m(T, KITH_OPEN_ E)           \
                                    m(T, KITH_OPEN_ F) m(T, KITH_OPEN_ G) more(T, KITH_OPEN_ H)
#define KITH_OPEN_(...) __VA_ARGS__

/* The macro for a field of so many parts. One that is not there has 5. */
#define KITH_BY_PARTS_(T, a, b, c, d, e, macro, ...) macro

#define KITH_DECLARE_(...)                                                                         \
    KITH_BY_PARTS_(__VA_ARGS__, KITH_NOTHING_, KITH_DECLARE_GRID_, KITH_DECLARE_ARRAY_,            \
                   KITH_DECLARE_ONE_, KITH_DECLARE_WRONG_, ~)                                      \
    (__VA_ARGS__)
#define KITH_DECLARE_ONE_(T, type, name) type name;
#define KITH_DECLARE_ARRAY_(T, type, name, length) type name[length];
#define KITH_DECLARE_GRID_(T, type, name, rows, columns) type name[rows][columns];

#define KITH_MORE_(...)                                                                            \
    KITH_BY_PARTS_(__VA_ARGS__, KITH_NOTHING_, KITH_TOO_MANY_, KITH_TOO_MANY_, KITH_TOO_MANY_,     \
                   KITH_TOO_MANY_, ~)                                                              \
    (__VA_ARGS__)

#define KITH_DESCRIBE_(...)                                                                        \
    KITH_BY_PARTS_(__VA_ARGS__, KITH_NOTHING_, KITH_DESCRIBE_GRID_, KITH_DESCRIBE_ARRAY_,          \
                   KITH_DESCRIBE_ONE_, KITH_NOTHING_, ~)                                           \
    (__VA_ARGS__)

#define KITH_WRONG_FIELD_ ": a field is (type, name), or an array of it (type, name, length)"
#define KITH_MANY_FIELDS_                                                                          \
    ": KITH_COMPONENT takes up to 32 fields; declare a larger struct by itself, and describe it "  \
    "with KITH_TYPE"

#ifdef __cplusplus

#define KITH_DECLARE_WRONG_(T, ...) static_assert(false, #T KITH_WRONG_FIELD_);
#define KITH_TOO_MANY_(T, ...) static_assert(false, #T KITH_MANY_FIELDS_);

#define KITH_DESCRIBE_ONE_(T, type, name)                                                          \
    kith_field_of_<decltype(T::name)>(#name, {(uint32_t)offsetof(T, name), true}),
#define KITH_DESCRIBE_ARRAY_(T, type, name, length) KITH_DESCRIBE_ONE_(T, type, name)
#define KITH_DESCRIBE_GRID_(T, type, name, rows, columns) KITH_DESCRIBE_ONE_(T, type, name)

#define KITH_COMPONENT_AS_(T, rules, layout, ...)                                                  \
    struct T {                                                                                     \
        KITH_EACH_FIELD_(KITH_DECLARE_, KITH_MORE_, T, __VA_ARGS__)                                \
    };                                                                                             \
    KITH_UNUSED_ static const kith_description_ T##_type(                                          \
        #T, (uint32_t)sizeof(T), (uint32_t)alignof(T), 0,                                          \
        {KITH_EACH_FIELD_(KITH_DESCRIBE_, KITH_NOTHING_, T, __VA_ARGS__)}, layout, true, false,    \
        (uint32_t)(rules));                                                                        \
    KITH_TYPE_OF_(T)

#define KITH_TAG_(T, layout, ...)                                                                  \
    static_assert(kith_is_unqualified_(#T), KITH_UNQUALIFIED_);                                    \
    struct T;                                                                                      \
    KITH_UNUSED_ static const kith_tag_ T##_type(#T, layout);                                      \
    KITH_TYPE_OF_(T)

#else

#define KITH_DECLARE_WRONG_(T, ...) _Static_assert(0, #T KITH_WRONG_FIELD_);
#define KITH_TOO_MANY_(T, ...) _Static_assert(0, #T KITH_MANY_FIELDS_);

#define KITH_DESCRIBE_ONE_(T, type, name) KITH_FIELD_DEDUCED_(T, name, ),
#define KITH_DESCRIBE_ARRAY_(T, type, name, length) KITH_FIELD_DEDUCED_(T, name, [0]),
#define KITH_DESCRIBE_GRID_(T, type, name, rows, columns) KITH_FIELD_DEDUCED_(T, name, [0][0]),

#define KITH_COMPONENT_AS_(T, rules, layout, ...)                                                  \
    typedef struct T {                                                                             \
        KITH_EACH_FIELD_(KITH_DECLARE_, KITH_MORE_, T, __VA_ARGS__)                                \
    } T;                                                                                           \
    KITH_UNUSED_ static const kith_field T##_fields[] = {                                          \
        KITH_EACH_FIELD_(KITH_DESCRIBE_, KITH_NOTHING_, T, __VA_ARGS__)};                          \
    KITH_UNUSED_ static uint32_t T##_number;                                                       \
    KITH_UNUSED_ static const kith_type T##_type = {                                               \
        #T,                                                                                        \
        (uint32_t)sizeof(T),                                                                       \
        (uint32_t) _Alignof(T),                                                                    \
        0,                                                                                         \
        (uint32_t)(sizeof(T##_fields) / sizeof(T##_fields[0])),                                    \
        T##_fields,                                                                                \
        &T##_number,                                                                               \
        layout,                                                                                    \
        true,                                                                                      \
        false,                                                                                     \
        (uint32_t)(rules)}

#define KITH_TAG_(T, layout, ...)                                                                  \
    typedef struct T T;                                                                            \
    KITH_UNUSED_ static uint32_t T##_number;                                                       \
    KITH_UNUSED_ static const kith_type T##_type = {#T,   0,           1,      0,     0,           \
                                                    NULL, &T##_number, layout, false, false, 0}

#endif
#endif
