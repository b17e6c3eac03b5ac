/* Kith: pairs, for C++17: queries whose rows have several entities, which relations link.
 *
 *     auto rivals = world.query<kith::read<Person>, kith::other<2, kith::read<Person>>>(
 *         kith::pair<Likes>(0, 1), kith::pair<Likes>(2, 1), !kith::same(0, 2));
 *     for (auto it = rivals.iter(); it.next_rows();) {
 *         const kith::entity *a = it.entities(), *b = it.others(1), *c = it.others(2);
 *         for (std::uint32_t i = 0; i < it.count(); i++) {
 *             const Person *rival = it.term_at<Person>(1, i);
 *
 * What they mean is told in <kith/pair.h>. A loop by `each` takes arrays, which such rows are not. */
#ifndef KITH_PAIR_HPP
#define KITH_PAIR_HPP

#include <kith/condition.hpp>
#include <kith/pair.h>

#include <array>
#include <cstdint>

namespace kith {

namespace detail {

/* Two entities of a row that are linked, or the same. */
struct pair_of : condition_base {
    const kith_type *type;
    std::array<kith_operand, 4> numbers;
    mutable kith_condition c = {};

    pair_of(const kith_type *of, const std::array<kith_operand, 4> &given) noexcept
        : type(of), numbers(given)
    {
    }
    kith_term term() const noexcept
    {
        c.op = KITH_OP_PAIR;
        c.values = numbers.data();
        return {type, KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

/* A condition about an entity of the row. */
template <typename C>
struct condition_of_row : condition_base {
    std::uint32_t number;
    C of;
    mutable kith_term list[2] = {};
    mutable kith_condition c = {};

    condition_of_row(std::uint32_t of_row, const C &asked) noexcept : number(of_row), of(asked) {}
    kith_term term() const noexcept
    {
        list[0] = of.term();
        c.op = KITH_OP_OTHER;
        c.offset = number;
        c.terms = list;
        return {nullptr, KITH_ACCESS_NONE, KITH_MUST, 0, &c};
    }
};

}   // namespace detail

/* As KITH_ANY, in the place of a source or a target: any entity. !kith::pair<Likes>(kith::any, 0) says
 * that nobody likes it. */
inline constexpr std::uint32_t any = KITH_ANY;

/* The relation R links two entities of the row, as KITH_PAIR; of KITH_LINKS, by a link that is one of
 * the row too, as KITH_PAIR_BY: kith::pair_by<Likes>(2, 0, 1). */
template <typename R>
detail::pair_of pair(std::uint32_t source, std::uint32_t target) noexcept
{
    return {type_of<R>(), {{kith_other_(source, nullptr), kith_other_(target, nullptr)}}};
}
template <typename R>
detail::pair_of pair_by(std::uint32_t link, std::uint32_t source, std::uint32_t target) noexcept
{
    return {type_of<R>(),
            {{kith_other_(source, nullptr), kith_other_(target, nullptr),
              kith_other_(link, nullptr)}}};
}

/* Two numbers of the row are the same entity, as KITH_IF_SAME: !kith::same(0, 2) says that they are
 * not. */
inline detail::pair_of same(std::uint32_t number, std::uint32_t other) noexcept
{
    return {nullptr, {{kith_other_(number, nullptr), kith_other_(other, nullptr)}}};
}

/* An entity of the row satisfies a condition: kith::other_if(1, kith::field(&Health::current) < 20). */
template <typename C, detail::if_condition<C> = 0>
detail::condition_of_row<C> other_if(std::uint32_t number, const C &condition) noexcept
{
    return {number, condition};
}

/* An entity of the row, as KITH_THE_OTHER, and a field of it, as KITH_OF_OTHER. */
inline detail::way<1> the_other(std::uint32_t number) noexcept
{
    return {{{kith_other_(number, nullptr)}}};
}
template <typename V>
auto of_other(std::uint32_t number, const V &value) noexcept
{
    return detail::way_before(kith_other_(number, nullptr), detail::way_of(value));
}

}   // namespace kith

#endif
