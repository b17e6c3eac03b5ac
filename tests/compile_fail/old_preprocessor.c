/* The preprocessor that Visual Studio uses unless it is told not to. */
#if WRONG == 1 /* says: compile with /Zc:preprocessor */
#undef __clang__
#define _MSC_VER 1938
#endif
#include <kith/kith.h>

KITH_COMPONENT(Position, (float, x), (float, y));
