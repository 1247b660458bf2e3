/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of a GPU by NVML, which is opened at run time: a machine without it (Bankshot's own runtime) runs the same programs and
 * reads nothing. The energy counter steps every few tens of milliseconds, so a reading begins and ends at a step. */
#ifndef METER_H
#define METER_H

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* A call of the runtime that has to succeed. */
#define CHECK(call)                                                                                          \
    do {                                                                                                     \
        cudaError_t e_ = (call);                                                                             \
        if (e_ != cudaSuccess) {                                                                             \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(e_));           \
            exit(1);                                                                                         \
        }                                                                                                    \
    } while (0)

struct nvml_field { /* as NVML's nvmlFieldValue_t */
    unsigned id, scope;
    long long when, latency;
    int type, error;
    union {
        double d;
        unsigned u;
        unsigned long long ull;
    } value;
};

struct meter {
    void *device;
    int (*energy)(void *, unsigned long long *); /* millijoules */
    int (*fields)(void *, int, struct nvml_field *);
    int (*clock)(void *, unsigned, unsigned *);       /* MHz; 1: SM, 2: memory */
    int (*temperature)(void *, unsigned, unsigned *); /* degrees Celsius; 0: GPU */
    int (*lock)(void *, unsigned, unsigned);
    int (*unlock)(void *);
    double warm_s, run_s;
};

struct reading {
    double seconds, joules;  /* between two steps of the counter */
    double launch_s;         /* seconds of a launch, over all of the run */
    double sm_mhz, mem_mhz, celsius;
    double gpu_w, mem_w;     /* means of the power readings; 0: the card has none */
    long launches;
    int steps;               /* of the counter between begin and end */
};

static double meter_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* False: there is no NVML, or it refuses. */
static bool meter_open(struct meter *m)
{
    memset(m, 0, sizeof *m);
    m->warm_s = getenv("METER_WARM") ? atof(getenv("METER_WARM")) : 0.3;
    m->run_s = getenv("METER_RUN") ? atof(getenv("METER_RUN")) : 1.2;
    void *lib = getenv("METER_OFF") ? NULL : dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (!lib)
        return false;
    int (*init)(void) = (int (*)(void))dlsym(lib, "nvmlInit_v2");
    int (*handle)(unsigned, void **) = (int (*)(unsigned, void **))dlsym(lib, "nvmlDeviceGetHandleByIndex_v2");
    m->energy = (int (*)(void *, unsigned long long *))dlsym(lib, "nvmlDeviceGetTotalEnergyConsumption");
    m->fields = (int (*)(void *, int, struct nvml_field *))dlsym(lib, "nvmlDeviceGetFieldValues");
    m->clock = (int (*)(void *, unsigned, unsigned *))dlsym(lib, "nvmlDeviceGetClockInfo");
    m->temperature = (int (*)(void *, unsigned, unsigned *))dlsym(lib, "nvmlDeviceGetTemperature");
    m->lock = (int (*)(void *, unsigned, unsigned))dlsym(lib, "nvmlDeviceSetGpuLockedClocks");
    m->unlock = (int (*)(void *))dlsym(lib, "nvmlDeviceResetGpuLockedClocks");
    return init && handle && m->energy && m->fields && m->clock && m->temperature && !init() && !handle(0, &m->device);
}

static double meter_field(const struct nvml_field *f)
{
    if (f->error)
        return 0;
    return f->type == 0 ? f->value.d : f->type == 1 ? (double)f->value.u : (double)f->value.ull;
}

/* Adds one sample of clocks, temperature and power (milliwatts by NVML). */
static void meter_sample(const struct meter *m, struct reading *r, long *samples)
{
    enum { POWER_AVERAGE = 185, POWER_INSTANT = 186, OF_GPU = 0, OF_MEMORY = 2 };
    unsigned sm = 0, mem = 0, t = 0;
    struct nvml_field f[2];
    memset(f, 0, sizeof f);
    f[0].id = POWER_INSTANT;
    f[1].id = POWER_AVERAGE; /* of the memory there is no other */
    f[0].scope = OF_GPU;
    f[1].scope = OF_MEMORY;
    m->clock(m->device, 1, &sm);
    m->clock(m->device, 2, &mem);
    m->temperature(m->device, 0, &t);
    m->fields(m->device, 2, f);
    r->sm_mhz += sm;
    r->mem_mhz += mem;
    r->celsius += t;
    r->gpu_w += 1e-3 * meter_field(&f[0]);
    r->mem_w += 1e-3 * meter_field(&f[1]);
    ++*samples;
}

