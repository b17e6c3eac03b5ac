/* Kith: types of components, resources and events.
 *
 *     KITH_COMPONENT(Position, (float, x), (float, y));
 *     KITH_TAG(Frozen);
 *
 * declares `struct Position` and defines `Position_type` and `Frozen_type`, of type kith_type: see
 * <kith/component.h>, which this header includes. A struct that exists is described by KITH_TYPE:
 *
 *     KITH_TYPE(Speed, KITH_FIELD(Speed, dx), KITH_FIELD(Speed, dy));
 *
 * The macros may be used in a header that several files include, and in C++. */
#ifndef KITH_TYPE_H
#define KITH_TYPE_H

#include <kith/base.h>
#include <kith/entity.h>

#if defined(_MSC_VER) && !defined(__clang__) && (!defined(_MSVC_TRADITIONAL) || _MSVC_TRADITIONAL)
#error "Kith needs a preprocessor that follows the standard: compile with /Zc:preprocessor"
#endif

#ifdef __cplusplus
#include <type_traits>
extern "C" {
#endif

/* What a field holds: one such value, or an array of them if the field is larger. */
typedef enum kith_kind {
    KITH_BYTES = 0, /* bytes with a meaning that only you know; all are hashed */
    KITH_PADDING,   /* bytes without meaning: copied, but neither hashed nor compared */
    KITH_BOOL,
    KITH_CHAR, /* an array is text up to the first zero or its end; all of it is hashed */
    KITH_I8,
    KITH_U8,
    KITH_I16,
    KITH_U16,
    KITH_I32,
    KITH_U32,
    KITH_I64,
    KITH_U64,
    KITH_F32,
    KITH_F64,
    KITH_ENTITY, /* a kith_entity */
    KITH_TEXT,   /* a kith_text */
    KITH_OPAQUE /* bytes that only the type's hooks understand: a pointer, a handle of the system, a
                    C++ class. Not hashed, compared, printed or read by name; only in types that are
                    registered with hooks (see kith_hooks) */
} kith_kind;

/* An interned text: see <kith/text.h>. All zero: the empty text, in every world. */
typedef struct kith_text {
    uint32_t number;
} kith_text;

typedef struct kith_field {
    const char *name;
    uint32_t offset; /* bytes from the start of the struct; UINT32_MAX: see KITH_GAP */
    uint32_t size;   /* bytes; 0 for KITH_PADDING means "up to the next field, or the end" */
    kith_kind kind;
} kith_field;

/* Where the values of a type are kept. Queries and calls are the same on all three. */
typedef enum kith_layout {
    KITH_TABLE = 0, /* beside the other components of entities that have the same ones; fastest to
                       loop over; adding or removing moves the entity's row to another table */
    KITH_SPARSE,    /* in a set of its own, densely; cheap to add and remove */
    KITH_SLOT       /* by the entity's slot, with a bit that tells if it is there; cheapest to add
                       and remove; costs memory for entities without it */
} kith_layout;

/* A type: its name, and what its bytes mean. Values are plain bytes: Kith copies, moves and drops
 * them without calling you, so a field must not be a pointer. (But see kith_hooks.)
 *
 * Name, size, alignment, version and fields are the identity of the type: the same name with another
 * struct is another type, and a world takes only one of them. How padding is described does not
 * count. The descriptors that a world gives out leave KITH_PADDING out and have `padded`. */
typedef struct kith_type {
    const char
        *name;      /* letters, digits, `_`, `.` and `:`, not starting with a digit; at most 127 */
    uint32_t size;  /* bytes, up to 1 MiB; 0 for a tag */
    uint32_t align; /* a power of two up to 4,096; `size` is a multiple of it */
    uint32_t version;         /* yours to raise when the struct changes */
    uint32_t field_count;     /* up to 4,096 */
    const kith_field *fields; /* in any order, without overlap, covering every byte; KITH_GAP goes
                                 after the field that it follows */

    /* A zero of its own for each descriptor; only Kith writes it. In a copy that you change, point
     * it to another zero, or set it to NULL, which costs a search at each use. */
    uint32_t *number;

    kith_layout layout; /* the world uses it, unless kith_register names another */
    bool padded;        /* bytes that no field covers are padding; false: they are a mistake */
    bool hooked; /* values own something: it has to be registered, with hooks (kith_register) */
    uint32_t relation; /* kith_relation_rule bits; 0: it is not a relation. See <kith/relation.h> */
} kith_type;

/* KITH_TYPE(T, KITH_FIELD(T, x), ...) describes struct T, which is there already; KITH_COMPONENT
 * declares one and describes it. Does not compile if a field is misspelt, or has a type that cannot be
 * stored (a pointer; a struct: name its parts, as in KITH_FIELD(Body, velocity.x)). Bytes that no field
 * covers make kith_register fail; say with KITH_GAP where the compiler leaves some.
 *
 * The same with another name: KITH_TYPE_NAMED(game_position, "Position", ...) defines
 * `game_position_type`, which is called Position in a world and in texts. */
#define KITH_TYPE_NAMED(T, type_name, ...) KITH_TYPE_AS_(T, type_name, __VA_ARGS__)

/* Describes a struct that is all KITH_OPAQUE. */
#define KITH_OPAQUE_TYPE(T) KITH_TYPE(T, {"value", 0, (uint32_t)sizeof(T), KITH_OPAQUE})

/* KITH_FIELD(Camera, zoom): a field. Its kind is deduced; arrays of one dimension and enums are fine.
 * Otherwise the kind follows: of matrices, KITH_FIELD(Camera, matrix, KITH_F32), and of bytes that only
 * you can read (KITH_BYTES; a struct in there must not have padding). */
#define KITH_FIELD(T, ...)                                                                         \
    KITH_BY_KIND_(__VA_ARGS__, KITH_FIELD_GIVEN_, KITH_FIELD_DEDUCED_, ~)(T, __VA_ARGS__, )
#define KITH_BY_KIND_(field, kind, macro, ...) macro

/* After a field in the list: the bytes from its end to the next field, or to the end of the struct, are
 * padding.
 *     KITH_TYPE(Weapon, KITH_FIELD(Weapon, level), KITH_GAP, KITH_FIELD(Weapon, charge)); */
#define KITH_GAP                                                                                   \
    {                                                                                              \
        "gap", UINT32_MAX, 0, KITH_PADDING                                                         \
    }

/* The size of one value of a kind: 1 for KITH_BYTES, KITH_OPAQUE and KITH_PADDING, 0 for a number
 * that is not a kind. */
KITH_API uint32_t kith_kind_size(kith_kind kind);

/* "f32" for KITH_F32, "entity" for KITH_ENTITY, and so on; "unknown" for other numbers. */
KITH_API const char *kith_kind_name(kith_kind kind);

#ifdef __cplusplus
}
#endif

