#!/bin/sh
# batsched with Batsim 3 or 4 for `orrery conform`.
#   PLATFORM=cluster512.xml orrery conform \
#     --command 'spec/conformance/adapters/batsched.sh {workload} {procs} {policy} {failures}{maintenance} {out}'
# PLATFORM is a homogeneous platform of at least as many hosts as a case has processors (16), besides
# the master; --mmax-workload gives batsched the hosts that the workload says. It needs jq.
set -eu
workload=$1 procs=$2 policy=$3 outages=$4 out=$5
[ -z "$outages" ] || exit 77
case $policy in
    fcfs) variant=fcfs_fast ;;
    easy) variant=easy_bf ;;
    conservative) variant=conservative_bf ;;
    *) exit 77 ;;
esac
folder=$(mktemp -d)
socket=ipc://$folder/socket
tail -n +2 "$workload" | jq -R -s --argjson procs "$procs" '
    [split("\n")[] | select(. != "") | split(",")] as $rows
    | { nb_res: $procs,
        jobs: [$rows[] | { id: .[0], subtime: (.[1] | tonumber), res: (.[2] | tonumber),
                           walltime: (.[4] | tonumber), profile: .[0] }],
        profiles: ([$rows[] | { key: .[0], value: { type: "delay", delay: (.[3] | tonumber) } }]
                   | from_entries) }' >"$folder/workload.json"
batsched -v "$variant" -s "$socket" >"$folder/batsched.log" 2>&1 &
batsim -p "${PLATFORM:?a platform of SimGrid}" -w "$folder/workload.json" --mmax-workload \
    -s "$socket" -e "$folder/out" >"$folder/batsim.log" 2>&1
wait
cp "$folder"/out*jobs.csv "$out"
rm -rf "$folder"
