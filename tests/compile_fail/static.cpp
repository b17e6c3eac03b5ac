/* Values of a world that is fixed at compile time are copied as bytes. */
#include <kith/static.h>

#include <string>

struct Name {
#if WRONG == 1
    std::string text;
#else
    char text[16] = "nobody";
#endif
};

#define NAMES(X, W) X(W, Name, name)
KITH_STATIC_WORLD(named, NAMES, 10);
