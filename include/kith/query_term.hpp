/* Kith: the terms of queries, for C++17. */
#ifndef KITH_QUERY_TERM_HPP
#define KITH_QUERY_TERM_HPP

#include <kith/query.h>
#include <kith/type.hpp>
#include <kith/via.h>

#include <cstdint>
#include <memory>
#include <type_traits>

namespace kith {

namespace detail {

/* How many bytes from the start of a T a member is. */
template <typename T, typename Field>
std::uint32_t offset_of(Field T::*member) noexcept
{
    alignas(T) static const char bytes[sizeof(T)] = {};
    const T *value = reinterpret_cast<const T *>(bytes);
    return static_cast<std::uint32_t>(
        reinterpret_cast<const char *>(std::addressof(value->*member)) - bytes);
}

/* The struct that a member is of. */
template <typename Member>
struct owner_of;
template <typename T, typename Field>
struct owner_of<Field T::*> {
    using type = T;
};

/* What a parameter of a function has that gives a value: `p->x`, `*p`, and whether there is one. */
template <typename T>
struct pointing {
    T *value = nullptr;
    T *operator->() const noexcept { return value; }
    T &operator*() const noexcept { return *value; }
    explicit operator bool() const noexcept { return value != nullptr; }
};

}   // namespace detail

/* A term of a query. */
template <typename T, kith_access Access, kith_role Role, std::uint32_t Group = 0>
struct term {
    using type = T;
    static constexpr bool has_value = Access != KITH_ACCESS_NONE && detail::is_complete<T>::value;
    static constexpr bool is_sure = Role == KITH_MUST || Role == KITH_MUST_CHANGED;
    static constexpr bool is_write = Access == KITH_ACCESS_WRITE;
    using pointer = std::conditional_t<Access == KITH_ACCESS_WRITE, T *, const T *>;

    static kith_term c() noexcept { return {type_of<T>(), Access, Role, Group, nullptr}; }

    /* The value of entity number `i` of the batch. */
    static pointer at(const kith_iter *it, std::uint32_t number, std::uint32_t i) noexcept
    {
        return static_cast<pointer>(kith_term_at(it, number, i, type_of<T>(), sizeof(T), Access));
    }
};

template <typename T>
struct read : term<T, KITH_ACCESS_READ, KITH_MUST> {
};
template <typename T>
struct write : term<T, KITH_ACCESS_WRITE, KITH_MUST> {
};
template <typename T>
struct with : term<T, KITH_ACCESS_NONE, KITH_MUST> {
};
template <typename T>
struct without : term<T, KITH_ACCESS_NONE, KITH_MUST_NOT> {
};
template <typename T>
struct optional : term<T, KITH_ACCESS_READ, KITH_MAY> {
};
template <typename T>
struct optional_mut : term<T, KITH_ACCESS_WRITE, KITH_MAY> {
};
/* The value may have changed since the query's last look; it is read. */
template <typename T>
struct changed : term<T, KITH_ACCESS_READ, KITH_MUST_CHANGED>, detail::pointing<const T> {
};
/* At least one of the terms with the same Group. False where it is absent. */
template <typename T, std::uint32_t Group = 0>
struct any_of : term<T, KITH_ACCESS_READ, KITH_ONE_OF, Group>, detail::pointing<const T> {
};

namespace detail {

/* What a term asks of the entity that it is about in the end. */
template <typename Term>
struct innermost {
    using term = Term;
};

/* A term of another entity. Its type is itself, so that it does not count as one of the entity's own. */
template <typename Self, typename Term>
struct other_term : pointing<const typename innermost<Term>::term::type> {
    using asked = typename innermost<Term>::term;
    using type = Self;
    using of_type = typename asked::type;
    static constexpr bool has_value = asked::has_value;
    static constexpr bool is_sure = asked::is_sure;
    static constexpr bool is_write = false;
    using pointer = const of_type *;
    static_assert(!asked::is_write,
                  "other entities are read: write them by a kith::lookup or by commands");

    static pointer at(const kith_iter *it, std::uint32_t number, std::uint32_t i) noexcept
    {
        return static_cast<pointer>(
            kith_term_at(it, number, i, type_of<of_type>(), sizeof(of_type), KITH_ACCESS_READ));
    }

protected:
    template <typename R, kith_op Op>
    static kith_term c_of(std::uint32_t offset = 0, std::uint32_t size = 0) noexcept
    {
        static const kith_term list[] = {Term::c(), {}};
        static const kith_condition condition = {Op,   nullptr, offset,  size, {}, nullptr,
                                                 list, nullptr, nullptr};
        return {type_of<R>(), KITH_ACCESS_NONE, KITH_MUST, 0, &condition};
    }
};

}   // namespace detail

/* A term about the target of the relation R, as KITH_VIA: via<Targets, read<Health>>. A function may
 * take it, too: `p->current`, false where it is absent. */
template <typename R, typename Term>
struct via : detail::other_term<via<R, Term>, Term> {
    static kith_term c() noexcept { return via::template c_of<R, KITH_OP_TARGET>(); }
};

/* A term about what a field leads to, as KITH_VIA_FIELD: via_field<&Likes::source, read<Health>>. */
template <auto Member, typename Term>
struct via_field : detail::other_term<via_field<Member, Term>, Term> {
    static kith_term c() noexcept
    {
        using owner = typename detail::owner_of<decltype(Member)>::type;
        return via_field::template c_of<owner, KITH_OP_TARGET>(detail::offset_of(Member),
                                                               sizeof(kith_entity));
    }
};

/* A term about the nearest ancestor that has the component, as KITH_UP: up<read<Position>>. */
template <typename Term>
struct up : detail::other_term<up<Term>, Term> {
    static kith_term c() noexcept { return up::template c_of<kith_child_of, KITH_OP_NEAREST>(); }
};

/* A term about an entity of the row, as KITH_OTHER: other<1, read<Health>>. See <kith/pair.hpp>. */
template <std::uint32_t Number, typename Term>
struct other : detail::other_term<other<Number, Term>, Term> {
    static kith_term c() noexcept
    {
        static const kith_term list[] = {Term::c(), {}};
        static const kith_condition condition = {KITH_OP_OTHER, nullptr, Number,  0,      {},
                                                 nullptr,       list,    nullptr, nullptr};
        return {nullptr, KITH_ACCESS_NONE, KITH_MUST, 0, &condition};
    }
};

namespace detail {

template <typename R, typename Term>
struct innermost<via<R, Term>> : innermost<Term> {
};
template <std::uint32_t Number, typename Term>
struct innermost<other<Number, Term>> : innermost<Term> {
};
template <auto Member, typename Term>
struct innermost<via_field<Member, Term>> : innermost<Term> {
};
template <typename Term>
struct innermost<up<Term>> : innermost<Term> {
};

template <typename T, typename = void>
struct is_term : std::false_type {
};
template <typename T>
struct is_term<T, std::void_t<decltype(T::is_sure)>> : std::true_type {
};

template <typename... Ts>
constexpr bool are_terms = (is_term<Ts>::value && ... && true);

/* Whether all of them are terms, with a sentence if they are not. */
template <typename... Ts>
constexpr bool check_terms() noexcept
{
    static_assert(are_terms<Ts...>,
                  "this is not a term: a query asks for kith::read<T>, kith::write<T>, "
                  "kith::with<T> and the like, not for T");
    return are_terms<Ts...>;
}

/* A term as the C calls take it. */
template <typename Term>
kith_term term_of() noexcept
{
    if constexpr (check_terms<Term>()) {
        return Term::c();
    } else {
        return {};
    }
}

}   // namespace detail

}   // namespace kith

#endif
