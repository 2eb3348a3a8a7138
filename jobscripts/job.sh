# shellcheck shell=bash disable=SC2034 # the scripts use what is set here
# What the job scripts share; they source it: messages, the command line, the launcher, signals. Each sets `root` (the folder
# of tamp) before.

: "${root:?}"
program=${BASH_SOURCE[1]##*/}
if [[ -n ${SLURM_JOB_ID:-} ]]; then
    program="tamp job $SLURM_JOB_ID" # sbatch runs a copy of the script, which has another name
fi

say() { printf '%s: %s\n' "$program" "$*"; }

# fail TEXT...: for mistakes in how a script is called
fail() {
    printf "$program: %s\n" "$@" >&2
    exit 2
}

# A site's own file; module commands and the like do not stand strict shells.
site=${TAMP_SITE:-}
if [[ -z $site && -f $root/jobscripts/site.sh ]]; then
    site=$root/jobscripts/site.sh
fi
if [[ -n $site ]]; then
    [[ -r $site ]] || fail "TAMP_SITE: there is no file $site"
    set +eu
    # shellcheck disable=SC1090
    . "$site"
    set -eu
fi

# ---- What to start ------------------------------------------------------------------------------------------------

tamp=${TAMP:-$root/build/tamp}

need_tamp() {
    [[ -x $tamp ]] || fail "there is no executable $tamp; jobs build nothing. Build it first, on a node of the kind that" \
        "the job runs on: cmake/setup.sh (jobscripts/README.md tells how on a cluster), or name another: TAMP=FILE"
}

# find_case NAME: sets case_file; a case is looked for here, then in the folder of tamp
find_case() {
    case_file=$1
    if [[ ! -f $case_file && -f $root/$case_file ]]; then
        case_file=$root/$case_file
    fi
    [[ -f $case_file ]] || fail "there is no case '$case_file'; cases in inputs/: $(cd "$root/inputs" && echo *.toml)"
    case_name=$(basename "$case_file" .toml)
}

# split_options OPTIONS...: sets output (what --output names, or nothing) and options (all others)
split_options() {
    output=""
    options=()
    while (($# > 0)); do
        case $1 in
        --output)
            (($# > 1)) || fail "--output needs a folder"
            output=$2
            shift
            ;;
        --output=*) output=${1#*=} ;;
        --) # PETSc's own follow
            options+=("$@")
            return
            ;;
        *) options+=("$1") ;;
        esac
        shift
    done
}

# task_count: of this allocation. SLURM_NTASKS is there only if the job asked for a number of tasks.
task_count() {
    if [[ -n ${SLURM_NTASKS:-} ]]; then
        echo "$SLURM_NTASKS"
        return
    fi
    local word count=0
    for word in ${SLURM_TASKS_PER_NODE//,/ }; do # 2(x3),1
        if [[ $word =~ ^([0-9]+)\(x([0-9]+)\)$ ]]; then
            ((count += BASH_REMATCH[1] * BASH_REMATCH[2]))
        else
            ((count += word))
        fi
    done
    echo "$count"
}

# choose_launcher: TAMP_LAUNCHER, else srun where it can start MPI programs by PMIx, else mpirun
choose_launcher() {
    launcher=${TAMP_LAUNCHER:-}
    if [[ -z $launcher ]]; then
        launcher=mpirun
        if [[ $(srun --mpi=list 2>&1) == *pmix* ]]; then
            launcher=srun
        fi
    fi
    case $launcher in
    srun | mpirun) ;;
    *) fail "TAMP_LAUNCHER is srun or mpirun, not '$launcher'" ;;
    esac
    command -v "$launcher" >/dev/null || fail "$launcher is not there; load the module that has it, or choose another" \
        "launcher: TAMP_LAUNCHER=srun or mpirun"
    # A job without the environment of its submitter still hands on that of its script.
    unset SLURM_EXPORT_ENV
    # mpirun starts a daemon a node by srun, which must get all CPUs of the node, not those of one task.
    unset SRUN_CPUS_PER_TASK
    # mpirun: when it ends a run by SIGTERM (scancel), ranks have this long to write a checkpoint instead of a second.
    export OMPI_MCA_odls_base_sigkill_timeout=${OMPI_MCA_odls_base_sigkill_timeout:-10}
}

# launch_command TASKS: sets launch, the words that start a program as so many ranks, on as few nodes as hold them
launch_command() {
    local tasks=$1 all nodes extra
    all=$(task_count)
    nodes=$(((tasks * SLURM_JOB_NUM_NODES + all - 1) / all))
    read -ra extra <<<"${TAMP_LAUNCHER_OPTIONS:-}"
    case $launcher in
    # A rank that dies must not leave the others waiting until the time limit.
    srun)
        launch=(srun --mpi=pmix --ntasks="$tasks" --nodes="$nodes" --kill-on-bad-exit=1)
        # SLURM forgets between sbatch and srun what it was asked for.
        if [[ -n ${SLURM_CPUS_PER_TASK:-} ]]; then
            launch+=(--cpus-per-task="$SLURM_CPUS_PER_TASK")
        fi
        ;;
    mpirun) launch=(mpirun -n "$tasks") ;;
    esac
    launch+=("${extra[@]}")
    # Pictures need a display, which each process gets for itself.
    if grep -q '^[[:space:]]*\[\[[[:space:]]*picture' "$case_file" &&
        grep -qsx 'TAMP_CONFIGURED_PICTURES:INTERNAL=ON' "$root/build/CMakeCache.txt"; then
        launch+=("$root/jobscripts/with-display.sh")
        # Open MPI's look at the hardware asks every display of the node, and prints what those of others answer.
        export HWLOC_COMPONENTS=${HWLOC_COMPONENTS:--gl}
    fi
}

