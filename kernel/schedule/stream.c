/* Schedules that are checked and written while they are made. */
#include "schedule/stream_internal.h"

#include "base/try_internal.h"

enum { SOME = 8192 }; /* attempts have to come at least before some are taken */

bool orr_export_follows(const orr_instance *in)
{
    /* links ask for the ends of all jobs before, and what is shared for all that run */
    return !in->links && in->pool_count + in->limit_count == 0 && !in->nodes &&
           !in->checkpoints.cost;
}

static void write_rows(ori_stream *stream, int64_t until)
{
    for (int64_t i = stream->taken; i < until && stream->text.status == ORR_OK; i++)
        ori_export_attempt(&stream->text, stream->checker.in, stream->s, i, stream->policy);
}

orr_status ori_stream_take(ori_stream *stream, int64_t until, orr_error *err)
{
    ori_checker *c = &stream->checker;
    c->err = err;
    ORI_TRY(ori_check_attempts(c, stream->taken, until));
    write_rows(stream, until);
    ori_check_forget(c, until);
    stream->taken = ori_schedule_forget(stream->s, until);
    ori_check_remember(c, stream->taken);
    return stream->text.status == ORR_OK ? ORR_OK : ori_export_finish(&stream->text, err);
}

/* Takes what is settled. Then as many attempts as are left have to come, so that long jobs at the
 * front do not make it slow. */
static orr_status take_settled(ori_outlet *outlet, orr_error *err)
{
    ori_stream *stream = (ori_stream *)outlet;
    int64_t until = ori_schedule_settled(stream->s, stream->taken);
    if (until > stream->taken)
        ORI_TRY(ori_stream_take(stream, until, err));
    outlet->due = 2 * stream->s->count + SOME;
    return ORR_OK;
}

orr_status ori_stream_open(ori_stream *stream, const orr_instance *in, orr_schedule *s,
                           const int32_t *failures, const orr_rows *rows, orr_error *err)
{
    stream->outlet = (ori_outlet){take_settled, SOME};
    stream->s = s;
    stream->checker = (ori_checker){.in = in, .s = s, .failures = failures, .err = err};
    stream->policy = rows->policy;
    stream->taken = 0;
    stream->text =
        (ori_text){.sink = rows->sink, .text = stream->piece, .capacity = sizeof stream->piece};
    s->outlet = &stream->outlet;
    ORI_TRY(ori_check_begin(&stream->checker));
    ori_export_header(&stream->text, in, s);
    return ORR_OK;
}

orr_status ori_stream_finish(ori_stream *stream, orr_error *err)
{
    stream->checker.err = err;
    ORI_TRY(ori_check_rest(&stream->checker, stream->taken));
    write_rows(stream, stream->s->count);
    return ori_export_finish(&stream->text, err);
}

void ori_stream_close(ori_stream *stream)
{
    if (!stream->s)
        return;
    stream->s->outlet = NULL;
    ori_check_end(&stream->checker);
    stream->s = NULL;
}
