#!/usr/bin/env bash
# The job scripts in a real SLURM of three nodes, on this machine (cluster.sh): time limits, requeues, chains, arrays,
# cancelled jobs, a lost node, both launchers, scaling studies. What is submitted and expected is in scenarios.sh.
#
# Needs what tests/system/common.sh asks for, root, and the packages of [slurm] in cmake/packages.txt.

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=tests/system/common.sh
. "$here/../system/common.sh"

[[ $(id -u) -eq 0 ]] || skip "a throw-away SLURM needs root"
for tool in slurmctld slurmd munged sbatch srun scontrol ip unshare pgrep; do
    command -v "$tool" >/dev/null ||
        skip "$tool is not installed (Debian: slurmctld slurmd slurm-client munge iproute2 procps)"
done
unshare --net --pid --mount --uts --ipc --fork --mount-proc ip link set lo up 2>/dev/null ||
    skip "no namespaces can be made here, which keep a throw-away SLURM apart from the machine"

export TAMP TAMP_SOURCE_DIR
# Ranks of different nodes talk over the loopback device, the only one there is.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_btl=self,vader,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_oob_tcp_if_include=lo
# More ranks than cores.
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_odls_base_sigkill_timeout=2
unset TAMP_LAUNCHER TAMP_LAUNCHER_OPTIONS TAMP_REQUEUE TAMP_CHAIN TAMP_ROOT TAMP_OUTPUT TAMP_SITE

chmod 755 "$work" # munged wants a socket that all can reach
# Not exec: the folder is removed at the end.
bash "$here/cluster.sh" "$work/cluster" 3 16 bash "$here/scenarios.sh" "$here"
