/* Kith: how a C++17 function is called for entities: by world::each, by query::each, and as a system.
 * <kith/parameter.hpp> tells what it may take.
 *
 * If it returns bool, false ends the loop; if a kith_result, one that is not KITH_OK does, and is what
 * `each` returns or the system fails with. Otherwise it returns nothing. */
#ifndef KITH_EACH_HPP
#define KITH_EACH_HPP

#include <kith/attached.hpp>
#include <kith/parameter.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kith::detail {

/* ---- Which term a parameter's value is of ------------------------------------------------------ */

/* The number of the first term that gives the value of parameter P; that of all terms if none does. */
template <typename P, typename... Terms>
constexpr std::uint32_t term_number() noexcept
{
    std::uint32_t number = 0;
    (void)((parameter<P>::template takes<Terms> || (number++, false)) || ... || false);
    return number;
}

template <std::uint32_t Number, typename... Terms>
struct nth {
    using term = void;
};
template <typename First, typename... Rest>
struct nth<0, First, Rest...> {
    using term = First;
};
template <std::uint32_t Number, typename First, typename... Rest>
struct nth<Number, First, Rest...> : nth<Number - 1, Rest...> {
};

template <typename Term, typename... Given>
constexpr bool has_term_of_type = (std::is_same<typename Term::type, typename Given::type>::value ||
                                   ... || false);

/* All terms of a query: those that are given, and those of parameters. */
template <typename Given, typename OfParameters>
struct all_terms;
template <typename... Given, typename... Ts>
struct all_terms<types<Given...>, types<Ts...>> {
    using list = typename joined<types<Given...>, std::conditional_t<has_term_of_type<Ts, Given...>,
                                                                     types<>, types<Ts>>...>::list;
};

/* ---- Whether a function can be called ---------------------------------------------------------- */

template <typename T, typename... Ts>
constexpr int count_of_type = (0 + ... +
                               (std::is_same<typename T::type, typename Ts::type>::value ? 1 : 0));

template <typename List>
struct fitting;
template <typename... Terms>
struct fitting<types<Terms...>> {
    /* No two are of the same type. */
    static constexpr bool are_different = ((count_of_type<Terms, Terms...> == 1) && ... && true);

    template <typename P>
    static constexpr bool has() noexcept
    {
        return std::is_same<typename parameter<P>::terms, types<>>::value ||
               term_number<P, Terms...>() < sizeof...(Terms);
    }
    template <typename... Ps>
    static constexpr bool fits(types<Ps...>) noexcept
    {
        return (has<Ps>() && ... && true);
    }
};

/* Whether Kith can give a function a P. The compiler names it. */
template <typename P>
constexpr bool can_give() noexcept
{
    static_assert(
        !parameter<P>::is_reference_to_value,
        "this parameter is given by value: write it without the `&`, as kith::resource<T>, "
        "kith::lookup<T>, kith::events<T>, kith::with<T>");
    static_assert(
        parameter<P>::is_known || parameter<P>::is_reference_to_value,
        "Kith cannot give a function this parameter: a component is `T &` or `const T &`, "
        "or `T *` or `const T *` where it may be absent; others are kith::entity, float "
        "for dt, kith::context &, kith::commands &, and those in <kith/parameter.hpp>");
    if constexpr (parameter<P>::is_known) {
        static_assert(parameter<P>::has_value, "a tag has no value: ask for kith::with<T> instead");
        return parameter<P>::has_value;
    }
    return false;
}

template <typename... Ps>
constexpr bool can_give_all(types<Ps...>) noexcept
{
    return (static_cast<int>(can_give<Ps>()) & ... & 1) != 0;
}

