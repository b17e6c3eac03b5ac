/* Kith: conditions on values, for C++17.
 *
 *     auto weak = world.query<kith::read<Position>>(kith::field(&Health::current) < 20);
 *     auto hurt = world.query<>(kith::field(&Health::current) < kith::field(&Health::maximum),
 *                               !(kith::field(&Unit::level) == 3 || kith::prefix(&Unit::name, "old ")));
 *     auto below = world.query<>(kith::field(&Unit::level) < kith_bound("level"));
 *     auto foes = world.query<>(kith::field(&Team::number) !=
 *                               kith::its_via<Targets>(kith::field(&Team::number)));
 *     below.bind("level", 5);
 *
 * All conditions of a query have to hold. What they mean is told in <kith/condition.h>. They point to
 * texts that they are given until the query is made. */
#ifndef KITH_CONDITION_HPP
#define KITH_CONDITION_HPP

#include <kith/condition.h>
#include <kith/hierarchy.h>
#include <kith/key.hpp>
#include <kith/name.h>
#include <kith/query_term.hpp>
#include <kith/type.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace kith {

template <typename T, typename Field>
struct field_of;

namespace detail {

template <typename V>
struct is_field : std::false_type {
};
template <typename T, typename Field>
struct is_field<field_of<T, Field>> : std::true_type {
};

/* The field of that offset and size, by its name; an empty name if it is a part of one. */
inline kith_operand operand_of_field(const kith_type *type, std::uint32_t offset,
                                     std::uint32_t size) noexcept
{
    for (std::uint32_t i = 0; i < type->field_count; i++) {
        const kith_field &known = type->fields[i];
        if (known.offset == offset && known.size == size) {
            return kith_operand_field_(type, known.name, size);
        }
    }
    return kith_operand_field_(type, "", size);
}

/* A field of another entity, or the query's entity: each operand leads to the next one. */
template <std::size_t N>
struct way {
    std::array<kith_operand, N> steps;
};

template <typename V>
struct is_way : std::false_type {
};
template <std::size_t N>
struct is_way<way<N>> : std::true_type {
};

/* What a field is compared with. */
template <typename V>
kith_operand operand_of(const V &value) noexcept
{
    if constexpr (std::is_same<V, kith_operand>::value) {
        return value;
    } else if constexpr (is_field<V>::value) {
        return operand_of_field(type_of<typename V::of>(), value.offset,
                                static_cast<std::uint32_t>(V::size));
    } else if constexpr (std::is_same<V, bool>::value) {
        return kith_operand_bool_(value);
    } else if constexpr (std::is_same<V, char>::value) {
        return kith_operand_char_(value);
    } else if constexpr (std::is_floating_point<V>::value) {
        static_assert(!std::is_same<V, long double>::value, "a long double is not compared");
        return kith_operand_f64_(static_cast<double>(value));
    } else if constexpr (std::is_enum<V>::value) {
        return operand_of(static_cast<std::underlying_type_t<V>>(value));
    } else if constexpr (std::is_integral<V>::value && std::is_signed<V>::value) {
        return kith_operand_i64_(value);
    } else if constexpr (std::is_integral<V>::value) {
        return kith_operand_u64_(value);
    } else if constexpr (std::is_same<V, kith_entity>::value) {
        return kith_operand_entity_(value);
    } else if constexpr (std::is_same<V, kith_text>::value) {
        return kith_operand_text_(value);
    } else {
        static_assert(
            std::is_convertible<V, const char *>::value,
            "a field is compared with a number, a bool, a text, a kith_text, a kith_entity,"
            " a kith::field or kith_bound");
        return kith_operand_string_(value);
    }
}

struct condition_base {};

template <typename C>
using if_condition = std::enable_if_t<std::is_base_of<condition_base, C>::value, int>;

/* A condition about one field. */
struct leaf : condition_base {
    const kith_type *type;
    kith_condition c;

