/* An array of arrays has to be given its kind. */
#include <kith/kith.h>

typedef struct Camera {
    float matrix[4][4];
} Camera;

#if WRONG == 1 /* says: of an array of arrays the kind: KITH_FIELD(Body, matrix, KITH_F32) */
KITH_TYPE(Camera, KITH_FIELD(Camera, matrix));
#else
KITH_TYPE(Camera, KITH_FIELD(Camera, matrix, KITH_F32));
#endif
