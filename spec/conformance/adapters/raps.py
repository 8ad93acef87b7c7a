#!/usr/bin/env python3
"""RAPS (ExaDigiT) for `orrery conform`. Not run for this suite.

    RAPS=/path/to/raps orrery conform --command \\
      'spec/conformance/adapters/raps.py {workload} {procs} {policy} {failures}{maintenance} {out}'

It calls RAPS' default scheduler with a list of jobs and the events of this script: RAPS' own loop
ticks every second, which gives the same starts where all times are whole seconds, as they are here.
"""
import csv
import os
import sys

SKIP = 77
POLICIES = {"fcfs": ("fcfs", "none"), "easy": ("fcfs", "easy"), "easy-sjbf": None}


def main():
    workload, procs, policy, outages, out = sys.argv[1:6]
    if outages or not POLICIES.get(policy):
        return SKIP
    sys.path.insert(0, os.environ["RAPS"])
    from raps.job import Job, job_dict
    from raps.resmgr import ResourceManager
    from raps.schedulers.default import Scheduler

    order, backfill = POLICIES[policy]
    manager = ResourceManager(total_nodes=int(procs), down_nodes=[])
    scheduler = Scheduler(config={}, policy=order, bfpolicy=backfill, resource_manager=manager)
    with open(workload) as file:
        rows = list(csv.DictReader(file))
    pending = [(int(row["submit"]), int(row["runtime"]), Job(job_dict(
        nodes_required=int(row["procs"]), name=row["id"], account="", id=row["id"],
        submit_time=int(row["submit"]), time_limit=int(row["walltime"])))) for row in rows]
    runtime = {job.id: min(seconds, job.time_limit) for _, seconds, job in pending}
    queue, running, starts, now = [], [], {}, 0
    while pending or queue or running:
        for job in [job for job in running if starts[job.id] + runtime[job.id] <= now]:
            running.remove(job)
            manager.free_nodes_from_job(job)
        queue += [job for at, _, job in pending if at == now]
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