/* From here on: the parts of the macros. In C++ most are functions, since compilers print a note
 * for each nested macro on the way to a mistake. */

/* What the compiler says about a field that cannot be stored. */
#define KITH_FIELD_HOLDS_                                                                          \
    "a field holds numbers, bools, chars, enums, a kith_entity or a kith_text, or an array of "    \
    "them; instead of a pointer store a kith_entity, of a struct name the parts: KITH_TYPE(Body, " \
    "KITH_FIELD(Body, velocity.x)), of an array of arrays the kind: KITH_FIELD(Body, matrix, "     \
    "KITH_F32)"

#ifdef __cplusplus

template <typename T>
constexpr kith_kind kith_kind_of_integer() noexcept
{
    return std::is_signed<T>::value ? (sizeof(T) == 1   ? KITH_I8
                                       : sizeof(T) == 2 ? KITH_I16
                                       : sizeof(T) == 4 ? KITH_I32
                                                        : KITH_I64)
                                    : (sizeof(T) == 1   ? KITH_U8
                                       : sizeof(T) == 2 ? KITH_U16
                                       : sizeof(T) == 4 ? KITH_U32
                                                        : KITH_U64);
}

/* What the elements of an array are, also of one of arrays; other types themselves. */
template <typename Field>
using kith_element_ = std::remove_cv_t<std::remove_all_extents_t<std::remove_reference_t<Field>>>;

template <typename Field>
constexpr bool kith_can_hold_() noexcept
{
    using T = kith_element_<Field>;
    return (std::is_arithmetic<T>::value && !std::is_same<T, long double>::value) ||
           std::is_enum<T>::value || std::is_same<T, kith_entity>::value ||
           std::is_same<T, kith_text>::value;
}

template <typename Field>
constexpr kith_kind kith_kind_of() noexcept
{
    using T = kith_element_<Field>;
    if constexpr (std::is_same<T, kith_entity>::value) {
        return KITH_ENTITY;
    } else if constexpr (std::is_same<T, kith_text>::value) {
        return KITH_TEXT;
    } else if constexpr (std::is_same<T, bool>::value) {
        return KITH_BOOL;
    } else if constexpr (std::is_same<T, char>::value) {
        return KITH_CHAR;
    } else if constexpr (std::is_enum<T>::value) {
        return kith_kind_of_integer<std::underlying_type_t<T>>();
    } else if constexpr (std::is_floating_point<T>::value) {
        return sizeof(T) == 4 ? KITH_F32 : KITH_F64;
    } else {
        return kith_kind_of_integer<T>();
    }
}

