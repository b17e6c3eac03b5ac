/* Kith: iteration for C++17: the batches of an open query, and all that a system reaches by them. */
#ifndef KITH_ITER_HPP
#define KITH_ITER_HPP

#include <kith/commands.hpp>
#include <kith/entity.hpp>
#include <kith/system.h>
#include <kith/type.hpp>

#include <cstdint>
#include <memory>

namespace kith {

class iter;

/* An open query, by reference: what a system gets. */
class batches {
public:
    explicit batches(kith_iter *it) noexcept : it_(it) {}
    /* One's own is kept as what it is: `auto it = q.iter()`. Of a temporary nothing would be left. */
    batches(const iter &&) = delete;

    /* The next batch; false at the end. */
    bool next() noexcept { return kith_next(it_); }
    std::uint32_t count() const noexcept { return it_->count; }
    const entity *entities() const noexcept { return kith_entities(it_); }

    /* The next batch of rows: kith_next_rows. */
    bool next_rows() noexcept { return kith_next_rows(it_); }

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
    /* KITH_ERR_UNKNOWN for a class that is not registered, which then has no hooks: the system fails. */
    template <typename T>
    kith_result send(const T &value) const noexcept
    {
        static_assert(detail::can_copy<T>(), "");
        return send_from<T>(std::addressof(value));
    }
    template <typename T>
    kith_result send() const noexcept
    {
        return send_from<T>(nullptr);
    }
    template <typename T>
    const T *event(std::uint32_t index) const noexcept
    {
        return static_cast<const T *>(kith_system_event(it_, type_of<T>(), index));
    }
    /* Further query number `number` of the system: `auto foes = it.query(1)`, `foes.next()`. */
    iter query(std::uint32_t number) const noexcept;
    std::uint64_t random() const noexcept { return kith_system_random(it_); }
    float random_float() const noexcept { return kith_system_random_float(it_); }
    kith_random *random_stream() const noexcept { return kith_system_random_stream(it_); }

    kith_result result() const noexcept { return it_->result; }
    void fail(kith_result result) noexcept { it_->result = result; }
    kith_iter *c() const noexcept { return it_; }

private:
    template <typename T>
    kith_result send_from(const T *value) const noexcept
    {
        if (hooks_of<T>() != nullptr && !kith_system_has_hooks(it_, type_of<T>())) {
            it_->result = it_->result == KITH_OK ? KITH_ERR_UNKNOWN : it_->result;
            return KITH_ERR_UNKNOWN;
        }
        return kith_system_send(it_, type_of<T>(), value);
    }

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

inline iter batches::query(std::uint32_t number) const noexcept
{
    return iter(kith_system_query(it_, number));
}

}   // namespace kith

#endif
