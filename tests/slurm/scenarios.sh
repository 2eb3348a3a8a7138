# shellcheck shell=bash disable=SC2317 # functions are given to await
# What happens in the cluster of life.sh: everything is submitted at once, a node is lost, and the results are looked at.

set -euo pipefail

here=$1
scripts=$TAMP_SOURCE_DIR/jobscripts
failures=0
told=0
declare -A job # by name

# problem NAME TEXT: counts, and shows what the job said
problem() {
    printf 'FAILED: %s: %s\n' "$1" "$2"
    ((++failures))
    if [[ -n ${job[$1]:-} ]]; then
        scontrol show job "${job[$1]}" | grep -E 'JobState|Restarts|NodeList' || true
        for file in "slurm-${job[$1]}".out "slurm-${job[$1]}"_*.out; do
            [[ ! -f $file ]] || tail -n 25 "$file" | sed "s/^/    /"
        done
    fi
}

# passed WORDS...: unless something failed since the last time
passed() {
    if ((failures == told)); then
        printf '%4d s  ok: %s\n' "$SECONDS" "$*"
    fi
    told=$failures
}

# submit NAME WORDS OF sbatch...
submit() {
    local name=$1
    shift
    job[$name]=$(sbatch --parsable "$@")
}

# of_job NAME KEY: what scontrol shows, for example of JobState
of_job() { scontrol --oneliner show job "${job[$1]}" | head -n 1 | grep -oP "(?<=\b$2=)\S*"; }

# hash_of FOLDER: of a finished run; nothing without one
hash_of() { sed -n 's/.*"state_hash": "\([0-9a-f]*\)".*/\1/p' "$1/report.json" 2>/dev/null || true; }

# expect_end NAME STATE EXIT_CODE
expect_end() {
    local found
    found="$(of_job "$1" JobState) $(of_job "$1" ExitCode)"
    [[ $found == "$2 $3:0" ]] || problem "$1" "ended with $found instead of $2 $3:0"
}

# expect_hash NAME FOLDER HASH
expect_hash() {
    local found
    found=$(hash_of "$2")
    [[ -n $found && $found == "$3" ]] || problem "$1" "state hash '$found' in $2 instead of $3"
}

# expect_text NAME FILE TEXT
expect_text() { grep -qF -e "$3" "$2" || problem "$1" "$2 does not say '$3'"; }

# await SECONDS WHAT COMMAND...
await() {
    local end=$((SECONDS + $1)) what=$2
    shift 2
    until "$@"; do
        if ((SECONDS >= end)); then
            squeue
            sinfo
            tail -n 20 slurm-*.out
            echo "FAILED: $what did not happen in time"
            exit 1
        fi
        sleep 0.3
    done
}

# ---- Cases ---------------------------------------------------------------------------------------------------------

# write_case FILE STEPS: grains fall and collide; equally many sweeps in every step
write_case() {
    cat >"$1" <<END
title = "Grains that fall"
gravity = [0, 0, -9.81]

[domain]
lower = [0, 0, 0]
upper = [0.16, 0.16, 0.24]
boundary = ["periodic", "periodic", "wall"]

[[material]]
name = "glass"
density = 2500
friction = 0.3

[[particles]]
generator = "random"
count = 2000
size = { distribution = "uniform", min = 0.008, max = 0.012 }

[solver]
min_sweeps = 8
max_sweeps = 8

[time]
max_step = 1e-3 # grains are down soon: then all steps take the same time

[output]
series_every = 100

[[stage]]
name = "fall"
steps = $2
END
}

# seconds_of FOLDER
seconds_of() { sed -n 's/^  "seconds": \([0-9.e+-]*\),$/\1/p' "$1/report.json"; }

# steps_for SECONDS WORDS OF srun...: how many steps take so long, by the fastest of three trials
steps_for() {
    local wanted=$1 trial
    shift
    for trial in 1 2 3; do
        srun --mpi=pmix "$@" "$TAMP" run trial.toml --output "trial-$#-$trial" --progress none >/dev/null
        seconds_of "trial-$#-$trial"
    done | sort -g | awk -v all="$wanted" 'NR == 1 { printf "%d", 100 * all / $1 }'
}

write_case trial.toml 100
# The first signal comes some 8 s after the start, the next one 30 s later (see below): two legs are not enough for the
# first of these cases, and one is not for the second.
write_case long.toml "$(steps_for 45 --nodes=2 --ntasks=2)"
write_case linked.toml "$(steps_for 20 --ntasks=1)"
write_case short.toml 60
# Long enough that none of its jobs ends before their node is lost, some seconds after they began.
write_case lost.toml 2500
printf 'seed,material.glass.friction\n' >table.csv
printf '%s\n' 1,0 1,0.2 1,0.4 2,0 2,0.2 2,0.4 >>table.csv
sed 's/density/densty/' short.toml >bad.toml
printf '#!/bin/sh\nexit 75\n' >stops_early
cat >tells_host <<END
#!/bin/sh
hostname >>"hosts-\$SLURM_JOB_ID"
exec "$TAMP" "\$@"
END
chmod +x stops_early tells_host
passed "cluster and cases are ready: $(grep -h steps long.toml linked.toml | tr '\n' ' ')"