/* The place of a field, and its type. */
template <typename Field>
struct kith_member_ {
    uint32_t offset;
    bool found;
};

/* The result of `find` for a struct, if that has the field. */
template <typename T, typename Find>
constexpr auto kith_find_member_(const Find &find, int) noexcept
    -> decltype(find(static_cast<T *>(nullptr)))
{
    return find(static_cast<T *>(nullptr));
}
template <typename T, typename Find>
constexpr kith_member_<int> kith_find_member_(const Find &, long) noexcept
{
    return {0, false};
}

template <typename Field>
constexpr kith_field kith_field_as_(const char *name, kith_member_<Field> member,
                                    kith_kind kind) noexcept
{
    return {name, member.offset, (uint32_t)sizeof(Field), kind};
}

template <typename Field>
constexpr kith_field kith_field_of_(const char *name, kith_member_<Field> member) noexcept
{
    static_assert(kith_can_hold_<Field>(), KITH_FIELD_HOLDS_);
    return kith_field_as_(name, member, kith_kind_of<Field>());
}

/* A kith_type with its fields and its number, in one declaration. */
template <uint32_t Count>
struct kith_description_ : kith_type {
    kith_field list[Count];
    mutable uint32_t own_number;

    constexpr kith_description_(const char *type_name, uint32_t type_size, uint32_t type_align,
                                uint32_t type_version, const kith_field (&type_fields)[Count],
                                kith_layout type_layout, bool type_padded, bool type_hooked,
                                uint32_t type_relation = 0) noexcept
        : kith_type{type_name, type_size,   type_align,  type_version, Count,
                    list,      &own_number, type_layout, type_padded,  type_hooked, type_relation},
          list(), own_number(0)
    {
        for (uint32_t i = 0; i < Count; i++) {
            list[i] = type_fields[i];
        }
    }
};

struct kith_tag_ : kith_type {
    mutable uint32_t own_number;
    constexpr kith_tag_(const char *type_name, kith_layout type_layout) noexcept
        : kith_type{type_name, 0, 1, 0, 0, nullptr, &own_number, type_layout, false, false, 0},
          own_number(0)
    {
    }
};

constexpr bool kith_is_unqualified_(const char *name) noexcept
{
    while (*name != '\0' && *name != ':') {
        name++;
    }
    return *name == '\0';
}

#define KITH_UNQUALIFIED_                                                                          \
    "KITH_TYPE and KITH_TAG stand in the namespace of the struct, and name it alone"