/* Whether F can be called for entities with these terms. Each mistake is told in one sentence. */
template <typename F, typename List, typename Parameters = parameters<F>>
constexpr bool can_call() noexcept
{
    constexpr bool is_told = !std::is_same<Parameters, unknown_parameters>::value;
    static_assert(is_told, "this is not a function whose parameters can be seen: write their types "
                           "out, `Position &p` for `auto &p`");
    if constexpr (is_told) {
        if constexpr (can_give_all(Parameters{})) {
            constexpr bool fits = fitting<List>::fits(Parameters{});
            static_assert(fits,
                          "this function does not fit the query's terms: for write<T> it takes "
                          "`T &`, for read<T> `const T &`, for optional_mut<T> `T *`, for "
                          "optional<T> and any_of<T> `const T *`");
            return fits;
        }
    }
    return false;
}

/* ---- The call ---------------------------------------------------------------------------------- */

/* Whether a loop goes on after a call that returned this. */
inline bool goes_on(kith_iter *, bool wanted) noexcept
{
    return wanted;
}

inline bool goes_on(kith_iter *it, kith_result result) noexcept
{
    if (result != KITH_OK) {
        it->result = result;
    }
    return result == KITH_OK;
}

/* Calls an F, with what its parameters ask for. */
template <typename F, typename List, typename Parameters = parameters<F>>
class caller;
template <typename F, typename... Terms, typename... Ps>
class caller<F, types<Terms...>, types<Ps...>> {
public:
    caller(F &f, kith_iter *it, context &c) noexcept
        : f_(f), at_{c, it, 0}, once_{typename parameter<Ps>::once(c)...}
    {
        std::uint32_t number = 0;
        std::apply([&](auto &...once) { (parameter<Ps>::enter(once, number), ...); }, once_);
        (void)number;
    }

    /* For all entities. */
    void for_each()
    {
        using list = parameter_list<types<Ps...>>;
        kith_iter *it = at_.it;
        while (kith_next(it)) {
            std::apply(
                [it](auto &...once) {
                    (parameter<Ps>::template batch<term_of_parameter<Ps>, number_of<Ps>>(once, it),
                     ...);
                    (void)it;
                },
                once_);
            const bool lacks = std::apply(
                [](const auto &...once) { return (parameter<Ps>::lacks(once) || ... || false); },
                once_);
            if (lacks) {
                kith_iter_close(it);
                it->result = KITH_ERR_MISUSE;
                return;
            }
            const kith_entity *entities = nullptr;
            if constexpr (list::has_entity || list::has_context) {
                entities = kith_entities(it);
            }
            for (at_.i = 0; at_.i < it->count; at_.i++) {
                if constexpr (list::has_entity || list::has_context) {
                    context_access::visit(at_.c, entities[at_.i]);
                }
                if (!once()) {
                    kith_iter_close(it);
                    return;
                }
            }
        }
    }

    /* For this entity, or for none. Whether a loop goes on. */
    bool once()
    {
        using result = decltype(std::declval<F &>()(std::declval<Ps>()...));
        constexpr bool tells =
            std::is_same<result, bool>::value || std::is_same<result, kith_result>::value;
        static_assert(tells || std::is_void<result>::value,
                      "this function returns nothing, a bool of which false ends the loop, or a "
                      "kith_result that ends it where it is not KITH_OK: another value would be "
                      "lost");
        const auto call = [this](auto &...given) {
            return f_(
                parameter<Ps>::template pass<term_of_parameter<Ps>, number_of<Ps>>(given, at_)...);
        };
        if constexpr (tells) {
            return goes_on(at_.it, std::apply(call, once_));
        } else {
            std::apply(call, once_);
            return true;
        }
    }

private:
    template <typename P>
    static constexpr std::uint32_t number_of = term_number<P, Terms...>();
    template <typename P>
    using term_of_parameter = typename nth<number_of<P>, Terms...>::term;

    F &f_;
    place at_;
    std::tuple<typename parameter<Ps>::once...> once_;
};

/* ---- Loops of the program ---------------------------------------------------------------------- */

/* What the loops of a world queue, until the outermost of them ends. */
struct loop_queue {
    kith_commands *later;
    std::uint32_t depth;
    bool is_used;
};

