"""A client of `orrery serve --stdio`, with Python's standard library alone.

    python3 client.py [PROGRAM]     compares two policies, then steps through a session
"""
import json
import subprocess
import sys


class Orrery:
    """orrery.compare(...) calls a function; values that stay in Orrery come back as a Value."""

    def __init__(self, program="orrery"):
        self._process = subprocess.Popen([program, "serve", "--stdio"], text=True,
                                         stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _call(self, call, on, args, named):
        request = {"id": 1, "call": call, "with": list(args) if args else named}
        if on is not None:
            request["on"] = on
        self._process.stdin.write(json.dumps(request, default=lambda v: {"handle": v.handle}) + "\n")
        self._process.stdin.flush()
        answer = json.loads(self._process.stdout.readline())
        if "error" in answer:
            raise RuntimeError(answer["error"]["message"])
        result = answer["result"]
        return Value(self, result) if isinstance(result, dict) and "handle" in result else result

    def __getattr__(self, name):
        return lambda *args, **named: self._call(name, None, args, named)

    def close(self):
        self._process.stdin.close()
        return self._process.wait()


class Value:
    """A value that stays in Orrery: methods are called on it, `get` reads a field."""

    def __init__(self, orrery, result):
        self._orrery, self.handle, self.value = orrery, result["handle"], result.get("value")

    def get(self, field):
        return self._orrery._call(field, self.handle, (), None)

    def __getattr__(self, name):
        return lambda *args, **named: self._orrery._call(name, self.handle, args, named)


if __name__ == "__main__":
    orrery = Orrery(sys.argv[1] if len(sys.argv) > 1 else "orrery")
    jobs = orrery.synthetic(count=30, seed=7)
    result = orrery.compare(jobs=jobs, procs=2000, policies=["easy", "fcfs"], runs=20,
                            errors={"mean_probability": 0.1})
    for policy in result.value["policies"]:
        print("%-14s %.4f" % (policy["policy"], policy["metrics"]["ratio"]["mean"]))
    session = orrery.session(jobs=jobs, procs=2000, policy="easy").run_until(20000)
    print(session.why(session.waiting()[0]["id"])["text"])
    print("end: %.0f s" % session.fork(policy="fcfs").finish()["makespan"])
    sys.exit(orrery.close())
