/* The identity of this process as a text that other processes, also on other machines, can check.
 * It is part of names of temporary files and the content of claims. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { ORR_PROCESS_TEXT = 48 };

/* MACHINE-PID-START: machine is a number for the booted system and its space of process numbers
 * (each container has one), start the time at which the process began. A number of a process that
 * is used again is thereby another text. */
void orr_process_text(char text[ORR_PROCESS_TEXT]);

typedef enum orr_process_state {
    ORR_PROCESS_ALIVE,
    ORR_PROCESS_ENDED,
    ORR_PROCESS_ELSEWHERE
} orr_process_state;

/* Whether the process named by a text (or by its beginning) is alive. Unknown for another machine,
 * and for a text that names no process. */
orr_process_state orr_process_look(const char *text);
