#include "schedule/export.h"
#include "schedule_internal.h"

#include <stdio.h>
#include <string.h>

bool ori_put(const orr_sink *sink, const char *text, size_t size)
{
    return sink->write(sink->user, text, size);
}

bool ori_put_text(const orr_sink *sink, const char *text)
{
    return ori_put(sink, text, strlen(text));
}

bool ori_put_id(const orr_sink *sink, const char *id, const char *suffix)
{
    if (!strpbrk(id, ",\"\r\n"))
        return ori_put_text(sink, id) && ori_put_text(sink, suffix);
    if (!ori_put_text(sink, "\""))
        return false;
    for (const char *quote = strchr(id, '"'); quote; quote = strchr(id, '"')) {
        if (!ori_put(sink, id, (size_t)(quote - id) + 1) || !ori_put_text(sink, "\""))
            return false;
        id = quote + 1;
    }
    return ori_put_text(sink, id) && ori_put_text(sink, suffix) && ori_put_text(sink, "\"");
}

bool ori_put_processors(const orr_sink *sink, const orr_interval *intervals, int32_t count)
{
    char text[40];
    for (int32_t k = 0; k < count; k++) {
        const char *space = k > 0 ? " " : "";
        int n = intervals[k].low == intervals[k].high
                    ? snprintf(text, sizeof text, "%s%d", space, (int)intervals[k].low)
                    : snprintf(text, sizeof text, "%s%d-%d", space, (int)intervals[k].low,
                               (int)intervals[k].high);
        if (!ori_put(sink, text, (size_t)n))
            return false;
    }
    return ori_put_text(sink, "\n");
}
