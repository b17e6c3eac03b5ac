#include "index/want.h"

/* Writes a text that a field is compared with: its number, or its bytes. */
static void want_write_text(const ki_condition_node *want, const ki_texts *texts, uint8_t *at)
{
    if (want->field.kind == KITH_TEXT) {
        uint32_t number = ki_texts_find(texts, want->text, want->length);
        memcpy(at, &number, sizeof number);
    } else {
        memset(at, 0, want->field.size);
        memcpy(at, want->text, want->length);
    }
}

void ki_want_write(const ki_condition_node *want, const ki_texts *texts, uint8_t *at)
{
    const ki_constant c = want->constant;
    if (want->form == KI_CONDITION_STRING) {
        want_write_text(want, texts, at);
        return;
    }
    switch (want->field.kind) {
    case KITH_I8: memcpy(at, &(int8_t){(int8_t)c.i64}, 1); break;
    case KITH_I16: memcpy(at, &(int16_t){(int16_t)c.i64}, 2); break;
    case KITH_I32: memcpy(at, &(int32_t){(int32_t)c.i64}, 4); break;
    case KITH_I64: memcpy(at, &c.i64, 8); break;
    case KITH_U16: memcpy(at, &(uint16_t){(uint16_t)c.u64}, 2); break;
    case KITH_U32: memcpy(at, &(uint32_t){(uint32_t)c.u64}, 4); break;
    case KITH_U64: memcpy(at, &c.u64, 8); break;
    case KITH_F32: memcpy(at, &c.f32, sizeof c.f32); break;
    case KITH_F64: memcpy(at, &c.f64, sizeof c.f64); break;
    case KITH_ENTITY: memcpy(at, &c.entity, sizeof c.entity); break;
    default: *at = (uint8_t)c.u64; break;
    }
}
