/* Which of up to 1,024 values satisfy a condition, as masks of 64 values each.
 *
 * What a comparison answers selects a constant bit, and the bits are ORed. Without a branch and with
 * constant lengths, compilers make vector instructions of that. */
#include <kith/floats.h>

#include "query/condition.h"
#include "query/name_path.h"

/* Bit `i` of a word, for values of up to 4 bytes and for values of 8: as wide as the values, so that a
 * vector of one goes with a vector of the other. */
#define MATCH_FOUR(T, i) (T)1 << (i), (T)1 << ((i) + 1), (T)1 << ((i) + 2), (T)1 << ((i) + 3)
#define MATCH_SIXTEEN(T, i)                                                                        \
    MATCH_FOUR(T, i), MATCH_FOUR(T, (i) + 4), MATCH_FOUR(T, (i) + 8), MATCH_FOUR(T, (i) + 12)
static const uint32_t match_bits_32[] = {MATCH_SIXTEEN(uint32_t, 0), MATCH_SIXTEEN(uint32_t, 16)};
static const uint64_t match_bits_64[] = {MATCH_SIXTEEN(uint64_t, 0), MATCH_SIXTEEN(uint64_t, 16),
                                         MATCH_SIXTEEN(uint64_t, 32), MATCH_SIXTEEN(uint64_t, 48)};

/* The lowest `count` bits. */
static inline uint64_t match_lowest(uint32_t count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

/* Copies `count` values, at most 64, of so many bits next to one another, with zeros after them. The
 * loops for 64 have a constant length, and the usual distance too, for the compiler. A constant for
 * three times the size would be slower: gcc makes long shuffles of it. */
#define MATCH_GATHER(bits)                                                                         \
    static const void *match_gather_##bits(const uint8_t *values, size_t stride, uint32_t count,   \
                                           void *to)                                               \
    {                                                                                              \
        uint##bits##_t KI_MAY_ALIAS *gathered = to;                                                \
        if (count < 64) {                                                                          \
            memset(gathered, 0, 64 * sizeof *gathered);                                            \
            for (uint32_t i = 0; i < count; i++) {                                                 \
                memcpy(&gathered[i], values + i * stride, sizeof *gathered);                       \
            }                                                                                      \
        } else if (stride == 2 * sizeof *gathered) {                                               \
            for (uint32_t i = 0; i < 64; i++) {                                                    \
                memcpy(&gathered[i], values + i * (2 * sizeof *gathered), sizeof *gathered);       \
            }                                                                                      \
        } else {                                                                                   \
            for (uint32_t i = 0; i < 64; i++) {                                                    \
                memcpy(&gathered[i], values + i * stride, sizeof *gathered);                       \
            }                                                                                      \
        }                                                                                          \
        return gathered;                                                                           \
    }

MATCH_GATHER(8)
MATCH_GATHER(16)
MATCH_GATHER(32)
MATCH_GATHER(64)

