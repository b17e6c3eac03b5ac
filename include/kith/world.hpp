/* Kith: worlds for C++17. The methods are in five parts: <kith/world_owner.hpp> has those for types,
 * the log and hashes, <kith/world_values.hpp> those for entities, components, resources, events and
 * texts, <kith/relation.hpp> those for relations, <kith/hierarchy.hpp> those for parents, children and
 * names; queries, loops, systems and observers are here. */
#ifndef KITH_WORLD_HPP
#define KITH_WORLD_HPP

#include <kith/commands.hpp>
#include <kith/hierarchy.hpp>
#include <kith/index.hpp>
#include <kith/live.hpp>
#include <kith/observer.hpp>
#include <kith/query.hpp>
#include <kith/reflect.hpp>
#include <kith/save.h>
#include <kith/select.hpp>
#include <kith/snapshot.hpp>
#include <kith/system.hpp>
#include <kith/world_values.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kith {

class world : public detail::world_hierarchy {
public:
    /* False if memory ran out. */
    world() noexcept : world(kith_world_new(nullptr), true) {}
    explicit world(const kith_world_def &def) noexcept : world(kith_world_new(&def), true) {}

    /* Takes a world over, to free it; or uses one that somebody else frees. */
    static world adopt(kith_world *c) noexcept { return world(c, true); }
    static world borrow(kith_world *c) noexcept { return world(c, false); }

    /* ---- Queries and loops */

    /* For what must be there, may be and must not. What else a query's definition has, `def` may say:
     *     kith_query_def def{};
     *     def.order = KITH_PARENTS_FIRST;
     *     auto moving = world.query<kith::write<Position>, kith::read<Velocity>>(def); */
    template <typename... Terms>
    kith::query<Terms...> query(kith_query_def def = {}) noexcept
    {
        const detail::c_terms<detail::types<Terms...>> terms;
        def.terms = terms.list;
        return kith::query<Terms...>(kith_query_new_or_null(c(), &def));
    }

    /* The same of entities whose values satisfy conditions (<kith/condition.hpp>):
     *     auto weak = world.query<kith::read<Position>>(kith::field(&Health::current) < 20); */
    template <typename... Terms, typename C, typename... Cs, detail::if_condition<C> = 0>
    kith::query<Terms...> query(const C &condition, const Cs &...conditions) noexcept
    {
        return query<Terms...>(kith_query_def{}, condition, conditions...);
    }
    template <typename... Terms, typename C, typename... Cs, detail::if_condition<C> = 0>
    kith::query<Terms...> query(kith_query_def def, const C &condition,
                                const Cs &...conditions) noexcept
    {
        const kith_term terms[] = {
            detail::term_of<Terms>()..., condition.term(), conditions.term()..., {}};
        def.terms = terms;
        return kith::query<Terms...>(kith_query_new_or_null(c(), &def));
    }

    /* The same, which tells what became of those that match (<kith/live.hpp>). */
    template <typename... Terms, typename... Cs>
    kith::live_query live_query(const Cs &...conditions) noexcept
    {
        const kith_term terms[] = {detail::term_of<Terms>()..., conditions.term()..., {}};
        kith_query_def def{};
        def.terms = terms;
        return detail::make_live(c(), kith_query_new_or_null(c(), &def));
    }

    /* A query of a text (<kith/query_text.h>). The terms in <...> are those of the text, in its order;
     * without them, loops find values by type. `*error`, if that is not NULL, tells what is wrong:
     *     auto cheap = world.query_text<kith::read<Ware>>("Ware where Ware.price < 20", &error); */
    template <typename... Terms>
    kith::query<Terms...> query_text(const char *of, kith_text_error *error = nullptr) noexcept
    {
        return kith::query<Terms...>(kith_query_text(c(), of, error));
    }
    /* Writes a query's text in its normal form, like snprintf. Returns the length of the whole; 0 if the
     * text is wrong. */
    std::size_t tidy_query_text(const char *of, char *tidy, std::size_t size,
                                kith_text_error *error = nullptr) noexcept
    {
        std::size_t length = 0;
        const kith_result result = kith_query_text_tidy(c(), of, tidy, size, &length, error);
        return result == KITH_OK ? length : 0;
    }

    /* A selection of a text (<kith/select.hpp>). `*error`, if that is not NULL, tells what is wrong. */
    selection select(const char *of, kith_text_error *error = nullptr) noexcept
    {
        kith_select *made = nullptr;
        return selection(kith_select_new(c(), of, error, &made) == KITH_OK ? made : nullptr);
    }

