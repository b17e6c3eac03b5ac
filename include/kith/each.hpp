/* Kith: how a C++17 function is called for each entity: by kith::query::each, and as a system. It takes,
 * in this order, what it wants of the first three, and a value for each term that has one:
 *
 *     kith::commands &   in a system: what it queues there is applied when all entities were seen
 *     float              in a system: dt
 *     kith::entity
 *     T &                for kith::write<T>
 *     const T &          for kith::read<T> and kith::changed<T>
 *     T *, const T *     for kith::may_write<T>; kith::may_read<T> and kith::either<T>: NULL if absent
 *
 * Terms of tags have no value. If it returns bool, false ends the loop. */
#ifndef KITH_EACH_HPP
#define KITH_EACH_HPP

#include <kith/iter.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace kith::detail {

/* What a function is called with for one entity: the values of the terms that have any, as a list of
 * types, to ask whether it can be called so. */
template <typename... Ts>
struct types {
};

template <typename Term>
using pointed = std::remove_pointer_t<typename Term::pointer>;
template <typename Term>
using argument = std::conditional_t<Term::is_sure, pointed<Term> &, typename Term::pointer>;

template <typename Seen, typename... Terms>
struct arguments;
template <typename... Seen>
struct arguments<types<Seen...>> {
    using list = types<Seen...>;
};
template <typename... Seen, typename Term, typename... Rest>
struct arguments<types<Seen...>, Term, Rest...> {
    static auto next()
    {
        if constexpr (Term::has_value) {
            return arguments<types<Seen..., argument<Term>>, Rest...>{};
        } else {
            return arguments<types<Seen...>, Rest...>{};
        }
    }
    using list = typename decltype(next())::list;
};

template <typename F, typename List, typename... Before>
struct callable;
template <typename F, typename... Ts, typename... Before>
struct callable<F, types<Ts...>, Before...> : std::is_invocable<F &, Before..., Ts...> {
};

/* Calls f(before..., values...) for entity number `i`: takes the terms one by one, each with its
 * number in the query, and skips those without a value. */
template <std::uint32_t Number, typename... Terms>
struct caller;
template <std::uint32_t Number>
struct caller<Number> {
    template <typename F, typename... Arguments>
    static auto call(F &f, const kith_iter *, std::uint32_t, Arguments &&...arguments)
    {
        return f(std::forward<Arguments>(arguments)...);
    }
};
template <std::uint32_t Number, typename Term, typename... Rest>
struct caller<Number, Term, Rest...> {
    template <typename F, typename... Arguments>
    static auto call(F &f, const kith_iter *it, std::uint32_t i, Arguments &&...arguments)
    {
        using next = caller<Number + 1, Rest...>;
        if constexpr (!Term::has_value) {
            return next::call(f, it, i, std::forward<Arguments>(arguments)...);
        } else if constexpr (Term::is_sure) {
            return next::call(f, it, i, std::forward<Arguments>(arguments)...,
                              *Term::at(it, Number, i));
        } else {
            return next::call(f, it, i, std::forward<Arguments>(arguments)...,
                              Term::at(it, Number, i));
        }
    }
};

/* One entity of a batch, in whichever of the allowed forms f can be called. */
template <typename F, typename... Terms>
auto call_one(F &f, const kith_iter *it, std::uint32_t i)
{
    using list = typename arguments<types<>, Terms...>::list;
    using call = caller<0, Terms...>;
    [[maybe_unused]] commands later = commands::borrow(it->commands);
    /* One form after the other, and none behind the first that fits: a generic lambda is compiled for
     * each that is asked for. */
    if constexpr (callable<F, list>::value) {
        return call::call(f, it, i);
    } else if constexpr (callable<F, list, entity>::value) {
        return call::call(f, it, i, kith_entities(it)[i]);
    } else if constexpr (callable<F, list, float>::value) {
        return call::call(f, it, i, float{it->dt});
    } else if constexpr (callable<F, list, float, entity>::value) {
        return call::call(f, it, i, float{it->dt}, kith_entities(it)[i]);
    } else if constexpr (callable<F, list, commands &>::value) {
        return call::call(f, it, i, later);
    } else if constexpr (callable<F, list, commands &, entity>::value) {
        return call::call(f, it, i, later, kith_entities(it)[i]);
    } else if constexpr (callable<F, list, commands &, float>::value) {
        return call::call(f, it, i, later, float{it->dt});
    } else if constexpr (callable<F, list, commands &, float, entity>::value) {
        return call::call(f, it, i, later, float{it->dt}, kith_entities(it)[i]);
    } else {
        static_assert(callable<F, list>::value,
                      "this function does not fit the query's terms: it takes, in their order, "
                      "`T &` for write<T>, `const T &` for read<T>, a pointer for may_read, "
                      "may_write and either, and nothing for with, without and tags; before them "
                      "it may take `kith::commands &` (in a system), `float dt` and "
                      "`kith::entity`: any of them, in this order");
    }
}

/* All entities. A function that returns bool ends the loop by returning false. */
template <typename F, typename... Terms>
void call_all(F &f, batches &open)
{
    using result = decltype(call_one<F, Terms...>(f, open.c(), 0));
    while (open.next()) {
        for (std::uint32_t i = 0; i < open.count(); i++) {
            if constexpr (std::is_same<result, bool>::value) {
                if (!call_one<F, Terms...>(f, open.c(), i)) {
                    kith_iter_end(open.c());
                    return;
                }
            } else {
                call_one<F, Terms...>(f, open.c(), i);
            }
        }
    }
}

}   // namespace kith::detail

#endif
