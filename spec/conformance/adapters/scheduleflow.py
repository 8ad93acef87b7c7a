#!/usr/bin/env python3
"""ScheduleFlow for `orrery conform`. Not run for this suite.

    PYTHONPATH=/path/to/ScheduleFlow orrery conform --command \\
      'spec/conformance/adapters/scheduleflow.py {workload} {procs} {policy} {failures}{maintenance} {out}'

ScheduleFlow's Application takes nodes, submission, walltime and a list of requested times; a job that
needs more than it requested is submitted again, so cases in which a walltime ends a job are skipped.
Its OnlineScheduler is a first-come queue with backfilling, its BatchScheduler plans in batches: only
`easy` is compared.
"""
import csv
import sys

SKIP = 77


def main():
    workload, procs, policy, outages, out = sys.argv[1:6]
    with open(workload) as file:
        rows = [{k: v if k == "id" else int(v) for k, v in row.items()}
                for row in csv.DictReader(file)]
    if outages or policy != "easy" or any(row["runtime"] > row["walltime"] for row in rows):
        return SKIP
    import ScheduleFlow

    simulator = ScheduleFlow.Simulator(check_correctness=False)
    jobs = {}
    for row in rows:
        jobs[ScheduleFlow.Application(row["procs"], row["submit"], row["runtime"],
                                      [row["walltime"]])] = row["id"]
    scheduler = ScheduleFlow.OnlineScheduler(ScheduleFlow.System(int(procs)))
    simulator.create_scenario(scheduler, job_list=set(jobs))
    simulator.run()
    with open(out, "w") as starts:
        starts.write("id,start\n")
        for job, runs in simulator.get_execution_log().items():
            for run in runs:
                starts.write("%s,%s\n" % (jobs[job], run[0]))
    return 0


sys.exit(main())
