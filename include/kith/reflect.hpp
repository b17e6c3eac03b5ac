/* Kith: values as text for C++17, by <kith/reflect.h>. */
#ifndef KITH_REFLECT_HPP
#define KITH_REFLECT_HPP

#include <kith/reflect.h>
#include <kith/world_values.hpp>

#include <cstddef>
#include <memory>
#include <string_view>

namespace kith {

/* A text that is short, or cut off after Size - 1 bytes: `length` is that of the whole text. */
template <std::size_t Size = 1024>
struct printed {
    char bytes[Size] = {};
    std::size_t length = 0;

    const char *c_str() const noexcept { return bytes; }
    bool is_whole() const noexcept { return length < Size; }
    operator std::string_view() const noexcept { return {bytes, is_whole() ? length : Size - 1}; }
};

namespace detail {

/* The methods of a world about values as text. */
class world_texts : public world_values {
public:
    using world_values::world_values;

    /* `{ x = 1, y = 2 }`: std::puts(world.print(Position{1, 2}).c_str()) */
    template <std::size_t Size = 1024, typename T>
    printed<Size> print(const T &value) const noexcept
    {
        printed<Size> text;
        text.length = kith_print_value(c(), type_of<T>(), std::addressof(value), text.bytes, Size);
        return text;
    }
    /* All components of an entity; an empty text if it is dead. */
    template <std::size_t Size = 1024>
    printed<Size> print_entity(entity e) const noexcept
    {
        printed<Size> text;
        (void)kith_print_entity(c(), e, text.bytes, Size, &text.length);
        return text;
    }

    /* Reads a value: parse("{ x = 1 }", position). On failure it is as it was; error() tells why. */
    template <typename T>
    kith_result parse(const char *text, T &value) noexcept
    {
        return kith_parse_value(c(), type_of<T>(), text, std::addressof(value));
    }
    /* Sets the components that the text names: parse_entity(e, "Position { x = 1 }"). */
    kith_result parse_entity(entity e, const char *text) noexcept
    {
        return kith_parse_entity(c(), e, text);
    }
    /* Sets one field of a component: set_field<Gun>(e, "marks[1]", "7"). */
    template <typename T>
    kith_result set_field(entity e, const char *field, const char *text) noexcept
    {
        return kith_field_from_text(c(), e, type_of<T>(), field, text);
    }
};

}   // namespace detail

}   // namespace kith

#endif