/* Looks for the field in a template, where a missing one is not an error. */
#define KITH_MEMBER_(T, field)                                                                     \
    [] {                                                                                           \
        constexpr auto kith_found_ = kith_find_member_<T>(                                         \
            [](auto *kith_it_) -> kith_member_<decltype(kith_it_->field)> {                        \
                return {(uint32_t)offsetof(std::remove_pointer_t<decltype(kith_it_)>, field),      \
                        true};                                                                     \
            },                                                                                     \
            0);                                                                                    \
        static_assert(kith_found_.found, #T " has no public field " #field);                       \
        return kith_found_;                                                                        \
    }()
#define KITH_FIELD_DEDUCED_(T, field, empty) kith_field_of_(#field, KITH_MEMBER_(T, field))
#define KITH_FIELD_GIVEN_(T, field, field_kind, empty)                                             \
    kith_field_as_(#field, KITH_MEMBER_(T, field), (field_kind))

/* Lets kith.hpp find the type of T by overload, in T's own namespace, also in C headers. The
 * argument is a pointer to a pointer, which does not convert to that of a base of T. */
#define KITH_TYPE_OF_(T)                                                                           \
    extern "C++" {                                                                                 \
    KITH_UNUSED_ static inline const kith_type *kith_type_of(const T *const *)                     \
    {                                                                                              \
        return &T##_type;                                                                          \
    }                                                                                              \
    }                                                                                              \
    static_assert(true, "")

#define KITH_TYPE_AS_(T, type_name, ...)                                                           \
    static_assert(kith_is_unqualified_(#T), KITH_UNQUALIFIED_);                                    \
    KITH_UNUSED_ static const kith_description_ T##_type(                                          \
        type_name, (uint32_t)sizeof(T), (uint32_t)alignof(T), 0, {__VA_ARGS__}, KITH_TABLE, false, \
        !std::is_trivially_copyable<T>::value);                                                    \
    KITH_TYPE_OF_(T)

/* KITH_TYPE_AS_(T, #T, __VA_ARGS__) without nested macros. */
#define KITH_TYPE(T, ...)                                                                          \
    static_assert(kith_is_unqualified_(#T), KITH_UNQUALIFIED_);                                    \
    KITH_UNUSED_ static const kith_description_ T##_type(                                          \
        #T, (uint32_t)sizeof(T), (uint32_t)alignof(T), 0, {__VA_ARGS__}, KITH_TABLE, false,        \
        !std::is_trivially_copyable<T>::value);                                                    \
    extern "C++" {                                                                                 \
    KITH_UNUSED_ static inline const kith_type *kith_type_of(const T *const *)                     \
    {                                                                                              \
        return &T##_type;                                                                          \
    }                                                                                              \
    }                                                                                              \
    static_assert(true, "")

#else

#define KITH_TYPE_AS_(T, type_name, ...)                                                           \
    KITH_UNUSED_ static const kith_field T##_fields[] = {__VA_ARGS__};                             \
    KITH_UNUSED_ static uint32_t T##_number;                                                       \
    KITH_UNUSED_ static const kith_type T##_type = {                                               \
        type_name,                                                                                 \
        (uint32_t)sizeof(T),                                                                       \
        (uint32_t) _Alignof(T),                                                                    \
        0,                                                                                         \
        (uint32_t)(sizeof(T##_fields) / sizeof(T##_fields[0])),                                    \
        T##_fields,                                                                                \
        &T##_number,                                                                               \
        KITH_TABLE,                                                                                \
        false,                                                                                     \
        false,                                                                                     \
        0}

/* KITH_TYPE_AS_(T, #T, __VA_ARGS__) without nested macros. */
#define KITH_TYPE(T, ...)                                                                          \
    KITH_UNUSED_ static const kith_field T##_fields[] = {__VA_ARGS__};                             \
    KITH_UNUSED_ static uint32_t T##_number;                                                       \
    KITH_UNUSED_ static const kith_type T##_type = {                                               \
        #T,                                                                                        \
        (uint32_t)sizeof(T),                                                                       \
        (uint32_t) _Alignof(T),                                                                    \
        0,                                                                                         \
        (uint32_t)(sizeof(T##_fields) / sizeof(T##_fields[0])),                                    \
        T##_fields,                                                                                \
        &T##_number,                                                                               \
        KITH_TABLE,                                                                                \
        false,                                                                                     \
        false,                                                                                     \
        0}

/* A field whose kind is that of the field, or of what it holds if it is an array; `index` is empty, or
 * names an element as [0] or [0][0]. The struct in there is of no use: it is a place in an expression
 * for what is asserted. Fields are named as few times as can be, and by few nested macros, since
 * compilers complain of each mention of one that the struct does not have. */
#define KITH_FIELD_DEDUCED_(T, field, index)                                                       \
    {                                                                                              \
#field, (uint32_t)offsetof(T, field), (uint32_t)sizeof(((T *)0)->field),                           \
            (kith_kind)(_Generic(&((T *)0)->field index, KITH_KINDS_(KITH_KIND_CASE_) default : 0) \
                        + 0 * sizeof(struct {                                                      \
                            char unused;                                                           \
                            _Static_assert(_Generic(&((T *)0)->field index,                        \
                                                    KITH_KINDS_(KITH_KIND_CASE_) default : 0),     \
                                           #T "." #field ": " KITH_FIELD_HOLDS_);                  \
                        }))                                                                        \
    }
#define KITH_FIELD_GIVEN_(T, field, field_kind, empty)                                             \
    {                                                                                              \
#field, (uint32_t)offsetof(T, field), (uint32_t)sizeof(((T *)0)->field), (field_kind)              \
    }

/* clang-format off */
#define KITH_KIND_CASE_(T, kind)                                                                   \
    T *: (kind), T (*)[]: (kind), const T *: (kind), const T (*)[]: (kind),
#define KITH_KINDS_(m)                                                                             \
    m(_Bool, KITH_BOOL) m(char, KITH_CHAR)                                                         \
    m(signed char, KITH_I8) m(short, KITH_I16) m(int, KITH_I32) m(long long, KITH_I64)             \
    m(unsigned char, KITH_U8) m(unsigned short, KITH_U16) m(unsigned int, KITH_U32)                \
    m(unsigned long long, KITH_U64)                                                                \
    m(long, sizeof(long) == 8 ? KITH_I64 : KITH_I32)                                               \
    m(unsigned long, sizeof(long) == 8 ? KITH_U64 : KITH_U32)                                      \
    m(float, KITH_F32) m(double, KITH_F64) m(kith_entity, KITH_ENTITY) m(kith_text, KITH_TEXT)
/* clang-format on */

#endif

#include <kith/component.h>

#endif
