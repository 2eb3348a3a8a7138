# shellcheck shell=bash disable=SC2154 # job.sh has set what is not set here
# A scaling study: one case on more and more ranks. For strong.sbatch and weak.sbatch, after job.sh.

# rank_counts: TAMP_RANKS, else 1, 2, 4, ... and all tasks of the allocation
rank_counts() {
    local all ranks
    all=$(task_count)
    if [[ -n ${TAMP_RANKS:-} ]]; then
        for ranks in $TAMP_RANKS; do
            if [[ ! $ranks =~ ^[1-9][0-9]{0,6}$ ]] || ((ranks > all)); then
                fail "TAMP_RANKS holds numbers from 1 to $all, the tasks of this job, and not '$ranks'"
            fi
            echo "$ranks"
        done
        return
    fi
    for ((ranks = 1; ranks < all; ranks *= 2)); do
        echo "$ranks"
    done
    echo "$all"
}

# run_study NAME: runs case_file with options and with what settings_for RANKS prints, on each number of ranks; then
# collects. Runs that are there already are kept, so that a study whose time ran out can go on.
run_study() {
    local study ranks folder settings counts code
    study=${output:-${TAMP_OUTPUT:-output}/$case_name-$1-$SLURM_JOB_ID}
    need_tamp
    choose_launcher
    counts=$(rank_counts)
    mkdir -p "$study" || fail "cannot make the folder $study; name another: TAMP_OUTPUT=FOLDER or --output FOLDER"
    for ranks in $counts; do
        folder=$study/ranks-$(printf %05d "$ranks")
        if [[ -f $folder/report.json ]]; then
            say "$folder is there already"
            continue
        fi
        settings=$(settings_for "$ranks") || exit 2
        mapfile -t settings < <(printf '%s' "$settings")
        launch_command "$ranks"
        move_aside "$folder.part" # begun by an earlier job that ran out of time
        say "$launcher, $ranks ranks: tamp run $case_file ${settings[*]} ${options[*]}"
        code=0
        attend "${launch[@]}" "$tamp" run "$case_file" --output "$folder.part" "${settings[@]/#/--set=}" "${options[@]}" ||
            code=$?
        if [[ $stopping == yes ]]; then
            say "no time left; the same sbatch with --output $study goes on with $ranks ranks"
            exit 75
        elif ((code != 0)); then
            say "the run on $ranks ranks failed with exit code $code; see above"
            exit "$code"
        fi
        mv "$folder.part" "$folder"
    done
    "$root/jobscripts/collect" "$study" || say "no table and plots here; elsewhere: jobscripts/collect $study"
}
