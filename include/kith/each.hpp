/* Kith: how a C++17 function is called for each entity: by kith::query::each, and as a system. It takes,
 * in this order, what it wants of the first three, and a value for each term that has one:
 *
 *     kith::commands &   in a system: what it queues there is applied when all entities were seen
 *     float              in a system: dt
 *     kith::entity
 *     T &                for kith::write<T>
 *     const T &          for kith::read<T> and kith::changed<T>
 *     T *                for kith::optional_mut<T>: NULL if absent
 *     const T *          for kith::optional<T> and kith::any_of<T>: NULL if absent
 *
 * Terms of tags have no value. If it returns bool, false ends the loop; if a kith_result, one that is
 * not KITH_OK does, and is what `each` returns or the system fails with. Otherwise it returns nothing.
 *
 * A generic lambda is called in the same way. Its `auto p` is a copy: write `auto &p`. */
#ifndef KITH_EACH_HPP
#define KITH_EACH_HPP

#include <kith/iter.hpp>

#include <cstdint>
#include <type_traits>
#include <utility>

namespace kith::detail {

template <typename... Ts>
struct types {
};

/* ---- What a function takes -------------------------------------------------------------------- */

template <typename R, typename... Ps>
types<Ps...> parameters_of(R (*)(Ps...));
template <typename C, typename R, typename... Ps>
types<Ps...> parameters_of(R (C::*)(Ps...));
template <typename C, typename R, typename... Ps>
types<Ps...> parameters_of(R (C::*)(Ps...) const);

struct unknown_parameters {};

template <typename F>
auto find_parameters(int) -> decltype(parameters_of(&F::operator()));
template <typename F>
auto find_parameters(long) -> decltype(parameters_of(std::declval<std::decay_t<F>>()));
template <typename F>
unknown_parameters find_parameters(...);

/* The parameters of F, as a list of types; unknown where it has several forms, or is generic. */
template <typename F>
using parameters = decltype(find_parameters<F>(0));

/* What is lost where an argument of type A goes to a parameter of type P, though C++ lets it pass: a
 * write to a copy, parts of a second, a pointer that becomes a bool. */
template <typename P, typename A>
constexpr bool loses() noexcept
{
    using plain = std::decay_t<P>;
    if constexpr (std::is_same<A, float>::value) {
        return !std::is_floating_point<plain>::value;
    } else if constexpr (std::is_pointer<A>::value) {
        return !std::is_pointer<plain>::value;
    } else {
        return std::is_lvalue_reference<A>::value &&
               !std::is_const<std::remove_reference_t<A>>::value && !std::is_reference<P>::value;
    }
}

/* Whether F can be called with arguments of these types; `loss` tells whether it would lose one. */
template <typename F, typename Arguments, typename Parameters = parameters<F>>
struct call_of;
template <typename F, typename... As, typename Parameters>
struct call_of<F, types<As...>, Parameters> {
    static constexpr bool is_possible = std::is_invocable<F &, As...>::value;
    static constexpr bool loss = false;
};
template <typename F, typename... As, typename... Ps>
struct call_of<F, types<As...>, types<Ps...>> {
    static constexpr bool is_possible =
        sizeof...(As) == sizeof...(Ps) && std::is_invocable<F &, As...>::value;
    static constexpr bool loss = [] {
        if constexpr (sizeof...(As) == sizeof...(Ps)) {
            return (loses<Ps, As>() || ... || false);
        } else {
            return false;
        }
    }();
};

/* ---- What it is called with ------------------------------------------------------------------- */

template <typename Term>
using pointed = std::remove_pointer_t<typename Term::pointer>;
template <typename Term>
using argument = std::conditional_t<Term::is_sure, pointed<Term> &, typename Term::pointer>;

template <typename... Lists>
struct joined;
template <typename... As>
struct joined<types<As...>> {
    using list = types<As...>;
};
template <typename... As, typename... Bs, typename... Rest>
struct joined<types<As...>, types<Bs...>, Rest...> : joined<types<As..., Bs...>, Rest...> {
};

/* The values of the terms that have any. */
template <typename... Terms>
using values_of =
    typename joined<types<>,
                    std::conditional_t<Terms::has_value, types<argument<Terms>>, types<>>...>::list;

/* A form of a call: what comes before the values, as bits. */
enum : unsigned { takes_entity = 1, takes_dt = 2, takes_commands = 4, forms = 8 };

template <unsigned Form, typename... Terms>
using arguments =
    typename joined<std::conditional_t<(Form & takes_commands) != 0, types<commands &>, types<>>,
                    std::conditional_t<(Form & takes_dt) != 0, types<float>, types<>>,
                    std::conditional_t<(Form & takes_entity) != 0, types<entity>, types<>>,
                    values_of<Terms...>>::list;

/* The first form from `Form` on, below `Forms`, in which F can be called; `Forms` if there is none.
 * Later forms are not tried: a generic lambda is compiled for each one that is. */
template <typename F, unsigned Form, unsigned Forms, typename... Terms>
constexpr unsigned form_of() noexcept
{
    if constexpr (Form == Forms) {
        return Forms;
    } else if constexpr (call_of<F, arguments<Form, Terms...>>::is_possible) {
        return Form;
    } else {
        return form_of<F, Form + 1, Forms, Terms...>();
    }
}

/* ---- The call --------------------------------------------------------------------------------- */

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

/* One entity of a batch: what the form has before the values, one after the other. */
template <unsigned Form, typename Call, typename F, typename... Before>
auto call_one(F &f, const kith_iter *it, std::uint32_t i, Before &&...before)
{
    if constexpr ((Form & takes_commands) != 0) {
        commands later = commands::borrow(it->commands);
        return call_one<Form & ~takes_commands, Call>(f, it, i, later);
    } else if constexpr ((Form & takes_dt) != 0) {
        return call_one<Form & ~takes_dt, Call>(f, it, i, std::forward<Before>(before)...,
                                                float{it->dt});
    } else if constexpr ((Form & takes_entity) != 0) {
        return call_one<Form & ~takes_entity, Call>(f, it, i, std::forward<Before>(before)...,
                                                    kith_entities(it)[i]);
    } else {
        return Call::call(f, it, i, std::forward<Before>(before)...);
    }
}

/* Whether a loop goes on after a call that returned this. */
inline bool goes_on(batches &, bool wanted) noexcept
{
    return wanted;
}

inline bool goes_on(batches &open, kith_result result) noexcept
{
    if (result != KITH_OK) {
        open.fail(result);
    }
    return result == KITH_OK;
}

/* All entities. */
template <unsigned Form, typename F, typename... Terms>
void call_all(F &f, batches &open)
{
    using call = caller<0, Terms...>;
    using result = decltype(call_one<Form, call>(f, open.c(), 0));
    constexpr bool tells =
        std::is_same<result, bool>::value || std::is_same<result, kith_result>::value;
    static_assert(tells || std::is_void<result>::value,
                  "this function returns nothing, a bool of which false ends the loop, or a "
                  "kith_result that ends it where it is not KITH_OK: another value would be lost");
    while (open.next()) {
        for (std::uint32_t i = 0; i < open.count(); i++) {
            if constexpr (!tells) {
                call_one<Form, call>(f, open.c(), i);
            } else if (!goes_on(open, call_one<Form, call>(f, open.c(), i))) {
                kith_iter_end(open.c());
                return;
            }
        }
    }
}

/* The form in which F is called below `Forms`, with a sentence where there is none. */
template <typename F, unsigned Forms, typename... Terms>
constexpr unsigned checked_form() noexcept
{
    constexpr unsigned form = form_of<F, 0, Forms, Terms...>();
    static_assert(form != Forms,
                  "this function does not fit the query's terms: it takes, in their order, "
                  "`T &` for write<T>, `const T &` for read<T>, a pointer for optional, "
                  "optional_mut and any_of, and nothing for with, without and tags; before them it "
                  "may take `kith::entity`, and in a system `kith::commands &` and `float dt` "
                  "before that");
    if constexpr (form != Forms) {
        static_assert(!call_of<F, arguments<form, Terms...>>::loss,
                      "this function would lose a value: it takes `T &` for write<T>, a pointer "
                      "for optional, optional_mut and any_of, and `float` for dt");
    }
    return form;
}

}   // namespace kith::detail

#endif
