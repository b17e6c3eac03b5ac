/* Graphemes of several characters: each is kept once, and cells hold its number. */
#include <string.h>

#include "terminal/screen.h"
#include "terminal/terminal_heap.h"

static uint32_t *cluster_head(ki_clusters *clusters, const char *text)
{
    uint32_t hash = 2166136261u; /* FNV-1a */
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    }
    return &clusters->heads[(hash ^ hash >> 16) % 64];
}

static void mark_clusters(kith_screen *screen, const ki_cell *cells)
{
    size_t count = (size_t)screen->width * (size_t)screen->height;
    for (size_t i = 0; cells != NULL && i < count; i++) {
        if (ki_cluster_of(&screen->clusters, cells[i].glyph) != NULL) {
            screen->clusters.items[cells[i].glyph - KI_GLYPH_CLUSTER].next = 1;
        }
    }
}

static void renumber_clusters(const kith_screen *screen, ki_cell *cells)
{
    size_t count = (size_t)screen->width * (size_t)screen->height;
    for (size_t i = 0; cells != NULL && i < count; i++) {
        const ki_cluster *cluster = ki_cluster_of(&screen->clusters, cells[i].glyph);
        if (cluster != NULL) {
            cells[i].glyph = KI_GLYPH_CLUSTER + cluster->next - 1;
        }
    }
}

/* Drops those that neither buffer shows. */
static void compact_clusters(kith_screen *screen)
{
    ki_clusters *clusters = &screen->clusters;
    for (size_t i = 0; i < clusters->count; i++) {
        clusters->items[i].next = 0;
    }
    mark_clusters(screen, screen->cells);
    mark_clusters(screen, screen->shown);
    uint32_t kept = 0;
    for (size_t i = 0; i < clusters->count; i++) {
        if (clusters->items[i].next != 0) {
            clusters->items[i].next = ++kept;
        }
    }
    renumber_clusters(screen, screen->cells);
    renumber_clusters(screen, screen->shown);
    memset(clusters->heads, 0, sizeof clusters->heads);
    size_t count = clusters->count;
    clusters->count = 0;
    for (size_t i = 0; i < count; i++) {
        if (clusters->items[i].next != 0) {
            ki_cluster *moved = &clusters->items[clusters->count++];
            *moved = clusters->items[i];
            uint32_t *head = cluster_head(clusters, moved->text);
            moved->next = *head;
            *head = (uint32_t)clusters->count;
        }
    }
}

kith_result ki_cluster_find(kith_screen *screen, const char *text, uint32_t base, uint32_t *glyph)
{
    ki_clusters *clusters = &screen->clusters;
    uint32_t *head = cluster_head(clusters, text);
    for (uint32_t i = *head; i != 0; i = clusters->items[i - 1].next) {
        if (strcmp(clusters->items[i - 1].text, text) == 0) {
            *glyph = KI_GLYPH_CLUSTER + i - 1;
            return KITH_OK;
        }
    }
    if (clusters->count == clusters->capacity) {
        compact_clusters(screen);
        /* Grown before it is full again at once, or this would be done for every new one. */
        if (clusters->count * 4 >= clusters->capacity * 3) {
            KI_TRY(ki_terminal_grow(&screen->allocator, &clusters->items, &clusters->capacity,
                                    clusters->capacity + 1, sizeof *clusters->items));
        }
    }
    ki_cluster *added = &clusters->items[clusters->count++];
    *added = (ki_cluster){.base = base, .next = *head};
    memcpy(added->text, text, strlen(text) + 1);
    *head = (uint32_t)clusters->count;
    *glyph = KI_GLYPH_CLUSTER + *head - 1;
    return KITH_OK;
}
