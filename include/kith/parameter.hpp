/* Kith: what a C++17 function that Kith calls may take. The types of its parameters say which entities
 * it is called for, and what it uses. They may be in any order:
 *
 *     T &, const T &              a component, to write or to read: only entities that have it
 *     T *, const T *              the same, NULL if the entity does not have it
 *     kith::changed<T> p          entities whose T may have changed since the last look: `p->x`
 *     kith::any_of<T, 0> p        entities that have one of group 0: `if (p)`
 *     kith::with<T>               entities that have it; without its value, as for tags
 *     kith::without<T>            entities that do not have it
 *     kith::via<R, kith::read<T>> p   entities whose target of the relation R has T: `p->x`
 *     kith::up<kith::read<T>> p       entities with an ancestor that has T: `p->x` of the nearest
 *     kith::entity                the entity
 *     kith::context &             all that can be reached: <kith/context.hpp>
 *     kith::commands &            what is queued there is applied later: <kith/context.hpp>
 *     float                       in a system: seconds, as given to run()
 *
 * Those that declare what a system uses beyond its entities, and give it (<kith/given.hpp>):
 *
 *     kith::lookup<const T>, kith::lookup<T>       components of other entities: `target.get(e)`
 *     kith::before<T>                              the same to read, as they were before the stage
 *     kith::resource<const T>, kith::resource<T>   a resource: `score->points`; false if there is none
 *     kith::events<T>                              events, to read: `for (const T &hit : hits)`
 *     kith::sender<T>                              events, to send: `hits.send({1, 2})`
 *     kith::subquery<Terms...>                     a further query: `foes.each(...)`
 *
 * And in a system that runs alone: kith::world &. */
#ifndef KITH_PARAMETER_HPP
#define KITH_PARAMETER_HPP

#include <kith/context.hpp>
#include <kith/given.hpp>
#include <kith/iter.hpp>
#include <kith/query_term.hpp>

#include <cstdint>
#include <type_traits>

