/* Kith: what C++17 objects keep with a world: kith_attach, with constructors and destructors. */
#ifndef KITH_ATTACHED_HPP
#define KITH_ATTACHED_HPP

#include <kith/world.h>

#include <new>
#include <utility>

namespace kith::detail {

/* An address for each type, as a key. */
template <typename T>
inline char key_of = 0;

template <typename T>
struct attached_box {
    T value;
    kith_allocator allocator;

    static void end(void *thing) noexcept
    {
        auto *box = static_cast<attached_box *>(thing);
        const kith_allocator own = box->allocator;
        box->~attached_box();
        own.release(own.context, box, sizeof(attached_box), alignof(attached_box));
    }
};

/* Makes a T in the world's memory, to be destroyed when the world is freed. Its key is `key`, or its own
 * address if that is NULL. NULL if memory ran out. */
template <typename T, typename... As>
T *attach_new(kith_world *world, const void *key, As &&...arguments) noexcept
{
    const kith_allocator own = kith_world_allocator(world);
    void *memory = own.allocate == nullptr ? nullptr
                                           : own.allocate(own.context, sizeof(attached_box<T>),
                                                          alignof(attached_box<T>));
    if (memory == nullptr) {
        return nullptr;
    }
    auto *box = ::new (memory) attached_box<T>{T{std::forward<As>(arguments)...}, own};
    if (kith_attach(world, key != nullptr ? key : &box->value, box, attached_box<T>::end) !=
        KITH_OK) {
        attached_box<T>::end(box);
        return nullptr;
    }
    return &box->value;
}

/* What attach_new made for this key; NULL if there is nothing. */
template <typename T>
T *attached(const kith_world *world, const void *key) noexcept
{
    auto *box = static_cast<attached_box<T> *>(kith_attached(world, key));
    return box == nullptr ? nullptr : &box->value;
}

}   // namespace kith::detail

#endif
