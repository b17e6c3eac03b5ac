/* Kith: observers for C++17: functions that are told of changes. world::on_add and the others make them:
 *
 *     world.on_add<Body>("bodies", [](kith::entity e, Body &body) { body.shape = make(e); });
 *     world.on_remove<Body>("bodies end", [](const Body &lost) { free_shape(lost.shape); });
 *
 * Such a function may take kith::context &, kith::commands &, kith::entity, and components of the entity
 * as `T &` and `const T &`, or as pointers, which are NULL where the entity has none. It is not called
 * for entities that no longer have what it takes by reference. A function of on_remove<T> that takes
 * `const T &` or `const T *` gets the value that was lost; one of on_despawn<T> gets all values as they
 * were when the entity was despawned.
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
template <typename T, kith_observer_kind Kind>
struct observed_component {
    using type = T;
    static constexpr kith_observer_kind kind = Kind;
};

/* Whether the value for parameter P is one that the entity lost: the observer's own, or another one. */
template <typename P, typename Component, bool IsOwn>
constexpr bool is_lost_value() noexcept
{
    if constexpr (parameter<P>::is_value) {
        constexpr bool is_own =
            std::is_same<typename parameter<P>::term::type, typename Component::type>::value;
        return is_own == IsOwn && (Component::kind == KITH_ON_DESPAWN ||
                                   (Component::kind == KITH_ON_REMOVE && is_own));
    } else {
        return false;
    }
}

/* What parameter P gets for an entity: the address of a value, or nothing yet. */
template <typename P, typename Component>
struct observed_parameter {
    using parameter_type = parameter<P>;

    static auto find(context &c, const kith_observed *told, std::uint32_t i) noexcept
    {
        if constexpr (parameter_type::is_value) {
            using term = typename parameter_type::term;
            using type = typename term::type;
            if constexpr (is_lost_value<P, Component, true>() ||
                          is_lost_value<P, Component, false>()) {
                static_assert(!term::is_write, "a value that was lost is const: write `const T &`");
                return static_cast<typename term::pointer>(
                    kith_observed_value(told, i, type_of<type>()));
            } else if constexpr (term::is_write) {
                return c.get_mut<type>(c.entity());
            } else {
                return c.get<type>(c.entity());
            }
        } else {
            (void)told;
            (void)i;
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
    static constexpr bool wants_lost = (is_lost_value<Ps, Component, true>() || ... || false);
    using also =
        typename joined<std::conditional_t<is_lost_value<Ps, Component, false>(),
                                           typename parameter<Ps>::terms, types<>>...>::list;

    static void run(const kith_observed *told) noexcept
    {
        const F &f = *static_cast<const F *>(told->user);
        context_access::made c(nullptr, told->world, told->commands, 0);
        for (std::uint32_t i = 0; i < told->count; i++) {
            context_access::visit(c, told->entities[i]);
            tell(f, c, observed_parameter<Ps, Component>::find(c, told, i)...);
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

/* The types of terms, to be read. */
template <typename List>
struct read_terms;
template <typename... Terms>
struct read_terms<types<Terms...>> {
    static constexpr std::uint32_t count = sizeof...(Terms);
    kith_term list[count + 1] = {read<typename Terms::type>::c()..., {}};
};

/* Makes an observer that is freed with its world, and keeps its function there. */
template <typename F, typename Component>
kith_result observe(kith_world *world, kith_observer_def &def, const F &f) noexcept
{
    F *stored = attach_new<F>(world, nullptr, f);
    if (stored == nullptr) {
        return KITH_ERR_MEMORY;
    }
    using made = observer_of<F, Component>;
    const read_terms<typename made::also> also;
    def.user = stored;
    def.run = made::run;
    def.values = made::wants_lost;
    def.also = also.list;
    const kith_result result = kith_observer_new(world, &def, nullptr);
    if (result != KITH_OK) {
        kith_attach(world, stored, nullptr, nullptr);
    }
    return result;
}

}   // namespace kith::detail

#endif
