#!/usr/bin/env bash
# Runs a command inside a SLURM cluster of several nodes that lives on this machine for as long as the command does:
#
#   bash tests/slurm/cluster.sh FOLDER NODES CPUS COMMAND...
#
# Needs root and Debian's slurmctld, slurmd, slurm-client, munge and iproute2. FOLDER, which must not exist, holds the
# cluster's files; logs stay in it. Nothing of this machine is touched: the daemons live in their own network (loopback
# only), mount and process namespaces, and end with them. Each node is a further process namespace with a host name of
# its own; the command finds its init in FOLDER/NODE.pid, and killing that is the loss of the node:
#
#   kill -KILL "$(cat FOLDER/node2.pid)"            node2 is gone, with everything that ran there
#   bash tests/slurm/cluster.sh start-node node2    it comes back; inside the cluster only, where CLUSTER is the FOLDER

set -euo pipefail

self=${BASH_SOURCE[0]}
port=16817 # of slurmctld; nodes have the next ones. In a network of its own no port is taken

say() { printf 'cluster.sh: %s\n' "$*" >&2; }

# await SECONDS COMMAND...: until the command succeeds
await() {
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

write_configuration() {
    local nodes=$1 cpus=$2 node
    # config_overrides: nodes have the CPUs written here, whatever the machine has. TmpFS: PMIx makes folders there, which
    # must differ between nodes. cred_expire: a requeued job waits for it. SlurmdTimeout: how soon a lost node is noticed.
    cat >"$CLUSTER/slurm.conf" <<END
ClusterName=tamp
SlurmctldHost=$(hostname -s)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthInfo=socket=$CLUSTER/munge.socket,cred_expire=5
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
StateSaveLocation=$CLUSTER/state
SlurmctldPidFile=$CLUSTER/slurmctld.pid
SlurmctldLogFile=$CLUSTER/log/slurmctld
SlurmdPidFile=$CLUSTER/slurmd-%n.pid
SlurmdLogFile=$CLUSTER/log/%n
SlurmdSpoolDir=$CLUSTER/spool-%n
TmpFS=$CLUSTER/tmp-%n
SlurmdParameters=config_overrides
SlurmdTimeout=10
KillWait=10
MpiDefault=pmix
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=2
ReturnToService=2
MinJobAge=3600
JobCompType=jobcomp/none
MailProg=/bin/true
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
END
    cp /etc/hosts "$CLUSTER/hosts"
    for ((node = 1; node <= nodes; ++node)); do
        mkdir "$CLUSTER/spool-node$node"
        mkdir -m 1777 "$CLUSTER/tmp-node$node"
        echo "127.0.0.1 node$node" >>"$CLUSTER/hosts"
        echo "NodeName=node$node NodeHostname=$(hostname -s) NodeAddr=127.0.0.1 Port=$((port + node))" \
            "CPUs=$cpus RealMemory=4000" >>"$CLUSTER/slurm.conf"
    done
}

# start_node NAME: slurmd in its own process namespace. Its init is a shell, which reaps what a daemon leaves behind.
start_node() {
    local node=$1
    rm -f "$CLUSTER/$node.pid"
    # shellcheck disable=SC2016 # the words are for the inner shell
    unshare --uts --mount --pid --fork --kill-child --mount-proc bash -c '
        mount --bind "$1/hosts" /etc/hosts
        hostname "$2"
        slurmd -D -N "$2" &
        wait' init "$CLUSTER" "$node" </dev/null >>"$CLUSTER/log/$node.console" 2>&1 &
    local outside=$!
    # The child of unshare is the init; its number here is what kills it from here.
    await 5 pgrep --parent "$outside" >"$CLUSTER/$node.pid"
}

all_nodes_idle() { [[ $(timeout 2 sinfo --noheader --states=idle --format=%D 2>/dev/null) == "$1" ]]; }

# Inside the namespaces.
inside() {
    local nodes=$1 cpus=$2 node code=0
    shift 2
    # getaddrinfo looks up nothing on a machine that has no address but 127.0.0.1.
    ip link set lo up
    ip address add 127.0.0.2/8 dev lo
    mkdir -p "$CLUSTER/state" "$CLUSTER/log"
    write_configuration "$nodes" "$cpus"
    (umask 077 && head -c 1024 /dev/urandom >"$CLUSTER/munge.key")
    munged --key-file="$CLUSTER/munge.key" --socket="$CLUSTER/munge.socket" --pid-file="$CLUSTER/munged.pid" \
        --log-file="$CLUSTER/log/munged" --seed-file="$CLUSTER/munge.seed"
    export SLURM_CONF=$CLUSTER/slurm.conf
    slurmctld
    for ((node = 1; node <= nodes; ++node)); do
        start_node "node$node"
    done
    if ! await 30 all_nodes_idle "$nodes"; then
        say "the nodes are not ready after 30 s:"
        sinfo >&2 || true
        tail -n 5 "$CLUSTER"/log/* >&2
        exit 99
    fi
    "$@" || code=$?
    exit "$code" # and with this shell, the first process of its namespace, everything ends
}

case ${1:-} in
start-node)
    start_node "$2"
    ;;
_inside)
    shift
    inside "$@"
    ;;
*)
    if (($# < 4)); then
        say "usage: cluster.sh FOLDER NODES CPUS COMMAND..."
        exit 2
    fi
    mkdir "$1"
    CLUSTER=$(cd "$1" && pwd)
    export CLUSTER
    shift
    # unshare ignores SIGTERM; SIGKILL takes its namespaces with it.
    unshare --net --pid --mount --ipc --fork --kill-child --mount-proc bash "$self" _inside "$@" &
    outside=$!
    trap 'kill -KILL "$outside"; exit 143' INT TERM
    wait "$outside"
    ;;
esac
