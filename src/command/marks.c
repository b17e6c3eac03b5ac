#include "command/marks.h"

void ki_marks_list(ki_store *store, ki_marks *marks, ki_command *list)
{
    ki_store_begin_names(store);
    marks->leader = NULL;
    for (ki_command *command = list; command != NULL; command = command->next) {
        ki_component *component = ki_store_component(store, command->component);
        component->named = store->namings;
        component->of.command = command;
    }
}

void ki_marks_leader(ki_store *store, ki_marks *marks, ki_command *leader)
{
    if (marks->leader == leader) {
        return;
    }
    ki_marks_list(store, marks, ki_leader_first(leader));
    marks->leader = leader;
    marks->tail = leader;
    for (ki_command *command = leader->next; command != NULL; command = command->next) {
        command->previous = marks->tail;
        marks->tail = command;
    }
}

void ki_marks_append(const ki_store *store, ki_marks *marks, ki_command *command)
{
    ki_component *component = ki_store_component(store, command->component);
    component->named = store->namings;
    component->of.command = command;
    command->previous = marks->tail;
    marks->tail->next = command;
    marks->tail = command;
}

void ki_marks_remove(const ki_store *store, ki_marks *marks, const ki_command *command)
{
    ki_store_component(store, command->component)->named = 0;
    if (command == marks->leader) {
        return;
    }
    command->previous->next = command->next;
    if (command->next != NULL) {
        command->next->previous = command->previous;
    } else {
        marks->tail = command->previous;
    }
}
