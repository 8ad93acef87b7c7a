/* Included before every file of the port to WebAssembly: emscripten's C library is musl, and its
 * assembler has sections of its own. */
#pragma once

#include <string.h>

/* Returns the text, as glibc's strerror_r does. */
static inline char *orr_port_error_text(int code, char *text, size_t size)
{
    if (strerror_r(code, text, size) != 0 && size > 0)
        text[0] = '\0';
    return text;
}
#define strerror_r orr_port_error_text

#define _Thread_local /* there is one thread, and its linker asks more of such variables */

/* See bindings/support/incbin.h. */
#define ORR_INCBIN(name, path)                                                                     \
    __asm__(".section .rodata." #name ",\"\",@\n"                                                  \
            ".hidden " #name "\n"                                                                  \
            ".globl " #name "\n"                                                                   \
            ".type " #name ",@object\n"                                                            \
            ".hidden " #name "_end\n"                                                              \
            ".globl " #name "_end\n"                                                               \
            ".type " #name "_end,@object\n" #name ":\n"                                            \
            ".incbin \"" path "\"\n" #name "_end:\n"                                               \
            ".int8 0\n"                                                                            \
            ".size " #name ", " #name "_end - " #name "\n"                                         \
            ".size " #name "_end, 1\n");
