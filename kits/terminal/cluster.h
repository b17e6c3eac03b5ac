/* Graphemes of several characters, and the glyphs that are numbers of them. */
#ifndef KI_TERMINAL_CLUSTER_H
#define KI_TERMINAL_CLUSTER_H

#include <kith/terminal.h>

/* Glyphs of a cell that are not characters. */
#define KI_GLYPH_NONE 0u          /* nothing was drawn */
#define KI_GLYPH_TAIL 0xFFFFFFFFu /* the right half of the cell before */
#define KI_GLYPH_CLUSTER 0x80000000u

/* A grapheme of several characters. */
typedef struct ki_cluster {
    char text[KITH_CELL_SIZE];
    uint32_t base;
    uint32_t
        next; /* of the same hash, its number plus one; while compacting: the new number plus one */
} ki_cluster;

/* Each different one once. Those that no cell shows any more go when room is short. */
typedef struct ki_clusters {
    ki_cluster *items;
    size_t count;
    size_t capacity;
    uint32_t heads[64]; /* by hash: a number plus one */
} ki_clusters;

/* The cluster of a glyph; NULL if it is none. */
static inline const ki_cluster *ki_cluster_of(const ki_clusters *clusters, uint32_t glyph)
{
    return glyph < KI_GLYPH_CLUSTER || glyph == KI_GLYPH_TAIL
               ? NULL
               : &clusters->items[glyph - KI_GLYPH_CLUSTER];
}

/* The glyph for a grapheme of several characters. */
kith_result ki_cluster_find(kith_screen *screen, const char *text, uint32_t base, uint32_t *glyph);

#endif