# ---- Submission ----------------------------------------------------------------------------------------------------

two=(--nodes=2 --ntasks=2 --nodelist="node[1-2]")
run=$scripts/run.sbatch
# Every 30 s SLURM looks for jobs that will end within the time of --signal plus 30 s; one minute is the shortest limit.
# This job tells when it looks.
limit=(--time=1 --signal=B:USR1@50)
sbatch --quiet "${limit[@]}" --wrap 'trap "touch signalled; exit" USR1; sleep 60 & wait' --output=/dev/null

for launcher in srun mpirun; do
    TAMP_LAUNCHER=$launcher submit "lost_$launcher" --nodes=2 --ntasks=2 --nodelist="node[2-3]" \
        "$run" lost.toml --set checkpoint.every=20
done
submit lost_host --ntasks=1 --nodelist=node3 "$run" lost.toml --set checkpoint.interval=0
submit cancelled --ntasks=1 --nodelist=node1 "$run" long.toml
TAMP=$PWD/stops_early submit stuck --ntasks=1 --nodelist=node1 "$run" short.toml
TAMP=$PWD/stops_early TAMP_MAX_REQUEUES=1 submit often --ntasks=1 --nodelist=node1 "$run" short.toml
TAMP=$PWD/nothing submit unbuilt --ntasks=1 --nodelist=node1 "$run" short.toml
submit bad --ntasks=1 --nodelist=node1 "$run" bad.toml
submit sweep --array=1-6%2 --ntasks=1 --nodelist=node1 "$scripts/sweep.sbatch" table.csv short.toml
for launcher in srun mpirun; do
    TAMP_LAUNCHER=$launcher TAMP=$PWD/tells_host submit "$launcher" "${two[@]}" "$run" short.toml
done
submit strong --ntasks=2 --nodelist=node1 "$scripts/strong.sbatch" short.toml
submit weak --ntasks=2 --nodelist=node1 "$scripts/weak.sbatch" short.toml

# ---- A node is lost ------------------------------------------------------------------------------------------------

has_checkpoint() { compgen -G "$1/checkpoint-*.h5" >/dev/null; }
await 60 "a checkpoint of lost_srun" has_checkpoint "output/lost-${job[lost_srun]}"
await 60 "a checkpoint of lost_mpirun" has_checkpoint "output/lost-${job[lost_mpirun]}"
await 60 "the start of lost_host" test -s "output/lost-${job[lost_host]}/run.log"
kill -KILL "$(cat "$CLUSTER/node3.pid")"
passed "node3 is gone"
await 60 "the start of cancelled" test -s "output/long-${job[cancelled]}/run.log"
scancel "${job[cancelled]}"
requeued() { (($(of_job "$1" Restarts) > 0)); }
for name in lost_srun lost_mpirun lost_host; do
    await 120 "the requeue of $name" requeued "$name"
done
bash "$here/cluster.sh" start-node node3
passed "its jobs are in the queue again; node3 is back"

# ---- Time limits ---------------------------------------------------------------------------------------------------

soon_signalled() { # in 6 to 10 s
    local age=$(($(date +%s) - $(stat -c %Y signalled)))
    ((age % 30 >= 20 && age % 30 <= 24))
}
submit_limited() {
    await 60 "the right moment" soon_signalled
    submit limit "${limit[@]}" "${two[@]}" "$run" long.toml
    "$scripts/chain" linked.toml 5 "${limit[@]}" --ntasks=1 --nodelist=node1 >chain.txt
    chained=$(sed -n 's/.*results in //p' chain.txt)
    read -ra chain <<<"$(tail -n 1 chain.txt)"
    job[chain]=${chain[-1]} job[chain_begin]=${chain[0]}
}
await 60 "a signal before the time limit" test -e signalled
submit_limited
passed "jobs with a short time limit are submitted"

# ---- Meanwhile, the same runs without SLURM -------------------------------------------------------------------------

hash_without() { # CASE OPTIONS...
    local folder
    folder=$(mktemp -d plain.XXXXXX)
    "$TAMP" run "$1" --output "$folder" --progress none "${@:2}" >/dev/null
    hash_of "$folder"
}
hash_of_lost=$(hash_without lost.toml)
hash_of_short=$(hash_without short.toml)
hashes_of_limited() { hash_of_linked=$(hash_without linked.toml) hash_of_long=$(hash_without long.toml); }
hashes_of_limited
hashes_of_rows=()
while IFS=, read -r seed friction; do
    hashes_of_rows+=("$(hash_without short.toml --set "seed=$seed" --set "material.glass.friction=$friction")")
done < <(tail -n +2 table.csv)
passed "reference runs"

# ---- Results -------------------------------------------------------------------------------------------------------

queue_is_empty() { [[ -z $(squeue --noheader) ]]; }
await 600 "the end of all jobs" queue_is_empty
passed "all jobs have ended"

