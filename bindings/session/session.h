/* Sessions: one simulation, of rigid jobs or of malleable tasks, that stops, shows its state and is
 * copied. session.c and change.c have the common part; an engine adds a table of functions, see
 * jobs.c and tasks.c. */
#pragma once

#include "bindings/host/notes.h"
#include "bindings/run/jobs.h"
#include "bindings/run/tasks.h"
#include "bindings/support/block.h"
#include "bindings/support/classes.h"
#include "bindings/support/fields.h"
#include "bindings/support/output.h"

#include "malleable/change.h"
#include "rigid/whatif/change.h"
#include "rigid/whatif/why.h"
#include "schedule/timeline.h"

#include <lauxlib.h>

typedef struct orr_engine orr_engine;

/* Objects that sessions share with their forks, until they are changed: a policy's host, or an
 * instance. */
typedef struct orr_shared {
    int users;
    /* of twins, for copies, and for changed ones: whether their simulation was copied once, which
       is often all; for further copies a frozen simulation, NULL: none yet; and its engine */
    bool copied[2];
    void *frozen[2];
    const orr_engine *engine;
    orr_host *host;
    orr_instance instance; /* its jobs are user value ORR_KEEPS_ITEMS of every session with it */
} orr_shared;

typedef struct orr_session {
    const orr_engine *engine; /* first: see orr_lua_check_session */
    void *sim;                /* an orr_rigid or an orr_malleable; NULL: closed */
    orr_shared *twins;        /* sessions that have the same `sim`: it is not changed; NULL: none */
    int entered;              /* calls of its simulation that are under way */
    orr_shared *policy;       /* its host */
    orr_shared *instance;     /* NULL for tasks */
    uint64_t seed;            /* of the failures still to come */
    /* only for jobs */
    double lambda; /* errors per processor-second */
    int32_t max_attempts;
    int32_t machine;          /* processors that a policy finds, before it adds its own ones */
    bool given;               /* failure counts are given, not drawn */
    double repair;            /* s: of nodes */
    bool grows;               /* it owns its workload: jobs can be added to it */
    double *reserved;         /* per job, s: reservations of decisions; NULL: not wanted */
    int32_t reserved_count;   /* jobs that it has room for; others came later */
    orr_notes notes;          /* the notes of its policies */
    int64_t passed, may_pass; /* instants by the short way, see short_ways.c */
} orr_session;

/* User values: objects that a session keeps alive. */
enum {
    ORR_KEEPS_ITEMS = 1, /* the jobs, or the tasks */
    ORR_KEEPS_FAULTS,    /* faults of nodes, or the log */
    ORR_KEEPS_POLICY,    /* the prepared policy */
    ORR_KEEPS_WINDOWS,   /* their texts are borrowed */
    ORR_KEPT_VALUES = ORR_KEEPS_WINDOWS
};

/* --- an engine ------------------------------------------------------------------------------ */

/* The state of a simulation, as the fields of a session and of s.counts; 0 where an engine does not
 * have one. */
typedef struct orr_session_look {
    double now, expected; /* s */
    int32_t procs, free, down, draining, numbered, machine;
    int32_t pending, waiting, held, running, over; /* jobs or tasks */
    int32_t overruns;
    void *state; /* the policy's */
} orr_session_look;

#define ORR_LOOK(name) ORR_LUA_FIELD(orr_session_look, name)

/* A method, or a field: it pushes one value. The session is at index 1, arguments behind it. */
typedef struct orr_session_value {
    const char *name;
    void (*push)(lua_State *L, const orr_session *s);
} orr_session_value;

typedef struct orr_session_change orr_session_change;

struct orr_engine {
    orr_lua_class class;              /* name, what; session.c makes the other fields */
    const char *make, *number;        /* core.`make` begins run or scenario `number` */
    const char *one;                  /* "job" or "task", for messages of changes */
    const orr_lua_field *numbers;     /* fields of orr_session_look that are fields of a session */
    const orr_lua_field *counts;      /* fields of orr_session_look in s.counts */
    const orr_session_value *values;  /* fields that are no numbers */
    const orr_session_value *methods; /* methods and fields beside the common ones */

    /* Begins the session at ORR_NEW, with the arguments below it. */
    orr_status (*begin)(lua_State *L, orr_session *s, uint64_t number, orr_error *err);
    orr_session_look (*look)(const orr_session *s);
    void (*push_metrics)(lua_State *L, const orr_session *s); /* in their present state */
    orr_status (*check)(const orr_session *s, orr_error *err);
    orr_output_writer (*writer)(const char *path); /* of the schedule; user is the session */

