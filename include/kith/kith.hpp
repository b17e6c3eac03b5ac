/* Kith for C++17: the same calls with templates instead of macros, in one header. The types of
 * components are described as in C, by KITH_TYPE and KITH_TAG, beside the struct (in its namespace).
 *
 *     kith::world world;
 *     world.register_type<Position>();
 *     world.register_type<Health>(KITH_SPARSE);
 *     kith::entity player = world.spawn(Position{40, 12}, Health{100, 100});
 *     world.set<Position>(player, {41, 12});
 *
 *     auto moving = world.query<kith::write<Position>, kith::read<Velocity>>();
 *     moving.each([](Position &p, const Velocity &v) { p.x += v.dx; });
 *
 * Nothing here allocates or throws; exceptions may pass through `each` and `iter`, which then close
 * their query, but not through a system. What a call returns and when is told in the C headers;
 * `c()` gives the C object, for all that is not repeated here. */
#ifndef KITH_KITH_HPP
#define KITH_KITH_HPP

#include <kith/kith.h>
#include <kith/system.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

inline bool operator==(kith_entity a, kith_entity b) noexcept
{
    return kith_same(a, b);
}

inline bool operator!=(kith_entity a, kith_entity b) noexcept
{
    return !kith_same(a, b);
}

inline bool operator==(kith_text a, kith_text b) noexcept
{
    return kith_text_equal(a, b);
}

inline bool operator!=(kith_text a, kith_text b) noexcept
{
    return !kith_text_equal(a, b);
}

namespace kith {

using entity = kith_entity;
using text = kith_text;
inline constexpr entity none{0, 0};

/* Where a query was opened, for messages: `const char *file = KITH_FILE_, int line = KITH_LINE_` as
 * default arguments are the caller's. */
#define KITH_FILE_ __builtin_FILE()
#define KITH_LINE_ __builtin_LINE()

/* ---- Types -------------------------------------------------------------------------------- */

namespace detail {

template <typename T, typename = void>
struct has_type : std::false_type {
};
template <typename T>
struct has_type<T, std::void_t<decltype(kith_type_of(static_cast<const T *>(nullptr)))>>
    : std::true_type {
};

template <typename T, typename = void>
struct is_complete : std::false_type {
};
template <typename T>
struct is_complete<T, std::void_t<decltype(sizeof(T))>> : std::true_type {
};

}   // namespace detail

/* The C descriptor of T. */
template <typename T>
const kith_type *type_of() noexcept
{
    static_assert(detail::has_type<T>::value,
                  "Kith does not know this type: describe it with KITH_TYPE or KITH_TAG, in its "
                  "own namespace");
    if constexpr (detail::has_type<T>::value) {
        if constexpr (detail::is_complete<T>::value) {
            static_assert(std::is_trivially_copyable<T>::value ||
                              (std::is_nothrow_move_constructible<T>::value &&
                               std::is_nothrow_destructible<T>::value),
                          "Kith copies values as plain bytes, or by a class's own "
                          "constructors: this type must be trivially copyable, or move and end "
                          "without throwing");
        }
        return kith_type_of(static_cast<const T *>(nullptr));
    } else {
        return nullptr;
    }
}

/* ---- Classes ------------------------------------------------------------------------------- */

namespace detail {

template <typename T, typename = void>
struct has_hash : std::false_type {
};
template <typename T>
struct has_hash<T, std::void_t<decltype(kith_hash(std::declval<const T &>()))>> : std::true_type {
};

/* What `make` returns, or what it threw as a result. */
template <typename F>
kith_result without_exceptions(F &&make) noexcept
{
#if defined(__cpp_exceptions)
    try {
        make();
    } catch (const std::bad_alloc &) {
        return KITH_ERR_MEMORY;
    } catch (...) {
        return KITH_ERR_SYSTEM;
    }
#else
    make();
#endif
    return KITH_OK;
}

/* kith_hooks for a class, of its own constructors and destructor. */
template <typename T>
struct class_hooks {
    static kith_result init(void *values, std::uint32_t count, void *) noexcept
    {
        if constexpr (std::is_default_constructible<T>::value) {
            return without_exceptions(
                [&] { std::uninitialized_value_construct_n(static_cast<T *>(values), count); });
        } else {
            return KITH_ERR_TYPE;
        }
    }

    static kith_result copy(void *to, const void *from, std::uint32_t count, void *) noexcept
    {
        if constexpr (std::is_copy_constructible<T>::value) {
            return without_exceptions([&] {
                std::uninitialized_copy_n(static_cast<const T *>(from), count,
                                          static_cast<T *>(to));
            });
        } else {
            return KITH_ERR_TYPE;
        }
    }

    static void move(void *to, void *from, std::uint32_t count, void *) noexcept
    {
        T *values = static_cast<T *>(from);
        for (std::uint32_t i = 0; i < count; i++) {
            ::new (static_cast<void *>(static_cast<T *>(to) + i)) T(std::move(values[i]));
            values[i].~T();
        }
    }

