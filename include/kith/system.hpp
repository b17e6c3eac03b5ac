/* Kith: how a C++17 lambda becomes a system, for add_system in <kith/world.hpp>. */
#ifndef KITH_SYSTEM_HPP
#define KITH_SYSTEM_HPP

#include <kith/each.hpp>
#include <kith/system.h>

#include <type_traits>

namespace kith::detail {

template <typename F>
void require_no_capture() noexcept
{
    static_assert(std::is_class<F>::value && std::is_empty<F>::value,
                  "a system is a lambda without captures (wrap a function in one): what it needs "
                  "is in components, in resources, or behind `user`");
}

/* A system's function without captures, kept for as long as the program runs. All objects of such a
 * type are alike, so one stands for all. */
template <typename F>
const F &kept(const F *first) noexcept
{
    static const F function = *first;
    return function;
}

/* What a query system is to the C calls. */
template <typename F, typename... Terms>
void run_system(kith_iter *it)
{
    const F &f = kept<F>(nullptr);
    batches open(it);
    if constexpr (std::is_invocable<const F &, batches &>::value) {
        f(open);
    } else {
        call_all<const F, Terms...>(f, open);
    }
}

/* What a plain system is to them. World is kith::world, which has add_system and so comes after this. */
template <typename World, typename F>
kith_result update_system(kith_world *c, float dt, void *user)
{
    const F &f = kept<F>(nullptr);
    World borrowed = World::borrow(c);
    const auto call = [&] {
        if constexpr (std::is_invocable<const F &, World &, float, void *>::value) {
            return f(borrowed, dt, user);
        } else {
            static_assert(std::is_invocable<const F &, World &, float>::value,
                          "a plain system takes (kith::world &, float dt), and may take a third, "
                          "void *user");
            return f(borrowed, dt);
        }
    };
    if constexpr (std::is_same<decltype(call()), kith_result>::value) {
        return call();
    } else {
        static_assert(std::is_void<decltype(call())>::value,
                      "a plain system returns nothing or a kith_result");
        call();
        return KITH_OK;
    }
}

}   // namespace kith::detail

#endif
