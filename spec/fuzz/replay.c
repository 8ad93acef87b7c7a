/* Does with files what the fuzzer that it is linked to does with inputs: fuzz-NAME FILE... */
#include "fuzz.h"

static int run_file(const char *path)
{
    static uint8_t data[1 << 20];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        return 1;
    }
    size_t size = fread(data, 1, sizeof data, file);
    fclose(file);
    uint8_t *copy = malloc(size + 1); /* of its size, so that a sanitizer sees its end */
    insist(copy != NULL, "no memory for the fuzzer itself");
    memcpy(copy, data, size);
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
    return 0;
}

int main(int argc, char **argv)
{
    int status = 0;
    for (int i = 1; i < argc; i++)
        status |= run_file(argv[i]);
    return status;
}
