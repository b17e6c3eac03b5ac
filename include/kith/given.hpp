/* Kith: what a C++17 function that Kith calls is given beyond the values of its entity: components of
 * other entities, resources, events to send, further queries. As a parameter of the function, each also
 * declares what the function uses: <kith/parameter.hpp>. */
#ifndef KITH_GIVEN_HPP
#define KITH_GIVEN_HPP

#include <kith/context.hpp>
#include <kith/iter.hpp>
#include <kith/query_term.hpp>

#include <cstdint>
#include <type_traits>

namespace kith {

namespace detail {
template <typename P>
struct parameter;
}

namespace detail {

/* What a kith::lookup keeps while a function is called for each entity. */
template <typename T>
struct lookup_state {
    explicit lookup_state(const context &of) noexcept : c(of) {}

    const T *find(entity e) noexcept
    {
        if (hooks_of<T>() != nullptr) {
            return c.template get<T>(
                e); /* a lookup registers types, and this one wants its hooks */
        }
        if (!is_made) {
            made = context_access::template lookup<T>(c);
            is_made = true;
        }
        return static_cast<const T *>(kith_lookup_get(&made, e, type_of<T>()));
    }

    const context &c;
    bool is_made = false; /* by the first get(): has() alone needs less declared */
    kith_lookup made{};
};

}   // namespace detail

/* Components of other entities, by their handles: to read for const T, otherwise to write. */
template <typename T>
class lookup {
    using component = std::remove_const_t<T>;

public:
    explicit lookup(detail::lookup_state<component> &state) noexcept : state_(&state) {}

    /* NULL if the entity is dead or does not have it. */
    T *get(entity e) const noexcept
    {
        if constexpr (std::is_const<T>::value) {
            return state_->find(e);
        } else {
            return state_->c.template get_mut<T>(e);
        }
    }
    bool has(entity e) const noexcept { return state_->c.template has<component>(e); }

private:
    detail::lookup_state<component> *state_;
};

/* Values of any entity, to read, as they were before the system's stage: KITH_BEFORE. So a parallel
 * system may read what it writes. */
template <typename T>
class before : public lookup<const T> {
public:
    using lookup<const T>::lookup;
};

/* A resource: to read for const T, otherwise to write. */
template <typename T>
class resource : public detail::pointing<T> {
public:
    explicit resource(const context &c) noexcept : detail::pointing<T>{find(c)} {}

private:
    static T *find(const context &c) noexcept
    {
        if constexpr (std::is_const<T>::value) {
            return c.template resource<std::remove_const_t<T>>();
        } else {
            return c.template resource_mut<T>();
        }
    }
};

/* Sends events of one type. */
template <typename T>
class sender {
public:
    explicit sender(const context &c) noexcept : c_(&c) {}

    kith_result send(const T &value) const noexcept { return c_->send(value); }
    kith_result send() const noexcept { return c_->template send<T>(); }

private:
    const context *c_;
};

/* A further query of a system, with terms of its own: subquery<read<Position>, with<Enemy>>. */
template <typename... Terms>
class subquery {
public:
    explicit subquery(const context &c) noexcept : it_(detail::context_access::iter(c)) {}

    /* Calls f for each of its entities, as kith::query::each does. */
    template <typename F>
    kith_result each(F &&f, const char *file = __builtin_FILE(), int line = __builtin_LINE()) const;
    /* for (auto it = foes.iter(); it.next();) */
    kith::iter iter(const char *file = __builtin_FILE(), int line = __builtin_LINE()) const noexcept
    {
        return kith::iter(kith_system_query_at(it_, number_, file, line));
    }

private:
    template <typename>
    friend struct detail::parameter;
    kith_iter *it_;
    std::uint32_t number_ = 0;
};

}   // namespace kith

#endif
