/* Where a path leads. */
#include "bindings/support/place.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

enum { MOST_LINKS = 40, PROC = 0x9fa0 /* the type of that file system */ };

void orr_file_place_close(orr_file_place *place)
{
    if (place->folder >= 0)
        close(place->folder);
    place->folder = -1;
}

static int enter(orr_file_place *place, const char *name)
{
    int at = openat(place->folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    orr_file_place_close(place);
    place->folder = at;
    return at < 0 ? errno : 0;
}

static bool is_strangers(const struct stat *info)
{
    return info->st_uid != geteuid() && info->st_uid != 0;
}

/* Goes over the link that has the place's name; `behind` is the rest of the path. */
static int follow(orr_file_place *place, const struct stat *link, char rest[PATH_MAX],
                  const char *behind)
{
    char text[PATH_MAX];
    struct stat info;
    struct statfs system;
    if (fstat(place->folder, &info) != 0 || fstatfs(place->folder, &system) != 0)
        return errno;
    if (((info.st_mode & (S_IWGRP | S_IWOTH)) != 0 || is_strangers(&info)) &&
        (!*behind || is_strangers(link)))
        return ORR_PLACE_OF_OTHERS;
    if (!*behind && system.f_type == PROC && fstatat(place->folder, place->name, &info, 0) == 0 &&
        !S_ISREG(info.st_mode)) { /* what is open there may have no other name, as a pipe */
        place->is_special = true;
        return 0;
    }
    ssize_t size = readlinkat(place->folder, place->name, text, sizeof text);
    if (size < 0 || (size_t)size + strlen(behind) >= sizeof text)
        return size < 0 ? errno : ENAMETOOLONG;
    memcpy(text + size, behind, strlen(behind) + 1);
    memcpy(rest, text, strlen(text) + 1);
    return *rest == '/' ? enter(place, "/") : 0;
}

int orr_file_place_find(orr_file_place *place, const char *path)
{
    char rest[PATH_MAX];
    struct stat info;
    *place = (orr_file_place){.folder = -1};
    if (strlen(path) >= sizeof rest)
        return ENAMETOOLONG;
    memcpy(rest, path, strlen(path) + 1);
    place->folder = AT_FDCWD;
    int why = *path == '\0' ? ENOENT : enter(place, *path == '/' ? "/" : ".");
    for (int links = 0; why == 0 && *rest && !place->is_new && !place->is_special;) {
        const char *name = rest + strspn(rest, "/");
        size_t size = strcspn(name, "/");
        const char *behind = name + size;
        why = size == 0 ? EISDIR : size > NAME_MAX ? ENAMETOOLONG : 0;
        if (why != 0)
            break;
        memcpy(place->name, name, size);
        place->name[size] = '\0';
        if (fstatat(place->folder, place->name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
            place->is_new = !*behind && errno == ENOENT;
            why = place->is_new ? 0 : errno;
        } else if (S_ISLNK(info.st_mode)) {
            why = ++links > MOST_LINKS ? ELOOP : follow(place, &info, rest, behind);
        } else {
            place->is_special = !*behind && !S_ISREG(info.st_mode);
            place->flags = place->is_special ? O_NOFOLLOW : 0;
            why = *behind ? enter(place, place->name) : 0;
            memmove(rest, behind, strlen(behind) + 1);
        }
    }
    if (why != 0)
        orr_file_place_close(place);
    return why;
}
