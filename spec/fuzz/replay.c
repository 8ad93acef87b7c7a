/* Runs a fuzzer without libFuzzer: on files of a corpus, or on a fixed sequence of inputs.
 *
 *   fuzz-NAME FILE...
 *   fuzz-NAME SEED SECONDS INPUTS LARGEST FOLDER FOUND [WORDS]
 *
 * Input i of a sequence is a file of FOLDER, changed in a few places. It follows from the seed, i,
 * the files' names and bytes, LARGEST (bytes) and WORDS (a dictionary of libFuzzer's), not from what
 * the code under test does: a change of that code leaves the sequence as it is. It ends after so
 * many seconds of processor time, or after so many inputs (0: no limit). The last line tells how
 * many there were and a hash of them all. An input that ends the program, or takes LONGEST seconds
 * of processor time, is written to FOUND-crash or FOUND-timeout. */
#include "fuzz.h"

#include "base/random.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/common_interface_defs.h>
#define HAS_DEATH 1
#endif
#endif

enum { MOST_BYTES = 1 << 20, MOST_FILES = 4096, MOST_WORDS = 256, LONGEST = 20 };

typedef struct file_text {
    uint8_t *data;
    size_t size;
} file_text;

static file_text read_text(const char *path)
{
    static uint8_t data[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    file_text t = {NULL, fread(data, 1, sizeof data, file)};
    fclose(file);
    t.data = malloc(t.size + 1);
    insist(t.data != NULL, "no memory for the fuzzer itself");
    memcpy(t.data, data, t.size);
    return t;
}

/* In a block of its size, so that a sanitizer sees its end. */
static void run_input(const uint8_t *data, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    insist(copy != NULL, "no memory for the fuzzer itself");
    memcpy(copy, data, size);
    LLVMFuzzerTestOneInput(copy, size);
    free(copy);
}

/* --- what inputs are made of ------------------------------------------------------------------- */

typedef struct sequence {
    file_text files[MOST_FILES], words[MOST_WORDS];
    int file_count, word_count;
    size_t largest;
    uint8_t *input;
    size_t size;
    orr_pcg rng;
} sequence;

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void read_folder(sequence *s, const char *path)
{
    static char *names[MOST_FILES];
    int count = 0;
    DIR *folder = opendir(path);
    insist(folder != NULL, "there is no such folder");
    for (struct dirent *e; (e = readdir(folder)) != NULL && count < MOST_FILES;)
        if (e->d_name[0] != '.')
            names[count++] = strdup(e->d_name);
    closedir(folder);
    insist(count > 0, "the folder is empty");
    qsort(names, (size_t)count, sizeof *names, by_name); /* names differ */
    for (int i = 0; i < count; i++) {
        char full[4096];
        snprintf(full, sizeof full, "%s/%s", path, names[i]);
        s->files[s->file_count++] = read_text(full);
        free(names[i]);
    }
}

/* A line is a word between quotes, with \xHH, \\ and \". */
static void read_words(sequence *s, const char *path)
{
    FILE *file = fopen(path, "r");
    insist(file != NULL, "there are no such words");
    char line[512];
    while (fgets(line, sizeof line, file) && s->word_count < MOST_WORDS) {
        const char *at = strchr(line, '"'), *end = strrchr(line, '"');
        if (!at || at == end)
            continue;
        file_text *word = &s->words[s->word_count++];
        word->data = malloc(sizeof line);
        insist(word->data != NULL, "no memory for the fuzzer itself");
        for (at++; at < end; at++) {
            unsigned code;
            bool hex = sscanf(at, "\\x%2x", &code) == 1;
            at += hex ? 3 : *at == '\\';
            word->data[word->size++] = (uint8_t)(hex ? code : (unsigned char)*at);
        }
    }
    fclose(file);
}

static size_t draw(sequence *s, size_t count)
{
    return count > 0 ? (size_t)orr_pcg_below(&s->rng, count) : 0;
}

/* A number with as many bits as are drawn first: mostly a small one. */
static size_t draw_small(sequence *s, size_t most)
{
    size_t value = 1 + draw(s, (size_t)1 << draw(s, 7));
    return value < most ? value : most;
}

/* Puts bytes between two, as many as there is room for. */
static void put(sequence *s, size_t at, const uint8_t *data, size_t size)
{
    size = size < s->largest - s->size ? size : s->largest - s->size;
    memmove(s->input + at + size, s->input + at, s->size - at);
    memmove(s->input + at, data, size);
    s->size += size;
}

static void put_some(sequence *s, size_t at)
{
    uint8_t some[64];
    size_t size = draw_small(s, sizeof some);
    bool same = draw(s, 2);
    for (size_t i = 0; i < size; i++)
        some[i] = same && i > 0 ? some[0] : (uint8_t)draw(s, 256);
    put(s, at, some, size);
}

static void put_part(sequence *s, size_t at, const file_text *from)
{
    size_t begin = draw(s, from->size), size = draw_small(s, from->size - begin);
    uint8_t part[128];
    size = size < sizeof part ? size : sizeof part;
    memcpy(part, from->data + begin, size); /* it may be the input itself */
    if (draw(s, 2) && at + size <= s->size)
        memcpy(s->input + at, part, size);
    else
        put(s, at, part, size);
}

/* One change of the input, at a random place. */
static void alter(sequence *s)
{
    static const uint8_t odd[] = {0, 1, 2, 127, 128, 239, 240, 249, 250, 254, 255};
    size_t at = draw(s, s->size + 1), last = s->size > 0 ? s->size - 1 : 0,
           one = at < last ? at : last;
    switch (draw(s, s->word_count > 0 ? 10 : 9)) {
    case 0:
        s->input[one] = (uint8_t)draw(s, 256);
        break;
    case 1:
        s->input[one] ^= (uint8_t)(1u << draw(s, 8));
        break;
    case 2:
        s->input[one] = (uint8_t)(s->input[one] + draw(s, 17) - 8);
        break;
    case 3:
        s->input[one] = odd[draw(s, sizeof odd)];
        break;
    case 4: {
        size_t size = draw_small(s, s->size - at);
        memmove(s->input + at, s->input + at + size, s->size - at - size);
        s->size -= size;
        break;
    }
    case 5:
        put_some(s, at);
        break;
    case 6:
        put_part(s, at, &(file_text){s->input, s->size});
        break;
    case 7:
        put_part(s, at, &s->files[draw(s, (size_t)s->file_count)]);
        break;
    case 8:
        s->size = draw(s, 16) == 0 ? at : s->size;
        break;
    default:
        put_part(s, at, &s->words[draw(s, (size_t)s->word_count)]);
    }
}

/* Every file once as it is, then changed ones. */
static void make_input(sequence *s, uint64_t seed, uint64_t i)
{
    orr_pcg_seed(&s->rng, seed, i);
    bool as_it_is = i < (uint64_t)s->file_count;
    const file_text *file = &s->files[as_it_is ? (size_t)i : draw(s, (size_t)s->file_count)];
    s->size = file->size < s->largest ? file->size : s->largest;
    memcpy(s->input, file->data, s->size);
    for (size_t changes = as_it_is ? 0 : draw_small(s, 32); changes > 0; changes--)
        alter(s);
}

/* --- running them ------------------------------------------------------------------------------ */

static sequence of_inputs;
static char found[4096];

/* Where a program dies nothing else can be called. */
static void keep_input(const char *what)
{
    char path[sizeof found + 16];
    size_t size = strlen(found);
    memcpy(path, found, size);
    memcpy(path + size, what, strlen(what) + 1);
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file >= 0 && write(file, of_inputs.input, of_inputs.size) >= 0)
        close(file);
}

