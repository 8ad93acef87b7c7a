#!/usr/bin/env python3
"""RAPS (ExaDigiT) for `orrery conform`.

    RAPS=/path/to/raps orrery conform --command \\
      'spec/conformance/adapters/raps.py {workload} {procs} {policy} {failures}{maintenance} {out}'

It calls RAPS' default scheduler with a list of jobs and the events of this script: RAPS' own loop
ticks every second, which gives the same starts where all times are whole seconds, as they are here.
RAPS plans a running job's end with its wall_time, which is its runtime.
"""
import csv
import os
import sys

SKIP = 77
BACKFILL = {"fcfs": None, "easy": "easy"}


def main():
    workload, procs, policy, outages, out = sys.argv[1:6]
    if outages or policy not in BACKFILL:
        return SKIP
    sys.path.insert(0, os.environ["RAPS"])
    from raps.job import Job, job_dict
    from raps.resmgr import ResourceManager
    from raps.schedulers.default import Scheduler

    manager = ResourceManager(total_nodes=int(procs), down_nodes=[], config={})
    scheduler = Scheduler(config={}, policy="fcfs", bfpolicy=BACKFILL[policy],
                          resource_manager=manager)
    with open(workload) as file:
        rows = list(csv.DictReader(file))
    pending = []
    for row in rows:
        submit, walltime = int(row["submit"]), int(row["walltime"])
        seconds = min(int(row["runtime"]), walltime)
        pending.append((submit, Job(job_dict(
            id=row["id"], name=row["id"], account="", nodes_required=int(row["procs"]),
            scheduled_nodes=[], end_state="COMPLETED", submit_time=submit, time_limit=walltime,
            wall_time=seconds, cpu_trace=0, gpu_trace=0, ntx_trace=0, nrx_trace=0))))
    queue, running, starts, now = [], [], {}, 0
    while pending or queue or running:
        for job in [job for job in running if starts[job.id] + job.wall_time <= now]:
            running.remove(job)
            manager.free_nodes_from_job(job)
        queue += [job for at, job in pending if at == now]
        pending = [one for one in pending if one[0] > now]
        before = set(job.id for job in running)
        scheduler.schedule(queue, running, now, sorted=False)
        for job in running:
            if job.id not in before:
                starts[job.id] = now
        now += 1
    with open(out, "w") as file:
        file.write("id,start\n")
        for name, start in starts.items():
            file.write("%s,%d\n" % (name, start))
    return 0


sys.exit(main())
