#!/bin/sh
# pyss (the Python scheduler simulator) for `orrery conform`. Not run for this suite.
#   PYSS=/path/to/pyss/src orrery conform \
#     --command 'spec/conformance/adapters/pyss.sh {swf} {procs} {policy} {failures}{maintenance} {out}'
# It needs Python 2, which pyss is written for. pyss prints an SWF of the schedule: field 2 is the
# submission, field 3 the wait.
set -eu
swf=$1 procs=$2 policy=$3 outages=$4 out=$5
[ -z "$outages" ] || exit 77
case $policy in
    fcfs) name=FcfsScheduler ;;
    easy) name=EasyBackfillScheduler ;;
    easy-sjbf) name=EasySJBFScheduler ;;
    conservative) name=ConservativeScheduler ;;
    *) exit 77 ;;
esac
result=$(mktemp)
"${PYTHON:-python2}" "${PYSS:?folder with run_simulator.py}/run_simulator.py" \
    --num-processors="$procs" --input-file="$swf" --scheduler="$name" >"$result"
awk 'BEGIN { print "id,start" } /^ *[0-9]/ && NF >= 18 { print $1 "," $2 + $3 }' "$result" >"$out"
rm -f "$result"