    leaf(const kith_type *of, std::uint32_t offset, std::uint32_t size, kith_op op,
         const kith_operand &value) noexcept
        : type(of), c{op, nullptr, offset, size, value, nullptr, nullptr, nullptr, nullptr}
    {
    }
    kith_term term() const noexcept { return {type, KITH_ACCESS_NONE, KITH_MUST, 0, &c}; }
};

/* The same, about a field of T. */
template <typename T>
struct leaf_about : leaf {
    using leaf::leaf;
};

/* The same, compared with a way. What leads from one step to the next is set when the query is made. */
template <std::size_t N>
struct leaf_of_way : condition_base {
    const kith_type *type;
    mutable way<N> to;
    mutable kith_condition c;

    leaf_of_way(const kith_type *of, std::uint32_t offset, std::uint32_t size, kith_op op,
                const way<N> &value) noexcept
        : type(of), to(value), c{op, nullptr, offset, size, {}, nullptr, nullptr, nullptr, nullptr}
    {
    }
    kith_term term() const noexcept
    {
        for (std::size_t i = 0; i + 1 < N; i++) {
            to.steps[i].of = &to.steps[i + 1];
        }
        c.value = to.steps[0];
        return {type, KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

/* A distance from a place of T: its numbers, and the end of the list. */
template <typename T, std::size_t N>
struct distance_of : condition_base {
    const kith_type *type;
    std::array<kith_operand, N + 1> numbers;
    mutable kith_condition c = {};

    distance_of(const kith_type *of, const std::array<kith_operand, N + 1> &given) noexcept
        : type(of), numbers(given)
    {
    }
    kith_term term() const noexcept
    {
        c.op = KITH_OP_WITHIN;
        c.values = numbers.data();
        return {type, KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

/* A group of conditions. Its list is filled in when the query is made, when it moves no more. */
template <typename... Cs>
struct condition_group : condition_base {
    kith_op op;
    std::tuple<Cs...> of;
    mutable kith_term list[sizeof...(Cs) + 1] = {};
    mutable kith_condition c = {};

    condition_group(kith_op how, const Cs &...cs) noexcept : op(how), of(cs...) {}
    kith_term term() const noexcept
    {
        std::size_t i = 0;
        std::apply([&](const Cs &...cs) { ((list[i++] = cs.term()), ...); }, of);
        c.op = op;
        c.terms = list;
        return {nullptr, KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

/* Whether a condition about a computed K may be C. What is no field is told when the query is made. */
template <typename K, typename C>
struct may_ask : std::true_type {
};
template <typename K, typename T>
struct may_ask<K, leaf_about<T>> : std::is_same<K, T> {
};
template <typename K, typename T, std::size_t N>
struct may_ask<K, distance_of<T, N>> : std::is_same<K, T> {
};
template <typename K, typename... Cs>
struct may_ask<K, condition_group<Cs...>> : std::conjunction<may_ask<K, Cs>...> {
};

/* A condition about what a function computes. */
template <typename T, typename C>
struct condition_of_key : condition_base {
    C of;
    mutable kith_term list[2] = {};
    mutable kith_condition c = {};

    condition_of_key(kith_index_key_fn key, void *user, const C &asked) noexcept : of(asked)
    {
        c.op = KITH_OP_KEY;
        c.key = key;
        c.user = user;
    }
    kith_term term() const noexcept
    {
        list[0] = of.term();
        c.terms = list;
        return {type_of<T>(), KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

/* A condition about another entity. */
template <typename R, kith_op Op, typename C>
struct condition_of_other : condition_base {
    C of;
    mutable kith_term list[2] = {};
    mutable kith_condition c = {};

    explicit condition_of_other(const C &asked) noexcept : of(asked) {}
    kith_term term() const noexcept
    {
        list[0] = of.term();
        c.op = Op;
        c.terms = list;
        return {type_of<R>(), KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

}   // namespace detail

/* A field of a component: kith::field(&Health::current); of an array, kith::field(&Bag::marks)[2]. */
template <typename T, typename Field>
struct field_of {
    using of = T;
    static constexpr std::size_t size = sizeof(Field);
    std::uint32_t offset;

    auto operator[](std::size_t i) const noexcept
    {
        using element = std::remove_extent_t<Field>;
        static_assert(std::is_array<Field>::value, "only an array has values with a number");
        return field_of<T, element>{offset + static_cast<std::uint32_t>(i * sizeof(element))};
    }
    template <typename V>
    detail::leaf_about<T> compared(kith_op op, const V &value) const noexcept
    {
        return {type_of<T>(), offset, sizeof(Field), op, detail::operand_of(value)};
    }
    template <std::size_t N>
    detail::leaf_of_way<N> compared(kith_op op, const detail::way<N> &value) const noexcept
    {
        return {type_of<T>(), offset, sizeof(Field), op, value};
    }
    template <typename V>
    auto operator<(const V &value) const noexcept
    {
        return compared(KITH_OP_LESS, value);
    }
    template <typename V>
    auto operator<=(const V &value) const noexcept
    {
        return compared(KITH_OP_LESS_EQUAL, value);
    }
    template <typename V>
    auto operator==(const V &value) const noexcept
    {
        return compared(KITH_OP_EQUAL, value);
    }
    template <typename V>
    auto operator!=(const V &value) const noexcept
    {
        return compared(KITH_OP_NOT_EQUAL, value);
    }
    template <typename V>
    auto operator>(const V &value) const noexcept
    {
        return compared(KITH_OP_GREATER, value);
    }
    template <typename V>
    auto operator>=(const V &value) const noexcept
    {
        return compared(KITH_OP_GREATER_EQUAL, value);
    }
};

template <typename T, typename Field>
field_of<T, Field> field(Field T::*member) noexcept
{
    return {detail::offset_of(member)};
}

/* The text in a field begins with another one, or contains it. */
template <typename T, typename Field, typename V>
detail::leaf_about<T> prefix(Field T::*member, const V &part) noexcept
{
    return field(member).compared(KITH_OP_PREFIX, part);
}
template <typename T, typename Field, typename V>
detail::leaf_about<T> contains(Field T::*member, const V &part) noexcept
{
    return field(member).compared(KITH_OP_CONTAINS, part);
}

/* The text in a field is as `part` says, in which "*" is for any bytes, or none. */
template <typename T, typename Field, typename V>
detail::leaf_about<T> like(Field T::*member, const V &part) noexcept
{
    return field(member).compared(KITH_OP_LIKE, part);
}

/* The point of the fields x and y of T is at most so far from a place, as KITH_IF_WITHIN:
 *     kith::within<Position>(3, 4, 10), or with x, y, z and the distance */
template <typename T, typename... Vs>
detail::distance_of<T, sizeof...(Vs)> within(const Vs &...numbers) noexcept
{
    static_assert(sizeof...(Vs) == 3 || sizeof...(Vs) == 4,
                  "kith::within takes x, y and the distance, or x, y, z and the distance");
    return {type_of<T>(), {{detail::operand_of(numbers)..., kith_operand{}}}};
}

/* What a lambda computes from a component satisfies a condition, as KITH_IF_KEY. An index by this lambda
 * is found by the query: keep it in a variable, since each lambda expression has a type of its own.
 *     constexpr auto danger = [](const Health &h, Danger &d) {
 *         d.level = 1 - float(h.current) / float(h.most);
 *     };
 *     auto index = world.ordered_index(danger, &Danger::level);
 *     auto query = world.query<>(kith::key_if(danger, kith::field(&Danger::level) > 0.5f)); */
template <typename F, typename C, detail::if_condition<C> = 0>
auto key_if(const F &function, const C &condition) noexcept
{
    using made_by = detail::key_call<F, detail::parameters<F>>;
    if constexpr (detail::is_key<F>()) {
        static_assert(detail::may_ask<typename made_by::key, C>::value,
                      "the fields are those of the key that the lambda writes");
        return detail::condition_of_key<typename made_by::value, C>(
            made_by::call, detail::kept_key(function), condition);
    }
}

/* The path of names of the entity is that, or is like it, as KITH_IF_PATH and KITH_IF_PATH_LIKE. */
template <typename V>
detail::leaf path(const V &is) noexcept
{
    return {type_of<kith_name>(), 0, 0, KITH_OP_PATH, detail::operand_of(is)};
}
template <typename V>
detail::leaf path_like(const V &is) noexcept
{
    return {type_of<kith_name>(), 0, 0, KITH_OP_PATH_LIKE, detail::operand_of(is)};
}

namespace detail {

template <typename A, typename B, if_condition<A> = 0, if_condition<B> = 0>
condition_group<A, B> operator||(const A &a, const B &b) noexcept
{
    return {KITH_OP_ANY, a, b};
}
template <typename A, typename B, if_condition<A> = 0, if_condition<B> = 0>
condition_group<A, B> operator&&(const A &a, const B &b) noexcept
{
    return {KITH_OP_ALL, a, b};
}
template <typename A, if_condition<A> = 0>
condition_group<A> operator!(const A &a) noexcept
{
    return {KITH_OP_NOT, a};
}

}   // namespace detail

/* The target of the relation R satisfies a condition, as KITH_VIA:
 *     kith::via_if<Targets>(kith::field(&Health::current) < 20) */
template <typename R, typename C, detail::if_condition<C> = 0>
detail::condition_of_other<R, KITH_OP_TARGET, C> via_if(const C &condition) noexcept
{
    return detail::condition_of_other<R, KITH_OP_TARGET, C>(condition);
}

/* What a field leads to satisfies it, as KITH_VIA_FIELD: kith::via_if(&Likes::source, ...). */
template <typename T, typename C, detail::if_condition<C> = 0>
detail::condition_of_other<T, KITH_OP_TARGET, C> via_if(kith_entity T::*member,
                                                        const C &condition) noexcept
{
    detail::condition_of_other<T, KITH_OP_TARGET, C> made(condition);
    made.c.offset = detail::offset_of(member);
    made.c.size = sizeof(kith_entity);
    return made;
}

/* The nearest ancestor that has the component satisfies a condition about one field, as KITH_UP. */
template <typename C, detail::if_condition<C> = 0>
detail::condition_of_other<kith_child_of, KITH_OP_NEAREST, C> up_if(const C &condition) noexcept
{
    return detail::condition_of_other<kith_child_of, KITH_OP_NEAREST, C>(condition);
}

namespace detail {

template <typename V>
auto way_of(const V &value) noexcept
{
    if constexpr (is_way<V>::value) {
        return value;
    } else {
        static_assert(is_field<V>::value,
                      "what another entity has is a kith::field, at the end of kith::its_via,"
                      " kith::its_up and kith::of_this");
        return way<1>{{{operand_of(value)}}};
    }
}

template <std::size_t N>
way<N + 1> way_before(const kith_operand &step, const way<N> &rest) noexcept
{
    way<N + 1> made;
    made.steps[0] = step;
    for (std::size_t i = 0; i < N; i++) {
        made.steps[i + 1] = rest.steps[i];
    }
    return made;
}

}   // namespace detail

/* The entity that the query is about, as KITH_THIS. */
inline detail::way<1> this_entity() noexcept
{
    return {{{kith_operand_of_(KITH_OPERAND_THIS, nullptr, nullptr, 0, nullptr)}}};
}

/* A field of that one, in conditions about others, as KITH_OF_THIS:
 *     kith::via_if<Targets>(kith::field(&Team::number) == kith::of_this(kith::field(&Team::number))) */
template <typename V>
auto of_this(const V &value) noexcept
{
    return detail::way_before(kith_operand_of_(KITH_OPERAND_THIS, nullptr, nullptr, 0, nullptr),
                              detail::way_of(value));
}

/* A field of the target of the relation R, as KITH_ITS_VIA:
 *     kith::field(&Team::number) != kith::its_via<Targets>(kith::field(&Team::number)) */
template <typename R, typename V>
auto its_via(const V &value) noexcept
{
    return detail::way_before(
        kith_operand_of_(KITH_OPERAND_TARGET, type_of<R>(), nullptr, 0, nullptr),
        detail::way_of(value));
}

/* The same by a field that is an entity: kith::its_via(&Likes::source, ...). */
template <typename T, typename V>
auto its_via(kith_entity T::*member, const V &value) noexcept
{
    kith_operand step = detail::operand_of_field(type_of<T>(), detail::offset_of(member),
                                                 sizeof(kith_entity));
    step.kind = KITH_OPERAND_TARGET;
    return detail::way_before(step, detail::way_of(value));
}

/* A field of the nearest ancestor that has it, as KITH_ITS_UP. */
template <typename V>
auto its_up(const V &value) noexcept
{
    return detail::way_before(
        kith_operand_of_(KITH_OPERAND_NEAREST, type_of<kith_child_of>(), nullptr, 0, nullptr),
        detail::way_of(value));
}

}   // namespace kith

#endif
