/* Kith: systems for C++17: how a function becomes one. world::system adds it:
 *
 *     world.system("movement", [](Position &p, const Velocity &v, float dt) { p.x += v.dx * dt; });
 *     world.system(kith::named("wind").after("movement").parallel(), [](Velocity &v) { v.dx += 1; });
 *
 * The parameters (<kith/parameter.hpp>) declare all that it uses. It is called
 * - for each entity, if one of them is a component, kith::with and the like, or kith::entity
 * - once a tick, if others of them declare something, such as kith::events
 * - once a tick and alone, if none of them declares anything: it may use all of the world */
#ifndef KITH_SYSTEM_HPP
#define KITH_SYSTEM_HPP

#include <kith/each.hpp>
#include <kith/system.h>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kith {

template <typename T>
class index;

/* A system's name, and what else there is to say about it. Texts live until the system is added. */
class named {
public:
    named(const char *name) noexcept : def{} { def.name = name; }

    /* Lower runs first. */
    named &priority(std::int32_t priority) noexcept
    {
        def.priority = priority;
        return *this;
    }
    named &phase(const char *name) noexcept
    {
        def.phase = name;
        return *this;
    }
    named &group(const char *name) noexcept
    {
        def.group = name;
        return *this;
    }
    /* after("gravity, input") */
    named &after(const char *names) noexcept
    {
        def.after = names;
        return *this;
    }
    named &before(const char *names) noexcept
    {
        def.before = names;
        return *this;
    }
    /* Called for parts of the entities, by several threads at a time. */
    named &parallel() noexcept
    {
        def.parallel = true;
        return *this;
    }
    /* How its query visits entities: KITH_PARENTS_FIRST, KITH_CHILDREN_FIRST. */
    named &order(kith_order order) noexcept
    {
        def.query.order = order;
        return *this;
    }
    /* Indexes that it asks (<kith/index.hpp>): up to 8. It captures them by value. */
    template <typename... Ts>
    named &indexes(const index<Ts> &...asked) noexcept
    {
        static_assert(sizeof...(Ts) <= 8, "a system of C++ declares up to 8 indexes");
        std::uint32_t i = 0;
        ((indexes_[i++] = asked.c()), ...);
        indexes_[i] = nullptr;
        return *this;
    }
    named &no_commands() noexcept
    {
        def.no_commands = true;
        return *this;
    }
    named &disabled() noexcept
    {
        def.disabled = true;
        return *this;
    }
    /* Each so many seconds; each so many ticks. dt is the time since it ran last. */
    named &interval(float seconds) noexcept
    {
        def.interval = seconds;
        return *this;
    }
    named &every_ticks(std::uint32_t ticks) noexcept
    {
        def.every_ticks = ticks;
        return *this;
    }
    /* Only in ticks in which this returns true: a lambda without captures. */
    named &run_if(bool (*allows)(const world &)) noexcept
    {
        condition_ = allows;
        return *this;
    }

    /* What the C call takes, without functions and terms. It is good as long as this. */
    kith_system_def c() const noexcept
    {
        kith_system_def made = def;
        made.indexes = indexes_[0] != nullptr ? indexes_ : def.indexes;
        return made;
    }
    bool (*condition() const noexcept)(const world &) { return condition_; }

    kith_system_def def; /* for what has no method here */

private:
    bool (*condition_)(const world &) = nullptr;
    kith_index *indexes_[9] = {}; /* NULL after the last */
};

namespace detail {

/* Terms as the C calls take them, and so many conditions. */
template <typename List, std::size_t Conditions = 0>
struct c_terms;
template <typename... Terms, std::size_t Conditions>
struct c_terms<types<Terms...>, Conditions> {
    static constexpr std::uint32_t count = sizeof...(Terms);
    kith_term list[count + Conditions + 1] = {term_of<Terms>()..., {}};

    template <typename... Cs>
    explicit c_terms(const Cs &...conditions) noexcept
    {
        std::size_t i = count;
        ((list[i++] = conditions), ...);
        list[i] = {};
    }
};

/* The definitions of further queries. */
template <typename List>
struct c_subqueries;
template <typename... Lists>
struct c_subqueries<types<Lists...>> {
    static constexpr std::uint32_t count = sizeof...(Lists);
    static_assert(count <= KITH_SYSTEM_QUERIES, "a system has too many queries");
    std::tuple<c_terms<Lists>...> terms;

    void add_to(kith_system_def &def) const noexcept
    {
        std::apply(
            [&def](const auto &...each) {
                std::uint32_t i = 0;
                ((def.queries[i++].terms = each.list), ...);
                (void)i;
            },
            terms);
    }
};

/* What a system keeps with its world. */
struct stored_condition {
    bool (*condition)(const world &);
};
template <typename F>
struct stored_system : stored_condition {
    F f;
};

/* A system of a function F, with terms that are given besides those of its parameters. */
template <typename F, typename... Given>
struct system_of {
    using list = parameter_list<parameters<F>>;
    using terms = typename all_terms<types<Given...>, typename list::terms>::list;
    static constexpr bool is_for_each =
        !list::has_batches && (list::has_entity || !std::is_same<terms, types<>>::value);
    static constexpr bool is_plain = !is_for_each && !list::has_batches && !list::declares;

    static void run(kith_iter *it) noexcept
    {
        const auto *stored =
            static_cast<const stored_system<F> *>(static_cast<stored_condition *>(it->user));
        batches open(it);
        caller<const F, terms> calls(stored->f, it, open);
        if constexpr (is_for_each) {
            calls.for_each();
        } else {
            calls.once();
        }
    }

    static kith_result update(kith_world *world, kith_iter *it) noexcept
    {
        const auto *stored =
            static_cast<const stored_system<F> *>(static_cast<stored_condition *>(it->user));
        context_access::made c(it, world, it->commands, it->dt);
        caller<const F, terms>(stored->f, it, c).once();
        return it->result;
    }
};

template <typename F, typename... Ps>
constexpr bool is_callable(types<Ps...>) noexcept
{
    return std::is_invocable<F &, Ps...>::value;
}

/* Whether F can be a system; each mistake is told in one sentence. */
template <typename F, typename... Given>
constexpr bool can_be_system() noexcept
{
    using list = parameter_list<parameters<F>>;
    if constexpr (!check_terms<Given...>()) {
        return false;
    } else if constexpr (can_call<F, typename all_terms<types<Given...>,
                                                        typename list::terms>::list>()) {
        using made = system_of<F, Given...>;
        constexpr bool are_different = fitting<typename made::terms>::are_different;
        static_assert(are_different,
                      "two parameters are for the same component: an entity has one of a type");
        constexpr bool may_have_world = !made::list::has_world || made::is_plain;
        static_assert(
            may_have_world,
            "kith::world & is for a system that runs alone: leave out the parameters that "
            "declare what it uses, or take kith::context & instead");
        constexpr bool is_const = is_callable<const F>(parameters<F>{});
        static_assert(is_const,
                      "a system's function is const: leave out `mutable`, and keep what it "
                      "changes in components and resources");
        return are_different && may_have_world && is_const;
    }
    return false;
}

}   // namespace detail

}   // namespace kith

#endif
