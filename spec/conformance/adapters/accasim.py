#!/usr/bin/env python3
"""AccaSim (package accasim) for `orrery conform`.

    orrery conform --command \
      'spec/conformance/adapters/accasim.py {swf} {procs} {policy} {failures}{maintenance} {out}'

The machine is one group of nodes of one core; a processor of the log is a core. AccaSim wants every job
to ask for memory, so that unknown memory is written as 0. The plan is written in a format that is given
here: id and start.
"""
import json
import os
import sys
import tempfile

SKIP = 77
MEMORY = (6, 9)  # fields of an SWF line, counted from 0: used, and requested


def with_memory(swf, path):
    with open(swf) as log, open(path, "w") as copy:
        for line in log:
            fields = line.split()
            if fields and not line.startswith(";"):
                for at in MEMORY:
                    fields[at] = "0"
                line = " ".join(fields) + "\n"
            copy.write(line)


def main():
    swf, procs, policy, outages, out = sys.argv[1:6]
    if outages or policy not in ("fcfs", "easy"):
        return SKIP
    from accasim.base.allocator_class import FirstFit
    from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut
    from accasim.base import simulator_class

    simulator = getattr(simulator_class, "Simulator", None) or simulator_class.HPCSimulator
    dispatcher = {"fcfs": FirstInFirstOut, "easy": EASYBackfilling}[policy](FirstFit())
    with tempfile.TemporaryDirectory() as folder:
        system, log = os.path.join(folder, "system.json"), os.path.join(folder, "log.swf")
        with_memory(swf, log)
        with open(system, "w") as file:
            json.dump({"groups": {"g0": {"core": 1, "mem": 1}}, "resources": {"g0": int(procs)},
                       "equivalence": {"processor": {"core": 1}}, "start_time": 0}, file)
        plan = simulator(log, system, dispatcher, RESULTS_FOLDER_PATH=folder, SCHEDULE_OUTPUT={
            "format": "{job_id};{start_time}",
            "attributes": {"job_id": ("id", "str"), "start_time": ("start_time", "int")},
        }).start_simulation()["sched-"]
        with open(plan) as file, open(out, "w") as starts:
            starts.write("id,start\n")
            for line in file:
                starts.write(line.strip().replace(";", ",") + "\n")
    return 0


sys.exit(main())
