#!/bin/sh
# CQSim for `orrery conform`. Not run for this suite.
#   CQSIM=/path/to/CQSim/src orrery conform \
#     --command 'spec/conformance/adapters/cqsim.sh {swf} {procs} {policy} {failures}{maintenance} {out}'
# CQSim reads the traces and writes the results in folders beside its sources. The names of options
# are those of its cqsim.py: -j the trace, -n the node file, -A the order, -b the backfilling. In
# NAME_alg.rst the fields of a job stand between semicolons: the id is the first, the start the 6th.
set -eu
swf=$1 procs=$2 policy=$3 outages=$4 out=$5
[ -z "$outages" ] || exit 77
case $policy in
    fcfs) backfill=0 ;;
    easy) backfill=1 ;;
    conservative) backfill=2 ;;
    *) exit 77 ;;
esac
data=${CQSIM:?folder with cqsim.py}/../data
name=conform-$$
grep -v '^;' "$swf" >"$data/InputFiles/$name.swf"
echo "; MaxNodes: $procs
; MaxProcs: $procs" | cat - "$data/InputFiles/$name.swf" >"$data/InputFiles/$name.tmp"
mv "$data/InputFiles/$name.tmp" "$data/InputFiles/$name.swf"
(cd "$CQSIM" && "${PYTHON:-python3}" cqsim.py -j "$name.swf" -n "$name.swf" -A t -b "$backfill" \
    >/dev/null)
awk -F'[;]' 'BEGIN { print "id,start" } NF > 5 { print $1 + 0 "," $6 }' \
    "$data"/Results/"$name"*.rst >"$out"
rm -f "$data"/InputFiles/"$name"* "$data"/Results/"$name"* "$data"/Fmt/"$name"*
