/* The flag that stops runs: the program raises it, and all folders above this one test it. And
 * signal handlers for code that calls nothing. */
#include "bindings/support/interrupted.h"

#include <signal.h>

#ifdef __SANITIZE_THREAD__
#include <dlfcn.h>
#endif

orr_cancel_flag orr_interrupted;

/* The runtime of the thread sanitizer keeps a signal back until the thread calls something that it
 * knows, which an endless loop in Lua never does: there the C library's own function installs the
 * handler. */
int orr_set_handler(int number, const struct sigaction *action, struct sigaction *before)
{
#ifdef __SANITIZE_THREAD__
    void *libc = dlopen("libc.so.6", RTLD_LAZY);
    int (*install)(int, const struct sigaction *, struct sigaction *) = NULL;
    *(void **)&install = dlsym(libc, "sigaction");
    return install(number, action, before);
#else
    return sigaction(number, action, before);
#endif
}