    /* Reads the engine's own parts of a change; then makes the change, without raising errors. */
    void (*read_change)(orr_session_change *c);
    orr_status (*change)(orr_session_change *c, orr_error *err);

    /* ORR_ENGINE_CALLS */
    void *(*copy)(const void *sim, orr_error *err);
    /* for many copies, or for many changed ones; NULL: plain copies */
    void *(*freeze)(const void *sim, bool changed, orr_error *err);
    void (*destroy)(void *sim);
    orr_status (*step)(void *sim, orr_error *err);
    orr_status (*run_until)(void *sim, double time, orr_error *err);
    orr_status (*finish)(void *sim, orr_error *err);
    double (*next_event)(const void *sim);
    bool (*is_over)(const void *sim);
};

/* Defines the functions that the kernel has under equal names for both engines, and .. */
#define ORR_DEFINE_CALL(type, kind, name, parameters, arguments)                                   \
    static type engine_##name parameters                                                           \
    {                                                                                              \
        return orr_##kind##_##name arguments;                                                      \
    }
#define ORR_DEFINE_ENGINE_CALLS(kind)                                                              \
    ORR_DEFINE_CALL(void *, kind, copy, (const void *sim, orr_error *err), (sim, err))             \
    ORR_DEFINE_CALL(orr_status, kind, step, (void *sim, orr_error *err), (sim, err))               \
    ORR_DEFINE_CALL(orr_status, kind, run_until, (void *sim, double time, orr_error *err),         \
                    (sim, time, err))                                                              \
    ORR_DEFINE_CALL(orr_status, kind, finish, (void *sim, orr_error *err), (sim, NULL, err))       \
    ORR_DEFINE_CALL(double, kind, next_event, (const void *sim), (sim))                            \
    ORR_DEFINE_CALL(bool, kind, is_over, (const void *sim), (sim))                                 \
    static void engine_destroy(void *sim)                                                          \
    {                                                                                              \
        orr_##kind##_destroy(sim);                                                                 \
    }

/* .. initialises the fields of an engine with them, and with the file's own of the same names. */
#define ORR_ENGINE_CALLS                                                                           \
    .numbers = numbers, .counts = counts, .begin = begin, .look = look,                            \
    .push_metrics = push_metrics, .check = check, .writer = writer, .read_change = read_change,    \
    .change = change, .copy = engine_copy, .destroy = engine_destroy, .step = engine_step,         \
    .run_until = engine_run_until, .finish = engine_finish, .next_event = engine_next_event,       \
    .is_over = engine_is_over

extern const orr_engine orr_engine_of_jobs, orr_engine_of_tasks;

/* --- for engines ---------------------------------------------------------------------------- */

/* Functions of sessions know their engine: it is upvalue 1. */
const orr_engine *orr_lua_engine(lua_State *L);
/* The session at 1, of this engine; raises an error for other values. */
orr_session *orr_lua_check_session(lua_State *L);

/* An empty session on top of the stack that keeps no objects alive yet. */
orr_session *orr_lua_push_session(lua_State *L, const orr_engine *engine);
/* A session on top of the stack that keeps and shares the objects of the session at 1, but has no
 * simulation. */
orr_session *orr_lua_push_successor(lua_State *L, const orr_session *s);

enum { ORR_NEW = 6 }; /* where a new session is on the stack */

/* Loads a prepared policy, { text = } or { value = }, at index, in place of the session's
 * policy. */
orr_status orr_session_load_policy(lua_State *L, orr_session *s, int index,
                                   const orr_limits *limits, orr_error *err);
orr_shared *orr_new_shared(orr_error *err);  /* with one user; other fields are empty; NULL: no
                                                memory */
void orr_release_shared(orr_shared *shared); /* NULL is fine */

/* The session's simulation, to be copied or to be followed by a changed one; from the second time
 * on a frozen one for these, until the session goes on. */
const void *orr_session_point(orr_session *s, bool changed);
/* Called before a session's simulation changes: gives it one of its own. */
orr_status orr_session_own(orr_session *s, orr_error *err);

/* Around calls of a session's simulation: its output is shown, and its notes are kept. Sessions
 * nest where a policy in the caller's state runs a fork of its own. */
typedef struct orr_session_entry {
    orr_session *session;
    orr_host *host;
    orr_notes *notes; /* before */
    bool prints;
} orr_session_entry;
orr_session_entry orr_session_enter(const orr_session *s);
void orr_session_leave(orr_session_entry entry);
/* The instants before that time, or the next `most` of them; returns their number. */
orr_status orr_session_run_before(orr_session *s, double time, lua_Integer most, lua_Integer *count,
                                  orr_error *err);