/* A loop that may queue. */
class queueing_loop {
public:
    explicit queueing_loop(kith_world *world) noexcept
        : queue_(attached<loop_queue>(world, &key_of<loop_queue>))
    {
        if (queue_ == nullptr) {
            kith_commands *later = kith_commands_new(world, nullptr);
            queue_ = later == nullptr
                         ? nullptr
                         : attach_new<loop_queue>(world, &key_of<loop_queue>, later, 0u, false);
            if (queue_ == nullptr) {
                kith_commands_free(later);
                return;
            }
        }
        queue_->depth++;
    }
    queueing_loop(const queueing_loop &) = delete;
    queueing_loop &operator=(const queueing_loop &) = delete;
    ~queueing_loop()
    {
        if (queue_ != nullptr) {
            (void)end(KITH_ERR_SYSTEM);
        }
    }

    /* NULL: memory ran out. */
    loop_queue *queue() const noexcept { return queue_; }

    /* Applies what was queued if this is the outermost loop and all is well; if not, drops it. */
    kith_result end(kith_result result) noexcept
    {
        loop_queue *queue = std::exchange(queue_, nullptr);
        queue->depth--;
        if (queue->depth != 0 || !queue->is_used) {
            return result;
        }
        queue->is_used = false;
        result = result == KITH_OK ? kith_commands_apply(queue->later, nullptr) : result;
        if (result != KITH_OK) {
            kith_commands_discard(queue->later);
        }
        return result;
    }

private:
    loop_queue *queue_;
};

/* Calls f for each entity of a query. */
template <typename List, typename F>
kith_result loop(kith_query *query, F &f, const char *file, int line)
{
    if constexpr (can_call<F, List>()) {
        using list = parameter_list<parameters<F>>;
        static_assert(!list::has_systems && !list::has_world,
                      "this parameter is for systems: a loop has no dt, no batches and no "
                      "subqueries");
        kith_world *world = kith_query_world(query);
        if constexpr (list::queues) {
            queueing_loop queueing(world);
            loop_queue *queue = queueing.queue();
            if (queue == nullptr) {
                return KITH_ERR_MEMORY;
            }
            kith_result result = KITH_OK;
            {
                kith::iter open(kith_query_iter_at(query, file, line));
                context_access::made c(open.c(), world, queue->later, 0, &queue->is_used);
                caller<F, List>(f, open.c(), c).for_each();
                result = open.result();
            }
            return queueing.end(result);
        } else {
            kith::iter open(kith_query_iter_at(query, file, line));
            context_access::made c(open.c(), world, nullptr, 0);
            caller<F, List>(f, open.c(), c).for_each();
            return open.result();
        }
    }
    return KITH_OK;
}

/* Calls f for each entity of a query, in parts that may be side by side. */
template <typename List, typename F>
kith_result loop_parallel(const context &c, kith_query *query, const F &f) noexcept
{
    if constexpr (can_call<const F, List>()) {
        using list = parameter_list<parameters<F>>;
        static_assert(!list::has_world && !list::has_batches && !list::declares,
                      "a parallel loop takes the values of its query, kith::entity, "
                      "kith::context & and dt: what else its system has, capture");
        struct shared_function {
            const F &f;
        };
        shared_function shared{f};
        const auto run = [](kith_iter *it) {
            batches open(it);
            caller<const F, List>(static_cast<shared_function *>(it->user)->f, it, open).for_each();
        };
        return kith_system_parallel(context_access::iter(c), query, run, &shared);
    } else {
        return KITH_ERR_INPUT;
    }
}

}   // namespace kith::detail

namespace kith {

template <typename... Terms>
template <typename F>
kith_result subquery<Terms...>::each(F &&f, const char *file, int line) const
{
    kith::iter open = iter(file, line);
    if constexpr (detail::can_call<F, detail::types<Terms...>>()) {
        detail::caller<std::remove_reference_t<F>, detail::types<Terms...>>(f, open.c(), open)
            .for_each();
    }
    return open.result();
}

}   // namespace kith

#endif