    /* Calls f for each entity that has what its parameters ask for (<kith/parameter.hpp>):
     *     world.each([](Position &p, const Velocity &v) { p.x += v.dx; });
     * What it queues on `kith::commands &` is applied when the outermost of the world's loops
     * has ended well. Returns what f returned if that ended the loop, and otherwise as
     * kith_commands_apply; KITH_ERR_MEMORY if memory ran out. The query is made in the first
     * call with this f, and kept. */
    template <typename F>
    kith_result each(F &&f, const char *file = __builtin_FILE(), int line = __builtin_LINE())
    {
        using function = std::remove_const_t<std::remove_reference_t<F>>;
        using list = typename detail::parameter_list<detail::parameters<function>>::terms;
        kith_result result = KITH_OK;
        if constexpr (detail::can_call<function, list>()) {
            kith_query *kept = loop_query<function, list>(result);
            if (kept != nullptr) {
                result = detail::loop<list>(kept, f, file, line);
            }
        }
        return result;
    }

    /* ---- Indexes: by members of one type, in order (<kith/index.hpp>):
     *     auto teams = world.hash_index(&Team::number);
     * or by those of a key that a lambda (const Value &, Key &) computes, which returns nothing,
     * or whether the entity is in the index: see kith_index_def. */

    template <typename T, typename... Fields>
    index<T> hash_index(Fields T::*...members) noexcept
    {
        return detail::make_index(c(), KITH_INDEX_HASH, members...);
    }
    template <typename T, typename... Fields>
    index<T> ordered_index(Fields T::*...members) noexcept
    {
        return detail::make_index(c(), KITH_INDEX_ORDERED, members...);
    }
    template <typename T, typename... Fields>
    index<T> spatial_index(Fields T::*...members) noexcept
    {
        return detail::make_index(c(), KITH_INDEX_SPATIAL, members...);
    }
    /* Only queries use it. */
    template <typename T, typename... Fields>
    index<T> filter_index(Fields T::*...members) noexcept
    {
        return detail::make_index(c(), KITH_INDEX_FILTER, members...);
    }

    template <typename F, typename T, typename... Fields,
              typename = std::enable_if_t<std::is_class<F>::value>>
    index<T> hash_index(const F &function, Fields T::*...members) noexcept
    {
        return detail::make_computed_index(c(), KITH_INDEX_HASH, function, members...);
    }
    template <typename F, typename T, typename... Fields,
              typename = std::enable_if_t<std::is_class<F>::value>>
    index<T> ordered_index(const F &function, Fields T::*...members) noexcept
    {
        return detail::make_computed_index(c(), KITH_INDEX_ORDERED, function, members...);
    }
    template <typename F, typename T, typename... Fields,
              typename = std::enable_if_t<std::is_class<F>::value>>
    index<T> spatial_index(const F &function, Fields T::*...members) noexcept
    {
        return detail::make_computed_index(c(), KITH_INDEX_SPATIAL, function, members...);
    }

    /* ---- Snapshots: what a world was (<kith/snapshot.hpp>) */

    snapshot take_snapshot() noexcept
    {
        kith_snapshot *taken = nullptr;
        return kith_snapshot_take(c(), &taken) == KITH_OK ? snapshot(c(), taken) : snapshot();
    }
    kith_result restore(const snapshot &before) noexcept
    {
        return kith_snapshot_restore(c(), before.c());
    }
    /* Makes this world follow another one by what snapshot::diff_bytes wrote. */
    kith_result apply_diff(const void *bytes, std::size_t size) noexcept
    {
        return kith_diff_apply(c(), bytes, size);
    }

    /* The whole world as bytes, for load(): `bytes` is a std::vector of unsigned char, or what has
     * `assign` as it does. It is as it was after an error. See <kith/save.h>. */
    template <typename Bytes>
    kith_result save(Bytes &bytes)
    {
        held_bytes made(c());
        const kith_result result = kith_world_save(c(), &made.c);
        return result == KITH_OK ? made.give(bytes) : result;
    }
    /* Makes this world the one that was saved. */
    kith_result load(const void *bytes, std::size_t size) noexcept
    {
        return kith_world_load(c(), bytes, size);
    }
    /* The same to a file, and from one. */
    kith_result save_file(const char *path) noexcept { return kith_world_save_file(c(), path); }
    kith_result load_file(const char *path) noexcept { return kith_world_load_file(c(), path); }

    /* ---- Commands */

