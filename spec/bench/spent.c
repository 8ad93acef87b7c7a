/* Runs a command, its output to /dev/null, and prints its seconds of user time and its largest
 * memory in MB:
 *
 *   spent COMMAND [ARGUMENT ...] */
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    struct rusage used;
    int status;
    pid_t child = count > 1 ? fork() : -1;
    if (child == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        execvp(arguments[1], arguments + 1);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child)
        return 1;
    printf("%.3f %.1f\n", (double)used.ru_utime.tv_sec + 1e-6 * (double)used.ru_utime.tv_usec,
           (double)used.ru_maxrss / 1024);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
