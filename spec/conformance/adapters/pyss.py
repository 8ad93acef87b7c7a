#!/usr/bin/env python3
"""pyss (the Python scheduler simulator) for `orrery conform`.

pyss is written for Python 2. For Python 3 make a copy of its folder src without tabs, through 2to3:

    cp -r pyss/src pyss3 && cd pyss3
    find . -name '*.py' -exec sh -c 'expand -t 8 "$1" >t && cp t "$1"' - {} \;
    python3 -m lib2to3 --write --nobackups .
    PYSS=$PWD orrery conform --command \
      '.../adapters/pyss.py {swf} {procs} {policy} {failures}{maintenance} {out}'

Python 3 asks events for __lt__, not for __cmp__: this script gives them one.

pyss prints statistics, and no schedule: this script makes its simulator and its jobs, as
run_simulator.py does, and reads the starts from the jobs. pyss lengthens runtimes of 0 to 1 s:
cases with such jobs are left out.

EASY++ is also in a branch of pyss, github.com/jad-darrous/predictsim, folder simulation/pyss/src, which
2to3 makes ready in the same way. This script leaves out its progress bar, and corrects to the walltime
where its list of corrections ends.
"""
import os
import sys
import types

SKIP = 77
SCHEDULERS = {
    "fcfs": ("fcfs_scheduler", "FcfsScheduler"),
    "easy": ("easy_scheduler", "EasyBackfillScheduler"),
    "easy-sjbf": ("easy_sjbf_scheduler", "EasySJBFScheduler"),
    "conservative": ("conservative_scheduler", "ConservativeScheduler"),
    "easy-plus-plus": ("easy_plus_plus_scheduler", "EasyPlusPlusScheduler"),
    "lookahead": ("lookahead_easy_scheduler", "LookAheadEasyBackFillScheduler"),
}


def of_branch(module, name, procs):
    """The scheduler of the branch for predictions, and what its simulator wants besides."""
    correctors = __import__("schedulers.common_correctors", fromlist=["tsafrir"])
    listed = correctors.tsafrir

    def tsafrir(job, now):
        try:
            return listed(job, now)
        except IndexError:
            return job.user_estimated_run_time

    correctors.tsafrir = tsafrir
    __import__("predictors.predictor_tsafrir")
    options = {"num_processors": procs, "stats": False, "scheduler": {
        "progressbar": False, "predictor": {"name": "predictor_tsafrir"},
        "corrector": {"name": "tsafrir"}}}
    return getattr(module, name)(options), (None, None, options)


def main():
    swf, procs, policy, outages, out = sys.argv[1:6]
    with open(swf) as log:
        jobs = [line.split() for line in log if line.strip() and not line.startswith(";")]
    if outages or policy not in SCHEDULERS or any(float(job[3]) <= 0 for job in jobs):
        return SKIP
    source = os.environ["PYSS"]
    sys.path[:0] = [source, os.path.join(source, "schedulers")]
    is_branch = os.path.isdir(os.path.join(source, "predictors"))
    if is_branch:
        sys.modules["progressbar"] = types.ModuleType("progressbar")
    from base.prototype import JobEvent, _job_inputs_to_jobs
    from base.workload_parser import parse_lines
    from schedulers.simulator import Simulator

    JobEvent.__hash__ = object.__hash__
    JobEvent.__lt__ = lambda one, other: one._cmp_tuple < other._cmp_tuple
    module, name = SCHEDULERS[policy]
    module, more = __import__("schedulers." + module, fromlist=[name]), ()
    if is_branch:
        os.chdir(os.path.dirname(os.path.abspath(out)))  # it writes a file there
        scheduler, more = of_branch(module, name, int(procs))
    else:
        scheduler = getattr(module, name)(int(procs))
    with open(swf) as log:
        jobs = list(_job_inputs_to_jobs(parse_lines(log), int(procs)))
    Simulator(jobs, int(procs), scheduler, *more).run()
    if is_branch:
        os.remove("times-epp-sgd.txt")
    with open(out, "w") as starts:
        starts.write("id,start\n")
        for job in jobs:
            starts.write("%s,%s\n" % (job.id, job.start_to_run_at_time))
    return 0


sys.exit(main())