    static void destroy(void *values, std::uint32_t count, void *) noexcept
    {
        std::destroy_n(static_cast<T *>(values), count);
    }

    static std::uint64_t hash(const void *value, void *) noexcept
    {
        if constexpr (has_hash<T>::value) {
            return kith_hash(*static_cast<const T *>(value));
        } else {
            return 0;
        }
    }

    static constexpr kith_hooks hooks = {init,
                                         std::is_copy_constructible<T>::value ? copy : nullptr,
                                         move,
                                         destroy,
                                         has_hash<T>::value ? hash : nullptr,
                                         nullptr};
};

/* What takes `const T &` copies it: a class that cannot be copied would be shared with the caller. */
template <typename T>
constexpr bool can_copy() noexcept
{
    static_assert(std::is_copy_constructible<T>::value,
                  "this type cannot be copied: add it, and move into what get_mut finds (of a "
                  "resource, set_resource<T>() and resource_mut)");
    return true;
}

/* Whether a world may hold T outside of components: a class must be registered, so that it has hooks. */
template <typename T>
kith_result may_hold(const kith_world *world) noexcept
{
    if constexpr (std::is_trivially_copyable<T>::value) {
        (void)world;
        return KITH_OK;
    } else {
        return kith_layout_of(world, type_of<T>(), nullptr);
    }
}

}   // namespace detail

/* The hooks of T: NULL for plain bytes. Classes that are not trivially copyable are made, copied,
 * moved and destroyed, as components, in buffers, as resources and events, by their own
 * constructors and destructors; exceptions from those become KITH_ERR_MEMORY (std::bad_alloc) or
 * KITH_ERR_SYSTEM, and want of a default constructor is KITH_ERR_TYPE. Describe such a class by
 * KITH_OPAQUE_TYPE, or, where it has standard layout, its members by KITH_FIELD_AS(T, member,
 * KITH_OPAQUE). Where its members are to count for hashes and exact changes, define `std::uint64_t
 * kith_hash(const T &) noexcept` in its namespace. */
template <typename T>
const kith_hooks *hooks_of() noexcept
{
    if constexpr (!detail::is_complete<T>::value) {
        return nullptr;
    } else if constexpr (std::is_trivially_copyable<T>::value) {
        return nullptr;
    } else {
        return &detail::class_hooks<T>::hooks;
    }
}

/* kith::zero<Frozen>: a tag, or a component whose bytes are all zero, where values are listed. */
template <typename T>
struct zero_value {
};
template <typename T>
inline constexpr zero_value<T> zero{};

namespace detail {

template <typename T>
kith_value value_of(const T &value) noexcept
{
    static_assert(can_copy<T>(), "");
    return {type_of<T>(), std::addressof(value)};
}

template <typename T>
kith_value value_of(const zero_value<T> &) noexcept
{
    return {type_of<T>(), nullptr};
}

}   // namespace detail

/* ---- Terms --------------------------------------------------------------------------------- */

/* What a query asks for. A function over its entities gets a reference where the value is there for
 * sure, a pointer where it may be absent, nothing where only its presence counts. */
template <typename T, kith_access Access, kith_role Role, std::uint32_t Group = 0>
struct term {
    using type = T;
    static constexpr bool has_value = Access != KITH_ACCESS_NONE;
    static constexpr bool is_sure = Role == KITH_MUST || Role == KITH_MUST_CHANGED;
    using pointer = std::conditional_t<Access == KITH_ACCESS_WRITE, T *, const T *>;

    static kith_term c() noexcept { return {type_of<T>(), Access, Role, Group}; }

