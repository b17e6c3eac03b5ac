/* A type that is described outside of its namespace. */
#include <kith/kith.h>

namespace game {

struct Position {
    float x, y;
};
#if WRONG != 1 /* says: KITH_TYPE and KITH_TAG stand in the namespace of the struct, and name it alone */
KITH_TYPE(Position, KITH_FIELD(Position, x), KITH_FIELD(Position, y));
#endif

}   // namespace game

#if WRONG
KITH_TYPE(game::Position, KITH_FIELD(game::Position, x), KITH_FIELD(game::Position, y));
#endif