if (($(of_job limit Restarts) < 2)) || [[ $(of_job chain_begin JobState) == COMPLETED ]]; then
    passed "the machine is faster than it was at the trials: once more with four times the steps"
    for file in long.toml linked.toml; do
        write_case "$file" "$(awk '/^steps/ { print 4 * $3 }' "$file")"
    done
    hashes_of_limited
    submit_limited
    await 600 "the end of the second attempt" queue_is_empty
fi
folder=output/long-${job[limit]}
expect_end limit COMPLETED 0
expect_hash limit "$folder" "$hash_of_long"
(($(of_job limit Restarts) >= 2)) || problem limit "only $(of_job limit Restarts) requeues"
[[ $(grep -c ' ends .* with 75$' "$folder.legs") == "$(of_job limit Restarts)" ]] || problem limit "$(cat "$folder.legs")"
expect_text limit "slurm-${job[limit]}.out" "tamp resume $folder"
tail -n 2 "$folder.legs" | grep -q 'begins .* with .*checkpoint-' || problem limit "$(cat "$folder.legs")"
passed "a case longer than its time limit: $(of_job limit Restarts) requeues, the same hash"

[[ ${#chain[@]} == 5 ]] || problem chain "$(cat chain.txt)"
expect_end chain_begin FAILED 75
expect_end chain COMPLETED 0
expect_hash chain "$chained" "$hash_of_linked"
expect_text chain "slurm-${chain[-1]}.out" "the run is finished: nothing to do"
passed "a chain of jobs: $(grep -c begins "$chained.legs") of 5 had to compute"

for name in lost_srun lost_mpirun; do
    folder=output/lost-${job[$name]}
    expect_end "$name" COMPLETED 0
    expect_hash "$name" "$folder" "$hash_of_lost"
    expect_text "$name" "slurm-${job[$name]}.out" "tamp resume $folder"
    tail -n 2 "$folder.legs" | grep -q 'begins .* with .*checkpoint-' || problem "$name" "$(cat "$folder.legs")"
done
folder=output/lost-${job[lost_host]}
expect_end lost_host COMPLETED 0
expect_hash lost_host "$folder" "$hash_of_lost"
[[ -s $folder.unfinished-1/run.log ]] || problem lost_host "what there was before the loss is not kept"
passed "a lost node: two jobs resumed from a checkpoint, one without any started afresh;" \
    "$(cat slurm-*.out | grep -c 'once more') launches were repeated"

folder=output/long-${job[cancelled]}
[[ $(of_job cancelled JobState) == CANCELLED ]] || problem cancelled "is $(of_job cancelled JobState)"
has_checkpoint "$folder" || problem cancelled "left no checkpoint"
passed "a cancelled job left a checkpoint and did not queue again"

expect_end stuck FAILED 75
[[ $(of_job stuck Restarts) == 2 ]] || problem stuck "$(of_job stuck Restarts) requeues instead of 2"
expect_text stuck "slurm-${job[stuck]}.out" "the last two legs brought no new checkpoint"
expect_end often FAILED 75
[[ $(of_job often Restarts) == 1 ]] || problem often "$(of_job often Restarts) requeues instead of 1"
expect_text often "slurm-${job[often]}.out" "TAMP_MAX_REQUEUES is 1"
expect_end unbuilt FAILED 2
expect_text unbuilt "slurm-${job[unbuilt]}.out" "jobs build nothing"
expect_end bad FAILED 2
[[ $(of_job bad Restarts) == 0 ]] || problem bad "a mistake in the case was queued again"
passed "jobs that cannot succeed end"

for row in {1..6}; do
    expect_hash sweep "output/short-${job[sweep]}/$row" "${hashes_of_rows[row - 1]}"
done
[[ $(printf '%s\n' "${hashes_of_rows[@]}" | sort -u | wc -l) == 6 ]] || problem sweep "rows do not differ"
passed "an array over a table of 6 rows"

for launcher in srun mpirun; do
    expect_end "$launcher" COMPLETED 0
    expect_hash "$launcher" "output/short-${job[$launcher]}" "$hash_of_short"
    expect_text "$launcher" "slurm-${job[$launcher]}.out" "$launcher on node[1-2]"
    [[ $(sort "hosts-${job[$launcher]}" | xargs) == "node1 node2" ]] || problem "$launcher" "not on both nodes"
done
passed "both launchers over two nodes"

for kind in strong weak; do
    folder=output/short-$kind-${job[$kind]}
    expect_end "$kind" COMPLETED 0
    for file in scaling.md scaling.csv scaling.png; do
        [[ -s $folder/$file ]] || problem "$kind" "no $folder/$file"
    done
    particles=$([[ $kind == strong ]] && echo "2000 2000" || echo "2000 4000")
    [[ $(tail -n +2 "$folder/scaling.csv" | cut -d, -f1 | xargs) == "1 2" &&
        $(tail -n +2 "$folder/scaling.csv" | cut -d, -f2 | xargs) == "$particles" ]] ||
        problem "$kind" "$(cat "$folder/scaling.csv")"
done
expect_hash strong "output/short-strong-${job[strong]}/ranks-00002" "$hash_of_short"
passed "scaling studies"

exit $((failures > 0))
