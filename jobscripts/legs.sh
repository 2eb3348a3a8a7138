# shellcheck shell=bash disable=SC2154 # job.sh has set what is not set here
# The life of a run over many jobs, or many starts of one job: legs. For run.sbatch and sweep.sbatch, after job.sh.
#
# A leg resumes from the newest checkpoint in the run's folder, or starts the case. FOLDER.legs has a line for the begin
# and the end of each:
#   12 begins 2026-01-31T12:00:00 on node[1-2] with checkpoint-00000100.h5,checkpoint-00000200.h5
#   12 ends 2026-01-31T12:10:00 with 75
# so that a leg knows how those before it went, also if their nodes were lost.

# checkpoints FOLDER: their names, oldest first, joined by commas
checkpoints() {
    local path names=()
    for path in "$1"/checkpoint-*.h5; do
        if [[ ${path##*/} =~ ^checkpoint-[0-9]+\.h5$ ]]; then # not one that was never finished
            names+=("${path##*/}")
        fi
    done
    if ((${#names[@]} > 0)); then
        printf '%s\n' "${names[@]}" | sort -V | paste -sd,
    fi
}

# note FOLDER WORDS...: a line of FOLDER.legs
note() {
    local folder=$1
    shift
    echo "${TAMP_CHAIN:-$SLURM_JOB_ID} $*" >>"$folder.legs" ||
        fail "cannot write $folder.legs; choose another place for results: TAMP_OUTPUT=FOLDER or --output FOLDER"
}

# noted FOLDER WHAT: the last words of the lines of this job, or chain of jobs, that say what begins or ends
noted() {
    if [[ -f $1.legs ]]; then
        awk -v job="${TAMP_CHAIN:-$SLURM_JOB_ID}" -v what="$2" '$1 == job && $2 == what { print $NF }' "$1.legs"
    fi
}

# node_lost: whether a node of this job does not answer any more. A launcher tells that by any exit code, and SLURM itself
# knows it only after a while.
node_lost() {
    local attempt nodes=$SLURM_JOB_NUM_NODES
    ((nodes > 1)) || return 1
    for attempt in {1..6}; do
        if timeout --kill-after=5 10 srun --quiet --mpi=none --nodes="$nodes" --ntasks="$nodes" --ntasks-per-node=1 \
            true 2>/dev/null; then
            return 1
        fi
        say "not all nodes answer (attempt $attempt)"
        # * marks nodes that are silent.
        if [[ $(sinfo --noheader --nodes="$SLURM_JOB_NODELIST" --format=%T) == *['*']* ]]; then
            break
        fi
    done
}

# never_started FOLDER CODE: whether a launcher has not come as far as to start tamp, which writes to its log at once. On a
# node that comes back after a crash, srun stumbles over what the job's last leg has left in /tmp, and may even return 0;
# its next try, another step of the job, works.
never_started() {
    if [[ $stopping == yes || $1/run.log -nt $1.legs ]]; then
        return 1
    fi
    (($2 > 4 && $2 != 75)) || [[ $2 == 0 && ! -f $1/report.json ]]
}

# go_on_later FOLDER: the job queues again, if it may; ends this script
go_on_later() {
    local folder=$1 job=$SLURM_JOB_ID restarts=${SLURM_RESTART_COUNT:-0} most=${TAMP_MAX_REQUEUES:-1000}
    local by_hand="sbatch with the same words and --output $folder goes on from the last checkpoint"
    if [[ -n ${SLURM_ARRAY_JOB_ID:-} ]]; then
        job=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID # the number of the last task is that of the whole array, too
    fi
    # A job that was cancelled, or that SLURM queues again by itself, does not run any more.
    if [[ $cancelled == yes || $(squeue --noheader --jobs="$SLURM_JOB_ID" --states=all --format=%T |
        sort -u) != *RUNNING* ]]; then
        say "the job was ended from outside and does not queue again by itself; $by_hand"
    elif [[ ${TAMP_REQUEUE:-yes} == no ]]; then
        say "the run is not finished; the next job of the chain, or $by_hand"
    elif ((restarts >= most)); then
        say "the run is not finished after $restarts requeues, and TAMP_MAX_REQUEUES is $most; $by_hand"
    elif scontrol requeue "$job"; then
        say "queued again (requeue $((restarts + 1)) of at most $most)"
    else
        say "this job may not queue again; jobscripts/chain does without that, and $by_hand"
    fi
    exit 75
}

# run_leg FOLDER OPTIONS...: starts or resumes case_file there, and ends this script with the exit code of the run
run_leg() {
    local folder=$1 present before command code=0
    shift
    need_tamp
    choose_launcher
    launch_command "$(task_count)"
    mkdir -p "$(dirname "$folder")" || fail "cannot make the folder of $folder; name another: TAMP_OUTPUT=FOLDER"

    present=$(checkpoints "$folder")
    present=${present:-nothing}
    if [[ -n ${TAMP_CHAIN:-} ]]; then
        before=$(noted "$folder" ends | tail -n 1)
        case $before in
        "" | 75) ;;
        0)
            say "the run is finished: nothing to do"
            exit 0
            ;;
        *)
            say "an earlier job of this chain failed with exit code $before: see its output; not going on"
            exit "$before"
            ;;
        esac
    fi
    mapfile -t before < <(noted "$folder" begins | tail -n 2)
    if [[ ${#before[@]} == 2 && ${before[0]} == "$present" && ${before[1]} == "$present" ]]; then
        say "the last two legs brought no new checkpoint (there is: $present), and another would not either. Allow more" \
            "time (sbatch --time) before and after the signal (--signal=B:USR1@SECONDS before the end), and submit again"
        exit 75
    fi
    note "$folder" "begins $(date +%FT%T) on $SLURM_JOB_NODELIST with $present"

    if [[ $present == nothing ]]; then
        move_aside "$folder"
        command=(run "$case_file" --output "$folder" "$@")
    else
        command=(resume "$folder" "$@")
    fi
    say "$launcher on $SLURM_JOB_NODELIST, leg $(noted "$folder" begins | wc -l): tamp ${command[*]}"
    attend "${launch[@]}" "$tamp" "${command[@]}" || code=$?
    if never_started "$folder" "$code"; then
        say "$launcher started nothing (exit code $code); once more"
        code=0
        attend "${launch[@]}" "$tamp" "${command[@]}" || code=$?
        if never_started "$folder" "$code"; then
            code=1
        fi
    fi
    if [[ $stopping == yes ]] && ((code > 4)); then # before tamp was ready for a signal, the signal ended it
        code=75
    elif ((code == 1 || code > 4 && code != 75)) && node_lost; then
        say "a node was lost (exit code $code)"
        code=75
    fi
    note "$folder" "ends $(date +%FT%T) with $code"
    if ((code == 75)); then
        go_on_later "$folder"
    fi
    exit "$code"
}
