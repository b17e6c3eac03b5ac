/* Kith: sorting for C++17: what kith::world::sort and sort_descending take. */
#ifndef KITH_SORT_HPP
#define KITH_SORT_HPP

#include <kith/sort.h>
#include <kith/type.hpp>

#include <cstdint>
#include <memory>
#include <type_traits>

namespace kith::detail {

/* The name of the member that is described; a name that no field has if it is not. */
template <typename T, typename Member>
const char *field_name(Member member) noexcept
{
    alignas(T) static unsigned char room[sizeof(T)];
    const T *value = reinterpret_cast<const T *>(room);
    const auto *place = reinterpret_cast<const unsigned char *>(std::addressof(value->*member));
    const kith_type *type = type_of<T>();
    for (std::uint32_t i = 0; i < type->field_count; i++) {
        const kith_field &field = type->fields[i];
        if (field.kind != KITH_PADDING && room + field.offset == place &&
            field.size == sizeof(value->*member)) {
            return field.name;
        }
    }
    return "(a member that its description leaves out)";
}

/* Whether one value comes before another, as kith_sort asks. */
template <typename T, typename Before>
int compare(const void *a, const void *b, void *user) noexcept
{
    Before &before = *static_cast<Before *>(user);
    const T &left = *static_cast<const T *>(a);
    const T &right = *static_cast<const T *>(b);
    return before(left, right) ? -1 : before(right, left) ? 1 : 0;
}

/* By a field's name, a pointer to a member, the hierarchy, or a function that says what comes before
 * what. */
template <typename T, typename By>
kith_result sort(kith_world *world, By by, bool descending) noexcept
{
    kith_sort_def def{};
    def.type = type_of<T>();
    def.descending = descending;
    constexpr bool is_member =
        std::is_member_object_pointer<By>::value && std::is_invocable<By, const T &>::value;
    constexpr bool compares = std::is_invocable_r<bool, By &, const T &, const T &>::value;
    if constexpr (std::is_same<By, kith_order>::value) {
        def.order = by;
    } else if constexpr (std::is_convertible<By, const char *>::value) {
        def.field = by;
    } else if constexpr (is_member) {
        def.field = field_name<T>(by);
    } else if constexpr (compares) {
        def.compare = compare<T, By>;
        def.user = std::addressof(by);
    } else {
        static_assert(compares,
                      "sort takes a pointer to a member, the name of a field, or a function "
                      "that tells of two values whether the first comes before the second; or "
                      "KITH_PARENTS_FIRST or KITH_CHILDREN_FIRST");
    }
    return kith_sort(world, &def);
}

}   // namespace kith::detail

#endif
