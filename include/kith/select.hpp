/* Kith: selections for C++17: queries in text whose result is a table of values.
 *
 *     auto worst = world.select("Health select entity, Health.current"
 *                               " order by Health.current limit $n");
 *     worst.bind("n", 10);
 *     if (worst.run() == KITH_OK) {
 *         for (std::uint32_t row = 0; row < worst.row_count(); row++) {
 *             const kith::entity *who = worst.value<kith::entity>(row, 0);
 *         }
 *     }
 *
 * The grammar is in <kith/query_text.h>; what is kept, and for how long, in <kith/select.h>. */
#ifndef KITH_SELECT_HPP
#define KITH_SELECT_HPP

#include <kith/condition.hpp>
#include <kith/select.h>

#include <cstddef>
#include <cstdint>

namespace kith {

/* A selection. This is only its name: copies are of the same one, which ends with its world, or by
 * free(). False if it could not be made; then world.error() tells why. */
class selection {
public:
    selection() noexcept = default;
    explicit selection(kith_select *c) noexcept : c_(c) {}

    explicit operator bool() const noexcept { return c_ != nullptr; }
    kith_select *c() const noexcept { return c_; }

    /* Ends it, for all copies. */
    void free() noexcept
    {
        kith_select_free(c_);
        c_ = nullptr;
    }

    /* Gives a value to `$name` in the text. */
    template <typename V>
    kith_result bind(const char *name, const V &value) noexcept
    {
        return kith_select_bind_operand(c_, name, detail::operand_of(value));
    }

    /* Reads the world. The rows stay until the next run. */
    kith_result run() noexcept { return kith_select_run(c_); }

    std::uint32_t row_count() const noexcept { return kith_select_row_count(c_); }
    std::uint32_t column_count() const noexcept { return kith_select_column_count(c_); }

    /* What a column has; NULL if there is no such column. */
    const kith_field *column(std::uint32_t number) const noexcept
    {
        return kith_select_column(c_, number);
    }

    /* One value, as a T of the column's size; NULL if it is absent, or of another size. */
    template <typename T>
    const T *value(std::uint32_t row, std::uint32_t number) const noexcept
    {
        const kith_field *field = column(number);
        return field != nullptr && field->size == sizeof(T)
                   ? static_cast<const T *>(kith_select_value(c_, row, number))
                   : nullptr;
    }

    /* Writes one row as a line without an end, like snprintf. */
    std::size_t print(std::uint32_t row, char *shown, std::size_t size,
                      kith_select_format format = KITH_SELECT_TEXT) const noexcept
    {
        return kith_select_print(c_, row, format, shown, size);
    }

private:
    kith_select *c_ = nullptr;
};

}   // namespace kith

#endif
