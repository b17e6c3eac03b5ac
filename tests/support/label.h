/* A component with interned texts. */
#ifndef KITH_TEST_LABEL_H
#define KITH_TEST_LABEL_H

#include <kith/kith.h>

typedef struct Label {
    kith_text text;
    kith_text more[2];
} Label;
KITH_TYPE(Label, KITH_FIELD(Label, text), KITH_FIELD(Label, more));

#endif