/* Launches go on and on, two bursts of some ten milliseconds ahead, until run_s seconds after warm_s have passed. `launch` puts one
 * into the stream; NULL: nothing runs. */
static void meter_run(const struct meter *m, void (*launch)(void *, cudaStream_t), void *of, cudaStream_t s, struct reading *r)
{
    memset(r, 0, sizeof *r);
    cudaEvent_t done[2];
    cudaEventCreateWithFlags(&done[0], cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done[1], cudaEventDisableTiming);
    long burst = 1, samples = 0, launched = 0, at_begin = 0;
    if (launch) {
        launch(of, s);
        cudaStreamSynchronize(s);
        double t = meter_now();
        for (int i = 0; i < 3; i++)
            launch(of, s);
        cudaStreamSynchronize(s);
        t = (meter_now() - t) / 3;
        burst = t > 0.01 ? 1 : (long)(0.01 / t) + 1;
        if (burst > 4000)
            burst = 4000;
    }
    unsigned long long last, e, e0 = 0, e1 = 0;
    double begin = meter_now(), t0 = 0, t1 = 0, counted = 0, end = 0;
    long bursts = 0;
    m->energy(m->device, &last);
    for (;;) {
        if (launch && (bursts < 2 || cudaEventQuery(done[bursts & 1]) == cudaSuccess)) {
            /* The burst before last is over: what was launched up to it is done. */
            double now = meter_now();
            if (counted == 0 && now - begin > m->warm_s && bursts >= 2)
                counted = now, at_begin = launched;
            if (counted != 0)
                end = now, r->launches = launched - at_begin;
            for (long i = 0; i < burst; i++)
                launch(of, s);
            cudaEventRecord(done[bursts++ & 1], s);
            launched += burst;
        }
        double now = meter_now();
        m->energy(m->device, &e);
        if (e != last && now - begin > m->warm_s) {
            if (t0 == 0)
                t0 = now, e0 = e;
            else
                t1 = now, e1 = e, r->steps++;
            meter_sample(m, r, &samples);
        }
        last = e;
        if (now - begin > m->warm_s + m->run_s)
            break;
        if (!launch) {
            struct timespec ms = {0, 1000000};
            nanosleep(&ms, NULL);
        }
    }
    cudaStreamSynchronize(s);
    r->seconds = t1 > 0 ? t1 - t0 : 0;
    r->joules = t1 > 0 ? 1e-3 * (double)(e1 - e0) : 0;
    r->launch_s = r->launches ? (end - counted) / (double)r->launches : 0;
    if (samples) {
        r->sm_mhz /= (double)samples;
        r->mem_mhz /= (double)samples;
        r->celsius /= (double)samples;
        r->gpu_w /= (double)samples;
        r->mem_w /= (double)samples;
    }
    cudaEventDestroy(done[0]);
    cudaEventDestroy(done[1]);
}

#define METER_HEAD "seconds,joules,watts,launches,us_launch,uj_launch,sm_mhz,mem_mhz,celsius,gpu_w,mem_w,steps"

static void meter_print(FILE *f, const struct reading *r)
{
    double w = r->seconds > 0 ? r->joules / r->seconds : 0;
    fprintf(f, "%.3f,%.3f,%.2f,%ld,%.4f,%.4f,%.0f,%.0f,%.1f,%.1f,%.1f,%d\n", r->seconds, r->joules, w, r->launches, 1e6 * r->launch_s,
            1e6 * r->launch_s * w, r->sm_mhz, r->mem_mhz, r->celsius, r->gpu_w, r->mem_w, r->steps);
    fflush(f);
}

#endif
