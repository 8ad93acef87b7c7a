/* Processes, by /proc. */
#include "bindings/support/process.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The text of a small file; empty where it cannot be read. */
static void read_small(const char *path, char *text, size_t room)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t size = file < 0 ? 0 : read(file, text, room - 1);
    if (file >= 0)
        close(file);
    text[size > 0 ? size : 0] = '\0';
}

static uint32_t mix(uint32_t hash, const char *text) /* FNV-1a */
{
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 16777619u;
    return hash;
}

/* Containers share a kernel, but have process numbers of their own. The host's name alone does not
 * identify a machine: nodes booted from one image may share it. */
static uint32_t this_machine(void)
{
    char boot[64], name[256] = "", space[64] = "";
    read_small("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    gethostname(name, sizeof name - 1);
    ssize_t size = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    space[size > 0 ? size : 0] = '\0';
    return mix(mix(mix(2166136261u, boot), name), space);
}

/* The start time of a process, in ticks since the boot; 0: the process is over, or /proc is
 * missing. */
static uint64_t start_of(long pid)
{
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    read_small(path, text, sizeof text);
    const char *rest = strrchr(text, ')'); /* the name before it may hold anything */
    if (!rest || rest[1] != ' ')
        return 0;
    char state = rest[2];
    for (int field = 3; field <= 22 && rest; field++) /* " X": the state is the third */
        rest = strchr(rest + 1, ' ');
    uint64_t start = rest ? strtoull(rest, NULL, 10) : 0;
    return state == 'Z' || state == 'X' ? 0 : start;
}

void orr_process_text(char text[ORR_PROCESS_TEXT])
{
    long pid = getpid();
    snprintf(text, ORR_PROCESS_TEXT, "%08" PRIx32 "-%ld-%" PRIx64, this_machine(), pid,
             start_of(pid));
}

orr_process_state orr_process_look(const char *text)
{
    char *at, *end = NULL; /* behind the text there may be more: it is the part of a name */
    unsigned long machine = strtoul(text, &at, 16);
    long pid = *at == '-' ? strtol(at + 1, &at, 10) : 0;
    uint64_t start = *at == '-' ? strtoull(at + 1, &end, 16) : 0;
    if (!end || end == at + 1 || pid <= 0 || machine != this_machine())
        return ORR_PROCESS_ELSEWHERE;
    if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
        return ORR_PROCESS_ENDED;
    uint64_t now = start_of(pid);
    if (now == 0 && start_of(getpid()) == 0) /* no /proc: the number alone must do */
        return ORR_PROCESS_ALIVE;
    return now == start ? ORR_PROCESS_ALIVE : ORR_PROCESS_ENDED;
}
