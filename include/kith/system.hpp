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
                  "a system is a lambda without captures (wrap a function in one): it finds "
                  "what it needs in components, in resources, or through `user`");
}

/* A system's function without captures, kept for as long as the program runs. All objects of such a
 * type are alike, so one is enough. */
template <typename F>
const F &kept(const F *first) noexcept
{
    static const F function = *first;
    return function;
}

/* Whether a function takes batches instead of entities. Its parameter's type tells. */
template <typename Parameters>
struct is_for_batches : std::false_type {
};
template <typename P>
struct is_for_batches<types<P>> : std::is_same<std::decay_t<P>, batches> {
};

/* A system's function for batches, called once. */
template <typename F>
void run_batches(F &f, batches &open)
{
    if constexpr (std::is_same<decltype(f(open)), kith_result>::value) {
        goes_on(open, f(open));
    } else {
        static_assert(std::is_void<decltype(f(open))>::value,
                      "a system returns nothing or a kith_result");
        f(open);
    }
}

/* `run` of a query system for the C calls. */
template <typename F, typename... Terms>
void run_system(kith_iter *it)
{
    const F &f = kept<F>(nullptr);
    batches open(it);
    if constexpr (is_for_batches<parameters<F>>::value) {
        run_batches(f, open);
    } else {
        constexpr unsigned form = checked_form<const F, forms, Terms...>();
        if constexpr (form != forms) {
            call_all<form, const F, Terms...>(f, open);
        }
    }
}

/* Whether a plain system's parameter for dt cannot hold every float. */
template <typename Parameters>
struct loses_dt : std::false_type {
};
template <typename W, typename Dt, typename... Rest>
struct loses_dt<types<W, Dt, Rest...>> : std::bool_constant<loses<Dt, float>()> {
};

/* `update` of a plain system for the C calls. World is kith::world, which is declared later. */
template <typename World, typename F>
kith_result update_system(kith_world *c, kith_iter *it)
{
    const F &f = kept<F>(nullptr);
    World borrowed = World::borrow(c);
    static_assert(!loses_dt<parameters<F>>::value,
                  "a plain system's dt is a float: another type would lose a part of it");
    const auto call = [&] {
        if constexpr (std::is_invocable<const F &, World &, float, void *>::value) {
            return f(borrowed, it->dt, it->user);
        } else {
            static_assert(std::is_invocable<const F &, World &, float>::value,
                          "a plain system takes (kith::world &, float dt), and may take a third, "
                          "void *user");
            return f(borrowed, it->dt);
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