# move_aside FOLDER: a run that cannot be resumed starts afresh, and nothing is deleted
move_aside() {
    local number=1
    if [[ -e $1 && -n $(ls -A "$1") ]]; then
        while [[ -e $1.unfinished-$number ]]; do
            ((++number))
        done
        mv "$1" "$1.unfinished-$number"
        say "$1 holds no checkpoint to go on from: it is now $1.unfinished-$number, and the case starts afresh"
    fi
}

# ---- Signals ------------------------------------------------------------------------------------------------------

stopping=${stopping:-no} # a signal asked the run to end early
cancelled=no             # and that was the end of the job, not of its time
attended=""              # the process of the launcher
interrupted=no

# pass_on NAME: what the traps do. Launchers hand SIGUSR1 on to all ranks as it is, while by SIGTERM or SIGINT mpirun kills
# them soon after; so it is always SIGUSR1. A second SIGINT or SIGTERM means now.
pass_on() {
    local how=USR1
    interrupted=yes
    if [[ $1 != USR1 ]]; then
        if [[ $cancelled == yes ]]; then
            how=TERM
        fi
        cancelled=yes
    fi
    stopping=yes
    if [[ -n $attended ]]; then
        say "SIG$1: $([[ $how == USR1 ]] && echo "asking the run for a checkpoint" || echo "ending the run")"
        kill -s "$how" "$attended" 2>/dev/null || true
    fi
}
trap 'pass_on USR1' USR1
trap 'pass_on TERM' TERM
trap 'pass_on INT' INT
trap 'pass_on HUP' HUP

# attend COMMAND...: runs it, hands signals on, and returns its exit code. In a session of its own: signals to the group
# of this script, such as Ctrl-C, reach it only through us.
attend() {
    local code
    if [[ $stopping == yes ]]; then
        return 75
    fi
    setsid "$@" &
    attended=$!
    if [[ $stopping == yes ]]; then # since we looked
        kill -s USR1 "$attended" 2>/dev/null || true
    fi
    while true; do
        interrupted=no
        code=0
        wait "$attended" || code=$?
        if [[ $interrupted == no ]] || ((code <= 128)); then # else it was wait that ended, not the command
            break
        fi
    done
    # What a launcher leaves behind when it loses a node may end the job's next leg, whose steps have the same numbers.
    pkill --signal KILL --session "$attended" 2>/dev/null || true
    attended=""
    return "$code"
}