static void die_crashed(void)
{
    keep_input("-crash");
}

static void on_abort(int number)
{
    die_crashed();
    signal(number, SIG_DFL);
    raise(number);
}

static void on_timeout(int number)
{
    (void)number;
    static const char text[] = "fuzz: an input takes too long\n";
    keep_input("-timeout");
    if (write(2, text, sizeof text - 1) >= 0)
        _exit(1);
}

static void watch(void)
{
#ifdef HAS_DEATH
    __sanitizer_set_death_callback(die_crashed);
#else
    signal(SIGSEGV, on_abort);
#endif
    signal(SIGABRT, on_abort);
    signal(SIGILL, on_abort); /* broken invariants of the kernel */
    signal(SIGPROF, on_timeout);
}

static double seconds_of_processor(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

static int run_sequence(char **argv)
{
    sequence *s = &of_inputs;
    uint64_t seed = strtoull(argv[0], NULL, 10), most = strtoull(argv[2], NULL, 10), i = 0;
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    double ends = seconds_of_processor() + strtod(argv[1], NULL);
    s->largest = strtoull(argv[3], NULL, 10);
    read_folder(s, argv[4]);
    snprintf(found, sizeof found, "%s", argv[5]);
    if (argv[6])
        read_words(s, argv[6]);
    s->input = malloc(s->largest + 1);
    insist(s->input != NULL, "no memory for the fuzzer itself");
    watch();
    for (; (most == 0 || i < most) && seconds_of_processor() < ends; i++) {
        make_input(s, seed, i);
        for (size_t k = 0; k < s->size; k++)
            hash = (hash ^ s->input[k]) * 1099511628211u;
        setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = LONGEST}, NULL);
        run_input(s->input, s->size);
    }
    printf("%llu inputs of seed %llu, hash %016llx\n", (unsigned long long)i,
           (unsigned long long)seed, (unsigned long long)hash);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 7 && strspn(argv[1], "0123456789") == strlen(argv[1]))
        return run_sequence(argv + 1);
    for (int i = 1; i < argc; i++) {
        file_text file = read_text(argv[i]);
        fprintf(stderr, "%s\n", argv[i]);
        run_input(file.data, file.size);
        free(file.data);
    }
    return 0;
}
