#!/bin/sh
# CQSim for `orrery conform`; PYTHON: another Python than python3.
#   CQSIM=/path/to/CQSim/src orrery conform \
#     --command 'spec/conformance/adapters/cqsim.sh {swf} {procs} {policy} {failures}{maintenance} {out}'
# CQSim reads traces, and writes results, in folders beside its sources. The options come as a file of
# its folder Config, because on the command line a 0 (no backfilling) counts as no value. `alg` gives
# the score w+2, with w the time that a job has waited: first come, first served. In NAME.rst the fields
# of a job stand between semicolons: the id is the first, the start the eighth. CQSim leaves out jobs
# that take no time, and cuts runtimes off at the walltime.
set -eu
swf=$1 procs=$2 policy=$3 outages=$4 out=$5
[ -z "$outages" ] || exit 77
case $policy in
    fcfs) backfill=0 ;;
    easy) backfill=1 ;;
    conservative) backfill=2 ;;
    *) exit 77 ;;
esac
awk '!/^;/ && NF > 3 && $4 <= 0 { exit 1 }' "$swf" || exit 77
data=${CQSIM:?folder with cqsim.py}/../data
name=conform-$$
trap 'rm -f "$CQSIM/Config/$name.set" "$data"/*/"$name"* "$data"/Debug/debug_"$name"*' EXIT
{
    echo "; MaxNodes: $procs"
    echo "; MaxProcs: $procs"
    grep -v '^;' "$swf"
} >"$data/InputFiles/$name.swf"
cat >"$CQSIM/Config/$name.set" <<SET
cluster_fraction=1.0
start=-1
start_date=None
anchor=0
read_num=-1
debug_lvl=0
alg=w,+,2
alg_sign=1,0,1
backfill=$backfill
bf_para=
win=0
win_para=1,0,0
ad_win=0
ad_bf=0
ad_alg=0
ad_win_para=
ad_bf_para=
ad_alg_para=
config_n=config_n.set
monitor=0
job_trace=$name.swf
node_struc=$name.swf
SET
(cd "$CQSIM" && "${PYTHON:-python3}" cqsim.py -j "$name.swf" -n "$name.swf" -C "$name.set" >/dev/null)
awk -F';' 'BEGIN { print "id,start" } NF >= 9 { print $1 + 0 "," $8 + 0 }' \
    "$data/Results/$name.rst" >"$out"