    /* A new buffer, of at most so many bytes (0: no limit). */
    kith::commands commands(std::size_t memory_limit = 0) noexcept
    {
        const kith_commands_def def{memory_limit};
        return kith::commands::adopt(kith_commands_new(c(), &def));
    }

    /* ---- Systems */

    /* Adds a system: see <kith/system.hpp>. The world keeps a copy of f, which is called as const, until
     * the world is freed. Terms that are given are of its query as well: for a function that takes
     * `kith::batches &`, which tells none. An exception that leaves it ends the program. */
    template <typename... Terms, typename F>
    kith_result system(const named &name, F f) noexcept
    {
        if constexpr (detail::can_be_system<F, Terms...>()) {
            return add_system<detail::system_of<F, Terms...>>(name, f);
        }
        return KITH_ERR_INPUT;
    }
    /* The same of entities whose values satisfy conditions (<kith/condition.hpp>):
     *     world.system("heal", [](Health &h) { h.now++; }, kith::field(&Health::now) < 20); */
    template <typename... Terms, typename F, typename C, typename... Cs,
              detail::if_condition<C> = 0>
    kith_result system(const named &name, F f, const C &condition, const Cs &...conditions) noexcept
    {
        if constexpr (detail::can_be_system<F, Terms...>()) {
            using made = detail::system_of<F, Terms...>;
            static_assert(!made::is_plain, "a system without a query has no conditions: give it a"
                                           " parameter that tells which entities it is for");
            return add_system<made>(name, f, condition, conditions...);
        }
        return KITH_ERR_INPUT;
    }
    kith_result remove_system(const char *name) noexcept { return kith_system_remove(c(), name); }
    kith_result enable_system(const char *name, bool enabled = true) noexcept
    {
        return kith_system_enable(c(), name, enabled);
    }
    kith_result enable_system_group(const char *group, bool enabled = true) noexcept
    {
        return kith_system_group_enable(c(), group, enabled);
    }
    /* Writes how a query of a system would find its entities now, like snprintf: kith_system_explain.
     * Number 0 is that of its function, 1 the first kith::subquery. Returns the length of the
     * whole; 0 if there is none, or a name has no value. */
    std::size_t explain_system(const char *system, char *shown, std::size_t size,
                               std::uint32_t number = 0) noexcept
    {
        std::size_t length = 0;
        kith_result result = kith_system_explain(c(), system, number, shown, size, &length);
        return result == KITH_OK ? length : 0;
    }
    /* Gives what is kith_bound to a name in the queries of a system this value. */
    template <typename V>
    kith_result bind_system(const char *system, const char *name, const V &value) noexcept
    {
        return kith_system_bind_operand(c(), system, name, detail::operand_of(value));
    }
    kith_result run(float dt) noexcept { return kith_run(c(), dt); }
    std::uint64_t tick_count() const noexcept { return kith_tick_count(c()); }

    /* ---- Observers: see <kith/observer.hpp>. Each lives as long as its world, which keeps f. */

    template <typename T, typename F>
    kith_result on_add(const char *name, F f) noexcept
    {
        return observe<T, KITH_ON_ADD>(name, f);
    }
    template <typename T, typename F>
    kith_result on_change(const char *name, F f) noexcept
    {
        return observe<T, KITH_ON_CHANGE>(name, f);
    }
    template <typename T, typename F>
    kith_result on_remove(const char *name, F f) noexcept
    {
        return observe<T, KITH_ON_REMOVE>(name, f);
    }
    template <typename T, typename F>
    kith_result on_despawn(const char *name, F f) noexcept
    {
        return observe<T, KITH_ON_DESPAWN>(name, f);
    }
    /* Entities that begin to match, and that cease to: the terms, and what the parameters ask for. */
    template <typename... Terms, typename F>
    kith_result on_enter(const char *name, F f) noexcept
    {
        return observe_query<F, Terms...>(KITH_ON_ENTER, name, f);
    }
    template <typename... Terms, typename F>
    kith_result on_leave(const char *name, F f) noexcept
    {
        return observe_query<F, Terms...>(KITH_ON_LEAVE, name, f);
    }
    /* Tells what happened since the last time, without a run. */
    kith_result flush_observers() noexcept { return kith_observers_flush(c()); }

private:
    world(kith_world *c, bool owned) noexcept : world_hierarchy(c, owned) {}

