# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of one node with four slots, for as long as a test takes, to be sourced with the folder in $tmp: own configuration,
# keys, state and ports. cluster_start, cluster_stop; $SLURM_CONF is exported. Needs root and Debian's slurm-wlm and munge.
cluster_missing() { # prints what is not there
    [ "$(id -u)" = 0 ] || echo "root"
    for p in munged slurmctld slurmd sbatch squeue scontrol scancel; do
        command -v $p >/dev/null 2>&1 || echo "$p"
    done
}

free_port() { # FROM: the first port from there on that nobody listens to
    port=$1
    while grep -qi "$(printf ':%04X 0' "$port")" /proc/net/tcp; do port=$((port + 1)); done
    echo "$port"
}

cluster_start() {
    c=$tmp/cluster
    mkdir -p "$c/state" "$c/spool" "$c/munge" && chmod 700 "$c/munge" && chmod 755 "$tmp" "$c"
    dd if=/dev/urandom of="$c/munge/key" bs=64 count=1 2>/dev/null && chmod 600 "$c/munge/key"
    munged --force --foreground --key-file="$c/munge/key" --socket="$c/munge.socket" --pid-file="$c/munge/pid" --log-file="$c/munge/log" \
        --seed-file="$c/munge/seed" >"$c/munged.out" 2>&1 &
    munge_pid=$!
    host=$(hostname -s)
    ctl=$(free_port 26817)
    cat >"$c/slurm.conf" <<END
ClusterName=one
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$c/munge.socket
CredType=cred/munge
SlurmctldPort=$ctl
SlurmdPort=$(free_port $((ctl + 1)))
StateSaveLocation=$c/state
SlurmdSpoolDir=$c/spool
SlurmctldPidFile=$c/slurmctld.pid
SlurmdPidFile=$c/slurmd.pid
SlurmctldLogFile=$c/slurmctld.log
SlurmdLogFile=$c/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SchedulerParameters=bf_interval=1,sched_interval=2,sched_min_interval=0,batch_sched_delay=0
SlurmdParameters=config_overrides
ReturnToService=2
KillWait=1
DefMemPerCPU=200
NodeName=slots NodeAddr=127.0.0.1 NodeHostname=$host CPUs=4 RealMemory=1000 State=UNKNOWN
PartitionName=quick Nodes=slots Default=YES MaxTime=1:00:00 State=UP
PartitionName=other Nodes=slots MaxTime=10 State=UP
END
    export SLURM_CONF="$c/slurm.conf"
    slurmctld -D -c -f "$c/slurm.conf" >"$c/slurmctld.out" 2>&1 &
    ctl_pid=$!
    slurmd -D -N slots -f "$c/slurm.conf" >"$c/slurmd.out" 2>&1 &
    d_pid=$!
    for _ in $(seq 60); do
        sinfo -h -n slots -o %T 2>/dev/null | grep -q idle && return 0
        sleep 0.5
    done
    tail -n 5 "$c"/*.log "$c"/*.out
    return 1
}

cluster_stop() {
    for pid in $d_pid $ctl_pid $munge_pid; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
}
