/* Marks: each component that a list of commands is about knows its command in it, until another list is
 * marked. So a list is gone through once, and not for each command that joins it. */
#ifndef KI_COMMAND_MARKS_H
#define KI_COMMAND_MARKS_H

#include "command/buffer.h"

/* A leader whose list is marked, and grows; begins as zeros. */
typedef struct ki_marks {
    ki_command *leader; /* NULL: there is none */
    ki_command *tail;   /* the last of its list, or itself */
} ki_marks;

/* Marks a list that stays as it is. */
void ki_marks_list(ki_store *store, ki_marks *marks, ki_command *list);

/* Marks the list of a leader, if it is not. */
void ki_marks_leader(ki_store *store, ki_marks *marks, ki_command *leader);

/* The command about a component in the list that is marked; NULL if there is none. */
static inline ki_command *ki_marks_about(const ki_store *store, uint32_t component)
{
    const ki_component *about = ki_store_component(store, component);
    return about->named == store->namings ? about->of.command : NULL;
}

/* Appends a command to the list of the leader, which has none about its component. */
void ki_marks_append(const ki_store *store, ki_marks *marks, ki_command *command);

/* Takes a command out of it; of the leader itself, only its mark. */
void ki_marks_remove(const ki_store *store, ki_marks *marks, const ki_command *command);

#endif