namespace kith {

namespace detail {

template <typename... Ts>
struct types {
};

template <typename... Lists>
struct joined {
    using list = types<>;
};
template <typename... As>
struct joined<types<As...>> {
    using list = types<As...>;
};
template <typename... As, typename... Bs, typename... Rest>
struct joined<types<As...>, types<Bs...>, Rest...> : joined<types<As..., Bs...>, Rest...> {
};

/* ---- The parameters of a function -------------------------------------------------------------- */

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
using parameters = decltype(find_parameters<std::remove_const_t<F>>(0));

/* ---- What each of them is ---------------------------------------------------------------------- */

/* Where a call is: entity number `i` of the batch. */
struct place {
    context &c;
    kith_iter *it;
    std::uint32_t i;
};

/* What a parameter may be besides its own kind. `once` is what is made before the first call. */
struct parameter_base {
    static constexpr bool is_known = true;
    static constexpr bool is_reference_to_value = false;
    static constexpr bool has_value = true;    /* false: a reference to a tag, which has none */
    static constexpr bool is_value = false;    /* of a component, as a reference or a pointer */
    static constexpr bool is_filter = false;   /* a term without a value */
    static constexpr bool is_pointing = false; /* a term with one */
    static constexpr bool is_entity = false;
    static constexpr bool is_context = false;
    static constexpr bool is_batches = false;
    static constexpr bool is_world = false;
    static constexpr bool is_systems = false; /* only in a system */
    static constexpr bool declares = false;   /* what a system uses besides its entities */
    static constexpr bool queues = false;     /* what it queues in a loop is applied after it */
    using terms = types<>;                    /* of the query */
    using lookups = types<>;
    using resources = types<>;
    using events = types<>;
    using subqueries = types<>;
    template <typename Term>
    static constexpr bool takes = false; /* its value is that of this term */
    struct once {
        explicit once(const context &) noexcept {}
    };
    /* Called for each parameter in turn, before the first call. */
    template <typename Once>
    static void enter(Once &, std::uint32_t &) noexcept
    {
    }
    /* Called for each batch. */
    template <typename Term, std::uint32_t Number, typename Once>
    static void batch(Once &, const kith_iter *) noexcept
    {
    }
    /* Whether the batch does not give what has to be there: the query is a kith_query with other terms,
     * which was reported. */
    template <typename Once>
    static bool lacks(const Once &) noexcept
    {
        return false;
    }
};

/* None that Kith can give. */
template <typename P>
struct parameter : parameter_base {
    static constexpr bool is_known = false;
};
template <typename P>
struct parameter<const P> : parameter<P> {
};
/* What is near to one that it can, and is no component. */
template <>
struct parameter<entity &> : parameter<void> {
};
template <>
struct parameter<const context &> : parameter<void> {
};
template <>
struct parameter<const commands &> : parameter<void> {
};
template <>
struct parameter<const batches &> : parameter<void> {
};
template <>
struct parameter<const world &> : parameter<void> {
};

/* What is given by value only. A reference to it would look like one to a component. */
template <typename T>
struct is_by_value : std::false_type {
};
template <typename T>
struct is_by_value<lookup<T>> : std::true_type {
};
template <typename T>
struct is_by_value<before<T>> : std::true_type {
};
template <typename T>
struct is_by_value<resource<T>> : std::true_type {
};
template <typename T>
struct is_by_value<events<T>> : std::true_type {
};
template <typename T>
struct is_by_value<sender<T>> : std::true_type {
};
template <typename... Terms>
struct is_by_value<subquery<Terms...>> : std::true_type {
};
template <typename T>
struct is_by_value<with<T>> : std::true_type {
};
template <typename T>
struct is_by_value<without<T>> : std::true_type {
};
template <typename T>
struct is_by_value<changed<T>> : std::true_type {
};
template <typename T, std::uint32_t Group>
struct is_by_value<any_of<T, Group>> : std::true_type {
};
template <typename R, typename Term>
struct is_by_value<via<R, Term>> : std::true_type {
};
template <auto Member, typename Term>
struct is_by_value<via_field<Member, Term>> : std::true_type {
};
template <typename Term>
struct is_by_value<up<Term>> : std::true_type {
};

struct reference_to_value : parameter_base {
    static constexpr bool is_known = false;
    static constexpr bool is_reference_to_value = true;
};

/* ---- Of the entity */

/* Where the values of a batch begin; NULL if the entities do not have the component. */
template <typename T>
struct batch_values {
    explicit batch_values(const context &) noexcept {}
    T *first = nullptr;
};

template <typename Term, bool IsSure>
struct value_parameter : parameter_base {
    static constexpr bool is_value = true;
    static constexpr bool is_sure = IsSure;
    static constexpr bool has_value = Term::has_value;
    using term = Term;
    using terms = types<Term>;
    using once = batch_values<std::remove_pointer_t<typename Term::pointer>>;
    template <typename Other>
    static constexpr bool takes = std::is_same<typename Other::type, typename Term::type>::value &&
                                          Other::has_value &&Other::is_sure == IsSure &&
                                  (Other::is_write || !Term::is_write);
    template <typename Other, std::uint32_t Number>
    static void batch(once &values, const kith_iter *it) noexcept
    {
        values.first = Other::at(it, Number, 0);
    }
};

/* A component that is there. */
template <typename Term>
struct reference_parameter : value_parameter<Term, true> {
    template <typename Other, std::uint32_t Number>
    static auto &pass(typename value_parameter<Term, true>::once &values, place &at) noexcept
    {
        return values.first[at.i];
    }
    static bool lacks(const typename value_parameter<Term, true>::once &values) noexcept
    {
        return values.first == nullptr;
    }
};

/* A component that may be absent. */
template <typename Term>
struct pointer_parameter : value_parameter<Term, false> {
    template <typename Other, std::uint32_t Number>
    static auto *pass(typename value_parameter<Term, false>::once &values, place &at) noexcept
    {
        return values.first == nullptr ? nullptr : values.first + at.i;
    }
};

template <typename T>
struct parameter<T &>
    : std::conditional_t<is_by_value<T>::value, reference_to_value, reference_parameter<write<T>>> {
};
template <typename T>
struct parameter<const T &>
    : std::conditional_t<is_by_value<T>::value, reference_to_value, reference_parameter<read<T>>> {
};
template <typename T>
struct parameter<T *> : pointer_parameter<optional_mut<T>> {
};
template <typename T>
struct parameter<const T *> : pointer_parameter<optional<T>> {
};

/* A term itself, without a value. */
template <typename Term>
struct filter_parameter : parameter_base {
    static constexpr bool is_filter = true;
    using terms = types<Term>;
    template <typename Other>
    static constexpr bool takes = std::is_same<Other, Term>::value;
    template <typename Other, std::uint32_t Number>
    static Term pass(parameter_base::once &, place &) noexcept
    {
        return {};
    }
};

/* A term itself, which points to its value. */
template <typename Term>
struct pointing_parameter : parameter_base {
    static constexpr bool is_pointing = true;
    using terms = types<Term>;
    using once = batch_values<std::remove_pointer_t<typename Term::pointer>>;
    template <typename Other>
    static constexpr bool takes = std::is_same<Other, Term>::value;
    template <typename Other, std::uint32_t Number>
    static void batch(once &values, const kith_iter *it) noexcept
    {
        values.first = Other::at(it, Number, 0);
    }
    template <typename Other, std::uint32_t Number>
    static Term pass(once &values, place &at) noexcept
    {
        Term given;
        given.value = values.first == nullptr ? nullptr : values.first + at.i;
        return given;
    }
};

template <typename Term>
struct term_parameter
    : std::conditional_t<Term::has_value, pointing_parameter<Term>, filter_parameter<Term>> {
};

template <typename T>
struct parameter<with<T>> : term_parameter<with<T>> {
};
template <typename T>
struct parameter<without<T>> : term_parameter<without<T>> {
};
template <typename T>
struct parameter<changed<T>> : term_parameter<changed<T>> {
};
template <typename T, std::uint32_t Group>
struct parameter<any_of<T, Group>> : term_parameter<any_of<T, Group>> {
};

/* A term of another entity, which points to its value. */
template <typename Term>
struct other_parameter : parameter_base {
    static constexpr bool is_pointing = true;
    using terms = types<Term>;
    struct once {
        explicit once(const context &) noexcept {}
        typename Term::pointer const *first = nullptr;
    };
    template <typename Other>
    static constexpr bool takes = std::is_same<Other, Term>::value;
    template <typename Other, std::uint32_t Number>
    static void batch(once &values, const kith_iter *it) noexcept
    {
        values.first = static_cast<typename Term::pointer const *>(
            kith_term_pointers(it, Number, type_of<typename Term::of_type>()));
    }
    template <typename Other, std::uint32_t Number>
    static Term pass(once &values, place &at) noexcept
    {
        Term given;
        given.value = values.first[at.i];
        return given;
    }
    static bool lacks(const once &values) noexcept { return values.first == nullptr; }
};

template <typename R, typename Term>
struct parameter<via<R, Term>>
    : std::conditional_t<via<R, Term>::has_value, other_parameter<via<R, Term>>,
                         filter_parameter<via<R, Term>>> {
};
template <auto Member, typename Term>
struct parameter<via_field<Member, Term>>
    : std::conditional_t<via_field<Member, Term>::has_value,
                         other_parameter<via_field<Member, Term>>,
                         filter_parameter<via_field<Member, Term>>> {
};
template <typename Term>
struct parameter<up<Term>> : std::conditional_t<up<Term>::has_value, other_parameter<up<Term>>,
                                                filter_parameter<up<Term>>> {
};

template <>
struct parameter<entity> : parameter_base {
    static constexpr bool is_entity = true;
    template <typename Term, std::uint32_t Number>
    static entity pass(once &, place &at) noexcept
    {
        return at.c.entity();
    }
};
template <>
struct parameter<const entity &> : parameter<entity> {
};

/* ---- Of the call */

template <>
struct parameter<float> : parameter_base {
    static constexpr bool is_systems = true;
    template <typename Term, std::uint32_t Number>
    static float pass(once &, place &at) noexcept
    {
        return at.c.dt();
    }
};
template <>
struct parameter<context &> : parameter_base {
    static constexpr bool is_context = true;
    static constexpr bool queues = true;
    template <typename Term, std::uint32_t Number>
    static context &pass(once &, place &at) noexcept
    {
        return at.c;
    }
};
template <>
struct parameter<commands &> : parameter_base {
    static constexpr bool queues = true;
    template <typename Term, std::uint32_t Number>
    static commands &pass(once &, place &at) noexcept
    {
        return at.c.commands();
    }
};
template <>
struct parameter<batches &> : parameter_base {
    static constexpr bool is_batches = true;
    static constexpr bool is_systems = true;
    template <typename Term, std::uint32_t Number>
    static batches &pass(once &, place &at) noexcept
    {
        return static_cast<batches &>(at.c);
    }
};

/* ---- What declares, and gives */

template <typename Given>
struct given_parameter : parameter_base {
    static constexpr bool declares = true;
    using once = Given;
    template <typename Term, std::uint32_t Number>
    static const Given &pass(const Given &given, place &) noexcept
    {
        return given;
    }
};

/* A term that only says how a type is used. */
template <typename T>
using used = std::conditional_t<std::is_const<T>::value, read<std::remove_const_t<T>>,
                                write<std::remove_const_t<T>>>;

template <typename T>
struct parameter<lookup<T>> : parameter_base {
    static constexpr bool declares = true;
    using lookups = types<used<T>>;
    using once = lookup_state<std::remove_const_t<T>>;
    template <typename Term, std::uint32_t Number>
    static kith::lookup<T> pass(once &state, place &) noexcept
    {
        return kith::lookup<T>(state);
    }
};
template <typename T>
struct parameter<before<T>> : parameter_base {
    static constexpr bool declares = true;
    static constexpr bool is_systems = true;
    using lookups = types<term<T, KITH_ACCESS_READ, KITH_AS_BEFORE>>;
    using once = lookup_state<T>;
    template <typename Term, std::uint32_t Number>
    static kith::before<T> pass(once &state, place &) noexcept
    {
        return kith::before<T>(state);
    }
};
template <typename T>
struct parameter<resource<T>> : given_parameter<resource<T>> {
    using resources = types<used<T>>;
};
template <typename T>
struct parameter<sender<T>> : given_parameter<sender<T>> {
    using events = types<used<T>>;
};
template <typename T>
struct parameter<events<T>> : parameter_base {
    static constexpr bool declares = true;
    using events = types<used<const T>>;
    template <typename Term, std::uint32_t Number>
    static kith::events<T> pass(parameter_base::once &, place &at) noexcept
    {
        return at.c.template events<T>();
    }
};

template <typename... Terms>
struct parameter<subquery<Terms...>> : given_parameter<subquery<Terms...>> {
    static constexpr bool is_systems = true;
    using subqueries = types<types<Terms...>>;
    static void enter(subquery<Terms...> &given, std::uint32_t &number) noexcept
    {
        given.number_ = ++number;
    }
};

/* What a list of parameters is and has together. Of one that is unknown, nothing. */
template <typename List>
struct parameter_list {
    using terms = types<>;
};
template <typename... Ps>
struct parameter_list<types<Ps...>> {
    static constexpr bool has_filter = (parameter<Ps>::is_filter || ... || false);
    static constexpr bool has_pointing = (parameter<Ps>::is_pointing || ... || false);
    static constexpr bool has_entity = (parameter<Ps>::is_entity || ... || false);
    static constexpr bool has_batches = (parameter<Ps>::is_batches || ... || false);
    static constexpr bool has_context = (parameter<Ps>::is_context || ... || false);
    static constexpr bool has_systems = (parameter<Ps>::is_systems || ... || false);
    static constexpr bool has_world = (parameter<Ps>::is_world || ... || false);
    static constexpr bool queues = (parameter<Ps>::queues || ... || false);
    /* Whether one of them declares what is used beyond the entity. */
    static constexpr bool declares = (parameter<Ps>::declares || ... || false);
    using terms = typename joined<typename parameter<Ps>::terms...>::list;
    using lookups = typename joined<typename parameter<Ps>::lookups...>::list;
    using resources = typename joined<typename parameter<Ps>::resources...>::list;
    using events = typename joined<typename parameter<Ps>::events...>::list;
    using subqueries = typename joined<typename parameter<Ps>::subqueries...>::list;
};

}   // namespace detail

}   // namespace kith

#endif
