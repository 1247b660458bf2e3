#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# GPGPU-Sim's configuration files as presets. Usage: test_gpgpusim.sh BANKSHOT
set -u
bankshot=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
failed=0

cat >"$tmp/gpgpusim.config" <<'X'
# a machine like a V100
-gpgpu_kernel_launch_latency 5000
-gpgpu_ptx_sim_mode 0
-gpgpu_n_clusters 40
-gpgpu_n_cores_per_cluster 2
-gpgpu_n_mem 32
-gpgpu_n_sub_partition_per_mchannel 2
-gpgpu_clock_domains 1132.0:1132.0:1132.0:850.0
-gpgpu_shader_core_pipeline 2048:32
-gpgpu_num_sched_per_core 4
-gpgpu_sub_core_model 1
-gpgpu_operand_collector_num_units_gen 8
-gpgpu_num_reg_banks 16
-gpgpu_scheduler lrr
-gpgpu_unified_l1d_size 128
-gpgpu_cache:dl1  S:4:128:64,L:T:m:L:L,A:512:8,16:0,32
-gpgpu_shmem_size 98304
-gpgpu_cache:dl2 S:32:128:24,L:B:m:L:P,A:192:4,32:0,32
-gpgpu_dram_buswidth 16
-dram_data_command_freq_ratio 2  # double data rate
-gpgpu_dram_timing_opt "nbk=16:CCD=1:RRD=3:RCD=12:
                        CL=12:WL=2:CDLR=3:WR=11"
-visualizer_enabled 0
X
echo '-trace_opcode_latency_initiation_int 5,3' >"$tmp/trace.config"

option() { # NAME VALUE
    grep -Eq "^$1 +$2( |\$)" "$tmp/options" || {
        echo "FAIL $1 is not $2: $(grep -F "$1 " "$tmp/options")"
        failed=1
    }
}
refused() { # LINE PATTERN TEXT
    printf '%s\n' "$3" >"$tmp/bad.config"
    "$bankshot" list options --gpu "$tmp/bad.config" >"$tmp/out" 2>&1
    status=$?
    [ $status = 2 ] && grep -Eq "bad.config:$1: error: .*$2" "$tmp/out" || {
        echo "FAIL '$3': status $status: $(head -n 2 "$tmp/out")"
        failed=1
    }
}

"$bankshot" list options --gpu "$tmp/gpgpusim.config" >"$tmp/options" 2>"$tmp/err" || failed=1
option gpu.sms 80
option gpu.launch_cyc 5000
option gpu.core_mhz 1132
option sm.partitions 4
option sm.schedulers 1
option sm.warps 16
option sm.banks 4
option sm.collectors 2
option sm.wsched lrr
option sm.l1_kb 128
option sm.onchip carved
option sm.l1_mshrs 512
option sm.shared_kb 96
option mem.slices 64
option mem.l2_kb 6144
option mem.l2_ways 24
option mem.dram_mhz 850
option mem.bus_b 32
option mem.t_wr 11
option latency.INT 5
option interval.INT 3
grep -q 'ignored.* -gpgpu_ptx_sim_mode -visualizer_enabled$' "$tmp/err" || {
    echo "FAIL ignored flags: $(cat "$tmp/err")"
    failed=1
}
rm "$tmp/trace.config"
refused 1 'cannot be read' '-gpgpu_n_clusters many'
refused 1 'outside' '-gpgpu_shader_registers 0'
refused 1 'cannot be read' '-gpgpu_cache:dl2 S:32'
refused 1 'a value without a flag' '17'
[ $failed = 0 ] && echo "passed"
exit $failed
