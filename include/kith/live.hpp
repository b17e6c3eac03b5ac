/* Kith: live queries for C++17: which entities match, and what became of them since you asked last.
 *
 *     auto weak = world.live_query<kith::with<Enemy>>(kith::field(&Health::current) < 20);
 *     ...
 *     if (auto changes = weak.next()) {
 *         for (kith::entity e : changes.entered) { show_bar(e); }
 *         for (kith::entity e : changes.left) { hide_bar(e); }
 *     }
 *
 * What is told, and what it costs, is in <kith/live.h>. */
#ifndef KITH_LIVE_HPP
#define KITH_LIVE_HPP

#include <kith/condition.hpp>
#include <kith/entity.hpp>
#include <kith/index.hpp>
#include <kith/live.h>

#include <cstdint>

namespace kith {

/* What became of a set; good until the next call, or until the live query is freed. */
struct live_changes {
    kith_result result = KITH_OK; /* anything else: the lists are empty, and the set is as it was */
    found entered;
    found left;
    found changed;

    explicit operator bool() const noexcept { return result == KITH_OK; }
};

/* A live query. This is only its name: copies are of the same one, which ends with its world, or by
 * free(). False if it could not be made; then world.error() tells why. */
class live_query {
public:
    live_query() noexcept = default;
    explicit live_query(kith_query *of, kith_live *c) noexcept : query_(of), c_(c) {}

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_live *c() const noexcept { return c_; }

    /* Ends it, for all copies. */
    void free() noexcept
    {
        kith_live_free(c_);
        c_ = nullptr;
        query_ = nullptr;
    }

    /* Gives what is kith_bound to a name this value. */
    template <typename V>
    kith_result bind(const char *name, const V &value) noexcept
    {
        return kith_query_bind_operand(query_, name, detail::operand_of(value));
    }

    /* What became of the set since the call before; all that match enter it in the first one. */
    live_changes next() noexcept
    {
        kith_live_changes all{};
        live_changes told;
        told.result = kith_live_next(c_, &all);
        if (told) {
            told.entered = {KITH_OK, all.entered, all.entered_count};
            told.left = {KITH_OK, all.left, all.left_count};
            told.changed = {KITH_OK, all.changed, all.changed_count};
        }
        return told;
    }

    /* The set, as next() told it last, in the order of slots. */
    std::uint32_t size() const noexcept { return kith_live_count(c_); }
    bool contains(entity e) const noexcept { return kith_live_has(c_, e); }

    struct end_mark {};
    class iterator {
    public:
        explicit iterator(const kith_live *of) noexcept
            : of_(of), current_(kith_live_after(of, none))
        {
        }
        entity operator*() const noexcept { return current_; }
        iterator &operator++() noexcept
        {
            current_ = kith_live_after(of_, current_);
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return !kith_is_none(current_); }

    private:
        const kith_live *of_;
        entity current_;
    };
    iterator begin() const noexcept { return iterator(c_); }
    end_mark end() const noexcept { return {}; }

    kith_live_counts stats() const noexcept { return kith_live_stats(c_); }

private:
    kith_query *query_ = nullptr; /* that of the live query */
    kith_live *c_ = nullptr;
};

namespace detail {

/* Takes over a query, which may be NULL. */
inline live_query make_live(kith_world *world, kith_query *of) noexcept
{
    kith_live *made = nullptr;
    if (of == nullptr || kith_live_new(world, of, &made) != KITH_OK) {
        kith_query_free(of);
        return live_query();
    }
    return live_query(of, made);
}

}   // namespace detail

}   // namespace kith

#endif
