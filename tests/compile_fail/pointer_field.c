/* A pointer cannot be stored: it means nothing to a save file or another process. */
#include <kith/kith.h>

typedef struct Label {
#if WRONG == 1 /* says: a field holds numbers, bools, chars, enums, a kith_entity or a kith_text */
    const char *text;
#else
    char text[8];
#endif
} Label;
KITH_TYPE(Label, KITH_FIELD(Label, text));
