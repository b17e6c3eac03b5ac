/* Kith: queries for C++17. */
#ifndef KITH_QUERY_HPP
#define KITH_QUERY_HPP

#include <kith/each.hpp>
#include <kith/entity.hpp>
#include <kith/held.hpp>
#include <kith/query.h>
#include <kith/type.hpp>

#include <cstdint>
#include <type_traits>

namespace kith {

/* A term of a query. A function over the entities gets a reference if the value is always present, a
 * pointer if it may be absent, and nothing if only its presence counts, as with tags. */
template <typename T, kith_access Access, kith_role Role, std::uint32_t Group = 0>
struct term {
    using type = T;
    static constexpr bool has_value = Access != KITH_ACCESS_NONE && detail::is_complete<T>::value;
    static constexpr bool is_sure = Role == KITH_MUST || Role == KITH_MUST_CHANGED;
    static constexpr bool is_write = Access == KITH_ACCESS_WRITE;
    using pointer = std::conditional_t<Access == KITH_ACCESS_WRITE, T *, const T *>;

    static kith_term c() noexcept { return {type_of<T>(), Access, Role, Group}; }

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
struct changed : term<T, KITH_ACCESS_READ, KITH_MUST_CHANGED> {
};
/* At least one of the terms with the same Group. */
template <typename T, std::uint32_t Group = 0>
struct any_of : term<T, KITH_ACCESS_READ, KITH_ONE_OF, Group> {
};

namespace detail {

template <typename T, typename = void>
struct is_term : std::false_type {
};
template <typename T>
struct is_term<T, std::void_t<decltype(T::is_sure)>> : std::true_type {
};

template <typename... Ts>
constexpr bool are_terms = (is_term<Ts>::value && ... && true);

/* A term as the C calls take it. */
template <typename Term>
kith_term term_of() noexcept
{
    static_assert(is_term<Term>::value,
                  "this is not a term: a query asks for kith::read<T>, kith::write<T>, "
                  "kith::with<T> and the like, not for T");
    if constexpr (is_term<Term>::value) {
        return Term::c();
    } else {
        return {};
    }
}

}   // namespace detail

/* A query that owns its kith_query. False if it could not be made (memory ran out, or the world's
 * error() tells why), and after its world was freed. A query that writes cannot be looped over as
 * const. */
template <typename... Terms>
class query {
public:
    query() noexcept = default;
    explicit query(kith_query *c) noexcept : c_(c) {}

    explicit operator bool() const noexcept { return c() != nullptr; }
    kith_query *c() const noexcept { return c_.get(); }

    std::uint32_t count() const noexcept { return kith_query_count(c()); }
    void mark_seen() noexcept { kith_query_mark_seen(c()); }
    entity first() const noexcept { return kith_query_first(c()); }
    kith_result single(entity *found) const noexcept { return kith_query_single(c(), found); }
    bool contains(entity e) const noexcept { return kith_query_contains(c(), e); }

    /* for (auto it = q.iter(); it.next();) { ... it.column<Position>() ... } */
    kith::iter iter(const char *file = __builtin_FILE(), int line = __builtin_LINE()) noexcept
    {
        return kith::iter(kith_query_iter_at(c(), file, line));
    }
    kith::iter iter(const char *file = __builtin_FILE(), int line = __builtin_LINE()) const noexcept
    {
        require_const();
        return kith::iter(kith_query_iter_at(c(), file, line));
    }
    kith::iter iter_one(entity e, const char *file = __builtin_FILE(),
                        int line = __builtin_LINE()) noexcept
    {
        return kith::iter(kith_query_iter_one_at(c(), e, file, line));
    }
    kith::iter iter_one(entity e, const char *file = __builtin_FILE(),
                        int line = __builtin_LINE()) const noexcept
    {
        require_const();
        return kith::iter(kith_query_iter_one_at(c(), e, file, line));
    }

    /* Calls f(values...) or f(kith::entity, values...) for every entity, on every layout: see
     * <kith/each.hpp>. If f ended the loop by returning a kith_result, returns that; otherwise the
     * iteration's result, which is KITH_ERR_MEMORY if memory ran out. */
    template <typename F>
    kith_result each(F &&f, const char *file = __builtin_FILE(), int line = __builtin_LINE())
    {
        return loop(f, file, line);
    }
    template <typename F>
    kith_result each(F &&f, const char *file = __builtin_FILE(), int line = __builtin_LINE()) const
    {
        require_const();
        return loop(f, file, line);
    }

private:
    static constexpr void require_const() noexcept
    {
        static_assert((!Terms::is_write && ... && true),
                      "a const query does not write: it has a term that does");
    }

    template <typename F>
    kith_result loop(F &f, const char *file, int line) const
    {
        kith::iter open(kith_query_iter_at(c(), file, line));
        if constexpr (detail::are_terms<Terms...>) {               /* or it was told already */
            constexpr unsigned outside = detail::takes_entity + 1; /* no dt and no commands */
            constexpr unsigned form = detail::checked_form<F, outside, Terms...>();
            if constexpr (form != outside) {
                detail::call_all<form, F, Terms...>(f, open);
            }
        }
        return open.result();
    }

    detail::held<kith_query, kith_query_free, kith_query_set_holder> c_;
};

}   // namespace kith

#endif
