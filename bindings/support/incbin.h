/* The bytes of a file as an object, in the language of the assembler. */
#pragma once

/* Defines `name`, and `name`_end behind it, as hidden symbols. */
#ifndef ORR_INCBIN /* a port has its own: bindings/playground/port/port.h */
#define ORR_INCBIN(name, path)                                                                     \
    __asm__(".section .rodata\n"                                                                   \
            ".global " #name "\n"                                                                  \
            ".hidden " #name "\n"                                                                  \
            ".global " #name "_end\n"                                                              \
            ".hidden " #name "_end\n" #name ":\n"                                                  \
            ".incbin \"" path "\"\n" #name "_end:\n"                                               \
            ".previous\n");
#endif