/* Up to 64 values next to one another: where they are, or copied to `gathered`. */
#define MATCH_VALUES(size, values, stride, count, gathered)                                        \
    ((count) == 64 && (stride) == sizeof *(gathered)                                               \
         ? (const void *)(values)                                                                  \
         : match_gather_##size((values), (stride), (count), (gathered)))

/* The mask of `length` values, 1 or 64; `holds` is an expression about `left[k]`. */
#define MATCH_EACH(bits, length, holds)                                                            \
    for (uint32_t first = 0; first < (length); first += bits) {                                    \
        uint##bits##_t half = 0;                                                                   \
        for (uint32_t i = 0; i < ((length) == 1 ? 1 : bits); i++) {                                \
            const uint32_t k = first + i;                                                          \
            half |= -(uint##bits##_t)(holds)&match_bits_##bits[i];                                 \
        }                                                                                          \
        mask |= (uint64_t)half << first;                                                           \
    }                                                                                              \
    break

/* The mask of a comparison with what `right` says. != does not hold for what is not a number. */
#define MATCH_BY_OP(bits, length, right)                                                           \
    switch (op) {                                                                                  \
    case KITH_OP_LESS: MATCH_EACH(bits, length, left[k] < (right));                                \
    case KITH_OP_LESS_EQUAL: MATCH_EACH(bits, length, left[k] <= (right));                         \
    case KITH_OP_GREATER: MATCH_EACH(bits, length, left[k] > (right));                             \
    case KITH_OP_GREATER_EQUAL: MATCH_EACH(bits, length, left[k] >= (right));                      \
    case KITH_OP_EQUAL: MATCH_EACH(bits, length, left[k] == (right));                              \
    default: MATCH_EACH(bits, length, (left[k] < (right)) | (left[k] > (right)));                  \
    }

/* The two calls for values of type T, of `size` bits: against a constant, and against other values. */
#define MATCH_KIND(T, name, size, bits)                                                            \
    typedef T KI_MAY_ALIAS match_##name##_value;                                                   \
    static void match_##name(kith_op op, T constant, const uint8_t *values, size_t stride,         \
                             uint32_t count, uint64_t *masks)                                      \
    {                                                                                              \
        match_##name##_value gathered[64];                                                         \
        if (count == 1) {                                                                          \
            const match_##name##_value *left = memcpy(gathered, values, sizeof *gathered);         \
            uint64_t mask = 0;                                                                     \
            MATCH_BY_OP(bits, 1, constant)                                                         \
            masks[0] = mask;                                                                       \
        } else {                                                                                   \
            for (uint32_t done = 0; done < count; done += 64) {                                    \
                uint32_t rows = ki_min_u32(count - done, 64);                                      \
                const match_##name##_value *left =                                                 \
                    MATCH_VALUES(size, values + done * stride, stride, rows, gathered);            \
                uint64_t mask = 0;                                                                 \
                MATCH_BY_OP(bits, 64, constant)                                                    \
                masks[done / 64] = mask & match_lowest(count - done);                              \
            }                                                                                      \
        }                                                                                          \
    }                                                                                              \
    static void match_both_##name(kith_op op, const uint8_t *values, size_t stride,                \
                                  const uint8_t *others, size_t other_stride, uint32_t count,      \
                                  uint64_t *masks)                                                 \
    {                                                                                              \
        match_##name##_value gathered[64];                                                         \
        match_##name##_value other[64];                                                            \
        for (uint32_t done = 0; done < count; done += 64) {                                        \
            uint32_t rows = ki_min_u32(count - done, 64);                                          \
            const match_##name##_value *left =                                                     \
                MATCH_VALUES(size, values + done * stride, stride, rows, gathered);                \
            const match_##name##_value *right =                                                    \
                MATCH_VALUES(size, others + done * other_stride, other_stride, rows, other);       \
            uint64_t mask = 0;                                                                     \
            MATCH_BY_OP(bits, 64, right[k])                                                        \
            masks[done / 64] = mask & match_lowest(count - done);                                  \
        }                                                                                          \
    }

MATCH_KIND(int8_t, i8, 8, 32)
MATCH_KIND(uint8_t, u8, 8, 32)
MATCH_KIND(int16_t, i16, 16, 32)
MATCH_KIND(uint16_t, u16, 16, 32)
MATCH_KIND(int32_t, i32, 32, 32)
MATCH_KIND(uint32_t, u32, 32, 32)
MATCH_KIND(int64_t, i64, 64, 64)
MATCH_KIND(uint64_t, u64, 64, 64)
MATCH_KIND(float, f32, 32, 32)
MATCH_KIND(double, f64, 64, 64)

/* What a call of each kind of number is given for its constant. */
#define MATCH_NUMBERS(m)                                                                           \
    m(KITH_CHAR, u8, uint8_t, (uint8_t)c.u64);                                                     \
    m(KITH_I8, i8, int8_t, (int8_t)c.i64);                                                         \
    m(KITH_I16, i16, int16_t, (int16_t)c.i64);                                                     \
    m(KITH_I32, i32, int32_t, (int32_t)c.i64);                                                     \
    m(KITH_I64, i64, int64_t, c.i64);                                                              \
    m(KITH_U8, u8, uint8_t, (uint8_t)c.u64);                                                       \
    m(KITH_U16, u16, uint16_t, (uint16_t)c.u64);                                                   \
    m(KITH_U32, u32, uint32_t, (uint32_t)c.u64);                                                   \
    m(KITH_U64, u64, uint64_t, c.u64);                                                             \
    m(KITH_BYTES, u8, uint8_t, (uint8_t)c.u64);                                                    \
    m(KITH_F32, f32, float, c.f32);                                                                \
    m(KITH_F64, f64, double, c.f64)

/* ---- Conditions that are asked value by value */

/* Collects the answers of an expression about value `i`. */
#define MATCH_ONE_BY_ONE(holds)                                                                    \
    memset(masks, 0, (size_t)((count + 63) / 64) * sizeof *masks);                                 \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        masks[i / 64] |= (uint64_t)(holds) << i % 64;                                              \
    }

/* Whether a comparison has an outcome: -1, 0 or 1. */
static inline bool match_has_outcome(kith_op op, int order)
{
    return (((uint32_t)op >> (order + 1)) & 1) != 0;
}