/* The position given as argument 2 of a method, from 0; raises `no_such` where it does not
 * exist. */
int32_t orr_session_check_item(lua_State *L, const char *no_such);

/* Busy processors and waiting jobs so far in a session of jobs; the caller destroys it. */
orr_timeline orr_session_timeline(lua_State *L, const orr_session *s);
/* s.jobs, s.tasks */
void orr_session_push_items(lua_State *L, const orr_session *s);

/* Pushes processors as a text, "0-3 8". */
void orr_lua_push_processors(lua_State *L, const orr_interval *ranges, int32_t count);

/* Appends { what =, start =, finish =, first =, procs = } to the list on top of the stack. */
void orr_lua_add_outage(lua_State *L, const char *what, double start, double finish, int32_t first,
                        int32_t procs);

/* Methods of sessions of jobs: see submit.c. */
void orr_session_push_submitted(lua_State *L, const orr_session *session);
void orr_session_push_shared(lua_State *L, const orr_session *session);

/* --- jobs that come one by one (coming.c, submit.c) ------------------------------------------ */

typedef struct orr_came {
    double time;  /* of the clock, s */
    int32_t last; /* the position of the last of those that came then, from 1 */
    bool at_once; /* at an instant that was not over */
} orr_came;

/* Whether the set of ids at index (ids.c) has this one. orr_ids_add adds it; it fails without
 * memory. */
bool orr_ids_has(lua_State *L, int index, const char *id);
orr_status orr_ids_add(lua_State *L, int index, const char *id, orr_error *err);

/* A list of orr_came, a value of Lua. Its user value is the set of ids of all jobs of the
 * session. */
typedef struct orr_coming orr_coming;
enum { ORR_COMING_IDS = 1 };
orr_coming *orr_lua_check_coming(lua_State *L, int index);
bool orr_coming_reserve(orr_coming *coming);            /* for one more; false: no memory */
void orr_coming_add(orr_coming *coming, orr_came came); /* into reserved room */

/* Submits in place the job that is the table at index `row`, under the id at index `id`, and notes
 * it in the list at index `coming`. False: not possible, or refused; nothing has happened, and the
 * general way of submission gives the reason. */
bool orr_session_come(lua_State *L, orr_session *s, int coming, int row, int id);

extern const orr_session_value orr_session_of_jobs_methods[], orr_session_of_jobs_values[];

/* --- changes (change.c) --------------------------------------------------------------------- */

/* A change in progress. Stack: the session, the changes, the next session, a list of remarks;
 * behind these all objects that the change borrows. */
struct orr_session_change {
    lua_State *L;
    const orr_session *from;
    orr_session *next;
    orr_host *host;       /* of the new policy; NULL: unchanged */
    int32_t policy_procs; /* that it is for; 0: it does not say */
    bool draws;           /* from another seed, next->seed */
    bool resizes;
    int32_t procs;
    const char *group; /* the group of the drained processors; NULL: none is named */
    int32_t room;      /* for jobs that come later */
    double until;      /* s */
    const int32_t *cancel, *fail, *checkpoint, *preempt;
    int32_t cancel_count, fail_count, fault_count, checkpoint_count, preempt_count;
    const orr_more_nodes *more_nodes; /* their names are those of the table of changes */
    int32_t more_node_count;
    const orr_rigid_fault *faults; /* of tasks, too: `job` is the task then */
    union {
        orr_rigid_change jobs;
        orr_malleable_change tasks;
    } kernel;
    orr_lua_block *remarks; /* texts one behind the other, each with its zero */
};

enum { ORR_CHANGES = 2, ORR_NEXT, ORR_REMARKS };

/* Whether the changes have a table of this name; it is then on top. */
bool orr_change_has(orr_session_change *c, const char *name);
/* The position at index, counted from 0. */
int32_t orr_change_position(lua_State *L, int index, const char *what);
/* Adds a remark for the caller; user is the change. It raises no errors: without memory the remark
 * is dropped. */
void orr_change_remark(void *user, const char *text);

/* s:fork(changes): the session as changed, and a list of remarks, which may be empty. */
int orr_lua_fork_changed(lua_State *L);

void orr_lua_open_sessions(lua_State *L); /* [core] -> [core] */
void orr_lua_open_live(lua_State *L);     /* likewise, and the next ones, too */
void orr_lua_open_coming(lua_State *L);
void orr_lua_open_ids(lua_State *L);
void orr_lua_open_short_ways(lua_State *L);
