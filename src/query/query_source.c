#include "query/query_source.h"

void ki_source_add(ki_source *source)
{
    source->next = source->component->sources;
    source->component->sources = source;
}

void ki_source_remove(ki_source *source)
{
    ki_source **link = &source->component->sources;
    while (*link != source) {
        link = &(*link)->next;
    }
    *link = source->next;
}
