#!/usr/bin/env python3
"""AccaSim (package accasim) for `orrery conform`. Not run for this suite.

    orrery conform --command \\
      'spec/conformance/adapters/accasim.py {swf} {procs} {policy} {failures}{maintenance} {out}'

The machine is one group of nodes of one core. AccaSim's simulator writes the schedule to a file whose
lines begin with the id; field names are those of its default output: id, queue (submission), start.
"""
import csv
import json
import os
import sys
import tempfile

SKIP = 77


def main():
    swf, procs, policy, outages, out = sys.argv[1:6]
    if outages or policy not in ("fcfs", "easy"):
        return SKIP
    from accasim.base.allocator_class import FirstFit
    from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut
    from accasim.base.simulator_class import Simulator

    dispatcher = {"fcfs": FirstInFirstOut, "easy": EASYBackfilling}[policy](FirstFit())
    with tempfile.TemporaryDirectory() as folder:
        system = os.path.join(folder, "system.json")
        with open(system, "w") as file:
            json.dump({"groups": {"g0": {"core": 1, "mem": 1}}, "resources": {"g0": int(procs)},
                       "start_time": 0}, file)
        simulator = Simulator(swf, system, dispatcher, RESULTS_FOLDER_NAME=folder)
        result = simulator.start_simulation()
        path = result if isinstance(result, str) else next(
            os.path.join(folder, name) for name in os.listdir(folder) if name.startswith("sched"))
        with open(path) as file, open(out, "w") as starts:
            starts.write("id,start\n")
            for row in csv.reader(file, delimiter=";"):
                if row and row[0].isdigit():
                    starts.write("%s,%s\n" % (row[0], row[2]))
    return 0


sys.exit(main())