    template <typename F, typename List>
    kith_query *loop_query(kith_result &result) noexcept
    {
        const void *key = &detail::key_of<F>;
        auto *kept = static_cast<kith_query *>(kith_attached(c(), key));
        if (kept == nullptr) {
            const detail::c_terms<List> terms;
            kith_query_def def{};
            def.terms = terms.list;
            result = kith_query_new(c(), &def, &kept);
            if (result == KITH_OK) {
                result = kith_attach(c(), key, kept, nullptr);
            }
            if (result != KITH_OK) {
                kith_query_free(kept);
                kept = nullptr;
            }
        }
        return kept;
    }

    template <typename Made, typename F, typename... Cs>
    kith_result add_system(const named &name, const F &f, const Cs &...conditions) noexcept
    {
        const detail::c_terms<typename Made::terms, sizeof...(Cs)> terms{conditions.term()...};
        const detail::c_terms<typename Made::list::lookups> lookups;
        const detail::c_terms<typename Made::list::resources> resources;
        const detail::c_terms<typename Made::list::events> events;
        const detail::c_subqueries<typename Made::list::subqueries> queries;
        kith_system_def def = name.c();
        if constexpr (Made::is_plain) {
            def.update = Made::update;
        } else {
            def.run = Made::run;
            def.query.terms = terms.list;
            def.lookups = lookups.list;
            def.resources = resources.list;
            def.events = events.list;
            queries.add_to(def);
        }
        using stored_system = detail::stored_system<F>;
        stored_system *stored = detail::attach_new<stored_system>(
            c(), nullptr, detail::stored_condition{name.condition()}, f);
        if (stored == nullptr) {
            return KITH_ERR_MEMORY;
        }
        def.user = static_cast<detail::stored_condition *>(stored);
        if (name.condition() != nullptr) {
            def.run_if = [](const kith_world *c, void *user) noexcept {
                const world borrowed = borrow(const_cast<kith_world *>(c));
                return static_cast<detail::stored_condition *>(user)->condition(borrowed);
            };
        }
        const kith_result result = kith_system_add(c(), &def);
        if (result != KITH_OK) {
            kith_attach(c(), stored, nullptr, nullptr);
        }
        return result;
    }

    template <typename T, kith_observer_kind Kind, typename F>
    kith_result observe(const char *name, const F &f) noexcept
    {
        if constexpr (detail::can_observe<F, false>()) {
            kith_observer_def def{};
            def.name = name;
            def.kind = Kind;
            def.type = type_of<T>();
            return detail::observe<F, detail::observed_component<T, Kind>>(c(), def, f);
        }
        return KITH_ERR_INPUT;
    }

    template <typename F, typename... Terms>
    kith_result observe_query(kith_observer_kind kind, const char *name, const F &f) noexcept
    {
        if constexpr (detail::can_observe<F, true>()) {
            using of_parameters = typename detail::parameter_list<detail::parameters<F>>::terms;
            const detail::c_terms<
                typename detail::all_terms<detail::types<Terms...>, of_parameters>::list>
                terms;
            kith_observer_def def{};
            def.name = name;
            def.kind = kind;
            def.query.terms = terms.list;
            return detail::observe<F, detail::observed_component<void, KITH_ON_ENTER>>(c(), def, f);
        }
        return KITH_ERR_INPUT;
    }
};

inline world context::world() const noexcept
{
    return kith::world::borrow(world_ != nullptr ? world_ : kith_commands_world(commands_.c()));
}

inline world snapshot::view(const kith_world_def &def) const noexcept
{
    kith_world *made = nullptr;
    return kith::world::adopt(kith_view_new(c_, &def, &made) == KITH_OK ? made : nullptr);
}

inline world snapshot::fork() const noexcept
{
    return fork([](kith::world &) {});
}

template <typename F>
world snapshot::fork(F set_up, const kith_world_def &def) const noexcept
{
    kith_fork_def own{};
    own.world = def;
    own.context = &set_up;
    own.set_up = [](kith_world *c, void *context) noexcept {
        F &f = *static_cast<F *>(context);
        kith::world made = kith::world::borrow(c);
        if constexpr (std::is_void<decltype(f(made))>::value) {
            f(made);
            return KITH_OK;
        } else {
            return f(made);
        }
    };
    kith_world *made = nullptr;
    return kith::world::adopt(kith_fork_new(c_, &own, &made) == KITH_OK ? made : nullptr);
}

namespace detail {

template <>
struct parameter<world &> : parameter_base {
    static constexpr bool is_world = true;
    struct once {
        explicit once(const context &c) noexcept : borrowed(c.world()) {}
        kith::world borrowed;
    };
    template <typename Term, std::uint32_t Number>
    static world &pass(once &given, place &) noexcept
    {
        return given.borrowed;
    }
};

}   // namespace detail

}   // namespace kith

#endif
