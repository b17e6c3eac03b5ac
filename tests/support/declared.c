#include "declared.h"

const kith_type *const declared_in_c[DECLARED_COUNT] = DECLARED_TYPES;
