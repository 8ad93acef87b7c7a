/* Lua's interpreter counts at every jump (playground.mk adds this to lvm.c), so that timers
 * (timer.c) can tick without signals. */
#pragma once

extern int orr_port_jumps; /* jumps until the clock is read */

void orr_port_look(void);

#define ORR_PORT_JUMP() ((void)(--orr_port_jumps > 0 || (orr_port_look(), 0)))