    /* The value of entity number `i` of the batch. */
    static pointer at(const kith_iter *it, std::uint32_t number, std::uint32_t i) noexcept
    {
        return static_cast<pointer>(kith_at(it, number, i, type_of<T>(), sizeof(T), Access));
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
struct may_read : term<T, KITH_ACCESS_READ, KITH_MAY> {
};
template <typename T>
struct may_write : term<T, KITH_ACCESS_WRITE, KITH_MAY> {
};
/* Values to read that may have changed since the query's last look. */
template <typename T>
struct changed : term<T, KITH_ACCESS_READ, KITH_MUST_CHANGED> {
};
/* At least one of the terms with the same Group. */
template <typename T, std::uint32_t Group = 0>
struct either : term<T, KITH_ACCESS_READ, KITH_ONE_OF, Group> {
};

/* ---- Trackers ------------------------------------------------------------------------------ */

/* Follows who gets and who loses one component; must not outlive its world. False if memory ran out.
 *
 *     auto colliders = world.track<Collider>();
 *     colliders.each([&](const kith_change &c) { ... }); */
class tracker {
public:
    tracker() noexcept = default;
    explicit tracker(kith_tracker *c) noexcept : c_(c) {}

    tracker(tracker &&other) noexcept : c_(other.c_) { other.c_ = nullptr; }
    tracker &operator=(tracker &&other) noexcept
    {
        std::swap(c_, other.c_);
        return *this;
    }
    ~tracker() { kith_tracker_free(c_); }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_tracker *c() const noexcept { return c_; }

    /* Calls f for each change that was not read yet, oldest first. */
    template <typename F>
    void each(F &&f)
    {
        kith_change change;
        while (kith_tracker_next(c_, &change)) {
            f(static_cast<const kith_change &>(change));
        }
    }

    std::uint64_t pending() const noexcept { return kith_tracker_pending(c_); }
    void skip() noexcept { kith_tracker_skip(c_); }

private:
    kith_tracker *c_ = nullptr;
};

/* ---- Commands ------------------------------------------------------------------------------ */

/* A command buffer of one's own, which must not outlive its world, or one that is borrowed: a
 * system's. False if it could not be made, or if there is none to borrow.
 *
 *     auto later = world.commands();
 *     burning.each([&](kith::entity e, const Fuse &f) { if (f.left <= 0) { later.despawn(e); } });
 *     later.apply(); */
class commands {
public:
    commands() noexcept : commands(nullptr, false) {}

    /* Takes a buffer over, to free it; or uses one that somebody else frees. */
    static commands adopt(kith_commands *c) noexcept { return commands(c, true); }
    static commands borrow(kith_commands *c) noexcept { return commands(c, false); }

    commands(commands &&other) noexcept : c_(other.c_), owned_(other.owned_) { other.c_ = nullptr; }
    commands &operator=(commands &&other) noexcept
    {
        std::swap(c_, other.c_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~commands()
    {
        if (owned_) {
            kith_commands_free(c_);
        }
    }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_commands *c() const noexcept { return c_; }

    /* spawn(Position{1, 2}, kith::zero<Frozen>): the provisional handle, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) noexcept
    {
        if constexpr (sizeof...(Ts) == 0) {
            return kith_queue_spawn(c_);
        } else {
            const kith_value list[] = {detail::value_of(values)...};
            return kith_queue_spawn_values(c_, list, sizeof...(Ts));
        }
    }

    /* The provisional handle of the clone, or none. */
    entity clone(entity e) noexcept { return kith_queue_clone(c_, e); }
    kith_result despawn(entity e) noexcept { return kith_queue_despawn(c_, e); }

    /* Queues a copy, which moves into the world when it is applied. */
    template <typename T>
    kith_result set(entity e, const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return kith_queue_set(c_, e, type_of<T>(), std::addressof(value));
    }
    template <typename... Ts>
    kith_result set_several(entity e, const Ts &...values) noexcept
    {
        static_assert(sizeof...(Ts) > 0, "there is nothing to set");
        const kith_value list[] = {detail::value_of(values)...};
        return kith_queue_set_several(c_, e, list, sizeof...(Ts));
    }
    template <typename T>
    kith_result add(entity e) noexcept
    {
        return kith_queue_add(c_, e, type_of<T>());
    }
    template <typename T>
    kith_result remove(entity e) noexcept
    {
        return kith_queue_remove(c_, e, type_of<T>());
    }
    /* Queues that the entity loses all that it has. */
    kith_result clear(entity e) noexcept { return kith_queue_clear(c_, e); }

    kith_result apply(std::uint32_t *dead = nullptr) noexcept
    {
        return kith_commands_apply(c_, dead);
    }
    /* kith_commands_clear: forgets what is queued. */
    void forget() noexcept { kith_commands_clear(c_); }
    entity real(entity provisional) const noexcept { return kith_commands_real(c_, provisional); }
    const char *error() const noexcept { return kith_commands_error(c_); }

private:
    commands(kith_commands *c, bool owned) noexcept : c_(c), owned_(owned) {}

    kith_commands *c_;
    bool owned_;
};

/* ---- Iteration ----------------------------------------------------------------------------- */

/* An open query, by reference: what a system gets. */
class batches {
public:
    explicit batches(kith_iter *it) noexcept : it_(it) {}

    /* The next batch; false at the end. */
    bool next() noexcept { return kith_next(it_); }
    std::uint32_t count() const noexcept { return it_->count; }
    const entity *entities() const noexcept { return kith_entities(it_); }

    /* KITH_COLUMN, KITH_AT: by the term's number, counted from 0. */
    template <typename T>
    const T *column(std::uint32_t number) const noexcept
    {
        return static_cast<const T *>(kith_column_at(it_, number, type_of<T>(), KITH_ACCESS_READ));
    }
    template <typename T>
    T *column_mut(std::uint32_t number) const noexcept
    {
        return static_cast<T *>(kith_column_at(it_, number, type_of<T>(), KITH_ACCESS_WRITE));
    }
    template <typename T>
    const T *at(std::uint32_t number, std::uint32_t i) const noexcept
    {
        return static_cast<const T *>(
            kith_at(it_, number, i, type_of<T>(), sizeof(T), KITH_ACCESS_READ));
    }
    template <typename T>
    T *at_mut(std::uint32_t number, std::uint32_t i) const noexcept
    {
        return static_cast<T *>(
            kith_at(it_, number, i, type_of<T>(), sizeof(T), KITH_ACCESS_WRITE));
    }

    float dt() const noexcept { return it_->dt; }
    void *user() const noexcept { return it_->user; }
    /* The system's, applied when it returns; none outside of systems. */
    kith::commands commands() const noexcept { return kith::commands::borrow(it_->commands); }

    /* ---- In a system: what it reaches beyond its batches, and declares. See <kith/system.h>. */

    bool alive(entity e) const noexcept { return kith_system_alive(it_, e); }
    template <typename T>
    bool has(entity e) const noexcept
    {
        return kith_system_has(it_, e, type_of<T>());
    }
    template <typename T>
    const T *get(entity e) const noexcept
    {
        return static_cast<const T *>(kith_system_get(it_, e, type_of<T>()));
    }
    template <typename T>
    kith_result get_mut(entity e, T **value) const noexcept
    {
        void *found = nullptr;
        const kith_result result = kith_system_get_mut(it_, e, type_of<T>(), &found);
        if (result == KITH_OK) {
            *value = static_cast<T *>(found);
        }
        return result;
    }
    template <typename T>
    const T *resource() const noexcept
    {
        return static_cast<const T *>(kith_system_resource(it_, type_of<T>()));
    }
    template <typename T>
    kith_result resource_mut(T **value) const noexcept
    {
        void *found = nullptr;
        const kith_result result = kith_system_resource_mut(it_, type_of<T>(), &found);
        if (result == KITH_OK) {
            *value = static_cast<T *>(found);
        }
        return result;
    }
    template <typename T>
    kith_result send(const T &value) const noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return kith_system_send(it_, type_of<T>(), std::addressof(value));
    }
    template <typename T>
    const T *event(std::uint32_t index) const noexcept
    {
        return static_cast<const T *>(kith_system_event(it_, type_of<T>(), index));
    }
    std::uint64_t random() const noexcept { return kith_system_random(it_); }
    float random_float() const noexcept { return kith_system_random_float(it_); }

    kith_result result() const noexcept { return it_->result; }
    void fail(kith_result result) noexcept { it_->result = result; }
    kith_iter *c() const noexcept { return it_; }

private:
    kith_iter *it_;
};

/* An open query of one's own: closes itself. */
class iter : public batches {
public:
    explicit iter(const kith_iter &it) noexcept : batches(&own_), own_(it) {}
    ~iter() { kith_iter_end(&own_); }
    iter(const iter &) = delete;
    iter &operator=(const iter &) = delete;

private:
    kith_iter own_;
};

namespace detail {

/* What a function is called with for one entity: the values of the terms that have any, as a list of
 * types, to ask whether it can be called so. */
template <typename... Ts>
struct types {
};

template <typename Term>
using pointed = std::remove_pointer_t<typename Term::pointer>;
template <typename Term>
using argument = std::conditional_t<Term::is_sure, pointed<Term> &, typename Term::pointer>;

template <typename Seen, typename... Terms>
struct arguments;
template <typename... Seen>
struct arguments<types<Seen...>> {
    using list = types<Seen...>;
};
template <typename... Seen, typename Term, typename... Rest>
struct arguments<types<Seen...>, Term, Rest...> {
    static auto next()
    {
        if constexpr (Term::has_value) {
            return arguments<types<Seen..., argument<Term>>, Rest...>{};
        } else {
            return arguments<types<Seen...>, Rest...>{};
        }
    }
    using list = typename decltype(next())::list;
};

template <typename F, typename List, typename... Before>
struct callable;
template <typename F, typename... Ts, typename... Before>
struct callable<F, types<Ts...>, Before...> : std::is_invocable<F &, Before..., Ts...> {
};

/* Calls f(before..., values...) for entity number `i`: takes the terms one by one, each with its
 * number in the query, and skips those without a value. */
template <std::uint32_t Number, typename... Terms>
struct caller;
template <std::uint32_t Number>
struct caller<Number> {
    template <typename F, typename... Arguments>
    static auto call(F &f, const kith_iter *, std::uint32_t, Arguments &&...arguments)
    {
        return f(std::forward<Arguments>(arguments)...);
    }
};
template <std::uint32_t Number, typename Term, typename... Rest>
struct caller<Number, Term, Rest...> {
    template <typename F, typename... Arguments>
    static auto call(F &f, const kith_iter *it, std::uint32_t i, Arguments &&...arguments)
    {
        using next = caller<Number + 1, Rest...>;
        if constexpr (!Term::has_value) {
            return next::call(f, it, i, std::forward<Arguments>(arguments)...);
        } else if constexpr (Term::is_sure) {
            return next::call(f, it, i, std::forward<Arguments>(arguments)...,
                              *Term::at(it, Number, i));
        } else {
            return next::call(f, it, i, std::forward<Arguments>(arguments)...,
                              Term::at(it, Number, i));
        }
    }
};

/* One entity of a batch, in whichever of the allowed forms f can be called. */
template <typename F, typename... Terms>
auto call_one(F &f, const kith_iter *it, std::uint32_t i)
{
    using list = typename arguments<types<>, Terms...>::list;
    using call = caller<0, Terms...>;
    constexpr bool plain = callable<F, list>::value;
    constexpr bool with_entity = callable<F, list, entity>::value;
    constexpr bool with_dt = callable<F, list, float>::value;
    constexpr bool with_both = callable<F, list, float, entity>::value;
    constexpr bool queues = callable<F, list, commands &>::value;
    constexpr bool queues_with_entity = callable<F, list, commands &, entity>::value;
    constexpr bool queues_with_dt = callable<F, list, commands &, float>::value;
    constexpr bool queues_with_both = callable<F, list, commands &, float, entity>::value;
    static_assert(plain || with_entity || with_dt || with_both || queues || queues_with_entity ||
                      queues_with_dt || queues_with_both,
                  "this function does not fit the query's terms: it takes, in their order, `T &` "
                  "for write<T>, `const T &` for read<T>, a pointer for may_read, may_write and "
                  "either, and nothing for with and without; before them it may take "
                  "`kith::commands &` (in a system), `float dt` and `kith::entity`: any of them, "
                  "in this order");
    [[maybe_unused]] commands later = commands::borrow(it->commands);
    if constexpr (plain) {
        return call::call(f, it, i);
    } else if constexpr (with_entity) {
        return call::call(f, it, i, kith_entities(it)[i]);
    } else if constexpr (with_dt) {
        return call::call(f, it, i, float{it->dt});
    } else if constexpr (with_both) {
        return call::call(f, it, i, float{it->dt}, kith_entities(it)[i]);
    } else if constexpr (queues) {
        return call::call(f, it, i, later);
    } else if constexpr (queues_with_entity) {
        return call::call(f, it, i, later, kith_entities(it)[i]);
    } else if constexpr (queues_with_dt) {
        return call::call(f, it, i, later, float{it->dt});
    } else if constexpr (queues_with_both) {
        return call::call(f, it, i, later, float{it->dt}, kith_entities(it)[i]);
    }
}

/* All entities. A function that returns bool ends the loop by returning false. */
template <typename F, typename... Terms>
void call_all(F &f, batches &open)
{
    using result = decltype(call_one<F, Terms...>(f, open.c(), 0));
    while (open.next()) {
        for (std::uint32_t i = 0; i < open.count(); i++) {
            if constexpr (std::is_same<result, bool>::value) {
                if (!call_one<F, Terms...>(f, open.c(), i)) {
                    kith_iter_end(open.c());
                    return;
                }
            } else {
                call_one<F, Terms...>(f, open.c(), i);
            }
        }
    }
}

}   // namespace detail

/* ---- Queries ------------------------------------------------------------------------------- */

/* A query of one's own. It must not outlive its world. False if it could not be made: memory ran out,
 * or the world's error() tells why. */
template <typename... Terms>
class query {
public:
    query() noexcept = default;
    explicit query(kith_query *c) noexcept : c_(c) {}

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_query *c() const noexcept { return c_.get(); }

    std::uint32_t count() const noexcept { return kith_query_count(c()); }
    void mark_seen() noexcept { kith_query_mark_seen(c()); }
    entity first() const noexcept { return kith_query_first(c()); }
    kith_result single(entity *found) const noexcept { return kith_query_single(c(), found); }
    bool contains(entity e) const noexcept { return kith_query_contains(c(), e); }

    /* for (auto it = q.iter(); it.next();) { ... it.column<Position>(0) ... } */
    kith::iter iter(const char *file = KITH_FILE_, int line = KITH_LINE_) const noexcept
    {
        return kith::iter(kith_query_iter_at(c(), file, line));
    }
    kith::iter iter_one(entity e, const char *file = KITH_FILE_,
                        int line = KITH_LINE_) const noexcept
    {
        return kith::iter(kith_query_iter_one_at(c(), e, file, line));
    }

    /* Calls f(values...) or f(kith::entity, values...) for every entity, on every layout: `T &` for
     * write, `const T &` for read, a pointer for what may be absent, nothing for with and without.
     * If f returns bool, false ends the loop. Returns the open query's result: KITH_ERR_MEMORY if
     * it ended early for want of memory. */
    template <typename F>
    kith_result each(F &&f, const char *file = KITH_FILE_, int line = KITH_LINE_) const
    {
        kith::iter open(kith_query_iter_at(c(), file, line));
        detail::call_all<std::remove_reference_t<F>, Terms...>(f, open);
        return open.result();
    }

private:
    struct deleter {
        void operator()(kith_query *q) const noexcept { kith_query_free(q); }
    };
    std::unique_ptr<kith_query, deleter> c_;
};

/* ---- Worlds -------------------------------------------------------------------------------- */

class world;

namespace detail {

/* A system's function without captures, kept for as long as the program runs. All objects of such a
 * type are alike, so one stands for all. */
template <typename F>
const F &kept(const F *first) noexcept
{
    static const F function = *first;
    return function;
}

template <typename F, typename... Terms>
void run_system(kith_iter *it)
{
    const F &f = kept<F>(nullptr);
    batches open(it);
    if constexpr (std::is_invocable<const F &, batches &>::value) {
        f(open);
    } else {
        call_all<const F, Terms...>(f, open);
    }
}

template <typename F>
kith_result update_system(kith_world *c, float dt, void *user);

template <typename F>
void require_no_capture() noexcept
{
    static_assert(std::is_class<F>::value && std::is_empty<F>::value,
                  "a system is a lambda without captures (wrap a function in one): what it needs "
                  "is in components, in resources, or behind `user`");
}

/* A range over the handles of a world or the events of a type, for `for`. */
template <typename Walk>
class range {
public:
    struct end_mark {};
    class iterator {
    public:
        explicit iterator(Walk walk) noexcept : walk_(walk) {}
        auto operator*() const noexcept -> decltype(std::declval<const Walk &>().value())
        {
            return walk_.value();
        }
        iterator &operator++() noexcept
        {
            walk_.advance();
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return !walk_.done(); }

    private:
        Walk walk_;
    };
    explicit range(Walk walk) noexcept : walk_(walk) {}
    iterator begin() const noexcept { return iterator(walk_); }
    end_mark end() const noexcept { return {}; }

private:
    Walk walk_;
};

struct entity_walk {
    const kith_world *world;
    entity current;
    entity value() const noexcept { return current; }
    void advance() noexcept { current = kith_entity_next(world, current); }
    bool done() const noexcept { return kith_is_none(current); }
};

template <typename T>
struct event_walk {
    const kith_world *world;
    std::uint32_t index;
    const T *current;
    const T &value() const noexcept { return *current; }
    void advance() noexcept
    {
        index++;
        current = static_cast<const T *>(kith_event_at(world, type_of<T>(), index));
    }
    bool done() const noexcept { return current == nullptr; }
};

}   // namespace detail

/* A world of one's own, or one that is borrowed. */
class world {
public:
    /* False if memory ran out. */
    world() noexcept : world(kith_world_new(nullptr), true) {}
    explicit world(const kith_world_def &def) noexcept : world(kith_world_new(&def), true) {}

    /* Takes a world over, to free it; or uses one that somebody else frees. */
    static world adopt(kith_world *c) noexcept { return world(c, true); }
    static world borrow(kith_world *c) noexcept { return world(c, false); }

    world(world &&other) noexcept : c_(other.c_), owned_(other.owned_) { other.c_ = nullptr; }
    world &operator=(world &&other) noexcept
    {
        std::swap(c_, other.c_);
        std::swap(owned_, other.owned_);
        return *this;
    }
    ~world()
    {
        if (owned_) {
            kith_world_free(c_);
        }
    }

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_world *c() const noexcept { return c_; }

    const char *error() const noexcept { return kith_error(c_); }
    kith_result check() noexcept { return kith_world_check(c_); }
    std::uint64_t hash() const noexcept { return kith_world_hash(c_); }
    std::uint64_t content_hash() const noexcept { return kith_content_hash(c_); }

    /* ---- Entities */

    template <typename T>
    kith_result register_type(kith_layout layout = KITH_TABLE) noexcept
    {
        kith_component_def def{};
        def.layout = layout;
        return register_type<T>(def);
    }

    template <typename T>
    kith_result register_type(const kith_component_def &def) noexcept
    {
        kith_component_def own = def;
        own.hooks = def.hooks != nullptr ? def.hooks : hooks_of<T>();
        return kith_register(c_, type_of<T>(), &own);
    }

    /* Follows T from here on. */
    template <typename T>
    tracker track() noexcept
    {
        kith_tracker *made = nullptr;
        kith_tracker_new(c_, type_of<T>(), &made);
        return tracker(made);
    }

    /* spawn(Position{1, 2}, kith::zero<Frozen>): the new entity, or none. */
    template <typename... Ts>
    entity spawn(const Ts &...values) noexcept
    {
        if constexpr (sizeof...(Ts) == 0) {
            return kith_spawn_empty(c_);
        } else {
            const kith_value list[] = {detail::value_of(values)...};
            return kith_spawn_or_none(c_, list, sizeof...(Ts));
        }
    }

    kith_result clone(entity e, entity *copy) noexcept { return kith_clone(c_, e, copy); }
    kith_result despawn(entity e) noexcept { return kith_despawn(c_, e); }
    bool alive(entity e) const noexcept { return kith_alive(c_, e); }
    std::uint32_t entity_count() const noexcept { return kith_entity_count(c_); }

    /* for (kith::entity e : world.entities()): in the order of their slots. */
    detail::range<detail::entity_walk> entities() const noexcept
    {
        return detail::range<detail::entity_walk>({c_, kith_entity_next(c_, none)});
    }

    /* ---- Components */

    template <typename T>
    kith_result set(entity e, const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return kith_set(c_, e, type_of<T>(), std::addressof(value));
    }

    /* Several at once: set_several(e, Position{1, 2}, kith::zero<Frozen>). */
    template <typename... Ts>
    kith_result set_several(entity e, const Ts &...values) noexcept
    {
        static_assert(sizeof...(Ts) > 0, "there is nothing to set");
        const kith_value list[] = {detail::value_of(values)...};
        return kith_set_several(c_, e, list, sizeof...(Ts));
    }

    template <typename T>
    kith_result add(entity e) noexcept
    {
        return kith_add(c_, e, type_of<T>());
    }
    template <typename T>
    kith_result remove(entity e) noexcept
    {
        return kith_remove(c_, e, type_of<T>());
    }
    kith_result clear(entity e) noexcept { return kith_clear(c_, e); }

    template <typename T>
    bool has(entity e) const noexcept
    {
        return kith_has(c_, e, type_of<T>());
    }
    template <typename T>
    const T *get(entity e) const noexcept
    {
        return static_cast<const T *>(kith_get(c_, e, type_of<T>()));
    }
    template <typename T>
    T *get_mut(entity e) noexcept
    {
        return static_cast<T *>(kith_get_mut_or_null(c_, e, type_of<T>()));
    }
    /* The same with the reason why not. */
    template <typename T>
    kith_result get_mut(entity e, T **value) noexcept
    {
        void *found = nullptr;
        const kith_result result = kith_get_mut(c_, e, type_of<T>(), &found);
        if (result == KITH_OK) {
            *value = static_cast<T *>(found);
        }
        return result;
    }

    /* ---- Queries */

    /* For what must be there, may be and must not. What else a query's definition has, `def` may say:
     *     kith_query_def def{};
     *     def.columns = true;
     *     auto moving = world.query<kith::write<Position>, kith::read<Velocity>>(def); */
    template <typename... Terms>
    kith::query<Terms...> query(kith_query_def def = {}) noexcept
    {
        if constexpr (sizeof...(Terms) == 0) {
            def.terms = nullptr;
            def.term_count = 0;
            return kith::query<>(kith_query_new_or_null(c_, &def));
        } else {
            const kith_term terms[] = {Terms::c()...};
            def.terms = terms;
            def.term_count = sizeof...(Terms);
            return kith::query<Terms...>(kith_query_new_or_null(c_, &def));
        }
    }

    /* ---- Commands */

    /* A new buffer, of at most so many bytes (0: no limit). */
    kith::commands commands(std::size_t memory_limit = 0) noexcept
    {
        const kith_commands_def def{memory_limit};
        return kith::commands::adopt(kith_commands_new(c_, &def));
    }

    /* ---- Interned texts */

    kith_result intern(std::string_view bytes, text &interned) noexcept
    {
        return kith_text_intern_bytes(c_, bytes.data(), bytes.size(), &interned);
    }
    /* Lives as long as the world. Without data() for what is no text of this world; an empty text has
     * some. */
    std::string_view text_of(text t) const noexcept
    {
        std::size_t length = 0;
        const char *bytes = kith_text_get(c_, t, &length);
        return {bytes, length};
    }

    /* ---- Resources and events */

    /* KITH_ERR_UNKNOWN for a class that is not registered, here and in send: it has no hooks yet. */
    template <typename T>
    kith_result set_resource(const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_resource_set(c_, type_of<T>(), std::addressof(value))
                                 : result;
    }
    /* The same with all bytes zero, or as the default constructor makes it. */
    template <typename T>
    kith_result set_resource() noexcept
    {
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_resource_set(c_, type_of<T>(), nullptr) : result;
    }
    template <typename T>
    const T *resource() const noexcept
    {
        return static_cast<const T *>(kith_resource_get(c_, type_of<T>()));
    }
    template <typename T>
    T *resource_mut() noexcept
    {
        return static_cast<T *>(kith_resource_mut_or_null(c_, type_of<T>()));
    }
    template <typename T>
    kith_result remove_resource() noexcept
    {
        return kith_resource_remove(c_, type_of<T>());
    }

    /* Events outlive `keep` runs beyond their own. Needed only if that is not 0. */
    template <typename T>
    kith_result register_event(std::uint32_t keep) noexcept
    {
        const kith_event_def def{keep};
        return kith_event_register(c_, type_of<T>(), &def);
    }
    template <typename T>
    kith_result send(const T &value) noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        const kith_result result = detail::may_hold<T>(c_);
        return result == KITH_OK ? kith_event_send(c_, type_of<T>(), std::addressof(value))
                                 : result;
    }
    template <typename T>
    std::uint32_t event_count() const noexcept
    {
        return kith_event_count(c_, type_of<T>());
    }
    /* for (const Collision &hit : world.events<Collision>()): oldest first. None must be sent
     * meanwhile. */
    template <typename T>
    detail::range<detail::event_walk<T>> events() const noexcept
    {
        return detail::range<detail::event_walk<T>>(
            {c_, 0, static_cast<const T *>(kith_event_at(c_, type_of<T>(), 0))});
    }
    template <typename T>
    void clear_events() noexcept
    {
        kith_event_clear(c_, type_of<T>());
    }

    /* ---- Systems */

    /* A query system: a lambda without captures, called once a tick with `kith::batches &`, or for each
     * entity with its values:
     *     world.add_system<kith::write<Position>, kith::read<Velocity>>("movement", 200,
     *         [](float dt, Position &p, const Velocity &v) { p.x += v.dx * dt; });
     * What it queues on `kith::commands &`, if it takes that first, is applied when all were seen.
     * An exception that leaves it ends the program. */
    template <typename... Terms, typename F, typename = std::enable_if_t<sizeof...(Terms) != 0, F>>
    kith_result add_system(const char *name, std::int32_t priority, F f,
                           void *user = nullptr) noexcept
    {
        kith_system_def def{};
        def.name = name;
        def.priority = priority;
        def.user = user;
        return add_system<Terms...>(def, f);
    }

    /* The same with all that a definition has, but for the function and the query's terms:
     *     kith_system_def def{};
     *     def.name = "movement";
     *     def.parallel = true;
     *     world.add_system<kith::write<Position>, kith::read<Velocity>>(def, ...); */
    template <typename... Terms, typename F, typename = std::enable_if_t<sizeof...(Terms) != 0, F>>
    kith_result add_system(kith_system_def def, F f) noexcept
    {
        detail::require_no_capture<F>();
        detail::kept<F>(&f);
        const kith_term terms[] = {Terms::c()...};
        def.run = [](kith_iter *it) noexcept { detail::run_system<F, Terms...>(it); };
        def.query.terms = terms;
        def.query.term_count = sizeof...(Terms);
        return kith_system_add(c_, &def);
    }

    /* A plain system: a lambda without captures, (kith::world &, float dt) or (kith::world &, float
     * dt, void *user), which returns nothing or a kith_result. */
    template <typename F>
    kith_result add_system(const char *name, std::int32_t priority, F f,
                           void *user = nullptr) noexcept
    {
        detail::require_no_capture<F>();
        detail::kept<F>(&f);
        kith_system_def def{};
        def.name = name;
        def.priority = priority;
        def.update = [](kith_world *c, float dt, void *data) noexcept {
            return detail::update_system<F>(c, dt, data);
        };
        def.user = user;
        return kith_system_add(c_, &def);
    }

    kith_result remove_system(const char *name) noexcept { return kith_system_remove(c_, name); }
    kith_result enable_system(const char *name, bool enabled) noexcept
    {
        return kith_system_enable(c_, name, enabled);
    }
    kith_result run(float dt) noexcept { return kith_run(c_, dt); }
    std::uint64_t tick() const noexcept { return kith_tick(c_); }

private:
    world(kith_world *c, bool owned) noexcept : c_(c), owned_(owned) {}

    kith_world *c_;
    bool owned_;
};

namespace detail {

template <typename F>
kith_result update_system(kith_world *c, float dt, void *user)
{
    const F &f = kept<F>(nullptr);
    world borrowed = world::borrow(c);
    const auto call = [&] {
        if constexpr (std::is_invocable<const F &, world &, float, void *>::value) {
            return f(borrowed, dt, user);
        } else {
            static_assert(std::is_invocable<const F &, world &, float>::value,
                          "a plain system takes (kith::world &, float dt), and may take a third, "
                          "void *user");
            return f(borrowed, dt);
        }
    };
    if constexpr (std::is_same<decltype(call()), kith_result>::value) {
        return call();
    } else {
        static_assert(std::is_void<decltype(call())>::value,
                      "a plain system returns nothing or a kith_result");
        call();
        return KITH_OK;
    }
}

}   // namespace detail
}   // namespace kith

#undef KITH_FILE_
#undef KITH_LINE_

#endif
