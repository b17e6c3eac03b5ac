/* Kith: observers for C++17: functions that are told of changes. world::on_add and the others make them:
 *
 *     world.on_add<Body>("bodies", [](kith::entity e, Body &body) { body.shape = make(e); });
 *     world.on_remove<Body>("bodies end", [](const Body &lost) { free_shape(lost.shape); });
 *
 * Such a function may take kith::context &, kith::commands &, kith::entity, and components of the entity
 * as `T &` and `const T &`, or as pointers, which are NULL where the entity has none. It is not called
 * for entities that no longer have what it takes by reference. A function of on_remove<T> and
 * on_despawn<T> that takes `const T &` or `const T *` gets the value that was lost.
 *
 * <kith/observer.h> tells when they are called. */
#ifndef KITH_OBSERVER_HPP
#define KITH_OBSERVER_HPP

#include <kith/each.hpp>
#include <kith/observer.h>

#include <cstdint>
#include <type_traits>

namespace kith::detail {

/* The component that an observer tells of; `void` for those of a query. */
template <typename T, bool IsLost>
struct observed_component {
    using type = T;
    static constexpr bool is_lost = IsLost;
};

/* Whether the value for parameter P is the one that the entity lost. */
template <typename P, typename Component>
constexpr bool is_lost_value() noexcept
{
    if constexpr (parameter<P>::is_value && Component::is_lost) {
        return std::is_same<typename parameter<P>::term::type, typename Component::type>::value;
    } else {
        return false;
    }
}

/* What parameter P gets for an entity: the address of a value, or nothing yet. */
template <typename P, typename Component>
struct observed_parameter {
    using parameter_type = parameter<P>;

    static auto find(context &c, const void *lost) noexcept
    {
        if constexpr (parameter_type::is_value) {
            using term = typename parameter_type::term;
            using type = typename term::type;
            if constexpr (is_lost_value<P, Component>()) {
                static_assert(!term::is_write, "a value that was lost is const: write `const T &`");
                return static_cast<typename term::pointer>(lost);
            } else if constexpr (term::is_write) {
                return c.get_mut<type>(c.entity());
            } else {
                return c.get<type>(c.entity());
            }
        } else {
            (void)c;
            (void)lost;
            return typename parameter_type::once(c);
        }
    }

    template <typename Found>
    static bool is_there(const Found &found) noexcept
    {
        if constexpr (parameter_type::is_value) {
            return !parameter_type::is_sure || found != nullptr;
        } else {
            return true;
        }
    }

    template <typename Found>
    static P pass(Found &found, place &at) noexcept
    {
        if constexpr (!parameter_type::is_value) {
            return parameter_type::template pass<void, 0>(found, at);
        } else if constexpr (parameter_type::is_sure) {
            return *found;
        } else {
            return found;
        }
    }
};

template <typename F, typename Component, typename Parameters = parameters<F>>
struct observer_of;
template <typename F, typename Component, typename... Ps>
struct observer_of<F, Component, types<Ps...>> {
    static constexpr bool wants_lost = (is_lost_value<Ps, Component>() || ... || false);

    static void run(const kith_observed *told) noexcept
    {
        const F &f = *static_cast<const F *>(told->user);
        const char *lost = nullptr;
        std::size_t size = 0;
        if constexpr (wants_lost) {
            lost = static_cast<const char *>(kith_observed_values(told, told->type));
            size = told->type->size;
        }
        context_access::made c(nullptr, told->world, told->commands, 0);
        for (std::uint32_t i = 0; i < told->count; i++) {
            context_access::visit(c, told->entities[i]);
            tell(f, c, observed_parameter<Ps, Component>::find(c, lost + i * size)...);
        }
    }

private:
    template <typename... Found>
    static void tell(const F &f, context &c, Found... found) noexcept
    {
        static_assert(std::is_void<decltype(f(std::declval<Ps>()...))>::value,
                      "an observer returns nothing: it cannot fail");
        place at{c, nullptr, 0};
        (void)at;
        if ((observed_parameter<Ps, Component>::is_there(found) && ... && true)) {
            f(observed_parameter<Ps, Component>::pass(found, at)...);
        }
    }
};

/* Whether F can be an observer, of a query or of one component; each mistake is told in one sentence. */
template <typename F, bool IsOfQuery>
constexpr bool can_observe() noexcept
{
    using list = parameter_list<parameters<F>>;
    if constexpr (can_call<F, typename list::terms>()) {
        constexpr bool is_fit =
            !list::has_systems && !list::has_world && !list::declares && !list::has_pointing;
        static_assert(is_fit, "an observer takes kith::entity, components, kith::context & and "
                              "kith::commands &: what else it uses, it finds by the context");
        constexpr bool filters = !list::has_filter || IsOfQuery;
        static_assert(filters,
                      "kith::with and kith::without are for on_enter and on_leave: others are "
                      "told of one component");
        return is_fit && filters;
    }
    return false;
}

/* Makes an observer that is freed with its world, and keeps its function there. */
template <typename F, typename Component>
kith_result observe(kith_world *world, kith_observer_def &def, const F &f) noexcept
{
    F *stored = attach_new<F>(world, nullptr, f);
    if (stored == nullptr) {
        return KITH_ERR_MEMORY;
    }
    def.user = stored;
    def.run = observer_of<F, Component>::run;
    def.values = observer_of<F, Component>::wants_lost;
    const kith_result result = kith_observer_new(world, &def, nullptr);
    if (result != KITH_OK) {
        kith_attach(world, stored, nullptr, nullptr);
    }
    return result;
}

}   // namespace kith::detail

#endif
