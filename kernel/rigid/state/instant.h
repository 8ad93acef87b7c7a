/* When decisions are taken within an instant. */
#pragma once

/* The times of decisions within an instant, READINGS 35. An event is the end of one attempt, one
 * submission, all repairs, failures and warnings of nodes of the instant together, or on_timer. */
typedef enum orr_instant {
    ORR_INSTANT_BATCHED,           /* once, when all events have been applied */
    ORR_INSTANT_ENDS_FIRST,        /* after every event: ends, nodes, submissions, the timer */
    ORR_INSTANT_SUBMISSIONS_FIRST, /* after every event: submissions, ends, nodes, the timer */
    ORR_INSTANT_PYSS /* as SUBMISSIONS_FIRST, but attempts that end now as planned are over before
                        the first submission; their common decision comes at the place of the first
                        of these ends */
} orr_instant;
