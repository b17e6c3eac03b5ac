/* Kith: functions that compute keys, for C++17: what indexes and conditions call. */
#ifndef KITH_KEY_HPP
#define KITH_KEY_HPP

#include <kith/index.h>
#include <kith/parameter.hpp>

#include <type_traits>

namespace kith {

namespace detail {

/* How an index or a condition calls F, an object without members. There is one for all worlds. */
template <typename F, typename List>
struct key_call {
    static constexpr bool fits = false;
};
template <typename F, typename V, typename K>
struct key_call<F, types<const V &, K &>> {
    static constexpr bool fits = true;
    using value = V;
    using key = K;
    static bool call(const void *of, void *made, void *user) noexcept
    {
        const F &f = *static_cast<const F *>(user);
        const V &v = *static_cast<const V *>(of);
        K &k = *static_cast<K *>(made);
        if constexpr (std::is_void<decltype(f(v, k))>::value) {
            f(v, k);
            return true;
        } else {
            return f(v, k);
        }
    }
};

/* Whether F can compute keys. What cannot does not compile. */
template <typename F>
constexpr bool is_key() noexcept
{
    constexpr bool fits = key_call<F, parameters<F>>::fits;
    static_assert(std::is_empty<F>::value,
                  "a key is computed by a lambda that captures nothing: of the value alone");
    static_assert(fits, "a key is computed by a lambda (const Value &, Key &)");
    return std::is_empty<F>::value && fits;
}

/* The one object of its type that is called. */
template <typename F>
void *kept_key(const F &function) noexcept
{
    static const F kept(function);
    return const_cast<F *>(&kept);
}

}   // namespace detail

}   // namespace kith

#endif
