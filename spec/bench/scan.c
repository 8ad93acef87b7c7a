/* Reads a log in the Standard Workload Format and adds up all of its integers, without their
 * meaning: what a reader cannot be faster than. Prints the sum and the seconds that it takes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

int main(int count, char **arguments)
{
    static char piece[1 << 16];
    FILE *file = count > 1 ? fopen(arguments[1], "rb") : NULL;
    if (!file)
        return 1;
    clock_t begin = clock();
    int64_t sum = 0, value = 0;
    bool minus = false;
    for (size_t size; (size = fread(piece, 1, sizeof piece, file)) > 0;) {
        for (size_t i = 0; i < size; i++) {
            unsigned digit = (unsigned)piece[i] - '0';
            if (digit < 10) {
                value = 10 * value + digit;
                continue;
            }
            sum += minus ? -value : value;
            value = 0;
            minus = piece[i] == '-';
        }
    }
    fclose(file);
    printf("%lld %.6f\n", (long long)sum, (double)(clock() - begin) / CLOCKS_PER_SEC);
    return 0;
}
