/* Kith: queries for C++17. */
#ifndef KITH_QUERY_HPP
#define KITH_QUERY_HPP

#include <kith/condition.hpp>
#include <kith/each.hpp>
#include <kith/entity.hpp>
#include <kith/held.hpp>
#include <kith/query.h>
#include <kith/query_term.hpp>
#include <kith/query_text.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kith {

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
    void skip_changes() noexcept { kith_query_skip_changes(c()); }
    entity first() const noexcept { return kith_query_first(c()); }
    kith_result single(entity *found) const noexcept { return kith_query_single(c(), found); }
    bool contains(entity e) const noexcept { return kith_query_contains(c(), e); }

    /* Gives what is kith_bound to a name this value. */
    template <typename V>
    kith_result bind(const char *name, const V &value) noexcept
    {
        return kith_query_bind_operand(c(), name, detail::operand_of(value));
    }

    /* Writes how it would find its entities now, like snprintf: kith_query_explain. With `analyze` it is
     * counted too. Returns the length of the whole; 0 if a name has no value. */
    std::size_t explain(char *shown, std::size_t size, bool analyze = false) noexcept
    {
        std::size_t length = 0;
        return kith_query_explain(c(), analyze, shown, size, &length) == KITH_OK ? length : 0;
    }

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

    /* Calls f for each entity, on every layout, as world::each does. The values that its parameters take
     * (<kith/parameter.hpp>) are those of the terms. */
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

    /* In a plain system, with its context: the same for parts of the entities, maybe side by side,
     * as in a parallel system: kith_system_parallel. What f refers to is shared by all calls. A
     * call that is to end the loop ends that of its part. */
    template <typename F>
    kith_result each_parallel(const context &c, const F &f) noexcept
    {
        if constexpr (detail::are_terms<Terms...>) {
            return detail::loop_parallel<detail::types<Terms...>>(c, this->c(), f);
        } else {
            return KITH_ERR_INPUT;
        }
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
        if constexpr (detail::are_terms<Terms...>) { /* or it was told already */
            return detail::loop<detail::types<Terms...>>(c(), f, file, line);
        } else {
            return KITH_ERR_INPUT;
        }
    }

    detail::held<kith_query, kith_query_free, kith_query_set_holder> c_;
};

}   // namespace kith

#endif