/* A bool, which may be any byte. */
static bool match_bool(const ki_condition_node *node, const uint8_t *value)
{
    uint64_t is = *value != 0;
    return match_has_outcome(node->op, (is > node->constant.u64) - (is < node->constant.u64));
}

static bool match_entity(const ki_condition_node *node, const uint8_t *value)
{
    bool same = memcmp(value, &node->constant.entity, sizeof node->constant.entity) == 0;
    return same == (node->op == KITH_OP_EQUAL);
}

/* The text in a field. */
static const char *match_text_of(const ki_place_of_field *field, const ki_texts *texts,
                                 const uint8_t *value, size_t *length)
{
    if (field->kind == KITH_CHAR) {
        const uint8_t *end = memchr(value, 0, field->size);
        *length = end == NULL ? field->size : (size_t)(end - value);
        return (const char *)value;
    }
    uint32_t number;
    memcpy(&number, value, sizeof number);
    const ki_text *text = ki_texts_at(texts, number);
    *length = text == NULL ? 0 : text->length;
    return text == NULL ? "" : text->bytes;
}

/* Whether a text has another one in it. */
static bool match_contains(const char *text, size_t length, const char *part, size_t part_length)
{
    for (size_t i = 0; i + part_length <= length; i++) {
        if (memcmp(text + i, part, part_length) == 0) {
            return true;
        }
    }
    return false;
}

static bool match_string(const ki_condition_node *node, const ki_texts *texts, const uint8_t *value)
{
    size_t length;
    const char *text = match_text_of(&node->field, texts, value, &length);
    switch (node->op) {
    case KITH_OP_PREFIX:
        return length >= node->length && memcmp(text, node->text, node->length) == 0;
    case KITH_OP_CONTAINS: return match_contains(text, length, node->text, node->length);
    case KITH_OP_LIKE: return ki_is_like(text, length, node->text, node->length);
    default: break;
    }
    bool same = length == node->length && memcmp(text, node->text, length) == 0;
    return same == (node->op == KITH_OP_EQUAL);
}

/* Interned texts: equal ones have the same number. One that is not interned yet equals none. */
static void match_interned(const ki_condition_node *node, const ki_texts *texts,
                           const uint8_t *values, size_t stride, uint32_t count, uint64_t *masks)
{
    uint32_t number =
        node->number != UINT32_MAX ? node->number : ki_texts_find(texts, node->text, node->length);
    match_u32(node->op, number, values, stride, count, masks);
}

static void match_number(const ki_condition_node *node, const uint8_t *values, size_t stride,
                         uint32_t count, uint64_t *masks)
{
    const ki_constant c = node->constant;
#define MATCH_CASE(kind, name, T, of_kind)                                                         \
    case kind: match_##name(node->op, of_kind, values, stride, count, masks); break
    switch (node->field.kind) {
        MATCH_NUMBERS(MATCH_CASE);
    case KITH_BOOL: MATCH_ONE_BY_ONE(match_bool(node, values + i * stride)); break;
    default: KI_ASSERT(false); break;
    }
#undef MATCH_CASE
}

/* The number in a field, as an operand. */
static kith_operand match_operand(kith_kind kind, const uint8_t *value)
{
    kith_operand operand = {.kind = KITH_OPERAND_BOOL};
#define MATCH_READ(T, operand_kind, member)                                                        \
    do {                                                                                           \
        T read;                                                                                    \
        memcpy(&read, value, sizeof read);                                                         \
        operand = (kith_operand){.kind = (operand_kind), .as = {.member = read}};                  \
    } while (0)
    switch (kind) {
    case KITH_BOOL: operand.as.boolean = *value != 0; break;
    case KITH_I8: MATCH_READ(int8_t, KITH_OPERAND_I64, i64); break;
    case KITH_I16: MATCH_READ(int16_t, KITH_OPERAND_I64, i64); break;
    case KITH_I32: MATCH_READ(int32_t, KITH_OPERAND_I64, i64); break;
    case KITH_I64: MATCH_READ(int64_t, KITH_OPERAND_I64, i64); break;
    case KITH_U16: MATCH_READ(uint16_t, KITH_OPERAND_U64, u64); break;
    case KITH_U32: MATCH_READ(uint32_t, KITH_OPERAND_U64, u64); break;
    case KITH_U64: MATCH_READ(uint64_t, KITH_OPERAND_U64, u64); break;
    case KITH_F32: MATCH_READ(float, KITH_OPERAND_F64, f64); break;
    case KITH_F64: MATCH_READ(double, KITH_OPERAND_F64, f64); break;
    default: MATCH_READ(uint8_t, KITH_OPERAND_U64, u64); break;
    }
#undef MATCH_READ
    return operand;
}

