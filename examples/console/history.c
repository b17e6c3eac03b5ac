#include "history.h"

#include <stdlib.h>
#include <string.h>

#include "support/must.h"

static char *copy_of(const char *line)
{
    size_t size = strlen(line) + 1;
    return memcpy(must_make(malloc(size)), line, size);
}

static void forget_draft(history *h)
{
    free(h->draft);
    h->draft = NULL;
    h->back = 0;
}

void history_add(history *h, const char *line)
{
    forget_draft(h);
    if (*line == '\0' || (h->count > 0 && strcmp(line, h->lines[h->count - 1]) == 0)) {
        return;
    }
    char *copy = copy_of(line);
    if (h->count == HISTORY_LINES) {
        free(h->lines[0]);
        memmove(h->lines, h->lines + 1, (HISTORY_LINES - 1) * sizeof h->lines[0]);
        h->count--;
    }
    h->lines[h->count++] = copy;
}

const char *history_older(history *h, const char *line)
{
    if (h->back == h->count) {
        return NULL;
    }
    if (h->back == 0) {
        forget_draft(h);
        h->draft = copy_of(line);
    }
    h->back++;
    return h->lines[h->count - h->back];
}

const char *history_newer(history *h)
{
    if (h->back > 1) {
        h->back--;
        return h->lines[h->count - h->back];
    }
    if (h->back == 0) {
        return NULL;
    }
    h->back = 0; /* the draft stays until the next step back, so that it can be returned */
    return h->draft;
}

void history_clear(history *h)
{
    forget_draft(h);
    for (uint32_t i = 0; i < h->count; i++) {
        free(h->lines[i]);
    }
    h->count = 0;
}
