/* Kith: handles of entities and of interned texts, for C++17. */
#ifndef KITH_ENTITY_HPP
#define KITH_ENTITY_HPP

#include <kith/entity.h>
#include <kith/text.h>

inline bool operator==(kith_entity a, kith_entity b) noexcept
{
    return kith_entity_equal(a, b);
}

inline bool operator!=(kith_entity a, kith_entity b) noexcept
{
    return !kith_entity_equal(a, b);
}

inline bool operator==(kith_text a, kith_text b) noexcept
{
    return kith_text_equal(a, b);
}

inline bool operator!=(kith_text a, kith_text b) noexcept
{
    return !kith_text_equal(a, b);
}

namespace kith {

using entity = kith_entity;
using text = kith_text;
inline constexpr entity none{0, 0};

}   // namespace kith

#endif
