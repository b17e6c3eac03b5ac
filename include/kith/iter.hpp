/* Kith: iteration for C++17: the batches of an open query. */
#ifndef KITH_ITER_HPP
#define KITH_ITER_HPP

#include <kith/context.hpp>
#include <kith/pair.h>
#include <kith/query.h>

#include <cstdint>

namespace kith {

class iter;

/* An open query, by reference: what a system gets that takes `kith::batches &`. It is a context too. */
class batches : public context {
public:
    explicit batches(kith_iter *it) noexcept : context(it, nullptr, it->commands, it->dt), it_(it)
    {
    }
    /* One's own is kept as what it is: `auto it = q.iter()`. Of a temporary nothing would be left. */
    batches(const iter &&) = delete;

    /* The next batch; false at the end. */
    bool next() noexcept { return kith_next(it_); }
    std::uint32_t count() const noexcept { return it_->count; }
    const kith::entity *entities() const noexcept { return kith_entities(it_); }

    /* The next batch of rows: kith_next_rows. */
    bool next_rows() noexcept { return kith_next_rows(it_); }

    /* Entities of the rows by their number: kith_others. */
    const kith::entity *others(std::uint32_t number) const noexcept
    {
        return kith_others(it_, number);
    }

    /* KITH_COLUMN, KITH_AT, KITH_POINTERS. */
    template <typename T>
    const T *column() const noexcept
    {
        return static_cast<const T *>(kith_column_at(it_, type_of<T>(), KITH_ACCESS_READ));
    }
    template <typename T>
    T *column_mut() const noexcept
    {
        return static_cast<T *>(kith_column_at(it_, type_of<T>(), KITH_ACCESS_WRITE));
    }
    template <typename T>
    const T *at(std::uint32_t i) const noexcept
    {
        return static_cast<const T *>(kith_at(it_, i, type_of<T>(), sizeof(T), KITH_ACCESS_READ));
    }
    template <typename T>
    T *at_mut(std::uint32_t i) const noexcept
    {
        return static_cast<T *>(kith_at(it_, i, type_of<T>(), sizeof(T), KITH_ACCESS_WRITE));
    }
    template <typename T>
    const T *const *pointers() const noexcept
    {
        return static_cast<const T *const *>(kith_pointers(it_, type_of<T>(), KITH_ACCESS_READ));
    }
    template <typename T>
    T *const *pointers_mut() const noexcept
    {
        return static_cast<T *const *>(kith_pointers(it_, type_of<T>(), KITH_ACCESS_WRITE));
    }

    /* KITH_TERM_AT, KITH_TERM_POINTERS: by the number of a term, which may be one of another entity. */
    template <typename T>
    const T *term_at(std::uint32_t number, std::uint32_t i) const noexcept
    {
        return static_cast<const T *>(
            kith_term_at(it_, number, i, type_of<T>(), sizeof(T), KITH_ACCESS_READ));
    }
    template <typename T>
    const T *const *term_pointers(std::uint32_t number) const noexcept
    {
        return static_cast<const T *const *>(kith_term_pointers(it_, number, type_of<T>()));
    }

    /* Further query number `number` of the system: `auto foes = it.query(1)`, `foes.next()`. */
    iter query(std::uint32_t number, const char *file = __builtin_FILE(),
               int line = __builtin_LINE()) const noexcept;

    kith_result result() const noexcept { return it_->result; }
    void fail(kith_result result) noexcept { it_->result = result; }
    kith_iter *c() const noexcept { return it_; }

private:
    kith_iter *it_;
};

namespace detail {

/* Made before the base that refers to it. */
struct own_iter {
    kith_iter own;
};

}   // namespace detail

/* An open query of one's own: closes itself. */
class iter : detail::own_iter, public batches {
public:
    explicit iter(const kith_iter &it) noexcept : own_iter{it}, batches(&(own_iter::own)) {}
    ~iter() { kith_iter_close(&own); }
    iter(const iter &) = delete;
    iter &operator=(const iter &) = delete;
};

inline iter batches::query(std::uint32_t number, const char *file, int line) const noexcept
{
    return iter(kith_system_query_at(it_, number, file, line));
}

}   // namespace kith

#endif