double ki_number_read(kith_kind kind, const void *value)
{
    const kith_operand read = match_operand(kind, value);
    switch (read.kind) {
    case KITH_OPERAND_BOOL: return read.as.boolean;
    case KITH_OPERAND_I64: return (double)read.as.i64;
    case KITH_OPERAND_U64: return (double)read.as.u64;
    default: return read.as.f64;
    }
}

/* Whether a point is at most a distance away from a place. */
static bool match_within(const ki_condition_node *node, const uint8_t *value)
{
    const ki_condition_node *distance = node + 1 + node->length;
    double square = 0;
    for (const ki_condition_node *number = node + 1; number < distance; number++) {
        const double apart =
            ki_number_read(number->field.kind, value + number->field.offset) - number->constant.f64;
        square += kith_mul_f64(apart, apart);
    }
    const double most = distance->constant.f64;
    return most >= 0 && square <= kith_mul_f64(most, most);
}

void ki_condition_match(const ki_condition_node *node, const ki_texts *texts, const uint8_t *values,
                        size_t stride, uint32_t count, uint64_t *masks)
{
    if (node->form == KI_CONDITION_NUMBER) {
        match_number(node, values, stride, count, masks);
    } else if (node->form == KI_CONDITION_ENTITY) {
        MATCH_ONE_BY_ONE(match_entity(node, values + i * stride));
    } else if (node->form == KI_CONDITION_WITHIN) {
        MATCH_ONE_BY_ONE(match_within(node, values + i * stride));
    } else if (node->field.kind == KITH_TEXT && node->op <= KITH_OP_GREATER_EQUAL) {
        match_interned(node, texts, values, stride, count, masks);
    } else {
        MATCH_ONE_BY_ONE(match_string(node, texts, values + i * stride));
    }
}

/* ---- Two fields */

/* Numbers of two kinds: the second is made an operand, and the first compared with it. */
static bool match_two_numbers(const ki_condition_node *node, const uint8_t *value,
                              const uint8_t *other)
{
    kith_operand operand = match_operand(node->other.kind, other);
    ki_condition_node one = {.form = KI_CONDITION_NUMBER, .field = node->field};
    uint64_t mask = 0;
    one.op = ki_condition_number(node->op, node->field.kind, &operand, &one.constant);
    match_number(&one, value, 0, 1, &mask);
    return mask != 0;
}

static bool match_two_texts(const ki_condition_node *node, const ki_texts *texts,
                            const uint8_t *value, const uint8_t *other)
{
    size_t length;
    size_t other_length;
    const char *text = match_text_of(&node->field, texts, value, &length);
    const char *other_text = match_text_of(&node->other, texts, other, &other_length);
    bool same = length == other_length && memcmp(text, other_text, length) == 0;
    return same == (node->op == KITH_OP_EQUAL);
}

static bool match_two(const ki_condition_node *node, const ki_texts *texts, const uint8_t *value,
                      const uint8_t *other)
{
    if (node->field.kind == KITH_ENTITY) {
        bool same = memcmp(value, other, sizeof(kith_entity)) == 0;
        return same == (node->op == KITH_OP_EQUAL);
    }
    return ki_condition_is_text(&node->field) ? match_two_texts(node, texts, value, other)
                                              : match_two_numbers(node, value, other);
}

/* False: they are not two numbers of one kind, and nothing was done. */
static bool match_both(const ki_condition_node *node, const uint8_t *values, size_t stride,
                       const uint8_t *others, size_t other_stride, uint32_t count, uint64_t *masks)
{
    if (node->field.kind != node->other.kind || ki_condition_is_text(&node->field)) {
        return false;
    }
#define MATCH_CASE(kind, name, T, of_kind)                                                         \
    case kind:                                                                                     \
        match_both_##name(node->op, values, stride, others, other_stride, count, masks);           \
        break
    switch (node->field.kind) {
        MATCH_NUMBERS(MATCH_CASE);
    default: return false;
    }
#undef MATCH_CASE
    return true;
}

void ki_condition_match_fields(const ki_condition_node *node, const ki_texts *texts,
                               const uint8_t *values, size_t stride, const uint8_t *others,
                               size_t other_stride, uint32_t count, uint64_t *masks)
{
    if (match_both(node, values, stride, others, other_stride, count, masks)) {
        return;
    }
    MATCH_ONE_BY_ONE(match_two(node, texts, values + i * stride, others + i * other_stride));
}
