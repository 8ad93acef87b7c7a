#!/usr/bin/env python3
"""ScheduleFlow for `orrery conform`.

    PYTHONPATH=/path/to/ScheduleFlow orrery conform --command \
      'spec/conformance/adapters/scheduleflow.py {workload} {procs} {policy} {failures}{maintenance} {out}'

It needs the ScheduleFlow that has PriorityPolicy and BackfillPolicy; schedulers of earlier ones take the
largest job first. An Application takes nodes, submission, runtime and a list of requested times; one that
needs more than it requested is submitted again, and one that takes no time is refused: cases with such
jobs are left out. Jobs of one submission time are served in the order in which they are added.
"""
import csv
import sys

SKIP = 77


def main():
    workload, procs, policy, outages, out = sys.argv[1:6]
    with open(workload) as file:
        rows = [{k: v if k == "id" else int(v) for k, v in row.items()}
                for row in csv.DictReader(file)]
    if (outages or policy not in ("easy", "conservative")
            or any(not 0 < row["runtime"] <= row["walltime"] for row in rows)):
        return SKIP
    import ScheduleFlow as flow

    backfill = {"easy": flow.BackfillPolicy.Easy,
                "conservative": flow.BackfillPolicy.Conservative}[policy]
    scheduler = flow.Scheduler(flow.System(int(procs)), priority_policy=flow.PriorityPolicy.FCFS,
                               backfill_policy=backfill)
    simulator = flow.Simulator(check_correctness=False)
    simulator.create_scenario(scheduler)
    ids = {}
    for row in rows:
        job = flow.Application(row["procs"], row["submit"], row["runtime"], [row["walltime"]])
        simulator.add_application(job)
        ids[job] = row["id"]
    log = simulator.run(metrics="execution_log") or simulator.get_execution_log()
    with open(out, "w") as starts:
        starts.write("id,start\n")
        for job, runs in log.items():
            for run in runs:
                starts.write("%s,%s\n" % (ids[job], run[0]))
    return 0


sys.exit(main())
