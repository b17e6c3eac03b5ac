/* Kith: selections for C++17: queries in text whose result is a table of values.
 *
 *     auto worst = world.select("Health select entity, Health.current"
 *                               " order by Health.current limit $n");
 *     worst.bind("n", 10);
 *     if (worst.run() == KITH_OK) {
 *         for (auto [who, health] : worst.rows<kith::entity, std::int32_t>()) { ... *health ... }
 *     }
 *
 * The grammar is in <kith/query_text.h>; what is kept, and for how long, in <kith/select.h>. */
#ifndef KITH_SELECT_HPP
#define KITH_SELECT_HPP

#include <kith/condition.hpp>
#include <kith/reflect.hpp>
#include <kith/select.h>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace kith {

/* A mistake in a text, as kith_print_text_error writes it: the message, the line, and a caret below the
 * place. */
template <std::size_t Size = 1024>
printed<Size> print_text_error(const char *of, const kith_text_error &error) noexcept
{
    printed<Size> shown;
    shown.length = kith_print_text_error(of, &error, shown.bytes, Size);
    return shown;
}

template <typename... Ts>
class selected_rows;

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

    /* The rows of the last run, for `for`: tuples of pointers to the values of the first columns, which
     * are of these types. NULL: absent, or of another kind or size; and there are arrays of char:
     *     for (auto [name, health] : worst.rows<char[16], std::int32_t>()) */
    template <typename... Ts>
    selected_rows<Ts...> rows() const noexcept
    {
        static_assert((kith_can_hold_<Ts>() && ... && true), KITH_FIELD_HOLDS_);
        return selected_rows<Ts...>(*this);
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

/* See selection::rows. */
template <typename... Ts>
class selected_rows {
public:
    struct end_mark {};
    class iterator {
    public:
        explicit iterator(const selection &of) noexcept : of_(of), count_(of.row_count()) {}
        std::tuple<const Ts *...> operator*() const noexcept
        {
            return values(std::index_sequence_for<Ts...>());
        }
        iterator &operator++() noexcept
        {
            row_++;
            return *this;
        }
        bool operator!=(end_mark) const noexcept { return row_ < count_; }

    private:
        template <std::size_t... I>
        std::tuple<const Ts *...> values(std::index_sequence<I...>) const noexcept
        {
            return std::tuple<const Ts *...>(value<Ts>(static_cast<std::uint32_t>(I))...);
        }
        template <typename T>
        const T *value(std::uint32_t column) const noexcept
        {
            const kith_field *field = of_.column(column);
            return field != nullptr && field->kind == kith_kind_of<T>()
                       ? of_.value<T>(row_, column)
                       : nullptr;
        }

        selection of_;
        std::uint32_t row_ = 0;
        std::uint32_t count_;
    };
    explicit selected_rows(const selection &of) noexcept : of_(of) {}
    iterator begin() const noexcept { return iterator(of_); }
    end_mark end() const noexcept { return {}; }

private:
    selection of_;
};

}   // namespace kith

#endif
