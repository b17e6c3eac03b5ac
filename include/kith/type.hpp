/* Kith: types for C++17: descriptors, and hooks of classes. */
#ifndef KITH_TYPE_HPP
#define KITH_TYPE_HPP

#include <kith/type.h>
#include <kith/world.h>

#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

namespace kith {

namespace detail {

template <typename T, typename = void>
struct has_type : std::false_type {
};
template <typename T>
struct has_type<T, std::void_t<decltype(kith_type_of(static_cast<const T *const *>(nullptr)))>>
    : std::true_type {
};

template <typename T, typename = void>
struct is_complete : std::false_type {
};
template <typename T>
struct is_complete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {
};

}   // namespace detail

/* The C descriptor of T. */
template <typename T>
const kith_type *type_of() noexcept
{
    static_assert(detail::has_type<T>::value,
                  "Kith does not know this type: describe it with KITH_TYPE or KITH_TAG, in its "
                  "own namespace");
    if constexpr (detail::has_type<T>::value) {
        if constexpr (detail::is_complete<T>::value) {
            static_assert(std::is_trivially_copyable<T>::value ||
                              (std::is_nothrow_move_constructible<T>::value &&
                               std::is_nothrow_destructible<T>::value),
                          "Kith copies values as plain bytes, or by a class's own "
                          "constructors: this type must be trivially copyable, or move and end "
                          "without throwing");
        }
        return kith_type_of(static_cast<const T *const *>(nullptr));
    } else {
        return nullptr;
    }
}

namespace detail {

template <typename T, typename = void>
struct has_hash : std::false_type {
};
template <typename T>
struct has_hash<T, std::void_t<decltype(kith_hash(std::declval<const T &>()))>> : std::true_type {
};

/* KITH_OK, or the result for what `make` threw. */
template <typename F>
kith_result without_exceptions(F &&make) noexcept
{
#if defined(__cpp_exceptions)
    try {
        make();
    } catch (const std::bad_alloc &) {
        return KITH_ERR_MEMORY;
    } catch (...) {
        return KITH_ERR_SYSTEM;
    }
#else
    make();
#endif
    return KITH_OK;
}

/* kith_hooks that call the constructors and the destructor of a class. */
template <typename T>
struct class_hooks {
    static kith_result init(void *values, std::uint32_t count, void *) noexcept
    {
        if constexpr (std::is_default_constructible<T>::value) {
            return without_exceptions(
                [&] { std::uninitialized_value_construct_n(static_cast<T *>(values), count); });
        } else {
            return KITH_ERR_TYPE;
        }
    }

    static kith_result copy(void *to, const void *from, std::uint32_t count, void *) noexcept
    {
        if constexpr (std::is_copy_constructible<T>::value) {
            return without_exceptions([&] {
                std::uninitialized_copy_n(static_cast<const T *>(from), count,
                                          static_cast<T *>(to));
            });
        } else {
            return KITH_ERR_TYPE;
        }
    }

    static void move(void *to, void *from, std::uint32_t count, void *) noexcept
    {
        T *values = static_cast<T *>(from);
        for (std::uint32_t i = 0; i < count; i++) {
            ::new (static_cast<void *>(static_cast<T *>(to) + i)) T(std::move(values[i]));
            values[i].~T();
        }
    }

    static void destroy(void *values, std::uint32_t count, void *) noexcept
    {
        std::destroy_n(static_cast<T *>(values), count);
    }

    static std::uint64_t hash(const void *value, void *) noexcept
    {
        if constexpr (has_hash<T>::value) {
            return kith_hash(*static_cast<const T *>(value));
        } else {
            return 0;
        }
    }

    static constexpr kith_hooks hooks = {init,
                                         std::is_copy_constructible<T>::value ? copy : nullptr,
                                         move,
                                         destroy,
                                         has_hash<T>::value ? hash : nullptr,
                                         nullptr};
};

/* Calls that take `const T &` copy it, so the class must be copyable. */
template <typename T>
constexpr bool can_copy() noexcept
{
    static_assert(is_complete<T>::value, "a tag has no value: add it, by add<T> or kith::zero<T>");
    if constexpr (is_complete<T>::value) {
        static_assert(std::is_copy_constructible<T>::value,
                      "this type cannot be copied: add it, and move into what get_mut finds (of "
                      "a resource, set_resource<T>() and resource_mut; of an event, send<T>() "
                      "alone)");
    }
    return true;
}

}   // namespace detail

/* The hooks of T; NULL for plain bytes. Classes that are not trivially copyable are made, copied,
 * moved and destroyed by their constructors and destructors: as components, in buffers, as resources
 * and events. Exceptions become KITH_ERR_MEMORY (std::bad_alloc) or KITH_ERR_SYSTEM; a missing default
 * constructor is KITH_ERR_TYPE. All other types are plain bytes: zero if no value is given, even if the
 * struct gives its members initial values.
 *
 * Describe a class by KITH_OPAQUE_TYPE, or, if it has standard layout, its members by
 * KITH_FIELD(T, member, KITH_OPAQUE). To include its members in hashes and exact changes, define
 * `std::uint64_t kith_hash(const T &) noexcept` in its namespace. */
template <typename T>
const kith_hooks *hooks_of() noexcept
{
    if constexpr (!detail::is_complete<T>::value) {
        return nullptr;
    } else if constexpr (std::is_trivially_copyable<T>::value) {
        return nullptr;
    } else {
        return &detail::class_hooks<T>::hooks;
    }
}

/* kith::zero<Frozen>: a tag, or a component of zero bytes, in a list of values. */
template <typename T>
struct zero_value {
};
template <typename T>
inline constexpr zero_value<T> zero{};

namespace detail {

template <typename T>
kith_value value_of(const T &value) noexcept
{
    static_assert(can_copy<T>(), "");
    return {type_of<T>(), std::addressof(value)};
}

template <typename T>
kith_value value_of(const zero_value<T> &) noexcept
{
    return {type_of<T>(), nullptr};
}

}   // namespace detail

}   // namespace kith

#endif
